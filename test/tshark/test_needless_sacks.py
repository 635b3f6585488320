# SPDX-License-Identifier: GPL-2.0-or-later
"""What the first screen says of receivers that send more SACKs than packets come."""

import pytest
from timed_scenario import TimedScenario, page_of


def answered(sender, rounds, copies, duplicates=False, same_id=False, burst=1, **options):
    """Each round of packets has so many equal SACKs."""
    scenario, number = TimedScenario(**options), -1
    for at in range(rounds):
        now = 0.1 + 0.1 * at
        for place in range(burst):
            number += 1
            scenario.data_at(now + place / 10_000, sender, number)
        for copy in range(copies):
            reported = [number] if duplicates and copy else ()
            kept = {"identification": scenario.ends[1 - sender].identification} if same_id and copy else {}
            scenario.sack_at(now + 0.03 + copy / 10_000, 1 - sender, number, duplicates=reported, **kept)
            if kept:
                scenario.ends[1 - sender].identification -= 1
    return scenario


@pytest.mark.parametrize("sender, rounds, copies", [(0, 12, 4), (1, 20, 2)])
def test_equal_sacks_beyond_the_packets_are_told(tshark, tmp_path, sender, rounds, copies):
    page = page_of(tshark, tmp_path, answered(sender, rounds, copies))
    assert (f"endpoint {1 - sender} sent {rounds * copies} SACKs for {rounds} packets with DATA: {rounds * (copies - 1)} say the same as the one before, "
            "where each packet may have one (RFC 9260 6.2)") in page


def test_without_identifications_the_network_may_have_doubled_them(tshark, tmp_path):
    page = page_of(tshark, tmp_path, answered(0, 12, 3, identification=0))
    assert "24 say the same as the one before, unless the network doubled them" in page


@pytest.mark.parametrize("options", [{"duplicates": True}, {"same_id": True}, {"copies": 1}, {"rounds": 3}, {"copies": 2, "burst": 2}])
def test_sacks_for_packets_or_doubled_on_the_way_are_not(tshark, tmp_path, options):
    assert "Needless SACKs" not in page_of(tshark, tmp_path, answered(0, **{"rounds": 12, "copies": 2, **options}))
