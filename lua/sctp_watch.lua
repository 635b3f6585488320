-- SPDX-License-Identifier: GPL-2.0-or-later
-- Says what happens while it happens: one line per event and finding, as soon as the packet is there that makes it certain.
--
--   tshark -q -i eth0 -f sctp -X lua_script:sctp_watch.lua
--   ssh router tcpdump -U -w - sctp | tshark -q -i - -X lua_script:sctp_watch.lua
--
-- A line holds: seconds from the first frame, frame, association, endpoint (the one whose event it is, or who is accused), path,
-- what, and text. Of a finding that repeats only the first, tenth, hundredth ... line is written, unless repeats=all.
-- All fields that it uses are past: the lines are the same with -2, but then they come at the end.
-- Leaves out what an ICMP error says (its frame has no fields of the analysis) and what only the end of a capture decides.

local here = debug.getinfo(1, "S").source:match("^@(.*[/\\])") or ""
local sctp, text = dofile(here .. "sctp_packets.lua"), dofile(here .. "sctp_text.lua")

local DEFAULTS = { format = "text", show = "all", repeats = "few", filter = false, output = false }
local COLUMNS = { "time_s", "frame", "association", "endpoint", "path", "kind", "rule", "count", "text" }

local options = text.options("sctp_watch.lua", DEFAULTS, { ... })
text.choose("sctp_watch.lua", "format", options.format, { "text", "csv", "ndjson" })
text.choose("sctp_watch.lua", "show", options.show, { "all", "events", "findings" })
text.choose("sctp_watch.lua", "repeats", options.repeats, { "few", "all" })

local file = text.open("sctp_watch.lua", options.output)
local read = sctp.reader { "event", "event_frame", "event_endpoint", "event_path", "event_detail",
  "finding", "level", "certainty", "accused", "clause", "title", "finding_path", "expected", "seen" }
local counts, has_head = {}, false

-- "-" for what is not known.
local function shown(value)
  if type(value) == "number" then return ("%d"):format(value) end
  return value or "-"
end

local function line_of(row)
  local what = row.rule and row.rule .. " " .. row.kind or row.kind
  local times = row.count and row.count > 1 and (" (%d times)"):format(row.count) or ""
  return ("%12s %8d  #%-4d %-2s %-2s %-18s %s%s"):format(row.time_s.exact, row.frame, row.association, shown(row.endpoint),
    shown(row.path), text.escape(what), text.escape(row.text or ""), times):gsub("%s+$", "") .. "\n"
end

local function write(row)
  if options.format == "csv" and not has_head then
    file:write(text.csv(COLUMNS))
    has_head = true
  end
  file:write(options.format == "csv" and text.csv(COLUMNS, row) or options.format == "ndjson" and text.ndjson(COLUMNS, row)
             or line_of(row))
  file:flush()
end

local function watch_events(packet)
  for _, event in ipairs(packet.events) do
    local since = event.frame and event.frame ~= packet.frame and (" (in frame %d)"):format(event.frame) or ""
    write { time_s = text.decimal("%.6f", packet.time_s), frame = packet.frame, association = packet.association,
            endpoint = event.endpoint, path = event.path, kind = event.kind, text = (event.detail or "") .. since }
  end
end

-- 1, 10, 100, ...
local function is_round(count)
  while count % 10 == 0 do count = count / 10 end
  return count == 1
end

local function watch_findings(packet)
  for _, finding in ipairs(packet.findings) do
    local key = table.concat({ packet.association, finding.rule, shown(finding.accused) }, " ")
    counts[key] = (counts[key] or 0) + 1
    if options.repeats == "all" or is_round(counts[key]) then
      write { time_s = text.decimal("%.6f", packet.time_s), frame = packet.frame, association = packet.association,
              endpoint = finding.accused, path = finding.path, kind = finding.level, rule = finding.rule, count = counts[key],
              certainty = finding.certainty, text = ("%s: expected %s, saw %s"):format(shown(finding.title), shown(finding.expected), shown(finding.seen)) }
    end
  end
end

local listener = Listener.new("frame", sctp.listener_filter(options.filter))
function listener.packet(pinfo)
  for _, packet in ipairs(read(pinfo)) do
    if not packet.is_copy and options.show ~= "findings" then watch_events(packet) end
    if not packet.is_copy and options.show ~= "events" then watch_findings(packet) end
  end
end
function listener.draw() end
