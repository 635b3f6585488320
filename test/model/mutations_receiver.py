"""Receivers of data: what their SACKs say and when they come, and their windows. The near end receives what the far one sends."""

from generate import chunks
from mutations import breaks
from scene import NoPlace
from sequels import MS, S, Sequel
from talks import SACK, pack


def receiving(scene, rounds=3, wait_ns=0, **options):
    """Endpoints of one address each; the far end has sent data that the near one acknowledged, each packet after wait_ns."""
    options.setdefault("where", lambda talk: talk.is_single())
    sequel = Sequel(scene, **options)
    return sequel.rounds(sequel.far, rounds, wait_ns)


def blocks(scene, *gaps):
    sequel = receiving(scene)
    sequel.skip(sequel.far)
    for _ in range(6):
        sequel.data(sequel.far)
    sequel.sack(sequel.near, 7, gaps=gaps)
    return sequel.near


@breaks("RX-001")
def cum_tsn_goes_back(scene):
    sequel = receiving(scene)
    sequel.sack(sequel.near, 2)
    return sequel.near


@breaks("RX-004")
def block_begins_at_the_cum_tsn(scene):
    return blocks(scene, (1, 3))


@breaks("RX-004")
def block_ends_before_it_begins(scene):
    return blocks(scene, (4, 3))


@breaks("RX-005")
def blocks_touch(scene):
    return blocks(scene, (2, 3), (4, 5))


@breaks("RX-006")
def blocks_descend(scene):
    return blocks(scene, (5, 6), (2, 3))


@breaks("RX-007")
def tsn_left_out_of_blocks(scene):
    sequel = receiving(scene)
    near, far = sequel.near, sequel.far
    for _ in range(2):
        hole = sequel.skip(far)
        sequel.data(far).data(far).wait(150 * MS).data(far).sack(near, 4, gaps=((2, 2), (4, 4)))
        sequel.send(far, hole).sack(near)
    return near


@breaks("RX-009")
def block_vanishes(scene):
    sequel = receiving(scene)
    near, far = sequel.near, sequel.far
    sequel.skip(far)
    sequel.data(far).sack(near, 2, gaps=((2, 2),), a_rwnd=100_000)
    sequel.data(far).sack(near, 3, gaps=((2, 3),), a_rwnd=100_000).data(far).sack(near, 4, a_rwnd=100_000)
    return near


@breaks("RX-010", causes=("RX-011", "HS-020", "RX-033"))
def sacks_after_700_ms(scene):
    return receiving(scene, 3, 700 * MS).near


@breaks("RX-011", causes=("HS-020", "RX-033"))
def sacks_after_300_ms(scene):
    return receiving(scene, 8, 300 * MS).near


@breaks("RX-012", causes=("HS-020", "RX-033"))
def one_sack_for_four_packets(scene):
    sequel = receiving(scene, is_young=True)
    for _ in range(25):
        for _ in range(4):
            sequel.data(sequel.far, gap_ns=10 * MS)
        sequel.sack(sequel.near)
    return sequel.near


@breaks("RX-013")
def two_sacks_for_one_packet(scene):
    sequel = receiving(scene)
    for _ in range(2):
        sequel.data(sequel.far)
        sack = chunks.sack(sequel.tsn[sequel.far] - 1, a_rwnd=50_000)
        sequel.send(sequel.near, sack, sack)
    return sequel.near


def duplicated(scene, is_answered):
    sequel = receiving(scene, 10, is_young=True)
    for _ in range(6):
        sequel.send(sequel.far, sequel.sent)
        if is_answered:
            sequel.sack(sequel.near)
        sequel.wait(50 * MS).data(sequel.far).sack(sequel.near)
    return sequel.near


@breaks("RX-014", causes=("RX-015",))
def duplicates_passed_over(scene):
    return duplicated(scene, False)


@breaks("RX-014", causes=("HS-020", "RX-015", "RX-033"))
def duplicates_answered_by_the_timer(scene):
    sequel = receiving(scene, 3, 190 * MS)
    for _ in range(2):
        sequel.send(sequel.far, sequel.sent).wait(190 * MS).sack(sequel.near)
    return sequel.near


@breaks("RX-015")
def duplicates_not_reported(scene):
    return duplicated(scene, True)


@breaks("RX-016")
def duplicates_of_what_was_sent_once(scene):
    sequel = receiving(scene)
    for _ in range(2):
        sequel.data(sequel.far).sack(sequel.near, duplicates=(sequel.tsn[sequel.far] - 1,))
    return sequel.near


@breaks("RX-018")
def gap_told_after_200_ms(scene):
    sequel = receiving(scene)
    near, far = sequel.near, sequel.far
    for _ in range(3):
        hole = sequel.skip(far)
        sequel.data(far).wait(200 * MS).sack(near, 2, gaps=((2, 2),)).send(far, hole).sack(near)
    return near


@breaks("RX-019")
def hole_answered_by_pairs(scene):
    sequel = receiving(scene, is_young=True)
    near, far = sequel.near, sequel.far
    sequel.skip(far)
    sequel.data(far).sack(near, 2, gaps=((2, 2),))
    for number in range(12):
        sequel.wait(20 * MS).data(far)
        if number % 2:
            sequel.sack(near, number + 3, gaps=((2, number + 3),))
    return near


@breaks("RX-020")
def i_bit_after_200_ms(scene):
    sequel = receiving(scene)
    for _ in range(3):
        sequel.data(sequel.far, flags=chunks.BEGIN | chunks.END | chunks.IMMEDIATE).wait(200 * MS).sack(sequel.near)
    return sequel.near


@breaks("RX-022")
def sacks_to_the_other_address(scene):
    sequel = Sequel(scene, where=lambda talk: len({pair[0] for pair in talk.pairs(1 - talk.near)}) > 1)
    near, far = sequel.near, sequel.far
    other = scene.pick(sorted({pair[0] for pair in sequel.talk.pairs(far)} - {sequel.like[far]["source"]}))
    if len(other) != len(sequel.like[near]["source"]):
        raise NoPlace
    for _ in range(5):
        sequel.data(far)
        sequel.send(near, chunks.sack(sequel.tsn[far] - 1), destination=other)
    return near


@breaks("RX-024", causes=("TX-011", "TX-003", "TX-004"))
def invalid_stream_taken(scene):
    def has_room(talk):
        return talk.is_single() and max(talk.value(end, at, 2) for end in (0, 1) for at in (12, 14)) < 60000
    sequel = Sequel(scene, where=has_room)
    near, far = sequel.near, sequel.far
    for _ in range(3):
        sequel.data(far, sid=60000).sack(near).wait(1500 * MS).data(far).sack(near)
    return near


@breaks("RX-025", causes=("FMT-013",))
def empty_data_taken(scene):
    sequel = receiving(scene)
    sequel.data(sequel.far, size=0).sack(sequel.near).data(sequel.far).sack(sequel.near)
    return sequel.near


@breaks("RX-026", causes=("HS-020", "RX-033"))
def probe_answered_by_the_timer(scene):
    sequel = receiving(scene, 4, 190 * MS)
    near, far = sequel.near, sequel.far
    sequel.data(far).sack(near, a_rwnd=0).data(far).wait(190 * MS).sack(near, 1, a_rwnd=0)
    return near


@breaks("RX-029")
def tsn_left_out_above_the_cum_tsn(scene):
    sequel = receiving(scene)
    near, far = sequel.near, sequel.far
    for _ in range(2):
        sequel.data(far).wait(150 * MS).data(far).sack(near, 2, gaps=((2, 2),)).sack(near)
    return near


@breaks("RX-033", causes=("HS-020",))
def first_data_waits_for_the_timer(scene):
    return receiving(scene, 5, 190 * MS, is_young=True).near


@breaks("RX-033", causes=("HS-020",))
def first_data_waits_for_the_second(scene):
    sequel = Sequel(scene, where=lambda talk: talk.is_single(), is_young=True)
    for _ in range(4):
        sequel.data(sequel.far).wait(10 * MS).data(sequel.far).sack(sequel.near)
    return sequel.near


def filled(scene):
    """The far end has sent three chunks that are held."""
    sequel = receiving(scene)
    for _ in range(3):
        sequel.data(sequel.far, size=1000).sack(sequel.near, a_rwnd=9000)
    return sequel


@breaks("FL-005")
def window_trickles(scene):
    sequel = filled(scene)
    for _ in range(7):
        sequel.data(sequel.far, size=1000).sack(sequel.near, a_rwnd=0)
        sequel.wait(100 * MS).sack(sequel.near, a_rwnd=100)
    return sequel.near


@breaks("FL-007")
def only_the_probe_shows_the_open_window(scene):
    sequel = filled(scene)
    near, far = sequel.near, sequel.far
    for _ in range(3):
        sequel.data(far, size=1000).sack(near, a_rwnd=0).wait(S).data(far, size=1000).sack(near, a_rwnd=20_000_000)
    return near


def probed(scene, times):
    sequel = filled(scene)
    near, far = sequel.near, sequel.far
    sequel.data(far, size=1000).sack(near, a_rwnd=0)
    probe = sequel.chunk(far, size=1000)
    for _ in range(times):
        sequel.wait(10 * S).send(far, probe).sack(near, 1, a_rwnd=0)
    return sequel


@breaks("FL-011")
def nobody_probes_for_two_minutes(scene):
    sequel = filled(scene)
    near, far = sequel.near, sequel.far
    sequel.data(far, size=1000, flags=chunks.BEGIN).sack(near, a_rwnd=0)
    for _ in range(4):
        sequel.wait(40 * S).send(far, chunks.heartbeat()).send(near, chunks.heartbeat_ack())
    return far


@breaks("FL-012")
def burst_of_updates(scene):
    sequel = filled(scene)
    sequel.data(sequel.far, size=1000)
    for number in range(10):
        sequel.sack(sequel.near, a_rwnd=number * 2000)
    return sequel.near


@breaks("FL-014")
def gives_up_while_probes_are_answered(scene):
    sequel = probed(scene, 6)
    sequel.send(sequel.far, chunks.abort())
    return sequel.far


@breaks("FL-015")
def drops_inside_its_window(scene):
    sequel = filled(scene)
    near, far = sequel.near, sequel.far
    sequel.data(far, size=1000).sack(near, a_rwnd=5000)
    probe = sequel.chunk(far, size=1000)
    for _ in range(4):
        sequel.wait(S).send(far, probe).sack(near, 1, a_rwnd=5000)
    return near


@breaks("FL-016")
def closed_for_a_minute(scene):
    return probed(scene, 6).near


@breaks("RX-004", causes=("RX-009",))
def block_of_a_real_sack_at_the_cum_tsn(scene):
    talk = scene.talk()
    place = scene.pick(place for place in talk.places(None, SACK) if place.length >= 20 and place.packet["sctp"][place.at + 13])
    scene.edit(place.packet, place.at + 16, pack(0x10001)[:2])
    return talk.sender(place.packet)
