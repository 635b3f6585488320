# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects the order in which files of a ring are followed: by number, and after a new start of the capturing program by time.

Leaves reading them while they are written to test/cli/test_run_follow.py.
"""

import itertools
import os
import pathlib
import sys

import pytest

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent.parent))

from sctpa.sequence import following  # noqa: E402


class Ring:
    """A folder of files, each newer than the one before."""

    def __init__(self, folder):
        self._folder, self._age = folder, 0

    def add(self, *names):
        for name in names:
            self._age += 1
            (self._folder / name).write_bytes(b"x")
            os.utime(self._folder / name, (self._age, self._age))

    def follow(self):
        paths = {str(path): path.name for path in self._folder.iterdir()}
        return following.Following(list(paths), paths, float("inf"))


@pytest.fixture
def ring(tmp_path):
    return Ring(tmp_path)


def names(parts, count):
    return [(part.name, part.gap) for part in itertools.islice(parts, count)]


def test_numbers_count_on_and_missing_ones_are_a_gap(ring):
    ring.add("r_00007_20240101000000.pcap", "r_00008_20240101000100.pcap")
    parts = ring.follow().parts()
    assert names(parts, 2) == [("r_00007_20240101000000.pcap", None), ("r_00008_20240101000100.pcap", None)]
    ring.add("r_00011_20240101000400.pcap", "r_00010_20240101000300.pcap")
    assert next(parts).gap == "file 00009 is missing"


def test_only_the_last_run_is_followed(ring):
    ring.add("r_00001_20240101000000.pcap", "r_00002_20240101000100.pcap", "r_00003_20240101000200.pcap", "r_00001_20240101003000.pcap")
    chosen = ring.follow()
    parts = chosen.parts()
    assert names(parts, 1) == [("r_00001_20240101003000.pcap", None)] and chosen.name == "r_00001_20240101003000.pcap"
    ring.add("r_00002_20240101003100.pcap")
    assert next(parts).name == "r_00002_20240101003100.pcap"


def test_a_run_that_begins_again_follows_with_a_gap(ring):
    ring.add("r_00001_20240101000000.pcap", "r_00002_20240101000100.pcap")
    parts = ring.follow().parts()
    names(parts, 2)
    ring.add("r_00001_20240101010000.pcap")
    assert names(parts, 1) == [("r_00001_20240101010000.pcap", "numbering restarts after 00002")]


def test_clocks_that_go_back_an_hour_stop_nothing(ring):
    ring.add("r_00001_20241027025900.pcap")
    parts = ring.follow().parts()
    names(parts, 1)
    ring.add("r_00002_20241027020000.pcap")
    assert next(parts).name == "r_00002_20241027020000.pcap"


def test_names_without_times_count_on(ring):
    ring.add("r.pcap", "r.pcap1")
    parts = ring.follow().parts()
    assert names(parts, 2) == [("r.pcap", None), ("r.pcap1", None)]
