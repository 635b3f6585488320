# SPDX-License-Identifier: GPL-2.0-or-later
"""Every rule fires in its scenario, and stays silent in its innocent twin."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import scenario_builder  # noqa: E402
import register  # noqa: E402

ALL = register.load()


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """{scenario name: Judged}, all judged at once."""
    return register.judged(ALL, tmp_path_factory.mktemp("scenarios"))


@pytest.mark.parametrize("scenario", ALL, ids=lambda scenario: f"{scenario.name}-{'fires' if scenario.fires else 'silent'}")
def test_scenario(scenario, judged):
    seen = judged[scenario.name]
    if scenario.fires:
        assert seen.of(scenario.rule, scenario.accused), f"silent; findings: {seen.findings}, judged: {seen.judged}"
        certainties = {finding.certainty for finding in seen.of(scenario.rule, scenario.accused)}
        assert scenario.certainty in (None, *certainties) and len(certainties) == 1, certainties
    else:
        assert not seen.of(scenario.rule), seen.of(scenario.rule)
        assert seen.has_judged(scenario.rule, scenario.accused) == scenario.judged, seen.judged


def rules():
    return [line.split("\t")[1] for line in scenario_builder.listed().splitlines()]


@pytest.mark.parametrize("fires, lacking", [(True, "a scenario that breaks it"), (False, "an innocent twin")])
def test_every_rule_has_both(fires, lacking):
    having = {scenario.rule for scenario in ALL if scenario.fires == fires}
    assert len(rules()) > 200 and [rule for rule in rules() if rule not in having] == [], f"each lacks {lacking}"


def test_names_are_different():
    names = [scenario.name for scenario in ALL]
    assert len(names) == len(set(names))
