# SPDX-License-Identifier: GPL-2.0-or-later
"""Captures cut by a snap length: never a crash, and as long as the chunks that tell are there, the same associations."""

import os

import pytest

from scenarios.generate import compare, merge
from scenarios.generate.cases import make

SNAPS = (16, 34, 38, 42, 44, 46, 49, 54, 58, 62, 66, 70, 80, 96, 128, 200, 600)
REPORTS = ("-z", "sctp,triage", "-z", "sctp,assocs", "-z", "sctp,json")


def cut(tshark, capture, snap, folder):
    path = folder / f"cut{snap}.pcapng"
    result = tshark("-s", str(snap), "-F", "pcapng", capture, path, program="editcap")
    assert result.returncode == 0, result.stderr
    os.chmod(path, 0o644)
    return path


@pytest.mark.thorough_but_one_in(16)
def test_captures_at_some_snap_lengths(sampled_capture, tshark, tmp_path):
    """Each capture at two or three lengths, so that together all lengths occur. All captures at all lengths: test/replay."""
    capture = sampled_capture
    turn = len(str(capture)) % 8
    for snap in SNAPS[turn::8]:
        path = cut(tshark, capture, snap, tmp_path)
        result = tshark("-r", path, "-q", "-o", "sctp_analysis.decode:all", *REPORTS)
        assert result.returncode == 0, f"{snap}: {result.stderr}"
        compare.check_messages(result.stderr)
        tree = tshark("-r", path, "-V", "-c", "2000", "-o", "sctp_analysis.decode:all", text=False)
        plain = tshark("-r", path, "-V", "-c", "2000", plugin=False, text=False)
        assert tree.returncode == 0, f"{snap}: {tree.stderr}"
        assert tree.stdout.count(b"Dissector bug") <= plain.stdout.count(b"Dissector bug"), snap


@pytest.mark.thorough_but_one_in(2, never="many_")
@pytest.mark.parametrize("name", ["many_hosts_same_ports", "restart", "collision", "multihomed_unknown", "no_setup_same_pair", "equal_tags", "reuse_after_end"])
@pytest.mark.parametrize("snap", [66, 80])
def test_fixed_parts_of_chunks_are_enough(name, snap, tshark, tmp_path):
    """Ethernet, IPv4, the common header and the fixed part of INIT are 66 bytes."""
    case = make(name)
    path = tmp_path / "cut.pcapng"
    truth = merge.write(case, path, "random", 1, snap)
    assert compare.differences_of_grouping(compare.grouping(tshark, path, options=case.options), truth) == []


def test_cut_packets_are_remarked_and_counted(tshark, tmp_path):
    case = make("restart")
    path = tmp_path / "cut.pcapng"
    truth = merge.write(case, path, "random", 1, 66)
    rows = compare.fields(tshark, path, ("frame.number", "frame.len", "sctp.analysis.capture"))
    wrong = [row for row in rows if (int(row[1][0]) > 66) != any("truncated" in value for value in row[2])]
    assert wrong[:5] == []
    quality = {entry["kind"]: entry["count"] for entry in compare.document(tshark, path)["capture"]["quality"]}
    assert quality["truncated"] == sum(int(row[1][0]) > 66 for row in rows)
