# SPDX-License-Identifier: GPL-2.0-or-later
"""The command line of `./run watch`; usage.txt says what it means.

Run as a program it prints the one line that says what is wrong, or nothing. Leaves what INTERFACE and RING name to sources.py.
"""

import pathlib
import sys

from sctpa.arguments import filled, number, parser

USAGE = pathlib.Path(__file__).with_name("usage.txt")
REPORT = ("pause", "idle", "memory")
YEAR_S = 365 * 24 * 3600


def parse(words):
    """The options as attributes, `report` the argument of tshark's -z; ends with status 2 and one line when words are wrong, with 0 after --help."""
    of_watch = parser("watch", USAGE)
    of_watch.add_argument("-f", "--capture-filter", type=filled)
    of_watch.add_argument("--log", type=filled)
    of_watch.add_argument("--metrics", type=filled)
    of_watch.add_argument("--lines", type=number(0, 1_000_000), default=20)
    of_watch.add_argument("--pause", type=number(1, YEAR_S))
    of_watch.add_argument("--idle", type=number(1, YEAR_S))
    of_watch.add_argument("--memory", type=number(1, 1 << 20))
    of_watch.add_argument("-o", "--option", dest="options", action="append", type=filled, default=[])
    of_watch.add_argument("named", nargs="*")
    chosen = of_watch.parse_args(words)
    if not chosen.named:
        of_watch.error("watch what? An interface, a ring of files, or -")
    if "-" in chosen.named and len(chosen.named) > 1:
        of_watch.error("the standard input is watched alone")
    chosen.report = "sctp,watch" + "".join(f",{name}={value}" for name in REPORT if (value := getattr(chosen, name)) is not None)
    return chosen


if __name__ == "__main__":
    parse(sys.argv[1:])
