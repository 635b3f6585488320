# SPDX-License-Identifier: GPL-2.0-or-later
"""Heartbeats, path verification, and where data goes."""

from generate import chunks
from scenario_builder import MS, S, ScenarioBuilder
from register import fires, silent

TWO = (["10.0.0.1", "10.0.1.1"], ["10.0.0.2", "10.0.1.2"])


def listed(addresses):
    return b"".join(chunks.address(text) for text in addresses)


def up(near=0):
    """Two paths; round trips show the tap to be near one end."""
    scenario = ScenarioBuilder(TWO, *((MS // 10, 20 * MS) if near == 0 else (20 * MS, MS // 10)))
    return scenario.set_up((listed(TWO[0]), listed(TWO[1]))).exchange(3)


def echoed(change):
    scenario = up()
    for number in range(4):
        info = bytes([number]) * 40
        scenario.send(0, chunks.heartbeat(info), gap_ns=5 * S).send(1, chunks.heartbeat_ack(change(info)))
    return scenario


@fires("PM-001", accused=1)
def wrong_echoes():
    return echoed(lambda info: info[:-1] + b"!")


@silent("PM-001", accused=1)
@silent("PM-004", accused=1)
@silent("PM-005")
@silent("PM-011")
def right_echoes():
    return echoed(lambda info: info).shut_down()


@silent("PM-001", accused=1)
def echoes_of_heartbeats_that_were_not_captured():
    scenario = echoed(lambda info: info)
    for number in range(2):
        scenario.new_id(0)
        scenario.heartbeat(0, answered=False, gap_ns=5 * S).send(1, chunks.heartbeat_ack(bytes([100 + number]) * 40))
    return scenario.heartbeat(0, gap_ns=5 * S).heartbeat(0, gap_ns=5 * S)


def one_wrong_echo(scenario, change):
    """After two right ones; the next HEARTBEAT is answered rightly again."""
    scenario.exchange(3).heartbeat(0, gap_ns=5 * S)
    info = b"i" * 40
    scenario.send(0, chunks.heartbeat(info), gap_ns=5 * S).send(1, chunks.heartbeat_ack(info))
    scenario.heartbeat(0, answered=False, gap_ns=5 * S).send(1, chunks.heartbeat_ack(change(info)))
    return scenario.heartbeat(0, gap_ns=5 * S)


@fires("PM-001", accused=1)
def one_wrong_echo_where_no_packet_is_missing():
    return one_wrong_echo(up(), lambda info: b"!" * 40)


@silent("PM-001", accused=1)
def answer_before_comes_again():
    return one_wrong_echo(up(), lambda info: info)


def to_a_third_address(params=(b"", b""), **options):
    """A HEARTBEAT to an address that the peer did not list."""
    scenario = ScenarioBuilder(TWO).set_up((listed(TWO[0]) + params[0], listed(TWO[1]) + params[1])).exchange(3)
    return scenario.heartbeat(0, answered=False, destination="10.0.9.9", **options)


@fires("HS-053")
def heartbeat_to_an_address_not_listed():
    return to_a_third_address()


@silent("HS-053")
def heartbeat_to_the_second_address_listed():
    return ScenarioBuilder(TWO).set_up((listed(TWO[0]), listed(TWO[1]))).exchange(3).heartbeat(0, answered=False, destination=1)


@silent("HS-053", judged=False)
def heartbeat_to_an_address_that_asconf_may_have_added():
    both = chunks.tlv(chunks.EXTENSIONS, bytes((chunks.ASCONF, chunks.ASCONF_ACK, chunks.AUTH)), last=True)
    return to_a_third_address((both, both))


def silence(data):
    scenario = up(near=1)
    for _ in range(4):
        scenario.heartbeat(0, answered=False, gap_ns=2 * S)
        if data:
            scenario.data(0).sack(1)
    return scenario


@fires("PM-002", accused=1)
def heartbeats_not_answered_but_data():
    return silence(True)


@silent("PM-002", accused=1)
def nothing_answered():
    return silence(False)


@fires("PM-004", accused=1)
def answer_to_another_address():
    return up().send(0, chunks.heartbeat(bytes(40)), source=1, destination=1) \
        .send(1, chunks.heartbeat_ack(bytes(40)), source=1, destination=0)


@fires("PM-005")
def heartbeat_without_info():
    return up().send(0, chunks.chunk(chunks.HEARTBEAT, 0, chunks.tlv(0x8555, bytes(20))))


def probe(size):
    return up().send(1, chunks.heartbeat(bytes(size)), source=1, destination=1)


@fires("PM-006", accused=1)
def short_nonce():
    return probe(4)


@silent("PM-006", accused=1)
def long_nonce():
    return probe(8)


@fires("PM-007", accused=1)
def data_to_an_unconfirmed_address():
    return up(near=1).data(1, destination=1, source=1)


@silent("PM-007", accused=1)
def heartbeat_ack_to_an_unconfirmed_address():
    scenario = up(near=1).heartbeat(0, source=1, destination=1)
    return scenario.heartbeat(1, source=1, destination=1).data(1, source=1, destination=1)


@silent("PM-007", accused=0, judged=False)
def data_to_an_address_that_the_user_named():
    return up().data(0, destination=1, source=1)


def beats(jitter_ns):
    scenario = up()
    for number in range(14):
        scenario.heartbeat(0, gap_ns=S - 20 * MS + jitter_ns * (number % 3))
    return scenario


@fires("PM-009")
def exact_heartbeats():
    return beats(0)


@silent("PM-009")
def heartbeats_with_jitter():
    return beats(300 * MS)


@fires("PM-011")
def heartbeat_after_shutdown():
    scenario = up()
    return scenario.send(0, chunks.shutdown(scenario.ends[1].tsn - 1)).heartbeat(0, answered=False)


def timeouts(same):
    scenario = up().heartbeat(0, source=1, destination=1).data(0, size=100)
    for wait_ns in (S, 2 * S):
        index = 0 if same else 1
        scenario.again(identification=scenario.new_id(0), gap_ns=wait_ns + 50 * MS, source=TWO[0][index], destination=TWO[1][index])
    return scenario


@fires("PM-016")
def timeouts_on_the_same_path():
    return timeouts(True)


@silent("PM-016")
def timeouts_on_the_other_path():
    scenario = timeouts(False)
    return scenario


def fast(path):
    scenario = up().heartbeat(0, source=1, destination=1)
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
    scenario = up()
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


@fires("PM-022", accused=1)
def init_ack_elsewhere():
    return ScenarioBuilder(TWO).init().init_ack(destination=1)


@silent("PM-022", accused=1)
def cookie_ack_to_the_confirmed_address():
    return ScenarioBuilder(TWO).init().init_ack().cookie_echo(source=1).cookie_ack()


def half_dead(before):
    scenario = up()
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


def late_heartbeat(*paths):
    """After a minute, with a peer of three addresses."""
    addresses = (TWO[0], [*TWO[1], "10.0.2.2"])
    scenario = ScenarioBuilder(addresses).set_up((listed(TWO[0]), listed(addresses[1]))).exchange(3)
    for path in paths:
        scenario.heartbeat(0, source=min(path, 1), destination=path)
    return scenario.heartbeat(0, gap_ns=70 * S)


@fires("PM-025")
def listed_address_without_heartbeat():
    return late_heartbeat(1)


@silent("PM-025")
def listed_addresses_with_heartbeats():
    return late_heartbeat(1, 2)


@silent("PM-025", judged=False)
def one_interface_captured():
    return late_heartbeat()


def unanswered(one_answers):
    scenario = up()
    for _ in range(8):
        scenario.heartbeat(0, answered=False, gap_ns=3 * S).heartbeat(0, source=1, destination=1, answered=one_answers, gap_ns=3 * S)
    return scenario


@fires("PM-027")
def no_path_answers():
    return unanswered(False)


@silent("PM-027")
def one_path_answers():
    return unanswered(True)


def failover(timeouts, wait_ns=0, rto_ns=S):
    """Path 0 fails: so many timeouts in a row, the last one's retransmission on path 1, where new data follows after wait_ns more."""
    scenario = up().heartbeat(0, source=1, destination=1)
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
    scenario = up().heartbeat(0, source=1, destination=1)
    for number in range(110):
        path = path_of(number)
        scenario.data(0, source=path, destination=path)
        if number % 2:
            scenario.sack(1)
    return scenario


@fires("PM-015")
def several_paths_at_once():
    return spread(lambda number: number // 2 % 2)


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


def spaced(*gaps_ns, answered=True):
    """A HEARTBEAT, which is answered, and further ones after the gaps."""
    scenario = up().heartbeat(0)
    for gap_ns in gaps_ns:
        scenario.wait(gap_ns).heartbeat(0, answered=answered)
    return scenario


@fires("PM-029")
def heartbeats_ever_later():
    return spaced(*[(30 + (1 << number)) * S for number in range(7)])


@silent("PM-029")
def heartbeats_ever_later_within_the_jitter():
    return spaced(*[31 * S + (25 << number) * MS for number in range(6)])


@silent("PM-029")
def heartbeats_of_which_some_leave_late():
    return spaced(31 * S, 33 * S, 40 * S, 32 * S, 35 * S, 45 * S, 31 * S)


@silent("PM-029", judged=False)
def heartbeats_answered_late():
    scenario = up()
    for number in range(7):
        scenario.heartbeat(0, gap_ns=(1 << number) * S)
    return scenario


@silent("PM-029")
def heartbeats_backed_off_without_answer():
    return spaced(*[(30 + (1 << number)) * S for number in range(7)], answered=False)


def data_before_the_heartbeat_ack(late_ns):
    """Each HEARTBEAT is followed by data, whose SACK comes first."""
    scenario = ScenarioBuilder().set_up().exchange(3)
    for number in range(3):
        info = bytes([number]) * 40
        scenario.send(0, chunks.heartbeat(info), gap_ns=5 * S).data(0).sack(1)
        scenario.send(1, chunks.heartbeat_ack(info), gap_ns=late_ns)
    return scenario


@fires("PM-003", accused=1)
def heartbeat_ack_300_ms_after_the_sack():
    return data_before_the_heartbeat_ack(300 * MS)


@silent("PM-003", accused=1)
def heartbeat_ack_right_behind_the_sack():
    return data_before_the_heartbeat_ack(MS)
