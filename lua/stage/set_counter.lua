--[[
Set the arrival counter so that the next INCR gives the arrival that the slider shows.

KEYS[1] counter       the arrival counter
ARGV[1] arrival       the arrival that the next job shall get, 0 or more

Returns: nothing. scene.mark keeps what the counter was before this move; of moves in a row, what
         it was before the first, since only the last of them counts.
]]
local before = redis.call('SET', KEYS[1], ARGV[1] - 1, 'GET')
if not scene.moves_on then scene.mark = tonumber(before or 0) end
