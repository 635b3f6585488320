# SPDX-License-Identifier: GPL-2.0-or-later
"""Which associations of a triage are one and the same, seen by several captures: at both ends of it, or in the middle.

Two are the same where ports, Verification Tags and Initial TSNs of both endpoints are the same, 128 random bits, and their times overlap. Those whose
keys are not all known (half-associations, set-ups that were not answered) are never the same as another. Leaves showing it to report.py.

Memory: about 2 MB, whatever the number of associations; a temporary file of about 32 bytes for each, which goes with the process.
"""

import contextlib
import errno
import hashlib
import sqlite3

CLOCKS_S = 60.0  # so far two hosts' clocks may be apart
CACHE_KIB = 2000


def identity(assoc):
    """Eight bytes that associations have in common that may be the same; None where an endpoint's keys are not known."""
    ends = [(port, end["vtag"], end["initial_tsn"]) for port, end in zip(assoc["ports"], assoc["endpoints"])]
    if any(None in end for end in ends):
        return None
    # Which endpoint is 0 may differ where both sent an INIT.
    ends.sort()
    return hashlib.blake2b(repr(ends).encode("ascii"), digest_size=8).digest()


@contextlib.contextmanager
def _storing():
    """What SQLite says of its file, as an OSError."""
    try:
        yield
    except sqlite3.Error as error:
        raise OSError(errno.EIO, f"the temporary file of associations seen by several captures: {error}") from error


def _together(rows):
    """Rows (number, index, start_s, end_s) of one identity that overlap, in lists; of at least two captures each."""
    groups, until_s = [], None
    for row in sorted(rows, key=lambda row: (row[2], row[0], row[1])):
        if until_s is None or row[2] > until_s + CLOCKS_S:
            groups.append([])
            until_s = row[3]
        groups[-1].append(row)
        until_s = max(until_s, row[3])
    return [group for group in groups if len({number for number, *_ in group}) > 1]


class Taps:
    """Takes associations with their absolute times; then answers."""

    def __init__(self):
        with _storing():
            self._seen = sqlite3.connect("", isolation_level=None)
            for statement in (
                f"PRAGMA cache_size=-{CACHE_KIB}",
                "PRAGMA temp_store=FILE",
                "PRAGMA journal_mode=OFF",
                "CREATE TABLE seen (identity BLOB, number INTEGER, idx INTEGER, start_s REAL, end_s REAL, PRIMARY KEY (identity, number, idx)) WITHOUT ROWID",
            ):
                self._seen.execute(statement)

    def add(self, number, assoc, capture_start_s):
        """An association of the capture of that number, which begins at capture_start_s since 1970, None: not known. O(log n)."""
        key = identity(assoc)
        if key is None or capture_start_s is None:
            return
        start_s = capture_start_s + assoc["start_s"]
        with _storing():
            self._seen.execute(
                "INSERT OR REPLACE INTO seen VALUES (?, ?, ?, ?, ?)",
                (key, number, assoc["index"], start_s, start_s + assoc["duration_s"]),
            )

    def others(self, entry):
        """[(number, index)] of the same association in other captures. entry: with identity, number and index. O(log n)."""
        if entry.identity is None:
            return []
        with _storing():
            rows = self._seen.execute(
                "SELECT number, idx, start_s, end_s FROM seen WHERE identity = ?", (entry.identity,)
            ).fetchall()
        for group in _together(rows):
            places = [(number, index) for number, index, *_ in group]
            if (entry.number, entry.index) in places:
                return [place for place in places if place[0] != entry.number]
        return []

    def count(self):
        """(how many associations several captures saw, how often these were seen in all). O(n)."""
        associations = seen = 0
        with _storing():
            rows, last = [], None
            for key, *row in self._seen.execute(
                "SELECT identity, number, idx, start_s, end_s FROM seen ORDER BY identity"
            ):
                if key != last:
                    groups, rows, last = _together(rows), [], key
                    associations, seen = associations + len(groups), seen + sum(map(len, groups))
                rows.append(row)
        groups = _together(rows)
        return associations + len(groups), seen + sum(map(len, groups))
