# SPDX-License-Identifier: GPL-2.0-or-later
"""Round-trip samples and RTO of dcsctp and pion, from the smoothed RTT in their tables (gt.tsv): srtt = 7/8 srtt + 1/8 rtt in
floating point, shown to the microsecond. dcsctp's rows are written after every event, pion's each millisecond."""

import bisect

from samples import Sample, Samples, ends_samples
from tap import beside, open_table, read_tap

TICK_S = 0.00002
LOOKED_EVERY_S = {"dcsctp": 0.000002, "pion": 0.001002}
NOTHING_YET_MS = {"dcsctp": 500.0, "pion": 0.0}
RTO_MIN_MS, RTO_MAX_MS = 1000.0, 60000.0
ROUNDING_MS = 0.008


def rows_of(folder, end):
    with open_table(beside(folder, "gt.tsv")) as table:
        names = next(table).rstrip("\n").split("\t")
        for line in table:
            row = dict(zip(names, line.rstrip("\n").split("\t")))
            if row["end"] == end:
                yield row


class Estimate:
    """srtt and rttvar in milliseconds, 6.3.1 C2 and C3."""

    def __init__(self, nothing_yet):
        self.srtt = self.nothing_yet = nothing_yet
        self.rttvar = None

    def take(self, srtt):
        """The RTT in ms that made the smoothed RTT `srtt`."""
        if self.rttvar is None:
            rtt, self.rttvar = srtt, srtt / 2
        else:
            rtt = 8 * srtt - 7 * self.srtt
            self.rttvar = 0.75 * self.rttvar + 0.25 * abs(self.srtt - rtt)
        self.srtt = srtt
        return rtt

    def rto(self):
        return min(RTO_MAX_MS, max(RTO_MIN_MS, self.srtt + 4 * self.rttvar))


def samples(folder, end):
    stack = folder.parent.name
    answers = sorted((packet for packet in read_tap(folder, end) if ends_samples(packet)), key=lambda packet: packet.time)
    times, result, estimate = [packet.time for packet in answers], [], Estimate(NOTHING_YET_MS[stack])
    for row in rows_of(folder, end):
        srtt, time = float(row["srtt_ms"]), float(row["time"])
        if srtt == estimate.srtt:
            continue
        rtt = estimate.take(srtt)
        first = bisect.bisect_left(times, time - LOOKED_EVERY_S[stack])
        last = bisect.bisect_right(times, time + LOOKED_EVERY_S["dcsctp"])
        frames = tuple(packet.frame for packet in answers[first:last])
        sample = Sample(frames, time, None, (rtt - ROUNDING_MS) / 1000, (rtt + ROUNDING_MS) / 1000)
        if "rto_ms" in row:
            sample.rto = float(row["rto_ms"]) / 1000
            sample.is_rto_right = abs(sample.rto * 1000 - estimate.rto()) < 1
        result.append(sample)
    return Samples(result, TICK_S)
