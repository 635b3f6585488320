# SPDX-License-Identifier: GPL-2.0-or-later
"""The command line of ./run report and its help. Needs the standard library only: `./run` checks the usage before it installs anything.

Run as a program it prints the one line that says what is wrong, or nothing. Leaves out the capture itself.
"""

import sys

from sctpa.arguments import ASSERTIONS, Parser, add_captures, add_reading, filled, number

PURPOSE = """\
Writes what somebody else needs to verify what one association shows: a page
with the verdict, the violations, their packets and plots (report.html), the
set-up and the packets of the evidence with comments (evidence.pcapng), and the
text of an issue (issue.md)."""
STATUSES = """\
Exit status: 0 the capture was read to its end, 1 it was not (what could be read
is reported), it has no such association, or a file could not be written,
2 wrong usage or preference, 3 the plugin could not be installed, built or
loaded."""


def parser():
    """The Parser of ./run report."""
    made = Parser("report", ["[options] [--] CAPTURE", "--sequence [options] [--] CAPTURE..."], PURPOSE, STATUSES)
    made.add_argument(
        "--association", type=number(0, 0xFFFFFFFF), metavar="N", help="which one (default: the worst, by triage)"
    )
    made.add_argument(
        "--out",
        type=filled,
        default="sctp_report",
        metavar="FOLDER",
        help="where the three files go (default: sctp_report); files of these names there are replaced",
    )
    made.add_argument(
        "--anonymise",
        action="store_true",
        help="replace addresses, names and user data in all three files, packets included; checksums that were right stay right",
    )
    add_reading(made, "--sequence")
    add_reading(made, "--timeout", help="give up when one run of tshark takes longer than S seconds (default: 3600)")
    add_reading(made, "--option", *ASSERTIONS)
    made.add_argument(
        "--setting",
        dest="settings",
        action="append",
        type=filled,
        default=[],
        metavar="PREF:VALUE",
        help="like --option, but left out of the commands in the report",
    )
    made.add_argument("--progress", action="store_true", help="print each step on stderr")
    add_reading(made, "--jobs", help=None)
    add_captures(made)
    return made


def parse(words):
    """The options as attributes; ends with status 2 and one line when words are wrong, with 0 after --help."""
    of_report = parser()
    chosen = of_report.parse_args(words)
    if len(chosen.captures) != 1 and not (chosen.captures and chosen.sequence):
        of_report.error(
            "which capture?" if not chosen.captures else "one capture at a time; --sequence reads its files as one"
        )
    return chosen


if __name__ == "__main__":
    parse(sys.argv[1:])
