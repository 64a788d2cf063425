--[[
Park a job until it is due: the millisecond in the high bits of its score, a slot in the low 12.

KEYS[1] delayed       the delayed set
ARGV[1] timestamp_ms  when the job was made
ARGV[2] delay_ms      how long it waits from then on; 0 or less: it is due at once
ARGV[3] member        the job's id

Returns: what ZADD answers: 1 for a new member, 0 for one that got a new score.
Source:  BullMQ addDelayedJob, getDelayedScore (behaviour)
Stands for: BullMQ addDelayedJob-6, getDelayedScore

Example:
  # Two jobs made at one instant and due 90 s later: the second takes the next slot.
  $ valkey-cli --eval lua/packed/add_delayed.lua emq:{q}:delayed , 1780226888000 90000 JOB0Nb1VTbfnu4
  (integer) 1
  $ valkey-cli --eval lua/packed/add_delayed.lua emq:{q}:delayed , 1780226888000 90000 JOB0Nb1VYBWfya
  (integer) 1
  > ZRANGE emq:{q}:delayed 0 -1 WITHSCORES
  1) "JOB0Nb1VTbfnu4"
  2) "7291809701888000"
  3) "JOB0Nb1VYBWfya"
  4) "7291809701888001"
]]
local due = tonumber(ARGV[1])
local delay = tonumber(ARGV[2])
if delay > 0 then due = due + delay end

-- 52          12 11      0
-- | millisecond | slot   |   4096 jobs of one millisecond come back in the order they came.
local first, last = due * 0x1000, (due + 1) * 0x1000 - 1
local highest = redis.call('ZREVRANGEBYSCORE', KEYS[1], last, first, 'WITHSCORES', 'LIMIT', 0, 1)
local score = first
if highest[2] then
  -- The 4097th finds the last slot taken and shares it: from there on bytes decide.
  score = math.min(tonumber(highest[2]) + 1, last)
end
return redis.call('ZADD', KEYS[1], score, ARGV[3])
