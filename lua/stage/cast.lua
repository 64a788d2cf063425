--[[
Set the scene: the other jobs of the ladder, and a counter that has already counted them.

KEYS[1] prioritized   the ladder
KEYS[2] counter       the arrival counter
ARGV[1] counted       the highest arrival among them
ARGV[2] jobs          score and member of each, by turns, with blanks between

Returns: nothing.
]]
redis.call('SET', KEYS[2], ARGV[1])
local jobs = {}
for word in ARGV[2]:gmatch('%S+') do jobs[#jobs + 1] = word end
redis.call('ZADD', KEYS[1], unpack(jobs))
