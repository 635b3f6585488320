-- SPDX-License-Identifier: GPL-2.0-or-later
-- The SCTP packets of a frame as tables, read from the public fields (sctp.* of Wireshark, sctp.analysis.* of the plugin).
-- Loaded by the other scripts of this folder with dofile; does nothing by itself. Leaves out what they count and print.

local FIELDS = {
  analysis = "sctp.analysis", source_port = "sctp.srcport", destination_port = "sctp.dstport",
  chunk_type = "sctp.chunk_type", chunk_length = "sctp.chunk_length",
  sid = "sctp.data_sid", ppid = "sctp.data_payload_proto_id", begins = "sctp.data_b_bit", ends = "sctp.data_e_bit",
  unordered = "sctp.data_u_bit",
  init_outbound = "sctp.init_nr_out_streams", init_inbound = "sctp.init_nr_in_streams",
  init_ack_outbound = "sctp.initack_nr_out_streams", init_ack_inbound = "sctp.initack_nr_in_streams",
  association = "sctp.analysis.assoc", from = "sctp.analysis.from", path = "sctp.analysis.path",
  restart_of = "sctp.analysis.restart_of", capture = "sctp.analysis.capture",
  transmission = "sctp.analysis.transmission", retransmission = "sctp.analysis.retransmission",
  since_last = "sctp.analysis.since_last", spurious = "sctp.analysis.spurious",
  missing_bytes = "sctp.analysis.missing_bytes",
  acked_in = "sctp.analysis.acked_in",
  rtt = "sctp.analysis.rtt", sack_delay = "sctp.analysis.sack.delay",
  new_chunks = "sctp.analysis.sack.new_chunks", rto = "sctp.analysis.rto",
  event = "sctp.analysis.event", event_frame = "sctp.analysis.event.frame", event_endpoint = "sctp.analysis.event.endpoint",
  event_path = "sctp.analysis.event.path", event_detail = "sctp.analysis.event.detail",
  finding = "sctp.analysis.finding", level = "sctp.analysis.finding.level",
  certainty = "sctp.analysis.finding.certainty", accused = "sctp.analysis.finding.accused",
  clause = "sctp.analysis.finding.clause", title = "sctp.analysis.finding.title", finding_path = "sctp.analysis.finding.path",
  expected = "sctp.analysis.finding.expected", seen = "sctp.analysis.finding.seen",
}
local ALWAYS = { "analysis", "source_port", "destination_port", "chunk_type", "association", "from", "path", "capture" }

local M = { DATA = 0, INIT = 1, INIT_ACK = 2, SACK = 3, HEARTBEAT = 4, HEARTBEAT_ACK = 5, COOKIE_ECHO = 10, COOKIE_ACK = 11,
            NR_SACK = 16, I_DATA = 64, FORWARD_TSN = 192, I_FORWARD_TSN = 194 }
local HEADER_BYTES = { [M.DATA] = 16, [M.I_DATA] = 20 }

-- Frames with a packet that the analysis has put into an association: the first argument of Listener.new is "frame", this the second.
-- filter: a display filter that they have to match too, or nil.
function M.listener_filter(filter)
  return filter and "sctp.analysis.assoc && (" .. filter .. ")" or "sctp.analysis.assoc"
end

local function value_of(info)
  local value = info.value
  return type(value) == "userdata" and value.secs and value.secs + value.nsecs / 1e9 or value
end

-- Sorts the values of a field by packet: generated fields stand at the first byte of their packet, the others behind it.
local function deal(infos, begins, packets, name)
  for _, packet in ipairs(packets) do packet[name] = {} end
  for _, info in ipairs(infos) do
    local of = 1
    for i = 2, #begins do
      if info.offset >= begins[i] then of = i end
    end
    table.insert(packets[of][name], value_of(info))
  end
end

-- list when it has a value for each of n chunks: what was cut or is damaged has fewer.
local function complete(list, n)
  return list and #list == n and list or {}
end

local function data_chunks(packet)
  local types, lengths, chunks = packet.chunk_type, packet.chunk_length or {}, {}
  for i, kind in ipairs(types) do
    if HEADER_BYTES[kind] then
      table.insert(chunks, { type = kind, user_bytes = lengths[i] and math.max(lengths[i] - HEADER_BYTES[kind], 0) })
    end
  end
  for _, name in ipairs { "sid", "begins", "ends", "unordered", "transmission" } do
    local values = complete(packet[name], #chunks)
    for i, chunk in ipairs(chunks) do chunk[name] = values[i] end
  end
  local nth = 0
  for _, chunk in ipairs(chunks) do
    if chunk.type == M.DATA or chunk.begins then
      nth = nth + 1
      chunk.ppid = (packet.ppid or {})[nth]
    end
  end
  return chunks
end

-- Values below a node (an event, a finding) that not every node has cannot be told apart when a packet has several nodes.
local function below(packet, nodes, name)
  local values = packet[name] or {}
  return function(i) return (#values == #nodes or #nodes == 1) and values[i] or nil end
end

local function events(packet)
  local kinds, list = packet.event or {}, {}
  local frame, endpoint = below(packet, kinds, "event_frame"), below(packet, kinds, "event_endpoint")
  local path, detail = below(packet, kinds, "event_path"), below(packet, kinds, "event_detail")
  for i, kind in ipairs(kinds) do
    list[i] = { kind = kind, frame = frame(i), endpoint = endpoint(i), path = path(i), detail = detail(i) }
  end
  return list
end

local function findings(packet)
  local rules, list = packet.finding or {}, {}
  local path = below(packet, rules, "finding_path")
  for i, rule in ipairs(rules) do
    list[i] = { rule = rule, path = path(i) }
    for _, name in ipairs { "level", "certainty", "accused", "clause", "title", "expected", "seen" } do
      list[i][name] = (packet[name] or {})[i]
    end
  end
  return list
end

local function is_copy(packet)
  for _, remark in ipairs(packet.capture) do
    if remark == "duplicate" then return true end
  end
  return false
end

-- Only the second pass knows that a later frame acknowledges this one.
local function knows_later(packet)
  for _, frame in ipairs(packet.acked_in or {}) do
    if frame > packet.frame then return true end
  end
  return false
end

local function settle(packet, pinfo)
  packet.frame, packet.time_s = pinfo.number, pinfo.rel_ts
  packet.source, packet.destination = tostring(pinfo.net_src), tostring(pinfo.net_dst)
  for _, name in ipairs { "source_port", "destination_port", "association", "from", "path", "restart_of" } do
    packet[name] = packet[name] and packet[name][1]
  end
  packet.is_copy, packet.knows_later = is_copy(packet), knows_later(packet)
  packet.data, packet.events, packet.findings = data_chunks(packet), events(packet), findings(packet)
  return packet
end

-- A function that reads the frame a Listener is called for. names: keys of FIELDS that are wanted besides the ones that always come.
-- It takes the listener's pinfo and returns a list of packets, each with frame, time_s (from the first frame), source, destination,
-- source_port, destination_port, association, from, path, is_copy (another capture of a packet),
-- knows_later (with the name acked_in: it is surely the second pass, in which final fields are known), chunk_type (a list), data (DATA and
-- I-DATA chunks), events, findings, and a list of values for each other name. What a packet lacks is nil.
-- Call it while the script is loaded. O(values) per frame.
function M.reader(names)
  local fields = {}
  for _, list in ipairs { ALWAYS, names } do
    for _, name in ipairs(list) do
      local known, field = pcall(Field.new, FIELDS[name])
      if not known then error(FIELDS[name] .. " is no field here: is the plugin sctp_analysis installed?", 0) end
      fields[name] = field
    end
  end
  return function(pinfo)
    local begins, packets = {}, {}
    for i, info in ipairs { fields.analysis() } do
      begins[i], packets[i] = info.offset, {}
    end
    for name, field in pairs(fields) do
      if name ~= "analysis" then deal({ field() }, begins, packets, name) end
    end
    local found = {}
    for _, packet in ipairs(packets) do
      if packet.association[1] then table.insert(found, settle(packet, pinfo)) end
    end
    return found
  end
end

return M
