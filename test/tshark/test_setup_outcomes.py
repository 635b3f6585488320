# SPDX-License-Identifier: GPL-2.0-or-later
"""What -z sctp,json says about each generated association: how its set-up went, how it ended, what it restarted, its events."""

import pytest

from scenarios.generate import compare, merge
from scenarios.generate.cases import CASES, make

# A copy that cannot be told at once counts as a packet: test_duplicates.py says how many there may be.
LEARNS_COPIES = {"copies_mirror_port"}


@pytest.mark.thorough_but_one_in(3, never="many_")
@pytest.mark.parametrize("name", sorted(set(CASES) - LEARNS_COPIES))
def test_report_says_what_happened(name, tshark, tmp_path):
    case = make(name)
    path = tmp_path / f"{name}.pcapng"
    truth = merge.write(case, path)
    seen = compare.grouping(tshark, path, options=case.options)
    report = compare.document(tshark, path, case.options)
    numbers = compare.last_numbers(seen, truth)
    assert compare.differences_of_json(report["associations"], truth, numbers) == []


@pytest.mark.thorough_but_one_in(3)
@pytest.mark.parametrize("name", ["restart", "refused", "asconf", "icmp", "copies_cooked"])
def test_two_passes_report_the_same(name, tshark, tmp_path):
    case = make(name)
    path = tmp_path / f"{name}.pcapng"
    merge.write(case, path)
    assert compare.document(tshark, path, case.options) == compare.document(tshark, path, (*case.options, "-2"))


def test_setup_time_runs_from_init_to_cookie_ack(tshark, tmp_path):
    case = make("multihomed_known")
    path = tmp_path / "setup.pcapng"
    merge.write(case, path, "one_after_another")
    for entry in compare.document(tshark, path)["associations"]:
        assert entry["setup_time_s"] == pytest.approx(3 * merge.GAP_NS / 1e9, abs=1e-9)


def test_abort_names_who_sent_it(tshark, tmp_path):
    case = make("refused")
    path = tmp_path / "refused.pcapng"
    merge.write(case, path)
    assert {entry["end_by"] for entry in compare.document(tshark, path)["associations"]} == {1}
