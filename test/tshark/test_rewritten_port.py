# SPDX-License-Identifier: GPL-2.0-or-later
"""What the first screen says where a translator changes a port in mid-association without the checksum."""

import pytest
from timed_scenario import TimedScenario, page_of

from scenarios.generate import packet


def rewritten_from(sender, number, port, resent=3, of=("sport",), tag=None):
    """From TSN number on a port of the sender's packets is another, and nothing acknowledges them."""
    scenario = TimedScenario()
    for at in range(number):
        scenario.data_at(0.1 + 0.1 * at, sender, at)
        scenario.sack_at(0.13 + 0.1 * at, 1 - sender, at)
    for at in range(resent + 1):
        scenario.data_at(number + 2.0**at, sender, number)
        item = scenario.flow.items[-1]
        item.checksum = packet.sctp(item.sport, item.dport, item.vtag, *item.chunks)[8:12]
        item.vtag = item.vtag if tag is None else tag
        for name in of:
            setattr(item, name, port)
    return scenario


@pytest.mark.parametrize("sender, number, port, of", [(0, 6, 1025, ("sport",)), (1, 9, 40_000, ("sport",)), (0, 3, 9999, ("dport",))])
def test_packets_go_on_from_another_association_under_another_port(tshark, tmp_path, sender, number, port, of):
    page = page_of(tshark, tmp_path, rewritten_from(sender, number, port, of=of))
    assert ("most likely a translator changed that: association 1 goes on from association 0 (same Verification Tag, next TSN) "
            f"under another port from frame {5 + 2 * number} on, and its receiver discards what it gets") in page
    assert "right for another port (first: 5001), most likely" in page
    denied = page.split("Not found: ")[1]
    assert not any(kind in denied for kind in ("failures", "pauses", "path troubles"))
    assert "seen in one direction only" not in page and "lacks the acks" not in page
    assert "not judged: a receiver discards packets whose port was changed on the way" in page


def test_packets_in_one_direction_with_right_checksums_are_half_of_an_association(tshark, tmp_path):
    scenario = TimedScenario()
    scenario.data_at(0.1, 0, 0)
    scenario.flow.items = [item for item in scenario.flow.items[4:] if item.sender == 0]
    page = page_of(tshark, tmp_path, scenario)
    assert "seen in one direction only" in page and "goes on from" not in page and "lacks the acks" in page
