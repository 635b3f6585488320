# SPDX-License-Identifier: GPL-2.0-or-later
"""Checksums that an endpoint makes: wrong ones, and zero ones with and without the parameter."""

import struct

from generate import chunks, packet
from scenario_builder import COMPLETE_AT_END_0, COMPLETE_AT_END_1, MS, S, ScenarioBuilder
from register import fires, silent
from mutations import breaks
from set_ups import announces
from scripts import Setting, alters, violates
from continuation import Continuation
from captured_associations import is_set_up_once
from asconf_requests import NEW, add
from encapsulation import ZERO, sums

WRONG = b"\1\2\3\4"
ACCEPTS = chunks.tlv(chunks.ZERO_CHECKSUM, struct.pack("!I", 1))


def is_over_ip(association):
    return association.init.packet["ports"] == (0, 0)


def adler32(sctp):
    low, high = 1, 0
    for byte in sctp:
        low = (low + byte) % 65521
        high = (high + low) % 65521
    return struct.pack("!I", high << 16 | low)


@violates("FMT-004")
def adler_sums(talk):
    sums(talk, adler32)


@silent("FMT-004", judged=False)
def adler_once():
    return sums(ScenarioBuilder().set_up(), adler32, 1)


@violates("ZC-001", Setting(where=is_over_ip))
def zeros_not_accepted(talk):
    sums(talk, ZERO)


@silent("ZC-001", judged=False)
def one_zero():
    return sums(ScenarioBuilder().set_up().exchange(), ZERO, 1)


@silent("ZC-001", judged=False)
def zeros_accepted():
    return sums(ScenarioBuilder().set_up((b"", ACCEPTS)), ZERO)


def without_checksum(packet):
    packet["sctp"] = packet["sctp"][:8] + ZERO + packet["sctp"][12:]


def echoes_where_init_went(association):
    echo, init = next(association.places(0, chunks.COOKIE_ECHO), None), association.init
    return echo and all(echo.packet[end] == init.packet[end] for end in ("source", "destination"))


@alters("ZC-003")
def cookie_echo_with_zero(editor):
    association = editor.association(lambda association: is_set_up_once(association) and echoes_where_init_went(association))
    without_checksum(next(association.places(0, chunks.COOKIE_ECHO)).packet)
    return 0


@silent("ZC-003")
def zeros_after_the_cookie_echo():
    return sums(ScenarioBuilder().set_up((b"", ACCEPTS)), ZERO)


@silent("ZC-003", judged=False)
def sums_left_to_the_hardware():
    return ScenarioBuilder().send(0, chunks.init(1, 1), checksum=ZERO).init_ack(1).send(0, chunks.cookie_echo(b"cookie"), checksum=ZERO)


def at_two_taps(scenario, *parts, **options):
    """End 0 sends; the hardware computes the checksum behind the first interface, and the second one, by its clock, shows the packet first."""
    return scenario.send(0, *parts, interface=1, ttl=60, **options).again(interface=0, ttl=64, checksum=ZERO, gap_ns=4 * MS)


@silent("ZC-003")
def sums_left_to_the_hardware_at_one_of_two_taps():
    scenario = ScenarioBuilder()
    end = scenario.ends[0]
    at_two_taps(scenario, chunks.init(end.tag, end.tsn), vtag=0).init_ack(1, ACCEPTS)
    scenario.send(0, chunks.cookie_echo(b"cookie.."), checksum=ZERO).cookie_ack()
    return sums(scenario.exchange(), ZERO)


@alters("ZC-007", None, causes=("FMT-031",))
def zero_checksum_parameter_of_length_12(editor):
    return announces(editor, chunks.tlv(chunks.ZERO_CHECKSUM, bytes(8)))


@silent("ZC-007")
@alters("ZC-010", None, causes=("FMT-031",))
def zero_checksum_parameter_of_a_draft(editor):
    return announces(editor, chunks.tlv(chunks.ZERO_CHECKSUM))


def wrong_checksums(n, answered):
    """End 0 sends one message again and again; end 1 makes right checksums."""
    scenario = ScenarioBuilder()
    scenario.send(0, chunks.init(scenario.ends[0].tag, scenario.ends[0].tsn), vtag=0, checksum=WRONG).init_ack(1)
    tsn = scenario.ends[0].tsn
    for _ in range(n):
        scenario.send(0, chunks.data(tsn, b"user"), gap_ns=2000 * MS, checksum=WRONG).send(1, chunks.heartbeat())
        if answered:
            scenario.send(1, chunks.sack(tsn))
    return scenario


@fires("FMT-003")
def no_right_checksum_and_no_answer():
    return wrong_checksums(12, answered=False)


@silent("FMT-003", judged=False)
def no_right_checksum_and_answers():
    """The hardware of the host that was captured makes them."""
    return wrong_checksums(12, answered=True)


@fires("FMT-003", asserted=COMPLETE_AT_END_0)
@silent("FMT-003", judged=False, asserted=COMPLETE_AT_END_1)
@silent("FMT-003", judged=False)
def wrong_checksums_among_right_ones():
    scenario = ScenarioBuilder().set_up()
    for _ in range(12):
        scenario.send(0, chunks.data(scenario.ends[0].tsn, b"user"), gap_ns=2000 * MS, checksum=WRONG)
    return scenario


def init_twice(first, second):
    scenario = ScenarioBuilder()
    end = scenario.ends[0]
    for checksum in (first, second):
        scenario.send(0, chunks.init(end.tag, end.tsn), vtag=0, gap_ns=3000 * MS, checksum=checksum)
    return scenario.init_ack(1).send(0, chunks.cookie_echo(b"cookie")).send(1, chunks.cookie_ack())


@silent("ZC-002")
def init_left_to_the_hardware_at_one_tap_and_again_at_the_other():
    """The network doubles the INIT between the tap at its sender, which shows no checksum yet, and the second one, which the first copy passes unseen."""
    scenario = ScenarioBuilder()
    end = scenario.ends[0]
    scenario.send(0, chunks.init(end.tag, end.tsn), vtag=0, checksum=ZERO)
    scenario.again(checksum=None, interface=1, gap_ns=3 * MS).again(gap_ns=20 * MS)
    return scenario.init_ack(1).send(0, chunks.cookie_echo(b"cookie")).send(1, chunks.cookie_ack())


@alters("ZC-002")
def init_with_zero_and_again_without(editor):
    """An INIT without checksum before the one that is there."""
    init = editor.association(is_set_up_once).init.packet
    editor.edit(init, 0, b"")
    without_checksum(editor.again(init, after_ns=-S))
    return 0


@silent("ZC-002")
def init_twice_with_checksums():
    return init_twice(None, None)


@silent("ZC-002")
def init_twice_left_to_the_hardware():
    return init_twice(ZERO, ZERO)


def abort_with(checksum, t):
    scenario = ScenarioBuilder().set_up((ACCEPTS, ACCEPTS)).exchange()
    return scenario.send(0, chunks.abort(t=t), vtag=scenario.ends[not t].tag, checksum=checksum)


@violates("ZC-004")
def abort_with_t_bit_and_zero(talk):
    talk.abort(talk.near, t=True, checksum=ZERO)


@silent("ZC-004")
def abort_with_t_bit_and_checksum():
    return abort_with(None, True)


@silent("ZC-004", judged=False)
def abort_of_the_association_with_zero():
    return abort_with(ZERO, False)


@alters("ZC-005", None)
def zero_checksum_by_method_0(editor):
    return announces(editor, chunks.tlv(chunks.ZERO_CHECKSUM, bytes(4)))


@silent("ZC-005")
@silent("ZC-010")
def zero_checksum_by_dtls():
    return ScenarioBuilder().set_up((ACCEPTS, b""))


def asconf_with(talk, checksum):
    return talk.send(talk.near, chunks.asconf(talk.ends[talk.near].initial_tsn, NEW, add()), checksum=checksum)


@violates("ZC-009", Setting(where=lambda association: chunks.ASCONF not in association.demands(1 - association.near)), causes=("AS-001", "AS-002", "AU-007"))
def asconf_with_zero(talk):
    asconf_with(talk, ZERO)


@silent("ZC-009")
def asconf_with_checksum():
    return asconf_with(ScenarioBuilder().set_up((ACCEPTS, ACCEPTS)), None)


@breaks("FMT-003")
def no_right_checksum(editor):
    """Of the capture only how both look: each sends one message again and again, and one of them makes no checksum that is right."""
    continuation = Continuation(editor, where=lambda association: association.is_single())
    near, far = continuation.near, continuation.far
    editor.packets[:] = [continuation.like[end] for end in (0, 1)]
    messages = [continuation.chunk(end) for end in (0, 1)]
    for _ in range(6):
        for end, part in ((near, messages[near]), (far, messages[far]), (near, chunks.sack(continuation.ends[far].tsn - 1))):
            continuation.send(end, part, gap_ns=S, checksum=WRONG if end == near else None)
    del editor.packets[:2]
    return 0


LEFT_OUT = [
    ("ZC-006", "left out", "dumps of user-space stacks hide the DTLS layer"),
    ("ZC-008", "dropped", "silence towards CRC packets only cannot be told from loss; the ordinary receiver rules fire anyway"),
]
