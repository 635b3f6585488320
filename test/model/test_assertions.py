# SPDX-License-Identifier: GPL-2.0-or-later
"""What the user asserts makes rules speak at the first occurrence, says that a finding rests on it, and is dropped where it is refuted."""

import pytest
import scenario_builder
from chapters.sacks import duplicated, duplicates_answered

SURE = scenario_builder.COMPLETE_AT_END_0


def judged(scenario, folder, asserted):
    return scenario_builder.judge({"it": scenario}, folder, "9260", asserted)["it"]


@pytest.mark.parametrize("asserted, found", [((), False), (SURE, True), (scenario_builder.COMPLETE, False)])
def test_one_duplicate_that_is_passed_over_needs_both(asserted, found, tmp_path):
    findings = judged(duplicated(False, False, times=1), tmp_path, asserted).of("RX-014", 0)
    assert bool(findings) == found
    assert all(finding.rests_on == {"complete", "taken-at"} and finding.certainty == "proven" for finding in findings)


def test_duplicates_that_are_answered_violate_nothing(tmp_path):
    assert not judged(duplicates_answered(), tmp_path, SURE).of("RX-014")
