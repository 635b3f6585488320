# SPDX-License-Identifier: GPL-2.0-or-later
"""One statement of the plugin that somebody reads, beside the truth. Leaves out what is stated (expiries.py, endings.py, losses.py, head_of_line.py)."""

from dataclasses import dataclass

RIGHT, BOUND, EXPLAINED, FALSE = "right", "bound", "explained", "false"
VERDICTS = RIGHT, BOUND, EXPLAINED, FALSE


@dataclass(eq=False)
class Statement:
    """`kind`: what it is about, `verdict`: RIGHT, BOUND (it says "at most" or the like, which holds), EXPLAINED (it differs, for a reason that is
    written down) or FALSE; `what`: said and true, for who looks at a difference."""

    kind: str
    folder: object
    tap: str
    verdict: str
    what: str

    def __str__(self):
        return f"{self.folder.parent.name}/{self.folder.name}/{self.tap} {self.kind}: {self.what}"
