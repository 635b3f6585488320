# SPDX-License-Identifier: GPL-2.0-or-later
"""Packets: ports and tag, what is bundled with what and in which order, and how the packet ends."""

from generate import chunks
from scenario_builder import ScenarioBuilder
from register import fires, silent
from mutations import breaks
from continuation import Continuation
from captured_associations import is_set_up_once
from one_packet import established, said, says


@fires("FMT-018")
def init_with_data():
    scenario = ScenarioBuilder()
    end = scenario.ends[0]
    return scenario.send(0, chunks.init(end.tag, end.tsn), chunks.data(end.tsn, b"early"), vtag=0)


@silent("FMT-018")
@silent("FMT-009")
@silent("FMT-010")
@silent("FMT-040")
@silent("FMT-001")
@silent("FMT-002")
def init_alone():
    return ScenarioBuilder().set_up()


@fires("FMT-001")
def source_port_0():
    return ScenarioBuilder(ports=(0, 5001)).set_up()


@fires("FMT-002")
def destination_port_0():
    return ScenarioBuilder(ports=(5001, 0)).set_up()


@fires("FMT-005")
def packet_without_a_chunk():
    return ScenarioBuilder().set_up().send(0).exchange()


@silent("FMT-005", judged=False)
def packet_without_a_chunk_that_came_in_fragments():
    scenario = ScenarioBuilder().set_up().send(0).exchange()
    scenario.fragmented = {5}
    return scenario


@silent("FMT-005", judged=False)
def packets_cut_behind_their_common_header():
    return ScenarioBuilder(snap=12).set_up().exchange()


@fires("FMT-009")
def trailing_bytes():
    return said(chunks.heartbeat(), b"\0\0")


@fires("FMT-010")
def no_padding():
    return said(chunks.heartbeat(b"12345")[:-3])


@silent("FMT-048")
def good_shutdown():
    return established().exchange().shut_down()


@fires("FMT-019")
def sack_after_data():
    scenario = established()
    return scenario.send(0, chunks.data(scenario.ends[0].tsn, b"user"), chunks.sack(scenario.ends[1].tsn - 1))


@silent("FMT-019")
def pad_after_data():
    scenario = established()
    return scenario.send(0, chunks.sack(scenario.ends[1].tsn - 1), chunks.data(scenario.ends[0].tsn, b"user"), chunks.chunk(chunks.PAD, 0, bytes(20)))


@fires("FMT-020")
def descending():
    scenario = established()
    tsn = scenario.ends[0].tsn
    return scenario.send(0, chunks.data(tsn + 1, b"user"), chunks.data(tsn, b"user"))


@silent("FMT-020")
def ascending_over_the_wrap():
    scenario = ScenarioBuilder(tsns=(0xFFFFFFFF, 7)).set_up()
    return scenario.send(0, chunks.data(0xFFFFFFFF, b"user"), chunks.data(0, b"user"))


@fires("FMT-021")
def abort_with_data():
    scenario = established()
    return scenario.send(0, chunks.data(scenario.ends[0].tsn, b"user"), chunks.abort())


@fires("FMT-022")
def sack_after_abort():
    scenario = established()
    return scenario.send(0, chunks.abort(), chunks.sack(scenario.ends[1].tsn - 1))


@silent("FMT-021")
@silent("FMT-022")
def sack_before_abort():
    scenario = established()
    return scenario.send(0, chunks.sack(scenario.ends[1].tsn - 1), chunks.abort())


@fires("FMT-023")
def cookie_echo_second():
    scenario = ScenarioBuilder()
    scenario.init().init_ack()
    return scenario.send(0, chunks.error(chunks.tlv(chunks.STALE_COOKIE, bytes(4))), chunks.cookie_echo())


@silent("FMT-023")
def cookie_echo_after_auth():
    scenario = ScenarioBuilder()
    scenario.init().init_ack()
    return scenario.send(0, chunks.auth(0, 1, bytes(20)), chunks.cookie_echo(), chunks.data(scenario.ends[0].tsn, b"user"))


@fires("FMT-024", accused=1)
def cookie_ack_second():
    scenario = ScenarioBuilder()
    scenario.init().init_ack().cookie_echo()
    return scenario.send(1, chunks.sack(scenario.ends[0].tsn - 1), chunks.cookie_ack())


@silent("FMT-024", accused=1)
def cookie_ack_after_auth():
    scenario = ScenarioBuilder()
    scenario.init().init_ack().cookie_echo()
    return scenario.send(1, chunks.auth(0, 1, bytes(20)), chunks.cookie_ack(), chunks.sack(scenario.ends[0].tsn - 1))


@fires("FMT-040")
def tag_0():
    scenario = established()
    return scenario.send(0, chunks.heartbeat(), vtag=0)


@fires("FMT-048")
def data_with_shutdown():
    scenario = established()
    return scenario.send(0, chunks.shutdown(scenario.ends[1].tsn - 1), chunks.data(scenario.ends[0].tsn, b"user"))


def without_port(editor):
    """The initiator's port is 0."""
    association = editor.association(is_set_up_once)
    for packet in association.packets:
        editor.edit(packet, 0 if association.sender(packet) == 0 else 2, bytes(2))
    return association


@breaks("FMT-001", causes=("FMT-002",))
def source_port_0_in_capture(editor):
    without_port(editor)
    return 0


@breaks("FMT-002", causes=("FMT-001",))
def destination_port_0_in_capture(editor):
    without_port(editor)
    return 1


@breaks("FMT-005")
def packet_without_a_chunk_in_capture(editor):
    return says(editor)


@breaks("FMT-009")
def bytes_after_the_last_chunk(editor):
    return says(editor, chunks.heartbeat(bytes(40)), b"\0\0")


@breaks("FMT-010")
def last_chunk_not_padded(editor):
    return says(editor, chunks.heartbeat(bytes(41))[:-3])


@breaks("FMT-019")
def sack_behind_data(editor):
    continuation = Continuation(editor)
    continuation.data(continuation.far)
    sack = chunks.sack(continuation.ends[continuation.far].tsn - 1, a_rwnd=continuation.ends[continuation.near].a_rwnd)
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
    continuation.send(continuation.near, chunks.abort(), chunks.sack(continuation.ends[continuation.far].tsn - 1, a_rwnd=continuation.ends[continuation.near].a_rwnd))
    return continuation.near


@breaks("FMT-023")
def cookie_echo_second_in_capture(editor):
    association = editor.association(is_set_up_once)
    editor.add_chunk(association.first(0, chunks.COOKIE_ECHO).packet, chunks.error(chunks.tlv(chunks.STALE_COOKIE, bytes(4))), first=True)
    return 0


@breaks("FMT-024")
def cookie_ack_second_in_capture(editor):
    association = editor.association(is_set_up_once)
    editor.add_chunk(association.first(1, chunks.COOKIE_ACK).packet, chunks.error(chunks.tlv(chunks.STALE_COOKIE, bytes(4))), first=True)
    return 1


@breaks("FMT-040")
def tag_0_in_capture(editor):
    return says(editor, chunks.heartbeat(bytes(40)), vtag=0)


@breaks("FMT-048", causes=("SD-001", "SD-003"))
def data_with_shutdown_in_capture(editor):
    continuation = Continuation(editor)
    continuation.send(continuation.near, chunks.shutdown(continuation.ends[continuation.far].tsn - 1), continuation.chunk(continuation.near))
    return continuation.near


@breaks("FMT-018")
def bundled_init(editor):
    association = editor.association(is_set_up_once)
    editor.add_chunk(association.init.packet, chunks.heartbeat())
    return 0


@breaks("FMT-018")
def bundled_shutdown_complete(editor):
    association = editor.association(lambda association: association.first(None, 14))
    place = association.first(None, 14)
    editor.add_chunk(place.packet, chunks.error(chunks.tlv(7)))
    return association.sender(place.packet)


LEFT_OUT = [
    ("FMT-025", "left out", "fragments may be right after the PMTU fell, and ICMP errors need not pass the tap"),
    ("FMT-026", "left out", "the PMTU is internal to the sender, and ICMP errors need not reach the stack"),
    ("FMT-027", "left out", "quality of the capture, which the tracker remarks"),
]
