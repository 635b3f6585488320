# SPDX-License-Identifier: GPL-2.0-or-later
"""Receivers of data: how many packets a SACK answers, where it goes, and DATA that asks for a complaint. As in scenario_receiver."""

import struct

from generate import chunks
from scenario_builder import COMPLETE, MS, ScenarioBuilder
from scenario_receiver import received, saying
from register import fires, silent


def hole(gap_ns, each):
    """Data above a hole, gap_ns apart, with a SACK for each packet or for every second."""
    scenario = received(3)
    cum_tsn = scenario.ends[1].tsn - 1
    scenario.lose(1)
    scenario.data(1)
    saying(scenario, cum_tsn, gaps=((2, 2),))
    for i in range(8):
        scenario.wait(gap_ns).data(1, gap_ns=MS // 10)
        if each or i % 2:
            saying(scenario, cum_tsn, gaps=((2, i + 3),))
    return scenario


@fires("RX-019")
def hole_answered_by_pairs():
    return hole(20 * MS, False)


@silent("RX-019")
def hole_answered_each_time():
    return hole(20 * MS, True)


@silent("RX-019")
def hole_answered_after_bursts():
    return hole(0, False)


def sparse(gap_ns):
    scenario = received(2)
    for _ in range(25):
        for _ in range(4):
            scenario.data(1, gap_ns=gap_ns)
        scenario.sack(0)
    return scenario


@fires("RX-012")
def one_sack_for_four_packets():
    return sparse(10 * MS)


@silent("RX-012")
def one_sack_for_a_burst():
    return sparse(MS // 10)


def two_addresses():
    """The sender of the data, end 1, has two confirmed addresses."""
    scenario = ScenarioBuilder(addresses=("10.0.0.1", ("10.0.0.2", "10.0.1.2"))).set_up()
    return scenario.heartbeat(1, source=1).heartbeat(0, destination=1)


def multihomed(astray):
    scenario = two_addresses()
    for _ in range(5):
        scenario.data(1, source=1).sack(0, destination=0 if astray else 1)
    return scenario


@fires("RX-022")
def sacks_to_the_other_address():
    return multihomed(True)


@silent("RX-022")
def sacks_to_the_source():
    return multihomed(False)


def varied(destinations, source=lambda number: 1, before=lambda scenario, number: None):
    """Data, and SACKs to one of both addresses each; before: what else comes before the SACK."""
    scenario = two_addresses()
    for number, destination in enumerate(destinations):
        scenario.data(1, source=source(number))
        before(scenario, number)
        scenario.sack(0, destination=destination)
    return scenario


def duplicate(scenario, _):
    end = scenario.ends[1]
    scenario.send(1, chunks.data(end.tsn - 1, bytes(20), ssn=end.ssn - 1), source=1)


@fires("RX-023")
def sacks_by_turns():
    return varied((1, 0) * 4)


@silent("RX-023")
def sacks_leave_a_path_and_come_back():
    return varied((0,) * 4 + (1,) * 4 + (0,) * 4)


@silent("RX-023")
def sacks_leave_a_path_and_come_back_at_once():
    return varied((1, 1, 1, 0, 1, 1, 1, 0, 1, 1))


@silent("RX-023", judged=False)
def sacks_follow_the_source():
    return varied((1, 0) * 4, source=lambda number: 1 - number % 2)


@silent("RX-023", judged=False)
def sacks_follow_the_last_packet():
    """Each HEARTBEAT of the other address is answered before the data is acknowledged."""
    return varied((1, 0) * 4, before=lambda scenario, number: number % 2 and scenario.heartbeat(1, source=0))


@silent("RX-023", judged=False)
def sacks_for_duplicates_vary():
    return varied((1, 0) * 4, before=duplicate)


@silent("RX-023", judged=False)
def sacks_go_with_data_of_their_own():
    """A packet with DATA goes where its DATA goes."""
    scenario = two_addresses()
    for number in range(8):
        scenario.data(1, source=1)
        end = scenario.ends[0]
        scenario.send(0, chunks.sack(scenario.ends[1].tsn - 1), chunks.data(end.tsn, bytes(20), ssn=end.ssn), destination=number % 2)
        end.tsn, end.ssn = end.tsn + 1 & 0xFFFFFFFF, end.ssn + 1
        scenario.sack(1, source=1)
    return scenario


@silent("RX-023", judged=False)
def sacks_of_a_window_that_opens_vary():
    """What acknowledges nothing new is no answer to DATA."""
    scenario = varied((1,))
    for number in range(8):
        scenario.wait(50 * MS).sack(0, destination=number % 2)
    return scenario


@silent("RX-023", judged=False)
def sacks_leave_paths_that_fail():
    """The receiver's own data timed out at one address, then at the other."""
    scenario = two_addresses()
    end = scenario.ends[0]
    tsn, end.tsn = end.tsn, end.tsn + 1 & 0xFFFFFFFF
    for destination in (1, 0, 1):
        scenario.wait(3000 * MS).send(0, chunks.data(tsn, bytes(20)), destination=destination)
    for number in range(8):
        scenario.data(1, source=1).sack(0, destination=number % 2)
    return scenario


@silent("RX-023")
def sacks_vary_while_a_heartbeat_waits():
    scenario = two_addresses()
    for number in range(8):
        scenario.data(1, source=1).sack(0, destination=number % 2 if number > 2 else 1)
        if number == 2:
            scenario.send(0, chunks.heartbeat(b"unanswered"), destination=0)
    return scenario


@silent("RX-023")
def sacks_vary_to_an_address_that_never_sent():
    """Whether the sender of the data uses its second address is not visible: the tap may not see that path."""
    scenario = ScenarioBuilder(addresses=("10.0.0.1", ("10.0.0.2", "10.0.1.2"))).set_up()
    for number in range(8):
        scenario.data(1).sack(0, destination=number % 2)
    return scenario


def stranger(reports, are_added=False, times=3):
    """Data of stream 50 of 10, so many times. are_added: 50 streams were added before."""
    scenario = received(2)
    if are_added:
        add = chunks.tlv(chunks.ADD_OUTGOING, struct.pack("!IHH", scenario.ends[1].tsn, 50, 0))
        granted = chunks.tlv(chunks.RESPONSE, struct.pack("!II", scenario.ends[1].tsn, 1))
        scenario.send(1, chunks.re_config(add)).send(0, chunks.re_config(granted))
    for _ in range(times):
        end = scenario.ends[1]
        scenario.send(1, chunks.data(end.tsn, bytes(20), sid=50))
        end.tsn = end.tsn + 1 & 0xFFFFFFFF
        scenario.sack(0)
        if reports:
            scenario.send(0, chunks.error(chunks.tlv(1, bytes((0, 50, 0, 0)))))
        scenario.data(1).wait(1500 * MS).sack(0)
    return scenario


@fires("RX-024")
def invalid_stream_taken():
    return stranger(False)


@silent("RX-024")
def invalid_stream_reported():
    return stranger(True)


@fires("RX-024", asserted=COMPLETE)
@silent("RX-024", judged=False)
def invalid_stream_taken_once():
    return stranger(False, times=1)


@silent("RX-024", asserted=COMPLETE)
def invalid_stream_reported_once():
    return stranger(True, times=1)


@silent("RX-024", judged=False)
def stream_added():
    return stranger(False, are_added=True)
