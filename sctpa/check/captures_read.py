# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads captures with tshark, in parallel where there are several, and keeps of each what the gate needs. Leaves judging to gate.py.

Memory: one association per process, and per capture its findings, rules and figures by endpoint.
"""

from typing import NamedTuple

from sctpa import captures, records, rule_table
from sctpa.names import safe_text
from sctpa.records import Broken, Records
from sctpa.sequence import grouping
from sctpa.tshark import Run

from .figures import of_direction


class Job(NamedTuple):
    """What is the same for all captures."""

    host: object
    timeout_s: int
    wants_rules: bool


class End(NamedTuple):
    """An endpoint of an association: role is that of the JSON and of fingerprints; checked and undecided are numbers of rule sets. occasions and
    undecided_occasions: packets at which each rule of these sets applied, in their order; lacking: {need: the same of those that lacked it}.
    unreported: {rule: as of the JSON, with in_file added as of Reading.findings}, of rules that were violated without a finding.
    """

    assoc: int
    end: int
    role: str
    addresses: tuple
    port: int
    stack: str | None
    checked: int
    undecided: int
    occasions: tuple
    undecided_occasions: tuple
    lacking: dict
    figures: dict
    unreported: dict


class Reading(NamedTuple):
    """A capture as it was read. message: why not to its end, None: it was. quality: {kind: remark}. findings: those of the JSON, with
    assoc, end and in_file added: the file that holds the first of its frames, and which of that file's it is; None where one file is the capture.
    rules: the table, where it was asked for. is_complete: the user asserts that it is. notes: what is odd about the files of a capture that several
    hold."""

    message: str | None
    sctp_packets: int
    quality: dict
    ends: tuple
    findings: tuple
    rule_sets: tuple
    rules: dict
    generator: dict
    is_complete: bool = False
    notes: tuple = ()

    def checked(self, end):
        """(rule, packets at which it applied) of each rule that was decided at an End: held, or violated as a finding says."""
        for rule, packets in zip(self.rule_sets[end.checked], end.occasions):
            if rule not in end.unreported:
                yield rule, packets

    def undecided(self, end):
        """(rule, packets at which it applied, {need: of these, those that lacked it}) of each that stayed undecided. Without needs: it was
        violated too rarely to be reported. The need "covered": another rule is reported in its place."""
        for rule, packets in zip(self.rule_sets[end.checked], end.occasions):
            if rule in end.unreported:
                yield rule, packets, {"covered": packets} if end.unreported[rule]["covered_by"] else {}
        for place, (rule, packets) in enumerate(zip(self.rule_sets[end.undecided], end.undecided_occasions)):
            yield rule, packets, {need: counts[place] for need, counts in end.lacking.items() if counts[place]}


def failed(message):
    """A capture of which nothing could be read."""
    return Reading(message, 0, {}, (), (), (), {}, {})


def _unreported(each, files):
    return {**each, "in_file": grouping.place(files, each["frames"][0]) if each["frames"] else None}


def _end(assoc, end, files):
    endpoint, rules = assoc["endpoints"][end], assoc["endpoints"][end]["rules"]
    return End(
        assoc["index"],
        end,
        endpoint["role"],
        tuple(endpoint["addresses"]),
        assoc["ports"][end],
        endpoint["stack"] and endpoint["stack"]["name"],
        rules["checked"],
        rules["undecided"],
        tuple(rules["occasions"]),
        tuple(rules["undecided_occasions"]),
        rules["lacking"],
        of_direction(assoc["directions"][end]),
        {each["rule"]: _unreported(each, files) for each in rules["unreported"]},
    )


def _finding(assoc, finding, files):
    kept = {
        name: finding[name]
        for name in (
            "rule",
            "fingerprint",
            "title",
            "level",
            "certainty",
            "clause",
            "count",
            "violating_packets",
            "expected",
            "seen",
        )
    }
    return {
        **kept,
        "assoc": assoc["index"],
        "end": finding["accused"],
        "frames": finding["frames"][:8],
        "in_file": grouping.place(files, finding["frames"][0]) if finding["frames"] else None,
    }


def _read(job, run):
    report = Records(run.stdout)
    opening, _ = report.opening()
    ends, findings = [], []
    for assoc in report.associations():
        ends += (_end(assoc, end, opening["capture"]["files"]) for end in (0, 1))
        findings += (_finding(assoc, finding, opening["capture"]["files"]) for finding in assoc["findings"] or ())
    rules = rule_table.parse(line for lines in records.rest(run.stdout) for line in lines) if job.wants_rules else {}
    run.drain()
    return Reading(
        None,
        opening["capture"]["sctp_packets"],
        {remark["kind"]: remark for remark in opening["capture"]["quality"]},
        tuple(ends),
        tuple(findings),
        tuple(map(tuple, report.rule_sets)),
        rules,
        opening["generator"],
        opening["capture"]["asserted"]["complete"],
    )


def read(job, capture):
    """Reading of a sctpa.captures.Capture. Raises sctpa.tshark.Failed when no capture can be read."""
    if capture.fault:
        return failed(capture.fault)
    # tshark prints the last report first.
    words = ["-n", *["-z", "sctp,rules"] * job.wants_rules, "-z", "sctp,ndjson"]
    feed = grouping.feed_of(capture, lambda part: safe_text(part.name), job.host.as_user)
    run = Run(job.host, capture.path, words, job.timeout_s, feed=feed)
    broken = None
    try:
        reading = _read(job, run)
    except Broken as error:
        reading, broken = failed(None), f"tshark's report cannot be read: {error}"
        run.drain()
    outcome = run.outcome()
    changed = captures.CHANGED if captures.changed(capture) else None
    return reading._replace(message=changed or outcome.message or broken, notes=outcome.notes)


def read_all(job, found, jobs):
    """The Reading of each capture, in their order."""
    if jobs == 1 or len(found) == 1:
        return [read(job, capture) for capture in found]
    from sctpa import workers

    readings = {
        arguments[1].path: reading
        for arguments, reading in workers.Pool(jobs).run(read, ((job, capture) for capture in found))
    }
    return [readings[capture.path] or failed(workers.KILLED) for capture in found]
