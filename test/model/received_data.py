# SPDX-License-Identifier: GPL-2.0-or-later
"""Data that the end near the tap received and acknowledged, in a scenario and in a capture."""

from scenario_builder import ScenarioBuilder
from continuation import Continuation
from scripts import SINGLE, YOUNG_SINGLE


def _receives(talk):
    """The far end has sent data that the near one acknowledged."""
    talk.rounds(talk.far, 3)


RECEIVING = SINGLE.then(_receives)
YOUNG_RECEIVING = YOUNG_SINGLE.then(_receives)


def received(rounds=1, wait_ns=0):
    """An association in which end 1 has sent data that end 0 acknowledged, each packet after wait_ns."""
    scenario = ScenarioBuilder().set_up()
    for _ in range(rounds):
        scenario.data(1).wait(wait_ns).sack(0)
    return scenario


def receiving(editor, rounds=3, wait_ns=0, **options):
    """Endpoints of one address each; the far end has sent data that the near one acknowledged, each packet after wait_ns."""
    options.setdefault("where", lambda association: association.is_single())
    continuation = Continuation(editor, **options)
    return continuation.rounds(continuation.far, rounds, wait_ns)
