# SPDX-License-Identifier: GPL-2.0-or-later
"""Of several packets that one expiry of T3-rtx sent, pauses name the first, and of several timers the one that ran. Leaves out all that is said of
timers beside what the kernel recorded (test_statements.py)."""

import pytest

import expiries
import truth


@pytest.mark.parametrize("name, end, frame, from_frame, ran_s", [
    ("mh-failover", "A", 377, 369, 0.3318), ("outages", "A", 2195, 2191, 1.002), ("mh-loss-rtxalt", "A", 1861, None, None)])
def test_the_last_packet_of_a_burst_is_not_what_the_timer_sent(name, end, frame, from_frame, ran_s, tshark):
    folder = next(folder for folder in truth.scenarios(["linux"]) if folder.name == name)
    pause = next(pause for pause, _ in expiries.said_of(tshark, folder, end) if pause["timeout_frame"] == frame)
    if from_frame:
        assert (pause["timer_from_frame"], round(pause["timer_s"], 3)) == (from_frame, round(ran_s, 3))
