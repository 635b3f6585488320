# SPDX-License-Identifier: GPL-2.0-or-later
"""What became of each rule in each of several sets of captures: held, violated, undecided, never exercised; how often, and what shows it.

Leaves pages and tables to matrix_page.py and matrix_markdown.py. Memory: EVIDENCE_MAX endpoints for each rule of each set.
"""

from typing import NamedTuple

from . import coverage, gate

EVIDENCE_MAX = 6
CERTAINTIES = ("proven", "probable", "possible")
STATES = ("violated", "undecided", "held", "never")


class Evidence(NamedTuple):
    """A rule at an endpoint. capture: its place among those of the column. occasions: packets at which it applied, violations: of these that
    violated it. lacking: {need: packets}, empty: it was checked. finding: of the JSON, None."""

    capture: int
    end: object
    occasions: int
    violations: int
    lacking: dict
    finding: dict | None


class Cell:
    """A rule in a column: packets and endpoints where it applied, of these that violated it; where it stayed undecided, for lack of what."""

    def __init__(self):
        self.occasions = (
            self.endpoints
        ) = self.violations = self.violating = self.undecided = self.undecided_endpoints = 0
        self.lacking = {}
        self.certainty = None
        self.evidence = []

    @property
    def state(self):
        if self.violating:
            return "violated"
        return "held" if self.endpoints else "undecided" if self.undecided_endpoints else "never"

    def _keep(self, evidence):
        """The most telling: violations before all, then what applied most often."""
        self.evidence.append(evidence)
        self.evidence.sort(
            key=lambda each: (each.finding is None, bool(each.lacking), -each.violations, -each.occasions)
        )
        del self.evidence[EVIDENCE_MAX:]

    def add_checked(self, capture, end, packets, finding):
        self.occasions += packets
        self.endpoints += 1
        if finding:
            self.violating += 1
            self.violations += finding["violating_packets"]
            self.certainty = min(self.certainty or finding["certainty"], finding["certainty"], key=CERTAINTIES.index)
        self._keep(Evidence(capture, end, packets, finding["violating_packets"] if finding else 0, {}, finding))

    def add_undecided(self, capture, end, packets, lacking):
        self.undecided += packets
        self.undecided_endpoints += 1
        lacking = lacking or {"further occurrences": packets}
        for need, count in lacking.items():
            self.lacking[need] = self.lacking.get(need, 0) + count
        self._keep(Evidence(capture, end, packets, 0, lacking, None))


def words_of(cell):
    """A cell in a few words; of what is undecided, what it lacked most often."""
    if cell.state == "violated":
        sure = "" if cell.certainty == "proven" else f"{cell.certainty}: "
        return f"{sure}violated {cell.violations:,} of {cell.occasions:,}"
    if cell.state == "undecided":
        return f"undecided: {max(cell.lacking, key=cell.lacking.get)}"
    return f"held {cell.occasions:,}" if cell.state == "held" else "never exercised"


def order_of(cell):
    """A number to sort cells by: the states in their order, then by how much."""
    return STATES.index(cell.state) * 10**12 - (cell.violations or cell.occasions or cell.undecided)


class Column(NamedTuple):
    """A set of captures: its name, the gate.Judged of each, the endpoints looked at, {rule: Cell}."""

    name: str
    captures: tuple
    endpoints: int
    cells: dict

    def cell(self, rule):
        return self.cells.get(rule) or NEVER


class Matrix(NamedTuple):
    """rules: sctpa.rule_table.Rule of every row, each with its level here; bases: of each column the number of the one that it is compared with,
    None; generator: of the JSON."""

    rules: tuple
    columns: tuple
    bases: tuple
    generator: dict

    def is_compared(self):
        return any(base is not None for base in self.bases)

    def changes(self, rule):
        """What differs at a rule, a text for each column: "": nothing, or the column is not compared."""
        cells = [column.cell(rule) for column in self.columns]
        return [change(cells[base], cell) if base is not None else "" for cell, base in zip(cells, self.bases)]

    def change_words(self, rule):
        """The same in one text; of more than one comparison each with the name of its column."""
        found = [(column.name, text) for column, text in zip(self.columns, self.changes(rule)) if text]
        return "; ".join(text if len(self.columns) == 2 else f"{name}: {text}" for name, text in found)

    def exercised(self):
        """Rules that some column has an occasion for, and the others."""
        seen = {rule for column in self.columns for rule in column.cells}
        return [rule for rule in self.rules if rule.id in seen], [rule for rule in self.rules if rule.id not in seen]


def change(old, new):
    """What differs between two Cells, "": nothing."""
    return CHANGES.get((old.state, new.state), "") or (
        f"{old.certainty} before, {new.certainty} now" if old.certainty != new.certainty else ""
    )


NEVER = Cell()
CHANGES = {(before, "violated"): "new violation" for before in STATES if before != "violated"}
CHANGES |= {(before, "never"): "no longer exercised" for before in STATES if before != "never"}
CHANGES |= {
    ("violated", "held"): "no longer violated",
    ("undecided", "held"): "decided now",
    ("never", "held"): "exercised now",
    ("never", "undecided"): "exercised now, undecided",
    ("held", "undecided"): "no longer decided",
    ("violated", "undecided"): "no longer decided",
}


def column(settings, name, names, readings):
    """The Column of captures of these names, as they were read."""
    verdict = gate.judge(settings, names, readings)
    cells = {}
    for place, (capture, reading) in enumerate(zip(verdict.captures, readings)):
        findings = {(each["assoc"], each["end"], each["rule"]): each for each in (*capture.new, *capture.below)}
        for end in capture.ends:
            for rule, packets in reading.checked(end):
                if coverage.is_looked_at(settings, rule):
                    cells.setdefault(rule, Cell()).add_checked(
                        place, end, packets, findings.get((end.assoc, end.end, rule))
                    )
            for rule, packets, lacking in reading.undecided(end):
                if coverage.is_looked_at(settings, rule):
                    cells.setdefault(rule, Cell()).add_undecided(place, end, packets, lacking)
    return Column(name, verdict.captures, sum(len(capture.ends) for capture in verdict.captures), cells)


def matrix(settings, table, columns, bases, generator):
    """Matrix of Columns. table: the rules; bases: as of Matrix."""
    rules = tuple(
        rule._replace(level=settings.levels.get(rule.id, rule.level))
        for rule in table.values()
        if coverage.is_looked_at(settings, rule.id)
    )
    return Matrix(rules, tuple(columns), bases, generator)


def _evidence(each, captures):
    finding = each.finding or {}
    return {
        "capture": captures[each.capture].name,
        "association": each.end.assoc,
        "endpoint": each.end.end,
        "role": each.end.role,
        "addresses": each.end.addresses,
        "port": each.end.port,
        "occasions": each.occasions,
        "violating_packets": each.violations,
        "lacking": each.lacking,
        "fingerprint": finding.get("fingerprint"),
        "frames": finding.get("frames", []),
    }


def document(of):
    """What --format json prints."""

    def cell(column, rule, changed):
        found = column.cell(rule.id)
        return {
            "state": found.state,
            "change": changed or None,
            "certainty": found.certainty,
            "occasions": found.occasions,
            "violating_packets": found.violations,
            "endpoints": found.endpoints,
            "violating_endpoints": found.violating,
            "undecided_endpoints": found.undecided_endpoints,
            "undecided_occasions": found.undecided,
            "lacking": found.lacking,
            "evidence": [_evidence(each, column.captures) for each in found.evidence],
        }

    columns = [
        {
            "name": column.name,
            "base": None if base is None else of.columns[base].name,
            "endpoints": column.endpoints,
            "captures": [{"capture": each.name, "not_judged": each.why_not} for each in column.captures],
        }
        for column, base in zip(of.columns, of.bases)
    ]
    rules = [
        {
            "rule": rule.id,
            "level": rule.level,
            "clause": rule.clause,
            "title": rule.title,
            "change": of.change_words(rule.id) or None,
            "cells": [cell(column, rule, changed) for column, changed in zip(of.columns, of.changes(rule.id))],
        }
        for rule in of.rules
    ]
    return {"schema": "sctp-analysis-matrix/1", "generator": of.generator, "columns": columns, "rules": rules}
