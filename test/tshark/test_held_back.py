# SPDX-License-Identifier: GPL-2.0-or-later
"""What the first screen says of senders that hold back what they may send: after a SHUTDOWN, behind the first packet of a message, by Nagle's
algorithm; and of those that only look so."""

import re

import pytest
from report_text import split_reports

from reference import thin
from reference.cases import Script
from scenarios.generate import chunks

BEGIN, END, WHOLE = 2, 1, 3


class Timed(Script):
    """Packets at the seconds since the start."""

    def __init__(self, **options):
        super().__init__(**options)
        self.set_up_frames = len(self.frames)

    def at(self, seconds):
        """The next packet passes then."""
        self.paused_ns = round(seconds * 10**9) - (len(self.frames) - self.set_up_frames) * 10_000_000
        return self

    def part(self, tsn, flags=WHOLE, end=0, size=100):
        return self.send(end, chunks.data((self.tsns[end] + tsn) % 2**32, bytes(size), flags=flags))

    def shutdown(self, tsn, end):
        return self.send(end, chunks.shutdown((self.tsns[1 - end] + tsn) % 2**32))


def page_of(tshark, tmp_path, script):
    path = tmp_path / "script.pcapng"
    thin.write(path, script.frames)
    result = tshark("-q", "-r", path, "-z", "sctp,triage")
    assert result.returncode == 0, result.stderr
    return re.sub(r" +", " ", split_reports(result.stdout)["triage"].replace("\n", " "))


def closing(sender, waits):
    """A queue of lone packets after a SHUTDOWN, each so long after its predecessor was acknowledged."""
    script, now = Timed(), 0.1
    script.at(0).part(0, end=sender)
    script.at(0.02).sack(0, end=1 - sender)
    script.at(now).part(1, end=sender)
    script.at(now := now + 0.03).shutdown(1, 1 - sender)
    for tsn, wait in enumerate(waits, 2):
        script.at(now := now + wait).part(tsn, end=sender)
        script.at(now := now + 0.03).shutdown(tsn, 1 - sender)
    script.at(now + 0.01).send(sender, chunks.shutdown_ack())
    return script


@pytest.mark.parametrize("sender", [0, 1])
@pytest.mark.parametrize("waits", [(1, 2, 4), (3, 6)])
def test_who_takes_a_shutdown_for_a_closed_window_is_named(tshark, tmp_path, sender, waits):
    page = page_of(tshark, tmp_path, closing(sender, waits))
    assert f"endpoint {sender} most likely takes the SHUTDOWN in frame 8 for a closed window" in page
    assert f"wait {len(waits)} in a row" in page
    assert "not to blame" not in page


def test_once_it_is_possible(tshark, tmp_path):
    assert "endpoint 1 possibly takes the SHUTDOWN in frame 8 for a closed window" in page_of(tshark, tmp_path, closing(1, (1.5,)))


@pytest.mark.parametrize("waits", [(0.001,) * 4, (0.04, 0.05, 0.04)])
def test_who_sends_on_after_a_shutdown_does_not(tshark, tmp_path, waits):
    page = page_of(tshark, tmp_path, closing(0, waits))
    assert "closed window:" not in page and "pauses cost" not in page


def waiting(flags=(WHOLE, WHOLE), sizes=(100, 100), asked_at=None, more=()):
    """A message of endpoint 1, acknowledged after 220 ms, and what follows it then: the round trip of the set-up later, 10 ms."""
    script = Timed()
    script.at(0).part(0, end=1)
    script.at(0.02).sack(0, end=0)
    script.at(0.1).part(1, flags[0], end=1, size=sizes[0])
    if asked_at is not None:
        script.at(asked_at).part(0, end=0)
    script.at(0.32).sack(1, end=0)
    script.at(0.3305).part(2, flags[1], end=1, size=sizes[1])
    for tsn, (flag, size) in enumerate(more, 3):
        script.at(0.3305 + tsn / 10000).part(tsn, flag, end=1, size=size)
    script.at(0.35).sack(2 + len(more), end=0)
    return script


def test_a_small_message_behind_another_is_most_likely_kept_by_nagle(tshark, tmp_path):
    assert ("endpoint 0 most likely delayed its SACK, for which endpoint 1 most likely waited with 1 chunk outstanding, as Nagle's algorithm does"
            in page_of(tshark, tmp_path, waiting()))


@pytest.mark.parametrize("script", [waiting(sizes=(100, 1400)), waiting(asked_at=0.3184), waiting(asked_at=0.25)],
                         ids=["full packet", "answer", "answer to what came in the second half"])
def test_a_full_packet_and_an_answer_are_not(tshark, tmp_path, script):
    assert "Nagle" not in page_of(tshark, tmp_path, script)


def test_a_message_that_goes_on_only_after_the_ack_was_held_back(tshark, tmp_path):
    page = page_of(tshark, tmp_path, waiting(flags=(BEGIN, 0), sizes=(1400, 1400), more=[(END, 300)]))
    assert "endpoint 1 held back: it sent one packet of a message that goes on (frame 7)" in page
    assert "possibly its Max.Burst is 1" in page
    assert "Nagle" not in page


def test_the_last_fragment_alone_is_not_said_to_be(tshark, tmp_path):
    assert "held back" not in page_of(tshark, tmp_path, waiting(flags=(BEGIN, END), sizes=(1400, 300)))
