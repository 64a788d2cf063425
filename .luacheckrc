-- The scripts run inside Valkey, and inside the frame that lua/trace.lua opens.
std = "lua51"
read_globals = { "redis", "KEYS", "ARGV", "cjson", "bit" }
max_line_length = 100
-- The composed text is one chunk: what trace.lua declares, the files after it use.
files["lua/trace.lua"].ignore = { "211/returned", "211/bodies", "211/scene", "211/by", "231/by", "231/script", "211/script", "211/orders" }
files["lua/run.lua"].globals = { "real", "steps", "returned", "bodies", "by", "script", "tagged" }
files["lua/run.lua"].read_globals = { "real" }
files["lua/stage/*.lua"].globals = { "scene" }
