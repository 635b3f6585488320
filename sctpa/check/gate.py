# SPDX-License-Identifier: GPL-2.0-or-later
"""Judges what was read of captures: which findings are new, what was accepted, where nothing was judged, which rules had an occasion.

A capture in which nothing was judged never counts as one without findings. Leaves showing it to the modules of the formats.
"""

from typing import NamedTuple

from . import baseline, coverage
from .errors import STATUS_NOTHING_NEW, STATUS_NOT_JUDGED, STATUS_VIOLATIONS

REFUTED = {
    "complete_refuted": "--complete is refuted by frame {first_frame}: packets that passed the capture point are missing or out of order",
    "taken_at_refuted": "--taken-at is refuted by frame {first_frame}",
}
NO_SCTP = "has no SCTP packets (or they are encrypted: Wireshark needs the keys of the DTLS or IPsec around them)"


class Limits(NamedTuple):
    """What --fail-on asks: levels that count, whether probable findings do, and the most of a pause (s) and of retransmissions (%)."""

    levels: tuple
    probable: bool
    pause_s: float | None
    rtx_percent: float | None


class Settings(NamedTuple):
    """What the user asked for. rules: ids that are looked at, None: all. accepted: the baseline. levels: of severities."""

    endpoint: object
    rules: frozenset | None
    limits: Limits
    accepted: dict
    levels: dict
    allow_drops: bool
    required: tuple
    today: object


class Judged(NamedTuple):
    """A capture. why_not: why nothing of it counts as judged, None. new, accepted: findings, each with its level here. troubles: texts about figures."""

    name: str
    why_not: str | None
    ends: tuple
    new: tuple
    accepted: tuple
    below: tuple
    troubles: tuple


class Verdict(NamedTuple):
    """All captures. unused, expired: lines of the baseline. unexercised: required rules without an occasion."""

    captures: tuple
    coverage: tuple
    unused: tuple
    expired: tuple
    unexercised: tuple
    status: int

    def new(self):
        """{fingerprint: [(capture, finding)]} of what is new."""
        found = {}
        for capture in self.captures:
            for finding in capture.new:
                found.setdefault(finding["fingerprint"], []).append((capture, finding))
        return found


def _level(settings, finding):
    return settings.levels.get(finding["rule"], finding["level"])


def _counts(settings, finding):
    """Does a finding fail the gate, if it is not accepted?"""
    sure = finding["certainty"] == "proven" or (finding["certainty"] == "probable" and settings.limits.probable)
    return sure and finding["level"] in settings.limits.levels


def _why_not(settings, reading, ends):
    """Why the capture does not count as judged; None: it does."""
    if reading.message:
        return reading.message
    if not reading.sctp_packets:
        return NO_SCTP
    for kind, text in REFUTED.items():
        if kind in reading.quality:
            return text.format(**reading.quality[kind])
    if not ends:
        return f"has no endpoint {settings.endpoint}" if settings.endpoint else "has no association"
    if "missed" in reading.quality and not settings.allow_drops:
        return "lacks packets: {count} chunks were acknowledged that it does not hold, first in frame {first_frame} (--allow-drops judges it all the same)".format(
            **reading.quality["missed"]
        )
    if not any(coverage.looked_at(settings, reading.rule_sets[end.checked]) for end in ends):
        needs = sorted({need for end in ends for need in end.lacking})
        return "no rule was checked" + (f"; missing: {', '.join(needs)}" if needs else "")
    return None


def _troubles(settings, ends):
    limits = settings.limits
    for end in ends:
        where = f"association {end.assoc}, data of the {end.role if end.role in ('initiator', 'responder') else f'endpoint {end.end}'}"
        pause, share = end.figures.get("longest_pause"), end.figures.get("rtx")
        if limits.pause_s is not None and pause is not None and pause > limits.pause_s:
            yield f"{where}: a pause of {pause:.3f} s, more than {limits.pause_s:g} s"
        if limits.rtx_percent is not None and share is not None and share > limits.rtx_percent:
            yield f"{where}: {share:.2f} % of DATA chunks are retransmissions, more than {limits.rtx_percent:g} %"


def _judge(settings, name, reading):
    ends = tuple(end for end in reading.ends if settings.endpoint is None or settings.endpoint.fits(end))
    here = {(end.assoc, end.end) for end in ends}
    parts = {"new": [], "accepted": [], "below": []}
    for finding in reading.findings:
        finding = {**finding, "level": _level(settings, finding)}
        if (
            (finding["assoc"], finding["end"]) not in here
            or finding["level"] == "off"
            or not coverage.looked_at(settings, [finding["rule"]])
        ):
            continue
        is_accepted = baseline.accepting(settings.accepted, finding["fingerprint"], settings.today)
        parts["accepted" if is_accepted else "new" if _counts(settings, finding) else "below"].append(finding)
    return Judged(
        name,
        _why_not(settings, reading, ends),
        ends,
        *(tuple(parts[name]) for name in ("new", "accepted", "below")),
        tuple(_troubles(settings, ends)),
    )


def judge(settings, names, readings):
    """Verdict on readings, captures_read.Reading of the captures of these names."""
    captures = tuple(_judge(settings, name, reading) for name, reading in zip(names, readings))
    covered = coverage.count(settings, captures, readings)
    findings = [finding for capture in captures for finding in (*capture.new, *capture.accepted, *capture.below)]
    seen = {name for finding in findings for name in baseline.names(finding["fingerprint"])}
    exercised = {row.rule for row in covered if row.checked}
    unexercised = tuple(rule for rule in settings.required if rule not in exercised)
    lines = settings.accepted.values()
    expired = tuple(line for line in lines if baseline.is_expired(line, settings.today))
    unused = tuple(line for line in lines if line not in expired and line.fingerprint not in seen)
    if unexercised or any(capture.new or capture.troubles for capture in captures):
        status = STATUS_VIOLATIONS
    elif not captures or any(capture.why_not for capture in captures):
        status = STATUS_NOT_JUDGED
    else:
        status = STATUS_NOTHING_NEW
    return Verdict(captures, covered, unused, expired, unexercised, status)
