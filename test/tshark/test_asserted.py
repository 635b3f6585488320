# SPDX-License-Identifier: GPL-2.0-or-later
"""What the user asserts, as users of tshark and ./run see it: what rests on it, that it was asserted, that a capture refutes it."""

import json
import pathlib
import subprocess
import sys

import pytest

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(TOP / "test" / "model")]

import scenario_builder  # noqa: E402, F401
from chapters.sacks import MS, TEN_ROUNDS, duplicated  # noqa: E402
from chapters.timers import init_again_after_half_a_second, init_again_after_three_seconds  # noqa: E402
from received_data import received  # noqa: E402

RULE, PROFILE = "RX-014", ("-o", "sctp_analysis.profile:9260")
SURE = ("-o", "sctp_analysis.capture_complete:TRUE", "-o", "sctp_analysis.taken_at:10.0.0.1",
        "-o", "sctp_analysis.endpoint_parameters:10.0.0.1 RTO.Max=60000")
RESTS_ON = "rests on what you asserted: complete, taken-at"


@pytest.fixture
def once(tmp_path):
    """One duplicate is answered late: a violation where it surely arrived, and the answer is surely not missing."""
    path = tmp_path / "once.pcapng"
    duplicated(TEN_ROUNDS.made(), times=1, gap_ns=150 * MS).write_capture(path)
    return path


@pytest.fixture
def incomplete(tmp_path):
    """A chunk is acknowledged that is not in the capture, nor is the identification of its packet."""
    path = tmp_path / "incomplete.pcapng"
    scenario = received(20)
    scenario.lose(1)
    scenario.new_id(1)
    scenario.data(1).sack(0).write_capture(path)
    return path


def report(tshark, path, name, *options):
    result = tshark("-q", "-r", path, *PROFILE, *options, "-z", f"sctp,{name}")
    assert result.returncode == 0, result.stderr
    return " ".join(result.stdout.split())


def test_a_finding_says_what_it_rests_on(once, tshark):
    assert RULE not in report(tshark, once, "findings")
    for name in ("findings", "triage"):
        page = report(tshark, once, name, *SURE)
        assert RULE in page and RESTS_ON in page
    document = json.loads(tshark("-q", "-r", once, *PROFILE, *SURE, "-z", "sctp,json").stdout)
    finding, = (finding for assoc in document["associations"] for finding in assoc["findings"] if finding["rule"] == RULE)
    assert finding["rests_on"] == ["complete", "taken-at"]


@pytest.mark.parametrize("make, asserted, expected, rests_on", [
    (init_again_after_three_seconds, 5000, "INIT retransmitted after 5 s or more, as asserted", ["RTO.Initial"]),
    (init_again_after_half_a_second, 2000, "INIT retransmitted after 2 s or more, as asserted", [])])
def test_a_finding_rests_on_a_parameter_only_where_it_is_none_without(make, asserted, expected, rests_on, tmp_path, tshark):
    make().write_capture(tmp_path / "capture.pcapng")
    document = json.loads(tshark("-q", "-r", tmp_path / "capture.pcapng", "-o", f"sctp_analysis.endpoint_parameters:10.0.0.1 RTO.Initial={asserted}",
                                 "-z", "sctp,json").stdout)
    (finding,) = (finding for assoc in document["associations"] for finding in assoc["findings"] if finding["rule"] == "TM-002")
    assert finding["expected"] == expected and finding["rests_on"] == rests_on


def test_triage_says_what_was_asserted(once, tshark):
    assert "asserted" not in report(tshark, once, "triage")
    assert "asserted complete; taken at 10.0.0.1; 10.0.0.1 RTO.Max=60000" in report(tshark, once, "triage", *SURE)


def test_run_asserts_what_its_options_say(once, tshark):
    result = subprocess.run([TOP / "run", "--complete", "--taken-at", "10.0.0.1", "--parameter", "10.0.0.1 RTO.Max=60000",
                             *PROFILE, once], capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, result.stderr
    page = " ".join(result.stdout.split())
    assert RESTS_ON in page and "asserted complete; taken at 10.0.0.1; 10.0.0.1 RTO.Max=60000" in page


def test_a_wrong_ack_does_not_refute_that_a_capture_is_complete(tmp_path, tshark):
    scenario = received(20)
    scenario.lose(1)
    scenario.data(1).sack(0).write_capture(tmp_path / "acked.pcapng")
    assert "although that was asserted" not in report(tshark, tmp_path / "acked.pcapng", "triage", *SURE)


@pytest.fixture
def unanswered(tmp_path):
    """A capture that ends with a COOKIE ECHO."""
    whole = TOP / "test/captures/dcsctp/abort/A.pcap.gz"
    subprocess.run(["editcap", "-r", whole, tmp_path / "unanswered.pcapng", "1-3"], check=True, capture_output=True)
    return tmp_path / "unanswered.pcapng"


@pytest.mark.parametrize("seconds, is_found", [(None, False), ("0.5", False), ("0.7", True)])
def test_run_asserts_how_long_nothing_came_after_the_last_packet(unanswered, seconds, is_found):
    words = ["--complete", "--taken-at", "10.9.1.1", *(["--quiet-until", seconds] if seconds else [])]
    result = subprocess.run([TOP / "run", *words, "-z", "sctp,json", unanswered], capture_output=True, text=True, timeout=300)
    document = json.loads(result.stdout)
    assert any(finding["rule"] == "HS-016" for assoc in document["associations"] for finding in assoc["findings"]) == is_found
    assert document["capture"]["asserted"]["quiet_until_s"] == float(seconds or 0)


@pytest.mark.parametrize("text", ["0", "0.0009", "-1", "soon", "1e9", "nan", "inf", "4294968", "\u0663"])
def test_run_refuses_seconds_that_no_capture_is_quiet_for(unanswered, text):
    result = subprocess.run([TOP / "run", f"--quiet-until={text}", unanswered], capture_output=True, text=True, timeout=300)
    assert result.returncode == 2 and "--quiet-until" in result.stderr and "0.001" in result.stderr


def test_a_capture_that_lacks_packets_refutes_that_it_is_complete(incomplete, tshark):
    assert "although that was asserted: frame" in report(tshark, incomplete, "triage", *SURE)
    assert "although that was asserted" not in report(tshark, incomplete, "triage")
