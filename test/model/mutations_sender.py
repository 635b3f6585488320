"""Senders of data: TSNs, streams, fragments, what is sent again and when."""

from generate import chunks
from mutations import breaks
from scene import NoPlace
from sequels import MS, S, Sequel
from talks import DATA, I_DATA, RE_CONFIG, is_later, pack, u16, u32

BOTH = chunks.BEGIN | chunks.END


def is_plain(talk):
    return not talk.is_partial() and not talk.has(I_DATA, RE_CONFIG)


def tsn_of(place):
    return u32(place.packet["sctp"], place.at + 4)


def flags_of(place):
    return place.packet["sctp"][place.at + 1]


def edit_all(scene, talk, end, tsn, at, value):
    """The same change in every transmission of a TSN."""
    for place in list(talk.places(end)):
        if tsn_of(place) == tsn:
            scene.edit(place.packet, place.at + at, value)


def some(scene, fits=lambda place: flags_of(place) & 7 == BOTH, where=is_plain):
    """(association, sender, DATA chunk) near the sender; the chunk behind it is acknowledged, too."""
    talk = scene.talk(lambda talk: talk.near is not None and where(talk))
    end = talk.near
    acked = talk.acked(1 - end)
    places = [place for place in talk.places(end) if is_later(acked, tsn_of(place)) and fits(place)]
    return talk, end, scene.pick(places)


@breaks("TX-002")
def other_ppid_sent_again(scene):
    talk = scene.talk(lambda talk: talk.near is not None)
    place = scene.pick(talk.places(talk.near, alone=True))
    again = scene.again(place.packet, 1000)
    scene.edit(again, place.at + 12, pack(u32(again["sctp"], place.at + 12) ^ 0x55))
    return talk.near


@breaks("TX-002")
def shorter_content_sent_again(scene):
    talk = scene.talk(lambda talk: talk.near is not None)
    place = scene.pick(place for place in talk.places(talk.near, alone=True) if place.length > 24)
    again = scene.again(place.packet, 1000)
    scene.replace(again, again["sctp"][:14] + (place.length - 4).to_bytes(2, "big") + again["sctp"][16:-4])
    return talk.near


def first_of_stream(talk, end):
    seen = {}
    for place in talk.places(end):
        if not flags_of(place) & chunks.UNORDERED:
            sid = u16(place.packet["sctp"], place.at + 8)
            if sid not in seen or is_later(tsn_of(seen[sid]), tsn_of(place)):
                seen[sid] = place
    return {tsn_of(place) for place in seen.values()}


@breaks("TX-003", causes=("TX-004",))
def first_ssn_is_one(scene):
    talk = scene.talk(lambda talk: talk.near is not None and is_plain(talk))
    end, acked = talk.near, talk.acked(1 - talk.near)
    firsts = first_of_stream(talk, end)
    place = scene.pick(place for place in talk.places(end)
                       if tsn_of(place) in firsts and flags_of(place) & 7 == BOTH and not is_later(tsn_of(place), acked))
    edit_all(scene, talk, end, tsn_of(place), 10, b"\0\1")
    return end


@breaks("TX-004", causes=("TX-003",))
def other_ssn(scene):
    talk, end, place = some(scene, lambda place: flags_of(place) & 7 == BOTH and u16(place.packet["sctp"], place.at + 10) > 0)
    ssn = u16(place.packet["sctp"], place.at + 10)
    edit_all(scene, talk, end, tsn_of(place), 10, (ssn + 5 & 0xFFFF).to_bytes(2, "big"))
    return end


def inner(place):
    return not flags_of(place) & (chunks.BEGIN | chunks.UNORDERED)


@breaks("TX-007", causes=("TX-004", "TX-009"))
def fragment_of_another_stream(scene):
    talk, end, place = some(scene, inner)
    sid = u16(place.packet["sctp"], place.at + 8)
    edit_all(scene, talk, end, tsn_of(place), 8, (sid ^ 1).to_bytes(2, "big"))
    return end


@breaks("TX-007", causes=("TX-004", "TX-009"))
def fragment_with_another_ssn(scene):
    talk, end, place = some(scene, inner)
    ssn = u16(place.packet["sctp"], place.at + 10)
    edit_all(scene, talk, end, tsn_of(place), 10, (ssn ^ 8).to_bytes(2, "big"))
    return end


@breaks("TX-008")
def fragment_with_another_ppid(scene):
    talk, end, place = some(scene, inner)
    edit_all(scene, talk, end, tsn_of(place), 12, pack(u32(place.packet["sctp"], place.at + 12) ^ 1))
    return end


@breaks("TX-009", causes=("TX-010",))
def message_between_fragments(scene):
    sequel = Sequel(scene, where=is_plain)
    end = sequel.near
    first = sequel.chunk(end, flags=chunks.BEGIN)
    between = sequel.chunk(end, flags=BOTH | chunks.UNORDERED)
    sequel.send(end, first, between, sequel.chunk(end, flags=chunks.END)).sack(sequel.far)
    return end


@breaks("TX-010", causes=("TX-004", "TX-009"))
def message_without_end(scene):
    talk, end, place = some(scene)
    scene.deny_partial(talk)
    edit_all(scene, talk, end, tsn_of(place), 1, bytes([flags_of(place) & ~chunks.END]))
    return end


@breaks("TX-010", causes=("TX-003", "TX-004", "TX-007"))
def message_without_beginning(scene):
    talk, end, place = some(scene)
    scene.deny_partial(talk)
    edit_all(scene, talk, end, tsn_of(place), 1, bytes([flags_of(place) & ~chunks.BEGIN]))
    return end


@breaks("TX-011", causes=("TX-003", "TX-004", "RX-024"))
def stream_beyond_the_agreed(scene):
    def has_room(talk):
        return is_plain(talk) and max(talk.value(0, 12, 2), talk.value(0, 14, 2), talk.value(1, 12, 2), talk.value(1, 14, 2)) < 65535
    talk = scene.talk(lambda talk: talk.near is not None and has_room(talk))
    end = talk.near
    place = scene.pick(place for place in talk.places(end) if flags_of(place) & 3 == BOTH)
    sid = max(talk.value(0, 12, 2), talk.value(0, 14, 2), talk.value(1, 12, 2), talk.value(1, 14, 2))
    edit_all(scene, talk, end, tsn_of(place), 8, sid.to_bytes(2, "big"))
    return end


@breaks("TX-012")
def window_overrun(scene):
    sequel = Sequel(scene, where=is_plain)
    scene.deny_partial(sequel.talk)
    end, far = sequel.near, sequel.far
    for _ in range(4):
        sequel.data(end, size=1000).sack(far, a_rwnd=4000).wait(100 * MS)
    for number in range(60):
        sequel.data(end, size=1000)
        if number % 5 == 4:
            sequel.sack(far, number // 2, a_rwnd=4000).wait(50 * MS)
    sequel.sack(far)
    return end


@breaks("TX-018")
def acknowledged_sent_again(scene):
    sequel = Sequel(scene)
    end, far = sequel.near, sequel.far
    sequel.data(end)
    sent, cum_tsn = sequel.sent, sequel.tsn[end] - 1
    sequel.send(far, chunks.sack(cum_tsn), sequel.chunk(far)).sack(end).wait(S).send(end, sent)
    return end


@breaks("TX-019")
def gap_acked_sent_again(scene):
    sequel = Sequel(scene)
    end, far = sequel.near, sequel.far
    sequel.data(end).data(end)
    again = sequel.sent
    sequel.data(end)
    for _ in range(4):
        sequel.wait(2 * sequel.talk.rtt_ns + 200 * MS).sack(far, 3, gaps=((2, 3),))
    sequel.send(end, again)
    return end


@breaks("TX-020", causes=("SD-003",))
def data_after_shutdown_ack(scene):
    sequel = Sequel(scene)
    end = sequel.near
    sequel.send(sequel.far, chunks.shutdown(sequel.tsn[end] - 1)).send(end, chunks.shutdown_ack())
    sequel.wait(S).data(end)
    return end


def messages(talk, end):
    """DATA chunks of which the sender sent ten messages or more."""
    places = list(talk.places(end))
    if len({tsn_of(place) for place in places if flags_of(place) & chunks.BEGIN}) < 12:
        raise NoPlace
    return places


@breaks("TX-021")
def ppid_of_another_service(scene):
    talk = scene.talk(lambda talk: talk.first(0, DATA) and not talk.is_partial())
    for place in messages(talk, 0):
        scene.edit(place.packet, place.at + 12, pack(18))
    client, server = talk.init.packet["sctp"][:2], talk.init.packet["sctp"][2:4]
    if client == server:
        raise NoPlace
    for packet in talk.packets:
        at = 2 if talk.sender(packet) == 0 else 0
        scene.edit(packet, at, (38412).to_bytes(2, "big"))
    return 0


@breaks("TX-022")
def ppid_reversed(scene):
    talk = scene.talk(lambda talk: talk.first(0, DATA))
    for place in messages(talk, 0):
        scene.edit(place.packet, place.at + 12, bytes((60, 0, 0, 0)))
    return 0


@breaks("TX-024")
def i_bit_on_all(scene):
    talk = scene.talk(lambda talk: talk.first(0, DATA))
    places = messages(talk, 0)
    if len({tsn_of(place) for place in places}) < 110:
        raise NoPlace
    for place in places:
        scene.edit(place.packet, place.at + 1, bytes([flags_of(place) | chunks.IMMEDIATE]))
    return 0


@breaks("TX-027", causes=("CC-003",))
def one_tsn_never_arrives(scene):
    sequel = Sequel(scene, where=lambda talk: talk.is_single())
    end, far = sequel.near, sequel.far
    sequel.data(end)
    lost = sequel.sent
    for number in range(1, 9):
        sequel.data(end).sack(far, number + 1, gaps=((2, 1 + number),)).send(end, lost, gap_ns=S)
    return end


def timeouts(scene, *gaps_ns):
    """Two TSNs without an answer, the lower one sent again after the gaps."""
    sequel = Sequel(scene, where=lambda talk: len(talk.pairs(talk.near)) == 1)
    end = sequel.near
    sequel.rounds(end, 3).data(end)
    lost = sequel.sent
    sequel.data(end)
    for gap_ns in gaps_ns:
        sequel.send(end, lost, gap_ns=gap_ns)
    return end


@breaks("TM-001", causes=("TM-009",))
def timeout_of_half_a_second(scene):
    return timeouts(scene, 400 * MS, 800 * MS, 1600 * MS, 3200 * MS)


@breaks("TM-002")
def init_again_too_soon(scene):
    talk = scene.talk(lambda talk: talk.steps[1] == 1)
    scene.end_after(talk.init.packet)
    scene.again(talk.init.packet, 400 * MS)
    return 0


@breaks("TM-004")
def second_timeout_not_doubled(scene):
    return timeouts(scene, 3 * S, 3 * S, 6 * S, 12 * S)


@breaks("TM-008")
def timeout_within_the_sack_delay(scene):
    sequel = Sequel(scene, where=lambda talk: len(talk.pairs(talk.near)) == 1)
    end, far = sequel.near, sequel.far
    sequel.rounds(end, 30)
    for _ in range(6):
        sequel.data(end).wait(sequel.talk.rtt_ns + 100 * MS).send(end, sequel.sent)
        sequel.sack(far, duplicates=(sequel.tsn[end] - 1,), gap_ns=30 * MS)
    return end


@breaks("TM-009")
def timer_goes_on_after_sack(scene):
    sequel = Sequel(scene, where=lambda talk: len(talk.pairs(talk.near)) == 1)
    end, far = sequel.near, sequel.far
    sequel.rounds(end, 3).data(end).wait(800 * MS).data(end)
    lost = sequel.sent
    sequel.data(end).sack(far, 2)
    for gap_ns in (180 * MS, 2 * S, 4 * S):
        sequel.send(end, lost, gap_ns=gap_ns)
    return end


@breaks("TM-012")
def thirty_timeouts(scene):
    return timeouts(scene, *[S * min(1 << number, 60) for number in range(30)])


@breaks("TM-019")
def timeouts_do_not_grow(scene):
    return timeouts(scene, *[S] * 10)


@breaks("TM-013")
def given_up_after_five_timeouts(scene):
    end = timeouts(scene, *[S << number for number in range(4)])
    last = scene.packets[-1]
    scene.inject(last, chunks.abort(), after_ns=16 * S)
    return end
