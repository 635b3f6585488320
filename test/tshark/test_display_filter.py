# SPDX-License-Identifier: GPL-2.0-or-later
"""Captures saved through a display filter on what DATA carries: packets without DATA are gone. The reports say so and say nothing of what
needs the acknowledgements that went with them; they say it of no capture that is worse in another way."""

import dataclasses

import pytest
from conftest import CAPTURES, MORE_CAPTURES, capture_files, capture_id, one_in
from report_text import split_reports

from reference import frames, thin
from reference.cases import Script
from reference.chunks import HEADER_BYTES
from scenarios.generate import chunks, compare

ADVICE = 'Save with the display filter "sctp"'
PUBLIC = capture_files([MORE_CAPTURES])
LAB = capture_files([CAPTURES])


def reports_of(tshark, capture):
    result = tshark("-q", "-r", capture, "-z", "sctp,triage", "-z", "sctp,json")
    assert result.returncode == 0, result.stderr
    return split_reports(result.stdout)


def words(triage):
    return " ".join(triage.split())


def cut(tshark, capture, folder):
    """In two passes the fragments of IP packets come along, as when Wireshark exports what it displays."""
    path = folder / "data_only.pcapng"
    result = tshark("-2", "-r", capture, "-Y", "sctp.chunk_type == 0 || sctp.chunk_type == 64", "-w", path, plugin=False)
    assert result.returncode == 0, result.stderr
    return path


def directions(document):
    return [direction for association in document["associations"] for direction in association["directions"]]


def rules(document):
    return {finding["rule"] for association in document["associations"] for finding in association["findings"]}


def missed(document):
    return sum(direction["missed_by_capture"] or 0 for direction in directions(document))


def retransmitted(document):
    return sum(sum(direction["retransmissions"].values()) for direction in directions(document))


# Rules by those that report their cause, which stands in the set-up, in their place.
HAVE_THE_CAUSE = {"AS-001": {"AS-027", "AS-028"}}


@pytest.mark.thorough_but_one_in(12)
@pytest.mark.parametrize("filtered_capture", [*PUBLIC, *one_in(8, LAB)], ids=capture_id)
def test_a_capture_cut_to_its_data_has_no_trouble_that_the_whole_has_not(filtered_capture, tshark, tmp_path):
    whole, part = reports_of(tshark, filtered_capture), reports_of(tshark, cut(tshark, filtered_capture, tmp_path))
    for heading in ("\nStalls: ", "\nReceiver windows: ", "\nGrowing queues: "):
        assert heading not in part["triage"]
    assert "no answer captured" not in words(part["triage"])
    assert "\nPath troubles: " not in part["triage"] or "\nPath troubles: " in whole["triage"]
    assert "longest without an ack" not in words(part["triage"])
    in_whole = rules(whole["json"])
    assert rules(part["json"]) <= in_whole | {rule for rule, by in HAVE_THE_CAUSE.items() if by & in_whole}
    assert retransmitted(part["json"]) <= retransmitted(whole["json"])
    assert missed(part["json"]) <= missed(whole["json"])
    for direction in directions(part["json"]):
        assert direction["rtt_ms"] is None and direction["sack_delay_ms"] is None and direction["closed_windows"] is None
        assert all(count == 0 for kind, count in direction["retransmissions"].items() if kind != "unknown")
    check_remark(part)


def check_remark(part):
    both_ways = [entry for entry in part["json"]["associations"] if all(direction["wire_bytes"] for direction in entry["directions"])]
    remarks = {remark["kind"]: remark for remark in part["json"]["capture"]["quality"]}
    assert (remarks["data_only"]["count"] if both_ways else "data_only" not in remarks) == (len(both_ways) or True)
    assert (ADVICE in words(part["triage"])) == bool(both_ways)
    if both_ways:
        assert "Capture: read with care" in part["triage"]


def exchange(script, first, rounds, pause):
    """Requests and answers that carry the SACKs; the SACK of an answer stands alone and is not there."""
    for tsn in range(first, first + rounds):
        script.data(tsn)
        script.send(1, script.sack_chunk(tsn), chunks.data(5000 + tsn, bytes(40)))
        script.pause(pause)


def test_the_filter_is_certain_where_a_sender_must_have_had_an_ack(tshark, tmp_path):
    script = Script(set_up=False)
    exchange(script, 0, 4, pause=20)
    thin.write(tmp_path / "filtered.pcapng", script.frames)
    assert "(first: 0): a display filter left out" in words(reports_of(tshark, tmp_path / "filtered.pcapng")["triage"])


def test_a_short_piece_may_have_been_taken_so(tshark, tmp_path):
    script = Script(set_up=False)
    exchange(script, 0, 4, pause=0)
    thin.write(tmp_path / "short.pcapng", script.frames)
    assert "(first: 0): perhaps a display filter left out" in words(reports_of(tshark, tmp_path / "short.pcapng")["triage"])


def test_nothing_is_said_of_a_filter_where_the_capture_holds_other_packets(tshark, tmp_path):
    script = Script()
    exchange(script, 0, 4, pause=20)
    thin.write(tmp_path / "whole.pcapng", script.frames)
    triage = reports_of(tshark, tmp_path / "whole.pcapng")["triage"]
    assert "display filter" not in triage and "\nStalls: " not in triage


def test_loss_is_not_called_a_filter_for_certain(tshark, tmp_path):
    """An association of which the capture missed the acks that stood alone, beside one with a lone SACK on other addresses."""
    script = Script(set_up=False)
    exchange(script, 0, 4, pause=20)
    script.data(8000, path=1, tag=78)
    script.sack(8000, path=1, tag=79)
    thin.write(tmp_path / "lossy.pcapng", script.frames)
    reports = reports_of(tshark, tmp_path / "lossy.pcapng")
    assert len(reports["json"]["associations"]) == 2
    assert "(first: 0): perhaps a display filter left out" in words(reports["triage"])


def test_what_is_selected_of_a_capture_does_not_make_it_a_filtered_one(tshark, tmp_path):
    script = Script(set_up=False)
    exchange(script, 0, 2, pause=0)
    first = len(script.frames)
    script.sack(2, end=0, path=1, tag=77)
    thin.write(tmp_path / "two.pcapng", script.frames)
    for filter in ("", f",frame.number <= {first}"):
        result = tshark("-q", "-r", tmp_path / "two.pcapng", "-z", f"sctp,json{filter}", "-z", f"sctp,triage{filter}")
        assert "display filter" not in words(split_reports(result.stdout)["triage"]).replace("Display filter", "")
        assert "data_only" not in {remark["kind"] for remark in split_reports(result.stdout)["json"]["capture"]["quality"]}


def test_a_sack_that_is_cut_inside_holds_no_data(tshark, tmp_path):
    script = Script(set_up=False)
    exchange(script, 0, 2, pause=0)
    script.sack(2, (3, 3), end=0)
    cut = [dataclasses.replace(frame, data=frame.data[:54]) if frame is script.frames[-1] else frame for frame in script.frames]
    thin.write(tmp_path / "cut.pcapng", cut)
    assert "display filter" not in words(reports_of(tshark, tmp_path / "cut.pcapng")["triage"])


def test_heartbeats_beside_data_are_not_called_unanswered(tshark, tmp_path):
    """Their HEARTBEAT ACKs stand alone, and such packets the filter left out."""
    script = Script(set_up=False)
    for tsn in range(6):
        script.send(0, chunks.heartbeat(bytes([tsn]) * 8), chunks.data(1000 + tsn, bytes(40)))
        script.send(1, script.sack_chunk(tsn), chunks.data(5000 + tsn, bytes(40)))
        script.pause(1)
    thin.write(tmp_path / "beside.pcapng", script.frames)
    assert "no answer captured" not in words(reports_of(tshark, tmp_path / "beside.pcapng")["triage"])


@pytest.mark.parametrize("end", [0, 1])
def test_one_direction_is_no_filter(end, tshark, tmp_path):
    capture = CAPTURES / "linux" / "bidir" / "A.pcapng.gz"
    there = {packet.frame for packet in frames.sctp_packets(frames.frames(capture))
             if packet.src == ("10.1.0.1", "10.1.1.1")[end] and any(chunk.type in HEADER_BYTES for chunk in packet.chunks)}
    assert there
    thin.write(tmp_path / "one_way.pcapng", [frame for frame in frames.frames(capture) if frame.number in there])
    triage = words(reports_of(tshark, tmp_path / "one_way.pcapng")["triage"])
    assert "seen in one direction only" in triage and ADVICE not in triage


def test_fields_say_nothing_of_acks_until_a_packet_without_data(tshark, tmp_path):
    script = Script(set_up=False)
    exchange(script, 0, 3, pause=0)
    alone = script.sack(2, end=0)
    script.data(3)
    script.sack(3)
    thin.write(tmp_path / "middle.pcapng", script.frames)
    names = tuple(f"sctp.analysis.{name}" for name in ("rtt", "sack.delay", "flight"))
    rows = list(compare.fields(tshark, tmp_path / "middle.pcapng", ("frame.number", *names), ("-2",)))
    for (frame,), *values in rows:
        assert any(values) == (int(frame) >= alone)


def test_pauses_of_data_alone_are_not_known(tshark, tmp_path):
    only_data = tmp_path / "data.pcapng"
    whole = next(path for path in LAB if "linux/bidir/A" in str(path))
    assert tshark("-r", whole, "-Y", "sctp.chunk_type == 0", "-w", only_data).returncode == 0
    text = tshark("-q", "-r", only_data, "-z", "sctp,pauses").stdout
    assert "Pauses are not known" in text and "2 directions with data left out: the capture does not have the acknowledgements" in text
    assert "lost s" not in text
