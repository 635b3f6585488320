# SPDX-License-Identifier: GPL-2.0-or-later
"""The register of scenarios: each rule of the model has one that fires it and an innocent near-twin.

A scenario is a function that returns a ScenarioBuilder; scenarios of a topic stand in scenario_<topic>.py.
"""

import collections
import importlib
import pathlib

Scenario = collections.namedtuple("Scenario", "name make rule accused fires judged profile complete")
ALL = []


def _add(rule, accused, fires, judged, profile, complete):
    def register(make):
        ALL.append(Scenario(f"{make.__name__}-{rule}", make, rule, accused, fires, judged, profile, complete))
        return make
    return register


def fires(rule, accused=0, profile="9260", complete=False):
    """The scenario breaks rule, by end accused. complete: told only where the capture is asserted to be complete."""
    return _add(rule, accused, True, True, profile, complete)


def silent(rule, accused=0, judged=True, profile="9260", complete=False):
    """The scenario looks like it and does not. judged: the rule was judged; False: the scenario lacks what it needs. complete: asserted."""
    return _add(rule, accused, False, judged, profile, complete)


def load():
    for path in sorted(pathlib.Path(__file__).parent.glob("scenario_*.py")):
        importlib.import_module(path.stem)
    return ALL
