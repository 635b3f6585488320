# SPDX-License-Identifier: GPL-2.0-or-later
"""A gate as SARIF 2.1.0 (OASIS). A finding is a result in the capture; its frames stand in the message, since a capture has no lines.

The fingerprint is partialFingerprints.sctpFinding/v1; what the baseline accepts is suppressed.
"""

import json
import os
import urllib.parse

from sctpa.rule_table import level_word

from . import baseline
from .formats import file_of, frames_of, sentence

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS = {"MUST": "error", "SHOULD": "warning"}
KINDS = (("new", "new"), ("accepted", "unchanged"))


def _uri(name):
    return urllib.parse.quote(os.fsencode(name))


def _rule(rule):
    return {
        "id": rule.id,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.quote or rule.title},
        "help": {"text": f"{rule.clause}. {rule.why} Evidence: {rule.evidence} Possible false positive: {rule.caveat}"},
        "defaultConfiguration": {"level": LEVELS.get(rule.level, "note")},
        "properties": {"level": level_word(rule.level), "needs": list(rule.needs)},
    }


def _result(capture, finding, place, state, reason):
    result = {
        "ruleId": finding["rule"],
        "level": LEVELS.get(finding["level"], "note"),
        "baselineState": state,
        "message": {"text": f"{sentence(finding)}; association {finding['assoc']}, frames {frames_of(finding)}"},
        "locations": [
            {
                "physicalLocation": {"artifactLocation": {"uri": _uri(file_of(capture, finding))}},
                "logicalLocations": [
                    {"fullyQualifiedName": f"association {finding['assoc']}/{finding['fingerprint'].split('/')[1]}"}
                ],
            }
        ],
        "partialFingerprints": {"sctpFinding/v1": finding["fingerprint"]},
        "properties": {"certainty": finding["certainty"], "count": finding["count"], "frames": finding["frames"]},
    }
    if place is not None:
        result["ruleIndex"] = place
    if reason is not None:
        result["suppressions"] = [{"kind": "external", "justification": reason}]
    return result


def _reason(settings, finding):
    return baseline.accepting(settings.accepted, finding["fingerprint"], settings.today).reason


def _notifications(verdict):
    for capture in verdict.captures:
        if capture.why_not:
            yield {
                "level": "error",
                "message": {"text": f"{capture.name}: {capture.why_not}"},
                "locations": [{"physicalLocation": {"artifactLocation": {"uri": _uri(capture.name)}}}],
            }
        for text in capture.troubles:
            yield {"level": "error", "message": {"text": f"{capture.name}: {text}"}}
    for rule in verdict.unexercised:
        yield {"level": "error", "message": {"text": f"{rule}: required, but decided in no capture"}}


def write(verdict, rules, settings, generator):
    """The document as text. rules: the table; settings: gate.Settings that the verdict goes by."""
    used = sorted(
        {finding["rule"] for capture in verdict.captures for name, _ in KINDS for finding in getattr(capture, name)}
    )
    places = {rule: place for place, rule in enumerate(rule for rule in used if rule in rules)}
    results = [
        _result(
            capture,
            finding,
            places.get(finding["rule"]),
            state,
            _reason(settings, finding) if name == "accepted" else None,
        )
        for capture in verdict.captures
        for name, state in KINDS
        for finding in getattr(capture, name)
    ]
    driver = {"name": "sctp_analysis", "rules": [_rule(rules[rule]) for rule in places]}
    if generator.get("plugin"):
        driver["version"] = generator["plugin"]
    invocation = {
        "executionSuccessful": not any(capture.why_not for capture in verdict.captures),
        "exitCode": verdict.status,
        "toolExecutionNotifications": list(_notifications(verdict)),
    }
    return json.dumps(
        {
            "$schema": SCHEMA,
            "version": "2.1.0",
            "runs": [{"tool": {"driver": driver}, "invocations": [invocation], "results": results}],
        },
        indent=2,
    )
