--[[
Register a repeating job once: a second register, such as a reboot's, writes nothing.

KEYS[1] repeat        the registry, scored by the next run
KEYS[2] record        the registration's record, a hash
ARGV[1] registration  its name
ARGV[2] every_ms      its period
ARGV[3] template      the payload of each job
ARGV[4] first_ms      its first run

Returns: 1, or 0 when the name is already registered and nothing was written.
Source:  EchoMQ.Repeat.register: @register in repeat.ex (behaviour)
Stands for: EchoMQ.Repeat.register/6

Example:
  $ valkey-cli --eval lua/one-number/register.lua emq:{q}:repeat emq:{q}:repeat:nightly , nightly 60000 report 1780226978000
  (integer) 1
  # The same again, after a reboot: nothing is written, so the next run stays.
  $ valkey-cli --eval lua/one-number/register.lua emq:{q}:repeat emq:{q}:repeat:nightly , nightly 60000 report 1780227038000
  (integer) 0
  > ZRANGE emq:{q}:repeat 0 -1 WITHSCORES
  1) "nightly"
  2) "1780226978000"
]]
if redis.call('EXISTS', KEYS[2]) == 1 then return 0 end

redis.call('HSET', KEYS[2], 'every_ms', ARGV[2], 'template', ARGV[3])
redis.call('ZADD', KEYS[1], ARGV[4], ARGV[1])
return 1
