# SPDX-License-Identifier: GPL-2.0-or-later
"""Checksums that an endpoint makes: wrong ones, and zero ones with and without the parameter."""

import struct

from generate import chunks, packet
from scenario_builder import COMPLETE_AT_END_0, COMPLETE_AT_END_1, MS, S, ScenarioBuilder
from register import fires, silent
from mutations import breaks
from continuation import Continuation
from captured_associations import is_set_up_once
from asconf_requests import NEW, add
from encapsulation import ZERO, sums, zeros

ACCEPTS = chunks.tlv(chunks.ZERO_CHECKSUM, struct.pack("!I", 1))


def adler32(sctp):
    low, high = 1, 0
    for byte in sctp:
        low = (low + byte) % 65521
        high = (high + low) % 65521
    return struct.pack("!I", high << 16 | low)


def with_adler(scenario, n):
    for _ in range(n):
        one, other = scenario.ends
        part = chunks.data(one.tsn, b"user")
        scenario.send(0, part, checksum=adler32(packet.sctp(one.port, other.port, other.tag, part, checksum=ZERO)))
        one.tsn += 1
    return scenario


@fires("FMT-004")
def adler_three_times():
    return with_adler(ScenarioBuilder().set_up(), 3)


@silent("FMT-004", judged=False)
def adler_once():
    return with_adler(ScenarioBuilder().set_up(), 1)


@fires("ZC-001")
def zeros_not_accepted():
    return zeros(ScenarioBuilder().set_up().exchange())


@silent("ZC-001", judged=False)
def one_zero():
    return zeros(ScenarioBuilder().set_up().exchange(), 1)


@silent("ZC-001", judged=False)
def zeros_accepted():
    return zeros(ScenarioBuilder().set_up((b"", ACCEPTS)))


@fires("ZC-003")
def cookie_echo_with_zero():
    scenario = ScenarioBuilder().init(0).init_ack(1, ACCEPTS)
    return scenario.send(0, chunks.cookie_echo(b"cookie"), checksum=ZERO)


@silent("ZC-003")
def zeros_after_the_cookie_echo():
    return zeros(ScenarioBuilder().set_up((b"", ACCEPTS)))


@silent("ZC-003", judged=False)
def sums_left_to_the_hardware():
    scenario = ScenarioBuilder().send(0, chunks.init(1, 1), checksum=ZERO).init_ack(1)
    return scenario.send(0, chunks.cookie_echo(b"cookie"), checksum=ZERO)


def at_two_taps(scenario, *parts, **options):
    """End 0 sends; the hardware computes the checksum behind the first interface, and the second one, by its clock, shows the packet first."""
    return scenario.send(0, *parts, interface=1, ttl=60, **options).again(interface=0, ttl=64, checksum=ZERO, gap_ns=4 * MS)


@silent("ZC-003")
def sums_left_to_the_hardware_at_one_of_two_taps():
    scenario = ScenarioBuilder()
    end = scenario.ends[0]
    at_two_taps(scenario, chunks.init(end.tag, end.tsn), vtag=0).init_ack(1, ACCEPTS)
    scenario.send(0, chunks.cookie_echo(b"cookie.."), checksum=ZERO).cookie_ack()
    return zeros(scenario.exchange())


def accepts_in(nbytes):
    return ScenarioBuilder().set_up((chunks.tlv(chunks.ZERO_CHECKSUM, bytes(nbytes)), b""))


@fires("ZC-007")
def zero_checksum_parameter_of_length_12():
    return accepts_in(8)


@fires("ZC-010")
@silent("ZC-007")
def zero_checksum_parameter_of_a_draft():
    return accepts_in(0)


def wrong_checksums(n, answered):
    """End 0 sends one message again and again; end 1 makes right checksums."""
    scenario = ScenarioBuilder()
    scenario.send(0, chunks.init(scenario.ends[0].tag, scenario.ends[0].tsn), vtag=0, checksum=b"\1\2\3\4").init_ack(1)
    tsn = scenario.ends[0].tsn
    for _ in range(n):
        scenario.send(0, chunks.data(tsn, b"user"), gap_ns=2000 * MS, checksum=b"\1\2\3\4").send(1, chunks.heartbeat())
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
        scenario.send(0, chunks.data(scenario.ends[0].tsn, b"user"), gap_ns=2000 * MS, checksum=b"\1\2\3\4")
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


@fires("ZC-002")
def init_with_zero_and_again_without():
    return init_twice(ZERO, None)


@silent("ZC-002")
def init_twice_with_checksums():
    return init_twice(None, None)


@silent("ZC-002")
def init_twice_left_to_the_hardware():
    return init_twice(ZERO, ZERO)


def abort_with(checksum, t):
    scenario = ScenarioBuilder().set_up((ACCEPTS, ACCEPTS)).exchange()
    return scenario.send(0, chunks.abort(t=t), vtag=scenario.ends[not t].tag, checksum=checksum)


@fires("ZC-004")
def abort_with_t_bit_and_zero():
    return abort_with(ZERO, True)


@silent("ZC-004")
def abort_with_t_bit_and_checksum():
    return abort_with(None, True)


@silent("ZC-004", judged=False)
def abort_of_the_association_with_zero():
    return abort_with(ZERO, False)


def accepts_method(method):
    return ScenarioBuilder().set_up((chunks.tlv(chunks.ZERO_CHECKSUM, struct.pack("!I", method)), b""))


@fires("ZC-005")
def zero_checksum_by_method_0():
    return accepts_method(0)


@silent("ZC-005")
@silent("ZC-010")
def zero_checksum_by_dtls():
    return accepts_method(1)


def asconf_with(checksum):
    param = chunks.asconf_param(chunks.ADD_IP, 1, chunks.address("10.0.0.9"))
    scenario = ScenarioBuilder().set_up((ACCEPTS, ACCEPTS)).exchange()
    return scenario.send(0, chunks.asconf(1, "10.0.0.1", param), checksum=checksum)


@fires("ZC-009")
def asconf_with_zero():
    return asconf_with(ZERO)


@silent("ZC-009")
def asconf_with_checksum():
    return asconf_with(None)


WRONG = b"\1\2\3\4"


def is_over_ip(association):
    return association.init.packet["ports"] == (0, 0)


@breaks("FMT-004")
def adler_sums(editor):
    return sums(Continuation(editor), adler32)


@breaks("ZC-001")
def zero_sums(editor):
    return sums(Continuation(editor, where=is_over_ip), lambda sctp: bytes(4))


def echoes_where_init_went(association):
    echo, init = next(association.places(0, chunks.COOKIE_ECHO), None), association.init
    return echo and all(echo.packet[end] == init.packet[end] for end in ("source", "destination"))


@breaks("ZC-003")
def cookie_echo_without_checksum(editor):
    association = editor.association(lambda association: is_set_up_once(association) and echoes_where_init_went(association))
    packet = next(association.places(0, chunks.COOKIE_ECHO)).packet
    packet["sctp"] = packet["sctp"][:8] + bytes(4) + packet["sctp"][12:]
    return 0


@breaks("ZC-007", causes=("FMT-031",))
def zero_checksum_parameter_of_length_12_in_capture(editor):
    association, end = editor.association(is_set_up_once), editor.rng.randrange(2)
    editor.add_param((association.init, association.init_ack)[end], chunks.tlv(chunks.ZERO_CHECKSUM, bytes(8)))
    return end


@breaks("ZC-010", causes=("FMT-031",))
def zero_checksum_parameter_of_a_draft_in_capture(editor):
    association, end = editor.association(is_set_up_once), editor.rng.randrange(2)
    editor.add_param((association.init, association.init_ack)[end], chunks.tlv(chunks.ZERO_CHECKSUM, b""))
    return end


@breaks("FMT-003")
def no_right_checksum(editor):
    """Of the capture only how both look: each sends one message again and again, and one of them makes no checksum that is right."""
    continuation = Continuation(editor, where=lambda association: association.is_single())
    near, far = continuation.near, continuation.far
    editor.packets[:] = [continuation.like[end] for end in (0, 1)]
    messages = [continuation.chunk(end) for end in (0, 1)]
    for _ in range(6):
        for end, part in ((near, messages[near]), (far, messages[far]), (near, chunks.sack(continuation.ends[far].tsn - 1))):
            continuation.send(end, part, gap_ns=S)
            if end == near:
                continuation.packet["sctp"] = continuation.packet["sctp"][:8] + WRONG + continuation.packet["sctp"][12:]
    del editor.packets[:2]
    return 0


def zero_checksum_of(packet):
    packet["sctp"] = packet["sctp"][:8] + bytes(4) + packet["sctp"][12:]


@breaks("ZC-002")
def init_without_checksum(editor):
    """An INIT without checksum before the one of the capture."""
    association = editor.association(is_set_up_once)
    init = association.init.packet
    editor.edit(init, 0, b"")
    zero_checksum_of(editor.again(init, after_ns=-S))
    return 0


@breaks("ZC-004")
def abort_with_t_bit_and_zero_in_capture(editor):
    continuation = Continuation(editor)
    continuation.send(continuation.near, chunks.abort(t=True), vtag=continuation.association.tags[continuation.near])
    zero_checksum_of(continuation.packet)
    return continuation.near


@breaks("ZC-005")
def zero_checksum_by_method_0_in_capture(editor):
    association, end = editor.association(is_set_up_once), editor.rng.randrange(2)
    editor.add_param((association.init, association.init_ack)[end], chunks.tlv(chunks.ZERO_CHECKSUM, bytes(4)))
    return end


@breaks("ZC-009", causes=("AS-001", "AS-002", "AU-007"))
def asconf_without_checksum(editor):
    continuation = Continuation(editor, where=lambda association: chunks.ASCONF not in association.demands(1 - association.near))
    continuation.send(continuation.near, chunks.asconf(continuation.association.initial_tsn(continuation.near), NEW, add()))
    zero_checksum_of(continuation.packet)
    return continuation.near


LEFT_OUT = [
    ("ZC-006", "left out", "dumps of user-space stacks hide the DTLS layer"),
    ("ZC-008", "dropped", "silence towards CRC packets only cannot be told from loss; the ordinary receiver rules fire anyway"),
]
