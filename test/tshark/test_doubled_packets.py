# SPDX-License-Identifier: GPL-2.0-or-later
"""What the first screen says of packets that the network doubles: the same IPv4 identification again is no retransmission, where the sender counts."""

import pytest
from timed_scenario import TimedScenario, page_of


def transfer(sender, again, rounds=12, after=0.005, identify=None, chunks_each=1, **options):
    """Each packet with a number of again comes again after so many seconds; the receiver reports the duplicates."""
    near_ns, far_ns = (100_000, 20_000_000)[::-1 if sender == 0 else 1]
    scenario = TimedScenario(near_ns=near_ns, far_ns=far_ns, **options)
    for at in range(rounds):
        now, numbers = 0.1 + 0.3 * at, range(chunks_each * at, chunks_each * (at + 1))
        scenario.data_at(now, sender, *numbers)
        identification = scenario.ends[sender].identification if identify is None else identify(scenario)
        scenario.sack_at(now + 0.001, 1 - sender, numbers[-1])
        if at in again:
            scenario.data_at(now + after, sender, *numbers, identification=identification)
            if identify is None:
                scenario.ends[sender].identification -= 1
            scenario.sack_at(now + after + 0.001, 1 - sender, numbers[-1], duplicates=numbers)
    return scenario


@pytest.mark.parametrize("sender, again, after, chunks_each", [(1, (0, 3, 4, 9), 0.005, 1), (0, (1, 2), 0.0008, 3), (1, (5,), 0.12, 2)])
def test_the_same_identification_again_is_doubled_on_the_way(tshark, tmp_path, sender, again, after, chunks_each):
    page = page_of(tshark, tmp_path, transfer(sender, again, after=after, chunks_each=chunks_each))
    count = len(again) * chunks_each
    assert f"{count} chunk{'s' * (count > 1)} passed again in the same IP packet, by its identification: doubled on the way, not retransmitted" in page
    assert "Retransmissions: in 1 of 1 association" in page and "spurious" not in page and "unknown" not in page.split("Contents:")[0]


@pytest.mark.parametrize("identification, identify", [(7, lambda _: 7), (0, lambda _: 0)])
def test_one_identification_of_all_packets_shows_nothing(tshark, tmp_path, identification, identify):
    page = page_of(tshark, tmp_path, transfer(1, (3, 4), identify=identify, identification=identification))
    assert "not retransmitted" not in page
    assert "at most 2 of 14 transmissions were retransmissions (14.3 %): 2 unknown (retransmitted, or doubled on the way)" in page


def test_the_next_identification_is_a_retransmission(tshark, tmp_path):
    page = page_of(tshark, tmp_path, transfer(1, (3, 4), identify=lambda scenario: scenario.ends[1].identification + 1))
    assert "doubled on" not in page and "2 of 14 transmissions were retransmissions" in page


def test_what_comes_as_late_as_a_timer_sends_may_be_a_retransmission(tshark, tmp_path):
    page = page_of(tshark, tmp_path, transfer(1, (11,), after=1.2))
    assert "doubled on" not in page and "1 of 13 transmissions was a retransmission" in page
