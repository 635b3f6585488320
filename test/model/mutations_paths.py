# SPDX-License-Identifier: GPL-2.0-or-later
"""Heartbeats, path verification, and where data goes."""

from generate import chunks
from mutations import breaks
from mutations_setup import elsewhere, once
from packet_editor import NoPlace
from continuation import MS, S, Continuation
from captured_associations import ASCONF, COOKIE_ACK, COOKIE_ECHO, HEARTBEAT, HEARTBEAT_ACK, chunks_of, params_of


def multihomed(association):
    return all(len(association.pairs(end)) > 1 for end in (0, 1))


def two_ways(editor, where=lambda association: True):
    """(continuation, ways of the near end): an association that has used two ways, the usual one first."""
    continuation = Continuation(editor, where=lambda association: multihomed(association) and not association.has(ASCONF) and where(association))
    ways = continuation.ways(continuation.near)
    if len(ways) < 2:
        raise NoPlace
    return continuation, ways[:2]


@breaks("PM-001")
def wrong_echoes(editor):
    continuation = Continuation(editor)
    for number in range(4):
        continuation.send(continuation.near, chunks.heartbeat(bytes([number]) * 40), gap_ns=5 * S)
        continuation.send(continuation.far, chunks.heartbeat_ack(bytes([number]) * 39 + b"!"))
    return continuation.far


@breaks("PM-002")
def heartbeats_not_answered_but_data(editor):
    continuation = Continuation(editor)
    for _ in range(4):
        continuation.heartbeat(continuation.far, is_answered=False, gap_ns=2 * S).data(continuation.far).sack(continuation.near)
    return continuation.near


@breaks("PM-004")
def answer_to_another_address(editor):
    continuation, ways = two_ways(editor)
    continuation.heartbeat(continuation.near, ways[1], is_answered=False)
    continuation.send(continuation.far, chunks.heartbeat_ack(b"\1" * 40), source=ways[1][1], destination=ways[0][0])
    return continuation.far


@breaks("PM-004")
def real_answer_to_another_address(editor):
    association = editor.association(multihomed)
    place = editor.pick(place for place in association.places(None, HEARTBEAT_ACK, alone=True)
                       if is_answer_to_last(association, place))
    place.packet["destination"] = elsewhere(place.packet["destination"])
    return association.sender(place.packet)


def is_answer_to_last(association, answer):
    """The HEARTBEAT that it echoes was the last of its way."""
    way, last = (answer.packet["destination"], answer.packet["source"]), None
    for packet in association.packets:
        if packet is answer.packet:
            break
        if (packet["source"], packet["destination"]) == way:
            for kind, at, length in chunks_of(packet["sctp"]):
                last = packet["sctp"][at + 4:at + length] if kind == HEARTBEAT else last
    return last == answer.packet["sctp"][answer.at + 4:answer.at + answer.length]


@breaks("PM-005")
def heartbeat_without_info(editor):
    continuation = Continuation(editor)
    continuation.send(continuation.near, chunks.chunk(chunks.HEARTBEAT, 0, chunks.tlv(0x8555, bytes(20))))
    return continuation.near


def to_an_unconfirmed_address(editor, *parts):
    """The responder sends these right behind the COOKIE ACK to an address that the INIT listed and that no packet came from yet."""
    association = editor.near(1, lambda association: once(association) and multihomed(association) and not any(part[0] in association.demands(0) for part in parts))
    ack = association.first(1, COOKIE_ACK).packet
    listed = sorted({association.init.packet["sctp"][at + 4:at + length] for kind, at, length in params_of(association.init) if kind in (5, 6)}
                    - {association.init_ack.packet["destination"], ack["destination"], association.first(0, COOKIE_ECHO).packet["source"]})
    listed = [address for address in listed if len(address) == len(ack["source"])]
    if not listed:
        raise NoPlace
    editor.inject(ack, *parts, destination=listed[0])
    return association


@breaks("PM-006")
def short_nonce(editor):
    to_an_unconfirmed_address(editor, chunks.heartbeat(b"1234"))
    return 1


@breaks("PM-007")
def packet_to_an_unconfirmed_address(editor):
    association = editor.near(1, once)
    to_an_unconfirmed_address(editor, chunks.sack(association.initial_tsn(0) - 1))
    return 1


@breaks("PM-009")
def exact_heartbeats(editor):
    continuation = Continuation(editor)
    for _ in range(14):
        continuation.heartbeat(continuation.near, gap_ns=5 * S)
    return continuation.near


@breaks("PM-011")
def heartbeat_after_shutdown(editor):
    continuation = Continuation(editor)
    continuation.send(continuation.near, chunks.shutdown(continuation.tsn[continuation.far] - 1)).heartbeat(continuation.near, is_answered=False)
    return continuation.near


@breaks("PM-016")
def timeouts_on_the_same_path(editor):
    continuation, ways = two_ways(editor)
    near = continuation.near
    continuation.heartbeat(near, ways[1]).heartbeat(near, ways[0]).data(near, way=ways[0], size=100)
    for number in range(4):
        continuation.send(near, continuation.sent, gap_ns=(4 << number) * S, source=ways[0][0], destination=ways[0][1])
        continuation.heartbeat(near, ways[1], gap_ns=S)
    return near


@breaks("PM-017")
def fast_retransmission_elsewhere(editor):
    continuation, ways = two_ways(editor, lambda association: not association.has_timeouts(association.near))
    near, far = continuation.near, continuation.far
    continuation.heartbeat(near, ways[1]).data(near, way=ways[0], size=100)
    lost = continuation.sent
    for _ in range(4):
        continuation.data(near, way=ways[0], size=100)
    for end in (2, 3, 4):
        continuation.sack(far, 5, gaps=((2, end),), gap_ns=None if end == 2 else MS)
    continuation.send(near, lost, source=ways[1][0], destination=ways[1][1]).data(near, way=ways[0], size=100)
    return near


@breaks("PM-019")
def back_and_forth(editor):
    continuation, ways = two_ways(editor)
    near, far = continuation.near, continuation.far
    for move in range(8):
        way = ways[move % 2]
        for _ in range(30):
            continuation.data(near, way=way, gap_ns=80 * MS)
            continuation.send(far, chunks.sack(continuation.tsn[near] - 1), source=way[1], destination=way[0])
    return near


@breaks("PM-022", causes=("HS-010", "HS-057", "PM-006", "PM-007"))
def init_ack_elsewhere(editor):
    association = editor.association(once)
    association.init_ack.packet["destination"] = elsewhere(association.init_ack.packet["destination"])
    return 1


@breaks("PM-022", causes=("HS-057", "PM-007"))
def cookie_ack_elsewhere(editor):
    association = editor.association(once)
    packet = association.first(1, COOKIE_ACK).packet
    packet["destination"] = elsewhere(packet["destination"])
    return 1


@breaks("PM-023")
def data_lost_but_heartbeats_answered(editor):
    continuation = Continuation(editor, where=lambda association: association.is_single() and association.is_clean(association.near))
    near = continuation.near
    way = continuation.ways(near)[0]
    continuation.data(near, way=way, size=1000)
    for number in range(6):
        continuation.send(near, continuation.sent, gap_ns=(1 << number) * S, source=way[0], destination=way[1])
        if number in (2, 4):
            continuation.heartbeat(near, way)
    return continuation.far


@breaks("PM-025")
def listed_address_never_probed(editor):
    continuation, ways = two_ways(editor)
    place = (continuation.association.init, continuation.association.init_ack)[continuation.far]
    if continuation.association.steps[1] > 1:
        raise NoPlace
    editor.add_param(place, chunks.tlv(5 if len(ways[0][1]) == 4 else 6, elsewhere(ways[0][1])))
    continuation.heartbeat(continuation.near, ways[0], gap_ns=70 * S).heartbeat(continuation.near, ways[1])
    return continuation.near


@breaks("PM-027")
def no_path_answers(editor):
    continuation, ways = two_ways(editor)
    continuation.heartbeat(continuation.near, ways[0]).heartbeat(continuation.near, ways[1])
    for number in range(20):
        continuation.heartbeat(continuation.near, ways[number % 2], is_answered=False, gap_ns=3 * S)
    return continuation.near


@breaks("PM-028", causes=("PM-016",))
def path_left_after_three_timeouts(editor):
    continuation, ways = two_ways(editor, lambda association: not association.has_timeouts(association.near))
    near, far = continuation.near, continuation.far
    continuation.data(near, way=ways[0], size=100)
    for number in range(3):
        continuation.send(near, continuation.sent, gap_ns=(1 << number) * S, source=ways[number // 2][0], destination=ways[number // 2][1])
    for _ in range(6):
        continuation.data(near, way=ways[1], gap_ns=80 * MS)
        continuation.send(far, chunks.sack(continuation.tsn[near] - 1), source=ways[1][1], destination=ways[1][0])
    return near


@breaks("PM-015")
def several_paths_at_once(editor):
    continuation, ways = two_ways(editor)
    near, far = continuation.near, continuation.far
    for number in range(200):
        way = ways[number // 2 % 2]
        continuation.data(near, way=way)
        if number % 2:
            continuation.send(far, chunks.sack(continuation.tsn[near] - 1), source=way[1], destination=way[0])
    return near


@breaks("PM-029")
def heartbeats_ever_later(editor):
    """The interval grows by twice as much each time, though each HEARTBEAT is answered."""
    continuation = Continuation(editor)
    interval_ns = editor.rng.randrange(2 * S, 30 * S)
    for number in range(8):
        continuation.heartbeat(continuation.near, gap_ns=interval_ns + (S << number))
    return continuation.near


@breaks("HS-053")
def heartbeat_to_an_address_not_listed(editor):
    continuation = Continuation(editor, where=lambda association: association.steps[1] == 1 and not all(
        ASCONF in association.extensions(end) for end in (0, 1)))
    strange = elsewhere(continuation.like[continuation.near]["destination"])
    if any(strange in pair for pair in continuation.association.pairs(continuation.near)):
        raise NoPlace
    return continuation.heartbeat(continuation.near, (continuation.like[continuation.near]["source"], strange), is_answered=False).near


@breaks("PM-003")
def heartbeat_ack_long_after_later_data(editor):
    continuation = Continuation(editor, where=lambda association: association.is_single())
    for number in range(4):
        info = bytes([number]) * 40
        continuation.send(continuation.far, chunks.heartbeat(info), gap_ns=5 * S).data(continuation.far).sack(continuation.near)
        continuation.wait(400 * MS).send(continuation.near, chunks.heartbeat_ack(info))
    return continuation.near
