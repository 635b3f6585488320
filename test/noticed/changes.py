# SPDX-License-Identifier: GPL-2.0-or-later
"""Small changes of C code, drawn at random: an operator, a constant, a condition, or an answer becomes another one."""

import collections
import random
import re

# The text of line `line` of `path` (from 1) from `start` on: `old` became `new`.
Change = collections.namedtuple("Change", "path line start old new")

OPERATORS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&", "+": "-", "-": "+", "+=": "-=", "-=": "+="}
# An operator between blanks has two operands; a pointer or a sign has none before it.
PLACES = re.compile(r"(?<= )(?:<=|>=|==|!=|&&|\|\||\+=|-=|[<>+-])(?= )|\b(?:true|false)\b|(?<![\w.])\d+(?![\w.])|(?<=if \()(?!\!)[^()]+(?=\)$)")
BLANKED = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
ROW = re.compile(r"^RULE\(.*?\);$", re.M | re.S)


def _blanked(text):
    """The text with comments, strings and characters as blanks, so that places stay."""
    for what in (BLANKED, ROW):
        text = what.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    return text


def _other(old):
    if old in OPERATORS:
        return OPERATORS[old]
    if old in ("true", "false"):
        return "false" if old == "true" else "true"
    return str(int(old) + 1) if old.isdigit() else f"!({old})"


def places(path, text):
    """Every change of a file that can be drawn: of indented lines, but those of the preprocessor and of rows of rules."""
    for number, (blanked, line) in enumerate(zip(_blanked(text).split("\n"), text.split("\n")), 1):
        if blanked.lstrip().startswith("#") or not blanked.startswith("    "):
            continue
        for found in PLACES.finditer(blanked):
            old = line[found.start():found.end()]
            yield Change(path, number, found.start(), old, _other(old))


def draw(paths, n, seed):
    """n changes of the code of the files, each of another line, the same ones for a seed."""
    everywhere = [change for path in sorted(paths) for change in places(path, path.read_text(encoding="utf-8"))]
    random.Random(seed).shuffle(everywhere)
    drawn = {}
    for change in everywhere:
        drawn.setdefault((change.path, change.line), change)
    return list(drawn.values())[:n]


def changed(text, change):
    lines = text.split("\n")
    line = lines[change.line - 1]
    assert line[change.start:].startswith(change.old)
    lines[change.line - 1] = line[:change.start] + change.new + line[change.start + len(change.old):]
    return "\n".join(lines)
