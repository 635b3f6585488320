# SPDX-License-Identifier: GPL-2.0-or-later
"""What the user asserts makes rules speak at the first occurrence, says that a finding rests on it, and is dropped where it is refuted."""

import pytest
import scenario_builder
from generate import chunks
from chapters.heartbeats import heartbeats_not_answered_but_data
from chapters.sacks import MS, TEN_ROUNDS, duplicated, duplicates_answered
from set_ups import long_established, with_new_tags
from chapters.shutdown import up

SURE = scenario_builder.COMPLETE_AT_END_0


def judged(scenario, folder, asserted):
    return scenario_builder.judge({"it": scenario}, folder, "9260", asserted)["it"]


@pytest.mark.parametrize("asserted, found", [((), False), (SURE, True), (scenario_builder.COMPLETE, False)])
def test_one_duplicate_that_is_passed_over_needs_both(asserted, found, tmp_path):
    findings = judged(duplicated(TEN_ROUNDS.made(), times=1, gap_ns=150 * MS), tmp_path, asserted).of("RX-014", 0)
    assert bool(findings) == found
    assert all(finding.rests_on == {"complete", "taken-at"} and finding.certainty == "proven" for finding in findings)


def test_duplicates_that_are_answered_violate_nothing(tmp_path):
    assert not judged(duplicates_answered(), tmp_path, SURE).of("RX-014")


def acked_without_passing(scenario, passes_unseen):
    """End 1 acknowledges a TSN that did not pass; passes_unseen: by the identifications of end 0 a packet is missing there."""
    scenario.lose(0)
    if passes_unseen:
        scenario.new_id(0)
    return scenario.sack(1).exchange(2)


def with_wrong_tag(scenario):
    """What end 0 sends last: told, proven, where both are asserted."""
    return scenario.heartbeat(answered=False, vtag=0x12345678)


def test_an_ack_of_what_was_never_sent_refutes_nothing(tmp_path):
    of_wrong_ack = judged(with_wrong_tag(acked_without_passing(long_established(), False)), tmp_path, SURE)
    assert not of_wrong_ack.refuted
    assert [finding.certainty for finding in of_wrong_ack.of("SM-001", 0)] == ["proven"]


def test_an_ack_of_more_than_was_sent_refutes_nothing(tmp_path):
    scenario = long_established()
    scenario.send(1, chunks.sack(scenario.ends[0].tsn + 6)).exchange(1)
    assert not judged(with_wrong_tag(scenario), tmp_path, SURE).refuted


def test_an_identification_that_is_missing_over_what_was_acked_refutes_complete(tmp_path):
    seen = judged(with_wrong_tag(acked_without_passing(long_established(), True)), tmp_path, SURE)
    assert "complete" in seen.refuted
    assert not seen.of("SM-001", 0)


def test_what_passes_again_but_not_first_refutes_complete(tmp_path):
    scenario = long_established()
    lost = scenario.lose(0)
    scenario.data(0).sack(1).send(0, chunks.data(lost, bytes(20), ssn=50))
    assert "complete" in judged(scenario, tmp_path, SURE).refuted


def test_a_refutation_counts_for_its_association(tmp_path):
    """The second association of the two endpoints is judged as asserted, though the first lacks a packet."""
    scenario = acked_without_passing(long_established(), True).shut_down()
    seen = judged(with_wrong_tag(with_new_tags(scenario).set_up().exchange(2)), tmp_path, SURE)
    assert "complete" in seen.refuted
    assert [(finding.assoc, finding.certainty) for finding in seen.of("SM-001", 0)] == [(1, "proven")]


def test_what_was_found_before_the_refutation_stays(tmp_path):
    """A foreign tag that the endpoint uses once, and never its peer's again before a packet is missing."""
    scenario = with_wrong_tag(long_established()).sack(1)
    seen = judged(acked_without_passing(scenario, True), tmp_path, SURE)
    assert "complete" in seen.refuted
    assert [finding.certainty for finding in seen.of("SM-001", 0)] == ["proven"]


def test_a_sack_that_goes_back_does_not_move_the_tap(tmp_path):
    scenario = long_established()
    before = scenario.ends[1].tsn - 1
    scenario.data(1).sack(0).send(0, chunks.sack(before)).exchange(1)
    assert not judged(scenario, tmp_path, SURE).refuted


@pytest.mark.parametrize("asserted, certainty", [((), "probable"), (scenario_builder.assertions(taken_at=["10.0.0.1"]), "proven")])
def test_a_packet_that_a_network_may_have_held_up_proves_no_order_but_at_its_sender(asserted, certainty, tmp_path):
    scenario = up().abort().data(0, gap_ns=20 * scenario_builder.MS)
    assert [finding.certainty for finding in judged(scenario, tmp_path, asserted).of("SM-023", 0)] == [certainty]


def test_a_packet_that_passes_later_than_a_network_holds_it_up_proves_the_order(tmp_path):
    scenario = up().abort().data(0, gap_ns=scenario_builder.S)
    assert [finding.certainty for finding in judged(scenario, tmp_path, ()).of("SM-023", 0)] == ["proven"]


@pytest.mark.parametrize("asserted, certainty", [(scenario_builder.COMPLETE_AT_END_1, "probable"), (SURE, "proven")])
def test_what_a_firewall_may_drop_is_proven_behind_it_alone(asserted, certainty, tmp_path):
    findings = judged(heartbeats_not_answered_but_data(), tmp_path, asserted).of("PM-002", 0)
    assert [finding.certainty for finding in findings] == [certainty]


@pytest.mark.parametrize("a_rwnd, certainty", [(8192, "probable"), (131072, "proven")])
def test_who_sent_no_data_may_have_a_chunk_that_fits_into_no_small_window(a_rwnd, certainty, tmp_path):
    """End 0 may wait with it, as with a probe of a closed window (RFC 9260 6.1 A), and answers the SHUTDOWN later."""
    scenario = scenario_builder.ScenarioBuilder()
    end = scenario.ends[1]
    scenario.init().send(1, chunks.init_ack(end.tag, end.tsn, b"cookie..", a_rwnd=a_rwnd)).cookie_echo().cookie_ack().data(1).sack(0)
    scenario.shutdown(1).heartbeat(1, gap_ns=scenario_builder.S)
    assert [finding.certainty for finding in judged(scenario, tmp_path, SURE).of("SD-005", 0)] == [certainty]
