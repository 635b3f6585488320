# SPDX-License-Identifier: GPL-2.0-or-later
"""What the reports of the plugin say of one association: read with two runs of tshark, the first of which finds the association.

Leaves packets to packets.py. Memory: two associations of the JSON at a time, a number per packet of the association, 480 columns per trace.
"""

import re
from array import array
from typing import NamedTuple

from conformance import rule_table
from triage import rank
from triage.capture_job import HEADER
from triage.decimation import Decimation
from triage.document import Broken, Document
from triage.tshark import Failed, Run

STATUS_NOT_READ = 1
RULE = re.compile("={20,}")


class Case(NamedTuple):
    """An association as the plugin reports it. assoc, capture, generator: of the JSON; rules: {id: Rule}; page: lines of -z sctp,triage;
    plots: of triage.decimation, None without points; message: why the capture was not read to its end, None: it was."""

    number: int
    assoc: dict
    capture: dict
    generator: dict
    rules: dict
    page: list
    plots: dict | None
    message: str | None


def _chosen(document, number):
    """The association with that number, or the worst of all; None when there is none."""
    best = None
    for assoc in document.associations():
        if number is None:
            if best is None or rank.rank(assoc) < rank.rank(best):
                best = assoc
        elif assoc["index"] == number:
            best = assoc
    return best


def _first_run(host, path, number, timeout_s):
    """(opening, association, rules, message)."""
    # tshark prints the last report first.
    run = Run(host, path, ["-n", "-z", "sctp,rules", "-z", "sctp,json"], timeout_s)
    try:
        document = Document(run.stdout)
        opening, _ = document.head()
        assoc = _chosen(document, number)
        rules = rule_table.parse(line for lines in document.rest() for line in lines)
    except Broken as error:
        run.drain()
        raise Failed(STATUS_NOT_READ, run.outcome().message or f"tshark's report cannot be read: {error}") from error
    return opening, assoc, rules, run.outcome().message


def _body(lines):
    """The lines of a report between its head, which two rules enclose, and its closing rule."""
    rules = [number for number, line in enumerate(lines) if RULE.fullmatch(line)]
    begin, end = (rules[1] + 1 if len(rules) > 1 else 0), (rules[-1] if len(rules) > 2 else len(lines))
    return "\n".join(lines[begin:end]).strip("\n").split("\n")


def _second_run(host, path, assoc, timeout_s):
    """(lines of -z sctp,triage about the association, its plots or None)."""
    number = assoc["index"]
    run = Run(host, path, ["-n", "-z", f"sctp,series,{number}", "-z", f"sctp,triage,sctp.analysis.assoc == {number}"], timeout_s)
    lines = run.stdout.read().split(b"\n")
    run.outcome()
    end = lines.index(HEADER) if HEADER in lines else len(lines)
    decimation = Decimation(assoc["start_s"], assoc["duration_s"])
    decimation.take([line for line in lines[end + 1:] if line])
    return _body([line.decode("utf-8", "replace") for line in lines[:end]]), decimation.result() if decimation.rows else None


def read(host, capture, number, timeout_s):
    """The Case of an association of a triage.captures.Capture; number None: of the worst. Raises triage.tshark.Failed."""
    opening, assoc, rules, message = _first_run(host, capture.path, number, timeout_s)
    if assoc is None:
        raise Failed(STATUS_NOT_READ, f"has no association {number}" if number is not None else message or "has no SCTP associations")
    page, plots = _second_run(host, capture.path, assoc, timeout_s)
    return Case(assoc["index"], assoc, opening["capture"], opening["generator"], rules, page, plots, message)


def findings_of(host, path, timeout_s):
    """[(rule, port of the endpoint accused, its addresses)] of all findings of a capture."""
    run = Run(host, path, ["-n", "-z", "sctp,json"], timeout_s)
    document = Document(run.stdout)
    document.head()
    found = [identity(assoc, finding) for assoc in document.associations() for finding in assoc["findings"] or ()]
    run.drain()
    run.outcome()
    return found


def identity(assoc, finding):
    """What tells a finding in captures whose endpoints have other numbers: rule, port and addresses of the endpoint accused."""
    end = finding["accused"]
    return finding["rule"], *((None, ()) if end is None else (assoc["ports"][end], tuple(assoc["endpoints"][end]["addresses"])))


class Packets(NamedTuple):
    """The packets of an association, in order: frame, and the endpoint that sent it."""

    frames: array
    senders: array
    setup: tuple


def packets_of(host, path, number, timeout_s):
    """Packets of an association; setup: the first frames of INIT, INIT ACK, COOKIE ECHO and COOKIE ACK. 5 bytes a packet."""
    fields = ["-T", "fields", "-E", "occurrence=a", "-E", "aggregator=;", "-e", "frame.number", "-e", "sctp.analysis.from", "-e", "sctp.chunk_type"]
    run = Run(host, path, ["-n", "-Y", f"sctp.analysis.assoc == {number}", *fields], timeout_s, prints_packets=True)
    found = Packets(array("L"), array("B"), ())
    setup = []
    for line in run.stdout:
        frame, sender, types = line.decode("ascii", "replace").rstrip("\n").split("\t")
        found.frames.append(int(frame))
        found.senders.append(int(sender.split(";")[0]))
        if len(setup) < SETUP_MAX and SETUP_TYPES & set(types.split(";")):
            setup.append(int(frame))
    run.outcome()
    return found._replace(setup=tuple(setup))


SETUP_TYPES = {"1", "2", "10", "11"}
SETUP_MAX = 32
