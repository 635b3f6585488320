"""Set-up broken: what INIT and INIT ACK say, cookies, what is sent too early."""

from generate import chunks
from mutations import breaks
from scene import NoPlace
from sequels import MS, S, Sequel
from talks import COOKIE_ACK, COOKIE_ECHO, INIT, INIT_ACK, chunks_of, pack, params_of

UNKNOWN = 0xBF00
COOKIE = 7


def once(talk):
    """Each step of the set-up was sent once."""
    return all(talk.steps[kind] == 1 for kind in (INIT, INIT_ACK, COOKIE_ECHO, COOKIE_ACK))


def is_straight(talk):
    """The INIT ACK came from where the INIT went."""
    return once(talk) and talk.init.packet["destination"] == talk.init_ack.packet["source"]


def said(scene, end, at, value, where=once):
    """Another value in the INIT (end 0) or INIT ACK."""
    talk = scene.talk(where)
    place = (talk.init, talk.init_ack)[end]
    scene.edit(place.packet, place.at + at, value)
    return talk, place


@breaks("HS-001")
def init_with_tag(scene):
    talk = scene.talk(once)
    scene.edit(talk.init.packet, 4, pack(77))
    return 0


@breaks("HS-002")
def init_with_initiate_tag_0(scene):
    talk, place = said(scene, 0, 4, bytes(4))
    scene.end_after(place.packet)
    return 0


@breaks("HS-003")
def init_ack_with_initiate_tag_0(scene):
    talk, place = said(scene, 1, 4, bytes(4))
    scene.end_after(place.packet)
    return 1


@breaks("HS-004", causes=("TX-012",))
def small_window_in_init(scene):
    said(scene, 0, 8, pack(1499))
    return 0


@breaks("HS-004", causes=("TX-012",))
def small_window_in_init_ack(scene):
    said(scene, 1, 8, pack(1499))
    return 1


@breaks("HS-005", causes=("HS-028", "TX-011", "RX-024"))
def no_outbound_streams_in_init(scene):
    said(scene, 0, 12, bytes(2))
    return 0


@breaks("HS-005", causes=("HS-030", "TX-011", "RX-024"))
def no_outbound_streams_in_init_ack(scene):
    said(scene, 1, 12, bytes(2))
    return 1


@breaks("HS-006", causes=("HS-007", "HS-028", "TX-011", "RX-024"))
def no_inbound_streams_in_init(scene):
    said(scene, 0, 14, bytes(2))
    return 0


@breaks("HS-006", causes=("HS-030", "TX-011", "RX-024"))
def no_inbound_streams_in_init_ack(scene):
    said(scene, 1, 14, bytes(2))
    return 1


@breaks("HS-007")
def init_ack_with_too_many_streams(scene):
    talk = scene.talk(lambda talk: once(talk) and talk.value(0, 14, 2) < 65535)
    scene.edit(talk.init_ack.packet, talk.init_ack.at + 12, (talk.value(0, 14, 2) + 1).to_bytes(2, "big"))
    return 1


@breaks("HS-007", causes=("TX-011", "RX-024"))
def init_that_accepts_fewer_streams(scene):
    talk = scene.talk(lambda talk: once(talk) and talk.value(1, 12, 2) > 1)
    scene.edit(talk.init.packet, talk.init.at + 14, (talk.value(1, 12, 2) - 1).to_bytes(2, "big"))
    return 1


def cookie_of(talk):
    """(offset of the parameter in the packet of the INIT ACK, length)."""
    for kind, at, length in params_of(talk.init_ack):
        if kind == COOKIE:
            return at, length
    raise NoPlace


@breaks("HS-008", causes=("HS-012", "HS-048"))
def init_ack_without_cookie(scene):
    talk = scene.talk(once)
    scene.edit(talk.init_ack.packet, cookie_of(talk)[0], UNKNOWN.to_bytes(2, "big"))
    return 1


def elsewhere(address):
    return address[:-1] + bytes([address[-1] ^ 0x40])


@breaks("HS-010", causes=("PM-022", "HS-057", "PM-006", "PM-007"))
def init_ack_to_another_address(scene):
    talk = scene.talk(once)
    packet = talk.init_ack.packet
    packet["destination"] = elsewhere(packet["destination"])
    return 1


@breaks("HS-012", causes=("HS-048",))
def other_cookie_echoed(scene):
    talk = scene.talk(once)
    place = talk.first(0, COOKIE_ECHO)
    scene.edit(place.packet, place.at + place.length - 5, b"MUTED"[:5])
    return 0


@breaks("HS-013")
def cookie_with_the_tag_of_another(scene):
    talk = scene.talk(once)
    first, echo = talk.init_ack, talk.first(0, COOKIE_ECHO)
    scene.again(talk.init.packet)
    second = scene.again(first.packet)
    tag = talk.tags[1] ^ 0x5A5A5A5A
    scene.edit(second, first.at + 4, pack(tag))
    scene.edit(second, cookie_of(talk)[0] + 8, b"OTHER")
    scene.edit(echo.packet, 4, pack(tag))
    scene.end_after(echo.packet)
    return 0


@breaks("HS-015")
def heartbeat_before_cookie_ack(scene):
    talk = scene.near(0, lambda talk: once(talk) and chunks.HEARTBEAT not in talk.demands(1))
    scene.inject(talk.first(0, COOKIE_ECHO).packet, chunks.heartbeat(), after_ns=MS)
    return 0


def first_data(talk, end):
    place = talk.first(end, 0)
    if place is None or COOKIE_ECHO in [kind for kind, _, _ in chunks_of(place.packet["sctp"])] or 0 in talk.demands(1 - end):
        raise NoPlace
    return place, place.packet["sctp"][place.at:place.at + (place.length + 3) // 4 * 4]


@breaks("HS-017")
def data_before_cookie_echo(scene):
    talk = scene.talk(once)
    _, chunk = first_data(talk, 0)
    scene.inject(talk.first(0, COOKIE_ECHO).packet, chunk, ahead=True)
    return 0


@breaks("HS-018")
def sack_before_cookie_ack(scene):
    talk = scene.near(1, lambda talk: once(talk) and 3 not in talk.demands(0))
    scene.inject(talk.first(1, COOKIE_ACK).packet, chunks.sack(talk.initial_tsn(0) - 1), ahead=True)
    return 1


@breaks("HS-019")
def tsn_before_the_initial_one(scene):
    talk = scene.talk(once)
    end = scene.pick(end for end in (0, 1) if talk.first(end, 0))
    place, chunk = first_data(talk, end)
    scene.inject(place.packet, chunk[:4] + pack(talk.initial_tsn(end) - 1) + chunk[8:], ahead=True)
    return end


@breaks("HS-020")
def first_data_acknowledged_late(scene):
    sequel = Sequel(scene, is_young=True)
    sequel.data(sequel.far).wait(250 * MS).sack(sequel.near)
    sequel.data(sequel.far).sack(sequel.near)
    return sequel.near


@breaks("HS-023")
def init_sent_ten_times(scene):
    talk = scene.talk(once)
    scene.end_after(talk.init.packet)
    for number in range(1, 11):
        scene.again(talk.init.packet, number * 3 * S)
    return 0


@breaks("HS-024")
def cookie_echoed_ten_times(scene):
    talk = scene.talk(once)
    packet = talk.first(0, COOKIE_ECHO).packet
    scene.end_after(packet)
    for number in range(1, 11):
        scene.again(packet, number * 3 * S)
    return 0


@breaks("HS-028", causes=("HS-005", "TX-011", "RX-024"))
def init_without_streams_accepted(scene):
    said(scene, 0, 12, bytes(2))
    return 1


@breaks("HS-029", causes=("HS-002",))
def init_with_tag_0_accepted(scene):
    talk, place = said(scene, 0, 4, bytes(4), is_straight)
    scene.edit(talk.init_ack.packet, 4, bytes(4))
    scene.end_after(talk.init_ack.packet)
    return 1


@breaks("HS-030", causes=("HS-005", "TX-011", "RX-024"))
def init_ack_without_streams_accepted(scene):
    said(scene, 1, 12, bytes(2))
    return 0


@breaks("HS-031", causes=("FMT-034",))
def host_name_accepted(scene):
    talk = scene.talk(once)
    scene.add_param(talk.init, chunks.tlv(chunks.HOST_NAME, b"host.example"))
    return 1


@breaks("HS-033")
def init_refused_with_tag_0(scene):
    talk = scene.talk(is_straight)
    packet = talk.init_ack.packet
    scene.replace(packet, packet["sctp"][:4] + bytes(8) + chunks.abort())
    scene.end_after(packet)
    return 1


@breaks("HS-037")
def other_tag_in_collision(scene):
    talk = scene.near(0, lambda talk: once(talk) and talk.is_single() and all(talk.first(end, 0) for end in (0, 1)))
    own, theirs = talk.init, talk.init_ack
    body = theirs.packet["sctp"][theirs.at + 4:theirs.at + 20]
    scene.inject(theirs.packet, chunks.chunk(INIT, 0, body), vtag=0, after_ns=-2 * MS)
    answer = chunks.init_ack(talk.tags[0] ^ 0x1234567, talk.initial_tsn(0))
    scene.inject(own.packet, answer, vtag=talk.tags[1], after_ns=theirs.packet["time_ns"] - own.packet["time_ns"] - 2 * MS + 100_000)
    return 0


def restart(sequel, tags, tsns=(7, 9)):
    """A set-up anew between the same endpoints, up to COOKIE ACK; tags of both."""
    talk = sequel.talk
    sequel.like = [talk.init.packet, talk.init_ack.packet]
    sequel.send(0, chunks.init(tags[0], tsns[0]), vtag=0).send(1, chunks.init_ack(tags[1], tsns[1], cookie=b"cookie%d" % tags[0]), vtag=tags[0])
    sequel.send(0, chunks.cookie_echo(b"cookie%d" % tags[0]), vtag=tags[1])
    return sequel.send(1, chunks.cookie_ack(), vtag=tags[0])


@breaks("HS-038")
def restart_with_the_living_tag(scene):
    sequel = Sequel(scene, near=1)
    talk = sequel.talk
    sequel.like = [talk.init.packet, talk.init_ack.packet]
    tag = talk.tags[0] ^ 0x3333333
    sequel.send(0, chunks.init(tag, 7), vtag=0).send(1, chunks.init_ack(talk.tags[1], 9), vtag=tag)
    return 1


@breaks("HS-043")
def tag_used_again(scene):
    sequel = Sequel(scene)
    talk = sequel.talk
    sequel.send(0, chunks.shutdown(sequel.tsn[1] - 1)).send(1, chunks.shutdown_ack()).send(0, chunks.shutdown_complete()).wait(S)
    restart(sequel, (talk.tags[0] ^ 0x3333333, talk.tags[1]))
    return 1


def one_after_another(scene, tags, tsns):
    """Associations of the same two endpoints, each shut down before the next; tags and Initial TSNs of end 0."""
    sequel = Sequel(scene)
    for tag, tsn in zip(tags, tsns):
        peer, peer_tsn = scene.rng.randrange(1, 1 << 32), scene.rng.randrange(1 << 32)
        sequel.send(0, chunks.shutdown(sequel.tsn[1] - 1)).send(1, chunks.shutdown_ack()).send(0, chunks.shutdown_complete()).wait(S)
        restart(sequel, (tag, peer), (tsn, peer_tsn))
        sequel.talk.tags, sequel.tsn = [tag, peer], [tsn, peer_tsn]
    return 0


@breaks("HS-044")
def tags_that_count(scene):
    first, step = scene.rng.randrange(1 << 31), scene.rng.randrange(1, 1 << 27)
    return one_after_another(scene, range(first, first + 8 * step, step), [scene.rng.randrange(1 << 32) for _ in range(8)])


@breaks("HS-045")
def tsns_that_count(scene):
    first, step = scene.rng.randrange(1 << 31), scene.rng.randrange(1, 1 << 27)
    return one_after_another(scene, [scene.rng.randrange(1, 1 << 32) for _ in range(8)], range(first, first + 8 * step, step))


@breaks("HS-046")
def large_init_ack(scene):
    talk = scene.talk(once)
    scene.add_param(talk.init_ack, chunks.tlv(UNKNOWN, bytes(1300)))
    return 1


@breaks("HS-048", causes=("HS-012",))
def unknown_cookie_accepted(scene):
    talk = scene.near(1, once)
    place = talk.first(0, COOKIE_ECHO)
    scene.edit(place.packet, place.at + place.length - 5, b"MUTED")
    return 1


@breaks("HS-052")
def second_cookie_echoed(scene):
    talk = scene.near(0, once)
    first, echo = talk.init_ack, talk.first(0, COOKIE_ECHO)
    scene.again(talk.init.packet, 100_000)
    second = scene.again(first.packet, echo.packet["time_ns"] - first.packet["time_ns"] + MS)
    at, length = cookie_of(talk)
    scene.edit(second, at + length - 5, b"OTHER")
    scene.inject(echo.packet, chunks.cookie_echo(second["sctp"][at + 4:at + length]), after_ns=MS + 200_000)
    return 0


@breaks("HS-057", causes=("PM-022", "PM-007"))
def cookie_ack_to_an_unconfirmed_address(scene):
    talk = scene.talk(lambda talk: once(talk) and len(chunks_of(talk.first(1, COOKIE_ACK).packet["sctp"])) == 1)
    packet = talk.first(1, COOKIE_ACK).packet
    packet["destination"] = elsewhere(packet["destination"])
    return 1


@breaks("FMT-018")
def bundled_init(scene):
    talk = scene.talk(once)
    scene.add_chunk(talk.init.packet, chunks.heartbeat())
    return 0


@breaks("FMT-018")
def bundled_shutdown_complete(scene):
    talk = scene.talk(lambda talk: talk.first(None, 14))
    place = talk.first(None, 14)
    scene.add_chunk(place.packet, chunks.error(chunks.tlv(7)))
    return talk.sender(place.packet)


@breaks("PD-001")
def pad_in_init_ack(scene):
    talk = scene.talk(once)
    scene.add_param(talk.init_ack, chunks.tlv(chunks.PADDING, bytes(20)))
    return 1


@breaks("PD-002")
def pad_inside_the_cookie(scene):
    talk = scene.talk(once)
    pad = chunks.tlv(chunks.PADDING, bytes(range(1, 21)))
    at, length = cookie_of(talk)
    if length < 40:
        raise NoPlace
    scene.add_param(talk.init, pad)
    scene.edit(talk.init_ack.packet, at + 8, pad)
    echo = talk.first(0, COOKIE_ECHO)
    scene.edit(echo.packet, echo.at + 8, pad)
    return 1


@breaks("PD-003")
def pad_reported(scene):
    sequel = Sequel(scene)
    sequel.send(sequel.near, chunks.chunk(chunks.PAD, 0, bytes(8)))
    sequel.send(sequel.far, chunks.error(chunks.tlv(6, chunks.chunk(chunks.PAD, 0, bytes(8)))))
    return sequel.far


@breaks("PD-004")
def pad_with_flags(scene):
    sequel = Sequel(scene)
    sequel.send(sequel.near, chunks.chunk(chunks.PAD, 1, bytes(8)))
    return sequel.near
