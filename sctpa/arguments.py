# SPDX-License-Identifier: GPL-2.0-or-later
"""What the command lines of all commands have in common: how they complain, what values may be, the options of those that read captures.

Needs the standard library only: `./run` checks the usage before it installs anything. Leaves the options of one command to its arguments.py.
"""

import argparse
import contextlib
import os
import pathlib
import sys

from . import whole_files
from .names import safe_text

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
