# SPDX-License-Identifier: GPL-2.0-or-later
"""Associations of endpoints with two addresses each."""

from generate import chunks
from scenario_builder import MS, ScenarioBuilder
from captured_associations import is_multihomed
from scripts import Setting

TWO_PATHS = (["10.0.0.1", "10.0.1.1"], ["10.0.0.2", "10.0.1.2"])


def addresses_listed(addresses):
    return b"".join(chunks.address(text) for text in addresses)


LISTED = tuple(addresses_listed(addresses) for addresses in TWO_PATHS)


def two_paths(near=0):
    """Two paths; round trips show the tap to be near one end."""
    scenario = ScenarioBuilder(TWO_PATHS, *((MS // 10, 20 * MS) if near == 0 else (20 * MS, MS // 10)))
    return scenario.set_up(LISTED).exchange(3)


TWO_WAYS = Setting(addresses=TWO_PATHS, params=LISTED,
                   where=lambda association: is_multihomed(association) and not association.has(chunks.ASCONF), ways=2)


