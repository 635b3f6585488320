# SPDX-License-Identifier: GPL-2.0-or-later
"""A real capture up to a moment at which all data is acknowledged, and how the association goes on from there otherwise."""

import packet_editor
from generate import chunks
from captured_associations import AUTH, DATA, HEARTBEAT, I_DATA, chunks_of, is_later, u16, u32

MS = 1_000_000
S = 1000 * MS


class Continuation:
    """Packets behind the end of a cut capture: what the far end sends comes a round trip after the packet before it, what the near one
    sends 0.1 ms. Streams, TSNs and addresses go on as they were; near end and far end are numbers of ends."""

    def __init__(self, editor, near=None, where=lambda association: True, wait_ns=300 * MS, is_young=False, is_interleaved=False):
        """near: the end that has to be at the tap; None: any. is_young: it goes on from the COOKIE ACK. is_interleaved: with I-DATA."""
        def moments(association):
            return association.young() if is_young else association.quiet()

        def fits(association):
            return (association.near is not None if near is None else association.near == near) and not association.is_partial() \
                and association.has(I_DATA) == is_interleaved and where(association) and any(True for _ in moments(association))
        self.editor = editor
        self.association = association = editor.association(fits)
        places = list(moments(association))
        self.last = places[-1] if editor.rng.random() < 0.5 else editor.rng.choice(places[len(places) // 2:])
        editor.end_after(self.last)
        self.near, self.far = association.near, 1 - association.near
        self.time_ns, self.waiting_ns = self.last["time_ns"], wait_ns
        self.tsn = [association.initial_tsn(0), association.initial_tsn(1)]
        self.ssn, self.like, self.a_rwnd = [{}, {}], [None, None], [association.value(0, 8), association.value(1, 8)]
        self.beats = 0
        self._read()

    def _read(self):
        self.association.end_after(self.last)
        newest = {}
        for packet in self.association.packets:
            end, sctp = self.association.sender(packet), packet["sctp"]
            found = chunks_of(sctp)
            if not all(kind == HEARTBEAT or 5 <= kind <= 11 for kind, _, _ in found) or self.like[end] is None:
                self.like[end] = packet
            for kind, at, _ in found:
                if kind in (DATA, I_DATA):
                    tsn, stream = u32(sctp, at + 4), (end, u16(sctp, at + 8))
                    if not is_later(self.tsn[end], tsn):
                        self.tsn[end] = tsn + 1 & 0xFFFFFFFF
                    if kind == DATA and not sctp[at + 1] & chunks.UNORDERED and not is_later(newest.setdefault(stream, tsn), tsn):
                        newest[stream], self.ssn[end][stream[1]] = tsn, u16(sctp, at + 10)
                elif kind == 3:
                    self.a_rwnd[end] = u32(sctp, at + 8)
        if self.like[0] is None or self.like[1] is None:
            raise packet_editor.NoPlace
        way = (self.like[self.near]["destination"], self.like[self.near]["source"])
        if way not in self.association.pairs(self.far):
            raise packet_editor.NoPlace
        self.like[self.far] = {**self.like[self.far], **_route(way)}

    def ways(self, end):
        """(source, destination) of an end that its packets took both ways before: the usual one first."""
        usual = (self.like[end]["source"], self.like[end]["destination"])
        known = {pair for pair in self.association.pairs(end) if pair[::-1] in self.association.pairs(1 - end)}
        return [usual, *sorted(known - {usual})]

    def wait(self, gap_ns):
        self.waiting_ns += gap_ns
        return self

    def send(self, end, *parts, gap_ns=None, **changes):
        if parts and parts[0][0] != AUTH and any(part[0] in self.association.demands(1 - end) for part in parts):
            raise packet_editor.NoPlace
        gap_ns = (MS // 10 if end == self.near else self.association.rtt_ns + MS) if gap_ns is None else gap_ns
        self.time_ns += gap_ns + self.waiting_ns
        self.waiting_ns = 0
        like = self.like[end]
        changes.setdefault("vtag", self.association.tags[1 - end])
        self.packet = self.editor.inject(like, *parts, after_ns=self.time_ns - like["time_ns"], **changes)
        self.packet["frame"] = self.editor.packets[-2]["frame"] + 1
        return self

    def chunk(self, end, size=20, sid=None, flags=chunks.BEGIN | chunks.END, payload=None, ppid=0, ssn=None):
        """The next DATA chunk of an end."""
        ssns = self.ssn[end]
        sid = next(iter(ssns), 0) if sid is None else sid
        ordered = not flags & chunks.UNORDERED
        if ordered and flags & chunks.BEGIN:
            ssns[sid] = ssns.get(sid, -1) + 1 & 0xFFFF
        made = chunks.data(self.tsn[end], bytes(size) if payload is None else payload, sid, ssns.get(sid, 0) if ssn is None else ssn, ppid, flags)
        self.tsn[end] = self.tsn[end] + 1 & 0xFFFFFFFF
        return made

    def data(self, end, gap_ns=None, way=None, **options):
        self.sent = self.chunk(end, **options)
        return self.send(end, self.sent, gap_ns=gap_ns, **_route(way))

    def heartbeat(self, end, way=None, is_answered=True, gap_ns=None):
        self.beats += 1
        info = bytes([self.beats]) * 40
        self.send(end, chunks.heartbeat(info), gap_ns=gap_ns, **_route(way))
        return self.send(1 - end, chunks.heartbeat_ack(info), **_route(way and way[::-1])) if is_answered else self

    def skip(self, end):
        """The end sends a TSN that does not pass; returns its chunk, to be sent later."""
        return self.chunk(end)

    def sack(self, end, below=0, gap_ns=None, **options):
        """Acknowledges all that the other end sent, but the last `below`."""
        options.setdefault("a_rwnd", self.a_rwnd[end])
        return self.send(end, chunks.sack(self.tsn[1 - end] - 1 - below, **options), gap_ns=gap_ns)

    def rounds(self, end, count, wait_ns=0, **options):
        """The end sends, the other acknowledges each packet."""
        for _ in range(count):
            self.data(end, **options).wait(wait_ns).sack(1 - end)
        return self


def _route(way):
    return dict(zip(("source", "destination"), way)) if way else {}
