--[[
The frame's second part: the sandbox's record, and the quotas that it is checked against.

KEYS[1] record        "<minute>;<commands spent in it>" and, for each lane, "|<lane>;<deadline>;
                      <keys>;<seq>;<mark>;<entry>,<entry>…". A lane is alive until its deadline,
                      a second of the server's clock; its mark is what scene.mark was. Of one that
                      expired only the name is kept, so that its visitor can be told.
ARGV[1] lane          the lane's name
ARGV[2] ttl_ms        its sliding expiry
ARGV[3] commands_most what a sandbox may send in a minute
ARGV[4] members_most  what one set may hold
ARGV[5] keys_most     what all lanes of a sandbox may hold together
ARGV[6] bytes_most    what one argument may weigh, a key without the prefix of its lane
ARGV[7] actions_most  what one address can carry
]]
local clock = real.call('TIME')
local now = tonumber(clock[1])
local minute = math.floor(now / 60)
local members_most, keys_most = tonumber(ARGV[4]), tonumber(ARGV[5])
local bytes_most, actions_most = tonumber(ARGV[6]), tonumber(ARGV[7])

local spent, lanes = 0, {}
local record = real.call('GET', KEYS[1])
if record then
  local when, used = record:match('^(%d+);(%d+)')
  if tonumber(when) == minute then spent = tonumber(used) end
  for name, deadline, keys, seq, mark, past in record:gmatch('|([^;]*);(%d+);(%d+);(%d*);(%d*);([^|]*)') do
    if tonumber(deadline) > now then
      lanes[name] = {deadline = deadline, keys = tonumber(keys), seq = seq, mark = mark, past = past}
    else
      lanes[name] = {deadline = 0, keys = 0, seq = '', mark = '', past = '', expired = true}
    end
  end
end
local lane = lanes[ARGV[1]]
local expired = lane ~= nil and lane.expired == true
local fresh = not lane or expired
lane = lane or {keys = 0, seq = '', mark = '', past = ''}
scene.mark = tonumber(lane.mark)
lanes[ARGV[1]] = lane

local other_keys = 0
for name, one in pairs(lanes) do
  if name ~= ARGV[1] then other_keys = other_keys + one.keys end
end
local function keys_there()
  return #KEYS > 1 and real.call('EXISTS', unpack(KEYS, 2)) or 0
end
local keys_before = keys_there()
-- What an expired lane left behind does not belong to the one that begins. Only where there is
-- something: after a first write the server would let a script pass its memory limit.
if fresh and keys_before > 0 then
  real.call('DEL', unpack(KEYS, 2))
  keys_before = 0
end
local room = keys_most - other_keys - keys_before
-- While every key of this run exists, no write can make a new one.
local may_create = keys_before < #KEYS - 1

local WRITES = {
  ZADD = true, SET = true, INCR = true, HSET = true, HINCRBY = true, LPUSH = true, RPUSH = true,
  INCRBY = true, ZINCRBY = true,
}

local OPTIONS = {NX = true, XX = true, GT = true, LT = true, CH = true, INCR = true}

-- A script may put a key together from a prefix; it expires as those do that the program names.
local named, strays = {}, {}
for n = 1, #KEYS do named[KEYS[n]] = true end

-- Re-scoring a member that is there stays allowed. What is no sorted set, ZADD itself refuses.
local function fits(key, sent)
  local there, first = tonumber(real.pcall('ZCARD', key)) or 0, 3
  while OPTIONS[(sent[first] or ''):upper()] do first = first + 1 end
  if there + (#sent - first + 1) / 2 <= members_most then return true end
  local new = 0
  for n = first + 1, #sent, 2 do
    if not real.call('ZSCORE', key, sent[n]) then new = new + 1 end
  end
  return new == 0 or there + new <= members_most
end

no_room = function(sent)
  for n = 2, #sent do
    -- What we put before a key weighs nothing.
    local weight = #sent[n] > bytes_most and #sent[n]:gsub('^{sbx:[%w_-]*}:[^:]*:', '') or 0
    if weight > bytes_most then return {err = 'QUOTA bytes=' .. weight} end
  end
  local command, key = sent[1]:upper(), sent[2]
  if not WRITES[command] then return nil end
  if not named[key] then strays[#strays + 1] = key end
  if may_create and real.call('EXISTS', key) == 0 then
    if room < 1 then return {err = 'QUOTA keys'} end
    room = room - 1
  end
  local adds = command == 'ZADD' or command == 'ZINCRBY'
  if adds and not fits(key, sent) then return {err = 'QUOTA members'} end
  return nil
end

-- A full server refuses this write; what was there stays readable all the same. Answers the seconds
-- that are left where nothing could be renewed, else -1.
local function keep_record(seq, past)
  local before = fresh and now or lane.deadline
  lane.deadline = string.format('%d', now + ARGV[2] / 1000)
  lane.keys, lane.seq, lane.past = keys_there(), seq, past
  lane.mark = scene.mark and string.format('%.0f', scene.mark) or ''
  local parts = {minute .. ';' .. spent + #steps}
  for name, one in pairs(lanes) do
    parts[#parts + 1] = table.concat({name, one.deadline, one.keys, one.seq, one.mark, one.past}, ';')
  end
  local written = real.pcall('SET', KEYS[1], table.concat(parts, '|'))
  -- The keys must not outlive the deadline that the record still tells.
  if written.err and written.err:sub(1, 3) == 'OOM' then return before - now end
  if written.err then error(written, 0) end
  for n = 1, #KEYS do real.call('PEXPIRE', KEYS[n], ARGV[2]) end
  for n = 1, #strays do real.call('PEXPIRE', strays[n], ARGV[2]) end
  return -1
end
