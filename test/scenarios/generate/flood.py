# SPDX-License-Identifier: GPL-2.0-or-later
"""A flood of INITs from random hosts, each a new association, and one real association among them."""

import random

from . import chunks, packet
from .merge import START_NS, Truth
from .pcapng import Pcapng
from .association import Expect, Flow, Association, host


def write(path, count, seed=1, wait_ns=1000):
    """Writes `count` INITs with a random source, port and tag; the packets of a real association are spread over the capture.
    Returns the truth; keys are ("flood", n) and the real one's. About 15 us per packet."""
    rng = random.Random(f"flood {seed}")
    flow = Flow("real")
    real = Association(flow, rng, (host(1, 172), host(2, 172))).set_up().exchange(20).shut_down()
    every = max(1, count // (len(flow.items) + 1))
    truth = Truth({}, {}, set(), {}, {})
    target = packet.packed(host(2, 172))
    waiting = iter(flow.items)
    now = START_NS
    open_expect = Expect(end={"open", "no_answer"}, setup="partial", initiator=0)
    with Pcapng(path) as capture:
        for number in range(count):
            now += wait_ns
            source = (0x0B000000 + rng.randrange(1 << 24)).to_bytes(4, "big")
            part = chunks.init(rng.randrange(1, 1 << 32), rng.randrange(1 << 32))
            content = packet.ipv4(source, target, packet.sctp(rng.randrange(1024, 65536), 5001, 0, part))
            frame = capture.write(now, packet.ethernet(content))
            truth.assoc[frame] = ("flood", number)
            truth.sender[frame] = 0
            truth.expect[("flood", number)] = open_expect
            if number % every == every - 1 and (item := next(waiting, None)):
                frame = capture.write(now + wait_ns // 2, packet.ethernet(item.to_ip()))
                truth.assoc[frame], truth.sender[frame] = real.key, item.sender
    truth.expect[real.key] = real.expect
    path.chmod(0o644)
    return truth
