# SPDX-License-Identifier: GPL-2.0-or-later
"""Named scenarios: what happens in each takes a few lines over what two() has set up. `run --list` prints them.

Left out: pairs drawn at random (pairs.py), and what an endpoint does wrong (deviation.py).
"""

import collections

from . import middlebox, network, payloads, wire
from .application import ABORT, RESUME_READING, SHUTDOWN, STOP_READING, Ask, Call, Plan, Send, Wait
from .clock import MILLISECOND_NS as MS
from .clock import SECOND_NS as S
from .network import AT_HOST, BEYOND_LINK, OUTSIDE, Conditions
from .policy import Policy
from .tap import Settings

Scenario = collections.namedtuple("Scenario", "name words build until_ns")
SCENARIOS = {}
HOUR_NS = 3600 * S


def scenario(words, until_ns=HOUR_NS):
    """Makes a function of a World a scenario of its name, with hyphens."""

    def add(build):
        name = build.__name__.replace("_", "-")
        SCENARIOS[name] = Scenario(name, words, build, until_ns)
        return build

    return add


def build(name, world):
    """Sets up a named scenario in a World; returns until when it runs."""
    chosen = SCENARIOS[name]
    chosen.build(world)
    return chosen.until_ns


BULK = Send(700, (1000, 1000))
FULL = Send(300, (1400, 1400))
SMALL = Send(60, (100, 100), 50 * MS)


def two(
    world,
    steps=(BULK,),
    server_steps=(),
    *,
    answers=None,
    end=SHUTDOWN,
    family="plain",
    reads=None,
    paths=1,
    way=None,
    boxes=(),
    preset="rfc",
    a=None,
    b=None,
    place=AT_HOST,
    settings=None,
    associates=True,
    udp_ports=None,
    stalls=(),
    addresses=None,
):
    """A and B, one to three paths between them, a tap at A. steps, end: of the user at A, answers and reads: of that at B. way: Conditions of A's
    interfaces, outward and inward:
    each a list, one for each path. a, b: what differs from the preset in the policies. Returns both sites."""
    outward, inward = way or ((), ())
    own, peer = addresses or ([f"10.{path}.0.1" for path in range(1, paths + 1)], [f"10.{path}.0.2" for path in range(1, paths + 1)])
    first = world.site(
        "A",
        own,
        34_567,
        Policy.preset(preset, **(a or {})),
        Plan(tuple(steps), family, end=end, begins_by_family=True),
        outward,
        inward,
        boxes,
        udp_ports=udp_ports,
        stalls=stalls,
    )
    second = world.site(
        "B",
        peer,
        payloads.FAMILIES[family].port,
        Policy.preset(preset, **(b or {})),
        Plan(tuple(server_steps), family, answers=answers, reads=reads),
        udp_ports=udp_ports,
    )
    world.tap("A", [(address, place) for address in own], settings)
    if associates:
        world.at(10 * MS, first.associate, second)
    return first, second


def both(**given):
    """The same conditions outward and inward."""
    return [Conditions(**given)], [Conditions(**given)]


# --- what is usual ---------------------------------------------------------------------------------------------------


@scenario("700 messages of 1,000 bytes, nothing is lost")
def bulk(world):
    two(world)


@scenario("both send at the same time")
def both_ways(world):
    two(world, server_steps=[Send(300, (500, 500))])


@scenario("requests and answers of NGAP")
def ngap(world):
    two(world, [Ask(40, (60, 300), 100 * MS)], answers=(60, 300), family="NGAP")


@scenario("requests and answers of S1AP")
def s1ap(world):
    two(world, [Ask(40, (60, 300), 100 * MS)], answers=(60, 300), family="S1AP")


@scenario("requests and answers of Diameter, five at a time")
def diameter(world):
    two(world, [Ask(100, (200, 400), 20 * MS, 5)], answers=(200, 400), family="Diameter")


@scenario("M3UA in both directions")
def m3ua(world):
    two(world, [Send(100, (100, 200), 20 * MS)], [Send(100, (100, 200), 30 * MS)], family="M3UA")


@scenario("messages larger than the PMTU, which are fragmented")
def fragmentation(world):
    two(world, [Send(20, (20_000, 20_000))])


@scenario("small messages of many, bundled")
def bundling(world):
    two(world, [Send(500, (20, 60))])


@scenario("unordered and ordered messages mixed, with loss")
def unordered(world):
    two(world, [Send(200, (500, 500), unordered=0.5)], way=both(loss=0.02))


@scenario("an hour idle between two messages: HEARTBEATs", 2 * HOUR_NS)
def heartbeats(world):
    two(world, [Send(1), Wait(HOUR_NS), Send(1)], paths=2)


# --- loss ------------------------------------------------------------------------------------------------------------


@scenario("1 % random loss")
def loss(world):
    two(world, way=both(loss=0.01))


@scenario("10 % random loss")
def heavy_loss(world):
    two(world, [Send(200, (1000, 1000))], way=both(loss=0.1))


@scenario("bursts of loss")
def burst_loss(world):
    two(world, way=both(bursts=(0.01, 0.2, 1.0)))


@scenario("only the larger packets get lost")
def loss_by_size(world):
    two(world, [Send(300, (100, 1400))], way=both(loss_by_size=(1000, 0.1)))


@scenario("both ways dead for 3 s")
def outage(world):
    two(world, [Send(200, (1000, 1000), 20 * MS)], way=both(outages=((S, 4 * S),)))


@scenario("dead for 20 s: T3 backs off several times")
def t3_backoff(world):
    two(world, [SMALL], way=both(outages=((S, 21 * S),)))


@scenario("only what B sends is lost for 4 s")
def one_way_outage(world):
    two(world, [SMALL], [SMALL], way=([Conditions()], [Conditions(one_way_outages=((S, 5 * S),))]))


@scenario("B is gone for good: A gives up")
def peer_gone(world):
    two(world, [SMALL], way=both(outages=((S, HOUR_NS),)), a={"association_retransmissions_max": 5, "rto_max_ns": 5 * S})


@scenario("a slow link with a short queue")
def full_queue(world):
    two(world, way=both(rate_bits_per_s=2_000_000, queue_bytes=12_000, delay_ns=20 * MS))


@scenario("a slow link with a long queue: round trips of seconds")
def long_queue(world):
    two(world, way=both(rate_bits_per_s=512_000, queue_bytes=1_000_000))


@scenario("reordering by up to 20 ms")
def reordering(world):
    two(world, way=both(reorder=(0.1, 20 * MS)))


@scenario("5 % of all packets are doubled")
def duplicates(world):
    two(world, way=both(duplicate=0.05))


@scenario("2 % of all packets are corrupted")
def corruption(world):
    two(world, way=both(corrupt=0.02))


@scenario("a link of 250 ms each way")
def satellite(world):
    two(world, way=both(delay_ns=250 * MS, loss=0.002))


# --- set-up and end --------------------------------------------------------------------------------------------------


@scenario("INIT, INIT ACK, COOKIE ECHO and COOKIE ACK get lost")
def setup_loss(world):
    outward = Conditions(outages=((0, 500 * MS), (3020 * MS, 3500 * MS)))
    inward = Conditions(outages=((S, 1500 * MS), (4 * S, 4500 * MS)))
    two(world, [SMALL], way=([outward], [inward]))


@scenario("the host answers nothing")
def no_answer(world):
    two(world, way=both(outages=((0, HOUR_NS),)), a={"init_retransmissions_max": 4})


@scenario("nobody listens: ABORT")
def refused(world):
    _, server = two(world, [SMALL])
    server.endpoint.is_listening = False


@scenario("the COOKIE ECHO comes too late")
def stale_cookie(world):
    two(world, [SMALL], way=([Conditions(one_way_outages=((300 * MS, 8 * S),))], [Conditions(delay_ns=300 * MS)]), b={"cookie_life_ns": 5 * S})


@scenario("both associate at the same time")
def collision(world):
    client, server = two(world, [SMALL], way=both(delay_ns=30 * MS))
    world.at(15 * MS, server.associate, client)


@scenario("A loses its memory and associates again from the same port")
def restart(world):
    client, server = two(world, [Send(200, (500, 500), 20 * MS)])
    world.at(2 * S, client.restart)
    world.at(2 * S, client.associate, server)


@scenario("A loses its memory and stays silent; B's DATA is out of the blue")
def crash(world):
    client, _ = two(world, [SMALL], [SMALL])
    world.at(S, client.restart)


@scenario("SHUTDOWN, SHUTDOWN ACK and SHUTDOWN COMPLETE get lost")
def shutdown_loss(world):
    two(world, [Send(5)], way=([Conditions(loss=0.6)], [Conditions(loss=0.6)]))


@scenario("both shut down at the same time")
def shutdown_collision(world):
    client, server = two(world, [Send(5), Wait(3 * S)], way=both(delay_ns=50 * MS))
    world.at(3150 * MS, lambda: server.endpoint.shutdown())


@scenario("A shuts down while B still sends")
def shutdown_with_data(world):
    two(world, [Send(5)], [Send(200, (1000, 1000))], way=both(rate_bits_per_s=2_000_000))


@scenario("the user at A aborts in the middle")
def abort(world):
    two(world, [BULK], end=ABORT)


@scenario("the ABORT of B gets lost")
def lost_abort(world):
    client, server = two(world, [Send(50, (100, 100), 100 * MS)], way=([Conditions()], [Conditions(outages=((2 * S, 2200 * MS),))]))
    world.at(2 * S, lambda: server.endpoint.abort(b"gone"))


# --- windows ---------------------------------------------------------------------------------------------------------


@scenario("the user at B reads nothing for 30 s: zero window probes")
def zero_window(world):
    two(world, server_steps=[STOP_READING, Wait(30 * S), RESUME_READING], b={"receive_buffer_bytes": 32_768})


@scenario("the user at B reads 20 messages a second")
def slow_reader(world):
    two(world, [Send(300, (1000, 1000))], reads=(50 * MS, 1), b={"receive_buffer_bytes": 32_768})


@scenario("a receive buffer of two packets")
def small_window(world):
    two(world, [Send(100, (1000, 1000))], b={"receive_buffer_bytes": 3000})


@scenario("the host of A stops for 2 s")
def host_stall(world):
    two(world, [Send(100, (500, 500), 30 * MS)], stalls=((S, 3 * S),))


# --- paths -----------------------------------------------------------------------------------------------------------


def _dead_first_path(begin_ns, end_ns):
    dead = Conditions(outages=((begin_ns, end_ns),))
    return [dead, Conditions()], [dead, Conditions()]


@scenario("two paths, the primary dies")
def failover(world):
    two(world, [Send(300, (500, 500), 100 * MS)], paths=2, way=_dead_first_path(S, HOUR_NS), a={"path_retransmissions_max": 3})


@scenario("two paths, the primary dies and comes back")
def failback(world):
    two(
        world,
        [Send(600, (500, 500), 100 * MS)],
        paths=2,
        way=_dead_first_path(S, 30 * S),
        a={"path_retransmissions_max": 2, "heartbeat_interval_ns": 5 * S},
    )


@scenario("two paths, the primary is potentially failed (RFC 7829) for a while")
def potentially_failed(world):
    two(world, [Send(200, (500, 500), 50 * MS)], paths=2, way=_dead_first_path(S, 4 * S), a={"potentially_failed": True})


@scenario("the primary path is changed twice by the user")
def primary_changes(world):
    def to(address):
        return Call("set_primary", lambda user, association: association.set_primary(address))

    two(world, [SMALL, to("10.2.0.2"), SMALL, to("10.1.0.2"), SMALL], paths=2)


@scenario("a path that was never confirmed: it is dead from the start")
def unconfirmed_path(world):
    dead = Conditions(outages=((0, HOUR_NS),))
    two(world, [Send(100, (100, 100), S)], paths=2, way=([Conditions(), dead], [Conditions(), dead]))


@scenario("IPv6, two paths")
def ipv6(world):
    two(world, addresses=(["2001:db8:1::1", "2001:db8:2::1"], ["2001:db8:1::2", "2001:db8:2::2"]), way=both(loss=0.01))


@scenario("a router says that a packet is too big")
def pmtu_icmp(world):
    two(world, [FULL], way=([Conditions(mtu_bytes=1300)], [Conditions()]))


@scenario("packets above 1,300 bytes vanish, and nobody says so", 300 * S)
def pmtu_black_hole(world):
    two(world, [SMALL, FULL], way=([Conditions(mtu_bytes=1300, too_big=network.SILENT)], [Conditions()]), a={"association_retransmissions_max": 6})


@scenario("a router fragments what is too big")
def fragmented_by_router(world):
    client, _ = two(world, [Send(50, (1000, 1400))], way=([Conditions(mtu_bytes=800, too_big=network.FRAGMENT)], [Conditions()]), place=BEYOND_LINK)
    client.host.sets_df = False


# --- extensions ------------------------------------------------------------------------------------------------------


@scenario("PR-SCTP: messages that live 30 ms, with loss (RFC 3758)")
def pr_lifetime(world):
    two(world, [Send(300, (800, 800), 5 * MS, lifetime_ns=30 * MS)], way=both(loss=0.05, delay_ns=15 * MS))


@scenario("PR-SCTP: messages that are never retransmitted (RFC 7496)")
def pr_retransmissions(world):
    two(world, [Send(300, (800, 800), 5 * MS, retransmissions_max=0, share_limited=0.7)], way=both(loss=0.05))


@scenario("I-DATA: long and short messages of several streams interleaved (RFC 8260)")
def interleaving(world):
    given = {"interleaving": True, "scheduler": "rr"}
    two(world, [Send(8, (30_000, 30_000)), Send(100, (100, 100), 2 * MS)], way=both(loss=0.01, rate_bits_per_s=5_000_000), a=given, b=given)


@scenario("streams are reset in both directions (RFC 6525)")
def stream_reset(world):
    given = {"reconfig": True}
    outgoing = Call("reset_streams", lambda user, association: association.reset_streams())
    incoming = Call("reset_streams", lambda user, association: association.reset_streams([], False, True))
    two(world, [SMALL, outgoing, SMALL, incoming, SMALL], server_steps=[SMALL, outgoing, SMALL], a=given, b=given)


@scenario("streams are added (RFC 6525)")
def add_streams(world):
    given = {"reconfig": True, "outbound_streams": 2}
    two(world, [SMALL, Call("add_streams", lambda user, association: association.add_streams(3)), SMALL], a=given, b=given)


@scenario("all sequence numbers are reset (RFC 6525, SSN/TSN)")
def association_reset(world):
    given = {"reconfig": True}
    two(
        world,
        [SMALL, Wait(S), Call("reset_association", lambda user, association: association.reset_association()), Wait(S), SMALL],
        a=given,
        b=given,
    )


@scenario("an address is deleted, another made primary, it is added again (RFC 5061)")
def asconf(world):
    given = {"asconf": True, "auth": True}
    two(
        world,
        [
            SMALL,
            Call("set_peer_primary", lambda user, association: association.set_peer_primary("10.2.0.1")),
            SMALL,
            Call("delete_address", lambda user, association: association.delete_address("10.1.0.1")),
            SMALL,
            Call("add_address", lambda user, association: association.add_address("10.1.0.1")),
            SMALL,
        ],
        paths=2,
        a=given,
        b=given,
    )


@scenario("DATA and SACK are authenticated (RFC 4895)")
def auth(world):
    given = {"auth": True, "auth_chunks": (wire.DATA, wire.SACK)}
    two(world, [Send(100, (500, 500))], a=given, b=given, way=both(loss=0.02))


@scenario("a router marks instead of dropping")
def ecn(world):
    given = {"ecn": True}
    two(world, way=both(rate_bits_per_s=5_000_000, queue_bytes=200_000, mark_bytes=10_000), a=given, b=given)


@scenario("the checksum is zero (RFC 9653)")
def zero_checksum(world):
    given = {"zero_checksum": True}
    two(world, [SMALL], a=given, b=given)


@scenario("in UDP (RFC 6951)")
def udp_encapsulation(world):
    two(world, way=both(loss=0.01), udp_ports=(9899, 9899))


@scenario("WebRTC data channels opened, used, closed (RFC 8831, 8832)")
def data_channels(world):
    def channel(user, association):
        streams.append(association.open_channel(b"chat", b"", True, is_even=True))

    def close(user, association):
        association.close_channel(streams.pop())

    def talk(user, association):
        for number in range(20):
            association.send(b"message %d" % number, streams[-1], wire.PPID_STRING)

    streams = []
    opened, talked, closed = Call("open_channel", channel), Call("send", talk), Call("close_channel", close)
    two(world, [opened, talked, opened, talked, Wait(S), closed, Wait(S), closed, Wait(S)], preset="dcsctp", udp_ports=(9899, 9899))


# --- middleboxes -----------------------------------------------------------------------------------------------------


@scenario("the NAT of A restarts: A's packets come from another address", 120 * S)
def nat_remap(world):
    two(world, [Send(100, (100, 100), 100 * MS)], boxes=[middlebox.Nat("nat", ["192.0.2.1", "192.0.2.2"], forgets_at_ns=[3 * S])], place=OUTSIDE)


@scenario("the NAT of A forgets a silent association; then B speaks", 120 * S)
def stale_mapping(world):
    two(
        world,
        [SMALL, Wait(60 * S), SMALL],
        [Wait(40 * S), SMALL],
        boxes=[middlebox.Nat("nat", ["192.0.2.1", "192.0.2.2"], life_ns=15 * S)],
        place=OUTSIDE,
        a={"heartbeat_is_on": False},
        b={"heartbeat_is_on": False},
    )


@scenario("a firewall drops HEARTBEATs")
def no_heartbeats(world):
    two(world, [SMALL, Wait(600 * S), SMALL], paths=2, boxes=[middlebox.Firewall("firewall", [wire.HEARTBEAT])])


@scenario("a firewall drops FORWARD-TSN", 300 * S)
def no_forward_tsn(world):
    two(world, [Send(100, (800, 800), 5 * MS, lifetime_ns=30 * MS)], boxes=[middlebox.Firewall("firewall", [wire.FORWARD_TSN])], way=both(loss=0.05))


@scenario("a firewall forgets a silent association", 300 * S)
def firewall_state(world):
    two(
        world,
        [SMALL, Wait(60 * S), SMALL],
        boxes=[middlebox.Firewall("firewall", idle_ns=20 * S)],
        a={"heartbeat_is_on": False},
        b={"heartbeat_is_on": False},
    )


@scenario("a load balancer moves the association to another replica", 120 * S)
def load_balancer(world):
    _, server = two(world, [Send(100, (100, 100), 50 * MS)])
    replica = world.network.host("C")
    other = type(server)(world, replica, server.addresses, server.port, server.policy, server.plan)
    world.sites["C"] = other
    world.network.add_box(
        world.network.interfaces[server.addresses[0]], middlebox.LoadBalancer("balancer", [server.host, replica], [(0, 0), (2 * S, 1)])
    )


@scenario("a box rewrites the port of A and leaves the checksum as it is", 60 * S)
def rewritten_port(world):
    two(world, [SMALL], boxes=[middlebox.PortRewriter("box", 40_000)], place=OUTSIDE, a={"init_retransmissions_max": 4})


# --- taps ------------------------------------------------------------------------------------------------------------


@scenario("captured at both ends, by clocks that differ")
def two_taps(world):
    _, server = two(world, [Send(200, (500, 500))], way=both(loss=0.02))
    world.tap("B", [(server.addresses[0], AT_HOST)], Settings(offset_ns=-7 * MS, drift_ppm=20.0))


@scenario("captured in the middle, half of the loss before and half behind")
def middle_tap(world):
    two(world, [Send(200, (500, 500))], way=both(loss=0.03), place=BEYOND_LINK)


@scenario("5 % of the frames are missing from the capture")
def capture_drops(world):
    two(world, settings=Settings(drop=0.05))


@scenario("frames are cut at 96 bytes, stamps are in milliseconds")
def cut_and_coarse(world):
    two(world, way=both(loss=0.01), settings=Settings(snap_bytes=96, digits=3))


@scenario("the stack of FreeBSD on both sides, 1 % loss")
def freebsd(world):
    two(world, preset="freebsd", way=both(loss=0.01))


@scenario("the stack of Linux on both sides, 1 % loss")
def linux(world):
    two(world, preset="linux", way=both(loss=0.01))
