--[[
End a registration: no further run, and no record.

KEYS[1] repeat        the registry, scored by the next run
KEYS[2] record        the registration's record, a hash
ARGV[1] registration  its name

Returns: 1, or 0 when there was none.
Source:  EchoMQ.Repeat.cancel (behaviour)
]]
local removed = redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('DEL', KEYS[2])
return removed
