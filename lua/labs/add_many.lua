--[[
Add many jobs that are due in one millisecond, with the scores that as many calls of add_delayed give.

KEYS[1] delayed       the delayed set
ARGV[1] due_ms        the millisecond in which all of them are due
ARGV[2] jobs          how many
ARGV[3] stem          the first 11 bytes of every id
ARGV[4] first         the last 3 base62 digits of the first id, as a number; each job has 1 less

Returns: how many were added.

Example:
  # The ids count down, so the order of arrival is not that of the bytes.
  $ valkey-cli --eval lua/labs/add_many.lua emq:{q}:delayed , 1780226978000 3 JOB0Nb1VTbf 191834
  (integer) 3
  > ZRANGE emq:{q}:delayed 0 -1 WITHSCORES
  1) "JOB0Nb1VTbfnu6"
  2) "7291809701888000"
  3) "JOB0Nb1VTbfnu5"
  4) "7291809701888001"
  5) "JOB0Nb1VTbfnu4"
  6) "7291809701888002"
  # The next one goes on where the set has got to.
  $ valkey-cli --eval lua/labs/add_many.lua emq:{q}:delayed , 1780226978000 1 JOB0Nb1VTbf 191831
  (integer) 1
  > ZSCORE emq:{q}:delayed JOB0Nb1VTbfnu3
  "7291809701888003"
]]
local DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
local PAIRS_MOST = 500

local function digit(value) return DIGITS:sub(value + 1, value + 1) end

local function id(n)
  return ARGV[3] .. digit(math.floor(n / 3844)) .. digit(math.floor(n / 62) % 62) .. digit(n % 62)
end

-- What add_delayed asks before every job is asked once: each score but the first is the one before, plus 1.
local due, jobs, number = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[4])
local first, last = due * 0x1000, (due + 1) * 0x1000 - 1
local highest = redis.call('ZREVRANGEBYSCORE', KEYS[1], last, first, 'WITHSCORES', 'LIMIT', 0, 1)
local score = highest[2] and math.min(tonumber(highest[2]) + 1, last) or first

local added, words = 0, {}
for n = 1, jobs do
  words[#words + 1], words[#words + 2] = score, id(number)
  if #words == 2 * PAIRS_MOST or n == jobs then
    added = added + redis.call('ZADD', KEYS[1], unpack(words))
    words = {}
  end
  score, number = math.min(score + 1, last), number - 1
end
return added
