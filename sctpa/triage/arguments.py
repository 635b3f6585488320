# SPDX-License-Identifier: GPL-2.0-or-later
"""The command line of `./run triage` and its help. Needs the standard library only: `./run` checks the usage before it installs anything.

Run as a program it prints the one line that says what is wrong, or nothing. Leaves out the captures themselves.
"""

import sys

from sctpa.arguments import ASSERTIONS, Parser, add_captures, add_reading, asserted, filled, number

from . import selection

PURPOSE = """\
Triages captures in parallel and writes a report of all of them. Folders are
searched recursively for capture files. Re-running the same command skips
captures already processed: an interrupted run goes on where it was."""
STATUSES = """\
Exit status: 0 every capture was read to its end, 1 some were not (what could be
read is reported) or the results could not be written, 2 wrong usage or
preference, 3 the plugin could not be installed, built or loaded."""


def _add_selection(made):
    """Which packets and associations count."""
    made.add_argument(
        "-Y", "--filter", type=filled, metavar="FILTER", help="count only packets that match this display filter"
    )
    made.add_argument(
        "--from",
        dest="begin",
        type=selection.time,
        metavar="TIME",
        help="count only packets from TIME on: as 2024-12-31T23:59:59.5 (UTC, or with +01:00) or as seconds since 1970",
    )
    made.add_argument(
        "--to", dest="end", type=selection.time, metavar="TIME", help="count only packets before TIME, given likewise"
    )
    made.add_argument(
        "--only",
        action="append",
        type=selection.network,
        default=[],
        metavar="ADDR",
        help="only associations with an endpoint that has this address, or one in this network; may be repeated",
    )


def parser():
    """The Parser of ./run triage."""
    made = Parser("triage", ["[options] [--] FOLDER|CAPTURE..."], PURPOSE, STATUSES)
    add_reading(made, "--jobs")
    made.add_argument(
        "--out",
        type=filled,
        default="sctp_triage",
        metavar="FOLDER",
        help="where report.html, associations.ndjson and the CSV files go (default: sctp_triage)",
    )
    made.add_argument(
        "--sections",
        type=number(0, 10_000),
        default=100,
        metavar="N",
        help="associations with plots and tables of their own in the report, the worst first (default: 100)",
    )
    _add_selection(made)
    add_reading(made, "--sequence")
    made.add_argument(
        "--files-from",
        type=filled,
        metavar="L",
        help="also read the files and folders listed in L, one per line or NUL-terminated; - is standard input",
    )
    made.add_argument("--anonymise", action="store_true", help="no address, name or text of a capture in the results")
    made.add_argument(
        "--keep-prefixes",
        action="store_true",
        help="with --anonymise: addresses that have a prefix in common still do (Crypto-PAn, Python package yacryptopan)",
    )
    add_reading(made, "--timeout")
    made.add_argument(
        "--no-report",
        dest="report",
        action="store_false",
        help="only read the captures: for one of several machines that share FOLDER; a last run without it writes the report",
    )
    made.add_argument(
        "--list-unread",
        action="store_true",
        help="read nothing; print the captures that are still to be read, as a list for --files-from: their files, each behind a NUL, and a NUL "
        "after each capture (with --sequence, such a list keeps them apart)",
    )
    add_reading(made, "--option", *ASSERTIONS)
    add_captures(made)
    return made


def parse(words):
    """The options as attributes; ends with status 2 and one line when words are wrong, with 0 after --help."""
    of_triage = parser()
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
