--[[
Give back a job that was taken but may not run yet: to the front of its tier, with the counter 0.

KEYS[1] wait          the list of jobs without a priority
KEYS[2] prioritized   the ladder
KEYS[3] record        the job's record, a hash
ARGV[1] member        the job's id

Returns: 0, or -1 when the job has no record.
Source:  BullMQ moveJobFromActiveToWait-9, pushBackJobWithPriority (behaviour)
Stands for: BullMQ moveJobFromActiveToWait-9, pushBackJobWithPriority

Example:
  > HSET emq:{q}:job:41 priority 2
  (integer) 1
  > ZADD emq:{q}:prioritized 8589934609 42
  (integer) 1
  $ valkey-cli --eval lua/packed/push_back.lua emq:{q}:wait emq:{q}:prioritized emq:{q}:job:41 , 41
  (integer) 0
  > ZRANGE emq:{q}:prioritized 0 -1 WITHSCORES
  1) "41"
  2) "8589934592"
  3) "42"
  4) "8589934609"
]]
if redis.call('EXISTS', KEYS[3]) == 0 then return -1 end

local tier = tonumber(redis.call('HGET', KEYS[3], 'priority')) or 0
if tier == 0 then
  -- The list is served from its right end.
  redis.call('RPUSH', KEYS[1], ARGV[1])
else
  -- Two that were pushed back share the score: their bytes decide.
  redis.call('ZADD', KEYS[2], tier * 0x100000000, ARGV[1])
end
return 0
