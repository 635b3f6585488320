# SPDX-License-Identifier: GPL-2.0-or-later
"""SCTP in UDP and in DTLS: ports, checksums and addresses. Captures are changed as if they had been made so."""

import struct

from generate import chunks
from scenario_builder import MS, S, ScenarioBuilder
from register import silent
from set_ups import announces
from scripts import alters
from continuation import Continuation
from asconf_requests import NEW, add
from encapsulation import DTLS, ZERO, in_dtls, sums

UDP_PORT, OTHER_PORT = 9899, 9900
UDP = (UDP_PORT, 40000)


def in_udp(editor):
    for packet in editor.packets:
        packet["ports"] = (UDP_PORT, UDP_PORT)


@alters("UE-004")
def zeros_in_udp(editor):
    in_udp(editor)
    return sums(Continuation(editor), ZERO).near


@silent("UE-004")
@silent("UE-002", accused=1)
def right_checksums_in_udp():
    return ScenarioBuilder(udp=UDP).set_up().exchange()


@alters("UE-002")
def answers_to_another_port(editor):
    in_udp(editor)
    continuation = Continuation(editor, where=lambda association: association.is_single())
    for _ in range(3):
        continuation.data(continuation.far).sack(continuation.near)
        continuation.packet["ports"] = (UDP_PORT, OTHER_PORT)
    return continuation.near


@silent("UE-002", accused=1)
def peer_changed_its_port():
    scenario = ScenarioBuilder(udp=UDP).set_up()
    scenario.udp[0] = 9900
    return scenario.data(0).sack(1).data(0).sack(1)


def announces_over_dtls(editor, param, end=None):
    in_dtls(editor)
    return announces(editor, param, end)


@alters("UE-009", None)
def address_over_dtls(editor):
    return announces_over_dtls(editor, chunks.address(NEW))


@alters("UE-010")
def address_types_over_dtls(editor):
    return announces_over_dtls(editor, chunks.tlv(chunks.ADDRESS_TYPES, struct.pack("!H", 5)), 0)


@alters("UE-011", causes=("AS-001", "AS-002", "AU-007"))
def address_in_asconf_over_dtls(editor):
    in_dtls(editor)
    continuation = Continuation(editor, where=lambda association: chunks.ASCONF not in association.demands(1 - association.near))
    return continuation.send(continuation.near, chunks.asconf(continuation.association.initial_tsn(continuation.near), NEW, add())).near


@silent("UE-011")
def wildcard_in_asconf_over_dtls():
    return ScenarioBuilder(encapsulation=DTLS).set_up().send(0, chunks.asconf(1, "0.0.0.0", add("0.0.0.0")))


@silent("UE-009")
@silent("UE-010")
def extensions_over_dtls():
    return ScenarioBuilder(encapsulation=DTLS).set_up((chunks.tlv(chunks.EXTENSIONS, b"\xc0\x82\x40\xc2"), b""))


def with_udp_checksum(checksum):
    scenario = ScenarioBuilder(udp=UDP).set_up().exchange()
    scenario.udp_checksum = checksum
    return scenario


@alters("UE-005")
def no_udp_checksum(editor):
    in_udp(editor)
    continuation = Continuation(editor)
    continuation.data(continuation.near)
    continuation.packet["udp_checksum"] = 0
    return continuation.near


@silent("UE-005")
def udp_checksum_computed_as_zero():
    return with_udp_checksum(0xFFFF)


@silent("UE-005", judged=False)
def udp_checksum_not_known():
    return with_udp_checksum(None)


@silent("UE-002", accused=1)
def acknowledges_to_the_new_port():
    scenario = ScenarioBuilder(udp=UDP).set_up().exchange().wait(500 * MS)
    scenario.udp[0] = 9900
    for _ in range(3):
        scenario.data(0).sack(1)
        scenario.flow.items[-1].udp = (40000, 9900)
    return scenario


@alters("UE-002")
def acknowledges_to_the_old_port(editor):
    in_udp(editor)
    continuation = Continuation(editor, where=lambda association: association.is_single(), wait_ns=3 * S)
    for _ in range(3):
        continuation.data(continuation.far)
        continuation.packet["ports"] = (OTHER_PORT, UDP_PORT)
        continuation.sack(continuation.near)
        continuation.packet["ports"] = (UDP_PORT, UDP_PORT)
    return continuation.near


@silent("UE-002", accused=1)
def old_port_while_packets_cross():
    """What was sent from the old port may arrive after the first from the new one."""
    scenario = ScenarioBuilder(udp=UDP).set_up().data(0)
    scenario.udp[0] = 9900
    for _ in range(2):
        scenario.data(0).sack(1)
        scenario.flow.items[-1].udp = (40000, 9899)
    return scenario


@silent("UE-007", accused=1)
def answers_without_udp_what_came_without():
    scenario = ScenarioBuilder(udp=UDP).set_up().exchange(3).wait(4 * S)
    for _ in range(3):
        scenario.data(0)
        scenario.flow.items[-1].udp = None
        scenario.sack(1)
        scenario.flow.items[-1].udp = None
    return scenario


@alters("UE-007")
def answers_in_udp_what_came_without(editor):
    in_udp(editor)
    continuation = Continuation(editor, where=lambda association: association.is_single(), wait_ns=4 * S)
    for _ in range(3):
        continuation.data(continuation.far)
        continuation.packet["ports"] = (0, 0)
        continuation.sack(continuation.near)
    return continuation.near


LEFT_OUT = [
    ("UE-001", "left out", "the clause is for old NATs only, whose presence cannot be known"),
    ("UE-003", "dropped", "SCTP has no length field of its own; a mismatch is a chunk framing error (FMT group)"),
    ("UE-006", "left out", "the clause is for old NATs only, whose presence cannot be known"),
    ("UE-008", "dropped", "there is one IP header only, the bits the stack wanted are not observable; EC rules judge the result"),
]
