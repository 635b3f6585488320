# SPDX-License-Identifier: GPL-2.0-or-later
"""Random pairs: a seed draws two policies, a network, two users, taps; the pair runs; what is reliable must arrive exactly once and in order, and
all must end.

Left out: what a capture of the pair is judged as (judging.py).
"""

import collections
import dataclasses
import traceback

from . import middlebox, network, payloads, tap, wire
from .application import ABORT, NOTHING, RESTARTED, SHUTDOWN, Ask, Call, Plan, Send, Sent, Wait
from .clock import MILLISECOND_NS, SECOND_NS
from .network import AT_HOST, BEYOND_LINK, Conditions
from .policy import PRESETS, Policy
from .world import World

US = 1000
WHOLE = "whole"
MINUTE_NS = 60 * SECOND_NS
BYTES_MAX = 150_000  # about what the users of a pair send, so that a pair has some 100 packets
DIFFERENT_BYTES = 8  # from this size on no two messages of a user are the same: which of them got lost is known
UNTIL_NS = 6 * 3600 * SECOND_NS
CLIENT_PORT = 34_567

# What a pair is; what: words for the report.
Pair = collections.namedtuple("Pair", "world client server what ends may_fail")


# --- the network -----------------------------------------------------------------------------------------------------


def delay_ns(random):
    """One way through one link: from a data centre to a satellite."""
    low, high = random.choice(
        [
            (20 * US, 500 * US),
            (500 * US, 10 * MILLISECOND_NS),
            (500 * US, 10 * MILLISECOND_NS),
            (10 * MILLISECOND_NS, 80 * MILLISECOND_NS),
            (100 * MILLISECOND_NS, 300 * MILLISECOND_NS),
        ]
    )
    return random.randrange(low, high)


def loss_of(random, what):
    """Fields of Conditions that lose, double, alter or delay."""
    given = {}
    if random.random() < 0.35:
        given["loss"] = random.choice([0.001, 0.01, 0.01, 0.03, 0.1])
    if random.random() < 0.08:
        given["bursts"] = random.choice([(0.01, 0.3, 1.0), (0.02, 0.5, 0.8), (0.005, 0.1, 0.9)])
    if random.random() < 0.05:
        given["loss_by_size"] = (random.choice([600, 1000, 1300]), 0.3)
    if random.random() < 0.1:
        given["reorder"] = (random.choice([0.01, 0.1]), random.choice([1, 20, 200]) * MILLISECOND_NS)
    if random.random() < 0.06:
        given["duplicate"] = random.choice([0.01, 0.2])
    if random.random() < 0.04:
        given["corrupt"] = random.choice([0.01, 0.05])
    what.update(given)
    return given


def conditions(random, what):
    """Of both directions of one address: mostly alike."""
    given = {"delay_ns": delay_ns(random), "hops": random.randint(1, 8)}
    if random.random() < 0.2:
        given["jitter_ns"] = random.choice([100 * US, 5 * MILLISECOND_NS, 50 * MILLISECOND_NS])
    if random.random() < 0.25:
        given["rate_bits_per_s"] = random.choice([64_000, 512_000, 2_000_000, 10_000_000, 100_000_000])
        given["queue_bytes"] = random.choice([6_000, 30_000, 200_000])
        what["rate"] = True
        if random.random() < 0.3:
            given["mark_bytes"] = 5_000
            what["mark"] = True
    ways = [Conditions(**given, **loss_of(random, what)) if random.random() < 0.6 else Conditions(**given) for _ in range(2)]
    if random.random() < 0.06:
        begin_ns = random.randrange(5 * SECOND_NS)
        outage = (begin_ns, begin_ns + random.choice([200, 1500, 6000, 40_000]) * MILLISECOND_NS)
        way = random.choice(["both", "outward", "inward"])
        what["outage"] = way
        for number, word in enumerate(("outward", "inward")):
            if way in ("both", word):
                ways[number].outages, ways[number].one_way_outages = ((outage,), ()) if way == "both" else ((), (outage,))
    if random.random() < 0.03:
        small = random.choice([600, 1000, 1300, 1400])
        how = random.choice([network.ICMP, network.FRAGMENT])
        what["mtu"] = how
        for way in ways:
            way.mtu_bytes, way.too_big = small, how
    return ways


def addresses_of(random, host, count, is_ipv6):
    """Of one host; dual-stacked hosts have the second of the other family."""
    prefixes = ["2001:db8:{net}::{host}", "10.{net}.0.{host}"]
    made = []
    for number in range(count):
        is_six = is_ipv6 != (number == 1 and random.random() < 0.3)
        made.append(prefixes[0 if is_six else 1].format(net=number + 1, host=host))
    return made


# --- the users -------------------------------------------------------------------------------------------------------


def sizes(random):
    low, high = random.choice([(1, 80), (40, 300), (100, 100), (1000, 1000), (200, 3000), (1200, 1452), (5_000, 20_000)])
    return low, high


def limits(random, what):
    """Of partial reliability."""
    if random.random() > 0.12:
        return {}
    what["partly reliable"] = True
    if random.random() < 0.5:
        return {"lifetime_ns": random.choice([1, 50, 500, 5000]) * MILLISECOND_NS, "share_limited": random.choice([0.3, 1.0])}
    return {"retransmissions_max": random.choice([0, 1, 3]), "share_limited": random.choice([0.3, 1.0])}


def sending(random, bytes_max, what):
    """A step that sends."""
    size = sizes(random)
    count = max(1, min(random.choice([1, 3, 10, 30, 100, 300]), bytes_max * 2 // (size[0] + size[1])))
    interval_ns = random.choice([0, 0, 0, random.randrange(200 * MILLISECOND_NS)])
    unordered, immediate, limited = random.choice([0, 0, 0, 0.3, 1.0]), random.choice([0, 0, 0, 0.2]), limits(random, what)
    if limited:
        size = max(size[0], DIFFERENT_BYTES), max(size[1], DIFFERENT_BYTES)
    return Send(count, size, interval_ns, unordered=unordered, immediate=immediate, **limited)


def asking(random):
    return Ask(
        random.choice([1, 5, 20, 50]),
        random.choice([(40, 300), (100, 100), (500, 2500)]),
        random.choice([0, 0, random.randrange(SECOND_NS)]),
        random.choice([1, 1, 5]),
    )


def calls(random, client, server, what):
    """Calls of a user that have nothing to do with messages; name and step. client, server: address lists."""
    chosen = random.choice(
        [
            "reset_streams",
            "add_streams",
            "reset_incoming",
            "heartbeat",
            "set_primary",
            "reset_association",
            "heartbeats_off",
            "delete_address",
            "add_address",
            "set_peer_primary",
        ]
    )
    what[chosen] = True
    peer = random.choice(server)
    return Call(
        chosen,
        {
            "reset_streams": lambda user, association: association.reset_streams(),
            "reset_incoming": lambda user, association: association.reset_streams([], False, True),
            "reset_association": reset_association,
            "add_streams": lambda user, association: association.add_streams(2),
            "heartbeat": lambda user, association: peer in association.paths and association.heartbeat(peer),
            "set_primary": lambda user, association: peer in association.paths and association.set_primary(peer),
            "heartbeats_off": lambda user, association: peer in association.paths and association.change_heartbeat(peer, False),
            "delete_address": lambda user, association: len(client) > 1 and association.delete_address(client[-1]),
            "add_address": lambda user, association: len(client) > 1 and association.add_address(client[-1]),
            "set_peer_primary": lambda user, association: association.set_peer_primary(client[-1]),
        }[chosen],
    )


def reset_association(user, association):
    """No second one within 30 s (RFC 6525 5.1.4)."""
    now_ns = user.simulation.now_ns
    if user.association_reset_ns is None or now_ns - user.association_reset_ns > 30 * SECOND_NS:
        user.association_reset_ns = now_ns
        association.reset_association()


def steps_of(random, own, peer, may_ask, bytes_max, what):
    """Steps of one user: few to some."""
    steps = []
    for _ in range(random.choice([0, 1, 1, 2, 3])):
        steps.append(asking(random) if may_ask and random.random() < 0.4 else sending(random, bytes_max, what))
        if random.random() < 0.25:
            steps.append(Wait(random.choice([10 * MILLISECOND_NS, SECOND_NS, 20 * SECOND_NS, 10 * MINUTE_NS])))
        if random.random() < 0.08:
            steps.append(calls(random, own, peer, what))
    return tuple(steps)


def plans(random, client_addresses, server_addresses, what):
    """(Plan of the client, Plan of the server, how all ends)."""
    family = random.choice(["plain", "plain", "plain", "NGAP", "S1AP", "X2AP", "Diameter", "M3UA"])
    client = Plan(steps_of(random, client_addresses, server_addresses, True, BYTES_MAX, what), family, begins_by_family=True)
    has_ask = any(isinstance(step, Ask) for step in client.steps)
    server_steps = steps_of(random, server_addresses, client_addresses, False, BYTES_MAX // 3, what) if random.random() < 0.5 else ()
    server = Plan(server_steps, family, answers=random.choice([(40, 300), (100, 100), (1000, 5000)]) if has_ask else None)
    for plan in (client, server):
        if random.random() < 0.08:
            plan.reads = random.choice([(50 * MILLISECOND_NS, 5), (SECOND_NS, 20), (10 * MILLISECOND_NS, 1), (5 * SECOND_NS, 100)])
            what["slow reader"] = True
    ends = random.choice([SHUTDOWN] * 8 + [ABORT, NOTHING])
    enders = [client, server] if random.random() < 0.15 else [client] if random.random() < 0.6 else [server]
    if ends == NOTHING:
        enders = []
    for plan in enders:
        plan.end = ends
    what["ends"] = ends
    return client, server, ends


# --- the pair --------------------------------------------------------------------------------------------------------


def policy_of(random, mtu_bytes, what):
    """Mostly a random one; else that of a known stack. mtu_bytes: the smallest of the network, which one that does not learn it has to be told.
    Without checksum nothing may
    be corrupted (RFC 9653 3)."""
    policy = Policy.random(random) if random.random() < 0.7 else Policy.preset(random.choice(list(PRESETS)))
    if "corrupt" in what:
        policy.change(zero_checksum=False)
    if "nat" in what:
        policy.change(lists_own_address=False, asconf=False)
    if not policy.learns_pmtu:
        policy.change(pmtu_bytes=min(policy.pmtu_bytes, mtu_bytes))
    return policy


def boxes_of(random, name, addresses, what):
    """Middleboxes in front of a host: mostly none. A translator only before a client with one address, which says it nowhere else."""
    drawn_share = random.random()
    if drawn_share < 0.03:
        return [middlebox.EcnBleacher("bleacher")]
    if drawn_share < 0.05:
        what["no heartbeats"] = True
        return [middlebox.Firewall("firewall", [wire.HEARTBEAT])]
    if drawn_share < 0.1 and name == "A" and len(addresses) == 1:
        what["nat"] = True
        return [middlebox.Nat("nat", ["2001:db8:99::1" if ":" in addresses[0] else "192.0.2.1"], keeps_ports=random.random() < 0.5)]
    return []


def drawn(seed, has_taps=False, kinds=None):
    """The Pair of a seed. has_taps: random ones; or WHOLE, one at A that misses and alters nothing. kinds: of records of truth."""
    world = World(seed, kinds)
    random, what = world.simulation.random("pair"), {}
    is_ipv6 = random.random() < 0.25
    own, peer = (addresses_of(random, host, random.choice([1, 1, 1, 2, 3]), is_ipv6) for host in (1, 2))
    client, server, ends = plans(random, own, peer, what)
    udp_ports = (9899, 9899) if random.random() < 0.06 else None
    sites, ways_of = [], [[conditions(random, what) for _ in addresses] for addresses in (own, peer)]
    mtu_bytes = min(way.mtu_bytes for ways in ways_of for pair in ways for way in pair)
    rows = ("A", own, CLIENT_PORT, client, ways_of[0]), ("B", peer, payloads.FAMILIES[server.family].port, server, ways_of[1])
    for name, addresses, port, plan, ways in rows:
        boxes = boxes_of(random, name, addresses, what)
        sites.append(
            world.site(
                name,
                addresses,
                port,
                policy_of(random, mtu_bytes, what),
                plan,
                [way[0] for way in ways],
                [way[1] for way in ways],
                boxes,
                udp_ports=udp_ports,
                delay_ns=random.choice([0, 0, 0, 50 * US, 2 * MILLISECOND_NS]),
                sets_df=what.get("mtu") != network.FRAGMENT,
                identification=random.choice(["per_host", "per_destination", "random", "zero"]),
            )
        )
    _associate(world, random, *sites, what)
    if has_taps == WHOLE:
        world.tap("A", [(address, AT_HOST) for address in own])
    elif has_taps:
        taps(world, random, own, peer)
    # A slow reader may outlast T5-shutdown-guard (RFC 9260 9.2).
    may_fail = bool({"outage", "loss", "bursts", "mtu", "corrupt", "loss_by_size", "rate", "no heartbeats", "slow reader"} & set(what))
    return Pair(world, sites[0], sites[1], what, ends, may_fail)


def _associate(world, random, client, server, what):
    """Who associates when; sometimes both at once, sometimes again after a restart."""
    world.at(random.randrange(SECOND_NS), client.associate, server)
    if "nat" in what:
        return
    if random.random() < 0.04:
        what["collision"] = True
        world.at(random.randrange(SECOND_NS), server.associate, client)
    elif random.random() < 0.03:
        what["restart"] = True
        world.at(2 * SECOND_NS + random.randrange(5 * SECOND_NS), _restart, client, server)


def _restart(client, server):
    """The client loses its memory and associates again, unless all is over."""
    if client.user.lives and client.user.lives[-1].closed is None:
        client.restart()
        client.associate(server)


def taps(world, random, own, peer):
    """One or two taps: at an end, in the middle, at both ends."""
    kinds = random.choice([["A"], ["A"], ["B"], ["middle"], ["A", "B"], ["A", "middle"]])
    link_type = random.choice([tap.ETHERNET, tap.ETHERNET, tap.RAW_IP, tap.SLL])
    for kind in kinds:
        addresses, place = (peer, AT_HOST) if kind == "B" else (own, AT_HOST if kind == "A" else BEYOND_LINK)
        settings = tap.Settings(link_type=link_type, digits=random.choice([9, 9, 6]))
        for change in worse(random, kind == kinds[0]):
            settings = dataclasses.replace(settings, **change)
        world.tap(kind, [(address, place) for address in addresses], settings)


def worse(random, is_first):
    """What a tap does not see, or not as it was: mostly nothing. Fields of tap.Settings."""
    if not is_first:
        yield {"offset_ns": random.randrange(-20 * MILLISECOND_NS, 20 * MILLISECOND_NS), "drift_ppm": random.uniform(-50, 50)}
    if random.random() < 0.5:
        return
    yield random.choice(
        [
            {"drop": 0.01},
            {"drop": 0.1},
            {"drop_bursts": (0.01, 20)},
            {"snap_bytes": 96},
            {"snap_bytes": 128},
            {"digits": 3},
            {"digits": 6, "step_ns": 10 * MILLISECOND_NS},
            {"digits": 0},
            {"duplicate": 0.05},
            {"duplicate": 1.0},
            {"swap": 0.02},
            {"direction": "outward"},
            {"direction": "inward"},
            {"from_ns": random.randrange(4 * SECOND_NS)},
            {"until_ns": random.randrange(1, 10 * SECOND_NS)},
            {"has_offload": True},
            {"vlan": 5},
        ]
    )


# --- checks ----------------------------------------------------------------------------------------------------------


def faults_between(sent, received, is_complete, is_lossy=False):
    """Texts: what is wrong with what came (stream, ordered, data) of what was sent (application.Sent). is_complete: all that is reliable has to be
    there. is_lossy:
    nothing was reliable."""
    found = []
    if is_lossy:
        sent = [Sent(message.stream, message.ordered, message.data, False) for message in sent]
    streams = {message.stream for message in sent} | {stream for stream, _, _ in received}
    for stream in sorted(streams):
        ordered = [message for message in sent if message.stream == stream and message.ordered]
        came = [data for one, is_ordered, data in received if one == stream and is_ordered]
        found += _in_order(stream, ordered, came, is_complete)
        loose = [message for message in sent if message.stream == stream and not message.ordered]
        came = collections.Counter(data for one, is_ordered, data in received if one == stream and not is_ordered)
        more = came - collections.Counter(message.data for message in loose)
        lacking = collections.Counter(message.data for message in loose if message.is_reliable) - came
        if more:
            found.append(f"stream {stream}: {sum(more.values())} unordered messages came that were not sent, or twice")
        if lacking and is_complete:
            found.append(f"stream {stream}: {sum(lacking.values())} of {len(loose)} unordered messages did not come")
    return found


def _in_order(stream, sent, came, is_complete):
    """The ordered ones of one stream: each that came is one that was sent, none of those skipped is reliable."""
    at = 0
    for number, data in enumerate(came):
        skipped = at
        while at < len(sent) and sent[at].data != data:
            at += 1
        if at == len(sent):
            return [f"stream {stream}: ordered message {number} of {len(came)} that came is not the next of {len(sent)} sent"]
        if any(message.is_reliable for message in sent[skipped:at]):
            return [f"stream {stream}: ordered message {skipped} of {len(sent)} is missing before what came"]
        at += 1
    if is_complete and any(message.is_reliable for message in sent[at:]):
        return [f"stream {stream}: {sum(message.is_reliable for message in sent[at:])} of {len(sent)} ordered messages did not come"]
    return []


def checked(pair):
    """Texts: what does not hold of a pair that ran."""
    world = pair.world
    found = []
    is_lossy = "reset_association" in pair.what  # RFC 6525 5.2.4 G3: what is outstanding counts as acked
    if world.cause == "events" or world.cause == "time" and pair.ends != NOTHING and not _is_half_open(pair):
        found.append(f"no end: {world.cause}; {_where_it_hangs(pair)}")
    for way, (sender, receiver) in (("A to B", (pair.client, pair.server)), ("B to A", (pair.server, pair.client))):
        theirs = [account for user in receiver.users for account in user.lives]
        ours = [account for user in sender.users for account in user.lives]
        for account in theirs:
            candidates = [faults_between(one.sent, account.received, _is_complete(pair, one, account), is_lossy) for one in ours] or [["nobody sent"]]
            if account.received and not any(faults == [] for faults in candidates):
                found += [f"{way}: {text}" for text in min(candidates, key=len)]
        for account in ours:
            is_whole = (
                account.closed == SHUTDOWN and pair.ends == SHUTDOWN and "restart" not in pair.what
            )  # whoever restarts forgets what was not read
            if is_whole and all(faults_between(account.sent, one.received, True, is_lossy) for one in theirs):
                found.append(f"{way}: closed by shutdown, but not all that was sent came")
    reasons = {account.closed for site in (pair.client, pair.server) for account in site.user.lives}
    for reason in sorted(str(reason) for reason in reasons if reason is not None):
        if not _is_expected(pair, reason):
            found.append(f"ended by: {reason}")
    return found


def _is_half_open(pair):
    """One end has given up, the other has nothing to send, and either sends no HEARTBEATs or gets no ABORT for them: it cannot know (RFC 9260 8.4
    leaves both)."""
    for site, peer in ((pair.client, pair.server), (pair.server, pair.client)):
        own, other = ([account for account in one.user.lives if account.closed is None] for one in (site, peer))
        is_deaf = not site.policy.heartbeat_is_on or "heartbeats_off" in pair.what or not peer.policy.answers_out_of_the_blue
        if (
            own
            and not other
            and is_deaf
            and all(len(account.sent) <= account.acked + account.failed for account in own)
            and not site.user.waiting_messages
        ):
            return pair.may_fail or "restart" in pair.what or pair.ends == ABORT
    return False


def _is_complete(pair, sender, receiver):
    """Whether everything reliable has to be there: it was shut down, or left alone long enough."""
    if pair.ends == NOTHING:
        return sender.closed is None and receiver.closed is None and "restart" not in pair.what
    return sender.closed == SHUTDOWN and receiver.closed == SHUTDOWN


def _is_expected(pair, reason):
    """Whether an association of this pair may end so."""
    if reason == SHUTDOWN:
        return pair.ends == SHUTDOWN
    if reason == RESTARTED:
        return "restart" in pair.what or "collision" in pair.what
    if "abort" in reason:
        return pair.ends == ABORT or pair.may_fail or "restart" in pair.what
    return pair.may_fail


def _where_it_hangs(pair):
    """For the report: what each user waits for."""
    said = []
    for site in (pair.client, pair.server):
        user = site.user
        lives = [(account.closed, len(account.sent), account.acked, len(account.received)) for account in user.lives]
        said.append(f"{user.name}: step {type(user.step).__name__}, {len(user.waiting_messages)} not taken, (closed, sent, acked, received) {lives}")
    return "; ".join(said)


def run(seed, has_taps=False, kinds=frozenset()):
    """(Pair or None, texts of what failed) of a seed."""
    pair = None
    try:
        pair = drawn(seed, has_taps, kinds)
        pair.world.run(20 * MINUTE_NS if pair.ends == NOTHING else UNTIL_NS)
        return pair, checked(pair)
    except Exception as error:  # noqa: BLE001
        place = traceback.extract_tb(error.__traceback__)[-1]
        return pair, [f"{type(error).__name__}: {error} ({place.filename.rsplit('/', 1)[-1]}:{place.lineno})"]
