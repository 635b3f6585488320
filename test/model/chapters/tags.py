# SPDX-License-Identifier: GPL-2.0-or-later
"""Verification Tags that are not those of the peer."""

from generate import chunks
from scenario_builder import S, ScenarioBuilder, assertions
from register import fires, silent
from scripts import UNHINDERED, violates
from set_ups import long_established, with_new_tags

WRONG = 0x12345678
AT_END_0 = assertions(complete=True, taken_at=["10.0.0.1"])
AT_END_1 = assertions(complete=True, taken_at=["10.0.0.2"])


@fires("SM-001")
def heartbeats_with_wrong_tag():
    scenario = long_established()
    for _ in range(3):
        scenario.heartbeat(answered=False, vtag=WRONG).wait(S)
    return scenario.exchange(2).shut_down()


@violates("SM-001", UNHINDERED)
def data_with_wrong_tag(talk):
    data = talk.chunk(talk.near)
    talk.send(talk.near, data, vtag=WRONG).wait(S).send(talk.near, data).sack(talk.far)


@fires("SM-001")
def data_with_wrong_tag_without_identification():
    scenario = long_established()
    part = chunks.data(scenario.ends[0].tsn, bytes(20), ssn=scenario.ends[0].ssn)
    return scenario.send(0, part, vtag=WRONG, identification=0).wait(S).exchange(2).shut_down()


@fires("SM-001", asserted=AT_END_0)
def last_heartbeat_with_wrong_tag():
    return long_established().heartbeat(answered=False, vtag=WRONG)


@fires("SM-001", asserted=AT_END_0)
@silent("SM-001", judged=False)
def heartbeat_with_wrong_tag_without_identification():
    return long_established().heartbeat(answered=False, vtag=WRONG, identification=0).wait(S).exchange(2)


@silent("SM-001", judged=False)
def last_heartbeat_with_wrong_tag_of_somebody():
    """Nothing follows that shows that no other association took the place of this one."""
    return long_established().heartbeat(answered=False, vtag=WRONG)


@silent("SM-001", judged=False, asserted=AT_END_1)
def last_heartbeat_with_wrong_tag_at_its_receiver():
    return long_established().heartbeat(answered=False, vtag=WRONG, identification=7)


@fires("SM-001", 1, asserted=AT_END_1)
@fires("SM-001", 1)
def cookie_ack_with_wrong_tag():
    return ScenarioBuilder().init().init_ack().cookie_echo().cookie_ack(vtag=WRONG).data(0).sack(1).data(1).sack(0)


@silent("SM-001", 1, judged=False)
@silent("SM-001", 1, judged=False, asserted=AT_END_1)
def heartbeat_of_an_older_association_before_the_cookie_echo():
    """Whose peer has lost it, and sets up anew."""
    return ScenarioBuilder().init().init_ack().send(1, chunks.heartbeat(), vtag=WRONG).cookie_echo().cookie_ack().exchange(2)


@fires("SM-001", 1, asserted=AT_END_1)
@fires("SM-001", 1)
def shutdown_ack_with_wrong_tag():
    return ScenarioBuilder().set_up().exchange(2).shutdown(0).shutdown_ack(1, vtag=WRONG).shutdown_complete(0)


@fires("SM-001", asserted=AT_END_0)
@fires("SM-001")
def shutdown_complete_with_wrong_tag():
    return ScenarioBuilder().set_up().exchange(2).shutdown(0).shutdown_ack(1).shutdown_complete(0, vtag=WRONG)


@fires("SM-001", asserted=AT_END_0)
@fires("SM-001")
def abort_of_a_set_up_with_wrong_tag():
    return ScenarioBuilder().init().init_ack().send(0, chunks.abort(), vtag=WRONG)


@fires("SM-001", 1, asserted=AT_END_1)
@fires("SM-001", 1)
def init_refused_with_wrong_tag():
    return ScenarioBuilder().init().send(1, chunks.abort(), vtag=WRONG)


@silent("SM-001", 1, judged=False, asserted=AT_END_1)
def init_refused_with_its_tag():
    return ScenarioBuilder().init().abort(1)


@silent("SM-001", judged=False)
def abort_of_another_host():
    return ScenarioBuilder().set_up().exchange(2).send(0, chunks.abort(), vtag=WRONG, identification=7, ttl=50).exchange(2)


@fires("SM-001", asserted=AT_END_0)
@fires("SM-001")
def data_with_wrong_tag_between_packets_without_set_up():
    scenario = ScenarioBuilder().exchange(4)
    return scenario.send(0, chunks.data(scenario.ends[0].tsn, bytes(20), ssn=scenario.ends[0].ssn), vtag=WRONG).exchange(2)


@silent("SM-001", judged=False)
def another_association_without_set_ups():
    return with_new_tags(ScenarioBuilder().exchange(4)).exchange(4)


@silent("SM-001", judged=False)
def heartbeat_of_another_host_with_wrong_tag():
    return long_established().heartbeat(answered=False, vtag=WRONG, identification=7).exchange(2).shut_down()


@silent("SM-001", judged=False)
def restart_whose_setup_was_missed():
    return with_new_tags(long_established()).heartbeat().exchange(2).shut_down()


@silent("SM-001", 1, judged=False)
def heartbeat_with_tag_of_an_earlier_association():
    scenario = ScenarioBuilder().set_up().exchange(2).shut_down()
    earlier = scenario.ends[0].tag
    return with_new_tags(scenario).set_up().exchange(20).heartbeat(1, answered=False, vtag=earlier).exchange(2)


@violates("SM-003", UNHINDERED, causes=["SM-001"])
def heartbeat_with_wrong_tag_answered(talk):
    info = bytes(range(40))
    talk.data(talk.near).send(talk.far, talk.saying(talk.far), chunks.heartbeat(info), vtag=WRONG)
    talk.send(talk.near, chunks.heartbeat_ack(info)).wait(S).send(talk.near, talk.sent).sack(talk.far)


@silent("SM-003", judged=False)
def heartbeat_with_right_tag_answered():
    return long_established().heartbeat(1).exchange(2)


@silent("SM-003", judged=False)
def heartbeat_with_both_tags_answered():
    info = bytes(range(40))
    scenario = long_established().send(1, chunks.heartbeat(info)).send(1, chunks.heartbeat(info), vtag=WRONG)
    return scenario.send(0, chunks.heartbeat_ack(info)).exchange(2)


@violates("SM-004")
def abort_reflects_without_t_bit(talk):
    talk.abort(talk.near, vtag=talk.ends[talk.near].tag)


@fires("SM-004")
def abort_with_the_right_tag_and_t_bit():
    scenario = long_established()
    return scenario.send(0, chunks.abort(t=True), vtag=scenario.ends[1].tag).data(1)


@silent("SM-004")
def may_reflect_the_wrong_tag_of_its_peer():
    scenario = long_established()
    scenario.send(1, chunks.heartbeat(), vtag=scenario.ends[1].tag)
    return scenario.send(0, chunks.abort(t=True), vtag=scenario.ends[1].tag)


@silent("SM-004")
def abort_reflects_with_t_bit():
    return long_established().abort(t=True)


@violates("SM-006", UNHINDERED)
def shutdown_complete_reflects_without_t_bit(talk):
    talk.sack(talk.near).shutdown(talk.near).shutdown_ack(talk.far).shutdown_complete(talk.near, vtag=talk.ends[talk.near].tag)


@fires("SM-006")
def shutdown_complete_with_t_bit_and_tag_of_the_peer():
    return long_established().shutdown(0).shutdown_ack(1).send(0, chunks.shutdown_complete(True))


@silent("SM-006")
def shutdown_complete_reflects_with_t_bit():
    return long_established().shut_down(complete_t=True)


@fires("SM-024", 1, asserted=AT_END_1)
@fires("SM-024", 1)
def abort_reflects_a_tag_of_nobody():
    return ScenarioBuilder().send(0, chunks.data(1, bytes(20))).send(1, chunks.abort(t=True), vtag=WRONG)


@fires("SM-024", asserted=AT_END_0)
@violates("SM-024", UNHINDERED)
def abort_in_an_association_reflects_a_tag_of_nobody(talk):
    talk.data(talk.far).send(talk.near, chunks.abort(t=True), vtag=WRONG)


@silent("SM-024", 1)
@silent("SM-024", 1, asserted=AT_END_1)
def abort_reflects_the_tag_of_what_it_answers():
    scenario = ScenarioBuilder()
    return scenario.data(0).send(1, chunks.abort(t=True), vtag=scenario.ends[1].tag)


@fires("SM-024")
def shutdown_complete_reflects_a_tag_of_nobody():
    return ScenarioBuilder().init().shutdown_ack(1).send(0, chunks.shutdown_complete(True), vtag=WRONG)


@silent("SM-024", 1)
def abort_reflects_the_tag_of_an_earlier_association():
    scenario = ScenarioBuilder().set_up().exchange(2).shut_down()
    earlier = scenario.ends[1].tag
    return with_new_tags(scenario).set_up().exchange(2).send(0, chunks.heartbeat(), vtag=earlier).send(1, chunks.abort(t=True), vtag=earlier)


@silent("SM-024", judged=False)
def abort_reflects_what_passed_before_the_capture():
    """Nothing of its peer stands before it."""
    return ScenarioBuilder().data(0).sack(1).data(0).send(0, chunks.abort(t=True), vtag=WRONG)


def shut_down_with_a_wrong_tag():
    return ScenarioBuilder().set_up().exchange(2).shutdown(0).shutdown_ack(1).shutdown_complete(0, vtag=WRONG)


@fires("SM-029", 1, asserted=AT_END_1)
def wrong_tag_answered_by_abort():
    return shut_down_with_a_wrong_tag().send(1, chunks.abort(t=True), vtag=WRONG).shutdown_ack(1, gap_ns=S).shutdown_complete(0)


@silent("SM-029", 1, asserted=AT_END_1, judged=False)
def wrong_tag_ignored():
    return shut_down_with_a_wrong_tag().shutdown_ack(1, gap_ns=S).shutdown_complete(0)


@silent("SM-029", 1, asserted=AT_END_1, judged=False)
def wrong_tag_reflected_after_the_end():
    return ScenarioBuilder().set_up().exchange(2).abort(1).shutdown_complete(0, vtag=WRONG).send(1, chunks.abort(t=True), vtag=WRONG)


LEFT_OUT = [
    ("SM-002", "left out",
     "SM-001 asks it; where neither set-up nor TSNs that carry on were captured, a second association cannot be told from a changed tag"),
    ("SM-022", "left out", "two hosts behind one address cannot be excluded"),
]
