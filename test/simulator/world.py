# SPDX-License-Identifier: GPL-2.0-or-later
"""One run: hosts with their endpoints and users, the network between them, taps, and how long it goes on.

Left out: what is drawn at random (pairs.py) and named scenarios (scenarios.py).
"""

from . import tap
from .application import User
from .clock import SECOND_NS, Simulation
from .endpoint import Endpoint
from .network import Network
from .truth import Truth

EVENTS_MAX = 2_000_000
# After the last association is gone what is still under way arrives.
LINGER_NS = 5 * SECOND_NS


class Site:
    """A host with one endpoint and its user. policy, plan: of whatever lives there."""

    def __init__(self, world, host, addresses, port, policy, plan, deviation=None, udp_ports=None):
        self.world, self.host, self.addresses, self.port = world, host, list(addresses), port
        self.policy, self.plan, self.deviation, self.udp_ports = policy, plan, deviation, udp_ports
        self.endpoint = self.user = None
        self.users = []
        self.begin()

    def begin(self):
        """An endpoint and a user that know of nothing before: at first, and after a restart."""
        world, name = self.world, self.host.name
        self.user = User(world.simulation, world.truth, name, self.plan)
        self.users.append(self.user)
        self.endpoint = Endpoint(
            world.simulation, self.host.transmit, self.policy, self.addresses, self.port, world.truth, self.user, self.deviation, name, self.udp_ports
        )
        self.host.attach(self.endpoint, self.port)

    def restart(self):
        """The host loses its memory: the endpoint that was never sends again, a new one is there."""
        self.world.truth.record("application", self.world.simulation.now_ns, endpoint=self.host.name, event="restart")
        self.host.pmtu_bytes.clear()
        self.endpoint.transmit = _nowhere
        self.user.has_ended = True
        self.begin()

    def associate(self, peer, addresses=None, port=None):
        """ASSOCIATE with the endpoint of another site, or these addresses. A user that has an association asks for no second one to the same
        endpoint (RFC 9260 1.3)."""
        if any(account.closed is None for account in self.user.lives):
            return None
        self.world.truth.record("application", self.world.simulation.now_ns, endpoint=self.host.name, event="associate")
        return self.endpoint.associate(list(addresses or peer.addresses), port or peer.port)


def _nowhere(datagram):
    """Where an endpoint sends that is no more."""


class World:
    """A run by its seed. kinds: of records of truth, None: all."""

    def __init__(self, seed, kinds=None):
        self.seed = seed
        self.simulation, self.truth = Simulation(seed), Truth(kinds)
        self.network = Network(self.simulation, self.truth)
        self.sites, self.taps = {}, []
        self.cause = None

    def site(self, name, addresses, port, policy, plan, outward=(), inward=(), boxes=(), **given):
        """A new Site. outward, inward: Conditions, one for each address; where there are too few, the last is used. given: of Network.host and
        Site."""
        of_host = {key: given.pop(key) for key in ("delay_ns", "stalls", "identification", "sets_df") if key in given}
        host = self.network.host(name, **of_host)
        for number, address in enumerate(addresses):
            chosen = [way[min(number, len(way) - 1)] if way else None for way in (outward, inward)]
            self.network.interface(host, address, *chosen, boxes=boxes if not number else ())
        self.sites[name] = site = Site(self, host, addresses, port, policy, plan, **given)
        return site

    def tap(self, name, places, settings=None):
        """A Tap at these places, (address, place) each."""
        self.taps.append(tap.Tap(self.simulation, name, [(self.network.interfaces[address], place) for address, place in places], settings))
        return self.taps[-1]

    def at(self, time_ns, call, *arguments):
        """Something that happens at a time."""
        self.simulation.at(time_ns, call, *arguments)

    def is_over(self):
        """Every association that was is gone, and there was one."""
        lives = [account for site in self.sites.values() for account in site.user.lives]
        return bool(lives) and all(account.closed is not None for account in lives)

    def run(self, until_ns=3600 * SECOND_NS, events_max=EVENTS_MAX):
        """Until all is over, or until then. Returns the cause: finished, time, events."""
        simulation, step_ns = self.simulation, SECOND_NS
        self.cause = "time"
        while simulation.now_ns < until_ns:
            begin_ns = simulation.now_ns
            if not simulation.run(until_ns=min(begin_ns + step_ns, until_ns), events_max=events_max):
                self.cause = "events"
                break
            if self.is_over():
                simulation.run(until_ns=min(simulation.now_ns + LINGER_NS, until_ns + LINGER_NS), events_max=events_max)
                self.cause = "finished"
                break
        self.network.finish()
        self.truth.record("end", simulation.now_ns, cause=self.cause)
        return self.cause

    def captures(self, taps=None, file_number=None):
        """The bytes of one capture of all taps, or of these."""
        return tap.capture(taps or self.taps, self.truth, file_number, self.simulation.now_ns)
