"""Packets and chunks by themselves: ports, tags, lengths, flags, padding, order, parameters, causes."""

import struct

from generate import chunks
from mutations import breaks
from mutations_sender import edit_all, flags_of, tsn_of
from mutations_setup import once
from scene import HEADER
from sequels import Sequel
from talks import COOKIE_ACK, COOKIE_ECHO, pack, params_of


def says(scene, *parts, **options):
    """The near end sends these chunks in one packet."""
    sequel = Sequel(scene)
    sequel.send(sequel.near, *parts, **options)
    return sequel.near


def announces(scene, param, where=once, end=None):
    """INIT or INIT ACK with one parameter more."""
    talk = scene.talk(where)
    end = scene.rng.randrange(2) if end is None else end
    scene.add_param((talk.init, talk.init_ack)[end], param)
    return end


def without_port(scene):
    """The initiator's port is 0."""
    talk = scene.talk(once)
    for packet in talk.packets:
        scene.edit(packet, 0 if talk.sender(packet) == 0 else 2, bytes(2))
    return talk


@breaks("FMT-001", causes=("FMT-002",))
def source_port_0(scene):
    without_port(scene)
    return 0


@breaks("FMT-002", causes=("FMT-001",))
def destination_port_0(scene):
    without_port(scene)
    return 1


@breaks("FMT-006")
def chunk_of_length_3(scene):
    return says(scene, chunks.chunk(chunks.ERROR, 0, b"", length=3))


@breaks("FMT-007")
def chunk_beyond_its_packet(scene):
    return says(scene, chunks.chunk(chunks.HEARTBEAT, 0, chunks.tlv(1, bytes(4)), length=40))


@breaks("FMT-008")
def padding_of_ones(scene):
    sequel = Sequel(scene)
    sequel.send(sequel.near, sequel.chunk(sequel.near, size=5)[:-3] + b"\1\1\1")
    return sequel.near


@breaks("FMT-009")
def bytes_after_the_last_chunk(scene):
    return says(scene, chunks.heartbeat(bytes(40)), b"\0\0")


@breaks("FMT-010")
def last_chunk_not_padded(scene):
    return says(scene, chunks.heartbeat(bytes(41))[:-3])


@breaks("FMT-011")
def init_with_flags(scene):
    talk = scene.talk(once)
    end = scene.rng.randrange(2)
    place = (talk.init, talk.init_ack)[end]
    scene.edit(place.packet, place.at + 1, b"\x10")
    return end


@breaks("FMT-012")
def data_with_a_reserved_flag(scene):
    talk = scene.talk(lambda talk: talk.first(None, 0))
    place = scene.pick(talk.places())
    end = talk.sender(place.packet)
    edit_all(scene, talk, end, tsn_of(place), 1, bytes([flags_of(place) | 0x40]))
    return end


@breaks("FMT-013")
def data_without_user_data(scene):
    sequel = Sequel(scene)
    sequel.data(sequel.near, size=0)
    return sequel.near


@breaks("FMT-014")
def long_shutdown(scene):
    sequel = Sequel(scene)
    sequel.send(sequel.near, chunks.chunk(chunks.SHUTDOWN, 0, struct.pack("!II", sequel.tsn[sequel.far] - 1 & 0xFFFFFFFF, 0)))
    return sequel.near


@breaks("FMT-014")
def long_cookie_ack(scene):
    talk = scene.talk(once)
    scene.replace_chunk(talk.first(1, COOKIE_ACK), chunks.chunk(COOKIE_ACK, 0, bytes(4)))
    return 1


@breaks("FMT-015")
def init_of_16_bytes(scene):
    talk = scene.talk(once)
    place = talk.init
    scene.replace(place.packet, place.packet["sctp"][:HEADER] + chunks.chunk(chunks.INIT, 0, place.packet["sctp"][HEADER + 4:HEADER + 16]))
    scene.end_after(place.packet)
    return 0


@breaks("FMT-016")
def sack_counts_a_block_too_many(scene):
    sequel = Sequel(scene)
    body = struct.pack("!IIHHHH", sequel.tsn[sequel.far] - 1 & 0xFFFFFFFF, sequel.a_rwnd[sequel.near], 2, 0, 2, 2)
    sequel.send(sequel.near, chunks.chunk(chunks.SACK, 0, body))
    return sequel.near


@breaks("FMT-017")
def data_of_12_bytes(scene):
    sequel = Sequel(scene)
    sequel.send(sequel.near, chunks.chunk(chunks.DATA, 3, pack(sequel.tsn[sequel.near], 0)))
    return sequel.near


@breaks("FMT-019")
def sack_behind_data(scene):
    sequel = Sequel(scene)
    sequel.data(sequel.far)
    sack = chunks.sack(sequel.tsn[sequel.far] - 1, a_rwnd=sequel.a_rwnd[sequel.near])
    sequel.send(sequel.near, sequel.chunk(sequel.near), sack)
    return sequel.near


@breaks("FMT-020")
def data_descends(scene):
    sequel = Sequel(scene)
    first, second = sequel.chunk(sequel.near), sequel.chunk(sequel.near)
    sequel.send(sequel.near, second, first)
    return sequel.near


@breaks("FMT-021")
def data_with_abort(scene):
    sequel = Sequel(scene)
    sequel.send(sequel.near, sequel.chunk(sequel.near), chunks.abort())
    return sequel.near


@breaks("FMT-022")
def sack_behind_abort(scene):
    sequel = Sequel(scene)
    sequel.data(sequel.far)
    sequel.send(sequel.near, chunks.abort(), chunks.sack(sequel.tsn[sequel.far] - 1, a_rwnd=sequel.a_rwnd[sequel.near]))
    return sequel.near


@breaks("FMT-023")
def cookie_echo_second(scene):
    talk = scene.talk(once)
    scene.add_chunk(talk.first(0, COOKIE_ECHO).packet, chunks.error(chunks.tlv(chunks.STALE_COOKIE, bytes(4))), first=True)
    return 0


@breaks("FMT-024")
def cookie_ack_second(scene):
    talk = scene.talk(once)
    scene.add_chunk(talk.first(1, COOKIE_ACK).packet, chunks.error(chunks.tlv(chunks.STALE_COOKIE, bytes(4))), first=True)
    return 1


@breaks("FMT-028")
def parameter_of_length_2(scene):
    return announces(scene, chunks.tlv(chunks.ECN, b"", length=2))


@breaks("FMT-029")
def parameter_beyond_its_chunk(scene):
    return announces(scene, chunks.tlv(chunks.ECN, b"", length=12))


@breaks("FMT-030")
def parameters_without_padding(scene):
    def is_odd(talk):
        return once(talk) and any(length % 4 for _, _, length in params_of(talk.init)[:-1])
    place = scene.talk(is_odd).init
    sctp = place.packet["sctp"]
    params = b"".join(sctp[at:at + length] for _, at, length in params_of(place))
    scene.replace_chunk(place, chunks.chunk(chunks.INIT, 0, sctp[place.at + 4:place.at + 20] + params))
    scene.end_after(place.packet)
    return 0


@breaks("FMT-031")
def ecn_twice(scene):
    return announces(scene, 2 * chunks.tlv(chunks.ECN), end=0)


@breaks("FMT-032")
def delete_in_the_set_up(scene):
    return announces(scene, chunks.asconf_param(chunks.DELETE_IP, 1, chunks.address("10.99.9.1")))


@breaks("FMT-033")
def mapped_address(scene):
    return announces(scene, chunks.address("::ffff:10.99.9.1"))


@breaks("FMT-034", causes=("HS-031",))
def host_name(scene):
    return announces(scene, chunks.tlv(chunks.HOST_NAME, b"host.example\0"))


@breaks("FMT-035", causes=("FMT-031",))
def host_names_supported(scene):
    return announces(scene, chunks.tlv(chunks.ADDRESS_TYPES, struct.pack("!HHH", 5, 6, 11)), end=0)


@breaks("FMT-036")
def multicast_listed(scene):
    return announces(scene, chunks.address("224.1.2.3"))


@breaks("FMT-037")
def address_of_length_12(scene):
    return announces(scene, chunks.tlv(chunks.IPV4, bytes((10, 99, 9, 1)) + bytes(4)))


@breaks("FMT-038")
def cause_beyond_its_chunk(scene):
    return says(scene, chunks.abort(chunks.tlv(12, b"text", length=40)))


@breaks("FMT-039")
def stale_cookie_of_length_12(scene):
    return says(scene, chunks.error(chunks.tlv(chunks.STALE_COOKIE, bytes(8))))


@breaks("FMT-040")
def tag_0(scene):
    return says(scene, chunks.heartbeat(bytes(40)), vtag=0)


@breaks("FMT-041")
def error_without_cause(scene):
    return says(scene, chunks.error())


@breaks("FMT-046")
def reserved_type(scene):
    return says(scene, chunks.chunk(191, 0, bytes(4)))


@breaks("FMT-048", causes=("SD-001", "SD-003"))
def data_with_shutdown(scene):
    sequel = Sequel(scene)
    sequel.send(sequel.near, chunks.shutdown(sequel.tsn[sequel.far] - 1), sequel.chunk(sequel.near))
    return sequel.near
