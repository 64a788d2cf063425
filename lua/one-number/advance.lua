--[[
Move a registration on to its next run, or sweep its name when its record is gone.

KEYS[1] repeat        the registry, scored by the next run
KEYS[2] record        the registration's record, a hash
ARGV[1] registration  its name
ARGV[2] next_ms       now and one period, as the caller's clock says

Returns: 1, or 0 when the registration is gone.
Source:  EchoMQ.Repeat.advance (behaviour)
]]
if redis.call('EXISTS', KEYS[2]) == 0 then
  redis.call('ZREM', KEYS[1], ARGV[1])
  return 0
end
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
return 1
