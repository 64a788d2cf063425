--[[
Put the arrival counter back to its highest value, so that the next job joins the back.

KEYS[1] counter       the arrival counter
ARGV[1] arrival       the arrival that was just given

Returns: nothing.
]]
if scene.mark > tonumber(ARGV[1]) then redis.call('SET', KEYS[1], scene.mark) end
