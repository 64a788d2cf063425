-- The scripts run inside Valkey, and inside the frame that lua/trace.lua opens.
std = "lua51"
read_globals = { "redis", "KEYS", "ARGV", "cjson", "bit" }
max_line_length = 110
-- An example in a header stands on one line, as it is typed.
max_comment_line_length = 150
-- The composed text is one chunk: what one file of the frame declares, the next ones use.
local frame = {
  "real", "steps", "returned", "by", "script", "tagged", "no_room", "bodies", "scene", "words_most",
  "clock", "now", "record", "minute", "members_most", "keys_most", "bytes_most", "actions_most", "spent",
  "lanes", "lane", "fresh", "expired", "other_keys", "room", "may_create", "keep_record", "keys_there",
}
for _, file in ipairs { "lua/trace.lua", "lua/quota.lua", "lua/run.lua" } do
  files[file] = { globals = frame, ignore = { "2[1-3]1" } }
end
files["lua/stage/*.lua"] = { globals = { "scene" }, read_globals = { "real" } }
