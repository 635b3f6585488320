# SPDX-License-Identifier: GPL-2.0-or-later
"""To which of several paths data goes: new data, retransmissions, and when a path is given up."""

from generate import chunks
from scenario_builder import MS, S, ScenarioBuilder
from register import fires, silent
from mutations import breaks
from authentication import SUPPORT
from continuation import Continuation
from two_paths import TWO_PATHS, two_paths, two_ways


def timeouts(same):
    scenario = two_paths().heartbeat(0, source=1, destination=1).data(0, size=100)
    for wait_ns in (S, 2 * S):
        index = 0 if same else 1
        scenario.again(identification=scenario.new_id(0), gap_ns=wait_ns + 50 * MS, source=TWO_PATHS[0][index], destination=TWO_PATHS[1][index])
    return scenario


@fires("PM-016")
def timeouts_on_the_same_path():
    return timeouts(True)


@silent("PM-016")
def timeouts_on_the_other_path():
    scenario = timeouts(False)
    return scenario


def fast(path):
    scenario = two_paths().heartbeat(0, source=1, destination=1)
    lost = scenario.ends[0].tsn
    for _ in range(5):
        scenario.data(0, size=100)
    for end in (2, 3, 4):
        scenario.send(1, chunks.sack(lost - 1, gaps=((2, end),)), gap_ns=20 * MS if end == 2 else MS)
    scenario.send(0, chunks.data(lost, bytes(100), ssn=scenario.ends[0].ssn - 5), source=path, destination=path)
    return scenario.data(0, size=100)


@fires("PM-017")
def fast_retransmission_elsewhere():
    return fast(1)


@silent("PM-017")
def fast_retransmission_on_the_path():
    return fast(0)


def moves(count):
    scenario = two_paths()
    for move in range(count):
        for _ in range(30):
            scenario.data(0, source=move % 2, destination=move % 2, gap_ns=80 * MS).sack(1, source=move % 2, destination=move % 2)
    return scenario


@fires("PM-019")
def back_and_forth():
    return moves(8)


@silent("PM-019")
def one_move():
    return moves(2)


def half_dead(before):
    scenario = two_paths()
    if before:
        scenario.heartbeat(0).heartbeat(0, gap_ns=S)
    scenario.data(0, size=1400)
    sent = scenario.flow.items[-1]
    for number in range(6):
        scenario.flow.items.append(sent.__class__(**{**sent.__dict__, "identification": scenario.new_id(0), "gap_ns": (1 << number) * S}))
        if not before and number in (2, 4):
            scenario.heartbeat(0)
    return scenario


@fires("PM-023", accused=1)
def data_lost_but_heartbeats_answered():
    return half_dead(False)


@silent("PM-023", accused=1)
def data_lost_after_heartbeats_answered():
    return half_dead(True)


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


def failover(timeouts, wait_ns=0, rto_ns=S):
    """Path 0 fails: so many timeouts in a row, the last one's retransmission on path 1, where new data follows after wait_ns more."""
    scenario = two_paths().heartbeat(0, source=1, destination=1)
    lost, ssn = scenario.ends[0].tsn, scenario.ends[0].ssn
    scenario.data(0)
    for number in range(timeouts):
        path = int(number + 1 == timeouts)
        scenario.send(0, chunks.data(lost, bytes(20), ssn=ssn), source=path, destination=path, gap_ns=(1 << number) * rto_ns)
    scenario.wait(wait_ns)
    for _ in range(6):
        scenario.data(0, source=1, destination=1).sack(1, source=1, destination=1, gap_ns=60 * MS)
    return scenario


@fires("PM-028")
def path_left_after_three_timeouts():
    return failover(3)


@fires("PM-028")
def path_left_after_eight_timeouts():
    return failover(8)


@silent("PM-028")
def path_left_after_six_timeouts():
    return failover(6)


@silent("PM-028")
def path_left_after_six_timeouts_when_there_was_data():
    return failover(6, 100 * S)


@silent("PM-028", judged=False)
def path_potentially_failed():
    return failover(1)


def spread(path_of):
    """A hundred and ten packets of new data, each on the path that its number gives, acknowledged by twos."""
    scenario = two_paths().heartbeat(0, source=1, destination=1)
    for number in range(110):
        path = path_of(number)
        scenario.data(0, source=path, destination=path)
        if number % 2:
            scenario.sack(1)
    return scenario


@fires("PM-015")
def several_paths_at_once():
    return spread(lambda number: number // 2 % 2)


def turning(gap_ns, paths=(0, 1, 0, 1)):
    scenario = two_paths().heartbeat(0, source=1, destination=1).send(1, chunks.heartbeat_ack(), source=1, destination=1)
    for path in paths:
        scenario.data(0, source=path, destination=path, gap_ns=gap_ns)
    return scenario.sack(1)


@fires("PM-015")
def three_changes_of_path_sooner_than_any_rto():
    return turning(10 * MS)


@silent("PM-015")
def two_changes_of_path_sooner_than_any_rto():
    return turning(10 * MS, (0, 1, 0))


@silent("PM-015")
def three_changes_of_path_within_two_seconds():
    return turning(600 * MS)


@silent("PM-015")
def two_changes_of_path():
    return spread(lambda number: int(30 < number < 60))


@silent("PM-015")
def several_paths_when_data_is_lost():
    scenario = spread(lambda number: 0)
    for number in range(30):
        path = number % 2
        scenario.data(0, source=path, destination=path).data(0, source=path, destination=path)
        scenario.send(0, chunks.data(scenario.ends[0].tsn - 1, bytes(20), ssn=scenario.ends[0].ssn - 1), source=1 - path, destination=1 - path,
                  gap_ns=S).sack(1)
    return scenario


@breaks("PM-016")
def timeouts_on_the_same_path_in_capture(editor):
    continuation, ways = two_ways(editor)
    near = continuation.near
    continuation.heartbeat(near, way=ways[1]).heartbeat(near, way=ways[0]).data(near, way=ways[0], size=100)
    for number in range(4):
        continuation.send(near, continuation.sent, gap_ns=(4 << number) * S, way=ways[0])
        continuation.heartbeat(near, way=ways[1], gap_ns=S)
    return near


@breaks("PM-017")
def fast_retransmission_elsewhere_in_capture(editor):
    continuation, ways = two_ways(editor, lambda association: not association.has_timeouts(association.near))
    near, far = continuation.near, continuation.far
    continuation.heartbeat(near, way=ways[1]).data(near, way=ways[0], size=100)
    lost = continuation.sent
    for _ in range(4):
        continuation.data(near, way=ways[0], size=100)
    for end in (2, 3, 4):
        continuation.sack(far, 5, gaps=((2, end),), gap_ns=None if end == 2 else MS)
    continuation.send(near, lost, way=ways[1]).data(near, way=ways[0], size=100)
    return near


@breaks("PM-019")
def back_and_forth_in_capture(editor):
    continuation, ways = two_ways(editor)
    near, far = continuation.near, continuation.far
    for move in range(8):
        way = ways[move % 2]
        for _ in range(30):
            continuation.data(near, way=way, gap_ns=80 * MS)
            continuation.send(far, chunks.sack(continuation.ends[near].tsn - 1), way=way)
    return near


@breaks("PM-023")
def data_lost_but_heartbeats_answered_in_capture(editor):
    continuation = Continuation(editor, where=lambda association: association.is_single() and association.is_clean(association.near))
    near = continuation.near
    continuation.data(near, size=1000)
    for number in range(6):
        continuation.send(near, continuation.sent, gap_ns=(1 << number) * S)
        if number in (2, 4):
            continuation.heartbeat(near)
    return continuation.far


@breaks("PM-028", causes=("PM-016",))
def path_left_after_three_timeouts_in_capture(editor):
    continuation, ways = two_ways(editor, lambda association: not association.has_timeouts(association.near))
    near, far = continuation.near, continuation.far
    continuation.data(near, way=ways[0], size=100)
    for number in range(3):
        continuation.send(near, continuation.sent, gap_ns=(1 << number) * S, way=ways[number // 2])
    for _ in range(6):
        continuation.data(near, way=ways[1], gap_ns=80 * MS)
        continuation.send(far, chunks.sack(continuation.ends[near].tsn - 1), way=ways[1])
    return near


@breaks("PM-015")
def several_paths_at_once_in_capture(editor):
    continuation, ways = two_ways(editor)
    near, far = continuation.near, continuation.far
    for number in range(200):
        way = ways[number // 2 % 2]
        continuation.data(near, way=way)
        if number % 2:
            continuation.send(far, chunks.sack(continuation.ends[near].tsn - 1), way=way)
    return near


LEFT_OUT = [
    ("PM-013", "left out", "Path.Max.Retrans can be set, and the user may name the path; the failover times are measured"),
    ("PM-014", "dropped", "early failover is allowed in many ways"),
    ("PM-020", "dropped", "whether the sender does SCTP-PF is not visible"),
    ("PM-021", "dropped", "whether the sender does SCTP-PF is not visible"),
    ("PM-026", "left out", "asymmetric routing is a choice"),
]
