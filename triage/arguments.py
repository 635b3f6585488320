# SPDX-License-Identifier: GPL-2.0-or-later
"""The command line of `./run triage`. Needs the standard library only: `./run` checks the usage before it installs anything.

Run as a program it prints the one line that says what is wrong, or nothing. Leaves out the captures themselves.
"""

import argparse
import os
import pathlib
import sys

from .names import safe_text

USAGE = pathlib.Path(__file__).with_name("usage.txt")
STATUS_READ, STATUS_NOT_READ, STATUS_USAGE, STATUS_PLUGIN = range(4)


def say(text):
    """One line on stderr, as ./run's; what a terminal would obey is shown as text."""
    print(f"run: {safe_text(text)}", file=sys.stderr, flush=True)


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        say(f"{message} (./run triage --help)")
        sys.exit(STATUS_USAGE)


class _Help(argparse.Action):
    def __call__(self, *_):
        sys.stdout.write(USAGE.read_text(encoding="ascii"))
        sys.exit(STATUS_READ)


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


def parse(words):
    """The options as attributes; ends with status 2 and one line when words are wrong, with 0 after --help."""
    parser = _Parser(prog="./run triage", add_help=False, allow_abbrev=False)
    parser.add_argument("-h", "--help", action=_Help, nargs=0)
    parser.add_argument("--jobs", type=number(1, 1024), default=os.cpu_count() or 1)
    parser.add_argument("--out", type=filled, default="sctp_triage")
    parser.add_argument("--sections", type=number(0, 10_000), default=100)
    parser.add_argument("--timeout", type=number(1, 10_000_000), default=3600)
    parser.add_argument("--anonymise", action="store_true")
    parser.add_argument("--no-report", dest="report", action="store_false")
    parser.add_argument("-o", "--option", dest="options", action="append", type=filled, default=[])
    parser.add_argument("--complete", action="store_true")
    parser.add_argument("--taken-at", action="append", type=filled, default=[])
    parser.add_argument("--parameter", dest="parameters", action="append", type=filled, default=[])
    parser.add_argument("captures", nargs="*")
    chosen = parser.parse_args(words)
    if not chosen.captures:
        parser.error("which captures?")
    chosen.options += asserted(chosen)
    return chosen


if __name__ == "__main__":
    parse(sys.argv[1:])
