--[[
Admit a job that runs later: its record, and its id scored by the millisecond it is due.

KEYS[1] record        the job's record, a hash
KEYS[2] schedule      the schedule set
ARGV[1] member        the job's id, which begins with JOB
ARGV[2] payload       what the worker gets
ARGV[3] mode          at, or in: after the server's TIME
ARGV[4] ms            the moment for at, the delay for in

Returns: 1, or 0 when the job is already known and nothing was written.
Source:  EchoMQ.Jobs.enqueue_at, enqueue_in: @schedule in jobs.ex (behaviour)
Stands for: EchoMQ.Jobs.enqueue_at/6, EchoMQ.Jobs.enqueue_in/6

Example:
  $ valkey-cli --eval lua/one-number/schedule.lua emq:{q}:job:JOB0Nb1VTbfnu4 emq:{q}:schedule , JOB0Nb1VTbfnu4 hello at 1780226978000
  (integer) 1
  > ZRANGE emq:{q}:schedule 0 -1 WITHSCORES
  1) "JOB0Nb1VTbfnu4"
  2) "1780226978000"
  > HGET emq:{q}:job:JOB0Nb1VTbfnu4 state
  "scheduled"
]]
if ARGV[1]:sub(1, 3) ~= 'JOB' then
  return redis.error_reply('EMQKIND job id must be JOB-namespaced')
end
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end

local run_at = tonumber(ARGV[4])
if ARGV[3] == 'in' then
  local time = redis.call('TIME')
  run_at = run_at + time[1] * 1000 + math.floor(time[2] / 1000)
end
redis.call('HSET', KEYS[1], 'state', 'scheduled', 'attempts', 0, 'payload', ARGV[2])
redis.call('ZADD', KEYS[2], run_at, ARGV[1])
return 1
