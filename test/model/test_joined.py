# SPDX-License-Identifier: GPL-2.0-or-later
"""What was judged of a half of an association stands when the halves are joined, and what needs a complete capture is not judged then."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import scenario_builder  # noqa: E402
from generate import chunks  # noqa: E402
from scenario_builder import S, ScenarioBuilder  # noqa: E402

NO_INFO = chunks.chunk(chunks.HEARTBEAT, 0, chunks.tlv(0x8555, bytes(20)))


def two_at_a_time(*steps):
    """Two associations of the same hosts and ports, of which no set-up passes: each step is done by one, then by the other."""
    associations = [ScenarioBuilder(seed=1), ScenarioBuilder(seed=2)]
    associations[1].flow = associations[0].flow
    for step in steps:
        for association in associations:
            step(association)
    return associations[0]


def forth(association):
    for _ in range(4):
        association.data(0)


def back(association):
    association.data(1).data(1)


def join(association):
    """The SACK tells which way back belongs to which way forth."""
    association.sack(1).exchange(3)


def wrong_back(association):
    association.send(1, NO_INFO).data(1)


def wrong_forth(association):
    association.send(0, NO_INFO).data(0)


def wrong_later(association):
    association.send(1, NO_INFO)


def parted():
    """Packets one way of one association, and the other way of another: of the same hosts and ports."""
    one, other = ScenarioBuilder(seed=1), ScenarioBuilder(seed=2)
    other.flow = one.flow
    forth(one)
    wrong_back(other)
    for _ in range(3):
        other.sack(1)
        one.data(0)
    return one


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    def quiet(association):
        association.wait(2 * S)
    made = {"right": two_at_a_time(forth, back, join), "apart": two_at_a_time(forth, wrong_back),
            "back": two_at_a_time(forth, wrong_back, join), "forth": two_at_a_time(wrong_forth, back, join),
            "twice": two_at_a_time(forth, wrong_back, join, wrong_later),
            "parted": parted(),
            "both": two_at_a_time(wrong_forth, quiet, wrong_back, join)}
    return scenario_builder.judge(made, tmp_path_factory.mktemp("joined"), "9260")


def ends_of(judged, rule="PM-005"):
    return sorted((finding.assoc, finding.accused, finding.count) for finding in judged.of(rule))


def test_halves_are_judged_apart(judged):
    assert len(judged["apart"].verdicts) == 8
    assert len(ends_of(judged["apart"])) == 2


def test_halves_are_joined(judged):
    assert len(judged["right"].verdicts) == 4
    assert not ends_of(judged["right"])


@pytest.mark.parametrize("name, accused", [("back", 1), ("forth", 0)])
def test_findings_of_either_half_stand(judged, name, accused):
    found = judged[name].of("PM-005", accused)
    assert ends_of(judged[name]) == [(assoc, accused, 1) for assoc in sorted({assoc for assoc, _ in judged[name].verdicts})]
    assert {judged[name].verdicts[finding.assoc, finding.accused] for finding in found} == {"deviates"}


def test_findings_before_and_after_are_one(judged):
    found = judged["twice"].of("PM-005")
    assert [(finding.count, len(finding.frames)) for finding in found] == [(2, 2)] * 2
    assert all(finding.frames == sorted(finding.frames) for finding in found)


def test_findings_of_both_halves_are_in_order_and_of_their_ends(judged):
    for assoc in {assoc for assoc, _ in judged["both"].verdicts}:
        found = [finding for finding in judged["both"].findings if finding.assoc == assoc and finding.rule == "PM-005"]
        assert {finding.accused for finding in found} == {0, 1}
        assert found[0].frames < found[1].frames


def test_capture_no_longer_counts_as_complete(judged):
    assert "no-capture-loss" in judged["right"].missing


def test_nobody_is_accused_of_what_another_association_sent(judged):
    """Joined by address alone, and parted by the SACK: what end 1 sent is not said of the association that end 0 is of."""
    for finding in judged["parted"].findings:
        assert finding.rule != "PM-005" or finding.assoc not in {0}
