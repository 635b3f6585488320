# SPDX-License-Identifier: GPL-2.0-or-later
"""The command line of ./run report. Needs the standard library only: `./run` checks the usage before it installs anything.

Run as a program it prints the one line that says what is wrong, or nothing. Leaves out the capture itself.
"""

import pathlib
import sys

from sctpa import arguments

USAGE = pathlib.Path(__file__).with_name("usage.txt")


def parse(words):
    """The options as attributes; ends with status 2 and one line when words are wrong, with 0 after --help."""
    parser = arguments.parser("report", USAGE)
    arguments.add_reading(parser)
    parser.add_argument("--association", type=arguments.number(0, 0xFFFFFFFF))
    parser.add_argument("--out", type=arguments.filled, default="sctp_report")
    parser.add_argument("--anonymise", action="store_true")
    parser.add_argument("--setting", dest="settings", action="append", type=arguments.filled, default=[])
    parser.add_argument("--progress", action="store_true")
    chosen = parser.parse_args(words)
    if len(chosen.captures) != 1 and not (chosen.captures and chosen.sequence):
        parser.error("which capture?" if not chosen.captures else "one capture at a time; --sequence reads its files as one")
    return chosen


if __name__ == "__main__":
    parse(sys.argv[1:])
