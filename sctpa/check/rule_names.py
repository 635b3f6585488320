# SPDX-License-Identifier: GPL-2.0-or-later
"""Names of rules as options have them, with * and ?. Leaves the rules to sctpa/rule_table.py."""

import fnmatch

from .errors import WrongUsage


def split(globs):
    """The names in texts that commas separate."""
    return [name.strip().upper() for text in globs for name in text.split(",") if name.strip()]


def named(rules, globs, option):
    """Ids of the rules that one of the globs names, in the order of the table. Raises WrongUsage for one that names none."""
    found = set()
    for glob in split(globs):
        ids = fnmatch.filter(rules, glob)
        if not ids:
            raise WrongUsage(f"{option}: no rule is called {glob}")
        found.update(ids)
    return [rule for rule in rules if rule in found]
