# SPDX-License-Identifier: GPL-2.0-or-later
"""Who waits for a delayed SACK sends as soon as it arrives: what the first screen says of that, and of an application whose timer sends soon after."""

import pytest
from timed_scenario import TimedScenario, page_of


def messages(sender, reach, after, period=None, messages=12):
    """The SACK passes the tap 0.2 s and the way there after each message; the next message so long after it, or each period. reach: RTT from the tap to the sender."""
    near_ns, far_ns = round(reach * 10**9), 10_000_000
    if sender:
        near_ns, far_ns = far_ns, near_ns
    scenario, now = TimedScenario(near_ns=near_ns, far_ns=far_ns), 0.5
    for number in range(messages):
        scenario.data_at(now, sender, number)
        scenario.sack_at(now + 0.21, 1 - sender, number)
        now = now + period if period else now + 0.21 + after
    return scenario


@pytest.mark.parametrize("sender, reach, period", [(0, 0.02, 0.2399), (1, 0.012, 0.2325), (0, 0.0001, 0.216)])
def test_messages_of_a_timer_that_pass_later_than_an_answer_waited_for_no_ack(tshark, tmp_path, sender, reach, period):
    page = page_of(tshark, tmp_path, messages(sender, reach, 0, period))
    assert "most likely waited" not in page and "Nagle" not in page and "pauses" in page.split("Not found:")[1]


@pytest.mark.parametrize("sender, reach", [(0, 0.02), (1, 0.012), (0, 0.0001)])
def test_messages_that_leave_as_the_ack_arrives_waited_for_it(tshark, tmp_path, sender, reach):
    page = page_of(tshark, tmp_path, messages(sender, reach, reach + 0.0001))
    assert f"for which endpoint {sender} most likely waited with 1 chunk outstanding, as Nagle's algorithm does" in page
