# SPDX-License-Identifier: GPL-2.0-or-later
"""Judges what was read of captures: which findings are new, what was accepted, where nothing was judged, which rules had an occasion.

A capture in which nothing was judged never counts as one without findings. Leaves showing it to the modules of the formats.
"""

import collections
from typing import NamedTuple

from . import baseline, coverage
from .errors import STATUS_NOTHING_NEW, STATUS_NOT_JUDGED, STATUS_VIOLATIONS

REFUTED = {
    "complete_refuted": "--complete is refuted by frame {first_frame}: packets that passed the capture point are missing or out of order",
    "taken_at_refuted": "--taken-at is refuted by frame {first_frame}",
}
NO_SCTP = "has no SCTP packets (or they are encrypted: Wireshark needs the keys of the DTLS or IPsec around them)"


class Limits(NamedTuple):
    """What --fail-on asks: levels that count, whether probable findings do, the most of a pause (s) and of retransmissions (%), and whether
    violations do that were seen, but stand in no finding."""

    levels: tuple
    probable: bool
    pause_s: float | None
    rtx_percent: float | None
    unreported: bool = False


class Settings(NamedTuple):
    """What the user asked for. rules: ids that are looked at, None: all. accepted: the baseline. levels: of severities.
    is_test: each capture is a test of one endpoint of each association."""

    endpoint: object
    rules: frozenset | None
    limits: Limits
    accepted: dict
    levels: dict
    allow_drops: bool
    required: tuple
    today: object
    is_test: bool = False


class Judged(NamedTuple):
    """A capture. why_not: why nothing of it counts as judged, None. ends: the endpoints that it is about. new, accepted,
    below: findings, each with its level here. unreported: violations in no finding, as of captures_read.End, with assoc, end, role and level here.
    troubles: texts about limits."""

    name: str
    why_not: str | None
    ends: tuple
    new: tuple
    accepted: tuple
    below: tuple
    unreported: tuple
    troubles: tuple

    def word(self):
        """What became of the capture as a test."""
        if self.new or self.troubles:
            return "failed"
        return "not judged" if self.why_not else "undecided" if self.is_unsure() else "passed"

    def is_unsure(self):
        """Was a requirement seen violated, without a finding in its place?"""
        return any(each["level"] != "heuristic" and not each["covered_by"] for each in self.unreported)


class Verdict(NamedTuple):
    """All captures. unused, expired: lines of the baseline. unexercised: required rules that were decided nowhere."""

    captures: tuple
    coverage: tuple
    unused: tuple
    expired: tuple
    unexercised: tuple
    status: int
    is_test: bool = False

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
    if settings.is_test and (number := _ambiguous(settings, reading)) is not None:
        return f"both endpoints of association {number} are {settings.endpoint}: name the one under test, --endpoint ADDR:PORT"
    if not ends:
        return f"has no endpoint {settings.endpoint}" if settings.endpoint else "has no association"
    # Of a capture that is asserted to be complete, what does not exist was acknowledged.
    if "missed" in reading.quality and not settings.allow_drops and not reading.is_complete:
        return "lacks packets: {count} chunks were acknowledged that it does not hold, first in frame {first_frame} (--allow-drops judges it all the same)".format(
            **reading.quality["missed"]
        )
    if not any(coverage.is_looked_at(settings, rule) for end in ends for rule, _ in reading.checked(end)):
        needs = sorted({need for end in ends for need in end.lacking})
        return "no rule was checked" + (f"; missing: {', '.join(needs)}" if needs else "")
    return None


def _ends(settings, reading):
    """The endpoints that the gate is about; of a test none of an association of which both would be."""
    ends = tuple(end for end in reading.ends if settings.endpoint is None or settings.endpoint.fits(end))
    if not settings.is_test:
        return ends
    counts = collections.Counter(end.assoc for end in ends)
    return tuple(end for end in ends if counts[end.assoc] == 1)


def _ambiguous(settings, reading):
    """The first association of which both endpoints are those under test; None."""
    seen = set()
    for end in reading.ends:
        if settings.endpoint.fits(end):
            if end.assoc in seen:
                return end.assoc
            seen.add(end.assoc)
    return None


def _unreported(settings, ends):
    for end in ends:
        for rule, each in end.unreported.items():
            level = settings.levels.get(rule, each["level"])
            if coverage.is_looked_at(settings, rule):
                yield {**each, "level": level, "assoc": end.assoc, "end": end.end, "role": end.role}


def _troubles(settings, ends, unreported):
    limits = settings.limits
    for end in ends:
        where = f"association {end.assoc}, data of the {end.role if end.role in ('initiator', 'responder') else f'endpoint {end.end}'}"
        pause, share = end.figures.get("longest_pause"), end.figures.get("rtx")
        if limits.pause_s is not None and pause is not None and pause > limits.pause_s:
            yield f"{where}: a pause of {pause:.3f} s, more than {limits.pause_s:g} s"
        if limits.rtx_percent is not None and share is not None and share > limits.rtx_percent:
            yield f"{where}: {share:.2f} % of DATA chunks are retransmissions, more than {limits.rtx_percent:g} %"
    for each in unreported:
        if limits.unreported and each["level"] in limits.levels and not each["covered_by"]:
            frames = ", ".join(map(str, each["frames"]))
            yield f"association {each['assoc']}, {each['rule']} of the {each['role']}: seen too rarely to be reported, frames {frames}"


def _judge(settings, name, reading):
    ends = _ends(settings, reading)
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
    unreported = tuple(_unreported(settings, ends))
    return Judged(
        name,
        _why_not(settings, reading, ends),
        ends,
        *(tuple(parts[name]) for name in ("new", "accepted", "below")),
        unreported,
        tuple(_troubles(settings, ends, unreported)),
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
    return Verdict(captures, covered, unused, expired, unexercised, status, settings.is_test)
