# SPDX-License-Identifier: GPL-2.0-or-later
"""Which rules had an occasion: at how many endpoints each was checked, violated, or could not be evaluated, and for lack of what.

An endpoint of an association counts once per rule, however many packets gave an occasion.
"""

from collections import Counter
from typing import NamedTuple

from .errors import WrongUsage


class Row(NamedTuple):
    """A rule, of endpoints of one role: at how many it was checked and violated, how often in all, at how many it was undecided, at how many
    packets it applied where it was checked, {need: endpoints where it was undecided for lack of it}."""

    rule: str
    role: str
    checked: int
    violated: int
    occurrences: int
    undecided: int
    occasions: int
    lacks: dict


def is_looked_at(settings, rule):
    """Does the user want the rule looked at?"""
    return (settings.rules is None or rule in settings.rules) and settings.levels.get(rule) != "off"


def looked_at(settings, rules):
    """Those of the rules that the user wants looked at."""
    return [rule for rule in rules if is_looked_at(settings, rule)]


def count(settings, captures, readings):
    """Rows in the order of rules and roles. Captures that could not be read count with what was read of them."""
    checked, undecided, lacks, violated, times, occasions = Counter(), Counter(), {}, Counter(), Counter(), Counter()
    for capture, reading in zip(captures, readings):
        for end in capture.ends:
            for rule, packets in reading.checked(end):
                if is_looked_at(settings, rule):
                    checked[rule, end.role] += 1
                    occasions[rule, end.role] += packets
            for rule, _, lacked in reading.undecided(end):
                if is_looked_at(settings, rule):
                    undecided[rule, end.role] += 1
                    lacks.setdefault((rule, end.role), Counter()).update(lacked.keys() or {"occurrences"})
        roles = {(end.assoc, end.end): end.role for end in capture.ends}
        for finding in (*capture.new, *capture.accepted, *capture.below):
            key = finding["rule"], roles[finding["assoc"], finding["end"]]
            violated[key] += 1
            times[key] += finding["count"]
    keys = sorted({*checked, *undecided, *violated})
    return tuple(
        Row(*key, checked[key], violated[key], times[key], undecided[key], occasions[key], dict(lacks.get(key, {})))
        for key in keys
    )


def exercised(path):
    """Rules of a file: rows of write() with a number of endpoints where the rule was checked, or names of rules, one a line."""
    try:
        with open(path, encoding="utf-8") as file:
            lines = [line.partition("#")[0].split() for line in file]
    except (OSError, UnicodeDecodeError) as error:
        raise WrongUsage(f"{path}: {getattr(error, 'strerror', None) or 'is no UTF-8 text'}") from error
    return list(
        dict.fromkeys(
            cells[0] for cells in lines if cells and cells[0] != "rule" and (len(cells) < 3 or cells[2] != "0")
        )
    )


def text(rows):
    """The rows as a table that tabs separate."""
    yield "\t".join(Row._fields)
    for row in rows:
        yield "\t".join(
            [*map(str, row[:-1]), ",".join(f"{need}:{times}" for need, times in sorted(row.lacks.items())) or "-"]
        )
