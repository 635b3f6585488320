# SPDX-License-Identifier: GPL-2.0-or-later
"""What happened, could be seen in the capture, and no sentence of its page says: kinds of silence.

Left out: what is said (statements.py).
"""

import re

from .happened import HOST_NS
from .statements import Statement, names_of

SILENT = "silent"
PAUSE_NS = 100_000_000  # the page's own threshold (SCTPA_PAUSE_LEAST_MS)


def silences(happened, page):
    """[Statement] of certainty SILENT, in associations whose data and acks the capture holds."""
    found = []
    for association in page.associations.values():
        names = names_of(happened, association)
        for end in (0, 1):
            said = [row for row in page.pauses if row.association == association["index"] and row.end == end]
            direction = association["directions"][end]
            if direction["pauses"] is None or len(said) < len(direction["pauses"]["list"]):
                continue
            times = [span_of(happened, row, association) for row in said]
            span = span_of_capture(happened, association)
            if not are_told(page, association, end):
                found += list(timeouts(happened, association, end, names[end], times, span))
            if not any(row.topic == "Receiver windows" and (row.association, row.end) == (association["index"], end) for row in page.rows):
                found += list(windows(happened, association, end, names[end], times, span))
    return found


def are_told(page, association, end):
    """Does the topic of retransmissions count what timers sent? Where acks passed that did not reach the sender the tap shows no pause."""
    return any(
        row.topic == "Retransmissions" and (row.association, row.end) == (association["index"], end) and re.search("timeout|unknown", row.text)
        for row in page.rows
    )


def span_of(happened, row, association):
    """(since, until) of a pause, by the truth's clock: from the first of its packets' sending to the last one's arrival."""
    first, last = happened.packet_of(row.since), happened.packet_of(row.until or association["last_frame"])
    return first["sent_ns"], last.get("arrived_ns") or last["sent_ns"]


def span_of_capture(happened, association):
    """The same of an association."""
    first, last = happened.packet_of(association["first_frame"]), happened.packet_of(association["last_frame"])
    return first["sent_ns"], last.get("arrived_ns") or last["sent_ns"]


def is_said(times, at_ns):
    return any(since <= at_ns <= until for since, until in times)


def timeouts(happened, association, end, name, times, span):
    """A T3-rtx that expired, ran for as long as a pause, and sent again what the capture holds twice, in no pause."""
    for timer in happened.timers(name, "T3-rtx"):
        expires_ns = timer["expires_ns"]
        if not span[0] <= timer["started_ns"] or not expires_ns <= span[1] or expires_ns - timer["started_ns"] < PAUSE_NS:
            continue
        again = [
            one for (endpoint, _), rows in happened.sendings.items() if endpoint == name for one in rows
            if one.cause == "timeout" and 0 <= one.sent_ns - expires_ns < HOST_NS and happened.in_frame(one.packet)
            and any(before.sent_ns < one.sent_ns and happened.in_frame(before.packet) and happened.passed(before.packet, name) for before in rows)
        ]  # fmt: skip
        progress = happened.progress_between(name, expires_ns - PAUSE_NS, expires_ns)
        if again and not progress and not is_said(times, expires_ns):
            text = f"T3-rtx expired at {expires_ns / 1e9:.6f} s, frame {happened.first_frame(again[0].packet)}"
            yield Statement("silent: timeout", SILENT, None, association["index"], end, text, "")


def windows(happened, association, end, name, times, span):
    """The peer's window held data back for as long as a pause, with no progress heard meanwhile, in no pause; nor does the topic of windows tell."""
    for one in happened.records["pause"]:
        since_ns, until_ns = one["time_ns"], one["until_ns"]
        if one["endpoint"] != name or one["cause"] != "peer's window" or not (span[0] <= since_ns and until_ns <= span[1]):
            continue
        if until_ns - since_ns < PAUSE_NS or happened.progress_between(name, since_ns, until_ns):
            continue
        if not is_said(times, (since_ns + until_ns) / 2):
            yield Statement("silent: closed or full window", SILENT, None, association["index"], end, f"from {since_ns / 1e9:.6f} s", "")
