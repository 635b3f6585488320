# SPDX-License-Identifier: GPL-2.0-or-later
"""The kinds of retransmission of truth and plugin side by side. Leaves out what is printed (compare, pages.py)."""

from collections import Counter
from dataclasses import dataclass

import truth
from plugin_fields import said

KINDS = ("fast", "early", "timeout", "probe", "handover", "report", "unknown", "not seen")
UNKNOWN, NOT_SEEN = "unknown", "not seen"
EXPECT_UNKNOWN = ("pmtu", "window")


@dataclass(eq=False)
class Compared:
    """One retransmission: `truth` (tap.Retransmission) and `ours`, the plugin's kind; "not seen" where it has none."""

    folder: object
    end: str
    truth: object
    ours: str

    @property
    def is_decided(self):
        return self.truth.truth != "undecided"

    @property
    def is_right(self):
        expected = UNKNOWN if self.truth.truth in EXPECT_UNKNOWN else self.truth.truth
        return self.ours in expected.split("|")

    @property
    def is_wrong(self):
        """A kind that the truth denies; `unknown` never is."""
        return self.is_decided and not self.is_right and self.ours != UNKNOWN

    @property
    def is_different(self):
        """Wrong, or unknown where the truth has a kind."""
        return self.is_decided and not self.is_right

    @property
    def where(self):
        return f"{self.folder.parent.name}/{self.folder.name}/{self.end}"

    def __str__(self):
        sent = self.truth
        return (f"{self.where} frame {sent.frame} TSN {sent.tsn} (assoc {sent.assoc}): truth {sent.truth}, ours {self.ours}; "
                f"transmission {sent.number}, {sent.since * 1000:.3f} ms after frame {sent.previous}; {sent.evidence}; "
                f"{sent.size} bytes to {sent.destination}; {sent.why}")


def compared(tshark, folder, end):
    """Compared of each retransmission by this end, at its tap."""
    wanted = truth.kinds(folder, end)
    if not wanted:
        return []
    fields = said(tshark, folder, end)
    result = []
    for sent in wanted:
        chunks = fields[sent.frame].chunks
        ours = chunks[sent.place][1] if sent.place < len(chunks) else None
        result.append(Compared(folder, end, sent, ours or NOT_SEEN))
    return result


def table(rows):
    """(truth, ours) -> count."""
    return Counter((row.truth.truth, row.ours) for row in rows)
