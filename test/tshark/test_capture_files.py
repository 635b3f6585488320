# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects what reports say of the files of a capture: which frames are of which, gaps, dropped packets; a table that is none.

Leaves writing the table to test/sequence.
"""

import json
import re

import jsonschema
import pytest

from conftest import CAPTURES, TOP

CAPTURE = CAPTURES / "linux" / "init-fail" / "A.pcapng.gz"
FRAMES = 35


def reported(tshark, folder, table, *reports):
    """(stdout, stderr) of reports with this table of files."""
    path = folder / "table"
    path.write_bytes(table.encode())
    path.chmod(0o644)
    result = tshark("-n", "-q", "-r", CAPTURE, "-o", f"sctp_analysis.capture_files:{path}", *(word for report in reports for word in ("-z", report)))
    return result.stdout, result.stderr


def line(frames, name, dropped="", whole=1, gap="", message=""):
    return f"{frames}\t{dropped}\t{whole}\t{gap}\t{message}\t{name}\n"


def described(tshark, folder, table):
    document = json.loads(reported(tshark, folder, table, "sctp,json")[0])
    jsonschema.validate(document, json.loads((TOP / "docs" / "json_schema.json").read_text()))
    return document["capture"]


def test_json_has_each_file_with_its_frames(tshark, tmp_path):
    table = line(10, "a") + line(0, "b", whole=0, message="is empty (0 bytes)") + line(25, "c", dropped="7", gap="b is empty (0 bytes)")
    capture = described(tshark, tmp_path, table)
    assert [list(each.values()) for each in capture["files"]] == [
        ["a", 1, 10, True, None, None, None], ["b", None, None, False, "is empty (0 bytes)", None, None],
        ["c", 11, 35, True, None, "b is empty (0 bytes)", 7]]
    assert [remark for remark in capture["quality"] if remark["kind"] == "gap"] == [{"kind": "gap", "count": 1, "first_frame": 11}]


def test_a_capture_of_one_file_has_none(tshark):
    assert json.loads(tshark.json_report(CAPTURE))["capture"]["files"] is None


def test_triage_lists_the_files_and_weighs_gaps_and_dropped_packets(tshark, tmp_path):
    table = line(10, "a", dropped="0") + line(20, "b", dropped="1234", gap="file 00002 is missing") + line(5, "c", gap="file 00004 is missing")
    text = " ".join(reported(tshark, tmp_path, table, "sctp,triage")[0].split())
    assert "Capture: read with care" in text and "frames 1 to 10: a frames 11 to 30: b frames 31 to 35: c" in text
    assert "2 gaps between the files of the capture (first: before frame 11; file 00002 is missing)" in text
    assert "1,234 packets dropped by the capturing host (first: while it wrote b)" in text


def test_of_many_files_those_are_listed_that_hold_what_the_page_names(tshark, tmp_path):
    gap = 20
    table = "".join(line(1, f"file{number}", gap="something" if number == gap else "") for number in range(1, FRAMES + 1))
    head, contents = reported(tshark, tmp_path, table, "sctp,triage")[0].split("Contents:")
    named = {int(number) for number in re.findall(r"\bframe (\d+)", head)}
    listed = [int(number) for number in re.findall(r": file(\d+)$", contents, re.M)]
    left_out = [int(number) for number in re.findall(r"\.\.\. (\d+) more file", contents)]
    assert set(listed) == {1, gap, FRAMES} | named and len(named - {1, gap, FRAMES}) > 1 and listed == sorted(listed)
    assert sum(left_out) == FRAMES - len(listed)
    assert " ".join(contents.split()).count("(all: -z sctp,json, capture.files)") == 1


def test_of_very_many_files_only_so_many_are_listed(tshark, tmp_path):
    table = "".join(line(1, f"file{number}", message="cut short") for number in range(1, FRAMES + 1))
    text = reported(tshark, tmp_path, table, "sctp,triage")[0]
    assert text.count("(cut short)") == 24 and f"... {FRAMES - 24} more files" in text


def test_hostile_names_are_text(tshark, tmp_path):
    text, _ = reported(tshark, tmp_path, line(35, "a\x1b[31m\u202eb"), "sctp,triage")
    assert "\x1b" not in text and "\u202e" not in text
    assert "\x1b" not in described(tshark, tmp_path, line(35, "a\x1b[31m"))["files"][0]["file"]


@pytest.mark.parametrize("table", ["no table\n", "1\t\t1\t\t\tno newline", "x\t\t1\t\t\ta\n", "1\tx\t1\t\t\ta\n", "4294967296\t\t1\t\t\ta\n", "1\t1\n"])
def test_what_is_no_table_is_said_and_costs_no_report(tshark, tmp_path, table):
    text, said = reported(tshark, tmp_path, table, "sctp,triage")
    assert "is not a valid table of capture files; files are not shown" in said and "Contents:" in text and "files" not in text.split("Contents:")[1][:300]


def test_a_table_that_is_not_there_is_said(tshark):
    result = tshark("-n", "-q", "-r", CAPTURE, "-o", "sctp_analysis.capture_files:/nonexistent/table", "-z", "sctp,triage")
    assert "/nonexistent/table is not a valid table" in result.stderr and "Contents:" in result.stdout
