# SPDX-License-Identifier: GPL-2.0-or-later
"""Times between coarse stamps are known to within their unit: wherever the clock stands when a capture begins, an endpoint is not accused that keeps
to a limit by less than a unit, and one is that breaks it by more than two. Intervals that differ by less than a unit are not taken for equal."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import scenario_builder  # noqa: E402
from received_data import received  # noqa: E402
from scenario_builder import MS, S  # noqa: E402
from two_paths import two_paths  # noqa: E402

UNIT_NS, PHASES = 10 * MS, 10
# Of a delay that the scenario sets, more than the packet that is answered takes to the endpoint and back.
WITHIN, BEYOND = -2 * MS, 2 * UNIT_NS + 2 * MS
JITTER = 4 * MS


def stamped(scenario, phase, unit_ns):
    exact = list(scenario.times_ns())
    shift_ns = phase * UNIT_NS // PHASES
    scenario.times_ns = lambda: (((time_ns + shift_ns) // unit_ns * unit_ns, item) for time_ns, item in exact)
    return scenario


def accused(rule, make, folder, unit_ns=UNIT_NS):
    """Phases at which the rule is found violated."""
    files = {}
    for phase in range(PHASES):
        path = folder / str(phase)
        path.write_bytes(stamped(make(), phase, unit_ns).stored())
        files[str(path)] = phase
    return sorted(files[name] for name, judged in scenario_builder.judge_files(list(files), "9260").items() if judged.of(rule))


@pytest.mark.parametrize("rule, sacks, limit_ns", [("RX-010", 3, 550 * MS), ("RX-011", 8, 250 * MS)])
def test_a_delay_between_coarse_stamps_is_known_to_within_their_unit(rule, sacks, limit_ns, tmp_path):
    assert accused(rule, lambda: received(sacks, limit_ns + WITHIN), tmp_path) == []
    assert accused(rule, lambda: received(sacks, limit_ns + BEYOND), tmp_path) == list(range(PHASES))


def beats(jitter_ns):
    """HEARTBEATs a second apart, now earlier, now later."""
    scenario = two_paths()
    for number in range(14):
        scenario.heartbeat(0, gap_ns=S - 20 * MS + jitter_ns * (number % 3 - 1))
    return scenario


def test_coarse_stamps_hide_jitter(tmp_path):
    assert accused("PM-009", lambda: beats(JITTER), tmp_path) == []
    assert accused("PM-009", lambda: beats(0), tmp_path, unit_ns=MS // 1000) == list(range(PHASES))
