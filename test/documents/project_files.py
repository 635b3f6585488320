# SPDX-License-Identifier: GPL-2.0-or-later
"""The files of the project: what git tracks or would track, or in a copy without git all but what is built.

Leaves out what they hold.
"""

import pathlib
import subprocess

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
BUILT = {"build", "__pycache__", ".pytest_cache", ".git", "target", "sctp_triage"}


def paths():
    """Paths below TOP, relative to it, in order; a symbolic link is a file. Cost: one call of git, or one walk."""
    if (TOP / ".git").exists():
        command = ["git", "-c", f"safe.directory={TOP}", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(command, cwd=TOP, capture_output=True, check=True).stdout.decode().split("\0")
        found = {pathlib.Path(name) for name in names if name}
    else:
        found = {path.relative_to(TOP) for path in TOP.rglob("*") if not path.is_dir() and not BUILT & set(path.relative_to(TOP).parts)}
    return sorted(path for path in found if (TOP / path).exists())
