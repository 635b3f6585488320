# SPDX-License-Identifier: GPL-2.0-or-later
"""Why pion retransmitted. Its log has each T3-rtx expiry; its code (association.go, v1.9.4) leaves little else: fast and RACK
take only chunks sent once, the probe (PTO) the newest chunk of a tail, however often sent.
"""

import calendar
import re

from tap import beside, open_table, read_tap, retransmissions

MISSES_FAST = 3
ROUNDING_S = 2e-6
FIRST_MOMENT = calendar.timegm((2000, 1, 1, 0, 0, 0))


def expiry_times(folder, end):
    """When T3-rtx of this end expired; the log's clock begins in 2000."""
    line_of = re.compile(r"(\d\d):(\d\d):([\d.]+) .*\[" + end + r"\] T3-rtx timed out")
    with open_table(beside(folder, "stack.log")) as log:
        found = [match for line in log if (match := line_of.search(line))]
    return [FIRST_MOMENT + int(hours) * 3600 + int(minutes) * 60 + float(rest) for hours, minutes, rest in (m.groups() for m in found)]


def mark_of(sent, seen, expiries):
    """(kind or kinds, why) of one retransmission."""
    marks = [time for time in expiries if sent.time - sent.since < time <= sent.time + ROUNDING_S]
    if marks:
        since = f"T3 expired {(sent.time - marks[0]) * 1000:.1f} ms before"
        if sent.number == 2 and seen.miss_times and seen.miss_times[0] < marks[0]:
            return "timeout|early", since + ", but RACK may have marked it earlier"
        return "timeout", since
    if sent.number > 2:
        return "early", "no T3, sent twice before: only the probe (PTO) does that"
    if seen.quiet > ROUNDING_S:
        return "early", "no T3, no SACK at this moment: the probe (PTO) or RACK's timer"
    if seen.misses < MISSES_FAST:
        return "early", "no T3, fewer than three misses: RACK"
    return "fast|early", "three misses: RACK or fast retransmit, whichever came first"


def kinds(folder, end, seen):
    """The retransmissions of this end with their truth. `seen`: their evidence."""
    result = retransmissions(read_tap(folder, end))
    expiries = expiry_times(folder, end) if result else []
    for sent in result:
        sent.truth, sent.why = mark_of(sent, seen[sent.frame, sent.tsn], expiries)
    return result
