# SPDX-License-Identifier: GPL-2.0-or-later
"""Every datagram that is sent has exactly one fate in truth, and it is the one that the network gave it."""

import collections
import dataclasses
import struct

import pytest

from . import middlebox, network, wire
from .clock import MILLISECOND_NS, SECOND_NS, Simulation
from .datagram import TOS_CE, TOS_ECT0, Datagram
from .truth import Truth, faults


class Listener:
    """An endpoint that notes what it receives."""

    def __init__(self):
        self.received, self.icmps = [], []

    def receive(self, datagram, now_ns=None):
        self.received.append((now_ns, datagram))

    def receive_icmp(self, kind, destination, sctp, mtu_bytes=None):
        self.icmps.append((kind, destination, mtu_bytes))


class World:
    """Two hosts, one interface each; A sends `count` datagrams, one a millisecond, each of so many bytes of SCTP."""

    def __init__(self, outward=None, inward=None, boxes=(), seed=1, sets_df=True, replicas=()):
        self.simulation, self.truth = Simulation(seed), Truth()
        self.network = network.Network(self.simulation, self.truth)
        self.a, self.b = self.network.host("A", sets_df=sets_df), self.network.host("B")
        self.at_a = self.network.interface(self.a, "10.0.0.1", outward, inward, boxes)
        self.at_b = self.network.interface(self.b, "10.0.0.2")
        self.ends = Listener(), Listener()
        self.a.attach(self.ends[0], None)
        self.b.attach(self.ends[1], None)

    def send(
        self,
        count=1,
        size_bytes=100,
        tos=0,
        source="10.0.0.1",
        destination="10.0.0.2",
        host=None,
        chunk_type=wire.DATA,
        udp_ports=None,
        ports=(5000, 5001),
    ):
        sctp = wire.packet(*ports, 7, [wire.Chunk(chunk_type, 3, bytes(size_bytes - 16))])
        for number in range(count):
            datagram = Datagram(self.simulation.number("datagram"), source, destination, sctp, tos=tos, udp_ports=udp_ports)
            self.simulation.after(number * MILLISECOND_NS, (host or self.a).transmit, datagram)
        self.simulation.run()
        self.network.finish()
        return self

    def fates(self):
        return collections.Counter(fields.get("why", fields["fate"]) for _, fields in self.truth.of("packet"))

    def received(self, end=1):
        return [datagram for _, datagram in self.ends[end].received]


def conditions(**given):
    return network.Conditions(**{"delay_ns": 5 * MILLISECOND_NS, **given})


LOSSES = {
    "random": conditions(loss=0.3),
    "burst": conditions(bursts=(0.1, 0.2, 1.0)),
    "size": conditions(loss_by_size=(120, 0.5)),
    "outage": conditions(outages=((10 * MILLISECOND_NS, 50 * MILLISECOND_NS),)),
    "one_way_outage": conditions(one_way_outages=((10 * MILLISECOND_NS, 50 * MILLISECOND_NS),)),
    "too_big": conditions(mtu_bytes=110, too_big=network.SILENT),
    "queue_full": conditions(rate_bits_per_s=100_000, queue_bytes=1000),
}


@pytest.mark.parametrize("why", LOSSES)
def test_loss_has_its_cause(why):
    world = World(LOSSES[why]).send(200)
    fates = world.fates()
    assert set(fates) <= {why, "arrived"} and fates[why] > 10 and sum(fates.values()) == 200
    assert len(world.received()) == fates["arrived"] and not faults(world.truth.records)


def test_outage_loses_what_enters_during_it():
    world = World(LOSSES["outage"]).send(100)
    lost = [fields["sent_ns"] // MILLISECOND_NS for _, fields in world.truth.of("packet") if fields["fate"] == "lost"]
    assert lost == list(range(10, 50))


def test_rate_and_delay_make_the_time_on_the_way():
    world = World(conditions(rate_bits_per_s=1_600_000)).send(2, size_bytes=180)
    sent = [fields["arrived_ns"] - fields["sent_ns"] for _, fields in world.truth.of("packet")]
    assert sent[0] == 11 * MILLISECOND_NS and abs(sent[1] - sent[0]) < 5_000


def test_reordered_ones_were_overtaken():
    world = World(conditions(reorder=(0.2, 20 * MILLISECOND_NS))).send(100)
    numbers = [datagram.number for datagram in world.received()]
    overtaken = {fields["number"]: fields.get("overtaken_by", 0) for _, fields in world.truth.of("packet")}
    assert numbers != sorted(numbers)
    assert overtaken == {number: sum(other > number for other in numbers[: numbers.index(number)]) for number in numbers}


def test_jitter_keeps_order():
    numbers = [datagram.number for datagram in World(conditions(jitter_ns=20 * MILLISECOND_NS)).send(100).received()]
    assert numbers == sorted(numbers)


def test_doubled_ones_have_numbers_of_their_own():
    world = World(conditions(duplicate=0.3)).send(100)
    copies = [fields for _, fields in world.truth.of("packet") if "copy_of" in fields]
    assert len(world.received()) == 100 + len(copies) and len(copies) > 10
    assert len({fields["number"] for _, fields in world.truth.of("packet")}) == 100 + len(copies)


def test_corrupted_ones_differ_and_are_known():
    world = World(conditions(corrupt=0.3)).send(100)
    corrupted = {fields["number"] for _, fields in world.truth.of("packet") if fields.get("corrupted")}
    wrong = {datagram.number for datagram in world.received() if not wire.parse(datagram.sctp).checksum_is_right}
    assert len(corrupted) > 10 and wrong == corrupted


def test_udp_discards_what_was_corrupted():
    fates = World(conditions(corrupt=0.3)).send(100, udp_ports=(9899, 9899)).fates()
    assert fates["corrupted_header"] > 10 and sum(fates.values()) == 100


def test_router_says_what_is_too_big():
    world = World(conditions(mtu_bytes=110)).send(1)
    assert world.ends[0].icmps == [("too big", "10.0.0.2", 110)]
    assert World(conditions(mtu_bytes=110, too_big=network.SILENT)).send(1).ends[0].icmps == []


@pytest.mark.parametrize("sets_df, fate", [(True, "too_big"), (False, "arrived")])
def test_router_fragments_what_allows_it(sets_df, fate):
    assert World(conditions(mtu_bytes=110, too_big=network.FRAGMENT), sets_df=sets_df).send(1).fates() == {fate: 1}


def test_long_queue_marks_what_is_capable():
    slow = conditions(rate_bits_per_s=100_000, mark_bytes=500)
    marked = [datagram.tos for datagram in World(slow).send(20, tos=TOS_ECT0).received()]
    assert marked.count(TOS_CE) > 10 and marked[0] == TOS_ECT0
    assert {datagram.tos for datagram in World(slow).send(20).received()} == {0}


def test_what_is_under_way_at_the_end_is_known():
    world = World(conditions(delay_ns=SECOND_NS))
    world.a.transmit(Datagram(0, "10.0.0.1", "10.0.0.2", wire.packet(1, 2, 3, [])))
    world.simulation.run(until_ns=10)
    world.network.finish()
    assert world.fates() == {"in_flight": 1}


def test_host_that_stalls_sends_afterwards():
    world = World()
    world.a.stalls = ((0, SECOND_NS),)
    world.send(3)
    assert all(SECOND_NS <= fields["sent_ns"] < SECOND_NS + 20_000 for _, fields in world.truth.of("packet"))


def test_identifications():
    for way, expected in (("per_host", {1}), ("zero", {0})):
        world = World()
        world.a.identification = way
        numbers = [datagram.identification for datagram in world.send(10).received()]
        assert {(second - first) % 65536 for first, second in zip(numbers, numbers[1:])} == expected


def nat(**given):
    return middlebox.Nat("nat", ["192.0.2.1", "192.0.2.2"], **given)


def test_nat_translates_both_ways():
    world = World(boxes=[nat()])
    world.send(1)
    assert world.received()[0].source == "192.0.2.1" and wire.parse(world.received()[0].sctp).checksum_is_right
    world.send(1, source="10.0.0.2", destination="192.0.2.1", host=world.b, ports=(5001, 5000))
    assert world.received(0)[0].destination == "10.0.0.1"


def test_nat_that_changes_ports_makes_the_checksum_anew():
    for renews in (True, False):
        world = World(boxes=[nat(keeps_ports=False, renews_checksum=renews)]).send(1)
        packet = wire.parse(world.received()[0].sctp)
        assert packet.source_port == 20_000 and packet.checksum_is_right == renews


def test_nat_hides_no_corruption():
    wrong = wire.packet(5000, 5001, 7, [], checksum=1)
    assert not wire.parse(middlebox.with_ports(wrong, 1, 2)).checksum_is_right


def test_nat_that_forgot_drops_what_comes_and_maps_anew():
    world = World(boxes=[nat(forgets_at_ns=[SECOND_NS])]).send(1)
    world.simulation.run(until_ns=2 * SECOND_NS)
    world.send(1, source="10.0.0.2", destination="192.0.2.1", host=world.b, ports=(5001, 5000))
    assert world.fates() == {"arrived": 1, "middlebox": 1}
    assert world.send(1).received()[-1].source == "192.0.2.2"


def test_firewall_drops_a_chunk_type():
    world = World(boxes=[middlebox.Firewall("wall", [wire.HEARTBEAT])])
    world.send(3).send(2, chunk_type=wire.HEARTBEAT)
    assert world.fates() == {"arrived": 3, "middlebox": 2}
    assert "drops HEARTBEAT" in world.truth.of("packet")[-1][1]["where"]


def test_load_balancer_switches():
    world, other = World(), Listener()
    third = world.network.host("C")
    third.attach(other, None)
    world.network.add_box(world.at_b, middlebox.LoadBalancer("balancer", [world.b, third], switches=[(0, 0), (15 * MILLISECOND_NS, 1)]))
    world.send(20)
    assert len(other.received) + len(world.received()) == 20 and len(other.received) == 10


def test_rewritten_port_makes_the_checksum_wrong():
    packet = wire.parse(World(boxes=[middlebox.PortRewriter("box", 9)]).send(1).received()[0].sctp)
    assert packet.source_port == 9 and not packet.checksum_is_right


def test_bleachers():
    assert World(boxes=[middlebox.Bleacher("b")]).send(1, tos=0xB8 | TOS_ECT0).received()[0].tos == 0
    assert World(boxes=[middlebox.EcnBleacher("b")]).send(1, tos=0xB8 | TOS_ECT0).received()[0].tos == 0xB8


def test_same_seed_same_records():
    everything = conditions(loss=0.1, reorder=(0.1, MILLISECOND_NS * 9), duplicate=0.1, corrupt=0.1, jitter_ns=1000, rate_bits_per_s=1_000_000)
    first, second, other = (World(dataclasses.replace(everything), seed=seed).send(100).truth.records for seed in (1, 1, 2))
    assert first == second != other


def test_no_two_taps_share_what_is_changed():
    """A datagram that a box changes is another one: what a tap saw before stays as it was."""
    world = World(boxes=[nat(keeps_ports=False)])
    seen = []

    class Tap:
        def see(self, now_ns, datagram, ttl, is_outward, fragment_bytes):
            seen.append((datagram.source, struct.unpack_from("!H", datagram.sctp)[0], ttl))

    tap = Tap()
    for taps in (world.at_a.at_host, world.at_a.beyond_link, world.at_a.outside, world.at_b.at_host):
        taps.append(tap)
    world.send(1)
    assert seen == [("10.0.0.1", 5000, 64), ("10.0.0.1", 5000, 61), ("192.0.2.1", 20_000, 61), ("192.0.2.1", 20_000, 58)]
