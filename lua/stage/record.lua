--[[
Set the scene: one field of a job's record.

KEYS[1] record        the job's record, a hash
ARGV[1] field         its name
ARGV[2] value         its value

Returns: nothing.
]]
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
