# SPDX-License-Identifier: GPL-2.0-or-later
"""Timers: what intervals between transmissions show."""

from generate import chunks
from scenario_builder import MS, QUIET_AND_TIMED_AT_END_0, S, TIMED_AT_END_0, ScenarioBuilder, assertions
from register import fires, silent
from scripts import RELIABLE, Setting, alters, violates
from partial_reliability import forward, partially_reliable
from two_paths import TWO_PATHS, two_paths


def up(rounds=3):
    scenario = ScenarioBuilder().set_up()
    for _ in range(rounds):
        scenario.data().data().sack()
    return scenario


def again(scenario, tsn, *gaps_ns):
    """TSN tsn of end 0 sent again after each of the gaps."""
    for gap_ns in gaps_ns:
        scenario.send(0, chunks.data(tsn, bytes(20), ssn=tsn - scenario.ends[0].initial_tsn & 0xFFFF), gap_ns=gap_ns)
    return scenario


def unanswered(talk, *gaps_ns):
    """Two TSNs of the near end without an answer, the lower one sent again after the gaps."""
    near = talk.near
    lost = talk.rounds(near, 3).data(near).sent
    talk.data(near)
    for gap_ns in gaps_ns:
        talk.send(near, lost, gap_ns=gap_ns)
    return talk


def silence(*gaps_ns):
    return unanswered(ScenarioBuilder().set_up(), *gaps_ns)


ONE_WAY = Setting(where=lambda association: len(association.pairs(association.near)) == 1)


@violates("TM-001", ONE_WAY, causes=("TM-009",))
def timeout_of_half_a_second(talk):
    unanswered(talk, 400 * MS, 800 * MS, 1600 * MS, 3200 * MS)


@silent("TM-001")
@silent("TM-004")
@silent("TM-009")
@silent("TM-012")
@silent("TM-019")
def timeouts_of_one_second():
    return silence(1000 * MS, 2000 * MS, 4000 * MS, 8000 * MS, 16000 * MS)


@violates("TM-004", ONE_WAY)
def timeouts_not_doubled(talk):
    """The second alone, or some more, before the later ones double."""
    unanswered(talk, *[3 * S] * talk.rng.randrange(2, 5), 6 * S, 12 * S)


@fires("TM-004")
def second_timeout_as_long_as_first():
    return silence(1000 * MS, 1000 * MS, 2000 * MS, 4000 * MS)


@fires("TM-004")
def timeouts_held_before_they_double():
    return silence(1000 * MS, 1000 * MS, 1000 * MS, 2000 * MS, 4000 * MS)


AT_MOST_60_S = assertions(complete=True, taken_at=["10.0.0.1"], parameters=["10.0.0.1 RTO.Max=60000"])


def first_in_vain(end, *gaps_ns):
    """The first DATA of an association, never acknowledged, and sent again after the gaps."""
    scenario = ScenarioBuilder().set_up().data(end)
    for gap_ns in gaps_ns:
        scenario.send(end, chunks.data(scenario.ends[end].tsn - 1, bytes(20)), gap_ns=gap_ns)
    return scenario


@fires("TM-004", asserted=AT_MOST_60_S)
@silent("TM-004", judged=False)
def timeouts_of_the_first_data_held():
    return first_in_vain(0, S, S, S)


@fires("TM-004", accused=1, asserted=assertions(complete=True, taken_at=["10.0.0.2"], parameters=["* RTO.Max=8000"]))
def timeouts_of_the_first_data_of_the_responder_held():
    return first_in_vain(1, S, S, S)


@silent("TM-004", asserted=AT_MOST_60_S)
def timeouts_of_the_first_data_doubled():
    return first_in_vain(0, S, 2 * S, 4 * S, 8 * S)


def alone(*gaps_ns):
    """A TSN with nothing after it, sent again after the gaps."""
    scenario = up().data()
    return again(scenario, scenario.ends[0].tsn - 1, *gaps_ns)


@fires("TM-004")
def timeouts_of_a_lone_tsn_held():
    return alone(1000 * MS, 1000 * MS, 1000 * MS, 2000 * MS, 4000 * MS)


@silent("TM-004", judged=False)
def probes_of_a_lone_tsn():
    """Loss probes after two round trips and 200 ms, then timeouts."""
    return alone(240 * MS, 240 * MS, 240 * MS, 1000 * MS, 2000 * MS, 4000 * MS)


@silent("TM-004", judged=False)
def capped_timeouts_of_which_one_is_missing():
    """RTO.Max is 1 s: a timeout that passed unseen makes one interval longer, not two that double."""
    return silence(1000 * MS, 1000 * MS, 1000 * MS, 2000 * MS, 1000 * MS, 1000 * MS)


def heard(*gaps_ns):
    """As silence, but before each retransmission the peer sends a HEARTBEAT, which is answered."""
    scenario = up().data().data()
    tsn = scenario.ends[0].tsn - 2
    for gap_ns in gaps_ns:
        scenario.heartbeat(1, gap_ns=gap_ns // 2)
        again(scenario, tsn, gap_ns - gap_ns // 2)
    return scenario


@fires("TM-004")
def timeouts_held_while_the_peer_sends_heartbeats():
    return heard(1000 * MS, 1000 * MS, 1000 * MS, 2000 * MS, 4000 * MS)


@silent("TM-004")
def timeouts_doubled_while_the_peer_sends_heartbeats():
    return heard(1000 * MS, 2000 * MS, 4000 * MS, 8000 * MS)


@silent("TM-004")
def first_timeout_lost_before_tap():
    return silence(3000 * MS, 4000 * MS, 8000 * MS, 16000 * MS)


@silent("TM-004", judged=False)
def timeouts_capped():
    return silence(1000 * MS, 1000 * MS, 1000 * MS, 1000 * MS)


def heartbeat_answered_while_timer_runs(before_ns, running_ns, rest_ns):
    """Timeouts before_ns after each other; running_ns later a HEARTBEAT of end 0 is answered, and the timer expires rest_ns after that, and then after 2, 4 and 8 s."""
    scenario = silence(*before_ns).wait(running_ns).heartbeat(0)
    return again(scenario, scenario.ends[0].tsn - 2, rest_ns, 2 * S, 4 * S, 8 * S)


@silent("TM-004", judged=False)
def timer_of_eight_seconds_that_ran_on_when_an_answer_gave_an_rto_of_one():
    return heartbeat_answered_while_timer_runs((S, 2 * S, 4 * S), 5700 * MS, 2300 * MS)


@silent("TM-004", judged=False)
def timer_of_four_seconds_that_ran_on_when_a_later_tsn_was_acknowledged():
    scenario = silence(S, 2 * S)
    hole = scenario.ends[0].tsn - 2
    scenario.data(gap_ns=S).send(1, chunks.sack(hole - 1, gaps=((3, 3),)))
    return again(scenario, hole, 2980 * MS, 2 * S, 4 * S, 8 * S)


@fires("TM-004")
def timeouts_held_after_an_answer_that_came_before_the_timer_started():
    scenario = up().heartbeat(0).data().data()
    return again(scenario, scenario.ends[0].tsn - 2, S, S, 2 * S, 4 * S)


@fires("TM-004")
def timeouts_held_after_a_sack_that_restarted_the_timer():
    scenario = up().data().wait(800 * MS).data().data()
    tsn = scenario.ends[0].tsn - 2
    scenario.send(1, chunks.sack(tsn - 1))
    return again(scenario, tsn, 2 * S, 2 * S, 4 * S, 8 * S)


def late_sack(talk, first_ns):
    """A SACK for a TSN sent long before, then a timeout of the next after first_ns, with 1 s, doubled, after that."""
    near, far = talk.near, talk.far
    lost = talk.rounds(near, 3).data(near).wait(800 * MS).data(near).sent
    talk.data(near).sack(far, 2)
    for gap_ns in (first_ns, 2 * S, 4 * S):
        talk.send(near, lost, gap_ns=gap_ns)
    return talk


@violates("TM-009", ONE_WAY)
def timer_goes_on_after_sack(talk):
    late_sack(talk, 180 * MS)


@silent("TM-009")
def timer_restarted_by_sack():
    return late_sack(ONE_WAY.made(), 1000 * MS)


def sack_while_timer_runs(wait_ns, answer_ns):
    """Round trips of 60 ms; a SACK leaves two TSNs, the lower is sent again after wait_ns, both are acknowledged answer_ns later."""
    scenario = ScenarioBuilder(far_ns=60 * MS).set_up()
    for _ in range(5):
        scenario.data().data().sack()
    scenario.data().wait(20 * MS).data().data()
    tsn = scenario.ends[0].tsn - 2
    scenario.send(1, chunks.sack(tsn - 1), gap_ns=40 * MS)
    return again(scenario, tsn, wait_ns).sack(gap_ns=answer_ns)


@fires("TM-009")
def timeout_within_a_round_trip_of_sack():
    return sack_while_timer_runs(30 * MS, 10 * MS)


@silent("TM-009")
def timeout_a_round_trip_after_sack():
    return sack_while_timer_runs(90 * MS, 10 * MS)


@silent("TM-009", judged=False)
def perhaps_missed_by_an_unseen_sack():
    return sack_while_timer_runs(30 * MS, 60 * MS)


@silent("TM-009", judged=False)
def heartbeat_between():
    scenario = up().data().wait(800 * MS).data().data()
    tsn = scenario.ends[0].tsn - 2
    scenario.send(1, chunks.sack(tsn - 1))
    again(scenario, tsn, 180 * MS).heartbeat(0, answered=False)
    return again(scenario, tsn, 2000 * MS, 4000 * MS)


def heartbeat_answered_late(started_ns):
    """A HEARTBEAT is answered after 4 s, which gives an RTO of 4.5 s; data started the timer so long after it, and timeouts follow 1, 10 and 19 s after that."""
    scenario = up(10).send(0, chunks.heartbeat(b"late")).wait(started_ns).data().data()
    tsn = scenario.ends[0].tsn - 2
    scenario.send(1, chunks.heartbeat_ack(b"late"), gap_ns=4 * S - started_ns)
    return again(scenario, tsn, started_ns - 3 * S, 9 * S, 18 * S)


@silent("TM-009", judged=False)
def timer_of_one_second_that_ran_on_when_an_answer_gave_a_longer_rto():
    return heartbeat_answered_late(3400 * MS)


@silent("TM-009", judged=False)
def lone_tsn_probed():
    scenario = up(10).data().data().wait(280 * MS).sack().data()
    tsn = scenario.ends[0].tsn - 1
    return again(scenario, tsn, 300 * MS, 2000 * MS, 4000 * MS)


def given_up(*gaps_ns):
    """Timeouts after the gaps, but for the last, which is when an ABORT leaves."""
    return silence(*gaps_ns[:-1]).abort(gap_ns=gaps_ns[-1])


def backed_off(timeouts):
    return [min(1 << number, 60) * S for number in range(timeouts)]


@violates("TM-013", ONE_WAY)
def given_up_after_five_timeouts(talk):
    unanswered(talk, *backed_off(4)).abort(talk.near, gap_ns=16 * S)


@fires("TM-013")
def given_up_after_fourteen_timeouts():
    return given_up(*backed_off(14))


@fires("TM-013")
def given_up_at_a_low_cap():
    return given_up(S, 2 * S, 4 * S, 4 * S, 4 * S)


@silent("TM-013")
def given_up_after_eleven_timeouts():
    return given_up(*backed_off(11))


@silent("TM-013")
def given_up_after_eleven_timeouts_of_which_few_passed():
    return given_up(*backed_off(5), sum(backed_off(11)[5:]))


@silent("TM-013")
def given_up_by_its_user():
    return given_up(*backed_off(4), 5 * S)


@violates("TM-012", ONE_WAY)
def thirty_timeouts(talk):
    unanswered(talk, *backed_off(30))


@violates("TM-019", ONE_WAY)
def timeouts_do_not_grow(talk):
    unanswered(talk, *[S] * 10)


@fires("TM-012")
@fires("TM-019")
@silent("TM-019", asserted=assertions(parameters=["* RTO.Max=1000"]))
@fires("TM-019", asserted=assertions(parameters=["* RTO.Max=2000"]))
def thirty_timeouts_of_a_second():
    return silence(*[S] * 30)


@silent("TM-019")
@silent("TM-019", asserted=assertions(parameters=["10.0.0.1 RTO.Max=60000"]))
@silent("TM-019", asserted=assertions(parameters=["10.0.0.2 RTO.Max=120000"]))
@fires("TM-019", asserted=assertions(parameters=["10.0.0.1 RTO.Max=120000"]))
def timeouts_that_stay_at_sixty_seconds():
    return silence(*backed_off(6), *[60 * S] * 4)


@alters("TM-002")
def init_again_too_soon(editor):
    init = editor.association(lambda association: association.steps[1] == 1).init.packet
    editor.end_after(init)
    editor.again(init, 400 * MS)
    return 0


@silent("TM-002", judged=False)
def init_cut_at_another_interface():
    """It passes there by a clock of its own, 17 ms later, with its first 40 bytes alone."""
    scenario = ScenarioBuilder()
    scenario.snaps = {1: 40}
    addresses = chunks.address("10.0.0.1") * 4
    return scenario.init(params=addresses).again(interface=1, ttl=60, gap_ns=17 * MS).init_ack().cookie_echo().cookie_ack().exchange(2)


@silent("TM-002", judged=False)
def init_cut_at_the_interface_that_shows_it_first():
    scenario = ScenarioBuilder()
    scenario.snaps = {1: 40}
    addresses = chunks.address("10.0.0.1") * 4
    return scenario.init(params=addresses, interface=1, ttl=60).again(interface=0, ttl=64, gap_ns=17 * MS).init_ack().cookie_echo().cookie_ack()


@fires("TM-002")
@silent("TM-002", asserted=assertions(parameters=["10.0.0.1 RTO.Initial=500"]))
@silent("TM-002", asserted=assertions(parameters=["* RTO.Max=500"]))
@fires("TM-002", asserted=assertions(parameters=["* RTO.Initial=1000"]))
def init_again_after_half_a_second():
    return ScenarioBuilder().init().init(gap_ns=500 * MS).init_ack().cookie_echo().cookie_ack().exchange(2)


@silent("TM-002", asserted=assertions(parameters=["* RTO.Initial=3000"]))
@silent("TM-002", asserted=assertions(parameters=["* RTO.Initial=1000"]))
@fires("TM-002", asserted=assertions(parameters=["10.0.0.1 RTO.Initial=5000"]))
@silent("TM-002", asserted=assertions(parameters=["10.0.0.1 RTO.Initial=5000 RTO.Max=3000"]))
@silent("TM-002")
def init_again_after_three_seconds():
    return ScenarioBuilder().init().init(gap_ns=3000 * MS).init_ack().cookie_echo().cookie_ack().exchange(2)


def messages(talk, wait_ns):
    """Lone messages that are acknowledged only when they came twice; sent again after wait_ns."""
    near, far = talk.near, talk.far
    talk.rounds(near, 30)
    for _ in range(6):
        talk.data(near).send(near, talk.sent, gap_ns=wait_ns).sack(far, duplicates=(talk.last_tsn(near),), gap_ns=30 * MS)
    return talk


@violates("TM-008", ONE_WAY)
def timeout_within_sack_delay(talk):
    messages(talk, talk.gaps_ns[talk.far] + 100 * MS)


@silent("TM-008")
def timeout_beyond_sack_delay():
    return messages(ONE_WAY.made(), 400 * MS)


def heartbeats_answered(scenario, n, gap_ns=15 * S):
    """End 1 sends HEARTBEATs, which end 0 answers, each of both the gap after the packet before."""
    for _ in range(n):
        scenario.heartbeat(1, gap_ns=gap_ns, answer_gap_ns=gap_ns)
    return scenario


@violates("TM-006", RELIABLE.also(lambda association: association.is_single() and not association.has(chunks.RE_CONFIG)))
def never_sent_again(talk):
    """Nothing acknowledges a message, its sender probes the path, and never sends the message again."""
    talk.rounds(talk.near, 3).data(talk.near)
    for _ in range(12):
        talk.wait(talk.rng.randrange(8 * S, 14 * S)).heartbeat(talk.near)


@fires("TM-006")
def data_forgotten():
    return heartbeats_answered(up().data(), 4)


@silent("TM-006")
def timer_restarted_by_the_ack_of_the_tsn_before():
    scenario = silence(S, 2 * S, 4 * S, 8 * S)
    tsn = scenario.ends[0].tsn - 1
    scenario.send(1, chunks.sack(tsn - 1), gap_ns=8 * S)
    return again(scenario.heartbeat(1).heartbeat(1), tsn, 15 * S)


@silent("TM-006")
def timer_that_stays_backed_off_though_round_trips_were_measured():
    scenario = silence(3 * S, 6 * S, 12 * S, 24 * S).sack().data().sack().data().sack().data()
    tsn = scenario.ends[0].tsn - 1
    return again(scenario.heartbeat(1, gap_ns=7 * S).heartbeat(1, gap_ns=7 * S).heartbeat(1, gap_ns=7 * S), tsn, 5 * S)


def retransmitted_after(gap_ns):
    scenario = up().data()
    tsn = scenario.ends[0].tsn - 1
    return again(heartbeats_answered(scenario, 3, gap_ns // 6), tsn, 0)


@silent("TM-006", judged=False)
def tsn_that_is_retransmitted_within_the_longest_timeout():
    return retransmitted_after(59 * S)


@fires("TM-006")
def tsn_that_is_retransmitted_after_the_longest_timeout():
    return retransmitted_after(66 * S)


@fires("TM-006")
def tsn_forgotten_after_another_was_retransmitted_late():
    scenario = retransmitted_after(59 * S)
    return heartbeats_answered(scenario.sack().data().sack().data(), 20)


@silent("TM-006", judged=False)
def nothing_outstanding():
    return heartbeats_answered(up().data().sack(), 4)


@fires("TM-006")
def hole_never_filled():
    scenario = up().data()
    hole = scenario.ends[0].tsn - 1
    for number in range(100):
        scenario.data(gap_ns=300 * MS).send(1, chunks.sack(hole - 1, gaps=((2, number + 2),)))
    return scenario


@fires("TM-001")
def two_timeouts_within_a_second():
    return silence(250 * MS, 500 * MS)


@silent("TM-001", asserted=assertions(parameters=["10.0.0.1 RTO.Min=250"]))
@silent("TM-001", asserted=assertions(parameters=["* RTO.Max=280"]))
@fires("TM-001", asserted=assertions(parameters=["10.0.0.1 RTO.Min=1000"]))
@fires("TM-001", asserted=assertions(parameters=["10.0.0.2 RTO.Min=250"]))
def timeouts_of_a_quarter_of_a_second():
    return silence(250 * MS, 500 * MS)


@fires("TM-001")
def timeouts_after_a_heartbeat_was_answered():
    scenario = up().heartbeat(1).data().data()
    return again(scenario, scenario.ends[0].tsn - 2, 250 * MS, 500 * MS)


@silent("TM-001")
def loss_probe_and_timeout():
    return silence(250 * MS, 1000 * MS)


@fires("TM-001")
@silent("TM-001", asserted=assertions(parameters=["10.0.0.1 RTO.Initial=250"]))
@silent("TM-001", asserted=assertions(parameters=["* RTO.Min=200 RTO.Initial=500"]))
@fires("TM-001", asserted=assertions(parameters=["10.0.0.1 RTO.Initial=1000"]))
@fires("TM-001", asserted=assertions(parameters=["10.0.0.2 RTO.Initial=250"]))
def timeouts_before_a_round_trip_was_measured():
    """What was acked was sent twice, which measures nothing (6.3.1 C5): RTO.Initial is what the timer takes."""
    scenario = ScenarioBuilder().set_up().data()
    again(scenario, scenario.ends[0].tsn - 1, 250 * MS).sack().data().data()
    return again(scenario, scenario.ends[0].tsn - 2, 250 * MS, 500 * MS)


@fires("TM-001", asserted=assertions(parameters=["10.0.0.1 RTO.Initial=250"]))
def timeouts_after_round_trips_of_a_sender_with_a_short_rto_initial():
    return silence(250 * MS, 500 * MS)


def seven_timeouts_at(limit):
    return assertions(complete=True, taken_at=["10.0.0.1"], parameters=[f"10.0.0.1 Association.Max.Retrans={limit}"])


@fires("TM-021", asserted=seven_timeouts_at(4))
@fires("TM-021", asserted=seven_timeouts_at(5))
@silent("TM-021", asserted=seven_timeouts_at(7))
@silent("TM-021", asserted=seven_timeouts_at(10))
@silent("TM-021", judged=False)
def seven_timeouts():
    return silence(*backed_off(7))


@silent("TM-021", asserted=seven_timeouts_at(4))
def four_timeouts_answered_and_four_more():
    return silence(*backed_off(4)).sack(1)


@fires("TM-022", asserted=TIMED_AT_END_0)
def data_not_retransmitted_while_heartbeats_pass():
    return ScenarioBuilder().set_up().exchange(2).data(0).heartbeat(0, gap_ns=3 * S).heartbeat(0, gap_ns=3 * S)


@fires("TM-022", asserted=QUIET_AND_TIMED_AT_END_0)
@silent("TM-022", asserted=TIMED_AT_END_0, judged=False)
def data_is_the_last_packet():
    return ScenarioBuilder().set_up().exchange(2).data(0)


@silent("TM-022", asserted=QUIET_AND_TIMED_AT_END_0)
def data_retransmitted_when_the_timer_expires_then_acknowledged():
    scenario = ScenarioBuilder().set_up().exchange(2)
    data = chunks.data(scenario.ends[0].tsn, bytes(20), ssn=scenario.ends[0].ssn)
    return scenario.data(0).send(0, data, gap_ns=S).send(0, data, gap_ns=2 * S).sack(1).heartbeat(0, gap_ns=10 * S)


@silent("TM-022", asserted=QUIET_AND_TIMED_AT_END_0, judged=False)
def data_that_leaves_right_after_an_abort_came():
    """Its sender has not taken the ABORT yet; then it has no association, and no timer."""
    return up().abort(1).data(0, gap_ns=2 * MS)


@silent("TM-022", asserted=QUIET_AND_TIMED_AT_END_0, judged=False)
def data_acknowledged_in_time_while_more_is_sent():
    scenario = ScenarioBuilder().set_up()
    for _ in range(8):
        scenario.data(0, gap_ns=S).sack(1)
    return scenario


TIMERS_AT_END_0 = assertions(complete=True, taken_at=["10.0.0.1"], parameters=["10.0.0.1 RTO.Initial=1000 RTO.Min=1000 RTO.Max=60000"])


@fires("TM-022", asserted=TIMERS_AT_END_0)
@silent("TM-022", asserted=TIMED_AT_END_0)
def data_retransmitted_after_two_seconds_where_one_is_asserted():
    return silence(2 * S)


@silent("TM-022", asserted=TIMERS_AT_END_0)
def data_retransmitted_half_a_second_late():
    return silence(1500 * MS)


@silent("TM-022", asserted=TIMERS_AT_END_0)
def data_retransmitted_after_two_seconds_by_an_rto_that_was_doubled():
    """What was acknowledged had been retransmitted, so that no round trip was measured since the timeout."""
    scenario = up().data()
    again(scenario, scenario.ends[0].tsn - 1, S).sack().data()
    return again(scenario, scenario.ends[0].tsn - 1, 2 * S)


@silent("TM-022", asserted=TIMERS_AT_END_0, judged=False)
def data_outstanding_for_long_while_acks_come():
    scenario = up()
    for _ in range(4):
        scenario.data(0, gap_ns=800 * MS).sack(1, 1)
    return scenario.sack()


@fires("TM-022", asserted=TIMERS_AT_END_0)
def neither_retransmitted_nor_given_up():
    return partially_reliable().data(0).heartbeat(0, gap_ns=3 * S)


@silent("TM-022", asserted=TIMERS_AT_END_0)
def given_up_by_forward_tsn_when_the_timer_expires():
    scenario = partially_reliable().data(0)
    return forward(scenario, ((0, 2),), gap_ns=S).heartbeat(0, gap_ns=3 * S)


@fires("TM-022", asserted=TIMERS_AT_END_0)
def data_not_retransmitted_while_the_peer_shuts_down():
    scenario = up().data()
    shutdown = chunks.shutdown(scenario.ends[0].tsn - 2)
    return scenario.send(1, shutdown, gap_ns=S).send(1, shutdown, gap_ns=S).data(0, gap_ns=S)


@fires("TM-022", asserted=TIMERS_AT_END_0)
def data_acknowledged_long_after_its_timer_must_have_expired():
    return up().data().sack(gap_ns=3 * S)


@silent("TM-022", asserted=TIMERS_AT_END_0, judged=False)
def data_acknowledged_when_its_timer_may_be_late():
    return up().data().sack(gap_ns=1500 * MS)


def silence_with_heartbeats(*gaps_ns):
    """As silence, but the sender's HEARTBEATs go unanswered, too."""
    scenario = up().data().data()
    tsn = scenario.ends[0].tsn - 2
    for gap_ns in gaps_ns:
        again(scenario, tsn, gap_ns).heartbeat(0, answered=False)
    return scenario


TWICE_AT_END_0 = assertions(
    complete=True, taken_at=["10.0.0.1"], parameters=["10.0.0.1 RTO.Initial=1000 RTO.Min=1000 RTO.Max=4000 Association.Max.Retrans=2"]
)


@fires("TM-021", asserted=TWICE_AT_END_0)
def three_timeouts_where_two_are_asserted_between_heartbeats():
    return silence_with_heartbeats(S, 2 * S, 4 * S)


@silent("TM-021", asserted=TWICE_AT_END_0)
def two_timeouts_where_two_are_asserted_between_heartbeats():
    return silence_with_heartbeats(S, 2 * S)


TEN_AT_END_0 = assertions(
    complete=True, taken_at=["10.0.0.1"], parameters=["10.0.0.1 RTO.Initial=1000 RTO.Min=1000 RTO.Max=4000 Association.Max.Retrans=10"]
)


@fires("TM-013", asserted=TEN_AT_END_0)
@silent("TM-013", judged=False)
def abort_as_the_second_timeout_is_due():
    return silence(S).send(0, chunks.abort(), gap_ns=2 * S)


@silent("TM-013", asserted=TEN_AT_END_0, judged=False)
def abort_while_the_timer_runs():
    return silence(S).send(0, chunks.abort(), gap_ns=1900 * MS)


@fires("TM-013", asserted=TEN_AT_END_0)
def abort_as_the_second_timeout_of_a_lone_tsn_is_due():
    return alone(S).send(0, chunks.abort(), gap_ns=2 * S)


@silent("TM-013", asserted=TEN_AT_END_0, judged=False)
def abort_while_the_timer_of_a_lone_tsn_runs():
    return alone(S).send(0, chunks.abort(), gap_ns=1500 * MS)


TIMERS_AT_BOTH_OF_END_0 = assertions(
    complete=True, taken_at=TWO_PATHS[0], parameters=[f"{address} RTO.Initial=1000 RTO.Min=1000 RTO.Max=60000" for address in TWO_PATHS[0]]
)


def to_both_in_turn(*gaps_ns, beats_ns=None):
    """Two TSNs, never acknowledged: the first goes to the other address after each gap. beats_ns: so long before the last, a HEARTBEAT there."""
    scenario = two_paths().data(0, gap_ns=S).data(0)
    tsn, ssn = scenario.ends[0].tsn - 2, scenario.ends[0].ssn - 2
    for place, gap_ns in enumerate(gaps_ns, 1):
        if beats_ns and place == len(gaps_ns):
            scenario.heartbeat(0, answered=False, gap_ns=gap_ns - beats_ns, source=(place + 1) % 2, destination=(place + 1) % 2)
            gap_ns = beats_ns
        scenario.send(0, chunks.data(tsn, bytes(20), ssn=ssn), source=place % 2, destination=place % 2, gap_ns=gap_ns)
    return scenario


@fires("TM-023", asserted=TIMERS_AT_BOTH_OF_END_0)
def timeouts_of_two_paths_in_turn_never_doubled():
    return to_both_in_turn(S, S, S, S, S)


@fires("TM-023", asserted=TIMERS_AT_BOTH_OF_END_0)
def timeout_not_doubled_as_a_heartbeat_leaves():
    return to_both_in_turn(S, S, S, S, S, beats_ns=MS)


@silent("TM-023", asserted=TIMERS_AT_BOTH_OF_END_0)
def timeouts_of_two_paths_in_turn_by_rtos_of_their_own():
    return to_both_in_turn(S, S, 2 * S, 2 * S, 4 * S, 4 * S)


@silent("TM-023", asserted=TIMERS_AT_BOTH_OF_END_0)
def data_moved_from_an_address_that_does_not_answer_heartbeats():
    return to_both_in_turn(S, S, 2 * S, 2 * S, 1500 * MS, beats_ns=1100 * MS)


def lone_tsn_heard_before_the_third_time(shuts_down):
    """A TSN retransmitted each second; before the last time the peer shuts down, or opens its window, and acknowledges nothing new."""
    scenario = alone(S, S)
    cum = scenario.ends[0].tsn - 2
    scenario.send(1, chunks.shutdown(cum) if shuts_down else chunks.sack(cum, a_rwnd=200_000), gap_ns=300 * MS)
    return again(scenario, cum + 1, 700 * MS)


@fires("TM-023", asserted=TIMERS_AT_END_0)
def timeout_not_doubled_behind_a_shutdown():
    return lone_tsn_heard_before_the_third_time(shuts_down=True)


@silent("TM-023", asserted=TIMERS_AT_END_0)
def retransmission_for_which_a_window_may_have_opened():
    return lone_tsn_heard_before_the_third_time(shuts_down=False)


@fires("TM-023", asserted=TIMERS_AT_END_0)
@silent("TM-023", judged=False)
def timeout_of_half_a_second_where_one_is_asserted():
    return silence(500 * MS)


@fires("TM-023", asserted=TIMERS_AT_END_0)
def second_timeout_not_backed_off_where_one_second_is_asserted():
    return silence(1000 * MS, 1000 * MS)


@fires("TM-023", asserted=TIMERS_AT_END_0)
@silent("TM-023", asserted=assertions(complete=True, taken_at=["10.0.0.1"], parameters=["10.0.0.1 RTO.Initial=1000 RTO.Min=400 RTO.Max=60000"]))
def timeout_of_half_a_second_after_a_heartbeat_ack():
    scenario = up().data().data()
    tsn = scenario.ends[0].tsn - 2
    scenario.heartbeat(0)
    return again(scenario, tsn, 500 * MS)


@silent("TM-023", asserted=TIMERS_AT_END_0, judged=False)
def packet_retransmitted_that_may_be_too_big():
    """It is larger than all that arrived; by a slow link the router told so later than a small packet takes there and back (RFC 9260 7.3)."""
    scenario = up().data(size=1100).data()
    large = scenario.flow.items[-2]
    return scenario.send(0, *large.chunks, gap_ns=60 * MS)


@fires("TM-023", asserted=TIMERS_AT_END_0)
def timer_not_restarted_where_its_rto_is_asserted():
    scenario = up().data()
    tsn = scenario.ends[0].tsn
    scenario.data().data().send(1, chunks.sack(tsn - 1), gap_ns=600 * MS)
    return again(scenario, tsn, 400 * MS)


@fires("TM-023", asserted=TIMERS_AT_END_0)
def acknowledged_tsn_retransmitted_by_a_timer_that_was_not_stopped():
    scenario = up().data().sack(gap_ns=250 * MS)
    return again(scenario, scenario.ends[0].tsn - 1, 50 * MS)


@silent("TM-023", asserted=TIMERS_AT_END_0)
def acknowledged_tsn_retransmitted_when_the_timer_was_due():
    scenario = up().data().sack(gap_ns=950 * MS)
    return again(scenario, scenario.ends[0].tsn - 1, 50 * MS)


@silent("TM-023", asserted=TIMERS_AT_END_0, judged=False)
def loss_probe_of_a_lone_tsn():
    return alone(250 * MS)


@silent("TM-023", asserted=TIMERS_AT_END_0)
def timeouts_that_double_where_the_rto_is_asserted():
    return silence(1000 * MS, 2000 * MS, 4000 * MS)


@silent("TM-023", asserted=TIMERS_AT_END_0)
def timeout_a_tick_early_where_the_rto_is_asserted():
    return silence(990 * MS)


LEFT_OUT = [
    ("TM-003", "merged into TM-009", "a timeout within a round trip is one whose timer was not restarted"),
    ("TM-005", "dropped", "a cap of the RTO is optional"),
    ("TM-007", "left out", "spurious retransmissions are measured and shown as such; what a rule adds is TM-008"),
    ("TM-010", "dropped", "duplicate of CC-003"),
    ("TM-011", "dropped", "the RTO does not prove which samples were used"),
    ("TM-014", "dropped", "neither the counter nor its limit is visible"),
    ("TM-015", "left out", "no deviation; idle time before a timeout is shown as a stall"),
    ("TM-016", "left out", "the share of retransmissions is measured; TX-027 tells of a TSN that does not arrive"),
    ("TM-017", "left out", "a gate, not a rule: remarks on the capture (clock, reordered) are the core's"),
    ("TM-018", "left out", "a gate, not a rule: retransmissions of kind report, and ICMP, silence TM-004 and TM-009"),
    ("TM-020", "merged into TM-013", "the number under which it was first written; TM-013 is the one that it was left out by before"),
]
