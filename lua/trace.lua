--[[
The frame's first part: a local `redis` that records what the scripts below it really do.

Every command a script sends is remembered with its arguments, as the server receives them, and
its reply. The real `redis` table is read-only, so this one stands in front of it as a local.
The frame's own housekeeping (quotas, expiry, the sandbox's record) calls `real` and leaves no
trace.
]]
local real = redis
local steps, returned = {}, {}
local by, script = 'client', ''

-- How a number reaches the server: a whole one in full, where tostring would show 14 digits. Any other
-- is spelled by the server itself, and not as Lua would.
local EXACT_MOST = 2 ^ 53
local function as_sent(value)
  if type(value) ~= 'number' then return value end
  if value % 1 == 0 and math.abs(value) < EXACT_MOST then return string.format('%.0f', value + 0) end
  return real.call('ECHO', value)
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
  for n = 1, #reply do
    all_bulk = all_bulk and type(reply[n]) == 'string'
    out[n + 1] = reply[n]
  end
  if all_bulk then return out end
  out[1] = '*'
  for n = 1, #reply do out[n + 1] = tagged(reply[n]) end
  return out
end

-- A command of thousands of words is remembered by its ends; what stands between is told as one
-- bare word, unless the program wants it whole.
local words_most, FIRST_WORDS, LAST_WORDS = 64, 8, 4
local function abridged(sent)
  if #sent <= words_most then return sent end
  local words = {unpack(sent, 1, FIRST_WORDS)}
  words[#words + 1] = '...' .. #sent - FIRST_WORDS - LAST_WORDS .. '-more...'
  for n = #sent - LAST_WORDS + 1, #sent do words[#words + 1] = sent[n] end
  return words
end

-- Set by quota.lua: returns an error reply where the sandbox has no room, nil where it has.
local no_room

local redis = setmetatable({}, {__index = real})

redis.pcall = function(...)
  local sent = {...}
  for n = 1, #sent do sent[n] = as_sent(sent[n]) end
  -- What is refused here is never sent, so it is no step.
  local refusal = no_room(sent)
  if refusal then return refusal end
  local reply = real.pcall(...)
  steps[#steps + 1] = {by, script, abridged(sent), tagged(reply)}
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
