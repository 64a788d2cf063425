--[[
Set when a scheduler runs next: one member a scheduler, so a second upsert moves it.

KEYS[1] repeat        the registry of schedulers
ARGV[1] next_ms       its next run
ARGV[2] scheduler     its name

Returns: the next run that it had before, as the server prints it, nil for a new one.
Source:  BullMQ addJobScheduler-11, storeJobScheduler (behaviour)
]]
local prior = redis.call('ZSCORE', KEYS[1], ARGV[2])
redis.call('ZADD', KEYS[1], ARGV[1], ARGV[2])
return prior
