# SPDX-License-Identifier: GPL-2.0-or-later
"""associations.ndjson and the CSVs, written in one walk over what was read; feeds the overview on the way.

Memory: one association. Leaves what stands in the CSVs to csv_tables.py, the page to report.py.
"""

import contextlib
import csv
import io
import json

from sctpa.names import csv_cell

from . import csv_tables
from .capture_job import blank_head
from .results import DAMAGE

NDJSON = "associations.ndjson"
DAMAGED = "its results in resume/ were damaged; the next run reads it again"


class _Csv:
    """Rows of a CSV in a binary file."""

    def __init__(self, file, columns):
        self._file, self._text = file, io.StringIO()
        self._writer = csv.writer(self._text, lineterminator="\n")
        self.add([columns])

    def add(self, rows):
        for cells in rows:
            self._writer.writerow([csv_cell(cell) for cell in cells])
        self._file.write(self._text.getvalue().encode("utf-8"))
        self._text.seek(0)
        self._text.truncate()


def _walk_capture(job, key, head, overview, ndjson, csvs):
    origin = csv_tables.Origin.of(head)
    for line in job.folder.lines(key, head["associations"]):
        assoc = json.loads(line)
        ndjson.write(line)
        for name, rows in csv_tables.ROWS.items():
            csvs[name].add(rows(origin, assoc))
        overview.add(assoc)


def write(job, found, lost, overview, complain):
    """Writes the files, files.csv where several files hold a capture. lost: heads of captures that are not kept, by key; complain(capture, message)
    gets damaged results. Returns how many captures were not read to their end."""
    failed = 0
    has_parts = any(capture.parts for capture in found)
    names = [name for name in csv_tables.COLUMNS if has_parts or name != "files.csv"]
    with contextlib.ExitStack() as stack:
        opened = {name: stack.enter_context(job.folder.output(name)) for name in (NDJSON, *names)}
        csvs = {name: _Csv(opened[name], csv_tables.COLUMNS[name]) for name in names}
        for number, capture in enumerate(found):
            key = job.key(capture)
            head = lost.get(key) or job.folder.head(key) or blank_head(job, capture, DAMAGED)
            overview.begin(number, head, head.pop("words", None))
            if head["capture"] and key not in lost:
                try:
                    _walk_capture(job, key, head, overview, opened[NDJSON], csvs)
                except DAMAGE:
                    job.folder.forget(key)
                    head = {**head, "message": DAMAGED}
                    complain(capture, DAMAGED)
            failed += head["message"] is not None
            csvs["captures.csv"].add([csv_tables.capture(head, *overview.end(head))])
            if capture.parts and key not in lost:
                csvs["files.csv"].add(csv_tables.files(head))
        # None takes its name while another may still fail.
        for file in opened.values():
            file.flush()
    return failed
