# SPDX-License-Identifier: GPL-2.0-or-later
"""-z sctp,triage of captures that lack all that an endpoint sent from some packet on, as its peer shows by going on."""

import pytest
from report_text import triage_of

from reference import thin
from reference.cases import TAGS, Script
from scenarios.generate import chunks


def page_of(tshark, script, tmp_path):
    path = tmp_path / "script.pcapng"
    thin.write(path, script.frames)
    return triage_of(tshark, path)


def set_up(*with_cookie):
    """Up to the COOKIE ECHO, in frame 3."""
    script = Script(set_up=False)
    script.send(0, chunks.init(TAGS[0], 1000), tag=0)
    script.send(1, chunks.init_ack(TAGS[1], 5000))
    script.send(0, chunks.cookie_echo(), *with_cookie)
    return script


def beats(script, count, chunk, end=0):
    for number in range(count):
        script.pause(30)
        script.send(end, chunk(b"beat %06d" % number))
    return script


def data_alone():
    script = set_up()
    for tsn in range(9):
        script.data(tsn)
        script.pause(2)
    return script


def data_bundled_and_heartbeats():
    return beats(set_up(chunks.data(1000, bytes(80))), 4, chunks.heartbeat)


@pytest.mark.parametrize("make", [data_alone, data_bundled_and_heartbeats])
@pytest.mark.parametrize("goes_on", [False, True])
def test_who_sends_packets_of_its_own_after_the_cookie_echo_has_had_the_cookie_ack(make, goes_on, tshark, tmp_path):
    script = make()
    if goes_on:
        script.pause(60)
        script.send(1, chunks.init(7, 1), path=1, tag=0)
    page = page_of(tshark, script, tmp_path)
    assert "the capture holds no packet of endpoint 1 after frame 2, though endpoint 0 is ESTABLISHED: from frame 4 on it sends packets without " \
        "COOKIE ECHO, so that it has had the COOKIE ACK (RFC 9260 5.1 C)" in page
    assert "Capture: good" not in page and "Transport: not judged: the capture lacks the acks" in page
    assert "Failures" not in page and "Pauses:" not in page and "no answer captured" not in page


@pytest.mark.parametrize("with_cookie", [(), (chunks.data(1000, bytes(80)),)])
def test_a_cookie_echo_sent_again_and_again_shows_nothing_of_the_kind(with_cookie, tshark, tmp_path):
    script = set_up(*with_cookie)
    for _ in range(3):
        script.pause(2)
        script.send(0, chunks.cookie_echo(), *with_cookie)
    page = page_of(tshark, script, tmp_path)
    assert "4 COOKIE ECHOs, but no COOKIE ACK" in page
    assert "packets are missing" not in page and "ESTABLISHED" not in page


@pytest.mark.parametrize("initial, reply", [((), True), ((chunks.abort(),), False)])
def test_nothing_is_missing_where_the_peer_answers_or_gives_up(initial, reply, tshark, tmp_path):
    script = set_up()
    if reply:
        script.send(1, chunks.cookie_ack())
        script.data(0)
        script.sack(0)
    for chunk in initial:
        script.send(0, chunk)
    assert "packets are missing" not in page_of(tshark, script, tmp_path)


@pytest.mark.parametrize("sender, acked", [(0, 6), (1, 3)])
def test_new_data_after_the_timer_had_expired_shows_that_acks_are_missing(sender, acked, tshark, tmp_path):
    script = Script()
    for tsn in range(acked + 20):
        script.data(tsn, end=sender)
        if tsn < acked:
            last = script.sack(tsn, end=1 - sender)
        script.pause(1)
    page = page_of(tshark, script, tmp_path)
    assert f"the capture holds no SACK of endpoint {1 - sender} after frame {last}, though endpoint {sender} most likely has had later ones" in page
    assert f"{acked} of {acked + 20} DATA chunks were acknowledged" in page and "of the rest the capture holds no ack" in page
    assert "not before the capture ends" not in page


def test_data_that_waits_for_its_ack_when_the_capture_ends_shows_nothing(tshark, tmp_path):
    script = Script()
    for tsn in range(6):
        script.data(tsn)
        script.sack(tsn)
    script.data(6, 7, 8)
    page = page_of(tshark, script, tmp_path)
    assert "packets are missing" not in page and "the rest not before the capture ends" in page


@pytest.mark.parametrize("answering", [0, 1])
def test_answers_to_heartbeats_that_the_capture_lacks_show_it(answering, tshark, tmp_path):
    script = Script()
    script.data(0)
    script.sack(0)
    last = {0: 6, 1: 5}[answering]
    page = page_of(tshark, beats(script, 4, chunks.heartbeat_ack, end=answering), tmp_path)
    assert f"the capture holds no packet of endpoint {1 - answering} after frame {last}, though endpoint {answering} answers a later HEARTBEAT of it in " \
        "frame 10" in page


def test_a_heartbeat_ack_that_the_network_doubled_shows_nothing(tshark, tmp_path):
    script = Script()
    script.send(1, chunks.heartbeat(b"one beat"))
    script.send(0, chunks.heartbeat_ack(b"one beat"))
    script.send(0, chunks.heartbeat_ack(b"one beat"))
    assert "packets are missing" not in page_of(tshark, script, tmp_path)


def test_who_ignores_an_abort_and_sends_on_has_had_no_acks(tshark, tmp_path):
    script = Script()
    script.data(0)
    script.sack(0)
    script.send(1, chunks.abort())
    for tsn in range(1, 12):
        script.pause(2)
        script.data(tsn)
    assert "packets are missing" not in page_of(tshark, script, tmp_path)
