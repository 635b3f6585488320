# SPDX-License-Identifier: GPL-2.0-or-later
"""What the command lines of all commands have in common: how they complain, what values may be, the options of those that read captures.

Needs the standard library only: `./run` checks the usage before it installs anything. Leaves the options of one command to its arguments.py.
"""

import argparse
import contextlib
import decimal
import os
import pathlib
import re
import sys
import textwrap

from . import whole_files
from .names import safe_text

# By the file that packaging/CMakeLists.txt writes, as ../run does.
IS_INSTALLED = (pathlib.Path(__file__).resolve().parent.parent / "plugin_folder").exists()
COMMAND = "sctp-analysis" if IS_INSTALLED else "./run"
# The most that an unsigned preference of Wireshark holds.
MS_MOST = 0xFFFFFFFF
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
            left = left[os.write(1, left) :]


def number(least, most):
    """A type of argparse: whole numbers from least to most."""

    def read(text):
        if not (text.isascii() and text.isdigit() and least <= int(text) <= most):
            raise argparse.ArgumentTypeError(f"{safe_text(text)} is no number from {least} to {most}")
        return int(text)

    return read


def milliseconds(text):
    """A type of argparse: seconds from 0.001 on, as whole milliseconds, rounded down."""
    is_plain = re.fullmatch(r"\d{1,10}(\.\d{0,9})?|\.\d{1,9}", text, re.ASCII)
    value = decimal.Decimal(text) if is_plain else decimal.Decimal(0)
    if not 1 <= value * 1000 <= MS_MOST:
        raise argparse.ArgumentTypeError(f"{safe_text(text)} is no number of seconds from 0.001 to {MS_MOST // 1000}")
    return int(value * 1000)


def filled(text):
    """A type of argparse: any text but none."""
    if not text:
        raise argparse.ArgumentTypeError("needs a value")
    return text


def asserted(chosen):
    """The preferences that assert what the options say of the captures."""
    return (
        ["sctp_analysis.capture_complete:TRUE"] * chosen.complete
        + [f"sctp_analysis.taken_at:{','.join(chosen.taken_at)}"] * bool(chosen.taken_at)
        + [f"sctp_analysis.endpoint_parameters:{'; '.join(chosen.parameters)}"] * bool(chosen.parameters)
        + [f"sctp_analysis.quiet_until_ms:{chosen.quiet_until}"] * bool(chosen.quiet_until)
    )


WIDTH, COLUMN = 80, 23


class Parser(argparse.ArgumentParser):
    """The options of `./run command` and its help, "" of ./run itself: wrong usage is one line and status 2. forms: what follows, a line for each form;
    purpose, statuses: paragraphs of the help in lines of WIDTH columns. An option without a text is not in the help; of: the command whose options
    these are, which the help names as taken also."""

    def __init__(self, command, forms, purpose, statuses, of=None):
        super().__init__(prog=f"{COMMAND} {command}".strip(), add_help=False, allow_abbrev=False)
        self._command, self._forms, self._purpose, self._statuses, self._of = command, forms, purpose, statuses, of
        self.add_argument("-h", "--help", action="help", help="this text")

    def refuse(self, message, status=STATUS_USAGE):
        """Ends the program with one line."""
        say(message)
        sys.exit(status)

    def error(self, message, hint=None):
        self.refuse(f"{message} ({'; '.join(filter(None, (f'{self.prog} --help', hint)))})")

    def format_help(self):
        """The help, which usage*.txt holds for ./run to print without Python: test/documents/update writes it there."""
        return self.text().replace("./run", COMMAND)

    def text(self):
        """The same as in a checkout."""
        forms = "\n       ".join(" ".join(filter(None, ("./run", self._command, form))) for form in self._forms)
        options = [action for action in self._actions if action.option_strings]
        shown = [action for action in (*options[1:], options[0]) if action.help]
        parts = [f"usage: {forms}", self._purpose, "\n".join(map(_shown, shown))]
        if self._of:
            also = ", ".join(action.option_strings[-1] for action in options if not action.help)
            parts.append(
                textwrap.fill(
                    f"These options of ./run {self._of} are taken as well: {also}.", WIDTH, break_on_hyphens=False
                )
            )
        return "\n\n".join(part.strip("\n") for part in (*parts, self._statuses)) + "\n"


def _shown(action):
    """The lines of an option in the help."""
    value = f" {action.metavar}" if action.metavar else ""
    head = " " * (2 if len(action.option_strings) > 1 else 6) + ", ".join(action.option_strings) + value
    lines = textwrap.wrap(action.help, WIDTH - COLUMN, break_on_hyphens=False)
    if len(head) <= COLUMN - 2:
        head = head.ljust(COLUMN) + lines.pop(0)
    return "\n".join((head, *(" " * COLUMN + line for line in lines)))


# What several commands take of how captures are read, as add_argument has it.
READING = {
    "--jobs": {
        "type": number(1, 1024),
        "default": os.cpu_count() or 1,
        "metavar": "N",
        "help": "captures at a time (default: one per processor)",
    },
    "--timeout": {
        "type": number(1, 10_000_000),
        "default": 3600,
        "metavar": "S",
        "help": "give up a capture after S seconds (default: 3600)",
    },
    "--sequence": {
        "action": "store_true",
        "help": "read the files of a rotated capture as one (dumpcap -b, tcpdump -C or -G, editcap)",
    },
    "--option": {
        "dest": "options",
        "action": "append",
        "type": filled,
        "default": [],
        "metavar": "PREF:VALUE",
        "help": "set a preference, such as sctp_analysis.profile:both",
    },
    "--complete": {
        "action": "store_true",
        "help": "assert that every packet that passed the capture point is in the capture, in order",
    },
    "--taken-at": {
        "action": "append",
        "type": filled,
        "default": [],
        "metavar": "ADDR",
        "help": "assert that the capture was taken at the host with this address, or in this network; may be repeated",
    },
    "--parameter": {
        "dest": "parameters",
        "action": "append",
        "type": filled,
        "default": [],
        "metavar": "'ADDR NAME=VALUE'",
        "help": "assert a parameter of an endpoint (* for all), such as '10.0.0.1 RTO.Max=60000'; may be repeated",
    },
    "--quiet-until": {
        "type": milliseconds,
        "metavar": "S",
        "help": "assert that nothing came for S seconds after the last packet of the capture: an answer that was due by then is missing",
    },
}
ASSERTIONS = ("--complete", "--taken-at", "--parameter", "--quiet-until")
SHORT = {"--option": "-o"}


def add_reading(to, *names, **said):
    """Options of READING, in this order. said: what else the help says, None: nothing."""
    for name in names:
        to.add_argument(*([SHORT[name]] if name in SHORT else []), name, **{**READING[name], **said})


def add_captures(to, kind=str):
    """The captures; kind: their type."""
    to.add_argument("captures", nargs="*", type=kind)
