"""Heartbeats, path verification, and where data goes."""

from generate import chunks
from mutations import breaks
from mutations_setup import elsewhere, once
from scene import NoPlace
from sequels import MS, S, Sequel
from talks import ASCONF, COOKIE_ACK, COOKIE_ECHO, HEARTBEAT, HEARTBEAT_ACK, chunks_of, params_of


def multihomed(talk):
    return all(len(talk.pairs(end)) > 1 for end in (0, 1))


def two_ways(scene, where=lambda talk: True):
    """(sequel, ways of the near end): an association that has used two ways, the usual one first."""
    sequel = Sequel(scene, where=lambda talk: multihomed(talk) and not talk.has(ASCONF) and where(talk))
    ways = sequel.ways(sequel.near)
    if len(ways) < 2:
        raise NoPlace
    return sequel, ways[:2]


@breaks("PM-001")
def wrong_echoes(scene):
    sequel = Sequel(scene)
    for number in range(4):
        sequel.send(sequel.near, chunks.heartbeat(bytes([number]) * 40), gap_ns=5 * S)
        sequel.send(sequel.far, chunks.heartbeat_ack(bytes([number]) * 39 + b"!"))
    return sequel.far


@breaks("PM-002")
def heartbeats_not_answered_but_data(scene):
    sequel = Sequel(scene)
    for _ in range(4):
        sequel.heartbeat(sequel.far, is_answered=False, gap_ns=2 * S).data(sequel.far).sack(sequel.near)
    return sequel.near


@breaks("PM-004")
def answer_to_another_address(scene):
    sequel, ways = two_ways(scene)
    sequel.heartbeat(sequel.near, ways[1], is_answered=False)
    sequel.send(sequel.far, chunks.heartbeat_ack(b"\1" * 40), source=ways[1][1], destination=ways[0][0])
    return sequel.far


@breaks("PM-004")
def real_answer_to_another_address(scene):
    talk = scene.talk(multihomed)
    place = scene.pick(place for place in talk.places(None, HEARTBEAT_ACK, alone=True)
                       if is_answer_to_last(talk, place))
    place.packet["destination"] = elsewhere(place.packet["destination"])
    return talk.sender(place.packet)


def is_answer_to_last(talk, answer):
    """The HEARTBEAT that it echoes was the last of its way."""
    way, last = (answer.packet["destination"], answer.packet["source"]), None
    for packet in talk.packets:
        if packet is answer.packet:
            break
        if (packet["source"], packet["destination"]) == way:
            for kind, at, length in chunks_of(packet["sctp"]):
                last = packet["sctp"][at + 4:at + length] if kind == HEARTBEAT else last
    return last == answer.packet["sctp"][answer.at + 4:answer.at + answer.length]


@breaks("PM-005")
def heartbeat_without_info(scene):
    sequel = Sequel(scene)
    sequel.send(sequel.near, chunks.chunk(chunks.HEARTBEAT, 0, chunks.tlv(0x8555, bytes(20))))
    return sequel.near


def to_an_unconfirmed_address(scene, *parts):
    """The responder sends these right behind the COOKIE ACK to an address that the INIT listed and that no packet came from yet."""
    talk = scene.near(1, lambda talk: once(talk) and multihomed(talk) and not any(part[0] in talk.demands(0) for part in parts))
    ack = talk.first(1, COOKIE_ACK).packet
    listed = sorted({talk.init.packet["sctp"][at + 4:at + length] for kind, at, length in params_of(talk.init) if kind in (5, 6)}
                    - {talk.init_ack.packet["destination"], ack["destination"], talk.first(0, COOKIE_ECHO).packet["source"]})
    listed = [address for address in listed if len(address) == len(ack["source"])]
    if not listed:
        raise NoPlace
    scene.inject(ack, *parts, destination=listed[0])
    return talk


@breaks("PM-006")
def short_nonce(scene):
    to_an_unconfirmed_address(scene, chunks.heartbeat(b"1234"))
    return 1


@breaks("PM-007")
def packet_to_an_unconfirmed_address(scene):
    talk = scene.near(1, once)
    to_an_unconfirmed_address(scene, chunks.sack(talk.initial_tsn(0) - 1))
    return 1


@breaks("PM-009")
def exact_heartbeats(scene):
    sequel = Sequel(scene)
    for _ in range(14):
        sequel.heartbeat(sequel.near, gap_ns=5 * S)
    return sequel.near


@breaks("PM-011")
def heartbeat_after_shutdown(scene):
    sequel = Sequel(scene)
    sequel.send(sequel.near, chunks.shutdown(sequel.tsn[sequel.far] - 1)).heartbeat(sequel.near, is_answered=False)
    return sequel.near


@breaks("PM-016")
def timeouts_on_the_same_path(scene):
    sequel, ways = two_ways(scene)
    near = sequel.near
    sequel.heartbeat(near, ways[1]).heartbeat(near, ways[0]).data(near, way=ways[0], size=100)
    for number in range(4):
        sequel.send(near, sequel.sent, gap_ns=(4 << number) * S, source=ways[0][0], destination=ways[0][1])
        sequel.heartbeat(near, ways[1], gap_ns=S)
    return near


@breaks("PM-017")
def fast_retransmission_elsewhere(scene):
    sequel, ways = two_ways(scene, lambda talk: not talk.has_timeouts(talk.near))
    near, far = sequel.near, sequel.far
    sequel.heartbeat(near, ways[1]).data(near, way=ways[0], size=100)
    lost = sequel.sent
    for _ in range(4):
        sequel.data(near, way=ways[0], size=100)
    for end in (2, 3, 4):
        sequel.sack(far, 5, gaps=((2, end),), gap_ns=None if end == 2 else MS)
    sequel.send(near, lost, source=ways[1][0], destination=ways[1][1]).data(near, way=ways[0], size=100)
    return near


@breaks("PM-019")
def back_and_forth(scene):
    sequel, ways = two_ways(scene)
    near, far = sequel.near, sequel.far
    for move in range(8):
        way = ways[move % 2]
        for _ in range(30):
            sequel.data(near, way=way, gap_ns=80 * MS)
            sequel.send(far, chunks.sack(sequel.tsn[near] - 1), source=way[1], destination=way[0])
    return near


@breaks("PM-022", causes=("HS-010", "HS-057", "PM-006", "PM-007"))
def init_ack_elsewhere(scene):
    talk = scene.talk(once)
    talk.init_ack.packet["destination"] = elsewhere(talk.init_ack.packet["destination"])
    return 1


@breaks("PM-022", causes=("HS-057", "PM-007"))
def cookie_ack_elsewhere(scene):
    talk = scene.talk(once)
    packet = talk.first(1, COOKIE_ACK).packet
    packet["destination"] = elsewhere(packet["destination"])
    return 1


@breaks("PM-023")
def data_lost_but_heartbeats_answered(scene):
    sequel = Sequel(scene, where=lambda talk: talk.is_single() and talk.is_clean(talk.near))
    near = sequel.near
    way = sequel.ways(near)[0]
    sequel.data(near, way=way, size=1000)
    for number in range(6):
        sequel.send(near, sequel.sent, gap_ns=(1 << number) * S, source=way[0], destination=way[1])
        if number in (2, 4):
            sequel.heartbeat(near, way)
    return sequel.far


@breaks("PM-025")
def listed_address_never_probed(scene):
    sequel, ways = two_ways(scene)
    place = (sequel.talk.init, sequel.talk.init_ack)[sequel.far]
    if sequel.talk.steps[1] > 1:
        raise NoPlace
    scene.add_param(place, chunks.tlv(5 if len(ways[0][1]) == 4 else 6, elsewhere(ways[0][1])))
    sequel.heartbeat(sequel.near, ways[0], gap_ns=70 * S).heartbeat(sequel.near, ways[1])
    return sequel.near


@breaks("PM-027")
def no_path_answers(scene):
    sequel, ways = two_ways(scene)
    sequel.heartbeat(sequel.near, ways[0]).heartbeat(sequel.near, ways[1])
    for number in range(20):
        sequel.heartbeat(sequel.near, ways[number % 2], is_answered=False, gap_ns=3 * S)
    return sequel.near


@breaks("PM-028", causes=("PM-016",))
def path_left_after_three_timeouts(scene):
    sequel, ways = two_ways(scene, lambda talk: not talk.has_timeouts(talk.near))
    near, far = sequel.near, sequel.far
    sequel.data(near, way=ways[0], size=100)
    for number in range(3):
        sequel.send(near, sequel.sent, gap_ns=(1 << number) * S, source=ways[number // 2][0], destination=ways[number // 2][1])
    for _ in range(6):
        sequel.data(near, way=ways[1], gap_ns=80 * MS)
        sequel.send(far, chunks.sack(sequel.tsn[near] - 1), source=ways[1][1], destination=ways[1][0])
    return near


@breaks("PM-015")
def several_paths_at_once(scene):
    sequel, ways = two_ways(scene)
    near, far = sequel.near, sequel.far
    for number in range(200):
        way = ways[number // 2 % 2]
        sequel.data(near, way=way)
        if number % 2:
            sequel.send(far, chunks.sack(sequel.tsn[near] - 1), source=way[1], destination=way[0])
    return near
