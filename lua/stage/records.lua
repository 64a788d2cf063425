--[[
Set the scene: the records of those members of a set that have none yet.

KEYS[1] set           a sorted set
KEYS[2] record_prefix begins the name of each record, a hash
ARGV[1] records       a line for each: the member, then field and value by turns, with tabs between

Returns: nothing. To look who has one is housekeeping, so only what is written is a step.
]]
for line in ARGV[1]:gmatch('[^\n]+') do
  local words = {}
  for word in line:gmatch('[^\t]+') do words[#words + 1] = word end
  local member = table.remove(words, 1)
  local record = KEYS[2] .. member
  if real.call('ZSCORE', KEYS[1], member) and real.call('EXISTS', record) == 0 then
    redis.call('HSET', record, unpack(words))
  end
end
