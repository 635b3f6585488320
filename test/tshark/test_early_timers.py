# SPDX-License-Identifier: GPL-2.0-or-later
"""What the first screen says, beside the receiver, of a sender whose RTO is below the receiver's SACK delay, and of one whose packets are lost."""

import pytest
from timed_scenario import TimedScenario, page_of


def spurious(sender, rtos, chunks_waiting=False):
    """Lone chunks, each retransmitted after so many seconds, which the receiver acknowledges then at once, with the duplicate."""
    ways_ns = (10_000_000, 100_000)[::-1 if sender else 1]
    scenario, now, number = TimedScenario(near_ns=ways_ns[0], far_ns=ways_ns[1]), 0.1, 1
    scenario.data_at(now, sender, 0)
    scenario.sack_at(now + 0.0001, 1 - sender, 0)
    for rto in rtos:
        now += 1
        scenario.data_at(now, sender, number)
        scenario.data_at(now + rto, sender, number)
        scenario.sack_at(now + rto + 0.0001, 1 - sender, number, duplicates=(number,))
        number += 1
        if chunks_waiting:
            scenario.data_at(now + rto + 0.0102, sender, number)
            scenario.sack_at(now + rto + 0.2102, 1 - sender, number)
            number += 1
    return scenario


@pytest.mark.parametrize("sender, rtos, told", [(0, (0.12,) * 6, "120.0 ms"), (1, (0.08, 0.16, 0.15, 0.19), "80.00 ms to 190.0 ms")])
def test_retransmissions_before_the_sack_is_due_are_an_rto_below_the_sack_delay(tshark, tmp_path, sender, rtos, told):
    page = page_of(tshark, tmp_path, spurious(sender, rtos))
    assert (f"{'all' if len(rtos) > 1 else 'at least'} {len(rtos)} of them spurious: endpoint {sender} retransmits after {told}, but endpoint {1 - sender} may delay SACKs by 200.0 ms, "
            "at most by 500.0 ms (RFC 9260 6.2): RTO below the peer's SACK delay") in page
    assert "no failures and no pauses" in page and "acks lost" not in page


def test_what_waited_for_such_an_ack_paused_for_the_rto(tshark, tmp_path):
    page = page_of(tshark, tmp_path, spurious(0, (0.15,) * 3, chunks_waiting=True))
    assert "450.3 ms RTO below the peer's SACK delay" in page and "acks lost" not in page


def in_bursts(sender, packets, rto, bursts=5, waits=False, pairs=0):
    """Bursts of which no packet is acknowledged until the timer sends them again, in one packet; then comes a SACK, and where it waits, the next message.
    pairs: acknowledged at once, before."""
    ways_ns = (10_000_000, 100_000)[::-1 if sender else 1]
    scenario, now, number = TimedScenario(near_ns=ways_ns[0], far_ns=ways_ns[1]), 0.1, 1
    scenario.data_at(now, sender, 0)
    scenario.sack_at(now + 0.0001, 1 - sender, 0)
    for _ in range(pairs):
        now += 0.5
        scenario.data_at(now, sender, number)
        scenario.data_at(now + 0.001, sender, number + 1)
        scenario.sack_at(now + 0.0011, 1 - sender, number + 1)
        number += 2
    for _ in range(bursts):
        now += 0.9
        burst = range(number, number + packets)
        for place, one in enumerate(burst):
            scenario.data_at(now + 0.002 * place, sender, one)
        scenario.data_at(now + rto, sender, *burst)
        scenario.sack_at(now + rto + 0.0001, 1 - sender, burst[-1], duplicates=burst)
        number += packets
        if waits:
            scenario.data_at(now + rto + 0.0102, sender, number)
            scenario.sack_at(now + rto + 0.2102, 1 - sender, number)
            number += 1
    return scenario


@pytest.mark.parametrize("sender, packets, rto, bursts", [(1, 2, 0.18, 24), (0, 3, 0.15, 4), (1, 5, 0.3, 6)])
def test_a_receiver_that_holds_the_sack_of_several_packets_back_makes_an_rto_below_its_delay_too(tshark, tmp_path, sender, packets, rto, bursts):
    page = page_of(tshark, tmp_path, in_bursts(sender, packets, rto, bursts))
    delay_s = max(rto - 0.002 * (packets - 1), 0.2)
    assert (f"{'all' if packets * bursts > 1 else 'at least'} {packets * bursts} of them spurious: endpoint {sender} retransmits after {rto * 1000:.1f} ms, but endpoint {1 - sender} may delay SACKs, "
            f"those of {packets} packets as well, by {delay_s * 1000:.1f} ms, at most by 500.0 ms (RFC 9260 6.2): RTO below the peer's SACK delay") in page
    assert "no failures and no pauses" in page and "acks lost" not in page


def test_what_waited_for_the_ack_of_several_packets_paused_for_the_rto(tshark, tmp_path):
    page = page_of(tshark, tmp_path, in_bursts(0, 2, 0.15, waits=True))
    assert "750.5 ms RTO below the peer's SACK delay" in page and "acks lost" not in page


@pytest.mark.parametrize("sender", [0, 1])
@pytest.mark.parametrize("options", [{"pairs": 1}, {"bursts": 3}, {"rto": 0.6}])
def test_acks_are_lost_where_the_receiver_acknowledges_pairs_at_once_or_too_few_are_missing_or_for_too_long(tshark, tmp_path, sender, options):
    page = page_of(tshark, tmp_path, in_bursts(**{"sender": sender, "packets": 2, "rto": 0.18, **options}))
    assert "ms acks lost or late" in page or "s acks lost or late" in page
    assert "RTO below" not in page


def test_a_loss_probe_may_be_what_comes_later(tshark, tmp_path):
    assert "RTO below" not in page_of(tshark, tmp_path, spurious(0, (0.23,) * 4))


@pytest.mark.parametrize("sender, again_s", [(0, 0.0004), (1, 0.009)])
def test_what_is_sent_twice_within_a_round_trip_is_of_no_timer(tshark, tmp_path, sender, again_s):
    """An RTO is no shorter than a round trip (RFC 9260 6.3.1 C3)."""
    page = page_of(tshark, tmp_path, spurious(sender, (again_s,) * 6))
    assert "all 6 of them spurious" in page and "RTO below" not in page


def test_packets_that_are_lost_are_no_rto_below_the_sack_delay(tshark, tmp_path):
    scenario, now = TimedScenario(near_ns=100_000, far_ns=10_000_000), 0.1
    for number in range(12):
        scenario.data_at(now, 0, number)
        if number % 3 == 2:
            scenario.data_at(now := now + 0.15, 0, number)
        scenario.sack_at(now := now + 0.01, 1, number)
        now += 0.5
    page = page_of(tshark, tmp_path, scenario)
    assert "4 of 16 transmissions were retransmissions" in page and "RTO below" not in page and "spurious" not in page
