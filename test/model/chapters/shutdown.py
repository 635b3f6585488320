# SPDX-License-Identifier: GPL-2.0-or-later
"""Shutdown and abort: what is sent afterwards, or is not sent."""

import struct

from generate import chunks
from scenario_builder import COMPLETE, COMPLETE_AT_END_0, COMPLETE_AT_END_1, COMPLETE_NOT_CAPPED, MS, QUIET_AND_TIMED_AT_END_0, QUIET_AT_END_0, S, TIMED_AT_END_0, ScenarioBuilder, assertions
from register import fires, silent
from scripts import RELIABLE, UNHINDERED, Setting, alters, scripted, violates
from captured_associations import has_distant_tsns, is_straight
from set_ups import long_established, with_new_tags


def after_shutdown_ack(talk):
    """The near end sent SHUTDOWN ACK a second ago; its last DATA."""
    near, far = talk.near, talk.far
    old = talk.data(near).sent
    talk.sack(far).shutdown(far).shutdown_ack(near).wait(S)
    return old


@violates("TX-020")
def old_data_after_shutdown_ack(talk):
    old = after_shutdown_ack(talk)
    talk.send(talk.near, old)


@fires("SD-003")
@silent("TX-020")
@scripted()
def data_after_shutdown_ack(talk):
    """New data: the rule that says so is enough."""
    after_shutdown_ack(talk)
    talk.data(talk.near)


@silent("TX-020", accused=1)
def data_after_shutdown_of_the_peer():
    return ScenarioBuilder(near_ns=20 * MS, far_ns=MS // 10).set_up().exchange(2).shutdown(0).data(1).shutdown(0).shutdown_ack(1).shutdown_complete(0)


@alters("HS-033", 1)
def init_refused_with_tag_0(editor):
    packet = editor.association(is_straight).init_ack.packet
    editor.replace(packet, packet["sctp"][:4] + bytes(8) + chunks.abort())
    editor.end_after(packet)
    return 1


@fires("HS-033", 1)
def refusal_with_t_bit():
    return ScenarioBuilder().init().send(1, chunks.abort(t=True), vtag=0)


@silent("HS-033", 1, judged=False)
def init_with_a_tag_answered_as_out_of_the_blue():
    scenario = ScenarioBuilder()
    return scenario.send(0, chunks.init(scenario.ends[0].tag, scenario.ends[0].tsn), vtag=77).send(1, chunks.abort(t=True), vtag=77)


@silent("HS-033", 1)
def refusal_with_the_initiate_tag():
    return ScenarioBuilder().init().abort(1)


def up():
    return ScenarioBuilder().set_up().exchange(2)


@silent("SD-001")
@silent("SD-002")
@silent("SD-011")
def usual_shutdown():
    return up().shut_down()


@silent("SD-006")
@silent("SD-005")
def usual_shutdown_by_the_peer():
    return up().shut_down(1)


@violates("SD-001", RELIABLE)
def shutdown_with_data_outstanding(talk):
    talk.data(talk.near).shutdown(talk.near)


@silent("SD-001", judged=False)
def shutdown_where_data_may_be_given_up():
    pr = chunks.tlv(chunks.FORWARD_TSN_SUPPORTED)
    return ScenarioBuilder().set_up((pr, pr)).exchange(2).data(0).shutdown(0)


def where_data_may_be_given_up():
    pr = chunks.tlv(chunks.FORWARD_TSN_SUPPORTED)
    return ScenarioBuilder().set_up((pr, pr)).exchange(2)


def given_up(scenario):
    return scenario.send(0, chunks.chunk(chunks.FORWARD_TSN, 0, (scenario.ends[0].tsn - 1).to_bytes(4, "big")))


@fires("SD-001", asserted=COMPLETE_AT_END_0)
@silent("SD-001", judged=False)
def shutdown_with_data_outstanding_that_is_acknowledged_later():
    return where_data_may_be_given_up().data(0).shutdown(0).sack(1).shutdown_ack(1)


@silent("SD-001", judged=False)
def shutdown_with_data_outstanding_that_was_given_up():
    return given_up(where_data_may_be_given_up().data(0).shutdown(0)).sack(1).shutdown_ack(1)


@fires("SD-006", asserted=COMPLETE_AT_END_0)
@silent("SD-006", judged=False)
def shutdown_ack_with_data_outstanding_that_is_acknowledged_later():
    return where_data_may_be_given_up().data(0).shutdown(1, 1).shutdown_ack(0).sack(1).shutdown_complete(1)


@silent("SD-006", judged=False)
def shutdown_ack_with_data_outstanding_that_was_given_up():
    return given_up(where_data_may_be_given_up().data(0).shutdown(1, 1).shutdown_ack(0)).sack(1).shutdown_complete(1)


@violates("SD-002", Setting(where=has_distant_tsns), causes=("SD-011",))
def shutdown_with_its_own_tsn(talk):
    talk.send(talk.near, chunks.shutdown(talk.last_tsn(talk.near)))


@silent("SD-002")
def shutdown_without_data_of_the_peer():
    return ScenarioBuilder().set_up().data(0).sack(1).shutdown(0)


@violates("SD-003")
def new_data_after_shutdown(talk):
    talk.shutdown(talk.near).data(talk.near)


@violates("SD-003")
def new_data_after_shutdown_ack(talk):
    talk.shutdown(talk.far).shutdown_ack(talk.near).data(talk.near)


@fires("SD-003")
def new_data_after_shutdown_says_more_than_the_state():
    return up().shutdown(0).data(0)


@silent("SD-003")
def old_data_after_shutdown():
    scenario = up().data(0)
    old = scenario.flow.items[-1].chunks
    return scenario.shutdown(0).send(0, *old)


@violates("SD-005", UNHINDERED)
def shutdown_ignored(talk):
    for _ in range(3):
        talk.shutdown(talk.far, gap_ns=S)
    talk.wait(2 * S).send(talk.near, chunks.heartbeat())


@silent("SD-005", judged=False)
def shutdown_while_data_flows():
    return up().shutdown(1).shutdown(1, gap_ns=S).data(0).shutdown(1).wait(2 * S).data(0)


@silent("SD-005", asserted=COMPLETE_AT_END_0)
def shutdown_waits_for_data_that_is_acknowledged_later():
    """The SHUTDOWN comes before its data is acknowledged, which is when the answer becomes due."""
    return up().data(0).shutdown(1, 1).wait(S).sack(1).send(0, chunks.heartbeat()).shutdown_ack(0)


@fires("SD-005", asserted=COMPLETE_AT_END_0)
def shutdown_not_answered_when_all_is_acknowledged():
    return up().data(0).shutdown(1, 1).sack(1).wait(S).send(0, chunks.heartbeat()).shutdown_ack(0)


@fires("SD-005", asserted=QUIET_AT_END_0)
@silent("SD-005", asserted=COMPLETE_AT_END_0, judged=False)
def shutdown_is_the_last_packet():
    return up().shutdown(1)


@silent("SD-005", asserted=QUIET_AT_END_0)
def abort_is_the_last_packet():
    return up().shutdown(1).send(0, chunks.abort())


@fires("SD-029", asserted=QUIET_AND_TIMED_AT_END_0)
@silent("SD-029", asserted=TIMED_AT_END_0, judged=False)
def shutdown_not_repeated():
    return up().shutdown(0)


@fires("SD-029", asserted=TIMED_AT_END_0)
def shutdown_repeated_after_five_seconds():
    return up().shutdown(0).shutdown(0, gap_ns=5 * S)


@fires("SD-029", asserted=TIMED_AT_END_0)
def abort_long_after_the_timer_of_a_shutdown():
    return up().shutdown(0).send(0, chunks.abort(), gap_ns=10 * S)


@silent("SD-029", asserted=QUIET_AND_TIMED_AT_END_0)
def shutdown_repeated_when_its_timer_expires_then_answered():
    return up().shutdown(0).shutdown(0, gap_ns=S).shutdown_ack(1).shutdown_complete(0)


@fires("SD-030", asserted=QUIET_AND_TIMED_AT_END_0)
def shutdown_ack_not_repeated_while_shutdown_comes_again():
    return up().shutdown(1).shutdown_ack(0).shutdown(1, gap_ns=S)


@silent("SD-030", asserted=QUIET_AND_TIMED_AT_END_0)
def shutdown_ack_repeated_for_each_shutdown():
    return up().shutdown(1).shutdown_ack(0).shutdown(1, gap_ns=S).shutdown_ack(0).shutdown_complete(1)


@silent("SD-005")
def two_shutdowns_lost_behind_the_tap():
    return up().shutdown(1).shutdown(1, gap_ns=S).wait(2 * S).send(0, chunks.heartbeat())


@silent("SD-005")
def silence_after_shutdown():
    return up().shutdown(1).shutdown(1, gap_ns=S).shutdown(1, gap_ns=2 * S).shutdown_ack(0)


@fires("SD-005")
def shutdown_answered_with_shutdown():
    """When it was asked it had not sent SHUTDOWN itself."""
    scenario = up()
    for _ in range(3):
        scenario.shutdown(1, gap_ns=S)
    return scenario.shutdown(0, gap_ns=2 * S)


@fires("SD-005", asserted=COMPLETE_AT_END_0)
def one_shutdown_ignored():
    return up().shutdown(1).heartbeat(1, gap_ns=S)


@silent("SD-005", asserted=COMPLETE_AT_END_0)
def shutdown_answered_after_300_ms():
    return up().shutdown(1).wait(300 * MS).shutdown_ack(0).shutdown_complete(1)


@silent("SD-005", asserted=COMPLETE_AT_END_0, judged=False)
def shutdown_with_data_outstanding_of_the_receiver():
    return up().data(0).shutdown(1, 1).heartbeat(1, gap_ns=S)


def shutdown_while_a_chunk_waits(a_rwnd, size):
    """End 0 sent a chunk of size. That and what it sends next is acknowledged by SHUTDOWNs alone, which have no a_rwnd; then it is silent."""
    return up().data(0, size=size).sack(1, a_rwnd=a_rwnd).shutdown(1).heartbeat(1, gap_ns=S)


@silent("SD-005", asserted=COMPLETE_AT_END_0)
def shutdown_while_the_window_is_too_small_for_the_next_chunk():
    """The window of 8,192 bytes is closed for a chunk of 8,956: it is sent as a probe, an RTO later at the earliest (6.1 A)."""
    return shutdown_while_a_chunk_waits(8192, 8956)


@fires("SD-005", asserted=assertions(complete=True, taken_at=["10.0.0.1"], parameters=["10.0.0.1 PMTU=1500"]), certainty="proven")
@fires("SD-005", asserted=COMPLETE_AT_END_0, certainty="probable")
def shutdown_while_the_window_has_room_for_the_next_chunk():
    """If that is no longer than the one before: a PMTU of 9,000 bytes allows more than the window."""
    return shutdown_while_a_chunk_waits(8192, 1400)


@silent("SD-005", asserted=COMPLETE_AT_END_0)
def shutdown_while_a_forward_tsn_waits_for_its_ack():
    """The end of a message that was given up was never sent: FORWARD-TSN skips it, too (RFC 3758 3.5 A3), and the answer may wait for its ack (C3)."""
    scenario = where_data_may_be_given_up().data(0).shutdown(1)
    scenario.lose(0)
    return given_up(scenario).shutdown(1, below=1).shutdown(1, below=1, gap_ns=S).shutdown(1).shutdown_ack(0).shutdown_complete(1)


@silent("SD-005", asserted=COMPLETE_AT_END_0, judged=False)
def shutdown_of_an_association_that_its_receiver_may_have_given_up():
    """End 0 has had three HEARTBEATs in a row without answer, and Association.Max.Retrans errors: it need not say that it is gone (8.1)."""
    scenario = up()
    for _ in range(3):
        scenario.heartbeat(0, answered=False, gap_ns=S)
    return scenario.shutdown(1).heartbeat(1, answered=False, gap_ns=S).exchange(0)


@fires("SD-009", asserted=COMPLETE_AT_END_0)
def one_shutdown_ack_ignored():
    return up().shutdown(0).shutdown_ack(1).shutdown_ack(1, gap_ns=S)


@fires("SD-009", asserted=COMPLETE_AT_END_0)
def shutdown_ack_answered_by_shutdown_ack():
    return up().shutdown(0).shutdown_ack(1).wait(30 * MS).shutdown_ack(0)


@silent("SD-009", asserted=COMPLETE_AT_END_0)
def shutdown_of_before_behind_the_shutdown_ack():
    """It answers the DATA before; a slow host takes both a little later."""
    return ScenarioBuilder(near_ns=MS).set_up().shutdown(0).data(1).shutdown_ack(1, gap_ns=MS // 100).shutdown(0, gap_ns=MS // 2).shutdown_complete(0)


def heartbeat_before_a_shutdown(sends_first, **options):
    """Two HEARTBEATs, of which the second is not answered; perhaps the end that shuts down then sends one of its own first."""
    scenario = ScenarioBuilder(**options).set_up().heartbeat(1).heartbeat(1, answered=False)
    if sends_first:
        scenario.heartbeat(0, answered=False, gap_ns=MS // 2)
    return scenario.shutdown(0, gap_ns=2 * MS).shutdown_ack(1).shutdown_complete(0)


@silent("PM-002", asserted=COMPLETE_AT_END_0)
def heartbeat_that_a_busy_host_takes_behind_its_shutdown():
    """It is shutting down by then, and answers none (8.3)."""
    return heartbeat_before_a_shutdown(False)


@silent("PM-002", asserted=COMPLETE_AT_END_0)
def heartbeat_that_a_slow_host_takes_behind_its_shutdown():
    """It took 3 ms for the INIT ACK; its own HEARTBEAT and the SHUTDOWN may be of before."""
    return heartbeat_before_a_shutdown(True, near_ns=3 * MS)


@fires("PM-002", asserted=COMPLETE_AT_END_0, certainty="probable")
def heartbeat_that_a_quick_host_takes_before_its_own():
    """It took 0.1 ms for the INIT ACK."""
    return heartbeat_before_a_shutdown(True)


@silent("SD-009", asserted=COMPLETE_AT_END_0)
def shutdown_ack_answered():
    return up().shut_down(0)


@fires("SM-027", asserted=COMPLETE_AT_END_0)
def shutdown_ack_ignored_in_cookie_wait():
    return ScenarioBuilder().init().shutdown_ack(1).init(gap_ns=S)


def shutdown_ack_again_answered_by_abort(between=()):
    scenario = up().shut_down().shutdown_ack(1, gap_ns=S)
    for part in between:
        scenario.send(1, part)
    return scenario.send(0, chunks.abort(t=1), vtag=scenario.ends[0].tag)


@fires("SM-027", asserted=COMPLETE_AT_END_0)
def shutdown_ack_of_no_association_answered_by_abort():
    return shutdown_ack_again_answered_by_abort()


@silent("SM-027", asserted=COMPLETE_AT_END_0)
def heartbeat_behind_it_answered_by_abort():
    return shutdown_ack_again_answered_by_abort((chunks.heartbeat(bytes(40)),))


@silent("SM-027", asserted=COMPLETE_AT_END_0)
def shutdown_ack_answered_in_cookie_wait():
    scenario = ScenarioBuilder().init().shutdown_ack(1)
    return scenario.send(0, chunks.shutdown_complete(True), vtag=scenario.ends[0].tag).init(gap_ns=S)


AT_BOTH_ADDRESSES = assertions(complete=True, taken_at=["10.0.0.1", "10.0.1.1"])


def ended_by_one_of_two_addresses():
    """End 0 has another address, captured at another interface; no packet has an identification."""
    return ScenarioBuilder(addresses=(("10.0.0.1", "10.0.1.1"), "10.0.0.2"), identification=0).set_up((chunks.address("10.0.1.1"), b"")).exchange(2).shut_down(0)


@silent("SD-028", asserted=AT_BOTH_ADDRESSES)
def shutdown_ack_that_comes_to_either_address():
    """Each is answered; neither repeats the other."""
    scenario = ended_by_one_of_two_addresses().shutdown_ack(1, destination=1, interface=1, ttl=50, gap_ns=MS // 2)
    return scenario.shutdown_complete(0, t=True, source=1, interface=1, gap_ns=MS // 50)


@silent("SM-028", asserted=AT_BOTH_ADDRESSES)
def aborts_of_no_association_from_either_address():
    scenario = ended_by_one_of_two_addresses().heartbeat(1, answered=False).abort(0, t=True, gap_ns=MS // 50)
    scenario.heartbeat(1, destination=1, answered=False, interface=1, gap_ns=MS // 2).abort(0, t=True, source=1, interface=1, gap_ns=MS // 50)
    return scenario.heartbeat(1, answered=False, gap_ns=S).abort(0, t=True, gap_ns=MS // 50)


@fires("SM-028", 1, asserted=COMPLETE_AT_END_1)
def heartbeat_after_the_end_ignored():
    return up().shut_down(1).heartbeat(0, answered=False, gap_ns=S).heartbeat(0, answered=False, gap_ns=S)


@silent("SM-028", 1, asserted=COMPLETE_AT_END_1, judged=False)
def heartbeat_with_checksum_zero_after_the_end():
    """Without association nothing says that checksum 0 is accepted: it is dropped (RFC 9653 5.3)."""
    accepts = chunks.tlv(chunks.ZERO_CHECKSUM, struct.pack(">I", 1))
    scenario = ScenarioBuilder().set_up((accepts, accepts)).exchange(2).shut_down(1)
    return scenario.heartbeat(0, answered=False, gap_ns=S, checksum=b"\0\0\0\0").heartbeat(0, answered=False, gap_ns=S, checksum=b"\0\0\0\0")


@silent("SM-028", 1, asserted=COMPLETE_AT_END_1)
def heartbeat_after_the_end_answered_by_abort():
    return up().shut_down(1).heartbeat(0, answered=False, gap_ns=S).abort(1, t=True, gap_ns=MS).wait(S).data(0)


@silent("SM-028", 1, asserted=COMPLETE_AT_END_1, judged=False)
def cookie_ack_after_the_end_ignored():
    return up().shut_down(1).cookie_ack(0, gap_ns=S).cookie_ack(0, gap_ns=S)


@silent("SM-028", 1, asserted=COMPLETE_AT_END_1, judged=False)
def heartbeat_of_the_association_before():
    """Its receiver has another association by then: it discards what carries an old tag (8.5)."""
    scenario = up().shut_down(1)
    old = scenario.ends[1].tag
    return with_new_tags(scenario).set_up().exchange(2).send(0, chunks.heartbeat(), vtag=old).data(0, gap_ns=S).sack(1)


@silent("SM-028", 1, asserted=COMPLETE_AT_END_1, judged=False)
def association_from_before_the_capture():
    """Its receiver knows the association: it has nothing to answer to a SACK, and acknowledges data."""
    return ScenarioBuilder().sack(0).data(0, gap_ns=S).sack(1).data(0, gap_ns=S).sack(1)


@silent("HS-062", 1, asserted=COMPLETE_AT_END_1)
def init_while_shutdown_ack_is_repeated():
    """It is answered by the SHUTDOWN ACK of the old association (9.2)."""
    scenario = up().shutdown(0).shutdown_ack(1)
    old = [end.tag for end in scenario.ends]
    return with_new_tags(scenario).init(gap_ns=S).shutdown_ack(1, vtag=old[0]).init(gap_ns=S).shutdown_ack(1, vtag=old[0])


@fires("SD-027", 1, asserted=COMPLETE_AT_END_1)
def shutdown_ack_unasked():
    return up().shutdown_ack(1)


@silent("SD-027", 1, asserted=COMPLETE_AT_END_1)
def shutdown_ack_repeated():
    return up().shutdown(0).shutdown_ack(1).shutdown_ack(1, gap_ns=S)


@fires("SD-028", 1, asserted=COMPLETE_AT_END_1)
def shutdown_ack_in_established_answered():
    return up().shutdown_ack(0).shutdown_complete(1)


@silent("SD-028", 1, asserted=COMPLETE_AT_END_1)
def own_shutdown_completed():
    return up().shut_down(1)


@fires("SM-011", 1, asserted=COMPLETE_AT_END_1)
def one_abort_answered():
    return up().abort(0).abort(1, t=True, gap_ns=MS)


@silent("SM-011", 1, asserted=COMPLETE_AT_END_1, judged=False)
def data_after_an_abort_answered():
    return up().abort(0).data(0).abort(1, t=True, gap_ns=MS)


@silent("SD-009", 1, asserted=COMPLETE_AT_END_1)
def shutdown_and_shutdown_ack_answered_one_by_one():
    """Both shut down; the SHUTDOWN ACK comes before the SHUTDOWN of its sender is answered."""
    return up().shutdown(1).shutdown(0).shutdown_ack(0).shutdown_ack(1).shutdown_complete(1).shutdown_complete(0)


@silent("SM-011", 1, asserted=COMPLETE_AT_END_1)
def data_that_came_while_the_abort_was_on_its_way_answered():
    """End 1 aborted before it came, and answers it as of no association when its ABORT has left (8.4); end 0 aborts meanwhile, too."""
    return up().data(0).data(0).data(1).abort(1).abort(0).abort(1, t=True, gap_ns=MS).abort(1, t=True, gap_ns=MS)


@fires("SM-011", 1, asserted=COMPLETE_AT_END_1)
def abort_answered_more_often_than_data_came():
    return up().data(0).sack(1).abort(1).abort(0).abort(1, t=True)


@silent("SM-011", asserted=COMPLETE_AT_END_1, judged=False)
def init_ack_after_an_abort_answered():
    """The INIT was sent twice; the first INIT ACK comes when the association that the second one made is aborted."""
    return ScenarioBuilder().init(1).init(1).init_ack(0).cookie_echo(1).abort(0).init_ack(0).abort(1, t=True, gap_ns=MS)


@silent("SM-011", 1, asserted=COMPLETE_AT_END_1, judged=False)
def data_after_an_abort_with_the_t_bit_answered():
    """End 0 has no association any more, and says so with the tag reflected (8.4, 8.5.1 B); its DATA took a slower way."""
    return up().heartbeat(1, answered=False).abort(0, t=True).data(0).abort(1, t=True, gap_ns=MS).data(0).abort(1, t=True, gap_ns=MS)


def shutdown_before_the_set_up_is_complete(*, is_echoed):
    """The peer has its COOKIE, shuts down, and its COOKIE ACK is lost; or it shuts down what it does not have yet. (9.2)"""
    scenario = ScenarioBuilder().init().init_ack()
    if is_echoed:
        scenario.cookie_echo()
    for _ in range(4):
        scenario.shutdown(1, gap_ns=S)
    return scenario.wait(2 * S).cookie_echo()


@silent("SD-005", judged=False)
def shutdown_in_cookie_echoed():
    return shutdown_before_the_set_up_is_complete(is_echoed=True)


@silent("SD-005", judged=False)
def shutdown_in_cookie_wait():
    return shutdown_before_the_set_up_is_complete(is_echoed=False)


@fires("SD-005")
def shutdown_ignored_after_the_set_up():
    """What was discarded in COOKIE-ECHOED does not count, what came after the second packet does."""
    scenario = shutdown_before_the_set_up_is_complete(is_echoed=True).send(1, chunks.cookie_ack()).data(0).sack(1)
    for _ in range(3):
        scenario.shutdown(1, gap_ns=S)
    return scenario.wait(2 * S).send(0, chunks.heartbeat())


@violates("SD-006", RELIABLE)
def shutdown_ack_with_data_outstanding(talk):
    talk.data(talk.near).shutdown(talk.far, 1).shutdown_ack(talk.near)


@silent("SD-006")
def data_acknowledged_by_the_shutdown():
    return up().data(0).shutdown(1).shutdown_ack(0)


@violates("SD-007")
def data_answered_with_sack_alone(talk):
    talk.shutdown(talk.near)
    for _ in range(4):
        talk.data(talk.far, gap_ns=S).sack(talk.near)


def two_answered_with_sack_alone(gap_ns):
    return up().shutdown(0).data(1).sack(0).data(1, gap_ns=gap_ns).sack(0).shutdown(0)


@fires("SD-007", asserted=COMPLETE_AT_END_0)
@silent("SD-007")
def data_passed_over_by_the_sack_for_the_next():
    """Its own SACK, and that for DATA 20 ms later, show that it was dealt with."""
    return two_answered_with_sack_alone(20 * MS)


@silent("SD-007", asserted=COMPLETE_AT_END_0)
def data_that_came_with_the_next():
    return two_answered_with_sack_alone(2 * MS)


@silent("SD-007", judged=False)
def one_shutdown_missed_by_the_capture():
    return up().shutdown(0).data(1).sack(0).data(1, gap_ns=S).sack(0).shutdown(0)


@fires("SD-007", asserted=COMPLETE_AT_END_0)
@silent("SD-007")
def data_answered_late():
    """Twice the SHUTDOWN comes a second behind the SACK, but it comes."""
    scenario = up().shutdown(0)
    for _ in range(2):
        scenario.data(1, gap_ns=S).sack(0).shutdown(0, gap_ns=S)
    return scenario


@fires("SD-007", asserted=COMPLETE_AT_END_0)
def data_answered_by_the_timer_of_shutdown_alone():
    """One packet with DATA; the SHUTDOWN comes when T2-shutdown expires."""
    return up().shutdown(0).data(1).sack(0).shutdown(0, gap_ns=3 * S)


@silent("SD-007", asserted=COMPLETE_AT_END_0)
def data_answered_soon_on_a_busy_host():
    return up().shutdown(0).data(1).sack(0).shutdown(0, gap_ns=300 * MS).wait(S).shutdown_ack(1)


@silent("SD-007", asserted=COMPLETE_AT_END_0)
@silent("SD-007")
def data_answered_with_sack_and_shutdown():
    scenario = up().shutdown(0).data(1)
    cum_tsn = scenario.ends[1].tsn - 1
    return scenario.send(0, chunks.sack(cum_tsn), chunks.shutdown(cum_tsn)).shutdown_ack(1, gap_ns=S)


def data_above_a_gap(*, has_sack):
    """In SHUTDOWN-SENT data comes above a gap; SHUTDOWN answers it, with or without a SACK."""
    scenario = up().shutdown(0)
    cum_tsn = scenario.ends[1].tsn - 1
    hole = scenario.lose(1)
    scenario.data(1).send(0, *[chunks.sack(cum_tsn, gaps=((2, 2),))] * has_sack, chunks.shutdown(cum_tsn))
    scenario.wait(500 * MS).send(1, chunks.data(hole, b"user")).send(0, chunks.sack(cum_tsn + 2), chunks.shutdown(cum_tsn + 2))
    return scenario.shutdown_ack(1)


@fires("SD-008", asserted=COMPLETE_AT_END_0)
@silent("SD-008", judged=False)
def data_above_a_gap_answered_with_shutdown_alone():
    return data_above_a_gap(has_sack=False)


@silent("SD-008", asserted=COMPLETE_AT_END_0, judged=False)
def data_above_a_gap_answered_with_sack_too():
    return data_above_a_gap(has_sack=True)


@silent("SD-008", asserted=COMPLETE_AT_END_0, judged=False)
def shutdowns_leave_when_the_next_packets_have_come():
    """In order, without a gap: each SHUTDOWN answers the packet two before the last."""
    scenario = up().shutdown(0)
    first = scenario.ends[1].tsn
    scenario.data(1).data(1, gap_ns=0).data(1, gap_ns=0)
    for number in range(3):
        scenario.send(0, chunks.shutdown(first + number)).data(1, gap_ns=0)
    return scenario.shutdown_ack(1, gap_ns=S).shutdown_complete(0)


@violates("SD-009")
def shutdown_ack_ignored(talk):
    talk.shutdown(talk.near)
    for _ in range(3):
        talk.shutdown_ack(talk.far, gap_ns=S)
    talk.shutdown(talk.near, gap_ns=2 * S)


@silent("SD-009")
def shutdown_ack_answered():
    return up().shutdown(0).shutdown_ack(1).shutdown_ack(1, gap_ns=S).shutdown_complete(0)


@silent("SD-009")
def shutdown_repeated_once():
    return up().shutdown(0).shutdown_ack(1).shutdown(0, gap_ns=2 * S)


@violates("SD-011")
def shutdown_acknowledges_less(talk):
    talk.rounds(talk.far, 2)
    talk.wait(S).shutdown(talk.near, 1)


@silent("SD-011")
def shutdown_overtaken_by_the_sack():
    return up().shutdown(0, 1)


@silent("SD-011")
def shutdown_of_another_way_held_up():
    """It left before the one that acknowledges more, and went to the other address, by a slower way."""
    return two_paths().data(1).data(1).shutdown(0).shutdown(0, 2, destination=1, gap_ns=100 * MS)


@violates("SD-012")
def shutdown_sent_22_times(talk):
    for _ in range(22):
        talk.shutdown(talk.near, gap_ns=S)


@silent("SD-012")
def shutdown_sent_11_times():
    scenario = up()
    for _ in range(11):
        scenario.shutdown(0, gap_ns=S)
    return scenario


def shutdowns_after_data(packets):
    scenario = up().shutdown(0)
    for _ in range(packets):
        scenario.data(1, gap_ns=0)
    for number in range(22):
        scenario.shutdown(0, max(22 - number, 1) - 1)
    return scenario


@silent("SD-012", judged=False)
def shutdown_answers_each_of_22_packets_with_data():
    return shutdowns_after_data(22)


@silent("SD-012", judged=False)
def shutdown_answers_data_that_left_before_it():
    """The tap is near the sender of the data, all of which passed it before the first SHUTDOWN."""
    scenario = up()
    for _ in range(23):
        scenario.data(1, gap_ns=0)
    for number in range(23):
        scenario.shutdown(0, 22 - number)
    return scenario


@fires("SD-012")
def shutdown_sent_22_times_after_one_packet_with_data():
    return shutdowns_after_data(1)


@violates("SD-014", UNHINDERED)
def both_repeat_shutdown(talk):
    talk.shutdown(talk.near)
    for _ in range(3):
        talk.shutdown(talk.far, gap_ns=S)
    talk.shutdown(talk.near, gap_ns=2 * S)


@silent("SD-014")
def shutdowns_cross():
    return up().shutdown(0).shutdown(1).shutdown_ack(0).shutdown_ack(1)


@fires("SD-014", asserted=COMPLETE_AT_END_0)
@silent("SD-014")
def shutdown_repeated_after_700_ms():
    return up().shutdown(0).shutdown(1).shutdown(0, gap_ns=700 * MS)


@silent("SD-014", asserted=COMPLETE_AT_END_0)
def shutdown_answered_after_400_ms():
    return up().shutdown(0).shutdown(1).shutdown_ack(0, gap_ns=400 * MS).shutdown_ack(1)


@violates("SD-015")
def both_repeat_shutdown_ack(talk):
    talk.shutdown(talk.near)
    talk.shutdown(talk.far).shutdown_ack(talk.near)
    for _ in range(3):
        talk.shutdown_ack(talk.far, gap_ns=S)
    talk.shutdown_ack(talk.near, gap_ns=2 * S)


@silent("SD-015")
def shutdown_acks_cross():
    return up().shutdown(0).shutdown(1).shutdown_ack(0).shutdown_ack(1).shutdown_ack(1, gap_ns=S).shutdown_complete(0)


@violates("SD-016")
def heartbeat_long_after_shutdown_complete(talk):
    talk.shut_down(talk.near).wait(S).send(talk.near, chunks.heartbeat())


@silent("SD-016")
def sack_overtaken_by_shutdown_complete():
    return up().shut_down().sack(0, gap_ns=MS)


@violates("SM-023")
def data_after_abort(talk):
    talk.abort(talk.near).wait(S).data(talk.near)


@silent("SM-023")
def data_after_a_middlebox_aborted():
    return up().abort(ttl=250).wait(S).data(0)


@silent("SM-023")
def data_after_another_host_aborted():
    return up().abort(identification=40000).wait(S).data(0)


@fires("SM-023")
@silent("SD-003")
@silent("TX-020")
def data_after_shutdown_ack_and_abort():
    """ABORT says most of it."""
    return up().shutdown(1).shutdown_ack(0).abort(0).wait(S).data(0)


@fires("SD-016")
@silent("SD-003")
def data_after_shutdown_complete():
    return up().shut_down().wait(S).data(0)


def two_paths():
    """End 0 sent a DATA chunk to each of the two addresses of end 1."""
    return ScenarioBuilder(("10.0.0.1", ("10.0.0.2", "10.0.0.3"))).set_up().exchange(2).data(0, destination=1).sack(1, source=1).data(0).sack(1)


@silent("SM-023", judged=False)
def data_of_another_path_behind_the_abort():
    """It left before, and that path is slower."""
    return two_paths().abort(0).data(0, destination=1, gap_ns=100 * MS)


@silent("SM-023", judged=False)
def data_of_another_path_of_which_no_round_trip_is_known():
    return two_paths().abort(0).data(0, destination=1, gap_ns=S)


@fires("SM-023")
def data_on_another_path_long_after_the_abort():
    return two_paths().heartbeat(0, destination=1).abort(0).data(0, destination=1, gap_ns=S)


@silent("SD-016")
def heartbeat_to_an_unconfirmed_address_comes_a_second_after_the_shutdown_complete():
    """It left before, and nothing shows how slow its way is."""
    return two_paths().shut_down().heartbeat(0, destination=1, answered=False, gap_ns=S)


@fires("SD-016")
def heartbeat_to_a_confirmed_address_a_second_after_the_shutdown_complete():
    return two_paths().heartbeat(0, destination=1).shut_down().heartbeat(0, destination=1, answered=False, gap_ns=S)


def same_cookie_twice(has_echo=True):
    """COOKIE ACK, DATA and ABORT of end 1 get lost; the COOKIE ECHO comes again, and makes the association from the same cookie (RFC 9260 5.1.5)."""
    scenario = ScenarioBuilder(near_ns=20 * MS, far_ns=MS // 10).init().init_ack().cookie_echo().cookie_ack().data(1).abort(1).wait(S)
    if has_echo:
        scenario.cookie_echo().cookie_ack()
    scenario.ends[1].tsn, scenario.ends[1].ssn = scenario.ends[1].initial_tsn, 0
    return scenario.data(1, size=77).sack(0)


@silent("SM-023", accused=1, judged=False)
@silent("TX-002", accused=1, judged=False)
def association_made_again_from_the_same_cookie():
    return same_cookie_twice()


@fires("SM-023", accused=1)
@fires("TX-002", accused=1)
def other_data_after_an_abort_and_no_cookie():
    return same_cookie_twice(has_echo=False)


@silent("SD-016")
def heartbeat_of_another_path_behind_the_shutdown_complete():
    return two_paths().shut_down().heartbeat(0, destination=1, answered=False, gap_ns=100 * MS)


def old_data_after_the_ack(**options):
    scenario = two_paths()
    old = next(item.chunks for item in reversed(scenario.flow.items) if item.sender == 0)
    return scenario.shutdown(1).shutdown_ack(0).send(0, *old, **options)


@fires("TX-020")
def old_data_soon_after_shutdown_ack():
    return old_data_after_the_ack(gap_ns=20 * MS)


def sacks_overtaken(sources=(0, 0)):
    """End 1 has a second address. Two of its SACKs pass in the wrong order, from these of its addresses; then it shuts down, and its last DATA
    passes once more."""
    scenario = ScenarioBuilder(("10.0.0.1", ("10.0.0.2", "10.0.0.3")), near_ns=20 * MS, far_ns=MS // 10).set_up().exchange(2)
    scenario.heartbeat(1, source=1).data(1)
    old = scenario.flow.items[-1].chunks
    scenario.sack(0).data(0).data(0)
    last = scenario.ends[0].tsn - 1
    scenario.send(1, chunks.sack(last), source=sources[0]).send(1, chunks.sack(last - 1), source=sources[1], gap_ns=90 * MS)
    return scenario.shutdown(0).shutdown_ack(1).send(1, *old, gap_ns=400 * MS)


@silent("TX-020", accused=1, judged=False)
def old_data_behind_the_shutdown_ack_where_packets_of_the_endpoint_overtake_each_other():
    return sacks_overtaken()


@fires("TX-020", accused=1)
def old_data_after_the_shutdown_ack_where_only_packets_of_another_address_overtook():
    return sacks_overtaken((0, 1))


@silent("TX-020")
def old_data_of_another_path_behind_the_shutdown_ack():
    """It left before, and that path is slower."""
    return old_data_after_the_ack(gap_ns=20 * MS, destination=1)


@silent("TX-020")
def old_data_captured_behind_the_shutdown_ack():
    return old_data_after_the_ack(gap_ns=MS)


@violates("SM-011")
def abort_answered_with_abort(talk):
    for _ in range(3):
        talk.abort(talk.far).abort(talk.near)


@silent("SM-011")
def abort_answered_once():
    return up().abort(1).abort(0, t=True).abort(1).abort(0, t=True).data(1).abort(1).abort(0, t=True)


def repeated(*gaps_ns):
    scenario = up().shutdown(0)
    for gap_ns in gaps_ns:
        scenario.shutdown(0, gap_ns=gap_ns)
    return scenario


@fires("SD-010", asserted=COMPLETE_NOT_CAPPED)
def shutdown_each_second():
    return repeated(S, S, S, 4 * S)


@silent("SD-010", asserted=COMPLETE_NOT_CAPPED)
def shutdown_backed_off():
    return repeated(S, 2 * S, 4 * S)


@fires("SD-010")
def shutdown_each_second_wherever_the_tap_is():
    return repeated(S, S, S)


@silent("SD-010", accused=1, judged=False)
def shutdowns_for_data_that_was_under_way():
    """End 1 is far from the tap: the data passed before its SHUTDOWN, and reached it later."""
    scenario = up().data(0).data(0).data(0).shutdown(1)
    for _ in range(3):
        scenario.shutdown(1, gap_ns=20 * MS)
    return scenario


@silent("SD-010", judged=False, asserted=COMPLETE_NOT_CAPPED)
def shutdown_restarted_by_heartbeats():
    scenario = up().shutdown(0)
    for _ in range(4):
        scenario.heartbeat(1, gap_ns=100 * MS).shutdown(0, gap_ns=S)
    return scenario


ONE_SECOND_AT_END_1 = assertions(complete=True, taken_at=["10.0.0.2"], parameters=["10.0.0.2 RTO.Initial=1000 RTO.Min=1000 RTO.Max=60000"])


def acks_by_timer_and_for_shutdowns(*ns):
    """End 1 sends SHUTDOWN ACK at these times (of 0: at once); at 1 s and 3 s for another SHUTDOWN as well."""
    scenario = up().shutdown(0).shutdown_ack(1, gap_ns=MS // 10)
    events = sorted([(at_ns, 1) for at_ns in ns] + [(at_ns - MS // 10, 0) for at_ns in (S, 3 * S)] + [(at_ns, 1) for at_ns in (S, 3 * S)])
    before_ns = 0
    for at_ns, sender in events:
        (scenario.shutdown_ack if sender else scenario.shutdown)(sender, gap_ns=at_ns - before_ns)
        before_ns = at_ns
    return scenario


@fires("SD-010", 1, asserted=ONE_SECOND_AT_END_1)
@silent("SD-010", accused=1, judged=False, asserted=COMPLETE_NOT_CAPPED)
def shutdown_ack_each_second_between_answers():
    return acks_by_timer_and_for_shutdowns(1100 * MS, 2100 * MS, 3100 * MS, 4100 * MS)


@silent("SD-010", accused=1, asserted=ONE_SECOND_AT_END_1)
def shutdown_ack_whose_timer_each_answer_restarts():
    return acks_by_timer_and_for_shutdowns(2 * S, 5 * S + 100 * MS, 9 * S + 100 * MS)


@silent("SD-010", asserted=assertions(complete=True, taken_at=["10.0.0.1"], parameters=["10.0.0.1 RTO.Initial=1000 RTO.Min=1000 RTO.Max=60000"]), judged=False)
def shutdowns_in_a_row_for_packets_that_came_together():
    scenario = up().shutdown(0)
    for _ in range(5):
        for _ in range(4):
            scenario.data(1, gap_ns=MS // 100)
        for _ in range(4):
            scenario.shutdown(0, gap_ns=MS // 100)
        scenario.wait(100 * MS)
    return scenario


def shutdown_heard_by_heartbeats(*gaps_ns):
    """HEARTBEATs of the peer so long after a SHUTDOWN, and each other; then the SHUTDOWN again, 1.5 s after the last."""
    scenario = up().shutdown(0)
    for gap_ns in gaps_ns:
        scenario.heartbeat(1, answered=False, gap_ns=gap_ns)
    return scenario.shutdown(0, gap_ns=1500 * MS)


@silent("SD-029", asserted=TIMED_AT_END_0)
def shutdown_repeated_late_since_the_peer_was_heard():
    return shutdown_heard_by_heartbeats(900 * MS, 900 * MS)


def heartbeats_after_shutdown(gap_ns, count):
    scenario = up().shutdown(0)
    for _ in range(count):
        scenario.heartbeat(1, gap_ns=gap_ns)
    return scenario


@fires("SD-025", asserted=COMPLETE_NOT_CAPPED)
def shutdown_sent_once():
    return heartbeats_after_shutdown(30 * S, 8)


@silent("SD-025", asserted=COMPLETE_NOT_CAPPED)
def shutdown_repeated_late():
    return heartbeats_after_shutdown(30 * S, 2).shutdown(0)


@silent("SD-025", judged=False, asserted=COMPLETE_NOT_CAPPED)
def shutdown_timer_restarted_by_the_peer():
    return heartbeats_after_shutdown(S, 240)


def shutdown_acks(times):
    scenario = up().shutdown(0).shutdown_ack(1)
    for _ in range(times - 1):
        scenario.shutdown_ack(1, gap_ns=2 * S)
    return scenario


@fires("SD-026")
def six_times_shutdown_ack():
    return shutdown_acks(6)


@silent("SD-026")
def answered_at_the_third():
    return shutdown_acks(3).shutdown_complete(0)


def closed():
    """End 1 shut down, nobody has an association any more."""
    return long_established().shut_down(1).wait(S)


@fires("SM-010", asserted=COMPLETE)
def shutdown_complete_answered_with_abort():
    return closed().shutdown_complete(1).abort(0, t=True)


@silent("SM-010", asserted=COMPLETE)
def heartbeat_answered_with_abort():
    return closed().heartbeat(1, answered=False).abort(0, t=True)


@silent("SM-010", asserted=COMPLETE)
def heartbeat_of_a_slower_way_answered_with_abort():
    """It passed before the SHUTDOWN ACK left, and came after the SHUTDOWN COMPLETE."""
    return two_paths().exchange(20).shutdown(1).heartbeat(1, source=1, answered=False).shutdown_ack(0).shutdown_complete(1).abort(0, t=True)


@silent("SM-010", judged=False)
def shutdown_complete_answered_with_abort_perhaps():
    return closed().shutdown_complete(1).abort(0, t=True)


@fires("SD-027", asserted=COMPLETE_AT_END_0)
def shutdown_in_cookie_wait_answered():
    return ScenarioBuilder().init().send(1, chunks.shutdown(5)).shutdown_ack(0, gap_ns=MS)


@silent("SD-027", asserted=COMPLETE_AT_END_0)
def shutdown_with_the_cookie_ack_answered():
    scenario = ScenarioBuilder().init().init_ack().cookie_echo()
    return scenario.send(1, chunks.cookie_ack(), chunks.shutdown(scenario.ends[0].initial_tsn - 1)).shutdown_ack(0, gap_ns=MS)


def aborted_by_the_peer(**options):
    """End 1 ends the association; end 0 has data left."""
    return long_established().abort(1, **options)


def repeated_in_shutdown_sent(*answer):
    """The last TSN of end 1, which end 0 had acknowledged, comes again after its SHUTDOWN."""
    scenario = up()
    end = scenario.ends[1]
    scenario.shutdown(0).send(1, chunks.data(end.tsn - 1, bytes(20), ssn=end.ssn - 1), gap_ns=S)
    return scenario.send(0, *answer, chunks.shutdown(end.tsn - 1)).shutdown_ack(1, gap_ns=S)


@fires("SD-008", asserted=COMPLETE_AT_END_0)
@silent("SD-008", asserted=COMPLETE, judged=False)
def duplicate_in_shutdown_sent_answered_without_sack():
    return repeated_in_shutdown_sent()


@silent("SD-008", asserted=COMPLETE_AT_END_0)
def duplicate_in_shutdown_sent_answered_with_sack():
    return repeated_in_shutdown_sent(chunks.sack(up().ends[1].tsn - 1))


@fires("SM-012", asserted=COMPLETE_AT_END_0)
@silent("SM-012", asserted=COMPLETE, judged=False)
def data_a_second_after_the_abort_of_the_peer():
    return aborted_by_the_peer().data(0, gap_ns=S)


@fires("SM-012", asserted=COMPLETE_AT_END_0)
def abort_ignored_though_answered_before():
    """What was on its way when the ABORT came excuses nothing that comes later."""
    return aborted_by_the_peer().data(0).heartbeat(0, answered=False, gap_ns=2 * S)


@fires("SM-012", 1, asserted=COMPLETE_AT_END_1)
def heartbeat_after_shutdown_complete():
    return long_established().shut_down().heartbeat(1, answered=False, gap_ns=S)


@fires("SM-012", asserted=COMPLETE_AT_END_0)
def data_a_while_after_the_abort_of_the_peer():
    return aborted_by_the_peer().data(0, gap_ns=400 * MS)


def told_again(times, gap_ns=S):
    """End 1 has no association any more, and answers each packet of end 0 by an ABORT that reflects its tag."""
    scenario = aborted_by_the_peer().data(0, gap_ns=gap_ns)
    for _ in range(times):
        scenario.abort(1, t=True).data(0, gap_ns=gap_ns)
    return scenario


@fires("SM-012", certainty="probable")
def told_three_times_by_aborts():
    return told_again(2)


@silent("SM-012", judged=False)
def told_twice_by_aborts():
    return told_again(1)


@silent("SM-012", judged=False)
def told_by_aborts_of_one_burst():
    """What came together may be lost together behind the tap."""
    return told_again(4, 20 * MS)


@fires("SM-012", certainty="probable")
def shutdown_ack_repeated_whatever_is_complete():
    scenario = long_established().shut_down(1)
    for _ in range(2):
        scenario.shutdown_ack(0, gap_ns=S).shutdown_complete(1, t=True)
    return scenario.shutdown_ack(0, gap_ns=S)


@silent("SM-012", judged=False)
def shutdown_ack_repeated_until_complete_arrives():
    scenario = long_established().shut_down(1).shutdown_ack(0, gap_ns=S).shutdown_complete(1, t=True)
    return scenario.shutdown_ack(0, gap_ns=S).shutdown_complete(1, t=True)


@silent("SM-012", asserted=COMPLETE_AT_END_0)
def data_that_crossed_the_abort():
    return aborted_by_the_peer().data(0).data(0, gap_ns=100 * MS)


@silent("SM-012", asserted=COMPLETE_AT_END_0, judged=False)
def abort_with_a_foreign_tag_discarded():
    return long_established().send(1, chunks.abort(), vtag=7).exchange(2).wait(S).exchange(2)


@silent("SM-012", asserted=COMPLETE_AT_END_0, judged=False)
def abort_behind_a_broken_chunk_discarded():
    return long_established().send(1, chunks.chunk(chunks.HEARTBEAT_ACK, 0, b"", length=3), chunks.abort()).wait(S).exchange(2)


@silent("SM-012", 1, asserted=COMPLETE_AT_END_1, judged=False)
def shutdown_complete_in_company_discarded():
    """SHUTDOWN ACK is repeated: a SHUTDOWN COMPLETE that is not alone ends nothing."""
    scenario = long_established().shutdown(0).shutdown_ack(1)
    return scenario.send(0, chunks.shutdown_complete(), chunks.data(scenario.ends[0].tsn, b"user")).shutdown_ack(1, gap_ns=S)


@silent("SM-012", asserted=COMPLETE_AT_END_0, judged=False)
def abort_from_an_address_that_nobody_listed_discarded():
    scenario = long_established()
    scenario.ends[1].addresses.append("10.0.9.9")
    return scenario.send(1, chunks.abort(), source=1).wait(S).exchange(2)


@silent("SM-012", asserted=COMPLETE_AT_END_0, judged=False)
def another_association_after_the_abort():
    return with_new_tags(aborted_by_the_peer()).wait(S).set_up().exchange(2)


LEFT_OUT = [
    ("SD-004", "left out", "the length of the peer's queue is unknown"),
    ("SD-013", "dropped", "the timer is optional"),
    ("SD-017", "left out", "a SHUTDOWN that the capture missed explains it"),
    ("SD-018", "left out", "a SHUTDOWN ACK that the capture missed explains it"),
    ("SD-019", "dropped", "causes are optional"),
    ("SD-020", "dropped", "whether the upper layer asked is not visible; the causes are shown anyway"),
    ("SD-021", "left out", "stacks use cause 13 also for other reasons; the cause is shown anyway"),
    ("SD-022", "left out", "the order of findings shows it"),
    ("SD-023", "left out", "a measurement, no conformance: what was outstanding at an ABORT is told by the reports"),
    ("SD-024", "dropped", "cross reference only"),
    ("SM-008", "dropped", "merged with SM-011, only a reflected ABORT can be attributed"),
]
