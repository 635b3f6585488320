# SPDX-License-Identifier: GPL-2.0-or-later
"""Congestion control: how much is sent before a SACK, after a timeout, and when TSNs are retransmitted fast."""

from generate import chunks
from scenario_builder import MS, ScenarioBuilder, assertions
from register import fires, silent

FRAGMENT = b"f" * 1400
BEGIN, END = 2, 1


class Transfer(ScenarioBuilder):
    """After the set-up end 0 sends messages of 2,800 bytes in two packets each; TSNs count from 0."""

    def __init__(self, **options):
        super().__init__(**options)
        self.set_up()
        self.base, self.sent = self.ends[0].tsn, 0

    def data(self, *numbers, **options):
        parts = (chunks.data(self.base + n, FRAGMENT, flags=END if n % 2 else BEGIN) for n in numbers)
        return self.send(0, *parts, **options)

    def new(self, packets):
        for _ in range(packets):
            self.data(self.sent)
            self.sent += 1
        return self

    def sack(self, cum, *gaps, **options):
        """gaps: first and last TSN, counted from 0."""
        return self.send(1, chunks.sack(self.base + cum, gaps=[(first - cum, last - cum) for first, last in gaps]), **options)

    def grow(self, round_trips):
        """Four packets, then two more for each that a SACK acknowledges."""
        if self.sent == 0:
            self.new(4)
        for _ in range(round_trips):
            self.sack(self.sent - 3).new(3)
        return self


@fires("CC-001")
def ten_packets_at_once():
    return Transfer().new(10)


@silent("CC-001")
def four_packets_and_an_overbooked_one():
    return Transfer().new(5).sack(1).new(4)


@fires("CC-002")
def whole_file_after_first_sack():
    return Transfer().new(3).sack(1).new(30)


@silent("CC-002")
def growth_by_all_that_was_acked():
    scenario = Transfer().new(4)
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
    scenario.grow(6).sack(scenario.sent - 1)
    scenario.new(2).sack(scenario.sent - 2)
    return scenario.new(1).data(scenario.sent - 1, gap_ns=1100 * MS)


@fires("CC-003")
def two_packets_by_the_timer():
    scenario = timed_out(Transfer()).new(1)
    return scenario.sack(scenario.sent - 1, gap_ns=60 * MS)


@silent("CC-003")
def second_packet_after_an_rto():
    """Another timer may have sent it."""
    scenario = timed_out(Transfer()).new(1)
    scenario.flow.items[-1].gap_ns = 1200 * MS
    return scenario.sack(scenario.sent - 1, gap_ns=60 * MS)


@silent("CC-003")
def second_packet_after_the_sack():
    scenario = timed_out(Transfer())
    return scenario.sack(scenario.sent - 1).new(2)


@fires("CC-003")
def new_data_between_two_timeouts():
    scenario = timed_out(Transfer())
    lost = scenario.sent - 1
    scenario.wait(900 * MS).new(1)
    return scenario.data(lost, gap_ns=1200 * MS)


def lost_one(scenario):
    """A window of ten packets, whose first one is lost: the TSN."""
    scenario.grow(6).sack(scenario.sent - 1)
    lost = scenario.sent
    scenario.new(10)
    return lost


@fires("CC-005")
def retransmits_at_the_first_report():
    scenario = Transfer()
    for _ in range(2):
        lost = lost_one(scenario)
        scenario.sack(lost - 1, (lost + 1, lost + 1)).data(lost).sack(scenario.sent - 1)
        scenario.new(1).sack(scenario.sent - 1, gap_ns=60 * MS)
    return scenario


@silent("CC-005")
def retransmits_at_the_third_report():
    scenario = Transfer()
    lost = lost_one(scenario)
    for last in (1, 2, 3):
        scenario.sack(lost - 1, (lost + 1, lost + last), gap_ns=20 * MS if last == 1 else MS)
    return scenario.data(lost)


@silent("CC-005")
def reports_that_pass_before_what_they_report():
    """The tap is a millisecond from the sender: what three reports make it send again passes when the next three have passed."""
    scenario = Transfer()
    for _ in range(3):
        lost = lost_one(scenario)
        for last in range(1, 7):
            scenario.sack(lost - 1, (lost + 1, lost + last), gap_ns=20 * MS if last == 1 else MS // 5)
        scenario.data(lost).sack(lost - 1, (lost + 1, lost + 7), gap_ns=MS // 10)
        scenario.data(lost).sack(scenario.sent - 1)
        scenario.new(1).sack(scenario.sent - 1, gap_ns=60 * MS)
    return scenario


def repeated(scenario, gap_ns, reports=3):
    """A TSN is retransmitted fast, and gap_ns later again behind more reports."""
    lost = lost_one(scenario)
    for last in (1, 2, 3):
        scenario.sack(lost - 1, (lost + 1, lost + last), gap_ns=20 * MS if last == 1 else MS)
    scenario.data(lost)
    for last in range(4, 4 + reports):
        scenario.sack(lost - 1, (lost + 1, lost + last), gap_ns=gap_ns // reports)
    return scenario.data(lost).sack(scenario.sent - 1)


@fires("CC-007")
def retransmits_fast_at_every_report():
    return repeated(repeated(repeated(Transfer(), 3 * MS), 3 * MS), 3 * MS)


@fires("CC-007", asserted=assertions(complete=True, parameters=["* RTO.Min=1000"]))
def retransmits_once_more_at_the_next_report():
    return repeated(Transfer(), 3 * MS, 1)


@silent("CC-007", asserted=assertions(complete=True, parameters=["* RTO.Min=20"]), judged=False)
def retransmits_where_the_timer_may_have_expired():
    return repeated(Transfer(), 3 * MS, 1)


@silent("CC-007")
def retransmission_was_lost_too():
    return repeated(repeated(repeated(Transfer(), 90 * MS), 90 * MS), 90 * MS)
