# SPDX-License-Identifier: GPL-2.0-or-later
"""Authentication: what is announced, AUTH chunks, chunks that need one."""

import hashlib
import hmac
import struct

from generate import chunks
from scenario_builder import COMPLETE, COMPLETE_AT_END_1, S, ScenarioBuilder
from register import fires, silent
from scripts import Setting, alters, violates
from packet_editor import UNKNOWN, NoPlace, replace_param
from captured_associations import chunks_of, is_set_up_once, params_of
from asconf_requests import WITHOUT_AUTH, add
from authentication import HMACS, RANDOM, SUPPORT, auth, wanting


@silent("AU-011", accused=1, judged=False)
def asconf_as_it_was_offered_without_auth():
    scenario = ScenarioBuilder().set_up((WITHOUT_AUTH, WITHOUT_AUTH)).exchange(2)
    number = scenario.ends[0].initial_tsn
    return scenario.send(0, chunks.asconf(number, "10.0.0.1", add())).send(1, chunks.asconf_ack(number))


BOTH = (SUPPORT, SUPPORT)


def announcing():
    both = SUPPORT + wanting(chunks.ASCONF, chunks.HEARTBEAT)
    return ScenarioBuilder().set_up((both, both)).exchange(2)


def authenticating():
    scenario = announcing()
    for number in range(6):
        scenario.send(0, *signed(chunks.heartbeat(bytes([number]) * 8), vector=RANDOM + wanting(chunks.ASCONF, chunks.HEARTBEAT)[:6] + HMACS))
    return scenario


def asked_with_auth():
    scenario = ScenarioBuilder().set_up(BOTH)
    number = scenario.ends[0].initial_tsn
    return scenario.send(0, auth(), chunks.asconf(number, "10.0.0.1", add())).send(1, auth(), chunks.asconf_ack(number))


@alters("AU-001", None, of=announcing, causes=("AS-028",))
def no_hmac_algo(editor):
    _, end, place, at, _ = announced(editor, chunks.HMACS)
    editor.edit(place.packet, at, UNKNOWN.to_bytes(2, "big"))
    return end


@silent("AU-001")
@silent("AU-002")
@silent("AU-004")
@silent("AU-005")
@silent("AU-017")
def authentication_announced():
    return ScenarioBuilder().set_up((SUPPORT + wanting(chunks.ASCONF, 0, 3), SUPPORT))


@alters("AU-003", None, of=announcing, causes=("AU-002",))
def random_of_16_bytes_goes_on(editor):
    _, end, place, at, length = announced(editor, chunks.RANDOM)
    replace_param(editor, place, at, length, chunks.tlv(chunks.RANDOM, bytes(16)))
    return 1 - end


@silent("AU-003", accused=1)
def random_of_32_bytes_goes_on():
    return ScenarioBuilder().set_up(BOTH)


@silent("AU-003", accused=1, judged=False)
def random_of_16_bytes_at_a_peer_without_authentication():
    return ScenarioBuilder().set_up((chunks.tlv(chunks.RANDOM, bytes(16)) + HMACS, b""))


@alters("AU-004", None, of=announcing)
def chunk_list_with_init_ack(editor):
    _, end, place, at, _ = announced(editor, chunks.CHUNKS)
    editor.edit(place.packet, at + 4, b"\2")
    return end


@alters("AU-005", None, of=announcing, causes=("AU-008",))
def hmacs_without_sha1(editor):
    _, end, place, at, length = announced(editor, chunks.HMACS)
    replace_param(editor, place, at, length, chunks.tlv(chunks.HMACS, struct.pack("!H", 3)))
    return end


@alters("AU-017", None, of=announcing, causes=("FMT-031",))
def random_twice(editor):
    association, end, place, at, length = announced(editor, chunks.RANDOM)
    editor.add_param(place, place.packet["sctp"][at:at + length])
    return end


@alters("AU-006", None, of=authenticating, causes=("FMT-019",))
def two_auth_chunks(editor):
    association, place = real(editor)
    editor.add_chunk(place.packet, place.packet["sctp"][place.at:place.at + (place.length + 3) // 4 * 4])
    return association.sender(place.packet)


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


@alters("AU-007", None, of=authenticating, causes=("AS-001", "AU-011"))
def auth_left_out(editor):
    association = editor.association(lambda association: association.first(None, chunks.AUTH))

    def is_needed(place):
        behind = {kind for kind, at, _ in chunks_of(place.packet["sctp"]) if at > place.at} - {6, 9, 8, 1, 2, 14, chunks.AUTH}
        return behind & association.demands(1 - association.sender(place.packet))
    place = editor.pick(place for place in association.places(None, chunks.AUTH) if is_needed(place))
    editor.replace_chunk(place, b"")
    return association.sender(place.packet)


@silent("AU-007")
def data_after_auth():
    scenario = ScenarioBuilder().set_up((SUPPORT, SUPPORT + wanting(0)))
    return scenario.send(0, chunks.sack(scenario.ends[1].tsn - 1), auth(), chunks.data(scenario.ends[0].tsn, b"x"))


@silent("AU-007", judged=False)
def data_of_an_end_without_authentication():
    return ScenarioBuilder().set_up((b"", SUPPORT + wanting(0))).data(0)


@alters("AU-008", None, of=authenticating)
def hmac_identifier_not_listed(editor):
    association, place = real(editor)
    editor.edit(place.packet, place.at + 6, b"\0\4")
    return association.sender(place.packet)


@alters("AU-009", None, of=authenticating)
def hmac_too_short(editor):
    association, place = real(editor)
    sctp = place.packet["sctp"]
    editor.replace_chunk(place, chunks.chunk(chunks.AUTH, 0, sctp[place.at + 4:place.at + place.length - 4]))
    return association.sender(place.packet)


def signed(*parts, key=b"", key_id=0, vector=SUPPORT):
    """AUTH and parts, by the key of RFC 4895 6.1, where both endpoints announced vector."""
    head = chunks.chunk(chunks.AUTH, 0, struct.pack("!HH", key_id, 1) + bytes(20))
    mac = hmac.new(key + vector + vector, head + b"".join(parts), hashlib.sha1).digest()
    return head[:8] + mac, *parts


def is_offered(association):
    return is_set_up_once(association) and all(association.param(end, chunks.RANDOM) is not None for end in (0, 1))


def announced(editor, kind, where=is_offered):
    """(association, end, INIT or INIT ACK, parameter's offset and length): what an end announced."""
    association = editor.association(where)
    end = editor.rng.randrange(2)
    place = (association.init, association.init_ack)[end]
    for type_, at, length in params_of(place):
        if type_ == kind:
            return association, end, place, at, length
    raise NoPlace


def real(editor):
    """(association, AUTH chunk in a packet of real data)"""
    association = editor.association(lambda association: association.first(None, chunks.AUTH))
    return association, editor.pick(association.places(None, chunks.AUTH))


def vector(place):
    """RFC 4895 6.1: RANDOM, CHUNKS, HMAC-ALGO with their headers, without padding."""
    params = {type_: place.packet["sctp"][at:at + length] for type_, at, length in params_of(place)}
    return b"".join(params.get(type_, b"") for type_ in (chunks.RANDOM, chunks.CHUNKS, chunks.HMACS))


def verifies(association, place):
    """With the empty key, by SHA-1."""
    sctp, at = place.packet["sctp"], place.at
    vectors = sorted(map(vector, (association.init, association.init_ack)), key=lambda one: int.from_bytes(one, "big"))
    mac = hmac.new(b"".join(vectors), sctp[at:at + 8] + bytes(20) + sctp[at + 28:], hashlib.sha1).digest()
    return sctp[at + 4:at + 8] == b"\0\0\0\1" and sctp[at + 8:at + 28] == mac


def three_heartbeats(second):
    scenario = ScenarioBuilder().set_up(BOTH).send(0, *signed(chunks.heartbeat(b"first...")))
    return scenario.send(0, *second).send(0, *signed(chunks.heartbeat(b"third...")))


@alters("AU-010", None, of=authenticating)
def hmac_with_another_bit(editor):
    def among_others(association):
        return [place for end in (0, 1) for place in [place for place in association.places(end, chunks.AUTH) if verifies(association, place)][1:-1]]
    association = editor.association(lambda association: is_offered(association) and among_others(association))
    place = editor.pick(among_others(association))
    editor.edit(place.packet, place.at + 8, bytes((place.packet["sctp"][place.at + 8] ^ 1,)))
    return association.sender(place.packet)


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


def answered_heartbeats(key, answer_key=b"", before=()):
    """Authenticated HEARTBEATs, and their answers."""
    scenario = ScenarioBuilder().set_up(BOTH)
    for one in (*before, key):
        scenario.send(0, *signed(chunks.heartbeat(b"question"), key=one)).send(1, *signed(chunks.heartbeat_ack(b"question"), key=answer_key))
    return scenario


@fires("AU-018")
def hmac_of_another_key_than_that_of_the_peer():
    return answered_heartbeats(b"other")


@silent("AU-018")
def hmacs_of_both_verify():
    return answered_heartbeats(b"")


@silent("AU-018")
def hmac_that_does_not_verify_after_one_that_does():
    """AU-010 tells it."""
    return answered_heartbeats(b"other", before=(b"",))


@silent("AU-018", judged=False)
def hmacs_of_a_key_that_both_were_given():
    return answered_heartbeats(b"shared", b"shared")


def data_again(times, key=b"other", answer=lambda scenario: scenario.send(1, chunks.heartbeat())):
    """Authenticated DATA, retransmitted, with an answer of the peer before the last."""
    scenario = ScenarioBuilder().set_up((SUPPORT, SUPPORT + wanting(0)))
    data = chunks.data(scenario.ends[0].tsn, b"user data")
    head, longer = auth(), RANDOM + wanting(0)[:5] + HMACS
    mac = hmac.new(key + SUPPORT + longer, head + data, hashlib.sha1).digest()
    for number in range(times):
        scenario.send(0, head[:8] + mac, data, gap_ns=(1 << number) * S)
        if number == times - 2:
            answer(scenario)
    return scenario


@fires("AU-019")
def data_that_nobody_verifies():
    return data_again(5)


@silent("AU-019")
def data_that_verifies_and_is_not_acknowledged():
    return data_again(5, key=b"")


@silent("AU-019")
def data_of_another_key_retransmitted_once():
    return data_again(2)


@silent("AU-019")
def data_of_another_key_that_is_acknowledged():
    return data_again(5, answer=lambda scenario: scenario.send(1, chunks.sack(scenario.ends[0].tsn)))


@silent("AU-019")
def data_of_another_key_to_a_peer_that_is_silent():
    return data_again(5, answer=lambda scenario: scenario)


@fires("AU-020")
def hmac_algo_with_identifier_2():
    return ScenarioBuilder().set_up((RANDOM + chunks.tlv(chunks.HMACS, struct.pack("!HH", 1, 2)), SUPPORT))


@silent("AU-020")
def hmac_algo_with_identifier_4():
    return ScenarioBuilder().set_up((RANDOM + chunks.tlv(chunks.HMACS, struct.pack("!HH", 1, 4)), SUPPORT))


@alters("AU-013", None, of=authenticating)
def auth_with_a_flag(editor):
    association, place = real(editor)
    editor.edit(place.packet, place.at + 1, b"\1")
    return association.sender(place.packet)


@violates("AU-015", Setting(where=lambda association: association.param(1 - association.near, chunks.RANDOM) is None))
def auth_to_a_peer_without(talk):
    talk.send(talk.near, auth(), chunks.heartbeat())


def bare_asconf(*before):
    scenario = ScenarioBuilder().set_up(BOTH)
    end = scenario.ends[0]
    change = chunks.asconf(end.initial_tsn, "10.0.0.1", chunks.asconf_param(chunks.ADD_IP, 1, chunks.address("10.0.0.9")))
    for parts in before:
        scenario.send(0, *parts, change)
    return scenario.send(0, change).send(1, auth(), chunks.asconf_ack(end.initial_tsn))


@alters("AU-011", 1, of=asked_with_auth, causes=("AU-007", "AS-001"))
def asconf_without_auth_accepted(editor):
    association = editor.association(lambda association: association.first(None, chunks.AUTH) and association.first(None, chunks.ASCONF_ACK)
                                     and association.first(None, chunks.ASCONF))
    end = association.sender(association.first(None, chunks.ASCONF).packet)
    for place in list(association.places(end, chunks.AUTH)):
        if chunks.ASCONF in [kind for kind, _, _ in chunks_of(place.packet["sctp"])]:
            editor.replace_chunk(place, b"")
    return 1 - end


@silent("AU-011", accused=1)
def asconf_with_auth_answered():
    return bare_asconf((auth(),))


@violates("AU-016")
def hmac_cause_of_8_bytes(talk):
    talk.send(talk.near, chunks.error(chunks.tlv(0x0105, bytes(4))))


@silent("AU-016", accused=1)
def hmac_cause_of_6_bytes():
    return ScenarioBuilder().set_up(BOTH).send(1, chunks.error(chunks.tlv(0x0105, bytes(2))))


def authenticated(hmac_id, *answer):
    """A HEARTBEAT behind an AUTH chunk with that HMAC identifier; what end 1 answers, if anything."""
    scenario = ScenarioBuilder().set_up((SUPPORT, SUPPORT)).exchange(2).send(0, auth(hmac_id), chunks.heartbeat(b"authenticated"))
    if answer:
        scenario.send(1, *answer)
    return scenario.wait(S).exchange(2)


@fires("AU-012", 1, asserted=COMPLETE_AT_END_1)
@silent("AU-012", 1, asserted=COMPLETE, judged=False)
def auth_with_an_unlisted_identifier_ignored():
    return authenticated(7)


@fires("AU-012", 1, asserted=COMPLETE_AT_END_1)
def what_follows_an_unlisted_identifier_taken():
    return authenticated(2, chunks.heartbeat_ack(b"authenticated"))


@silent("PM-002", 1, asserted=COMPLETE_AT_END_1, judged=False)
@silent("AU-012", 1, asserted=COMPLETE_AT_END_1)
def auth_with_an_unlisted_identifier_reported():
    return authenticated(7, chunks.error(chunks.tlv(0x0105, struct.pack("!H", 7), last=True)))


@silent("AU-012", 1, asserted=COMPLETE_AT_END_1, judged=False)
def auth_with_a_listed_identifier():
    return authenticated(3, chunks.heartbeat_ack(b"authenticated"))


@alters("AU-001", None, of=announcing, causes=("AS-028",))
def no_random(editor):
    _, end, place, at, _ = announced(editor, chunks.RANDOM)
    editor.edit(place.packet, at, UNKNOWN.to_bytes(2, "big"))
    return end


@alters("AU-002", None, of=announcing, causes=("AU-003",))
def random_of_16_bytes(editor):
    _, end, place, at, length = announced(editor, chunks.RANDOM)
    replace_param(editor, place, at, length, chunks.tlv(chunks.RANDOM, bytes(16)))
    return end


LEFT_OUT = [
    ("AU-014", "left out", "needs memory across associations; equal RANDOMs of two hosts behind one address prove nothing"),
]
