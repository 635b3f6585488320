# SPDX-License-Identifier: GPL-2.0-or-later
"""Reports reach whoever asked, or tshark says so: a full disk, what others have still to write, memory however long a report is.

Leaves out what the reports say.
"""

import json
import pathlib
import re
import struct
import subprocess

import pytest

DEMO = pathlib.Path(__file__).resolve().parent.parent / "captures" / "demo.pcapng.gz"
FULL = pathlib.Path("/dev/full")
NEEDS_FULL = pytest.mark.skipif(not FULL.is_char_device(), reason="needs /dev/full")
NO_SPACE = "could not be written: No space left on device"
INITS = 20_000

# What a statistic does that writes its file at the end: others of tshark's and of plugins do the same by other means.
WRITES_AT_EXIT = """
#include <stdio.h>
#include <stdlib.h>
static void write_file(void)
{
    FILE *file = fopen(getenv("SCTPA_TEST_FILE"), "w");
    fputs("written", file);
    fclose(file);
}
__attribute__((constructor)) static void start(void) { atexit(write_file); }
"""

# Runs a command; writes the kilobytes it had at most.
PEAK = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True); " \
       "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)"


def to_full_disk(tshark, *reports):
    with open(FULL, "wb") as full:
        return tshark("-q", "-r", DEMO, *[word for report in reports for word in ("-z", report)], stdout=full)


@pytest.mark.thorough
@NEEDS_FULL
def test_no_report_is_lost_on_a_full_disk_without_a_word_and_a_status(tshark):
    # sctp,stat is Wireshark's own.
    listed = [name for name in re.findall(r"^ +(sctp,[a-z]+)$", tshark("-z", "help").stderr, re.M) if name != "sctp,stat"]
    assert len(listed) > 10
    for report in listed:
        result = to_full_disk(tshark, report if report != "sctp,series" else "sctp,series,0")
        assert (result.returncode, result.stderr) == (1, f"tshark: -z {report} {NO_SPACE}\n"), report


@NEEDS_FULL
def test_each_report_that_a_full_disk_takes_is_named(tshark):
    result = to_full_disk(tshark, "sctp,json", "sctp,series,0", "sctp,triage")
    assert result.returncode == 1
    assert sorted(result.stderr.splitlines()) == [f"tshark: -z {report} {NO_SPACE}" for report in ("sctp,json", "sctp,series", "sctp,triage")]


@pytest.fixture(scope="module")
def writer(tmp_path_factory):
    """A library that writes SCTPA_TEST_FILE when the process ends."""
    folder = tmp_path_factory.mktemp("writer")
    folder.chmod(0o755)
    (folder / "writer.c").write_text(WRITES_AT_EXIT)
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", folder / "writer.so", folder / "writer.c"], check=True)
    return folder / "writer.so"


@pytest.mark.parametrize("report", ["sctp,series,99", pytest.param("sctp,json", marks=NEEDS_FULL)])
def test_what_others_write_at_the_end_is_written_although_a_report_failed(tshark, tmp_path, writer, report):
    file, text = tmp_path / "file", tmp_path / "text"
    with open(text if "series" in report else FULL, "wb") as out:
        result = tshark("-q", "-r", DEMO, "-z", "io,phs", "-z", report, stdout=out, environment={"LD_PRELOAD": str(writer), "SCTPA_TEST_FILE": str(file)})
    assert result.returncode == 1 and len(result.stderr.splitlines()) == 1
    assert file.read_text() == "written"
    assert "series" not in report or "Protocol Hierarchy Statistics" in text.read_text()


def capture_of_inits(path):
    """An association per packet."""
    blocks = [struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 101)]
    for number in range(INITS):
        init = struct.pack(">HHII", 1024 + number, 36412, 0, 0) + struct.pack(">BBHIIHHI", 1, 0, 20, 1 + number, 65536, 10, 10, 77)
        packet = struct.pack(">BBHHHBBHII", 0x45, 0, 20 + len(init), number & 0xFFFF, 0, 64, 132, 0, 0xC0000201, 0xC0000202) + init
        blocks.append(struct.pack("<IIII", 1700000000 + number, 0, len(packet), len(packet)) + packet)
    path.write_bytes(b"".join(blocks))
    path.chmod(0o644)
    return path


def peak_bytes(tshark, capture, report):
    """The most memory that tshark had, whose report went nowhere."""
    result = tshark("-c", PEAK, "tshark", "-q", "-r", capture, "-z", report, program="/usr/bin/python3", stdout=subprocess.DEVNULL)
    assert result.returncode == 0, result.stderr
    return 1024 * int(result.stderr)


def test_memory_does_not_grow_with_the_text_of_a_report(tshark, tmp_path):
    capture = capture_of_inits(tmp_path / "inits.pcap")
    table, document = (peak_bytes(tshark, capture, report) for report in ("sctp,chunks", "sctp,json"))
    assert document - table < 8_000_000, f"{document:,} bytes for 50 MB of text, {table:,} for a table"


# Ends a live capture as Ctrl-C does while it waits for the second half, which comes then. (Of a file an interrupted tshark reports nothing.)
INTERRUPTED = """
import array, fcntl, gzip, os, signal, subprocess, sys, termios, time
capture = gzip.open(sys.argv[1]).read()
half = len(capture) // 2
tshark = subprocess.Popen(["tshark", "-q", "-i", "-", "-z", "sctp,json"], stdin=subprocess.PIPE, start_new_session=True,
                          preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
tshark.stdin.write(capture[:half])
tshark.stdin.flush()
unread = array.array("i", [1])
while unread[0]:
    time.sleep(0.1)
    fcntl.ioctl(tshark.stdin, termios.FIONREAD, unread)
time.sleep(1)
os.killpg(tshark.pid, signal.SIGINT)
try:
    tshark.stdin.write(capture[half:])
    tshark.stdin.close()
except BrokenPipeError:
    pass
sys.exit(tshark.wait())
"""


def test_an_interrupted_tshark_reports_what_it_has_read(tshark):
    whole = tshark("-q", "-r", DEMO, "-z", "sctp,json")
    result = tshark("-c", INTERRUPTED, DEMO, program="/usr/bin/python3")
    assert result.returncode == 0, result.stderr
    read, known = (json.loads(text)["associations"] for text in (result.stdout, whole.stdout))
    assert 0 < len(read) < len(known) and [assoc["index"] for assoc in read] == [assoc["index"] for assoc in known][:len(read)]
