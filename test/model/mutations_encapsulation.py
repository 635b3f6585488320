"""Checksums, congestion marks, chunks of drafts, and SCTP in UDP and DTLS: as if the capture had been made so."""

import struct

from generate import chunks
from mutations import breaks
from mutations_addresses import NEW, add
from mutations_setup import UNKNOWN, once
from scene import NoPlace
from sequels import MS, Sequel
from talks import ASCONF, INIT, INIT_ACK, Place, chunks_of, params_of

UDP_PORT, OTHER_PORT, CE, DTLS, ECN = 9899, 9900, 3, 2, 0x8000
ADLER_MODULUS = 65521


def adler32(sctp):
    low, high = 1, 0
    for byte in sctp:
        low = (low + byte) % ADLER_MODULUS
        high = (high + low) % ADLER_MODULUS
    return struct.pack("!I", high << 16 | low)


def sums(sequel, checksum):
    """Four messages with checksums made otherwise."""
    for _ in range(4):
        sequel.data(sequel.near)
        sctp = sequel.packet["sctp"]
        sequel.packet["sctp"] = sctp[:8] + checksum(sctp[:8] + bytes(4) + sctp[12:]) + sctp[12:]
    return sequel.near


def is_over_ip(talk):
    return talk.init.packet["ports"] == (0, 0)


def in_udp(scene):
    for packet in scene.packets:
        packet["ports"] = (UDP_PORT, UDP_PORT)


def in_dtls(scene):
    """Associations over DTLS have one address each, and tell none."""
    if any(len({address for pair in talk.pairs(end) for address in pair}) > 2 for talk in scene.talks for end in (0, 1)):
        raise NoPlace
    for packet in scene.packets:
        packet["encapsulation"] = DTLS
        for kind, at, length in chunks_of(packet["sctp"]):
            for type_, param_at, _ in params_of(Place(packet, at, length)) if kind in (INIT, INIT_ACK) else ():
                if type_ in (chunks.IPV4, chunks.IPV6, chunks.ADDRESS_TYPES):
                    scene.edit(packet, param_at, UNKNOWN.to_bytes(2, "big"))


@breaks("FMT-004")
def adler_sums(scene):
    return sums(Sequel(scene), adler32)


@breaks("ZC-001")
def zero_sums(scene):
    return sums(Sequel(scene, where=is_over_ip), lambda sctp: bytes(4))


@breaks("UE-004")
def zero_sums_in_udp(scene):
    in_udp(scene)
    return sums(Sequel(scene), lambda sctp: bytes(4))


@breaks("UE-002")
def answers_to_another_port(scene):
    in_udp(scene)
    sequel = Sequel(scene, where=lambda talk: talk.is_single())
    for _ in range(3):
        sequel.data(sequel.far).sack(sequel.near)
        sequel.packet["ports"] = (UDP_PORT, OTHER_PORT)
    return sequel.near


def announces(scene, param, end):
    in_dtls(scene)
    talk = scene.talk(once)
    scene.add_param((talk.init, talk.init_ack)[end], param)
    return end


@breaks("UE-009")
def address_over_dtls(scene):
    return announces(scene, chunks.address(NEW), scene.rng.randrange(2))


@breaks("UE-010")
def address_types_over_dtls(scene):
    return announces(scene, chunks.tlv(chunks.ADDRESS_TYPES, struct.pack("!H", 5)), 0)


@breaks("UE-011", causes=("AS-001", "AS-002", "AU-007"))
def address_in_asconf_over_dtls(scene):
    in_dtls(scene)
    sequel = Sequel(scene, where=lambda talk: ASCONF not in talk.demands(1 - talk.near))
    return sequel.send(sequel.near, chunks.asconf(sequel.talk.initial_tsn(sequel.near), NEW, add())).near


@breaks("EC-002")
def mark_not_echoed(scene):
    sequel = Sequel(scene, where=lambda talk: all(talk.param(end, ECN) is not None for end in (0, 1)))
    for _ in range(5):
        sequel.send(sequel.far, sequel.chunk(sequel.far), tos=CE).sack(sequel.near).wait(60 * MS)
    return sequel.near


@breaks("EC-010")
def ecne_of_length_16(scene):
    sequel = Sequel(scene)
    return sequel.send(sequel.near, chunks.chunk(chunks.ECNE, 0, bytes(12))).near


@breaks("DX-001")
def pktdrop_not_listed(scene):
    sequel = Sequel(scene, where=lambda talk: chunks.PKTDROP not in talk.extensions(1 - talk.near))
    return sequel.send(sequel.near, chunks.pktdrop(bytes(20))).near


@breaks("DX-003")
def dtls_chunk_without_parameter(scene):
    sequel = Sequel(scene)
    return sequel.send(sequel.near, chunks.chunk(chunks.DTLS, 0, bytes(20))).near
