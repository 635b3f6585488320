# SPDX-License-Identifier: GPL-2.0-or-later
"""Values of the plugin's fields for every packet of a capture, computed from the definitions in docs/generated/reference.md and not from the plugin.

    analyse(packets, grouping) -> list of Association
    Association.values[frame][field] -> list of values in chunk order

A value of None is one that the plugin must not show; UNKNOWN is one that is not compared. Times are in ns. The choices made where a
definition is silent stand in transmissions.py and timing.py; here:
- A packet with a wrong CRC32c counts for nothing (CORRUPTED_COUNTS): its receiver drops it, and what it says may be wrong.
- An old SACK (cum TSN lower than one before) shows 0 new chunks and bytes and its own missing TSNs; its a_rwnd is not taken either.
- While all packets of the capture hold DATA, as a display filter may have cut it, acknowledgements may be missing: no flight, no peer_window,
  no sack.delay and no rtt. A packet that was cut may hold DATA beyond.
- Each SACK chunk of a packet has its values, in chunk order. flight and peer_window are looked at in packets with DATA only."""

import collections

from . import associations, chunks
from .timing import UNKNOWN, DataTimer, HeartbeatTimer
from .transmissions import Direction

CORRUPTED_COUNTS = False
DATA_FIELDS = ("tsn", "transmission", "first_sent", "since_last", "gap_acked_in", "acked_in")
PACKET_FIELDS = ("flight", "peer_window")
SACK_FIELDS = ("acks", "sack.new_chunks", "sack.new_bytes", "sack.missing", "sack.delay")
FIELDS = (*DATA_FIELDS, *PACKET_FIELDS, *SACK_FIELDS, "rtt")


def analyse(packets, assoc_of_frame, skipped=()):
    """packets: of frames.sctp_packets. skipped: frames to leave out because the capture holds them already."""
    chosen = [packet for packet in packets if packet.frame not in skipped]
    groups = associations.by_association(chosen, assoc_of_frame)
    other = first_without_data([packet for group in groups.values() for packet in group])
    return [Association(number, group, other) for number, group in sorted(groups.items())]


def first_without_data(packets):
    """Frame of the first packet that was captured whole and holds no DATA."""
    return min((packet.frame for packet in packets if packet.whole and not associations.is_corrupted(packet)
                and not any(chunk.type in chunks.HEADER_BYTES for chunk in packet.chunks)), default=float("inf"))


class Association:
    """One association, fed with all its packets on construction. other: frame of the capture's first packet without DATA."""

    def __init__(self, number, packets, other):
        self.number = number
        self.values = {}                # frame -> field -> list of values
        self.senders = {}               # frame -> end
        self.chunks = {}                # frame -> chunks
        self.corrupted = set()          # frames
        self._sent_by_frame = {}        # frame -> Tsn of each DATA chunk
        self._heartbeats = HeartbeatTimer()
        self._read(packets)
        initial = [self._initial_tsn(end, packets) for end in (0, 1)]
        self.directions = [Direction(tsn) for tsn in initial]
        self._timers = [DataTimer(), DataTimer()]
        self._a_rwnd = [None, None]     # by end that announced it
        self._other = other
        for packet in packets:
            if CORRUPTED_COUNTS or packet.frame not in self.corrupted:
                self._feed(packet)
        self._add_what_came_later()

    def _read(self, packets):
        ends = associations.Ends(packets)
        for packet in packets:
            self.senders[packet.frame] = ends.sender(packet)
            self.chunks[packet.frame] = chunks.parse(packet)
            if associations.is_corrupted(packet):
                self.corrupted.add(packet.frame)

    def _said(self, end, kind, packets):
        """(packet, chunk) of all chunks of a class that an end sent."""
        return [(packet, chunk) for packet in packets if self.senders[packet.frame] == end and packet.frame not in self.corrupted
                for chunk in self.chunks[packet.frame] if isinstance(chunk, kind)]

    def _initial_tsn(self, end, packets):
        """Of the INIT or INIT_ACK whose tag the peer used most; without one the first TSN seen, or what the first SACK expects."""
        offers = {init.tag: init.initial_tsn for _, init in self._said(end, chunks.Init, packets)}
        used = collections.Counter(packet.vtag for packet in packets if packet.vtag in offers and self.senders[packet.frame] != end)
        if offers:
            return offers[used.most_common(1)[0][0]] if used else list(offers.values())[-1]
        data = self._said(end, chunks.Data, packets)
        sacks = self._said(1 - end, (chunks.Sack, chunks.Shutdown), packets)
        return data[0][1].tsn if data else (sacks[0][1].cum_tsn + 1) % 2**32 if sacks else 0

    def _feed(self, packet):
        shown = self.values.setdefault(packet.frame, {field: [] for field in FIELDS})
        sender = self.senders[packet.frame]
        if any(chunk.type in (chunks.COOKIE_ECHO, chunks.COOKIE_ACK) for chunk in packet.chunks):
            for timer in self._timers:
                timer.restart(packet.time)
        for chunk in self.chunks[packet.frame]:
            {chunks.Data: self._data, chunks.Sack: self._sack, chunks.Shutdown: self._shutdown, chunks.Forward: self._forward,
             chunks.Init: self._init, chunks.Heartbeat: self._heartbeat, chunks.TsnReset: self._reset}[type(chunk)](
                chunk, packet, sender, shown)
        self._add_outstanding(packet, sender, shown)

    def _add_outstanding(self, packet, sender, shown):
        if packet.frame < self._other:
            shown.update({"flight": [], "peer_window": [], "rtt": [], "sack.delay": []})
        elif shown["tsn"]:
            sent = self.directions[sender]
            shown["flight"].append(sent.outstanding_bytes(packet.dst))
            a_rwnd = self._a_rwnd[1 - sender]
            shown["peer_window"].append(None if a_rwnd is None else max(a_rwnd - sent.outstanding_bytes(), 0))
        else:
            shown["flight"] = shown["peer_window"] = [UNKNOWN]

    def _data(self, data, packet, sender, shown):
        was_idle = not self.directions[sender].outstanding(packet.dst)
        entry = self.directions[sender].transmit(data, packet.frame, packet.time, packet.dst)
        self._timers[sender].sent(entry, was_idle)
        number = len(entry.transmissions)
        shown["tsn"].append(entry.tsn)
        shown["transmission"].append(number)
        shown["first_sent"].append(entry.transmissions[0][0])
        shown["since_last"].append(packet.time - entry.transmissions[-2][1] if number > 1 else None)
        self._sent_by_frame.setdefault(packet.frame, []).append(entry)

    def _sack(self, sack, packet, sender, shown):
        direction = self.directions[1 - sender]
        shown["sack.missing"].append(direction.missing(sack) if sack.is_whole else UNKNOWN)
        if not direction.is_old(sack.cum_tsn):
            self._a_rwnd[sender] = sack.a_rwnd
        new = direction.acknowledge(sack.cum_tsn, direction.held(sack), packet.frame)
        last_frames = [entry.transmissions[-1][0] for entry in new]
        sent_once = [entry for entry in new if len(entry.transmissions) == 1 and entry.abandoned_in is None]
        shown["acks"] += [min(last_frames), max(last_frames)] if new else []
        shown["sack.new_chunks"].append(len(new))
        shown["sack.new_bytes"].append(sum(entry.bytes for entry in new))
        shown["sack.delay"].append(self._timers[1 - sender].longest(sent_once, packet.time))
        shown["rtt"] += self._timers[1 - sender].acked(new, direction.covered, packet.time)

    def _shutdown(self, shutdown, packet, sender, shown):
        new = self.directions[1 - sender].acknowledge(shutdown.cum_tsn, set(), packet.frame)
        self._timers[1 - sender].acked(new, self.directions[1 - sender].covered, packet.time)

    def _forward(self, forward, packet, sender, shown):
        self._timers[sender].abandoned(self.directions[sender].forward(forward.cum_tsn, packet.frame))

    def _init(self, init, packet, sender, shown):
        self._a_rwnd[sender] = init.a_rwnd

    def _heartbeat(self, heartbeat, packet, sender, shown):
        sample = self._heartbeats.sample(heartbeat, sender, packet.time)
        if sample is not None:
            shown["rtt"].append(sample if heartbeat.is_whole else UNKNOWN)

    def _reset(self, reset, packet, sender, shown):
        for end, next_tsn in ((sender, reset.sender_next), (1 - sender, reset.receiver_next)):
            self._timers[end].abandoned(self.directions[end].reset(next_tsn, packet.frame))

    def _add_what_came_later(self):
        for frame, entries in self._sent_by_frame.items():
            self.values[frame]["gap_acked_in"] = [entry.gap_acked_in for entry in entries]
            self.values[frame]["acked_in"] = [entry.acked_in for entry in entries]
