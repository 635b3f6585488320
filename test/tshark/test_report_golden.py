# SPDX-License-Identifier: GPL-2.0-or-later
"""The reports of a few small captures, word for word; test/golden/update writes them anew.

What changes there is what users see change: read the difference before committing it.
"""

import json
import os
import pathlib
import re

import pytest

import application_messages
import multihomed_examples
from report_text import REPORTS, split_reports

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
GOLDEN = TOP / "test/golden"
UPDATE = os.environ.get("SCTPA_GOLDEN") == "update"
DOCUMENT = TOP / "docs/reports.md"
MADE = {**application_messages.EXAMPLES, **multihomed_examples.EXAMPLES}
EXAMPLE = re.compile(r"(<!-- example: (\S+) (\S+?)(?:: ([^>]*))? -->\n```\n).*?(```\n)", re.S)
CAPTURES = ["demo", "linux/aborts/A", "linux/init-fail/A", "linux/initcollision/A", "linux/asconf-auth/A", "linux/mh-v4v6/A",
            "linux/outages/A", "linux/restart/A", "linux/snap96/A", "linux/zerowin/A"]
WITH_JSON = ["linux/init-fail/A", "linux/asconf-auth/A"]


def written(tshark, capture):
    """Files of test/golden by name: the text reports of a capture in one, its JSON in another."""
    name = capture.replace("/", "-")
    result = tshark("-q", "-r", TOP / f"test/captures/{capture}.pcapng.gz", *[a for r in REPORTS for a in ("-z", f"sctp,{r}")])
    reports = split_reports(result.stdout)
    files = {f"{name}.txt": "\n".join(reports[report] for report in REPORTS[:-1])}
    if capture in WITH_JSON:
        reports["json"]["generator"] = None  # changes with every release
        files[f"{name}.json"] = json.dumps(reports["json"], indent=1) + "\n"
    return files


@pytest.mark.parametrize("golden", CAPTURES)
def test_reports_are_as_written(tshark, golden):
    for name, text in written(tshark, golden).items():
        if UPDATE:
            (GOLDEN / name).write_text(text)
        assert text == (GOLDEN / name).read_text()


def paragraphs(report, begins):
    """Those paragraphs of a report that begin with these words, each of which one must."""
    found = [next(part.rstrip("\n") for part in report.split("\n\n") if part.startswith(begin)) for begin in begins]
    return "\n\n".join(found) + "\n"


def test_examples_in_the_manual_are_real(tshark, tmp_path):
    """Those of applications and of multihoming are of conversations made for them. With messages read, as ./run does. `: Pauses, Failures` shows
    these paragraphs alone."""
    def run(match):
        head, report, capture, begins, foot = match.groups()
        path = TOP / f"test/captures/{capture}.pcapng.gz"
        if capture in MADE:
            path = tmp_path / f"{capture}.pcapng"
            MADE[capture]().write_capture(path)
        printed = tshark("-q", "-o", "sctp_analysis.messages:TRUE", "-r", path, "-z", report).stdout
        return head + (paragraphs(printed, begins.split(", ")) if begins else printed) + foot

    text = DOCUMENT.read_text()
    expected, count = EXAMPLE.subn(run, text)
    assert count == text.count("<!-- example:")
    if UPDATE:
        DOCUMENT.write_text(expected)
    else:
        assert text == expected
