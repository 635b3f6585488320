# SPDX-License-Identifier: GPL-2.0-or-later
"""Established endpoints, one of which sends a packet of these chunks."""

from scenario_builder import ScenarioBuilder


def established():
    return ScenarioBuilder().set_up()


def said(*parts):
    """Established, then one packet of end 0 with these chunks."""
    return established().send(0, *parts)
