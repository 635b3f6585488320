# SPDX-License-Identifier: GPL-2.0-or-later
"""Set-up: INIT, INIT ACK, cookies, what is sent too early, collisions and restarts."""

import random

from generate import chunks
from scenario_builder import COMPLETE, COMPLETE_NOT_CAPPED, MS, S, ScenarioBuilder, assertions
from register import fires, silent


def said(sender, vtag=None, make=None, **values):
    """A set-up whose INIT (sender 0) or INIT ACK (1) has other values."""
    scenario = ScenarioBuilder()
    ends = scenario.ends
    tag = values.pop("tag", ends[sender].tag)
    if sender == 0:
        return scenario.send(0, chunks.init(tag, ends[0].tsn, **values), vtag=0 if vtag is None else vtag)
    return scenario.init().send(1, chunks.init_ack(tag, ends[1].tsn, **values))


@fires("HS-001")
def init_with_tag():
    return said(0, vtag=77)


@silent("HS-001")
@silent("HS-002")
@silent("HS-004")
@silent("HS-005")
@silent("HS-006")
@silent("HS-003", 1)
@silent("HS-008", 1)
@silent("HS-010", 1)
@silent("HS-028", 1)
@silent("HS-029", 1)
@silent("HS-046", 1)
@silent("HS-012")
@silent("HS-013")
@silent("HS-030")
@silent("HS-057", 1)
def usual_set_up():
    return ScenarioBuilder().set_up().exchange(2)


@fires("HS-002")
def init_with_initiate_tag_0():
    return said(0, tag=0)


@fires("HS-003", 1)
def init_ack_with_initiate_tag_0():
    return said(1, tag=0)


@fires("HS-004")
def init_with_small_window():
    return said(0, a_rwnd=1499)


@silent("HS-004")
def window_of_1500_and_later_0():
    scenario = said(0, a_rwnd=1500).init_ack().cookie_echo().cookie_ack().data(1)
    return scenario.send(0, chunks.sack(scenario.ends[1].tsn - 1, a_rwnd=0))


@fires("HS-005")
def init_without_outbound_streams():
    return said(0, outbound=0)


@fires("HS-006", 1)
def init_ack_without_inbound_streams():
    return said(1, inbound=0)


@fires("HS-007", 1)
def init_ack_with_too_many_streams():
    return said(1, outbound=11)


@silent("HS-007", 1)
def init_ack_with_as_many_streams():
    return said(1, outbound=10, inbound=65535)


@silent("HS-007", 1, judged=False)
def collision_repeats_its_own_streams():
    scenario = ScenarioBuilder()
    scenario.init(0).send(1, chunks.init(scenario.ends[1].tag, scenario.ends[1].tsn, outbound=20), vtag=0)
    return scenario.send(1, chunks.init_ack(scenario.ends[1].tag, scenario.ends[1].tsn, outbound=20))


@fires("HS-008", 1)
def init_ack_without_cookie():
    scenario = ScenarioBuilder().init()
    end = scenario.ends[1]
    return scenario.send(1, chunks._setup(chunks.INIT_ACK, end.tag, end.tsn, 100000, 10, 10, b""))


@silent("HS-008", 1, judged=False)
def init_ack_cut_before_its_cookie():
    return ScenarioBuilder(snap=40).init().init_ack(params=chunks.address("10.0.0.2") * 4)


TWO = (("10.0.0.1", "10.1.0.1"), ("10.0.0.2", "10.1.0.2"))


@fires("HS-010", 1)
def init_ack_to_another_address():
    return ScenarioBuilder(TWO).init(params=chunks.address("10.1.0.1")).init_ack(destination=1)


@silent("HS-010", 1)
def init_from_two_addresses():
    return ScenarioBuilder(TWO).init().init(source=1).init_ack(destination=1)


@fires("HS-012")
@fires("HS-048", 1)
def another_cookie():
    return ScenarioBuilder(near_ns=MS // 10, far_ns=MS).init().init_ack(cookie=b"cookie..").cookie_echo(cookie=b"cookie!!").cookie_ack()


@silent("HS-012")
@silent("HS-048", 1)
@silent("HS-013")
def cookie_of_the_first_of_two():
    scenario = ScenarioBuilder(far_ns=MS)
    scenario.init().init_ack(cookie=b"one-").init().init_ack(cookie=b"two-")
    return scenario.cookie_echo(cookie=b"one-").cookie_ack()


@silent("HS-012", judged=False)
def cookie_of_an_unseen_init_ack():
    return ScenarioBuilder().init().init().init_ack(cookie=b"cookie..").cookie_echo(cookie=b"cookie!!").cookie_ack()


@fires("HS-013")
def cookie_of_one_tag_of_another():
    scenario = ScenarioBuilder()
    scenario.init().init_ack(cookie=b"one-", tag=0x11223344).init().init_ack(cookie=b"two-")
    return scenario.cookie_echo(cookie=b"one-").cookie_ack()


@fires("HS-015")
def data_before_cookie_ack():
    scenario = ScenarioBuilder().init().init_ack().cookie_echo().data(0).cookie_ack()
    return scenario.sack(1).exchange()


@silent("HS-015")
def data_with_cookie_echo():
    scenario = ScenarioBuilder().init().init_ack()
    end = scenario.ends[0]
    scenario.send(0, chunks.cookie_echo(), chunks.data(end.tsn, bytes(20))).cookie_ack()
    end.tsn, end.ssn = end.tsn + 1 & 0xFFFFFFFF, end.ssn + 1
    return scenario.sack(1).exchange()


@silent("HS-015")
def heartbeat_ack_stands_for_cookie_ack():
    scenario = ScenarioBuilder().init().init_ack().cookie_echo()
    return scenario.send(1, chunks.heartbeat()).data(0).cookie_ack().sack(1)


@fires("HS-017")
def data_before_cookie_echo():
    return ScenarioBuilder().init().init_ack().data(0).cookie_echo().cookie_ack().sack(1)


@silent("HS-017")
def data_after_cookie_echo():
    return ScenarioBuilder().init().init_ack().cookie_echo().cookie_ack().data(0).sack(1)


@fires("HS-018", 1)
def responder_sends_data_first():
    return ScenarioBuilder(near_ns=20 * MS, far_ns=MS // 10).init().init_ack().cookie_echo().data(1).cookie_ack().sack(0)


@silent("HS-018", 1)
def responder_bundles_data():
    scenario = ScenarioBuilder(near_ns=20 * MS, far_ns=MS // 10).init().init_ack().cookie_echo()
    return scenario.send(1, chunks.cookie_ack(), chunks.data(scenario.ends[1].tsn, bytes(20)))


@silent("HS-018", 1, judged=False)
def collision_whose_other_init_was_missed():
    scenario = ScenarioBuilder(near_ns=20 * MS, far_ns=MS // 10).init().init_ack()
    scenario.cookie_echo().send(1, chunks.cookie_echo(b"other..."), chunks.data(scenario.ends[1].tsn, bytes(20)))
    return scenario.cookie_ack(1).cookie_ack(0)


@silent("HS-018", 1, judged=False)
def cookie_ack_lost_and_repeated():
    scenario = ScenarioBuilder(near_ns=20 * MS, far_ns=MS // 10).init().init_ack().cookie_echo().data(1)
    return scenario.wait(S).cookie_echo().cookie_ack().sack(0)


@fires("HS-019")
def first_tsn_too_low():
    scenario = ScenarioBuilder().set_up()
    scenario.ends[0].tsn -= 5
    return scenario.data(0)


@silent("HS-019")
def first_tsn_lost():
    scenario = ScenarioBuilder().set_up()
    scenario.lose(0)
    return scenario.data(0).send(1, chunks.sack(scenario.ends[0].tsn - 3, gaps=[(2, 2)]))


@fires("HS-020", 1)
def first_sack_delayed():
    scenario = ScenarioBuilder(near_ns=20 * MS, far_ns=MS // 10).set_up()
    return scenario.data(0).wait(200 * MS).sack(1).data(0).data(0).sack(1)


@fires("HS-020", 1)
def first_sack_with_the_second():
    scenario = ScenarioBuilder(near_ns=20 * MS, far_ns=MS // 10).set_up()
    for _ in range(3):
        scenario.data(0).data(0).sack(1)
    return scenario


@silent("HS-020", 1)
def first_sack_missed_by_the_capture():
    scenario = ScenarioBuilder(near_ns=20 * MS, far_ns=MS // 10).set_up().data(0).data(0).sack(1)
    for _ in range(3):
        scenario.data(0).sack(1)
    return scenario


@silent("HS-020", 1, judged=False)
def first_data_missed_by_the_capture():
    scenario = ScenarioBuilder(near_ns=20 * MS, far_ns=MS // 10).set_up()
    scenario.lose(0)
    scenario.sack(1)
    for _ in range(3):
        scenario.data(0).data(0).sack(1)
    return scenario


@silent("HS-020", 1, judged=False)
def first_data_repeated():
    scenario = ScenarioBuilder(near_ns=20 * MS, far_ns=MS // 10).set_up().data(0)
    return scenario.wait(S).again(gap_ns=S, identification=scenario.new_id(0)).sack(1).data(0).wait(200 * MS).sack(1)


@silent("HS-020", 1)
def first_data_may_have_been_repeated_unseen():
    scenario = ScenarioBuilder(near_ns=20 * MS, far_ns=MS // 10).set_up()
    return scenario.data(0).wait(3 * S).sack(1).data(0).sack(1)


@silent("HS-020", 1)
def first_sack_at_once():
    scenario = ScenarioBuilder(near_ns=20 * MS, far_ns=MS // 10).set_up()
    return scenario.data(0).sack(1).data(0).wait(200 * MS).sack(1)


def repeated(scenario, times, part, **options):
    for number in range(times):
        scenario.send(0, part, gap_ns=(number + 1) * S, **options)
    return scenario


@fires("HS-023")
def ten_inits():
    scenario = ScenarioBuilder()
    return repeated(scenario, 10, chunks.init(scenario.ends[0].tag, scenario.ends[0].tsn), vtag=0)


@silent("HS-023")
def nine_inits():
    scenario = ScenarioBuilder()
    return repeated(scenario, 9, chunks.init(scenario.ends[0].tag, scenario.ends[0].tsn), vtag=0)


@fires("HS-024")
def ten_cookie_echoes():
    return repeated(ScenarioBuilder().init().init_ack(), 10, chunks.cookie_echo())


@silent("HS-024")
def cookie_echo_with_new_cookie():
    scenario = repeated(ScenarioBuilder().init().init_ack(), 8, chunks.cookie_echo())
    scenario.send(1, chunks.error(chunks.tlv(3, bytes(4)))).init().init_ack(cookie=b"later...")
    return repeated(scenario, 2, chunks.cookie_echo(b"later..."))


@fires("HS-028", 1)
def init_without_streams_accepted():
    return said(0, outbound=0).init_ack()


@fires("HS-029", 1)
def init_with_tag_0_accepted():
    return said(0, tag=0).init_ack(vtag=0)


@fires("HS-030")
def init_ack_without_streams_accepted():
    return said(1, inbound=0).cookie_echo().cookie_ack()


@fires("HS-031", 1)
def host_name_accepted():
    return ScenarioBuilder().init(params=chunks.tlv(chunks.HOST_NAME, b"host.example\0")).init_ack()


@silent("HS-031", 1, judged=False)
def host_name_refused():
    return ScenarioBuilder().init(params=chunks.tlv(chunks.HOST_NAME, b"host.example\0")).abort(1)


@fires("HS-033", 1)
def refusal_with_t_bit():
    return ScenarioBuilder().init().send(1, chunks.abort(t=True), vtag=0)


@silent("HS-033", 1)
def refusal_with_the_initiate_tag():
    return ScenarioBuilder().init().abort(1)


@fires("HS-037")
def collision_with_two_tags():
    scenario = ScenarioBuilder().init(0).init(1).init_ack(0, tag=0x55667788).init_ack(1)
    return scenario.cookie_echo(0).cookie_ack(1).exchange(3)


@silent("HS-037")
def collision_with_one_tag():
    scenario = ScenarioBuilder().init(0).init(1).init_ack(0).init_ack(1)
    return scenario.cookie_echo(0).cookie_ack(1).exchange(3)


@silent("HS-037", 1)
def init_ack_before_the_own_init():
    scenario = ScenarioBuilder().init(1).init_ack(0, tag=0x55667788).init(0).init_ack(1)
    return scenario.cookie_echo(0).cookie_ack(1).exchange(3)


def next_of(scenario, tags):
    """The next association of the two ends, in the same scenario."""
    again = ScenarioBuilder([end.addresses for end in scenario.ends], *scenario.gaps_ns, tags=tags)
    again.flow = scenario.flow
    return again


def restart(tag=None, listed=(), **options):
    """listed: addresses in the INIT of the restart."""
    scenario = ScenarioBuilder(near_ns=20 * MS, far_ns=MS // 10, **options).set_up().exchange().wait(S)
    again = next_of(scenario, (0x01234567, scenario.ends[1].tag if tag is None else tag))
    again.init(params=b"".join(map(chunks.address, listed)), gap_ns=S).init_ack().cookie_echo().cookie_ack()
    return scenario


@fires("HS-038", 1)
def restart_with_the_living_tag():
    return restart()


@silent("HS-038", 1)
def restart_with_a_new_tag():
    return restart(0x76543210)


@fires("HS-039", 1)
def restart_with_another_address():
    return restart(0x76543210, ("10.0.0.1", "10.0.0.7"))


@silent("HS-039", 1)
def restart_with_the_same_addresses():
    return restart(0x76543210, ("10.0.0.1",))


@silent("HS-039", 1)
def restart_with_one_of_two_addresses():
    return restart(0x76543210, ("10.0.0.1",), addresses=(["10.0.0.1", "10.0.0.7"], "10.0.0.2"))


@silent("HS-039", 1, judged=False)
def set_up_after_the_end_with_another_address():
    scenario = ScenarioBuilder().set_up().exchange().abort(1).wait(S)
    again = next_of(scenario, (0x01234567, 0x76543210))
    again.init(params=chunks.address("10.0.0.1") + chunks.address("10.0.0.7"), gap_ns=S).init_ack().cookie_echo().cookie_ack()
    return scenario


def after_shutdown(tags):
    scenario = ScenarioBuilder().set_up().exchange().shut_down()
    again = next_of(scenario, (tags[0] or scenario.ends[0].tag, tags[1] or scenario.ends[1].tag))
    again.set_up(gap_ns=10 * S).exchange()
    return scenario


@fires("HS-043")
def tag_used_again():
    return after_shutdown((None, 0x76543210))


@silent("HS-043")
def new_tags():
    return after_shutdown((0x01234567, 0x76543210))


@silent("HS-043")
def same_packets_twice():
    return after_shutdown((None, None))


def one_after_another(tags, tsns=None, close=True):
    """Associations of the same two ends, one for each tag of end 0; tsns: its Initial TSNs, random where not given."""
    peer_tags, tsns = random_words(len(tags), 1), tsns or random_words(len(tags), 2)
    scenario = again = ScenarioBuilder(tags=(tags[0], peer_tags[0]), tsns=(tsns[0], 7))
    for number, tag in enumerate(tags):
        if number > 0:
            again = ScenarioBuilder(tags=(tag, peer_tags[number]), tsns=(tsns[number], peer_tags[-number]))
            again.flow = scenario.flow
        again.set_up(gap_ns=10 * S).exchange()
        if close:
            again.shut_down()
    return scenario


def random_words(n, seed=7):
    draw = random.Random(seed)
    return [draw.randrange(1, 1 << 32) for _ in range(n)]


@fires("HS-044")
def tags_that_count():
    return one_after_another([0xFFFFFFFC + 0x1000001 * number & 0xFFFFFFFF for number in range(9)])


@fires("HS-044")
def tags_close_to_each_other():
    return one_after_another([0x12340000 + word % 0x10000 for word in random_words(9)])


@fires("HS-044")
def tags_that_repeat():
    return one_after_another([0x12340000] * 9)


@silent("HS-044")
@silent("HS-045")
def random_tags():
    return one_after_another(random_words(9))


@silent("HS-044", judged=False)
def few_tags_that_count():
    return one_after_another([100 + number for number in range(7)])


@silent("HS-044")
def a_random_tag_between_tags_that_count():
    return one_after_another([100, 101, 102, 103, 0x71234567, 104, 105, 106, 107])


@silent("HS-044", judged=False)
def restarts_with_tags_that_count():
    return one_after_another([100 + number for number in range(9)], close=False)


@fires("HS-045")
def tsns_that_count():
    return one_after_another(random_words(9), [0xFFFFFF00 + 64 * number & 0xFFFFFFFF for number in range(9)])


@silent("HS-045", judged=False)
def tsns_that_are_the_tags():
    return one_after_another(random_words(9), random_words(9))


@fires("HS-046", 1)
def large_init_ack():
    return ScenarioBuilder().init().init_ack(cookie=bytes(1400))


@fires("HS-052")
def second_cookie_echoed():
    scenario = ScenarioBuilder().init().init().init_ack(cookie=b"one-").cookie_echo(cookie=b"one-").init_ack(cookie=b"two-")
    return scenario.cookie_echo(cookie=b"two-").cookie_ack()


@silent("HS-052")
def second_cookie_ignored():
    scenario = ScenarioBuilder().init().init().init_ack(cookie=b"one-").cookie_echo(cookie=b"one-").init_ack(cookie=b"two-")
    return scenario.wait(S).cookie_echo(cookie=b"one-").cookie_ack().init_ack(cookie=b"one-").cookie_echo(cookie=b"one-")


@silent("HS-052", judged=False)
def second_cookie_after_stale():
    scenario = ScenarioBuilder().init().init_ack(cookie=b"one-").cookie_echo(cookie=b"one-").send(1, chunks.error(chunks.tlv(3, bytes(4))))
    return scenario.init().init_ack(cookie=b"two-").cookie_echo(cookie=b"two-").cookie_ack()


@fires("HS-057", 1)
def cookie_ack_to_unconfirmed():
    return ScenarioBuilder(TWO).init(params=chunks.address("10.1.0.1")).init_ack().cookie_echo(source=1).cookie_ack(destination=1)


@silent("HS-057", 1)
def cookie_ack_with_heartbeat():
    scenario = ScenarioBuilder(TWO).init(params=chunks.address("10.1.0.1")).init_ack().cookie_echo(source=1)
    return scenario.send(1, chunks.cookie_ack(), chunks.heartbeat(), destination=1)


def restarts(times):
    scenario = again = ScenarioBuilder().set_up().exchange()
    for number in range(times):
        again = next_of(scenario, (0x01230000 + number, 0x76540000 + number)).set_up(gap_ns=S).exchange()
    return scenario


@fires("SM-021", 0)
def two_restarts():
    return restarts(2)


@silent("SM-021", 0)
def one_restart():
    return restarts(1)


def init_ack_repeated(**first):
    return ScenarioBuilder().init().init_ack(**first).init(gap_ns=S).init_ack().cookie_echo().cookie_ack().exchange(2)


@fires("HS-009", 1, asserted=COMPLETE)
def init_ack_with_wrong_tag():
    return init_ack_repeated(vtag=0x12345678)


@silent("HS-009", 1, asserted=COMPLETE)
def init_ack_sent_twice():
    return init_ack_repeated()


@silent("HS-009", 1, judged=False)
def init_ack_for_an_init_that_was_missed_perhaps():
    return init_ack_repeated(vtag=0x12345678)


@fires("HS-059", asserted=COMPLETE)
def cookie_echo_before_init_ack():
    return ScenarioBuilder().init().cookie_echo(vtag=0x12345678, cookie=b"guessed.").init_ack().cookie_echo().cookie_ack().exchange(2)


@silent("HS-059", asserted=COMPLETE)
def cookie_echo_after_init_ack():
    return ScenarioBuilder().set_up().exchange(2)


@silent("HS-059", judged=False, asserted=COMPLETE)
def init_ack_that_is_not_in_the_capture_after_all():
    return ScenarioBuilder().init().cookie_echo().cookie_ack().exchange(2)


@silent("HS-059", judged=False, asserted=COMPLETE)
def init_ack_that_the_capture_has_too_late():
    return ScenarioBuilder().init().cookie_echo().init_ack().cookie_ack().exchange(2)


AT_RESPONDER = assertions(complete=True, taken_at=["10.0.0.2"])


def inits(*gaps_ns):
    scenario = ScenarioBuilder().init()
    for gap_ns in gaps_ns:
        scenario.init(gap_ns=gap_ns)
    return scenario


@fires("HS-025", asserted=COMPLETE_NOT_CAPPED)
def inits_a_second_apart():
    return inits(S + 10 * MS, S + 10 * MS, 2 * S + 20 * MS)


@silent("HS-025", asserted=COMPLETE_NOT_CAPPED)
def inits_backed_off():
    return inits(S, 2 * S, 4 * S, 8 * S)


@silent("HS-025", asserted=COMPLETE_NOT_CAPPED)
def inits_of_which_one_was_lost_before_tap():
    return inits(3 * S, 4 * S, 8 * S)


@silent("HS-025", asserted=assertions(complete=True, parameters=["* RTO.Max=4000"]))
def inits_up_to_rto_max():
    return inits(S, 2 * S, 4 * S, 4 * S)


@silent("HS-025", judged=False, asserted=COMPLETE)
def inits_perhaps_capped():
    return inits(S, S, S)


def echoes(*gaps_ns):
    scenario = ScenarioBuilder().init().init_ack().cookie_echo()
    for gap_ns in gaps_ns:
        scenario.cookie_echo(gap_ns=gap_ns)
    return scenario


@fires("HS-026", asserted=COMPLETE_NOT_CAPPED)
def cookie_echoes_a_second_apart():
    return echoes(S, S)


@silent("HS-026", asserted=COMPLETE_NOT_CAPPED)
def cookie_echoes_backed_off():
    return echoes(S, 2 * S, 4 * S)


@fires("HS-016", 1, asserted=AT_RESPONDER)
def fourth_cookie_echo_answered():
    return echoes(S, 2 * S, 4 * S).cookie_ack(gap_ns=MS).exchange(2)


@silent("HS-016", 1, asserted=AT_RESPONDER)
def third_cookie_echo_answered():
    return echoes(S, 2 * S).cookie_ack(gap_ns=MS).exchange(2)


@silent("HS-016", 1, asserted=AT_RESPONDER)
def each_cookie_echo_answered():
    scenario = ScenarioBuilder().init().init_ack()
    for number in range(5):
        scenario.cookie_echo(gap_ns=S << number).cookie_ack(gap_ns=MS)
    return scenario.exchange(2)


def late_init():
    return ScenarioBuilder().set_up().exchange().init(gap_ns=S)


@fires("HS-061", 1)
def late_init_answered_by_abort():
    return late_init().abort(1, causes=(chunks.tlv(13, b"INIT", last=True),))


@silent("HS-061", 1, judged=False)
def late_init_answered_by_init_ack():
    return late_init().init_ack().exchange()


@silent("HS-061", 1)
def late_init_and_then_the_user_aborts():
    return late_init().abort(1, causes=(chunks.user_abort(b"bye"),))


def collision(inits=3, answered=False):
    """Both send INIT, end 1 several; end 0 goes on with its own attempt, and answers those of end 1 or not."""
    scenario = ScenarioBuilder().init(0)
    for _ in range(inits):
        scenario.init(1, gap_ns=5 * MS)
    if answered:
        scenario.init_ack(0)
    return scenario.init_ack(1).cookie_echo(0).cookie_ack(1).exchange(3)


@fires("HS-014")
def inits_of_a_collision_not_answered():
    return collision()


@fires("HS-014", asserted=assertions(complete=True, taken_at=["10.0.0.1"]))
def one_init_of_a_collision_not_answered():
    return collision(1)


@silent("HS-014", judged=False)
def one_init_of_a_collision_perhaps_lost():
    return collision(1)


@silent("HS-014")
def inits_of_a_collision_answered():
    return collision(answered=True)


@silent("HS-014", judged=False, asserted=assertions(complete=True, taken_at=["10.0.0.1"]))
def init_of_the_peer_before_the_own():
    """It came in CLOSED, where nothing listened yet."""
    return ScenarioBuilder().init(1).wait(S).init(0).init_ack(1).cookie_echo(0).cookie_ack(1).exchange(3)
