--[[
Store a score, add 1 to a second one like it, and put the doubles below and above beside them.

KEYS[1] set           a sorted set
ARGV[1] score         the score, as text
ARGV[2] below         the next double below, empty for none
ARGV[3] above         the next double above, empty for none

Returns: the score, as the server prints it.

Example:
  # Past 2^53 a double holds every second whole number: 1 more is lost.
  $ valkey-cli --eval lua/labs/look_inside.lua scores , 9007199254740992 9007199254740991 9007199254740994
  "9007199254740992"
  > ZRANGE scores 0 -1 WITHSCORES
  1) "below"
  2) "9007199254740991"
  3) "plus-one"
  4) "9007199254740992"
  5) "score"
  6) "9007199254740992"
  7) "above"
  8) "9007199254740994"
]]
redis.call('ZADD', KEYS[1], ARGV[1], 'score', ARGV[1], 'plus-one')
redis.call('ZINCRBY', KEYS[1], 1, 'plus-one')
if ARGV[2] ~= '' then redis.call('ZADD', KEYS[1], ARGV[2], 'below', ARGV[3], 'above') end
return redis.call('ZSCORE', KEYS[1], 'score')
