# SPDX-License-Identifier: GPL-2.0-or-later
"""The packet that a timer sent and how long the timer ran, as pauses and events say them, beside the kernel's own records: its T3-rtx expired
right before that packet left, and ran so long since it was started (RFC 9260 6.3.2, as net/sctp does it). Leaves out which pauses there are
(pauses.py) and other stacks, which do not record when they start a timer."""

import functools
import re

import linux
import plugin_fields
from statement import BOUND, FALSE, RIGHT, Statement
from tap import read_tap

# Both are times of one clock: of the trace and of the capture at the same host, a packet is stamped so soon after the kernel hands it out.
SAME_S = 0.001


class Timers(linux.Replay):
    """Replays the kernel's timers, too; `expiries`: (association, time, address, seconds that it ran or None) in order. It starts with a packet
    unless it runs (sctp_transport_reset_t3_rtx), starts anew where a SACK cum-acks data of its list and leaves some outstanding, and stops where
    none is left (sctp_check_transmitted). After a fast retransmission it may have been started anew."""

    def __init__(self, folder, end):
        self.started, self.expiries = {}, []
        super().__init__(folder, end)

    def xmit(self, row):
        super().xmit(row)
        packet = row.get("packet")
        if packet is not None and packet.data:
            self.started.setdefault((packet.assoc, packet.destination), row["time"])

    def sackin(self, row):
        if "sack" not in row:
            return
        assoc = row["sack_packet"].assoc
        queue, sack = self.queues[assoc], row["sack"]
        lists = {chunk.transport for chunk in queue.chunks.values() if not linux.before(sack.cum, chunk.tsn)}
        super().sackin(row)
        for key in [key for key in self.started if key[0] == assoc]:
            if queue.flight(key[1]) == 0:
                del self.started[key]
            elif key[1] in lists:
                self.started[key] = row["time"]

    def mark(self, row):
        super().mark(row)
        key = self.number_of.get(row["assoc"]), row["dst"]
        if linux.reason_of(row) == linux.T3:
            since = self.started.pop(key, None)
            self.expiries.append((key[0], row["time"], key[1], None if since is None else row["time"] - since))
        elif linux.reason_of(row) == linux.FAST:
            self.started[key] = None


@functools.cache
def expiries(folder, end):
    return Timers(folder, end).expiries


def said_of(tshark, folder, end):
    """(pause of the JSON, association) of directions that are captured at their sender."""
    for association in plugin_fields.document(tshark, folder, end)["associations"]:
        for direction in association["directions"]:
            tap_ms = association["endpoints"][direction["from"]]["distance_ms"]
            if direction["pauses"] and tap_ms is not None and tap_ms < 3:
                yield from ((pause, association) for pause in direction["pauses"]["list"])


def verdict_on(said_s, ran_s, most_s=None):
    """Of a timer that is said to have run so long, or at most so long. ran_s None: the record does not tell, so that the frame alone is compared."""
    if ran_s is None:
        return RIGHT
    if said_s is not None:
        return RIGHT if abs(said_s - ran_s) <= SAME_S else FALSE
    return BOUND if most_s is None or most_s >= ran_s - SAME_S else FALSE


def of_pauses(tshark, folder, end):
    """The timeout of each pause that names one."""
    times = {packet.frame: packet.time for packet in read_tap(folder, end)}
    for pause, association in said_of(tshark, folder, end):
        if pause["timeouts"] == 0 or pause["timeout_frame"] is None:
            continue
        time = times[pause["timeout_frame"]]
        found = [expiry for expiry in expiries(folder, end)
                 if expiry[0] in (None, association["index"]) and -1e-4 <= time - expiry[1] <= SAME_S]
        verdict = verdict_on(pause["timer_s"], found[-1][3], pause["timer_most_s"]) if found else FALSE
        yield Statement("timer", folder, end, verdict, f"frame {pause['timeout_frame']} after {pause['timer_s'] or pause['timer_most_s']} s: {found}")


def of_events(tshark, folder, end):
    """Each figure of the timeouts that an event counts."""
    ran = [expiry[3] for expiry in expiries(folder, end) if expiry[3] is not None]
    for association in plugin_fields.document(tshark, folder, end)["associations"]:
        for event in association["events"]:
            found = re.search(r"timeouts? \(([^)]*?)(?: \.\.\.)? s\)", event["detail"] or "")
            tap_ms = association["endpoints"][event["endpoint"]]["distance_ms"] if found else None
            if tap_ms is None or tap_ms >= 3:
                continue
            for figure in found[1].split(", "):
                is_known = not figure.startswith("at most") and figure != "?"
                verdict = BOUND if not is_known else RIGHT if any(abs(float(figure) - each) <= SAME_S for each in ran) else FALSE
                yield Statement("timer", folder, end, verdict, f"{event['detail']} at {event['time_s']} s")


def statements(tshark, folder, end):
    """Nothing where the kernel recorded nothing."""
    if folder.parent.name == "linux" and Timers(folder, end).queues:
        yield from of_pauses(tshark, folder, end)
        yield from of_events(tshark, folder, end)
