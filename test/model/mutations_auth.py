# SPDX-License-Identifier: GPL-2.0-or-later
"""Authentication: what is announced, AUTH chunks, chunks that need one."""

import hashlib
import hmac
import struct

from generate import chunks
from mutations import breaks
from mutations_setup import UNKNOWN, once
from packet_editor import NoPlace
from continuation import Continuation
from captured_associations import ASCONF_ACK, AUTH, CHUNKS, HMACS, RANDOM, chunks_of, params_of


def auth(hmac_id=1, size=20, flags=0):
    return chunks.chunk(AUTH, flags, struct.pack("!HH", 0, hmac_id) + bytes(size))


def is_offered(association):
    return once(association) and all(association.param(end, RANDOM) is not None for end in (0, 1))


def announced(editor, kind, where=is_offered):
    """(association, end, INIT or INIT ACK, parameter's offset and length): what an end announced."""
    association = editor.association(where)
    end = editor.rng.randrange(2)
    place = (association.init, association.init_ack)[end]
    for type_, at, length in params_of(place):
        if type_ == kind:
            return association, end, place, at, length
    raise NoPlace


def replace_param(editor, place, at, length, param):
    """Another parameter in the place of one."""
    sctp = place.packet["sctp"]
    chunk = sctp[place.at:at] + param + sctp[at + (length + 3) // 4 * 4:place.at + place.length]
    editor.replace_chunk(place, chunk[:2] + len(chunk).to_bytes(2, "big") + chunk[4:] + bytes(-len(chunk) % 4))


@breaks("AU-001", causes=("AS-028",))
def no_hmac_algo(editor):
    _, end, place, at, _ = announced(editor, HMACS)
    editor.edit(place.packet, at, UNKNOWN.to_bytes(2, "big"))
    return end


@breaks("AU-001", causes=("AS-028",))
def no_random(editor):
    _, end, place, at, _ = announced(editor, RANDOM)
    editor.edit(place.packet, at, UNKNOWN.to_bytes(2, "big"))
    return end


@breaks("AU-002", causes=("AU-003",))
def random_of_16_bytes(editor):
    _, end, place, at, length = announced(editor, RANDOM)
    replace_param(editor, place, at, length, chunks.tlv(RANDOM, bytes(16)))
    return end


@breaks("AU-003", causes=("AU-002",))
def random_of_16_bytes_goes_on(editor):
    _, end, place, at, length = announced(editor, RANDOM)
    replace_param(editor, place, at, length, chunks.tlv(RANDOM, bytes(16)))
    return 1 - end


@breaks("AU-004")
def chunk_list_with_init_ack(editor):
    _, end, place, at, _ = announced(editor, CHUNKS)
    editor.edit(place.packet, at + 4, b"\2")
    return end


@breaks("AU-005", causes=("AU-008",))
def hmacs_without_sha1(editor):
    _, end, place, at, length = announced(editor, HMACS)
    replace_param(editor, place, at, length, chunks.tlv(HMACS, struct.pack("!H", 3)))
    return end


@breaks("AU-017", causes=("FMT-031",))
def random_twice(editor):
    association, end, place, at, length = announced(editor, RANDOM)
    editor.add_param(place, place.packet["sctp"][at:at + length])
    return end


def real(editor):
    """(association, AUTH chunk in a packet of real data)"""
    association = editor.association(lambda association: association.first(None, AUTH))
    return association, editor.pick(association.places(None, AUTH))


@breaks("AU-006", causes=("FMT-019",))
def two_auth_chunks(editor):
    association, place = real(editor)
    editor.add_chunk(place.packet, place.packet["sctp"][place.at:place.at + (place.length + 3) // 4 * 4])
    return association.sender(place.packet)


@breaks("AU-007", causes=("AS-001", "AU-011"))
def auth_left_out(editor):
    association = editor.association(lambda association: association.first(None, AUTH))

    def is_needed(place):
        behind = {kind for kind, at, _ in chunks_of(place.packet["sctp"]) if at > place.at} - {6, 9, 8, 1, 2, 14, AUTH}
        return behind & association.demands(1 - association.sender(place.packet))
    place = editor.pick(place for place in association.places(None, AUTH) if is_needed(place))
    editor.replace_chunk(place, b"")
    return association.sender(place.packet)


@breaks("AU-008")
def hmac_identifier_not_listed(editor):
    association, place = real(editor)
    editor.edit(place.packet, place.at + 6, b"\0\4")
    return association.sender(place.packet)


@breaks("AU-009")
def hmac_too_short(editor):
    association, place = real(editor)
    sctp = place.packet["sctp"]
    editor.replace_chunk(place, chunks.chunk(AUTH, 0, sctp[place.at + 4:place.at + place.length - 4]))
    return association.sender(place.packet)


def vector(place):
    """RFC 4895 6.1: RANDOM, CHUNKS, HMAC-ALGO with their headers, without padding."""
    params = {type_: place.packet["sctp"][at:at + length] for type_, at, length in params_of(place)}
    return b"".join(params.get(type_, b"") for type_ in (RANDOM, CHUNKS, HMACS))


def verifies(association, place):
    """With the empty key, by SHA-1."""
    sctp, at = place.packet["sctp"], place.at
    vectors = sorted(map(vector, (association.init, association.init_ack)), key=lambda one: int.from_bytes(one, "big"))
    mac = hmac.new(b"".join(vectors), sctp[at:at + 8] + bytes(20) + sctp[at + 28:], hashlib.sha1).digest()
    return sctp[at + 4:at + 8] == b"\0\0\0\1" and sctp[at + 8:at + 28] == mac


@breaks("AU-010")
def hmac_with_another_bit(editor):
    def among_others(association):
        return [place for end in (0, 1) for place in [place for place in association.places(end, AUTH) if verifies(association, place)][1:-1]]
    association = editor.association(lambda association: is_offered(association) and among_others(association))
    place = editor.pick(among_others(association))
    editor.edit(place.packet, place.at + 8, bytes((place.packet["sctp"][place.at + 8] ^ 1,)))
    return association.sender(place.packet)


@breaks("AU-013")
def auth_with_a_flag(editor):
    association, place = real(editor)
    editor.edit(place.packet, place.at + 1, b"\1")
    return association.sender(place.packet)


@breaks("AU-011", causes=("AU-007", "AS-001"))
def asconf_without_auth_accepted(editor):
    association = editor.association(lambda association: association.first(None, AUTH) and association.first(None, ASCONF_ACK) and association.first(None, chunks.ASCONF))
    end = association.sender(association.first(None, chunks.ASCONF).packet)
    for place in list(association.places(end, AUTH)):
        if chunks.ASCONF in [kind for kind, _, _ in chunks_of(place.packet["sctp"])]:
            editor.replace_chunk(place, b"")
    return 1 - end


@breaks("AU-015")
def auth_to_a_peer_without(editor):
    continuation = Continuation(editor, where=lambda association: association.param(1 - association.near, RANDOM) is None)
    continuation.send(continuation.near, auth(), chunks.heartbeat())
    return continuation.near


@breaks("AU-016")
def hmac_cause_of_8_bytes(editor):
    continuation = Continuation(editor)
    continuation.send(continuation.near, chunks.error(chunks.tlv(0x0105, bytes(4))))
    return continuation.near
