-- SPDX-License-Identifier: GPL-2.0-or-later
-- Three rules of an imaginary site, as examples: copy this file, change what stands in the tables, load it with
-- -X lua_script:sctp_rules.lua -X lua_script1:rules=FILE. What a rule is given stands at the top of sctp_rules.lua.

-- Signalling profile: what the endpoints are configured to.
local PROFILE = { rto_min_s = 0.2, hb_interval_s = 10 }
-- Ports whose payload must be NGAP (3GPP TS 38.412: port 38412, PPID 60).
local NGAP_PORTS, NGAP_PPID = { [38412] = true }, 60
-- Every stream that was negotiated must carry data so soon after the set-up.
local STREAMS_USED_WITHIN_S = 60

local function has(packet, kind)
  for _, present in ipairs(packet.chunk_type) do
    if present == kind then return true end
  end
  return false
end

-- The timer retransmits no sooner than RTO.Min (RFC 9260 6.3.1 C6): a sender that is quicker has another one configured.
-- Innocent when the capture misses the transmission before: then since_last is longer, never shorter.
rule {
  id = "SITE-001", level = "SHOULD", title = "Retransmission timer below the profile's RTO.Min", clause = "signalling profile, RTO.Min",
  packet = function(_, packet, accuse)
    for i, kind in ipairs(packet.retransmission) do
      if kind == "timeout" and packet.since_last[i] and packet.since_last[i] < PROFILE.rto_min_s then
        accuse { endpoint = packet.from, expected = ("%.3f s or more"):format(PROFILE.rto_min_s),
                 seen = ("a timeout %.3f s after the transmission before"):format(packet.since_last[i]) }
      end
    end
  end,
}

-- HEARTBEATs to an address that answers are HB.interval and half an RTO apart, at least (RFC 9260 8.3); those without answer between
-- them are not looked at: an address that is not confirmed is probed faster.
rule {
  id = "SITE-002", level = "SHOULD", title = "HEARTBEATs more often than the profile's HB.interval",
  clause = "signalling profile, HB.interval",
  packet = function(_, packet, accuse, memory)
    if has(packet, sctp.HEARTBEAT_ACK) then
      local asked = memory[(1 - packet.from) .. " " .. packet.source]
      if asked then asked.is_answered = true end
    end
    if not has(packet, sctp.HEARTBEAT) then return end
    local key = packet.from .. " " .. packet.destination
    local before = memory[key]
    if before and before.is_answered and packet.time_s - before.time_s < PROFILE.hb_interval_s then
      accuse { endpoint = packet.from, frames = { before.frame, packet.frame },
               expected = ("%g s or more between HEARTBEATs to an address"):format(PROFILE.hb_interval_s),
               seen = ("%.3f s to %s"):format(packet.time_s - before.time_s, packet.destination) }
    end
    memory[key] = { time_s = packet.time_s, frame = packet.frame }
  end,
}

rule {
  id = "SITE-003", level = "MUST", title = "Payload that is not NGAP on an NGAP port", clause = "3GPP TS 38.412 7",
  packet = function(association, packet, accuse)
    if not NGAP_PORTS[association.ports[0]] and not NGAP_PORTS[association.ports[1]] then return end
    for _, chunk in ipairs(packet.data) do
      if chunk.ppid and chunk.ppid ~= NGAP_PPID then
        accuse { endpoint = packet.from, expected = "PPID " .. NGAP_PPID,
                 seen = ("PPID %d on stream %d"):format(chunk.ppid, chunk.sid or -1) }
      end
    end
  end,
}

-- What an endpoint may send on: what it asked for, no more than its peer takes. Only with the set-up in the capture, and only when the
-- association lived long enough.
rule {
  id = "SITE-004", level = "SHOULD", title = "Streams without traffic", clause = "site: every stream is used",
  packet = function(_, packet, _, memory)
    local outbound = packet.init_outbound[1] or packet.init_ack_outbound[1]
    if outbound then
      memory[packet.from] = memory[packet.from] or { used = {} }
      memory[packet.from].outbound, memory[packet.from].inbound = outbound, packet.init_inbound[1] or packet.init_ack_inbound[1]
    end
    if has(packet, sctp.COOKIE_ACK) then memory.up_s = memory.up_s or packet.time_s end
    for _, chunk in ipairs(packet.data) do
      local own = memory[packet.from]
      if own and chunk.sid and (not memory.up_s or packet.time_s - memory.up_s <= STREAMS_USED_WITHIN_S) then own.used[chunk.sid] = true end
    end
  end,
  finish = function(association, accuse, memory)
    if not memory.up_s or not memory[0] or not memory[1] or association.last.time_s - memory.up_s < STREAMS_USED_WITHIN_S then return end
    for from = 0, 1 do
      local streams, unused = math.min(memory[from].outbound, memory[1 - from].inbound), 0
      for sid = 0, streams - 1 do
        if not memory[from].used[sid] then unused = unused + 1 end
      end
      if unused > 0 then
        accuse { endpoint = from, expected = ("data on each stream within %g s of the set-up"):format(STREAMS_USED_WITHIN_S),
                 seen = ("none on %d of %d streams"):format(unused, streams) }
      end
    end
  end,
}
