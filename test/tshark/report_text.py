# SPDX-License-Identifier: GPL-2.0-or-later
"""Reading the text reports back: the sections of tshark's output, tables by their heads, columns of a terminal.

Leaves out what the numbers mean.
"""

import json
import re
import unicodedata

REPORTS = ["triage", "findings", "setup", "assocs", "chunks", "paths", "rtx", "learned", "streams", "pauses", "windows", "messages", "json"]
TITLES = {
    "SCTP triage": "triage",
    "SCTP findings": "findings",
    "SCTP set-ups": "setup",
    "SCTP associations": "assocs",
    "SCTP chunks": "chunks",
    "SCTP paths": "paths",
    "SCTP retransmissions": "rtx",
    "SCTP learned parameters": "learned",
    "SCTP streams": "streams",
    "SCTP pauses": "pauses",
    "SCTP windows": "windows",
    "SCTP messages": "messages",
}


def width(text):
    """Columns that a terminal uses for text."""
    return sum(
        0 if unicodedata.category(c) in ("Mn", "Me", "Cf") else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )


def triage_of(tshark, path):
    """The triage report of a capture in one line."""
    result = tshark("-q", "-r", path, "-z", "sctp,triage")
    assert result.returncode == 0, result.stderr
    return " ".join(split_reports(result.stdout)["triage"].split())


def split_reports(stdout):
    """Each report of one tshark run by its name; JSON parsed."""
    reports, name, lines = {}, None, stdout.split("\n")
    for number, line in enumerate(lines):
        title = line.split(":")[0]
        if line == "{":
            name = "json"
        elif title in TITLES and lines[number - 1].startswith("===="):
            name = TITLES[title]
            reports[name] = lines[number - 1] + "\n"
        elif line.startswith("====") and number + 1 < len(lines) and lines[number + 1].split(":")[0] in TITLES:
            name = None
        if name:
            reports[name] = reports.get(name, "") + line + "\n"
    if "json" in reports:
        reports["json"] = json.loads(reports["json"])
    return reports


def number(cell):
    return int(cell.replace(",", ""))


def rows_named(report, first):
    """The cells of every table row whose first cell is `first`."""
    return [re.split(r"  +", line.strip()) for line in report.split("\n") if re.match(rf" *{re.escape(first)}(  |$)", line)]
