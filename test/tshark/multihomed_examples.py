# SPDX-License-Identifier: GPL-2.0-or-later
"""Multihomed associations whose truth is known because they are made: a host whose further addresses never answer; a sender on two paths at
once, kept waiting by its peer's window while the slower path delivers.

Leaves out what the reports say of them.
"""

import heapq

from application_messages import MS, ScenarioBuilder, chunks

S = 1000 * MS
SIX = tuple(f"10.{net}.1.1" for net in range(6))


def five_of_six_silent():
    """Endpoint 1 lists six addresses in its INIT ACK, of which only the first is reachable; the peer sends HEARTBEATs to all, every 5 s."""
    talk = ScenarioBuilder(addresses=("10.0.0.1", list(SIX)))
    talk.set_up(params=(b"", b"".join(map(chunks.address, SIX))))
    for beat in range(4):
        for path in range(len(SIX)):
            info = f"{beat} {path}".encode()
            talk.send(0, chunks.heartbeat(info), destination=path, gap_ns=MS)
            if path == 0:
                talk.send(1, chunks.heartbeat_ack(info), gap_ns=20 * MS)
        talk.send(0, chunks.data(talk.ends[0].tsn + beat, b"position report", ssn=beat), gap_ns=100 * MS)
        talk.send(1, chunks.sack(talk.ends[0].tsn + beat), gap_ns=20 * MS).wait(5 * S)
    return talk


class TwoPaths:
    """A sender that uses two paths at once, and what passes it. Its peer hands one ordered stream to the application, so that what overtook
    on the fast path lies in its buffer. `blocked_ns`: how long the window kept a path with room in its cwnd from sending while the lowest
    TSN that the sender had no ack of was on the other."""

    RTT_NS, CHUNK, CWND = (20 * MS, 400 * MS), 1000, 4380

    def __init__(self, buffer_bytes, total):
        self.talk = ScenarioBuilder(addresses=(["10.0.0.1", "10.1.0.1"], ["10.0.1.1", "10.1.1.1"]))
        lists = [b"".join(map(chunks.address, end.addresses)) for end in self.talk.ends]
        self.talk.set_up(params=tuple(lists))
        self.first, self.buffer, self.total = self.talk.ends[0].tsn, buffer_bytes, total
        self.now, self.last, self.events, self.order = 0, 0, [], 0
        self.next, self.sent_on, self.flight, self.cwnd = 0, {}, [0, 0], [self.CWND, self.CWND]
        self.acked, self.arrived, self.cum, self.window = set(), set(), -1, 131072
        self.blocked_ns, self.blocked_since = 0, None

    def run(self):
        self.fill()
        while self.events:
            self.now, _, kind, value = heapq.heappop(self.events)
            kind(value)
        return self

    def at(self, delay_ns, kind, value):
        self.order += 1
        heapq.heappush(self.events, (self.now + delay_ns, self.order, kind, value))

    def passes(self, sender, chunk, path):
        self.talk.send(sender, chunk, source=path, destination=path, gap_ns=self.now - self.last)
        self.last = self.now

    def outstanding(self):
        return sum(self.flight)

    def fill(self):
        """Sends on whatever path has room, the fast one first, one packet each in turn."""
        rooms = True
        while rooms and self.next < self.total and self.has_window():
            rooms = [path for path in (0, 1) if self.flight[path] < self.cwnd[path]]
            for path in rooms:
                if self.next < self.total and self.has_window():
                    self.send(path)
        self.note_blocked()

    def has_window(self):
        return self.window - self.outstanding() >= self.CHUNK

    def note_blocked(self):
        missing = self.sent_on.get(min(set(self.sent_on) - self.acked, default=None))
        waits = (self.next < self.total and not self.has_window() and missing is not None
                 and self.flight[1 - missing] < self.cwnd[1 - missing])
        if self.blocked_since is not None:
            self.blocked_ns += self.now - self.blocked_since
        self.blocked_since = self.now if waits else None

    def send(self, path):
        number, self.next = self.next, self.next + 1
        self.sent_on[number] = path
        self.flight[path] += self.CHUNK
        self.passes(0, chunks.data(self.first + number, b"x" * self.CHUNK, ssn=number), path)
        self.at(self.RTT_NS[path] // 2, self.arrive, (number, path))

    def arrive(self, value):
        number, path = value
        self.arrived.add(number)
        while self.cum + 1 in self.arrived:
            self.cum += 1
        held = sorted(one for one in self.arrived if one > self.cum)
        gaps = []
        for one in held:
            if gaps and gaps[-1][1] == one - self.cum - 1:
                gaps[-1] = (gaps[-1][0], one - self.cum)
            else:
                gaps.append((one - self.cum, one - self.cum))
        self.at(self.RTT_NS[path] // 2, self.take_sack, (self.cum, tuple(gaps), self.buffer - len(held) * self.CHUNK, path))

    def take_sack(self, value):
        cum, gaps, window, path = value
        self.passes(1, chunks.sack(self.first + cum, a_rwnd=window, gaps=gaps), path)
        told = set(range(cum + 1)) | {cum + at for start, end in gaps for at in range(start, end + 1)}
        for number in told - self.acked:
            of = self.sent_on[number]
            self.flight[of] -= self.CHUNK
        self.acked |= told
        self.window = window
        self.fill()


def blocked_by_the_buffer():
    """80 KB over paths of 20 and 400 ms, to a receiver that buffers 12 KB."""
    return TwoPaths(buffer_bytes=12_000, total=80).run().talk


EXAMPLES = {"five-of-six-silent": five_of_six_silent, "blocked-by-the-buffer": blocked_by_the_buffer}
