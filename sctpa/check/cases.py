# SPDX-License-Identifier: GPL-2.0-or-later
"""What became of each rule at the endpoints of one role in one capture, as a test case: passed, failed or skipped, and why.

Passed is only what was decided and not violated. Leaves which findings fail the gate to gate.py.
"""

from typing import NamedTuple

from . import coverage
from .formats import frames_of, sentence, unreported_words

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"
NO_OCCASION = "no occasion"


class Case(NamedTuple):
    """A rule at the endpoints of a role. reason: why it was skipped, None. findings: those that fail it."""

    role: str
    rule: str
    result: str
    reason: str | None = None
    findings: tuple = ()


def _where(finding):
    return f"association {finding['assoc']}, frames {frames_of(finding)}"


def _below(finding):
    return f"violated, but does not fail this gate: {sentence(finding)}; {_where(finding)}"


def _accepted(finding):
    return f"violated, accepted by the baseline: {sentence(finding)}; {_where(finding)}"


def _undecided(lacked):
    return f"could not be evaluated; missing: {', '.join(lacked) or 'further occurrences'}"


def of(settings, capture, reading, rules=()):
    """The Cases of a gate.Judged, by role and rule. What violates counts before what is undecided, and that a violation was seen without a finding
    before what was held elsewhere. rules: each of them has a case for each role of the endpoints, also without an occasion.
    """
    found = {}

    def put(role, rule, result, reason=None, findings=()):
        found.setdefault((role, rule), Case(role, rule, result, reason, findings))

    roles = {(end.assoc, end.end): end.role for end in capture.ends}
    failing = {}
    for finding in capture.new:
        failing.setdefault((roles[finding["assoc"], finding["end"]], finding["rule"]), []).append(finding)
    for key, findings in failing.items():
        put(*key, FAILED, None, tuple(findings))
    for findings, reason in ((capture.below, _below), (capture.accepted, _accepted)):
        for finding in findings:
            put(roles[finding["assoc"], finding["end"]], finding["rule"], SKIPPED, reason(finding))
    for each in capture.unreported:
        put(each["role"], each["rule"], SKIPPED, f"undecided: {unreported_words(each)}; {_where(each)}")
    for end in capture.ends:
        for rule, _ in reading.checked(end):
            if coverage.is_looked_at(settings, rule):
                put(end.role, rule, PASSED)
    for end in capture.ends:
        for rule, _, lacked in reading.undecided(end):
            if coverage.is_looked_at(settings, rule):
                put(end.role, rule, SKIPPED, _undecided(lacked))
    for role in sorted(set(roles.values())):
        for rule in rules:
            put(role, rule, SKIPPED, NO_OCCASION)
    return [found[key] for key in sorted(found)]
