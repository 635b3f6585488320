# SPDX-License-Identifier: GPL-2.0-or-later
"""-z sctp,triage of files from two capture points: what was lost between them, by how much their clocks differ, and that no other figure depends
on that."""

import dataclasses
import json
import re

import pytest
from report_text import triage_of
from test_two_taps import captures

from reference import thin
from reference.cases import ADDRESSES, TAGS, Script
from scenarios.generate import chunks

MS = 10**6
WAY_MS = 25
CLOCK = re.compile(r"the clocks? of interfaces? .*? to within [\d.]+ \w+")


def page_of(tshark, path):
    return re.sub("-{5,}", "-", triage_of(tshark, path))


def without_frames(page):
    page = re.sub(r"(?<= )(\d+\.\d{6}) +\d+ ", r"\1 FRAME ", page)
    return re.sub(r"(from )?\bframes? [\d,]+( to [\d,]+)?|\bfrom [\d,]+ to [\d,]+", "FRAMES", CLOCK.sub("CLOCK", page))


def exchange(is_closed):
    """(frame, who sent it, when it left by the true time) of DATA and SACKs, each way 25 ms."""
    script, now_ns, sent = Script(), 0, []
    for tsn in range(40):
        script.data(tsn)
        script.sack(tsn)
    for end, chunk in ((0, chunks.shutdown(script.tsns[1] - 1)), (1, chunks.shutdown_ack()), (0, chunks.shutdown_complete())):
        script.send(end, chunk if is_closed else chunks.heartbeat(b"beat"))
    for frame in script.frames:
        sender = int(frame.data[:6] != script.frames[0].data[:6])
        sent.append((frame, sender, frame.time_ns + now_ns))
        now_ns += (WAY_MS + 1) * MS
    return sent


def two_taps(folder, shift_ms, lost=(), is_closed=True, sent=None, drift=0):
    """Interface 0 beside endpoint 0, interface 1 beside endpoint 1, with a clock that is ahead, and by a share of the time more; lost: numbers of
    frames that only the tap near their sender saw; sent: another exchange."""
    frames, sent = [], sent or exchange(is_closed)
    begin_ns = sent[0][2]
    for frame, sender, left_ns in sent:
        for interface in (0, 1):
            if interface != sender and frame.number in lost:
                continue
            passed_ns = left_ns + (WAY_MS * MS if interface != sender else 0)
            passed_ns += shift_ms * MS + round(drift * (left_ns - begin_ns)) if interface == 1 else 0
            frames.append(dataclasses.replace(frame, interface=interface, time_ns=passed_ns))
    frames.sort(key=lambda frame: frame.time_ns)
    path = folder / "two.pcapng"
    thin.write(path, [dataclasses.replace(frame, number=number) for number, frame in enumerate(frames, 1)])
    return path


@pytest.mark.parametrize("shift_ms, words", [(4200, "the clock of interface 1 is 4.200 s ahead of that of interface 0"),
                                             (-7300, "the clock of interface 1 is 7.300 s behind that of interface 0"),
                                             (3, "the clocks of interfaces 0 and 1 agree as far as can be told")])
@pytest.mark.parametrize("lost, sentences", [
    ((9, 21, 37), ["#0 0→1 3 of 44 packets passed interface 0 and were not captured at interface 1: lost between the interfaces, or missed there"]),
    ((9, 10, 24, 26), ["#0 0→1 1 of 44 packets passed interface 0 and was not captured at interface 1", "#0 1→0 3 of 43 packets passed interface 1 and were not captured"]),
    ((), [])])
def test_loss_between_the_interfaces_and_the_clocks_are_told(shift_ms, words, lost, sentences, tshark, tmp_path):
    page = page_of(tshark, two_taps(tmp_path, shift_ms, lost))
    assert f"{words}, to within 25.00 ms" in page
    for sentence in sentences:
        assert sentence in page
    assert ("Lost between interfaces" in page) == bool(sentences)
    assert ("loss between interfaces" in page.split("Not found:")[1].split("Contents:")[0]) == (not sentences)


@pytest.mark.parametrize("drift", [0.05, -0.05])
def test_clocks_that_drift_are_known_to_no_negative_time(drift, tshark, tmp_path):
    """In two seconds they move by more than the way there and back takes."""
    assert re.search(r"the clock of interface 1 is [\d.]+ m?s (ahead of|behind) that of interface 0, to within [\d.]+ m?s\.", page_of(
        tshark, two_taps(tmp_path, 5, drift=drift)))


def test_one_capture_point_shows_nothing_between(tshark, tmp_path):
    script = Script()
    script.data(0)
    script.sack(0)
    thin.write(tmp_path / "one.pcapng", script.frames)
    page = page_of(tshark, tmp_path / "one.pcapng")
    assert "between interfaces" not in page and "clock of" not in page


@pytest.mark.parametrize("is_closed", [True, False])
@pytest.mark.parametrize("shift_ms", [-16000, -2000, 700, 5000, 16000])
def test_no_figure_of_a_page_depends_on_the_clocks(shift_ms, is_closed, tshark, tmp_path):
    plain = without_frames(page_of(tshark, two_taps(tmp_path, 0, (9, 10, 24), is_closed)))
    assert "Contents: 171 SCTP packets, " in plain
    assert without_frames(page_of(tshark, two_taps(tmp_path, shift_ms, (9, 10, 24), is_closed))) == plain


@pytest.mark.thorough_but_one_in(4)
@pytest.mark.parametrize("scenario", ["linux/bulk-loss1", "linux/bidir", "usrsctp/bulk-burstloss", "usrsctp/us-cmt", "linux/mh-failover",
                                      "linux/vantage-setup", "linux/mh-v4v6"])
def test_no_figure_of_the_page_of_a_lab_capture_depends_on_them(scenario, tshark, tmp_path):
    plain = without_frames(page_of(tshark, captures(scenario, tmp_path)[2]))
    for shift_s in (-16, -2, 0.3, 3, 10):
        assert without_frames(page_of(tshark, captures(scenario, tmp_path, shift_s)[2])) == plain, shift_s


def with_lost_inits(lost_ms):
    """The exchange, and INITs that were lost so long before the one that arrived, or after it; they are numbered -1, -2, ..."""
    sent = exchange(True)
    init, sender, left_ns = sent[0]
    lost = [(dataclasses.replace(init, number=-number), sender, left_ns - ms * MS) for number, ms in enumerate(lost_ms, 1)]
    return [(with_identification(frame), sender, left_ns) for frame, sender, left_ns in lost + sent]


def with_identification(frame):
    """An IPv4 identification that follows from the number of the frame."""
    return dataclasses.replace(frame, data=frame.data[:18] + (1000 + frame.number).to_bytes(2, "big") + frame.data[20:])


@pytest.mark.parametrize("lost_ms", [(1000,), (3000, 1000), (-45,)])
@pytest.mark.parametrize("shift_ms", [-16000, -6000, 3000, 12000])
def test_an_init_that_was_lost_is_one_of_its_association_by_any_clock(shift_ms, lost_ms, tshark, tmp_path):
    """By the clock of the tap beyond the loss, the association has ended before the INIT left."""
    def page(shift_ms):
        return without_frames(page_of(tshark, two_taps(tmp_path, shift_ms, {-1, -2}, sent=with_lost_inits(lost_ms))))
    plain = page(0)
    assert "1 association captured near both" in plain and "no answer" not in plain and f"INIT {1 + len(lost_ms)} times" in plain
    assert page(shift_ms) == plain


def test_an_init_after_the_end_at_the_same_interface_begins_another_association(tshark, tmp_path):
    sent = exchange(True)
    init, sender, left_ns = sent[0]
    again = [(dataclasses.replace(init, number=1000), sender, sent[-1][2] + 4000 * MS)]
    assert "set up again as #1" in page_of(tshark, two_taps(tmp_path, -2000, sent=sent + again))


@pytest.mark.parametrize("shift_s", [3, -3, 12, -12])
def test_how_long_an_endpoint_waited_before_it_gave_up_is_of_one_clock(shift_s, tshark, tmp_path):
    """The ABORT stands in the capture first where the clock is behind."""
    page = page_of(tshark, captures("linux/vantage-setup", tmp_path, shift_s)[2])
    assert "no data acknowledged for 7.491 s, though HEARTBEATs were answered" in page
    assert "7.491 s repeated loss" in page
    assert "1 of 8 associations failed" in page


def bare(frame, is_far=False):
    """Without identification; with the TTL that is left behind a router."""
    data = frame.data
    return dataclasses.replace(frame, data=data[:18] + bytes(2) + data[20:22] + bytes([data[22] - is_far]) + data[23:])


def with_set_up_and_end_repeated(without_id):
    """The first INIT ACK is lost, its successor has another tag; COOKIE ECHO is lost once, and the first SHUTDOWN COMPLETE. without_id: of COOKIE
    ACK and the second SHUTDOWN COMPLETE, which bear the same tag, as Linux sends them."""
    script, sent = Script(set_up=False), []

    def send(at_ms, end, chunk, is_bare=False, **more):
        frame = script.frames[script.send(end, chunk, **more) - 1]
        sent.append((bare(frame) if is_bare else frame, end, script.frames[0].time_ns + at_ms * MS))

    send(0, 0, chunks.init(TAGS[0], 1000), tag=0)
    send(26, 1, chunks.init_ack(0x77777777, 7777))
    send(1000, 0, chunks.init(TAGS[0], 1000), tag=0)
    send(1026, 1, chunks.init_ack(TAGS[1], 5000))
    send(1052, 0, chunks.cookie_echo())
    send(2052, 0, chunks.cookie_echo())
    send(2078, 1, chunks.cookie_ack(), without_id)
    for tsn in range(30):
        send(2104 + 60 * tsn, 0, chunks.data(1000 + tsn, bytes(100)))
        send(2131 + 60 * tsn, 1, script.sack_chunk(tsn))
    send(4000, 0, chunks.shutdown(4999))
    send(4026, 1, chunks.shutdown_ack())
    send(4052, 0, chunks.shutdown_complete())
    send(5600, 1, chunks.shutdown_ack())
    send(5626, 0, chunks.shutdown_complete(t=True), without_id, tag=TAGS[0])
    lost = {frame.number for frame, _, left_ns in sent if left_ns - script.frames[0].time_ns in (26 * MS, 1052 * MS, 4052 * MS)}
    return sent, lost


@pytest.mark.thorough_but_one_in(2)
@pytest.mark.parametrize("without_id", [True, False])
def test_set_up_and_end_are_told_by_one_clock_though_steps_were_lost(without_id, tshark, tmp_path):
    sent, lost = with_set_up_and_end_repeated(without_id)

    def told(shift_ms):
        path = two_taps(tmp_path, shift_ms, lost, sent=sent)
        association = json.loads(tshark("-Q", "-r", path, "-z", "sctp,json").stdout)["associations"][0]
        return without_frames(page_of(tshark, path)), association["packets"], association["endpoints"][1]["initial_tsn"], [
            (wait["step"], wait["sent"], wait["length_s"]) for wait in association["setup_waits"]]
    page, packets, initial_tsn, waits = told(0)
    assert (packets, initial_tsn) == (len(sent), 5000) and "shutdown, 4.052 s" in page
    for shift_ms in (-16000, -3000, -1000, 1500, 3000, 16000):
        assert told(shift_ms) == (page, packets, initial_tsn, pytest.approx(waits)), shift_ms


class TwoPaths:
    """An association with two paths, each with an interface of its own beside each endpoint: 0 and 1 beside endpoint 0, 2 and 3 beside endpoint 1."""

    def __init__(self):
        self.script, self.sent, self.now_ns, self.tsn = Script(set_up=False), [], 20_000 * MS, 0
        listed = [b"".join(chunks.address(address) for address in addresses) for addresses in ADDRESSES]
        self.send(0, chunks.init(TAGS[0], 1000, params=listed[0]), tag=0)
        self.send(1, chunks.init_ack(TAGS[1], 5000, params=listed[1]))
        self.send(0, chunks.cookie_echo())
        self.send(1, chunks.cookie_ack())
        self.now_ns += WAY_MS * MS

    def send(self, end, chunk, path=0, is_lost=False, after_ms=WAY_MS + 5, **more):
        self.now_ns += after_ms * MS + 1237
        number = self.script.send(end, chunk, path=path, **more)
        self.sent.append((self.script.frames[number - 1], end, path, self.now_ns, is_lost))

    def data(self, end, tsn, after_ms=20, **more):
        self.send(end, chunks.data(self.script.tsns[end] + tsn, bytes(100)), after_ms=after_ms, **more)

    def sack(self, end, cum, **more):
        self.send(1 - end, self.script.sack_chunk(cum, end=1 - end), **more)

    def exchange(self, end, n, path=0):
        for _ in range(n):
            self.data(end, self.tsn, path=path)
            self.sack(end, self.tsn, path=path)
            self.tsn += 1

    def heartbeat(self, end, info, path=0, is_lost=False, after_ms=20):
        self.send(end, chunks.heartbeat(info.encode()), path=path, is_lost=is_lost, after_ms=after_ms)
        if not is_lost:
            self.send(1 - end, chunks.heartbeat_ack(info.encode()), path=path)

    def write(self, folder, shift_ms, is_bare=False):
        """is_bare: without identifications, as IPv6; a router between the taps takes one from the TTL."""
        frames = []
        for frame, sender, path, left_ns, is_lost in self.sent:
            for end in (0, 1):
                if end != sender and is_lost:
                    continue
                passed_ns = left_ns + (WAY_MS * MS if end != sender else 0) + (shift_ms * MS if end == 1 else 0)
                seen = bare(frame, end != sender) if is_bare else frame
                frames.append(dataclasses.replace(seen, interface=2 * end + path, time_ns=passed_ns))
        frames.sort(key=lambda frame: frame.time_ns)
        thin.write(folder / "paths.pcapng", [dataclasses.replace(frame, number=number) for number, frame in enumerate(frames, 1)])
        return folder / "paths.pcapng"


def path_dies(sender, heartbeats, of_peer):
    """The first path dies: one timeout of sender, then its data takes the second; HEARTBEATs of both to the first are lost, so many of each."""
    paths = TwoPaths()
    for path in (0, 1):
        paths.heartbeat(sender, f"nonce, first {path}", path)
        paths.heartbeat(1 - sender, f"nonce, of peer {path}", path)
    paths.exchange(sender, 10)
    paths.data(sender, 10, is_lost=True)
    paths.data(sender, 11, is_lost=True)
    paths.data(sender, 10, path=1, after_ms=1000)
    paths.sack(sender, 10, path=1)
    paths.tsn = 11
    paths.exchange(sender, 9, path=1)
    for number in range(max(heartbeats, of_peer)):
        if number < of_peer:
            paths.heartbeat(1 - sender, f"lost of peer {number}", is_lost=True, after_ms=900)
        if number < heartbeats:
            paths.heartbeat(sender, f"lost {number}", is_lost=True, after_ms=1100)
        paths.exchange(sender, 1, path=1)
    paths.heartbeat(1 - sender, "answered of peer", after_ms=1500)
    paths.heartbeat(sender, "answered", after_ms=1500)
    paths.exchange(sender, 10)
    return paths


@pytest.mark.parametrize("sender, heartbeats, of_peer, words", [
    (0, 8, 0, ["failover", "8 HEARTBEATs unanswered, 1 timeout, answered again at", "inactive between"]),
    (1, 3, 7, ["failover", "3 HEARTBEATs unanswered, 1 timeout", "7 HEARTBEATs unanswered, answered again at"]),
    (0, 2, 2, ["failover", "2 HEARTBEATs unanswered, 1 timeout", "no answer captured to 2 of 4 HEARTBEATs"])])
def test_what_paths_did_is_of_the_clock_of_their_sender(sender, heartbeats, of_peer, words, tshark, tmp_path):
    plain = without_frames(page_of(tshark, path_dies(sender, heartbeats, of_peer).write(tmp_path, 0)))
    for word in words:
        assert word in plain
    for shift_ms in (-16000, -9000, -400, 3000, 16000):
        assert without_frames(page_of(tshark, path_dies(sender, heartbeats, of_peer).write(tmp_path, shift_ms))) == plain, shift_ms


@pytest.mark.parametrize("shift_ms", [-16000, -400, 0, 3000, 16000])
def test_paths_that_answer_are_in_no_trouble_by_any_clock(shift_ms, tshark, tmp_path):
    paths = TwoPaths()
    for number in range(5):
        for path in (0, 1):
            paths.heartbeat(0, f"nonce, to {path} {number}", path, after_ms=700)
            paths.heartbeat(1, f"nonce, back to {path} {number}", path, after_ms=400)
        paths.exchange(0, 3)
    page = page_of(tshark, paths.write(tmp_path, shift_ms))
    assert "path troubles" in page.split("Not found:")[1].split("Contents:")[0]


@pytest.mark.parametrize("sender", [0, 1])
def test_data_retransmitted_on_another_path_is_not_taken_for_its_duplicate_by_any_clock(sender, tshark, tmp_path):
    """Without identifications the bytes are the same on both paths."""
    paths = path_dies(sender, 4, 1)
    plain = without_frames(page_of(tshark, paths.write(tmp_path, 0, is_bare=True)))
    assert f"{sum(not is_lost for *_, is_lost in paths.sent)} packets were captured twice" in plain and "failover" in plain
    for shift_ms in (-16000, -3000, 3000, 16000):
        assert without_frames(page_of(tshark, paths.write(tmp_path, shift_ms, is_bare=True))) == plain, shift_ms


@pytest.mark.parametrize("sender", [0, 1])
def test_retransmissions_at_one_tap_with_two_interfaces_are_no_duplicates(sender, tshark, tmp_path):
    """One tap, beside endpoint 0, sees both paths."""
    paths = path_dies(sender, 4, 1)
    frames = [dataclasses.replace(bare(frame), interface=path, time_ns=left_ns) for frame, end, path, left_ns, is_lost in paths.sent
              if end == 0 or not is_lost]
    thin.write(tmp_path / "one.pcapng", [dataclasses.replace(frame, number=number) for number, frame in enumerate(frames, 1)])
    page = page_of(tshark, tmp_path / "one.pcapng")
    assert f"Contents: {len(frames)} SCTP packets" in page and "captured twice" not in page and "captured near both" not in page
