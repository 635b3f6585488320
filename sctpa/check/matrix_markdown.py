# SPDX-License-Identifier: GPL-2.0-or-later
"""A matrix as a table of Markdown, small enough for a repository: no evidence, of rules without an occasion their names only."""

from sctpa.names import safe_text
from sctpa.rule_table import level_word

from .matrix import words_of

SIGNS = {"held": "{words}", "violated": "**{words}**", "undecided": "*{words}*", "never": "-"}


def _cell(cell):
    return SIGNS[cell.state].format(words=words_of(cell))


def _escaped(text):
    return safe_text(text).replace("\\", "\\\\").replace("|", "\\|").replace("*", "\\*").replace("<", "\\<")


def write(of):
    """The table as text."""
    exercised, never = of.exercised()
    heads = ["rule", "level", *(_escaped(column.name) for column in of.columns), *["change"] * of.is_compared(), "what"]
    lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for rule in exercised:
        cells = [rule.id, level_word(rule.level), *(_cell(column.cell(rule.id)) for column in of.columns)]
        cells += [*[_escaped(of.change_words(rule.id))] * of.is_compared(), _escaped(rule.title)]
        lines.append(f"| {' | '.join(cells)} |")
    if never:
        lines += ["", f"Never exercised: {', '.join(rule.id for rule in never)}."]
    return "\n".join(lines)
