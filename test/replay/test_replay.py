# SPDX-License-Identifier: GPL-2.0-or-later
"""Every capture through the core under sanitizers: cut at snap lengths from 0 to 200, and with random bytes flipped.

By default every 29th length; with SCTPA_ALL_CAPTURES=1 every one.
"""

import os
import pathlib
import subprocess
import sys

import pytest

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(TOP / "test"), str(TOP / "test" / "lab")]

from replay import extract  # noqa: E402

PROGRAM = TOP / "build" / "asan" / "test" / "replay" / "replay_core"
STEP = "1" if os.environ.get("SCTPA_ALL_CAPTURES") else "29"
FLIPS = "20" if os.environ.get("SCTPA_ALL_CAPTURES") else "2"


@pytest.mark.thorough_but_one_in(8)
def test_every_capture_survives_cutting_and_flipping(capture, tmp_path):
    path = tmp_path / "packets"
    if extract.write(capture, path) == 0:
        assert not capture.is_relative_to(TOP), "the lab's reader finds no SCTP in a capture of the lab"
        pytest.skip("no SCTP straight in IP")
    result = subprocess.run([PROGRAM, STEP, FLIPS, path], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr[-2000:]


def test_fragments_are_put_together_at_the_last():
    """usrsctp sends TSNs again with DF off once the path's MTU shrinks: two fragments each."""
    packets = {packet["frame"]: packet for packet in extract.packets(str(TOP / "test" / "captures" / "usrsctp" / "pmtu" / "A.pcapng.gz"))}
    first, again = packets[6]["sctp"], packets[15]["sctp"]
    assert 14 not in packets
    assert packets[15]["wire"] == len(again) == 1480
    assert again == first
