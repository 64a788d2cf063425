--[[
Give back a job that was taken but may not run yet: to the front of its tier, with the counter 0.

KEYS[1] wait          the list of jobs without a priority
KEYS[2] prioritized   the ladder
KEYS[3] record        the job's record, a hash
ARGV[1] member        the job's id

Returns: 0, or -1 when the job has no record.
Source:  BullMQ moveJobFromActiveToWait-9, pushBackJobWithPriority (behaviour)
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
