# SPDX-License-Identifier: GPL-2.0-or-later
"""report.html: one file that needs nothing else. Leaves the look to templates/, pictures to plots.py, counting to overview.py.

Memory: the lists of the overview and the lines of the associations that get a section. Everything that came from a capture or a file
name is escaped by the templates; a Content-Security-Policy allows the style and the script of the page and nothing else.
"""

import contextlib
import json
import os
import pathlib
import re

from sctpa import pages, plots, rank, workers
from sctpa.decimation import COLUMNS, PATHS_MAX
from sctpa.sequence import grouping

from . import capture_job, overview
from .results import DAMAGE

TEMPLATES = pathlib.Path(__file__).with_name("templates")
INDEX = re.compile(rb'"index":(\d+)')
LINE_MAX = 4 << 20
TAPS_SHOWN = 4
ROWS_AT_ONCE = 200  # of a list, until all are asked for: laying out a table of thousands takes longer than all else


def _environment():
    environment = pages.environment(TEMPLATES)
    environment.globals.update(
        share=pages.share,
        stack_of=rank.stack,
        taps_max=TAPS_SHOWN,
        rows_at_once=ROWS_AT_ONCE,
        located=grouping.located,
        no_stack=overview.NO_STACK,
        alike_max=overview.ALIKE_MAX,
        assocs_listed=overview.ASSOCS_LISTED,
        captures_listed=overview.CAPTURES_LISTED,
    )
    return environment


def _lines(job, found, chosen):
    """(number of the capture, association) -> its line; those of one capture in one walk."""
    lines = {}
    wanted = {}
    for entry, others in chosen:
        for number, index in ((entry.number, entry.index), *others):
            wanted.setdefault(number, set()).add(index)
    for capture_number, indices in wanted.items():
        key = job.key(found[capture_number])
        # Read a moment ago; damaged since, they have no section.
        with contextlib.suppress(*DAMAGE):
            for line in job.folder.lines(key, (job.folder.head(key) or {"associations": 0})["associations"]):
                index = int(INDEX.search(line)[1])
                if index in indices:
                    lines[capture_number, index] = line if len(line) <= LINE_MAX else None
    return lines


def make_plots(pool, job, found, chosen, complain):
    """Has the plots made that are not there yet: of associations that a capture's first run did not ask for. complain(capture, message) is told
    where they cannot be: the next run tries again."""
    lacking, said = {}, {}
    for entry, _ in chosen:
        head = job.folder.head(job.key(found[entry.number]))
        may_have = head and (entry.index >= capture_job.PLOTTED_AT_ONCE or entry.index in head["plotted"])
        if may_have and job.folder.plots(job.key(found[entry.number]), entry.index) is None:
            lacking.setdefault(entry.number, {})[entry.index] = (entry.start_s, entry.duration_s)
            said[found[entry.number].path] = head["message"]
    tasks = ((job, found[capture_number], sorted(spans), spans) for capture_number, spans in lacking.items())
    for (_, capture, *_), message in pool.run(capture_job.plot, tasks):
        if message not in ("", said[capture.path]):
            complain(capture, f"some of its plots are missing: {message or workers.KILLED}")


def _sections(job, found, chosen, lines):
    """What the template shows of each chosen association, one at a time."""
    for place, (entry, others) in enumerate(chosen, 1):
        line = lines.get((entry.number, entry.index))
        assoc = json.loads(line) if line else None
        drawn = job.folder.plots(job.key(found[entry.number]), entry.index) if assoc else None
        pictures = [plots.of_direction(drawn, assoc, place, end) for end in (0, 1)] if drawn else [[], []]
        head = job.folder.head(job.key(found[entry.number])) if found[entry.number].parts else None
        yield {
            "entry": entry,
            "place": place,
            "assoc": assoc,
            "pictures": pictures,
            "files": head["files"] if head else None,
            "others": [
                (job.shown_name(found[number]), index, _more_rules(assoc, lines.get((number, index))))
                for number, index in others
            ],
        }


def _more_rules(assoc, line):
    """The rules that only another capture of the same association shows to be violated; None where that is not known."""
    if assoc is None or line is None:
        return None
    shown = {finding["rule"] for finding in assoc["findings"] or []}
    return list(
        dict.fromkeys(
            finding["rule"]
            for finding in json.loads(line)["findings"] or []
            if rank.counts(finding) and finding["rule"] not in shown
        )
    )


def _selected(job):
    """What was asked for, when that is not everything."""
    pseudonyms = job.pseudonyms()
    return [pseudonyms.addresses_in(text) if pseudonyms else text for text in job.selection.words()]


def _common_folder(found, job):
    """The folder below which all captures lie, with its last slash; '' when pseudonyms stand for them."""
    if job.secret or not found:
        return ""
    folder = os.path.commonpath([os.path.dirname(capture.path) for capture in found])
    text = job.shown_name(found[0]._replace(path=folder))
    return text if text.endswith("/") else text + "/"


def write(job, found, counted, chosen, explained):
    """Writes report.html of what was counted, with a section for each chosen association. explained: {id: rule_table.Rule}."""
    templates = _environment()
    folder = _common_folder(found, job)
    sectioned = {
        seen: place
        for place, (entry, others) in enumerate(chosen, 1)
        for seen in ((entry.number, entry.index), *others)
    }
    associations, several = counted.seen()
    stacks = sorted(counted.stacks, key=lambda name: -counted.stacks[name]["endpoints"])
    words = {
        **pages.words(*pages.WITH_PLOTS),
        "folder": folder,
        "short": lambda file: file[len(folder) :] if folder and file.startswith(folder) else file,
        "associations": associations,
        "several": several,
        "file_of": lambda number: job.shown_name(found[number]),
        "counted": counted,
        "words_of": counted.words
        or dict.fromkeys(("rank", "failures", "end", "encapsulation", "quality", "verdict"), ()),
        "stacks": stacks,
        "explained": explained,
        "sectioned": sectioned,
        "chosen": chosen,
        "anonymised": bool(job.secret),
        "keeps_prefixes": job.keeps_prefixes,
        "selected": _selected(job),
        "rules": sorted(
            counted.rules.values(),
            key=lambda rule: (("MUST", "SHOULD", "heuristic").index(rule.level), -rule.associations, rule.id),
        ),
        "sections": _sections(job, found, chosen, _lines(job, found, chosen)),
        "columns": COLUMNS,
        "paths_max": PATHS_MAX,
    }
    with job.folder.output("report.html") as file:
        for piece in templates.get_template("report.html").generate(words):
            file.write(piece.encode("utf-8"))
