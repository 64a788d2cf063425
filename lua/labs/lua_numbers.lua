--[[
Pass one number on in every way that a script has, and keep the text that arrives each time.

KEYS[1] arrived       a hash: a field for each way, its value is what arrived
ARGV[1] number        the number, in decimal digits

Returns: the number itself, which the server cuts to a whole one.
Source:  Lua 5.1 (14 digits), LuaBitOp (32 bits, one a sign), lua-cjson (14 digits); behaviour

Example:
  # A score with 16 digits: 14 of them survive in a text, and bit.band keeps the low 32 bits.
  $ valkey-cli --eval lua/labs/lua_numbers.lua arrived , 7122403857137664
  (integer) 7122403857137664
  > HGETALL arrived
   1) "redis.call"
   2) "7122403857137664"
   3) "%.17g"
   4) "7122403857137664"
   5) "tostring"
   6) "7.1224038571377e+15"
   7) ".."
   8) "7.1224038571377e+15"
   9) "cjson"
  10) "7.1224038571377e+15"
  11) "bit.band"
  12) "-269680640"
]]
local number = tonumber(ARGV[1])
redis.call('HSET', KEYS[1], 'redis.call', number)
redis.call('HSET', KEYS[1], '%.17g', string.format('%.17g', number))
redis.call('HSET', KEYS[1], 'tostring', tostring(number))
redis.call('HSET', KEYS[1], '..', number .. '')
redis.call('HSET', KEYS[1], 'cjson', cjson.encode(number))
redis.call('HSET', KEYS[1], 'bit.band', bit.band(number, 0xffffffff))
return number
