# SPDX-License-Identifier: GPL-2.0-or-later
"""The command lines of ./run check, compare, explain and matrix, and their helps. Needs the standard library only: `./run` checks the usage before it installs anything.

Run as a program it prints the one line that says what is wrong, or nothing. Leaves out files that options name.
"""

import argparse
import os
import sys
from typing import NamedTuple

from sctpa.arguments import ASSERTIONS, Parser, add_captures, add_reading, asserted, filled
from sctpa.names import safe_text

from . import endpoint
from .gate import Limits

FORMATS = ("text", "json", "junit", "sarif", "github")
MATRIX_FORMATS = ("html", "markdown", "json")
MATRIX = "matrix.html"
CHECK_PURPOSE = """\
Judges captures as a gate: the exit status says whether an endpoint violated a
rule that the baseline does not accept. Folders are searched recursively
for capture files."""
CHECK_STATUSES = """\
Exit status: 0 every capture was judged and nothing is new, 1 a violation, a
limit exceeded or a required rule not decided, 2 wrong usage, rule, file or
preference, 3 a capture could not be read, or nothing was judged in it: no SCTP,
encrypted, no such endpoint, packets missing, --complete refuted, no rule
decided; or there was no capture. 1 comes before 3."""
COMPARE_PURPOSE = """\
Compares two sets of captures, each a folder or one capture: findings that are
new, gone or changed; and, with five captures a side or more, figures (goodput,
retransmissions by cause, delays, pauses) by the test of Mann and Whitney. Each
capture is one run."""
COMPARE_STATUSES = """\
Exit status: 0 nothing is worse, 1 a finding is new or a figure worse, 2 wrong
usage, 3 a capture could not be read or nothing was judged in it."""
MATRIX_PURPOSE = """\
Puts rules by implementations on one page: held, violated, undecided or never
exercised, how often, and what shows it. Each folder (or capture) is a column:
an implementation or a version. NAME is the column's (default: the folder's
own); ENDPOINT, as below, is the endpoint that the column is about (default:
both). With two columns it also shows what differs."""
MATRIX_STATUSES = """\
Exit status: 0 every capture was judged, whatever was found, 2 wrong usage, 3 a
capture could not be read or nothing was judged in it (the page covers the
rest)."""
EXPLAIN_PURPOSE = """\
Prints the clause of a rule, its words, how the evidence is read, what could
make a finding wrong, what a capture must show, and which stacks are known to
violate it. In RULE, * and ? stand for any characters."""
EXPLAIN_STATUSES = """\
Exit status: 0, 2 there is no such rule, 3 the plugin could not be built or
loaded."""


def _endpoint(text):
    try:
        return endpoint.read(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(
            f"{safe_text(text)} is neither initiator, responder, stack=NAME nor an address with or without a port"
        ) from error


def _format(formats):
    """A type of argparse: NAME or NAME=FILE, as (name, file or None)."""

    def read(text):
        name, equals, path = text.partition("=")
        if name not in formats or (equals and not path):
            raise argparse.ArgumentTypeError(
                f"{safe_text(text)} is not one of {', '.join(formats)}, with or without =FILE"
            )
        return name, path or None

    return read


def _add_formats(parser, formats, more=""):
    parser.add_argument(
        "--format",
        dest="formats",
        action="append",
        type=_format(formats),
        default=[],
        metavar=f"{'|'.join(formats)}[=FILE]",
        help=f"what is printed, or written to FILE; may be repeated{more}",
    )


def _check_formats(parser, chosen):
    if sum(path is None for _, path in chosen.formats) > 1:
        parser.error("only one --format can go to the standard output: others need =FILE")


def positive(text):
    """A number above or equal to 0, for argparse."""
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"{safe_text(text)} is no number from 0 on")
    return value


def _limits(parser, texts, is_test):
    words = [word.strip() for text in texts for word in text.split(",")]
    if is_test and not {"must", "should", "probable"} & set(words):
        words += ["should", "probable"]
    numbers = {}
    for word in words:
        name, equals, value = word.partition("=")
        if name in ("pause", "rtx") and equals:
            try:
                numbers[name] = positive(value)
            except argparse.ArgumentTypeError as error:
                parser.error(f"argument --fail-on: {error}")
        elif word not in ("must", "should", "probable", "undecided"):
            parser.error(
                f"argument --fail-on: {safe_text(word)} is none of must, should, probable, undecided, pause=SECONDS, rtx=PERCENT"
            )
    return Limits(
        ("MUST", "SHOULD") if "should" in words else ("MUST",),
        "probable" in words,
        numbers.get("pause"),
        numbers.get("rtx"),
        "undecided" in words,
    )


def _finish_test(parser, chosen):
    """What --test asserts, before what -o says; the endpoint under test."""
    try:
        place = endpoint.place(chosen.taken_at)
    except ValueError as error:
        parser.error(f"argument --taken-at: {safe_text(str(error))}")
    if not place.networks and not (chosen.endpoint and chosen.endpoint.address):
        parser.error(
            "--test: which endpoint is under test? Give its address: --taken-at ADDR, or --endpoint ADDR[:PORT]"
        )
    if not place.networks:
        chosen.taken_at = [chosen.endpoint.address]
    chosen.endpoint = chosen.endpoint or place
    chosen.options = ["sctp_analysis.capture_complete:TRUE", *chosen.options]


def _finish(parser, chosen):
    chosen.options += asserted(chosen)
    if chosen.profile:
        chosen.options.append(f"sctp_analysis.profile:{chosen.profile}")
    # The messages of the application are nobody's violation, and take time.
    chosen.options.append("sctp_analysis.messages:FALSE")
    return chosen


# What all commands take that judge captures, as add_argument has it.
JUDGING = {
    "--endpoint": {
        "type": _endpoint,
        "metavar": "ADDR[:PORT]|initiator|responder|stack=NAME",
        "help": "judge this endpoint only; NAME is part of the name of a stack, as it is recognised by INIT and INIT ACK",
    },
    "--rules": {
        "action": "append",
        "type": filled,
        "default": [],
        "metavar": "GLOB,...",
        "help": "look at these rules only, such as RX-*,TX-009",
    },
    "--not": {
        "dest": "excluded",
        "action": "append",
        "type": filled,
        "default": [],
        "metavar": "GLOB,...",
        "help": "look at all rules but these",
    },
    "--severities": {"type": filled, "metavar": "FILE", "help": "lines RULE = must|should|note|off, with globs"},
    "--allow-drops": {"action": "store_true", "help": "judge captures that lack packets"},
    "--profile": {
        "choices": ("both", "9260", "4960"),
        "metavar": "9260|4960|both",
        "help": "hold endpoints to this RFC (default: both)",
    },
}


def _add(parser, *names, **said):
    """Options of JUDGING, in this order. said: what else the help says, None: nothing."""
    for name in names:
        parser.add_argument(name, **{**JUDGING[name], **said})


def _add_rules(parser, **said):
    _add(parser.add_mutually_exclusive_group(), "--rules", "--not", **said)


def _add_as_check(parser, is_endpoint_shown=False):
    """What ./run check takes as well, without a text but --endpoint."""
    if is_endpoint_shown:
        _add(parser, "--endpoint", help="the endpoint of columns that name none")
    else:
        _add(parser, "--endpoint", help=None)
    _add_rules(parser, help=None)
    _add(parser, "--severities", "--allow-drops", "--profile", help=None)
    add_reading(parser, "--sequence", *ASSERTIONS, "--option", "--jobs", "--timeout", help=None)


def check_parser():
    """The Parser of ./run check."""
    made = Parser("check", ["[options] [--] FOLDER|CAPTURE..."], CHECK_PURPOSE, CHECK_STATUSES)
    made.add_argument(
        "--test",
        action="store_true",
        help="each capture is a test, asserted complete and taken at the endpoint under test: the one at --taken-at, or --endpoint ADDR. "
        "Only this endpoint is judged. Where packets may be missing: -o sctp_analysis.capture_complete:FALSE",
    )
    _add(made, "--endpoint")
    _add_rules(made)
    made.add_argument(
        "--fail-on",
        action="append",
        type=filled,
        default=[],
        metavar="WHAT,...",
        help="must: proven MUST (default); should: SHOULD too; probable: probable findings too (default with --test: should,probable); "
        "undecided: violations seen too rarely to be findings; pause=SECONDS: a longer pause; rtx=PERCENT: more retransmissions. Proven MUST "
        "always counts; may be repeated",
    )
    _add(made, "--severities")
    made.add_argument("--baseline", type=filled, metavar="FILE", help="accept the fingerprints that FILE lists")
    made.add_argument("--update-baseline", action="store_true", help="add what is new to it")
    made.add_argument(
        "--require-exercised",
        action="append",
        type=filled,
        default=[],
        metavar="GLOB,...|@FILE",
        help="fail where a rule was not decided; FILE as --coverage writes it, or a rule a line; may be repeated",
    )
    made.add_argument(
        "--coverage", type=filled, metavar="FILE", help="write which rules were decided, violated and undecided, as TSV"
    )
    _add_formats(made, FORMATS)
    add_reading(made, "--sequence")
    _add(made, "--allow-drops", "--profile")
    add_reading(made, *ASSERTIONS, "--option", "--jobs", "--timeout")
    add_captures(made)
    return made


def check(words):
    """The options of ./run check as attributes; ends with status 2 and one line when words are wrong, with 0 after --help."""
    parser = check_parser()
    chosen = parser.parse_args(words)
    if not chosen.captures:
        parser.error("which captures?")
    if chosen.update_baseline and not chosen.baseline:
        parser.error("--update-baseline needs --baseline FILE")
    chosen.formats = chosen.formats or [("text", None)]
    _check_formats(parser, chosen)
    chosen.limits = _limits(parser, chosen.fail_on, chosen.test)
    if chosen.test:
        _finish_test(parser, chosen)
    return _finish(parser, chosen)


def compare_parser():
    """The Parser of ./run compare."""
    made = Parser("compare", ["[options] [--] OLD NEW"], COMPARE_PURPOSE, COMPARE_STATUSES, "check")
    made.add_argument(
        "--alpha",
        type=positive,
        default=0.01,
        metavar="P",
        help="a figure differs where p is at most P (default: 0.01)",
    )
    made.add_argument(
        "--least",
        type=positive,
        default=5.0,
        metavar="PERCENT",
        help="and its median changed by this much (default: 5)",
    )
    made.add_argument(
        "--format",
        choices=("text", "json"),
        default="text",
        metavar="text|json",
        help="what is printed (default: text)",
    )
    _add_as_check(made)
    add_captures(made)
    return made


def compare(words):
    """The same of ./run compare."""
    parser = compare_parser()
    chosen = parser.parse_args(words)
    if len(chosen.captures) != 2:
        parser.error("which two, OLD and NEW?")
    chosen.limits = Limits(("MUST", "SHOULD"), True, None, None)
    return _finish(parser, chosen)


class Column(NamedTuple):
    """An implementation or version: its name, the folder or capture, the endpoint that it is, None: both."""

    name: str
    path: str
    endpoint: endpoint.Endpoint | None


def _splits(text):
    """(name, path, endpoint) as which [NAME=]PATH[@ENDPOINT] may be read, the plainest first; None where a part is absent."""
    yield None, text, None
    path, at, end = text.rpartition("@")
    if at:
        yield None, path, end
    name, equals, rest = text.partition("=")
    if equals:
        yield name, rest, None
        path, at, end = rest.rpartition("@")
        if at:
            yield name, path, end


def _column(text):
    """A type of argparse. What is there decides where a name ends and an endpoint begins."""
    for name, path, end in _splits(text):
        if path and os.path.exists(path):
            return Column(
                name or os.path.basename(os.path.abspath(path)) + (f", {end}" if end else ""),
                path,
                _endpoint(end) if end else None,
            )
    raise argparse.ArgumentTypeError(f"{safe_text(text)}: there is no such folder or capture")


def again(chosen):
    """The words of the command line that say how captures are read."""
    words = [word for option in chosen.given for word in ("-o", option)]
    words += (
        [f"--profile={chosen.profile}"] * bool(chosen.profile)
        + ["--complete"] * chosen.complete
        + ["--allow-drops"] * chosen.allow_drops
    )
    return (
        words
        + [f"--taken-at={each}" for each in chosen.taken_at]
        + [f"--parameter={each}" for each in chosen.parameters]
        + [f"--quiet-until={(chosen.quiet_until or 0) / 1000:.3f}"] * bool(chosen.quiet_until)
    )


def _bases(parser, chosen):
    """Of each column the number of the one that it is compared with, None. Two columns are compared unasked, the second with the first."""
    names = [column.name for column in chosen.captures]
    if twice := next((name for name in names if names.count(name) > 1), None):
        parser.error(f"two columns are called {safe_text(twice)}: name them as NAME=FOLDER")
    if len(names) < 2 and (chosen.base or chosen.neighbours):
        parser.error("--base and --neighbours need two columns or more")
    if chosen.base:
        if chosen.base not in names:
            parser.error(
                f"argument --base: no column named {safe_text(chosen.base)}; columns are {safe_text(', '.join(names))}"
            )
        base = names.index(chosen.base)
        return tuple(None if number == base else base for number in range(len(names)))
    if chosen.neighbours or len(names) == 2:
        return (None, *range(len(names) - 1))
    return (None,) * len(names)


def matrix_parser():
    """The Parser of ./run matrix."""
    made = Parser("matrix", ["[options] [--] [NAME=]FOLDER[@ENDPOINT]..."], MATRIX_PURPOSE, MATRIX_STATUSES, "check")
    _add_formats(made, MATRIX_FORMATS, f" (default: html={MATRIX})")
    compared = made.add_mutually_exclusive_group()
    compared.add_argument("--base", type=filled, metavar="NAME", help="show what differs from column NAME")
    compared.add_argument("--neighbours", action="store_true", help="show what differs from the column to the left")
    made.add_argument(
        "--anonymise",
        action="store_true",
        help="pseudonyms for addresses, names of captures and text from packets, others in every run",
    )
    _add_as_check(made, is_endpoint_shown=True)
    add_captures(made, _column)
    return made


def matrix(words):
    """The same of ./run matrix; bases: as of _bases."""
    parser = matrix_parser()
    chosen = parser.parse_args(words)
    if not chosen.captures:
        parser.error("which folders?")
    chosen.bases = _bases(parser, chosen)
    chosen.formats = chosen.formats or [("html", MATRIX)]
    _check_formats(parser, chosen)
    chosen.limits = Limits(("MUST", "SHOULD"), True, None, None)
    chosen.given = list(chosen.options)
    return _finish(parser, chosen)


def explain_parser():
    """The Parser of ./run explain."""
    made = Parser("explain", ["RULE..."], EXPLAIN_PURPOSE, EXPLAIN_STATUSES)
    made.add_argument("rules", nargs="*")
    return made


def explain(words):
    """The same of ./run explain."""
    parser = explain_parser()
    chosen = parser.parse_args(words)
    if not chosen.rules:
        parser.error("which rule?")
    chosen.options = []
    return chosen


PARSERS = {"check": check, "compare": compare, "explain": explain, "matrix": matrix}


if __name__ == "__main__":
    PARSERS[sys.argv[1]](sys.argv[2:])
