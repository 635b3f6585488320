# SPDX-License-Identifier: GPL-2.0-or-later
"""Contexts in which a deviation has an occasion: random conforming policies, network and users, and what a row asks of them.

An occasion is a function of a Draft: it asks for messages, loss, an end, an extension. Left out: what the deviation is (deviation.py).
"""

from . import wire
from .application import ABORT, NOTHING, RESUME_READING, SHUTDOWN, STOP_READING, Call, Plan, Send, Wait
from .clock import MILLISECOND_NS as MS
from .clock import SECOND_NS as S
from .deviation import Deviation
from .middlebox import Middlebox, chunk_types
from .network import AT_HOST, Conditions
from .policy import Policy
from .world import World

EVENTS_MAX = 60_000
DRAWS_MAX = 12
BEGIN_NS = 10 * MS
PORTS = {"A": 34_567, "B": 5_001}


class Draft:
    """What a context is to be; own: name of the endpoint that deviates, peer: of the other. A associates. lingers: the user who ends
    waits for some seconds before that."""

    def __init__(self, random):
        self.random = random
        self.own, self.peer = random.choice([("A", "B"), ("B", "A")])
        self.policies = {"A": {}, "B": {}}
        self.steps = {"A": [], "B": []}
        self.plans = {"A": {}, "B": {}}
        self.paths = random.choice([1, 1, 1, 2])
        self.is_ipv6 = random.random() < 0.2
        self.delay_ns = random.choice([200_000, 2 * MS, 10 * MS, 40 * MS])
        self.ways = {}
        self.boxes = []
        self.end, self.ender = random.choice([SHUTDOWN] * 5 + [ABORT]), random.choice("AB")
        self.lingers = True
        self.calls = []
        self.until_ns = 150 * S

    def addresses(self, name):
        host = "AB".index(name) + 1
        return [f"2001:db8:{path}::{host}" if self.is_ipv6 else f"10.{path}.0.{host}" for path in range(1, self.paths + 1)]

    def lose(self, sender, path=0, **given):
        """Conditions of what an endpoint sends, on one of the paths, or None: on all."""
        for number in range(3) if path is None else [path]:
            self.ways.setdefault((number, sender), {}).update(given)

    def way(self, path, sender):
        return Conditions(delay_ns=self.delay_ns, **self.ways.get((path, sender), {}))

    def policy(self, name):
        chosen = {"auth": False, "asconf": False, "interleaving": False, "zero_checksum": False, "data_channels": False, "ecn": False}
        chosen["receive_buffer_bytes"] = self.random.choice([65536, 131072, 262144])
        chosen["outbound_streams"] = self.random.choice([2, 10, 10])
        chosen["inbound_streams"] = self.random.choice([10, 100, 2048])
        chosen["pmtu_bytes"] = self.random.choice([1500, 1500, 1280])
        chosen["timer_granularity_ns"] = self.random.choice([0, 0, MS])
        return Policy.random(self.random, keeps_should=True, **{**chosen, **self.policies[name]})


def drawn(row, seed, deviates=True):
    """(World, Deviation) of a row and a seed, not yet run; without the deviation, but else the same, where deviates is False."""
    world = World(f"{row.name}/{seed}")
    draft = Draft(world.simulation.random("context"))
    for occasion in row.occasions:
        occasion(draft)
    for name in "AB":
        if not draft.steps[name] and draft.random.random() < 0.6:
            draft.steps[name].append(Send(draft.random.choice([1, 5, 20]), (50, 400), draft.random.choice([0, 20 * MS])))
    made = Deviation(row, world)
    for name in "AB":
        if draft.ender == name and draft.end != NOTHING and draft.lingers:
            draft.steps[name].append(Wait(draft.random.choice([1, 3, 6]) * S))
        plan = Plan(tuple(draft.steps[name]), end=draft.end if draft.ender == name else NOTHING, **draft.plans[name])
        ways = range(draft.paths) if name == "A" else ()
        world.site(
            name, draft.addresses(name), PORTS[name], draft.policy(name), plan, [draft.way(path, "A") for path in ways],
            [draft.way(path, "B") for path in ways], draft.boxes if name == "A" else (), deviation=made if name == draft.own and deviates else None,
            identification=draft.random.choice(["per_host", "per_destination", "random"]),
        )  # fmt: skip
    made.endpoint_name, made.own_addresses = draft.own, draft.addresses(draft.own)
    world.tap(draft.own, [(address, AT_HOST) for address in draft.addresses(draft.own)])
    world.at(BEGIN_NS, world.sites["A"].associate, world.sites["B"])
    for time_ns, call in draft.calls:
        world.at(time_ns, call, world, world.sites[draft.own], world.sites[draft.peer])
    world.until_ns = draft.until_ns
    return world, made


def run(row, seed):
    """(World, Deviation, the seed it came to) of a run in which the deviation happened; after DRAWS_MAX draws without any the last one."""
    for draw in range(DRAWS_MAX):
        drawn_seed = f"{seed}.{draw}"
        world, made = drawn(row, drawn_seed)
        world.run(world.until_ns, EVENTS_MAX)
        if made.times:
            break
    return world, made, drawn_seed


class Loses(Middlebox):
    """Loses the first packets of an endpoint that hold a chunk of these types."""

    def __init__(self, types, is_outward, count, after=0):
        super().__init__("loses")
        self.types, self.is_outward, self.left, self.after = types, is_outward, count, after

    def take(self, trip, is_outward):
        if is_outward != self.is_outward or not self.left or not any(kind in self.types for kind in chunk_types(trip.datagram.sctp)):
            return None
        if self.after:
            self.after -= 1
            return None
        self.left -= 1
        return "first of their type"


# --- roles ------------------------------------------------------------------------------------------------------------


def client(draft):
    """The deviating endpoint associates."""
    draft.own, draft.peer = "A", "B"


def server(draft):
    draft.own, draft.peer = "B", "A"


# --- messages ---------------------------------------------------------------------------------------------------------


def sends(draft):
    """The deviating endpoint sends some messages."""
    draft.steps[draft.own].append(messages(draft))


def receives(draft):
    draft.steps[draft.peer].append(messages(draft))


def messages(draft):
    random = draft.random
    return Send(random.choice([10, 30, 60]), random.choice([(20, 100), (100, 800), (1000, 1200)]), random.choice([0, 5 * MS, 50 * MS]))


def sends_bulk(draft):
    """As fast as it goes, enough for cwnd to matter."""
    draft.steps[draft.own].append(Send(draft.random.choice([150, 250]), (1000, 1200), stream=0 if draft.random.random() < 0.3 else None))


def receives_bulk(draft):
    draft.steps[draft.peer].append(Send(draft.random.choice([100, 200]), (1000, 1200)))


def sends_slowly(draft):
    """One message at a time, each acked before the next."""
    draft.steps[draft.own].append(Send(draft.random.choice([8, 15]), (100, 900), 700 * MS))


def receives_slowly(draft):
    draft.steps[draft.peer].append(Send(draft.random.choice([8, 15]), (100, 900), 700 * MS))


def sends_fragments(draft):
    """Messages of several fragments, on several streams."""
    draft.steps[draft.own].append(Send(draft.random.choice([5, 10]), (3000, 12000), draft.random.choice([0, 30 * MS])))


def receives_fragments(draft):
    draft.steps[draft.peer].append(Send(draft.random.choice([5, 10]), (3000, 12000), draft.random.choice([0, 30 * MS])))


def sends_small(draft):
    """Many small messages at once: several DATA chunks go in one packet."""
    draft.policies[draft.own].update(bundles_data=True)
    draft.steps[draft.own].append(Send(draft.random.choice([40, 80]), (20, 90)))


def sends_unordered(draft):
    draft.steps[draft.own].append(Send(draft.random.choice([20, 40]), (50, 600), 5 * MS, unordered=0.6))


def receives_immediate(draft):
    """The peer sets the I bit in each message."""
    draft.steps[draft.peer].append(Send(draft.random.choice([8, 15]), (100, 900), 700 * MS, immediate=1.0))


# --- loss -------------------------------------------------------------------------------------------------------------


def own_loss(draft):
    """Some of what the deviating endpoint sends is lost."""
    draft.lose(draft.own, None, loss=draft.random.choice([0.03, 0.06, 0.1]))


def peer_loss(draft):
    draft.lose(draft.peer, None, loss=draft.random.choice([0.03, 0.06, 0.1]))


def own_outage(draft):
    """All that the deviating endpoint sends is lost for some seconds."""
    begin_ns = draft.random.choice([300, 600, 1500]) * MS
    draft.lose(draft.own, None, one_way_outages=((begin_ns, begin_ns + draft.random.choice([7, 15]) * S),))
    draft.policies[draft.own].update(association_retransmissions_max=10, path_retransmissions_max=5)


def long_outage(draft):
    """Nothing passes any more in either direction."""
    for name in "AB":
        draft.lose(name, None, outages=((1200 * MS, 1000 * S),))
    draft.policies[draft.own].update(rto_max_ns=5 * S, rto_initial_ns=S, association_retransmissions_max=4, path_retransmissions_max=2)
    draft.until_ns = 120 * S


def duplicated(draft):
    """What the peer sends comes twice now and then."""
    draft.lose(draft.peer, None, duplicate=0.2)


def slow_link(draft):
    draft.delay_ns = 60 * MS
    draft.lose(draft.own, 0, rate_bits_per_s=2_000_000, queue_bytes=200_000)


def loses(types, by_own, count=1, after=0):
    """The first packets with such chunks of the deviating endpoint (by_own), or of its peer, are lost."""

    def occasion(draft):
        draft.boxes.append(Loses(types, (draft.own if by_own else draft.peer) == "A", count, after))
        draft.paths = 1

    return occasion


# --- ends -------------------------------------------------------------------------------------------------------------


def ends_itself(draft):
    """The deviating endpoint's user shuts down."""
    draft.end, draft.ender = SHUTDOWN, draft.own


def is_ended(draft):
    draft.end, draft.ender = SHUTDOWN, draft.peer


def aborts(draft):
    draft.end, draft.ender = ABORT, draft.own


def is_aborted(draft):
    draft.end, draft.ender = ABORT, draft.peer


def stays_open(draft):
    draft.end = NOTHING
    draft.until_ns = 90 * S


def ends_while_receiving(draft):
    """The deviating endpoint's user shuts down while the peer still sends, over a link that takes its time."""
    draft.steps[draft.own] = [Wait(draft.random.choice([300, 500]) * MS)]
    draft.steps[draft.peer] = [Send(150, (1000, 1200))]
    draft.lose(draft.peer, None, rate_bits_per_s=1_000_000, queue_bytes=200_000)
    draft.paths, draft.delay_ns = 1, 20 * MS
    draft.end, draft.ender, draft.lingers = SHUTDOWN, draft.own, False


def is_ended_while_sending(draft):
    """The peer's user shuts down while the deviating endpoint still sends."""
    draft.own, draft.peer = draft.peer, draft.own
    ends_while_receiving(draft)
    draft.own, draft.peer = draft.peer, draft.own


# --- the host ---------------------------------------------------------------------------------------------------------


def at(time_ns, call):
    """call(world, own site, peer site) happens then."""
    return lambda draft: draft.calls.append((time_ns, call))


def peer_restarts(draft):
    """The peer, which has associated, loses its memory and associates again."""
    server(draft)
    draft.steps["B"].append(Send(40, (100, 500), 100 * MS))
    draft.steps["A"].append(Send(40, (100, 500), 100 * MS))

    def restart(world, own, peer):
        peer.restart()
        peer.associate(own)

    draft.calls.append((2 * S, restart))


def peer_forgets(draft):
    """The peer loses its memory and stays silent: what the deviating endpoint sends is out of the blue."""
    draft.calls.append((2 * S, lambda world, own, peer: peer.restart()))
    draft.steps[draft.own].append(Send(40, (100, 500), 100 * MS))
    draft.until_ns = 60 * S


def own_forgets(draft):
    """The deviating endpoint loses its memory: what comes is out of the blue for it."""
    draft.calls.append((2 * S, lambda world, own, peer: own.restart()))
    draft.steps[draft.peer].append(Send(40, (100, 500), 100 * MS))
    draft.until_ns = 60 * S


def both_associate(draft):
    """Both associate at the same time."""
    draft.delay_ns = 30 * MS
    draft.calls.append((25 * MS, lambda world, own, peer: world.sites["B"].associate(world.sites["A"])))


def idle(draft):
    """Nothing is sent for a while: HEARTBEATs."""
    for name in "AB":
        draft.policies[name].update(heartbeat_interval_ns=5 * S)
    draft.steps[draft.own].append(Wait(draft.random.choice([40, 60]) * S))
    draft.steps[draft.peer].append(Wait(70 * S))


def idle_between(draft):
    """Bulk, a pause of some RTOs, bulk."""
    draft.steps[draft.own] += [Send(200, (1000, 1200)), Wait(20 * S), Send(100, (1000, 1200))]
    draft.policies[draft.own].update(rto_initial_ns=S)


# --- windows ----------------------------------------------------------------------------------------------------------


def peer_reads_late(draft):
    """The peer's user does not read for a while: its window closes."""
    draft.policies[draft.peer].update(receive_buffer_bytes=20_000)
    draft.steps[draft.peer] = [STOP_READING, Wait(draft.random.choice([12, 20]) * S), RESUME_READING]
    draft.steps[draft.own].append(Send(60, (900, 1100)))


def own_reads_late(draft):
    draft.policies[draft.own].update(receive_buffer_bytes=20_000)
    draft.steps[draft.own] = [STOP_READING, Wait(draft.random.choice([12, 20]) * S), RESUME_READING]
    draft.steps[draft.peer].append(Send(60, (900, 1100)))


# --- paths ------------------------------------------------------------------------------------------------------------


def two_paths(draft):
    draft.paths = 2


def one_path(draft):
    draft.paths = 1


def dead_primary(draft):
    """Of two paths the first dies for good."""
    draft.paths = 2
    for name in "AB":
        draft.lose(name, 0, outages=((1500 * MS, 1000 * S),))
    draft.policies[draft.own].update(rto_max_ns=5 * S, rto_initial_ns=S, path_retransmissions_max=2, association_retransmissions_max=10)
    draft.steps[draft.own].append(Send(60, (200, 600), 300 * MS))


def dead_second_path(draft):
    draft.paths = 2
    for name in "AB":
        draft.lose(name, 1, outages=((0, 1000 * S),))


# --- extensions -------------------------------------------------------------------------------------------------------


def given(**changes):
    """Both policies have these values."""

    def occasion(draft):
        for name in "AB":
            draft.policies[name].update(changes)

    return occasion


def own_given(**changes):
    return lambda draft: draft.policies[draft.own].update(changes)


def peer_given(**changes):
    return lambda draft: draft.policies[draft.peer].update(changes)


def abandons(draft):
    """The deviating endpoint sends messages that it gives up after a loss."""
    given(forward_tsn=True, forward_tsn_parameter=True)(draft)
    draft.steps[draft.own].append(Send(80, (400, 1000), 10 * MS, retransmissions_max=0, share_limited=0.8))
    draft.lose(draft.own, None, loss=0.1)


def peer_abandons(draft):
    draft.own, draft.peer = draft.peer, draft.own
    abandons(draft)
    draft.own, draft.peer = draft.peer, draft.own


def interleaving(draft):
    given(interleaving=True, scheduler="rr")(draft)


authenticated = given(auth=True, auth_chunks=(wire.DATA, wire.SACK))
plain_auth = given(auth=True, auth_chunks=())
asconf = given(asconf=True, auth=True, auth_chunks=())
reconfig = given(reconfig=True, outbound_streams=4, inbound_streams=100)
zero_checksum = given(zero_checksum=True)
ecn = given(ecn=True)


def _ask(name, call):
    return Call(name, lambda user, association: call(association))


def asks(name, call, by_own=True, more=True):
    """The user of an endpoint sends, makes call(association, own addresses), sends again."""

    def occasion(draft):
        who = draft.own if by_own else draft.peer
        draft.steps[who] += [Send(10, (50, 300), 20 * MS), Wait(500 * MS), _ask(name, lambda association: call(association))]
        draft.steps[who] += [Send(10, (50, 300), 20 * MS), Wait(2 * S)] if more else [Wait(5 * S)]
        draft.steps[draft.peer if by_own else draft.own].append(Send(10, (50, 300), 100 * MS))

    return occasion


resets_streams = asks("reset_streams", lambda association: association.reset_streams())
peer_resets_streams = asks("reset_streams", lambda association: association.reset_streams(), by_own=False)
adds_streams = asks("add_streams", lambda association: association.add_streams(3))
resets_association = asks("reset_association", lambda association: association.reset_association())
peer_adds_streams = asks("add_streams", lambda association: association.add_streams(3), by_own=False)
deletes_address = asks("delete_address", lambda association: association.delete_address(association.own_addresses[0]))
peer_deletes_address = asks("delete_address", lambda association: association.delete_address(association.own_addresses[0]), by_own=False)
