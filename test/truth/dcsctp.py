# SPDX-License-Identifier: GPL-2.0-or-later
"""Why dcsctp retransmitted: its log has each T3-rtx expiry, but of fast retransmissions only the first packet; what follows
in later packets was marked by the same SACK. So: marked by the timer when T3 expired before three misses came, else by misses.
"""

import re

from tap import beside, open_table, read_tap, retransmissions

MISSES_FAST = 3
ROUNDING_S = 1e-6


def expiry_times(folder):
    """When T3-rtx expired. The log does not name the end; only A has expiries in these scenarios."""
    with open_table(beside(folder, "stack.log")) as log:
        return [float(line.split()[0]) for line in log if re.match(r"[\d.]+ t3-rtx expired", line)]


def mark_of(sent, seen, expiries):
    """(kind, why) of one retransmission."""
    marks = [time for time in expiries if sent.time - sent.since < time <= sent.time + ROUNDING_S]
    third = seen.miss_times[MISSES_FAST - 1] if seen.htna >= MISSES_FAST else None
    if marks and (third is None or marks[0] <= third):
        return "timeout", f"T3 expired {(sent.time - marks[0]) * 1000:.1f} ms before"
    if seen.misses >= MISSES_FAST:
        return "fast", "three misses since its last transmission, no T3 between"
    return "undecided", "no T3 expiry and fewer than three misses"


def kinds(folder, end, seen):
    """The retransmissions of this end with their truth. `seen`: their evidence."""
    result = retransmissions(read_tap(folder, end))
    expiries = expiry_times(folder) if end == "A" else []
    for sent in result:
        sent.truth, sent.why = mark_of(sent, seen[sent.frame, sent.tsn], expiries)
    return result
