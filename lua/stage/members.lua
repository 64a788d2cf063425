--[[
Set the scene: other members of a set.

KEYS[1] set           a sorted set
ARGV[1] members       score and member of each, by turns, with blanks between

Returns: nothing.
]]
local words = {}
for word in ARGV[1]:gmatch('%S+') do words[#words + 1] = word end
redis.call('ZADD', KEYS[1], unpack(words))
