# SPDX-License-Identifier: GPL-2.0-or-later
"""The page of -z sctp,triage and the report of -z sctp,pauses as data: which sentence stands in which topic, of which association and endpoint.

Left out: what a sentence means (statements.py).
"""

import collections
import json
import re

SECTION = re.compile(r"^([A-Z][A-Za-z -]+):(?:\s|$)")
ROW = re.compile(r"^  #(\d+) +(?:(\d)→\d +)?(.*)$")
FAILURE = re.compile(r"^(\d+) +(\d+) {2,}(\S+) {2,}(\S+) {2,}([a-z ]+?)(?: {2,}(\S.*))?$")
PAUSE = re.compile(r"^([\d.]+) +(\d+) +(\d)→\d +([\d.]+) +(\d+) +(\d+|-)? *(\S.*)$")

# A sentence of a topic. end: the endpoint whose data it is about, None where it is about the association.
Row = collections.namedtuple("Row", "topic association end text")
# A pause of the report of pauses. until: None, it has no end.
Pause = collections.namedtuple("Pause", "association end lost_s since until cause text")


class Page:
    """What one run of tshark printed of a capture."""

    def __init__(self, text):
        begin, end = text.find("{\n"), text.rfind("\n}\n")
        self.json = json.loads(text[begin : end + 2]) if begin >= 0 else {"associations": []}
        self.associations = {one["index"]: one for one in self.json["associations"]}
        page = text[text.find("SCTP triage") :]
        page = page[: page.find("\nContents:")] if "\nContents:" in page else page
        self.rows = list(rows_of(page))
        self.statements = dict(statements_of(page))
        self.pauses = list(pauses_of(text[text.rfind("Pauses, the longest first") :] if "Pauses, the longest first" in text else ""))


def joined(lines):
    return re.sub(r" +", " ", " ".join(line.strip() for line in lines)).strip()


def rows_of(page):
    """Row of each sentence."""
    topic, head, lines = None, None, []
    for line in page.splitlines() + ["End: "]:
        section, row, failure = SECTION.match(line), ROW.match(line), FAILURE.match(line) if topic == "Failures" else None
        if (section or row or failure or not line.strip()) and head:
            yield Row(*head, joined(lines))
            head = None
        if section:
            topic = section[1]
        elif row:
            head, lines = (topic, int(row[1]), None if row[2] is None else int(row[2])), [row[3]]
        elif failure:
            head, lines = (topic, int(failure[1]), None), [f"{failure[5]};"]
        elif head:
            lines.append(line)


def statements_of(page):
    """(name, text) of "Transport:" and the like."""
    name, lines = None, []
    for line in page.splitlines() + [""]:
        section = SECTION.match(line)
        if (section or not line.strip()) and name:
            yield name, joined(lines)
            name = None
        if section:
            name, lines = section[1], [line[section.end() :]]
        elif name:
            lines.append(line)


def pauses_of(report):
    """Pause of each row of the report."""
    head, lines = None, []
    for line in report.splitlines()[3:] + ["="]:
        row = PAUSE.match(line)
        if (row or not line.startswith("    ")) and head:
            yield Pause(*head, joined(lines))
            head = None
        if row:
            until = int(row[6]) if row[6] and row[6] != "-" else None
            head, lines = (int(row[2]), int(row[3]), float(row[1]), int(row[5]), until, row[7].strip()), []
        elif line.startswith("    "):
            lines.append(line)
        else:
            break


UNITS = {"us": 1e3, "ms": 1e6, "s": 1e9, "ns": 1.0, "min": 60e9, "h": 3600e9}
DURATION = r"([\d,.]+ (?:us|ms|ns|s|min|h))\b"


def ns_of(text):
    """Nanoseconds of "1.004 s", and half of its last digit: (value, what rounding may have taken)."""
    number, unit = text.split(" ")
    number = number.replace(",", "")
    digits = len(number.partition(".")[2])
    return float(number) * UNITS[unit], UNITS[unit] * 10**-digits


def number_of(text):
    return int(text.replace(",", ""))
