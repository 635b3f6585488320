# SPDX-License-Identifier: GPL-2.0-or-later
"""Packets that the network delayed so long that SACKs reported them missing: their IPv4 identifications show that they were sent in order. What
carries a later identification is a retransmission of what was lost before the capture; without identifications both are possible."""

import json

import pytest
from report_text import split_reports

from conftest import CAPTURES

from reference import thin
from reference.cases import ADDRESSES, START_NS, TAGS
from reference.frames import Frame
from scenarios.generate import chunks, packet

MS = 10**6
FAR_MS, NEAR_MS = 5, 0.05       # from the tap, near the receiver, to the sender and back; to the receiver
TSNS = (1000, 5000)


class Capture:
    """Near the receiver of the data that `sender` sends. identified: has IPv4 identifications; step: that each packet adds to the last."""

    def __init__(self, sender, identified=True, step=1):
        self.frames, self.now_ms, self.sender, self.identified, self.step = [], 0, sender, identified, step
        for end, chunk, tag in ((0, chunks.init(TAGS[0], TSNS[0]), 0), (1, chunks.init_ack(TAGS[1], TSNS[1]), None),
                                (0, chunks.cookie_echo(), None), (1, chunks.cookie_ack(), None)):
            self.now_ms += FAR_MS if end == sender else NEAR_MS
            self.add(end, chunk, tag=tag)

    def add(self, end, *some_chunks, place=1, tag=None):
        """place: how manieth of its sender."""
        payload = packet.sctp(5001 + end, 5002 - end, TAGS[1 - end] if tag is None else tag, *some_chunks)
        addresses = ADDRESSES if self.identified else (("fd00::1",), ("fd00::2",))
        whole = packet.ip(addresses[end][0], addresses[1 - end][0], payload, identification=(1000 * (1 + end) + self.step * place) % 2**16)
        frame = packet.ethernet(whole, towards=1 - end)
        number = len(self.frames) + 1
        self.frames.append(Frame(number, START_NS + int(self.now_ms * MS), 0, 1, frame, len(frame)))

    def arrives(self, tsn, place, cum, *gaps):
        """DATA that was the place-th packet of its sender, and the SACK for it."""
        self.now_ms += FAR_MS / 2
        self.add(self.sender, chunks.data(TSNS[self.sender] + tsn, bytes(100)), place=place)
        self.now_ms += NEAR_MS
        self.add(1 - self.sender, chunks.sack(TSNS[self.sender] + cum, 10_000, gaps), place=len(self.frames))

    def delays(self, first, sent, again):
        """TSN first + 1, sent as packet `sent`, arrives behind four higher ones, and once more as packet `again`."""
        for tsn in range(2, 6):
            self.arrives(first + tsn, first + tsn + 10, first, (2, tsn))
        self.now_ms += 2 * FAR_MS
        self.arrives(first + 1, sent, first + 5)
        if again:
            self.now_ms += 2 * FAR_MS
            self.arrives(first + 1, again, first + 5)


def reports_of(tshark, folder, capture):
    thin.write(folder / "capture.pcapng", capture.frames)
    result = tshark("-q", "-r", folder / "capture.pcapng", "-z", "sctp,triage", "-z", "sctp,json")
    assert result.returncode == 0, result.stderr
    reports = split_reports(result.stdout)
    entry, = reports["json"]["associations"]
    return " ".join(reports["triage"].split()), entry["directions"][capture.sender]


@pytest.mark.parametrize("sender, step", [(0, 1), (1, 1), (0, 3)])
def test_delayed_packets_are_told_as_reordered(sender, step, tshark, tmp_path):
    """step 3: the host counts packets to others with the same counter."""
    capture = Capture(sender, step=step)
    capture.arrives(0, 10, 0)
    for first in (0, 5, 10):
        capture.delays(first, first + 11, first + 16)
    page, direction = reports_of(tshark, tmp_path, capture)
    assert direction["reordered"] == 3 and direction["resent_unseen"] == 0 and direction["lost"] == 0
    assert direction["reordered_ms"] == pytest.approx(3.5 * FAR_MS + 2 * FAR_MS + 4 * NEAR_MS - FAR_MS, abs=FAR_MS)
    assert "3 of 16 chunks passed out of order, up to" in page and "reordered on the way, and no loss shows" in page
    assert "lost before the capture" not in page


@pytest.mark.parametrize("sender", [0, 1])
def test_what_was_sent_later_is_a_retransmission_of_what_was_lost(sender, tshark, tmp_path):
    capture = Capture(sender)
    capture.arrives(0, 10, 0)
    for first in (0, 5, 10):
        capture.delays(first, first + 16, None)
    page, direction = reports_of(tshark, tmp_path, capture)
    assert direction["reordered"] == 0 and direction["resent_unseen"] == 3 and direction["resent_unproven"] == 0
    assert "3 lost before the capture and first seen as a retransmission" in page and "out of order" not in page


@pytest.mark.parametrize("sender, above, between", [(0, 1, 0), (1, 2, 3), (0, 2, 40)])
def test_a_later_identification_shows_a_loss_that_no_three_sacks_reported(sender, above, between, tshark, tmp_path):
    """between: packets that the sender sent meanwhile, of which the capture has those with the TSNs from 20 on."""
    capture, place = Capture(sender), 10
    for tsn in range(6):
        capture.arrives(tsn, place + tsn, tsn)
    for tsn in range(7, 7 + above):
        capture.arrives(tsn, place + tsn, 5)
    for tsn in range(7 + above, 7 + above + between):
        capture.now_ms += NEAR_MS
        capture.add(sender, chunks.data(TSNS[sender] + tsn, bytes(20)), place=place + tsn)
    capture.arrives(6, place + 7 + above + between, 6 + above + between)
    page, direction = reports_of(tshark, tmp_path, capture)
    assert direction["resent_unseen"] == 1 and direction["resent_unproven"] == 0 and direction["reordered"] == 0
    assert "1 lost before the capture and first seen as a retransmission" in page


def test_what_two_higher_ones_overtook_was_not_lost(tshark, tmp_path):
    capture = Capture(0)
    for tsn in range(6):
        capture.arrives(tsn, 10 + tsn, tsn)
    for tsn in (7, 8):
        capture.arrives(tsn, 10 + tsn, 5)
    capture.arrives(6, 16, 8)
    page, direction = reports_of(tshark, tmp_path, capture)
    assert direction["resent_unseen"] == 0 and direction["reordered"] == 1
    assert "lost before the capture" not in page


def test_without_identifications_both_are_possible(tshark, tmp_path):
    capture = Capture(0, identified=False)
    capture.arrives(0, 10, 0)
    for first in (0, 5, 10):
        capture.delays(first, first + 11, first + 16)
    page, direction = reports_of(tshark, tmp_path, capture)
    assert direction["reordered"] == 0 and direction["resent_unseen"] == direction["resent_unproven"] == 3
    assert "3 first seen after they were reported missing: lost before the capture and retransmitted, or delayed" in page


@pytest.mark.parametrize("sender, after_ms, n", [(0, 4.99, 1), (1, 4.2, 1), (0, 3.0, 0), (1, 3.7, 0)])
def test_a_little_less_than_the_shortest_answer_so_far_is_enough_for_one(sender, after_ms, n, tshark, tmp_path):
    """The set-up took 5 ms to the sender; it may do so faster, but not by a quarter: what passes sooner was delayed on its way."""
    capture = Capture(sender, identified=False)
    capture.arrives(0, 10, 0)
    for tsn in (2, 3, 4):
        capture.arrives(tsn, 10 + tsn, 0, (2, tsn))
    capture.now_ms += after_ms - FAR_MS / 2
    capture.arrives(1, 15, 4)
    page, direction = reports_of(tshark, tmp_path, capture)
    assert direction["resent_unseen"] == direction["resent_unproven"] == n
    assert ("1 first seen after" in page) == bool(n)


def test_identifications_that_are_drawn_at_random_prove_nothing(tshark, tmp_path):
    capture = Capture(0, step=7919)
    capture.arrives(0, 1, 0)
    capture.delays(0, 2, 7)
    _, direction = reports_of(tshark, tmp_path, capture)
    assert direction["reordered"] == 0 and direction["resent_unproven"] == direction["resent_unseen"]


def transmissions(tshark, path):
    """(source, TSN) -> identifications of the packets that carried it, in order."""
    names = [word for name in ("ip.src", "ip.id", "sctp.data_tsn_raw") for word in ("-e", name)]
    done = tshark("-r", path, "-Y", "sctp.chunk_type == 0", "-T", "fields", *names)
    assert done.returncode == 0, done.stderr
    carried = {}
    for source, number, tsns in (line.split("\t") for line in done.stdout.splitlines()):
        for tsn in tsns.split(","):
            carried.setdefault((source, int(tsn, 0)), []).append(int(number, 0))
    return carried


@pytest.mark.parametrize("scenario, behind", [("dcsctp/outage", 23), ("dcsctp/reorder-dup", 2), ("dcsctp/setup-loss30", 2)])
def test_losses_before_the_capture_at_the_receiver_are_those_that_the_capture_at_the_sender_shows(scenario, behind, tshark):
    """behind: those whose retransmission came behind a higher TSN, by both captures; only these can be told."""
    at_sender, at_receiver = (transmissions(tshark, CAPTURES / scenario / f"{place}.pcap.gz") for place in "AB")
    lost = [key for key, numbers in at_sender.items() if key in at_receiver and numbers[0] not in at_receiver[key]]
    result = tshark("-Q", "-r", CAPTURES / scenario / "B.pcap.gz", "-z", "sctp,json")
    directions = [direction for association in json.loads(result.stdout)["associations"] for direction in association["directions"]]
    assert sum(direction["resent_unseen"] for direction in directions) == behind <= len(lost)
    assert sum(direction["resent_unproven"] for direction in directions) == 0
