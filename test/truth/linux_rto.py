# SPDX-License-Identifier: GPL-2.0-or-later
"""Round-trip samples and RTO of Linux: `urto` rows of the kernel's trace, the moment before sctp_transport_update_rto().

The kernel counts jiffies of 4 ms and shifts: rttvar by 2, srtt by 3, each term apart (net/sctp/transport.c)."""

import bisect

from linux import reason_of, rows_of_end, tie_packets, tie_sacks
from samples import Sample, Samples, ends_samples, smallest_rtos
from tap import read_tap

TICK_S = 0.004
TICK_MS = 4
BEHIND_SACK_S = 0.0001
BEHIND_ANSWER_S = 0.002


def jiffies(row, column):
    return int(row[column]) // TICK_MS


def next_values(srtt, rttvar, rtt):
    """6.3.1 C2, C3 and G1 as the kernel computes them."""
    if not srtt and not rttvar:
        srtt, rttvar = rtt, rtt >> 1
    else:
        rttvar += (abs(srtt - rtt) >> 2) - (rttvar >> 2)
        srtt += (rtt >> 3) - (srtt >> 3)
    return srtt, rttvar or 1


def is_right(row, after, rtt, smallest):
    srtt, rttvar = next_values(jiffies(row, "srtt_ms"), jiffies(row, "rttvar_ms"), rtt)
    if (jiffies(after, "srtt_ms"), jiffies(after, "rttvar_ms")) != (srtt, rttvar):
        return False
    return any(jiffies(after, "rto_ms") == max(least // TICK_MS, srtt + 4 * rttvar) for least in smallest)


def following(rows):
    """For each row with times of its path, the next such row of the same path."""
    result, last = {}, {}
    for row in rows:
        if row["srtt_ms"] != "-":
            key = row["assoc"], row["dst"]
            if key in last:
                result[id(last[key])] = row
            last[key] = row
    return result


def frames_of(row, sackin, answers):
    """The packets that may have ended the sample: the SACK just handled, the last HEARTBEAT_ACK."""
    result = []
    if sackin and "sack" in sackin and row["time"] - sackin["time"] < BEHIND_SACK_S:
        result.append(sackin["sack_packet"].frame)
    at = bisect.bisect_right(answers, row["time"], key=lambda packet: packet.time) - 1
    if at >= 0 and row["time"] - answers[at].time < BEHIND_ANSWER_S:
        result.append(answers[at].frame)
    return tuple(result)


def samples(folder, end):
    packets, rows = read_tap(folder, end), list(rows_of_end(folder, end))
    tie_packets(rows, packets)
    tie_sacks(rows, packets)
    answers = sorted((packet for packet in packets if ends_samples(packet) and 5 in packet.kinds), key=lambda p: p.time)
    after, smallest, last_sackin, result = following(rows), smallest_rtos(folder), {}, []
    for row in rows:
        if row["event"] == "sackin":
            last_sackin[row["assoc"]] = row
        elif row["event"] == "urto":
            ticks = reason_of(row, "rtt")
            frames, then = frames_of(row, last_sackin.get(row["assoc"]), answers), after.get(id(row))
            sample = Sample(frames, row["time"], row["dst"], ticks * TICK_S, ticks * TICK_S)
            if then:
                sample.rto, sample.is_rto_right = int(then["rto_ms"]) / 1000, is_right(row, then, ticks, smallest)
            result.append(sample)
    return Samples(result, TICK_S, None if result else set())
