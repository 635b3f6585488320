# SPDX-License-Identifier: GPL-2.0-or-later
"""The register of scenarios: each rule of the model has one that fires it and an innocent near-twin.

A scenario is a function that returns a ScenarioBuilder; those of a chapter stand in chapters/<chapter>.py. Most that fire a rule are scripts, which
break it in captures as well (scripts.py).
"""

import collections

import chapters
import scenario_builder

Scenario = collections.namedtuple("Scenario", "name make rule accused fires judged profile asserted certainty")
ALL = []


def _add(rule, accused, fires, judged, profile, asserted, certainty=None):
    def register(make):
        name = "-".join((make.__name__, rule, *(option.strip("-") for option in asserted)))
        ALL.append(Scenario(name, make, rule, accused, fires, judged, profile, tuple(asserted), certainty))
        return make
    return register


def fires(rule, accused=0, profile="9260", asserted=(), certainty=None):
    """The scenario breaks rule, by end accused. asserted: what the user asserts, of assertions(). certainty: of the finding, None any."""
    return _add(rule, accused, True, True, profile, asserted, certainty)


def silent(rule, accused=0, judged=True, profile="9260", asserted=()):
    """The scenario looks like it and does not. judged: the rule was judged; False: the scenario lacks what it needs."""
    return _add(rule, accused, False, judged, profile, asserted)


def load():
    chapters.modules()
    return ALL


def judged(scenarios, folder):
    """{scenario name: Judged} of entries of ALL. folder: for the files between. One process for all with the same profile and assertions."""
    results = {}
    for profile, asserted in {(scenario.profile, scenario.asserted) for scenario in scenarios}:
        made = {scenario.name: scenario.make() for scenario in scenarios if (scenario.profile, scenario.asserted) == (profile, asserted)}
        results.update(scenario_builder.judge(made, folder, profile, asserted))
    return results
