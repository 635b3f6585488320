# SPDX-License-Identifier: GPL-2.0-or-later
"""Checksums, congestion marks, chunks of drafts, and SCTP in UDP and DTLS: as if the capture had been made so."""

import struct

from generate import chunks
from mutations import breaks
from mutations_addresses import NEW, add
from mutations_setup import UNKNOWN, once
from packet_editor import NoPlace
from continuation import MS, S, Continuation
from captured_associations import ASCONF, INIT, INIT_ACK, Place, chunks_of, params_of

UDP_PORT, OTHER_PORT, CE, DTLS, ECN, WEBRTC_BINARY_EMPTY = 9899, 9900, 3, 2, 0x8000, 57
ADLER_MODULUS = 65521
WRONG = b"\1\2\3\4"


def adler32(sctp):
    low, high = 1, 0
    for byte in sctp:
        low = (low + byte) % ADLER_MODULUS
        high = (high + low) % ADLER_MODULUS
    return struct.pack("!I", high << 16 | low)


def sums(continuation, checksum):
    """Four messages with checksums made otherwise."""
    for _ in range(4):
        continuation.data(continuation.near)
        sctp = continuation.packet["sctp"]
        continuation.packet["sctp"] = sctp[:8] + checksum(sctp[:8] + bytes(4) + sctp[12:]) + sctp[12:]
    return continuation.near


def is_over_ip(association):
    return association.init.packet["ports"] == (0, 0)


def in_udp(editor):
    for packet in editor.packets:
        packet["ports"] = (UDP_PORT, UDP_PORT)


def in_dtls(editor):
    """Associations over DTLS have one address each, and tell none."""
    if any(len({address for pair in association.pairs(end) for address in pair}) > 2 for association in editor.associations for end in (0, 1)):
        raise NoPlace
    for packet in editor.packets:
        packet["encapsulation"] = DTLS
        for kind, at, length in chunks_of(packet["sctp"]):
            for type_, param_at, _ in params_of(Place(packet, at, length)) if kind in (INIT, INIT_ACK) else ():
                if type_ in (chunks.IPV4, chunks.IPV6, chunks.ADDRESS_TYPES):
                    editor.edit(packet, param_at, UNKNOWN.to_bytes(2, "big"))


@breaks("FMT-004")
def adler_sums(editor):
    return sums(Continuation(editor), adler32)


@breaks("ZC-001")
def zero_sums(editor):
    return sums(Continuation(editor, where=is_over_ip), lambda sctp: bytes(4))


@breaks("UE-004")
def zero_sums_in_udp(editor):
    in_udp(editor)
    return sums(Continuation(editor), lambda sctp: bytes(4))


@breaks("UE-002")
def answers_to_another_port(editor):
    in_udp(editor)
    continuation = Continuation(editor, where=lambda association: association.is_single())
    for _ in range(3):
        continuation.data(continuation.far).sack(continuation.near)
        continuation.packet["ports"] = (UDP_PORT, OTHER_PORT)
    return continuation.near


def announces(editor, param, end):
    in_dtls(editor)
    association = editor.association(once)
    editor.add_param((association.init, association.init_ack)[end], param)
    return end


@breaks("UE-009")
def address_over_dtls(editor):
    return announces(editor, chunks.address(NEW), editor.rng.randrange(2))


@breaks("UE-010")
def address_types_over_dtls(editor):
    return announces(editor, chunks.tlv(chunks.ADDRESS_TYPES, struct.pack("!H", 5)), 0)


@breaks("UE-011", causes=("AS-001", "AS-002", "AU-007"))
def address_in_asconf_over_dtls(editor):
    in_dtls(editor)
    continuation = Continuation(editor, where=lambda association: ASCONF not in association.demands(1 - association.near))
    return continuation.send(continuation.near, chunks.asconf(continuation.association.initial_tsn(continuation.near), NEW, add())).near


@breaks("UE-014")
def text_sent_as_empty(editor):
    in_dtls(editor)
    continuation = Continuation(editor)
    return continuation.data(continuation.near, payload=b"text", ppid=WEBRTC_BINARY_EMPTY).near


@breaks("EC-002")
def mark_not_echoed(editor):
    continuation = Continuation(editor, where=lambda association: all(association.param(end, ECN) is not None for end in (0, 1)))
    for _ in range(5):
        continuation.send(continuation.far, continuation.chunk(continuation.far), tos=CE).sack(continuation.near).wait(60 * MS)
    return continuation.near


@breaks("EC-010")
def ecne_of_length_16(editor):
    continuation = Continuation(editor)
    return continuation.send(continuation.near, chunks.chunk(chunks.ECNE, 0, bytes(12))).near


@breaks("DX-001")
def pktdrop_not_listed(editor):
    continuation = Continuation(editor, where=lambda association: chunks.PKTDROP not in association.extensions(1 - association.near))
    return continuation.send(continuation.near, chunks.pktdrop(bytes(20))).near


@breaks("DX-003")
def dtls_chunk_without_parameter(editor):
    continuation = Continuation(editor)
    return continuation.send(continuation.near, chunks.chunk(chunks.DTLS, 0, bytes(20))).near


@breaks("UE-005")
def no_udp_checksum(editor):
    in_udp(editor)
    continuation = Continuation(editor)
    continuation.data(continuation.near)
    continuation.packet["udp_checksum"] = 0
    return continuation.near


def echoes_where_init_went(association):
    echo, init = next(association.places(0, chunks.COOKIE_ECHO), None), association.init
    return echo and all(echo.packet[end] == init.packet[end] for end in ("source", "destination"))


@breaks("ZC-003")
def cookie_echo_without_checksum(editor):
    association = editor.association(lambda association: once(association) and echoes_where_init_went(association))
    packet = next(association.places(0, chunks.COOKIE_ECHO)).packet
    packet["sctp"] = packet["sctp"][:8] + bytes(4) + packet["sctp"][12:]
    return 0


@breaks("ZC-007", causes=("FMT-031",))
def zero_checksum_parameter_of_length_12(editor):
    association, end = editor.association(once), editor.rng.randrange(2)
    editor.add_param((association.init, association.init_ack)[end], chunks.tlv(chunks.ZERO_CHECKSUM, bytes(8)))
    return end


@breaks("UE-002")
def acknowledges_to_the_old_port(editor):
    in_udp(editor)
    continuation = Continuation(editor, where=lambda association: association.is_single(), wait_ns=3 * S)
    for _ in range(3):
        continuation.data(continuation.far)
        continuation.packet["ports"] = (OTHER_PORT, UDP_PORT)
        continuation.sack(continuation.near)
        continuation.packet["ports"] = (UDP_PORT, UDP_PORT)
    return continuation.near


@breaks("FMT-003")
def no_right_checksum(editor):
    """Of the capture only how both look: each sends one message again and again, and one of them makes no checksum that is right."""
    continuation = Continuation(editor, where=lambda association: association.is_single())
    near, far = continuation.near, continuation.far
    editor.packets[:] = [continuation.like[end] for end in (0, 1)]
    messages = [continuation.chunk(end) for end in (0, 1)]
    for _ in range(6):
        for end, part in ((near, messages[near]), (far, messages[far]), (near, chunks.sack(continuation.tsn[far] - 1))):
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
    association = editor.association(once)
    init = association.init.packet
    editor.edit(init, 0, b"")
    zero_checksum_of(editor.again(init, after_ns=-S))
    return 0


@breaks("ZC-004")
def abort_with_t_bit_and_zero(editor):
    continuation = Continuation(editor)
    continuation.send(continuation.near, chunks.abort(t=True), vtag=continuation.association.tags[continuation.near])
    zero_checksum_of(continuation.packet)
    return continuation.near


@breaks("ZC-005")
def zero_checksum_by_method_0(editor):
    association, end = editor.association(once), editor.rng.randrange(2)
    editor.add_param((association.init, association.init_ack)[end], chunks.tlv(chunks.ZERO_CHECKSUM, bytes(4)))
    return end


@breaks("ZC-009", causes=("AS-001", "AS-002", "AU-007"))
def asconf_without_checksum(editor):
    continuation = Continuation(editor, where=lambda association: ASCONF not in association.demands(1 - association.near))
    continuation.send(continuation.near, chunks.asconf(continuation.association.initial_tsn(continuation.near), NEW, add()))
    zero_checksum_of(continuation.packet)
    return continuation.near


@breaks("UE-007")
def answers_in_udp_what_came_without(editor):
    in_udp(editor)
    continuation = Continuation(editor, where=lambda association: association.is_single(), wait_ns=4 * S)
    for _ in range(3):
        continuation.data(continuation.far)
        continuation.packet["ports"] = (0, 0)
        continuation.sack(continuation.near)
    return continuation.near


@breaks("UE-017")
def data_channel_not_answered(editor):
    continuation = Continuation(editor, where=lambda association: association.is_single())
    continuation.data(continuation.near, payload=b"\3" + bytes(11), ppid=50).sack(continuation.far)
    return continuation.wait(12 * S).heartbeat(continuation.far).far


@breaks("UE-018")
def message_retransmitted_though_it_may_not_be(editor):
    """A channel whose messages are not to be retransmitted at all."""
    continuation = Continuation(editor, where=lambda association: association.is_single())
    continuation.data(continuation.near, payload=struct.pack("!BBHIHH", 3, 1, 0, 0, 0, 0), ppid=50).sack(continuation.far)
    continuation.data(continuation.near, payload=b"text", ppid=51)
    return continuation.send(continuation.near, continuation.sent, gap_ns=3 * S).near


@breaks("UE-019")
def data_channel_given_up(editor):
    continuation = Continuation(editor, where=lambda association: association.is_single())
    near = continuation.near
    sid = next(iter(continuation.ssn[near]), 0)
    continuation.data(near, sid=sid, payload=b"\3" + bytes(11), ppid=50).wait(S)
    return continuation.send(near, chunks.forward_tsn(continuation.tsn[near] - 1, ((sid, continuation.ssn[near][sid]),))).near
