# SPDX-License-Identifier: GPL-2.0-or-later
"""That the replay of peers.py finds the same answers where an endpoint is replayed against itself, and a difference where a packet was altered.

Leaves out the public suites themselves, which are no part of the project: peers.py FOLDER.
"""

import json
import struct
import subprocess
import sys

import pytest

from simulator import peers, wire
from simulator.clock import MILLISECOND_NS, SECOND_NS, Simulation
from simulator.endpoint import Endpoint
from simulator.policy import Policy

IUT, TESTER = "192.168.0.1", "192.0.2.1"
ONE_WAY_NS = 20 * MILLISECOND_NS


def a_run(loses=lambda number: False):
    """(time_ns, source, destination, bytes) at the endpoint under test: it opens, sends and receives messages, and shuts down."""
    simulation, frames, hosts, numbers = Simulation("peers"), [], {}, iter(range(1000))

    def transmit(datagram):
        is_lost = loses(next(numbers))
        if datagram.source == IUT:
            frames.append((simulation.now_ns, datagram.source, datagram.destination, datagram.sctp))
        if not is_lost:
            simulation.after(ONE_WAY_NS, arrive, datagram)

    def arrive(datagram):
        if datagram.destination == IUT:
            frames.append((simulation.now_ns, datagram.source, datagram.destination, datagram.sctp))
        hosts[datagram.destination].receive(datagram)

    policy = Policy.preset("freebsd", heartbeat_is_on=False, timer_granularity_ns=0)
    hosts[IUT] = Endpoint(simulation, transmit, policy, [IUT], 5000, name="iut")
    hosts[TESTER] = Endpoint(simulation, transmit, Policy.preset("linux", heartbeat_is_on=False), [TESTER], 6000, name="tester")
    association = hosts[IUT].associate([TESTER], 6000)
    simulation.run(until_ns=SECOND_NS)
    for number in range(6):
        association.send(bytes([number]) * 900, stream=number % 2)
        hosts[TESTER].send(b"answer" * 50)
        simulation.run(until_ns=simulation.now_ns + 300 * MILLISECOND_NS)
    simulation.run(until_ns=simulation.now_ns + 5 * SECOND_NS)
    association.shutdown()
    simulation.run(until_ns=simulation.now_ns + SECOND_NS)
    return frames


def write(path, frames):
    """A pcap of raw IPv4."""
    data = struct.pack("<IHHIIII", 0xA1B23C4D, 2, 4, 0, 0, 65535, 101)
    for time_ns, source, destination, sctp in frames:
        ip = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(sctp), 0, 0, 64, 132, 0) + wire.address_bytes(source) + wire.address_bytes(destination)
        data += struct.pack("<IIII", *divmod(time_ns, SECOND_NS), 20 + len(sctp), 20 + len(sctp)) + ip + sctp
    path.write_bytes(data)


def differences(folder, frames):
    write(folder / "run.pcap", frames)
    return peers.fewest_differences(peers.read_capture(folder / "run.pcap", IUT), "freebsd", None)


def altered(frames, change):
    """The frames with the first packet of the endpoint under test changed that change(packet) changes: it returns chunks, or None."""
    for index, (time_ns, source, destination, sctp) in enumerate(frames):
        packet = wire.parse(sctp)
        chunks = change(packet) if source == IUT else None
        if chunks is not None:
            again = wire.packet(packet.source_port, packet.destination_port, packet.tag, chunks)
            return frames[:index] + [(time_ns, source, destination, again)] + frames[index + 1 :]
    raise AssertionError("nothing was altered")


@pytest.mark.parametrize("lost", [(), (7,), (9, 12)])
def test_replay_of_itself_has_the_same_answers(tmp_path, lost):
    assert differences(tmp_path, a_run(lambda number: number in lost)) == []


def raised_cum_tsn(packet):
    sack = wire.read_sack(packet.chunks[0]) if packet.chunks[0].type == wire.SACK else None
    return sack and [wire.sack_chunk(sack.cum_tsn + 1, sack.a_rwnd, sack.gap_blocks, sack.duplicates)]


def other_stream(packet):
    data = wire.read_data(packet.chunks[-1]) if packet.chunks[-1].type == wire.DATA and wire.read_data(packet.chunks[-1]).number == 1 else None
    return data and packet.chunks[:-1] + [wire.data_chunk(data.tsn, data.stream, 5, data.ppid, data.user_data)]


def with_flag(packet):
    return [wire.Chunk(wire.SHUTDOWN, 4, packet.chunks[0].value)] if packet.chunks[0].type == wire.SHUTDOWN else None


@pytest.mark.parametrize("change", [raised_cum_tsn, other_stream, with_flag])
def test_altered_packet_is_a_difference(tmp_path, change):
    assert differences(tmp_path, altered(a_run(), change))


def test_missing_answer_and_wrong_tag_are_differences(tmp_path):
    frames = a_run()
    at = next(i for i, f in enumerate(frames) if f[1] == IUT and wire.parse(f[3]).chunks[0].type == wire.COOKIE_ECHO)
    assert differences(tmp_path, frames[:at] + frames[at + 1 :])
    time_ns, source, destination, sctp = frames[at]
    packet = wire.parse(sctp)
    frames[at] = time_ns, source, destination, wire.packet(packet.source_port, packet.destination_port, packet.tag ^ 1, packet.chunks)
    assert differences(tmp_path, frames)


def test_command_counts_runs(tmp_path):
    (tmp_path / "pass").mkdir()
    write(tmp_path / "pass" / "run.pcap", a_run())
    (tmp_path / "labels.jsonl").write_text(json.dumps({"file": "pass/run.pcap", "platform": "FreeBSD"}) + "\n")
    done = subprocess.run(
        [sys.executable, peers.__file__, str(tmp_path / "pass"), "--labels", str(tmp_path / "labels.jsonl")], capture_output=True, text=True
    )
    assert done.stdout.startswith("1 of 1 runs have the same answers"), done.stdout + done.stderr
