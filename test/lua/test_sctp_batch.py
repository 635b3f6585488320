# SPDX-License-Identifier: GPL-2.0-or-later
"""lua/sctp_batch.lua: its rows say what -z sctp,json says, in both formats, and bad options are named.

Leaves out what the values mean: the tests of the reports know that.
"""

import csv
import decimal
import io
import json
import sys

import pytest
from lua_script import TOP, capture, options, run_script, scripts  # noqa: F401

sys.path[:0] = [str(TOP / "test" / folder) for folder in ("tshark", "model", "scenarios")]
from test_given_up import given_up  # noqa: E402

CAPTURES = ["linux/restart/A", "linux/mh-failover/A", "linux/prsctp/A", "linux/dup-corrupt/A", "usrsctp/idata/A", "linux/strreset/A",
            "linux/idata/A", "usrsctp/us-nrsack-pktdrop/A", "linux/init-fail/A", "linux/udpencap/A",
            "linux/mh-v4v6/A", "dcsctp/bidir/A", "pion/setup-loss30/A"]
# rows= -> where the JSON has them; what the script adds of its own.
OWN = {"association", "completed_in", "retransmitted", "addresses.0", "addresses.1"}


@pytest.fixture
def document(tshark):
    def read(path):
        return json.loads(tshark.json_report(path), parse_float=decimal.Decimal)

    return read


def at(value, path):
    """value["directions"][0]["user_bytes"] for directions.0.user_bytes; None where something on the way is."""
    for key in path.split("."):
        if value is None:
            return None
        value = value[int(key)] if isinstance(value, list) else value[key]
    return value


def close(ours, theirs):
    """Times differ by what a double loses at most."""
    if isinstance(ours, decimal.Decimal) and theirs is not None:
        return abs(ours - theirs) <= max(decimal.Decimal("0.000002"), abs(theirs) * decimal.Decimal("1e-6"))
    return ours == theirs


def rows_of(run_script, path, kind, *arguments):
    text = run_script("sctp_batch.lua", path, f"rows={kind}", "format=ndjson", *arguments, passes=2)
    return [json.loads(line, parse_float=decimal.Decimal) for line in text.splitlines()]


def expected(kind, document):
    """(association, row of the JSON), as the script has them."""
    for assoc in document["associations"]:
        if kind == "associations":
            yield assoc["index"], assoc
        else:
            for row in assoc[kind]:
                yield assoc["index"], row


@pytest.mark.thorough_but_one_in(11)
@pytest.mark.parametrize("kind", ["associations", "directions", "paths", "streams", "events", "findings"])
@pytest.mark.parametrize("name", CAPTURES)
def test_rows_say_what_the_json_says(name, kind, run_script, document):
    theirs = list(expected(kind, document(capture(name))))
    if kind == "directions":
        theirs = [(number, row) for number, row in theirs if row["data_chunks"] or row["sacks"]]
    if kind == "events":
        theirs = [(number, row) for number, row in theirs if row["kind"] not in ("icmp_unreachable", "packet_too_big")]
    ours = rows_of(run_script, capture(name), kind)
    assert len(ours) == len(theirs)
    # Events stand in the order in which they became certain.
    if kind == "events":
        ours.sort(key=lambda row: (row["association"], row["frame"]))
    for row, (number, other) in zip(ours, theirs):
        assert row.get("association", number) == number
        wrong = {key: (value, at(other, key)) for key, value in row.items() if key not in OWN and not close(value, at(other, key))}
        assert not wrong, f"{kind} of association {number}"


@pytest.mark.parametrize("kind", ["associations", "streams", "events"])
def test_csv_and_ndjson_say_the_same(kind, run_script):
    path = capture("linux/mh-failover/A")
    written = list(csv.DictReader(io.StringIO(run_script("sctp_batch.lua", path, f"rows={kind}", passes=2))))
    ours = rows_of(run_script, path, kind)
    assert len(written) == len(ours) > 0
    for line, row in zip(written, ours):
        assert list(line) == list(row)
        for name, value in row.items():
            flat = "" if value is None else " ".join(map(str, value)) if isinstance(value, list) else str(value)
            assert line[name] == flat, name


def test_columns_stand_as_they_were_chosen(run_script):
    text = run_script("sctp_batch.lua", capture("linux/restart/A"), "rows=streams", "columns=user_bytes,association,id")
    assert text.splitlines()[:2] == ["user_bytes,association,id", "10000,0,0"]


def test_help_lists_the_columns(run_script):
    text = run_script("sctp_batch.lua", capture("linux/restart/A"), "rows=streams", "columns=help")
    assert text.split()[:3] == ["association", "from", "id"]


def test_a_filter_counts_its_packets_only(run_script):
    path = capture("linux/restart/A")
    text = run_script("sctp_batch.lua", path, "columns=index,packets", "filter=sctp.analysis.assoc == 1 && sctp.analysis.from == 0")
    assert text == "index,packets\n1,15\n"


def test_rows_go_to_a_file(run_script, tmp_path):
    text = run_script("sctp_batch.lua", capture("linux/restart/A"), "rows=events", f"output={tmp_path}/rows.csv")
    assert text == ""
    assert (tmp_path / "rows.csv").read_text() == run_script("sctp_batch.lua", capture("linux/restart/A"), "rows=events")


def test_spurious_is_known_in_the_second_pass_only(run_script):
    for passes, known in ((1, ""), (2, "3")):
        text = run_script("sctp_batch.lua", capture("linux/mh-failover/A"), "rows=directions", "columns=spurious", passes=passes)
        assert text.splitlines()[1:] == [known]


@pytest.mark.parametrize("sender, misses, missing", [(0, 4, 3), (1, 6, 7), (0, 0, 3)])
def test_goodput_leaves_out_what_the_json_leaves_out(sender, misses, missing, run_script, document, tmp_path):
    """What is given up and reported missing is known in the second pass; no other direction waits for that."""
    path = tmp_path / "capture.pcapng"
    given_up(sender, misses, missing=missing, takes_effect=True).write_capture(path)
    rows = rows_of(run_script, path, "directions", "columns=from,goodput_bps,user_bytes")
    theirs = [row for row in document(path)["associations"][0]["directions"] if row["data_chunks"]]
    assert [(row["from"], row["goodput_bps"]) for row in rows if row["user_bytes"]] == [(sender, theirs[0]["goodput_bps"])]
    once = run_script("sctp_batch.lua", path, "rows=directions", "format=ndjson", "columns=from,goodput_bps")
    assert [json.loads(line)["goodput_bps"] for line in once.splitlines()] == [None] * len(rows)


def test_goodput_is_known_in_one_pass_where_nothing_is_given_up(run_script, document):
    path = capture("linux/restart/A")
    for arguments, is_known in ((), True), (("filter=sctp",), False):
        text = run_script("sctp_batch.lua", path, "rows=directions", "format=ndjson", "columns=goodput_bps", *arguments)
        ours = [json.loads(line, parse_float=decimal.Decimal)["goodput_bps"] for line in text.splitlines()]
        theirs = [row["goodput_bps"] for _, row in expected("directions", document(path)) if row["data_chunks"] or row["sacks"]]
        assert any(theirs) and all(close(own, other) if is_known else own is None for own, other in zip(ours, theirs, strict=True))


@pytest.mark.parametrize("passes", [1, 2])
def test_packets_captured_twice_count_once(passes, run_script, tshark, tmp_path):
    path, doubled = capture("linux/restart/A"), tmp_path / "doubled.pcapng"
    assert tshark("-w", doubled, path, path, program="mergecap").returncode == 0
    columns = "columns=index,ports.0,setup,packets,directions.0.user_bytes,directions.0.data_chunks,directions.1.data_chunks"
    assert run_script("sctp_batch.lua", doubled, columns, passes=passes) == run_script("sctp_batch.lua", path, columns, passes=passes)


@pytest.mark.parametrize("argument", ["rows=nothing", "format=xml", "columns=index,nonsense", "nonsense=1", "output=/nowhere/x"])
def test_wrong_options_are_one_line(argument, tshark, scripts):
    result = tshark("-q", "-r", capture("linux/restart/A"), *options(scripts / "sctp_batch.lua", argument))
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1 and argument.split("=")[0].replace("output", "/nowhere/x") in result.stderr
