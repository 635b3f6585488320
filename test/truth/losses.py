# SPDX-License-Identifier: GPL-2.0-or-later
"""Losses that the plugin counts from one tap, and what it says arrived of what was given up, beside what reached the other tap. Leaves out why
something was retransmitted (kinds.py)."""

import counters
import truth
from crossing import OTHER, crossing
from flow import flows
from plugin_fields import document
from statement import BOUND, FALSE, RIGHT, Statement


def of_losses(folder, end, direction, flow):
    """At most so many packets were lost: those that never arrived and were retransmitted."""
    retransmitted = {sending.packet.frame for chunk in flow.chunks.values() for sending in chunk.sendings[:-1] if sending.arrival is None}
    verdict = RIGHT if direction["lost"] == len(retransmitted) else BOUND if direction["lost"] > len(retransmitted) else FALSE
    yield Statement("lost", folder, end, verdict, f"at most {direction['lost']}, true {len(retransmitted)}")


def of_given_up(folder, end, direction, flow):
    """So many of what was given up arrived all the same, as acks prove."""
    arrived = sum(chunk.given_up is not None and any(sending.arrival is not None for sending in chunk.sendings) for chunk in flow.chunks.values())
    said = direction["abandoned_acked_tsns"]
    if direction["abandoned_tsns"]:
        verdict = RIGHT if said == arrived else BOUND if said < arrived else FALSE
        yield Statement("given up", folder, end, verdict, f"{said} of {direction['abandoned_tsns']} given up arrived; true {arrived}")


def of_counters(tshark, folder, end):
    """So many retransmissions were not needed; at the other tap, so many TSNs were lost before it."""
    true, said = counters.numbers(folder, end), counters.said(tshark, folder, end)
    for kind, of_truth, ours in (("spurious", true.spurious, said.spurious), ("lost before the tap", true.unseen, said.unseen)):
        if of_truth or ours:
            verdict = RIGHT if ours == of_truth else BOUND if ours < of_truth else FALSE
            yield Statement(kind, folder, end, verdict, f"{ours}, true {of_truth}")


def statements(tshark, folder, end):
    """Of the data that this end sent, at its own tap; of its TSNs where no association restarted, which numbers them otherwise than the truth."""
    if OTHER[end] not in truth.taps(folder):
        return
    yield from of_counters(tshark, folder, end)
    report = document(tshark, folder, end)
    if any(association["restart_of"] is not None for association in report["associations"]):
        return
    followed = {flow.assoc: flow for flow in flows(crossing(folder, end))}
    for association, direction in counters.sent_by(report, end):
        flow = followed.get(association["index"])
        if flow is None or direction["tsns"] != len(flow.chunks):
            continue
        yield from of_losses(folder, end, direction, flow)
        yield from of_given_up(folder, end, direction, flow)
