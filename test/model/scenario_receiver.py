# SPDX-License-Identifier: GPL-2.0-or-later
"""Receivers of data: what their SACKs say and when they come. End 0, near the tap, receives what end 1 sends."""

from generate import chunks
from scenario_builder import COMPLETE, COMPLETE_AT_END_0, MS, S, ScenarioBuilder
from register import fires, silent

WHOLE = chunks.BEGIN | chunks.END


def received(rounds=1, wait_ns=0):
    """An association in which end 1 has sent data that end 0 acknowledged, each packet after wait_ns."""
    scenario = ScenarioBuilder().set_up()
    for _ in range(rounds):
        scenario.data(1).wait(wait_ns).sack(0)
    return scenario


def again(scenario, tsn, **options):
    return scenario.send(1, chunks.data(tsn, bytes(20), ssn=0), **options)


def saying(scenario, cum_tsn, **options):
    return scenario.send(0, chunks.sack(cum_tsn, **options))


@fires("RX-001")
def cum_tsn_goes_back():
    scenario = received(3)
    return saying(scenario, scenario.ends[1].tsn - 2)


@silent("RX-001")
def cum_tsn_said_twice():
    return received(3).sack(0)


def blocks(*gaps):
    scenario = received(2)
    scenario.lose(1)
    for _ in range(6):
        scenario.data(1)
    return saying(scenario, scenario.ends[1].tsn - 8, gaps=gaps)


def ahead(wait_ns, is_sent_again=False):
    """A gap block reports a TSN that passes after wait_ns, at first or again."""
    scenario = received(3)
    cum_tsn = scenario.ends[1].tsn - 1
    scenario.lose(1)
    if is_sent_again:
        scenario.data(1)
        scenario.ends[1].tsn -= 1
    saying(scenario, cum_tsn, gaps=((2, 2),))
    scenario.wait(wait_ns).data(1)
    return scenario.data(1)


@fires("RX-003", asserted=COMPLETE)
@silent("RX-003", judged=False)
def tsn_reported_before_it_was_sent():
    return ahead(S)


@silent("RX-003", asserted=COMPLETE)
def tsn_overtaken_by_its_sack():
    return ahead(10 * MS)


@silent("RX-003", asserted=COMPLETE, judged=False)
def tsn_reported_and_sent_again():
    return ahead(S, True)


@fires("RX-004")
def block_begins_at_the_cum_tsn():
    return blocks((1, 3))


@fires("RX-004")
def block_ends_before_it_begins():
    return blocks((4, 3))


@fires("RX-005")
def blocks_touch():
    return blocks((2, 3), (4, 5))


@fires("RX-006")
def blocks_descend():
    return blocks((5, 6), (2, 3))


@silent("RX-004")
@silent("RX-005")
@silent("RX-006")
def blocks_of_one_tsn_one_apart():
    return blocks((2, 2), (4, 4), (6, 7))


def left_out(in_second_hole, is_sent_again):
    """Twice: a TSN arrives 150 ms before a higher one and is not in the SACK that has that one."""
    scenario = received(3)
    for _ in range(2):
        cum_tsn = scenario.ends[1].tsn - 1
        first_hole = scenario.lose(1) if in_second_hole else None
        if in_second_hole:
            scenario.data(1)
        left = scenario.ends[1].tsn
        scenario.data(1).wait(150 * MS).data(1)
        saying(scenario, cum_tsn, gaps=((2, 2), (4, 4)) if in_second_hole else ((2, 2),))
        if is_sent_again:
            again(scenario, left)
        if in_second_hole:
            again(scenario, first_hole)
        scenario.sack(0)
    return scenario


@fires("RX-007")
def tsn_left_out_of_blocks():
    return left_out(True, False)


@silent("RX-007")
def tsn_lost_behind_the_tap_between_blocks():
    return left_out(True, True)


@fires("RX-029")
def tsn_left_out_above_the_cum_tsn():
    return left_out(False, False)


@silent("RX-029")
def tsn_lost_behind_the_tap():
    return left_out(False, True)


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


@fires("RX-029", asserted=COMPLETE)
@silent("RX-029", judged=False)
def filled_hole_reported_once():
    return filled_late(False)


@silent("RX-029", asserted=COMPLETE)
def filled_hole_lost_behind_the_tap():
    return filled_late(True)


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


def reneges(a_rwnd):
    scenario = received(2)
    cum_tsn = scenario.ends[1].tsn - 1
    scenario.lose(1)
    scenario.data(1)
    saying(scenario, cum_tsn, gaps=((2, 2),))
    scenario.data(1)
    saying(scenario, cum_tsn, gaps=((2, 3),))
    scenario.data(1)
    return saying(scenario, cum_tsn, a_rwnd=a_rwnd)


@fires("RX-009")
def block_vanishes():
    return reneges(100_000)


@silent("RX-009")
def block_vanishes_for_want_of_memory():
    return reneges(2_000)


@silent("RX-009", judged=False)
def block_vanishes_where_sacks_overtake_each_other():
    scenario = reneges(100_000)
    return saying(scenario, scenario.ends[1].tsn - 6)


@fires("RX-010")
def sacks_after_700_ms():
    return received(3, 700 * MS)


@silent("RX-010")
def sacks_after_500_ms():
    return received(3, 500 * MS)


@fires("RX-011")
def sacks_after_300_ms():
    return received(8, 300 * MS)


@silent("RX-011")
def sacks_after_220_ms():
    return received(8, 220 * MS)


def crowded(packets, opens=False):
    """Twice: packets with data come, and then one with two SACK chunks."""
    scenario = received(2)
    for _ in range(2):
        for _ in range(packets):
            scenario.data(1)
        cum_tsn = scenario.ends[1].tsn - 1
        scenario.send(0, chunks.sack(cum_tsn, a_rwnd=50_000), chunks.sack(cum_tsn, a_rwnd=60_000 if opens else 50_000))
    return scenario


@fires("RX-013")
def two_sacks_for_one_packet():
    return crowded(1)


@silent("RX-013")
def two_sacks_for_two_packets():
    return crowded(2)


@silent("RX-013")
def second_sack_opens_the_window():
    return crowded(1, opens=True)


def told_again(**options):
    """Data is acknowledged, and the same said again 30 ms later."""
    scenario = received(3)
    scenario.wait(30 * MS)
    return saying(scenario, scenario.ends[1].tsn - 1, **options)


@fires("RX-013", asserted=COMPLETE_AT_END_0)
@silent("RX-013", judged=False)
@silent("RX-013", judged=False, asserted=COMPLETE)
def sack_for_no_packet():
    return told_again()


@silent("RX-013", asserted=COMPLETE_AT_END_0)
def sack_that_opens_the_window():
    return told_again(a_rwnd=500_000)


@silent("RX-013", asserted=COMPLETE_AT_END_0)
def sack_for_a_heartbeat():
    scenario = received(3)
    scenario.send(1, chunks.heartbeat(bytes(8))).send(0, chunks.heartbeat_ack(bytes(8)))
    return saying(scenario, scenario.ends[1].tsn - 1)


@silent("RX-013", judged=False, asserted=COMPLETE_AT_END_0)
def sack_for_a_duplicate_of_the_network():
    scenario = received(3)
    return saying(scenario, scenario.ends[1].tsn - 1, duplicates=(scenario.ends[1].tsn - 1,))


def duplicated(told, answered, times=4):
    """Packets of duplicates, each followed by new data after 50 ms."""
    scenario = received(10)
    for _ in range(times):
        tsn = scenario.ends[1].tsn - 1
        again(scenario, tsn)
        if answered:
            saying(scenario, tsn, duplicates=(tsn,) if told else ())
        scenario.wait(50 * MS).data(1)
        saying(scenario, scenario.ends[1].tsn - 1, duplicates=(tsn,) if told and not answered else ())
    return scenario


@fires("RX-014")
@fires("RX-015")
def duplicates_passed_over():
    return duplicated(False, False)


@silent("RX-014")
@silent("RX-015")
def duplicates_answered():
    return duplicated(True, True)


def answered_by_the_timer(listed):
    """Lone duplicates, whose SACK comes as late as others and lists them or not."""
    scenario = received(3, 200 * MS)
    for _ in range(2):
        tsn = scenario.ends[1].tsn - 1
        again(scenario, tsn).wait(200 * MS)
        saying(scenario, tsn, duplicates=(tsn,) if listed else ())
    return scenario


@fires("RX-014")
@fires("RX-015")
def duplicates_answered_by_the_timer():
    return answered_by_the_timer(False)


@silent("RX-015")
def duplicates_listed_by_the_timer():
    return answered_by_the_timer(True)


@fires("RX-016")
def duplicates_of_what_was_sent_once():
    scenario = received(3)
    for _ in range(2):
        scenario.data(1)
        saying(scenario, scenario.ends[1].tsn - 1, duplicates=(scenario.ends[1].tsn - 1,))
    return scenario


@silent("RX-016")
def duplicates_of_what_was_sent_twice():
    return duplicated(True, True)


def gaps(wait_ns, count=3):
    scenario = received(2)
    for _ in range(count):
        cum_tsn = scenario.ends[1].tsn - 1
        tsn = scenario.lose(1)
        scenario.data(1).wait(wait_ns)
        saying(scenario, cum_tsn, gaps=((2, 2),))
        again(scenario, tsn).sack(0)
    return scenario


@fires("RX-018")
def gap_told_after_200_ms():
    return gaps(200 * MS)


@fires("RX-018")
def one_gap_told_after_200_ms():
    return gaps(200 * MS, count=1)


@silent("RX-018")
def gap_told_after_20_ms():
    return gaps(20 * MS)


def immediate(wait_ns):
    scenario = received(2)
    for _ in range(2):
        end = scenario.ends[1]
        scenario.send(1, chunks.data(end.tsn, bytes(20), ssn=end.ssn, flags=WHOLE | chunks.IMMEDIATE))
        end.tsn, end.ssn = end.tsn + 1 & 0xFFFFFFFF, end.ssn + 1
        scenario.wait(wait_ns).sack(0)
    return scenario


@fires("RX-020")
def i_bit_after_200_ms():
    return immediate(200 * MS)


@silent("RX-020")
def i_bit_after_20_ms():
    return immediate(20 * MS)


@fires("RX-025")
def empty_data_taken():
    return received(2).data(1, size=0).sack(0).data(1).sack(0)


@silent("RX-025")
def empty_data_answered_by_abort():
    return received(2).data(1, size=0).sack(0).abort(0)


def closed(wait_ns, timer_ns=190 * MS):
    """The window closes; a probe is dropped, and the SACK that says so comes after wait_ns, others after timer_ns."""
    scenario = received(4, timer_ns)
    scenario.data(1)
    cum_tsn = scenario.ends[1].tsn - 1
    saying(scenario, cum_tsn, a_rwnd=0)
    scenario.data(1).wait(wait_ns)
    return saying(scenario, cum_tsn, a_rwnd=0)


@fires("RX-026")
def probe_answered_by_the_timer():
    return closed(190 * MS)


@silent("RX-026")
def probe_answered_at_once():
    return closed(0)


@fires("RX-026", asserted=COMPLETE_AT_END_0)
@silent("RX-026", judged=False)
@silent("RX-026", judged=False, asserted=COMPLETE)
def probe_answered_after_300_ms():
    return closed(300 * MS, 0)


@silent("RX-026", asserted=COMPLETE_AT_END_0)
def probe_answered_after_20_ms():
    return closed(20 * MS, 0)


@fires("RX-033")
def first_data_waits_for_the_timer():
    return received(4, 200 * MS)


@fires("RX-033")
def first_data_waits_for_the_second():
    scenario = ScenarioBuilder().set_up()
    for _ in range(3):
        scenario.data(1).wait(10 * MS).data(1).sack(0)
    return scenario


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
    scenario = received(10)
    scenario.send(1, chunks.shutdown(scenario.ends[0].tsn - 1)).send(0, chunks.shutdown_ack())
    for _ in range(4):
        again(scenario, scenario.ends[1].tsn - 1, gap_ns=50 * MS)
    return scenario


def silent_about_gaps(receiver, packets, is_reported=False, **options):
    """A TSN is lost; the receiver answers each packet behind it, and says what it has or only what it had before."""
    scenario = ScenarioBuilder().set_up()
    for _ in range(3):
        scenario.data(1 - receiver).sack(receiver)
    cum_tsn = scenario.ends[1 - receiver].tsn - 1
    scenario.lose(1 - receiver)
    for number in range(packets):
        scenario.data(1 - receiver)
        scenario.send(receiver, chunks.sack(cum_tsn, gaps=((2, 2 + number),) if is_reported else (), **options))
    return scenario


@fires("RX-034")
def gaps_never_reported():
    return silent_about_gaps(0, 7)


@fires("RX-034", accused=1)
def gaps_never_reported_by_the_far_end():
    return silent_about_gaps(1, 9)


@fires("RX-034", accused=1)
def sacks_without_packets():
    """Nothing is outstanding, and no packet passes."""
    scenario = ScenarioBuilder().set_up().data(0)
    for _ in range(8):
        scenario.sack(1)
    return scenario


@silent("RX-034", judged=False)
def gaps_reported():
    return silent_about_gaps(0, 9, is_reported=True)


@silent("RX-034")
def few_sacks_that_say_the_same():
    return silent_about_gaps(0, 5)


@silent("RX-034", judged=False)
def chunks_beyond_the_window():
    return silent_about_gaps(0, 9, a_rwnd=10)


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
        scenario.send(0, chunks.sack(scenario.ends[1].tsn - 1, a_rwnd=60000 + 5000 * number))
    return scenario
