# SPDX-License-Identifier: GPL-2.0-or-later
"""Differences between truth and plugin that are known and explained: explained.tsv, one row per cause. Rows about a `kind`, a
`path` or an `outage` excuse it in the test, `where` being a pattern; those about RTT, RTO and counters are for readers."""

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


def places(what):
    """(reason, places with commas) of each reason, in order."""
    reasons = {}
    for row in of(what):
        reasons.setdefault(row["reason"], []).append(row["where"])
    return [(reason, ", ".join(dict.fromkeys(where))) for reason, where in reasons.items()]


def find(what, where, true, ours):
    for row in of(what):
        if fnmatch.fnmatch(where, row["where"]) and (row["truth"], row["ours"]) == (true, ours):
            return row["reason"]
    return None


def reason(compared):
    """Why this kind (kinds.Compared) differs, None when nobody has explained it."""
    return find("kind", compared.where, compared.truth.truth, compared.ours)


def reason_of_path(difference):
    """The same for a path_events.Difference."""
    return find("path", difference.where, difference.truth, difference.ours)


def reason_of_outage(difference):
    """The same for an idle_paths.Difference."""
    return find("outage", difference.where, difference.truth, difference.ours)
