# SPDX-License-Identifier: GPL-2.0-or-later
"""Packets and chunks by themselves: ports, tags, lengths, flags, padding, order, parameters, causes."""

import struct

from generate import chunks
from mutations import breaks
from mutations_sender import edit_all, flags_of, tsn_of
from mutations_setup import once
from packet_editor import HEADER
from continuation import Continuation
from captured_associations import COOKIE_ACK, COOKIE_ECHO, pack, params_of


def says(editor, *parts, **options):
    """The near end sends these chunks in one packet."""
    continuation = Continuation(editor)
    continuation.send(continuation.near, *parts, **options)
    return continuation.near


def announces(editor, param, where=once, end=None):
    """INIT or INIT ACK with one parameter more."""
    association = editor.association(where)
    end = editor.rng.randrange(2) if end is None else end
    editor.add_param((association.init, association.init_ack)[end], param)
    return end


def without_port(editor):
    """The initiator's port is 0."""
    association = editor.association(once)
    for packet in association.packets:
        editor.edit(packet, 0 if association.sender(packet) == 0 else 2, bytes(2))
    return association


@breaks("FMT-001", causes=("FMT-002",))
def source_port_0(editor):
    without_port(editor)
    return 0


@breaks("FMT-002", causes=("FMT-001",))
def destination_port_0(editor):
    without_port(editor)
    return 1


@breaks("FMT-005")
def packet_without_a_chunk(editor):
    return says(editor)


@breaks("FMT-006")
def chunk_of_length_3(editor):
    return says(editor, chunks.chunk(chunks.ERROR, 0, b"", length=3))


@breaks("FMT-007")
def chunk_beyond_its_packet(editor):
    return says(editor, chunks.chunk(chunks.HEARTBEAT, 0, chunks.tlv(1, bytes(4)), length=40))


@breaks("FMT-008")
def padding_of_ones(editor):
    continuation = Continuation(editor)
    continuation.send(continuation.near, continuation.chunk(continuation.near, size=5)[:-3] + b"\1\1\1")
    return continuation.near


@breaks("FMT-009")
def bytes_after_the_last_chunk(editor):
    return says(editor, chunks.heartbeat(bytes(40)), b"\0\0")


@breaks("FMT-010")
def last_chunk_not_padded(editor):
    return says(editor, chunks.heartbeat(bytes(41))[:-3])


@breaks("FMT-011")
def init_with_flags(editor):
    association = editor.association(once)
    end = editor.rng.randrange(2)
    place = (association.init, association.init_ack)[end]
    editor.edit(place.packet, place.at + 1, b"\x10")
    return end


@breaks("FMT-012")
def data_with_a_reserved_flag(editor):
    association = editor.association(lambda association: association.first(None, 0))
    place = editor.pick(association.places())
    end = association.sender(place.packet)
    edit_all(editor, association, end, tsn_of(place), 1, bytes([flags_of(place) | 0x40]))
    return end


@breaks("FMT-013")
def data_without_user_data(editor):
    continuation = Continuation(editor)
    continuation.data(continuation.near, size=0)
    return continuation.near


@breaks("FMT-014")
def long_shutdown(editor):
    continuation = Continuation(editor)
    continuation.send(continuation.near, chunks.chunk(chunks.SHUTDOWN, 0, struct.pack("!II", continuation.tsn[continuation.far] - 1 & 0xFFFFFFFF, 0)))
    return continuation.near


@breaks("FMT-014")
def long_cookie_ack(editor):
    association = editor.association(once)
    editor.replace_chunk(association.first(1, COOKIE_ACK), chunks.chunk(COOKIE_ACK, 0, bytes(4)))
    return 1


@breaks("FMT-015")
def init_of_16_bytes(editor):
    association = editor.association(once)
    place = association.init
    editor.replace(place.packet, place.packet["sctp"][:HEADER] + chunks.chunk(chunks.INIT, 0, place.packet["sctp"][HEADER + 4:HEADER + 16]))
    editor.end_after(place.packet)
    return 0


@breaks("FMT-016")
def sack_counts_a_block_too_many(editor):
    continuation = Continuation(editor)
    body = struct.pack("!IIHHHH", continuation.tsn[continuation.far] - 1 & 0xFFFFFFFF, continuation.a_rwnd[continuation.near], 2, 0, 2, 2)
    continuation.send(continuation.near, chunks.chunk(chunks.SACK, 0, body))
    return continuation.near


@breaks("FMT-017")
def data_of_12_bytes(editor):
    continuation = Continuation(editor)
    continuation.send(continuation.near, chunks.chunk(chunks.DATA, 3, pack(continuation.tsn[continuation.near], 0)))
    return continuation.near


@breaks("FMT-019")
def sack_behind_data(editor):
    continuation = Continuation(editor)
    continuation.data(continuation.far)
    sack = chunks.sack(continuation.tsn[continuation.far] - 1, a_rwnd=continuation.a_rwnd[continuation.near])
    continuation.send(continuation.near, continuation.chunk(continuation.near), sack)
    return continuation.near


@breaks("FMT-020")
def data_descends(editor):
    continuation = Continuation(editor)
    first, second = continuation.chunk(continuation.near), continuation.chunk(continuation.near)
    continuation.send(continuation.near, second, first)
    return continuation.near


@breaks("FMT-021")
def data_with_abort(editor):
    continuation = Continuation(editor)
    continuation.send(continuation.near, continuation.chunk(continuation.near), chunks.abort())
    return continuation.near


@breaks("FMT-022")
def sack_behind_abort(editor):
    continuation = Continuation(editor)
    continuation.data(continuation.far)
    continuation.send(continuation.near, chunks.abort(), chunks.sack(continuation.tsn[continuation.far] - 1, a_rwnd=continuation.a_rwnd[continuation.near]))
    return continuation.near


@breaks("FMT-023")
def cookie_echo_second(editor):
    association = editor.association(once)
    editor.add_chunk(association.first(0, COOKIE_ECHO).packet, chunks.error(chunks.tlv(chunks.STALE_COOKIE, bytes(4))), first=True)
    return 0


@breaks("FMT-024")
def cookie_ack_second(editor):
    association = editor.association(once)
    editor.add_chunk(association.first(1, COOKIE_ACK).packet, chunks.error(chunks.tlv(chunks.STALE_COOKIE, bytes(4))), first=True)
    return 1


@breaks("FMT-028")
def parameter_of_length_2(editor):
    return announces(editor, chunks.tlv(chunks.ECN, b"", length=2))


@breaks("FMT-029")
def parameter_beyond_its_chunk(editor):
    return announces(editor, chunks.tlv(chunks.ECN, b"", length=12))


@breaks("FMT-030")
def parameters_without_padding(editor):
    def is_odd(association):
        return once(association) and any(length % 4 for _, _, length in params_of(association.init)[:-1])
    place = editor.association(is_odd).init
    sctp = place.packet["sctp"]
    params = b"".join(sctp[at:at + length] for _, at, length in params_of(place))
    editor.replace_chunk(place, chunks.chunk(chunks.INIT, 0, sctp[place.at + 4:place.at + 20] + params))
    editor.end_after(place.packet)
    return 0


@breaks("FMT-031")
def ecn_twice(editor):
    return announces(editor, 2 * chunks.tlv(chunks.ECN), end=0)


@breaks("FMT-032")
def delete_in_the_set_up(editor):
    return announces(editor, chunks.asconf_param(chunks.DELETE_IP, 1, chunks.address("10.99.9.1")))


@breaks("FMT-033")
def mapped_address(editor):
    return announces(editor, chunks.address("::ffff:10.99.9.1"))


@breaks("FMT-034", causes=("HS-031",))
def host_name(editor):
    return announces(editor, chunks.tlv(chunks.HOST_NAME, b"host.example\0"))


@breaks("FMT-035", causes=("FMT-031",))
def host_names_supported(editor):
    return announces(editor, chunks.tlv(chunks.ADDRESS_TYPES, struct.pack("!HHH", 5, 6, 11)), end=0)


@breaks("FMT-036")
def multicast_listed(editor):
    return announces(editor, chunks.address("224.1.2.3"))


@breaks("FMT-037")
def address_of_length_12(editor):
    return announces(editor, chunks.tlv(chunks.IPV4, bytes((10, 99, 9, 1)) + bytes(4)))


@breaks("FMT-038")
def cause_beyond_its_chunk(editor):
    return says(editor, chunks.abort(chunks.tlv(12, b"text", length=40)))


@breaks("FMT-039")
def stale_cookie_of_length_12(editor):
    return says(editor, chunks.error(chunks.tlv(chunks.STALE_COOKIE, bytes(8))))


@breaks("FMT-040")
def tag_0(editor):
    return says(editor, chunks.heartbeat(bytes(40)), vtag=0)


@breaks("FMT-041")
def error_without_cause(editor):
    return says(editor, chunks.error())


@breaks("FMT-046")
def reserved_type(editor):
    return says(editor, chunks.chunk(191, 0, bytes(4)))


@breaks("FMT-048", causes=("SD-001", "SD-003"))
def data_with_shutdown(editor):
    continuation = Continuation(editor)
    continuation.send(continuation.near, chunks.shutdown(continuation.tsn[continuation.far] - 1), continuation.chunk(continuation.near))
    return continuation.near


@breaks("FMT-049")
def cookie_chunk_with_flags(editor):
    association = editor.association(once)
    end = editor.rng.randrange(2)
    place = association.first(end, (COOKIE_ECHO, COOKIE_ACK)[end])
    editor.edit(place.packet, place.at + 1, b"\x01")
    return end


@breaks("FMT-042")
def reports_a_chunk_that_asks_for_no_report(editor):
    return says(editor, chunks.error(chunks.tlv(6, chunks.chunk(0x9E, 0, bytes(8)))))


@breaks("FMT-042")
def reports_a_chunk_that_was_not_sent(editor):
    return says(editor, chunks.error(chunks.tlv(6, chunks.chunk(0xDE, 0, bytes(8)))))


@breaks("FMT-043")
def reports_a_parameter_that_was_not_sent(editor):
    return announces(editor, chunks.tlv(chunks.UNRECOGNIZED, chunks.tlv(0xDABC, b"unknown.")), end=1)


@breaks("FMT-043")
def reports_a_parameter_that_asks_for_no_report(editor):
    return announces(editor, chunks.tlv(chunks.UNRECOGNIZED, chunks.tlv(0x9ABC, b"unknown.")), end=1)
