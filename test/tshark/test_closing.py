# SPDX-License-Identifier: GPL-2.0-or-later
"""-z sctp,triage: associations of which a packet that closes them does not arrive (RFC 9260 9.2)."""

import json

import pytest

from application_messages import MS, ScenarioBuilder
from generate import chunks

S = 1000 * MS


def shutdown(scenario, sender):
    return scenario.send(sender, chunks.shutdown(scenario.ends[1 - sender].tsn - 1 & 0xFFFFFFFF))


def close_in_vain(closer, times, completed, addresses=("10.0.0.1", "10.0.0.2")):
    """Each repetition comes twice as long after the one before. completed: the closer got the SHUTDOWN ACK, and sends SHUTDOWN COMPLETE."""
    scenario = ScenarioBuilder(addresses).set_up().exchange(2)
    if completed:
        shutdown(scenario, closer)
    for nth in range(times):
        scenario.wait((S << nth) // 2 if nth else 0)
        if not completed:
            shutdown(scenario, closer)
        scenario.send(1 - closer, chunks.shutdown_ack())
        if completed:
            scenario.send(closer, chunks.shutdown_complete())
    return scenario


def read(tshark, folder, scenario):
    path = folder / "capture.pcapng"
    scenario.write_capture(path)
    page = tshark("-q", "-r", path, "-z", "sctp,triage").stdout
    return " ".join(page.split()), json.loads(tshark.json_report(path))["associations"][0]


@pytest.mark.parametrize("closer, times", [(0, 4), (1, 6)])
def test_shutdown_acks_that_do_not_arrive_leave_it_open(tshark, tmp_path, closer, times):
    page, entry = read(tshark, tmp_path, close_in_vain(closer, times, completed=False))
    assert f"endpoint {closer} sent SHUTDOWN {times} times up to frame {entry['last_frame'] - 1}, " in page
    assert f"though {times} SHUTDOWN ACKs of endpoint {1 - closer} passed: these do not reach endpoint {closer} (lost behind the capture point), or it ignores them" in page
    assert "not completed when the capture ends" in page
    assert (entry["end"], entry["end_by"]) == ("not_closed", None)
    asked = entry["not_closed"]
    assert (asked["endpoint"], asked["chunk"], asked["sent"], asked["answers"]) == (closer, "SHUTDOWN", times, times)
    assert asked["last_frame"] == entry["last_frame"] - 1 and asked["gave_up"] is False


@pytest.mark.parametrize("closer, times, addresses", [(0, 3, ("10.0.0.1", "10.0.0.2")), (1, 7, ("2001:db8::1", "2001:db8::2"))])
def test_shutdown_completes_that_do_not_arrive_are_a_path_trouble(tshark, tmp_path, closer, times, addresses):
    page, entry = read(tshark, tmp_path, close_in_vain(closer, times, True, addresses))
    assert f"endpoint {1 - closer} sent SHUTDOWN ACK {times} times " in page
    assert f"{times - 1} of them after a SHUTDOWN COMPLETE of endpoint {closer} had passed: these did not reach endpoint {1 - closer}" in page
    assert "not to blame" not in page
    assert (entry["end"], entry["end_by"], entry["not_closed"]) == ("shutdown", closer, None)


@pytest.mark.parametrize("closer", [0, 1])
def test_a_packet_of_the_closing_that_was_lost_once_is_nothing_to_tell(tshark, tmp_path, closer):
    page, entry = read(tshark, tmp_path, close_in_vain(closer, 2, completed=True))
    assert "had passed" not in page and entry["end"] == "shutdown"
    page, entry = read(tshark, tmp_path, close_in_vain(closer, 2, completed=False).send(closer, chunks.shutdown_complete()))
    assert "Failures" not in page and entry["end"] == "shutdown"
