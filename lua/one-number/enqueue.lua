--[[
Admit a job that may run at once: its record, and its id at score 0 among the pending.

KEYS[1] record        the job's record, a hash
KEYS[2] pending       the pending set, ordered by its members' bytes
ARGV[1] member        the job's id, which begins with JOB
ARGV[2] payload       what the worker gets

Returns: 1, or 0 when the job is already known and nothing was written.
Source:  EchoMQ.Jobs.enqueue (behaviour)
Stands for: EchoMQ.Jobs.enqueue

Example:
  $ valkey-cli --eval lua/one-number/enqueue.lua emq:{q}:job:JOB0Nb1VTbfnu4 emq:{q}:pending , JOB0Nb1VTbfnu4 hello
  (integer) 1
  # A second time it is known.
  $ valkey-cli --eval lua/one-number/enqueue.lua emq:{q}:job:JOB0Nb1VTbfnu4 emq:{q}:pending , JOB0Nb1VTbfnu4 hello
  (integer) 0
  $ valkey-cli --eval lua/one-number/enqueue.lua emq:{q}:job:41 emq:{q}:pending , 41 hello
  (error) EMQKIND job id must be JOB-namespaced
  > ZRANGE emq:{q}:pending 0 -1 WITHSCORES
  1) "JOB0Nb1VTbfnu4"
  2) "0"
]]
if ARGV[1]:sub(1, 3) ~= 'JOB' then
  return redis.error_reply('EMQKIND job id must be JOB-namespaced')
end
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end

redis.call('HSET', KEYS[1], 'state', 'pending', 'attempts', 0, 'payload', ARGV[2])
redis.call('ZADD', KEYS[2], 0, ARGV[1])
return 1
