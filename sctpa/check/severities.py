# SPDX-License-Identifier: GPL-2.0-or-later
"""The level that a rule has for this gate: its own, or what a file of severities says. A line of the file is `GLOB = LEVEL`."""

from . import rule_names
from .errors import WrongUsage

WORDS = {"must": "MUST", "should": "SHOULD", "note": "heuristic", "off": "off"}


def read(path, rules):
    """{id: level} of the rules that the file names; of several lines the last counts. Raises WrongUsage."""
    levels = {}
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise WrongUsage(f"{path}: {getattr(error, 'strerror', None) or 'is no UTF-8 text'}") from error
    for number, line in enumerate(lines, 1):
        text = line.partition("#")[0].strip()
        if not text:
            continue
        glob, equals, word = (part.strip() for part in text.partition("="))
        if not equals or word.lower() not in WORDS:
            raise WrongUsage(f"{path}:{number}: not of the form RULE = must|should|note|off")
        levels.update(dict.fromkeys(rule_names.named(rules, [glob], f"{path}:{number}"), WORDS[word.lower()]))
    return levels
