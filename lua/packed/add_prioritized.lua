--[[
Add a job to the priority ladder: the tier in the high bits of its score, the arrival in the low.

KEYS[1] prioritized   the ladder
KEYS[2] counter       the arrival counter
ARGV[1] tier          1..2097151, lower is more urgent
ARGV[2] member        the job's id

Returns: what ZADD answers: 1 for a new member, 0 for one that got a new score.
Source:  BullMQ getPriorityScore (behaviour)
Stands for: BullMQ addPrioritizedJob-9, getPriorityScore

Example:
  $ valkey-cli --eval lua/packed/add_prioritized.lua emq:{q}:prioritized emq:{q}:pc , 2 JOB0Nb1VTbfnu4
  (integer) 1
  > ZRANGE emq:{q}:prioritized 0 -1 WITHSCORES
  1) "JOB0Nb1VTbfnu4"
  2) "8589934593"
]]
local arrival = redis.call('INCR', KEYS[2])
local score = tonumber(ARGV[1]) * 0x100000000 + arrival % 0x100000000
return redis.call('ZADD', KEYS[1], score, ARGV[2])
