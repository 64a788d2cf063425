--[[
Move what is due from the schedule to the pending set, where the mint decides and not the due time.

KEYS[1] schedule      the schedule set
KEYS[2] pending       the pending set
KEYS[3] record_prefix begins the name of each job's record, a hash
ARGV[1] limit         how many jobs to move at most
ARGV[2] now_ms        the clock to go by; empty: the server's TIME

Returns: how many jobs were moved.
Source:  EchoMQ.Jobs.promote (behaviour; there it is always TIME)
Stands for: EchoMQ.Jobs.promote/3

Example:
  > ZADD emq:{q}:schedule 1780226978000 JOB0Nb1VTbfnu4
  (integer) 1
  # One millisecond early nothing is due.
  $ valkey-cli --eval lua/one-number/promote.lua emq:{q}:schedule emq:{q}:pending emq:{q}:job: , 10 1780226977999
  (integer) 0
  $ valkey-cli --eval lua/one-number/promote.lua emq:{q}:schedule emq:{q}:pending emq:{q}:job: , 10 1780226978000
  (integer) 1
  > ZRANGE emq:{q}:pending 0 -1 WITHSCORES
  1) "JOB0Nb1VTbfnu4"
  2) "0"
]]
local now = tonumber(ARGV[2])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ARGV[1])
for _, id in ipairs(due) do
  redis.call('ZREM', KEYS[1], id)
  redis.call('ZADD', KEYS[2], 0, id)
  redis.call('HSET', KEYS[3] .. id, 'state', 'pending')
end
return #due
