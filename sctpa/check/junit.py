# SPDX-License-Identifier: GPL-2.0-or-later
"""A gate as JUnit XML: a suite per capture; a case per rule and role that had an occasion, one more that says whether the capture was judged.

Written with junitparser, which Debian has (python3-junitparser); ./run installs it where this format is asked for.
"""

import junitparser

from sctpa.names import safe_text
from sctpa.rule_table import level_word

from .formats import frames_of, sentence


def _case(name, classname, result=None):
    case = junitparser.TestCase(name, classname)
    if result is not None:
        case.result = [result]
    return case


def _failure(findings):
    first = findings[0]
    failure = junitparser.Failure(f"{first['fingerprint']}: {sentence(first)}", level_word(first["level"]))
    failure.text = "\n".join(
        f"association {each['assoc']}, frames {frames_of(each)}: {sentence(each)}" for each in findings
    )
    return failure


def _rules(capture, reading, looked_at):
    """{(role, rule): result or None}."""
    cases = {}
    for end in capture.ends:
        wanted = set(looked_at(reading.rule_sets[end.undecided]))
        for rule, _, lacked in reading.undecided(end):
            if rule in wanted:
                cases.setdefault(
                    (end.role, rule),
                    junitparser.Skipped(
                        f"could not be evaluated; missing: {', '.join(lacked) or 'further occurrences'}"
                    ),
                )
    for end in capture.ends:
        for rule in looked_at(reading.rule_sets[end.checked]):
            cases[end.role, rule] = None
    roles = {(end.assoc, end.end): end.role for end in capture.ends}
    new = {}
    for finding in capture.new:
        new.setdefault((roles[finding["assoc"], finding["end"]], finding["rule"]), []).append(finding)
    return {**cases, **{key: _failure(findings) for key, findings in new.items()}}


def _suite(capture, reading, looked_at):
    suite = junitparser.TestSuite(safe_text(capture.name))
    suite.add_testcase(
        _case(
            "the capture can be judged",
            "sctp",
            junitparser.Error(capture.why_not, "not judged") if capture.why_not else None,
        )
    )
    for (role, rule), result in sorted(_rules(capture, reading, looked_at).items(), key=lambda item: item[0]):
        suite.add_testcase(_case(rule, f"sctp.{role}", result))
    for text in capture.troubles:
        suite.add_testcase(_case(text.partition(":")[0], "sctp.limits", junitparser.Failure(text, "limit")))
    return suite


def write(verdict, readings, looked_at):
    """The document as text. looked_at(rules): those that the gate is about."""
    xml = junitparser.JUnitXml("sctp_analysis")
    for capture, reading in zip(verdict.captures, readings):
        xml.add_testsuite(_suite(capture, reading, looked_at))
    if verdict.unexercised:
        suite = junitparser.TestSuite("required rules")
        for rule in verdict.unexercised:
            suite.add_testcase(
                _case(rule, "sctp.required", junitparser.Failure("no occasion in any capture", "coverage"))
            )
        xml.add_testsuite(suite)
    xml.update_statistics()
    return xml.tostring().decode("utf-8")
