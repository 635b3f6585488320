# SPDX-License-Identifier: GPL-2.0-or-later
"""Receivers of data: what their SACKs say, when they come, how many packets they answer and where they go. End 0, near the tap, receives
what end 1 sends."""

import dataclasses

from generate import chunks
from scenario_builder import COMPLETE, COMPLETE_AT_END_0, COMPLETE_AT_END_1, MS, QUIET_AT_END_1, S, SOON_OVER_AT_END_1, ScenarioBuilder, assertions
from register import fires, silent
from mutations import breaks
from scripts import SINGLE, YOUNG_SINGLE, violates
from packet_editor import NoPlace
from continuation import Continuation
from captured_associations import pack, u32
from partial_reliability import partially_reliable
from received_data import RECEIVING, YOUNG_RECEIVING, received


def told_twice(wait_ns):
    """End 1 gives a message up and says so twice; the second FORWARD-TSN is answered after wait_ns."""
    scenario = partially_reliable()
    tsn = scenario.lose(1)
    scenario.send(1, chunks.forward_tsn(tsn)).send(0, chunks.sack(tsn)).send(1, chunks.forward_tsn(tsn), gap_ns=S).wait(wait_ns)
    return scenario.send(0, chunks.sack(tsn))


@fires("PR-015", asserted=COMPLETE_AT_END_0)
@silent("PR-015", judged=False)
def forward_tsn_answered_after_1500_ms():
    return told_twice(1500 * MS)


@silent("PR-015", asserted=COMPLETE_AT_END_0)
def forward_tsn_answered_after_400_ms():
    return told_twice(400 * MS)


def told_twice_without_a_sack(*chunks_with_it):
    """The second FORWARD-TSN is not answered; a HEARTBEAT passes later."""
    scenario = partially_reliable()
    tsn = scenario.lose(1)
    scenario.send(1, chunks.forward_tsn(tsn)).send(0, chunks.sack(tsn))
    return scenario.send(1, chunks.forward_tsn(tsn), *chunks_with_it, gap_ns=S).heartbeat(0, gap_ns=2 * S)


@fires("PR-015", asserted=COMPLETE_AT_END_0)
def forward_tsn_out_of_date_never_answered():
    return told_twice_without_a_sack()


@silent("PR-015", asserted=COMPLETE_AT_END_0)
def forward_tsn_out_of_date_answered_by_the_sack_for_data():
    scenario = partially_reliable()
    tsn = scenario.lose(1)
    scenario.send(1, chunks.forward_tsn(tsn)).send(0, chunks.sack(tsn))
    return scenario.send(1, chunks.forward_tsn(tsn), gap_ns=S).data(1, gap_ns=100 * MS).sack(0, gap_ns=200 * MS)


WHOLE = chunks.BEGIN | chunks.END


def again(scenario, tsn, **options):
    return scenario.send(1, chunks.data(tsn, bytes(20), ssn=0), **options)


def saying(scenario, cum_tsn, **options):
    gap_ns = options.pop("gap_ns", None)
    return scenario.send(0, chunks.sack(cum_tsn, **options), gap_ns=gap_ns)


@violates("RX-001", RECEIVING)
def cum_tsn_goes_back(talk):
    talk.sack(talk.near, 2)


@silent("RX-001")
def cum_tsn_said_twice():
    return received(3).sack(0)


def blocks(talk, *gaps):
    """A TSN is missing, six above it are there, and the SACK has these blocks."""
    talk.skip(talk.far)
    for _ in range(6):
        talk.data(talk.far)
    return talk.sack(talk.near, 7, gaps=gaps)


def ahead(wait_ns, is_sent_again=False):
    """A gap block reports a TSN that passes after wait_ns, at first or again."""
    scenario = received(3)
    cum_tsn = scenario.ends[1].tsn - 1
    scenario.lose(1)
    if is_sent_again:
        scenario.data(1)
        scenario.ends[1].tsn -= 1
    saying(scenario, cum_tsn, gaps=((2, 2),))
    return scenario.wait(wait_ns).data(1).data(1)


@fires("RX-003", asserted=COMPLETE)
@fires("RX-003", asserted=COMPLETE_AT_END_0)
@silent("RX-003", judged=False)
def tsn_reported_before_it_was_sent():
    return ahead(S)


@silent("RX-003", asserted=COMPLETE, judged=False)
@fires("RX-003", asserted=COMPLETE_AT_END_0)
def tsn_overtaken_by_its_sack():
    return ahead(10 * MS)


@silent("RX-003", asserted=COMPLETE)
def tsn_reported_and_sent_again():
    return ahead(S, True)


@fires("RX-003", asserted=COMPLETE)
@silent("RX-003", judged=False)
def cum_tsn_of_what_was_never_sent():
    scenario = received(3)
    return saying(scenario.data(1), scenario.ends[1].tsn + 2)


@silent("RX-003", asserted=COMPLETE_AT_END_0)
def acknowledges_what_came_whole_after_a_damaged_copy():
    """The network doubled the packet and damaged one of both, which came first: it is no other frame of the same."""
    return received(3).data(1, checksum=b"\1\2\3\4").again(checksum=None, gap_ns=0).sack(0)


@fires("RX-003", asserted=COMPLETE)
def nr_block_of_what_was_never_sent():
    scenario = received(3)
    cum_tsn = scenario.ends[1].tsn - 1
    return scenario.send(0, chunks.nr_sack(cum_tsn, nr_gaps=((3, 4),)))


@fires("RX-003", asserted=COMPLETE)
def shutdown_acknowledges_what_was_never_sent():
    scenario = received(2)
    return scenario.send(0, chunks.shutdown(scenario.ends[1].tsn + 4))


@fires("RX-003", asserted=COMPLETE)
def shutdown_acknowledges_though_nothing_was_sent():
    scenario = ScenarioBuilder().set_up()
    return scenario.send(0, chunks.shutdown(scenario.ends[1].tsn))


@silent("RX-003", asserted=COMPLETE, judged=False)
def shutdown_where_nothing_was_sent():
    return ScenarioBuilder().set_up().shutdown(0)


@silent("RX-003", asserted=COMPLETE)
def shutdown_acknowledges_what_was_sent():
    return received(2).data(1).shutdown(0)


@fires("RX-003", asserted=COMPLETE)
def data_goes_on_below_what_was_acknowledged():
    """The sender knows better: its next TSN is one of those acknowledged before."""
    return cum_tsn_of_what_was_never_sent().wait(S).data(1).sack(0)


@silent("RX-003", asserted=COMPLETE, judged=False)
@fires("RX-003", asserted=COMPLETE_AT_END_0)
def data_goes_on_above_what_was_acknowledged():
    """It was sent, then: the capture lacks it, whatever is asserted, or it was lost on its way to end 0."""
    scenario = received(3).data(1)
    scenario.lose(1)
    return scenario.sack(0).data(1).sack(0)


@fires("RX-003", asserted=COMPLETE_AT_END_0)
@silent("RX-003", asserted=COMPLETE)
def cum_tsn_of_what_was_lost_on_its_way():
    """The TSN below one that came never passed, and end 0 acknowledges both."""
    scenario = received(3)
    scenario.lose(1)
    return scenario.data(1).sack(0)


@silent("RX-003", asserted=COMPLETE_AT_END_0)
def gap_told_of_what_was_lost_on_its_way():
    return gaps(RECEIVING.made(), 0, count=1)


@silent("RX-003", asserted=COMPLETE)
def cum_tsn_of_what_was_given_up_unsent():
    scenario = partially_reliable()
    tsn = scenario.lose(1)
    return scenario.send(1, chunks.forward_tsn(tsn)).send(0, chunks.sack(tsn))


@violates("RX-004", RECEIVING)
def block_begins_at_the_cum_tsn(talk):
    blocks(talk, (1, 3))


@violates("RX-004", RECEIVING)
def block_ends_before_it_begins(talk):
    blocks(talk, (4, 3))


@violates("RX-005", RECEIVING)
def blocks_touch(talk):
    blocks(talk, (2, 3), (4, 5))


@violates("RX-006", RECEIVING)
def blocks_descend(talk):
    blocks(talk, (5, 6), (2, 3))


@silent("RX-004")
@silent("RX-005")
@silent("RX-006")
def blocks_of_one_tsn_one_apart():
    return blocks(RECEIVING.made(), (2, 2), (4, 4), (6, 7))


def left_out(talk, in_second_hole, is_sent_again=False):
    """Twice: a TSN arrives 150 ms before a higher one and is not in the SACK that has that one."""
    near, far = talk.near, talk.far
    for _ in range(2):
        if in_second_hole:
            first_hole = talk.skip(far)
            talk.data(far)
        left = talk.data(far).sent
        talk.wait(150 * MS).data(far).sack(near, 4 if in_second_hole else 2, gaps=((2, 2), (4, 4)) if in_second_hole else ((2, 2),))
        if is_sent_again:
            talk.send(far, left)
        if in_second_hole:
            talk.send(far, first_hole)
        talk.sack(near)
    return talk


@violates("RX-007", RECEIVING)
def tsn_left_out_of_blocks(talk):
    left_out(talk, True)


@silent("RX-007")
def tsn_lost_behind_the_tap_between_blocks():
    return left_out(RECEIVING.made(), True, is_sent_again=True)


@violates("RX-029", RECEIVING)
def tsn_left_out_above_the_cum_tsn(talk):
    left_out(talk, False)


@silent("RX-029")
def tsn_lost_behind_the_tap():
    return left_out(RECEIVING.made(), False, is_sent_again=True)


def filled_late(is_sent_again):
    """A hole is filled, and a SACK for what arrives 150 ms later still reports it, in a block that began before."""
    scenario = received(3)
    cum_tsn = scenario.ends[1].tsn - 1
    hole = scenario.lose(1)
    scenario.data(1)
    saying(scenario, cum_tsn, gaps=((2, 2),))
    again(scenario, hole)
    scenario.wait(150 * MS).data(1)
    saying(scenario, cum_tsn, gaps=((2, 3),))
    if is_sent_again:
        again(scenario, hole)
    return scenario.data(1).sack(0)


@silent("RX-029", asserted=COMPLETE_AT_END_0)
def sack_for_a_packet_that_the_network_doubled():
    """The second one comes when a SACK has acknowledged it, so soon that the capture may have held it twice; it is answered when the next DATA has come."""
    scenario = received(3).data(1)
    first = scenario.flow.items[-1]
    scenario.data(1, gap_ns=1000).sack(0, gap_ns=2000)
    doubled = scenario.last_tsn(1) - 1 & 0xFFFFFFFF
    scenario.send(1, *first.chunks, identification=first.identification, gap_ns=1500)
    scenario.data(1, gap_ns=1700)
    return scenario.sack(0, below=1, duplicates=(doubled,), gap_ns=1000).sack(0, gap_ns=1000)


@fires("RX-029", asserted=COMPLETE)
@silent("RX-029", judged=False)
def filled_hole_reported_once():
    return filled_late(False)


@silent("RX-029", asserted=COMPLETE)
def filled_hole_lost_behind_the_tap():
    return filled_late(True)


def answered(first_gap_ns=MS // 10, missing=False, a_rwnd=131072, **sack):
    """One packet with two DATA chunks comes, of which the SACK, first_gap_ns later, says what is given; then all."""
    scenario = received(3)
    cum_tsn = scenario.ends[1].tsn - 1
    if missing:
        scenario.lose(1)
    end = scenario.ends[1]
    scenario.send(1, chunks.data(end.tsn, bytes(20), ssn=end.ssn), chunks.data(end.tsn + 1, bytes(20), ssn=end.ssn + 1))
    end.tsn, end.ssn = end.tsn + 2, end.ssn + 2
    return scenario.send(0, chunks.sack(cum_tsn + sack.pop("more", 0), a_rwnd=a_rwnd, **sack), gap_ns=first_gap_ns)


@fires("RX-029", asserted=COMPLETE_AT_END_0)
@silent("RX-029", asserted=COMPLETE, judged=False)
@silent("RX-029", judged=False)
def sack_for_data_that_it_leaves_out():
    return answered()


@fires("RX-029", asserted=COMPLETE_AT_END_0)
def sack_for_half_of_a_packet():
    return answered(more=1)


@silent("RX-029", asserted=COMPLETE_AT_END_0)
def sack_for_a_packet():
    return answered(more=2)


@silent("RX-029", asserted=COMPLETE_AT_END_0)
def data_dropped_for_want_of_room():
    return answered(a_rwnd=1500)


@silent("RX-029", asserted=COMPLETE_AT_END_0)
def window_update_right_after_data():
    """It opens the window, and may have been made before the data was taken."""
    return answered(a_rwnd=150_000)


@fires("RX-029", asserted=COMPLETE_AT_END_0)
def window_update_long_after_data():
    return answered(first_gap_ns=150 * MS, a_rwnd=150_000)


@fires("RX-007", asserted=COMPLETE_AT_END_0)
@silent("RX-007", judged=False)
def sack_for_data_above_a_gap_without_block():
    return answered(missing=True)


@fires("RX-007", asserted=COMPLETE_AT_END_0)
def sack_for_data_above_a_gap_with_half_of_a_block():
    return answered(missing=True, gaps=((2, 2),))


@silent("RX-007", asserted=COMPLETE_AT_END_0)
@silent("RX-029", asserted=COMPLETE_AT_END_0)
def sack_for_data_above_a_gap():
    return answered(missing=True, gaps=((2, 3),))


@silent("RX-007", asserted=COMPLETE_AT_END_0)
@silent("RX-029", asserted=COMPLETE_AT_END_0)
def sack_of_a_receiver_that_is_a_packet_behind():
    """Data passes right before each SACK, which was made for the packet before."""
    scenario = received(3).data(1)
    for _ in range(4):
        scenario.data(1, gap_ns=MS).sack(0, 1, gap_ns=MS // 100)
    return scenario


@silent("RX-029", asserted=COMPLETE_AT_END_0)
def sack_for_the_first_of_two_packets():
    return received(3).data(1).data(1, gap_ns=MS // 10).sack(0, 1)


@fires("RX-029", asserted=COMPLETE_AT_END_0)
@silent("RX-001", asserted=COMPLETE_AT_END_0)
def sack_goes_back_at_its_sender():
    scenario = received(3)
    return saying(scenario.data(1), scenario.ends[1].tsn - 3)


@fires("RX-029", asserted=COMPLETE_AT_END_0)
def shutdown_long_after_data_that_it_leaves_out():
    return received(3).data(1).wait(200 * MS).shutdown(0, 1)


@silent("RX-029", asserted=COMPLETE_AT_END_0)
def shutdown_right_after_data():
    return received(3).data(1).shutdown(0, 1)


@silent("RX-029", asserted=COMPLETE_AT_END_0)
def shutdown_after_data_that_it_acknowledges():
    return received(3).data(1).wait(200 * MS).shutdown(0)


@silent("RX-029", asserted=COMPLETE_AT_END_0)
def data_of_no_stream_passed_over():
    scenario = received(3)
    tsn = scenario.lose(1)
    scenario.send(1, chunks.data(tsn, bytes(20), sid=5000))
    return saying(scenario, tsn - 1)


def revoked(is_sent_again):
    """A TSN above a hole is reported, then left out of a SACK that reports more, then reported again."""
    scenario = received(2)
    cum_tsn = scenario.ends[1].tsn - 1
    scenario.lose(1)
    kept = scenario.ends[1].tsn
    scenario.data(1)
    saying(scenario, cum_tsn, gaps=((2, 2),))
    scenario.lose(1)
    scenario.data(1)
    saying(scenario, cum_tsn, gaps=((4, 4),))
    if is_sent_again:
        again(scenario, kept)
    scenario.data(1)
    return saying(scenario, cum_tsn, gaps=((2, 2), (4, 5)))


@fires("RX-007", asserted=COMPLETE)
@silent("RX-007")
def block_left_out_and_told_again():
    return revoked(False)


@silent("RX-007", asserted=COMPLETE)
def block_discarded_and_received_again():
    return revoked(True)


def reneges(talk, a_rwnd=100_000):
    near, far = talk.near, talk.far
    talk.skip(far)
    talk.data(far).sack(near, 2, gaps=((2, 2),), a_rwnd=100_000)
    return talk.data(far).sack(near, 3, gaps=((2, 3),), a_rwnd=100_000).data(far).sack(near, 4, a_rwnd=a_rwnd)


@violates("RX-009", RECEIVING)
def block_vanishes(talk):
    reneges(talk)


@silent("RX-009")
def block_vanishes_for_want_of_memory():
    return reneges(RECEIVING.made(), 2_000)


def reports_less_and_again_more(gap_ns):
    return reneges(RECEIVING.made()).sack(0, 4, gaps=((2, 4),), gap_ns=gap_ns)


@silent("RX-009")
def sack_that_the_capture_doubled_behind_a_newer_one():
    scenario = received(2)
    cum_tsn = scenario.ends[1].tsn - 1
    scenario.lose(1)
    for last in (2, 3, 4):
        scenario.data(1, gap_ns=MS // 10)
        saying(scenario, cum_tsn, gaps=((2, last),))
    return saying(scenario, cum_tsn, gaps=((2, 3),))


@silent("RX-009", judged=False)
def sack_that_reports_less_was_held_up():
    """The next one reports more again, sooner than anything could have been sent again."""
    return reports_less_and_again_more(MS // 50)


@fires("RX-009")
def block_vanishes_and_comes_again():
    return reports_less_and_again_more(50 * MS)


@silent("RX-009", judged=False)
def block_vanishes_where_sacks_overtake_each_other():
    return reneges(RECEIVING.made()).sack(0, 5)


@fires("RX-009")
def second_block_vanishes():
    """Of two blocks the first is acknowledged now, the second forgotten."""
    scenario = received(2)
    cum_tsn = scenario.ends[1].tsn - 1
    for _ in range(2):
        scenario.lose(1)
        scenario.data(1)
    saying(scenario, cum_tsn, gaps=((2, 2), (4, 4)))
    again(scenario, cum_tsn + 1)
    return saying(scenario, cum_tsn + 2)


@fires("RX-009")
def nr_block_vanishes():
    scenario = received(2)
    cum_tsn = scenario.ends[1].tsn - 1
    scenario.lose(1)
    scenario.data(1).data(1).send(0, chunks.nr_sack(cum_tsn, gaps=((2, 2),), nr_gaps=((3, 3),)))
    return scenario.data(1).send(0, chunks.nr_sack(cum_tsn, gaps=((2, 2),), nr_gaps=((4, 4),)))


@silent("RX-009")
def block_moves_to_the_other_list():
    scenario = received(2)
    cum_tsn = scenario.ends[1].tsn - 1
    scenario.lose(1)
    scenario.data(1).data(1).send(0, chunks.nr_sack(cum_tsn, gaps=((2, 3),)))
    return scenario.data(1).send(0, chunks.nr_sack(cum_tsn, gaps=((4, 4),), nr_gaps=((2, 3),)))


@fires("RX-010", asserted=COMPLETE_AT_END_0)
@silent("RX-010", judged=False)
def one_sack_after_700_ms():
    return received(3).data(1).wait(700 * MS).sack(0)


@fires("RX-010", asserted=COMPLETE_AT_END_0)
@silent("RX-010")
def sack_for_three_packets_with_data_after_700_ms():
    scenario = received(3).data(1).data(1).data(1).wait(700 * MS)
    return scenario.send(0, chunks.sack(scenario.ends[1].tsn - 1), chunks.data(scenario.ends[0].tsn, bytes(20)))


@silent("RX-010", asserted=COMPLETE_AT_END_0)
def one_sack_after_500_ms():
    return received(3).data(1).wait(500 * MS).sack(0)


@violates("RX-010", SINGLE, causes=("RX-011", "HS-020", "RX-033"))
def sacks_after_700_ms(talk):
    talk.rounds(talk.far, 3, 700 * MS)


@silent("RX-010")
def sacks_after_500_ms():
    return received(3, 500 * MS)


@violates("RX-011", SINGLE, causes=("HS-020", "RX-033"))
def sacks_after_300_ms(talk):
    talk.rounds(talk.far, 8, 300 * MS)


@silent("RX-011")
def sacks_after_220_ms():
    return received(8, 220 * MS)


def crowded(talk, packets, opens=False):
    """Twice: packets with data come, and then one with two SACK chunks."""
    for _ in range(2):
        for _ in range(packets):
            talk.data(talk.far)
        talk.send(talk.near, talk.saying(talk.near, a_rwnd=50_000), talk.saying(talk.near, a_rwnd=60_000 if opens else 50_000))
    return talk


@violates("RX-013", RECEIVING)
def two_sacks_for_one_packet(talk):
    crowded(talk, 1)


@silent("RX-013")
def two_sacks_for_two_packets():
    return crowded(RECEIVING.made(), 2)


@silent("RX-013")
def second_sack_opens_the_window():
    return crowded(RECEIVING.made(), 1, opens=True)


def told_again(**options):
    """Data is acknowledged, and the same said again 30 ms later."""
    return received(3).wait(30 * MS).sack(0, **options)


@fires("RX-013", asserted=COMPLETE_AT_END_0)
@silent("RX-013", judged=False)
@silent("RX-013", judged=False, asserted=COMPLETE)
def sack_for_no_packet():
    return told_again()


@silent("RX-013", judged=False, asserted=COMPLETE_AT_END_0)
def sack_for_each_of_two_that_the_network_doubled():
    """The second one may be a frame that the capture holds twice."""
    return received(3).data(1).again(gap_ns=0).sack(0, gap_ns=4000).sack(0, gap_ns=5000)


@fires("RX-013", asserted=COMPLETE_AT_END_0)
@silent("RX-013", judged=False)
def sack_repeated_at_once():
    return received(3).sack(0)


def repeated_after_each(packets, times):
    scenario = received(3)
    for _ in range(packets):
        scenario.wait(30 * MS).data(1)
        for _ in range(1 + times):
            scenario.sack(0)
    return scenario


@fires("RX-013", certainty="probable")
def four_sacks_for_each_packet():
    return repeated_after_each(3, 3)


@silent("RX-013", judged=False)
def two_sacks_for_each_packet_that_may_be_doubled_behind_the_tap():
    return repeated_after_each(6, 1)


@silent("RX-013", judged=False)
def four_sacks_for_one_packet():
    return repeated_after_each(1, 3)


@fires("RX-013", asserted=COMPLETE_AT_END_0)
def first_sack_twice_in_a_packet():
    scenario = ScenarioBuilder().set_up().data(1)
    return scenario.send(0, *[chunks.sack(scenario.ends[1].tsn - 1)] * 2)


@fires("RX-013", asserted=COMPLETE_AT_END_0)
def two_sacks_for_one_packet_after_two_that_were_answered():
    scenario = received(3).data(1).data(1).sack(0).wait(200 * MS).data(1)
    return scenario.send(0, *[chunks.sack(scenario.ends[1].tsn - 1)] * 2)


@silent("RX-013", judged=False, asserted=COMPLETE_AT_END_0)
def update_that_the_sack_before_anticipated():
    """The application reads while the SACK is made: it has the new window already, and so does the update."""
    scenario = received(3).data(1)
    cum_tsn = scenario.ends[1].tsn - 1
    return saying(saying(scenario, cum_tsn, a_rwnd=200_000), cum_tsn, a_rwnd=200_000)


@silent("RX-013", asserted=COMPLETE_AT_END_0)
def sack_for_a_duplicate_that_came_with_the_data():
    """The first SACK takes the data, the second answers the duplicate, which is not listed."""
    scenario = received(3)
    tsn = scenario.ends[1].tsn
    scenario.data(1)
    return scenario.send(1, chunks.data(tsn, bytes(20), ssn=scenario.ends[1].ssn - 1), gap_ns=MS // 100).sack(0).sack(0)


@silent("RX-013", asserted=COMPLETE_AT_END_0)
def sack_that_opens_the_window():
    return told_again(a_rwnd=500_000)


@silent("RX-013", asserted=COMPLETE_AT_END_0)
def sack_for_a_heartbeat():
    return received(3).send(1, chunks.heartbeat(bytes(8))).send(0, chunks.heartbeat_ack(bytes(8))).sack(0)


@silent("RX-013", judged=False, asserted=COMPLETE_AT_END_0)
def sack_for_a_duplicate_of_the_network():
    scenario = received(3)
    return scenario.sack(0, duplicates=(scenario.ends[1].tsn - 1,))


TEN_ROUNDS = YOUNG_SINGLE.then(lambda talk: talk.rounds(talk.far, 10))


def duplicated(talk, is_answered=False, is_told=False, times=6, gap_ns=50 * MS):
    """Packets of duplicates, each followed by new data some time later."""
    near, far = talk.near, talk.far
    for _ in range(times):
        duplicates = (talk.last_tsn(far),) if is_told else ()
        talk.send(far, talk.sent)
        if is_answered:
            talk.sack(near, duplicates=duplicates)
        talk.wait(gap_ns).data(far).sack(near)
    return talk


@fires("RX-015")
@violates("RX-014", TEN_ROUNDS, causes=("RX-015",))
def duplicates_passed_over(talk):
    duplicated(talk)


@violates("RX-015", TEN_ROUNDS)
def duplicates_not_reported(talk):
    duplicated(talk, is_answered=True)


@silent("RX-014")
@silent("RX-015")
@silent("RX-016")
def duplicates_answered():
    return duplicated(TEN_ROUNDS.made(), is_answered=True, is_told=True)


def repeated_before_its_sack(listed):
    """Data comes twice before any SACK, then more."""
    scenario = received(3)
    tsn, ssn = scenario.ends[1].tsn, scenario.ends[1].ssn
    scenario.data(1).wait(100 * MS).send(1, chunks.data(tsn, bytes(20), ssn=ssn))
    saying(scenario, tsn, duplicates=(tsn,) if listed else ())
    return scenario.wait(100 * MS).data(1).sack(0)


@fires("RX-015", asserted=COMPLETE_AT_END_0)
@silent("RX-015", judged=False)
def data_that_came_twice_not_listed():
    return repeated_before_its_sack(False)


@silent("RX-015", asserted=COMPLETE_AT_END_0)
def data_that_came_twice_listed():
    return repeated_before_its_sack(True)


@silent("RX-015", asserted=COMPLETE_AT_END_0, judged=False)
def data_that_its_receiver_had_dropped_again():
    """The SACK before leaves out what a gap block of an earlier one of the same Cumulative TSN Ack had: it may have dropped it (6.2)."""
    scenario = received(3)
    cum_tsn, missing = scenario.ends[1].tsn - 1, scenario.lose(1)
    scenario.data(1)
    scenario.send(0, chunks.sack(cum_tsn, gaps=[(2, 2)])).send(0, chunks.sack(cum_tsn), gap_ns=S)
    for tsn in (missing, missing + 1):
        scenario.send(1, chunks.data(tsn, bytes(20), ssn=scenario.ends[1].ssn - (tsn == missing + 1)), gap_ns=S)
        scenario.send(0, chunks.sack(tsn))
    return scenario


def one_duplicate(listed):
    scenario = received(10)
    tsn = scenario.ends[1].tsn - 1
    again(scenario, tsn)
    return saying(scenario, tsn, duplicates=(tsn,) if listed else ())


@fires("RX-015", asserted=COMPLETE_AT_END_0)
@silent("RX-015", judged=False)
def sack_for_one_duplicate_lists_none():
    return one_duplicate(False)


def two_duplicates(listed):
    """The SACK for the first may be one that was due before; the one for the second took both."""
    scenario = received(10).data(1).data(1)
    tsn = scenario.ends[1].tsn - 1
    saying(scenario, tsn - 1)
    again(scenario, tsn - 5, gap_ns=50 * MS)
    saying(scenario, tsn)
    again(scenario, tsn - 4, gap_ns=50 * MS)
    return saying(scenario, tsn, duplicates=(tsn - 5, tsn - 4) if listed else ()).wait(300 * MS).data(1).sack(0)


@fires("RX-015", asserted=COMPLETE_AT_END_0)
@silent("RX-015")
def duplicates_behind_a_late_sack_not_listed():
    return two_duplicates(False)


@silent("RX-015", asserted=COMPLETE_AT_END_0)
def duplicates_behind_a_late_sack_listed_together():
    return two_duplicates(True)


def one_duplicate_behind_a_sack_of_the_peer(listed):
    """The receiver sends data as well: a SACK comes to it between the last DATA and the duplicate."""
    scenario = received(10).data(0).data(1).sack(1).sack(0)
    tsn = scenario.ends[1].tsn - 1
    scenario.send(1, chunks.data(tsn, bytes(20), ssn=scenario.ends[1].ssn - 1), gap_ns=S)
    return saying(scenario, tsn, duplicates=(tsn,) if listed else ())


@fires("RX-015", asserted=COMPLETE_AT_END_0)
def sack_for_one_duplicate_behind_a_sack_of_the_peer_lists_none():
    return one_duplicate_behind_a_sack_of_the_peer(False)


@silent("RX-015", asserted=COMPLETE_AT_END_0)
def sack_for_one_duplicate_behind_a_sack_of_the_peer_lists_it():
    return one_duplicate_behind_a_sack_of_the_peer(True)


@silent("RX-015", asserted=COMPLETE_AT_END_0)
def sack_for_one_duplicate_lists_it():
    return one_duplicate(True)


def doubled(behind_sack=True, wait_ns=50 * MS, listed=False, times=4):
    """30 us later the same frame stands in the capture again, behind the SACK or before it; it has no identification that would tell."""
    scenario = ScenarioBuilder(identification=0).set_up().rounds(1, 12)
    for _ in range(times):
        scenario.data(1)
        frame = dataclasses.replace(scenario.flow.items[-1], gap_ns=30_000)
        if not behind_sack:
            scenario.flow.items.append(frame)
        scenario.sack(0)
        if behind_sack:
            scenario.flow.items.append(frame)
        tsn = scenario.ends[1].tsn - 1
        scenario.wait(wait_ns).data(1).sack(0, duplicates=(tsn,) if listed else ())
    return scenario


@silent("RX-014", judged=False)
@silent("RX-015", judged=False)
@fires("RX-015", asserted=COMPLETE_AT_END_0)
@silent("RX-014", asserted=COMPLETE, judged=False)
def frames_that_may_be_captured_twice():
    """Whatever shows a host its packets twice does so before it answers them."""
    return doubled()


@silent("RX-015", asserted=COMPLETE_AT_END_0, judged=False)
def frames_that_a_host_may_see_twice():
    return doubled(behind_sack=False)


@fires("RX-014", asserted=COMPLETE_AT_END_0)
@silent("RX-015", asserted=COMPLETE_AT_END_0)
def doubled_frames_told_with_the_next_data():
    return doubled(wait_ns=200 * MS, listed=True)


@silent("RX-014", asserted=COMPLETE_AT_END_0)
def doubled_frame_told_soon():
    return doubled(wait_ns=2 * MS, listed=True, times=2)


@silent("RX-015", asserted=COMPLETE_AT_END_0)
def duplicate_that_comes_while_a_sack_leaves():
    """The first transmission got stuck, the second one comes right after the SACK for the first was made: the next SACK lists it."""
    scenario = received(10)
    tsn, ssn = scenario.ends[1].tsn, scenario.ends[1].ssn
    scenario.data(1).wait(100 * MS)
    again(scenario, tsn - 1).send(1, chunks.data(tsn, bytes(20), ssn=ssn), gap_ns=MS // 10)
    saying(scenario, tsn)
    return saying(scenario, tsn, duplicates=(tsn - 1, tsn))


LATE = SINGLE.then(lambda talk: talk.rounds(talk.far, 4, 190 * MS))


def answered_by_the_timer(talk, is_listed=False):
    """Lone duplicates, whose SACK comes as late as others and lists them or not."""
    for _ in range(2):
        talk.send(talk.far, talk.sent).wait(190 * MS).sack(talk.near, duplicates=(talk.last_tsn(talk.far),) if is_listed else ())
    return talk


@fires("RX-015")
@violates("RX-014", LATE, causes=("HS-020", "RX-015", "RX-033"))
def duplicates_answered_by_the_timer(talk):
    answered_by_the_timer(talk)


@silent("RX-015")
def duplicates_listed_by_the_timer():
    return answered_by_the_timer(LATE.made(), is_listed=True)


@violates("RX-016", RECEIVING)
def duplicates_of_what_was_sent_once(talk):
    for _ in range(2):
        talk.data(talk.far).sack(talk.near, duplicates=(talk.last_tsn(talk.far),))


@silent("RX-016", judged=False)
def duplicates_of_what_came_twice_at_once():
    """The network doubles frames right before the tap, which looks as if the capture had them twice; the receiver reports them."""
    scenario = received(3)
    for _ in range(2):
        scenario.data(1)
        scenario.flow.items.append(dataclasses.replace(scenario.flow.items[-1], gap_ns=1000))
        scenario.sack(0, duplicates=(scenario.ends[1].tsn - 1,))
    return scenario


def gaps(talk, wait_ns, count=3):
    """A TSN is lost, and the SACK for the next one comes after wait_ns."""
    near, far = talk.near, talk.far
    for _ in range(count):
        lost = talk.skip(far)
        talk.data(far).wait(wait_ns).sack(near, 2, gaps=((2, 2),)).send(far, lost).sack(near)
    return talk


@violates("RX-018", RECEIVING)
def gap_told_after_200_ms(talk):
    gaps(talk, 200 * MS)


@fires("RX-018")
def one_gap_told_after_200_ms():
    return gaps(RECEIVING.made(), 200 * MS, count=1)


@silent("RX-018")
def gap_told_after_20_ms():
    return gaps(RECEIVING.made(), 20 * MS)


def gap_with_more_behind(wait_ns):
    """Three packets come above a gap before any SACK."""
    scenario = received(4)
    cum_tsn = scenario.ends[1].tsn - 1
    scenario.lose(1)
    scenario.data(1).data(1).data(1).wait(wait_ns)
    return saying(scenario, cum_tsn, gaps=((2, 4),))


@fires("RX-018", asserted=COMPLETE_AT_END_0)
@fires("RX-012", asserted=COMPLETE_AT_END_0)
@silent("RX-018", judged=False)
def gap_with_more_behind_told_after_200_ms():
    return gap_with_more_behind(200 * MS)


@silent("RX-018", asserted=COMPLETE_AT_END_0, judged=False)
@silent("RX-012", asserted=COMPLETE_AT_END_0)
def gap_with_more_behind_told_after_20_ms():
    return gap_with_more_behind(20 * MS)


@silent("RX-018", asserted=COMPLETE_AT_END_0, judged=False)
def data_above_what_was_given_up():
    """No gap: a FORWARD-TSN skips what is missing. Four packets wait for their SACK all the same."""
    scenario = partially_reliable()
    tsn = scenario.lose(1)
    return scenario.send(1, chunks.forward_tsn(tsn)).data(1).wait(200 * MS).sack(0)


def pairs(wait_ns, times, gap_ns=20 * MS):
    """Two packets come, one gap_ns after the other, and their SACK wait_ns after the second."""
    scenario = received(4)
    for number in range(times):
        scenario.data(1).wait(gap_ns).data(1).wait(wait_ns(number)).sack(0)
    return scenario


@fires("RX-012", asserted=COMPLETE_AT_END_0)
@silent("RX-012")
def second_packet_waits_for_the_timer():
    return pairs(lambda _: 150 * MS, 1)


@fires("RX-012", asserted=COMPLETE_AT_END_0)
@silent("RX-012")
def second_packets_wait_for_a_short_timer():
    """20 ms and 20 ms, again and again."""
    return pairs(lambda _: 20 * MS, 5)


@silent("RX-012", asserted=COMPLETE_AT_END_0)
def second_packets_wait_for_a_busy_host():
    return pairs(lambda number: (20 + 15 * number) * MS, 5)


@silent("RX-012", asserted=COMPLETE_AT_END_0)
def second_packets_answered_at_once():
    return pairs(lambda _: 0, 5)


def immediate(talk, wait_ns, times=3):
    return talk.rounds(talk.far, times, wait_ns, flags=WHOLE | chunks.IMMEDIATE)


@violates("RX-020", RECEIVING)
def i_bit_after_200_ms(talk):
    immediate(talk, 200 * MS)


@silent("RX-020")
@silent("RX-020", asserted=COMPLETE_AT_END_0)
def i_bit_after_20_ms():
    return immediate(RECEIVING.made(), 20 * MS)


@fires("RX-020", asserted=COMPLETE_AT_END_0)
@silent("RX-020", judged=False)
def one_i_bit_after_200_ms():
    return immediate(RECEIVING.made(), 200 * MS, times=1)


def closed(talk, wait_ns):
    """The window closes; a probe is dropped, and the SACK that says so comes after wait_ns."""
    near, far = talk.near, talk.far
    return talk.data(far).sack(near, a_rwnd=0).data(far).wait(wait_ns).sack(near, 1, a_rwnd=0)


@violates("RX-026", LATE, causes=("HS-020", "RX-033"))
def probe_answered_by_the_timer(talk):
    closed(talk, 190 * MS)


@silent("RX-026")
def probe_answered_at_once():
    return closed(LATE.made(), 0)


@fires("RX-026", asserted=COMPLETE_AT_END_0)
@silent("RX-026", judged=False)
@silent("RX-026", judged=False, asserted=COMPLETE)
def probe_answered_after_300_ms():
    return closed(RECEIVING.made(), 300 * MS)


@silent("RX-026", asserted=COMPLETE_AT_END_0)
def probe_answered_after_20_ms():
    return closed(RECEIVING.made(), 20 * MS)


@violates("RX-033", YOUNG_SINGLE, causes=("HS-020",))
def first_data_waits_for_the_timer(talk):
    talk.rounds(talk.far, 5, 190 * MS)


@violates("RX-033", YOUNG_SINGLE, causes=("HS-020",))
def first_data_waits_for_the_second(talk):
    for _ in range(4):
        talk.data(talk.far).wait(10 * MS).data(talk.far).sack(talk.near)


@silent("RX-033")
def first_data_waits_for_a_busy_host():
    scenario = ScenarioBuilder().set_up().data(1).wait(120 * MS).sack(0)
    for _ in range(3):
        scenario.data(1).wait(200 * MS).sack(0)
    return scenario


@silent("RX-029", judged=False)
@silent("RX-010", judged=False)
def retransmitted_by_a_path_that_is_not_seen():
    """The TSN was lost behind the tap and sent again to the other address of the receiver."""
    scenario = ScenarioBuilder(addresses=(("10.0.0.1", "10.0.1.1"), "10.0.0.2")).set_up(params=(chunks.address("10.0.1.1"), b""))
    scenario.data(1).sack(0).data(1).sack(0)
    for _ in range(3):
        cum_tsn = scenario.ends[1].tsn - 1
        scenario.data(1).wait(700 * MS).data(1)
        saying(scenario, cum_tsn, gaps=((2, 2),))
        scenario.wait(1000 * MS).sack(0).data(1).wait(700 * MS).sack(0)
    return scenario


@silent("RX-014", judged=False)
def duplicates_after_shutdown_ack():
    scenario = received(10).shutdown(1).shutdown_ack(0)
    for _ in range(4):
        again(scenario, scenario.ends[1].tsn - 1, gap_ns=50 * MS)
    return scenario


def silent_about_gaps(talk, packets, is_reported=False, receiver=0, **options):
    """A TSN is lost; the receiver answers each packet behind it, and says what it has or only what it had before."""
    talk.skip(1 - receiver)
    for number in range(packets):
        talk.data(1 - receiver).sack(receiver, number + 2, gaps=((2, 2 + number),) if is_reported else (), **options)
    return talk


@fires("RX-034")
def gaps_never_reported():
    return silent_about_gaps(received(3), 7)


@breaks("RX-034")
def gaps_never_reported_in_capture(editor):
    """As many packets as a receiver answers that gets all TSNs of the association twice, and some."""
    talk = RECEIVING.sought(editor)
    return silent_about_gaps(talk, 8 + len(editor.packets) // 4, receiver=talk.near).near


@fires("RX-034", accused=1)
def gaps_never_reported_by_the_far_end():
    return silent_about_gaps(ScenarioBuilder().set_up().rounds(0, 3), 9, receiver=1)


@fires("RX-034", accused=1, asserted=COMPLETE, certainty="probable")
def sacks_for_copies_of_a_few_of_many_packets():
    """The network may have doubled six of forty packets behind the tap: each copy is answered."""
    scenario = ScenarioBuilder().set_up()
    for _ in range(40):
        scenario.data(0)
    for _ in range(7):
        scenario.sack(1)
    return scenario


@fires("RX-034", accused=1, asserted=COMPLETE, certainty="proven")
def sacks_without_packets():
    """Nothing is outstanding, and no packet passes."""
    scenario = ScenarioBuilder().set_up().data(0)
    for _ in range(12):
        scenario.sack(1)
    return scenario


@silent("RX-034", accused=1)
def data_far_beyond_what_gap_blocks_reach():
    """The Initial TSN was another: no Gap Ack Block, of 16 bits, reaches what comes, and each packet asks for a SACK."""
    scenario = ScenarioBuilder().set_up()
    cum_tsn, scenario.ends[0].tsn = scenario.ends[0].tsn - 1, scenario.ends[0].tsn + 100_000
    for _ in range(9):
        scenario.data(0).send(1, chunks.sack(cum_tsn))
    return scenario


@silent("RX-034", judged=False)
def gaps_reported():
    return silent_about_gaps(received(3), 9, is_reported=True)


@silent("RX-034")
def few_sacks_that_say_the_same():
    return silent_about_gaps(received(3), 5)


@silent("RX-034", judged=False)
def chunks_beyond_the_window():
    return silent_about_gaps(received(3), 9, a_rwnd=10)


@silent("RX-034")
def duplicates_answered_and_not_listed():
    scenario = received(3)
    for _ in range(9):
        again(scenario, scenario.ends[1].tsn - 1, gap_ns=50 * MS)
        scenario.sack(0)
    return scenario


@silent("RX-034")
def window_updates():
    scenario = received(3)
    for number in range(9):
        scenario.sack(0, a_rwnd=60000 + 5000 * number)
    return scenario


def hole(talk, gap_ns, each):
    """Data above a hole, gap_ns apart, with a SACK for each packet or for every second."""
    near, far = talk.near, talk.far
    talk.skip(far)
    talk.data(far).sack(near, 2, gaps=((2, 2),))
    for number in range(12):
        talk.data(far, gap_ns=gap_ns)
        if each or number % 2:
            talk.sack(near, number + 3, gaps=((2, number + 3),))
    return talk


@violates("RX-019", YOUNG_RECEIVING)
def hole_answered_by_pairs(talk):
    hole(talk, 40 * MS, False)


@silent("RX-019")
def hole_answered_each_time():
    return hole(RECEIVING.made(), 20 * MS, True)


@silent("RX-019")
def hole_answered_after_bursts():
    return hole(RECEIVING.made(), MS // 10, False)


def sparse(talk, gap_ns):
    for _ in range(25):
        for _ in range(4):
            talk.data(talk.far, gap_ns=gap_ns)
        talk.sack(talk.near)
    return talk


@violates("RX-012", YOUNG_RECEIVING, causes=("HS-020", "RX-033"))
def one_sack_for_four_packets(talk):
    sparse(talk, 10 * MS)


@silent("RX-012")
def one_sack_for_a_burst():
    return sparse(RECEIVING.made(), MS // 10)


def two_addresses():
    """The sender of the data, end 1, has two confirmed addresses."""
    return ScenarioBuilder(addresses=("10.0.0.1", ("10.0.0.2", "10.0.1.2"))).set_up().heartbeat(1, source=1).heartbeat(0, destination=1)


def multihomed(astray):
    scenario = two_addresses()
    for _ in range(5):
        scenario.data(1, source=1).sack(0, destination=0 if astray else 1)
    return scenario


@fires("RX-022")
def sacks_to_the_other_address():
    return multihomed(True)


@fires("RX-022", asserted=COMPLETE_AT_END_0)
@silent("RX-022", asserted=COMPLETE, judged=False)
def one_sack_to_the_other_address():
    return two_addresses().data(1, source=1).sack(0, destination=0).data(1).sack(0)


@silent("RX-022", asserted=COMPLETE_AT_END_0)
@silent("RX-022")
def sacks_to_the_source():
    return multihomed(False)


def varied(destinations, source=lambda number: 1, before=lambda scenario, number: None):
    """Data, and SACKs to one of both addresses each; before: what else comes before the SACK."""
    scenario = two_addresses()
    for number, destination in enumerate(destinations):
        scenario.data(1, source=source(number))
        before(scenario, number)
        scenario.sack(0, destination=destination)
    return scenario


def duplicate(scenario, _):
    end = scenario.ends[1]
    scenario.send(1, chunks.data(end.tsn - 1, bytes(20), ssn=end.ssn - 1), source=1)


@fires("RX-023")
def sacks_by_turns():
    return varied((1, 0) * 4)


@silent("RX-023")
def sacks_leave_a_path_and_come_back():
    return varied((0,) * 4 + (1,) * 4 + (0,) * 4)


@silent("RX-023")
def sacks_leave_a_path_and_come_back_at_once():
    return varied((1, 1, 1, 0, 1, 1, 1, 0, 1, 1))


@silent("RX-023", judged=False)
def sacks_follow_the_source():
    return varied((1, 0) * 4, source=lambda number: 1 - number % 2)


@silent("RX-023", judged=False)
def sacks_follow_the_last_packet():
    """Each HEARTBEAT of the other address is answered before the data is acknowledged."""
    return varied((1, 0) * 4, before=lambda scenario, number: number % 2 and scenario.heartbeat(1, source=0))


@silent("RX-023", judged=False)
def sacks_for_duplicates_vary():
    return varied((1, 0) * 4, before=duplicate)


@silent("RX-023", judged=False)
def sacks_go_with_data_of_their_own():
    """A packet with DATA goes where its DATA goes."""
    scenario = two_addresses()
    for number in range(8):
        scenario.data(1, source=1)
        end = scenario.ends[0]
        scenario.send(0, chunks.sack(scenario.ends[1].tsn - 1), chunks.data(end.tsn, bytes(20), ssn=end.ssn), destination=number % 2)
        end.tsn, end.ssn = end.tsn + 1 & 0xFFFFFFFF, end.ssn + 1
        scenario.sack(1, source=1)
    return scenario


@silent("RX-023", judged=False)
def sacks_of_a_window_that_opens_vary():
    """What acknowledges nothing new is no answer to DATA."""
    scenario = varied((1,))
    for number in range(8):
        scenario.wait(50 * MS).sack(0, destination=number % 2)
    return scenario


@silent("RX-023", judged=False)
def sacks_leave_paths_that_fail():
    """The receiver's own data timed out at one address, then at the other."""
    scenario = two_addresses()
    end = scenario.ends[0]
    tsn, end.tsn = end.tsn, end.tsn + 1 & 0xFFFFFFFF
    for destination in (1, 0, 1):
        scenario.wait(3000 * MS).send(0, chunks.data(tsn, bytes(20)), destination=destination)
    for number in range(8):
        scenario.data(1, source=1).sack(0, destination=number % 2)
    return scenario


@silent("RX-023")
def sacks_vary_while_a_heartbeat_waits():
    scenario = two_addresses()
    for number in range(8):
        scenario.data(1, source=1).sack(0, destination=number % 2 if number > 2 else 1)
        if number == 2:
            scenario.send(0, chunks.heartbeat(b"unanswered"), destination=0)
    return scenario


@silent("RX-023")
def sacks_vary_to_an_address_that_never_sent():
    """Whether the sender of the data uses its second address is not visible: the tap may not see that path."""
    scenario = ScenarioBuilder(addresses=("10.0.0.1", ("10.0.0.2", "10.0.1.2"))).set_up()
    for number in range(8):
        scenario.data(1).sack(0, destination=number % 2)
    return scenario


@fires("RX-035", 1, asserted=COMPLETE_AT_END_1)
def data_not_acknowledged():
    return ScenarioBuilder().set_up().exchange().data(0).heartbeat(0, gap_ns=S)


def data_sent_three_times(is_acked):
    """By end 1; end 0, near the tap, sends on."""
    scenario = ScenarioBuilder().set_up().exchange(3).data(1)
    scenario.again(gap_ns=S).again(gap_ns=2 * S)
    if is_acked:
        scenario.sack(0, gap_ns=MS)
    return scenario.wait(S).heartbeat(0)


@fires("RX-035", 0)
def data_sent_three_times_not_acknowledged_by_who_sends_on():
    return data_sent_three_times(False)


@silent("RX-035", 0, judged=False)
def data_sent_three_times_acknowledged_at_last():
    return data_sent_three_times(True)


@fires("RX-010", 1, asserted=COMPLETE_AT_END_1)
def data_acknowledged_after_900_ms():
    return ScenarioBuilder().set_up().exchange().data(0).sack(1, gap_ns=900 * MS)


@fires("RX-035", 1, asserted=QUIET_AT_END_1)
@silent("RX-035", 1, asserted=SOON_OVER_AT_END_1)
@silent("RX-035", 1, asserted=COMPLETE_AT_END_1)
def data_not_acknowledged_when_the_capture_ends():
    return ScenarioBuilder().set_up().exchange().data(0)


@silent("RX-035", 1, asserted=QUIET_AT_END_1)
def data_acknowledged_before_the_capture_ends():
    return ScenarioBuilder().set_up().exchange().data(0).sack(1, gap_ns=150 * MS)


@silent("RX-035", 1, asserted=COMPLETE_AT_END_1)
def data_acknowledged_after_300_ms():
    return ScenarioBuilder().set_up().exchange().data(0).sack(1, gap_ns=300 * MS).heartbeat(0, gap_ns=S)


def shutdown_after_a_collision(below):
    """End 1 answers the INIT of end 0, then sends its own, with another Initial TSN, by which the association comes up; the COOKIE ACK bears a
    SHUTDOWN that acknowledges below TSNs less than all that were sent: none."""
    scenario = ScenarioBuilder().init(0).init_ack(1)
    end = scenario.ends[1]
    first, end.tag, end.initial_tsn = end.tag, 0x5555_0001, end.initial_tsn + 100_000
    end.tsn = end.initial_tsn
    scenario.init(1)
    end.tag, own = first, end.tag
    scenario.cookie_echo(0)
    end.tag = own
    return scenario.init_ack(0).cookie_echo(1).send(0, chunks.cookie_ack(), chunks.shutdown(end.tsn - 1 - below)).shutdown_ack(1)


@silent("RX-003", asserted=COMPLETE, judged=False)
def shutdown_acks_nothing_of_the_attempt_that_came_up():
    return shutdown_after_a_collision(0)


@fires("RX-003", asserted=COMPLETE)
def shutdown_acks_more_than_the_attempt_that_came_up_sent():
    return shutdown_after_a_collision(-1)


@silent("RX-035", 1, asserted=QUIET_AT_END_1, judged=False)
def data_right_before_its_receiver_restarts():
    scenario = ScenarioBuilder().set_up(initiator=1).exchange().data(0)
    scenario.ends[1].tag, scenario.ends[0].tag = 0x1111_0001, 0x1111_0002
    return scenario.set_up(initiator=1, gap_ns=100 * MS)


@silent("RX-035", 1, asserted=COMPLETE_AT_END_1, judged=False)
def data_again_while_its_receiver_begins_anew():
    """The INIT has not been answered when the peer goes on with the association that its sender has forgotten."""
    scenario = ScenarioBuilder().set_up(initiator=1).exchange().data(0)
    old = scenario.ends[0].tsn - 1, scenario.ends[1].tag
    scenario.ends[1].tag = 0x1111_0001
    scenario.init(1, gap_ns=100 * MS)
    return scenario.wait(S).send(0, chunks.data(old[0], bytes(20)), vtag=old[1])


@silent("RX-035", 1, asserted=COMPLETE_AT_END_1)
def data_after_the_shutdown_of_its_sender_discarded():
    """In SHUTDOWN-RECEIVED DATA \"SHOULD be discarded\" (6): end 1 waits for the SACK of its own data, and then answers the SHUTDOWN."""
    scenario = ScenarioBuilder().set_up().exchange().data(0).sack(1).data(1)
    old = chunks.data(scenario.ends[0].tsn - 1, bytes(20))
    return scenario.shutdown(0, 1).send(0, old).shutdown(0, gap_ns=S).shutdown_ack(1)


@silent("RX-035", 1, asserted=COMPLETE_AT_END_1)
def data_acknowledged_by_shutdown():
    return ScenarioBuilder().set_up().exchange().shutdown(1).data(0).shutdown(1).wait(S).sack(0)


def data_behind(kind):
    scenario = ScenarioBuilder().set_up().exchange()
    end = scenario.ends[0]
    scenario.send(0, chunks.chunk(kind, 0, bytes(4)), chunks.data(end.tsn, bytes(20), ssn=end.ssn))
    end.tsn, end.ssn = end.tsn + 1, end.ssn + 1
    return scenario


@fires("RX-036", 1, asserted=COMPLETE_AT_END_1)
def data_behind_a_chunk_that_says_stop_taken():
    return data_behind(0x3E).sack(1)


@silent("RX-036", 1, asserted=COMPLETE_AT_END_1)
def data_behind_a_chunk_to_be_skipped_taken():
    return data_behind(0xBE).sack(1)


@silent("RX-035", 1, asserted=COMPLETE_AT_END_1)
def data_behind_a_chunk_that_says_stop_ignored():
    return data_behind(0x3E).heartbeat(0, gap_ns=S)


def of_one_packet(taken, unknown=None):
    """Three chunks come in one packet, and the SACK, at once, takes so many of them."""
    scenario = received(4)
    tsn, ssn = scenario.ends[1].tsn, scenario.ends[1].ssn
    parts = [chunks.data(tsn + number, bytes(20), ssn=ssn + number) for number in range(3)]
    if unknown is not None:
        parts.insert(2, chunks.chunk(unknown, 0, bytes(4)))
    scenario.send(1, *parts)
    return saying(scenario, tsn + taken - 1, gap_ns=MS // 10)


@fires("RX-029", asserted=COMPLETE_AT_END_0)
@silent("RX-029", judged=False)
def cum_tsn_in_the_middle_of_a_packet():
    return of_one_packet(2)


@silent("RX-029", asserted=COMPLETE_AT_END_0)
def part_of_a_packet_beyond_the_window():
    """The window had room for one chunk of three; it opens when the application reads, and the rest comes again."""
    scenario = received(4)
    tsn, ssn = scenario.ends[1].tsn, scenario.ends[1].ssn
    saying(scenario, tsn - 1, a_rwnd=1500)
    scenario.send(1, *[chunks.data(tsn + number, bytes(1000), ssn=ssn + number) for number in range(3)])
    saying(scenario, tsn, a_rwnd=500)
    saying(scenario, tsn, a_rwnd=20000, gap_ns=S)
    return saying(scenario, tsn, a_rwnd=40000, gap_ns=S)


@silent("RX-029", asserted=COMPLETE_AT_END_0)
def part_of_a_packet_before_the_application_reads():
    """What came before had filled the window, and was read when the SACK was made."""
    scenario = received(4)
    tsn, ssn = scenario.ends[1].tsn, scenario.ends[1].ssn
    saying(scenario, tsn - 1, a_rwnd=8000)
    for first in (0, 3):
        scenario.send(1, *[chunks.data(tsn + number, bytes(2000), ssn=ssn + number) for number in range(first, first + 3)], gap_ns=MS // 10)
    return saying(scenario, tsn + 3, a_rwnd=16000, gap_ns=MS // 10)


@silent("RX-029", asserted=COMPLETE_AT_END_0)
def cum_tsn_at_the_end_of_a_packet():
    return of_one_packet(3)


@silent("RX-029", asserted=COMPLETE_AT_END_0)
def cum_tsn_before_a_chunk_that_says_stop():
    return of_one_packet(2, unknown=0x3E)


def taken_at_a_closed_window(talk, times=4, opened_after=None):
    """A chunk that ends the window, then probes: each is acknowledged, and a_rwnd stays 0; but for the one of that number."""
    near, far = talk.near, talk.far
    talk.data(far).sack(near, a_rwnd=0)
    for number in range(times):
        talk.wait(10 * S).data(far).sack(near, a_rwnd=5000 if number == opened_after else 0)
    return talk


@fires("RX-037", asserted=COMPLETE_AT_END_0)
@violates("RX-037", RECEIVING)
def each_probe_taken_at_a_closed_window(talk):
    taken_at_a_closed_window(talk)


@silent("RX-037", judged=False)
def two_probes_taken_at_a_closed_window():
    return taken_at_a_closed_window(RECEIVING.made(), 2)


@silent("RX-037", judged=False)
def window_opened_by_a_slow_reader():
    return taken_at_a_closed_window(RECEIVING.made(), 5, opened_after=2)


@silent("RX-037")
def probes_dropped_at_a_closed_window():
    scenario = received(3).data(1)
    cum_tsn = scenario.ends[1].tsn - 1
    saying(scenario, cum_tsn, a_rwnd=0)
    for _ in range(4):
        scenario.send(1, chunks.data(cum_tsn + 1, bytes(20), ssn=scenario.ends[1].ssn), gap_ns=S)
        saying(scenario, cum_tsn, a_rwnd=0)
    return scenario


TWO_AT_END_0 = (("10.0.0.1", "10.0.1.1"), "10.0.0.2")
BOTH_AT_END_0 = assertions(complete=True, taken_at=["10.0.0.0/23"])


def of_two_addresses():
    return ScenarioBuilder(addresses=TWO_AT_END_0).set_up(params=(chunks.address("10.0.1.1"), b""))


@fires("RX-029", asserted=BOTH_AT_END_0)
@silent("RX-029", asserted=COMPLETE_AT_END_0, judged=False)
def cum_tsn_of_two_addresses_goes_back():
    """Another SACK may have passed at the address where the capture was not taken."""
    return of_two_addresses().rounds(1, 4).sack(0, 2)


@silent("RX-029", asserted=BOTH_AT_END_0)
def cum_tsn_of_two_addresses_rises():
    return of_two_addresses().rounds(1, 4)


@breaks("RX-022")
def sacks_to_the_other_address_in_capture(editor):
    continuation = Continuation(editor, where=lambda association: len({pair[0] for pair in association.pairs(1 - association.near)}) > 1)
    near, far = continuation.near, continuation.far
    other = editor.pick(sorted({pair[0] for pair in continuation.association.pairs(far)} - {continuation.like[far]["source"]}))
    if len(other) != len(continuation.like[near]["source"]):
        raise NoPlace
    for _ in range(5):
        continuation.data(far)
        continuation.send(near, chunks.sack(continuation.ends[far].tsn - 1), destination=other)
    return near


@breaks("RX-023")
def sacks_by_turns_in_capture(editor):
    def is_undisturbed(association):
        tsns = [u32(place.packet["sctp"], place.at + 4) for place in association.places(association.near)]
        return (len({pair[0] for pair in association.pairs(1 - association.near)}) > 1 and not association.has(chunks.ASCONF)
                and len(tsns) == len(set(tsns)))
    continuation = Continuation(editor, where=is_undisturbed)
    near, far = continuation.near, continuation.far
    ways = {way[1]: way for way in continuation.ways}
    if len(ways) < 2:
        raise NoPlace
    for way in ways.values():
        continuation.heartbeat(near, *way)
    for number in range(8):
        source, destination = list(ways.values())[number % 2]
        continuation.data(far).send(near, chunks.sack(continuation.ends[far].tsn - 1), source=source, destination=destination)
    return near


@breaks("RX-004", causes=("RX-009",))
def block_of_a_real_sack_at_the_cum_tsn(editor):
    association = editor.association()
    place = editor.pick(place for place in association.places(None, chunks.SACK) if place.length >= 20 and place.packet["sctp"][place.at + 13])
    editor.edit(place.packet, place.at + 16, pack(0x10001)[:2])
    return association.sender(place.packet)


LEFT_OUT = [
    ("RX-002", "merged into RX-003", "a TSN that was not sent may be acknowledged by a cum_tsn or a gap block: one defect"),
    ("RX-008", "dropped", "text variant of RX-007"),
    ("RX-017", "merged into RX-016", "a duplicate listed again without another arrival is one more report than arrivals"),
    ("RX-021", "merged into FL-015",
     "the SACK that answers the packet and leaves it out is the proof that it arrived; why a receiver refuses a chunk is not "
     "visible"),
    ("RX-027", "dropped", "the drop cannot be seen"),
    ("RX-028", "left out", "which box fragmented the packet, and what PMTU the receiver knew, is not visible"),
    ("RX-030", "dropped", "merged into RX-013"),
    ("RX-031", "left out", "the clause asks the peer to discard such a SACK and forbids nothing to its sender"),
    ("RX-032", "left out", "an expired draft whose text asks for nothing that could be quoted here"),
]
