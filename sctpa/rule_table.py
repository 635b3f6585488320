# SPDX-License-Identifier: GPL-2.0-or-later
"""The plugin's rules, as `-z sctp,rules` prints them. Leaves out what a capture shows of them."""

import os
import struct
import tempfile
from typing import NamedTuple

from .tshark import Failed, Run

BEGIN = b"id\tlevel\t"
# A capture without packets: what -z sctp,rules prints does not depend on it.
EMPTY = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 101)
NO_PACKETS = "no-packets-"
TIMEOUT_S = 60


class Rule(NamedTuple):
    """A row of the table."""

    id: str
    level: str
    since: str
    clause: str
    title: str
    needs: tuple
    certainty: str
    reported_from: str
    goes_by: str
    accused: str
    quote: str
    why: str
    evidence: str
    caveat: str


def level_word(level):
    """A level as people read it."""
    return "note" if level == "heuristic" else level


def parse(lines):
    """{id: Rule} of lines of bytes, the head among them."""
    rules = {}
    for line in lines:
        cells = line.decode("utf-8").split("\t")
        if len(cells) == len(Rule._fields) and cells[0] != "id":
            rule = Rule(*cells)
            rules[rule.id] = rule._replace(needs=tuple(filter(None, rule.needs.split(","))))
    return rules


def ask(host):
    """{id: Rule}, by a tshark of its own. Raises tshark.Failed."""
    with tempfile.NamedTemporaryFile(dir=host.links, prefix=NO_PACKETS, suffix=".pcap") as capture:
        os.fchmod(capture.fileno(), 0o644)
        capture.write(EMPTY)
        capture.flush()
        run = Run(host, capture.name, ["-z", "sctp,rules"], TIMEOUT_S)
        rules = parse(run.stdout.read().splitlines())
        message = run.outcome().message
    if not rules:
        raise Failed(3, f"tshark did not list the rules: {message or 'no cause given'}")
    return rules
