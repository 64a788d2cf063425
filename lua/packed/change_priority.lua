--[[
Change a job's tier: it leaves its place and goes behind the new tier or, with lifo, in front.

KEYS[1] wait          the list of jobs without a priority
KEYS[2] prioritized   the ladder
KEYS[3] counter       the arrival counter
KEYS[4] record        the job's record, a hash
ARGV[1] tier          1..2097151, lower is more urgent; 0: no priority, the wait list
ARGV[2] member        the job's id
ARGV[3] lifo          1: in front, with the counter 0; anything else: behind, with a new counter

Returns: 0, or -1 when the job has no record.
Source:  BullMQ changePriority-7, addJobWithPriority, pushBackJobWithPriority (behaviour)
Stands for: BullMQ changePriority-7, addJobWithPriority, pushBackJobWithPriority

Example:
  # Job 41 waits in tier 2, job 42 in tier 1.
  > HSET emq:{q}:job:41 priority 2
  (integer) 1
  > ZADD emq:{q}:prioritized 4294967298 42 8589934593 41
  (integer) 2
  > SET emq:{q}:pc 2
  OK
  # To tier 1: it goes behind the other one, as if it came now.
  $ valkey-cli --eval lua/packed/change_priority.lua emq:{q}:wait emq:{q}:prioritized emq:{q}:pc emq:{q}:job:41 , 1 41 0
  (integer) 0
  > ZRANGE emq:{q}:prioritized 0 -1 WITHSCORES
  1) "42"
  2) "4294967298"
  3) "41"
  4) "4294967299"
  # With lifo it goes in front of its tier.
  $ valkey-cli --eval lua/packed/change_priority.lua emq:{q}:wait emq:{q}:prioritized emq:{q}:pc emq:{q}:job:41 , 1 41 1
  (integer) 0
  > ZRANGE emq:{q}:prioritized 0 -1 WITHSCORES
  1) "41"
  2) "4294967296"
  3) "42"
  4) "4294967298"
]]
if redis.call('EXISTS', KEYS[4]) == 0 then return -1 end

local tier, lifo = tonumber(ARGV[1]), ARGV[3] == '1'
-- A job that is in neither, such as a delayed one, only has its new tier written down.
local waited = redis.call('ZREM', KEYS[2], ARGV[2]) > 0
  or redis.call('LREM', KEYS[1], -1, ARGV[2]) > 0
if waited and tier == 0 then
  -- The list is served from its right end.
  if lifo then
    redis.call('RPUSH', KEYS[1], ARGV[2])
  else
    redis.call('LPUSH', KEYS[1], ARGV[2])
  end
elseif waited then
  local arrival = lifo and 0 or redis.call('INCR', KEYS[3])
  redis.call('ZADD', KEYS[2], tier * 0x100000000 + arrival % 0x100000000, ARGV[2])
end
redis.call('HSET', KEYS[4], 'priority', tier)
return 0
