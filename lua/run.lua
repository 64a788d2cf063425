--[[
The frame's last part: run a program, one operation after the other, inside one EVALSHA.

KEYS[n]               from 2 on: the keys of the figure
ARGV[8] seq           the request's sequence number; an older one than the last does nothing
ARGV[9] …             operations: kind, number of words, words. In a word, k3 is KEYS[3], =x is
                      the text x, #x is x completed by one digit, a new one for each action, and
                      @2 is the second number of the place where the visitor's job was last put;
                      !ms and !slots are the server's now.

Kinds: whole (no command is abridged), script, plain (one command), order (read where a member stands), count (members in a range
of scores), note (remember an action
or a move), drop (keys that were only shown), restart (forget the lane), keep (first of all: a lane
that is there is only renewed and read, also when the minute's commands are used up). Before a kind, ? means
only in a fresh lane, ~ only when the visitor's job is to stand elsewhere than it was last put, a
digit n only when the action that was remembered last is remembered for the nth time, ! that an
error is a reply like any other, so that the program goes on, and + aside: in a lane that is only
kept as well, as long as commands and memory last.

An entry look-… changes nothing, so it is no action, and what is remembered next takes its place.
]]
local ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
local FIRST_OPERATION = 9
local entries, actions, place, moved = {}, 0, '', false

local function is_move(entry) return entry ~= nil and entry:sub(1, 3) == 'at-' end
local function is_look(entry) return entry ~= nil and entry:sub(1, 5) == 'look-' end

local function remember(entry)
  local move, last = is_move(entry), entries[#entries]
  local replaces = is_look(last) or (move and is_move(last))
  entries[replaces and #entries or #entries + 1] = entry
  if move then place = entry elseif not is_look(entry) then actions = actions + 1 end
end

for entry in lane.past:gmatch('[^,]+') do remember(entry) end

local refused = ''
local seq = ARGV[8] ~= '' and ARGV[8] or lane.seq
local keeps = ARGV[FIRST_OPERATION] == 'keep' and not fresh
local commands_most = tonumber(ARGV[3])
local used_up = spent >= commands_most
if used_up and not keeps then
  refused = 'commands'
elseif lane.seq ~= '' and tonumber(seq) < tonumber(lane.seq) then
  refused, seq = 'stale', lane.seq
end

local undo

local function note(entry, only_if_moved)
  moved = is_move(entry) and entry ~= place
  if only_if_moved and not moved then return end
  undo = {#entries, entries[#entries], place, actions}
  if is_move(entry) then scene.moves_on = is_move(entries[#entries]) end
  if not is_move(entry) and not is_look(entry) and actions >= actions_most then
    refused = 'actions'
  else
    remember(entry)
  end
end

-- What was remembered but could not be done is no part of the story.
local function forget_the_last()
  if not undo then return end
  for n = undo[1] + 1, #entries do entries[n] = nil end
  if undo[1] > 0 then entries[undo[1]] = undo[2] end
  place, actions = undo[3], undo[4]
end

-- What stands behind the name, such as an answer that was given first, makes it no other action.
local function name_of(entry) return entry:match('^[^-]*') end

local function times_remembered(entry)
  local times, name = 0, name_of(entry)
  for _, one in ipairs(entries) do times = times + (name_of(one) == name and 1 or 0) end
  return times
end

local function commands_left() return spent + #steps < commands_most end

-- An action, which its note begins, is done as a whole or not at all, and so is what opens a lane:
-- neither is left half done where the minute's commands run out.
local begun = false
local function may_send(kind)
  if kind == 'note' then
    begun = #entries == 0 or commands_left()
    return begun
  end
  return begun or (kind ~= 'script' and kind ~= 'plain') or commands_left()
end

local function wanted(condition, kind)
  if kind == 'order' or kind == 'count' then return true end
  if refused ~= '' then return false end
  if condition == '+' then return not used_up and (kind == 'drop' or commands_left()) end
  if keeps then return false end
  if condition == '?' then return fresh end
  if condition:match('%d') then return times_remembered(entries[#entries]) == tonumber(condition) end
  return condition ~= '~' or kind == 'note' or moved
end

-- ms is the server's clock, slots the largest shifted score that is due at it.
local function server_now(unit)
  local now_ms = now * 1000 + math.floor(clock[2] / 1000)
  return string.format('%.0f', unit == 'slots' and (now_ms + 1) * 4096 - 1 or now_ms)
end

local function words_of(first, count)
  local keys, values, words = {}, {}, {}
  for n = first, first + count - 1 do
    local mark, text = ARGV[n]:sub(1, 1), ARGV[n]:sub(2)
    if mark == 'k' then text = KEYS[tonumber(text)] end
    if mark == '#' then text = text .. ALPHABET:sub(actions + 1, actions + 1) end
    if mark == '@' then text = place:match('^at' .. ('%-%d+'):rep(text - 1) .. '%-(%d+)') end
    if mark == '!' then text = server_now(text) end
    local list = mark == 'k' and keys or values
    list[#list + 1], words[#words + 1] = text, text
  end
  return keys, values, words
end

local failure = ''
local orders, shown = {}, {}
local kinds = {
  whole = function() words_most = math.huge end,
  keep = function() end,
  note = function(condition, _, values) note(values[1], condition == '~') end,
  plain = function(_, _, _, words)
    by, script = 'client', ''
    redis.call(unpack(words))
  end,
  order = function(_, keys, values)
    -- Once a program has failed nothing changes any more, so each set is read once.
    if shown[keys[1]] then return end
    shown[keys[1]] = failure ~= ''
    by, script = 'client', ''
    local first_step = #steps + 1
    orders[#orders + 1] = {first_step, bodies['read_order'](keys, values)}
  end,
  count = function(_, keys, values)
    by, script = 'client', ''
    redis.call('ZCOUNT', keys[1], values[1], values[2])
  end,
  script = function(_, keys, values)
    script = table.remove(values, 1)
    by = script:sub(1, 6) == 'stage/' and 'stage' or 'script'
    local value = bodies[script](keys, values)
    returned[#returned + 1] = {script, tagged(value), #steps}
  end,
  drop = function(_, keys) real.call('DEL', unpack(keys)) end,
  restart = function()
    -- As in quota.lua: a first write would let the rest pass the server's memory limit.
    if keys_there() > 0 then real.call('DEL', unpack(KEYS, 2)) end
    entries, actions, place, fresh, may_create = {}, 0, '', true, true
    scene.mark = nil
    room = keys_most - other_keys
  end,
}

local function operation(at)
  local condition, kind = ARGV[at]:match('^([?~!+%d]?)(%a+)$')
  local count = tonumber(ARGV[at + 1])
  local skip = failure ~= '' and kind ~= 'order'
  local asked = not skip and wanted(condition, kind)
  if asked and not may_send(kind) then
    failure = 'QUOTA commands'
  elseif asked then
    local ok, fault = pcall(kinds[kind], condition, words_of(at + 2, count))
    local said = not ok and (type(fault) == 'table' and fault.err or tostring(fault)) or ''
    -- That nothing more fits is no reply to the command.
    local no_room_left = said:sub(1, 6) == 'QUOTA ' or said:sub(1, 3) == 'OOM'
    if not ok and condition == '!' and not no_room_left then
      if kind == 'script' then returned[#returned + 1] = {script, {'-', said}, #steps} end
    elseif not ok and not (condition == '+' and keeps) then
      failure = said
      forget_the_last()
    end
  end
  return at + 2 + count
end

local left_s = -1
if refused ~= 'commands' then
  local at = FIRST_OPERATION
  while ARGV[at] do at = operation(at) end
  left_s = keep_record(seq, table.concat(entries, ','))
end
-- In the order of Answer in decoder/sandbox/execution.py.
return {
  steps, orders, returned, table.concat(entries, ','), refused, failure, fresh and 1 or 0,
  spent + #steps, clock[1], clock[2],
  real.SERVER_NAME or 'redis', real.VALKEY_VERSION or real.REDIS_VERSION,
  record and 0 or 1, left_s, other_keys + lane.keys, expired and 1 or 0, lane.seq,
}
