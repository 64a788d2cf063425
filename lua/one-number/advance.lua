--[[
Move a registration on to its next run, or sweep its name when its record is gone.

KEYS[1] repeat        the registry, scored by the next run
KEYS[2] record        the registration's record, a hash
ARGV[1] registration  its name
ARGV[2] next_ms       now and one period, as the caller's clock says

Returns: 1, or 0 when the registration is gone.
Source:  EchoMQ.Repeat.advance (behaviour)
Stands for: EchoMQ.Repeat.advance

Example:
  > HSET emq:{q}:repeat:nightly every_ms 60000
  (integer) 1
  > ZADD emq:{q}:repeat 1780226978000 nightly
  (integer) 1
  $ valkey-cli --eval lua/one-number/advance.lua emq:{q}:repeat emq:{q}:repeat:nightly , nightly 1780227038000
  (integer) 1
  > ZSCORE emq:{q}:repeat nightly
  "1780227038000"
  # Without its record the name is swept.
  > DEL emq:{q}:repeat:nightly
  (integer) 1
  $ valkey-cli --eval lua/one-number/advance.lua emq:{q}:repeat emq:{q}:repeat:nightly , nightly 1780227098000
  (integer) 0
  > ZSCORE emq:{q}:repeat nightly
  (nil)
]]
if redis.call('EXISTS', KEYS[2]) == 0 then
  redis.call('ZREM', KEYS[1], ARGV[1])
  return 0
end
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
return 1
