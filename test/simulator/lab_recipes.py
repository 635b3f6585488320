# SPDX-License-Identifier: GPL-2.0-or-later
"""The lab's recipes (test/lab) for the simulator: network, options and users of each scenario that lab.py compares.

Left out: what is compared (lab.py).
"""

import dataclasses
import pathlib

from .application import NOTHING, RESUME_READING, SHUTDOWN, STOP_READING, Call, Plan, Send, Wait
from .clock import MICROSECOND_NS as US
from .clock import MILLISECOND_NS as MS
from .clock import SECOND_NS as S
from .network import AT_HOST, Conditions
from .policy import AS_SEEN, Policy

HOUR_NS = 3600 * S
BEGIN_NS = 10 * MS
# What usleep() takes beside the time that it was asked for, in the lab's guest.
USLEEP_NS = 70 * US
# netem and the queue count the Ethernet header.
ETHERNET_BYTES = 14
NETEM_LIMIT_PACKETS = 2000
# With a message of 1,400 bytes, which scenarios with a short queue have.
FULL_PACKET_BYTES = 1448


@dataclasses.dataclass(slots=True)
class Run:
    """One association. ways: (Conditions from A to B, Conditions from B to A) of each path. a, b: what differs from the stack's preset. early: the
    user hands over before the association is up."""

    steps: tuple
    ways: list
    a: dict = dataclasses.field(default_factory=dict)
    b: dict = dataclasses.field(default_factory=dict)
    end: str = SHUTDOWN
    b_steps: tuple = ()
    early: bool = False
    until_ns: int = HOUR_NS


@dataclasses.dataclass(slots=True)
class Recipe:
    """A scenario of the lab. is_random: losses are drawn. until_s: of the real run only what is before counts."""

    stack: str
    name: str
    runs: list
    is_random: bool = False
    until_s: float = 0

    @property
    def path(self):
        return f"{self.stack}/{self.name}"


def netem(delay_ms, rate_mbit=None, limit=NETEM_LIMIT_PACKETS, **more):
    """Conditions of a link as netem has it: its limit is of all packets within, those that are only delayed, too."""
    delayed_bytes = int(delay_ms * rate_mbit * 1000 / 8) if rate_mbit else 0
    queue_bytes = limit * (FULL_PACKET_BYTES + ETHERNET_BYTES) - delayed_bytes
    return way(delay_ms, rate_mbit, queue_bytes=queue_bytes, framing_bytes=ETHERNET_BYTES, **more)


def way(delay_ms, rate_mbit, **more):
    """Conditions in the recipes' units."""
    return Conditions(delay_ns=int(delay_ms * MS), rate_bits_per_s=rate_mbit and int(rate_mbit * 1e6), **more)


def link(*arguments, **more):
    """Both directions alike."""
    return [(netem(*arguments, **more), netem(*arguments, **more))]


def begin(world, recipe, run):
    """Sets up a run in a World: A and B with a tap each, and A's ASSOCIATE."""
    none = [Conditions(delay_ns=0)]
    paths = range(1, len(run.ways) + 1)
    outward, inward = [way[0] for way in run.ways], [way[1] for way in run.ways]
    policies = [Policy.preset(recipe.stack, **{**AS_SEEN[recipe.stack], **options}) for options in (run.a, run.b)]
    a = world.site("A", [f"10.{path}.0.1" for path in paths], 5000, policies[0], Plan(tuple(run.steps), end=run.end), outward, inward)
    b = world.site("B", [f"10.{path}.1.1" for path in paths], 5000, policies[1], Plan(tuple(run.b_steps)), none, none)
    for site in (a, b):
        site.user.streams_max = STREAMS_USED + 1
        world.tap(site.host.name, [(address, AT_HOST) for address in site.addresses])
    world.at(BEGIN_NS, _associate, a, b, run.early)


def _associate(a, b, is_early):
    association = a.associate(b)
    if is_early:
        a.user.up(association)


def bulk(count, size, gap_us=0, **more):
    """`send COUNT SIZE gap=US` of the lab's traffic program, on stream 0. application.Send takes a byte for its own."""
    return Send(count, (size + 1, size + 1), gap_us * US + USLEEP_NS if gap_us else 0, stream=0, **more)


TABLES = str(pathlib.Path(__file__).resolve().parent.parent / "lab" / "{}" / "scenarios.tsv")
# What the lab's simulations set: the MTU of both is without the IP header; streams 0 to 3 are used in turn.
SIMULATIONS = {"dcsctp": {"pmtu_bytes": 1191 + 20, "zero_checksum": False}, "pion": {"pmtu_bytes": 1228 + 20, "zero_checksum": False}}
STREAMS_USED = 4


def outage(begin_s, end_s):
    return int(begin_s * S), int(end_s * S)


# What the recipes say by `sleep`, as the captures have it: links.txt has whole seconds only. A command for one direction takes 12 ms.
TC_S = 0.012
OUTAGES = ((1.027, 1.545), (3.579, 5.097), (7.133, 12.15))


def dead(spans, **more):
    """Both directions of a link with outages, which begin and end a little earlier from A to B."""
    forward = tuple(outage(begin_s - TC_S, end_s - TC_S) for begin_s, end_s in spans)
    return [(netem(outages=forward, **more), netem(outages=tuple(outage(*span) for span in spans), **more))]


BOTH_STACKS = ("linux", "usrsctp")


def one_run(stack, name, steps, ways, is_random=False, **of_run):
    """A Recipe of one association. usrsctp's connect() returns at once."""
    return Recipe(stack, name, [Run(steps, ways, early=stack == "usrsctp", **of_run)], is_random)


def guest_recipes(stack):
    """Those of the guest, test/lab/scenarios."""
    # usrsctp takes 512 chunks at most, whatever the size of the send buffer.
    large = {"receive_buffer_bytes": 2_000_000, "send_buffer_bytes": 512 * 1400 if stack == "usrsctp" else 2_000_000}
    yield one_run(stack, "bulk-queue", (bulk(2100, 1400),), [(netem(15, 5, limit=25), netem(15))], a=large, b=large)
    # Linux was through before the third outage.
    yield one_run(stack, "outages", (bulk(2000, 1400),), dead(OUTAGES[:2] if stack == "linux" else OUTAGES, delay_ms=20, rate_mbit=8))
    yield small_messages(stack)
    yield death(stack)
    yield zero_window(stack)
    rto = {"rto_initial_ns": 500 * MS, "rto_min_ns": 300 * MS, "rto_max_ns": 2000 * MS}
    watched = {**rto, "heartbeat_interval_ns": S, "path_retransmissions_max": 2}
    failing = [*dead([(2.026, 14.04)], delay_ms=15, rate_mbit=4), *link(40, 4)]
    yield one_run(stack, "mh-failover", (bulk(2200, 1000, 8000),), failing, a=watched, b=watched)
    yield one_way_failure(stack)
    yield one_run(stack, "bulk-loss1", (bulk(2100, 1400),), link(20, 20, loss=0.01), True)
    yield one_run(stack, "bulk-burstloss", (bulk(1200, 1400),), link(30, 10, bursts=(0.01, 0.25, 0.7)), True)
    short = Run((bulk(5, 900),), link(20, loss=0.3), a=rto, b=rto, early=stack == "usrsctp")
    yield Recipe(stack, "setup-shutdown-loss", [short] * 12, True)
    if stack == "linux":
        yield failed_setups(stack)


def small_messages(stack):
    sacks = ({}, {"sack_delay_ns": 500 * MS, "sack_packets": 4}, {"sack_packets": 1})
    steps = (bulk(40, 200, 3000), bulk(5, 700, 400_000), Wait(400 * MS), bulk(3, 3000, 1000, immediate=1.0), Wait(MS))
    runs = [Run(steps, link(10), a=nagle, b=sack, early=stack == "usrsctp") for sack in sacks for nagle in ({}, {"nagle": False})]
    return Recipe(stack, "smallmsg-sackopts", runs)


def death(stack):
    early = stack == "usrsctp"
    silent, few = {"heartbeat_is_on": False}, {"association_retransmissions_max": 6}
    link_dies = dead([(1.027, 3600)], delay_ms=20, rate_mbit=5)
    in_mid_transfer = Run((bulk(300, 1000, 3000),), link_dies, silent, silent, NOTHING, early=early, until_ns=380 * S)
    link_dies = dead([(0.825 if early else 0.875, 3600)], delay_ms=20)
    while_ending = Run((bulk(20, 1000), Wait(800 * MS)), link_dies, few, early=early, until_ns=130 * S)
    return Recipe(stack, "t3-death", [in_mid_transfer, while_ending])


def zero_window(stack):
    """Messages of 1,000 bytes; B reads some now and then."""
    steps = [STOP_READING, Wait(6 * S), *read(4), Wait(3 * S), *read(8), *read(4), *read(4), *read(4), *read(4), RESUME_READING]
    return one_run(stack, "zerowin", (bulk(300, 1000),), link(10), b={"receive_buffer_bytes": 16_000}, b_steps=steps)


def read(messages):
    """`recv` of so many messages, and the pause after it."""
    return Call("read", lambda user, association: association.read(messages)), Wait(100 * MS)


def one_way_failure(stack):
    a = {"heartbeat_interval_ns": 2 * S, "path_retransmissions_max": 4, "potentially_failed": True, "pf_retransmissions_max": 0}
    failing = (netem(10, outages=(outage(3.03, 33.1),)), netem(10))
    return one_run(stack, "mh-pf-oneway", (bulk(1200, 800, 20_000),), [failing, *link(10)], a=a, b={"heartbeat_interval_ns": 2 * S})


def failed_setups(stack):
    """Nobody there; a cookie that is stale; a peer that comes late."""
    nobody = Run((), link(20, outages=(outage(0, 3600),)), a={"init_retransmissions_max": 4})
    stale = Run((bulk(3, 100),), link(100), b={"cookie_life_ns": 60 * MS})
    late = Run((bulk(3, 100),), [(netem(100, outages=(outage(0, 7.71),)), netem(100))])
    return Recipe(stack, "init-fail", [nobody, stale, late])


def parameters_of(stack, name):
    """{name: number} of a scenario of the simulations, as its table has them."""
    with open(TABLES.format(stack), encoding="utf-8") as table:
        words = next(line.split("\t")[1] for line in table if line.startswith(name + "\t"))
    return dict(word.split("=") for word in words.split())


def simulation_recipe(stack, name):
    """One of test/lab/dcsctp or test/lab/pion, from its table."""
    given = parameters_of(stack, name)
    delay_ms, rate, loss = float(given["delay"]), float(given["rate"]), float(given["loss"])
    more = {"loss": loss, "duplicate": float(given.get("dup", 0))}
    if "outage" in given:
        begin_s, length_s = (float(text) for text in given["outage"].split(":"))
        more["outages"] = (outage(begin_s + BEGIN_NS / S, begin_s + length_s + BEGIN_NS / S),)
    if "jitter" in given:
        more["reorder"] = (1.0, int(float(given["jitter"]) * MS))
    limits = {}
    if "rtx" in given:
        limits["retransmissions_max"] = int(given["rtx"])
    if "lifetime" in given:
        limits["lifetime_ns"] = int(given["lifetime"]) * MS
    size = int(given["size"])
    send = Send(int(given["msgs"]), (size + 1, size + 1), int(given.get("gap", 0)) * MS, unordered=float(given.get("unordered", 0)), **limits)
    policy = dict(SIMULATIONS[stack])
    if "rwnd" in given:  # dcSCTP advertises nine tenths of it, less the message that has just come
        policy["receive_buffer_bytes"] = int(given["rwnd"]) * 9 // 10 - size
    if "hb" in given:
        policy["heartbeat_interval_ns"] = int(given["hb"]) * MS
    back = (Send(int(given["back"]), (size, size)),) if "back" in given else ()
    more["queue_packets"] = int(given.get("queue", 200))
    ways = [(way(delay_ms, rate, **more), way(delay_ms, rate, **more))]
    end = given.get("end", SHUTDOWN)
    return Recipe(stack, name, [Run((send,), ways, policy, policy, end=end, b_steps=back)], loss > 0)


SIMULATED = {
    "dcsctp": (
        "bulk-noloss-queue", "outage", "bulk-loss1", "bulk-loss5", "reorder-dup", "paced-small", "pr-rtx0", "setup-loss30", "smallrwnd", "hb-idle",
    ),
    "pion": ("bulk-noloss-queue", "outage", "bulk-loss1", "bulk-loss5", "reorder-dup", "paced-small", "pr-rtx0", "setup-loss30"),
}  # fmt: skip
RECIPES = [recipe for stack in BOTH_STACKS for recipe in guest_recipes(stack)]
RECIPES += [simulation_recipe(stack, name) for stack, names in SIMULATED.items() for name in names]

# Why figures of a scenario are outside the bar.
ARP = "netem on the last hop also loses ARP: after a while the kernel's packets do not reach the wire, which the simulator does not have"
LUCK = "the real run is one draw"
RACK = "pion has RACK and tail loss probes, which the simulator leaves out"
REASONS = {
    "linux/bulk-queue": "the queue's overflow in slow start loses four packets more; what is lost later is the same",
    "linux/smallmsg-sackopts": "with SACK.Delay 500 ms and a SACK each fourth packet Linux restarts the timer at every packet: SACKs come later than "
    "6.2 allows, and T3 expires",
    "linux/t3-death": ARP + "; a packet comes once the link is up again",
    "linux/zerowin": "one probe less, since the window is open again before",
    "linux/mh-failover": "Linux sends six packets at once after T3, among them two that came (7.2.1 has one)",
    "linux/mh-pf-oneway": ARP + " (B's HEARTBEATs on the failing path)",
    "linux/bulk-loss1": LUCK + ": one chunk was lost three times, for which T3 expired twice",
    "linux/bulk-burstloss": LUCK + ": 20 packets of A were lost, some 33 in the mean",
    "usrsctp/bulk-queue": "the queue's overflow in slow start loses five packets more",
    "usrsctp/outages": "T3 expires when it did (t3_runs_on), some packets more are retransmitted; usrsctp's tables do not show each back-off",
    "usrsctp/smallmsg-sackopts": "usrsctp's Nagle sends what is left of a burst though it is less than a packet: two or three packets more each run",
    "usrsctp/t3-death": ARP + "; a packet comes once the link is up again",
    "usrsctp/zerowin": "usrsctp takes and acks DATA beyond its window of 1 byte: there are fewer probes",
    "usrsctp/mh-failover": ARP + " (B's HEARTBEATs on the failing path); A sends two more",
    "usrsctp/mh-pf-oneway": ARP + " (B's HEARTBEATs on the failing path)",
    "linux/setup-shutdown-loss": LUCK + ": twelve short associations, of which one alone has half of the timeouts",
    "usrsctp/setup-shutdown-loss": LUCK + ": three of its twelve associations ended by an ABORT in place of a SHUTDOWN",
    "usrsctp/bulk-burstloss": LUCK + ": 60 packets of A were lost, some 35 in the mean, retransmissions among them",
    "dcsctp/outage": "what is retransmitted before the outage is the same; dcSCTP's first back-off does not double (6.3.3 E2): 0.4, 0.4, 0.8, 1.6 s; "
    "after a timeout it picks the small chunks that fill the packet, whatever their TSN",
    "dcsctp/bulk-noloss-queue": "the first 126 retransmissions are the same; then two change places, and the queue drops others",
    "dcsctp/bulk-loss1": LUCK + ": 28 packets of A were lost, some 19 in the mean; cwnd is small for longer, and DATA has the I bit",
    "dcsctp/reorder-dup": LUCK + ": one packet of A was lost, three in the mean",
    "dcsctp/smallrwnd": LUCK + ": four packets of A were lost, three in the mean; each costs dcSCTP several retransmissions",
    "dcsctp/hb-idle": "dcSCTP's HEARTBEAT has 12 bytes; here time, address and nonce take 28 at the least",
    "pion/outage": "18 chunks more are outstanding when the link dies",
    "pion/bulk-noloss-queue": RACK,
    "pion/bulk-loss1": RACK,
    "pion/bulk-loss5": RACK,
    "pion/reorder-dup": RACK,
    "pion/paced-small": RACK,
    "pion/setup-loss30": RACK,
    "pion/pr-rtx0": "pion sends a FORWARD-TSN at every SACK, and no lost message reduces its cwnd (RFC 3758 3.5 F5)",
}
