# SPDX-License-Identifier: GPL-2.0-or-later
"""What endpoints owed at once, as users see it: the report, the fields beside packets, JSON; and until when a capture decides it."""

import json
import pathlib
import sys

import pytest

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(TOP / "test" / "model")]

from scenario_builder import MS, S, ScenarioBuilder  # noqa: E402

SURE = ("-o", "sctp_analysis.capture_complete:TRUE", "-o", "sctp_analysis.taken_at:10.0.0.2")


def exchanged():
    """Frames 1 to 4 set the association up."""
    return ScenarioBuilder().set_up()


@pytest.fixture
def late(tmp_path):
    """End 1 acknowledges frame 5 in frame 6, after 900 ms."""
    path = tmp_path / "late.pcapng"
    exchanged().data(0).sack(1, gap_ns=900 * MS).write_capture(path)
    return path


@pytest.fixture
def missing(tmp_path):
    """Nothing acknowledges frame 5, and frame 6 passes a second later."""
    path = tmp_path / "missing.pcapng"
    exchanged().data(0).heartbeat(0, gap_ns=S, answer_gap_ns=S).write_capture(path)
    return path


@pytest.fixture
def unfinished(tmp_path):
    """The capture ends with frame 5, which is not acknowledged."""
    path = tmp_path / "unfinished.pcapng"
    exchanged().data(0).write_capture(path)
    return path


def report(tshark, path, *options):
    result = tshark("-q", "-r", path, *options, "-z", "sctp,owed")
    assert result.returncode == 0 and all(len(line) <= 80 for line in result.stdout.splitlines()), result.stderr
    return " ".join(result.stdout.split())


def owed(tshark, path, *options):
    document = json.loads(tshark("-q", "-r", path, *options, "-z", "sctp,json").stdout)
    return [row for assoc in document["associations"] for row in assoc["owed"]]


def fields(tshark, path, frame, *options):
    names = ("owed", "owed.by", "owed.since", "owed.answer", "owed.waited", "owed.late")
    words = [word for name in names for word in ("-e", f"sctp.analysis.{name}")]
    text = tshark("-r", path, *options, "-Y", f"frame.number == {frame}", "-T", "fields", *words).stdout
    return dict(zip(names, text.rstrip("\n").split("\t"), strict=True))


def test_the_report_counts_what_was_owed_and_shows_what_came_late(late, tshark):
    page = report(tshark, late, *SURE)
    assert "1 1 0 0 0 0.900000 SACK for DATA" in page
    assert "1 late 6 0.900000 0.350000 SACK for DATA" in page
    assert "is judged by rules" in page


def test_the_report_says_where_nothing_is_asserted_what_that_means(late, tshark):
    page = report(tshark, late)
    assert "1 late 6 0.900000 0.350000 SACK for DATA" in page and "one that the capture lacks" in page


def test_what_a_rule_counts_by_its_kind_stands_in_the_report_one_by_one(tmp_path, tshark):
    """Three HEARTBEATs without answer, each a second after the one before: three rows, and the finding that they make together."""
    scenario = exchanged().exchange(3)
    for _ in range(3):
        scenario.heartbeat(1, answered=False, gap_ns=S)
    path = tmp_path / "capture.pcapng"
    scenario.wait(S).data(0).sack(1).write_capture(path)
    page = report(tshark, path)
    assert " 3 0 3 0 0 " in page and page.count("HEARTBEAT ACK for HEARTBEAT") == 1 + 3
    assert page.count("SACK for DATA") == 1
    found = [row["rule"] for row in json.loads(tshark("-q", "-r", path, "-z", "sctp,json").stdout)["associations"][0]["findings"]]
    assert "PM-002" in found


def test_the_report_follows_the_filter(late, tshark):
    result = tshark("-q", "-r", late, *SURE, "-z", "sctp,owed,sctp.port==1")
    assert "SACK" not in result.stdout and "Nothing was owed at once" in result.stdout


def test_an_answer_that_never_comes_is_missing(missing, tshark):
    row, = (row for row in owed(tshark, missing, *SURE) if row["expected"] == "SACK")
    assert (row["by"], row["since_frame"], row["fate"], row["settled_frame"], row["late_s"]) == (1, 5, "missing", 6, 0.45)


def test_the_end_of_the_capture_leaves_open_what_was_just_asked_for(unfinished, tshark):
    row, = owed(tshark, unfinished, *SURE)
    assert (row["fate"], row["settled_frame"], row["late_s"]) == ("open", None, None)
    row, = owed(tshark, unfinished, *SURE, "-o", "sctp_analysis.quiet_until_ms:1000")
    assert (row["fate"], row["settled_frame"], row["waited_s"]) == ("missing", None, 1)


@pytest.mark.parametrize("passes", [(), ("-2",)], ids=["one pass", "two passes"])
def test_fields_beside_the_packet_that_settles_it(late, tshark, passes):
    assert fields(tshark, late, 6, *SURE, *passes) == {"owed": "SACK", "owed.by": "1", "owed.since": "5", "owed.answer": "late",
                                                       "owed.waited": "0.900000000", "owed.late": "0.350000000"}
    assert fields(tshark, late, 4, *SURE, *passes)["owed.late"] == ""


def test_without_assertions_no_packet_has_the_fields(late, tshark):
    assert not any(fields(tshark, late, 6).values())


def test_json_has_none_where_it_is_not_followed(late, tshark):
    assert owed(tshark, late) == []
