"""Authentication: what is announced, AUTH chunks, chunks that need one."""

import struct

from generate import chunks
from mutations import breaks
from mutations_setup import UNKNOWN, once
from scene import NoPlace
from sequels import Sequel
from talks import ASCONF_ACK, AUTH, CHUNKS, HMACS, RANDOM, chunks_of, params_of


def auth(hmac_id=1, size=20, flags=0):
    return chunks.chunk(AUTH, flags, struct.pack("!HH", 0, hmac_id) + bytes(size))


def is_offered(talk):
    return once(talk) and all(talk.param(end, RANDOM) is not None for end in (0, 1))


def announced(scene, kind, where=is_offered):
    """(association, end, INIT or INIT ACK, parameter's offset and length): what an end announced."""
    talk = scene.talk(where)
    end = scene.rng.randrange(2)
    place = (talk.init, talk.init_ack)[end]
    for type_, at, length in params_of(place):
        if type_ == kind:
            return talk, end, place, at, length
    raise NoPlace


def replace_param(scene, place, at, length, param):
    """Another parameter in the place of one."""
    sctp = place.packet["sctp"]
    chunk = sctp[place.at:at] + param + sctp[at + (length + 3) // 4 * 4:place.at + place.length]
    scene.replace_chunk(place, chunk[:2] + len(chunk).to_bytes(2, "big") + chunk[4:] + bytes(-len(chunk) % 4))


@breaks("AU-001", causes=("AS-028",))
def no_hmac_algo(scene):
    _, end, place, at, _ = announced(scene, HMACS)
    scene.edit(place.packet, at, UNKNOWN.to_bytes(2, "big"))
    return end


@breaks("AU-001", causes=("AS-028",))
def no_random(scene):
    _, end, place, at, _ = announced(scene, RANDOM)
    scene.edit(place.packet, at, UNKNOWN.to_bytes(2, "big"))
    return end


@breaks("AU-002", causes=("AU-003",))
def random_of_16_bytes(scene):
    _, end, place, at, length = announced(scene, RANDOM)
    replace_param(scene, place, at, length, chunks.tlv(RANDOM, bytes(16)))
    return end


@breaks("AU-003", causes=("AU-002",))
def random_of_16_bytes_goes_on(scene):
    _, end, place, at, length = announced(scene, RANDOM)
    replace_param(scene, place, at, length, chunks.tlv(RANDOM, bytes(16)))
    return 1 - end


@breaks("AU-004")
def chunk_list_with_init_ack(scene):
    _, end, place, at, _ = announced(scene, CHUNKS)
    scene.edit(place.packet, at + 4, b"\2")
    return end


@breaks("AU-005", causes=("AU-008",))
def hmacs_without_sha1(scene):
    _, end, place, at, length = announced(scene, HMACS)
    replace_param(scene, place, at, length, chunks.tlv(HMACS, struct.pack("!H", 3)))
    return end


@breaks("AU-017", causes=("FMT-031",))
def random_twice(scene):
    talk, end, place, at, length = announced(scene, RANDOM)
    scene.add_param(place, place.packet["sctp"][at:at + length])
    return end


def real(scene):
    """(association, AUTH chunk in a packet of real data)"""
    talk = scene.talk(lambda talk: talk.first(None, AUTH))
    return talk, scene.pick(talk.places(None, AUTH))


@breaks("AU-006", causes=("FMT-019",))
def two_auth_chunks(scene):
    talk, place = real(scene)
    scene.add_chunk(place.packet, place.packet["sctp"][place.at:place.at + (place.length + 3) // 4 * 4])
    return talk.sender(place.packet)


@breaks("AU-007", causes=("AS-001", "AU-011"))
def auth_left_out(scene):
    talk = scene.talk(lambda talk: talk.first(None, AUTH))

    def is_needed(place):
        behind = {kind for kind, at, _ in chunks_of(place.packet["sctp"]) if at > place.at} - {6, 9, 8, 1, 2, 14, AUTH}
        return behind & talk.demands(1 - talk.sender(place.packet))
    place = scene.pick(place for place in talk.places(None, AUTH) if is_needed(place))
    scene.replace_chunk(place, b"")
    return talk.sender(place.packet)


@breaks("AU-008")
def hmac_identifier_not_listed(scene):
    talk, place = real(scene)
    scene.edit(place.packet, place.at + 6, b"\0\4")
    return talk.sender(place.packet)


@breaks("AU-009")
def hmac_too_short(scene):
    talk, place = real(scene)
    sctp = place.packet["sctp"]
    scene.replace_chunk(place, chunks.chunk(AUTH, 0, sctp[place.at + 4:place.at + place.length - 4]))
    return talk.sender(place.packet)


@breaks("AU-013")
def auth_with_a_flag(scene):
    talk, place = real(scene)
    scene.edit(place.packet, place.at + 1, b"\1")
    return talk.sender(place.packet)


@breaks("AU-011", causes=("AU-007", "AS-001"))
def asconf_without_auth_accepted(scene):
    talk = scene.talk(lambda talk: talk.first(None, AUTH) and talk.first(None, ASCONF_ACK) and talk.first(None, chunks.ASCONF))
    end = talk.sender(talk.first(None, chunks.ASCONF).packet)
    for place in list(talk.places(end, AUTH)):
        if chunks.ASCONF in [kind for kind, _, _ in chunks_of(place.packet["sctp"])]:
            scene.replace_chunk(place, b"")
    return 1 - end


@breaks("AU-015")
def auth_to_a_peer_without(scene):
    sequel = Sequel(scene, where=lambda talk: talk.param(1 - talk.near, RANDOM) is None)
    sequel.send(sequel.near, auth(), chunks.heartbeat())
    return sequel.near


@breaks("AU-016")
def hmac_cause_of_8_bytes(scene):
    sequel = Sequel(scene)
    sequel.send(sequel.near, chunks.error(chunks.tlv(0x0105, bytes(4))))
    return sequel.near
