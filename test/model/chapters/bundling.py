# SPDX-License-Identifier: GPL-2.0-or-later
"""Packets: ports and tag, what is bundled with what and in which order, and how the packet ends."""

from generate import chunks
from scenario_builder import ScenarioBuilder
from register import fires, silent
from scripts import alters, violates
from captured_associations import is_set_up_once
from one_packet import established


def without_port(editor):
    """The initiator's port is 0."""
    association = editor.association(is_set_up_once)
    for packet in association.packets:
        editor.edit(packet, 0 if association.sender(packet) == 0 else 2, bytes(2))


def behind_another_chunk(editor, end, kind):
    association = editor.association(is_set_up_once)
    editor.add_chunk(association.first(end, kind).packet, chunks.error(chunks.tlv(chunks.STALE_COOKIE, bytes(4))), first=True)
    return end


@fires("FMT-018")
def init_with_data():
    scenario = ScenarioBuilder()
    end = scenario.ends[0]
    return scenario.send(0, chunks.init(end.tag, end.tsn), chunks.data(end.tsn, b"early"), vtag=0)


@alters("FMT-018")
def bundled_init(editor):
    editor.add_chunk(editor.association(is_set_up_once).init.packet, chunks.heartbeat())
    return 0


@alters("FMT-018", of=lambda: established().shut_down())
def bundled_shutdown_complete(editor):
    association = editor.association(lambda association: association.first(None, chunks.SHUTDOWN_COMPLETE))
    packet = association.first(None, chunks.SHUTDOWN_COMPLETE).packet
    editor.add_chunk(packet, chunks.error(chunks.tlv(7)))
    return association.sender(packet)


@silent("FMT-018")
@silent("FMT-009")
@silent("FMT-010")
@silent("FMT-040")
@silent("FMT-001")
@silent("FMT-002")
def init_alone():
    return ScenarioBuilder().set_up()


@alters("FMT-001", causes=("FMT-002",))
def source_port_0(editor):
    without_port(editor)
    return 0


@alters("FMT-002", 1, causes=("FMT-001",))
def destination_port_0(editor):
    without_port(editor)
    return 1


@violates("FMT-005")
def packet_without_a_chunk(talk):
    talk.send(talk.near)


@silent("FMT-005", judged=False)
def packet_without_a_chunk_that_came_in_fragments():
    scenario = ScenarioBuilder().set_up().send(0).exchange()
    scenario.fragmented = {5}
    return scenario


@silent("FMT-005", judged=False)
def packets_cut_behind_their_common_header():
    return ScenarioBuilder(snap=12).set_up().exchange()


@violates("FMT-009")
def trailing_bytes(talk):
    talk.send(talk.near, chunks.heartbeat(bytes(40)), b"\0\0")


@violates("FMT-010")
def no_padding(talk):
    talk.send(talk.near, chunks.heartbeat(bytes(41))[:-3])


@silent("FMT-048")
def good_shutdown():
    return established().exchange().shut_down()


@violates("FMT-019")
def sack_after_data(talk):
    sack = talk.data(talk.far).saying(talk.near)
    talk.send(talk.near, talk.chunk(talk.near), sack)


@silent("FMT-019")
def pad_after_data():
    scenario = established()
    return scenario.send(0, chunks.sack(scenario.ends[1].tsn - 1), chunks.data(scenario.ends[0].tsn, b"user"), chunks.chunk(chunks.PAD, 0, bytes(20)))


@violates("FMT-020")
def descending(talk):
    first, second = talk.chunk(talk.near), talk.chunk(talk.near)
    talk.send(talk.near, second, first)


@silent("FMT-020")
def ascending_over_the_wrap():
    return ScenarioBuilder(tsns=(0xFFFFFFFF, 7)).set_up().send(0, chunks.data(0xFFFFFFFF, b"user"), chunks.data(0, b"user"))


@violates("FMT-021")
def abort_with_data(talk):
    talk.send(talk.near, talk.chunk(talk.near), chunks.abort())


@violates("FMT-022")
def sack_after_abort(talk):
    talk.data(talk.far)
    talk.send(talk.near, chunks.abort(), talk.saying(talk.near))


@silent("FMT-021")
@silent("FMT-022")
def sack_before_abort():
    scenario = established()
    return scenario.send(0, chunks.sack(scenario.ends[1].tsn - 1), chunks.abort())


@alters("FMT-023")
def cookie_echo_second(editor):
    return behind_another_chunk(editor, 0, chunks.COOKIE_ECHO)


@silent("FMT-023")
def cookie_echo_after_auth():
    scenario = ScenarioBuilder().init().init_ack()
    return scenario.send(0, chunks.auth(0, 1, bytes(20)), chunks.cookie_echo(), chunks.data(scenario.ends[0].tsn, b"user"))


@alters("FMT-024", 1)
def cookie_ack_second(editor):
    return behind_another_chunk(editor, 1, chunks.COOKIE_ACK)


@silent("FMT-024", accused=1)
def cookie_ack_after_auth():
    scenario = ScenarioBuilder().init().init_ack().cookie_echo()
    return scenario.send(1, chunks.auth(0, 1, bytes(20)), chunks.cookie_ack(), chunks.sack(scenario.ends[0].tsn - 1))


@violates("FMT-040")
def tag_0(talk):
    talk.send(talk.near, chunks.heartbeat(bytes(40)), vtag=0)


@violates("FMT-048", causes=("SD-001", "SD-003"))
def data_with_shutdown(talk):
    talk.send(talk.near, chunks.shutdown(talk.last_tsn(talk.far)), talk.chunk(talk.near))


LEFT_OUT = [
    ("FMT-025", "left out", "fragments may be right after the PMTU fell, and ICMP errors need not pass the tap"),
    ("FMT-026", "left out", "the PMTU is internal to the sender, and ICMP errors need not reach the stack"),
    ("FMT-027", "left out", "quality of the capture, which the tracker remarks"),
]
