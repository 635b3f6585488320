# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes the SCTP packets of a capture to a file that the tests of the dialogs scenario: write_packets.py CAPTURE FILE."""

import pathlib
import sys

TEST = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TEST), str(TEST / "lab")]

from replay import extract  # noqa: E402

if __name__ == "__main__":
    sys.exit(extract.write(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])) == 0)
