# SPDX-License-Identifier: GPL-2.0-or-later
"""What only RFC 9260 requires: a note by default, a requirement where the user holds endpoints to it, nothing where not. What RFC 4960 allowed, but no
endpoint is known to have done, is at least a SHOULD. The captures of scenarios are newer than RFC 9260."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import scenario_builder  # noqa: E402
from generate import chunks  # noqa: E402
from scenario_builder import ScenarioBuilder  # noqa: E402

HOST_NAME = chunks.tlv(chunks.HOST_NAME, b"host.example\0")
OFFERS_HOST_NAMES = chunks.tlv(chunks.ADDRESS_TYPES, b"\0\5\0\x0b")


def levels(params, rule, folder, profile):
    scenario = ScenarioBuilder().set_up((params, b""))
    return [finding.level for finding in scenario_builder.judge({"it": scenario}, folder, profile)["it"].of(rule)]


@pytest.mark.parametrize("profile, level", [("both", ["SHOULD"]), ("9260", ["MUST"]), ("4960", [])])
def test_a_host_name_that_nobody_sent_is_more_than_a_note(profile, level, tmp_path):
    assert levels(HOST_NAME, "FMT-034", tmp_path, profile) == level


@pytest.mark.parametrize("profile, level", [("both", ["heuristic"]), ("9260", ["MUST"]), ("4960", [])])
def test_a_host_name_offered_as_rfc_4960_had_it_is_a_note(profile, level, tmp_path):
    assert levels(OFFERS_HOST_NAMES, "FMT-035", tmp_path, profile) == level
