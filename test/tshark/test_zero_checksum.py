# SPDX-License-Identifier: GPL-2.0-or-later
"""What the first screen says of packets with checksum zero: whether their receiver announced that it takes such, and whether it discards them."""

import pytest
from timed_scenario import TimedScenario, chunks, page_of

ZERO = bytes(4)
ACCEPTABLE = chunks.tlv(chunks.ZERO_CHECKSUM, (1).to_bytes(4, "big"))


def announced_by(*ends):
    return tuple(ACCEPTABLE if end in ends else b"" for end in (0, 1))


def acked_by_zero(sender, timeouts, params, per_packet=1, right_at=None, **options):
    """The first packet is retransmitted at these seconds, though each is acknowledged at once by a SACK with checksum zero."""
    scenario = TimedScenario(params=params, **options)
    numbers = range(per_packet)
    for at in (0.1, *timeouts):
        scenario.data_at(at, sender, *numbers)
        scenario.sack_at(at + 0.03, 1 - sender, per_packet - 1, duplicates=() if at == 0.1 else numbers,
                         **({} if at == right_at else {"checksum": ZERO}))
    return scenario.wait(10**9).heartbeat(1 - sender)


DISCARDS = "endpoint {} discards the packets of endpoint {} with checksum 0, which it never announced to take (RFC 9653)"


@pytest.mark.parametrize("sender, timeouts, params, per_packet", [
    (0, (1.1, 3.1, 7.1), announced_by(1), 1), (1, (3.1, 9.1), announced_by(0), 3), (0, (0.4, 0.9, 1.9, 3.9), announced_by(), 2)])
def test_who_never_announced_to_take_zero_and_retransmits_what_is_acked_discards_it(tshark, tmp_path, sender, timeouts, params, per_packet):
    page = page_of(tshark, tmp_path, acked_by_zero(sender, timeouts, params, per_packet))
    assert DISCARDS.format(sender, 1 - sender) in page
    assert "acks discarded" in page.split("Transport:")[1].split("Pauses:")[0]
    assert "acks lost" not in page and "acked none" not in page
    assert "nobody agreed on that" in page


def test_the_pause_ends_with_the_first_sack_of_a_right_checksum(tshark, tmp_path):
    page = page_of(tshark, tmp_path, acked_by_zero(0, (1.1, 3.1, 7.1), announced_by(), right_at=7.1))
    assert "lost 7.030 s of 7.030 s: 7.030 s acks discarded; from frame 5 to 12" in page


def test_who_announced_to_take_zero_does_not_discard_it(tshark, tmp_path):
    page = page_of(tshark, tmp_path, acked_by_zero(0, (1.1, 3.1, 7.1), announced_by(0)))
    assert "discard" not in page and "left to the hardware, or agreed on (RFC 9653)" in page


def test_who_goes_on_with_the_acks_of_checksum_zero_takes_them(tshark, tmp_path):
    """Hardware computes the checksum behind the tap; the acks of the second message are lost there."""
    scenario = TimedScenario()
    scenario.data_at(0.1, 0, 0)
    scenario.sack_at(0.13, 1, 0, checksum=ZERO)
    for at in (0.5, 1.5, 3.5, 7.5):
        scenario.data_at(at, 0, 1)
        scenario.sack_at(at + 0.03, 1, 1, duplicates=() if at == 0.5 else (1,), checksum=ZERO)
    page = page_of(tshark, tmp_path, scenario)
    assert "discard" not in page


def test_one_retransmission_may_have_missed_the_ack(tshark, tmp_path):
    assert "discard" not in page_of(tshark, tmp_path, acked_by_zero(0, (1.1,), announced_by()))


@pytest.mark.parametrize("announcer, sender, is_agreed", [(1, 0, True), (0, 1, True), (0, 0, False), (1, 1, False)])
def test_the_receiver_alone_announces_that_it_takes_zero(tshark, tmp_path, announcer, sender, is_agreed):
    scenario = TimedScenario(params=announced_by(announcer))
    for number in range(3):
        scenario.data_at(0.1 + number, sender, number, checksum=ZERO)
        scenario.sack_at(0.13 + number, 1 - sender, number)
    page = page_of(tshark, tmp_path, scenario)
    assert ("or agreed on (RFC 9653)" in page) == is_agreed
    assert ("nobody agreed on that" in page) != is_agreed


def test_those_that_nobody_agreed_on_are_counted_beside_others(tshark, tmp_path):
    scenario = TimedScenario(params=announced_by(1))
    for number in range(3):
        scenario.data_at(0.1 + number, 0, number, checksum=ZERO)
        scenario.sack_at(0.13 + number, 1, number, **({"checksum": ZERO} if number == 2 else {}))
    assert "4 packets have a checksum of zero (first: frame 5): left to the hardware, or agreed on (RFC 9653), but nobody agreed on 1 of them" in \
        page_of(tshark, tmp_path, scenario)
