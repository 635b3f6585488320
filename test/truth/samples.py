# SPDX-License-Identifier: GPL-2.0-or-later
"""Round-trip samples of a stack and what its retransmission timeout became. Leaves out how each stack's own numbers show
them (linux_rto.py, usrsctp_rto.py, webrtc_rto.py) and the comparison with the plugin (rtt.py)."""

import re
from dataclasses import dataclass

SACK_OR_ANSWER = (3, 16, 5)


@dataclass(eq=False)
class Sample:
    """A sample of a stack: `frames` of the packets one of which ended it, RTT between `low` and `high` seconds as its numbers
    tell; `path`: the peer's address, None where there is one only. `rto`: its RTO afterwards in seconds, `is_rto_right`:
    RFC 9260 6.3.1 in the stack's arithmetic gives that."""

    frames: tuple
    time: float
    path: str
    low: float
    high: float
    rto: float = None
    is_rto_right: bool = None


@dataclass(eq=False)
class Samples:
    """Of one end: the samples, the clock's tick in seconds, and the frames at which a sample would have shown (None: all)."""

    samples: list
    tick: float
    watched: set = None


def ends_samples(packet):
    """Can this packet end a sample?"""
    return not packet.sent and any(kind in SACK_OR_ANSWER for kind in packet.kinds)


def smallest_rtos(folder):
    """The RTO.Min in milliseconds that a scenario may have set: a client's option or the default."""
    text = (folder / "scenario.sh").read_text()
    return sorted({int(found) for found in re.findall(r"--rto \d+,(\d+),\d+", text)} | {1000})
