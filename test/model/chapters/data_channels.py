# SPDX-License-Identifier: GPL-2.0-or-later
"""Data channels of WebRTC: their streams, requests, answers, retransmissions and empty messages."""

import dataclasses
import struct

from generate import chunks
from scenario_builder import COMPLETE, COMPLETE_AT_END_1, S, ScenarioBuilder
from register import fires, silent
from scripts import SINGLE, alters, violates
from continuation import Continuation
from encapsulation import DTLS, in_dtls
from partial_reliability import SUPPORTS_PARTIAL

WEBRTC_STRING, WEBRTC_STRING_EMPTY, WEBRTC_BINARY_EMPTY = 51, 56, 57


def webrtc_message(user_data, ppid=WEBRTC_STRING_EMPTY, flags=chunks.BEGIN | chunks.END, encapsulation=DTLS):
    scenario = ScenarioBuilder(encapsulation=encapsulation).set_up()
    return scenario.send(0, chunks.data(scenario.ends[0].tsn, user_data, ppid=ppid, flags=flags))


def webrtc_i_data(flags, user_data, ppid_or_fsn=WEBRTC_STRING_EMPTY):
    scenario = ScenarioBuilder(encapsulation=DTLS).set_up((chunks.tlv(chunks.EXTENSIONS, bytes([chunks.I_DATA])),) * 2)
    scenario.send(0, chunks.i_data(scenario.ends[0].tsn, b"message", ppid_or_fsn=WEBRTC_STRING, flags=chunks.BEGIN))
    return scenario.send(0, chunks.i_data(scenario.ends[0].tsn + 1, user_data, ppid_or_fsn=ppid_or_fsn, flags=flags))


@alters("UE-014")
def text_sent_as_empty(editor):
    in_dtls(editor)
    talk = Continuation(editor)
    return talk.data(talk.near, payload=b"text", ppid=WEBRTC_BINARY_EMPTY).near


@fires("UE-014")
def one_byte_of_text_sent_as_empty():
    return webrtc_message(b"t", WEBRTC_BINARY_EMPTY)


@fires("UE-014")
def fragment_sent_as_empty():
    return webrtc_message(b"\0", flags=chunks.BEGIN)


@fires("UE-014")
def text_in_i_data_sent_as_empty():
    return webrtc_i_data(chunks.BEGIN | chunks.END, b"text")


@silent("UE-014")
def zero_byte_sent_as_empty():
    return webrtc_message(b"\0")


@silent("UE-014")
def zero_byte_sent_as_empty_unordered():
    return webrtc_message(b"\0", WEBRTC_BINARY_EMPTY, chunks.BEGIN | chunks.END | chunks.UNORDERED)


@silent("UE-014", judged=False)
def text_sent_as_text():
    return webrtc_message(b"text", WEBRTC_STRING)


@silent("UE-014", judged=False)
def fragment_of_which_the_fsn_looks_like_empty():
    return webrtc_i_data(chunks.END, b"text")


@silent("UE-014", judged=False)
def text_over_ip():
    """Nothing says that the frame holds WebRTC."""
    return webrtc_message(b"text", encapsulation=0)


def channels_opened(*streams):
    """DATA_CHANNEL_OPEN of end 0, then of end 1."""
    scenario = ScenarioBuilder(encapsulation=DTLS).set_up().exchange()
    for sender, sid in enumerate(streams):
        scenario.send(sender, chunks.data(scenario.ends[sender].tsn, bytes((3,)) + bytes(11), sid=sid, ppid=50))
        scenario.ends[sender].tsn += 1
    return scenario


@fires("UE-016", accused=1)
def both_open_even_streams():
    return channels_opened(0, 2)


@fires("UE-016", accused=1)
def both_open_odd_streams():
    return channels_opened(1, 1)


@silent("UE-016", accused=1)
def one_opens_even_streams_one_odd():
    return channels_opened(0, 1)


def channel_answered(is_answered):
    """DATA_CHANNEL_OPEN of end 0, and a HEARTBEAT of end 1 long after it."""
    scenario = channels_opened(0).sack(1)
    if is_answered:
        scenario.send(1, chunks.data(scenario.ends[1].tsn, b"\2", ppid=50)).send(0, chunks.sack(scenario.ends[1].tsn))
    return scenario.wait(12 * S).heartbeat(1)


@violates("UE-017", SINGLE, by_far=True)
def data_channel_not_answered(talk):
    talk.data(talk.near, payload=b"\3" + bytes(11), ppid=50).sack(talk.far).wait(12 * S).heartbeat(talk.far)


@silent("UE-017", accused=1)
def data_channel_answered():
    return channel_answered(True)


@silent("UE-017", accused=1)
def data_channel_answered_late():
    scenario = channels_opened(0).sack(1)
    scenario.wait(9 * S).send(1, chunks.data(scenario.ends[1].tsn, b"\2", ppid=50)).send(0, chunks.sack(scenario.ends[1].tsn))
    return scenario.wait(12 * S).heartbeat(1)


def given_up(sender, is_request):
    """The last message of a sender whose DATA_CHANNEL_OPEN was acknowledged, unless that is the message."""
    scenario = ScenarioBuilder(encapsulation=DTLS).set_up((SUPPORTS_PARTIAL, SUPPORTS_PARTIAL))
    opening = chunks.data(scenario.ends[sender].tsn, struct.pack("!BBHIHH", 3, 1, 0, 0, 0, 0), sid=sender, ppid=50)
    scenario.send(sender, opening)
    last = scenario.ends[sender].tsn
    if not is_request:
        scenario.send(1 - sender, chunks.sack(last))
        scenario.send(1 - sender, chunks.data(scenario.ends[1 - sender].tsn, b"\2", sid=sender, ppid=50))
        scenario.send(sender, chunks.sack(scenario.ends[1 - sender].tsn))
        last += 1
        scenario.send(sender, chunks.data(last, b"text", sid=sender, ssn=1, ppid=51))
    scenario.wait(S).send(sender, chunks.forward_tsn(last, ((sender, 0 if is_request else 1),)))
    return scenario.send(1 - sender, chunks.sack(last)).wait(12 * S).heartbeat(1 - sender)


@violates("UE-019", SINGLE)
def data_channel_given_up(talk):
    end = talk.ends[talk.near]
    talk.data(talk.near, payload=b"\3" + bytes(11), ppid=50).wait(S)
    talk.send(talk.near, chunks.forward_tsn(talk.last_tsn(talk.near), ((end.stream, end.ssn - 1),)))


@fires("UE-019")
@silent("UE-017", accused=1, judged=False)
def request_given_up():
    return given_up(0, True)


@fires("UE-019", accused=1)
@silent("UE-017", judged=False)
def request_of_the_answerer_given_up():
    return given_up(1, True)


@silent("UE-019", judged=False)
@silent("UE-017", accused=1)
def message_of_an_open_channel_given_up():
    return given_up(0, False)


@silent("UE-019")
def another_message_given_up_before_the_request_was_acknowledged():
    """The message before the request is given up, and then the request is acknowledged."""
    scenario = ScenarioBuilder(encapsulation=DTLS).set_up((SUPPORTS_PARTIAL, SUPPORTS_PARTIAL))
    first = scenario.ends[0].tsn
    scenario.send(0, chunks.data(first, b"text", ppid=51))
    scenario.send(0, chunks.data(first + 1, struct.pack("!BBHIHH", 3, 1, 0, 0, 0, 0), sid=2, ppid=50))
    return scenario.wait(S).send(0, chunks.forward_tsn(first, ((0, 0),))).send(1, chunks.sack(first + 1))


def retransmitted(times, limit):
    """A message on a channel that may be retransmitted limit times."""
    scenario = ScenarioBuilder(encapsulation=DTLS).set_up().exchange()
    opening = struct.pack("!BBHIHH", 3, 0x81, 0, limit, 0, 0)
    scenario.send(0, chunks.data(scenario.ends[0].tsn, opening, sid=2, ppid=50))
    message = chunks.data(scenario.ends[0].tsn + 1 & 0xFFFFFFFF, bytes(20), sid=2, ppid=53)
    scenario.send(0, message)
    for _ in range(times):
        scenario.send(0, message, gap_ns=S)
    return scenario


@violates("UE-018", SINGLE)
def message_retransmitted_though_it_may_not_be(talk):
    """A channel whose messages are not to be retransmitted at all."""
    talk.data(talk.near, payload=struct.pack("!BBHIHH", 3, 1, 0, 0, 0, 0), ppid=50).sack(talk.far).data(talk.near, payload=b"text", ppid=51)
    talk.send(talk.near, talk.sent, gap_ns=3 * S)


@fires("UE-018")
def message_retransmitted_twice_instead_of_once():
    return retransmitted(2, limit=1)


@silent("UE-018")
def message_retransmitted_once():
    return retransmitted(1, limit=1)


@silent("UE-018")
def message_retransmitted_twice():
    return retransmitted(2, limit=2)


def opening(label=b"chat", kind=0, reliability=0, protocol=b"", label_length=None):
    """DATA_CHANNEL_OPEN."""
    return struct.pack("!BBHIHH", 3, kind, 256, reliability, len(label) if label_length is None else label_length, len(protocol)) + label + protocol


def said(scenario, sender, message, sid=0, ppid=50, flags=chunks.BEGIN | chunks.END, **options):
    end = scenario.ends[sender]
    scenario.send(sender, chunks.data(end.tsn, message, sid=sid, ppid=ppid, flags=flags), **options)
    end.tsn += 1
    return scenario


def opened(message, sender=0, sid=0):
    return said(ScenarioBuilder(encapsulation=DTLS).set_up(), sender, message, sid)


@violates("UE-020", SINGLE)
def label_longer_than_the_message(talk):
    talk.data(talk.near, payload=opening(label_length=40), ppid=50)


@fires("UE-020", accused=1)
def bytes_behind_the_protocol():
    return opened(opening(b"chat", protocol=b"json") + b"\0", sender=1, sid=1)


@fires("UE-020")
def request_of_8_bytes():
    return opened(opening()[:8])


@fires("UE-020")
def reliable_channel_with_a_limit():
    return opened(opening(kind=0x80, reliability=5))


@fires("UE-020", accused=1)
def answer_of_5_bytes():
    return said(opened(opening()), 1, b"\2\0\0\0\0")


@silent("UE-020")
def request_with_label_and_protocol():
    return opened(opening("grüße".encode(), kind=0x81, reliability=3, protocol=b"json"))


@silent("UE-020", accused=1)
def answer_of_one_byte():
    return said(opened(opening()), 1, b"\2")


UNORDERED_MESSAGE = dict(ppid=53, flags=chunks.BEGIN | chunks.END | chunks.UNORDERED)


@violates("UE-021", SINGLE)
def unordered_message_right_after_the_request(talk):
    talk.data(talk.near, payload=opening(kind=0x80), ppid=50).data(talk.near, payload=b"position", ppid=53, flags=unordered())


@fires("UE-021", accused=1, asserted=COMPLETE)
def unordered_message_after_an_answer_on_another_channel():
    scenario = said(said(opened(opening(kind=0x80), 1, 1), 1, opening(kind=0x80), 3), 0, b"\2", 1)
    return said(said(scenario, 1, b"to 1", 1, **UNORDERED_MESSAGE), 1, b"to 3", 3, **UNORDERED_MESSAGE)


@fires("UE-021")
def unordered_message_in_the_packet_of_the_request():
    scenario = ScenarioBuilder(encapsulation=DTLS).set_up()
    tsn = scenario.ends[0].tsn
    return scenario.send(0, chunks.data(tsn, opening(kind=0x80), ppid=50), chunks.data(tsn + 1, b"position", **UNORDERED_MESSAGE))


@silent("UE-021")
def ordered_message_before_the_answer():
    return said(opened(opening(kind=0x80)), 0, b"position", ppid=53)


@silent("UE-021")
def unordered_message_after_a_message_on_the_channel():
    """The peer's first message may pass before its answer."""
    scenario = said(said(opened(opening(kind=0x80)), 0, b"ordered", ppid=53), 1, b"first", ppid=53)
    return said(scenario, 0, b"position", **UNORDERED_MESSAGE)


@silent("UE-021", accused=1, judged=False)
def unordered_message_of_the_endpoint_that_was_asked():
    return said(opened(opening(kind=0x80)), 1, b"position", **UNORDERED_MESSAGE)


RESETS = (chunks.tlv(chunks.EXTENSIONS, bytes([chunks.RE_CONFIG]), last=True),) * 2


def reset(scenario, closer, sid, number=0):
    """The endpoint resets its stream, and its peer performs that."""
    own, peer = scenario.ends[closer], scenario.ends[1 - closer]
    request = struct.pack("!IIIH", own.initial_tsn + number, peer.initial_tsn - 1, own.tsn - 1, sid)
    scenario.send(closer, chunks.re_config(chunks.tlv(chunks.OUTGOING_RESET, request, last=True)))
    return scenario.send(1 - closer, chunks.re_config(chunks.tlv(chunks.RESPONSE, struct.pack("!II", own.initial_tsn + number, 1))))


def closed(closer, *answers, sid=2):
    """A channel of end 0 that the endpoint closes, what follows, and a HEARTBEAT of the other one long after it."""
    scenario = said(ScenarioBuilder(encapsulation=DTLS).set_up(RESETS), 0, opening(), sid).sack(1)
    said(scenario, 1, b"\2", sid).sack(0)
    reset(scenario, closer, sid)
    for answer in answers:
        answer(scenario)
    return scenario.wait(12 * S).heartbeat(1 - closer)


def may_reset(association):
    return not association.has(chunks.RE_CONFIG) and all(chunks.RE_CONFIG in association.extensions(end) for end in (0, 1))


@violates("UE-022", dataclasses.replace(SINGLE, params=RESETS).also(may_reset), by_far=True)
def channel_closed_by_one_endpoint(talk):
    talk.data(talk.near, payload=opening(), ppid=50).sack(talk.far)
    reset(talk, talk.near, talk.ends[talk.near].stream).wait(12 * S).heartbeat(talk.far)


@fires("UE-022", accused=1, asserted=COMPLETE)
def channel_closed_by_its_opener_alone():
    return closed(0)


@fires("UE-022", asserted=COMPLETE)
def channel_closed_by_the_answerer_alone():
    return closed(1, sid=4)


@silent("UE-022", accused=1, asserted=COMPLETE)
def channel_closed_by_both():
    return closed(0, lambda scenario: reset(scenario, 1, 2))


@silent("UE-022", accused=1, asserted=COMPLETE)
def channel_closed_while_data_of_the_peer_is_outstanding():
    return closed(0, lambda scenario: said(scenario, 1, b"rest", 2, ppid=53))


@silent("UE-022", accused=1, asserted=COMPLETE)
def stream_reset_that_is_no_channel():
    scenario = said(ScenarioBuilder(encapsulation=DTLS).set_up(RESETS), 0, opening(), 2).sack(1)
    return reset(scenario, 0, 5).wait(12 * S).heartbeat(1)


def request_reaches(*answers, lists=RESETS, window=None):
    """A request that its receiver acknowledges, what that sends else, and a HEARTBEAT two seconds later."""
    scenario = said(ScenarioBuilder(encapsulation=DTLS).set_up(lists), 0, opening(), 2)
    scenario.sack(1, a_rwnd=window) if window else scenario.sack(1)
    for answer in answers:
        answer(scenario)
    return scenario.wait(2 * S).heartbeat(0)


@fires("UE-017", 1, asserted=COMPLETE_AT_END_1)
@silent("UE-017", 1, asserted=COMPLETE)
def request_passed_over():
    return request_reaches()


@silent("UE-017", 1, asserted=COMPLETE_AT_END_1)
def request_answered_at_once():
    return request_reaches(lambda scenario: said(scenario, 1, b"\2", 2))


@silent("UE-017", 1, asserted=COMPLETE_AT_END_1)
def request_refused_by_a_reset():
    return request_reaches(lambda scenario: reset(scenario, 1, 2))


@silent("UE-017", 1, asserted=COMPLETE_AT_END_1)
def request_that_was_not_read():
    return request_reaches(window=1000)


@silent("UE-017", 1, asserted=COMPLETE_AT_END_1)
def request_while_data_of_its_receiver_is_outstanding():
    return request_reaches(lambda scenario: said(scenario, 1, b"data", 5, ppid=53))


@silent("UE-017", 1, asserted=COMPLETE_AT_END_1)
def request_before_a_shutdown():
    return request_reaches(lambda scenario: scenario.shutdown(0).shutdown_ack(1))


@silent("UE-017", 1, asserted=COMPLETE_AT_END_1)
def request_to_an_endpoint_that_cannot_refuse():
    return request_reaches(lists=(b"", b""))


def closed_soon(*answers):
    scenario = request_reaches(lambda scenario: said(scenario, 1, b"\2", 2).sack(0))
    reset(scenario, 0, 2)
    for answer in answers:
        answer(scenario)
    return scenario.wait(2 * S).heartbeat(0)


@fires("UE-022", 1, asserted=COMPLETE_AT_END_1)
@silent("UE-022", 1, asserted=COMPLETE)
def channel_closed_by_its_opener_alone_for_two_seconds():
    return closed_soon()


@silent("UE-022", 1, asserted=COMPLETE_AT_END_1)
def channel_closed_by_both_at_once():
    return closed_soon(lambda scenario: reset(scenario, 1, 2))


@silent("UE-022", 1, asserted=COMPLETE_AT_END_1)
def channel_closed_while_data_of_its_receiver_is_outstanding():
    return closed_soon(lambda scenario: said(scenario, 1, b"rest", 2, ppid=53))


def unordered(flags=chunks.UNORDERED):
    return chunks.BEGIN | chunks.END | flags


@violates("UE-023", SINGLE)
def request_sent_unordered(talk):
    talk.data(talk.near, payload=opening(), ppid=50, flags=unordered())


@fires("UE-023", accused=1)
def answer_sent_unordered():
    return said(opened(opening()), 1, b"\2", flags=unordered())


@silent("UE-023")
def request_for_an_unordered_channel_sent_in_order():
    return opened(opening(kind=0x80))


@silent("UE-023", judged=False)
def user_data_sent_unordered():
    return said(ScenarioBuilder(encapsulation=DTLS).set_up(), 0, opening(), ppid=53, flags=unordered())


@violates("UE-024", SINGLE)
def answer_where_nothing_was_asked(talk):
    talk.data(talk.near, payload=b"\2", ppid=50)


@fires("UE-024", accused=1)
@fires("UE-024", accused=1, asserted=COMPLETE)
def answer_on_another_stream():
    return said(opened(opening(), sid=2), 1, b"\2", 4)


@silent("UE-024", accused=1, asserted=COMPLETE)
def answer_on_the_stream_of_the_request():
    return said(opened(opening(), sid=2), 1, b"\2", 2)


@silent("UE-024", accused=1, asserted=COMPLETE)
def answer_to_the_second_request_of_a_packet():
    scenario = ScenarioBuilder(encapsulation=DTLS).set_up()
    tsn = scenario.ends[0].tsn
    scenario.send(0, chunks.data(tsn, b"text", ppid=51), chunks.data(tsn + 1, opening(), sid=2, ppid=50), chunks.data(tsn + 2, opening(), sid=4, ppid=50))
    scenario.ends[0].tsn += 3
    return said(said(scenario, 1, b"\2", 4), 1, b"\2", 2)


LEFT_OUT = [
    ("UE-012", "left out", "use by WebRTC must be proven by data first, and old stacks announce in other ways"),
    ("UE-013", "left out", "other applications share the association"),
    ("UE-015", "dropped", "an unused channel is not a closed one; closing is an application event invisible on the wire"),
]
