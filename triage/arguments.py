# SPDX-License-Identifier: GPL-2.0-or-later
"""The command line of `./run triage`, and what the other commands that read captures take as it does. Needs the standard library only: `./run` checks the usage before it installs anything.

Run as a program it prints the one line that says what is wrong, or nothing. Leaves out the captures themselves.
"""

import argparse
import contextlib
import os
import pathlib
import sys

from . import selection, whole_files
from .names import safe_text

USAGE = pathlib.Path(__file__).with_name("usage.txt")
# By the file that packaging/CMakeLists.txt writes, as ../run does.
IS_INSTALLED = (pathlib.Path(__file__).resolve().parent.parent / "plugin_folder").exists()
COMMAND = "sctp-analysis" if IS_INSTALLED else "./run"
STATUS_READ, STATUS_NOT_READ, STATUS_USAGE, STATUS_PLUGIN = range(4)


def say(text):
    """One line on stderr, as ./run's; what a terminal would obey is shown as text. Where nobody can read it the work goes on all the same."""
    with contextlib.suppress(OSError):
        print(f"{pathlib.Path(COMMAND).name}: {safe_text(text)}", file=sys.stderr, flush=True)


def show(text):
    """A result on stdout, at once. Whoever reads no further, as head, has what was wanted. Raises OSError."""
    left = text.encode("utf-8", "backslashreplace")
    with whole_files.naming("the result"), contextlib.suppress(BrokenPipeError):
        while left:
            left = left[os.write(1, left):]


def number(least, most):
    """A type of argparse: whole numbers from least to most."""
    def read(text):
        if not (text.isascii() and text.isdigit() and least <= int(text) <= most):
            raise argparse.ArgumentTypeError(f"{safe_text(text)} is no number from {least} to {most}")
        return int(text)
    return read


def filled(text):
    """A type of argparse: any text but none."""
    if not text:
        raise argparse.ArgumentTypeError("needs a value")
    return text


def asserted(chosen):
    """The preferences that assert what the options say of the captures."""
    return (["sctp_analysis.capture_complete:TRUE"] * chosen.complete
            + [f"sctp_analysis.taken_at:{','.join(chosen.taken_at)}"] * bool(chosen.taken_at)
            + [f"sctp_analysis.endpoint_parameters:{'; '.join(chosen.parameters)}"] * bool(chosen.parameters))


def parser(command, usage):
    """The parser of `./run command`: wrong usage is one line and status 2, --help is the text of the file usage."""
    class Parser(argparse.ArgumentParser):
        def error(self, message):
            say(f"{message} ({COMMAND} {command} --help)")
            sys.exit(STATUS_USAGE)

    class Help(argparse.Action):
        def __call__(self, *_):
            sys.stdout.write(usage.read_text(encoding="ascii").replace("./run", COMMAND))
            sys.exit(STATUS_READ)

    made = Parser(prog=f"{COMMAND} {command}", add_help=False, allow_abbrev=False)
    made.add_argument("-h", "--help", action=Help, nargs=0)
    return made


def add_reading(to, capture=str):
    """How captures are read: the options that every command has that reads some, and the captures; capture: their type."""
    to.add_argument("--jobs", type=number(1, 1024), default=os.cpu_count() or 1)
    to.add_argument("--timeout", type=number(1, 10_000_000), default=3600)
    to.add_argument("-o", "--option", dest="options", action="append", type=filled, default=[])
    to.add_argument("--complete", action="store_true")
    to.add_argument("--taken-at", action="append", type=filled, default=[])
    to.add_argument("--sequence", action="store_true")
    to.add_argument("--parameter", dest="parameters", action="append", type=filled, default=[])
    to.add_argument("captures", nargs="*", type=capture)


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
