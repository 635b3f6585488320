# SPDX-License-Identifier: GPL-2.0-or-later
"""./run compare: what differs between two sets of captures: findings by fingerprint, figures by rank_test.py. Each capture is one run."""

import json
import statistics
import textwrap
from typing import NamedTuple

from sctpa.arguments import show
from sctpa.names import safe_text
from sctpa.rule_table import level_word

from . import figures, gate, rank_test
from .errors import STATUS_NOTHING_NEW, STATUS_NOT_JUDGED, STATUS_VIOLATIONS

RUNS_LEAST = 5
WIDTH = 80
ROLES = {"either": "data after an INIT collision", "unknown": "data, set-up not captured"}


class Side(NamedTuple):
    """The captures of one side: how many are judged, why others are not, {fingerprint: (runs, finding)}, {(role, figure): values}."""

    runs: int
    why_not: tuple
    found: dict
    values: dict


class Figure(NamedTuple):
    """A figure of both sides. p None: too few runs."""

    role: str
    word: str
    old: float
    new: float
    runs: tuple
    p: float | None
    differs: bool
    is_worse: bool


def side(settings, read):
    """Side of what was read."""
    verdict = gate.judge(settings, read.names, read.readings)
    judged = [capture for capture in verdict.captures if not capture.why_not]
    found, values = {}, {}
    for capture in judged:
        for fingerprint, finding in {
            each["fingerprint"]: each for each in (*capture.new, *capture.below) if each["level"] != "heuristic"
        }.items():
            runs, known = found.get(fingerprint, (0, finding))
            found[fingerprint] = runs + 1, known
        for key, value in figures.of_run(capture.ends).items():
            values.setdefault(key, []).append(value)
    return Side(
        len(judged),
        tuple(f"{capture.name}: {capture.why_not}" for capture in verdict.captures if capture.why_not),
        found,
        values,
    )


def _change(chosen, old, new):
    """Percent, by the old median; infinite from 0."""
    return abs(new - old) >= chosen.least / 100 * abs(old) and new != old


def compare_figures(chosen, old, new):
    """Figures that both sides have."""
    for role, word in sorted(old.values.keys() & new.values.keys()):
        before, after = old.values[role, word], new.values[role, word]
        medians = statistics.median(before), statistics.median(after)
        p = rank_test.p_value(before, after) if min(len(before), len(after)) >= RUNS_LEAST else None
        differs = p is not None and p <= chosen.alpha and _change(chosen, *medians)
        yield Figure(
            role,
            word,
            *medians,
            (len(before), len(after)),
            p,
            differs,
            differs and (medians[1] - medians[0]) * figures.FIGURES[word][2] > 0,
        )


def compare_findings(chosen, old, new):
    """{"new": ..., "gone": ..., "changed": ...}: of [fingerprint, runs of old, runs of new, what differs, finding]. Changed: level or
    certainty; and how many runs show it, by the same test over runs with and without it."""
    changes = {"new": [], "gone": [], "changed": []}
    for fingerprint in sorted({*old.found, *new.found}):
        (runs_old, before), (runs_new, after) = (part.found.get(fingerprint, (0, None)) for part in (old, new))
        finding = after or before
        if before is None or after is None:
            changes["new" if before is None else "gone"].append((fingerprint, runs_old, runs_new, [], finding))
            continue
        what = [
            f"{name} {before[name]} -> {after[name]}" for name in ("level", "certainty") if before[name] != after[name]
        ]
        shares = [[1] * runs + [0] * (part.runs - runs) for runs, part in ((runs_old, old), (runs_new, new))]
        if min(map(len, shares)) >= RUNS_LEAST and rank_test.p_value(*shares) <= chosen.alpha:
            what.append("shown by another share of the runs")
        if what:
            changes["changed"].append((fingerprint, runs_old, runs_new, what, finding))
    return changes


def _wrapped(text, indent):
    return textwrap.wrap(
        safe_text(text), WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
    )


def _finding_lines(old, new, changes):
    for head, name in (("New findings", "new"), ("Findings gone", "gone"), ("Findings changed", "changed")):
        if changes[name]:
            yield head
        for fingerprint, runs_old, runs_new, what, finding in changes[name]:
            yield f"  {fingerprint}  {level_word(finding['level'])}, in {runs_old} of {old.runs} runs before, {runs_new} of {new.runs} now"
            yield from _wrapped(
                f"{finding['title']} ({finding['clause']}){'; ' if what else ''}{', '.join(what)}", "      "
            )
        if changes[name]:
            yield ""


def _number(value):
    return f"{value:,.0f}" if abs(value) >= 10_000 else f"{value:,.4g}"


def _figure_lines(rows):
    yield f"{'Figure (median over runs)':<34}{'old':>12}{'new':>12}{'p':>9}"
    yield "-" * 78
    role = None
    for row in rows:
        if row.role != role:
            role = row.role
            yield ROLES.get(role) or f"data of the {role}"
        unit, name, _ = figures.FIGURES[row.word]
        p = "too few" if row.p is None else f"{row.p:.4f}"
        word = " worse" if row.is_worse else " better" if row.differs else ""
        label = f"{name} ({unit})"
        yield f"  {label:<32}{_number(row.old):>12}{_number(row.new):>12}{p:>9}{word}"


def _text(old, new, changes, rows):
    for part, name in ((old, "OLD"), (new, "NEW")):
        for why in part.why_not:
            yield from _wrapped(f"{name}, not judged: {why}", "")
    yield from _finding_lines(old, new, changes)
    if not any(changes.values()):
        yield from ("Findings: the same", "")
    yield from _figure_lines(rows)
    if any(row.p is None for row in rows):
        yield ""
        yield from _wrapped(f"Too few runs: figures are tested from {RUNS_LEAST} runs a side on.", "")


def _document(old, new, changes, rows):
    described = {
        name: [
            {"fingerprint": fingerprint, "runs": [runs_old, runs_new], "changed": what, "finding": finding}
            for fingerprint, runs_old, runs_new, what, finding in found
        ]
        for name, found in changes.items()
    }
    return {
        "schema": "sctp-analysis-compare/1",
        "runs": [old.runs, new.runs],
        "not_judged": [old.why_not, new.why_not],
        "findings": described,
        "figures": [row._asdict() for row in rows],
    }


def report(chosen, settings, sides):
    """Prints what differs between two Read; returns the status."""
    old, new = (side(settings, each) for each in sides)
    changes, rows = compare_findings(chosen, old, new), list(compare_figures(chosen, old, new))
    if chosen.format == "json":
        show(json.dumps(_document(old, new, changes, rows), indent=2) + "\n")
    else:
        show("\n".join((*_text(old, new, changes, rows), "")))
    if changes["new"] or any(row.is_worse for row in rows):
        return STATUS_VIOLATIONS
    if old.why_not or new.why_not or not (old.runs and new.runs) or any(each.complaints for each in sides):
        return STATUS_NOT_JUDGED
    return STATUS_NOTHING_NEW
