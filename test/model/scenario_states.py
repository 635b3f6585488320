# SPDX-License-Identifier: GPL-2.0-or-later
"""States of both ends."""

from generate import chunks
from scenario_builder import COMPLETE, S, ScenarioBuilder
from register import fires, silent


@fires("SM-026")
def sack_and_cookie_echo_again():
    return ScenarioBuilder().set_up().exchange(2).wait(S).cookie_echo()


@silent("SM-026")
def cookie_echo_again_before_its_answer():
    return ScenarioBuilder().init().init_ack().cookie_echo().cookie_echo(gap_ns=S).cookie_ack().exchange(2).shut_down()


@silent("SM-026")
def shutdown_ack_whose_shutdown_was_missed():
    return ScenarioBuilder().set_up().exchange(2).send(0, chunks.shutdown_ack())


@silent("SM-026")
def both_shut_down():
    scenario = ScenarioBuilder().set_up().exchange(2)
    for sender in (0, 1):
        scenario.send(sender, chunks.shutdown(scenario.ends[1 - sender].tsn - 1))
    return scenario.send(0, chunks.shutdown_ack()).send(1, chunks.shutdown_ack()).send(0, chunks.shutdown_complete())


WRONG = 0x12345678


def up():
    """Long enough for identifications to show that no packet is missing."""
    return ScenarioBuilder().set_up().exchange(20)


def with_new_tags(scenario):
    """What follows is of another association of the same endpoints."""
    for end in scenario.ends:
        end.tag, end.initial_tsn, end.ssn = scenario.rng.randrange(1 << 20, 1 << 32), scenario.rng.randrange(1 << 32), 0
        end.tsn = end.initial_tsn
    return scenario


def answered_with_wrong_tag(sender, vtag=WRONG):
    """Its peer answers a HEARTBEAT with that tag."""
    info = bytes(range(40))
    return up().send(sender, chunks.heartbeat(info), vtag=vtag).send(1 - sender, chunks.heartbeat_ack(info)).exchange(2)


@fires("SM-001")
def heartbeats_with_wrong_tag():
    scenario = up()
    for _ in range(3):
        scenario.heartbeat(answered=False, vtag=WRONG).wait(S)
    return scenario.exchange(2).shut_down()


@fires("SM-001")
def data_with_wrong_tag_without_identification():
    scenario = up()
    part = chunks.data(scenario.ends[0].tsn, bytes(20), ssn=scenario.ends[0].ssn)
    return scenario.send(0, part, vtag=WRONG, identification=0).wait(S).exchange(2).shut_down()


@silent("SM-001", judged=False)
def heartbeat_of_another_host_with_wrong_tag():
    return up().heartbeat(answered=False, vtag=WRONG, identification=7).exchange(2).shut_down()


@silent("SM-001", judged=False)
def restart_whose_setup_was_missed():
    return with_new_tags(up()).heartbeat().exchange(2).shut_down()


@silent("SM-001", 1, judged=False)
def heartbeat_with_tag_of_an_earlier_association():
    scenario = ScenarioBuilder().set_up().exchange(2).shut_down()
    earlier = scenario.ends[0].tag
    return with_new_tags(scenario).set_up().exchange(20).heartbeat(1, answered=False, vtag=earlier).exchange(2)


@fires("SM-003")
def heartbeat_with_wrong_tag_answered():
    return answered_with_wrong_tag(1)


@silent("SM-003", judged=False)
def heartbeat_with_right_tag_answered():
    return answered_with_wrong_tag(1, vtag=None)


@silent("SM-003", judged=False)
def heartbeat_with_both_tags_answered():
    info = bytes(range(40))
    scenario = up().send(1, chunks.heartbeat(info)).send(1, chunks.heartbeat(info), vtag=WRONG)
    return scenario.send(0, chunks.heartbeat_ack(info)).exchange(2)


@fires("SM-004")
def abort_reflects_without_t_bit():
    scenario = up()
    return scenario.send(0, chunks.abort(), vtag=scenario.ends[0].tag).data(1)


@fires("SM-004")
def abort_with_the_right_tag_and_t_bit():
    scenario = up()
    return scenario.send(0, chunks.abort(t=True), vtag=scenario.ends[1].tag).data(1)


@silent("SM-004")
def may_reflect_the_wrong_tag_of_its_peer():
    scenario = up()
    scenario.send(1, chunks.heartbeat(), vtag=scenario.ends[1].tag)
    return scenario.send(0, chunks.abort(t=True), vtag=scenario.ends[1].tag)


@silent("SM-004")
def abort_reflects_with_t_bit():
    return up().abort(t=True)


@fires("SM-006")
def shutdown_complete_reflects_without_t_bit():
    scenario = up()
    scenario.send(0, chunks.shutdown(scenario.ends[1].tsn - 1)).send(1, chunks.shutdown_ack())
    return scenario.send(0, chunks.shutdown_complete(), vtag=scenario.ends[0].tag)


@fires("SM-006")
def shutdown_complete_with_t_bit_and_tag_of_the_peer():
    scenario = up()
    scenario.send(0, chunks.shutdown(scenario.ends[1].tsn - 1)).send(1, chunks.shutdown_ack())
    return scenario.send(0, chunks.shutdown_complete(True))


@silent("SM-006")
def shutdown_complete_reflects_with_t_bit():
    return up().shut_down(complete_t=True)


def closed():
    """End 1 shut down, nobody has an association any more."""
    return up().shut_down(1).wait(S)


@fires("SM-010", asserted=COMPLETE)
def shutdown_complete_answered_with_abort():
    return closed().send(1, chunks.shutdown_complete()).abort(0, t=True)


@silent("SM-010", asserted=COMPLETE)
def heartbeat_answered_with_abort():
    return closed().heartbeat(1, answered=False).abort(0, t=True)


@silent("SM-010", judged=False)
def shutdown_complete_answered_with_abort_perhaps():
    return closed().send(1, chunks.shutdown_complete()).abort(0, t=True)


def restarted_by_end_1(in_shutdown):
    """in_shutdown: end 0 is in SHUTDOWN-ACK-SENT when the COOKIE ECHO comes."""
    scenario = up()
    tags, tsn = [end.tag for end in scenario.ends], scenario.ends[0].tsn
    with_new_tags(scenario).init(1).init_ack(0)
    if in_shutdown:
        scenario.send(1, chunks.shutdown(tsn - 1), vtag=tags[0]).send(0, chunks.shutdown_ack(), vtag=tags[1])
    return scenario.cookie_echo(1).cookie_ack(0).exchange(2)


@fires("SM-018", 1, asserted=COMPLETE)
def restart_accepted_in_shutdown_ack_sent():
    return restarted_by_end_1(True)


@silent("SM-018", 1, asserted=COMPLETE)
def restart_accepted_when_established():
    return restarted_by_end_1(False)


@silent("SM-018", 1, judged=False)
def restart_accepted_after_shutdown_complete_perhaps():
    return restarted_by_end_1(True)
