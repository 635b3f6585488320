# SPDX-License-Identifier: GPL-2.0-or-later
"""A violation that another of the same packet covers is not reported, and leaves no trace in what was found before and is found after."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import scenario_builder  # noqa: E402
from chapters.shutdown import after_shutdown_ack  # noqa: E402
from scripts import ESTABLISHED  # noqa: E402


def findings(folder, scenario):
    judged = scenario_builder.judge({"one": scenario}, folder)["one"]
    return {finding.rule: finding for finding in judged.findings if finding.accused == 0}, judged


def test_only_the_covering_rule_is_reported_and_both_were_checked(tmp_path):
    scenario = ESTABLISHED.made()
    after_shutdown_ack(scenario)
    found, judged = findings(tmp_path, scenario.data(0))
    assert "SD-003" in found and "TX-020" not in found
    assert judged.has_judged("SD-003", 0) and judged.has_judged("TX-020", 0)


def test_what_is_covered_is_missing_from_count_and_frames(tmp_path):
    scenario = ESTABLISHED.made()
    scenario.send(0, after_shutdown_ack(scenario))
    before = len(scenario.flow.items)
    found, _ = findings(tmp_path, scenario.data(0))
    assert found["TX-020"].count == 1 and found["TX-020"].frames[-1] == before
    assert found["SD-003"].count == 1 and found["SD-003"].frames[-1] == before + 1
