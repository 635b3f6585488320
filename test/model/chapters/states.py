# SPDX-License-Identifier: GPL-2.0-or-later
"""States of both ends: what an endpoint sends in a state that does not allow it."""

from generate import chunks
from scenario_builder import S, ScenarioBuilder
from register import silent
from scripts import alters
from continuation import Continuation


@silent("SM-026")
def new_data_after_shutdown_says_more_than_the_state():
    return ScenarioBuilder().set_up().exchange(2).shutdown(0).data(0)


@alters("SM-026")
def cookie_echo_again(editor):
    continuation = Continuation(editor, near=0)
    echo = continuation.association.first(0, chunks.COOKIE_ECHO)
    continuation.rounds(1).wait(S).send(0, echo.packet["sctp"][echo.at:echo.at + (echo.length + 3) // 4 * 4])
    return 0


@silent("SM-026")
def cookie_echo_again_before_its_answer():
    return ScenarioBuilder().init().init_ack().cookie_echo().cookie_echo(gap_ns=S).cookie_ack().exchange(2).shut_down()


@silent("SM-026")
def heartbeat_answered_before_the_cookie_ack():
    """HEARTBEATs are answered from COOKIE-ECHOED on (RFC 9260 8.3); the COOKIE ACK got lost before the tap."""
    return ScenarioBuilder().init().init_ack().cookie_echo().heartbeat(1).cookie_echo(gap_ns=S).cookie_ack().exchange(2)


@silent("SM-026")
def shutdown_ack_whose_shutdown_was_missed():
    return ScenarioBuilder().set_up().exchange(2).shutdown_ack(0)


@silent("SM-026")
def both_shut_down():
    scenario = ScenarioBuilder().set_up().exchange(2)
    for sender in (0, 1):
        scenario.send(sender, chunks.shutdown(scenario.ends[1 - sender].tsn - 1))
    return scenario.shutdown_ack(0).shutdown_ack(1).shutdown_complete(0)


LEFT_OUT = [
    ("SM-005", "left out", "a crashed or filtered host looks the same until it lives on; then SM-026 shows it in part"),
    ("SM-007", "left out", "SHOULD; firewalls, rate limits and ending processes are also silent"),
    ("SM-009", "left out", "as SM-007"),
    ("SM-013", "left out", "FORWARD-TSN, RE-CONFIG, window updates and DATA that was missed cause SACKs"),
    ("SM-014", "merged into SM-026", "HEARTBEAT in CLOSED or COOKIE-WAIT is a chunk that no state allows"),
    ("SM-015", "merged into HS-015", "a SACK before the COOKIE ACK is a packet between COOKIE ECHO and COOKIE ACK"),
    ("SM-016", "left out", "SHUTDOWN that follows a missed COOKIE ACK looks the same"),
    ("SM-017", "left out", "a SHUTDOWN COMPLETE that the capture missed explains it"),
    ("SM-019", "left out", "ERROR may be lost behind the tap; only ASCONF has a MUST, which the rules of addresses judge"),
    ("SM-020", "left out", "needs the end of the capture, where the model is not asked; the tracker says no_answer"),
    ("SM-025", "left out", "ICMP errors are no packets of the association, and their arrival is invisible"),
]
