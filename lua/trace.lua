--[[
The frame's first part: a local `redis` that records what the scripts below it really do.

Every command a script sends is remembered with its arguments, as the server receives them, and
its reply. The real `redis` table is read-only, so this one stands in front of it as a local.
The frame's own housekeeping (quota, expiry, the lane's memory) calls `real` and leaves no trace.
]]
local real = redis
local steps, returned = {}, {}
local by, script = 'client', ''
local members_most = tonumber(ARGV[3])

-- A number reaches the server with 17 digits; tostring would show 14.
local function as_sent(value)
  if type(value) == 'number' then return string.format('%.17g', value) end
  return value
end

-- RESP kinds told apart: i integer, $ bulk, _ nil, + status, - error, S array of bulks, * array.
local function tagged(reply)
  local kind = type(reply)
  if kind == 'number' then return {'i', reply} end
  if kind == 'string' then return {'$', reply} end
  if kind ~= 'table' then return {'_'} end
  if reply.ok then return {'+', reply.ok} end
  if reply.err then return {'-', reply.err} end
  local all_bulk, out = true, {'S'}
  for n, item in ipairs(reply) do
    all_bulk = all_bulk and type(item) == 'string'
    out[n + 1] = item
  end
  if all_bulk and #out == #reply + 1 then return out end
  out[1] = '*'
  for n = 1, #reply do out[n + 1] = tagged(reply[n]) end
  return out
end

-- A set that is full refuses a new member; re-scoring one that is there stays allowed.
local function quota_refusal(command, key, member)
  if command ~= 'ZADD' or real.call('ZCARD', key) < members_most then return nil end
  if real.call('ZSCORE', key, member) then return nil end
  return {err = 'QUOTA members'}
end

local function record(arguments, reply)
  local sent = {}
  for n = 1, #arguments do sent[n] = as_sent(arguments[n]) end
  steps[#steps + 1] = {by, script, sent, tagged(reply)}
end

local redis = setmetatable({}, {__index = real})

redis.pcall = function(...)
  local arguments = {...}
  local reply = quota_refusal(arguments[1], arguments[2], arguments[#arguments])
  if not reply then reply = real.pcall(...) end
  record(arguments, reply)
  return reply
end

redis.call = function(...)
  local reply = redis.pcall(...)
  if type(reply) == 'table' and reply.err then error(reply, 0) end
  return reply
end

local bodies = {}
-- What one staging script leaves for the next one of the same run.
local scene = {}
