# SPDX-License-Identifier: GPL-2.0-or-later
"""What the plugin says of a sender is what that sender recorded of itself: why it sent again, its round trips, its RTO.

One scenario of eight, the same ones each time; with SCTPA_ALL_CAPTURES=1 all, and then the shares of each stack as well."""

import functools
import os

import pytest

import counters
import explained
import kinds
import rto_ranges
import rtt
import truth

HAS_ALL = bool(os.environ.get("SCTPA_ALL_CAPTURES"))
SCENARIOS = truth.scenarios()[:: 1 if HAS_ALL else 8]
needs_all = pytest.mark.skipif(not HAS_ALL, reason="shares are of all scenarios: SCTPA_ALL_CAPTURES=1")

# Share of the decided retransmissions of which the plugin may say unknown: as measured, and a little.
UNKNOWN_AT_MOST = {"linux": 0.01, "usrsctp": 0.03, "interop": 0.01, "dcsctp": 0.005, "pion": 0.25}
# Linux and usrsctp time one TSN at once, as the plugin does; dcsctp and pion choose TSNs otherwise.
RTT_AT_LEAST = {"linux": 0.99, "usrsctp": 0.99, "interop": 0.99}
RTT_OF_SCENARIO_AT_LEAST, SAMPLES_TO_JUDGE = 0.9, 20
# Where both have a sample at one packet it is the same, but for SACKs that end several and for packets the host held back.
SAME_VALUE_AT_LEAST = 0.95
RTO_AT_LEAST = {"linux": 0.99, "usrsctp": 0.88, "interop": 0.85, "pion": 0.98}
# Captures at an endpoint whose timeouts show its RTO.Min; the rest are samples whose packet the host held back.
RTO_SHOWN_BY_TIMEOUTS = ["linux/mh-failover", "linux/outages", "linux/t3-death", "usrsctp/mh-failover", "usrsctp/outages",
                         "usrsctp/vantage-multihomed", "interop/interop-mh", "pion/outage"]
RTO_DRAWN_AT_LEAST = 0.95


def each_scenario(test):
    return pytest.mark.parametrize("folder", SCENARIOS, ids=lambda folder: f"{folder.parent.name}/{folder.name}")(test)


def each_stack(table):
    return pytest.mark.parametrize("stack", table)


def kinds_of(tshark, folder):
    return [row for end in truth.taps(folder) for row in kinds.compared(tshark, folder, end)]


@functools.cache
def samples_of(tshark, folder):
    return sum((rtt.compared(tshark, folder, end)[0] for end in truth.taps(folder)), rtt.Counts())


def samples_of_stack(tshark, stack):
    return sum((samples_of(tshark, folder) for folder in truth.scenarios([stack])), rtt.Counts())


@pytest.mark.thorough_but_one_in(4)
@each_scenario
def test_every_kind_that_differs_from_the_truth_is_explained(folder, tshark):
    different = [str(row) for row in kinds_of(tshark, folder) if row.is_different and not explained.reason(row)]
    assert different[:10] == [], f"{len(different)} unexplained kinds"


@pytest.mark.thorough_but_one_in(4)
@each_scenario
def test_every_retransmission_of_the_stack_has_a_kind(folder, tshark):
    missing = [str(row) for row in kinds_of(tshark, folder) if row.ours == kinds.NOT_SEEN]
    assert missing[:10] == [], f"{len(missing)} without a kind"


@each_scenario
def test_truth_of_every_retransmission_is_known(folder):
    undecided = [sent for end in truth.taps(folder) for sent in truth.kinds(folder, end) if sent.truth == "undecided"]
    assert undecided[:10] == []


@needs_all
@each_stack(UNKNOWN_AT_MOST)
def test_few_kinds_stay_unknown(stack, tshark):
    rows = [row for folder in truth.scenarios([stack]) for row in kinds_of(tshark, folder)]
    unknown = sum(row.ours == kinds.UNKNOWN and not row.is_right for row in rows)
    assert unknown <= UNKNOWN_AT_MOST[stack] * len(rows), f"{unknown} of {len(rows)}"


@pytest.mark.thorough_but_one_in(4)
@each_scenario
def test_stack_and_plugin_measure_the_same_round_trips(folder, tshark):
    counts = samples_of(tshark, folder)
    if folder.parent.name in RTT_AT_LEAST and counts.of_stack >= SAMPLES_TO_JUDGE:
        assert counts.found >= RTT_OF_SCENARIO_AT_LEAST * counts.of_stack, counts


@needs_all
@each_stack(RTT_AT_LEAST)
def test_nearly_every_sample_of_the_stack_has_an_equal_one(stack, tshark):
    counts = samples_of_stack(tshark, stack)
    assert counts.found >= RTT_AT_LEAST[stack] * counts.of_stack, counts


@needs_all
@each_stack(truth.STACKS)
def test_samples_at_one_packet_have_the_same_value(stack, tshark):
    counts = samples_of_stack(tshark, stack)
    assert counts.found >= SAME_VALUE_AT_LEAST * (counts.found + counts.other), counts


@each_scenario
def test_rto_of_the_stack_follows_from_its_samples(folder):
    """Protects the truth: a sample tied to the wrong path or read wrongly would give another RTO."""
    wrong = [sample for end in truth.taps(folder) for sample in rtt.stack_samples(folder, end).samples if sample.is_rto_right is False]
    assert wrong[:10] == []


@needs_all
@each_stack(RTO_AT_LEAST)
def test_plugin_shows_the_rto_of_the_stack(stack, tshark):
    counts = samples_of_stack(tshark, stack)
    assert counts.rto_equal >= RTO_AT_LEAST[stack] * counts.rto_shown, counts


@pytest.mark.thorough_but_one_in(4)
@pytest.mark.parametrize("name", RTO_SHOWN_BY_TIMEOUTS)
def test_the_rto_of_the_stack_lies_in_what_is_drawn(name, tshark):
    inside, known = rto_ranges.compared(tshark, truth.CAPTURES / name, "A")
    assert known >= SAMPLES_TO_JUDGE and inside >= RTO_DRAWN_AT_LEAST * known, f"{inside} of {known}"


@each_scenario
def test_counters_agree_with_both_taps(folder, tshark):
    """Duplicates exactly; never more spurious retransmissions than there were."""
    for end in truth.taps(folder) if len(truth.taps(folder)) == 2 else ():
        true, ours = counters.numbers(folder, end), counters.said(tshark, folder, end)
        assert (ours.duplicates, ours.retransmissions) == (true.duplicates, true.retransmissions), f"tap {end}"
        assert ours.spurious <= true.spurious, f"tap {end}"


def test_spurious_retransmissions_are_all_that_sacks_prove(tshark):
    """dcsctp sends a TSN up to five times in a round trip, and every copy is reported as a duplicate."""
    folder = truth.CAPTURES / "dcsctp/bulk-loss1"
    assert counters.numbers(folder, "A").spurious == counters.said(tshark, folder, "A").spurious == 152
