# SPDX-License-Identifier: GPL-2.0-or-later
"""Data that the end near the tap received and acknowledged, in a scenario and in a capture."""

from scenario_builder import ScenarioBuilder
from scripts import SINGLE, YOUNG_SINGLE


def _receives(talk):
    """The far end has sent data that the near one acknowledged."""
    talk.rounds(talk.far, 3)


RECEIVING = SINGLE.then(_receives)
YOUNG_RECEIVING = YOUNG_SINGLE.then(_receives)


def received(rounds=1, wait_ns=0):
    """An association in which end 1 has sent data that end 0 acknowledged, each packet after wait_ns."""
    return ScenarioBuilder().set_up().rounds(1, rounds, wait_ns)
