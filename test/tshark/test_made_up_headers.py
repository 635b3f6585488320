# SPDX-License-Identifier: GPL-2.0-or-later
"""DATA with the TSN of another message, as in captures whose headers were made up: the reports say so, and count no retransmission."""

import pytest
from application_messages import M3UA, Conversation, ScenarioBuilder, chunks, m3ua
from report_text import split_reports
from test_messages import Report

ASPUP, ASPUP_ACK, ASPAC = (3, 1), (3, 4), (4, 1)


def reports_of(tshark, folder, scenario):
    scenario.write_capture(folder / "capture.pcapng")
    result = tshark("-q", "-r", folder / "capture.pcapng", "-z", "sctp,triage", "-z", "sctp,json", "-z", "sctp,messages")
    assert result.returncode in (0, 2), result.stderr
    return split_reports(result.stdout)


def counts(reports):
    """(TSNs, retransmissions) of endpoint 0."""
    direction = reports["json"]["associations"][0]["directions"][0]
    return direction["tsns"], sum(direction["retransmissions"].values())


def quality(reports):
    return {entry["kind"]: (entry["count"], entry["first_frame"]) for entry in reports["json"]["capture"]["quality"]}


def test_messages_that_share_a_tsn_are_no_retransmissions(tshark, tmp_path):
    talk = Conversation(M3UA, ports=(2905, 2905))
    messages, tsn = [m3ua(*ASPUP), m3ua(*ASPAC, b"a longer one."), m3ua(*ASPUP_ACK, b"...."), m3ua(*ASPAC)], talk.ends[0].tsn
    for ssn, message in enumerate(messages):
        talk.send(0, chunks.data(tsn, message, 0, ssn, M3UA))
    reports = reports_of(tshark, tmp_path, talk)
    assert quality(reports)["other_message"] == (3, 6)
    page = " ".join(reports["triage"].split())
    assert "3 packets have DATA with the TSN of another message (first: frame 6): made-up headers" in page
    assert counts(reports) == (1, 0)
    finding, = reports["json"]["associations"][0]["findings"]
    assert (finding["rule"], finding["count"]) == ("TX-002", 3)


def test_each_is_a_message_of_the_application(tshark, tmp_path):
    talk = Conversation(M3UA, ports=(2905, 2905))
    tsn = talk.ends[0].tsn
    talk.send(0, chunks.data(tsn, m3ua(*ASPUP), 0, 0, M3UA)).send(0, chunks.data(tsn, m3ua(*ASPAC), 0, 1, M3UA))
    talk.write_capture(tmp_path / "capture.pcapng")
    result = tshark("-q", "-r", tmp_path / "capture.pcapng", "-z", "sctp,messages")
    # Wireshark does not call a dissector for the TSN that it has seen before.
    assert [(row.name, row.count) for row in Report(result.stdout).rows] == [("ASPUP", 1), ("-", 1)], result.stdout


@pytest.mark.parametrize("changes", [{}, {"flags": chunks.BEGIN | chunks.END | 8}], ids=["the same", "another I bit"])
def test_the_same_message_again_is_a_retransmission(changes, tshark, tmp_path):
    scenario = ScenarioBuilder().set_up()
    tsn = scenario.ends[0].tsn
    scenario.send(0, chunks.data(tsn, b"message", 0, 0, 0)).wait(10**9).send(0, chunks.data(tsn, b"message", 0, 0, 0, **changes))
    reports = reports_of(tshark, tmp_path, scenario)
    assert "other_message" not in quality(reports)
    assert counts(reports) == (1, 1)
