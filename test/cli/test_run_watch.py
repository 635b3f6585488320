# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects ./run watch: what passes through a pipe, an interface or a ring is reported at once and, at the end, whole; nobody is told too much; signals,
full disks and killed processes lose nothing unsaid.

Leaves what is reported when to test/tshark/test_watch_report.py.
"""

import json
import os
import pathlib
import re
import signal
import socket
import struct
import subprocess
import sys
import threading
import time

import pytest

from test_run import DEMO, TOP
from test_run_follow import pieces, write_slowly  # noqa: F401

sys.path += [str(TOP), str(TOP / "test/tshark")]

import floods  # noqa: E402
from sctpa.watch.places import Places  # noqa: E402
from sctpa.watch.told import Limited  # noqa: E402

CAPTURES = TOP / "test" / "captures"
WHEN = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} ")


class Watch:
    """./run watch in the background. lines: of its standard output, as they come; said: of its standard error, once it has ended."""

    def __init__(self, *words, cwd=None, stdin=subprocess.DEVNULL, **more):
        self._said = open(cwd / "said", "w+b") if cwd else subprocess.PIPE
        self.process = subprocess.Popen([TOP / "run", "watch", *words], cwd=cwd, stdin=stdin, stdout=subprocess.PIPE, stderr=self._said, encoding="utf-8",
                                        start_new_session=True, **more)
        self.lines, self._reader = [], threading.Thread(target=self._read)
        self._reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))

    def wait_for(self, text, count=1, seconds=120):
        until = time.monotonic() + seconds
        while sum(text in line for line in self.lines) < count:
            assert time.monotonic() < until and self.process.poll() is None, (text, self.lines, self.said)
            time.sleep(0.05)

    def wait_till_it_watches(self):
        until = time.monotonic() + 300
        while "watching" not in self.said:
            assert time.monotonic() < until and self.process.poll() is None, self.said
            time.sleep(0.05)

    @property
    def said(self):
        self._said.seek(0)
        return self._said.read().decode()

    def end(self, number=None, seconds=120):
        """The exit status, after this signal."""
        if number:
            self.process.send_signal(number)
        status = self.process.wait(timeout=seconds)
        self._reader.join()
        return status

    def children(self, name):
        """Processes below it of this name; tshark and dumpcap have sessions of their own."""
        listed = subprocess.run(["ps", "-eo", "pid=,ppid=,comm="], capture_output=True, text=True, check=True).stdout.splitlines()
        rows = {int(pid): (int(parent), command) for pid, parent, command in map(str.split, listed)}
        ours = [self.process.pid]
        for pid in ours:
            ours += [child for child, (parent, _) in rows.items() if parent == pid]
        return [pid for pid in ours[1:] if rows[pid][1] == name]


def read(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def of(lines, record):
    return [line for line in lines if line["record"] == record]


def samples(text):
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in text.splitlines() if not line.startswith("#"))}


@pytest.fixture
def unpacked(tmp_path):
    path = tmp_path / "demo.pcapng"
    path.write_bytes(subprocess.run(["zcat", DEMO], capture_output=True, check=True).stdout)
    return path


@pytest.fixture(scope="module")
def document():
    """The associations of the demo, as the report of the whole has them."""
    result = subprocess.run([TOP / "run", "--no-messages", "-z", "sctp,json", DEMO], capture_output=True, encoding="utf-8", check=True)
    return json.loads(result.stdout)


def same(association):
    """An association without what a watch adds."""
    return {key: value for key, value in association.items() if key not in ("record", "forgotten", "continues", "start_epoch_s")}


def test_a_pipe_is_read_to_its_end_and_told_in_lines_a_log_and_counters(tmp_path, unpacked, document):
    with open(unpacked, "rb") as file:
        watch = Watch("--log", "log", "--metrics", "sctp.prom", "-", cwd=tmp_path, stdin=file)
    assert watch.end() == 0, watch.said
    log = read(tmp_path / "log")
    assert [same(line) for line in of(log, "association")] == [same(each) for each in document["associations"]]
    events = of(log, "event")
    assert len(watch.lines) == len(events) > 10 and all(WHEN.match(line) for line in watch.lines)
    assert any(line.endswith("association 5, 10.1.0.1:45395 and 10.1.1.1:5000: abort: User-Initiated Abort") for line in watch.lines), watch.lines
    counts = samples((tmp_path / "sctp.prom").read_text())
    last = of(log, "counts")[-1]
    assert counts["sctp_analysis_sctp_packets_total"] == last["sctp_packets"] and counts["sctp_analysis_data_bytes_total"] == last["data_bytes"]
    told = {name.split('"')[1]: value for name, value in counts.items() if "_events_total" in name}
    assert told == {kind: sum(event["kind"] == kind for event in events) for kind in told} and sum(told.values()) == len(events)
    assert told["icmp_unreachable"] == 0, "of what has not come, an increase could not be told"
    assert counts['sctp_analysis_findings_total{rule="ID-012",level="MUST"}'] == sum(e["kind"] == "finding" and e["finding"]["rule"] == "ID-012" for e in events)
    assert counts['sctp_analysis_retransmissions_total{cause="timeout"}'] == last["retransmissions"]["timeout"] > 0
    assert counts["sctp_analysis_dropped_packets_total"] == 0 == counts["sctp_analysis_gaps_total"]


def test_counters_are_in_the_format_of_prometheus(tmp_path, unpacked):
    exposition = pytest.importorskip("prometheus_client.parser")
    with open(unpacked, "rb") as file:
        assert Watch("--metrics", "sctp.prom", "--lines", "0", "-", cwd=tmp_path, stdin=file).end() == 0
    families = {family.name: family for family in exposition.text_string_to_metric_families((tmp_path / "sctp.prom").read_text())}
    assert families["sctp_analysis_events"].type == "counter" and families["sctp_analysis_held_bytes"].type == "gauge"
    assert all(family.documentation and family.samples for family in families.values())


def test_silence_is_told_of_and_sigterm_ends_it_without_loss(tmp_path, unpacked):
    """The INIT in frame 1 of a capture cut there is never answered: nothing else comes."""
    one = tmp_path / "one.pcapng"
    subprocess.run(["tshark", "-r", unpacked, "-Y", "sctp.chunk_type == 1 and frame.number > 4400 and frame.number < 4520", "-w", one], check=True, stderr=subprocess.DEVNULL)
    reading, writing = os.pipe()
    watch = Watch("--log", "log", "-", cwd=tmp_path, stdin=reading)
    os.close(reading)
    os.write(writing, one.read_bytes())
    watch.wait_for("set-up failed, no answer to 1 INIT so far")
    assert read(tmp_path / "log")[-1]["record"] != "capture"
    assert watch.end(signal.SIGTERM) == 0, watch.said
    log = read(tmp_path / "log")
    assert log[-2]["record"] == "capture" and len(of(log, "association")) == of(log, "counts")[-1]["associations"]
    os.close(writing)


@pytest.mark.thorough
def test_a_ring_is_watched_while_it_is_written(tmp_path, pieces, document):  # noqa: F811
    ring = tmp_path / "ring"
    (ring / pieces[0].name).write_bytes(pieces[0].read_bytes()[:1000])
    watch = Watch("--log", "log", "--metrics", "sctp.prom", "ring", cwd=tmp_path)
    watch.wait_till_it_watches()
    (ring / pieces[0].name).write_bytes(pieces[0].read_bytes())
    write_slowly(pieces[1:], ring)
    watch.wait_for("ID-012", 2)
    # By then all that stands in the files was read.
    until = time.monotonic() + 60
    while not any(line["record"] == "tick" for line in read(tmp_path / "log")[-3:]):
        assert time.monotonic() < until
        time.sleep(0.2)
    assert watch.end(signal.SIGINT) == 0, watch.said
    log = read(tmp_path / "log")
    assert [line["file"] for line in of(log, "file")] == [piece.name for piece in pieces]
    places = {}
    for piece in pieces:
        listed = subprocess.run(["tshark", "-r", piece, "-T", "fields", "-e", "frame.time_epoch"], capture_output=True, text=True, check=True).stdout.split()
        places[piece.name] = listed
    events = [event for event in of(log, "event") if event["frame"]]
    assert len(events) > 10
    for event in events:
        assert abs(float(places[event["file"]][event["file_frame"] - 1]) - event["epoch_s"]) < 1e-6 or event["kind"] in ("setup_failed", "pause"), event
    named = [line for line in watch.lines if "ID-012" in line]
    place = next(event for event in events if event["kind"] == "finding" and event["finding"]["rule"] == "ID-012")
    assert f"at frame {place['file_frame']} of {place['file']}:" in named[0]
    found = sorted(finding["rule"] for each in of(log, "association") for finding in each["findings"])
    assert found == sorted(finding["rule"] for each in document["associations"] for finding in each["findings"])


def test_a_file_that_was_overwritten_unread_is_a_gap(tmp_path, pieces):  # noqa: F811
    ring = tmp_path / "ring"
    for piece in (pieces[0], pieces[2]):
        (ring / piece.name).write_bytes(piece.read_bytes())
    watch = Watch("--log", "log", "--metrics", "sctp.prom", "ring", cwd=tmp_path)
    watch.wait_till_it_watches()
    until = time.monotonic() + 60
    while "missing before it" not in watch.said:
        assert time.monotonic() < until and watch.process.poll() is None, watch.said
        time.sleep(0.1)
    assert watch.end(signal.SIGTERM) == 0, watch.said
    assert samples((tmp_path / "sctp.prom").read_text())["sctp_analysis_gaps_total"] == 1


def test_a_pipe_that_never_ends_is_left_when_it_is_to_end(tmp_path, unpacked):
    """Whoever writes without a pause, as fast as is read."""
    packets = unpacked.read_bytes()
    reading, writing = os.pipe()
    watch = Watch("--log", "log", "-", cwd=tmp_path, stdin=reading)
    os.close(reading)
    # A section of its own each time, as a file behind a file.
    stop = threading.Event()

    def write():
        try:
            while not stop.is_set():
                os.write(writing, packets)
        except BrokenPipeError:
            pass
    thread = threading.Thread(target=write)
    thread.start()
    watch.wait_for("abort: User-Initiated Abort")
    assert watch.end(signal.SIGTERM) == 0, watch.said
    stop.set()
    thread.join()
    assert read(tmp_path / "log")[-2]["record"] == "capture"
    os.close(writing)


def chunk(kind, flags, value):
    return struct.pack(">BBH", kind, flags, 4 + len(value)) + value + bytes(-len(value) % 4)


def init(port):
    return struct.pack(">HHII", port, 5000, 0, 0) + chunk(1, 0, struct.pack(">IIHHI", port, 65536, 1, 1, 1))


@pytest.mark.skipif(os.geteuid() != 0, reason="capturing needs root")
def test_an_interface_is_watched(tmp_path):
    watch = Watch("--log", "log", "--metrics", "sctp.prom", "-f", "ip proto 132", "lo", cwd=tmp_path)
    watch.wait_till_it_watches()
    until = time.monotonic() + 60
    with socket.socket(socket.AF_INET, socket.SOCK_RAW, 132) as sender:
        # Until dumpcap listens.
        while not any("set-up failed" in line for line in watch.lines):
            assert time.monotonic() < until and watch.process.poll() is None, watch.said
            sender.sendto(init(7001), ("127.0.0.1", 0))
            time.sleep(0.5)
    assert watch.end(signal.SIGTERM) == 0, watch.said
    line = of(read(tmp_path / "log"), "association")[0]
    assert line["ports"][0] == 7001 and "127.0.0.1:7001 and 127.0.0.1:5000" in watch.lines[0]
    assert not watch.children("dumpcap") and not watch.children("tshark")


@pytest.mark.thorough_but_one_in(3)
@pytest.mark.parametrize("name", ["tshark", "dumpcap", "python3"])
@pytest.mark.skipif(os.geteuid() != 0, reason="capturing needs root")
def test_whatever_is_killed_the_watch_ends_and_says_so(tmp_path, name):
    watch = Watch("--log", "log", "lo", cwd=tmp_path)
    watch.wait_till_it_watches()
    until = time.monotonic() + 30
    while not (found := watch.children(name)) or not watch.children("dumpcap"):
        assert time.monotonic() < until
        time.sleep(0.1)
    others = watch.children("tshark") + watch.children("dumpcap")
    os.kill(found[0], signal.SIGKILL)
    assert watch.end() in (1, 128 + signal.SIGKILL)
    assert "ended by signal 9" in watch.said
    until = time.monotonic() + 30
    while any(pathlib.Path(f"/proc/{pid}").exists() for pid in others):
        assert time.monotonic() < until, "what it started goes on"
        time.sleep(0.1)


def test_a_full_disk_loses_what_it_must_and_that_is_said_once(tmp_path, unpacked):
    with open(unpacked, "rb") as file:
        watch = Watch("--log", "/dev/full", "--metrics", tmp_path / "none" / "sctp.prom", "-", cwd=tmp_path, stdin=file)
    assert watch.end() == 1
    assert watch.said.count("/dev/full: no space left on device; the watch goes on") == 1 == watch.said.count("sctp.prom: no such file or directory")
    assert len(watch.lines) > 10


@pytest.mark.thorough_but_one_in(3)
@pytest.mark.parametrize("words, told", [
    ([], "watch what?"), (["-", "lo"], "alone"), (["--pause", "0", "-"], "0 is no number from 1"), (["/nowhere"], "/nowhere: there is no such file"),
    (["empty"], "empty: has no ring of files"), (["some"], "some: has 2 rings of files"), (["--log", "nowhere/log", "-"], "nowhere/log: no such file"),
    (["some/plain.txt"], "numbers in their names"), (["-o", "sctp_analysis.nothing:1", "-"], "is not a preference"),
])
def test_what_cannot_be_watched_is_said_in_a_line(tmp_path, words, told):
    (tmp_path / "empty").mkdir()
    (tmp_path / "some").mkdir()
    for name in ("a_00001_20240101000000.pcap", "b_00001_20240101000000.pcap", "plain.pcap", "plain.txt"):
        (tmp_path / "some" / name).touch()
    watch = Watch(*words, cwd=tmp_path)
    assert watch.end() == 2 and told in watch.said and len(watch.said.splitlines()) <= 2, watch.said


def test_an_interface_that_does_not_exist_is_named(tmp_path):
    watch = Watch("nosuch0", cwd=tmp_path)
    assert watch.end() == 1 and re.search(r"run: nosuch0: .*(no such|No such|nosuch0|permission)", watch.said), watch.said


def test_what_is_no_capture_is_named(tmp_path):
    (tmp_path / "text").write_text("no capture at all\n" * 20)
    with open(tmp_path / "text", "rb") as file:
        watch = Watch("-", cwd=tmp_path, stdin=file)
    assert watch.end() == 1 and "standard input: is neither pcap nor pcapng" in watch.said, watch.said


def test_where_nobody_listens_it_ends(tmp_path, unpacked):
    reading, writing = os.pipe()
    watch = subprocess.Popen(f"{TOP}/run watch - | head -n 1", shell=True, cwd=tmp_path, stdin=reading, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                             start_new_session=True)
    os.close(reading)
    data = unpacked.read_bytes()
    written = 0
    # The pipe takes no more once all have ended.
    try:
        while written < len(data):
            written += os.write(writing, data[written:written + (1 << 16)])
    except BrokenPipeError:
        pass
    assert watch.wait(timeout=120) == 0 and watch.stdout.read().count(b"\n") == 1
    os.close(writing)


def test_a_minute_has_so_many_lines_of_a_kind(monkeypatch):
    now, printed = [1000.0], []
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    limited = Limited(2, printed.append)
    for number in range(5):
        limited.tell("abort", f"abort {number}")
    limited.tell("pause", "pause 0")
    now[0] += 59
    limited.pass_time()
    assert printed == ["abort 0\n", "abort 1\n", "pause 0\n"]
    now[0] += 2
    limited.tell("abort", "abort 5")
    assert printed[3:] == ["and 3 more events of this kind within a minute: abort\n", "abort 5\n"]


def test_a_minute_says_of_folded_events_how_many_there_were(monkeypatch):
    now, printed = [1000.0], []
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    limited = Limited(1, printed.append)
    limited.tell("setup_failed", "one")
    limited.tell("setup_failed", "two")
    limited.leave_out("setup_failed", 1234)
    limited.pass_time(is_end=True)
    assert printed == ["one\n", "and 1,235 more events of this kind within a minute: setup_failed\n"]


def test_a_flood_of_inits_leaves_a_short_log_and_few_lines(tmp_path):
    """50,000 in five seconds; test/bench/watch_flood has 2,000,000."""
    with open(floods.write(tmp_path / "flood.pcap", floods.inits(50_000), 100_000), "rb") as file:
        watch = Watch("--memory", "8", "--log", "log", "--metrics", "sctp.prom", "-", cwd=tmp_path, stdin=file)
    assert watch.end() == 0, watch.said
    log, counts = read(tmp_path / "log"), samples((tmp_path / "sctp.prom").read_text())
    assert (tmp_path / "log").stat().st_size < 3_000_000
    assert max(line["held_bytes"] for line in of(log, "counts")) < 2 * 8 << 20
    assert sum(value for name, value in counts.items() if "_discarded_total" in name) == 50_000 == counts["sctp_analysis_associations_total"]
    assert 0 < len(watch.lines) <= 20 and all(WHEN.match(line) for line in watch.lines)
    assert any("more associations alike in the last 5 s: set-up begun, nothing after it; the first between 11." in line for line in watch.lines)
    assert any(line["record"] == "folded" and "more associations alike in the last 5 s" in line["text"] for line in log)


def test_a_frame_is_found_among_files_and_ticks():
    places = Places()
    places.begin("a", 0)
    places.tick(3)
    places.begin("b", 5)
    places.tick(6)
    places.tick(9)
    assert [places.find(frame) for frame in (1, 2, 4, 5, 7, 8, 10)] == [("a", 1), ("a", 2), ("a", 3), ("a", 4), ("b", 1), ("b", 2), ("b", 3)]
    assert places.in_words("by endpoint 0 at frames 4 and 10", True) == "by endpoint 0 at frames 3 of a and 10"
    assert places.in_words("at frame 8:", False) == "at frame 2:"
