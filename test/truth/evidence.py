# SPDX-License-Identifier: GPL-2.0-or-later
"""What a sender had seen when it sent a chunk again: miss indications since the last transmission, the last SACK, the window.

Counted plainly from the packets at the sender's tap, for people who look at a difference and for the stacks whose logs say
when they retransmitted and not why. Leaves out every stack's own rules (linux.py and its neighbours).
"""

from dataclasses import dataclass, field

from tap import before, is_other_range


@dataclass(eq=False)
class Evidence:
    """Before one retransmission. `misses`: SACKs with a block above the TSN; `htna`: those that newly acked a TSN above it
    (RFC 9260 7.2.4); `miss_times`: when the latter came; `quiet`: seconds since a SACK came; `lowest`, `newest`: of what
    is outstanding."""

    misses: int
    htna: int
    miss_times: list
    quiet: float
    a_rwnd: int
    lowest: bool
    newest: bool

    def __str__(self):
        quiet = "no SACK yet" if self.quiet is None else f"last SACK {self.quiet * 1000:.3f} ms ago"
        place = " lowest" * self.lowest + " newest" * self.newest
        return f"misses {self.misses}, HTNA {self.htna}, {quiet}, a_rwnd {self.a_rwnd}{place}"


@dataclass(eq=False)
class Sender:
    """One association at its sender; `missed` and `htna`: TSN -> times of misses since the last transmission."""

    missed: dict = field(default_factory=dict)
    htna: dict = field(default_factory=dict)
    acked: set = field(default_factory=set)
    sent: set = field(default_factory=set)
    newest: int = None
    cum: int = None
    a_rwnd: int = None
    sack_time: float = None

    def take_data(self, packet, data):
        """The evidence when the TSN was sent before, else None."""
        if self.newest is not None and is_other_range(self.newest, data.tsn):
            self.__init__()
        seen = self.look(packet, data) if data.tsn in self.sent else None
        self.sent.add(data.tsn)
        self.missed[data.tsn], self.htna[data.tsn] = 0, []
        if self.newest is None or before(self.newest, data.tsn):
            self.newest = data.tsn
        return seen

    def look(self, packet, data):
        tsn, times = data.tsn, self.htna.get(data.tsn, [])
        others = [other for other in self.missed if other not in self.acked and other != tsn]
        quiet = None if self.sack_time is None else packet.time - self.sack_time
        return Evidence(self.missed.get(tsn, 0), len(times), times, quiet, self.a_rwnd,
                        not any(before(other, tsn) for other in others), not any(before(tsn, other) for other in others))

    def take_sack(self, packet, sack):
        if self.cum is not None and before(sack.cum, self.cum):
            return
        self.cum, self.sack_time = sack.cum, packet.time
        if not sack.is_shutdown:
            self.a_rwnd = sack.a_rwnd
        new = [tsn for tsn in self.missed if tsn not in self.acked and sack.covers(tsn)]
        self.acked.update(new)
        highest_new = sack.cum
        for tsn in new:
            highest_new = tsn if before(highest_new, tsn) else highest_new
        for tsn in [tsn for tsn in self.missed if not before(sack.cum, tsn)]:
            del self.missed[tsn], self.htna[tsn]
        for tsn in self.missed:
            if tsn not in self.acked:
                self.missed[tsn] += before(tsn, sack.highest())
                if before(tsn, highest_new):
                    self.htna[tsn].append(packet.time)


def evidence_of(packets):
    """(frame, TSN) -> Evidence of every retransmission by the tap's end."""
    senders, result = {}, {}
    for packet in sorted(packets, key=lambda p: p.time):
        sender = senders.setdefault(packet.assoc, Sender())
        for data in packet.data if packet.sent else ():
            seen = sender.take_data(packet, data)
            if seen:
                result[packet.frame, data.tsn] = seen
        for sack in () if packet.sent else packet.sacks:
            sender.take_sack(packet, sack)
    return result
