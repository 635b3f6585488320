# SPDX-License-Identifier: GPL-2.0-or-later
"""The command lines of ./run check, compare, explain and matrix. Needs the standard library only: `./run` checks the usage before it installs anything.

Run as a program it prints the one line that says what is wrong, or nothing. Leaves out files that options name.
"""

import argparse
import os
import pathlib
import sys
from typing import NamedTuple

from sctpa import arguments
from sctpa.arguments import asserted, filled
from sctpa.names import safe_text

from . import endpoint
from .gate import Limits

USAGES = pathlib.Path(__file__).parent
FORMATS = ("text", "json", "junit", "sarif", "github")
MATRIX_FORMATS = ("html", "markdown", "json")
MATRIX = "matrix.html"


def _parser(command):
    return arguments.parser(command, USAGES / f"usage_{command}.txt")


def _reading(parser, capture=str):
    """What every command takes that judges captures. capture: the type of what names them."""
    arguments.add_reading(parser, capture)
    parser.add_argument("--profile", choices=("both", "9260", "4960"))
    parser.add_argument("--endpoint", type=_endpoint)
    names = parser.add_mutually_exclusive_group()
    names.add_argument("--rules", action="append", type=filled, default=[])
    names.add_argument("--not", dest="excluded", action="append", type=filled, default=[])
    parser.add_argument("--severities", type=filled)
    parser.add_argument("--allow-drops", action="store_true")


def _endpoint(text):
    try:
        return endpoint.read(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{safe_text(text)} is neither initiator, responder, stack=NAME nor an address with or without a port") from error


def _format(formats):
    """A type of argparse: NAME or NAME=FILE, as (name, file or None)."""
    def read(text):
        name, equals, path = text.partition("=")
        if name not in formats or (equals and not path):
            raise argparse.ArgumentTypeError(f"{safe_text(text)} is not one of {', '.join(formats)}, with or without =FILE")
        return name, path or None
    return read


def _add_formats(parser, formats):
    parser.add_argument("--format", dest="formats", action="append", type=_format(formats), default=[])


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


def _limits(parser, texts):
    words = [word.strip() for text in texts for word in text.split(",")]
    numbers = {}
    for word in words:
        name, equals, value = word.partition("=")
        if name in ("pause", "rtx") and equals:
            try:
                numbers[name] = positive(value)
            except argparse.ArgumentTypeError as error:
                parser.error(f"argument --fail-on: {error}")
        elif word not in ("must", "should", "probable"):
            parser.error(f"argument --fail-on: {safe_text(word)} is none of must, should, probable, pause=SECONDS, rtx=PERCENT")
    return Limits(("MUST", "SHOULD") if "should" in words else ("MUST",), "probable" in words, numbers.get("pause"), numbers.get("rtx"))


def _finish(parser, chosen):
    chosen.options += asserted(chosen)
    if chosen.profile:
        chosen.options.append(f"sctp_analysis.profile:{chosen.profile}")
    # The messages of the application are nobody's violation, and take time.
    chosen.options.append("sctp_analysis.messages:FALSE")
    return chosen


def check(words):
    """The options of ./run check as attributes; ends with status 2 and one line when words are wrong, with 0 after --help."""
    parser = _parser("check")
    _reading(parser)
    parser.add_argument("--fail-on", action="append", type=filled, default=[])
    parser.add_argument("--baseline", type=filled)
    parser.add_argument("--update-baseline", action="store_true")
    parser.add_argument("--require-exercised", action="append", type=filled, default=[])
    parser.add_argument("--coverage", type=filled)
    _add_formats(parser, FORMATS)
    chosen = parser.parse_args(words)
    if not chosen.captures:
        parser.error("which captures?")
    if chosen.update_baseline and not chosen.baseline:
        parser.error("--update-baseline needs --baseline FILE")
    chosen.formats = chosen.formats or [("text", None)]
    _check_formats(parser, chosen)
    chosen.limits = _limits(parser, chosen.fail_on)
    return _finish(parser, chosen)


def compare(words):
    """The same of ./run compare."""
    parser = _parser("compare")
    _reading(parser)
    parser.add_argument("--alpha", type=positive, default=0.01)
    parser.add_argument("--least", type=positive, default=5.0)
    parser.add_argument("--format", choices=("text", "json"), default="text")
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
            return Column(name or os.path.basename(os.path.abspath(path)) + (f", {end}" if end else ""), path, _endpoint(end) if end else None)
    raise argparse.ArgumentTypeError(f"{safe_text(text)}: there is no such folder or capture")


def again(chosen):
    """The words of the command line that say how captures are read."""
    words = [word for option in chosen.given for word in ("-o", option)]
    words += [f"--profile={chosen.profile}"] * bool(chosen.profile) + ["--complete"] * chosen.complete + ["--allow-drops"] * chosen.allow_drops
    return words + [f"--taken-at={each}" for each in chosen.taken_at] + [f"--parameter={each}" for each in chosen.parameters]


def _bases(parser, chosen):
    """Of each column the number of the one that it is compared with, None. Two columns are compared unasked, the second with the first."""
    names = [column.name for column in chosen.captures]
    if twice := next((name for name in names if names.count(name) > 1), None):
        parser.error(f"two columns are called {safe_text(twice)}: name them as NAME=FOLDER")
    if len(names) < 2 and (chosen.base or chosen.neighbours):
        parser.error("--base and --neighbours need two columns or more")
    if chosen.base:
        if chosen.base not in names:
            parser.error(f"argument --base: no column named {safe_text(chosen.base)}; columns are {safe_text(', '.join(names))}")
        base = names.index(chosen.base)
        return tuple(None if number == base else base for number in range(len(names)))
    if chosen.neighbours or len(names) == 2:
        return (None, *range(len(names) - 1))
    return (None,) * len(names)


def matrix(words):
    """The same of ./run matrix; bases: as of _bases."""
    parser = _parser("matrix")
    _reading(parser, _column)
    parser.add_argument("--anonymise", action="store_true")
    compared = parser.add_mutually_exclusive_group()
    compared.add_argument("--base", type=filled)
    compared.add_argument("--neighbours", action="store_true")
    _add_formats(parser, MATRIX_FORMATS)
    chosen = parser.parse_args(words)
    if not chosen.captures:
        parser.error("which folders?")
    chosen.bases = _bases(parser, chosen)
    chosen.formats = chosen.formats or [("html", MATRIX)]
    _check_formats(parser, chosen)
    chosen.limits = Limits(("MUST", "SHOULD"), True, None, None)
    chosen.given = list(chosen.options)
    return _finish(parser, chosen)


def explain(words):
    """The same of ./run explain."""
    parser = _parser("explain")
    parser.add_argument("rules", nargs="*")
    chosen = parser.parse_args(words)
    if not chosen.rules:
        parser.error("which rule?")
    chosen.options = []
    return chosen


PARSERS = {"check": check, "compare": compare, "explain": explain, "matrix": matrix}


if __name__ == "__main__":
    PARSERS[sys.argv[1]](sys.argv[2:])
