# SPDX-License-Identifier: GPL-2.0-or-later
"""./run explain: what a rule asks, by the table of rules, and which stacks violate it, by docs/generated/stacks.md."""

import pathlib
import re
import textwrap

from sctpa.arguments import show
from sctpa.rule_table import level_word

from . import rule_names
from .errors import STATUS_NOTHING_NEW

STACKS = pathlib.Path(__file__).resolve().parent.parent.parent / "docs" / "generated" / "stacks.md"
WIDTH = 80


def known_stacks(rule):
    """[(captures, endpoint, proof)] of the first table of docs/generated/stacks.md."""
    text = STACKS.read_text(encoding="utf-8").split("\n# ")[0]
    rows = (re.split(r"(?<!\\) \| ", line.strip("| ")) for line in text.splitlines() if line.startswith("| "))
    return [
        (cells[0].replace("\\", ""), cells[3], cells[-1].replace("\\", ""))
        for cells in rows
        if len(cells) == 6 and cells[1] == rule
    ]


def _paragraph(head, text):
    return textwrap.wrap(
        f"{head}: {text}", WIDTH, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False
    )


def _lines(rule):
    yield from textwrap.wrap(f"{rule.id}: {rule.title}", WIDTH)
    since = "" if f"RFC {rule.since} " in f"{rule.clause} " else f", since RFC {rule.since}"
    yield from textwrap.wrap(f"{level_word(rule.level)}, {rule.clause}{since}. Of: {rule.accused}.", WIDTH)
    yield ""
    if rule.quote:
        yield from textwrap.wrap(f'"{rule.quote}"', WIDTH, initial_indent="  ", subsequent_indent="  ")
        yield ""
    yield from _paragraph("Why it matters", rule.why)
    yield from _paragraph("Evidence", rule.evidence)
    yield from _paragraph("Possible false positive", rule.caveat)
    yield from _paragraph("Needs", ", ".join(rule.needs) or "nothing")
    yield from _paragraph("Goes by what the endpoint", rule.goes_by if rule.goes_by != "nothing" else "sent itself")
    if rule.reported_from != "1":
        yield from _paragraph("Reported", f"from occurrence {rule.reported_from} on")
    yield from _paragraph("At best", rule.certainty)
    stacks = known_stacks(rule.id)
    if not stacks:
        yield "Known in stacks: none"
    for captures, endpoint, proof in stacks:
        yield from _paragraph(f"Known in {captures}", f"endpoint {endpoint}: {proof}")


def report(globs, rules):
    """Prints the rules that the globs name; returns the status. Raises WrongUsage."""
    found = rule_names.named(rules, globs, "explain")
    show("\n\n".join("\n".join(_lines(rules[rule])) for rule in found) + "\n")
    return STATUS_NOTHING_NEW
