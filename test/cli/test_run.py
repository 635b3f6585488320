# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects ./run: what it prints, its exit status and its one line on stderr for each thing that can go wrong.

Leaves out what stands in the reports and the installation of packages (test/versions/fresh tries that).
"""

import array
import concurrent.futures
import fcntl
import gzip
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import termios
import time

import pytest

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
DEMO = TOP / "test/captures/demo.pcapng.gz"
ROOT = os.geteuid() == 0
AS_ROOT = pytest.mark.skipif(not ROOT, reason="needs root")


def pcap(*payloads, protocol=132):
    """A capture of IPv4 packets, one second apart."""
    blocks = [struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 101)]
    for number, payload in enumerate(payloads):
        addresses = bytes([192, 0, 2, 1, 192, 0, 2, 2])
        packet = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(payload), number, 0, 64, protocol, 0) + addresses + payload
        blocks.append(struct.pack("<IIII", 1700000000 + number, 0, len(packet), len(packet)) + packet)
    return b"".join(blocks)


INIT = struct.pack(">HHII", 5000, 5001, 0, 0) + struct.pack(">BBHIIHHI", 1, 0, 20, 0x01020304, 65536, 10, 10, 77)
SCTP = pcap(INIT, INIT, INIT)


# Names that look like what tshark or ./run says of a capture.
ODD_NAMES = ["is invalid - .pcap", "x-z sctp,series,1: association.pcap", '"sctp_analysis.capture_name:.pcap',
             'a\n-o flag "sctp_analysis.capture_name:.pcap', 'b\nInvalid -z argument "sctp,json"; it must be.pcap',
             "c\nCouldn't register sctp,triage tap: d is invalid - .pcap", "cut short in the middle of a packet.pcap", "isn't a capture file.pcap",
             "$(touch touched) %s *.pcap", "'\"; touch touched #.pcap", "\\.pcap", "e.pcap\n"]


def run(*arguments, folder=TOP, user=None, environment=None, stdin=None, stdout=subprocess.PIPE):
    """./run arguments..., from another folder, as another user; returns CompletedProcess."""
    as_user = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"] if user else []
    variables = {key: value for key, value in os.environ.items() if not key.startswith("SUDO_")}
    return subprocess.run(
        [*as_user, TOP / "run", *arguments],
        cwd=folder,
        env={**variables, **(environment or {})},
        stdin=stdin or subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        timeout=600,
    )


def complaints(result):
    """What ./run wrote on stderr, without the line about running as another user."""
    return [line for line in result.stderr.splitlines() if "no plugins for root" not in line]


@pytest.fixture
def folder(tmp_path):
    """A folder with one of each: sound captures and all kinds of bad ones."""
    (tmp_path / "good.pcap").write_bytes(SCTP)
    (tmp_path / "with space.pcap.gz").write_bytes(gzip.compress(SCTP))
    (tmp_path / "-dash.pcap").write_bytes(SCTP)
    (tmp_path / "cut.pcap").write_bytes(SCTP[:-10])
    (tmp_path / "text.pcap").write_text("no capture at all\n" * 50)
    (tmp_path / "empty.pcap").write_bytes(b"")
    (tmp_path / "udp.pcap").write_bytes(pcap(struct.pack(">HHHH", 1, 2, 8, 0), protocol=17))
    return tmp_path


def test_reports_a_capture(folder):
    result = run(folder / "good.pcap")
    assert result.stdout and complaints(result) == [] and result.returncode == 0


def test_reports_the_demo_when_no_capture_is_given():
    if not DEMO.exists():
        pytest.skip("no demo capture")
    result = run(folder="/")
    assert result.stdout and complaints(result) == [] and result.returncode == 0


@pytest.mark.parametrize("arguments", [["good.pcap"], ["with space.pcap.gz"], ["--", "-dash.pcap"], ["./-dash.pcap"]])
def test_takes_any_name_from_any_folder(folder, arguments):
    result = run(*arguments, folder=folder)
    assert result.stdout and complaints(result) == [] and result.returncode == 0


@pytest.mark.parametrize(
    "name, cause, reported",
    [
        ("text.pcap", "is not a capture file", False),
        ("empty.pcap", "is empty", False),
        ("missing.pcap", "there is no such file", False),
        (".", "is a folder", False),
        ("cut.pcap", "cut short in the middle of a packet", True),
    ],
)
def test_names_file_and_cause_of_a_bad_capture_in_one_line(folder, name, cause, reported):
    result = run(name, folder=folder)
    (line,) = complaints(result)
    assert line.startswith(f"run: {name}: {cause}")
    assert result.returncode == 1
    assert bool(result.stdout) == reported


def test_control_characters_of_a_name_do_not_reach_the_terminal(folder):
    (folder / "a\n\x1b[31m.pcap").write_text("no capture")
    (line,) = complaints(run("a\n\x1b[31m.pcap", folder=folder))
    assert line.startswith("run: a??[31m.pcap: is not a capture")


CUT = "cut short in the middle of a packet; the report covers what is there"


@pytest.mark.thorough_but_one_in(4)
@pytest.mark.parametrize("mode, content, status, words", [
    (0o644, SCTP, 0, None), (0o644, SCTP[:-10], 1, CUT), pytest.param(0o600, SCTP[:-10], 1, CUT, marks=AS_ROOT),
    (0o644, b"no capture at all\n" * 50, 1, "is not a capture file that Wireshark understands"),
], ids=["sound", "cut", "cut and closed", "text"])
def test_a_name_is_not_taken_for_a_message(folder, mode, content, status, words):
    for name in ODD_NAMES:
        (folder / name).write_bytes(content)
        os.chmod(folder / name, mode)
    result = run("--", *ODD_NAMES, folder=folder)
    shown = [re.sub(r"[\x00-\x1f]", "?", name) for name in ODD_NAMES]
    assert complaints(result) == ([f"run: {name}: {words}" for name in shown] if words else []) and result.returncode == status
    assert result.stdout.count("SCTP triage") == (len(ODD_NAMES) if content[:4] == SCTP[:4] else 0)
    assert not (folder / "touched").exists()


def other_tshark(folder, shell):
    """An environment in which tshark is a piece of shell that may start the real one, "$tshark"."""
    (folder / "tools").mkdir()
    program = folder / "tools" / "tshark"
    program.write_text(f"#!/bin/bash\ntshark={shutil.which('tshark')}\n{shell}\n")
    program.chmod(0o755)
    folder.chmod(0o755)
    return {"PATH": f"{folder}/tools:{os.environ['PATH']}"}


@pytest.mark.parametrize("name", ["good.pcap", *ODD_NAMES[3:6]])
def test_a_plugin_that_is_not_loaded_is_said_so_whatever_the_name(folder, name):
    (folder / name).write_bytes(SCTP)
    result = run("--", name, "good.pcap", folder=folder, environment=other_tshark(folder, 'WIRESHARK_PLUGIN_DIR=/nonexistent exec "$tshark" "$@"'))
    line, = complaints(result)
    assert line.startswith("run: tshark did not load the plugin, built for Wireshark ") and "TShark (Wireshark)" in line and result.returncode == 3


@pytest.mark.skipif(not pathlib.Path("/dev/full").is_char_device(), reason="needs /dev/full")
@pytest.mark.parametrize("report", ["sctp,triage", "sctp,json", "sctp,series,0"])
def test_a_full_disk_is_one_line_and_status_1(folder, report):
    with open("/dev/full", "wb") as full:
        result = run("-z", report, "good.pcap", "good.pcap", folder=folder, stdout=full)
    assert complaints(result) == ["run: the report cannot be written: No space left on device"] and result.returncode == 1


def processes_of(session):
    listing = subprocess.run(["ps", "-eo", "pid=,sess="], capture_output=True, text=True, check=True).stdout
    return [pid for pid, of in map(str.split, listing.splitlines()) if of == str(session)]


def wait_until(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


def start(*arguments, **options):
    """./run arguments..., traced on stderr, in a session of its own; a Popen. It heeds SIGINT even where the tests were started without."""
    return subprocess.Popen(["bash", "-x", TOP / "run", *arguments], start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            encoding="utf-8", preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL), **options)


@pytest.mark.thorough_but_one_in(2)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_amid_a_capture_ends_all_at_once_and_leaves_nothing(folder, number):
    pipe = folder / "pipe.pcap"
    os.mkfifo(pipe)
    pipe.chmod(0o666)
    with start(pipe, folder / "good.pcap", stderr=subprocess.PIPE) as running:
        # Opened by who reads it, and kept open: the capture goes on.
        with open(pipe, "wb") as writer:
            writer.write(SCTP[:-10])
            writer.flush()
            time.sleep(1)
            os.killpg(running.pid, number)
            said = running.communicate(timeout=60)
    assert running.returncode == 128 + number and said[0] == ""
    assert "\nrun: /" not in said[1]
    wait_until(lambda: processes_of(running.pid) == [])
    assert_left_no_temporary_folder(said[1])


@pytest.mark.thorough_but_one_in(4)
@pytest.mark.parametrize("report, is_long", [("sctp,triage", False), ("sctp,series,0", True)], ids=["tshark_ended", "tshark_runs"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_it_while_nobody_reads_its_reports(folder, report, is_long, number):
    trace, looks = folder / "trace", []

    def is_waiting():
        looks.append(waiting_bytes(running.stdout))
        names = started_by(running.pid)
        return looks[-1] > 0 and looks[-5:] == [looks[-1]] * 5 and "python3" in names and ("tshark" in names) == is_long

    with trace.open("w") as log, start("-z", report, DEMO, stderr=log) as running:
        fcntl.fcntl(running.stdout, fcntl.F_SETPIPE_SZ, 4096)
        wait_until(is_waiting)
        os.kill(running.pid, number)
        assert running.wait(timeout=20) == 128 + number
        wait_until(lambda: processes_of(running.pid) == [])
    assert_left_no_temporary_folder(trace.read_text())


def started_by(pid):
    """The names of what a process started, in whatever session, and what that started, that have not ended."""
    listing = subprocess.run(["ps", "-eo", "pid=,ppid=,stat=,comm="], capture_output=True, text=True, check=True).stdout
    found, names = {str(pid)}, []
    for each, parent, state, name in sorted((line.split(None, 3) for line in listing.splitlines()), key=lambda row: int(row[0])):
        if parent in found:
            found.add(each)
            names += [name] * (state[0] != "Z")
    return names


def waiting_bytes(pipe):
    """What was written to a pipe and has not been read."""
    number = array.array("i", [0])
    fcntl.ioctl(pipe, termios.FIONREAD, number)
    return number[0]


def assert_left_no_temporary_folder(trace):
    (work,) = set(re.findall(r"work=(/tmp/\S+)", trace))
    assert not pathlib.Path(work).exists()


@pytest.mark.parametrize("report", ["sctp,triage", "sctp,json"])
def test_says_when_a_capture_has_no_sctp(folder, report):
    result = run("-z", report, "udp.pcap", folder=folder)
    (line,) = complaints(result)
    assert line.startswith("run: udp.pcap: ") and "no SCTP" in line
    assert result.returncode == 0


def test_reports_the_others_beside_a_bad_one(folder):
    alone = run("good.pcap", folder=folder).stdout
    result = run("text.pcap", "good.pcap", "missing.pcap", "good.pcap", folder=folder)
    assert result.stdout.count(alone) == 2 and len(complaints(result)) == 2 and result.returncode == 1


def test_an_unreadable_capture_is_named_to_a_user(folder):
    os.chmod(folder / "good.pcap", 0)
    result = run(folder / "good.pcap", user=65534 if ROOT else None)
    if "cannot build" in result.stderr or "Permission denied" in result.stderr:
        pytest.skip("the checkout is closed to other users")
    assert any("no permission to read it" in line for line in complaints(result)) and result.returncode == 1
    os.chmod(folder / "good.pcap", 0o644)
    (folder / "closed").mkdir()
    shutil.copy(folder / "good.pcap", folder / "closed")
    os.chmod(folder / "closed", 0)
    inside, absent = folder / "closed/good.pcap", folder / "no such folder/good.pcap"
    assert complaints(run(inside, absent, user=65534 if ROOT else None)) == [
        f"run: {inside}: no permission to read it", f"run: {absent}: there is no such file"]


@AS_ROOT
@pytest.mark.parametrize("name", ["good.pcap", "with space.pcap.gz"])
def test_root_may_report_what_only_root_can_read(folder, name):
    closed = folder / "closed"
    closed.mkdir(mode=0o700)
    shutil.copy(folder / name, closed)
    os.chmod(closed / name, 0o600)
    assert run(closed / name).stdout == run(folder / name).stdout
    cut = closed / "cut.pcap"
    cut.write_bytes(SCTP[:-10])
    os.chmod(cut, 0o600)
    result = run(cut)
    assert result.stdout and "cut short" in complaints(result)[0] and result.returncode == 1


@pytest.mark.parametrize("name", ["-", "/dev/stdin"])
def test_reads_a_pipe(folder, name):
    with subprocess.Popen(["cat", folder / "good.pcap"], stdout=subprocess.PIPE) as source:
        result = run(name, stdin=source.stdout)
    assert result.stdout and complaints(result) == [] and result.returncode == 0


@AS_ROOT
def test_root_is_told_who_runs_wireshark(folder):
    result = run(folder / "good.pcap")
    assert result.stderr.count("\n") == 1 and "65534" in result.stderr
    sudo = run(folder / "good.pcap", environment={"SUDO_UID": "12345", "SUDO_GID": "12345"})
    assert "12345" in sudo.stderr and sudo.stdout == result.stdout


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["-Y", "sctp.port =="], "filter is not valid"),
        (["-Y", "sctp.nonsense == 1"], "filter is not valid"),
        (["-z", "sctp,nonsense"], '"sctp,nonsense"'),
        (["-z", "nonsense"], '"nonsense"'),
        (["-o", "sctp.nonsense:1"], "sctp.nonsense"),
        (["-o", "nonsense"], "nonsense"),
        (["--nonsense"], "--nonsense"),
        (["-Y"], "-Y needs a value"),
        (["--gui", "a", "b"], "one capture"),
    ],
)
def test_wrong_usage_is_one_line_and_status_2(folder, arguments, words):
    result = run(*arguments, "good.pcap", folder=folder) if arguments[-1] != "-Y" else run(*arguments, folder=folder)
    (line,) = complaints(result)
    assert words in line and result.returncode == 2 and result.stdout == ""


def test_other_reports_and_filters_reach_tshark(folder):
    assert run("--report=sctp,json", "good.pcap", folder=folder).stdout.lstrip().startswith("{")
    everything, nothing = (run("-Y", text, "good.pcap", folder=folder) for text in ("sctp", "sctp.port == 1"))
    assert everything.returncode == nothing.returncode == 0 and everything.stdout != nothing.stdout


def test_help_names_every_option_and_status():
    text = run("--help").stdout
    for word in ("--report", "--filter", "--option", "--gui", "--install", "--build", "Exit status: 0"):
        assert word in text
    assert all(len(line) <= 80 for line in text.splitlines())


@pytest.fixture
def nothing_built(tmp_path):
    """A copy of ./run with nothing but what it is made of, and a PATH in which nothing can be installed."""
    copy, tools = tmp_path / "copy", tmp_path / "bin"
    shutil.copytree(TOP / "sctpa", copy / "sctpa")
    for name in ("run", "packaging/checkout.bash", "packaging/with_progress.bash", "docs/generated/reference.md"):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(TOP / name, copy / name)
    tools.mkdir()
    for name in ("bash", "dirname", "cat", "sed", "fmt", "mkdir", "flock", "sort", "grep"):
        (tools / name).symlink_to(shutil.which(name))

    def call(*arguments, **environment):
        variables = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
        return subprocess.run([copy / "run", *arguments], env={**variables, "PATH": str(tools), **environment}, stdin=subprocess.DEVNULL,
                              capture_output=True, encoding="utf-8", timeout=60)

    return call


def test_gui_without_a_display_is_refused_before_anything_is_installed(nothing_built, folder):
    result = nothing_built("--gui", folder / "good.pcap")
    assert result.returncode == 3 and result.stderr.count("\n") == 1 and "no display" in result.stderr
    with_display = nothing_built("--gui", folder / "good.pcap", DISPLAY=":99")
    assert with_display.returncode == 3 and "please install" in with_display.stderr


def test_gui_refuses_a_bad_capture_before_anything_is_installed(nothing_built, folder):
    result = nothing_built("--gui", folder / "missing.pcap", DISPLAY=":99")
    assert result.returncode == 1 and result.stderr == f"run: {folder}/missing.pcap: there is no such file\n"


@pytest.mark.parametrize("arguments, wanted", [(["--install"], True), (["--gui"], True), ([], False)])
def test_wireshark_is_installed_for_those_who_will_start_it(nothing_built, folder, arguments, wanted):
    (line,) = nothing_built(*arguments, folder / "good.pcap", DISPLAY=":99").stderr.splitlines()
    packages = line.partition("please install: ")[2].split()
    assert "tshark" in packages and ("wireshark" in packages) == wanted


def test_a_call_that_waits_for_the_build_of_another_says_so(nothing_built, folder):
    lock = folder / "copy/build/run.lock"
    lock.parent.mkdir()
    lock.write_text("building\n")
    with lock.open() as held, concurrent.futures.ThreadPoolExecutor(1) as pool:
        fcntl.flock(held, fcntl.LOCK_EX)
        call = pool.submit(nothing_built, "--build")
        time.sleep(4)
        fcntl.flock(held, fcntl.LOCK_UN)
    waits, misses = call.result().stderr.splitlines()
    assert waits == "run: waiting until another call of ./run has installed and built" and "please install" in misses


def test_work_of_minutes_shows_that_it_goes_on(tmp_path):
    """A line every ten seconds, here every second: with_progress of ./run alone."""
    source = (TOP / "packaging/with_progress.bash").read_text()
    function = re.search(r"^with_progress\(\) \{.*?^\}$", source, re.M | re.S).group(0).replace("+ 10", "+ 1")
    script = f"say() {{ echo \"[$*]\" >&2; }}\n{function}\nwith_progress building {tmp_path}/log " \
        "bash -c 'for i in 1 2 3 4 5; do printf \"step $i\\r\\n\"; sleep 0.6; done; exit 7'"
    result = subprocess.run(["bash", "-c", script], capture_output=True, encoding="utf-8")
    assert result.returncode == 7 and result.stdout == ""
    assert 2 <= len(re.findall(r"^\[building: step \d\]$", result.stderr, re.M)) <= 5
    assert (tmp_path / "log").read_text().splitlines() == [f"step {number}" for number in range(1, 6)]


def test_installs_for_the_calling_user(folder, tshark):
    home = folder / "home"
    home.mkdir()
    assert run("--install", environment={"HOME": str(home)}).returncode == 0
    (installed,) = home.glob(".local/lib/wireshark/plugins/*/epan/sctp_analysis.so")
    subprocess.run(["chmod", "-R", "a+rX", home], check=True)
    listing = tshark("-G", "plugins", plugin=False, environment={"HOME": str(home)})
    assert str(installed) in listing.stdout


def test_a_plugin_installed_before_is_not_loaded_twice(folder):
    if ROOT:
        pytest.skip("root's personal plugins are never loaded")
    (folder / "home").mkdir()
    home = {"HOME": str(folder / "home")}
    assert run("--install", environment=home).returncode == 0
    assert complaints(run(folder / "good.pcap", environment=home)) == []


@pytest.mark.parametrize("name", ["good.pcap", "text.pcap"])
def test_leaves_no_temporary_folder(folder, name):
    trace = subprocess.run(["bash", "-x", TOP / "run", folder / name], capture_output=True, text=True).stderr
    assert_left_no_temporary_folder(trace)


@pytest.mark.parametrize("report", ["sctp,watch", "sctp,watch,pause=5", "sctp,series,0"])
def test_a_report_without_a_filter_refuses_one(folder, report):
    result = run("-z", report, "-Y", "sctp", "good.pcap", folder=folder)
    assert complaints(result) == [f"run: -z {report} takes no display filter (-Y)"] and result.returncode == 2
