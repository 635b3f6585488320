# SPDX-License-Identifier: GPL-2.0-or-later
"""COOKIE ECHO and COOKIE ACK: that the cookie comes back as it was given, to whom, and what is accepted."""

from generate import chunks
from scenario_builder import COMPLETE, COMPLETE_AT_END_1, MS, S, ScenarioBuilder, assertions
from register import fires, silent
from scripts import NEAR_1, alters
from continuation import Continuation
from captured_associations import chunks_of, is_set_up_once, pack
from set_ups import TWO, cookie_of, edit_said, elsewhere, long_established, next_of, repeated, restart_in_capture, with_new_tags


@silent("HS-012")
@silent("HS-013")
@silent("HS-030")
@silent("HS-057", 1)
def usual_set_up():
    return ScenarioBuilder().set_up().exchange(2)


@fires("HS-048", 1)
def another_cookie():
    return ScenarioBuilder(near_ns=MS // 10, far_ns=MS).init().init_ack(cookie=b"cookie..").cookie_echo(cookie=b"cookie!!").cookie_ack()


@alters("HS-012", causes=("HS-048",))
def other_cookie_echoed(editor):
    association = editor.association(is_set_up_once)
    place = association.first(0, chunks.COOKIE_ECHO)
    editor.edit(place.packet, place.at + place.length - 5, b"MUTED"[:5])
    return 0


@silent("HS-012")
@silent("HS-048", 1)
@silent("HS-013")
def cookie_of_the_first_of_two():
    return ScenarioBuilder(far_ns=MS).init().init_ack(cookie=b"one-").init().init_ack(cookie=b"two-").cookie_echo(cookie=b"one-").cookie_ack()


@silent("HS-012", judged=False)
def cookie_of_the_first_of_two_after_an_older_attempt():
    """End 0 answered the INIT of end 1, whose COOKIE ECHO is discarded; its own INIT goes to both addresses, and is answered twice."""
    scenario = ScenarioBuilder(("10.0.0.1", ("10.0.0.2", "10.0.0.3"))).init(1).send(0, chunks.init_ack(0x1111_0001, 77, b"older"))
    scenario.init(0, gap_ns=MS).send(1, chunks.cookie_echo(b"older"), vtag=0x1111_0001).init(0, destination=1, gap_ns=S)
    scenario.init_ack(1, cookie=b"one-").cookie_echo(0, cookie=b"one-").init_ack(1, cookie=b"two-", source=1)
    return scenario.cookie_echo(0, cookie=b"one-", destination=1, gap_ns=S).cookie_ack(1).exchange(2)


@silent("HS-012", judged=False)
def cookie_of_an_unseen_init_ack():
    return ScenarioBuilder().init().init().init_ack(cookie=b"cookie..").cookie_echo(cookie=b"cookie!!").cookie_ack()


@alters("HS-013")
def cookie_with_the_tag_of_another(editor):
    association = editor.association(is_set_up_once)
    first, echo = association.init_ack, association.first(0, chunks.COOKIE_ECHO)
    editor.again(association.init.packet)
    second = editor.again(first.packet)
    tag = association.tags[1] ^ 0x5A5A5A5A
    editor.edit(second, first.at + 4, pack(tag))
    editor.edit(second, cookie_of(association)[0] + 8, b"OTHER")
    editor.edit(echo.packet, 4, pack(tag))
    editor.end_after(echo.packet)
    return 0


RTO_MIN_AT_END_0 = assertions(complete=True, taken_at=["10.0.0.1"], parameters=["10.0.0.1 RTO.Min=1000"])
LIFE_AT_END_1 = assertions(complete=True, taken_at=["10.0.0.2"], parameters=["10.0.0.2 Valid.Cookie.Life=5000"])


def echoed_again(gap_ns, **options):
    return ScenarioBuilder().init().init_ack().cookie_echo().cookie_echo(gap_ns=gap_ns, **options).cookie_ack().exchange(2)


@fires("HS-052", asserted=RTO_MIN_AT_END_0)
@fires("HS-052", certainty="probable")
def same_cookie_echoed_again_at_once():
    """T1-init ran for 20 ms without expiring."""
    return echoed_again(MS)


@silent("HS-052")
def same_cookie_echoed_again_after_a_round_trip():
    """RTO.Min and RTO.Initial may be as short."""
    return echoed_again(25 * MS)


@silent("HS-052", judged=False)
def same_cookie_echoed_again_to_another_address():
    """Its host learned that there is no route."""
    scenario = ScenarioBuilder(TWO).init().init_ack().cookie_echo()
    return scenario.cookie_echo(source=1, destination=1, gap_ns=MS).cookie_ack().exchange(2)


@silent("HS-052", asserted=RTO_MIN_AT_END_0)
def same_cookie_echoed_again_by_the_timer():
    return echoed_again(S)


@silent("HS-052", asserted=RTO_MIN_AT_END_0, judged=False)
def cookie_echo_that_may_stand_in_the_capture_twice():
    scenario = ScenarioBuilder().init().init_ack()
    scenario.send(0, chunks.cookie_echo(), identification=0).send(0, chunks.cookie_echo(), gap_ns=3 * MS, identification=0)
    return scenario.cookie_ack().exchange(2)


def refused_as_stale(age_ns, stale_ns=0):
    cause = chunks.tlv(3, (stale_ns // 1000).to_bytes(4, "big"))
    return ScenarioBuilder(far_ns=MS).init().init_ack().cookie_echo(gap_ns=age_ns).send(1, chunks.error(cause))


@fires("HS-070", 1, asserted=LIFE_AT_END_1)
@silent("HS-070", 1, judged=False)
def fresh_cookie_refused():
    """The life of cookies may be 100 ms, unless asserted otherwise."""
    return refused_as_stale(100 * MS)


@fires("HS-070", 1, certainty="probable")
def cookie_stale_for_longer_than_it_exists():
    return refused_as_stale(100 * MS, 99 * S)


@silent("HS-070", 1)
def cookie_stale_for_as_long_as_it_exists():
    """Its life is short, and the clock of its host counts seconds."""
    return refused_as_stale(100 * MS, S)


@silent("HS-070", 1)
def old_cookie_stale_for_nearly_as_long():
    return refused_as_stale(70 * S, 69 * S)


@fires("HS-070", 1, asserted=LIFE_AT_END_1)
def cookie_refused_after_two_seconds():
    return refused_as_stale(2 * S)


@silent("HS-070", 1, asserted=LIFE_AT_END_1)
def old_cookie_refused():
    return refused_as_stale(6 * S)


def taken_late(age_ns, params=b""):
    return ScenarioBuilder(far_ns=MS).init(params=params).init_ack().cookie_echo(gap_ns=age_ns).cookie_ack().exchange(2)


@fires("HS-071", 1, asserted=LIFE_AT_END_1)
@silent("HS-071", 1, asserted=COMPLETE_AT_END_1, judged=False)
def stale_cookie_taken():
    return taken_late(8 * S)


@silent("HS-071", 1, asserted=LIFE_AT_END_1)
def cookie_taken_when_its_life_just_ends():
    return taken_late(5500 * MS)


@silent("HS-071", 1, asserted=LIFE_AT_END_1, judged=False)
def stale_cookie_taken_whose_initiator_asked_for_a_longer_life():
    return taken_late(8 * S, chunks.tlv(9, (60000).to_bytes(4, "big")))


@silent("HS-071", 1, asserted=LIFE_AT_END_1, judged=False)
def cookie_echo_again_after_the_cookie_has_expired():
    """The first one was taken in time; both tags fit the association, so that its age is not asked (RFC 9260 5.2.4 D)."""
    return ScenarioBuilder(far_ns=MS).init().init_ack().cookie_echo().cookie_echo(gap_ns=8 * S).cookie_ack().exchange(2)


@alters("HS-024")
def cookie_echoed_ten_times(editor):
    association = editor.association(is_set_up_once)
    packet = association.first(0, chunks.COOKIE_ECHO).packet
    editor.end_after(packet)
    for number in range(1, 11):
        editor.again(packet, number * 3 * S)
    return 0


@silent("HS-024")
def cookie_echo_with_new_cookie():
    scenario = repeated(ScenarioBuilder().init().init_ack(), 8, chunks.cookie_echo())
    scenario.send(1, chunks.error(chunks.tlv(3, bytes(4)))).init().init_ack(cookie=b"later...")
    return repeated(scenario, 2, chunks.cookie_echo(b"later..."))


@alters("HS-030", causes=("HS-005", "TX-011", "RX-024"))
def init_ack_without_streams_accepted(editor):
    edit_said(editor, 1, 12, bytes(2))
    return 0


def after_shutdown(tags):
    scenario = ScenarioBuilder().set_up().exchange().shut_down()
    again = next_of(scenario, (tags[0] or scenario.ends[0].tag, tags[1] or scenario.ends[1].tag))
    again.set_up(gap_ns=10 * S).exchange()
    return scenario


@fires("HS-043")
def tag_of_the_initiator_used_again():
    return after_shutdown((None, 0x76543210))


@alters("HS-043", 1)
def tag_used_again(editor):
    continuation = Continuation(editor)
    association = continuation.association
    continuation.send(0, chunks.shutdown(continuation.ends[1].tsn - 1)).shutdown_ack(1).shutdown_complete(0).wait(S)
    restart_in_capture(continuation, (association.tags[0] ^ 0x3333333, association.tags[1]))
    return 1


@silent("HS-043")
def new_tags():
    return after_shutdown((0x01234567, 0x76543210))


@silent("HS-043")
def tag_of_an_initiator_whose_association_never_came_up():
    """COOKIE ACK and ABORT get lost behind the tap; the peer, which has nothing any more, associates: COOKIE-ECHOED answers with its tag unchanged (5.2.1)."""
    scenario = ScenarioBuilder().init().init_ack().cookie_echo().cookie_ack().abort(1)
    again = next_of(scenario, (scenario.ends[0].tag, 0x76543210))
    again.set_up(initiator=1, gap_ns=S).exchange()
    return scenario


@silent("HS-043")
def same_packets_twice():
    return after_shutdown((None, None))


@alters("HS-052")
def second_cookie_echoed(editor):
    association = editor.near(0, is_set_up_once)
    first, echo = association.init_ack, association.first(0, chunks.COOKIE_ECHO)
    editor.again(association.init.packet, 100_000)
    second = editor.again(first.packet, echo.packet["time_ns"] - first.packet["time_ns"] + MS)
    at, length = cookie_of(association)
    editor.edit(second, at + length - 5, b"OTHER")
    editor.inject(echo.packet, chunks.cookie_echo(second["sctp"][at + 4:at + length]), after_ns=MS + 200_000)
    return 0


@silent("HS-052")
def second_cookie_ignored():
    scenario = ScenarioBuilder().init().init().init_ack(cookie=b"one-").cookie_echo(cookie=b"one-").init_ack(cookie=b"two-")
    return scenario.wait(S).cookie_echo(cookie=b"one-").cookie_ack().init_ack(cookie=b"one-").cookie_echo(cookie=b"one-")


@silent("HS-052", judged=False)
def second_cookie_after_stale():
    scenario = ScenarioBuilder().init().init_ack(cookie=b"one-").cookie_echo(cookie=b"one-").send(1, chunks.error(chunks.tlv(3, bytes(4))))
    return scenario.init().init_ack(cookie=b"two-").cookie_echo(cookie=b"two-").cookie_ack()


@alters("HS-057", 1, causes=("PM-022", "PM-007"))
def cookie_ack_to_an_unconfirmed_address(editor):
    association = editor.association(lambda association: is_set_up_once(association)
                                     and len(chunks_of(association.first(1, chunks.COOKIE_ACK).packet["sctp"])) == 1)
    packet = association.first(1, chunks.COOKIE_ACK).packet
    packet["destination"] = elsewhere(packet["destination"])
    return 1


@silent("HS-057", 1)
def cookie_ack_with_heartbeat():
    scenario = ScenarioBuilder(TWO).init(params=chunks.address("10.1.0.1")).init_ack().cookie_echo(source=1)
    return scenario.send(1, chunks.cookie_ack(), chunks.heartbeat(), destination=1)


def restarts(times):
    scenario = again = ScenarioBuilder().set_up().exchange()
    for number in range(times):
        again = next_of(scenario, (0x01230000 + number, 0x76540000 + number)).set_up(gap_ns=S).exchange()
    return scenario


@alters("SM-021")
def restarts_again_and_again(editor):
    continuation = Continuation(editor)
    for number in range(1, 4):
        continuation.wait(S)
        restart_in_capture(continuation, (continuation.association.tags[0] ^ number << 20, continuation.association.tags[1] ^ number << 20))
    return 0


@silent("SM-021", 0)
def one_restart():
    return restarts(1)


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


def restarted_by_end_1(in_shutdown):
    """in_shutdown: end 0 is in SHUTDOWN-ACK-SENT when the COOKIE ECHO comes."""
    scenario = long_established()
    tags, tsn = [end.tag for end in scenario.ends], scenario.ends[0].tsn
    with_new_tags(scenario).init(1).init_ack(0)
    if in_shutdown:
        scenario.send(1, chunks.shutdown(tsn - 1), vtag=tags[0]).shutdown_ack(0, vtag=tags[1])
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


@alters("HS-048", 1, of=NEAR_1.made, causes=("HS-012",))
def unknown_cookie_accepted(editor):
    association = editor.near(1, is_set_up_once)
    place = association.first(0, chunks.COOKIE_ECHO)
    editor.edit(place.packet, place.at + place.length - 5, b"MUTED")
    return 1


LEFT_OUT = [
    ("HS-034", "left out", "the life of a cookie is configurable and private"),
    ("HS-035", "left out", "the clock of the cookie is private; needs a tap at the responder and says little"),
    ("HS-047", "left out", "a MAC cannot be seen from outside; needs many associations"),
    ("HS-050", "left out", "as HS-049, for COOKIE ACK without COOKIE ECHO"),
    ("HS-051", "left out", "COOKIE ECHO may be lost behind the tap; DATA answers it as well as COOKIE ACK"),
]
