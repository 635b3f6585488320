# SPDX-License-Identifier: GPL-2.0-or-later
"""When paths failed, recovered and were made primary, as the stack says and as the plugin does, at the sender's tap."""

import pytest

import explained
import path_events
import truth

MULTIHOMED = [folder for folder in truth.scenarios() if any(word in folder.name for word in ("mh", "multihomed", "asconf"))]


@pytest.mark.thorough_but_one_in(3)
@pytest.mark.parametrize("folder", MULTIHOMED, ids=lambda folder: f"{folder.parent.name}/{folder.name}")
def test_path_events_are_those_of_the_stack(folder, tshark):
    differences = [difference for end in truth.taps(folder) for difference in path_events.compared(tshark, folder, end)]
    assert [str(difference) for difference in differences if not explained.reason_of_path(difference)] == []
