# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects --files-from: captures that a list names, by line or with a NUL behind each, from a file or the standard input."""

import subprocess

import pytest

from triage_runs import complaints, gather, triage  # noqa: F401

NAMES = ["dcsctp/abort/A.pcap.gz", "dcsctp/abort/B.pcap.gz"]


def with_list(triage, data, *arguments):  # noqa: F811
    """CompletedProcess of a triage whose standard input is data."""
    words, variables = triage.command(*arguments)
    result = subprocess.run(words, env=variables, input=data, capture_output=True, cwd="/", timeout=300, check=False)
    result.stderr = result.stderr.decode("utf-8", "replace")
    return result


@pytest.mark.parametrize("separator", [b"\n", b"\0"])
def test_a_list_names_captures_beside_those_of_the_command_line(triage, tmp_path, separator):  # noqa: F811
    folder = gather(tmp_path / "captures", *NAMES)
    odd = folder / ("with space" + ("\n" if separator == b"\0" else "") + "\u00e9.pcap.gz")
    (folder / "dcsctp_abort_A.pcap.gz").rename(odd)
    result = with_list(triage, str(odd).encode() + separator, "--files-from", "-", folder / "dcsctp_abort_B.pcap.gz")
    assert result.returncode == 0 and "2 captures, 0 not read" in result.stderr


def test_a_list_in_a_file_may_hold_what_is_not_there(triage, tmp_path):  # noqa: F811
    folder = gather(tmp_path / "captures", NAMES[0])
    (tmp_path / "list").write_text(f"{folder}\n\n/nonexistent/a.pcap\n", encoding="utf-8")
    result = triage("--files-from", tmp_path / "list")
    assert result.returncode == 1 and "/nonexistent/a.pcap: there is no such file" in complaints(result)
    assert len(triage.captures()) == 2


def test_a_list_that_cannot_be_read_or_is_empty_is_one_line(triage, tmp_path):  # noqa: F811
    result = triage("--files-from", tmp_path / "none")
    assert complaints(result) == [f"{tmp_path}/none: no such file or directory"] and result.returncode == 2
    result = with_list(triage, b"", "--files-from", "-")
    assert complaints(result) == ["no captures in what was named"] and result.returncode == 1
