# SPDX-License-Identifier: GPL-2.0-or-later
"""When paths that do not answer HEARTBEATs became potentially failed and inactive: the stack's times lie within the plugin's, which are no
wider than its RTO, and the plugin says nothing of paths that the stack took for active."""

import pytest

import explained
import idle_paths
import truth

SCENARIOS = [folder for folder in truth.scenarios() if folder.parent.name in ("linux", "usrsctp", "interop")]
NAMES = [f"{folder.parent.name}/{folder.name}" for folder in SCENARIOS]
IDLE = [folder for folder in SCENARIOS if any(word in folder.name for word in ("mh", "multihomed", "asconf"))]


@pytest.mark.thorough_but_one_in(8)
@pytest.mark.parametrize("folder", SCENARIOS, ids=NAMES)
def test_nothing_is_said_of_paths_that_the_stack_took_for_active(folder, tshark):
    compared = [idle_paths.compared(tshark, folder, end, False) for end in truth.taps(folder)]
    assert [str(difference) for _, different, _ in compared for difference in different] == []


@pytest.mark.thorough_but_one_in(4)
@pytest.mark.parametrize("folder", IDLE, ids=lambda folder: f"{folder.parent.name}/{folder.name}")
def test_times_are_those_of_the_stack_where_its_parameters_are_asserted(folder, tshark):
    compared = [idle_paths.compared(tshark, folder, end, True) for end in truth.taps(folder)]
    differences = [difference for _, different, absent in compared for difference in (*different, *absent)]
    assert [str(difference) for difference in differences if not explained.reason_of_outage(difference)] == []


def test_idle_paths_of_linux_need_no_assertion(tshark):
    folder = truth.CAPTURES / "linux" / "mh-hb-idle"
    said = {(end, one.address, one.state) for end in "AB" for one in idle_paths.compared(tshark, folder, end, False)[0]}
    assert said == {("A", "10.2.1.1", "potentially failed"), ("B", "10.2.0.1", "potentially failed")}
