--[[
Set when a scheduler runs next: one member a scheduler, so a second upsert moves it.

KEYS[1] repeat        the registry of schedulers; the first EchoMQ: EchoMQ.Keys.repeat/1, in keys.ex
ARGV[1] next_ms       its next run; upstream nextMillis
ARGV[2] scheduler     its name; upstream customKey

Returns: the next run that it had before, as the server prints it, nil for a new one.
Source:  BullMQ addJobScheduler-11, storeJobScheduler (behaviour)
Stands for: BullMQ addRepeatableJob-2, storeRepeatableJob, addJobScheduler-11,
            storeJobScheduler

Example:
  $ valkey-cli --eval lua/packed/upsert_repeat.lua emq:{q}:repeat , 1780226978000 nightly
  (nil)
  # The same scheduler again, after a reboot: it is moved, not doubled.
  $ valkey-cli --eval lua/packed/upsert_repeat.lua emq:{q}:repeat , 1780227038000 nightly
  "1780226978000"
  > ZRANGE emq:{q}:repeat 0 -1 WITHSCORES
  1) "nightly"
  2) "1780227038000"
]]
local prior = redis.call('ZSCORE', KEYS[1], ARGV[2])
redis.call('ZADD', KEYS[1], ARGV[1], ARGV[2])
return prior
