# SPDX-License-Identifier: GPL-2.0-or-later
"""States of both ends."""

from generate import chunks
from scenario_builder import S, ScenarioBuilder
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
