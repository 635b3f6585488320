# SPDX-License-Identifier: GPL-2.0-or-later
"""What stands in the CSVs of a triage: the columns of each, and the rows that an association, a capture or its files have there.

Names are those of the keys of `-z sctp,json` where there is one. Unknown is empty. Leaves files to outputs.py.
"""

import datetime
import decimal
from typing import NamedTuple

from sctpa import rank
from sctpa.sequence import grouping

from . import taps

NS_PER_S = 1_000_000_000
EPOCH = datetime.datetime(1970, 1, 1)
END_COLUMNS = ("addresses", "port", "stack", "verdict", "checked_rules", "undecided_rules", "distance_ms")
DIRECTION_COLUMNS = (
    "data_chunks",
    "tsns",
    "user_bytes",
    "wire_bytes",
    "resent",
    "timeouts",
    "spurious",
    "zero_windows",
    "missed_by_capture",
    "goodput_bps",
    "throughput_bps",
)
FILE_COLUMNS = ("file", "first_frame", "last_frame", "whole", "message", "gap_before", "dropped_packets")
FINDING_COLUMNS = ("rule", "level", "certainty", "title", "clause", "path", "count", "violating_packets")
PAUSE_COLUMNS = (
    "from_frame",
    "to_frame",
    "length_s",
    "length_most_s",
    "ended_by",
    "cause",
    "lost_frame",
    "timeout_frame",
    "destination",
    "timeouts",
    "outstanding_chunks",
)
MESSAGE_COLUMNS = ("protocol", "message", "kind", "count", "bytes", "repeats", "answered", "ambiguous", "unanswered")
MESSAGE_TIMES = (
    ("repeat_interval_ms", "longest_interval_frame"),
    ("answer_time_ms", "slowest_answer_frame"),
    ("ack_delay_ms", "slowest_ack_frame"),
)
OF_ASSOC, TIMES, WHO = ("capture", "association"), ("time_s", "epoch_s", "time"), ("endpoint", "address", "port")

COLUMNS = {
    "captures.csv": (
        "capture",
        "state",
        "message",
        "bytes",
        "frames",
        "sctp_packets",
        "epoch_s",
        "time",
        "duration_s",
        "associations",
        "failed",
        "must",
        "should",
        "probable",
    ),
    "files.csv": ("capture", *FILE_COLUMNS),
    "associations.csv": (
        *OF_ASSOC,
        "class",
        "setup",
        "setup_time_s",
        "end",
        "end_by",
        "first_frame",
        "last_frame",
        "start_s",
        "epoch_s",
        "time",
        "duration_s",
        "packets",
        "must",
        "should",
        "probable",
        "rules",
        "identity",
        *(
            f"{name}_{end}"
            for end in (0, 1)
            for name in (*END_COLUMNS, *DIRECTION_COLUMNS, "rtt_median_ms", "rtt_p95_ms")
        ),
    ),
    "findings.csv": (
        *OF_ASSOC,
        *TIMES,
        *FINDING_COLUMNS,
        *WHO,
        "stack",
        "first_frame",
        "frame_in_file",
        "frames",
        "expected",
        "seen",
        "rests_on",
        "predates_rfc",
        "fingerprint",
    ),
    "pauses.csv": (*OF_ASSOC, *TIMES, *WHO, *PAUSE_COLUMNS, "frame_in_file"),
    "events.csv": (*OF_ASSOC, *TIMES, "frame", "frame_in_file", "kind", *WHO, "path", "detail"),
    "messages.csv": (
        *OF_ASSOC,
        *WHO,
        *MESSAGE_COLUMNS,
        *(
            f"{name.removesuffix('_ms')}_{part}"
            for name, _ in MESSAGE_TIMES
            for part in ("median_ms", "p95_ms", "max_ms", "max_frame")
        ),
        "held_messages",
        "held_longest_s",
        "held_frame",
    ),
}


class Origin(NamedTuple):
    """What rows of a capture need of it. file: as results call it; start_ns: since 1970, None unknown; files: of capture.files, None: one."""

    file: str
    start_ns: int | None
    files: list | None

    @classmethod
    def of(cls, head):
        """Of the head of a capture (capture_job.read)."""
        text = head["start_epoch_s"]
        return cls(head["file"], None if text is None else int(decimal.Decimal(text) * NS_PER_S), head["files"])

    def times(self, time_s):
        """A time in seconds from the begin of the capture as seconds since 1970 and as ISO 8601, both to the nanosecond; for 104 days a double holds them."""
        if self.start_ns is None or time_s is None:
            return None, None
        ns = self.start_ns + round(time_s * NS_PER_S)
        seconds, fraction = divmod(ns, NS_PER_S)
        sign = "-" * (ns < 0)
        epoch_s = f"{sign}{abs(ns) // NS_PER_S}.{abs(ns) % NS_PER_S:09}"
        try:
            return epoch_s, f"{(EPOCH + datetime.timedelta(seconds=seconds)).isoformat()}.{fraction:09}Z"
        except OverflowError:
            return epoch_s, None

    def in_file(self, frame):
        """NAME:FRAME in the file that holds a frame; None where one file is the capture."""
        return grouping.located(self.files, frame) if frame is not None else None


def _who(assoc, end):
    if end is None:
        return None, None, None
    return end, next(iter(assoc["endpoints"][end]["addresses"]), None), assoc["ports"][end]


def _end_cells(assoc, end):
    endpoint, direction = assoc["endpoints"][end], assoc["directions"][end]
    yield " ".join(endpoint["addresses"])
    yield assoc["ports"][end]
    yield rank.stack(assoc, end)
    yield from (endpoint[name] for name in END_COLUMNS[3:])
    for name in DIRECTION_COLUMNS:
        yield sum(direction["retransmissions"].values()) if name == "resent" else direction[name]
    rtt = direction["rtt_ms"] or {}
    yield rtt.get("median")
    yield rtt.get("p95")


def _association(origin, assoc):
    rules = dict.fromkeys(finding["rule"] for finding in assoc["findings"] or [] if rank.counts(finding))
    identity = taps.identity(assoc)
    yield (
        origin.file,
        assoc["index"],
        assoc["rank"]["severity"],
        *(assoc[name] for name in ("setup", "setup_time_s", "end", "end_by", "first_frame", "last_frame", "start_s")),
        *origin.times(assoc["start_s"]),
        assoc["duration_s"],
        assoc["packets"],
        *rank.levels(assoc),
        " ".join(rules),
        f"0x{identity.hex()}" if identity else None,
        *_end_cells(assoc, 0),
        *_end_cells(assoc, 1),
    )


def _findings(origin, assoc):
    for finding in assoc["findings"] or ():
        end, first = finding["accused"], next(iter(finding["frames"]), None)
        yield (
            origin.file,
            assoc["index"],
            finding["time_s"],
            *origin.times(finding["time_s"]),
            *(finding[name] for name in FINDING_COLUMNS),
            *_who(assoc, end),
            rank.stack(assoc, end),
            first,
            origin.in_file(first),
            " ".join(map(str, finding["frames"])),
            finding["expected"],
            finding["seen"],
            " ".join(finding["rests_on"]),
            finding["predates_rfc"],
            finding["fingerprint"],
        )


def _pauses(origin, assoc):
    for direction in assoc["directions"]:
        for pause in direction["pauses"]["list"] if direction["pauses"] else ():
            yield (
                origin.file,
                assoc["index"],
                pause["start_s"],
                *origin.times(pause["start_s"]),
                *_who(assoc, direction["from"]),
                *(pause[name] for name in PAUSE_COLUMNS),
                origin.in_file(pause["from_frame"]),
            )


def _events(origin, assoc):
    for event in assoc["events"]:
        yield (
            origin.file,
            assoc["index"],
            event["time_s"],
            *origin.times(event["time_s"]),
            event["frame"],
            origin.in_file(event["frame"]),
            event["kind"],
            *_who(assoc, event["endpoint"]),
            event["path"],
            event["detail"],
        )


def _messages(origin, assoc):
    for message in assoc["application"]["messages"] if assoc["application"] else ():
        held = message["held"] or {}
        yield (
            origin.file,
            assoc["index"],
            *_who(assoc, message["from"]),
            *(message[name] for name in MESSAGE_COLUMNS),
            *(
                cell
                for name, frame in MESSAGE_TIMES
                for cell in (*((message[name] or {}).get(part) for part in ("median", "p95", "max")), message[frame])
            ),
            held.get("messages"),
            held.get("longest_s"),
            held.get("frame"),
        )


# What an association has in each.
ROWS = {
    "associations.csv": _association,
    "findings.csv": _findings,
    "pauses.csv": _pauses,
    "events.csv": _events,
    "messages.csv": _messages,
}


def capture(head, state, of_capture):
    """The row of a capture. state, of_capture: as overview.Overview.end() has them."""
    described = head["capture"] or {}
    return (
        head["file"],
        state,
        head["message"],
        head["bytes"],
        described.get("frames"),
        described.get("sctp_packets"),
        *Origin.of(head).times(0),
        described.get("duration_s"),
        head["associations"] if described else None,
        *(of_capture[name] for name in ("failed", "must", "should", "probable")),
    )


def files(head):
    """A row of each file of a capture that several hold."""
    for each in head["files"] or ():
        yield (head["file"], *(each[name] for name in FILE_COLUMNS))
