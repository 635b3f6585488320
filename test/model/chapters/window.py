# SPDX-License-Identifier: GPL-2.0-or-later
"""Windows of receivers: whether they are true, reopened and moved in useful steps; and what senders make of closed ones. End 0, near the
tap, receives what end 1 sends."""

from generate import chunks
from scenario_builder import COMPLETE_AT_END_0, COMPLETE_NOT_CAPPED, MS, S, ScenarioBuilder, assertions
from register import fires, silent
from mutations import breaks
from continuation import Continuation
from partial_reliability import SUPPORTS_PARTIAL
from received_data import receiving


def saying(scenario, cum_tsn, **options):
    return scenario.send(0, chunks.sack(cum_tsn, **options))


def filled(**options):
    """End 1 has sent three chunks that are held."""
    scenario = ScenarioBuilder(**options).set_up().data(1, size=1000).sack(0)
    for _ in range(3):
        scenario.data(1, size=1000)
        saying(scenario, scenario.ends[1].tsn - 1, a_rwnd=9_000)
    return scenario


def refused(a_rwnd):
    scenario = filled()
    cum_tsn = scenario.ends[1].tsn - 1
    saying(scenario.data(1, size=1000), cum_tsn + 1, a_rwnd=a_rwnd)
    tsn = scenario.ends[1].tsn
    for _ in range(4):
        scenario.wait(1 * S).send(1, chunks.data(tsn, bytes(1000), ssn=5))
        saying(scenario, tsn - 1, a_rwnd=a_rwnd)
    return scenario


@fires("FL-015")
def drops_inside_its_window():
    return refused(5_000)


@silent("FL-015")
def takes_what_is_inside_its_window():
    scenario = filled()
    for _ in range(4):
        scenario.data(1, size=1000).sack(0)
    return scenario


@silent("FL-015", judged=False)
def drops_beyond_its_window():
    scenario = ScenarioBuilder().set_up()
    for a_rwnd in (131072, 500):
        scenario.send(0, chunks.sack(scenario.ends[1].tsn - 1, a_rwnd=a_rwnd))
    for _ in range(4):
        scenario.wait(1 * S).send(1, chunks.data(scenario.ends[1].tsn, bytes(1000)))
        saying(scenario, scenario.ends[1].tsn - 1, a_rwnd=500)
    return scenario


def opened_after(wait_ns, told, times=3):
    scenario = filled()
    for _ in range(times):
        scenario.data(1, size=1000)
        saying(scenario, scenario.ends[1].tsn - 1, a_rwnd=0)
        if told:
            saying(scenario.wait(wait_ns), scenario.ends[1].tsn - 1)
        scenario.wait(wait_ns).data(1, size=1000).sack(0)
    return scenario


@fires("FL-007")
def only_the_probe_shows_the_open_window():
    return opened_after(1 * S, False)


@fires("FL-007", asserted=COMPLETE_AT_END_0)
@silent("FL-007", judged=False)
def only_one_probe_shows_the_open_window():
    return opened_after(1 * S, False, times=1)


@fires("FL-007", asserted=COMPLETE_AT_END_0)
def only_a_probe_that_was_dropped_before_shows_the_open_window():
    scenario = filled().data(1, size=1000)
    cum_tsn = scenario.ends[1].tsn - 1
    saying(scenario, cum_tsn, a_rwnd=0)
    probe = chunks.data(cum_tsn + 1, bytes(1000), ssn=scenario.ends[1].ssn)
    scenario.send(1, probe, gap_ns=S)
    saying(scenario, cum_tsn, a_rwnd=0)
    scenario.send(1, probe, gap_ns=2 * S)
    return saying(scenario, cum_tsn + 1)


@silent("FL-007")
@silent("FL-007", asserted=COMPLETE_AT_END_0)
def window_opens_at_once():
    return opened_after(50 * MS, False)


@silent("FL-007", judged=False)
def window_update_tells():
    return opened_after(1 * S, True)


def updates(count, step, gap_ns):
    scenario = filled()
    scenario.data(1, size=1000)
    for i in range(count):
        scenario.send(0, chunks.sack(scenario.ends[1].tsn - 1, a_rwnd=i * step), gap_ns=gap_ns)
    return scenario


@fires("FL-012")
def ten_updates_in_a_millisecond():
    return updates(10, 2000, MS // 10)


@fires("FL-012")
def ten_updates_of_an_endpoint_with_two_addresses():
    scenario = ScenarioBuilder(addresses=(("10.0.0.1", "10.0.1.1"), "10.0.0.2")).set_up(params=(chunks.address("10.0.1.1"), b""))
    scenario.data(1, size=1000).sack(0)
    for i in range(10):
        scenario.send(0, chunks.sack(scenario.ends[1].tsn - 1, a_rwnd=131073 + i * 16), gap_ns=MS)
    return scenario


@silent("FL-012")
def ten_updates_in_a_second():
    return updates(10, 2000, 100 * MS)


@silent("FL-012")
def updates_by_a_quarter():
    return updates(4, 40_000, MS // 10)


def trickle(step):
    scenario = filled()
    for _ in range(7):
        scenario.data(1, size=1000)
        saying(scenario, scenario.ends[1].tsn - 1, a_rwnd=0)
        saying(scenario.wait(100 * MS), scenario.ends[1].tsn - 1, a_rwnd=step)
    return scenario


@fires("FL-005")
def window_trickles():
    return trickle(100)


@silent("FL-005")
def window_opens_by_a_chunk():
    return trickle(1000)


def probed(times, gap_ns=10 * S):
    scenario = filled().data(1, size=1000)
    saying(scenario, scenario.ends[1].tsn - 1, a_rwnd=0)
    for _ in range(times):
        scenario.wait(gap_ns).send(1, chunks.data(scenario.ends[1].tsn, bytes(1000), ssn=6))
        saying(scenario, scenario.ends[1].tsn - 1, a_rwnd=0)
    return scenario


@fires("FL-016")
def closed_for_a_minute():
    return probed(6)


@silent("FL-016")
def closed_for_twenty_seconds():
    return probed(4, 5 * S)


def probed_first(after_ns, room_before=True):
    """The window closes behind the fourth chunk, and end 1 has more to send; SACKs go by there at once."""
    scenario = ScenarioBuilder(near_ns=20 * MS, far_ns=MS // 10).set_up().exchange(2).data(1, size=1000)
    saying(scenario, scenario.ends[1].tsn - 1, a_rwnd=100_000 if room_before else 1500)
    saying(scenario.data(1, size=1000), scenario.ends[1].tsn - 1, a_rwnd=0)
    return scenario.wait(after_ns).data(1, size=1000)


@fires("FL-009", accused=1, asserted=assertions(complete=True, taken_at=["10.0.0.2"]))
def probes_after_five_milliseconds():
    return probed_first(5 * MS)


@silent("FL-009", accused=1, asserted=assertions(complete=True, taken_at=["10.0.0.2"]))
def probes_after_a_second():
    return probed_first(1 * S)


@silent("FL-009", accused=1, asserted=assertions(complete=True, taken_at=["10.0.0.2"]), judged=False)
def may_have_known_of_the_full_window_before():
    return probed_first(5 * MS, room_before=False)


def probed_at(*gaps_ns, heartbeat_after=0):
    scenario = filled(near_ns=20 * MS, far_ns=MS // 10).data(1, size=1000)
    saying(scenario, scenario.ends[1].tsn - 1, a_rwnd=0)
    for number, gap_ns in enumerate(gaps_ns, 1):
        scenario.wait(gap_ns).send(1, chunks.data(scenario.ends[1].tsn, bytes(1000), ssn=6))
        saying(scenario, scenario.ends[1].tsn - 1, a_rwnd=0)
        if number == heartbeat_after:
            scenario.heartbeat(1)
    return scenario


@fires("FL-010", accused=1)
def probes_each_second():
    return probed_at(S, S, S, S)


@fires("FL-010", accused=1, asserted=COMPLETE_NOT_CAPPED)
def probes_each_second_below_the_maximum():
    return probed_at(S, S, S, S)


@silent("FL-010", accused=1, asserted=COMPLETE_NOT_CAPPED)
def probes_each_thirty_one_seconds():
    return probed_at(31 * S, 31 * S, 31 * S, 31 * S)


@silent("FL-010", accused=1)
def probes_at_intervals_that_double():
    return probed_at(S, 2 * S, 4 * S, 8 * S)


@silent("FL-010", accused=1)
def some_probes_are_missing():
    return probed_at(S, 6 * S, 8 * S, 16 * S)


@silent("FL-010", accused=1)
def heartbeat_resets_the_timer():
    return probed_at(S, 2 * S, 2 * S, 2 * S, heartbeat_after=3)


def held_up(probed_after_ns):
    """The window closes in the middle of a message."""
    scenario = filled()
    end = scenario.ends[1]
    scenario.send(1, chunks.data(end.tsn, bytes(1000), ssn=end.ssn, flags=chunks.BEGIN))
    end.tsn = end.tsn + 1 & 0xFFFFFFFF
    saying(scenario, end.tsn - 1, a_rwnd=0)
    if probed_after_ns:
        scenario.wait(probed_after_ns).send(1, chunks.data(end.tsn, bytes(1000), ssn=end.ssn, flags=0))
        saying(scenario, end.tsn - 1, a_rwnd=0)
    for _ in range(4):
        scenario.wait(40 * S).heartbeat(1)
    return scenario


@fires("FL-011", accused=1)
def nobody_probes_for_two_minutes():
    return held_up(0)


@silent("FL-011", accused=1)
def probe_after_a_second():
    return held_up(1 * S)


TIMERS_AT_END_1 = assertions(complete=True, taken_at=["10.0.0.2"], parameters=["10.0.0.2 RTO.Min=1000 RTO.Max=60000"])


def unprobed(closed_ns, until_data_ns=MS // 10):
    """The window has no room with nothing outstanding; closed_ns later a SACK opens it, and so long after that new data leaves."""
    scenario = ScenarioBuilder(near_ns=20 * MS, far_ns=MS // 10).set_up()
    for _ in range(3):
        scenario.data(1, size=1000).sack(0)
    scenario.data(1, size=1000)
    cum_tsn = scenario.ends[1].tsn - 1
    saying(scenario, cum_tsn, a_rwnd=500)
    saying(scenario.wait(closed_ns), cum_tsn, a_rwnd=20_000)
    return scenario.data(1, size=1000, gap_ns=until_data_ns).sack(0)


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


@fires("FL-014", accused=1)
def gives_up_while_probes_are_answered():
    return probed(6).abort(1)


@silent("FL-014", accused=1)
def application_gives_up():
    return probed(6).abort(1, causes=(chunks.user_abort(b"bored"),))


def gives_up(leak_bytes):
    """Ten messages that never leave are given up one after the other, with a_rwnd that falls each time."""
    scenario = ScenarioBuilder(near_ns=20 * MS, far_ns=MS // 10).set_up((SUPPORTS_PARTIAL, SUPPORTS_PARTIAL)).exchange(2)
    for number in range(1, 11):
        scenario.send(0, chunks.forward_tsn(scenario.ends[0].tsn), gap_ns=S)
        scenario.ends[0].tsn += 1
        scenario.send(1, chunks.sack(scenario.ends[0].tsn - 1, a_rwnd=100000 - leak_bytes * number))
    return scenario


@fires("FL-017", accused=1)
def window_falls_with_each_message_given_up():
    return gives_up(5000)


@silent("FL-017", accused=1)
def window_stays_when_messages_are_given_up():
    return gives_up(0)


def filled_in_capture(editor):
    """The far end has sent three chunks that are held."""
    continuation = receiving(editor)
    for _ in range(3):
        continuation.data(continuation.far, size=1000).sack(continuation.near, a_rwnd=9000)
    return continuation


@breaks("FL-005")
def window_trickles_in_capture(editor):
    continuation = filled_in_capture(editor)
    for _ in range(7):
        continuation.data(continuation.far, size=1000).sack(continuation.near, a_rwnd=0)
        continuation.wait(100 * MS).sack(continuation.near, a_rwnd=100)
    return continuation.near


@breaks("FL-007")
def only_the_probe_shows_the_open_window_in_capture(editor):
    continuation = filled_in_capture(editor)
    near, far = continuation.near, continuation.far
    for _ in range(3):
        continuation.data(far, size=1000).sack(near, a_rwnd=0).wait(S).data(far, size=1000).sack(near, a_rwnd=20_000_000)
    return near


def probed_in_capture(editor, times):
    continuation = filled_in_capture(editor)
    near, far = continuation.near, continuation.far
    continuation.data(far, size=1000).sack(near, a_rwnd=0)
    probe = continuation.chunk(far, size=1000)
    for _ in range(times):
        continuation.wait(10 * S).send(far, probe).sack(near, 1, a_rwnd=0)
    return continuation


@breaks("FL-010")
def probes_each_ten_seconds(editor):
    """The near end probes: what a capture far from a sender shows of its intervals is not its own."""
    continuation = Continuation(editor, where=lambda association: association.is_single())
    near, far = continuation.near, continuation.far
    continuation.rounds(near, 3).data(near, size=1000).sack(far, a_rwnd=0)
    probe = continuation.chunk(near, size=1000)
    for _ in range(6):
        continuation.wait(10 * S).send(near, probe).sack(far, 1, a_rwnd=0)
    return near


@breaks("FL-011")
def nobody_probes_for_two_minutes_in_capture(editor):
    continuation = filled_in_capture(editor)
    near, far = continuation.near, continuation.far
    continuation.data(far, size=1000, flags=chunks.BEGIN).sack(near, a_rwnd=0)
    for number in range(4):
        info = bytes([number]) * 40
        continuation.wait(40 * S).send(far, chunks.heartbeat(info)).send(near, chunks.heartbeat_ack(info))
    return far


@breaks("FL-012")
def burst_of_updates(editor):
    continuation = filled_in_capture(editor)
    continuation.data(continuation.far, size=1000)
    for number in range(10):
        continuation.sack(continuation.near, a_rwnd=number * 2000)
    return continuation.near


@breaks("FL-014")
def gives_up_while_probes_are_answered_in_capture(editor):
    continuation = probed_in_capture(editor, 6)
    continuation.send(continuation.far, chunks.abort())
    return continuation.far


@breaks("FL-015")
def drops_inside_its_window_in_capture(editor):
    continuation = filled_in_capture(editor)
    near, far = continuation.near, continuation.far
    continuation.data(far, size=1000).sack(near, a_rwnd=5000)
    probe = continuation.chunk(far, size=1000)
    for _ in range(4):
        continuation.wait(S).send(far, probe).sack(near, 1, a_rwnd=5000)
    return near


@breaks("FL-016")
def closed_for_a_minute_in_capture(editor):
    return probed_in_capture(editor, 6).near


LEFT_OUT = [
    ("FL-001", "dropped", "duplicate of TX-012"),
    ("FL-002", "dropped", "expressly allowed"),
    ("FL-003", "left out", "clause B describes an assumption; a receiver may advertise from a larger pool than it announced"),
    ("FL-004", "dropped", "release of buffer by partial delivery or options is not visible"),
    ("FL-006", "left out", "the algorithm is free, and a fragment cut by the window looks like one cut by the application"),
    ("FL-008", "merged into TX-012", "the same count of bytes beyond the window; whether one more chunk is a probe only the sender knows"),
    ("FL-013", "dropped", "the clause is about the buffer; a_rwnd may change"),
]
