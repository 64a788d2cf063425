--[[
Set the scene: the other jobs of the ladder, and a counter that has already counted them.

KEYS[1] prioritized   the ladder
KEYS[2] counter       the arrival counter
ARGV[1] counted       the highest arrival among them
ARGV[2] first_score   score and member of each job, by turns
ARGV[3] first_member  …

Returns: nothing.
]]
redis.call('SET', KEYS[2], ARGV[1])
redis.call('ZADD', KEYS[1], unpack(ARGV, 2))
