--[[
Set the scene: a job's record.

KEYS[1] record        the job's record, a hash
ARGV[1] fields        field and value of each, by turns, with tabs between

Returns: nothing.
]]
local words = {}
for word in ARGV[1]:gmatch('[^\t]+') do words[#words + 1] = word end
redis.call('HSET', KEYS[1], unpack(words))
