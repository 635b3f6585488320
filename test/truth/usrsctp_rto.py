# SPDX-License-Identifier: GPL-2.0-or-later
"""Round-trip samples and RTO of usrsctp, from its variables before and after each packet it received.

It keeps eight times the srtt and four times the rttvar in whole milliseconds (sctp_calculate_rto()); the tables show them
divided. So every pair that fits what is shown is carried along, and a sample is what leads from one pair to the next. A sample
that changes nothing shown stays unseen. Leaves out what it measures at the set-up (INIT_ACK, COOKIE_ACK).
"""

from collections import deque

from samples import Sample, Samples, ends_samples, smallest_rtos
from tap import read_tap
from usrsctp import tables

TICK_S = 0.001
BEHIND_PACKET_S = 0.002
RTO_MAX_MS = 60000


class Estimate:
    """`pairs`: what lastsa and lastsv may be now."""

    def __init__(self):
        self.pairs, self.shown = set(), (0, 0)

    def take(self, srtt, rttvar, rto):
        """The RTTs (ms) that explain what is shown now, None when nothing shows a sample; and the RTOs these give."""
        shown, self.shown = self.shown, (srtt, rttvar)
        if shown == (srtt, rttvar):
            self.pairs |= {pair for pair, _ in self.steps(srtt, rttvar)}
            return None, set()
        if shown == (0, 0):
            self.pairs = {(srtt << 3, (srtt // 2) << 2 or 1)}
            return {srtt}, {srtt + pair[1] for pair in self.pairs}
        steps = list(self.steps(srtt, rttvar))
        exact = [step for step in steps if step[0][0] // 8 + step[0][1] == rto] or steps
        self.pairs = {pair for pair, _ in exact}
        if not exact:
            self.pairs = {(srtt * 8 + i, rttvar * 4 + j) for i in range(8) for j in range(4)}
        return {rtt for _, rtt in exact}, {srtt + pair[1] for pair in self.pairs}

    def steps(self, srtt, rttvar):
        """((lastsa, lastsv), rtt) of each sample that gives what is shown."""
        for scaled, variance in self.pairs:
            for then in range(8 * srtt, 8 * srtt + 8):
                step = then - scaled
                new = variance + abs(step) - (variance >> 2) or 1
                if new >> 2 == rttvar:
                    yield (then, new), step + (scaled >> 3)


def tie(rows, packets):
    """id(row) -> the packet that an rx row is about; both in order."""
    result, waiting = {}, deque(sorted((packet for packet in packets if not packet.sent), key=lambda p: p.time))
    for row in rows:
        if row.is_tx:
            continue
        while waiting and waiting[0].time < row.time - BEHIND_PACKET_S:
            waiting.popleft()
        if waiting and waiting[0].time <= row.time:
            result[id(row)] = waiting.popleft()
    return result


def is_rto(rto, computed, smallest):
    return any(rto == min(RTO_MAX_MS, max(least, value)) for value in computed for least in smallest)


def samples_of(rows, packets, smallest):
    paths, packet_of = {}, tie(rows, packets)
    for row, then in zip(rows, rows[1:]):
        for address, now in then.paths.items():
            rtts, rtos = paths.setdefault(address, Estimate()).take(now.srtt, now.rttvar, now.rto)
            packet = packet_of.get(id(row))
            if rtts and (packet is None or ends_samples(packet)):
                yield Sample((packet.frame,) if packet else (), row.time, address, min(rtts) / 1000, max(rtts) / 1000,
                             now.rto / 1000, is_rto(now.rto, rtos, smallest))


def samples(folder, end):
    packets, result, watched = read_tap(folder, end), [], set()
    for rows in tables(folder, end):
        result += samples_of(rows, packets, smallest_rtos(folder))
        watched |= {packet.frame for packet in tie(rows, packets).values()}
    return Samples(result, TICK_S, watched)
