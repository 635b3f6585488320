# SPDX-License-Identifier: GPL-2.0-or-later
"""Captures made to hurt do not: no crash, no hang, no message of a bug, no terminal escapes, bounded output and memory.

What Wireshark alone cannot take (it has depth limits of its own) is not asked of the plugin: the run without it is the measure."""

import json
import os
import re
import subprocess

import pytest

from conftest import one_in, unprivileged
from scenarios.generate import compare, flood, hostile, merge
from scenarios.generate.cases import make

REPORTS = ("triage", "findings", "setup", "assocs", "chunks", "paths", "json")
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f\x80-\x9f\u202a-\u202e\u2066-\u2069]")
MIB = 1 << 20


@pytest.fixture(scope="session")
def hostile_capture(tmp_path_factory):
    """Path of the capture of a kind, written once."""
    made = {}

    def path(kind):
        if kind not in made:
            folder = tmp_path_factory.mktemp("hostile")
            os.chmod(folder, 0o755)
            made[kind] = folder / f"{kind}.pcapng"
            hostile.write(kind, made[kind])
        return made[kind]
    return path


@pytest.mark.parametrize("kind", hostile.KINDS)
def test_reports_survive(kind, hostile_capture, tshark):
    arguments = [argument for report in REPORTS for argument in ("-z", f"sctp,{report}")]
    result = tshark("-r", hostile_capture(kind), "-q", *arguments, timeout=120)
    assert result.returncode == 0, result.stderr
    compare.check_messages(result.stderr)
    assert len(result.stdout) < 8 * MIB


@pytest.mark.thorough_but_one_in(3, never="wild_sacks")
@pytest.mark.parametrize("kind", hostile.KINDS)
def test_reports_have_no_control_characters(kind, hostile_capture, tshark):
    for report in REPORTS:
        result = tshark("-r", hostile_capture(kind), "-q", "-z", f"sctp,{report}", timeout=120)
        assert CONTROL.findall(result.stdout)[:5] == [], report


@pytest.mark.parametrize("kind", hostile.KINDS)
def test_json_can_be_read(kind, hostile_capture, tshark):
    result = tshark("-r", hostile_capture(kind), "-q", "-z", "sctp,json", timeout=120, text=False)
    document = json.loads(result.stdout.decode("utf-8"))
    assert document["associations"]
    assert all(len(entry["events"]) <= 1100 for entry in document["associations"])


@pytest.mark.thorough_but_one_in(4, never="wild_sacks")
@pytest.mark.parametrize("kind", hostile.KINDS)
def test_whole_tree_survives(kind, hostile_capture, tshark):
    """With every chunk decoded, shown in full, in two passes; with all captures asked for, in one as well."""
    for passes in one_in(2, (("-2",), ())):
        runs = [tshark("-r", hostile_capture(kind), "-V", "-o", "sctp_analysis.decode:all", *passes, timeout=300, plugin=plugin, text=False)
                if plugin else tshark("-r", hostile_capture(kind), "-V", *passes, timeout=300, plugin=False, text=False) for plugin in (False, True)]
        assert runs[1].returncode == runs[0].returncode
        for word in (b"Dissector bug", b"ASSERT", b"tree_depth"):
            assert runs[1].stdout.count(word) <= runs[0].stdout.count(word), word
            assert runs[1].stderr.count(word) <= runs[0].stderr.count(word), runs[1].stderr[:500]
        assert len(runs[1].stdout) < 4 * len(runs[0].stdout) + 64 * MIB


def seconds_and_memory(tshark, path, *arguments, plugin=True):
    """(CPU seconds, peak KiB) of a run of tshark with the plugin or without."""
    folder = tshark.with_plugin if plugin else tshark.none
    variables = {**os.environ, "HOME": str(tshark.home), "WIRESHARK_PLUGIN_DIR": str(folder)}
    process = subprocess.Popen([*unprivileged(), "tshark", "-r", str(path), "-q", *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               env=variables, cwd=tshark.home)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def test_many_addresses_cost_no_square(tshark, tmp_path, hostile_capture):
    """40,000 packets from 20,000 addresses cost no more than a few times what as many from one address cost."""
    plain = make("long_silence")
    talk_items = plain.flows[0].items
    plain.flows[0].items = talk_items + talk_items[-2:] * 20_000
    path = tmp_path / "plain.pcapng"
    merge.write(plain, path)
    usual, _ = seconds_and_memory(tshark, path, "-z", "sctp,json")
    hostile_seconds, _ = seconds_and_memory(tshark, hostile_capture("many_addresses"), "-z", "sctp,json")
    assert hostile_seconds < 4 * usual + 1


@pytest.mark.thorough
def test_flood_of_inits_finds_the_real_association(tshark, tmp_path):
    """A million INITs: every packet is grouped, the real association is whole, time and memory are bounded."""
    path = tmp_path / "flood.pcapng"
    truth = flood.write(path, 1_000_000)
    real = next(key for key in truth.expect if key[0] == "real")
    frames = sorted(frame for frame, key in truth.assoc.items() if key == real)
    result = tshark("-r", path, "-n", "-Y", "ip.addr == 172.0.0.1", "-T", "fields", "-e", "frame.number", "-e", "sctp.analysis.assoc", timeout=300)
    rows = [line.split("\t") for line in result.stdout.splitlines()]
    assert [int(frame) for frame, _ in rows] == frames
    assert {assoc for _, assoc in rows} == {str(truth.numbers[real])}
    seconds, kibibytes = seconds_and_memory(tshark, path, "-z", "sctp,triage")
    assert seconds < 60
    _, kibibytes_without = seconds_and_memory(tshark, path, "-z", "io,stat,0", plugin=False)
    assert (kibibytes - kibibytes_without) * 1024 < 1_000_000 * 1300


@pytest.mark.parametrize("seed", range(6))
def test_flipped_bytes_do_no_harm(seed, tshark, tmp_path):
    names = ("restart", "asconf", "multihomed_known", "collision", "udp_rebinding", "icmp")
    whole, flipped = tmp_path / "whole.pcapng", tmp_path / "flipped.pcapng"
    case = make(names[seed], seed)
    merge.write(case, whole)
    hostile.flip(whole, flipped, seed)
    without = tshark("-r", flipped, "-V", plugin=False)
    result = tshark("-r", flipped, "-V", "-o", "sctp_analysis.decode:all", "-z", "sctp,json", "-z", "sctp,assocs", *case.options)
    assert result.returncode == 0, result.stderr
    compare.check_messages(result.stderr)
    assert result.stdout.count("Dissector bug") <= without.stdout.count("Dissector bug")
