# SPDX-License-Identifier: GPL-2.0-or-later
"""The command line of `./run triage`. Needs the standard library only: `./run` checks the usage before it installs anything.

Run as a program it prints the one line that says what is wrong, or nothing. Leaves out the captures themselves.
"""

import pathlib
import sys

from sctpa.arguments import add_reading, asserted, filled, number, parser

from . import selection

USAGE = pathlib.Path(__file__).with_name("usage.txt")


def parse(words):
    """The options as attributes; ends with status 2 and one line when words are wrong, with 0 after --help."""
    of_triage = parser("triage", USAGE)
    add_reading(of_triage)
    of_triage.add_argument("--out", type=filled, default="sctp_triage")
    of_triage.add_argument("--sections", type=number(0, 10_000), default=100)
    of_triage.add_argument("-Y", "--filter", type=filled)
    of_triage.add_argument("--from", dest="begin", type=selection.time)
    of_triage.add_argument("--to", dest="end", type=selection.time)
    of_triage.add_argument("--only", action="append", type=selection.network, default=[])
    of_triage.add_argument("--files-from", type=filled)
    of_triage.add_argument("--anonymise", action="store_true")
    of_triage.add_argument("--keep-prefixes", action="store_true")
    of_triage.add_argument("--no-report", dest="report", action="store_false")
    of_triage.add_argument("--list-unread", action="store_true")
    chosen = of_triage.parse_args(words)
    if not chosen.captures and not chosen.files_from:
        of_triage.error("which captures?")
    if chosen.keep_prefixes and not chosen.anonymise:
        of_triage.error("--keep-prefixes needs --anonymise")
    if chosen.begin and chosen.end and float(chosen.begin) >= float(chosen.end):
        of_triage.error("--from is not before --to")
    chosen.options += asserted(chosen)
    chosen.selection = selection.Selection(chosen.filter, chosen.begin, chosen.end, tuple(chosen.only))
    return chosen


if __name__ == "__main__":
    parse(sys.argv[1:])
