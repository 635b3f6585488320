-- SPDX-License-Identifier: GPL-2.0-or-later
-- A window for Wireshark: what the associations of the open capture did, with buttons that set the display filter.
--
-- Put this script, sctp_packets.lua and sctp_text.lua into your folder of Lua plugins (Help > About Wireshark > Folders), or start
-- wireshark -X lua_script:sctp_window.lua. It adds Tools > SCTP > Associations and Findings, a picture of the capture as it is then.
-- Does nothing in tshark.
-- Leaves out what the plugin's own windows have under Telephony > SCTP Expert Analysis: it is meant to be changed.

if not gui_enabled() then return end

local here = debug.getinfo(1, "S").source:match("^@(.*[/\\])") or ""
local sctp, text = dofile(here .. "sctp_packets.lua"), dofile(here .. "sctp_text.lua")

-- A button for each: its name and the display filter that it sets.
local BUTTONS = {
  { "Findings", "sctp.analysis.finding" },
  { "Events", "sctp.analysis.event" },
  { "Retransmissions", "sctp.analysis.retransmission" },
  { "Closed Windows", "sctp.sack_a_rwnd <= 1" },
  { "All SCTP", "sctp" },
}
local ROWS_MAX = 100
local ASSOCIATIONS = { { head = "#", right = true }, { head = "endpoint 0" }, { head = "endpoint 1" }, { head = "packets", right = true },
                       { head = "resent", right = true }, { head = "found", right = true } }
local HAPPENED = { { head = "time s", right = true }, { head = "frame", right = true }, { head = "#", right = true }, { head = "by" },
                   { head = "what" } }

-- What the window is wide when it opens.
text.COLUMNS = 52

local read = sctp.reader { "retransmission", "event", "event_frame", "event_endpoint", "event_path", "event_detail",
  "finding", "level", "certainty", "accused", "clause", "title", "finding_path", "expected", "seen" }

local function new_contents()
  return { order = {}, by_number = {}, happened = {}, more = 0, has_finding = {} }
end

local function association_of(contents, packet)
  local association = contents.by_number[packet.association]
  if not association then
    association = { number = packet.association, addresses = {}, ports = {}, packets = 0, resent = 0, findings = 0 }
    contents.by_number[packet.association] = association
    table.insert(contents.order, association)
  end
  local from = packet.from
  association.addresses[from] = association.addresses[from] or packet.source
  association.addresses[1 - from] = association.addresses[1 - from] or packet.destination
  association.ports[from], association.ports[1 - from] = packet.source_port, packet.destination_port
  return association
end

local function add_happened(contents, packet, by, what, sentence)
  if #contents.happened >= ROWS_MAX then
    contents.more = contents.more + 1
    return
  end
  table.insert(contents.happened, { ("%.6f"):format(packet.time_s), packet.frame, packet.association, by or "-", what,
                                    sentences = { sentence } })
end

-- Of a finding that repeats the first only.
local function add_findings(contents, association, packet)
  for _, finding in ipairs(packet.findings) do
    local key = table.concat({ packet.association, finding.rule, tostring(finding.accused) }, " ")
    association.findings = association.findings + 1
    if not contents.has_finding[key] then
      contents.has_finding[key] = true
      add_happened(contents, packet, finding.accused, finding.rule .. " " .. finding.level .. (finding.certainty == "proven" and "" or ", " .. finding.certainty),
                   ("%s: expected %s, saw %s"):format(finding.title, finding.expected or "-", finding.seen or "-"))
    end
  end
end

local function add_packet(contents, packet)
  local association = association_of(contents, packet)
  association.packets = association.packets + 1
  association.resent = association.resent + #packet.retransmission
  for _, event in ipairs(packet.events) do add_happened(contents, packet, event.endpoint, event.kind, event.detail) end
  add_findings(contents, association, packet)
end

local function written(contents)
  local lines, rows, legend = {}, {}, text.legend()
  for i = 1, math.min(#contents.order, ROWS_MAX) do
    local one = contents.order[i]
    rows[i] = { one.number, legend.endpoint(one.addresses[0], one.ports[0]), legend.endpoint(one.addresses[1], one.ports[1]),
                one.packets, one.resent, one.findings }
  end
  table.insert(lines, #rows == 0 and "No SCTP association in this capture" or "Associations")
  if #rows > 0 then text.table(lines, ASSOCIATIONS, rows) end
  if #contents.order > #rows then table.insert(lines, ("... and %d more"):format(#contents.order - #rows)) end
  if #contents.happened > 0 then
    table.insert(lines, "")
    table.insert(lines, "What happened: events, and each finding once")
    text.table(lines, HAPPENED, contents.happened)
  end
  if contents.more > 0 then table.insert(lines, ("... and %d more"):format(contents.more)) end
  legend.explain(lines)
  return table.concat(lines, "\n") .. "\n"
end

-- The window opens when all is counted: its buttons must not be there while Wireshark goes through the packets.
local function count_packets()
  local contents = new_contents()
  local listener = Listener.new("frame", sctp.listener_filter())
  function listener.packet(pinfo)
    for _, packet in ipairs(read(pinfo)) do
      if not packet.is_copy then add_packet(contents, packet) end
    end
  end
  function listener.reset() contents = new_contents() end
  retap_packets()
  listener:remove()
  return contents
end

local function open_window()
  local contents = count_packets()
  local window = TextWindow.new("SCTP Associations and Findings")
  window:set(written(contents))
  for _, button in ipairs(BUTTONS) do
    window:add_button(button[1], function()
      set_filter(button[2])
      apply_filter()
    end)
  end
end

register_menu("SCTP/Associations and Findings", open_window, MENU_TOOLS_UNSORTED)
