# SPDX-License-Identifier: GPL-2.0-or-later
"""Congestion control: how much is sent before a SACK, after a timeout, and when TSNs are retransmitted fast."""

import functools

from generate import chunks
from scenario_builder import COMPLETE_AT_END_0, MS, ScenarioBuilder, assertions
from register import fires, silent
from scripts import Setting, violates
from captured_associations import CapturedAssociation
from continuation import Continuation
from partial_reliability import SUPPORTS_PARTIAL

SIZE = 1400
BEGIN, END = 2, 1


class TransferSteps:
    """The near end sends messages of 2,800 bytes in two packets each; TSNs count from 0. count: of those that it has begun."""

    count = 0

    @functools.cached_property
    def base(self):
        return self.ends[self.near].tsn

    @functools.cached_property
    def made(self):
        return []

    def part(self, number):
        assert self.base is not None
        while len(self.made) <= number:
            self.made.append(self.chunk(self.near, size=SIZE, flags=END if len(self.made) % 2 else BEGIN))
        return self.made[number]

    def data(self, *numbers, **options):
        return self.send(self.near, *map(self.part, numbers), **options)

    def new(self, packets):
        for _ in range(packets):
            self.data(self.count)
            self.count += 1
        return self

    def sack(self, cum, *gaps, **options):
        """gaps: first and last TSN."""
        gaps = [(first - cum, last - cum) for first, last in gaps]
        return self.send(self.far, chunks.sack(self.base + cum, self.ends[self.far].a_rwnd, gaps), **options)

    def reports(self, lost, lasts, gap_ns=MS):
        """SACKs for all behind the lost one, up to each of these."""
        for last in lasts:
            self.sack(lost - 1, (lost + 1, lost + last), gap_ns=None if last == 1 else gap_ns)
        return self

    def grow(self, round_trips):
        """Four packets, then two more for each that a SACK acknowledges."""
        if self.count == 0:
            self.new(4)
        for _ in range(round_trips):
            self.sack(self.count - 3).new(3)
        return self


class Transfer(TransferSteps, ScenarioBuilder):
    near, far = 0, 1


class TransferInCapture(TransferSteps, Continuation):
    pass


TRANSFER = Setting(is_young=True, is_reliable=True, where=CapturedAssociation.is_single, synthetic=Transfer, captured=TransferInCapture)


def transfer(params=(b"", b""), **options):
    return Transfer(**options).set_up(params)


TIMERS = "RTO.Initial=1000 RTO.Min=1000 RTO.Max=60000"


def of_end_0(parameters):
    """The capture is complete and was taken at end 0, of which the parameters are asserted."""
    return assertions(complete=True, taken_at=["10.0.0.1"], parameters=[f"10.0.0.1 {parameters}"])


@violates("CC-001", TRANSFER)
def ten_packets_at_once(talk):
    talk.new(10)


@silent("CC-001")
def four_packets_and_an_overbooked_one():
    return transfer().new(5).sack(1).new(4)


def window_given_up(left_out, wait_ns):
    """Partial reliability was agreed on: the first four packets, and left_out TSNs after them, may be given up wait_ns later."""
    scenario = transfer(params=(SUPPORTS_PARTIAL, SUPPORTS_PARTIAL)).new(4)
    scenario.count += left_out
    return scenario.wait(wait_ns).new(4)


@silent("CC-001")
def window_given_up_with_the_end_of_its_message():
    return window_given_up(2, 70 * MS)


@fires("CC-001")
def window_that_no_life_is_short_enough_to_give_up():
    return window_given_up(0, 0)


def after_a_large_packet(packets):
    """Two messages of 3,000 bytes went whole: the PMTU was larger, how large nothing shows; then messages are fragmented to 1,400 bytes."""
    scenario = transfer()
    for number in range(2):
        scenario.send(0, chunks.data(scenario.base + number, b"m" * 3000))
    scenario.count = 2
    return scenario.new(packets)


@silent("CC-001")
def initial_window_of_a_pmtu_that_shrank():
    return after_a_large_packet(12)


@silent("CC-001", judged=False)
def initial_window_of_a_user_who_limits_fragments():
    """Three fragments fit into a packet, so that it is not the PMTU that limits them; that may be 9,000."""
    scenario = transfer()
    for number in range(0, 24, 3):
        parts = [chunks.data(scenario.base + number + n, bytes(460), flags=(BEGIN, 0, END)[n], ssn=number // 3) for n in range(3)]
        scenario.send(0, *parts)
    return scenario


def small_fragments(size):
    """Each in a packet of its own: the user limits them, or the PMTU is that small."""
    scenario = transfer()
    for number in range(18):
        scenario.send(0, chunks.data(scenario.base + number, bytes(size), flags=END if number % 2 else BEGIN, ssn=number // 2))
    return scenario


@silent("CC-001", judged=False)
def initial_window_of_a_user_who_limits_fragments_to_less_than_any_path():
    return small_fragments(500)


@fires("CC-001", asserted=COMPLETE_AT_END_0, certainty="probable")
def initial_window_of_small_fragments_that_a_pmtu_explains():
    """A user may want them so small: "smaller than or equal to the AMDCS" (6.9)."""
    return small_fragments(600)


@silent("CC-002", judged=False)
def cwnd_of_a_pmtu_that_shrank_to_that_of_an_ethernet():
    """A message of 1,470 bytes went whole, in an IP packet of 1,518; then fragments of 1,450 bytes fill those of 1,500."""
    scenario = transfer().send(0, chunks.data(transfer().base, b"m" * 1470)).sack(0)
    for number in range(24):
        part = chunks.data(scenario.base + 1 + number, bytes(1452), flags=END if number % 2 else BEGIN, ssn=1 + number // 2)
        scenario.send(0, part)
    return scenario


@silent("CC-002", judged=False)
def cwnd_of_a_pmtu_that_shrank():
    return after_a_large_packet(0).sack(1).new(30)


def whole_messages_at_once(packets):
    """Messages of 1,400 bytes, each in a packet: nothing shows how large a packet might be."""
    scenario = ScenarioBuilder().set_up()
    for _ in range(packets):
        scenario.data(size=1400)
    return scenario


@fires("CC-001", asserted=COMPLETE_AT_END_0)
@fires("CC-001")
def more_than_any_ethernet_allows_at_once():
    return whole_messages_at_once(25)


@silent("CC-001", asserted=of_end_0("PMTU=9000"))
def initial_window_of_a_large_pmtu_in_small_fragments():
    return small_fragments(600)


@fires("CC-001", asserted=of_end_0("PMTU=1500"), certainty="proven")
@silent("CC-001", asserted=of_end_0("PMTU=9000"))
@silent("CC-001")
def eight_packets_at_once():
    return whole_messages_at_once(8)


@silent("CC-001", asserted=of_end_0("PMTU=1500"))
def five_packets_of_the_asserted_pmtu():
    return whole_messages_at_once(5)


@silent("CC-001", judged=False)
def burst_within_one_host():
    scenario = ScenarioBuilder(addresses=("127.0.0.1", "127.0.0.1")).set_up()
    for _ in range(25):
        scenario.data(size=1400)
    return scenario


@silent("CC-001")
def as_much_as_jumbo_frames_allow():
    return whole_messages_at_once(19)


@violates("CC-002", TRANSFER)
def whole_file_after_first_sack(talk):
    talk.new(3).sack(1).new(30)


@fires("CC-002", asserted=COMPLETE_AT_END_0, certainty="probable")
@fires("CC-002", asserted=of_end_0("PMTU=1500"), certainty="proven")
@silent("CC-002", asserted=of_end_0("PMTU=9000"))
def more_than_a_small_pmtu_allows_after_the_first_sack():
    return transfer().new(3).sack(1).new(30)


def more_than_cwnd_of_a_sender_that_gives_up(left_out):
    """Partial reliability was agreed on; TSNs may be left out, as the end of a message that was given up."""
    scenario = transfer(params=(SUPPORTS_PARTIAL, SUPPORTS_PARTIAL)).new(3).sack(1)
    scenario.count += left_out
    return scenario.new(30)


@fires("CC-002")
def more_than_cwnd_though_nothing_shows_that_any_was_given_up():
    return more_than_cwnd_of_a_sender_that_gives_up(0)


@silent("CC-002", judged=False)
@silent("CC-002", asserted=COMPLETE_AT_END_0, judged=False)
def more_than_cwnd_after_a_message_given_up_before_its_end():
    return more_than_cwnd_of_a_sender_that_gives_up(1)


@silent("CC-002")
def growth_by_all_that_was_acked():
    scenario = transfer().new(4)
    for acked in (3, 11, 27):
        scenario.sack(acked).new(acked + 5)
    return scenario


@silent("CC-002", judged=False)
def many_small_messages():
    """Nothing shows how large its packets may be: its PMTU may be 9,000."""
    scenario = ScenarioBuilder().set_up()
    for n in range(20):
        scenario.send(0, chunks.data(scenario.ends[0].tsn + n, b"m" * 1000))
    return scenario


def timed_out(scenario):
    """The last packet is lost, and sent again by the timer."""
    scenario.grow(6).sack(scenario.count - 1)
    scenario.new(2).sack(scenario.count - 2)
    return scenario.new(1).data(scenario.count - 1, gap_ns=1100 * MS)


@violates("CC-003", TRANSFER)
def two_packets_by_the_timer(talk):
    timed_out(talk).new(1).wait(60 * MS).sack(talk.count - 1)


def window_times_out(more, gap_ns=MS, sack_again_ns=0):
    """Three packets are lost behind one; the timer sends the first of them again; sack_again_ns before, the SACK of that one comes once more."""
    scenario = transfer().new(4).sack(0, gap_ns=20 * MS)
    if sack_again_ns:
        scenario.sack(0, gap_ns=1080 * MS - sack_again_ns)
    scenario.data(1, gap_ns=sack_again_ns or 1080 * MS)
    for number in range(more):
        scenario.data(2 + number, gap_ns=gap_ns)
    return scenario


@fires("CC-003", asserted=of_end_0(TIMERS))
@silent("CC-003", asserted=COMPLETE_AT_END_0)
def two_packets_by_the_timer_and_no_answer():
    return window_times_out(1)


@silent("CC-003", asserted=of_end_0(TIMERS))
def one_packet_by_the_timer_and_no_answer():
    return window_times_out(0)


@silent("CC-003", asserted=of_end_0(TIMERS))
def second_packet_by_the_timer_of_another_chunk():
    """What has a timer of its own may follow after as long."""
    return window_times_out(1, 200 * MS)


@silent("CC-003", asserted=of_end_0(TIMERS))
def packet_after_a_sack_that_came_with_the_timer():
    """The host has not taken the SACK yet when the timer expires."""
    return window_times_out(1, sack_again_ns=5 * MS)


@silent("CC-003")
def second_packet_after_an_rto():
    """Another timer may have sent it."""
    scenario = timed_out(transfer()).new(1)
    scenario.flow.items[-1].gap_ns = 1200 * MS
    return scenario.sack(scenario.count - 1, gap_ns=60 * MS)


@silent("CC-003")
def packet_of_the_timer_captured_twice():
    scenario = timed_out(transfer()).again(gap_ns=5300)
    return scenario.sack(scenario.count - 1, gap_ns=60 * MS)


def marked_and_let_go_by_a_sack(timer_ns):
    """The timer sends the lowest TSN again timer_ns after the others; what it marked and new data answer a SACK, 2 ms later."""
    scenario = transfer().grow(6)
    scenario.sack(scenario.count - 1)
    lost = scenario.count
    scenario.new(6).sack(lost - 1, (lost + 1, lost + 1), (lost + 3, lost + 4), gap_ns=timer_ns - 15 * MS).wait(15 * MS).data(lost)
    scenario.sack(lost - 1, (lost + 1, lost + 1), (lost + 3, lost + 5), gap_ns=28 * MS).wait(2 * MS).data(lost + 2).new(1)
    return scenario.sack(scenario.count - 1, gap_ns=22 * MS)


@silent("CC-003", judged=False)
def marked_by_a_timer_that_nothing_surely_shows():
    """After 235 ms a loss probe may have sent it as well."""
    return marked_and_let_go_by_a_sack(235 * MS)


@silent("CC-003")
def second_packet_after_the_sack():
    scenario = timed_out(transfer())
    return scenario.sack(scenario.count - 1).new(2)


def missed_after_the_timer(misses):
    """The timer sent the first one of a window; SACKs report it missing again, and it is sent once more, with the next that cwnd allows."""
    scenario = transfer()
    lost = lost_one(scenario)
    scenario.data(lost, gap_ns=1100 * MS).wait(1900 * MS)
    for number in range(misses):
        scenario.sack(lost - 1, (lost + 1, lost + 1 + number), gap_ns=MS // 20)
    scenario.data(lost, gap_ns=3 * MS // 2).data(scenario.count, gap_ns=3000)
    scenario.count += 1
    return scenario.sack(scenario.count - 1, gap_ns=60 * MS)


@silent("CC-003")
def fast_retransmission_after_three_more_misses():
    """RFC 9260 7.2.4: what the timer sent may be retransmitted fast, and no timer sent it then."""
    return missed_after_the_timer(3)


@fires("CC-003")
def two_packets_by_the_timer_after_one_miss():
    return missed_after_the_timer(1)


@fires("CC-003")
def new_data_between_two_timeouts():
    scenario = timed_out(transfer())
    lost = scenario.count - 1
    scenario.wait(900 * MS).new(1)
    return scenario.data(lost, gap_ns=1200 * MS)


def lost_one(scenario):
    """A window of ten packets, whose first one is lost: the TSN."""
    scenario.grow(6).sack(scenario.count - 1)
    lost = scenario.count
    scenario.new(10)
    return lost


@violates("CC-005", TRANSFER)
def retransmits_at_the_first_report(talk):
    for _ in range(2):
        lost = lost_one(talk)
        talk.reports(lost, (1,)).data(lost).sack(talk.count - 1).new(1).wait(60 * MS).sack(talk.count - 1)


@silent("CC-005", judged=False)
def marked_by_what_may_be_a_timer():
    """RFC 9260 6.3.3 E3: something sends the lowest TSN again, into a closed window, and its SACK lets the next marked one go."""
    scenario = transfer()
    for _ in range(2):
        lost = lost_one(scenario)
        scenario.send(1, chunks.sack(scenario.base + lost - 1, a_rwnd=0)).data(lost, gap_ns=22 * MS)
        scenario.sack(lost, (lost + 5, lost + 5)).data(lost + 1).sack(scenario.count - 1)
        scenario.new(1).sack(scenario.count - 1, gap_ns=60 * MS)
    return scenario


@silent("CC-005", asserted=COMPLETE_AT_END_0)
def marked_by_a_timer_that_expires_after_the_third_report():
    """The RTO is that of a sender that measured less jitter: 10 ms after the third report T3-rtx sends the lowest TSN; a SACK lets the next one go."""
    scenario = transfer().new(1).sack(0).new(4).sack(0, (2, 2)).new(2).sack(0, (2, 3), gap_ns=MS).sack(0, (2, 4), gap_ns=MS)
    scenario.wait(10 * MS).data(1).sack(0, (2, 4), (6, 6), gap_ns=8 * MS).data(5)
    return scenario.sack(6, gap_ns=20 * MS)


@silent("CC-005")
def doubled_by_the_network():
    """The copy passes sooner than a SACK for the first one reaches its sender and what that sends the tap; there are no identifications."""
    scenario = transfer(near_ns=MS, far_ns=MS // 50, identification=0).grow(6)
    scenario.sack(scenario.count - 1)
    for _ in range(3):
        first = scenario.count
        scenario.data(first).data(first + 1, gap_ns=0).sack(first + 1).data(first + 2, gap_ns=0).sack(first + 2)
        scenario.count += 3
        scenario.data(first + 1, gap_ns=4 * MS // 10).sack(first + 2)
    return scenario


def lost_after_two_round_trips(reported, wait_ns):
    """No RTO is known below 20 ms, which a timer may have; wait_ns after the SACK the lost TSN is retransmitted."""
    scenario = ScenarioBuilder(far_ns=MS // 10).set_up()
    for _ in range(2):
        scenario.data(size=1000).sack()
    tsn = scenario.ends[0].tsn
    for _ in range(5):
        scenario.data(size=1000)
    for last in range(2, 2 + reported):
        scenario.send(1, chunks.sack(tsn - 1, gaps=((2, last),)), gap_ns=20 * MS if last == 2 else MS // 10)
    return scenario.send(0, chunks.data(tsn, bytes(1000), ssn=2), gap_ns=wait_ns)


@fires("CC-005", asserted=COMPLETE_AT_END_0)
@silent("CC-005", judged=False)
def retransmits_right_after_the_first_report():
    return lost_after_two_round_trips(1, MS // 5)


@silent("CC-005", asserted=COMPLETE_AT_END_0, judged=False)
def retransmits_a_while_after_the_first_report():
    return lost_after_two_round_trips(1, 15 * MS)


@silent("CC-005", asserted=COMPLETE_AT_END_0)
def retransmits_right_after_the_third_report():
    return lost_after_two_round_trips(3, MS // 5)


@silent("CC-005", asserted=COMPLETE_AT_END_0)
def timer_expires_while_the_sack_for_it_comes():
    """Round trips without jitter: RTO is one of them (6.3.1); what is retransmitted was acknowledged 1 us before."""
    scenario = transfer().grow(6)
    scenario.sack(scenario.count - 1)
    for _ in range(2):
        lost = scenario.count
        scenario.new(3).sack(lost + 2, gap_ns=20 * MS).data(lost, gap_ns=1000)
    return scenario.sack(scenario.count - 1)


def missed_before_and_after_the_timer(before):
    """SACKs report a TSN missing, the timer sends it again; at the next report, which names a higher one, it is sent once more."""
    scenario = transfer()
    lost = lost_one(scenario)
    scenario.reports(lost, range(1, 1 + before))
    scenario.data(lost, gap_ns=1100 * MS).wait(2 * MS).sack(lost - 1, (lost + 1, lost + 1 + before), gap_ns=18 * MS).data(lost)
    return scenario.sack(scenario.count - 1, gap_ns=60 * MS)


@silent("CC-005", asserted=COMPLETE_AT_END_0)
def retransmits_at_the_third_report_of_which_the_timer_came_between():
    return missed_before_and_after_the_timer(2)


@fires("CC-005", asserted=COMPLETE_AT_END_0)
def retransmits_at_the_first_report_after_the_timer():
    return missed_before_and_after_the_timer(0)


def lost_to_a_smaller_pmtu(size, is_fragmented=False):
    """Packets of 2,800 bytes are too large for the path; each SACK lets one go again, in IP fragments, or with size bytes."""
    scenario = transfer().grow(6)
    scenario.sack(scenario.count - 1)
    lost = scenario.count
    for first in (lost, lost + 2, lost + 4):
        scenario.data(first, first + 1)
    scenario.count += 6
    scenario.new(1)
    for first in (lost, lost + 2, lost + 4):
        scenario.sack(first - 1, (lost + 6, lost + 6)).data(*((first, first + 1) if size > 1500 else (first,)))
        scenario.fragmented |= {len(scenario.flow.items)} if is_fragmented else set()
    return scenario.sack(scenario.count - 1)


@silent("CC-005", asserted=COMPLETE_AT_END_0)
def retransmits_in_ip_fragments_what_is_too_large_now():
    return lost_to_a_smaller_pmtu(2800, is_fragmented=True)


@silent("CC-005", asserted=COMPLETE_AT_END_0)
def retransmits_in_smaller_packets_what_is_too_large_now():
    return lost_to_a_smaller_pmtu(1400)


@silent("CC-005", asserted=COMPLETE_AT_END_0)
def retransmits_what_no_ethernet_takes_as_it_was():
    """IP fragments that something put together before the packet was captured leave no trace."""
    return lost_to_a_smaller_pmtu(2800)


@silent("CC-005")
def retransmits_at_the_third_report():
    scenario = transfer()
    lost = lost_one(scenario)
    scenario.reports(lost, (1, 2, 3))
    return scenario.data(lost)


@silent("CC-005")
def reports_that_pass_before_what_they_report():
    """The tap is a millisecond from the sender: what three reports make it send again passes when the next three have passed."""
    scenario = transfer()
    for _ in range(3):
        lost = lost_one(scenario)
        scenario.reports(lost, range(1, 7), MS // 5)
        scenario.data(lost).sack(lost - 1, (lost + 1, lost + 7), gap_ns=MS // 10)
        scenario.data(lost).sack(scenario.count - 1)
        scenario.new(1).sack(scenario.count - 1, gap_ns=60 * MS)
    return scenario


def repeated(scenario, gap_ns, reports=3):
    """A TSN is retransmitted fast, and gap_ns later again behind more reports."""
    lost = lost_one(scenario)
    scenario.reports(lost, (1, 2, 3))
    scenario.data(lost)
    scenario.reports(lost, range(4, 4 + reports), gap_ns // reports)
    return scenario.data(lost).sack(scenario.count - 1)


@violates("CC-007", TRANSFER)
def retransmits_fast_at_every_report(talk):
    for _ in range(3):
        repeated(talk, 3 * MS)


@fires("CC-007", asserted=assertions(complete=True, parameters=["* RTO.Min=1000"]), certainty="proven")
def retransmits_once_more_at_the_next_report():
    return repeated(transfer(), 3 * MS, 1)


@silent("CC-007", asserted=assertions(complete=True, parameters=["* RTO.Min=20"]), judged=False)
def retransmits_where_the_timer_may_have_expired():
    return repeated(transfer(), 3 * MS, 1)


def timers_at_end_0(rto_min_ms):
    return assertions(complete=True, taken_at=["10.0.0.1"], parameters=[f"10.0.0.1 RTO.Initial=1000 RTO.Min={rto_min_ms} RTO.Max=60000"])


@fires("CC-007", asserted=timers_at_end_0(1000))
@silent("CC-007", asserted=timers_at_end_0(20))
def retransmits_fast_once_more_after_a_round_trip():
    return repeated(transfer(), 90 * MS)


@silent("CC-007", asserted=timers_at_end_0(400), judged=False)
def retransmitted_fast_and_marked_by_the_timer():
    """Two TSNs are lost; the second one, which was retransmitted fast, follows the first one that the timer sent, as the SACK for that lets it go."""
    scenario = transfer().grow(6)
    scenario.sack(scenario.count - 1)
    lost = scenario.count
    scenario.new(11).sack(lost - 1, (lost + 2, lost + 2), gap_ns=20 * MS).sack(lost - 1, (lost + 2, lost + 3), gap_ns=MS)
    scenario.sack(lost - 1, (lost + 2, lost + 4), gap_ns=MS).data(lost).data(lost + 1)
    for last in range(5, 8):
        scenario.sack(lost - 1, (lost + 2, lost + last), gap_ns=MS)
    scenario.data(lost, gap_ns=500 * MS).sack(lost, (lost + 2, lost + 8), gap_ns=20 * MS)
    scenario.sack(lost, (lost + 2, lost + 9), gap_ns=MS).sack(lost, (lost + 2, lost + 10), gap_ns=MS).data(lost + 1)
    return scenario.sack(scenario.count - 1)


@silent("CC-007")
def retransmission_was_lost_too():
    return repeated(repeated(repeated(transfer(), 90 * MS), 90 * MS), 90 * MS)


def missing_thrice(reports=3, again_ns=None):
    """The lowest TSN outstanding is left out by so many SACKs, each for a TSN more; after a time, it comes again."""
    scenario = transfer()
    lost = lost_one(scenario)
    scenario.sack(lost - 1)
    scenario.reports(lost, range(1, reports + 1))
    if again_ns:
        scenario.data(lost, gap_ns=again_ns).sack(scenario.count - 1)
    return scenario.heartbeat(1, gap_ns=2000 * MS)


@silent("CC-006", asserted=COMPLETE_AT_END_0, judged=False)
def missing_thrice_and_perhaps_too_big():
    """No packet as large as the lost one arrived: ICMP may have told that it is too big, and it is sent again as cwnd allows (7.3)."""
    scenario = ScenarioBuilder().set_up().exchange(2).data()
    tsn = scenario.ends[0].tsn - 1
    scenario.sack(1).data(size=1200)
    for _ in range(3):
        scenario.data()
    for last in range(2, 5):
        scenario.send(1, chunks.sack(tsn, gaps=((2, last),)), gap_ns=20 * MS if last == 2 else MS)
    return scenario.heartbeat(1, gap_ns=2000 * MS)


@fires("CC-006", asserted=COMPLETE_AT_END_0)
@silent("CC-006", judged=False)
def missing_thrice_and_never_sent_again():
    return missing_thrice()


@fires("CC-006", asserted=COMPLETE_AT_END_0)
def missing_thrice_and_sent_again_by_the_timer():
    return missing_thrice(again_ns=1000 * MS)


@silent("CC-006", asserted=COMPLETE_AT_END_0)
def missing_thrice_and_sent_again_by_a_busy_host():
    return missing_thrice(again_ns=300 * MS)


@silent("CC-006", asserted=COMPLETE_AT_END_0, judged=False)
def missing_twice_and_sent_again_by_the_timer():
    return missing_thrice(reports=2, again_ns=1000 * MS)


def losses_in_a_row(*again_ns):
    """One TSN after the other is missing thrice, and sent again so long after the third report."""
    scenario = transfer()
    for gap_ns in again_ns:
        first = scenario.count
        scenario.new(5)
        scenario.sack(first - 1, gap_ns=MS)
        for last in (2, 3, 4):
            scenario.sack(first - 1, (first + 1, first + last), gap_ns=MS)
        scenario.data(first, gap_ns=gap_ns).sack(scenario.count - 1)
    return scenario


@fires("CC-006")
def two_losses_repaired_by_the_timer_alone():
    return losses_in_a_row(1000 * MS, 1000 * MS)


@silent("CC-006", judged=False)
def loss_repaired_by_the_timer_between_two_repaired_at_once():
    return losses_in_a_row(MS, 1000 * MS, MS)


def missing_thrice_with_partial_reliability(told_ns=None):
    """What is missing may be given up; after a time a FORWARD-TSN tells it."""
    scenario = transfer(params=(SUPPORTS_PARTIAL, SUPPORTS_PARTIAL))
    lost = lost_one(scenario)
    scenario.sack(lost - 1)
    scenario.reports(lost, range(1, 4))
    if told_ns:
        scenario.send(0, chunks.forward_tsn(scenario.base + lost, ((0, 0),)), gap_ns=told_ns)
        scenario.sack(scenario.count - 1)
    return scenario.heartbeat(1, gap_ns=2000 * MS)


@fires("CC-006", asserted=COMPLETE_AT_END_0)
def missing_thrice_and_neither_sent_again_nor_given_up():
    return missing_thrice_with_partial_reliability()


@silent("CC-006", asserted=COMPLETE_AT_END_0)
def missing_thrice_and_given_up():
    return missing_thrice_with_partial_reliability(400 * MS)


def second_loss(is_in_recovery):
    """One TSN is missing thrice and retransmitted; then another, which left before the retransmission, or after all was acknowledged."""
    scenario = transfer().new(10)
    for last in (1, 2, 3):
        scenario.sack(-1, (1, last), gap_ns=MS)
    scenario.data(0, gap_ns=MS)
    lost = 4
    if not is_in_recovery:
        scenario.sack(9, gap_ns=MS).new(6)
        lost = 10
    scenario.sack(lost - 1, gap_ns=MS)
    scenario.reports(lost, (1, 2, 3))
    return scenario.heartbeat(1, gap_ns=2000 * MS)


@fires("CC-006", asserted=COMPLETE_AT_END_0)
def missing_thrice_after_another_loss():
    return second_loss(False)


@silent("CC-006", asserted=COMPLETE_AT_END_0)
def missing_thrice_in_fast_recovery():
    return second_loss(True)


TIMERS_AT_END_0 = assertions(complete=True, taken_at=["10.0.0.1"], parameters=["10.0.0.1 RTO.Min=1000 RTO.Max=60000"])


def after_a_loss(window):
    """Of 32 packets outstanding the first is lost, and retransmitted fast; then each SACK acknowledges two, and window packets are outstanding."""
    scenario = transfer().new(4)
    for packets in (8, 16, 32):
        scenario.sack(scenario.count - 1).new(packets)
    lost = scenario.count - 32
    for last in (1, 2, 3):
        scenario.sack(lost - 1, (lost + 1, lost + last))
    scenario.data(lost)
    for _ in range(10):
        lost += 2
        scenario.sack(lost).new(max(window - (scenario.count - 1 - lost), 0))
    return scenario


@fires("CC-020", asserted=COMPLETE_AT_END_0)
@silent("CC-020", judged=False)
@silent("CC-002", asserted=COMPLETE_AT_END_0)
def cwnd_kept_after_a_loss():
    return after_a_loss(32)


@silent("CC-020", asserted=COMPLETE_AT_END_0)
@silent("CC-002", asserted=COMPLETE_AT_END_0)
@silent("CC-019", asserted=COMPLETE_AT_END_0)
def cwnd_halved_after_a_loss():
    return after_a_loss(16)


def after_a_pause(window, pause_ns):
    """32 packets are acknowledged; window packets leave so much later."""
    scenario = transfer().new(4)
    for packets in (8, 16, 32):
        scenario.sack(scenario.count - 1).new(packets)
    return scenario.sack(scenario.count - 1).wait(pause_ns).new(window)


@fires("CC-019", asserted=TIMERS_AT_END_0)
@silent("CC-019", asserted=COMPLETE_AT_END_0)
@silent("CC-002", asserted=TIMERS_AT_END_0)
def window_at_once_after_a_pause():
    return after_a_pause(32, 20_000 * MS)


@silent("CC-019", asserted=TIMERS_AT_END_0)
def initial_window_after_a_pause():
    return after_a_pause(4, 20_000 * MS)


@silent("CC-019", asserted=TIMERS_AT_END_0)
def window_at_once_after_less_than_two_rtos():
    return after_a_pause(32, 1900 * MS)


def whole_messages_after_a_pause(size, packets):
    """No message is fragmented; each SACK acknowledges two, and two follow it, each in a packet; in the end all are acknowledged, and so many leave after
    a pause."""
    scenario = ScenarioBuilder().set_up()
    first = scenario.ends[0].tsn
    for _ in range(20):
        scenario.data(size=size)
    for number in range(10):
        scenario.send(1, chunks.sack(first + 2 * number + 1)).data(size=size).data(size=size, gap_ns=10_000)
    scenario.sack().wait(20_000 * MS)
    for _ in range(packets):
        scenario.data(size=size)
    return scenario


@fires("CC-019", asserted=TIMERS_AT_END_0)
def window_after_a_pause_in_packets_that_bundle_nothing():
    """Two messages of 1,000 bytes do not fit into a packet of Ethernet."""
    return whole_messages_after_a_pause(1000, 20)


@silent("CC-019", asserted=TIMERS_AT_END_0)
def window_after_a_pause_of_a_sender_that_never_bundles():
    """Two messages of 500 bytes would fit: nothing shows how large its packets may be."""
    return whole_messages_after_a_pause(500, 40)


LEFT_OUT = [
    ("CC-004", "merged into CC-002", "its MUST part, growth by no more than was acked, is in the bound of cwnd; L above 1 is allowed"),
    ("CC-008", "left out", "needs cwnd to within a packet during recovery; how much was marked and by what is not visible"),
    ("CC-009", "left out",
     "whether cwnd was reduced shows only in a sender that fills it, and a flight that drains for other reasons looks the same; the"
     " reference sender shows it"),
    ("CC-010", "left out", "ssthresh after a loss is only known to within what was outstanding, and growth may be slow start for as long"),
    ("CC-011", "left out", "bursts of messages handed down late, batched SACKs and offload look the same"),
    ("CC-012", "left out", "the adjustment may raise cwnd, and keeping it is common: CC-002 bounds what may follow"),
    ("CC-013", "merged into CC-002", "the bound of cwnd grows only by SACKs that find it fully utilized"),
    ("CC-014", "dropped", "cwnd is not visible, and more careful control is allowed"),
    ("CC-015", "merged into CC-001", "the same test, made for each path"),
    ("CC-016", "merged into CC-001", "a restarted association is a new one, whose first burst is judged as any"),
    ("CC-017", "dropped", "which SACKs were counted is not visible; CC-005 is the decidable part"),
    ("CC-018", "left out", "a sender may be as careful as it likes, and may wait for its application between fragments"),
]
