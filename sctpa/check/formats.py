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


def _sections(verdict):
    yield "Violations", list(_new_lines(verdict))
    yield "Limits exceeded", [
        line
        for capture in verdict.captures
        for text in capture.troubles
        for line in _wrapped(f"{capture.name}: {text}", "  ")
    ]
    yield "Required rules without an occasion", _wrapped(
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


def text(verdict, _):
    """Lines of 80 columns."""
    for head, lines in _sections(verdict):
        if lines:
            yield from (head, *lines, "")
    ends = sum(len(capture.ends) for capture in verdict.captures)
    checked = len({row.rule for row in verdict.coverage if row.checked})
    accepted = {finding["fingerprint"] for capture in verdict.captures for finding in capture.accepted}
    yield from _wrapped(
        f"{STATUS_WORDS[verdict.status].capitalize()}: {len(verdict.captures):,} capture{'s' * (len(verdict.captures) != 1)}, {ends:,} endpoint{'s' * (ends != 1)}, "
        f"{checked:,} rules checked; {len(verdict.new()):,} new finding{'s' * (len(verdict.new()) != 1)}, {len(accepted):,} accepted",
        "",
    )


def _capture(capture):
    return {
        "capture": capture.name,
        "not_judged": capture.why_not,
        "new": capture.new,
        "accepted": capture.accepted,
        "below": capture.below,
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


def document(verdict, generator):
    """What --format json prints."""
    return {
        "schema": "sctp-analysis-check/1",
        "generator": generator,
        "status": verdict.status,
        "captures": [_capture(each) for each in verdict.captures],
        "coverage": [row._asdict() for row in verdict.coverage],
        "unexercised": verdict.unexercised,
        "unused_baseline": [line.fingerprint for line in verdict.unused],
        "expired_baseline": [line.fingerprint for line in verdict.expired],
    }


def as_json(verdict, generator):
    yield json.dumps(document(verdict, generator), indent=2)


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
        for text_of in capture.troubles:
            yield f"::error file={_escaped(capture.name, True)}::{_escaped(text_of)}"
        if capture.why_not:
            yield f"::error file={_escaped(capture.name, True)},title=not judged::{_escaped(capture.why_not)}"
    for rule in verdict.unexercised:
        yield f"::error title={rule}::no occasion for this rule in any capture"
    for line in (*verdict.expired, *verdict.unused):
        yield f"::warning title={_escaped(line.fingerprint, True)}::line {line.number} of the baseline is {'expired' if line.expires and line in verdict.expired else 'unused'}"
