# SPDX-License-Identifier: GPL-2.0-or-later
"""lua/sctp_watch.lua: lines come while the capture is written, through both ways into tshark, and are escaped.

Leaves out which events and findings there are.
"""

import csv
import gzip
import io
import json
import os
import select
import subprocess
import time

import pytest
from conftest import unprivileged
from lua_script import capture, options, run_script, scripts  # noqa: F401

PATIENCE_S = 120


def pieces_of(pcapng, blocks):
    """The first blocks of a little-endian pcapng, and the others."""
    at = 0
    for _ in range(blocks):
        at += int.from_bytes(pcapng[at + 4:at + 8], "little")
    return pcapng[:at], pcapng[at:]


def lines_within(stream, patience_s, wanted):
    """Lines that come from a pipe until a wanted word is among them, at most for patience_s."""
    text, end = b"", time.monotonic() + patience_s
    while wanted not in text.decode() and time.monotonic() < end:
        if select.select([stream], [], [], 0.2)[0]:
            got = os.read(stream.fileno(), 65536)
            if not got:
                break
            text += got
    return text.decode()


@pytest.mark.parametrize("way", [("-i", "-"), ("-r", "-")], ids=["live", "file"])
def test_a_line_comes_before_the_capture_goes_on(way, tshark, scripts):
    first, rest = pieces_of(gzip.decompress(capture("linux/mh-failover/A").read_bytes()), 500)
    command = [*unprivileged(), "tshark", "-q", *way, *options(scripts / "sctp_watch.lua")]
    environment = {**os.environ, "HOME": str(tshark.home), "WIRESHARK_PLUGIN_DIR": str(tshark.with_plugin), "LC_ALL": "C.UTF-8"}
    with subprocess.Popen(command, env=environment, cwd=tshark.home, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL) as process:
        process.stdin.write(first)
        process.stdin.flush()
        early = lines_within(process.stdout, PATIENCE_S, "primary_changed")
        assert "failover" in early and "shutdown" not in early
        process.stdin.write(rest)
        process.stdin.close()
        late = lines_within(process.stdout, PATIENCE_S, "shutdown")
        assert "path_recovered" in late
        process.wait(timeout=PATIENCE_S)


def test_events_of_a_file_are_those_of_the_json(run_script, tshark):
    for name in ("linux/mh-failover/A", "linux/restart/A", "usrsctp/idata/A"):
        theirs = json.loads(tshark("-q", "-r", capture(name), "-z", "sctp,json").stdout)["associations"]
        ours = [json.loads(line) for line in run_script("sctp_watch.lua", capture(name), "format=ndjson", "show=events").splitlines()]
        assert sorted((row["association"], row["kind"]) for row in ours) == sorted(
            (assoc["index"], event["kind"]) for assoc in theirs for event in assoc["events"])


def test_repeats_are_written_at_round_counts_or_all(run_script, tshark):
    name = "linux/idata/A"
    findings = [f for a in json.loads(tshark("-q", "-r", capture(name), "-z", "sctp,json").stdout)["associations"] for f in a["findings"]]
    few = run_script("sctp_watch.lua", capture(name), "show=findings").splitlines()
    every = run_script("sctp_watch.lua", capture(name), "show=findings", "repeats=all").splitlines()
    assert len(every) == sum(finding["count"] for finding in findings)
    assert len(few) == sum(len(str(finding["count"])) for finding in findings)
    assert any("(10 times)" in line for line in few)


def test_one_pass_and_two_say_the_same(run_script):
    path = capture("linux/mh-failover/A")
    assert run_script("sctp_watch.lua", path) == run_script("sctp_watch.lua", path, passes=2)


def test_csv_has_its_head_once(run_script):
    rows = list(csv.reader(io.StringIO(run_script("sctp_watch.lua", capture("linux/restart/A"), "format=csv"))))
    assert [row[0] == "time_s" for row in rows] == [True] + [False] * (len(rows) - 1) and len(rows) > 3


@pytest.mark.parametrize("argument", ["format=xml", "show=nothing", "repeats=1", "nonsense=1", "nonsense"])
def test_wrong_options_are_one_line(argument, tshark, scripts):
    result = tshark("-q", "-r", capture("linux/restart/A"), *options(scripts / "sctp_watch.lua", argument))
    assert (result.returncode, result.stdout) == (2, "") and result.stderr.count("\n") == 1 and argument.split("=")[0] in result.stderr


def test_without_the_plugin_it_says_so(tshark, scripts):
    result = tshark("-q", "-r", capture("linux/restart/A"), *options(scripts / "sctp_watch.lua"), plugin=False)
    assert "is the plugin sctp_analysis installed?" in result.stderr
