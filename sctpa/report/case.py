# SPDX-License-Identifier: GPL-2.0-or-later
"""What the reports of the plugin say of one association: read with two runs of tshark, the first of which finds the association.

Leaves packets to packets.py. Memory: two associations of the JSON at a time, a number per packet of the association, 480 columns per trace.
"""

import re
from array import array
from typing import NamedTuple

from sctpa import rank, records, rule_table
from sctpa.arguments import STATUS_NOT_READ
from sctpa.decimation import HEADER, Decimation
from sctpa.records import Broken, Records
from sctpa.tshark import Failed, Run

RULE = re.compile("={20,}")
# INIT, INIT ACK, COOKIE ECHO and COOKIE ACK, as Wireshark prints their types.
SETUP_TYPES, SETUP_MAX = {"1", "2", "10", "11"}, 32


class Case(NamedTuple):
    """An association as the plugin reports it. assoc, capture, generator: of the JSON; rules: {id: Rule}; page: lines of -z sctp,triage;
    plots: of sctpa.decimation, None without points; message: why the capture was not read to its end, None: it was."""

    number: int
    assoc: dict
    capture: dict
    generator: dict
    rules: dict
    page: list
    plots: dict | None
    message: str | None


def _chosen(associations, number):
    """The association with that number, or the worst of all; None when there is none."""
    best = None
    for assoc in associations:
        if number is None:
            if best is None or rank.rank(assoc) < rank.rank(best):
                best = assoc
        elif assoc["index"] == number:
            best = assoc
    return best


def _read_json(host, path, reports, timeout_s, take):
    """(head of the JSON, what take makes of its Records and of the stream behind them, why the capture was not read to its end or None).
    reports: words for what is printed behind them. Raises Failed."""
    # tshark prints the last report first.
    run = Run(host, path, ["-n", *reports, "-z", "sctp,ndjson"], timeout_s)
    try:
        report = Records(run.stdout)
        opening, _ = report.opening()
        taken = take(report, run.stdout)
    except Broken as error:
        run.drain()
        raise Failed(STATUS_NOT_READ, run.outcome().message or f"tshark's report cannot be read: {error}") from error
    run.drain()
    outcome = run.outcome()
    if outcome.was_killed:
        raise Failed(STATUS_NOT_READ, outcome.message)
    return opening, taken, outcome.message


def _body(lines):
    """The lines of a report between its head, which two rules enclose, and its closing rule."""
    rules = [number for number, line in enumerate(lines) if RULE.fullmatch(line)]
    begin, end = (rules[1] + 1 if len(rules) > 1 else 0), (rules[-1] if len(rules) > 2 else len(lines))
    return "\n".join(lines[begin:end]).strip("\n").split("\n")


def _read_page(host, path, assoc, timeout_s):
    """(lines of -z sctp,triage about the association, its plots or None)."""
    number = assoc["index"]
    run = Run(
        host,
        path,
        ["-n", "-z", f"sctp,series,{number}", "-z", f"sctp,triage,sctp.analysis.assoc == {number}"],
        timeout_s,
    )
    page, decimation, is_series = [], Decimation(assoc["start_s"], assoc["duration_s"]), False
    for lines in records.rest(run.stdout):
        if not is_series and HEADER in lines:
            at = lines.index(HEADER)
            page += lines[:at]
            lines, is_series = lines[at + 1 :], True
        if is_series:
            decimation.take([line for line in lines if line])
        else:
            page += lines
    run.end()
    return _body([line.decode("utf-8", "replace") for line in page]), decimation.result() if decimation.rows else None


def read(host, capture, number, timeout_s):
    """The Case of an association of a sctpa.captures.Capture; number None: of the worst. Raises sctpa.tshark.Failed."""

    def take(report, stream):
        assoc = _chosen(report.associations(), number)
        return assoc, rule_table.parse(line for lines in records.rest(stream) for line in lines)

    opening, (assoc, rules), message = _read_json(host, capture.path, ["-z", "sctp,rules"], timeout_s, take)
    if assoc is None:
        raise Failed(
            STATUS_NOT_READ,
            f"has no association {number}" if number is not None else message or "has no SCTP associations",
        )
    page, plots = _read_page(host, capture.path, assoc, timeout_s)
    return Case(assoc["index"], assoc, opening["capture"], opening["generator"], rules, page, plots, message)


def findings_of(host, path, timeout_s):
    """[(rule, port of the endpoint accused, its addresses)] of all findings of a capture. Raises Failed."""

    def take(report, _):
        return [identity(assoc, finding) for assoc in report.associations() for finding in assoc["findings"] or ()]

    return _read_json(host, path, [], timeout_s, take)[1]


def identity(assoc, finding):
    """What tells a finding in captures whose endpoints have other numbers: rule, port and addresses of the endpoint accused."""
    end = finding["accused"]
    return finding["rule"], *(
        (None, ()) if end is None else (assoc["ports"][end], tuple(assoc["endpoints"][end]["addresses"]))
    )


class Packets(NamedTuple):
    """Numbers of the packets of an association, in order, and of those of its set-up."""

    frames: array
    setup: list


def packets_of(host, path, number, timeout_s):
    """Packets of an association; setup: the first SETUP_MAX of INIT, INIT ACK, COOKIE ECHO and COOKIE ACK. 4 bytes a packet."""
    fields = ["-T", "fields", "-E", "occurrence=a", "-E", "aggregator=;", "-e", "frame.number", "-e", "sctp.chunk_type"]
    run = Run(host, path, ["-n", "-Y", f"sctp.analysis.assoc == {number}", *fields], timeout_s, prints_packets=True)
    found = Packets(array("I"), [])
    for line in (line for lines in records.rest(run.stdout) for line in lines):
        frame, types = line.decode("ascii", "replace").split("\t")
        found.frames.append(int(frame))
        if len(found.setup) < SETUP_MAX and SETUP_TYPES & set(types.split(";")):
            found.setup.append(int(frame))
    run.end()
    return found
