# SPDX-License-Identifier: GPL-2.0-or-later
"""To which of several paths data goes: new data, retransmissions, and when a path is given up."""

from generate import chunks
from scenario_builder import MS, S, ScenarioBuilder, assertions
from register import fires, silent
from scripts import SINGLE, violates
from authentication import SUPPORT
from two_paths import TWO_PATHS, TWO_WAYS, two_paths

# All that passed both addresses of an endpoint, and when a path of it is potentially failed: after the first timeout, or the second.
TIMED = "10.0.0.1 RTO.Initial=1000 RTO.Min=1000 RTO.Max=60000 PotentiallyFailed.Max.Retrans="
FAILING_AT_BOTH_OF_END_0 = assertions(complete=True, taken_at=TWO_PATHS[0], parameters=[TIMED + "0"])
FAILING_LATER_AT_BOTH_OF_END_0 = assertions(complete=True, taken_at=TWO_PATHS[0], parameters=[TIMED + "1"])


@violates("PM-016", TWO_WAYS)
def timeouts_on_the_same_path(talk):
    near = talk.near
    talk.heartbeat(near, way=1).heartbeat(near).data(near, size=100)
    for number in range(4):
        talk.send(near, talk.sent, gap_ns=(4 << number) * S).heartbeat(near, way=1, gap_ns=S)


@silent("PM-016")
def timeouts_on_the_other_path():
    scenario = two_paths().heartbeat(0, way=1).data(0, size=100)
    return scenario.send(0, scenario.sent, gap_ns=1050 * MS, way=1).send(0, scenario.sent, gap_ns=2050 * MS, way=1)


def fast(talk, way):
    near, far = talk.near, talk.far
    lost = talk.heartbeat(near, way=1).data(near, size=100).sent
    for _ in range(4):
        talk.data(near, size=100)
    for last in (2, 3, 4):
        talk.sack(far, 5, gaps=((2, last),), gap_ns=None if last == 2 else MS)
    return talk.send(near, lost, way=way).data(near, size=100)


WITHOUT_TIMEOUTS = TWO_WAYS.also(lambda association: not association.has_timeouts(association.near))


@violates("PM-017", WITHOUT_TIMEOUTS)
def fast_retransmission_elsewhere(talk):
    fast(talk, 1)


@silent("PM-017")
def fast_retransmission_on_the_path():
    return fast(TWO_WAYS.made(), 0)


def moves(talk, count):
    for move in range(count):
        for _ in range(30):
            talk.data(talk.near, way=move % 2, gap_ns=80 * MS).sack(talk.far, way=move % 2)
    return talk


@violates("PM-019", TWO_WAYS)
def back_and_forth(talk):
    moves(talk, 8)


@silent("PM-019")
def one_move():
    return moves(TWO_WAYS.made(), 2)


@violates("PM-023", SINGLE.also(lambda association: association.is_clean(association.near)), by_far=True)
def data_lost_but_heartbeats_answered(talk):
    talk.data(talk.near, size=1000)
    for number in range(6):
        talk.send(talk.near, talk.sent, gap_ns=(1 << number) * S)
        if number in (2, 4):
            talk.heartbeat(talk.near)


@silent("PM-023", accused=1)
def data_lost_after_heartbeats_answered():
    scenario = two_paths().heartbeat(0).heartbeat(0, gap_ns=S).data(0, size=1400)
    for number in range(6):
        scenario.send(0, scenario.sent, gap_ns=(1 << number) * S)
    return scenario


def sent_in_vain(scenario):
    """End 0 sends a TSN seven times, and its HEARTBEATs are answered."""
    part = chunks.data(scenario.ends[0].tsn, bytes(1400))
    for number in range(7):
        scenario.send(0, part, gap_ns=(1 << number) * S)
        if number in (3, 5):
            scenario.heartbeat(0)
    return scenario


@silent("PM-023")
def data_before_the_cookie_ack_dropped_but_heartbeats_answered():
    """End 1 is in COOKIE-ECHOED: COOKIE ACK got lost, and its COOKIE ECHO is not answered again."""
    return sent_in_vain(ScenarioBuilder().init(1).init_ack(0).cookie_echo(1))


@silent("PM-023", accused=1)
def data_without_the_auth_that_its_receiver_wants():
    wants = SUPPORT + chunks.tlv(chunks.CHUNKS, bytes([chunks.DATA]))
    return sent_in_vain(ScenarioBuilder().set_up((SUPPORT, wants)))


@silent("PM-023", accused=1)
def probes_of_a_window_that_opens():
    scenario = ScenarioBuilder().set_up().exchange(3)
    cum_tsn = scenario.ends[0].tsn - 1
    sent_in_vain(scenario.send(1, chunks.sack(cum_tsn, a_rwnd=0))).send(1, chunks.sack(cum_tsn, a_rwnd=20000))
    return scenario.send(0, chunks.data(cum_tsn + 1, bytes(1400)), gap_ns=S)


@fires("PM-023", accused=1)
def data_sent_in_vain():
    return sent_in_vain(ScenarioBuilder().set_up().exchange(3))


def failover(talk, timeouts, wait_ns=0):
    """The usual way fails: so many timeouts in a row, the last one's retransmission on the other, where new data follows after wait_ns more."""
    near, far = talk.near, talk.far
    talk.heartbeat(near, way=1).data(near)
    for number in range(timeouts):
        talk.send(near, talk.sent, way=int(number + 1 == timeouts), gap_ns=(1 << number) * S)
    talk.wait(wait_ns)
    for _ in range(6):
        talk.data(near, way=1, gap_ns=80 * MS).sack(far, way=1)
    return talk


@violates("PM-028", WITHOUT_TIMEOUTS, causes=("PM-016",))
def path_left_after_three_timeouts(talk):
    failover(talk, 3)


@fires("PM-028")
def path_left_after_eight_timeouts():
    return failover(TWO_WAYS.made(), 8)


@silent("PM-028")
def path_left_after_six_timeouts():
    return failover(TWO_WAYS.made(), 6)


@silent("PM-028")
def path_left_after_six_timeouts_when_there_was_data():
    return failover(TWO_WAYS.made(), 6, 100 * S)


@silent("PM-028", judged=False)
def path_potentially_failed():
    return failover(TWO_WAYS.made(), 1)


def spread(talk, way_of, packets=110):
    """Packets of new data, each on the way that its number gives, acknowledged by twos."""
    near, far = talk.near, talk.far
    talk.heartbeat(near, way=1)
    for number in range(packets):
        talk.data(near, way=way_of(number))
        if number % 2:
            talk.sack(far, way=way_of(number))
    return talk


@violates("PM-015", TWO_WAYS)
def several_paths_at_once(talk):
    spread(talk, lambda number: number // 2 % 2, 200)


def turning(gap_ns, paths=(0, 1, 0, 1), first_ns=0):
    scenario = two_paths().heartbeat(0, way=1).send(1, chunks.heartbeat_ack(), way=1).data(0).wait(first_ns)
    for path in paths:
        scenario.data(0, way=path, gap_ns=gap_ns)
    return scenario.sack(1)


@fires("PM-015")
def three_changes_of_path_sooner_than_any_rto():
    return turning(10 * MS)


@silent("PM-015", judged=False)
def two_changes_of_path_sooner_than_any_rto():
    return turning(10 * MS, (0, 1, 0))


@fires("PM-015")
def three_changes_of_path_soon_long_after_the_first_data():
    return turning(10 * MS, (0, 0, 0, 1, 0, 1), first_ns=2 * S)


@fires("PM-015")
def three_changes_of_path_from_the_first_data_on_the_second_path_on():
    return turning(10 * MS, (1, 0, 1))


@silent("PM-015", judged=False)
def three_changes_of_path_within_two_seconds():
    return turning(600 * MS)


@silent("PM-015", judged=False)
def there_and_back_soon_three_times():
    """The tap is not at the sender: what goes to the second path may have been sent to the first one before, and lost in front of the tap."""
    scenario = turning(1500 * MS, (0,))
    for _ in range(3):
        scenario.data(0, way=1, gap_ns=1500 * MS).data(0, gap_ns=100 * MS)
    return scenario.sack(1)


@silent("PM-015")
def two_changes_of_path():
    return spread(TWO_WAYS.made(), lambda number: int(30 < number < 60))


@silent("PM-015")
def several_paths_when_data_is_lost():
    scenario = spread(TWO_WAYS.made(), lambda number: 0)
    for number in range(30):
        path = number % 2
        scenario.data(0, way=path).data(0, way=path)
        scenario.send(0, chunks.data(scenario.ends[0].tsn - 1, bytes(20), ssn=scenario.ends[0].ssn - 1), way=1 - path,
                  gap_ns=S).sack(1)
    return scenario


def times_out(way, times=1, other=lambda scenario: scenario.heartbeat(0, way=1)):
    """Two packets of data to the first path are lost; the timer sends the first again, so many times, on a way."""
    scenario = other(two_paths())
    lost = scenario.data(0, size=100).sent
    scenario.data(0, size=100)
    for number in range(times):
        scenario.send(0, lost, way=way, gap_ns=(S << number) + MS)
    return scenario


@fires("PM-036", asserted=FAILING_AT_BOTH_OF_END_0)
@silent("PM-036", asserted=FAILING_LATER_AT_BOTH_OF_END_0, judged=False)
def stays_on_a_potentially_failed_path():
    return times_out(0)


@silent("PM-036", asserted=FAILING_AT_BOTH_OF_END_0)
def leaves_a_potentially_failed_path():
    return times_out(1)


@silent("PM-036", asserted=FAILING_AT_BOTH_OF_END_0, judged=False)
def stays_while_the_other_path_does_not_answer():
    return times_out(0, other=lambda scenario: scenario.heartbeat(0, way=1, answered=False))


def data_on_the_second_path(scenario):
    return scenario.data(0, way=1).sack(1, way=1, gap_ns=20 * MS)


@fires("PM-036", asserted=FAILING_AT_BOTH_OF_END_0)
def stays_while_the_other_path_has_acked_data():
    return times_out(0, other=data_on_the_second_path)


@fires("PM-016")
def stays_twice_while_the_other_path_has_acked_data():
    return times_out(0, 2, other=data_on_the_second_path)


@silent("PM-016")
def stays_where_the_other_path_timed_out_as_well():
    """Nothing passes any more: the timer of the first path expires, then that of the second, to which the data had gone."""
    scenario = two_paths().heartbeat(0, way=1)
    lost = scenario.data(0, size=100).sent
    scenario.data(0, size=100).send(0, lost, way=1, gap_ns=S + MS)
    for number in (1, 2, 3):
        scenario.send(0, lost, gap_ns=(S << number) + MS)
    return scenario


LEFT_OUT = [
    ("PM-013", "left out", "Path.Max.Retrans can be set, and the user may name the path; the failover times are measured"),
    ("PM-014", "dropped", "early failover is allowed in many ways"),
    ("PM-020", "dropped", "whether the sender does SCTP-PF is not visible"),
    ("PM-021", "dropped", "whether the sender does SCTP-PF is not visible"),
    ("PM-026", "left out", "asymmetric routing is a choice"),
]
