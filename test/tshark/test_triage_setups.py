# SPDX-License-Identifier: GPL-2.0-or-later
"""-z sctp,triage of set-ups that fail, of addresses that never answer, of ports that are used again."""

import dataclasses

import pytest
from report_text import split_reports

from reference import thin
from reference.cases import ADDRESSES, START_NS, TAGS, Script
from reference.frames import Frame
from scenarios.generate import chunks, packet

SILENCE_S = 5
LISTED = chunks.address("10.0.1.1") + chunks.address("10.1.1.1")


def triage_of(tshark, script, tmp_path):
    path = tmp_path / "script.pcapng"
    thin.write(path, script.frames)
    result = tshark("-q", "-r", path, "-z", "sctp,triage")
    assert result.returncode == 0, result.stderr
    return " ".join(split_reports(result.stdout)["triage"].split())


def attempt(*answers):
    """An INIT, answers, the same once more after some silence, and the set-up of another association long after."""
    script = Script(set_up=False)
    for _ in range(2):
        script.send(0, chunks.init(TAGS[0], 1000), tag=0)
        for end, chunk in answers:
            script.send(end, chunk)
        script.pause(SILENCE_S)
    script.send(1, chunks.init(TAGS[1], 1), path=1, tag=0)
    return script


INIT_ACK = (1, chunks.init_ack(TAGS[1], 5000))
OUT_OF_RESOURCE = chunks.tlv(4)
COOKIE_ECHO = (0, chunks.cookie_echo())


@pytest.mark.parametrize(
    "answers, words",
    [
        ((), "no INIT ACK: 10.0.1.1 does not receive the INIT or does not answer it, or its answer does not pass the capture point"),
        ((INIT_ACK,), "2 INIT ACKs, the first after 10.00 ms, but no COOKIE ECHO: the INIT ACK does not reach 10.0.0.1, or it discards it"),
        ((INIT_ACK, COOKIE_ECHO), "2 COOKIE ECHOs, but no COOKIE ACK: 10.0.1.1 does not receive or discards the COOKIE ECHO"),
    ],
)
def test_a_set_up_that_fails_names_the_missing_step(tshark, tmp_path, answers, words):
    assert words in triage_of(tshark, attempt(*answers), tmp_path)


def repeated(*answers, times=3):
    """An INIT and what follows it, again and again; the capture ends with the last of it."""
    script = Script(set_up=False)
    for turn in range(times):
        script.pause(2 if turn else 0)
        script.send(0, chunks.init(TAGS[0], 1000), tag=0)
        for end, chunk in answers:
            script.send(end, chunk)
    return script


@pytest.mark.parametrize(
    "answers, words",
    [
        ((), "3 INITs in 4.0"),
        ((INIT_ACK,), "3 INIT ACKs, the first after 10.00 ms, but no COOKIE ECHO: the INIT ACK does not reach 10.0.0.1, or it discards it"),
        ((INIT_ACK, COOKIE_ECHO), "3 COOKIE ECHOs, but no COOKIE ACK: 10.0.1.1 does not receive or discards the COOKIE ECHO"),
    ],
)
def test_a_set_up_that_fails_says_so_without_any_silence_after_it(tshark, tmp_path, answers, words):
    text = triage_of(tshark, repeated(*answers), tmp_path)
    assert "Failures: 1 of 1 association" in text and words in text and "then silence" not in text


@pytest.mark.parametrize("answers", [(), (INIT_ACK,), (INIT_ACK, COOKIE_ECHO)])
def test_a_set_up_of_which_nothing_was_repeated_may_be_under_way(tshark, tmp_path, answers):
    assert "Failures" not in triage_of(tshark, repeated(*answers, times=1), tmp_path)


@pytest.mark.parametrize("lost_at, passed", [(0, 1), (1, 0)])
def test_an_init_ack_that_passes_one_of_two_interfaces_is_dropped_between_them(tshark, tmp_path, lost_at, passed):
    script, frames = repeated(INIT_ACK), []
    for frame in script.frames:
        is_answer = frame.number % 2 == 0
        for interface in (passed,) if is_answer else (0, 1):
            frames.append(dataclasses.replace(frame, number=len(frames) + 1, interface=interface, time_ns=frame.time_ns + 40_000 * interface))
    path = tmp_path / "two.pcapng"
    thin.write(path, frames)
    text = " ".join(tshark("-q", "-r", path, "-z", "sctp,triage").stdout.split())
    assert (f"but no COOKIE ECHO: the INIT ACK in frame 3 passes interface {passed}, and not interface {lost_at}, while the INIT passes both: most "
            "likely it is dropped between them") in text


@pytest.mark.parametrize("causes, is_unserved", [((), True), ((OUT_OF_RESOURCE,), False)])
def test_an_abort_without_cause_is_that_of_a_host_without_listener(tshark, tmp_path, causes, is_unserved):
    script = Script(set_up=False)
    script.send(0, chunks.init(TAGS[0], 1000), tag=0)
    script.send(1, chunks.abort(*causes), tag=TAGS[0])
    assert ("a host on which nothing listens at port 5002 answers so" in triage_of(tshark, script, tmp_path)) == is_unserved


def unanswered(payloads, sender=0):
    """Packets of one endpoint, of which each goes out twice, and a packet of another association long after."""
    script = Script(set_up=False)
    for number, payload in enumerate(payloads * 2):
        frame = packet.ethernet(packet.ip(ADDRESSES[sender][0], ADDRESSES[1 - sender][0], payload, identification=number + 1), towards=1 - sender)
        script.frames.append(Frame(number + 1, START_NS + number * 10**9, 0, 1, frame, len(frame)))
    script.pause(20)
    script.send(1, chunks.init(TAGS[1], 1), path=1, tag=0)
    return script


def for_port(port, *some_chunks, is_source=False):
    """A packet to port 5002 of port 5001, with the checksum of one to, or of, another port."""
    made = packet.sctp(port if is_source else 5001, 5002 if is_source else port, 0, *some_chunks)
    return packet.sctp(5001, 5002, 0, *some_chunks, checksum=made[8:12])


@pytest.mark.parametrize("port, is_source, windows, likely", [(38412, False, [9000], "most likely "), (9, False, [9000, 8000], ""),
                                                              (2905, True, [9000, 8000], "")])
def test_a_port_that_was_changed_without_the_checksum_is_named(port, is_source, windows, likely, tshark, tmp_path):
    """The same packet again proves nothing more: its checksum may fit by chance."""
    payloads = [for_port(port, chunks.init(TAGS[0], 1000, a_rwnd=window), is_source=is_source) for window in windows]
    page = triage_of(tshark, unanswered(payloads), tmp_path)
    side = "source" if is_source else "destination"
    assert f"no INIT ACK: {likely}10.0.1.1 discards what it gets: every packet of endpoint 0 has a wrong CRC32c, which would be right for " \
        f"{side} port {port}: a translator changed the port without computing the checksum anew" in page
    assert "does not receive the INIT" not in page


def test_a_wrong_checksum_that_fits_no_port_names_none(tshark, tmp_path):
    payloads = [packet.sctp(5001, 5002, 0, chunks.init(TAGS[0], 1000, a_rwnd=window), checksum=b"\1\2\3\4") for window in (9000, 8000)]
    page = triage_of(tshark, unanswered(payloads), tmp_path)
    assert "either 10.0.1.1 discards what it gets, since all 4 packets of endpoint 0 have a wrong checksum; or hardware" in page
    assert "translator" not in page


@pytest.mark.parametrize("windows", [[9000], [9000, 8000]])
def test_an_init_with_checksum_zero_may_be_discarded(windows, tshark, tmp_path):
    payloads = [packet.sctp(5001, 5002, 0, chunks.init(TAGS[0], 1000, a_rwnd=window), checksum=bytes(4)) for window in windows]
    page = triage_of(tshark, unanswered(payloads), tmp_path)
    assert f"either 10.0.1.1 discards what it gets, since all {2 * len(windows)} packets of endpoint 0 have checksum 0, which no INIT may have (RFC 9653); " \
        "or hardware computes the checksum behind the capture point" in page
    assert "nobody agreed on that" in page


def test_a_sender_whose_packets_without_checksum_are_answered_leaves_it_to_the_hardware(tshark, tmp_path):
    script = Script(set_up=False)
    for number, tag in enumerate((TAGS[0], 7)):
        script.send(0, chunks.init(tag, 1000), tag=0, checksum=bytes(4))
        if number == 0:
            script.send(1, chunks.init_ack(TAGS[1], 5000))
            script.send(0, chunks.cookie_echo(), checksum=bytes(4))
            script.send(1, chunks.cookie_ack())
            script.send(0, chunks.abort(), checksum=bytes(4))
    script.pause(20)
    script.send(1, chunks.init(TAGS[1], 1), path=1, tag=0)
    page = triage_of(tshark, script, tmp_path)
    assert "discards what it gets" not in page
    assert "no INIT ACK: 10.0.1.1 does not receive the INIT or does not answer it" in page


def heartbeats(answered):
    """Three HEARTBEATs to each of two listed addresses, of which the second never answers."""
    script = Script(set_up=False)
    script.send(0, chunks.init(TAGS[0], 1000), tag=0)
    script.send(1, chunks.init_ack(TAGS[1], 5000, params=LISTED))
    script.send(0, chunks.cookie_echo())
    script.send(1, chunks.cookie_ack())
    for number in range(3):
        for path in range(2):
            info = f"heartbeat {path} {number}".encode()
            script.send(0, chunks.heartbeat(info), path=path)
            if path in answered:
                script.send(1, chunks.heartbeat_ack(info), path=path)
            script.pause(1)
    return script


def test_an_address_that_never_answers_is_one_sentence_with_advice(tshark, tmp_path):
    words = "1 of the 2 addresses that endpoint 1 listed in its INIT ACK never answered (10.1.1.1): bind its SCTP to the others, or route it"
    triage = triage_of(tshark, heartbeats(answered=(0,)), tmp_path)
    assert words in triage and "did not answer 3" not in triage
    assert "never answered" not in triage_of(tshark, heartbeats(answered=(0, 1)), tmp_path)


def test_the_same_ports_set_up_again_are_linked(tshark, tmp_path):
    script = Script()
    script.data(0)
    script.sack(0)
    script.send(0, chunks.abort())
    script.pause(3)
    later = Script(tsns=(900_000, 800_000), set_up=False)
    later.frames, later.paused_ns = script.frames, script.paused_ns
    later._set_up(later.tsns, 10_000)
    later.data(0)
    triage = triage_of(tshark, later, tmp_path)
    assert "set up again as #1, 3.010 s later" in triage and "set up again as #2" not in triage
