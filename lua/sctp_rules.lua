-- SPDX-License-Identifier: GPL-2.0-or-later
-- Rules of a site, written in Lua, in the form in which -z sctp,findings reports the plugin's.
--
--   tshark -q -r CAPTURE -X lua_script:sctp_rules.lua -X lua_script1:rules=my_rules.lua
--
-- Without rules= it loads site_rules.lua of this folder, whose three rules are examples. In Wireshark: Tools > SCTP > Site Rules.
-- A file of rules calls rule{} once per rule:
--
--   rule { id = "SITE-009", level = "MUST", title = "No INIT from port 0", clause = "site handbook 4.2",
--     packet = function(association, packet, accuse, memory) ... end,   -- each packet, in order
--     finish = function(association, accuse, memory) ... end }          -- once, at the end; either may be left out
--
-- association: number, first and last (packets), addresses and ports by endpoint (0, 1).
-- packet: what sctp_packets.lua reads: frame, time_s, from, path, chunk_type, data, events, findings, rto ... memory: a table of this
-- rule and association, empty at first. accuse { endpoint =, expected =, seen =, frame =, frames = }: frame completes the breach (default:
-- this packet), frames are more of the evidence. Packets captured twice come once.
-- Leaves out whether a rule is fair to what the capture may have missed: that is for the rule to say.

local here = debug.getinfo(1, "S").source:match("^@(.*[/\\])") or ""
local sctp, text = dofile(here .. "sctp_packets.lua"), dofile(here .. "sctp_text.lua")

local DEFAULTS = { rules = here .. "site_rules.lua", format = "text", filter = false, output = false }
local COLUMNS = { "association", "rule", "title", "level", "clause", "accused", "count", "frames", "time_s", "expected", "seen" }
local HEADS = { { head = "#", right = true }, { head = "endpoint" }, { head = "rule" }, { head = "level" },
                { head = "times", right = true }, { head = "frame", right = true } }
local LEVELS = { "MUST", "SHOULD", "heuristic" }
local FRAMES_MAX, FRAMES_SHOWN, ROWS_MAX = 32, 8, 50

local options = text.options("sctp_rules.lua", DEFAULTS, { ... })
text.choose("sctp_rules.lua", "format", options.format, { "text", "csv", "ndjson" })

-- Rules in the order of their file.
local rules = {}

local function rule(given)
  for _, name in ipairs { "id", "level", "title", "clause" } do
    if type(given[name]) ~= "string" then error("a rule without " .. name .. (given.id and ": " .. given.id or ""), 2) end
  end
  if not given.packet and not given.finish then error("rule " .. given.id .. " has neither packet nor finish", 2) end
  text.choose("rule " .. given.id, "level", given.level, LEVELS)
  table.insert(rules, given)
end

-- Runs the file of rules with rule and sctp (numbers of chunk types: sctp.DATA, ...) besides what Lua has.
local function load_rules(path)
  local file, message = io.open(path)
  if not file then text.fail("sctp_rules.lua: cannot read " .. text.escape(message)) end
  local words = file:read("*a")
  file:close()
  local chunk
  chunk, message = load(words or "", "@" .. path, "t", setmetatable({ rule = rule, sctp = sctp }, { __index = _G }))
  local loaded = chunk ~= nil
  if chunk then loaded, message = pcall(chunk) end
  if not loaded then text.fail("sctp_rules.lua: " .. text.escape(message)) end
  if #rules == 0 then text.fail("sctp_rules.lua: no rule in " .. text.escape(path)) end
end
load_rules(options.rules)

local read = sctp.reader { "chunk_length", "sid", "ppid", "begins", "ends", "unordered", "init_outbound", "init_inbound",
  "init_ack_outbound", "init_ack_inbound", "transmission", "retransmission", "since_last", "rtt", "sack_delay", "rto",
  "event", "event_frame", "event_endpoint", "event_path", "event_detail", "finding", "level", "certainty", "accused", "clause",
  "title", "finding_path", "expected", "seen" }

local associations, order, found

local function reset()
  associations, order, found = {}, {}, {}
end
reset()

local function add_frames(finding, frames)
  for _, frame in ipairs(frames) do
    if #finding.frames < FRAMES_MAX and not finding.has_frame[frame] then
      finding.has_frame[frame] = true
      table.insert(finding.frames, frame)
    end
  end
end

-- Repeats of a rule by an endpoint are one finding, with what was expected and seen the first time.
local function accuser(broken, association, packet)
  return function(breach)
    local key = broken.id .. "\0" .. association.number .. "\0" .. tostring(breach.endpoint)
    local finding = found[key]
    if not finding then
      finding = { association = association.number, rule = broken.id, title = broken.title, level = broken.level,
        clause = broken.clause, accused = breach.endpoint or packet.from, count = 0, frames = {}, has_frame = {}, at_s = packet.time_s,
        time_s = text.decimal("%.9f", packet.time_s), frame = breach.frame or packet.frame, expected = breach.expected,
        seen = breach.seen, of = association }
      found[key] = finding
      table.insert(found, finding)
    end
    finding.count = finding.count + 1
    add_frames(finding, breach.frames or { breach.frame or packet.frame })
  end
end

-- A rule that fails is named and asked no more; the others go on.
local function ask(asked, what, association, packet, ...)
  if not asked[what] or asked.has_failed then return end
  association.memories[asked] = association.memories[asked] or {}
  local arguments = { ... }
  table.insert(arguments, accuser(asked, association, packet))
  table.insert(arguments, association.memories[asked])
  local worked, message = pcall(asked[what], association, table.unpack(arguments))
  if not worked then
    asked.has_failed = true
    io.stderr:write(("sctp_rules.lua: rule %s failed at frame %d: %s\n"):format(asked.id, packet.frame, text.escape(message)))
  end
end

local function association_of(packet)
  local association = associations[packet.association]
  if not association then
    association = { number = packet.association, first = packet, addresses = {}, ports = {}, memories = {} }
    associations[packet.association] = association
    table.insert(order, association)
  end
  local from = packet.from
  association.last = packet
  association.addresses[from] = association.addresses[from] or packet.source
  association.addresses[1 - from] = association.addresses[1 - from] or packet.destination
  association.ports[from], association.ports[1 - from] = packet.source_port, packet.destination_port
  return association
end

local function take(pinfo)
  for _, packet in ipairs(read(pinfo)) do
    if not packet.is_copy then
      local association = association_of(packet)
      for _, asked in ipairs(rules) do ask(asked, "packet", association, packet, packet) end
    end
  end
end

local function finish()
  for _, association in ipairs(order) do
    for _, asked in ipairs(rules) do ask(asked, "finish", association, association.last) end
  end
  table.sort(found, function(a, b)
    if a.association ~= b.association then return a.association < b.association end
    return a.at_s ~= b.at_s and a.at_s < b.at_s or a.at_s == b.at_s and a.rule < b.rule
  end)
end

local function sentences(finding)
  local list = { ("%s: expected %s, saw %s"):format(finding.title, tostring(finding.expected), tostring(finding.seen)), finding.clause }
  if #finding.frames > 1 then
    local more = #finding.frames > FRAMES_SHOWN and ", ..." or ""
    table.insert(list, "frames " .. table.concat(finding.frames, ", ", 1, math.min(#finding.frames, FRAMES_SHOWN)) .. more)
  end
  return list
end

local function report()
  local lines, rows, legend = {}, {}, text.legend()
  text.title(lines, "SCTP site rules")
  table.insert(lines, "")
  for i = 1, math.min(#found, ROWS_MAX) do
    local finding, association = found[i], found[i].of
    rows[i] = { finding.association, legend.endpoint(association.addresses[finding.accused], association.ports[finding.accused]),
                finding.rule, finding.level, finding.count, finding.frame, sentences = sentences(finding) }
  end
  table.insert(lines, #found == 0 and "No violations found" or "Findings, in order of their first packet")
  if #found > 0 then text.table(lines, HEADS, rows) end
  if #found > ROWS_MAX then table.insert(lines, ("... and %d more (format=ndjson has them all)"):format(#found - ROWS_MAX)) end
  legend.explain(lines)
  return table.concat(lines, "\n") .. "\n"
end

local function written()
  if options.format == "text" then return report() end
  local parts = { options.format == "csv" and text.csv(COLUMNS) or "" }
  for _, finding in ipairs(found) do
    table.insert(parts, options.format == "csv" and text.csv(COLUMNS, finding) or text.ndjson(COLUMNS, finding))
  end
  return table.concat(parts)
end

local function run_in_tshark()
  local file, is_written = text.open("sctp_rules.lua", options.output), false
  local listener = Listener.new("frame", sctp.listener_filter(options.filter))
  listener.packet = take
  function listener.draw()
    if is_written then return end
    is_written = true
    finish()
    file:write(written())
    file:flush()
  end
end

local function show_frames()
  local frames, is_listed = {}, {}
  for _, finding in ipairs(found) do
    for _, frame in ipairs(finding.frames) do
      if not is_listed[frame] then table.insert(frames, frame) end
      is_listed[frame] = true
    end
  end
  if #frames == 0 then return end
  table.sort(frames)
  set_filter("frame.number in {" .. table.concat(frames, ", ") .. "}")
  apply_filter()
end

-- The window opens when all is judged: its button must not be there while Wireshark goes through the packets.
local function run_in_window()
  local listener = Listener.new("frame", sctp.listener_filter(options.filter))
  listener.packet, listener.reset = take, reset
  reset()
  retap_packets()
  listener:remove()
  finish()
  text.COLUMNS = 52
  local window = TextWindow.new("SCTP Site Rules")
  window:set(report())
  window:add_button("Filter Their Packets", show_frames)
end

if gui_enabled() then
  register_menu("SCTP/Site Rules", run_in_window, MENU_TOOLS_UNSORTED)
else
  run_in_tshark()
end
