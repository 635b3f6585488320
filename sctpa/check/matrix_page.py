# SPDX-License-Identifier: GPL-2.0-or-later
"""A matrix as one HTML page that needs nothing else, by Jinja2. Style and script are those of all pages (sctpa/pages.py)."""

import pathlib
import shlex

from sctpa import pages
from sctpa.arguments import COMMAND
from sctpa.names import address_and_port, safe_text

from .formats import sentence
from .matrix import CHANGES, EVIDENCE_MAX, STATES, order_of, words_of

TEMPLATES = pathlib.Path(__file__).with_name("templates")


def place_of(end):
    """ "10.0.0.1:5000 (initiator)"."""
    role = "INIT collision" if end.role == "either" else end.role
    return f"{address_and_port(end.addresses, end.port)} ({role})"


def command(again, rule, each, name):
    """What shows this at the command line. again: words that say how captures are read."""
    words = [
        COMMAND,
        "check",
        *again,
        "--rules",
        rule,
        "--endpoint",
        address_and_port(each.end.addresses, each.end.port),
        "--fail-on",
        "should,probable",
        "--coverage",
        "/dev/stdout",
        name,
    ]
    return shlex.join(map(safe_text, words))


def _what(each):
    if each.finding:
        times = f", {each.finding['count']:,} times" if each.finding["count"] > 1 else ""
        return f"{sentence(each.finding)}{times}"
    if each.lacking:
        return "undecided: " + ", ".join(f"{need} at {packets:,}" for need, packets in each.lacking.items())
    return ""


def _kinds(changes):
    """{kind of change: the number of rules with it by column}, those that need looking into first."""
    kinds = {}
    for changed in changes.values():
        for number, kind in enumerate(changed):
            if kind:
                kinds.setdefault(kind, [0] * len(changed))[number] += 1
    order = [*dict.fromkeys(CHANGES.values())]
    return dict(sorted(kinds.items(), key=lambda item: order.index(item[0]) if item[0] in order else len(order)))


def write(of, again, is_anonymous):
    """The page as text."""
    environment = pages.environment(TEMPLATES)
    environment.filters.update(plain=safe_text, state_in=lambda rule, column: column.cell(rule).state)
    environment.globals.update(
        words_of=words_of,
        order_of=order_of,
        place_of=place_of,
        what=_what,
        evidence_max=EVIDENCE_MAX,
        command=lambda rule, each, name: command(again, rule, each, name),
    )
    exercised, never = of.exercised()
    changes = {rule.id: of.changes(rule.id) for rule in exercised}
    words = {
        **pages.words(TEMPLATES / "matrix.css"),
        "matrix": of,
        "exercised": exercised,
        "never": never,
        "anonymised": is_anonymous,
        "changes": {rule: changed for rule, changed in changes.items() if any(changed)},
        "kinds": _kinds(changes),
        "states": STATES,
        "program": COMMAND,
    }
    return environment.get_template("matrix.html").render(words)
