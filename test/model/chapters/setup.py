# SPDX-License-Identifier: GPL-2.0-or-later
"""Set-up: INIT and INIT ACK, what is sent too early, collisions and restarts."""

import random

from generate import chunks
from scenario_builder import COMPLETE, COMPLETE_AT_END_0, COMPLETE_AT_END_1, COMPLETE_NOT_CAPPED, MS, QUIET_AND_TIMED_AT_END_0, QUIET_AT_END_0, QUIET_AT_END_1, S, ScenarioBuilder, TIMED_AT_END_0, assertions
from register import fires, silent
from scripts import NEAR_1, YOUNG, alters, violates
from packet_editor import UNKNOWN, NoPlace
from continuation import Continuation
from captured_associations import chunks_of, is_set_up_once, is_straight, pack
from set_ups import TWO, announces, answered_twice, as_in_set_up, cookie_of, edit_said, elsewhere, next_of, repeated, restart_in_capture, said
from two_paths import addresses_listed


@alters("HS-001")
def init_with_tag(editor):
    association = editor.association(is_set_up_once)
    editor.edit(association.init.packet, 4, pack(77))
    return 0


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
def usual_set_up():
    return ScenarioBuilder().set_up().exchange(2)


@alters("HS-002")
def init_with_initiate_tag_0(editor):
    association, place = edit_said(editor, 0, 4, bytes(4))
    editor.end_after(place.packet)
    return 0


@alters("HS-003", 1)
def init_ack_with_initiate_tag_0(editor):
    association, place = edit_said(editor, 1, 4, bytes(4))
    editor.end_after(place.packet)
    return 1


@alters("HS-004", causes=("TX-012",))
def small_window_in_init(editor):
    edit_said(editor, 0, 8, pack(1499))
    return 0


@silent("HS-004")
def window_of_1500_and_later_0():
    return said(0, a_rwnd=1500).init_ack().cookie_echo().cookie_ack().data(1).sack(0, a_rwnd=0)


@alters("HS-005", causes=("HS-028", "TX-011", "RX-024"))
def no_outbound_streams_in_init(editor):
    edit_said(editor, 0, 12, bytes(2))
    return 0


@alters("HS-006", 1, causes=("HS-030", "TX-011", "RX-024"))
def no_inbound_streams_in_init_ack(editor):
    edit_said(editor, 1, 14, bytes(2))
    return 1


@alters("HS-007", 1)
def init_ack_with_too_many_streams(editor):
    association = editor.association(lambda association: is_set_up_once(association) and association.value(0, 14, 2) < 65535)
    editor.edit(association.init_ack.packet, association.init_ack.at + 12, (association.value(0, 14, 2) + 1).to_bytes(2, "big"))
    return 1


@silent("HS-007", 1)
def init_ack_with_as_many_streams():
    return said(1, outbound=10, inbound=65535)


@silent("HS-007", 1, judged=False)
def collision_repeats_its_own_streams():
    scenario = ScenarioBuilder()
    scenario.init(0).send(1, chunks.init(scenario.ends[1].tag, scenario.ends[1].tsn, outbound=20), vtag=0)
    return scenario.send(1, chunks.init_ack(scenario.ends[1].tag, scenario.ends[1].tsn, outbound=20))


@alters("HS-008", 1, causes=("HS-012", "HS-048"))
def init_ack_without_cookie(editor):
    association = editor.association(is_set_up_once)
    editor.edit(association.init_ack.packet, cookie_of(association)[0], UNKNOWN.to_bytes(2, "big"))
    return 1


@silent("HS-008", 1, judged=False)
def init_ack_cut_before_its_cookie():
    return ScenarioBuilder(snap=40).init().init_ack(params=chunks.address("10.0.0.2") * 4)


@alters("HS-010", 1, causes=("PM-022", "HS-057", "PM-006", "PM-007"))
def init_ack_to_another_address(editor):
    association = editor.association(is_set_up_once)
    packet = association.init_ack.packet
    packet["destination"] = elsewhere(packet["destination"])
    return 1


@silent("HS-010", 1)
def init_from_two_addresses():
    return ScenarioBuilder(TWO).init().init(source=1).init_ack(destination=1)


@fires("HS-015")
def data_before_cookie_ack():
    return ScenarioBuilder().init().init_ack().cookie_echo().data(0).cookie_ack().sack(1).exchange()


@silent("HS-015")
def data_with_cookie_echo():
    scenario = ScenarioBuilder().init().init_ack()
    end = scenario.ends[0]
    scenario.send(0, chunks.cookie_echo(), chunks.data(end.tsn, bytes(20))).cookie_ack()
    end.tsn, end.ssn = end.tsn + 1 & 0xFFFFFFFF, end.ssn + 1
    return scenario.sack(1).exchange()


@silent("HS-015")
def heartbeat_ack_stands_for_cookie_ack():
    return ScenarioBuilder().init().init_ack().cookie_echo().send(1, chunks.heartbeat()).data(0).cookie_ack().sack(1)


@alters("HS-017")
def data_before_cookie_echo(editor):
    association = editor.association(is_set_up_once)
    _, chunk = first_data(association, 0)
    editor.inject(association.first(0, chunks.COOKIE_ECHO).packet, chunk, ahead=True)
    return 0


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


@silent("HS-018", 1)
def data_by_a_shorter_way_than_the_cookie_ack():
    """The COOKIE ECHO came between the second addresses, where the COOKIE ACK goes back, and passes after the DATA between the first."""
    scenario = ScenarioBuilder(TWO, near_ns=20 * MS, far_ns=MS // 10).init(params=addresses_listed(TWO[0])).init_ack(params=addresses_listed(TWO[1]))
    return scenario.cookie_echo(source=1, destination=1).data(1).cookie_ack(source=1, destination=1, gap_ns=MS).sack(0)


@fires("HS-018", 1)
def data_before_the_cookie_ack_by_the_same_way():
    scenario = ScenarioBuilder(TWO, near_ns=20 * MS, far_ns=MS // 10).init(params=addresses_listed(TWO[0])).init_ack(params=addresses_listed(TWO[1]))
    scenario.cookie_echo(source=1, destination=1).data(1, source=1, destination=1)
    return scenario.cookie_ack(source=1, destination=1, gap_ns=MS).sack(0)


@silent("HS-015")
def shutdown_shown_by_another_tap_before_the_cookie_ack():
    """The clock of the tap that shows the COOKIE ACK is 5 ms late; the one at the initiator does not show it."""
    scenario = ScenarioBuilder().init().again(interface=1, ttl=63, gap_ns=5 * MS).init_ack(interface=1).cookie_echo()
    return scenario.again(interface=1, ttl=63, gap_ns=5 * MS).shutdown(0, gap_ns=20 * MS).cookie_ack(interface=1, gap_ns=4 * MS)


@silent("HS-018", 1, judged=False)
def collision_whose_other_init_was_missed():
    scenario = ScenarioBuilder(near_ns=20 * MS, far_ns=MS // 10).init().init_ack()
    scenario.cookie_echo().send(1, chunks.cookie_echo(b"other..."), chunks.data(scenario.ends[1].tsn, bytes(20)))
    return scenario.cookie_ack(1).cookie_ack(0)


@silent("HS-018", 1, judged=False)
def cookie_ack_lost_and_repeated():
    return ScenarioBuilder(near_ns=20 * MS, far_ns=MS // 10).init().init_ack().cookie_echo().data(1).wait(S).cookie_echo().cookie_ack().sack(0)


@alters("HS-019", None)
def tsn_before_the_initial_one(editor):
    association = editor.association(is_set_up_once)
    end = editor.pick(end for end in (0, 1) if association.first(end, 0))
    place, chunk = first_data(association, end)
    editor.inject(place.packet, chunk[:4] + pack(association.initial_tsn(end) - 1) + chunk[8:], ahead=True)
    return end


def first_tsn_far_above():
    scenario = ScenarioBuilder().set_up()
    scenario.ends[0].tsn += 1 << 20
    return scenario.data(0)


@fires("HS-019")
@fires("HS-019", asserted=COMPLETE)
def first_tsn_that_no_window_reaches():
    return first_tsn_far_above()


@silent("HS-019", asserted=COMPLETE)
def first_tsn_within_the_window():
    scenario = ScenarioBuilder().set_up()
    scenario.ends[0].tsn += 1000
    return scenario.data(0)


@silent("HS-019", asserted=COMPLETE)
def first_tsn_far_above_after_an_ack():
    scenario = ScenarioBuilder().set_up()
    scenario.ends[0].tsn += 1 << 20
    return scenario.sack(1).data(0)


@silent("HS-019")
def first_tsn_lost():
    scenario = ScenarioBuilder().set_up()
    scenario.lose(0)
    return scenario.data(0).sack(1, 2, gaps=[(2, 2)])


@silent("HS-019", 1)
def first_of_two_cookies_echoed():
    return answered_twice().cookie_ack().data(1).sack(0)


@silent("HS-019", 1)
def second_of_two_cookies_echoed():
    return answered_twice(echoed=b"cookie 2").cookie_ack().data(1).sack(0)


@silent("HS-019", 1)
def second_init_ack_passes_after_the_cookie_of_the_first():
    return answered_twice(has_second_before=False).cookie_ack().data(1).sack(0)


@fires("HS-019", 1)
def first_of_two_cookies_echoed_and_tsn_too_low():
    scenario = answered_twice()
    scenario.ends[1].tsn -= 5
    return scenario.cookie_ack().data(1).sack(0)


def answered_before_asking(is_older_echoed=True, has_ack=True):
    """End 0 answers the INIT of end 1 from CLOSED, then begins itself: its INIT has another tag and Initial TSN, and by it the association comes up
    (RFC 9260 5.2.1, 5.2.4 C)."""
    scenario = ScenarioBuilder()
    own, older_tag = scenario.ends[0], 0x1111_0001
    scenario.init(1).send(0, chunks.init_ack(older_tag, own.tsn + 5000, b"of older")).init(0, gap_ns=MS)
    if is_older_echoed:
        scenario.send(1, chunks.cookie_echo(b"of older"), vtag=older_tag)
    scenario.init_ack(1, cookie=b"of newer").cookie_echo(0, cookie=b"of newer")
    return scenario.cookie_ack(1) if has_ack else scenario


@silent("HS-019", 1)
def data_after_an_older_attempt_was_given_up():
    return answered_before_asking().data(0).sack(1)


@silent("HS-019", 1)
def cookie_of_the_older_attempt_comes_late():
    return answered_before_asking().send(1, chunks.cookie_echo(b"of older"), vtag=0x1111_0001).data(0).sack(1)


@silent("HS-019", 1)
def cookie_ack_of_the_newer_attempt_missed_by_the_capture():
    return answered_before_asking(has_ack=False).data(0).sack(1)


@fires("HS-019", 1)
def tsn_before_those_of_both_attempts():
    scenario = answered_before_asking()
    scenario.ends[0].tsn -= 5
    return scenario.data(0).sack(1)


@violates("HS-020", YOUNG)
def first_data_acknowledged_late(talk):
    talk.data(talk.far).wait(250 * MS).sack(talk.near).data(talk.far).sack(talk.near)


@fires("HS-020", 1)
def first_sack_delayed():
    return ScenarioBuilder(near_ns=20 * MS, far_ns=MS // 10).set_up().data(0).wait(200 * MS).sack(1).data(0).data(0).sack(1)


@fires("HS-020", 1)
def first_sack_with_the_second():
    scenario = ScenarioBuilder(near_ns=20 * MS, far_ns=MS // 10).set_up()
    for _ in range(3):
        scenario.data(0).data(0).sack(1)
    return scenario


@silent("HS-020", 1, judged=False)
def first_sack_at_once_at_another_tap():
    """A tap at either end, that of end 0 since the COOKIE ACK: DATA passes it 300 ms before it arrives, and the SACK passes the other one at once."""
    scenario = ScenarioBuilder(near_ns=MS // 10, far_ns=MS // 10, interface=1).set_up()
    scenario.again(interface=0, ttl=60, gap_ns=300 * MS)
    scenario.data(0, interface=0).again(interface=1, ttl=60, gap_ns=300 * MS)
    return scenario.sack(1).again(interface=0, ttl=60, gap_ns=300 * MS)


@silent("HS-020", 1)
def first_sack_missed_by_the_capture():
    return ScenarioBuilder(near_ns=20 * MS, far_ns=MS // 10).set_up().data(0).data(0).sack(1).rounds(0, 3)


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


@fires("HS-020", 1, asserted=COMPLETE_AT_END_1)
@silent("HS-020", 1)
def first_data_may_have_been_repeated_unseen():
    return ScenarioBuilder(near_ns=20 * MS, far_ns=MS // 10).set_up().data(0).wait(3 * S).sack(1).data(0).sack(1)


@silent("HS-020", 1, asserted=COMPLETE_AT_END_1)
@silent("HS-020", 1)
def first_sack_at_once():
    return ScenarioBuilder(near_ns=20 * MS, far_ns=MS // 10).set_up().data(0).sack(1).data(0).wait(200 * MS).sack(1)


@fires("HS-023", asserted=assertions(parameters=["* Max.Init.Retransmits=2"]))
@silent("HS-023", asserted=assertions(parameters=["* Max.Init.Retransmits=3"]))
def four_inits():
    scenario = ScenarioBuilder()
    return repeated(scenario, 4, chunks.init(scenario.ends[0].tag, scenario.ends[0].tsn), vtag=0)


@silent("HS-023", asserted=assertions(parameters=["* Max.Init.Retransmits=9"]))
@alters("HS-023")
def init_sent_ten_times(editor):
    association = editor.association(is_set_up_once)
    editor.end_after(association.init.packet)
    for number in range(1, 10):
        editor.again(association.init.packet, number * 3 * S)
    return 0


@silent("HS-023")
def nine_inits():
    scenario = ScenarioBuilder()
    return repeated(scenario, 9, chunks.init(scenario.ends[0].tag, scenario.ends[0].tsn), vtag=0)


@alters("HS-028", 1, causes=("HS-005", "TX-011", "RX-024"))
def init_without_streams_accepted(editor):
    edit_said(editor, 0, 12, bytes(2))
    return 1


@alters("HS-029", 1, causes=("HS-002",))
def init_with_tag_0_accepted(editor):
    association, place = edit_said(editor, 0, 4, bytes(4), is_straight)
    editor.edit(association.init_ack.packet, 4, bytes(4))
    editor.end_after(association.init_ack.packet)
    return 1


@alters("HS-031", 1, causes=("FMT-034",))
def host_name_accepted(editor):
    announces(editor, chunks.tlv(chunks.HOST_NAME, b"host.example"), 0)
    return 1


@silent("HS-031", 1, judged=False)
def host_name_refused():
    return ScenarioBuilder().init(params=chunks.tlv(chunks.HOST_NAME, b"host.example\0")).abort(1)


@fires("HS-037")
def collision_with_two_tags():
    return ScenarioBuilder().init(0).init(1).init_ack(0, tag=0x55667788).init_ack(1).cookie_echo(0).cookie_ack(1).exchange(3)


@fires("HS-037", asserted=COMPLETE_AT_END_0)
def collision_with_two_tags_and_no_data():
    return ScenarioBuilder().init(0).init(1).init_ack(0, tag=0x55667788).init_ack(1).cookie_echo(0).cookie_ack(1).heartbeat(0)


def collision_far_from_the_tap(first):
    """Two INITs, that of end `first` before the other; end 0 answers with another tag."""
    scenario = ScenarioBuilder(near_ns=20 * MS, far_ns=20 * MS).init(first).init(1 - first)
    return scenario.init_ack(0, tag=0x55667788).init_ack(1).cookie_echo(0).cookie_ack(1).exchange(3)


@fires("HS-037", certainty="probable")
def collision_with_two_tags_far_from_the_tap():
    """The peer's INIT passed after the own one: what answers it left later, wherever the tap is."""
    return collision_far_from_the_tap(0)


@silent("HS-037", judged=False)
def own_init_overtakes_the_init_ack_far_from_the_tap():
    return collision_far_from_the_tap(1)


@silent("HS-037")
def collision_with_one_tag():
    return ScenarioBuilder().init(0).init(1).init_ack(0).init_ack(1).cookie_echo(0).cookie_ack(1).exchange(3)


@silent("HS-037", 1)
def init_ack_before_the_own_init():
    return ScenarioBuilder().init(1).init_ack(0, tag=0x55667788).init(0).init_ack(1).cookie_echo(0).cookie_ack(1).exchange(3)


def restart(tag=None, listed=(), **options):
    """listed: addresses in the INIT of the restart."""
    scenario = ScenarioBuilder(near_ns=20 * MS, far_ns=MS // 10, **options).set_up().exchange().wait(S)
    again = next_of(scenario, (0x01234567, scenario.ends[1].tag if tag is None else tag))
    again.init(params=b"".join(map(chunks.address, listed)), gap_ns=S).init_ack().cookie_echo().cookie_ack()
    return scenario


@alters("HS-038", 1, of=NEAR_1.made)
def restart_with_the_living_tag(editor):
    continuation, association, tag = restarting(editor)
    continuation.send(0, chunks.init(tag, 7), vtag=0).send(1, chunks.init_ack(association.tags[1], 9), vtag=tag)
    return 1


@silent("HS-038", 1)
def restart_with_a_new_tag():
    return restart(0x76543210)


@alters("HS-039", 1, of=NEAR_1.made)
def restart_with_another_address(editor):
    continuation, association, tag = restarting(editor)
    continuation.send(0, chunks.init(tag, 7, chunks.address("192.0.2.77")), vtag=0)
    own = {association.init.packet["destination"], association.init_ack.packet["source"]}
    listed = b"".join(chunks.tlv(5 if len(address) == 4 else 6, address) for address in sorted(own))
    continuation.send(1, chunks.init_ack(association.tags[1] ^ 0x5555, 9, params=listed), vtag=tag)
    return 1


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


@alters("HS-044")
def tags_that_count(editor):
    first, step = editor.rng.randrange(1 << 31), editor.rng.randrange(1, 1 << 27)
    return one_after_another_in_capture(editor, range(first, first + 8 * step, step), [editor.rng.randrange(1 << 32) for _ in range(8)])


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


@alters("HS-045")
def tsns_that_count(editor):
    first, step = editor.rng.randrange(1 << 31), editor.rng.randrange(1, 1 << 27)
    return one_after_another_in_capture(editor, [editor.rng.randrange(1, 1 << 32) for _ in range(8)], range(first, first + 8 * step, step))


@silent("HS-045", judged=False)
def tsns_that_are_the_tags():
    return one_after_another(random_words(9), random_words(9))


@alters("HS-046", 1)
def large_init_ack(editor):
    association = editor.association(is_set_up_once)
    editor.add_param(association.init_ack, chunks.tlv(UNKNOWN, bytes(1300)))
    return 1


def init_ack_repeated(**first):
    return ScenarioBuilder().init().init_ack(**first).init(gap_ns=S).init_ack().cookie_echo().cookie_ack().exchange(2)


@fires("HS-009", 1, asserted=COMPLETE)
@fires("HS-009", 1)
def init_ack_with_wrong_tag():
    return init_ack_repeated(vtag=0x12345678)


@silent("HS-009", 1, asserted=COMPLETE)
@silent("HS-009", 1)
def init_ack_sent_twice():
    return init_ack_repeated()


@silent("HS-009", 1, asserted=COMPLETE)
def init_acks_for_inits_with_two_tags():
    return ScenarioBuilder().init(tag=0x12345678).init_ack(vtag=0x12345678).init(gap_ns=S).init_ack(tag=7).cookie_echo(vtag=7).cookie_ack()


@silent("HS-009", 1, judged=False)
def init_of_the_attempt_was_missed():
    """The INIT with the tag that the responder uses to the end passed before the capture began."""
    return ScenarioBuilder().init(tag=0x12345678).init_ack().cookie_echo().cookie_ack().exchange(2)


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
    return inits(4 * S, 4 * S, 4 * S)


@fires("HS-025")
def inits_alike_from_the_first_on():
    return inits(S, S, S)


@silent("HS-025", judged=False)
def inits_alike_that_were_backed_off_before():
    """RTO.Max may be 2 s."""
    return inits(S, 2 * S, 2 * S, 2 * S, 2 * S)


@silent("HS-026", judged=False)
def cookie_echoes_alike_after_inits_that_were_backed_off():
    """RTO.Max may be 2 s."""
    scenario = ScenarioBuilder().init().init(gap_ns=S).init_ack().cookie_echo()
    for _ in range(3):
        scenario.cookie_echo(gap_ns=2 * S)
    return scenario.cookie_ack()


@silent("HS-025", judged=False)
def inits_backed_off_of_which_some_did_not_pass():
    """Intervals of 1, 2, 4, 8 and 16 s, of which three INITs did not pass."""
    return inits(7 * S, 8 * S, 16 * S)


def echoes(*gaps_ns, between=None):
    """between(scenario): what the peer sends half a second before each repetition."""
    scenario = ScenarioBuilder().init().init_ack().cookie_echo()
    for gap_ns in gaps_ns:
        if between:
            between(scenario.wait(gap_ns - S // 2))
        scenario.cookie_echo(gap_ns=S // 2 if between else gap_ns)
    return scenario


@fires("HS-026", asserted=COMPLETE_NOT_CAPPED)
def cookie_echoes_a_second_apart():
    return echoes(S, S)


@fires("HS-026", asserted=COMPLETE_NOT_CAPPED)
def cookie_echoes_a_second_apart_while_data_comes():
    return echoes(S, S, between=lambda scenario: scenario.data(1))


@silent("HS-026", asserted=COMPLETE_NOT_CAPPED, judged=False)
def cookie_echoes_a_second_apart_while_the_init_is_answered_again():
    return echoes(S, S, between=lambda scenario: scenario.init_ack())


@silent("HS-026", asserted=COMPLETE_NOT_CAPPED)
def cookie_echoes_backed_off_while_data_comes():
    return echoes(S, 2 * S, 4 * S, between=lambda scenario: scenario.data(1))


@silent("HS-026", asserted=COMPLETE_NOT_CAPPED)
def cookie_echoes_backed_off():
    return echoes(S, 2 * S, 4 * S)


@fires("HS-068", asserted=QUIET_AND_TIMED_AT_END_0)
@silent("HS-068", asserted=TIMED_AT_END_0, judged=False)
@silent("HS-068", asserted=QUIET_AT_END_0, judged=False)
def init_is_the_last_packet():
    return ScenarioBuilder().init()


@fires("HS-068", asserted=TIMED_AT_END_0)
def init_repeated_after_six_seconds():
    return ScenarioBuilder().init().init(gap_ns=6 * S).init_ack().cookie_echo().cookie_ack().exchange(2)


@silent("HS-068", asserted=TIMED_AT_END_0)
def init_repeated_when_its_timer_expires():
    return ScenarioBuilder().init().init(gap_ns=S + 50 * MS).init(gap_ns=2 * S).init_ack().cookie_echo().cookie_ack().exchange(2)


@fires("HS-069", asserted=QUIET_AND_TIMED_AT_END_0)
@silent("HS-069", asserted=TIMED_AT_END_0, judged=False)
def cookie_echo_not_repeated():
    return echoes()


@silent("HS-069", asserted=TIMED_AT_END_0)
def cookie_echo_repeated_by_the_rto_that_the_inits_doubled():
    """An INIT ACK after a repeated INIT measures nothing (6.3.1 C5), so that the RTO stays doubled."""
    return ScenarioBuilder().init().init(gap_ns=S).init(gap_ns=2 * S).init_ack().cookie_echo().cookie_echo(gap_ns=4 * S).cookie_ack().exchange(2)


@fires("HS-069", asserted=TIMED_AT_END_0)
def cookie_echo_repeated_after_five_seconds():
    return echoes(5 * S).cookie_ack().exchange(2)


@silent("HS-069", asserted=TIMED_AT_END_0)
def cookie_echo_repeated_when_its_timer_expires():
    return echoes(S, 2 * S, 4 * S).cookie_ack().exchange(2)


@fires("HS-016", 1, asserted=COMPLETE_AT_END_1)
def second_cookie_echo_answered():
    return echoes(S).cookie_ack(gap_ns=MS).exchange(2)


@fires("HS-016", 1, asserted=COMPLETE_AT_END_1)
def data_of_a_cookie_echo_answered_without_cookie_ack():
    scenario = ScenarioBuilder().init().init_ack()
    scenario.send(0, chunks.cookie_echo(), chunks.data(scenario.ends[0].tsn, bytes(20))).send(1, chunks.sack(scenario.ends[0].tsn), gap_ns=MS)
    return scenario.shutdown(0).shutdown_ack(1, gap_ns=MS).shutdown_complete(0)


@fires("HS-016", 1, asserted=QUIET_AT_END_1)
@silent("HS-016", 1, asserted=COMPLETE_AT_END_1, judged=False)
def cookie_echo_is_the_last_packet():
    return ScenarioBuilder().init().init_ack().cookie_echo()


@silent("HS-016", 1, asserted=COMPLETE_AT_END_1, judged=False)
def cookie_echo_with_another_cookie():
    return ScenarioBuilder().init().init_ack().cookie_echo(cookie=b"another.").cookie_echo(cookie=b"another.", gap_ns=S)


@silent("HS-016", 1, asserted=COMPLETE_AT_END_1, judged=False)
def cookie_echo_after_the_life_of_its_cookie():
    return ScenarioBuilder().init().init_ack().cookie_echo(gap_ns=61 * S).cookie_echo(gap_ns=S)


@silent("HS-016", 1, asserted=COMPLETE_AT_END_1)
def each_cookie_echo_answered():
    scenario = ScenarioBuilder().init().init_ack()
    for number in range(5):
        scenario.cookie_echo(gap_ns=S << number).cookie_ack(gap_ns=MS)
    return scenario.exchange(2)


@fires("HS-062", 1, asserted=COMPLETE_AT_END_1)
def second_init_answered():
    return inits(S).init_ack(gap_ns=MS).cookie_echo().cookie_ack(gap_ns=MS)


@silent("HS-062", 1, asserted=COMPLETE_AT_END_1)
def init_refused():
    return ScenarioBuilder().init().abort(1, gap_ns=MS).init(gap_ns=S).abort(1, gap_ns=MS)


@silent("HS-062", 1, asserted=COMPLETE_AT_END_0, judged=False)
def init_without_answer_at_the_initiator():
    return inits(S, 2 * S)


def bundled_init(scenario):
    return scenario.send(0, chunks.init(scenario.ends[0].tag, scenario.ends[0].tsn), chunks.data(scenario.ends[0].tsn, bytes(20)), vtag=0)


@silent("HS-062", 1, asserted=COMPLETE_AT_END_1, judged=False)
def bundled_init_discarded():
    scenario = bundled_init(ScenarioBuilder()).wait(S)
    return bundled_init(scenario)


def restart_that_is_not_answered(times, goes_on=True):
    """End 1 restarts and asks so many times; end 0, near the tap, goes on as before."""
    scenario = ScenarioBuilder().set_up().exchange(3)
    old = scenario.ends[1].tag
    scenario.ends[1].tag = 0x7654_3210
    for number in range(times):
        scenario.init(1, gap_ns=S << number)
    return scenario.wait(S).send(0, scenario.chunk(0), vtag=old) if goes_on else scenario


@fires("HS-062")
def restart_ignored_by_who_goes_on():
    return restart_that_is_not_answered(3)


@silent("HS-062", judged=False)
def restart_of_which_two_inits_were_perhaps_lost():
    return restart_that_is_not_answered(2)


@silent("HS-062", judged=False)
def restart_where_nothing_comes_any_more():
    return restart_that_is_not_answered(5, goes_on=False)


@fires("HS-063", asserted=COMPLETE_AT_END_0)
def init_ack_ignored():
    return ScenarioBuilder().init().init_ack().init(gap_ns=S)


@silent("HS-063", asserted=COMPLETE_AT_END_0)
def init_ack_refused():
    return ScenarioBuilder().init().init_ack().abort(0)


@silent("HS-063", asserted=COMPLETE_AT_END_0, judged=False)
def init_ack_without_cookie_ignored():
    scenario = ScenarioBuilder().init()
    ack = chunks.chunk(chunks.INIT_ACK, 0, chunks.init_ack(scenario.ends[1].tag, scenario.ends[1].tsn)[4:20])
    return scenario.send(1, ack).init(gap_ns=S)


@fires("HS-064", 1, asserted=COMPLETE_AT_END_1)
def bundled_init_answered():
    return bundled_init(ScenarioBuilder()).init_ack(gap_ns=MS)


def partial_init():
    """The Chunk Length is more than the packet holds (RFC 9260 6.10)."""
    scenario = ScenarioBuilder()
    whole = chunks.init(scenario.ends[0].tag, scenario.ends[0].initial_tsn)
    return scenario.send(0, whole[:2] + b"\0\xff" + whole[4:], vtag=0)


@fires("HS-064", 1, asserted=COMPLETE_AT_END_1)
def partial_init_answered():
    return partial_init().init_ack(gap_ns=MS)


@silent("HS-062", 1, asserted=COMPLETE_AT_END_1)
@silent("HS-064", 1, asserted=COMPLETE_AT_END_1)
def partial_init_dropped():
    return partial_init().init(gap_ns=S).init_ack(gap_ns=MS).cookie_echo().cookie_ack(gap_ns=MS)


@fires("HS-064", 1, asserted=COMPLETE_AT_END_1)
def init_with_a_tag_answered():
    scenario = ScenarioBuilder()
    return scenario.send(0, chunks.init(scenario.ends[0].tag, scenario.ends[0].tsn), vtag=5).init_ack(gap_ns=MS)


@silent("HS-064", 1, asserted=COMPLETE_AT_END_1)
def each_init_answered():
    return ScenarioBuilder().init().init_ack(gap_ns=MS).init(gap_ns=S).init_ack(gap_ns=MS).cookie_echo().cookie_ack(gap_ns=MS)


@fires("HS-065", 1, asserted=COMPLETE_AT_END_1)
def foreign_cookie_acknowledged():
    return ScenarioBuilder().init().init_ack(gap_ns=MS).cookie_echo(cookie=b"another.").cookie_ack(gap_ns=MS)


@fires("HS-065", 0, asserted=COMPLETE_AT_END_0)
def cookie_of_the_peer_acknowledged():
    """The initiator never issued one."""
    return ScenarioBuilder().set_up().exchange().cookie_echo(1, cookie=b"another.").cookie_ack(0)


@silent("HS-065", 1, asserted=COMPLETE_AT_END_1)
def cookie_of_the_last_of_many_init_acks():
    """More of them than are kept."""
    scenario = ScenarioBuilder()
    for number in range(20):
        scenario.init(gap_ns=S).init_ack(cookie=b"cookie%02d" % number, gap_ns=MS)
    return scenario.cookie_echo(cookie=b"cookie19").cookie_ack(gap_ns=MS)


AT_BOTH_ADDRESSES = assertions(complete=True, taken_at=["10.0.0.1", "10.0.1.1"])


def collision_by_another_address(lists=True):
    """Both associate; the INIT of end 1 goes to another address of end 0, whose COOKIE ACK takes the first one: one association all the same (5.2.1)."""
    scenario = ScenarioBuilder(addresses=(("10.0.0.1", "10.0.1.1"), "10.0.0.2"))
    params = chunks.address("10.0.0.1") + chunks.address("10.0.1.1") if lists else b""
    scenario.init(0, params).init(1, destination=1).init_ack(0, params, cookie=b"of end 0", source=1)
    scenario.init_ack(1, cookie=b"of end 1").cookie_echo(0, cookie=b"of end 1").cookie_echo(1, cookie=b"of end 0", destination=1)
    return scenario.cookie_ack(0).cookie_ack(1).exchange(2)


@silent("HS-065", asserted=AT_BOTH_ADDRESSES)
def collision_by_another_address_of_the_initiator():
    return collision_by_another_address()


@silent("HS-065", 1, asserted=AT_BOTH_ADDRESSES, judged=False)
def collision_by_another_address_of_both():
    """The INIT of end 1 comes from an address that end 0 does not know; it lists the one that end 0 knows."""
    scenario = ScenarioBuilder(addresses=(("10.0.0.1", "10.0.1.1"), ("10.0.0.2", "10.0.1.2")))
    own, theirs = (chunks.address(f"10.0.0.{end}") + chunks.address(f"10.0.1.{end}") for end in (1, 2))
    scenario.init(0, own).init(1, theirs, way=1).init_ack(0, own, cookie=b"of end 0", way=1)
    scenario.init_ack(1, theirs, cookie=b"of end 1").cookie_echo(0, cookie=b"of end 1").cookie_echo(1, cookie=b"of end 0", way=1)
    return scenario.cookie_ack(0).cookie_ack(1).exchange(2)


@silent("HS-065", 1, asserted=COMPLETE_AT_END_1)
def cookie_echoed_twice():
    return ScenarioBuilder().init().init_ack(gap_ns=MS).cookie_echo().cookie_ack(gap_ns=MS).cookie_echo().cookie_ack(gap_ns=MS)


@fires("HS-066", asserted=COMPLETE_AT_END_0)
def init_ack_with_a_host_name_accepted():
    return ScenarioBuilder().init().init_ack(params=chunks.tlv(11, b"a.example.net\0")).cookie_echo()


@fires("HS-066", asserted=COMPLETE_AT_END_0)
def init_ack_without_cookie_accepted():
    scenario = ScenarioBuilder().init()
    ack = chunks.chunk(chunks.INIT_ACK, 0, chunks.init_ack(scenario.ends[1].tag, scenario.ends[1].tsn)[4:20])
    return scenario.send(1, ack).cookie_echo(cookie=b"")


@silent("HS-066", asserted=COMPLETE_AT_END_0)
def cookie_repeated():
    return ScenarioBuilder().init().init_ack().cookie_echo().cookie_echo(gap_ns=S).cookie_ack().exchange()


def late_init():
    return ScenarioBuilder().set_up().exchange().init(gap_ns=S)


@fires("HS-061", 1)
def late_init_answered_by_abort():
    return late_init().abort(1, causes=(chunks.tlv(13, b"INIT", last=True),))


def restart_refused(causes=(), listed=(), silent_before=False, goes_on_ns=0):
    """A peer restarts while the association is up, and is answered by ABORT. goes_on_ns: when a HEARTBEAT of the association follows."""
    scenario = ScenarioBuilder(near_ns=20 * MS, far_ns=MS // 10).set_up().exchange().wait(S)
    if silent_before:
        for _ in range(3):
            scenario.heartbeat(1, answered=False, gap_ns=2 * S)
    again = next_of(scenario, (0x01234567, 0))
    again.init(params=b"".join(map(chunks.address, listed)), gap_ns=S)
    again.send(1, chunks.abort(*causes), vtag=0x01234567)
    if goes_on_ns:
        again.send(1, chunks.heartbeat(bytes(8)), vtag=scenario.ends[0].tag, gap_ns=goes_on_ns)
    return scenario


@fires("HS-072", 1, asserted=COMPLETE_AT_END_1)
@silent("HS-072", 1, asserted=COMPLETE, judged=False)
def restart_answered_by_abort():
    return restart_refused()


@fires("HS-072", 1, certainty="probable")
def restart_answered_by_abort_and_the_association_used_on():
    return restart_refused(goes_on_ns=S)


@silent("HS-072", 1, judged=False)
def restart_answered_by_abort_while_a_packet_was_queued():
    return restart_refused(goes_on_ns=5 * MS)


@silent("HS-072", 1, judged=False)
def restart_with_a_new_address_answered_by_abort_and_the_association_used_on():
    return restart_refused(listed=("10.0.0.1", "10.0.0.7"), goes_on_ns=S)


@silent("HS-072", 1, judged=False)
def restart_refused_for_lack_of_resources_and_the_association_used_on():
    return restart_refused((chunks.tlv(4, b"", last=True),), goes_on_ns=S)


@silent("HS-072", 1, asserted=COMPLETE_AT_END_1)
def restart_answered_by_abort_for_lack_of_resources():
    return restart_refused((chunks.tlv(4, b"", last=True),))


@silent("HS-072", 1, asserted=COMPLETE_AT_END_1)
def restart_with_a_new_address_answered_by_abort():
    return restart_refused(listed=("10.0.0.1", "10.0.0.7"))


@silent("HS-072", 1, asserted=COMPLETE_AT_END_1, judged=False)
def restart_answered_by_abort_of_one_who_may_have_given_up():
    return restart_refused(silent_before=True)


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


@alters("HS-014")
def inits_of_a_collision_not_answered(editor):
    """The peer sends INITs of its own before its INIT ACK: the endpoint goes on as if none had come."""
    association = editor.near(0, lambda association: is_set_up_once(association) and association.is_single()
                              and all(association.first(end, 0) for end in (0, 1)))
    theirs = association.init_ack
    body = theirs.packet["sctp"][theirs.at + 4:theirs.at + 20]
    for number in range(4):
        editor.inject(theirs.packet, chunks.chunk(chunks.INIT, 0, body), vtag=0, after_ns=-2 * MS + number * 100_000)
    return 0


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


def streamless(outbound=0, inbound=10):
    scenario = ScenarioBuilder()
    end = scenario.ends[0]
    return scenario.send(0, chunks.init(end.tag, end.initial_tsn, outbound=outbound, inbound=inbound), vtag=0)


def answered_by(**options):
    """INIT, and an INIT ACK that its receiver has to refuse."""
    scenario = ScenarioBuilder().init()
    end = scenario.ends[1]
    return scenario.send(1, chunks.init_ack(end.tag, end.initial_tsn, **options))


@fires("HS-067", 1, asserted=COMPLETE_AT_END_1)
@silent("HS-067", 1, asserted=COMPLETE, judged=False)
def init_without_outbound_streams_ignored():
    return streamless().init(gap_ns=3 * S)


@fires("HS-067", 1, asserted=COMPLETE_AT_END_1)
def init_without_inbound_streams_ignored():
    return streamless(outbound=10, inbound=0).init(gap_ns=S)


@fires("HS-067", asserted=COMPLETE_AT_END_0)
def init_ack_without_streams_ignored():
    return answered_by(inbound=0).init(gap_ns=S)


@fires("HS-067", asserted=COMPLETE_AT_END_0)
def init_ack_with_a_host_name_ignored():
    return answered_by(params=chunks.tlv(11, b"a.example.net\0")).init(gap_ns=S)


@silent("HS-067", 1, asserted=COMPLETE_AT_END_1)
def init_without_streams_refused():
    return streamless().abort(1, gap_ns=MS).init(gap_ns=S)


@silent("HS-067", asserted=COMPLETE_AT_END_0)
def init_ack_without_streams_refused():
    return answered_by(outbound=0).abort(0)


@silent("HS-067", 1, asserted=COMPLETE_AT_END_1, judged=False)
def init_without_streams_or_tag_discarded():
    """What carries no tag cannot be answered."""
    scenario = ScenarioBuilder()
    return scenario.send(0, chunks.init(0, scenario.ends[0].initial_tsn, outbound=0), vtag=0).init(gap_ns=S)


@alters("HS-009", 1)
def init_ack_with_a_foreign_tag(editor):
    """An INIT ACK from another address than that of the INIT leads to no attempt but by its tag."""
    association, place = edit_said(editor, 1, -8, b"\x12\x34\x56\x78")
    if place.packet["source"] != association.init.packet["destination"]:
        raise NoPlace
    editor.end_after(place.packet)
    return 1


@alters("HS-004", 1, causes=("TX-012",))
def small_window_in_init_ack(editor):
    edit_said(editor, 1, 8, pack(1499))
    return 1


@alters("HS-005", 1, causes=("HS-030", "TX-011", "RX-024"))
def no_outbound_streams_in_init_ack(editor):
    edit_said(editor, 1, 12, bytes(2))
    return 1


@alters("HS-006", causes=("HS-007", "HS-028", "TX-011", "RX-024"))
def no_inbound_streams_in_init(editor):
    edit_said(editor, 0, 14, bytes(2))
    return 0


@alters("HS-007", 1, causes=("TX-011", "RX-024"))
def init_that_accepts_fewer_streams(editor):
    association = editor.association(lambda association: is_set_up_once(association) and association.value(1, 12, 2) > 1)
    editor.edit(association.init.packet, association.init.at + 14, (association.value(1, 12, 2) - 1).to_bytes(2, "big"))
    return 1


@alters("HS-015")
def heartbeat_before_cookie_ack(editor):
    association = editor.near(0, lambda association: is_set_up_once(association) and chunks.HEARTBEAT not in association.demands(1))
    editor.inject(association.first(0, chunks.COOKIE_ECHO).packet, chunks.heartbeat(), after_ns=MS)
    return 0


def first_data(association, end):
    place = association.first(end, 0)
    if place is None or chunks.COOKIE_ECHO in [kind for kind, _, _ in chunks_of(place.packet["sctp"])] or 0 in association.demands(1 - end):
        raise NoPlace
    return place, place.packet["sctp"][place.at:place.at + (place.length + 3) // 4 * 4]


@alters("HS-018", 1, of=NEAR_1.made)
def sack_before_cookie_ack(editor):
    association = editor.near(1, lambda association: is_set_up_once(association) and 3 not in association.demands(0))
    editor.inject(association.first(1, chunks.COOKIE_ACK).packet, chunks.sack(association.initial_tsn(0) - 1), ahead=True)
    return 1


@alters("HS-037")
def other_tag_in_collision(editor):
    association = editor.near(0, lambda association: is_set_up_once(association) and association.is_single()
                              and all(association.first(end, 0) for end in (0, 1)))
    own, theirs = association.init, association.init_ack
    body = theirs.packet["sctp"][theirs.at + 4:theirs.at + 20]
    editor.inject(theirs.packet, chunks.chunk(chunks.INIT, 0, body), vtag=0, after_ns=-2 * MS)
    answer = chunks.init_ack(association.tags[0] ^ 0x1234567, association.initial_tsn(0))
    editor.inject(own.packet, answer, vtag=association.tags[1], after_ns=theirs.packet["time_ns"] - own.packet["time_ns"] - 2 * MS + 100_000)
    return 0


def restarting(editor):
    """(continuation near the responder, its association, which is alive, the tag of an INIT that comes now)"""
    continuation = Continuation(editor, near=1)
    association = continuation.association
    as_in_set_up(continuation)
    return continuation, association, association.tags[0] ^ 0x3333333


def one_after_another_in_capture(editor, tags, tsns):
    """Associations of the same two endpoints, each shut down before the next; tags and Initial TSNs of end 0."""
    continuation = Continuation(editor)
    for tag, tsn in zip(tags, tsns):
        peer, peer_tsn = editor.rng.randrange(1, 1 << 32), editor.rng.randrange(1 << 32)
        continuation.send(0, chunks.shutdown(continuation.ends[1].tsn - 1)).shutdown_ack(1).shutdown_complete(0).wait(S)
        restart_in_capture(continuation, (tag, peer), (tsn, peer_tsn))
        for end, its_tag, its_tsn in zip(continuation.ends, (tag, peer), (tsn, peer_tsn)):
            end.tag, end.tsn = its_tag, its_tsn
    return 0


LEFT_OUT = [
    ("HS-011", "left out", "no clause forbids it, and multihomed hosts that choose the source by route do it all the time"),
    ("HS-021", "dropped", "duplicate of HS-020, such DATA is the first DATA of the association"),
    ("HS-022", "left out", "an INIT with another Initial TSN is a new attempt to the tracker, as it is to a responder"),
    ("HS-027", "left out", "which addresses the user gave, and so are CONFIRMED, is invisible"),
    ("HS-032", "left out", "arrival at the tap is no acceptance: silence cannot be told from loss"),
    ("HS-036", "left out", "the earlier attempt may be another association or before the capture; a MAY cannot be broken"),
    ("HS-040", "left out", "the ABORT of HS-039 names them, a SHOULD about what a cause lists"),
    ("HS-041", "dropped", "a restarted association is a new association, HS-019 and TX-003 judge it"),
    ("HS-042", "dropped", "duplicate of CC-016 and CC-001"),
    ("HS-049", "left out", "the framework takes an INIT ACK without INIT for an incomplete capture, which it nearly always is"),
    ("HS-054", "left out", "NAT; observation of little use without knowing it"),
    ("HS-055", "left out", "a MAY of the sender binds nobody"),
    ("HS-056", "dropped", "duplicate of HS-015, which covers every packet without COOKIE ECHO"),
    ("HS-058", "left out", "a NAPT at the tap cannot be excluded"),
    ("HS-060", "left out", "an INIT that the capture missed explains it"),
]
