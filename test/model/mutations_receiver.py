# SPDX-License-Identifier: GPL-2.0-or-later
"""Receivers of data: what their SACKs say and when they come, and their windows. The near end receives what the far one sends."""

from generate import chunks
from mutations import breaks
from packet_editor import NoPlace
from continuation import MS, S, Continuation
from captured_associations import ASCONF, SACK, pack, u32


def receiving(editor, rounds=3, wait_ns=0, **options):
    """Endpoints of one address each; the far end has sent data that the near one acknowledged, each packet after wait_ns."""
    options.setdefault("where", lambda association: association.is_single())
    continuation = Continuation(editor, **options)
    return continuation.rounds(continuation.far, rounds, wait_ns)


def blocks(editor, *gaps):
    continuation = receiving(editor)
    continuation.skip(continuation.far)
    for _ in range(6):
        continuation.data(continuation.far)
    continuation.sack(continuation.near, 7, gaps=gaps)
    return continuation.near


@breaks("RX-001")
def cum_tsn_goes_back(editor):
    continuation = receiving(editor)
    continuation.sack(continuation.near, 2)
    return continuation.near


@breaks("RX-004")
def block_begins_at_the_cum_tsn(editor):
    return blocks(editor, (1, 3))


@breaks("RX-004")
def block_ends_before_it_begins(editor):
    return blocks(editor, (4, 3))


@breaks("RX-005")
def blocks_touch(editor):
    return blocks(editor, (2, 3), (4, 5))


@breaks("RX-006")
def blocks_descend(editor):
    return blocks(editor, (5, 6), (2, 3))


@breaks("RX-007")
def tsn_left_out_of_blocks(editor):
    continuation = receiving(editor)
    near, far = continuation.near, continuation.far
    for _ in range(2):
        hole = continuation.skip(far)
        continuation.data(far).data(far).wait(150 * MS).data(far).sack(near, 4, gaps=((2, 2), (4, 4)))
        continuation.send(far, hole).sack(near)
    return near


@breaks("RX-009")
def block_vanishes(editor):
    continuation = receiving(editor)
    near, far = continuation.near, continuation.far
    continuation.skip(far)
    continuation.data(far).sack(near, 2, gaps=((2, 2),), a_rwnd=100_000)
    continuation.data(far).sack(near, 3, gaps=((2, 3),), a_rwnd=100_000).data(far).sack(near, 4, a_rwnd=100_000)
    return near


@breaks("RX-010", causes=("RX-011", "HS-020", "RX-033"))
def sacks_after_700_ms(editor):
    return receiving(editor, 3, 700 * MS).near


@breaks("RX-011", causes=("HS-020", "RX-033"))
def sacks_after_300_ms(editor):
    return receiving(editor, 8, 300 * MS).near


@breaks("RX-012", causes=("HS-020", "RX-033"))
def one_sack_for_four_packets(editor):
    continuation = receiving(editor, is_young=True)
    for _ in range(25):
        for _ in range(4):
            continuation.data(continuation.far, gap_ns=10 * MS)
        continuation.sack(continuation.near)
    return continuation.near


@breaks("RX-013")
def two_sacks_for_one_packet(editor):
    continuation = receiving(editor)
    for _ in range(2):
        continuation.data(continuation.far)
        sack = chunks.sack(continuation.tsn[continuation.far] - 1, a_rwnd=50_000)
        continuation.send(continuation.near, sack, sack)
    return continuation.near


def duplicated(editor, is_answered):
    continuation = receiving(editor, 10, is_young=True)
    for _ in range(6):
        continuation.send(continuation.far, continuation.sent)
        if is_answered:
            continuation.sack(continuation.near)
        continuation.wait(50 * MS).data(continuation.far).sack(continuation.near)
    return continuation.near


@breaks("RX-014", causes=("RX-015",))
def duplicates_passed_over(editor):
    return duplicated(editor, False)


@breaks("RX-014", causes=("HS-020", "RX-015", "RX-033"))
def duplicates_answered_by_the_timer(editor):
    continuation = receiving(editor, 3, 190 * MS)
    for _ in range(2):
        continuation.send(continuation.far, continuation.sent).wait(190 * MS).sack(continuation.near)
    return continuation.near


@breaks("RX-015")
def duplicates_not_reported(editor):
    return duplicated(editor, True)


@breaks("RX-016")
def duplicates_of_what_was_sent_once(editor):
    continuation = receiving(editor)
    for _ in range(2):
        continuation.data(continuation.far).sack(continuation.near, duplicates=(continuation.tsn[continuation.far] - 1,))
    return continuation.near


@breaks("RX-018")
def gap_told_after_200_ms(editor):
    continuation = receiving(editor)
    near, far = continuation.near, continuation.far
    for _ in range(3):
        hole = continuation.skip(far)
        continuation.data(far).wait(200 * MS).sack(near, 2, gaps=((2, 2),)).send(far, hole).sack(near)
    return near


@breaks("RX-019")
def hole_answered_by_pairs(editor):
    continuation = receiving(editor, is_young=True)
    near, far = continuation.near, continuation.far
    continuation.skip(far)
    continuation.data(far).sack(near, 2, gaps=((2, 2),))
    for number in range(12):
        continuation.wait(20 * MS).data(far)
        if number % 2:
            continuation.sack(near, number + 3, gaps=((2, number + 3),))
    return near


@breaks("RX-020")
def i_bit_after_200_ms(editor):
    continuation = receiving(editor)
    for _ in range(3):
        continuation.data(continuation.far, flags=chunks.BEGIN | chunks.END | chunks.IMMEDIATE).wait(200 * MS).sack(continuation.near)
    return continuation.near


@breaks("RX-022")
def sacks_to_the_other_address(editor):
    continuation = Continuation(editor, where=lambda association: len({pair[0] for pair in association.pairs(1 - association.near)}) > 1)
    near, far = continuation.near, continuation.far
    other = editor.pick(sorted({pair[0] for pair in continuation.association.pairs(far)} - {continuation.like[far]["source"]}))
    if len(other) != len(continuation.like[near]["source"]):
        raise NoPlace
    for _ in range(5):
        continuation.data(far)
        continuation.send(near, chunks.sack(continuation.tsn[far] - 1), destination=other)
    return near


@breaks("RX-023")
def sacks_by_turns(editor):
    def is_undisturbed(association):
        tsns = [u32(place.packet["sctp"], place.at + 4) for place in association.places(association.near)]
        return len({pair[0] for pair in association.pairs(1 - association.near)}) > 1 and not association.has(ASCONF) and len(tsns) == len(set(tsns))
    continuation = Continuation(editor, where=is_undisturbed)
    near, far = continuation.near, continuation.far
    ways = {way[1]: way for way in continuation.ways(near)}
    if len(ways) < 2:
        raise NoPlace
    for way in ways.values():
        continuation.heartbeat(near, way)
    for number in range(8):
        source, destination = list(ways.values())[number % 2]
        continuation.data(far).send(near, chunks.sack(continuation.tsn[far] - 1), source=source, destination=destination)
    return near


@breaks("RX-024", causes=("TX-011", "TX-003", "TX-004"))
def invalid_stream_taken(editor):
    def has_room(association):
        return association.is_single() and max(association.value(end, at, 2) for end in (0, 1) for at in (12, 14)) < 60000
    continuation = Continuation(editor, where=has_room)
    near, far = continuation.near, continuation.far
    for _ in range(3):
        continuation.data(far, sid=60000).sack(near).wait(1500 * MS).data(far).sack(near)
    return near


@breaks("RX-025", causes=("FMT-013",))
def empty_data_taken(editor):
    continuation = receiving(editor)
    continuation.data(continuation.far, size=0).sack(continuation.near).data(continuation.far).sack(continuation.near)
    return continuation.near


@breaks("RX-026", causes=("HS-020", "RX-033"))
def probe_answered_by_the_timer(editor):
    continuation = receiving(editor, 4, 190 * MS)
    near, far = continuation.near, continuation.far
    continuation.data(far).sack(near, a_rwnd=0).data(far).wait(190 * MS).sack(near, 1, a_rwnd=0)
    return near


@breaks("RX-029")
def tsn_left_out_above_the_cum_tsn(editor):
    continuation = receiving(editor)
    near, far = continuation.near, continuation.far
    for _ in range(2):
        continuation.data(far).wait(150 * MS).data(far).sack(near, 2, gaps=((2, 2),)).sack(near)
    return near


@breaks("RX-033", causes=("HS-020",))
def first_data_waits_for_the_timer(editor):
    return receiving(editor, 5, 190 * MS, is_young=True).near


@breaks("RX-033", causes=("HS-020",))
def first_data_waits_for_the_second(editor):
    continuation = Continuation(editor, where=lambda association: association.is_single(), is_young=True)
    for _ in range(4):
        continuation.data(continuation.far).wait(10 * MS).data(continuation.far).sack(continuation.near)
    return continuation.near


def filled(editor):
    """The far end has sent three chunks that are held."""
    continuation = receiving(editor)
    for _ in range(3):
        continuation.data(continuation.far, size=1000).sack(continuation.near, a_rwnd=9000)
    return continuation


@breaks("FL-005")
def window_trickles(editor):
    continuation = filled(editor)
    for _ in range(7):
        continuation.data(continuation.far, size=1000).sack(continuation.near, a_rwnd=0)
        continuation.wait(100 * MS).sack(continuation.near, a_rwnd=100)
    return continuation.near


@breaks("FL-007")
def only_the_probe_shows_the_open_window(editor):
    continuation = filled(editor)
    near, far = continuation.near, continuation.far
    for _ in range(3):
        continuation.data(far, size=1000).sack(near, a_rwnd=0).wait(S).data(far, size=1000).sack(near, a_rwnd=20_000_000)
    return near


def probed(editor, times):
    continuation = filled(editor)
    near, far = continuation.near, continuation.far
    continuation.data(far, size=1000).sack(near, a_rwnd=0)
    probe = continuation.chunk(far, size=1000)
    for _ in range(times):
        continuation.wait(10 * S).send(far, probe).sack(near, 1, a_rwnd=0)
    return continuation


@breaks("FL-010")
def probes_each_ten_seconds(editor):
    """The near end probes: what a capture far from a sender shows of its intervals is not its own."""
    continuation = Continuation(editor, where=lambda association: association.is_single())
    near, far = continuation.near, continuation.far
    continuation.rounds(near, 3).data(near, size=1000).sack(far, a_rwnd=0)
    probe = continuation.chunk(near, size=1000)
    for _ in range(6):
        continuation.wait(10 * S).send(near, probe).sack(far, 1, a_rwnd=0)
    return near


@breaks("FL-011")
def nobody_probes_for_two_minutes(editor):
    continuation = filled(editor)
    near, far = continuation.near, continuation.far
    continuation.data(far, size=1000, flags=chunks.BEGIN).sack(near, a_rwnd=0)
    for _ in range(4):
        continuation.wait(40 * S).send(far, chunks.heartbeat()).send(near, chunks.heartbeat_ack())
    return far


@breaks("FL-012")
def burst_of_updates(editor):
    continuation = filled(editor)
    continuation.data(continuation.far, size=1000)
    for number in range(10):
        continuation.sack(continuation.near, a_rwnd=number * 2000)
    return continuation.near


@breaks("FL-014")
def gives_up_while_probes_are_answered(editor):
    continuation = probed(editor, 6)
    continuation.send(continuation.far, chunks.abort())
    return continuation.far


@breaks("FL-015")
def drops_inside_its_window(editor):
    continuation = filled(editor)
    near, far = continuation.near, continuation.far
    continuation.data(far, size=1000).sack(near, a_rwnd=5000)
    probe = continuation.chunk(far, size=1000)
    for _ in range(4):
        continuation.wait(S).send(far, probe).sack(near, 1, a_rwnd=5000)
    return near


@breaks("FL-016")
def closed_for_a_minute(editor):
    return probed(editor, 6).near


@breaks("RX-004", causes=("RX-009",))
def block_of_a_real_sack_at_the_cum_tsn(editor):
    association = editor.association()
    place = editor.pick(place for place in association.places(None, SACK) if place.length >= 20 and place.packet["sctp"][place.at + 13])
    editor.edit(place.packet, place.at + 16, pack(0x10001)[:2])
    return association.sender(place.packet)


@breaks("RX-034")
def gaps_never_reported(editor):
    """As many packets as a receiver answers that gets all TSNs of the association twice, and some."""
    continuation = receiving(editor)
    near, far = continuation.near, continuation.far
    continuation.skip(far)
    for number in range(8 + len(editor.packets) // 4):
        continuation.data(far).sack(near, number + 2)
    return near
