# SPDX-License-Identifier: GPL-2.0-or-later
"""Round-trip samples and RTO of the stacks beside the plugin's sctp.analysis.rtt and rto. Leaves out what is printed."""

import importlib
from dataclasses import dataclass

import truth
from plugin_fields import said

MODULE = {"dcsctp": "webrtc_rto", "pion": "webrtc_rto"}
RTO_MIN_S = 1.0
RTO_TOLERANCE = 1 / 8


@dataclass
class Counts:
    """Of one end or, added up, of more. `of_stack`: samples that the stack made (tied to a packet), `found`: an equal one of
    ours, `other`: ours differs, the rest: none of ours at that packet. `ours`, `also`: ours, and those the stack made too.
    `rto_*`: samples whose RTO is known, that the RFC's formula gives, that the plugin shows within the tolerance."""

    of_stack: int = 0
    untied: int = 0
    found: int = 0
    other: int = 0
    ours: int = 0
    also: int = 0
    rto_known: int = 0
    rto_formula: int = 0
    rto_shown: int = 0
    rto_equal: int = 0

    def __add__(self, more):
        return Counts(*(getattr(self, name) + getattr(more, name) for name in self.__dataclass_fields__))


def stack_samples(folder, end):
    stack = folder.parent.name
    module = importlib.import_module(MODULE.get(stack, f"{stack}_rto"))
    return truth.kept(f"rtt-{end}", folder, lambda: module.samples(folder, end))


def is_equal(ours, sample, tick):
    return sample.low - tick <= ours <= sample.high + tick


def is_rto_equal(ours, sample, tick):
    """The plugin knows no smaller RTO.Min than 1 s before timeouts show one, and then by what they waited; a tick in the
    RTT is five in the RTO."""
    return any(abs(ours - rto) <= max(RTO_TOLERANCE * rto, 5 * tick) for rto in (sample.rto, max(sample.rto, RTO_MIN_S)))


def compare_sample(sample, fields, tick, counts, differences):
    """Counts one sample of the stack; returns the frame of an equal one of ours."""
    near = [(frame, rtt) for frame in sample.frames for rtt in (fields[frame].rtts if frame in fields else ())]
    counts.of_stack += 1
    equal = [frame for frame, rtt in near if is_equal(rtt, sample, tick)]
    counts.found += bool(equal)
    counts.other += bool(near) and not equal
    if not equal:
        differences.append((sample, near))
    if sample.rto is not None:
        compare_rto(sample, [fields[frame] for frame in equal or sample.frames if frame in fields], tick, counts)
    return equal[0] if equal else None


def compare_rto(sample, packets, tick, counts):
    """A packet that the sender did not fill with DATA shows the RTO of the path to its source."""
    counts.rto_known += 1
    counts.rto_formula += sample.is_rto_right
    shown = [packet.rto for packet in packets if packet.rto and sample.path in (None, packet.source)]
    counts.rto_shown += bool(shown)
    counts.rto_equal += any(is_rto_equal(rto, sample, tick) for rto in shown)


def compared(tshark, folder, end):
    """(Counts, [(sample, ours at its frames)] of the samples without an equal one)."""
    wanted, counts, differences = stack_samples(folder, end), Counts(), []
    if not wanted.samples:
        return counts, differences
    fields, also = said(tshark, folder, end), set()
    for sample in wanted.samples:
        if sample.frames:
            also.add(compare_sample(sample, fields, wanted.tick, counts, differences))
        else:
            counts.untied += 1
    senders = {frame for frame, packet in fields.items() if packet.rtts}
    if wanted.watched is not None:
        senders &= wanted.watched
    ends = truth.received_frames(folder, end)
    senders &= ends
    counts.ours, counts.also = len(senders), len(senders & also)
    return counts, differences
