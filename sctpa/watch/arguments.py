# SPDX-License-Identifier: GPL-2.0-or-later
"""The command line of `./run watch` and its help.

Run as a program it prints the one line that says what is wrong, or nothing. Leaves what INTERFACE and RING name to sources.py.
"""

import sys

from sctpa.arguments import Parser, add_reading, filled, number

REPORT = ("pause", "idle", "memory")
YEAR_S = 365 * 24 * 3600
PURPOSE = """\
Reports on SCTP as it passes, without an end: one line for each set-up or path
that fails, for data that waits, for each proven violation, ABORT and restart.

INTERFACE is one that dumpcap -D lists. RING is a folder in which a ring of
capture files is being written (dumpcap -b), or the files themselves: they are
read as one capture, and those that follow. - is the standard input:
    ssh gateway tcpdump -U -w - sctp | ./run watch -

It goes on until Ctrl-C or SIGTERM, or until the input ends, and then reports
what it knows of every association that it still holds."""
STATUSES = """\
Exit status: 0 ended by a signal or at the end of the input, 1 something was
lost (said on stderr), 2 wrong usage, 3 the plugin could not be built or loaded."""


def parser():
    """The Parser of ./run watch."""
    made = Parser("watch", ["[options] [--] INTERFACE | RING... | -"], PURPOSE, STATUSES)
    made.add_argument(
        "-f", "--capture-filter", type=filled, metavar="FILTER", help="of an INTERFACE (default: sctp or udp port 9899)"
    )
    made.add_argument(
        "--log",
        type=filled,
        metavar="FILE",
        help="add every line of -z sctp,watch to FILE (NDJSON): events with their file and frame, and a line per association",
    )
    made.add_argument(
        "--metrics",
        type=filled,
        metavar="FILE",
        help="keep counters in FILE, in the text format of Prometheus; it is replaced every 10 seconds, as a whole",
    )
    made.add_argument(
        "--lines",
        type=number(0, 1_000_000),
        default=20,
        metavar="N",
        help="print at most N lines a minute of each kind of event, and how many were left out (default 20; 0: print none)",
    )
    made.add_argument(
        "--pause", type=number(1, YEAR_S), metavar="SECONDS", help="report data that has been waiting for longer"
    )
    made.add_argument(
        "--idle", type=number(1, YEAR_S), metavar="SECONDS", help="discard an association that was silent for so long"
    )
    made.add_argument(
        "--memory",
        type=number(1, 1 << 20),
        metavar="MIB",
        help="discard parts of associations above it (docs/reports.md has the defaults of these three)",
    )
    add_reading(made, "--option", help="set a preference, such as sctp_analysis.profile:9260")
    made.add_argument("named", nargs="*")
    return made


def parse(words):
    """The options as attributes, `report` the argument of tshark's -z; ends with status 2 and one line when words are wrong, with 0 after --help."""
    of_watch = parser()
    chosen = of_watch.parse_args(words)
    if not chosen.named:
        of_watch.error("watch what? An interface, a ring of files, or -")
    if "-" in chosen.named and len(chosen.named) > 1:
        of_watch.error("the standard input is watched alone")
    chosen.report = "sctp,watch" + "".join(
        f",{name}={value}" for name in REPORT if (value := getattr(chosen, name)) is not None
    )
    return chosen


if __name__ == "__main__":
    parse(sys.argv[1:])
