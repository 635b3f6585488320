# SPDX-License-Identifier: GPL-2.0-or-later
"""An endpoint that a capture shows before and behind a translator has one address, not two."""

import pytest
from timed_scenario import TimedScenario, page_of

from scenarios.generate import merge
from scenarios.generate.cases import make


@pytest.mark.parametrize("name", ["nat_both_sides", "nat_both_sides_ports"])
def test_an_address_and_its_translation_are_one(name, tshark, tmp_path):
    path = tmp_path / "nat.pcapng"
    merge.write(make(name), path)
    page = tshark("-q", "-r", path, "-z", "sctp,triage").stdout
    assert "translated addresses" in page and "multihomed" not in page


def test_two_addresses_of_its_own_are_multihomed(tshark, tmp_path):
    scenario = TimedScenario(paths=2)
    scenario.data_at(0.1, 0, 0)
    assert "multihomed 1" in page_of(tshark, tmp_path, scenario)
