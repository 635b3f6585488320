# SPDX-License-Identifier: GPL-2.0-or-later
"""What a gate says, as text of 80 columns, as JSON and as annotations of GitHub. JUnit and SARIF have modules of their own."""

import json
import os
import textwrap

from sctpa.names import safe_text
from sctpa.rule_table import level_word

WIDTH = 80
STATUS_WORDS = ("nothing new", "violations", "wrong usage", "not judged")
LISTED = 50


def sentence(finding):
    """What a finding says: certainty where it is not proven, title, what was expected and seen."""
    sure = "" if finding["certainty"] == "proven" else f"{finding['certainty']}: "
    words = f"; expected {finding['expected']}, saw {finding['seen']}" if finding["expected"] else ""
    return f"{sure}{finding['title']}{words} ({finding['clause']})"


def unreported_words(each):
    """What there is to say of a violation that stands in no finding: what, how often, why none."""
    packets = f"{each['count']:,} packet{'s' * (each['count'] != 1)}"
    if each["covered_by"]:
        why = f"{each['covered_by']} is reported in its place"
    elif each["count"] < each["reported_from"]:
        why = f"reported from {each['reported_from']} on"
    else:
        why = "not in a row, or packets that are missing may explain them"
    return f"{each['title']}; in {packets}, {why} ({each['clause']})"


def frames_of(finding, most=None):
    """ "12, 40": its packets; of a capture of several files also where the first of them is: "12 (ring_00002.pcapng:3), 40"."""
    frames = [str(frame) for frame in finding["frames"][:most]]
    if frames and finding["in_file"]:
        file, frame = finding["in_file"]
        frames[0] += f" ({os.path.basename(file)}:{frame})"
    return ", ".join(frames) or "-"


def file_of(capture, finding):
    """The name of the file that holds the first packet of a finding."""
    return finding["in_file"][0] if finding["in_file"] else capture.name


def _wrapped(text, indent):
    return textwrap.wrap(
        safe_text(text), WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
    ) or [indent]


def _new_lines(verdict):
    for fingerprint, found in sorted(verdict.new().items()):
        _, finding = found[0]
        yield f"  {fingerprint}  {level_word(finding['level'])}"
        yield from _wrapped(sentence(finding), "      ")
        for capture, each in found[:LISTED]:
            times = f", {each['count']:,} times" if each["count"] > 1 else ""
            yield from _wrapped(
                f"{capture.name}: association {each['assoc']}, frame {frames_of(each, 3)}{times}", "      "
            )
        if len(found) > LISTED:
            yield f"      and in {len(found) - LISTED:,} more"


def _unreported_lines(verdict):
    """Of each rule and role the first words, and where; those that another finding tells are left out."""
    found = {}
    for capture in verdict.captures:
        for each in capture.unreported:
            if not each["covered_by"]:
                found.setdefault((each["rule"], each["role"]), []).append((capture, each))
    for (rule, role), seen in sorted(found.items()):
        yield f"  {rule}/{role}  {level_word(seen[0][1]['level'])}"
        yield from _wrapped(unreported_words(seen[0][1]), "      ")
        for capture, each in seen[:LISTED]:
            yield from _wrapped(f"{capture.name}: association {each['assoc']}, frame {frames_of(each, 3)}", "      ")
        if len(seen) > LISTED:
            yield f"      and in {len(seen) - LISTED:,} more"


def _sections(verdict):
    yield "Violations", list(_new_lines(verdict))
    yield "Undecided: seen too rarely to be reported", list(_unreported_lines(verdict))
    yield "Limits exceeded", [
        line
        for capture in verdict.captures
        for text in capture.troubles
        for line in _wrapped(f"{capture.name}: {text}", "  ")
    ]
    yield "Required rules that were not decided", _wrapped(
        ", ".join(verdict.unexercised), "  "
    ) if verdict.unexercised else []
    yield "Not judged", [
        line
        for capture in verdict.captures
        if capture.why_not
        for line in _wrapped(f"{capture.name}: {capture.why_not}", "  ")
    ]
    yield "Expired in the baseline", [
        line
        for each in verdict.expired
        for line in _wrapped(f"{each.fingerprint} on {each.expires} (line {each.number}): {each.reason}", "  ")
    ]
    yield "Unused in the baseline", [
        line
        for each in verdict.unused
        for line in _wrapped(f"{each.fingerprint} (line {each.number}): {each.reason}", "  ")
    ]


def _captures_words(verdict):
    """ "3 captures"; of tests also what became of them."""
    n = len(verdict.captures)
    if not verdict.is_test:
        return f"{n:,} capture{'s' * (n != 1)}"
    words = [capture.word() for capture in verdict.captures]
    parts = [
        f"{words.count(word):,} {word}" for word in ("failed", "passed", "undecided", "not judged") if word in words
    ]
    return f"{n:,} test{'s' * (n != 1)} ({', '.join(parts)})" if parts else "no tests"


def text(verdict, _):
    """Lines of 80 columns."""
    for head, lines in _sections(verdict):
        if lines:
            yield from (head, *lines, "")
    ends = sum(len(capture.ends) for capture in verdict.captures)
    checked = len({row.rule for row in verdict.coverage if row.checked})
    accepted = {finding["fingerprint"] for capture in verdict.captures for finding in capture.accepted}
    yield from _wrapped(
        f"{STATUS_WORDS[verdict.status].capitalize()}: {_captures_words(verdict)}, {ends:,} endpoint{'s' * (ends != 1)}, "
        f"{checked:,} rules checked; {len(verdict.new()):,} new finding{'s' * (len(verdict.new()) != 1)}, {len(accepted):,} accepted",
        "",
    )


def _cases(of_rules):
    """{result: "RULE/ROLE" of each}, of those skipped with the reason."""
    by = {result: [each for each in of_rules if each.result == result] for result in ("passed", "failed", "skipped")}
    names = {result: [f"{each.rule}/{each.role}" for each in found] for result, found in by.items()}
    return {**names, "skipped": {name: each.reason for name, each in zip(names["skipped"], by["skipped"])}}


def _capture(capture, of_rules):
    return {
        "capture": capture.name,
        "result": capture.word(),
        "not_judged": capture.why_not,
        "cases": _cases(of_rules),
        "new": capture.new,
        "accepted": capture.accepted,
        "below": capture.below,
        "unreported": capture.unreported,
        "limits_exceeded": capture.troubles,
        "endpoints": [
            {
                "association": end.assoc,
                "endpoint": end.end,
                "role": end.role,
                "addresses": end.addresses,
                "port": end.port,
                "stack": end.stack,
                "figures": end.figures,
            }
            for end in capture.ends
        ],
    }


def document(verdict, generator, of_rules):
    """What --format json prints. of_rules: of each capture its cases.Case."""
    return {
        "schema": "sctp-analysis-check/1",
        "generator": generator,
        "status": verdict.status,
        "captures": [_capture(capture, each) for capture, each in zip(verdict.captures, of_rules)],
        "coverage": [row._asdict() for row in verdict.coverage],
        "unexercised": verdict.unexercised,
        "unused_baseline": [line.fingerprint for line in verdict.unused],
        "expired_baseline": [line.fingerprint for line in verdict.expired],
    }


def as_json(verdict, generator, of_rules):
    """The same as text."""
    return json.dumps(document(verdict, generator, of_rules), indent=2)


def _escaped(text, is_property=False):
    text = safe_text(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return text.replace(":", "%3A").replace(",", "%2C") if is_property else text


def github(verdict, _):
    """Workflow commands: https://docs.github.com/actions/reference/workflow-commands-for-github-actions"""
    for fingerprint, found in sorted(verdict.new().items()):
        for capture, finding in found[:LISTED]:
            kind = {"MUST": "error", "SHOULD": "warning"}.get(finding["level"], "notice")
            yield (
                f"::{kind} file={_escaped(file_of(capture, finding), True)},title={_escaped(fingerprint, True)}::"
                f"{_escaped(sentence(finding))}, association {finding['assoc']}, frame {frames_of(finding, 1)}"
            )
    for capture in verdict.captures:
        for each in capture.unreported:
            if not each["covered_by"]:
                yield (
                    f"::notice file={_escaped(file_of(capture, each), True)},title={each['rule']}/{each['role']} undecided::"
                    f"{_escaped(unreported_words(each))}, association {each['assoc']}, frame {frames_of(each, 1)}"
                )
        for text_of in capture.troubles:
            yield f"::error file={_escaped(capture.name, True)}::{_escaped(text_of)}"
        if capture.why_not:
            yield f"::error file={_escaped(capture.name, True)},title=not judged::{_escaped(capture.why_not)}"
    for rule in verdict.unexercised:
        yield f"::error title={rule}::required, but decided in no capture"
    for line in (*verdict.expired, *verdict.unused):
        yield f"::warning title={_escaped(line.fingerprint, True)}::line {line.number} of the baseline is {'expired' if line.expires and line in verdict.expired else 'unused'}"
