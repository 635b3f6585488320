# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects what a WebRTC developer gets: `./run LOG` and `./run webrtc` show what the packets of a log show, directions, sockets and times included, and
`./run --keys` what is inside DTLS. The log and the capture are of test/lab/webrtc."""

import datetime
import gzip
import io
import json
import os
import re
import struct
import subprocess
import sys
import time

import pytest

from conftest import CAPTURES
from python_steps import steps_of
from test_run import TOP, complaints, run

sys.path.append(str(TOP))

from sctpa.webrtc import __main__ as webrtc  # noqa: E402
from sctpa.webrtc.log import LINE_BYTES_MAX, Log, Packet, midnight_ns  # noqa: E402
from sctpa.webrtc.sockets import Sockets  # noqa: E402

RECORDED = TOP / "test/lab/webrtc/recorded"
NAMES = ("dcsctp/idata/A.pcap.gz", "dcsctp/pr-unordered-ttl/A.pcap.gz", "dcsctp/outage/A.pcap.gz", "pion/reset-streams/A.pcap.gz")


def packets_of(path):
    """[(ns since 1970, source address, SCTP packet)] of raw IPv4."""
    data = gzip.decompress(path.read_bytes())
    nanoseconds = struct.unpack_from("<I", data)[0] == 0xA1B23C4D
    at, found = 24, []
    while at < len(data):
        seconds, fraction, length, _ = struct.unpack_from("<IIII", data, at)
        packet = data[at + 16:at + 16 + length]
        if packet[9] == 132:
            found.append((seconds * 10 ** 9 + fraction * (1 if nanoseconds else 1000), packet[12:16], packet[(packet[0] & 15) * 4:int.from_bytes(packet[2:4], "big")]))
        at += 16 + length
    return found


def log_line(time_ns, is_sent, data, socket="", prefix=""):
    clock = datetime.datetime.fromtimestamp(time_ns // 10 ** 9, datetime.timezone.utc)
    return (f"{prefix}{'O' if is_sent else 'I'} {clock:%H:%M:%S}.{time_ns % 10 ** 9 // 1000:06} 0000{''.join(f' {byte:02x}' for byte in data)} # SCTP_PACKET{socket}\n")


def write_log(path, packets, socket=" DcSctp1", prefix="[123:456:0101/000000.0:VERBOSE3:text2pcap.cc(9)] "):
    first = packets[0][1]
    path.write_text("a line of something else\n" + "".join(log_line(at, source == first, data, socket, prefix) for at, source, data in packets), encoding="ascii")
    os.utime(path, (time.time(), packets[-1][0] / 10 ** 9 + 5))
    path.chmod(0o644)
    return path


def told(text):
    """What a log can show of associations: it has no addresses, and its time is that of one end."""
    return [(assoc["ports"], assoc["setup"], assoc["end"], assoc["packets"], assoc["chunks"], [direction["retransmissions"] for direction in assoc["directions"]],
             [direction["tsns"] for direction in assoc["directions"]]) for assoc in json.loads(text)["associations"]]


@pytest.mark.thorough_but_one_in(4)
@pytest.mark.parametrize("name", [name for name in NAMES if (CAPTURES / name).exists()])
def test_a_log_shows_what_its_capture_shows(tmp_path, name):
    packets = packets_of(CAPTURES / name)
    log = write_log(tmp_path / "chrome_debug.log", packets)
    tmp_path.chmod(0o755)
    result, whole = run("-z", "sctp,json", log, environment={"TZ": "UTC"}), run("-z", "sctp,json", CAPTURES / name)
    assert result.returncode == 0 and complaints(result) == [], result.stderr
    assert told(result.stdout) == told(whole.stdout)
    # To the microsecond, which is what the log has.
    assert abs(json.loads(result.stdout)["capture"]["start_epoch_s"] - packets[0][0] / 10 ** 9) < 2e-6


def test_a_log_may_have_a_name_that_looks_like_an_option(tmp_path):
    write_log(tmp_path / "-moz.log", packets_of(CAPTURES / NAMES[0]))
    tmp_path.chmod(0o755)
    result = run("-z", "sctp,triage", "--", "-moz.log", folder=tmp_path)
    assert result.returncode == 0 and complaints(result) == [] and "association" in result.stdout


def test_a_capture_keeps_directions_sockets_and_times(tmp_path):
    packets = [packet for pair in zip(packets_of(CAPTURES / NAMES[0])[:20], packets_of(CAPTURES / NAMES[1])[:20], strict=True) for packet in pair]
    packets = [(packets[0][0] + number * 1000, source, data) for number, (_, source, data) in enumerate(packets)]
    log = tmp_path / "moz.log"
    first = packets[0][1]
    log.write_text("".join(log_line(at, source == first, data, f" socket {number % 2}") for number, (at, source, data) in enumerate(packets)))
    os.utime(log, (time.time(), packets[-1][0] / 10 ** 9))
    result = run("webrtc", log, tmp_path / "made.pcapng", environment={"TZ": "UTC"})
    assert result.returncode == 0 and complaints(result) == [f"run: {tmp_path / 'made.pcapng'}: 40 packets"]
    rows = subprocess.run(["tshark", "-n", "-r", tmp_path / "made.pcapng", "-T", "fields", "-e", "frame.time_epoch", "-e", "frame.packet_flags_direction", "-e",
                           "frame.interface_name", "-e", "sctp.srcport"], capture_output=True, text=True, check=True).stdout.splitlines()
    for number, (row, (at, source, data)) in enumerate(zip(rows, packets, strict=True)):
        epoch, direction, interface, port = row.split("\t")
        assert int(epoch.split(".")[0]) == at // 10 ** 9 and int(epoch.split(".")[1][:6]) == at % 10 ** 9 // 1000
        assert int(direction, 0) == (2 if source == first else 1) and interface == f"socket {number % 2}" and int(port) == int.from_bytes(data[:2], "big")


def test_midnight_is_the_next_day_and_the_log_ends_on_the_day_it_was_changed(tmp_path):
    data = packets_of(CAPTURES / NAMES[0])[0][2]
    log = tmp_path / "x.log"
    log.write_text("".join(f"O {clock} 0000{''.join(f' {byte:02x}' for byte in data)} # SCTP_PACKET\n" for clock in ("23:59:59.900", "00:00:00.100", "23:59:00.0", "00:10:00.5")))
    os.utime(log, (0, datetime.datetime(2024, 3, 2, 0, 10, 1, tzinfo=datetime.timezone.utc).timestamp()))
    assert run("webrtc", log, tmp_path / "made.pcapng", environment={"TZ": "UTC"}).returncode == 0
    times = subprocess.run(["tshark", "-n", "-r", tmp_path / "made.pcapng", "-T", "fields", "-e", "frame.time_epoch"], capture_output=True, text=True, check=True).stdout.split()
    assert [f"{datetime.datetime.fromtimestamp(float(text), datetime.timezone.utc):%m-%d %H:%M}" for text in times] == \
        ["02-29 23:59", "03-01 00:00", "03-01 23:59", "03-02 00:10"]


def test_lines_that_cannot_be_read_are_counted_and_the_rest_is_reported(tmp_path):
    packets = packets_of(CAPTURES / NAMES[0])
    log = write_log(tmp_path / "x.log", packets)
    tmp_path.chmod(0o755)
    with log.open("a") as file:
        file.write("O 10:00:00.0 0000 1 2 # SCTP_PACKET\nI 10:00 # SCTP_PACKET\n")
    result = run("-z", "sctp,json", log)
    assert result.returncode == 1 and complaints(result) == [f"run: {log}: 2 SCTP_PACKET lines cannot be read, the first in line {len(packets) + 2:,}"]
    assert json.loads(result.stdout)["associations"]


def test_a_log_without_packets_is_said_to_be_one(tmp_path):
    (tmp_path / "x.log").write_text("# SCTP_PACKET\n")
    (tmp_path / "x.log").chmod(0o644)
    tmp_path.chmod(0o755)
    result = run(tmp_path / "x.log")
    assert result.returncode == 1 and result.stdout == "" and "has no SCTP_PACKET lines that can be read" in result.stderr


@pytest.mark.parametrize("kind", ["pcap", "pcapng"])
def test_a_capture_in_which_somebody_sends_such_a_log_is_a_capture(tmp_path, kind):
    packets = packets_of(CAPTURES / NAMES[0])[:1]
    payload = log_line(*((packets[0][0], True, packets[0][2]))).encode()
    packet = struct.pack(">BBHHHBBH", 0x45, 0, 28 + len(payload), 1, 0, 64, 17, 0) + bytes(8) + struct.pack(">HHHH", 9, 9, 8 + len(payload), 0) + payload
    path = tmp_path / "x.pcap"
    path.write_bytes(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 101) + struct.pack("<IIII", 1, 0, len(packet), len(packet)) + packet)
    if kind == "pcapng":
        subprocess.run(["editcap", "-F", "pcapng", path, tmp_path / "x.pcapng"], check=True, capture_output=True)
        path = tmp_path / "x.pcapng"
    path.chmod(0o644)
    tmp_path.chmod(0o755)
    result = run(path)
    assert result.returncode == 0 and complaints(result) == [f"run: {path}: has no SCTP packets"]


@pytest.mark.parametrize("arguments, status, words", [
    (["--help"], 0, ""), (["/nonexistent", "x"], 1, "/nonexistent: there is no such file"), (["x"], 2, "required"),
    ([TOP / "README.md", "/nonexistent/x"], 1, "/nonexistent/x: no such file or directory"),
])
def test_statuses(arguments, status, words):
    result = run("webrtc", *arguments)
    assert result.returncode == status and words in result.stderr and len(complaints(result)) == (status > 0)
    assert status or all(len(line) <= 80 for line in result.stdout.splitlines())


def test_reading_takes_no_more_memory_than_a_line():
    log = Log(io.BytesIO(b"# SCTP_PACKET" + b"x" * (3 * LINE_BYTES_MAX) + b"\n" + log_line(10 ** 9, True, bytes(12)).encode()))
    assert len(list(log.packets())) == 1 and log.unread == 1
    assert log.first_unread == 1


def sockets_of(count, tags_of):
    """Sockets that sent and received a packet each; tags_of(number): what these bear."""
    sockets = Sockets()
    for number in range(count):
        for is_sent, tag in zip((True, False), tags_of(number), strict=True):
            sockets.add(Packet(is_sent, 0, b"%d" % number, bytes(4) + tag.to_bytes(4, "big")))
    return sockets


SOCKETS = {"of strangers": lambda number: (2 * number + 1, 2 * number + 2), "all of one association": lambda number: (1 + number % 2, 2 - number % 2),
           "in pairs": lambda number: (number + 1, (number ^ 1) + 1)}


@pytest.mark.parametrize("kind", SOCKETS)
def test_twice_as_many_sockets_take_twice_as_many_steps(kind):
    small, large = (steps_of(sockets_of(count, SOCKETS[kind]).far_ends) for count in (1000, 2000))
    assert large < 2.2 * small


def test_the_far_end_of_a_socket_is_the_first_that_received_what_it_sent():
    assert sockets_of(6, SOCKETS["in pairs"]).far_ends() == {b"1": b"0", b"3": b"2", b"5": b"4"}
    assert sockets_of(5, SOCKETS["all of one association"]).far_ends() == {b"1": b"0", b"3": b"0"}
    assert sockets_of(3, SOCKETS["of strangers"]).far_ends() == {}


def test_of_many_sockets_that_are_left_out_the_rest_is_a_number(capsys):
    chosen = webrtc._chosen(sockets_of(100, SOCKETS["in pairs"]), None, "x.log")
    said = capsys.readouterr().err.splitlines()
    assert len(chosen) == 50 and len(said) == 21 and said[-1] == "run: x.log: left out 30 more sockets, other endpoints as well"


HEAD_BEGIN = b"[1:2:0101/000000.1:V:"
LONG_LINES = {
    "of heads": HEAD_BEGIN + b"text_pcap_packet_observer" * (LINE_BYTES_MAX // 25), "of a head and blanks": HEAD_BEGIN + b"text_pcap_packet_observer]" + b" " * LINE_BYTES_MAX + b"x",
    "of heads, brackets and blanks": (HEAD_BEGIN + b"text_pcap_packet_observer" * 100 + b"] ") * (LINE_BYTES_MAX // 2500),
    "of beginnings": b"# SCTP_PACKET" + b"O 10:00:00.1 0000 aa " * (LINE_BYTES_MAX // 22), "of bytes": b"# SCTP_PACKETO 10:00:00.1 0000" + b" aa" * (LINE_BYTES_MAX // 3 - 20),
    "of blanks": b"# SCTP_PACKETO 10:00:00.1" + b" " * (LINE_BYTES_MAX - 100) + b"0000 aa", "of digits": b"# SCTP_PACKETO 10:00:00." + b"1" * (LINE_BYTES_MAX - 100),
}


@pytest.mark.parametrize("kind", LONG_LINES)
def test_a_long_line_takes_as_long_as_many_short_ones(kind):
    began_s = time.process_time()
    assert list(Log(io.BytesIO(LONG_LINES[kind] + b"\n")).packets()) == []
    assert time.process_time() - began_s < 2


@pytest.fixture
def chromium_log(tmp_path):
    log = tmp_path / "chrome_debug.log"
    log.write_bytes(gzip.decompress((RECORDED / "chromium.log.gz").read_bytes()))
    log.chmod(0o644)
    tmp_path.chmod(0o755)
    return log


def head_of(log):
    """Date and time of the first line before a packet."""
    return re.match(r"\[\d+:\d+:(\d\d)(\d\d)/(\d\d)(\d\d)(\d\d)\.(\d{6}):", log.read_text()).groups()


def json_of(*arguments, environment=None):
    result = run("-z", "sctp,json", *arguments, environment=environment)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout), complaints(result)


def test_both_endpoints_in_a_log_of_chromium_are_one_association_and_colliding_inits_as_well(chromium_log):
    analysis, said = json_of(chromium_log)
    assoc, = analysis["associations"]
    assert (assoc["setup"], assoc["packets"] * 2) == ("complete", chromium_log.read_text().count("# SCTP_PACKET"))
    assert "collision" in [event["kind"] for event in assoc["events"]]
    assert [end["addresses"][0] for end in assoc["endpoints"]] in (["local@0", "remote@0"], ["remote@0", "local@0"])
    assert len(said) == 1 and "left out DcSctpTransport" in said[0]


def test_each_socket_of_a_log_of_chromium_shows_the_same_association(chromium_log, tmp_path):
    names = sorted(set(re.findall(r"# SCTP_PACKET (\S+)", chromium_log.read_text())))
    process = re.match(r"\[(\d+):", chromium_log.read_text())[1]
    found = []
    for name in names:
        made = tmp_path / f"{name}.pcapng"
        assert run("webrtc", "--socket", f"{name}@{process}", chromium_log, made).returncode == 0
        made.chmod(0o644)
        assoc, = json_of(made)[0]["associations"]
        found.append((assoc["setup"], assoc["packets"], {kind: sorted(counts) for kind, counts in assoc["chunks"].items()}))
    assert len(names) == 2 and found[0] == found[1]
    result = run("webrtc", "--socket", "nobody", chromium_log, tmp_path / "none.pcapng")
    assert result.returncode == 1 and "has no socket nobody" in result.stderr and not (tmp_path / "none.pcapng").exists()


def test_messages_of_a_log_of_chromium_are_whole(chromium_log):
    result = run("-z", "sctp,messages", chromium_log)
    assert "DATA_CHANNEL_OPEN_REQUEST      4 " in result.stdout and "incomplete" not in result.stdout


@pytest.mark.parametrize("years_later", [0, 3])
def test_times_are_those_of_the_heads_in_a_log_of_chromium(chromium_log, years_later):
    month, day, hour, minute, second, fraction = map(int, head_of(chromium_log))
    written = datetime.datetime(2026 + years_later, 12, 31, 12, tzinfo=datetime.timezone.utc)
    os.utime(chromium_log, (0, written.timestamp()))
    analysis, _ = json_of(chromium_log, environment={"TZ": "UTC"})
    wanted = datetime.datetime(written.year, month, day, hour, minute, second, fraction, tzinfo=datetime.timezone.utc)
    assert abs(analysis["capture"]["start_epoch_s"] - wanted.timestamp()) < 2e-6


def test_a_head_of_the_29th_of_february_is_of_a_leap_year():
    changed = datetime.datetime(2027, 3, 1, 12)
    assert midnight_ns(0, changed.timestamp(), (2, 29)) == int(datetime.datetime(2024, 2, 29).timestamp()) * 10 ** 9


def test_sockets_of_two_processes_with_one_name_are_two(chromium_log):
    text = chromium_log.read_text()
    process = re.match(r"\[(\d+):", text)[1]
    both = text + text.replace(f"[{process}:", "[1:")
    assert {packet.socket.split(b"@")[1] for packet in Log(io.BytesIO(both.encode())).packets()} == {process.encode(), b"1"}


def test_a_key_log_opens_a_capture_of_dtls(tmp_path):
    analysis, said = json_of("--keys", RECORDED / "pion.keys", RECORDED / "pion.pcap.gz")
    assert [assoc["encapsulation"] for assoc in analysis["associations"]] == ["dtls"] and said == []
    private = tmp_path / "private.keys"
    private.write_bytes((RECORDED / "pion.keys").read_bytes())
    private.chmod(0o600)
    again, _ = json_of(f"--keys={private}", RECORDED / "pion.pcap.gz")
    assert again["associations"] == analysis["associations"]
    without = run(RECORDED / "pion.pcap.gz")
    assert without.returncode == 0 and "has no SCTP packets" in without.stderr


@pytest.mark.parametrize("content, words", [(None, "there is no such file"), ("", "is empty"), ("a text\n", "holds no keys of DTLS")])
def test_a_bad_key_log_is_one_line_and_status_1(tmp_path, content, words):
    keys = tmp_path / "x.keys"
    if content is not None:
        keys.write_text(content)
    result = run("--keys", keys, RECORDED / "pion.pcap.gz")
    assert result.returncode == 1 and len(complaints(result)) == 1 and f"{keys}: " in result.stderr and words in result.stderr
