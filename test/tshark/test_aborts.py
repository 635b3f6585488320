# SPDX-License-Identifier: GPL-2.0-or-later
"""Why associations were aborted, against what the programs of the lab did (scenario.sh of each capture), and against scripts."""

import json
import pathlib
import struct

import pytest
from report_text import split_reports

from reference import thin
from reference.cases import TAGS, Script
from scenarios.generate import chunks

CAPTURES = pathlib.Path(__file__).resolve().parent.parent / "captures"
ABORTS = [
    ("linux/aborts/A", 0, "application", "likely"),       # abort in mid-transfer
    ("linux/aborts/A", 1, "unread_data", "likely"),       # close() with ten messages unread
    ("linux/aborts/A", 2, "no_listener", "likely"),       # closed port
    ("linux/aborts/A", 3, "no_association", "proven"),    # the server had exited, its own ABORT was lost
    ("linux/aborts/B", 1, "unread_data", "likely"),
    ("usrsctp/aborts/A", 0, "application", "likely"),
    ("usrsctp/aborts/A", 1, "unread_data", "likely"),
    ("usrsctp/aborts/A", 3, "gave_up", "likely"),         # --assocmax 4, the host does not answer
    ("linux/t3-death/A", 0, "gave_up", "likely"),         # the link is dead
    ("usrsctp/t3-death/A", 0, "gave_up", "likely"),
    ("usrsctp/mh-v4v6/A", 0, "gave_up", "likely"),
    ("linux/vantage-setup/A", 6, "gave_up", "possible"),  # Linux counts on in SHUTDOWN-PENDING, though HEARTBEATs are answered
    ("dcsctp/abort/A", 0, "application", "likely"),
    ("pion/abort/A", 0, "application", "likely"),
]


def capture_at(name):
    return next(path for path in (CAPTURES / name).parent.iterdir() if path.name.startswith(f"{name[-1]}.pcap"))


def read(tshark, path):
    result = tshark("-q", "-r", path, "-z", "sctp,json", "-z", "sctp,triage")
    assert result.returncode in (0, 2), result.stderr
    reports = split_reports(result.stdout)
    return reports["json"]["associations"], " ".join(reports["triage"].split())


def read_script(tshark, tmp_path, script):
    path = tmp_path / "script.pcapng"
    thin.write(path, script.frames)
    associations, text = read(tshark, path)
    return associations[0]["abort"], text


@pytest.mark.parametrize("name, number, reason, certainty", ABORTS)
def test_names_the_reason_of_an_abort(tshark, name, number, reason, certainty):
    result = tshark("-q", "-r", capture_at(name), "-z", "sctp,json")
    abort = json.loads(result.stdout)["associations"][number]["abort"]
    assert (abort["reason"], abort["certainty"]) == (reason, certainty)


def test_an_abort_that_the_application_wished_is_told_from_others(tshark):
    wished = {name: [index for index, assoc in enumerate(read(tshark, capture_at(name))[0]) if assoc["abort"] and assoc["abort"]["by_application"]]
              for name in ("linux/aborts/A", "usrsctp/aborts/A", "linux/t3-death/A", "linux/vantage-setup/A", "dcsctp/abort/A", "pion/abort/A")}
    # Neither what gave up its peer, also where it names cause 12 (linux/vantage-setup, 6), nor a refused set-up.
    assert wished == {"linux/aborts/A": [0, 1], "usrsctp/aborts/A": [0, 1], "linux/t3-death/A": [], "linux/vantage-setup/A": [],
                      "dcsctp/abort/A": [0], "pion/abort/A": [0]}


def test_an_association_that_shut_down_has_no_abort(tshark):
    result = tshark("-q", "-r", capture_at("linux/bulk-loss1/A"), "-z", "sctp,json")
    assert all(association["abort"] is None for association in json.loads(result.stdout)["associations"])


def violation(text):
    return chunks.tlv(13, text)


@pytest.mark.parametrize("cause, named", [
    (chunks.tlv(1, struct.pack("!HH", 77, 0)), "Invalid Stream Identifier: stream 77"),
    (chunks.tlv(2, struct.pack("!IHH", 2, 7, 0x8008)), "Missing Mandatory Parameter: State Cookie, Supported Extensions"),
    (chunks.tlv(3, struct.pack("!I", 1500)), "Stale Cookie: by 1500 us"),
    (chunks.tlv(5, chunks.tlv(11, b"host.example")), "Unresolvable Address: Host Name Address host.example"),
    (chunks.tlv(6, chunks.chunk(0x3E)), "Unrecognized Chunk Type: chunk type 0x3E"),
    (chunks.tlv(8, chunks.tlv(0x9000)), "Unrecognized Parameters: parameter 0x9000"),
    (chunks.tlv(9, struct.pack("!I", 4711)), "No User Data: TSN 4711"),
    (chunks.tlv(11, chunks.address("10.9.9.9")), "Restart of an Association with New Addresses: 10.9.9.9"),
    (violation(b"odd chunk"), 'Protocol Violation, "odd chunk"'),
])
def test_says_what_a_cause_names_and_which_packet_it_answers(tshark, tmp_path, cause, named):
    script = Script()
    asked = script.data(0)
    script.send(1, chunks.abort(cause))
    abort, text = read_script(tshark, tmp_path, script)
    assert named in text
    assert (abort["reason"], abort["certainty"], abort["reason_frame"]) == ("answer", "likely", asked)
    assert f"most likely it answers frame {asked} of endpoint 0" in text


def test_an_abort_long_after_the_last_packet_of_the_peer_answers_none(tshark, tmp_path):
    script = Script()
    script.data(0)
    script.pause(1)
    script.send(1, chunks.abort(violation(b"odd chunk")))
    abort, text = read_script(tshark, tmp_path, script)
    assert (abort["reason"], abort["reason_frame"]) == ("answer", None)
    assert "it answers" not in text


def test_an_abort_after_the_own_shutdown_did_not_wait(tshark, tmp_path):
    script = Script()
    script.data(0)
    script.sack(0)
    asked = script.send(0, chunks.shutdown(4999))
    script.pause(3)
    script.send(0, chunks.abort())
    abort, text = read_script(tshark, tmp_path, script)
    assert (abort["reason"], abort["reason_frame"]) == ("after_shutdown", asked)
    assert f"after its own SHUTDOWN, frame {asked}, which was not completed" in text


@pytest.mark.parametrize("a_rwnds, certainty", [((9000, 8000, 7000), "likely"), ((8000, 9000, 7000), "possible")])
def test_a_window_that_was_read_from_makes_unread_data_less_likely(tshark, tmp_path, a_rwnds, certainty):
    script = Script()
    for tsn, a_rwnd in enumerate(a_rwnds):
        script.data(tsn, size=1000)
        last = script.send(1, script.sack_chunk(tsn, a_rwnd=a_rwnd))
    script.send(1, chunks.abort(chunks.user_abort(b"")))
    abort, _ = read_script(tshark, tmp_path, script)
    assert (abort["reason"], abort["certainty"], abort["reason_frame"], abort["unread_bytes"]) == ("unread_data", certainty, last, 2000)


def ignored_abort(count):
    """Endpoint 0 aborts; endpoint 1 sends data all the same, each answered by ABORT with T bit. The frame of the first ABORT."""
    script = Script()
    script.data(0)
    script.sack(0)
    aborted = script.send(0, chunks.abort(chunks.user_abort(b"enough")))
    for turn in range(count):
        script.pause(2)
        script.data(turn, end=1)
        script.send(0, chunks.abort(t=True), tag=TAGS[0])
    return script, aborted


def test_an_abort_that_its_receiver_ignores_says_for_how_long_it_goes_on(tshark, tmp_path):
    script, aborted = ignored_abort(3)
    abort, text = read_script(tshark, tmp_path, script)
    assert abort["frame"] == aborted
    assert f"by endpoint 0 after 60.00 ms, frame {aborted}: User-Initiated Abort" in text
    assert "endpoint 1 goes on for 6.0" in text and "(3 packets, the last in frame" in text
    assert "answered by 3 more ABORTs: it ignores ABORTs, or they are lost between capture point and it; endpoint 0 has no association any more" in text


def test_an_abort_after_which_both_go_on_was_not_taken(tshark, tmp_path):
    script = Script()
    script.data(0)
    script.sack(0)
    aborted = script.send(1, chunks.abort())
    script.pause(1)
    for tsn in (1, 2):
        script.data(tsn)
        script.sack(tsn)
    script.send(0, chunks.shutdown(4999))
    script.send(1, chunks.shutdown_ack())
    script.send(0, chunks.shutdown_complete())
    path = tmp_path / "script.pcapng"
    thin.write(path, script.frames)
    associations, text = read(tshark, path)
    events = [(event["kind"], event["frame"], event["detail"]) for event in associations[0]["events"] if "abort" in event["kind"]]
    assert (associations[0]["end"], associations[0]["end_by"], associations[0]["abort"]) == ("shutdown", 0, None)
    assert events == [("abort", aborted, None),
                      ("abort_not_taken", aborted, f"its receiver goes on in frame {aborted + 1}, and so does its sender in frame {aborted + 2}")]
    assert "Failures" not in text and "abort not taken: its receiver goes on" in text


def test_an_abort_by_another_host_of_an_endpoint_that_goes_on_is_of_neither(tshark, tmp_path):
    script = Script()
    script.data(0)
    script.sack(0)
    script.send(1, chunks.abort(t=True), tag=TAGS[1])
    script.pause(1)
    for tsn in range(3):
        script.data(tsn, end=1)
        script.send(0, chunks.abort(t=True), tag=TAGS[0])
    path = tmp_path / "script.pcapng"
    thin.write(path, script.frames)
    associations, text = read(tshark, path)
    assert (associations[0]["end"], associations[0]["end_by"]) == ("abort", None)
    assert "endpoint 1 itself goes on with the association" in text
    assert "another host sent the ABORT from an address of it; endpoint 0 took it and has no association any more" in text


def test_aborts_that_answer_each_cookie_echo_with_the_tag_of_another_association_are_named(tshark, tmp_path):
    script = Script(set_up=False)
    script.send(0, chunks.init(TAGS[0], 1000), tag=0)
    script.send(1, chunks.init_ack(TAGS[1], 5000))
    for _ in range(3):
        script.send(0, chunks.cookie_echo())
        script.send(1, chunks.abort(chunks.user_abort(b"bye")), tag=0x0DDBA11)
        script.pause(3)
    path = tmp_path / "script.pcapng"
    thin.write(path, script.frames)
    associations, text = read(tshark, path)
    assert [association["end"] for association in associations] == ["failed"]
    assert ("3 COOKIE ECHOs, but no COOKIE ACK: 10.0.1.1 answers with 3 ABORTs, the first in frame 4, of tag 0x00ddba11, which nobody announced in "
            "this set-up: most likely of an earlier association of these ports, which it still holds; 10.0.0.1 has to discard them") in text


def test_a_shutdown_that_nobody_completes_is_a_failure_with_who_asked(tshark):
    """The way to endpoint 0 is dead: it sent SHUTDOWN and gets none of seven SHUTDOWN ACKs."""
    path = CAPTURES / "usrsctp/t3-death/B.pcapng.gz"
    page = " ".join(tshark("-q", "-r", path, "-z", "sctp,triage").stdout.split())
    assert "Failures: 2 of 2 associations" in page
    assert "endpoint 1 sent SHUTDOWN ACK 7 times up to frame 495, and nothing of endpoint 0 passed after the first of them" in page
    ends = [(entry["end"], entry["end_by"]) for entry in json.loads(tshark.json_report(path))["associations"]]
    assert ends == [("abort", 0), ("not_closed", None)]
