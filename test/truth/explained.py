"""Differences between truth and plugin that are known and explained: explained.tsv, one row per cause. Rows about a `kind`
excuse it in the test, `where` being a pattern; those about RTT, RTO and counters are for readers."""

import fnmatch
import functools
import pathlib

TABLE = pathlib.Path(__file__).resolve().parent / "explained.tsv"


@functools.cache
def rows():
    names, *lines = (line.rstrip("\n").split("\t") for line in open(TABLE) if line.strip())
    return [dict(zip(names, line)) for line in lines]


def of(*what):
    return [row for row in rows() if row["what"] in what]


def reason(compared):
    """Why this kind (kinds.Compared) differs, None when nobody has explained it."""
    for row in of("kind"):
        if fnmatch.fnmatch(compared.where, row["where"]) and (row["truth"], row["ours"]) == (compared.truth.truth, compared.ours):
            return row["reason"]
    return None
