--[[
End a registration: no further run, and no record.

KEYS[1] repeat        the registry, scored by the next run
KEYS[2] record        the registration's record, a hash
ARGV[1] registration  its name

Returns: 1, or 0 when there was none.
Source:  EchoMQ.Repeat.cancel (behaviour)
Stands for: EchoMQ.Repeat.cancel

Example:
  > HSET emq:{q}:repeat:nightly every_ms 60000
  (integer) 1
  > ZADD emq:{q}:repeat 1780226978000 nightly
  (integer) 1
  $ valkey-cli --eval lua/one-number/cancel.lua emq:{q}:repeat emq:{q}:repeat:nightly , nightly
  (integer) 1
  > EXISTS emq:{q}:repeat emq:{q}:repeat:nightly
  (integer) 0
]]
local removed = redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('DEL', KEYS[2])
return removed
