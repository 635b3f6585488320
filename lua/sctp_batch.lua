-- SPDX-License-Identifier: GPL-2.0-or-later
-- One row per association, direction, path, stream, event or finding of a capture, as CSV or NDJSON.
--
--   tshark -q -r CAPTURE -X lua_script:sctp_batch.lua -X lua_script1:rows=streams -X lua_script1:format=ndjson
--
-- Columns are named as the keys of -z sctp,json, with a dot for what is nested (directions.0.user_bytes), and have the same values;
-- addresses (that packets came from and went to), completed_in (the frame that settled it) and retransmitted are
-- this script's own. rows=... columns=help lists them.
-- Leaves out what only the end of a capture decides (verdicts, learned parameters, how an association ended): that is in the JSON.

local here = debug.getinfo(1, "S").source:match("^@(.*[/\\])") or ""
local sctp, text = dofile(here .. "sctp_packets.lua"), dofile(here .. "sctp_text.lua")

local DEFAULTS = {
  rows = "associations",  -- see COLUMNS
  columns = false,        -- comma separated; all
  format = "csv",         -- csv or ndjson
  filter = false,         -- a display filter: only matching packets count
  output = false,         -- a file in place of the standard output
}

local DIRECTION = { "data_chunks", "tsns", "messages", "user_bytes", "retransmissions.fast", "retransmissions.early",
  "retransmissions.timeout", "retransmissions.probe", "retransmissions.handover", "retransmissions.report",
  "retransmissions.unknown", "spurious", "sacks", "rtt_ms.min", "rtt_ms.median", "rtt_ms.p95", "rtt_ms.max", "rtt_ms.samples",
  "sack_delay_ms.median", "sack_delay_ms.p95", "goodput_bps" }

local COLUMNS = {
  associations = { "index", "ports.0", "ports.1", "addresses.0", "addresses.1", "restart_of", "setup",
    "first_frame", "last_frame", "start_s", "duration_s", "packets" },
  directions = { "association", "from" },
  paths = { "association", "from", "index", "destination", "packets", "data_chunks", "user_bytes", "heartbeats", "retransmitted" },
  streams = { "association", "from", "id", "chunks", "messages", "user_bytes", "unordered_messages", "ppids" },
  events = { "association", "time_s", "frame", "kind", "endpoint", "path", "detail", "completed_in" },
  findings = { "association", "rule", "title", "level", "certainty", "clause", "accused", "path", "count", "time_s", "expected", "seen",
    "completed_in" },
}
for _, name in ipairs(DIRECTION) do
  table.insert(COLUMNS.directions, name)
  for from = 0, 1 do table.insert(COLUMNS.associations, "directions." .. from .. "." .. name) end
end
local KINDS = { "associations", "directions", "paths", "streams", "events", "findings" }
local FRAMES_MAX = 32

local options = text.options("sctp_batch.lua", DEFAULTS, { ... })
text.choose("sctp_batch.lua", "rows", options.rows, KINDS)
text.choose("sctp_batch.lua", "format", options.format, { "csv", "ndjson" })

local function chosen_columns()
  local known, columns = COLUMNS[options.rows], {}
  if not options.columns then return known end
  if options.columns == "help" then
    io.stdout:write(table.concat(known, "\n"), "\n")
    os.exit(0)
  end
  for name in options.columns:gmatch("[^,]+") do
    table.insert(columns, text.choose("sctp_batch.lua", "columns", name, known))
  end
  return columns
end
local columns = chosen_columns()
local file = text.open("sctp_batch.lua", options.output)
local read = sctp.reader { "chunk_length", "sid", "ppid", "begins", "ends", "unordered", "restart_of", "transmission",
  "retransmission", "spurious", "missing_bytes", "acked_in", "rtt", "new_chunks", "sack_delay", "event",
  "event_frame", "event_endpoint", "event_path", "event_detail",
  "finding", "level", "certainty", "accused", "clause", "title", "finding_path", "expected", "seen" }

-- Associations by number; numbers in order of first packets.
local associations, order = {}, {}
-- Is it known that final fields are there?
local is_second_pass = false
-- Times of frames, for events that became certain later: one per packet, when events are asked for.
local times = {}

-- An entry of a table of things with a key, made with make() when new; keys stay in order of first use in list.order.
local function entry(list, key, make)
  if not list[key] then
    list[key] = make()
    list.order = list.order or {}
    table.insert(list.order, key)
  end
  return list[key]
end

local function new_direction()
  local direction = { rtts = {}, sack_delays = {}, paths = {}, streams = {}, spurious = 0, missing_bytes = 0, sacks = 0, data_chunks = 0,
                      tsns = 0, messages = 0, user_bytes = 0 }
  for _, name in ipairs(DIRECTION) do
    if name:find("^retransmissions") then direction[name] = 0 end
  end
  return direction
end

local function association_of(packet)
  return entry(associations, packet.association, function()
    table.insert(order, packet.association)
    return { first = packet, addresses = { [0] = {}, {} }, ports = {}, packets = 0, steps = {}, findings = {}, events = {},
             [0] = new_direction(), new_direction() }
  end)
end

local function add_data(direction, path, packet)
  for _, chunk in ipairs(packet.data) do
    local stream = chunk.sid and entry(direction.streams, chunk.sid, function()
      return { chunks = 0, messages = 0, user_bytes = 0, unordered_messages = 0, ppids = {} }
    end) or {}
    direction.data_chunks, path.data_chunks = direction.data_chunks + 1, path.data_chunks + 1
    direction.first_s, direction.last_s = direction.first_s or packet.time_s, packet.time_s
    stream.chunks = (stream.chunks or 0) + 1
    if chunk.ppid and stream.ppids then stream.ppids[chunk.ppid] = true end
    if chunk.transmission == 1 then
      direction.tsns = direction.tsns + 1
      for _, sum in ipairs { direction, path, stream } do
        sum.user_bytes = (sum.user_bytes or 0) + chunk.user_bytes
        sum.messages = (sum.messages or 0) + (chunk.ends and 1 or 0)
      end
      stream.unordered_messages = (stream.unordered_messages or 0) + (chunk.ends and chunk.unordered and 1 or 0)
    end
  end
  for _, kind in ipairs(packet.retransmission) do
    direction["retransmissions." .. kind] = direction["retransmissions." .. kind] + 1
    path.retransmitted = path.retransmitted + 1
  end
  direction.spurious = direction.spurious + #packet.spurious
  for _, bytes in ipairs(packet.missing_bytes) do direction.missing_bytes = direction.missing_bytes + bytes end
end

-- A SACK is about the data of the other end. With a HEARTBEAT ACK in the same packet it is not known whose the round trip is.
local function add_acks(direction, packet, has)
  direction.sacks = direction.sacks + #packet.new_chunks
  if has[sctp.HEARTBEAT_ACK] then return end
  for _, rtt in ipairs(packet.rtt) do table.insert(direction.rtts, rtt) end
  for _, delay in ipairs(packet.sack_delay) do table.insert(direction.sack_delays, delay) end
end

local function add_findings(association, packet)
  for _, found in ipairs(packet.findings) do
    local finding = entry(association.findings, found.rule .. found.accused, function()
      found.count, found.completed_in, found.time_s = 0, {}, text.decimal("%.9f", packet.time_s)
      return found
    end)
    finding.count = finding.count + 1
    if #finding.completed_in < FRAMES_MAX then table.insert(finding.completed_in, packet.frame) end
  end
  for _, event in ipairs(packet.events) do
    event.time_s = times[event.frame] and text.decimal("%.9f", times[event.frame])
    event.completed_in = packet.frame
    table.insert(association.events, event)
  end
end

local function add_address(list, address)
  entry(list, address, function() return true end)
end

local function add_packet(packet)
  local association, from = association_of(packet), packet.from
  local has = {}
  for _, kind in ipairs(packet.chunk_type) do has[kind] = (has[kind] or 0) + 1 end
  association.last, association.packets = packet, association.packets + 1
  association.restart_of = association.restart_of or packet.restart_of
  association.ports[from], association.ports[1 - from] = packet.source_port, packet.destination_port
  add_address(association.addresses[from], packet.source)
  add_address(association.addresses[1 - from], packet.destination)
  for kind in pairs(has) do association.steps[kind] = true end
  local path = entry(association[from].paths, packet.path or "none", function()
    return { destination = packet.destination, packets = 0, data_chunks = 0, user_bytes = 0, heartbeats = 0, retransmitted = 0 }
  end)
  path.packets, path.heartbeats = path.packets + 1, path.heartbeats + (has[sctp.HEARTBEAT] or 0)
  association[from].gives_up = association[from].gives_up or has[sctp.FORWARD_TSN] or has[sctp.I_FORWARD_TSN]
  add_data(association[from], path, packet)
  add_acks(association[1 - from], packet, has)
  add_findings(association, packet)
end

local function spread(row, name, samples)
  if #samples == 0 then return end
  table.sort(samples)
  local function rank(percent) return samples[math.max(1, math.ceil(#samples * percent / 100))] end
  for key, value in pairs { min = samples[1], median = rank(50), p95 = rank(95), max = samples[#samples] } do
    row[name .. "." .. key] = text.decimal("%.6f", value * 1000)
  end
  row[name .. ".samples"] = #samples
end

-- User bytes per second without those that were given up and missing, as the core has it; nil where only a second pass tells these.
local function goodput(direction)
  local span_s = direction.first_s and direction.last_s - direction.first_s or 0
  local may_be_missing = direction.gives_up or options.filter
  if span_s <= 0 or may_be_missing and not is_second_pass then return nil end
  return text.decimal("%.1f", (direction.user_bytes - direction.missing_bytes) * 8 / span_s)
end

local function direction_row(association, from)
  local direction, row = association[from], { from = from }
  for _, name in ipairs(DIRECTION) do row[name] = direction[name] end
  if not is_second_pass then row.spurious = nil end
  spread(row, "rtt_ms", direction.rtts)
  spread(row, "sack_delay_ms", direction.sack_delays)
  row.goodput_bps = goodput(direction)
  return row
end

local function setup_seen(steps)
  local seen = 0
  for _, step in ipairs { sctp.INIT, sctp.INIT_ACK, sctp.COOKIE_ECHO, sctp.COOKIE_ACK } do
    seen = seen + (steps[step] and 1 or 0)
  end
  return seen == 4 and "complete" or seen > 0 and "partial" or "missing"
end

local function association_row(association, number)
  local row = { index = number, restart_of = association.restart_of, setup = setup_seen(association.steps),
    ["ports.0"] = association.ports[0], ["ports.1"] = association.ports[1],
    ["addresses.0"] = association.addresses[0].order, ["addresses.1"] = association.addresses[1].order,
    first_frame = association.first.frame, last_frame = association.last.frame,
    start_s = text.decimal("%.9f", association.first.time_s),
    duration_s = text.decimal("%.9f", association.last.time_s - association.first.time_s), packets = association.packets }
  for from = 0, 1 do
    for name, value in pairs(direction_row(association, from)) do row["directions." .. from .. "." .. name] = value end
  end
  return row
end

local function sorted_keys(list)
  local keys = {}
  for key in pairs(list) do
    if type(key) == "number" then table.insert(keys, key) end
  end
  table.sort(keys)
  return keys
end

-- What rows=KIND gives of an association: calls add(row).
local ROWS = {}
function ROWS.associations(association, number, add) add(association_row(association, number)) end
function ROWS.directions(association, _, add)
  for from = 0, 1 do
    if association[from].data_chunks > 0 or association[from].sacks > 0 then add(direction_row(association, from)) end
  end
end
-- Those of both endpoints in order of their numbers, which go into the column `number`.
local function add_each(association, kind, number, add)
  for from = 0, 1 do
    for _, key in ipairs(sorted_keys(association[from][kind])) do
      local row = association[from][kind][key]
      row.from, row[number] = from, key
      add(row)
    end
  end
end
function ROWS.paths(association, _, add) add_each(association, "paths", "index", add) end
function ROWS.streams(association, _, add)
  add_each(association, "streams", "id", function(stream)
    stream.ppids = sorted_keys(stream.ppids)
    add(stream)
  end)
end
function ROWS.events(association, _, add)
  for _, event in ipairs(association.events) do add(event) end
end
function ROWS.findings(association, _, add)
  for _, key in ipairs(association.findings.order or {}) do add(association.findings[key]) end
end

local listener = Listener.new("frame", sctp.listener_filter(options.filter))
function listener.packet(pinfo)
  for _, packet in ipairs(read(pinfo)) do
    is_second_pass = is_second_pass or packet.knows_later
    if options.rows == "events" then times[packet.frame] = packet.time_s end
    if not packet.is_copy then add_packet(packet) end
  end
end

-- Also called in the middle of a live capture by some versions: it writes once, at the end.
local is_written = false
function listener.draw()
  if is_written then return end
  is_written = true
  if options.format == "csv" then file:write(text.csv(columns)) end
  for _, number in ipairs(order) do
    ROWS[options.rows](associations[number], number, function(row)
      row.association = number
      file:write(options.format == "csv" and text.csv(columns, row) or text.ndjson(columns, row))
    end)
  end
  file:flush()
end

function listener.reset() end
