--[[
Set the arrival counter so that the next INCR gives the arrival that the slider shows.

KEYS[1] counter       the arrival counter
ARGV[1] arrival       the arrival that the next job shall get, 0 or more

Returns: nothing. What the counter was is kept for stage/restore_counter.
]]
scene.counter = redis.call('SET', KEYS[1], ARGV[1] - 1, 'GET')
