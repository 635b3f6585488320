# SPDX-License-Identifier: GPL-2.0-or-later
"""A small sample of test/fuzz/frames: the plugin under sanitizers in the real tshark, on frames at random; and that it would show a defect."""

import os
import pathlib
import sys

import pytest

import conftest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import sanitized  # noqa: E402

FRAMES, SEEDS = 150, (1, 2)


@pytest.fixture(scope="module")
def sanitized_tshark(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sanitized")
    os.chmod(folder, 0o755)
    before, conftest.PLUGINS = conftest.PLUGINS, sanitized.PLUGINS
    yield conftest.Tshark(folder)
    conftest.PLUGINS = before


@pytest.mark.thorough_but_one_in(2)
@pytest.mark.parametrize("seed", SEEDS)
def test_frames_at_random_are_clean(seed, sanitized_tshark, tmp_path):
    found = sanitized.complaints(sanitized_tshark, tmp_path, FRAMES, seed)
    assert not found, f"{found[0][0]}: {found[0][2]}"


def test_frames_go_to_every_report():
    assert {"triage", "json", "series,0"} <= set(sanitized.REPORTS)


def test_sanitizers_are_at_work(sanitized_tshark, tmp_path):
    """The plugin cannot even be loaded without the sanitizers' libraries: it is built with them."""
    capture = tmp_path / "frames.pcapng"
    sanitized.random_frames.write(capture, 5, 1)
    result = sanitized_tshark("-r", capture, "-q", "-z", "sctp,triage", environment={"ASAN_OPTIONS": "detect_leaks=0"})
    assert "sctp" not in result.stdout and (result.returncode or "ASan" in result.stderr or "Couldn't load" in result.stderr), result.stderr


def test_frames_reach_the_analysis(sanitized_tshark, tmp_path):
    """Most of what is random is read: associations with data, copies, fragments, tunnels."""
    capture = tmp_path / "frames.pcapng"
    sanitized.random_frames.write(capture, 300, 3)
    result = sanitized_tshark("-r", capture, "-T", "fields", "-e", "sctp.analysis.assoc", "-e", "sctp.analysis.tsn", "-e", "frame.protocols",
                              environment=sanitized.environment())
    rows = [line.split("\t") for line in result.stdout.splitlines()]
    assert sum(bool(row[0]) for row in rows) > 100 and sum(bool(row[1]) for row in rows) > 20, result.stderr[:500]
    protocols = {word for row in rows for word in row[2].split(":")}
    assert {"gtp", "gre", "icmp", "udp", "vlan", "ipv6"} <= protocols
