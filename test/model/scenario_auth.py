# SPDX-License-Identifier: GPL-2.0-or-later
"""Authentication: what is announced, AUTH chunks, chunks that need one."""

import hashlib
import hmac
import struct

from generate import chunks
from scenario_builder import ScenarioBuilder
from register import fires, silent

RANDOM = chunks.tlv(chunks.RANDOM, bytes(range(32)))
HMACS = chunks.tlv(chunks.HMACS, struct.pack("!HH", 3, 1))
SUPPORT = RANDOM + HMACS


def wanting(*types):
    return chunks.tlv(chunks.CHUNKS, bytes(types))


def auth(hmac_id=1, size=20, flags=0):
    return chunks.chunk(chunks.AUTH, flags, struct.pack("!HH", 0, hmac_id) + bytes(size))


BOTH = (SUPPORT, SUPPORT)


@fires("AU-001")
def random_without_hmac_algo():
    return ScenarioBuilder().set_up((RANDOM, b""))


@silent("AU-001")
@silent("AU-002")
@silent("AU-004")
@silent("AU-005")
@silent("AU-017")
def authentication_announced():
    return ScenarioBuilder().set_up((SUPPORT + wanting(chunks.ASCONF, 0, 3), SUPPORT))


@fires("AU-002")
@fires("AU-003", accused=1)
def random_of_16_bytes_goes_on():
    return ScenarioBuilder().set_up((chunks.tlv(chunks.RANDOM, bytes(16)) + HMACS, SUPPORT))


@silent("AU-003", accused=1)
def random_of_32_bytes_goes_on():
    return ScenarioBuilder().set_up(BOTH)


@silent("AU-003", accused=1, judged=False)
def random_of_16_bytes_at_a_peer_without_authentication():
    return ScenarioBuilder().set_up((chunks.tlv(chunks.RANDOM, bytes(16)) + HMACS, b""))


@fires("AU-004")
def chunk_list_with_init_ack():
    return ScenarioBuilder().set_up((SUPPORT + wanting(0, 2), SUPPORT))


@fires("AU-005")
def hmacs_without_sha1():
    return ScenarioBuilder().set_up((RANDOM + chunks.tlv(chunks.HMACS, struct.pack("!H", 3)), SUPPORT))


@fires("AU-017")
def random_twice():
    return ScenarioBuilder().set_up((RANDOM + SUPPORT, SUPPORT))


@fires("AU-006")
def two_auth_chunks():
    return ScenarioBuilder().set_up(BOTH).send(0, auth(), chunks.heartbeat(), auth(), chunks.sack(1))


@silent("AU-006")
@silent("AU-008")
@silent("AU-009")
@silent("AU-013")
@silent("AU-015")
def one_auth_chunk():
    return ScenarioBuilder().set_up(BOTH).send(0, auth(), chunks.heartbeat()).send(1, auth(3, 32), chunks.heartbeat_ack())


@fires("AU-007")
def data_without_auth():
    return ScenarioBuilder().set_up((SUPPORT, SUPPORT + wanting(0))).data(0)


@silent("AU-007")
def data_after_auth():
    scenario = ScenarioBuilder().set_up((SUPPORT, SUPPORT + wanting(0)))
    return scenario.send(0, chunks.sack(scenario.ends[1].tsn - 1), auth(), chunks.data(scenario.ends[0].tsn, b"x"))


@silent("AU-007", judged=False)
def data_of_an_end_without_authentication():
    return ScenarioBuilder().set_up((b"", SUPPORT + wanting(0))).data(0)


@fires("AU-008")
def hmac_identifier_not_listed():
    return ScenarioBuilder().set_up((SUPPORT, RANDOM + chunks.tlv(chunks.HMACS, struct.pack("!H", 1)))).send(0, auth(3, 32), chunks.heartbeat())


@fires("AU-009")
def sha1_of_16_bytes():
    return ScenarioBuilder().set_up(BOTH).send(0, auth(1, 16), chunks.heartbeat())


def signed(*parts, key=b"", key_id=0, vector=SUPPORT):
    """AUTH and parts, by the key of RFC 4895 6.1, where both endpoints announced vector."""
    head = chunks.chunk(chunks.AUTH, 0, struct.pack("!HH", key_id, 1) + bytes(20))
    mac = hmac.new(key + vector + vector, head + b"".join(parts), hashlib.sha1).digest()
    return head[:8] + mac, *parts


def three_heartbeats(second):
    scenario = ScenarioBuilder().set_up(BOTH).send(0, *signed(chunks.heartbeat(b"first...")))
    return scenario.send(0, *second).send(0, *signed(chunks.heartbeat(b"third...")))


@fires("AU-010")
def hmac_that_does_not_verify():
    return three_heartbeats(signed(chunks.heartbeat(b"second.."), key=b"other"))


@silent("AU-010")
def hmacs_that_verify():
    return three_heartbeats(signed(chunks.heartbeat(b"second..")))


@silent("AU-010")
def hmac_of_another_key():
    return three_heartbeats(signed(chunks.heartbeat(b"second.."), key=b"other", key_id=1))


@silent("AU-010", judged=False)
def hmacs_of_an_unknown_key_from_the_second_on():
    scenario = ScenarioBuilder().set_up(BOTH).send(0, *signed(chunks.heartbeat(b"first...")))
    for number in range(5):
        scenario.send(0, *signed(chunks.heartbeat(b"later..%d" % number), key=b"other"))
    return scenario


@fires("AU-013")
def auth_with_a_flag():
    return ScenarioBuilder().set_up(BOTH).send(0, auth(flags=1), chunks.heartbeat())


@fires("AU-015")
def auth_to_a_peer_without():
    return ScenarioBuilder().set_up((SUPPORT, b"")).send(0, auth(), chunks.heartbeat())


def bare_asconf(*before):
    scenario = ScenarioBuilder().set_up(BOTH)
    end = scenario.ends[0]
    change = chunks.asconf(end.initial_tsn, "10.0.0.1", chunks.asconf_param(chunks.ADD_IP, 1, chunks.address("10.0.0.9")))
    for parts in before:
        scenario.send(0, *parts, change)
    return scenario.send(0, change).send(1, auth(), chunks.asconf_ack(end.initial_tsn))


@fires("AU-011", accused=1)
def asconf_without_auth_answered():
    return bare_asconf()


@silent("AU-011", accused=1)
def asconf_with_auth_answered():
    return bare_asconf((auth(),))


@fires("AU-016", accused=1)
def hmac_cause_of_8_bytes():
    return ScenarioBuilder().set_up(BOTH).send(1, chunks.error(chunks.tlv(0x0105, bytes(4))))


@silent("AU-016", accused=1)
def hmac_cause_of_6_bytes():
    return ScenarioBuilder().set_up(BOTH).send(1, chunks.error(chunks.tlv(0x0105, bytes(2))))
