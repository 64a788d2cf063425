--[[
Take a job off a set, but only while it still has the score with which it was read.

KEYS[1] set           a sorted set
ARGV[1] member        the job
ARGV[2] score         the score that the worker read, as the server printed it

Returns: 1 for the one who took it, 0 where it is gone or was scheduled again.

Example:
  > ZADD schedule 1780226888000 JOB0Nb1VTbfnu4
  (integer) 1
  # It is scheduled again before the worker comes back.
  > ZADD schedule 1780226978000 JOB0Nb1VTbfnu4
  (integer) 0
  $ valkey-cli --eval lua/labs/remove_if_score.lua schedule , JOB0Nb1VTbfnu4 1780226888000
  (integer) 0
  $ valkey-cli --eval lua/labs/remove_if_score.lua schedule , JOB0Nb1VTbfnu4 1780226978000
  (integer) 1
]]
local score = redis.call('ZSCORE', KEYS[1], ARGV[1])
-- Inside Lua a score is text; two spellings of one number are the same score.
if not score or tonumber(score) ~= tonumber(ARGV[2]) then return 0 end
return redis.call('ZREM', KEYS[1], ARGV[1])
