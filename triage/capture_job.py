# SPDX-License-Identifier: GPL-2.0-or-later
"""One capture: one run of tshark, its associations as lines, the plots of the first few, and how it ended.

The same job on one machine and on many; whoever runs it again finds it done. Leaves choosing captures and the report to others.
"""

import json
from typing import NamedTuple

from . import anonymise, captures
from .decimation import Decimation
from .document import Broken, Document
from .names import safe_text
from .results import Folder
from .sequences import Feed
from .tshark import Host, Run

# Asked for in the run that reads the capture: most captures have no more associations, and it costs tshark next to nothing.
PLOTTED_AT_ONCE = 4
HEADER = b"time_s,frame,endpoint,path,series,value,value2"


class Job(NamedTuple):
    """What is the same for all captures of a run."""

    host: Host
    folder: Folder
    engine: str
    timeout_s: int
    secret: bytes | None

    def key(self, capture):
        return captures.key(capture, self.engine)

    def shown_name(self, capture):
        return anonymise.Pseudonyms(self.secret).capture(capture.path) if self.secret else safe_text(capture.path)

    def _words(self):
        # Names that a resolver gave for addresses are nobody's to publish.
        return ["-n"] if self.secret else []

    def run(self, host_words, capture):
        feed = Feed(capture, self.shown_name, self.host.as_user) if capture.parts else None
        return Run(self.host, capture.path, [*self._words(), *host_words], self.timeout_s, feed=feed)


def blank_head(job, capture, message):
    """What is known of a capture of which nothing could be read."""
    return {"file": job.shown_name(capture), "bytes": capture.size, "message": message, "notes": [], "capture": None, "files": None,
            "associations": 0, "plotted": []}


def read(job, capture):
    """Reads a capture and keeps the results. Returns its head: file, bytes, message (None: read to its end), notes (what is odd
    about its files), capture (the words of the JSON but for its files; None: nothing could be read), files (those words), associations,
    plotted (their numbers). Memory: one association and 4 x 480 columns per trace. Raises tshark.Failed when no capture can be read."""
    head, key = blank_head(job, capture, None), job.key(capture)
    words = [word for number in range(PLOTTED_AT_ONCE) for word in ("-z", f"sctp,series,{number}")]
    broken = None
    with job.folder.lines_to(key) as write:
        # tshark prints the last report first.
        run = job.run([*words, "-z", "sctp,json"], capture)
        try:
            _read_document(job, key, run, head, write)
        except Broken as error:
            broken = str(error)
            run.drain()
        outcome = run.outcome()
    message = outcome.message if outcome.is_ours or not job.secret else "tshark could not read it to its end"
    head["message"] = message or (broken and f"tshark's report cannot be read: {broken}")
    head["notes"] = outcome.notes
    if outcome.final:
        job.folder.put_head(key, head)
    return head


def _read_document(job, key, run, head, write):
    """Writes the lines and the plots, and into head what there is."""
    document = Document(run.stdout)
    opening, start_epoch_s = document.head()
    opening["capture"]["file"] = head["file"]
    # Each line of a thousand files would repeat them.
    head["files"] = opening["capture"].pop("files")
    pseudonyms = anonymise.Pseudonyms(job.secret) if job.secret else None
    if pseudonyms:
        pseudonyms.asserted(opening["capture"]["asserted"])
    head["capture"] = {**opening["capture"], **opening["generator"]}
    prefix = _prefix(opening, start_epoch_s)
    spans = {}
    for assoc in document.associations():
        if pseudonyms:
            pseudonyms.association(assoc)
        write(prefix + json.dumps(assoc, ensure_ascii=False, separators=(",", ":")).encode("utf-8")[1:])
        head["associations"] += 1
        if assoc["index"] < PLOTTED_AT_ONCE:
            spans[assoc["index"]] = (assoc["start_s"], assoc["duration_s"])
    for number, decimation in _decimate(document, run, range(PLOTTED_AT_ONCE), spans):
        if decimation.rows:
            job.folder.put_plots(key, number, decimation.result())
            head["plotted"].append(number)


def _prefix(opening, start_epoch_s):
    """The begin of each line: the capture with its exact start, since a binary double holds no nanoseconds of an epoch time."""
    described = {name: value for name, value in opening["capture"].items() if name != "start_epoch_s"}
    begin = {"schema": opening["schema"], "generator": opening["generator"], "capture": described}
    text = json.dumps(begin, ensure_ascii=False, separators=(",", ":"))
    return f'{text[:-2]},"start_epoch_s":{start_epoch_s or "null"}}},'.encode("utf-8")


def _decimate(document, run, numbers, spans):
    """(association, Decimation) for each series behind the document that has a span; the last asked for comes first."""
    left, number, decimation = None, None, None
    for lines in document.rest():
        while lines:
            if lines[0] in (b"", HEADER):
                if lines[0] == HEADER:
                    if decimation and number in spans:
                        yield number, decimation
                    left = sorted(set(numbers) - run.refused_series()) if left is None else left
                    if not left:
                        raise Broken("more series than were asked for")
                    number = left.pop()
                    decimation = Decimation(*spans.get(number, (0.0, 0.0)))
                lines = lines[1:]
                continue
            end = lines.index(HEADER) if HEADER in lines else len(lines)
            if decimation is None:
                raise Broken("rows before the head of a series")
            decimation.take(lines[:end])
            lines = lines[end:]
    if decimation and number in spans:
        yield number, decimation


def plot(job, capture, numbers, spans):
    """Keeps the plots of further associations of a capture that was read. spans: (start_s, duration_s) of each number."""
    run = job.run([word for number in numbers for word in ("-z", f"sctp,series,{number}")], capture)
    key = job.key(capture)
    try:
        for number, decimation in _decimate(Document(run.stdout), run, numbers, spans):
            job.folder.put_plots(key, number, decimation.result())
    except Broken:
        run.drain()
    run.outcome()
