# SPDX-License-Identifier: GPL-2.0-or-later
"""Windows of receivers: whether they are true, reopened and moved in useful steps; and what senders make of closed ones. End 0, near the
tap, receives what end 1 sends."""

from generate import chunks
from scenario_builder import COMPLETE_AT_END_0, COMPLETE_NOT_CAPPED, MS, S, ScenarioBuilder, assertions
from register import fires, silent
from scripts import SINGLE, violates
from received_data import RECEIVING
from partial_reliability import SUPPORTS_PARTIAL


def _fill(talk):
    """The far end has sent three chunks that are held."""
    for _ in range(3):
        talk.data(talk.far, size=1000).sack(talk.near, a_rwnd=9_000)


FILLED = RECEIVING.then(_fill)


def probed(talk, times=6, gap_ns=10 * S, a_rwnd=0):
    """The window closes, or does not, and so many times the next chunk comes and is not taken."""
    near, far = talk.near, talk.far
    talk.data(far, size=1000).sack(near, a_rwnd=a_rwnd)
    probe = talk.chunk(far, size=1000)
    for _ in range(times):
        talk.wait(gap_ns).send(far, probe).sack(near, 1, a_rwnd=a_rwnd)
    return talk


@violates("FL-015", FILLED)
def drops_inside_its_window(talk):
    probed(talk, 4, S, a_rwnd=5000)


@silent("FL-015")
def takes_what_is_inside_its_window():
    return FILLED.made().rounds(1, 4, size=1000)


@silent("FL-015", judged=False)
def drops_beyond_its_window():
    scenario = ScenarioBuilder().set_up().sack(0).sack(0, a_rwnd=500)
    probe = scenario.chunk(1, size=1000)
    for _ in range(4):
        scenario.wait(S).send(1, probe).sack(0, 1, a_rwnd=500)
    return scenario


def opened_after(talk, wait_ns, told=False, times=3):
    near, far = talk.near, talk.far
    for _ in range(times):
        talk.data(far, size=1000).sack(near, a_rwnd=0)
        if told:
            talk.wait(wait_ns).sack(near)
        talk.wait(wait_ns).data(far, size=1000).sack(near, a_rwnd=20_000_000)
    return talk


@violates("FL-007", FILLED)
def only_the_probe_shows_the_open_window(talk):
    opened_after(talk, S)


@fires("FL-007", asserted=COMPLETE_AT_END_0)
@silent("FL-007", judged=False)
def only_one_probe_shows_the_open_window():
    return opened_after(FILLED.made(), S, times=1)


@fires("FL-007", asserted=COMPLETE_AT_END_0)
def only_a_probe_that_was_dropped_before_shows_the_open_window():
    scenario = FILLED.made().data(1, size=1000).sack(0, a_rwnd=0)
    probe = scenario.chunk(1, size=1000)
    return scenario.send(1, probe, gap_ns=S).sack(0, 1, a_rwnd=0).send(1, probe, gap_ns=2 * S).sack(0)


@silent("FL-007")
@silent("FL-007", asserted=COMPLETE_AT_END_0)
def window_opens_at_once():
    return opened_after(FILLED.made(), 50 * MS)


@silent("FL-007", judged=False)
def window_update_tells():
    return opened_after(FILLED.made(), S, told=True)


def updates(talk, count, step, gap_ns=None):
    talk.data(talk.far, size=1000)
    for number in range(count):
        talk.sack(talk.near, a_rwnd=number * step, gap_ns=gap_ns)
    return talk


@violates("FL-012", FILLED)
def ten_updates_in_a_millisecond(talk):
    updates(talk, 10, 2000)


@fires("FL-012")
def ten_updates_of_an_endpoint_with_two_addresses():
    scenario = ScenarioBuilder(addresses=(("10.0.0.1", "10.0.1.1"), "10.0.0.2")).set_up(params=(chunks.address("10.0.1.1"), b""))
    scenario.data(1, size=1000).sack(0)
    for number in range(10):
        scenario.sack(0, a_rwnd=131073 + number * 16, gap_ns=MS)
    return scenario


@silent("FL-012")
def ten_updates_in_a_second():
    return updates(FILLED.made(), 10, 2000, 100 * MS)


@silent("FL-012")
def updates_by_a_quarter():
    return updates(FILLED.made(), 4, 40_000)


def trickle(talk, step):
    near, far = talk.near, talk.far
    for _ in range(7):
        talk.data(far, size=1000).sack(near, a_rwnd=0).wait(100 * MS).sack(near, a_rwnd=step)
    return talk


@violates("FL-005", FILLED)
def window_trickles(talk):
    trickle(talk, 100)


@silent("FL-005")
def window_opens_by_a_chunk():
    return trickle(FILLED.made(), 1000)


@violates("FL-016", FILLED)
def closed_for_a_minute(talk):
    probed(talk)


@silent("FL-016")
def closed_for_twenty_seconds():
    return probed(FILLED.made(), 4, 5 * S)


def probed_first(after_ns, room_before=True, way_ns=20 * MS):
    """The window closes behind the fourth chunk, and end 1 has more to send; SACKs go by there at once."""
    scenario = ScenarioBuilder(near_ns=way_ns, far_ns=MS // 10).set_up().exchange(2).data(1, size=1000)
    return scenario.sack(0, a_rwnd=100_000 if room_before else 1500).data(1, size=1000).sack(0, a_rwnd=0).wait(after_ns).data(1, size=1000)


@fires("FL-009", accused=1, asserted=assertions(complete=True, taken_at=["10.0.0.2"]), certainty="probable")
def probes_after_five_milliseconds():
    """A busy host may not have taken the SACK yet that closes the window."""
    return probed_first(5 * MS)


@fires("FL-009", accused=1, asserted=assertions(complete=True, taken_at=["10.0.0.2"]), certainty="proven")
def probes_when_any_host_has_taken_the_sack():
    return probed_first(30 * MS, way_ns=80 * MS)


@silent("FL-009", accused=1, asserted=assertions(complete=True, taken_at=["10.0.0.2"]))
def probes_after_a_second():
    return probed_first(1 * S)


@silent("FL-009", accused=1, asserted=assertions(complete=True, taken_at=["10.0.0.2"]), judged=False)
def may_have_known_of_the_full_window_before():
    return probed_first(5 * MS, room_before=False)


PROBING = SINGLE.then(lambda talk: talk.rounds(talk.near, 3).data(talk.near, size=1000).sack(talk.far, a_rwnd=0))


def probed_at(talk, *gaps_ns, heartbeat_after=0):
    """The near end probes: what a capture far from a sender shows of its intervals is not its own."""
    near, far = talk.near, talk.far
    probe = talk.chunk(near, size=1000)
    for number, gap_ns in enumerate(gaps_ns, 1):
        talk.wait(gap_ns).send(near, probe).sack(far, 1, a_rwnd=0)
        if number == heartbeat_after:
            talk.heartbeat(near)
    return talk


@violates("FL-010", PROBING)
def probes_each_ten_seconds(talk):
    probed_at(talk, *[10 * S] * 6)


@fires("FL-010")
@fires("FL-010", asserted=COMPLETE_NOT_CAPPED)
def probes_each_second():
    return probed_at(PROBING.made(), S, S, S, S)


@fires("FL-010", certainty="probable")
def probes_each_tenth_of_a_second():
    return probed_at(PROBING.made(), *[S // 10] * 6)


@fires("FL-010", certainty="possible")
def probes_at_half_of_rto_min_twice():
    """RTO.Max may be as short as RTO.Min, and what made them two may be chance."""
    return probed_at(PROBING.made(), *[S // 2] * 4)


@silent("FL-010", asserted=COMPLETE_NOT_CAPPED)
def probes_each_thirty_one_seconds():
    return probed_at(PROBING.made(), 31 * S, 31 * S, 31 * S, 31 * S)


@silent("FL-010")
def probes_at_intervals_that_double():
    return probed_at(PROBING.made(), S, 2 * S, 4 * S, 8 * S)


@silent("FL-010")
def some_probes_are_missing():
    return probed_at(PROBING.made(), S, 6 * S, 8 * S, 16 * S)


@silent("FL-010")
def heartbeat_resets_the_timer():
    return probed_at(PROBING.made(), S, 2 * S, 2 * S, 2 * S, heartbeat_after=3)


def held_up(talk, probed_after_ns=0):
    """The window closes in the middle of a message."""
    near, far = talk.near, talk.far
    talk.data(far, size=1000, flags=chunks.BEGIN).sack(near, a_rwnd=0)
    if probed_after_ns:
        talk.wait(probed_after_ns).data(far, size=1000, flags=0).sack(near, 1, a_rwnd=0)
    for _ in range(4):
        talk.wait(40 * S).heartbeat(far)
    return talk


@violates("FL-011", FILLED, by_far=True)
def nobody_probes_for_two_minutes(talk):
    held_up(talk)


@silent("FL-011", accused=1)
def probe_after_a_second():
    return held_up(FILLED.made(), S)


TIMERS_AT_END_1 = assertions(complete=True, taken_at=["10.0.0.2"], parameters=["10.0.0.2 RTO.Min=1000 RTO.Max=60000"])


def unprobed(closed_ns, until_data_ns=MS // 10):
    """The window has no room with nothing outstanding; closed_ns later a SACK opens it, and so long after that new data leaves."""
    scenario = ScenarioBuilder(near_ns=20 * MS, far_ns=MS // 10).set_up().rounds(1, 3, size=1000).data(1, size=1000).sack(0, a_rwnd=500)
    return scenario.wait(closed_ns).sack(0, a_rwnd=20_000).data(1, size=1000, gap_ns=until_data_ns).sack(0)


@fires("FL-011", accused=1, asserted=TIMERS_AT_END_1)
@silent("FL-011", accused=1, judged=False)
def new_data_as_soon_as_the_window_opens():
    return unprobed(20 * S)


@silent("FL-011", accused=1, asserted=TIMERS_AT_END_1)
def window_that_opens_within_two_rtos():
    return unprobed(2 * S)


@silent("FL-011", accused=1, asserted=TIMERS_AT_END_1, judged=False)
def new_data_some_time_after_the_window_opened():
    return unprobed(20 * S, 5 * MS)


@violates("FL-014", FILLED, by_far=True)
def gives_up_while_probes_are_answered(talk):
    probed(talk).abort(talk.far)


@silent("FL-014", accused=1)
def application_gives_up():
    return probed(FILLED.made()).abort(1, causes=(chunks.user_abort(b"bored"),))


def gives_up(leak_bytes):
    """Ten messages that never leave are given up one after the other, with a_rwnd that falls each time."""
    scenario = ScenarioBuilder(near_ns=20 * MS, far_ns=MS // 10).set_up((SUPPORTS_PARTIAL, SUPPORTS_PARTIAL)).exchange(2)
    for number in range(1, 11):
        scenario.send(0, chunks.forward_tsn(scenario.ends[0].tsn), gap_ns=S)
        scenario.ends[0].tsn += 1
        scenario.sack(1, a_rwnd=100000 - leak_bytes * number)
    return scenario


@fires("FL-017", accused=1)
def window_falls_with_each_message_given_up():
    return gives_up(5000)


@silent("FL-017", accused=1)
def window_stays_when_messages_are_given_up():
    return gives_up(0)


LEFT_OUT = [
    ("FL-001", "dropped", "duplicate of TX-012"),
    ("FL-002", "dropped", "expressly allowed"),
    ("FL-003", "left out", "clause B describes an assumption; a receiver may advertise from a larger pool than it announced"),
    ("FL-004", "dropped", "release of buffer by partial delivery or options is not visible"),
    ("FL-006", "left out", "the algorithm is free, and a fragment cut by the window looks like one cut by the application"),
    ("FL-008", "merged into TX-012", "the same count of bytes beyond the window; whether one more chunk is a probe only the sender knows"),
    ("FL-013", "dropped", "the clause is about the buffer; a_rwnd may change"),
]
