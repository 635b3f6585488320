#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Replays runs of packetdrill suites against a simulated endpoint, and compares its answers with those of the implementation under test.

    peers.py FOLDER [--labels FILE] [--only TEXT] [--verbose]

FOLDER holds captures (pcap, raw IP) of a tester and an implementation under test (--iut, 192.168.0.1). The tester's packets are given to a
simulated endpoint at their times, in the place of the implementation: with its tags, TSNs, ports, streams, window and extensions, taken from its
INIT or INIT ACK; with its timer values, taken from its first retransmissions and late SACKs; and with a user who does what its user did (open,
send, close, abort, HEARTBEATs, resets), taken from what it sent. FILE (NDJSON: file, platform) says whose policy it has: that of FreeBSD or Linux.

Compared: chunk types and flags, tags, TSNs, SSNs and MIDs, PPIDs, sizes, Cumulative TSN Acks, gap blocks, duplicates, causes, parameters; times
within 15 ms. Left out: a_rwnd (whether the user had read is nowhere to be seen), State Cookies, Heartbeat Information, the text of Protocol
Violation, the order of parameters, and what comes after the tester's last packet, for which no test waits.
"""

import argparse
import collections
import difflib
import json
import pathlib
import struct
import sys
import types
import zlib

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[2]), str(pathlib.Path(__file__).resolve().parents[1])]

from simulator import wire  # noqa: E402
from simulator.clock import MILLISECOND_NS, SECOND_NS, Simulation  # noqa: E402
from simulator.datagram import Datagram  # noqa: E402
from simulator.endpoint import Endpoint  # noqa: E402
from simulator.policy import Policy  # noqa: E402

TOLERANCE_NS = 15 * MILLISECOND_NS
ANSWER_NS = 2 * MILLISECOND_NS  # what comes within this after a packet is its answer, later a timer's or the user's doing
SACK_DELAY_MAX_NS = 500 * MILLISECOND_NS  # RFC 9260 6.2: what a policy may not be is not learned
DATA_TYPES = (wire.DATA, wire.I_DATA)
FORWARD_TYPES = (wire.FORWARD_TSN, wire.I_FORWARD_TSN)
DATA_NAMES = ("DATA", "I-DATA")
ACK_TYPES = (wire.SACK, wire.NR_SACK, wire.SHUTDOWN)

Seen = collections.namedtuple("Seen", "time_ns source destination is_iut packet sctp")


def read_capture(path, iut):
    """Seen of each packet of a classic pcap with raw IPv4."""
    data = path.read_bytes()
    order = "<" if data[:4] in (b"\xd4\xc3\xb2\xa1", b"\x4d\x3c\xb2\xa1") else ">"
    unit_ns = 1 if data[:4] in (b"\x4d\x3c\xb2\xa1", b"\xa1\xb2\x3c\x4d") else 1000
    at, seen, first_ns = 24, [], None
    while at + 16 <= len(data):
        seconds, part, captured, _ = struct.unpack_from(order + "IIII", data, at)
        ip = data[at + 16 : at + 16 + captured]
        at += 16 + captured
        time_ns = seconds * SECOND_NS + part * unit_ns
        first_ns = time_ns if first_ns is None else first_ns
        head = (ip[0] & 15) * 4
        source, destination = wire.address_text(ip[12:16]), wire.address_text(ip[16:20])
        total = struct.unpack_from("!H", ip, 2)[0]
        sctp = ip[head:total]
        seen.append(Seen(time_ns - first_ns, source, destination, source == iut, wire.parse(sctp), sctp))
    return seen


class Plan:
    """What is taken from a run: the policy, and the user's doings as (time_ns, name, arguments)."""

    def __init__(self, seen, platform, was_held_back):
        self.seen = seen
        self.was_held_back = was_held_back
        self.own = [s for s in seen if s.is_iut]
        self.tester = [s for s in seen if not s.is_iut]
        self.doings = []
        self.setups = [(s.time_ns, wire.read_init(s.packet.chunks[0])) for s in self.own if s.packet.chunks[0].type in (wire.INIT, wire.INIT_ACK)]
        self.setups = [(t, i) for t, i in self.setups if i is not None]
        self.policy = Policy.preset(platform, **self.learn_setup(), **self.learn_timers(), heartbeat_is_on=False, immediate_bit="never",
                                    timer_granularity_ns=0, verifies_paths=self.has(wire.HEARTBEAT), lifetime_timer=True)  # fmt: skip
        self.learn_doings()

    def learn_setup(self):
        """Streams, window and extensions from the first INIT or INIT ACK of the implementation."""
        chosen = {"adaptation": None, "ecn": False, "sends_address_types": False, "lists_own_address": False, "rtt_from_setup": False, "nagle": False}
        if not self.setups:
            return chosen
        init = self.setups[0][1]
        if min(init.outbound_streams, init.inbound_streams, init.a_rwnd // 1500) > 0:
            chosen |= {
                "outbound_streams": init.outbound_streams,
                "inbound_streams": init.inbound_streams,
                "receive_buffer_bytes": init.a_rwnd,
            }
        types = {p.type: p.value for p in init.parameters}
        extensions = types.get(wire.SUPPORTED_EXTENSIONS, b"")
        used = {c.type for s in self.own for c in s.packet.chunks}
        chosen |= {
            "forward_tsn": wire.FORWARD_TSN_SUPPORTED in types or wire.FORWARD_TSN in extensions,
            "forward_tsn_parameter_is_known": not self.reports_forward_tsn(), "forward_tsn_unasked": wire.FORWARD_TSN_SUPPORTED in types,
            "forward_tsn_parameter": wire.FORWARD_TSN_SUPPORTED in types, "lists_forward_tsn_as_extension": wire.FORWARD_TSN in extensions,
            "interleaving": wire.I_DATA in extensions or wire.I_DATA in used, "reconfig": wire.RE_CONFIG in extensions,
            "asconf": wire.ASCONF in extensions,
            "auth": wire.RANDOM in types, "ecn": wire.ECN_CAPABLE in types, "nr_sack": wire.NR_SACK in extensions or wire.NR_SACK in used,
            "zero_checksum": wire.ZERO_CHECKSUM_ACCEPTABLE in types, "sends_address_types": wire.SUPPORTED_ADDRESS_TYPES in types,
            "lists_own_address": wire.IPV4_ADDRESS in types,
        }  # fmt: skip
        gaps = [wire.read_nr_sack(c) for s in self.own for c in s.packet.chunks if c.type == wire.NR_SACK and wire.read_nr_sack(c)]
        if gaps:
            chosen["renegs"] = any(sack.gap_blocks for sack, _ in gaps)
        if wire.ADAPTATION_LAYER_INDICATION in types:
            chosen["adaptation"] = int.from_bytes(types[wire.ADAPTATION_LAYER_INDICATION], "big")
        return chosen

    def reports_forward_tsn(self):
        """Forward-TSN-Supported as unrecognized, in an INIT ACK or an ERROR."""
        known = struct.pack("!HH", wire.FORWARD_TSN_SUPPORTED, 4)
        for s in self.own:
            for chunk in s.packet.chunks:
                tlvs = wire.parse_tlvs(chunk.value[16:] if chunk.type == wire.INIT_ACK else chunk.value if chunk.type == wire.ERROR else b"")
                if any(t.type in (wire.UNRECOGNIZED_PARAMETER, wire.UNRECOGNIZED_PARAMETERS) and t.value[:4] == known for t in tlvs):
                    return True
        return False

    def learn_shutdown(self):
        """Whether SHUTDOWN or SHUTDOWN ACK left before the last FORWARD-TSN was acked."""
        forward = acked = None
        for s in self.seen:
            for chunk in s.packet.chunks:
                if s.is_iut and chunk.type in FORWARD_TYPES and wire.read_forward_tsn(chunk):
                    forward = wire.read_forward_tsn(chunk).cum_tsn
                elif not s.is_iut and chunk.type in ACK_TYPES:
                    acked = wire.read_word(chunk)
                elif s.is_iut and chunk.type in (wire.SHUTDOWN, wire.SHUTDOWN_ACK) and forward is not None:
                    return {"shutdown_waits_for_forward_tsn": acked is not None and wire.unwrap(acked, forward) >= forward}
        return {}

    def has(self, type_):
        return any(chunk.type == type_ for s in self.own for chunk in s.packet.chunks)

    def is_answer(self, time_ns):
        return any(0 <= time_ns - s.time_ns < ANSWER_NS for s in self.tester)

    def learn_timers(self):
        """RTOs from what was sent again without an answer's being due; SACK.Delay; the life of a cookie that was stale; fragment size."""
        chosen, waits, last = {}, [], {}
        for s in self.own:
            for chunk in s.packet.chunks:
                key = (chunk.type, wire.read_data(chunk).tsn if chunk.type in DATA_TYPES and wire.read_data(chunk) else None)
                if chunk.type in DATA_TYPES + (wire.INIT, wire.COOKIE_ECHO, wire.SHUTDOWN, wire.SHUTDOWN_ACK, wire.RE_CONFIG):
                    if key in last and not self.is_answer(s.time_ns):
                        waits.append(s.time_ns - last[key])
                    last[key] = s.time_ns
                if chunk.type in FORWARD_TYPES and not self.is_answer(s.time_ns):
                    before = max([t for (type_, _), t in last.items() if type_ in DATA_TYPES], default=None)
                    waits += [s.time_ns - before] if before is not None else []
        if waits:
            first = waits[0] // MILLISECOND_NS * MILLISECOND_NS
            chosen["rto_initial_ns"] = chosen["rto_min_ns"] = first
            if len(waits) > 1 and waits[-1] < 1.1 * waits[-2]:
                chosen["rto_max_ns"] = max(waits) // MILLISECOND_NS * MILLISECOND_NS
        return (
            chosen
            | self.learn_sack_delay()
            | self.learn_sack_packets()
            | self.learn_cookie_life()
            | self.learn_fragments()
            | self.learn_initial_cwnd()
            | self.learn_shutdown()
        )

    def learn_sack_delay(self):
        oldest = None
        for s in self.seen:
            types = [chunk.type for chunk in s.packet.chunks]
            if not s.is_iut and any(t in DATA_TYPES + FORWARD_TYPES for t in types):
                oldest = s.time_ns if oldest is None else oldest
            elif s.is_iut and any(t in ACK_TYPES for t in types) and oldest is not None:
                if not self.is_answer(s.time_ns) and s.time_ns - oldest <= SACK_DELAY_MAX_NS + MILLISECOND_NS:
                    return {"sack_delay_ns": round((s.time_ns - oldest) / MILLISECOND_NS) * MILLISECOND_NS}
                oldest = None
        return {}

    def learn_sack_packets(self):
        """1 if a single packet in sequence, not the first one, was acked at once; whether the packet that closes a gap was."""
        unacked, has_acked, cum, gap, chosen = 0, False, None, False, {}
        for s in self.seen:
            for chunk in s.packet.chunks:
                if not s.is_iut and chunk.type in DATA_TYPES and wire.read_data(chunk):
                    data = wire.read_data(chunk)
                    in_sequence = cum is None or data.tsn == (cum + 1) % wire.TSN_MODULUS
                    unacked = unacked + 1 if in_sequence and not data.immediate else 100
                elif s.is_iut and chunk.type in (wire.SACK, wire.NR_SACK):
                    if (
                        unacked == 1
                        and has_acked
                        and self.is_answer(s.time_ns)
                        and not self.had_gap(chunk)
                        and s.packet.chunks[0] is chunk
                        and len(s.packet.chunks) == 1
                    ):
                        chosen["sack_packets"] = 1
                    if gap and not self.had_gap(chunk) and "sack_at_gap_closure" not in chosen:
                        chosen["sack_at_gap_closure"] = self.is_answer(s.time_ns)
                    gap = self.had_gap(chunk)
                    unacked = 100 if self.had_gap(chunk) else 0
                    has_acked, cum = True, wire.read_word(chunk)
        return chosen

    def had_gap(self, chunk):
        if chunk.type == wire.SACK:
            sack, more = wire.read_sack(chunk), []
        else:
            sack, more = wire.read_nr_sack(chunk) or (None, [])
        return bool(sack and (sack.gap_blocks or more or sack.duplicates))

    def learn_cookie_life(self):
        for s in self.own:
            for chunk in s.packet.chunks:
                for cause in wire.parse_tlvs(chunk.value) if chunk.type == wire.ERROR else ():
                    if cause.type == wire.STALE_COOKIE and self.setups:
                        return {
                            "cookie_life_ns": s.time_ns - self.setups[0][0] - int.from_bytes(cause.value[:4], "big") * 1000,
                            "stale_cookie_measure": any(cause.value),
                        }
        return {}

    def learn_fragments(self):
        for s in self.own:
            for chunk in s.packet.chunks:
                data = wire.read_data(chunk) if chunk.type in DATA_TYPES else None
                if data and data.beginning and not data.ending:
                    return {"data_bytes_max": len(data.user_data)}
        return {}

    def learn_doings(self):
        tags, was_shut, tsns, forwards, resets = set(), False, set(), self.first_forwards(), set()
        for s in self.own:
            messages = []
            for chunk in s.packet.chunks:
                if chunk.type == wire.INIT and wire.read_init(chunk) and wire.read_init(chunk).tag not in tags:
                    tags.add(wire.read_init(chunk).tag)
                    was_shut = False
                    self.doings.append((s.time_ns, "associate", (s.destination, s.packet.destination_port)))
                elif chunk.type == wire.INIT_ACK:
                    was_shut = False
                elif chunk.type == wire.SHUTDOWN and not was_shut:
                    was_shut = True
                    self.doings.append((s.time_ns, "shutdown", ()))
                elif chunk.type == wire.ABORT and [c.type for c in wire.parse_tlvs(chunk.value)] == [wire.USER_INITIATED_ABORT]:
                    self.doings.append((s.time_ns, "abort", (wire.parse_tlvs(chunk.value)[0].value,)))
                elif chunk.type == wire.HEARTBEAT:
                    self.doings.append((s.time_ns, "heartbeat", (s.destination,)))
                elif chunk.type == wire.RE_CONFIG:
                    self.learn_resets(s, chunk, resets)
                elif chunk.type in DATA_TYPES and wire.read_data(chunk) and wire.read_data(chunk).tsn not in tsns:
                    data = wire.read_data(chunk)
                    tsns.add(data.tsn)
                    if data.beginning:
                        messages.append(self.learn_message(s, data, forwards))
            if messages:
                with_cookie = any(chunk.type == wire.COOKIE_ECHO for chunk in s.packet.chunks)
                time_ns = self.time_of_send(s, with_cookie)
                self.policy.bundles_data_with_cookie_echo = with_cookie or self.policy.bundles_data_with_cookie_echo
                self.doings.append((time_ns, "send", (messages,)))

    def time_of_send(self, s, with_cookie):
        """When the user handed over what goes in this packet for the first time: with a COOKIE ECHO when he opened; beside a FORWARD-TSN or a
        retransmission with the message before, if it was held back; else now."""
        if with_cookie:
            return max([t for t, name, _ in self.doings if name == "associate"], default=s.time_ns)
        if self.was_held_back and any(chunk.type in FORWARD_TYPES for chunk in s.packet.chunks) and not self.is_answer(s.time_ns):
            return max([t for t, name, _ in self.doings if name == "send"], default=s.time_ns)
        return s.time_ns

    def learn_initial_cwnd(self):
        """Packets of the first flight, where fragments of one message are left over for later, or where more left than 7.2.1 allows."""
        flight, first_ns, size = 0, None, 0
        for s in self.seen:
            if not s.is_iut and first_ns is not None and any(c.type in (wire.SACK, wire.NR_SACK) for c in s.packet.chunks) and size > 4404 + 1468:
                return {"initial_cwnd_packets": -(-size // 1468)}
            if not s.is_iut:
                continue
            size += sum(chunk.size_bytes for chunk in s.packet.chunks if chunk.type in DATA_TYPES)
            data = [wire.read_data(chunk) for chunk in s.packet.chunks if chunk.type in DATA_TYPES and wire.read_data(chunk)]
            if not data:
                continue
            first_ns = s.time_ns if first_ns is None else first_ns
            if s.time_ns - first_ns > 10 * ANSWER_NS and size > 4404 + 1468:
                return {"initial_cwnd_packets": -(-(size - sum(c.size_bytes for c in s.packet.chunks)) // 1468)}
            if s.time_ns - first_ns > 10 * ANSWER_NS:
                return {"initial_cwnd_packets": flight} if flight and not data[0].beginning and flight < 3 else {}
            flight += 1
        return {}

    def first_forwards(self):
        """(time_ns, cum_tsn) of each FORWARD-TSN of the implementation."""
        rows = []
        for s in self.own:
            for chunk in s.packet.chunks:
                if chunk.type in FORWARD_TYPES and wire.read_forward_tsn(chunk):
                    rows.append((s.time_ns, wire.read_forward_tsn(chunk).cum_tsn))
        return rows

    def learn_message(self, s, data, forwards):
        """The message that begins with this chunk: its size by its fragments, and after how many retransmissions it was abandoned, if it was."""
        parts, sent = {data.tsn: data}, collections.defaultdict(list)
        for other in self.own:
            for chunk in other.packet.chunks:
                d = wire.read_data(chunk) if chunk.type in DATA_TYPES else None
                if d and (d.stream, d.unordered, d.number) == (data.stream, data.unordered, data.number) and wire.unwrap(d.tsn, data.tsn) >= data.tsn:
                    parts.setdefault(d.tsn, d)
                    sent[d.tsn].append(other.time_ns)
        payload, tsn, own = b"", data.tsn, []
        while tsn in parts:
            payload += parts[tsn].user_data
            own.append(tsn)
            if parts[tsn].ending:
                break
            tsn = (tsn + 1) % wire.TSN_MODULUS
        else:
            payload += bytes(len(data.user_data))
        forward = next((t for t, cum in forwards if t > s.time_ns and wire.unwrap(cum, data.tsn) >= data.tsn), None)
        limit = max(sum(t < forward for t in sent[tsn]) for tsn in own) - 1 if forward is not None else None
        life_ns = None
        if forward is not None and self.is_early(forward, [t for tsn in own for t in sent[tsn] if t < forward]):
            limit, life_ns = None, forward - s.time_ns
        return dict(data=payload, stream=data.stream, ppid=data.ppid or 0, ordered=not data.unordered, retransmissions_max=limit, lifetime_ns=life_ns,
                    immediate=data.immediate)  # fmt: skip

    def is_early(self, forward_ns, sent_ns):
        """No timer could have expired when the FORWARD-TSN left, and no third miss indication had come: the life of the message was over."""
        last_ns = max(sent_ns)
        misses = sum(last_ns <= s.time_ns <= forward_ns and self.bears_gap(s) for s in self.tester)
        return forward_ns - last_ns < 0.95 * self.policy.rto_min_ns and misses < 3

    def bears_gap(self, s):
        return any(chunk.type in (wire.SACK, wire.NR_SACK) and not chunk.is_malformed and self.had_gap(chunk) for chunk in s.packet.chunks)

    def learn_resets(self, s, chunk, known):
        """Requests of the user: those with a number that was not seen before."""
        for parameter in wire.parse_tlvs(chunk.value):
            key = parameter.value[:4]
            if parameter.type == wire.RECONFIG_RESPONSE or key in known:
                continue
            known.add(key)
            rest = parameter.value[12:] if parameter.type == wire.OUTGOING_SSN_RESET else parameter.value[4:]
            streams = [n for (n,) in struct.iter_unpack("!H", rest[: len(rest) & ~1])]
            if parameter.type in (wire.ADD_OUTGOING_STREAMS, wire.ADD_INCOMING_STREAMS):
                streams = int.from_bytes(parameter.value[4:6], "big")
            name = {wire.OUTGOING_SSN_RESET: "reset outgoing", wire.INCOMING_SSN_RESET: "reset incoming", wire.SSN_TSN_RESET: "reset association",
                    wire.ADD_OUTGOING_STREAMS: "add outgoing", wire.ADD_INCOMING_STREAMS: "add incoming"}.get(parameter.type)  # fmt: skip
            self.doings.append((s.time_ns, name, (streams,)))


class Replayed(Endpoint):
    """An endpoint that chooses the tags and TSNs that the implementation chose."""

    plan_setups = ()

    def chosen(self):
        for time_ns, init in self.plan_setups:
            if time_ns >= self.simulation.now_ns - ANSWER_NS and init.tag not in self.used_tags:
                return init
        return None

    used_tags = frozenset()

    def new_tag(self):
        init = self.chosen()
        self.current = init
        if init is None:
            return super().new_tag()
        self.used_tags = self.used_tags | {init.tag}
        return init.tag

    def new_initial_tsn(self):
        return super().new_initial_tsn() if self.current is None else self.current.initial_tsn


class AcksForwardTsnApart:
    """A deviation of Linux (RFC 9260 6.2: no more than one SACK for every packet): a FORWARD-TSN counts as a packet, so that DATA behind it is
    another one."""

    def receive_forward_tsn(self, chunk):
        result = super().receive_forward_tsn(chunk)
        if not self.is_gone:
            self.end_received_packet()
            self.queue_due_sack()
            self.begin_counting_packet()
        return result


KNOWN_DEVIATIONS = {"linux": types.SimpleNamespace(association_mixin=AcksForwardTsnApart, endpoint_mixin=None)}


class Replay:
    """One run against the simulated endpoint; answers: (time_ns, Packet, source, destination)."""

    def __init__(self, seen, platform, was_held_back=True, deviation=None):
        self.plan = Plan(seen, platform, was_held_back)
        self.simulation = Simulation("peers")
        self.answers = []
        self.cookies = {}
        self.heartbeats = collections.deque()
        plan = self.plan
        own, first = plan.own[0] if plan.own else None, seen[0]
        address = own.source if own else first.destination
        port = own.packet.source_port if own else first.packet.destination_port
        self.endpoint = Replayed(self.simulation, self.transmit, plan.policy, [address], port, deviation=deviation)
        self.endpoint.plan_setups = plan.setups
        self.endpoint.is_listening = self.listens()
        self.schedule()
        self.simulation.run(until_ns=seen[-1].time_ns + ANSWER_NS)

    def listens(self):
        """It answered an INIT with an INIT ACK, or never opened by itself and did not refuse an INIT without a cause."""
        types = {c.type for s in self.plan.own for c in s.packet.chunks}
        return wire.INIT_ACK in types or wire.INIT not in types

    def schedule(self):
        events = [(self.time_of_dealing(s), 0, index, self.feed, (s,)) for index, s in enumerate(self.plan.tester)]
        events += [(time_ns, 1, index, self.do, (name, arguments)) for index, (time_ns, name, arguments) in enumerate(self.plan.doings)]
        for time_ns, _, _, callback, arguments in sorted(events, key=lambda e: e[:3]):
            self.simulation.at(time_ns, callback, *arguments)

    def time_of_dealing(self, s):
        """The implementation took some 0.1 ms: it dealt with a packet when it answered, if something left soon after."""
        after = next((own.time_ns for own in self.plan.own if own.time_ns >= s.time_ns), None)
        return after if after is not None and after - s.time_ns < ANSWER_NS else s.time_ns

    def do(self, name, arguments):
        endpoint = self.endpoint
        association = endpoint.association
        if name == "associate":
            endpoint.associate([arguments[0]], arguments[1])
        elif association is None:
            return
        elif name == "send":
            association.cork()
            for message in arguments[0]:
                association.send(**message)
            association.uncork()
        elif name == "shutdown":
            association.shutdown()
        elif name == "abort":
            association.abort(arguments[0])
        elif name == "heartbeat":
            association.heartbeat(arguments[0])
        elif name in ("reset outgoing", "reset incoming"):
            association.reset_streams(arguments[0], outgoing=name == "reset outgoing", incoming=name == "reset incoming")
        elif name == "reset association":
            association.reset_association()
        elif name in ("add outgoing", "add incoming"):
            association.add_streams(**{name[4:]: arguments[0]})

    def feed(self, s):
        """A tester's packet, with the cookie and the Heartbeat Information of the simulated endpoint where it bore those of the implementation."""
        self.endpoint.receive(Datagram(self.simulation.number("datagram"), s.source, s.destination, self.translated(s)))

    def translated(self, s):
        packet = s.packet
        if packet is None or not any(c.type in (wire.COOKIE_ECHO, wire.HEARTBEAT_ACK) for c in packet.chunks):
            return s.sctp
        chunks = []
        for chunk in packet.chunks:
            if chunk.type == wire.COOKIE_ECHO and not chunk.is_malformed:
                chunk = wire.Chunk(chunk.type, chunk.flags, self.own_cookie(chunk.value))
            elif chunk.type == wire.HEARTBEAT_ACK and self.heartbeats and self.is_true_answer(chunk):
                chunk = wire.Chunk(chunk.type, chunk.flags, self.heartbeats.popleft())
            chunks.append(chunk)
        return wire.packet(packet.source_port, packet.destination_port, packet.tag, chunks, None if packet.checksum_is_right else 1)

    def is_true_answer(self, chunk):
        return any(c.value == chunk.value for s in self.plan.own for c in s.packet.chunks if c.type == wire.HEARTBEAT)

    def own_cookie(self, value):
        """The simulated endpoint's cookie of the same INIT ACK; one that the tester altered is altered."""
        run = [self.cookie_of(s.packet.chunks[0]) for s in self.plan.own if s.packet.chunks[0].type == wire.INIT_ACK]
        own = [self.cookie_of(p.chunks[0]) for _, p, _, _ in self.answers if p.chunks[0].type == wire.INIT_ACK]
        if not own:
            return value
        if value in run:
            return own[min(len(run) - 1 - run[::-1].index(value), len(own) - 1)]
        return own[-1][:-1] + bytes([own[-1][-1] ^ 1])

    def cookie_of(self, chunk):
        return next((p.value for p in wire.read_init(chunk).parameters if p.type == wire.STATE_COOKIE), b"")

    def transmit(self, datagram):
        packet = wire.parse(datagram.sctp, check=False)
        for chunk in packet.chunks:
            if chunk.type == wire.HEARTBEAT:
                self.heartbeats.append(chunk.value)
        self.answers.append((self.simulation.now_ns, packet, datagram.source, datagram.destination))


# What is compared of a chunk.
def chunk_signature(chunk):
    """Name, the flags that count, and the fields, as a tuple."""
    name, value, flags = chunk.name, chunk.value, chunk.flags
    if chunk.type in DATA_TYPES and wire.read_data(chunk):
        d = wire.read_data(chunk)
        number = d.number if not d.unordered or chunk.type == wire.I_DATA else None
        return name, flags & ~wire.FLAG_I, d.tsn, d.stream, number, d.fsn, d.ppid, len(d.user_data), zlib.crc32(d.user_data)
    if chunk.type in (wire.INIT, wire.INIT_ACK) and wire.read_init(chunk):
        i = wire.read_init(chunk)
        blank = (wire.STATE_COOKIE, wire.SUPPORTED_EXTENSIONS, wire.RANDOM)
        parameters = sorted((p.type, p.value if p.type not in blank else b"") for p in i.parameters)
        return name, flags, i.tag, i.outbound_streams, i.inbound_streams, i.initial_tsn, i.a_rwnd, tuple(parameters)
    if chunk.type == wire.SACK and wire.read_sack(chunk):
        sack = wire.read_sack(chunk)
        return name, flags, sack.cum_tsn, tuple(sack.gap_blocks), tuple(sack.duplicates)
    if chunk.type == wire.NR_SACK and wire.read_nr_sack(chunk):
        sack, blocks = wire.read_nr_sack(chunk)
        return name, sack.cum_tsn, tuple(sack.gap_blocks), tuple(blocks), tuple(sack.duplicates)
    if chunk.type in (wire.ABORT, wire.ERROR):
        blank = (wire.PROTOCOL_VIOLATION, wire.STALE_COOKIE)
        return name, flags, tuple((c.type, c.value if c.type not in blank else b"") for c in wire.parse_tlvs(value))
    if chunk.type in FORWARD_TYPES and wire.read_forward_tsn(chunk):
        forward = wire.read_forward_tsn(chunk)
        return name, flags, forward.cum_tsn, tuple(sorted(set(forward.streams)))
    if chunk.type in (wire.COOKIE_ECHO, wire.HEARTBEAT):
        return name, value if chunk.type == wire.COOKIE_ECHO else None
    return name, flags, value


def packet_signature(packet, sctp=None):
    """The tag, control chunks in no order (no clause has one but 5.1), then DATA in its order, then what is no packet by 3.2, 5.1, 6.8 or 6.10."""
    chunks = [chunk_signature(chunk) for chunk in packet.chunks]
    controls = [c for c in chunks if c[0] not in DATA_NAMES]
    controls.sort(key=lambda c: (c[0] not in ("COOKIE ECHO", "COOKIE ACK"), repr(c)))
    faults = [] if packet.checksum_is_right else [("wrong checksum",)]
    faults += [("partial chunk", chunk.name) for chunk in packet.chunks if chunk.is_malformed]
    if [c for c in chunks if c[0] in DATA_NAMES] != chunks[len(controls) :]:
        faults.append(("control chunk behind DATA",))
    if any(c[0] in ("COOKIE ECHO", "COOKIE ACK") for c in chunks[1:]):
        faults.append(("COOKIE ECHO or COOKIE ACK not first",))
    if sctp is not None and sctp[wire.COMMON_HEADER_BYTES :] != b"".join(chunk.encode() for chunk in packet.chunks):
        faults.append(("padding that is not zero, or bytes behind the last chunk",))
    return (packet.tag,) + tuple(controls) + tuple(c for c in chunks if c[0] in DATA_NAMES) + tuple(faults)


def compare(replay, seen):
    """Texts of the differences, [] if there are none."""
    last = seen[-1]
    cut_ns = last.time_ns + ANSWER_NS if last.is_iut else last.time_ns - 1
    answers = [a for a in replay.answers if a[0] <= cut_ns]
    run = [s for s in seen if s.is_iut]
    left, right = [packet_signature(s.packet, s.sctp) for s in run], [packet_signature(p) for _, p, _, _ in answers]
    left, right = without_open_causes(left, right)
    differences = []
    for what, a, b, c, d in difflib.SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if what == "equal":
            for s, answer in zip(run[a:b], answers[c:d]):
                if abs(s.time_ns - answer[0]) > tolerance_ns(s.packet):
                    differences.append(("time", f"{names(s.packet)} at {s.time_ns / 1e9:.4f}, simulated at {answer[0] / 1e9:.4f}"))
            continue
        if is_bundled_otherwise(run[a:b], left[a:b], answers[c:d], right[c:d]):
            continue
        for index in range(max(b - a, d - c)):
            s = run[a + index] if a + index < b else None
            answer = answers[c + index] if c + index < d else None
            kind = (
                "contents" if s and answer and names(s.packet) == names(answer[1]) else "other" if s and answer else "missing" if s else "additional"
            )
            text = f"run {s.time_ns / 1e9:.4f} {packet_signature(s.packet)}" if s else "run nothing"
            text += f"; simulated {answer[0] / 1e9:.4f} {packet_signature(answer[1])}" if answer else "; simulated nothing"
            differences.append((f"{kind} {names(s.packet) if s else '-'} / {names(answer[1]) if answer else '-'}", text))
    return differences


def is_bundled_otherwise(run, left, answers, right):
    """The same chunks at the same time, in other packets: bundling is the sender's choice (RFC 9260 6.10)."""
    flat = lambda rows: (
        sorted((row[0],) + c for row in rows for c in row[1:] if c[0] not in DATA_NAMES),
        [(row[0],) + c for row in rows for c in row[1:] if c[0] in DATA_NAMES],
    )
    times = [s.time_ns for s in run] + [answer[0] for answer in answers]
    return bool(left and right) and flat(left) == flat(right) and max(times) - min(times) <= TOLERANCE_NS


def without_open_causes(left, right):
    """Where the run leaves the value of an Unrecognized Chunk Type or Unrecognized Parameters empty, its script leaves it open."""
    open_ = {(c[0], cause[0]) for row in left for c in row[1:] if c[0] in ("ERROR", "ABORT") for cause in c[2] if cause[0] in (6, 8) and not cause[1]}
    if not open_:
        return left, right
    blank = lambda c: c[:2] + (tuple((code, b"") if (c[0], code) in open_ else (code, value) for code, value in c[2]),)
    return left, [row[:1] + tuple(blank(c) if c[0] in ("ERROR", "ABORT") else c for c in row[1:]) for row in right]


def tolerance_ns(packet):
    """RFC 9260 9.2 names no time within which SHUTDOWN ACK follows."""
    return 10 * TOLERANCE_NS if packet.chunks[0].type == wire.SHUTDOWN_ACK else TOLERANCE_NS


def fewest_differences(seen, platform, deviation):
    """When the user handed over what first went beside a FORWARD-TSN is not to be seen: before, and it was held back, or right then."""
    found = compare(Replay(seen, platform, True, deviation), seen)
    return min(found, compare(Replay(seen, platform, False, deviation), seen), key=len) if found else found


def names(packet):
    return "+".join(chunk.name for chunk in packet.chunks)


def labels_of(folder, file):
    """{path below the labels' folder: platform}."""
    for path in [file] if file else sorted(folder.parent.glob("labels*.jsonl")) + sorted(folder.glob("labels*.jsonl")):
        rows = [json.loads(line) for line in open(path)]
        found = {pathlib.Path(row["file"]).name: row for row in rows if (folder.parent / row["file"]).parent == folder or file}
        if found:
            return found
    return {}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--labels", type=pathlib.Path)
    parser.add_argument("--iut", default="192.168.0.1")
    parser.add_argument("--only", default="", help="files whose name contains this")
    parser.add_argument("--verbose", action="store_true", help="each difference")
    options = parser.parse_args()
    labels = labels_of(options.folder.resolve(), options.labels)
    same, same_with_deviation, kinds, count = 0, 0, collections.Counter(), 0
    for path in sorted(options.folder.glob("*.pcap")):
        label = labels.get(path.name, {})
        if options.only not in path.name or label.get("void") or (labels and not label):
            continue
        seen = read_capture(path, options.iut)
        platform = label.get("platform", "FreeBSD").lower()
        differences = fewest_differences(seen, platform, None)
        count += 1
        same += not differences
        if differences and platform in KNOWN_DEVIATIONS:
            differences = fewest_differences(seen, platform, KNOWN_DEVIATIONS[platform])
            same_with_deviation += not differences
        for kind in {kind for kind, _ in differences}:
            kinds[kind] += 1
        if differences and options.verbose:
            print(path.name)
            for kind, text in differences:
                print(f"    {kind}: {text}")
    print(f"{same} of {count} runs have the same answers, {same_with_deviation} more with a known deviation of the implementation")
    for kind, number in kinds.most_common():
        print(f"{number:5} {kind}")


if __name__ == "__main__":
    main()
