# SPDX-License-Identifier: GPL-2.0-or-later
"""A real capture up to a moment at which all data is acknowledged, and how the association goes on from there otherwise."""

import packet_editor
from generate import chunks, packet
from generate.conversation import End, TimedConversation
from captured_associations import AUTH, DATA, HEARTBEAT, I_DATA, chunks_of, is_later, u16, u32

MS = 1_000_000
S = 1000 * MS


class Continuation(TimedConversation):
    """Packets behind the end of a cut capture: what the far end sends comes a round trip after the packet before it, what the near one
    sends 0.1 ms. Streams, TSNs, windows and addresses go on as they were; ways[0] is the usual one."""

    def __init__(self, editor, near=None, where=lambda association: True, wait_ns=300 * MS, is_young=False, is_interleaved=False):
        """near: the end that has to be at the tap; None: any. is_young: it goes on from the COOKIE ACK. is_interleaved: with I-DATA."""
        def moments(association):
            return association.young() if is_young else association.quiet()

        def fits(association):
            return (association.near is not None if near is None else association.near == near) and not association.is_partial() \
                and association.has(I_DATA) == is_interleaved and where(association) and any(True for _ in moments(association))
        self.editor = editor
        self.rng = editor.rng
        self.association = association = editor.association(fits)
        places = list(moments(association))
        self.last = places[-1] if editor.rng.random() < 0.5 else editor.rng.choice(places[len(places) // 2:])
        editor.end_after(self.last)
        self.gaps_ns = [MS // 10 if end == association.near else association.rtt_ns + MS for end in (0, 1)]
        self.time_ns, self.waiting_ns = self.last["time_ns"], wait_ns
        self.ends = [End((), None, association.tags[end], association.initial_tsn(end)) for end in (0, 1)]
        self.like = [None, None]
        self._read()
        self.ways = self._find_ways()
        for end in (0, 1):
            self.ends[end].addresses = [way[end != self.near] for way in self.ways]

    def _read(self):
        self.association.end_after(self.last)
        newest = {}
        for end, window in zip(self.ends, (self.association.value(0, 8), self.association.value(1, 8))):
            end.a_rwnd = window
        for seen in self.association.packets:
            number, sctp = self.association.sender(seen), seen["sctp"]
            end, found = self.ends[number], chunks_of(sctp)
            if not all(kind == HEARTBEAT or 5 <= kind <= 11 for kind, _, _ in found) or self.like[number] is None:
                self.like[number] = seen
            for kind, at, _ in found:
                if kind in (DATA, I_DATA):
                    tsn, stream = u32(sctp, at + 4), u16(sctp, at + 8)
                    if not is_later(end.tsn, tsn):
                        end.tsn = tsn + 1 & 0xFFFFFFFF
                    if kind == DATA and not sctp[at + 1] & chunks.UNORDERED and not is_later(newest.setdefault((number, stream), tsn), tsn):
                        newest[number, stream], end.ssns[stream] = tsn, u16(sctp, at + 10) + 1 & 0xFFFF
                elif kind == 3:
                    end.a_rwnd = u32(sctp, at + 8)
        if self.like[0] is None or self.like[1] is None:
            raise packet_editor.NoPlace
        for end in self.ends:
            end.stream = next(iter(end.ssns), 0)

    def _find_ways(self):
        """[(address of the near end, address of the far one)] that packets took both ways before: the usual one first."""
        usual = (self.like[self.near]["source"], self.like[self.near]["destination"])
        known = {pair for pair in self.association.pairs(self.near) if pair[::-1] in self.association.pairs(self.far)}
        if usual not in known:
            raise packet_editor.NoPlace
        return [usual, *sorted(known - {usual})]

    def _address(self, end, address):
        """An index in those of its end, text or bytes, as bytes."""
        if isinstance(address, int):
            if address >= len(self.ends[end].addresses):
                raise packet_editor.NoPlace
            return self.ends[end].addresses[address]
        return packet.packed(address) if isinstance(address, str) else address

    def send(self, sender, *parts, source=0, destination=0, way=None, vtag=None, gap_ns=None, checksum=None, **changes):
        if parts and parts[0][0] != AUTH and any(part[0] in self.association.demands(1 - sender) for part in parts if part):
            raise packet_editor.NoPlace
        source, destination = (source, destination) if way is None else (way, way)
        self.time_ns += self.take_gap_ns(sender, gap_ns)
        like = {**self.like[sender], "source": self._address(sender, source), "destination": self._address(1 - sender, destination)}
        vtag = self.ends[1 - sender].tag if vtag is None else vtag
        self.packet = self.editor.inject(like, *parts, after_ns=self.time_ns - like["time_ns"], vtag=vtag, **changes)
        self.packet["frame"] = self.editor.packets[-2]["frame"] + 1
        if checksum is not None:
            head, body = self.packet["sctp"][:8], self.packet["sctp"][12:]
            self.packet["sctp"] = head + (checksum(head + bytes(4) + body) if callable(checksum) else checksum) + body
        return self
