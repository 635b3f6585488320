# SPDX-License-Identifier: GPL-2.0-or-later
"""One capture: one run of tshark, its associations as lines, the plots of the first few, and how it ended.

The same job on one machine and on many; whoever runs it again finds it done. Leaves choosing captures and the report to others.
"""

import contextlib
import json
from typing import NamedTuple

from sctpa import anonymise, captures, records
from sctpa.decimation import HEADER, Decimation
from sctpa.names import safe_text
from sctpa.records import Broken, Records
from sctpa.sequence.grouping import feed_of
from sctpa.tshark import Host, Run

from .results import Folder
from .selection import Selection

# Asked for in the run that reads the capture: most captures have no more associations, and it costs tshark next to nothing.
PLOTTED_AT_ONCE = 4


class Job(NamedTuple):
    """What is the same for all captures of a run."""

    host: Host
    folder: Folder
    engine: str
    timeout_s: int
    secret: bytes | None
    selection: Selection = Selection()
    keeps_prefixes: bool = False

    def pseudonyms(self):
        """The Pseudonyms of the results; None: they are not anonymised."""
        return anonymise.Pseudonyms(self.secret, self.keeps_prefixes) if self.secret else None

    def key(self, capture):
        return captures.key(capture, self.engine)

    def report(self):
        """The report that is read, as -z has it."""
        wanted = self.selection.display_filter()
        return f"sctp,ndjson,{wanted}" if wanted else "sctp,ndjson"

    def shown_name(self, capture):
        return self.pseudonyms().capture(capture.path) if self.secret else safe_text(capture.path)

    def _words(self):
        # Names that a resolver gave for addresses are nobody's to publish, and in no network.
        return ["-n"] if self.secret or self.selection.only else []

    def run(self, host_words, capture):
        feed = feed_of(capture, self.shown_name, self.host.as_user)
        return Run(self.host, capture.path, [*self._words(), *host_words], self.timeout_s, feed=feed)


def blank_head(job, capture, message):
    """What is known of a capture of which nothing could be read."""
    return {
        "file": job.shown_name(capture),
        "bytes": capture.size,
        "message": message,
        "notes": [],
        "capture": None,
        "words": None,
        "start_epoch_s": None,
        "files": None,
        "refused_inits": [],
        "refused_inits_left_out": 0,
        "associations": 0,
        "plotted": [],
        "again": False,
    }


class _Killed(Exception):
    """Nothing that was read is kept."""


def read(job, capture):
    """Reads a capture and keeps the results. Returns its head: file, bytes, message (None: read to its end), notes (what is odd
    about its files), capture (the words of the JSON but for its files; None: nothing could be read), words (the lists of them), start_epoch_s (of it, as text), files (of
    it), associations, plotted (their numbers), again (it is to be read again by the next run, which may fare better). Where tshark was killed, nothing
    is kept, and the head is of another run that has meanwhile read the capture, if there is one. Memory: one association and 4 x 480 columns per
    trace. Raises tshark.Failed when no capture can be read."""
    head, key, plots = blank_head(job, capture, None), job.key(capture), {}
    words = [word for number in range(PLOTTED_AT_ONCE) for word in ("-z", f"sctp,series,{number}")]
    broken = None
    with contextlib.suppress(_Killed), job.folder.lines_to(key) as write:
        # tshark prints the last report first.
        run = job.run([*words, "-z", job.report()], capture)
        try:
            _read_records(job, run, head, plots, write)
        except Broken as error:
            broken = str(error)
            run.drain()
        outcome = run.outcome()
        if outcome.was_killed:
            raise _Killed
    message = outcome.message if outcome.is_ours or not job.secret else "tshark could not read it to its end"
    message = _changed(job, capture) or message or (broken and f"tshark's report cannot be read: {broken}")
    if outcome.was_killed:
        of_another = job.folder.head(key)
        return (
            of_another
            if of_another and not of_another["again"]
            else {**blank_head(job, capture, message), "notes": outcome.notes, "again": True}
        )
    for number, each in plots.items():
        job.folder.put_plots(key, number, each)
    head.update(message=message, plotted=list(plots), notes=outcome.notes, again=not outcome.final)
    job.folder.put_head(key, head)
    return head


def _changed(job, capture):
    """A message about the files of a capture that are not what they were when it was found; None: all are. Their next results have another key."""
    changed = captures.changed(capture)
    if changed and capture.parts:
        return "; ".join(f"{job.shown_name(part)}: {captures.CHANGED}" for part in changed)
    return captures.CHANGED if changed else None


def _read_records(job, run, head, plots, write):
    """Writes the lines, and into head and plots, by number, what there is."""
    report = Records(run.stdout)
    opening, start_epoch_s = report.opening()
    opening["capture"]["file"] = head["file"]
    # Each line of a thousand files would repeat them.
    head["files"] = opening["capture"].pop("files")
    pseudonyms = job.pseudonyms()
    if pseudonyms:
        pseudonyms.capture_words(opening["capture"])
    for name in ("refused_inits", "refused_inits_left_out"):
        head[name] = opening["capture"].pop(name)
    if job.selection.only:
        head["refused_inits"] = [
            init for init in head["refused_inits"] if job.selection.takes([init["source"], init["destination"]])
        ]
        head["refused_inits_left_out"] = 0
    head["start_epoch_s"], head["words"] = start_epoch_s, opening["words"]
    head["capture"] = {**opening["capture"], **opening["generator"]}
    prefix = _prefix(opening, start_epoch_s)
    spans = {}
    for line in report.lines():
        # Those with the lowest numbers come first.
        may_plot = head["associations"] < PLOTTED_AT_ONCE
        assoc = records.association(line) if pseudonyms or may_plot or job.selection.only else None
        if assoc and not job.selection.takes([address for end in assoc["endpoints"] for address in end["addresses"]]):
            continue
        if may_plot and assoc["index"] < PLOTTED_AT_ONCE:
            spans[assoc["index"]] = (assoc["start_s"], assoc["duration_s"])
        if pseudonyms:
            pseudonyms.association(assoc)
            line = json.dumps(assoc, ensure_ascii=False, separators=(",", ":")).encode("utf-8")[1:]
        else:
            line = line[len(records.ASSOCIATION) : -1]
        write(prefix + line)
        head["associations"] += 1
    for number, decimation in _decimate(run, range(PLOTTED_AT_ONCE), spans):
        if decimation.rows:
            plots[number] = decimation.result()


def _prefix(opening, start_epoch_s):
    """The begin of each line: the capture with its exact start, since a binary double holds no nanoseconds of an epoch time."""
    described = {name: value for name, value in opening["capture"].items() if name != "start_epoch_s"}
    begin = {"schema": opening["schema"], "generator": opening["generator"], "capture": described}
    text = json.dumps(begin, ensure_ascii=False, separators=(",", ":"))
    return f'{text[:-2]},"start_epoch_s":{start_epoch_s or "null"}}},'.encode("utf-8")


def _decimate(run, numbers, spans):
    """(association, Decimation) for each series still to be printed that has a span; the last asked for comes first."""
    left, number, decimation = None, None, None
    for lines in records.rest(run.stdout):
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
    """Keeps the plots of further associations of a capture that was read. spans: (start_s, duration_s) of each number. Returns why it could not be
    read again; "": it could."""
    run = job.run([word for number in numbers for word in ("-z", f"sctp,series,{number}")], capture)
    key, made = job.key(capture), {}
    try:
        made = {number: decimation.result() for number, decimation in _decimate(run, numbers, spans)}
    except Broken:
        run.drain()
    outcome, changed = run.outcome(), _changed(job, capture)
    if changed or not outcome.final:
        return changed or outcome.message
    for number, plots in made.items():
        job.folder.put_plots(key, number, plots)
    return ""
