--[[
Move what is due out of the delayed set: onto the ladder, or into the wait list without a priority.

KEYS[1] delayed       the delayed set
KEYS[2] wait          the list of jobs without a priority
KEYS[3] prioritized   the ladder
KEYS[4] counter       the arrival counter
KEYS[5] record_prefix begins the name of each job's record, a hash
ARGV[1] now_ms        the reader's clock

Returns: how many jobs were moved, 1000 at most.
Source:  BullMQ promoteDelayedJobs (behaviour)
Stands for: BullMQ promoteDelayedJobs

Example:
  > ZADD emq:{q}:delayed 7291809701888000 41 7291809701888001 42
  (integer) 2
  > HSET emq:{q}:job:41 priority 2
  (integer) 1
  # One millisecond early nothing is due.
  $ valkey-cli --eval lua/packed/promote_delayed.lua emq:{q}:delayed emq:{q}:wait emq:{q}:prioritized emq:{q}:pc emq:{q}:job: , 1780226977999
  (integer) 0
  $ valkey-cli --eval lua/packed/promote_delayed.lua emq:{q}:delayed emq:{q}:wait emq:{q}:prioritized emq:{q}:pc emq:{q}:job: , 1780226978000
  (integer) 2
  > ZRANGE emq:{q}:prioritized 0 -1 WITHSCORES
  1) "41"
  2) "8589934593"
  # Job 42 has no priority.
  > LRANGE emq:{q}:wait 0 -1
  1) "42"
]]
-- One less than the next millisecond's first slot: every slot of this millisecond, and no more.
local last = (tonumber(ARGV[1]) + 1) * 0x1000 - 1
local due = redis.call('ZRANGEBYSCORE', KEYS[1], 0, last, 'LIMIT', 0, 1000)
if #due == 0 then return 0 end

redis.call('ZREM', KEYS[1], unpack(due))
for _, id in ipairs(due) do
  local record = KEYS[5] .. id
  local tier = tonumber(redis.call('HGET', record, 'priority')) or 0
  if tier == 0 then
    redis.call('LPUSH', KEYS[2], id)
  else
    -- Not the arrival of the day it was added: it arrives now.
    local arrival = redis.call('INCR', KEYS[4])
    redis.call('ZADD', KEYS[3], tier * 0x100000000 + arrival % 0x100000000, id)
  end
  redis.call('HSET', record, 'delay', 0)
end
return #due
