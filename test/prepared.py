# SPDX-License-Identifier: GPL-2.0-or-later
"""What a program below test/ needs before it begins: test/prepare, called from Python."""

import pathlib
import subprocess
import sys

PREPARE = pathlib.Path(__file__).resolve().parent / "prepare"


def prepare(*words):
    """Installs and builds as `test/prepare WORDS` does; where that fails, it has said why, and the program ends with its status."""
    status = subprocess.run([PREPARE, *words], stdin=subprocess.DEVNULL, check=False).returncode
    if status:
        sys.exit(status)
