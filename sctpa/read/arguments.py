# SPDX-License-Identifier: GPL-2.0-or-later
"""The command line of `./run CAPTURE`, which is all that names no other command, and its help."""

import os
import pathlib
import re
import sys

from sctpa.arguments import (
    ASSERTIONS,
    COMMAND,
    IS_INSTALLED,
    STATUS_NOT_READ,
    STATUS_PLUGIN,
    Parser,
    add_captures,
    add_reading,
    asserted,
)

from .unreadable import unreadable_cause

REFERENCE = pathlib.Path(__file__).resolve().parents[2] / "docs/generated/reference.md"
FORMS = [
    "[options] [--] [CAPTURE...]",
    "--sequence [options] [--] CAPTURE...",
    "triage [options] [--] FOLDER|CAPTURE...",
    "check [options] [--] FOLDER|CAPTURE...",
    "compare [options] OLD NEW",
    "matrix [options] [NAME=]FOLDER[@ENDPOINT]...",
    "explain RULE...",
    "report [options] [--] CAPTURE",
    "webrtc [--socket NAME] LOG CAPTURE",
    "watch [options] [--] INTERFACE|RING...",
]
PURPOSE = """\
Prints what happened to the SCTP associations of each capture (default: a demo;
'-' is the standard input). ./run triage reads many captures in parallel and
writes one report of all (./run triage --help). ./run check fails on violations,
for tests and CI (./run check --help, docs/ci.md); ./run matrix writes a page of
rules by implementations. ./run report writes one association for somebody else
to verify (./run report --help). Packet logs of WebRTC data channels can be
given as captures; ./run webrtc converts one to a capture (./run webrtc --help).
./run watch reports on packets as they pass (./run watch --help).
The first run installs and builds what is missing; later ones only report."""
STATUSES = """\
Exit status: 0 every capture was read to its end, 1 some were not (what could be
read is reported) or a report could not be written, 2 wrong usage, filter,
report or preference, 3 the plugin could not be installed, built or loaded."""
SECONDS = re.compile(r"[1-9][0-9]{0,6}")


def _reports():
    """What may follow -z, as the document has it that is written from what tshark lists."""
    return re.findall(r"^\| `-z (sctp,[^`]*)`", REFERENCE.read_text(encoding="utf-8"), re.M)


def _name(report):
    """ "sctp,series" of an argument of -z, or of how it is written."""
    return ",".join(re.split(r"[,\[]", report)[:2])


class _Parser(Parser):
    """Options may stand anywhere before --, and what follows one that needs a value is its value, whatever it looks like."""

    def parse_args(self, words):
        takes = {name: action for action in self._actions for name in action.option_strings}
        options, captures, left = [], [], iter(words)
        for word in left:
            name, equals, value = word.partition("=") if word.startswith("--") else (word, "", "")
            action = takes.get(name)
            if word == "--":
                captures += left
            elif word[:1] != "-" or word == "-":
                captures.append(word)
            elif not action or (equals and action.nargs == 0):
                self.error(f"there is no option {word}", "a capture's name that starts with '-' goes after --")
            elif action.nargs == 0:
                self._check_place(word)
                options.append(word)
            else:
                value = value or ("" if equals else next(left, ""))
                self._check_filled(name, value)
                options.append(f"{action.option_strings[-1]}={value}")
        return super().parse_args([*options, "--", *captures])

    def _check_place(self, word):
        if IS_INSTALLED and word in ("--install", "--build"):
            self.error(f"{word} is for a checkout; {COMMAND} is installed")

    def _check_filled(self, name, value):
        if not value:
            self.error(f"{name} needs a value")
        if name == "--follow" and not SECONDS.fullmatch(value):
            self.refuse(f"--follow {value}: no number of seconds from 1 to 9999999")


def _parser(reports=""):
    made = _Parser("", FORMS, PURPOSE, STATUSES)
    made.add_argument(
        "-z",
        "--report",
        dest="reports",
        action="append",
        default=[],
        metavar="REPORT",
        help=f"another report instead of sctp,triage; may be repeated: {reports}",
    )
    add_reading(
        made,
        "--sequence",
        help="the captures are the files of one rotated capture (dumpcap -b, tcpdump -C or -G, editcap): read them as one, "
        "ordered by the numbers in their names, else as given or by time",
    )
    made.add_argument(
        "--follow",
        default="",
        metavar="S",
        help="like --sequence, while dumpcap -b is still writing: read on until no data arrives for S seconds, or Ctrl-C",
    )
    made.add_argument(
        "-Y", "--filter", default="", metavar="FILTER", help="report only what matches this display filter"
    )
    add_reading(made, "--option", help="set a preference, such as sctp_analysis.decode:all")
    add_reading(made, *ASSERTIONS)
    made.add_argument(
        "--keys",
        default="",
        metavar="FILE",
        help="decrypt DTLS with this key log (lines CLIENT_RANDOM ...), as for WebRTC data channels (docs/commands.md)",
    )
    made.add_argument(
        "--no-messages",
        action="store_true",
        help="do not read the messages of the application, which takes time where there are many",
    )
    made.add_argument("--gui", action="store_true", help="open the capture in Wireshark with the plugin")
    made.add_argument(
        "--install",
        action="store_true",
        help="install Wireshark where it is missing, and the plugin for the calling user; without a capture nothing else",
    )
    made.add_argument("--build", action="store_true", help="install and build what is missing, nothing else")
    add_captures(made)
    return made


def parser():
    """The Parser of ./run, whose help lists the reports."""
    return _parser(" ".join(report.removesuffix("[,FILTER]") for report in _reports()))


def _check_gui(of_run, chosen):
    """Said before anything is installed."""
    if len(chosen.captures) > 1 or chosen.sequence or (not chosen.captures and (chosen.install or chosen.build)):
        of_run.refuse("--gui opens one capture")
    if not os.environ.get("DISPLAY") and not os.environ.get("WAYLAND_DISPLAY"):
        of_run.refuse(
            "there is no display to open Wireshark on (neither DISPLAY nor WAYLAND_DISPLAY is set)", STATUS_PLUGIN
        )
    for name in chosen.captures:
        if cause := unreadable_cause(name):
            of_run.refuse(f"{name}: {cause}", STATUS_NOT_READ)


def _filtered(of_run, reports, shown):
    """The reports with a display filter: -Y does not reach tshark's taps."""
    without = {_name(report) for report in _reports() if not report.endswith("[,FILTER]")}
    for report in reports:
        if _name(report) in without:
            of_run.refuse(f"-z {report} takes no display filter (-Y)")
    return [f"{report},{shown}" for report in reports]


def parse(words):
    """The options as attributes: reports, each with the filter; options, all preferences; ends with one line when words are wrong."""
    of_run = _parser()
    chosen = of_run.parse_args(words)
    chosen.sequence = chosen.sequence or bool(chosen.follow)
    if chosen.sequence and not chosen.captures:
        of_run.error("--sequence needs the files of the capture")
    if chosen.gui:
        _check_gui(of_run, chosen)
    chosen.options = [
        f"sctp_analysis.messages:{'FALSE' if chosen.no_messages else 'TRUE'}",
        *chosen.options,
        *asserted(chosen),
    ]
    chosen.reports = chosen.reports or ["sctp,triage"]
    if chosen.filter:
        chosen.reports = _filtered(of_run, chosen.reports, chosen.filter)
    return chosen


if __name__ == "__main__":
    parse(sys.argv[1:])
