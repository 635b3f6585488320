# SPDX-License-Identifier: GPL-2.0-or-later
"""Established endpoints, one of which sends a packet of these chunks; in a scenario and in a capture."""

from scenario_builder import ScenarioBuilder
from continuation import Continuation


def established():
    return ScenarioBuilder().set_up()


def said(*parts):
    """Established, then one packet of end 0 with these chunks."""
    return established().send(0, *parts)


def says(editor, *parts, **options):
    """The near end sends these chunks in one packet."""
    continuation = Continuation(editor)
    continuation.send(continuation.near, *parts, **options)
    return continuation.near
