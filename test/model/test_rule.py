# SPDX-License-Identifier: GPL-2.0-or-later
"""test/rule: what it prints of a rule, and scenarios that it writes from packets, which say what the capture says."""

import pathlib
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import accusations  # noqa: E402
import from_packets  # noqa: E402
import scenario_builder  # noqa: E402
from generate import chunks  # noqa: E402
from replay import extract  # noqa: E402

PROGRAM = scenario_builder.TOP / "test" / "rule"


def call(*words):
    return subprocess.run([PROGRAM, *words], stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=300)


def scenario_of(packets):
    names = {"ScenarioBuilder": scenario_builder.ScenarioBuilder, "chunks": chunks}
    exec(from_packets.scenario_text("made", packets), names)
    return names["made"]()


@pytest.mark.parametrize("name", ["linux/setup-shutdown-loss/A.pcapng.gz", "linux/mh-failover/B.pcapng.gz", "usrsctp/asconf-auth/A.pcapng.gz",
                                  "usrsctp/aborts/B.pcapng.gz", "pion/reset-streams/A.pcap.gz", "linux/udpencap/A.pcapng.gz"])
def test_a_scenario_from_packets_breaks_the_rules_that_they_break(name, tmp_path):
    packets = list(extract.packets(str(accusations.CAPTURES / name)))
    ports = {from_packets.struct.unpack_from("!HH", packets[0]["sctp"])}
    ports |= {pair[::-1] for pair in ports}
    packets = [packet for packet in packets if from_packets.struct.unpack_from("!HH", packet["sctp"]) in ports]
    for number, packet in enumerate(packets, 1):
        packet["frame"] = number
    (tmp_path / "packets").write_bytes(b"".join(extract.pack(**packet) for packet in packets))
    seen = scenario_builder.judge_files([str(tmp_path / "packets")], "9260")[str(tmp_path / "packets")]
    made = scenario_builder.judge({"made": scenario_of(packets)}, tmp_path, "9260")["made"]
    assert [finding[:7] for finding in made.findings] == [finding[:7] for finding in seen.findings]
    assert made.judged == seen.judged and made.verdicts == seen.verdicts


@pytest.mark.parametrize("chunk", [
    chunks.sack(7, 1000, gaps=[(2, 3), (5, 5)], duplicates=[9]), chunks.chunk(0, 3, bytes(7)), chunks.init_ack(1, 2, b"abc", chunks.address("10.0.0.1")),
    chunks.data(5, b"\3" + bytes(11), ppid=50), bytes.fromhex("03000001"), chunks.shutdown_complete(t=True), chunks.chunk(0xFE, 9, b"x"),
], ids=["SACK", "DATA_too_short", "INIT_ACK", "DCEP", "length_1", "T_bit", "unknown"])
def test_the_text_of_a_chunk_makes_its_bytes(chunk):
    assert eval(from_packets.chunk_text(chunk), {"chunks": chunks}) == chunk


def test_user_data_stays_behind():
    assert b"secret".hex() not in from_packets.chunk_text(chunks.data(1, b"secret"))


def test_prints_scenarios_and_mutations_of_a_rule():
    result = call("RX-010")
    assert result.returncode == 0, result.stderr
    assert "ok    scenario sacks_after_700_ms-RX-010: must be found, checked\n        RX-010 MUST" in result.stdout
    assert "ok    mutation sacks_after_700_ms of pion/" in result.stdout and result.stdout.endswith("all as it must be\n")


@pytest.mark.parametrize("words, cause", [
    (["XX-001"], "no rule XX-001"), ([], "either rules, or --from CAPTURE"), (["RX-010", "--from", "x"], "either rules, or --from CAPTURE"),
    (["--from", "/nowhere/x.pcap"], "/nowhere/x.pcap: "), (["--from", PROGRAM], f"{PROGRAM}: "), (["--from", "x", "--frames", "3"], "--frames 3: not as in 12-40"),
])
def test_wrong_usage_is_one_line(words, cause):
    result = call(*words)
    assert result.returncode == 2 and cause in result.stderr.splitlines()[-1]
