# SPDX-License-Identifier: GPL-2.0-or-later
"""Where two taps are merged, whatever their clocks, messages waited just as long as the arrivals in the capture near the receiver show. Leaves out
the bounds that one tap gives (test_statements.py)."""

import subprocess

import pytest

from head_of_line import RANKS, capture, percentile, streams_of, waits_of


@pytest.mark.thorough_but_one_in(3)
@pytest.mark.parametrize("shift_s", [0, 3, -3])
@pytest.mark.parametrize("run", ["linux/bulk-loss1", "usrsctp/reorder"])
def test_two_taps_show_the_wait(tshark, tmp_path, run, shift_s):
    shifted, merged = tmp_path / "shifted.pcapng", tmp_path / "merged.pcapng"
    subprocess.run(["editcap", "-t", str(shift_s), capture(run, "B"), shifted], check=True)
    subprocess.run(["mergecap", "-w", merged, capture(run, "A"), shifted], check=True)
    merged.chmod(0o644)
    found = streams_of(tshark, merged)
    for stream, waits in waits_of(tshark, run).items():
        for rank, percent in RANKS.items():
            for bound in ("hol_delay_ms", "hol_delay_most_ms"):
                assert found[stream][bound][rank] == pytest.approx(percentile(waits, percent), abs=0.001), (stream, rank)
