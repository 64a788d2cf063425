--[[
Read when the next delayed job is due, by dividing the slot out of the head's score.

KEYS[1] delayed       the delayed set

Returns: the millisecond, nil when nothing is delayed.
Source:  BullMQ getNextDelayedTimestamp (behaviour)
Stands for: BullMQ getNextDelayedTimestamp

Example:
  # The millisecond 1780226978000, slot 1.
  > ZADD emq:{q}:delayed 7291809701888001 JOB0Nb1VTbfnu4
  (integer) 1
  $ valkey-cli --eval lua/packed/next_delayed.lua emq:{q}:delayed
  (integer) 1780226978000
]]
local head = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
if not head[2] then return nil end
-- The slot becomes the fraction.
return math.floor(tonumber(head[2]) / 0x1000)
