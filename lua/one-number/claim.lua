--[[
Take the oldest pending job and lease it: who finishes it must show the attempt that it was given.

KEYS[1] pending       the pending set
KEYS[2] active        the active set, scored by the end of each lease
KEYS[3] record_prefix begins the name of each job's record, a hash
ARGV[1] lease_ms      how long the worker may keep it
ARGV[2] now_ms        the clock to go by; empty: the server's TIME

Returns: the id, the payload and the attempt, or an empty list when nothing is pending.
Source:  EchoMQ.Jobs.claim (behaviour; there it is always TIME)
Stands for: EchoMQ.Jobs.claim

Example:
  # The job that is admitted first was minted a second later.
  $ valkey-cli --eval lua/one-number/enqueue.lua emq:{q}:job:JOB0Nb1VYBWfya emq:{q}:pending , JOB0Nb1VYBWfya later
  (integer) 1
  $ valkey-cli --eval lua/one-number/enqueue.lua emq:{q}:job:JOB0Nb1VTbfnu4 emq:{q}:pending , JOB0Nb1VTbfnu4 hello
  (integer) 1
  $ valkey-cli --eval lua/one-number/claim.lua emq:{q}:pending emq:{q}:active emq:{q}:job: , 30000 1780226978000
  1) "JOB0Nb1VTbfnu4"
  2) "hello"
  3) (integer) 1
  # The lease ends 30 s after now.
  > ZRANGE emq:{q}:active 0 -1 WITHSCORES
  1) "JOB0Nb1VTbfnu4"
  2) "1780227008000"
]]
local popped = redis.call('ZPOPMIN', KEYS[1])
if #popped == 0 then return {} end

local id = popped[1]
local record = KEYS[3] .. id
local attempt = redis.call('HINCRBY', record, 'attempts', 1)
redis.call('HSET', record, 'state', 'active')
local now = tonumber(ARGV[2])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
redis.call('ZADD', KEYS[2], now + tonumber(ARGV[1]), id)
return {id, redis.call('HGET', record, 'payload'), attempt}
