# SPDX-License-Identifier: GPL-2.0-or-later
"""The packet that a timer sent and how long the timer ran, as pauses and events say them, are those of the kernel's own records: its T3-rtx
expired right before that packet left, and ran so long since it was started (RFC 9260 6.3.2, as net/sctp does it). Leaves out which pauses
there are (test_pauses.py) and other stacks, which do not record when they start a timer."""

import functools
import re

import pytest

import linux
import plugin_fields
import truth
from tap import read_tap

# Both are times of one clock: of the trace and of the capture at the same host, a packet is stamped so soon after the kernel hands it out.
SAME_S = 0.001
LINUX = truth.scenarios(["linux"])


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


def taps():
    return [pytest.param(folder, end, id=f"{folder.name}/{end}") for folder in LINUX for end in truth.taps(folder)]


@pytest.mark.parametrize("folder, end", taps())
def test_a_timeout_of_a_pause_is_one_of_the_kernel(folder, end, tshark):
    if not Timers(folder, end).queues:
        pytest.skip("the trace of the kernel is empty")
    times = {packet.frame: packet.time for packet in read_tap(folder, end)}
    for pause, association in said_of(tshark, folder, end):
        if pause["timeouts"] == 0 or pause["timeout_frame"] is None:
            continue
        time = times[pause["timeout_frame"]]
        found = [expiry for expiry in expiries(folder, end) if expiry[0] in (None, association["index"]) and -1e-4 <= time - expiry[1] <= SAME_S]
        assert found, pause
        ran = found[-1][3]
        if pause["timer_s"] is not None and ran is not None:
            assert abs(pause["timer_s"] - ran) <= SAME_S, (pause, ran)
        if pause["timer_most_s"] is not None and ran is not None:
            assert pause["timer_most_s"] >= ran - SAME_S, (pause, ran)


@pytest.mark.parametrize("name, end, frame, from_frame, ran_s", [
    ("mh-failover", "A", 377, 369, 0.3318), ("outages", "A", 2195, 2191, 1.002), ("mh-loss-rtxalt", "A", 1861, None, None)])
def test_the_last_packet_of_a_burst_is_not_what_the_timer_sent(name, end, frame, from_frame, ran_s, tshark):
    folder = next(folder for folder in LINUX if folder.name == name)
    pause = next(pause for pause, _ in said_of(tshark, folder, end) if pause["timeout_frame"] == frame)
    if from_frame:
        assert (pause["timer_from_frame"], round(pause["timer_s"], 3)) == (from_frame, round(ran_s, 3))


@pytest.mark.parametrize("folder, end", taps())
def test_events_have_the_figure_that_the_timer_ran(folder, end, tshark):
    for association in plugin_fields.document(tshark, folder, end)["associations"]:
        for event in association["events"]:
            found = re.search(r"timeouts? \(([^)]*?)(?: \.\.\.)? s\)", event["detail"] or "")
            tap_ms = association["endpoints"][event["endpoint"]]["distance_ms"] if found else None
            if tap_ms is None or tap_ms >= 3:
                continue
            ran = [expiry[3] for expiry in expiries(folder, end) if expiry[3] is not None]
            for figure in found[1].split(", "):
                if not figure.startswith("at most") and figure != "?":
                    assert any(abs(float(figure) - each) <= SAME_S for each in ran), (event, ran)
