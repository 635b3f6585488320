# SPDX-License-Identifier: GPL-2.0-or-later
"""-z sctp,triage of set-ups that fail, of addresses that never answer, of ports that are used again."""

import dataclasses
import ipaddress
import zlib

import pytest
import report_text

from reference import thin
from reference.cases import ADDRESSES, START_NS, TAGS, Script
from reference.frames import Frame
from scenarios.generate import chunks, packet

SILENCE_S = 5
LISTED = chunks.address("10.0.1.1") + chunks.address("10.1.1.1")


def triage_of(tshark, script, tmp_path):
    path = tmp_path / "script.pcapng"
    thin.write(path, script.frames)
    return report_text.triage_of(tshark, path)


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


@pytest.mark.parametrize("end", [0, 1])
def test_an_init_at_the_end_of_the_capture_may_still_be_answered(end, tshark, tmp_path):
    """Nothing was due yet from the other endpoint, so that nothing of it is missing; DATA alone shows that something is."""
    script = Script(set_up=False)
    script.send(end, chunks.init(TAGS[end], 1000), tag=0)
    page = triage_of(tshark, script, tmp_path)
    assert "Capture: good" in page and "one direction" not in page and "Failures" not in page
    script.data(0, end=end)
    assert "1 association seen in one direction only" in triage_of(tshark, script, tmp_path)


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


def echoes_at_two(tmp_path, acked_at, near=0, clock_ns=0, times=3, goes_on=False, asking=0):
    """COOKIE ECHOs of an endpoint, captured at the interface near it and the other one, 0.3 ms apart; their COOKIE ACKs pass the interfaces of acked_at."""
    script = Script(set_up=False)
    script.send(asking, chunks.init(TAGS[asking], 1000), tag=0)
    script.send(1 - asking, chunks.init_ack(TAGS[1 - asking], 5000))
    answers = []
    for turn in range(times):
        script.pause(2**turn if turn else 0)
        script.send(asking, chunks.cookie_echo())
        script.send(1 - asking, chunks.cookie_ack())
        answers.append(script.frames[-1])
    if goes_on:
        script.send(asking, chunks.heartbeat(b"info"))
    sightings = []
    for at, frame in enumerate(script.frames):
        sender = asking if at in (0, *range(2, len(script.frames), 2)) else 1 - asking
        for interface in (0, 1):
            is_first_there = (sender == asking) == (interface == near)
            if frame not in answers or interface in acked_at:
                sightings.append((frame.time_ns + (0 if is_first_there else 300_000) + clock_ns * interface, interface, frame))
    sightings.sort(key=lambda sighting: sighting[:2])
    path = tmp_path / "two.pcapng"
    thin.write(path, [dataclasses.replace(frame, number=number, interface=interface, time_ns=time_ns)
                      for number, (time_ns, interface, frame) in enumerate(sightings, 1)])
    return path


@pytest.mark.parametrize("near, asking, clock_ns, frame", [(0, 0, 0, 7), (1, 0, 0, 7), (0, 1, -8_500_000_000, 4), (1, 1, 8_500_000_000, 4)])
def test_a_cookie_ack_that_passes_one_of_two_interfaces_is_dropped_between_them(tshark, tmp_path, near, asking, clock_ns, frame):
    path = echoes_at_two(tmp_path, (1 - near,), near, clock_ns, asking=asking)
    text = " ".join(tshark("-q", "-r", path, "-z", "sctp,triage").stdout.split())
    assert "Failures: 1 of 1 association" in text and "set-up partial" in text and "set-up took" not in text
    assert (f"3 COOKIE ECHOs: the COOKIE ACK in frame {frame} passes interface {1 - near}, and not interface {near}, while the INIT ACK passes both: "
            f"most likely it is dropped between them, and 10.0.{asking}.1 never has an association") in text
    assert "loss between interfaces" not in text.split("Not found:")[1]


@pytest.mark.parametrize("acked_at, options", [((0, 1), {}), ((1,), {"goes_on": True}), ((0,), {}), ((1,), {"times": 1})])
def test_a_cookie_ack_that_may_have_arrived_is_not_dropped_between_interfaces(tshark, tmp_path, acked_at, options):
    """It passes near the endpoint that asked, which goes on, or does not ask again."""
    text = " ".join(tshark("-q", "-r", echoes_at_two(tmp_path, acked_at, **options), "-z", "sctp,triage").stdout.split())
    assert "Failures" not in text and "dropped between" not in text


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
    assert words in triage and "no answer captured" not in triage
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


def packets(tshark, tmp_path, sent):
    """The page of `sent`: (time in s, source, its port, destination, its port, tag, chunk)."""
    frames = []
    for number, (time_s, source, port, destination, to_port, tag, chunk) in enumerate(sent, 1):
        whole = packet.ip(source, destination, packet.sctp(port, to_port, tag, chunk), identification=number)
        frame = packet.ethernet(whole, towards=int(source == CLIENT))
        frames.append(Frame(number, START_NS + int(time_s * 10**9), 0, 1, frame, len(frame)))
    path = tmp_path / "packets.pcapng"
    thin.write(path, frames)
    return " ".join(tshark("-q", "-r", path, "-z", "sctp,triage").stdout.split())


CLIENT, OTHER, SERVER, NGAP_PORT = "10.0.0.1", "10.0.0.7", "10.0.1.1", 38412


def asked_in_vain(*others, seconds=(0, 1, 3, 7)):
    """INITs from port 5000 of the client that nobody answers, and others: (time in s, client, its port, server's port) that are answered."""
    sent = [(time_s, CLIENT, 5000, SERVER, NGAP_PORT, 0, chunks.init(0x11111111, 1)) for time_s in seconds]
    for nth, (time_s, client, port, to_port) in enumerate(others):
        sent += [(time_s, client, port, SERVER, to_port, 0, chunks.init(0x22222222 + nth, 7)),
                 (time_s + 0.04, SERVER, to_port, client, port, 0x22222222 + nth, chunks.init_ack(0x33333333 + nth, 9)),
                 (time_s + 0.05, client, port, SERVER, to_port, 0x33333333 + nth, chunks.cookie_echo()),
                 (time_s + 0.09, SERVER, to_port, client, port, 0x22222222 + nth, chunks.cookie_ack())]
    return sorted(sent, key=lambda each: each[0])


@pytest.mark.parametrize("others, words", [
    ([(2, CLIENT, 51877, NGAP_PORT)], "meanwhile it answered an INIT from port 51877 of the same host (#1, frame 4)"),
    ([(4, OTHER, 5000, NGAP_PORT)], "meanwhile it answered an INIT of 10.0.0.7:5000 (#1, frame 5)"),
    ([(2, OTHER, 5000, NGAP_PORT), (4, CLIENT, 6000, NGAP_PORT)], "meanwhile it answered an INIT from port 6000 of the same host (#2, frame 9)"),
])
def test_a_server_that_answers_others_meanwhile_is_said_to(tshark, tmp_path, others, words):
    assert words in packets(tshark, tmp_path, asked_in_vain(*others))


@pytest.mark.parametrize("other", [(9, CLIENT, 51877, NGAP_PORT), (2, CLIENT, 51877, 36412)])
def test_what_it_answered_later_or_at_another_port_says_nothing(tshark, tmp_path, other):
    page = packets(tshark, tmp_path, asked_in_vain(other))
    assert "does not receive the INIT or does not answer it" in page and "meanwhile it answered" not in page


@pytest.mark.parametrize("end", [0, 1])
def test_data_between_the_same_ports_is_not_called_a_set_up(tshark, tmp_path, end):
    """INITs without answer, and 90 s later data of an association whose set-up the capture lacks."""
    hosts = (CLIENT, 5000), (SERVER, NGAP_PORT)
    data = [(97 + nth / 100, *hosts[end], *hosts[1 - end], 0x23611D75, chunks.data(0x40000000 + nth, b"later")) for nth in range(2)]
    page = packets(tshark, tmp_path, asked_in_vain() + data)
    assert f"#1 follows 90.00 s later, another association (tag 0x23611d75 of endpoint 1), whose set-up is not in the capture" in page
    assert "set up again" not in page


def adler32(sctp):
    return (zlib.adler32(sctp[:8] + bytes(4) + sctp[12:])).to_bytes(4, "big")


@pytest.mark.parametrize("start_s, ends", [(984_564_727, (0, 1)), (1_009_900_000, (0,)), (1_400_000_000, (0, 1))])
def test_adler32_is_a_remark_in_its_time_alone(tshark, tmp_path, start_s, ends):
    """March 2001, December 2001 of one endpoint, May 2014."""
    script = Script()
    for nth in range(4):
        script.data(nth)
        script.sack(nth)
    frames, summed = [], 0
    for frame in script.frames:
        is_old = int(frame.data[26:30] == ipaddress.ip_address(ADDRESSES[1][0]).packed) in ends
        sctp = frame.data[34:]
        data = frame.data[:34] + sctp[:8] + adler32(sctp) + sctp[12:] if is_old else frame.data
        summed += is_old
        frames.append(dataclasses.replace(frame, data=data, time_ns=frame.time_ns - START_NS + start_s * 10**9))
    path = tmp_path / "adler.pcapng"
    thin.write(path, frames)
    page = " ".join(tshark("-q", "-r", path, "-z", "sctp,triage").stdout.split())
    assert (f"{summed} packets have Adler-32 checksums, as RFC 2960 asked before RFC 3309" in page) == (start_s < 1_032_000_000)
