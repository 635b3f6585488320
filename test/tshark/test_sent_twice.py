# SPDX-License-Identifier: GPL-2.0-or-later
"""What the first screen says of senders that send their data twice at once: sooner than any ack, timer or report can make them."""

import pytest
from timed_scenario import TimedScenario, page_of

ONE_WAY_NS = 10_000_000
ACKS = ("no ack had passed", "their acks lost between")


def twice(sender, again, after=0.00035, rounds=12, chunks_each=1, reported=True, ways_ns=(ONE_WAY_NS, ONE_WAY_NS), **options):
    """A message every 0.3 s; those with a number of again pass once more after so many seconds, and the receiver reports what it gets twice."""
    scenario = TimedScenario(near_ns=ways_ns[sender], far_ns=ways_ns[1 - sender], **options)
    answer = 2 * ways_ns[1] / 1e9
    for at in range(rounds):
        now, numbers = 0.1 + 0.3 * at, range(chunks_each * at, chunks_each * (at + 1))
        sent = [now, now + after][:1 + (at in again)]
        answers = [(one + answer, numbers if copy and reported else ()) for copy, one in enumerate(sent)]
        for passes, duplicates in sorted([(one, None) for one in sent] + answers, key=lambda one: one[0]):
            if duplicates is None:
                scenario.data_at(passes, sender, *numbers)
            else:
                scenario.sack_at(passes, 1 - sender, numbers[-1], duplicates=duplicates)
    return scenario


@pytest.mark.parametrize("sender, options", [
    (1, {}), (0, {"after": 0.004, "chunks_each": 2}), (1, {"after": 0.0009, "ways_ns": (2 * ONE_WAY_NS, 100_000)})])
def test_all_data_twice_without_identifications_is_most_likely_the_sender(tshark, tmp_path, sender, options):
    """The set-up passed once: a network that doubles all data would have doubled that too."""
    page = page_of(tshark, tmp_path, twice(sender, range(20), rounds=20, identification=0, **options))
    assert f"endpoint {sender} most likely sends each DATA packet twice in a row, and neither a timer nor a lost ack is the cause" in page
    assert f"all {20 * options.get('chunks_each', 1)} of them spurious: they passed at most" in page
    assert not any(one in page for one in ACKS)


@pytest.mark.parametrize("sender, again, after, told", [(0, (1, 4, 7, 8), 0.0008, "800 us"), (1, (2, 3, 10), 0.012, "12.00 ms")])
def test_beside_a_sender_that_counts_its_packets_copies_before_any_ack_are_its_own(tshark, tmp_path, sender, again, after, told):
    page = page_of(tshark, tmp_path, twice(sender, again, after, ways_ns=(100_000, 2 * ONE_WAY_NS)))
    assert f"all {len(again)} of them spurious: they passed at most {told} after the first copy; the earliest possible ack takes " in page
    assert f"endpoint {sender} sends DATA packets twice in a row, and neither a timer nor a lost ack is the cause" in page
    assert not any(one in page for one in ACKS)


def test_a_few_copies_without_identifications_may_be_the_network_s(tshark, tmp_path):
    page = page_of(tshark, tmp_path, twice(0, (1, 4, 7, 8), identification=0, ways_ns=(100_000, 2 * ONE_WAY_NS)))
    assert "endpoint 0 sends DATA packets twice in a row, or the network doubles its packets before the capture point" in page
    assert "most likely sends" not in page and not any(one in page for one in ACKS)


def test_a_few_first_packets_far_from_the_sender_may_have_been_delayed(tshark, tmp_path):
    page = page_of(tshark, tmp_path, twice(1, (1, 4, 7, 8)))
    assert "endpoint 1 sends DATA packets twice in a row, or its first packets were delayed before the capture point" in page
    assert "neither a timer" not in page and not any(one in page for one in ACKS)


@pytest.mark.parametrize("again, options", [
    (range(12), {"after": 0.05}),      # longer than a round trip: a timer
    (range(12), {"reported": False}),  # the receiver got it once: the capture may have it twice
    ((1, 4), {}),                      # by chance
])
def test_what_a_timer_the_capture_or_chance_explains_is_not_said_to_be_sent_twice(tshark, tmp_path, again, options):
    assert "twice in a row" not in page_of(tshark, tmp_path, twice(0, again, ways_ns=(100_000, 2 * ONE_WAY_NS), **options))
