# SPDX-License-Identifier: GPL-2.0-or-later
"""Pauses of a sender whose paths have round trips that differ: what follows a SACK at once comes after the round trip of its own path."""

import dataclasses
import json

import pytest

from reference import thin
from reference.cases import ADDRESSES, START_NS, TAGS, Script
from scenarios.generate import chunks

MS = 10**6


class BesideReceiver:
    """As a tap beside endpoint receiver sees it: it answers within 0.1 ms, the other endpoint a round trip of the path after what passes."""

    def __init__(self, receiver, rtts_ms):
        self.script, self.receiver, self.rtts_ms, self.now_ns, self.tsn = Script(set_up=False), receiver, rtts_ms, START_NS, 0
        listed = [b"".join(chunks.address(address) for address in addresses) for addresses in ADDRESSES]
        self.send(0, chunks.init(TAGS[0], 1000, params=listed[0]), tag=0)
        for end, chunk in ((1, chunks.init_ack(TAGS[1], 5000, params=listed[1])), (0, chunks.cookie_echo()), (1, chunks.cookie_ack())):
            self.send(end, chunk, after_ms=0.07 if end == receiver else rtts_ms[0] + 0.05)

    def send(self, end, chunk, path=0, after_ms=0.0, **more):
        self.now_ns += int(after_ms * MS)
        number = self.script.send(end, chunk, path=path, **more)
        self.script.frames[-1] = dataclasses.replace(self.script.frames[-1], time_ns=self.now_ns)
        return number

    def heartbeats(self):
        for number in range(2):
            for path, rtt_ms in enumerate(self.rtts_ms):
                info = f"nonce {number} to {path}".encode()
                self.send(self.receiver, chunks.heartbeat(info), path=path, after_ms=40)
                self.send(1 - self.receiver, chunks.heartbeat_ack(info), path=path, after_ms=rtt_ms + 0.1)

    def lone(self, path, delay_ms, next_ms):
        """Two packets that are acknowledged at once, one that is not; the next data comes so long after that SACK."""
        sender = 1 - self.receiver
        for after_ms in (0.02, 0.01):
            self.send(sender, chunks.data(self.script.tsns[sender] + self.tsn, bytes(1000)), path=path, after_ms=after_ms)
            self.tsn += 1
        self.sack(path, 0.06)
        self.send(sender, chunks.data(self.script.tsns[sender] + self.tsn, bytes(1000)), path=path, after_ms=self.rtts_ms[path] + 0.1)
        self.tsn += 1
        self.sack(path, delay_ms + 0.1)
        self.now_ns += int(next_ms * MS)

    def sack(self, path, after_ms):
        self.send(self.receiver, self.script.sack_chunk(self.tsn - 1, end=self.receiver), path=path, after_ms=after_ms)


def delayed(tshark, folder, receiver, rtts_ms, delay_ms, next_ms):
    """The pauses of six times on each path in turn, twice: the next data comes so long after the SACK, on the last of six by the other path."""
    capture = BesideReceiver(receiver, rtts_ms)
    capture.heartbeats()
    for number in range(24):
        capture.lone(number // 6 % 2, delay_ms, next_ms[number // 6 % 2])
    capture.lone(0, delay_ms, 0)
    thin.write(folder / "paths.pcap", capture.script.frames)
    done = tshark("-Q", "-r", folder / "paths.pcap", "-z", "sctp,json")
    return json.loads(done.stdout)["associations"][0]["directions"][1 - receiver]["pauses"]


@pytest.mark.parametrize("receiver, rtts_ms, delay_ms", [(1, (80, 30), 200), (0, (12, 140), 160), (1, (45, 95), 120)])
def test_a_delayed_sack_is_a_pause_on_each_path(receiver, rtts_ms, delay_ms, tshark, tmp_path):
    pauses = delayed(tshark, tmp_path, receiver, rtts_ms, delay_ms, [rtt_ms + 0.1 for rtt_ms in rtts_ms])
    assert set(pauses["by_cause"]) == {"delayed_sack_s"}
    assert len(pauses["list"]) == 20
    assert pauses["total_s"] == pytest.approx(len(pauses["list"]) * delay_ms / 1000, rel=0.01)


@pytest.mark.parametrize("receiver, rtts_ms, delay_ms", [(1, (80, 30), 200), (0, (140, 12), 160)])
def test_what_comes_sooner_than_the_round_trip_of_its_path_waited_for_no_sack(receiver, rtts_ms, delay_ms, tshark, tmp_path):
    """The application sends 11 ms before a SACK can have let it, on the slow path: longer than a round trip of the quick one."""
    pauses = delayed(tshark, tmp_path, receiver, rtts_ms, delay_ms, [rtts_ms[0] - 11, rtts_ms[1] + 0.1])
    assert len(pauses["list"]) == 10
