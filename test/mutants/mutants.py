# SPDX-License-Identifier: GPL-2.0-or-later
"""Captures with one deviation each and their innocent twins: what their labels say, and what of it the model finds (README.md)."""

import collections
import csv
import functools
import pathlib
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER.parent / "model"), str(FOLDER.parent)]


def table(name):
    with open(FOLDER / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def listed(cell):
    return set(filter(None, cell.split(",")))


@functools.lru_cache(maxsize=None)
def _broken():
    """{file: rules that are broken in it, or may be said to be}."""
    broken = collections.defaultdict(set)
    for row in table("expected.tsv"):
        broken[row["file"]] |= {row["rule"]} | listed(row["accept"]) | listed(row["also"])
    for row in table("innocent.tsv"):
        broken[row["file"]] |= listed(row["also"])
    return broken


def may_be_found(file, rule):
    """A finding of rule in this file, or in a worse copy of it, is not known to be false."""
    return rule in _broken()[file] or any(name.startswith("BUG-") for name in _broken()[file])
