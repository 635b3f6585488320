# SPDX-License-Identifier: GPL-2.0-or-later
"""The register of scenarios: each rule of the model has one that fires it and an innocent near-twin.

A scenario is a function that returns a ScenarioBuilder; scenarios of a topic stand in scenario_<topic>.py.
"""

import collections
import importlib
import pathlib

from scenario_builder import assertions

Scenario = collections.namedtuple("Scenario", "name make rule accused fires judged profile asserted")
ALL = []


def _add(rule, accused, fires, judged, profile, complete, asserted):
    def register(make):
        options = tuple(asserted or assertions(complete=complete))
        name = "-".join((make.__name__, rule, *(option.strip("-") for option in options)))
        ALL.append(Scenario(name, make, rule, accused, fires, judged, profile, options))
        return make
    return register


def fires(rule, accused=0, profile="9260", complete=False, asserted=()):
    """The scenario breaks rule, by end accused. complete: the capture is asserted to be; asserted: more, options of assertions()."""
    return _add(rule, accused, True, True, profile, complete, asserted)


def silent(rule, accused=0, judged=True, profile="9260", complete=False, asserted=()):
    """The scenario looks like it and does not. judged: the rule was judged; False: the scenario lacks what it needs.."""
    return _add(rule, accused, False, judged, profile, complete, asserted)


def load():
    for path in sorted(pathlib.Path(__file__).parent.glob("scenario_*.py")):
        importlib.import_module(path.stem)
    return ALL
