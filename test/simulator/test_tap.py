# SPDX-License-Identifier: GPL-2.0-or-later
"""What a tap writes is what passed it, by its own clock, and tshark reads it."""

import io
import itertools

import pytest

from sctpa import pcapng

from . import network, tap, wire
from .clock import MILLISECOND_NS, Simulation
from .datagram import Datagram
from .network import AT_HOST, BEYOND_LINK
from .truth import Truth, faults


class Silent:
    def receive(self, datagram, now_ns=None):
        """Notes nothing."""

    def receive_icmp(self, kind, destination, sctp, mtu_bytes=None):
        """Nor this."""


class World:
    """Two hosts; both send `count` datagrams, one a millisecond. taps: functions of the two interfaces that give a list of places."""

    def __init__(
        self, taps=None, count=20, addresses=("10.0.0.1", "10.0.0.2"), outward=None, size_bytes=100, udp_ports=None, sets_df=True, **settings
    ):
        self.simulation, self.truth = Simulation(1), Truth()
        net = network.Network(self.simulation, self.truth)
        hosts = [net.host(name, sets_df=sets_df) for name in "AB"]
        interfaces = [net.interface(host, address, outward) for host, address in zip(hosts, addresses)]
        self.taps = [
            tap.Tap(self.simulation, f"tap{number}", places(*interfaces), tap.Settings(**settings))
            for number, places in enumerate(taps or [lambda a, b: [(a, AT_HOST)]])
        ]
        for which, host in enumerate(hosts):
            host.attach(Silent(), None)
            for number in range(count):
                sctp = wire.packet(5000 + which, 5001 - which, 7, [wire.data_chunk(number, 0, number, 0, bytes(size_bytes - 28))])
                datagram = Datagram(self.simulation.number("datagram"), addresses[which], addresses[1 - which], sctp, udp_ports=udp_ports)
                self.simulation.at(number * MILLISECOND_NS, host.transmit, datagram)
        self.simulation.run()
        net.finish()
        self.file = tap.capture(self.taps, self.truth)
        self.shown = [fields for _, fields in self.truth.of("frames")]

    def frames(self):
        """(interface number, stamp ticks, frame bytes, wire bytes) of each."""
        for kind, body, order, _ in pcapng.blocks(io.BytesIO(self.file)):
            if kind == pcapng.EPB:
                number, high, low, kept, length = (int.from_bytes(body[at : at + 4], "little") for at in range(0, 20, 4))
                yield number, high << 32 | low, body[20 : 20 + kept], length

    def fields(self, tshark, folder, *names):
        """What tshark says, a list of texts for each frame."""
        path = folder / "capture.pcapng"
        path.write_bytes(self.file)
        result = tshark(
            "-n",
            "-r",
            path,
            "-o",
            "sctp.checksum:CRC-32C",
            "-o",
            "ip.check_checksum:TRUE",
            "-o",
            "udp.check_checksum:TRUE",
            "-T",
            "fields",
            *itertools.chain.from_iterable(("-e", name) for name in names),
            plugin=False,
        )
        assert result.returncode == 0, result.stderr
        return [line.split("\t") for line in result.stdout.splitlines()]


@pytest.mark.parametrize("link_type, vlan", [(tap.ETHERNET, None), (tap.ETHERNET, 7), (tap.RAW_IP, None), (tap.SLL, None), (tap.SLL2, None)])
@pytest.mark.parametrize("addresses", [("10.0.0.1", "10.0.0.2"), ("2001:db8::1", "2001:db8::2")], ids=["ipv4", "ipv6"])
def test_tshark_reads_every_link_type(tshark, tmp_path, link_type, vlan, addresses):
    world = World(count=2, link_type=link_type, vlan=vlan, addresses=addresses)
    rows = world.fields(tshark, tmp_path, "sctp.srcport", "sctp.checksum.status", "ip.checksum.status", "_ws.malformed", "sctp.data_tsn")
    assert sorted((row[0], row[1], row[3], row[4]) for row in rows) == [(port, "1", "", tsn) for port in ("5000", "5001") for tsn in "01"]


@pytest.mark.parametrize("addresses", [("10.0.0.1", "10.0.0.2"), ("2001:db8::1", "2001:db8::2")], ids=["ipv4", "ipv6"])
def test_udp_encapsulation(tshark, tmp_path, addresses):
    for given in ({"udp_ports": (9899, 9899)}, {"tunnel": (9899, 9899)}):
        rows = World(count=1, addresses=addresses, **given).fields(tshark, tmp_path, "udp.checksum.status", "sctp.checksum.status", "sctp.data_tsn")
        assert rows == [["1", "1", "0"]] * 2


def test_tshark_puts_fragments_together(tshark, tmp_path):
    small = network.Conditions(mtu_bytes=600, too_big=network.FRAGMENT)
    world = World([lambda a, b: [(b, AT_HOST)]], count=1, outward=small, size_bytes=1400, sets_df=False, direction="inward")
    rows = world.fields(tshark, tmp_path, "ip.reassembled.length", "sctp.checksum.status")
    assert len(rows) == 3 and rows[-1] == ["1400", "1"]
    assert [what for _, _, what in world.shown[0]["frames"]] == ["fragment"] * 3


def test_host_fragments_what_a_router_said_is_too_big(tshark, tmp_path):
    for addresses in (("10.0.0.1", "10.0.0.2"), ("2001:db8::1", "2001:db8::2")):
        world = World(count=20, outward=network.Conditions(mtu_bytes=1280), size_bytes=1400, addresses=addresses, direction="outward")
        rows = world.fields(tshark, tmp_path, "ip.reassembled.length", "ipv6.reassembled.length", "sctp.checksum.status")
        assert ["1400", "", "1"] in rows or ["", "1400", "1"] in rows
        arrived = [fields for _, fields in world.truth.of("packet") if fields["source"] == addresses[0] and fields["fate"] == "arrived"]
        assert len(arrived) == sum(what == "fragment" for _, _, what in world.shown[0]["frames"]) // 2 > 5


def test_icmp_is_seen_where_it_arrives(tshark, tmp_path):
    rows = World(count=1, outward=network.Conditions(mtu_bytes=600), size_bytes=1400).fields(
        tshark, tmp_path, "icmp.mtu", "icmp.checksum.status", "_ws.malformed"
    )
    assert ["600", "1", ""] in rows


def test_frames_bear_the_numbers_of_their_datagrams():
    world = World()
    by_frame = {frame: number for frame, number, _ in world.shown[0]["frames"]}
    tsns = [int.from_bytes(frame[14 + 20 + 12 + 4 :][:4], "big") for _, _, frame, _ in world.frames()]
    assert len(tsns) == 40 and not faults(world.truth.records)
    for frame, tsn in enumerate(tsns, 1):
        assert by_frame[frame] % 20 == tsn


def test_clock_is_off_and_drifts():
    plain, other = (list(World(**given).frames()) for given in ({}, {"offset_ns": -5_000, "drift_ppm": 1000.0}))
    off = [later[1] - first[1] for first, later in zip(plain, other)]
    assert abs(off[0] + 5_000) < 10 and abs(off[-1] + 5_000 - (plain[-1][1] - plain[0][1]) // 1000) < 10


@pytest.mark.parametrize("digits, step_ns", [(9, 1), (6, 1), (3, 1), (0, 1), (9, 4 * MILLISECOND_NS)])
def test_stamps_are_as_coarse_as_asked(digits, step_ns):
    coarse = World(digits=digits, step_ns=step_ns)
    for (_, exact, _, _), (_, ticks, _, _) in zip(World().frames(), coarse.frames()):
        step = max(step_ns, 10 ** (9 - digits))
        assert ticks * 10 ** (9 - digits) == exact // step * step


def test_snap_length_cuts_frames_and_says_how_long_they_were():
    assert {(len(frame), length) for _, _, frame, length in World(snap_bytes=60).frames()} == {(60, 134)}


def test_what_is_missed_is_known():
    world = World(drop=0.2, drop_bursts=(0.05, 4))
    missed, frames = world.shown[0]["missed"], world.shown[0]["frames"]
    assert len(missed["drop"]) > 4
    assert sorted(missed["drop"] + [number for _, number, _ in frames]) == list(range(40))


@pytest.mark.parametrize(
    "given, left",
    [
        ({"direction": "outward"}, 20),
        ({"port": 5000}, 40),
        ({"port": 9}, 0),
        ({"from_ns": 10 * MILLISECOND_NS}, 30),
        ({"until_ns": 10 * MILLISECOND_NS}, 10),
    ],
)
def test_filters(given, left):
    world = World(**given)
    assert len(list(world.frames())) == left and len(world.shown[0]["missed"]["filter"]) == 40 - left


def test_duplicates_are_named():
    world = World(duplicate=0.3)
    copies = [number for _, number, what in world.shown[0]["frames"] if what == "duplicate"]
    assert len(copies) > 5 and len(list(world.frames())) == 40 + len(copies)


def test_swapped_frames_keep_their_stamps():
    stamps = [ticks for _, ticks, _, _ in World(swap=0.2).frames()]
    assert stamps != sorted(stamps) and sorted(stamps) == [ticks for _, ticks, _, _ in World().frames()]


def test_offload_leaves_what_is_sent_without_checksum():
    checksums = [frame[34 + 8 : 34 + 12] for _, _, frame, _ in World(has_offload=True).frames()]
    assert checksums.count(bytes(4)) == 20


def test_two_interfaces_and_two_taps_in_one_file():
    two_places = World([lambda a, b: [(a, AT_HOST), (b, AT_HOST)]])
    two_taps = World([lambda a, b: [(a, AT_HOST)], lambda a, b: [(b, BEYOND_LINK)]])
    for world in (two_places, two_taps):
        stamps = [ticks for _, ticks, _, _ in world.frames()]
        assert {number for number, _, _, _ in world.frames()} == {0, 1} and len(stamps) == 80 and stamps == sorted(stamps)
    assert len(two_taps.shown) == 2


def test_same_bytes_each_time():
    given = {"drop": 0.1, "duplicate": 0.1, "swap": 0.1}
    world = World(**given)
    assert world.file == World(**given).file == tap.capture(world.taps)


def test_direction_is_told_where_it_is_asked():
    said = [
        pcapng.options(body[20 + 134 + 2 :], "<")
        for kind, body, _, _ in pcapng.blocks(io.BytesIO(World(tells_direction=True).file))
        if kind == pcapng.EPB
    ]
    assert {value[0] for options in said for code, value in options if code == pcapng.FLAGS} == {pcapng.INBOUND, pcapng.OUTBOUND}
