--[[
Read where one member stands and the members around it, and the first of all; where the window
does not begin with that one, also how many are more urgent than the member's tier.

KEYS[1] ladder        a sorted set
ARGV[1] member        the visitor's own member
ARGV[2] window        how many members to read at most
ARGV[3] tier          how many scores one tier takes, 0 where there are none

Returns: the rank of the first member read.
]]
local score = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]))
local rank = redis.call('ZRANK', KEYS[1], ARGV[1])
local members, window = redis.call('ZCARD', KEYS[1]), tonumber(ARGV[2])
local first = math.max(0, math.min((rank or 0) - math.floor(window / 2), members - window))
redis.call('ZRANGE', KEYS[1], first, first + window - 1, 'WITHSCORES')
-- Whoever is served next is always shown.
if first > 0 then redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES') end
local tier = tonumber(ARGV[3])
if first > 0 and tier > 0 and score then
  redis.call('ZCOUNT', KEYS[1], '-inf', string.format('(%.0f', score - score % tier))
end
return first
