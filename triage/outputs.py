# SPDX-License-Identifier: GPL-2.0-or-later
"""associations.ndjson, associations.csv, captures.csv and files.csv, written in one walk over what was read; feeds the overview on the way.

Memory: one association. Leaves the page to report.py.
"""

import contextlib
import csv
import io
import json

from . import rank
from .capture_job import blank_head
from .names import csv_cell
from .results import Damaged

DAMAGED = "its results in resume/ were damaged; the next run reads it again"
CAPTURE_COLUMNS = ("capture", "state", "message", "bytes", "frames", "sctp_packets", "duration_s", "associations", "failed", "must", "should", "probable")
END_COLUMNS = ("addresses", "port", "stack", "verdict", "checked_rules", "undecided_rules", "distance_ms")
DIRECTION_COLUMNS = ("data_chunks", "tsns", "user_bytes", "wire_bytes", "resent", "spurious", "zero_windows", "missed_by_capture", "goodput_bps",
                     "throughput_bps")
FILE_COLUMNS = ("file", "first_frame", "last_frame", "whole", "message", "gap_before", "dropped_packets")
ASSOC_COLUMNS = ("capture", "association", "class", "setup", "setup_time_s", "end", "end_by", "first_frame", "last_frame", "start_s", "duration_s",
                 "packets", "must", "should", "probable", "rules",
                 *(f"{name}_{end}" for end in (0, 1) for name in (*END_COLUMNS, *DIRECTION_COLUMNS, "rtt_median_ms", "rtt_p95_ms")))


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


def assoc_cells(file, assoc):
    """The cells of an association in the order of ASSOC_COLUMNS. Unknown is empty."""
    rules = dict.fromkeys(finding["rule"] for finding in assoc["findings"] or [] if rank.counts(finding))
    yield from (file, assoc["index"], rank.CLASSES[rank.rank(assoc)[0]])
    yield from (assoc[name] for name in ("setup", "setup_time_s", "end", "end_by", "first_frame", "last_frame", "start_s", "duration_s", "packets"))
    yield from rank.levels(assoc)
    yield " ".join(rules)
    for end in (0, 1):
        yield from _end_cells(assoc, end)


class _Csv:
    """Rows of a CSV in a binary file."""

    def __init__(self, file, columns):
        self._file, self._text = file, io.StringIO()
        self._writer = csv.writer(self._text, lineterminator="\n")
        self.add(columns)

    def add(self, cells):
        self._writer.writerow([csv_cell(cell) for cell in cells])
        self._file.write(self._text.getvalue().encode("utf-8"))
        self._text.seek(0)
        self._text.truncate()


def _capture_cells(head, state, of_capture):
    described = head["capture"] or {}
    return (head["file"], state, head["message"], head["bytes"], described.get("frames"), described.get("sctp_packets"), described.get("duration_s"),
            head["associations"] if described else None, of_capture["failed"], of_capture["must"], of_capture["should"], of_capture["probable"])


def _walk_capture(job, key, overview, ndjson, assocs):
    for line in job.folder.lines(key):
        assoc = json.loads(line)
        ndjson.write(line)
        assocs.add(assoc_cells(assoc["capture"]["file"], assoc))
        overview.add(assoc)


def _write_files(rows, head):
    for each in head["files"] or ():
        rows.add((head["file"], *(each[name] for name in FILE_COLUMNS)))


def write(job, found, lost, overview, complain):
    """Writes the files, files.csv where several files hold a capture. lost: heads of captures that are not kept, by key; complain(capture, message)
    is told of damaged results. Returns how many captures were not read to their end."""
    failed = 0
    names = ["associations.ndjson", "associations.csv", "captures.csv", *["files.csv"] * any(capture.parts for capture in found)]
    with contextlib.ExitStack() as stack:
        opened = [stack.enter_context(job.folder.output(name)) for name in names]
        ndjson, assocs, captures = opened[0], _Csv(opened[1], ASSOC_COLUMNS), _Csv(opened[2], CAPTURE_COLUMNS)
        files = _Csv(opened[3], ("capture", *FILE_COLUMNS)) if opened[3:] else None
        for number, capture in enumerate(found):
            key = job.key(capture)
            head = lost.get(key) or job.folder.head(key) or blank_head(job, capture, DAMAGED)
            overview.begin(number, head)
            if head["capture"] and key not in lost:
                try:
                    _walk_capture(job, key, overview, ndjson, assocs)
                except (Damaged, ValueError, LookupError):
                    job.folder.forget(key)
                    head = {**head, "message": DAMAGED}
                    complain(capture, DAMAGED)
            failed += head["message"] is not None
            captures.add(_capture_cells(head, *overview.end(head)))
            if capture.parts and key not in lost:
                _write_files(files, head)
        # None takes its name while another may still fail.
        for file in opened:
            file.flush()
    return failed
