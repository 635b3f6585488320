# SPDX-License-Identifier: GPL-2.0-or-later
"""Programs that stand in for those that a program under test starts."""


def stub(path, text):
    """Writes a program of bash to path, and the folders that lead there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/bash\n{text}\n")
    path.chmod(0o755)
