"""A real capture up to a moment at which all data is acknowledged, and how the association goes on from there otherwise."""

import scene as scenes
from generate import chunks
from talks import AUTH, DATA, HEARTBEAT, I_DATA, chunks_of, is_later, u16, u32

MS = 1_000_000
S = 1000 * MS


class Sequel:
    """Packets behind the end of a cut capture: what the far end sends comes a round trip after the packet before it, what the near one
    sends 0.1 ms. Streams, TSNs and addresses go on as they were; near end and far end are numbers of ends."""

    def __init__(self, scene, near=None, where=lambda talk: True, wait_ns=300 * MS, is_young=False, is_interleaved=False):
        """near: the end that has to be at the tap; None: any. is_young: it goes on from the COOKIE ACK. is_interleaved: with I-DATA."""
        def moments(talk):
            return talk.young() if is_young else talk.quiet()

        def fits(talk):
            return (talk.near is not None if near is None else talk.near == near) and not talk.is_partial() \
                and talk.has(I_DATA) == is_interleaved and where(talk) and any(True for _ in moments(talk))
        self.scene = scene
        self.talk = talk = scene.talk(fits)
        places = list(moments(talk))
        self.last = places[-1] if scene.rng.random() < 0.5 else scene.rng.choice(places[len(places) // 2:])
        scene.end_after(self.last)
        self.near, self.far = talk.near, 1 - talk.near
        self.time_ns, self.waiting_ns = self.last["time_ns"], wait_ns
        self.tsn = [talk.initial_tsn(0), talk.initial_tsn(1)]
        self.ssn, self.like, self.a_rwnd = [{}, {}], [None, None], [talk.value(0, 8), talk.value(1, 8)]
        self.beats = 0
        self._read()

    def _read(self):
        self.talk.end_after(self.last)
        newest = {}
        for packet in self.talk.packets:
            end, sctp = self.talk.sender(packet), packet["sctp"]
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
            raise scenes.NoPlace
        way = (self.like[self.near]["destination"], self.like[self.near]["source"])
        if way not in self.talk.pairs(self.far):
            raise scenes.NoPlace
        self.like[self.far] = {**self.like[self.far], **_route(way)}

    def ways(self, end):
        """(source, destination) of an end that its packets took both ways before: the usual one first."""
        usual = (self.like[end]["source"], self.like[end]["destination"])
        known = {pair for pair in self.talk.pairs(end) if pair[::-1] in self.talk.pairs(1 - end)}
        return [usual, *sorted(known - {usual})]

    def wait(self, gap_ns):
        self.waiting_ns += gap_ns
        return self

    def send(self, end, *parts, gap_ns=None, **changes):
        if parts[0][0] != AUTH and any(part[0] in self.talk.demands(1 - end) for part in parts):
            raise scenes.NoPlace
        gap_ns = (MS // 10 if end == self.near else self.talk.rtt_ns + MS) if gap_ns is None else gap_ns
        self.time_ns += gap_ns + self.waiting_ns
        self.waiting_ns = 0
        like = self.like[end]
        changes.setdefault("vtag", self.talk.tags[1 - end])
        self.packet = self.scene.inject(like, *parts, after_ns=self.time_ns - like["time_ns"], **changes)
        self.packet["frame"] = self.scene.packets[-2]["frame"] + 1
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
