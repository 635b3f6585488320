# SPDX-License-Identifier: GPL-2.0-or-later
"""A gate as JUnit XML: a suite per capture; a case per rule and role, one more that says whether the capture was judged.

Written with junitparser, which Debian has (python3-junitparser); ./run installs it where this format is asked for.
"""

import junitparser

from sctpa.names import safe_text
from sctpa.rule_table import level_word

from . import cases
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


def _result(case):
    if case.result == cases.FAILED:
        return _failure(case.findings)
    return junitparser.Skipped(safe_text(case.reason)) if case.result == cases.SKIPPED else None


def _suite(name, made):
    """All cases at once: the library counts them anew with each call."""
    suite = junitparser.TestSuite(safe_text(name))
    suite.add_testcases(made)
    return suite


def _cases(capture, of_rules):
    why_not = capture.why_not and junitparser.Error(safe_text(capture.why_not), "not judged")
    yield _case("the capture can be judged", "sctp", why_not)
    for case in of_rules:
        yield _case(case.rule, f"sctp.{case.role}", _result(case))
    for text in capture.troubles:
        yield _case(text.partition(":")[0], "sctp.limits", junitparser.Failure(text, "limit"))


def write(verdict, of_rules):
    """The document as text. of_rules: of each capture its cases.Case."""
    xml = junitparser.JUnitXml("sctp_analysis")
    for capture, each in zip(verdict.captures, of_rules):
        xml.add_testsuite(_suite(capture.name, list(_cases(capture, each))))
    if verdict.unexercised:
        failed = (junitparser.Failure("required, but decided in no capture", "coverage") for _ in verdict.unexercised)
        made = [_case(rule, "sctp.required", each) for rule, each in zip(verdict.unexercised, failed)]
        xml.add_testsuite(_suite("required rules", made))
    xml.update_statistics()
    return xml.tostring().decode("utf-8")
