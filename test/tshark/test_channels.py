# SPDX-License-Identifier: GPL-2.0-or-later
"""-z sctp,triage: data channels of WebRTC that one endpoint closed alone (RFC 8831 6.7), resets that stay in progress (RFC 6525)."""

import json
import struct

import pytest

from application_messages import MS, ScenarioBuilder
from generate import chunks
from test_json import VALIDATOR

S = 1000 * MS
RESET = chunks.tlv(0x8008, bytes((0x82,)))
DCEP, STRING, BINARY, NGAP = 50, 51, 53, 60


def reset(scenario, sender, sid, answered=True):
    """sender resets its outgoing stream, which its peer performs."""
    serial = scenario.ends[sender].initial_tsn
    scenario.send(sender, chunks.re_config(chunks.tlv(chunks.OUTGOING_RESET, struct.pack("!IIIH", serial, 0, scenario.ends[sender].tsn - 1 & 0xFFFFFFFF, sid))))
    if answered:
        scenario.send(1 - sender, chunks.re_config(chunks.tlv(chunks.RESPONSE, struct.pack("!II", serial, 1))))
    return scenario


def talk(ppid, sid=1, senders=(0, 1)):
    """Both endpoints send a message on a stream."""
    scenario = ScenarioBuilder().set_up((RESET, RESET))
    for sender in senders:
        end = scenario.ends[sender]
        scenario.send(sender, chunks.data(end.tsn, b"user", sid=sid, ppid=ppid))
        end.tsn += 1
        scenario.sack(1 - sender)
    return scenario


def page_of(tshark, folder, scenario):
    path = folder / "capture.pcapng"
    scenario.write_capture(path)
    result = tshark("-q", "-r", path, "-z", "sctp,triage")
    assert result.returncode == 0, result.stderr
    return " ".join(result.stdout.split())


@pytest.mark.parametrize("by, sid, ppid, later_s", [(0, 1, STRING, 12), (1, 6, BINARY, 200), (0, 3, STRING, 5), (1, 2, DCEP, 4)])
def test_a_channel_that_one_endpoint_closed_alone_stays_half_closed(tshark, tmp_path, by, sid, ppid, later_s):
    scenario = reset(talk(ppid, sid), by, sid).wait(later_s * S).heartbeat(by)
    page = page_of(tshark, tmp_path, scenario)
    assert f"stream {sid} was reset by endpoint {by} only: endpoint {1 - by} performed it in frame 10, and did not reset its own in the " in page
    assert "until its last packet: the data channel stays half closed (RFC 8831 6.7)" in page
    assert "not to blame" not in page and "troubles of the application" not in page


@pytest.mark.parametrize("change", [
    lambda talk_of: reset(reset(talk_of(STRING), 0, 1), 1, 1).wait(100 * S).heartbeat(0),          # both close it
    lambda talk_of: reset(talk_of(STRING), 0, 1).wait(3 * S).heartbeat(0),                         # the capture ends soon
    lambda talk_of: reset(talk_of(STRING, senders=(0,)), 0, 1).wait(9 * S).heartbeat(0),           # so does it for an RTO that is not known
    lambda talk_of: reset(talk_of(NGAP), 0, 1).wait(100 * S).heartbeat(0),                         # no data channel
    lambda talk_of: reset(talk_of(STRING), 0, 2).wait(100 * S).heartbeat(0),                       # a stream without data
    lambda talk_of: reset(talk_of(STRING), 0, 1, answered=False).wait(100 * S).heartbeat(0),       # nobody performed it
    lambda talk_of: reset(talk_of(STRING), 0, 1).wait(100 * S).heartbeat(0, answered=False),       # its peer is gone
], ids=["both", "soon", "unmeasured", "other", "unused", "unanswered", "gone"])
def test_other_resets_are_not_called_half_closed(tshark, tmp_path, change):
    assert "half closed" not in page_of(tshark, tmp_path, change(talk))


def half_closed_of(tshark, folder, scenario):
    """What the JSON has of it, which is valid."""
    scenario.write_capture(folder / "capture.pcapng")
    result = tshark("-q", "-r", folder / "capture.pcapng", "-z", "sctp,json")
    document = json.loads(result.stdout)
    VALIDATOR.validate(document)
    return document["associations"][0]["half_closed_channels"]


def test_json_has_the_channels_that_stay_half_closed(tshark, tmp_path):
    found = half_closed_of(tshark, tmp_path, reset(talk(STRING, 6), 1, 6).wait(20 * S).heartbeat(1))
    assert [(one["stream"], one["closed_by"], one["performed_frame"]) for one in found] == [(6, 1, 10)]
    assert 20 < found[0]["until_s"] - found[0]["performed_s"] < 20.2
    assert half_closed_of(tshark, tmp_path, reset(reset(talk(STRING), 0, 1), 1, 1).wait(100 * S).heartbeat(0)) == []


def keep_asking(asker, times, results, sid, ahead=0):
    """The same reset is asked for every second; it waits for the TSNs that asker has sent, and `ahead` more."""
    scenario = talk(NGAP, sid)
    end = scenario.ends[asker]
    last = end.tsn - 1 + ahead & 0xFFFFFFFF
    for nth in range(times):
        scenario.wait(S).send(asker, chunks.re_config(chunks.tlv(chunks.OUTGOING_RESET, struct.pack("!IIIH", end.initial_tsn, 0, last, sid))))
        scenario.send(1 - asker, chunks.re_config(chunks.tlv(chunks.RESPONSE, struct.pack("!II", end.initial_tsn, results(nth)))))
    return scenario


@pytest.mark.parametrize("asker, times, sid", [(0, 2, 1), (1, 9, 4)])
def test_a_reset_that_stays_in_progress_is_told_of_who_answers_so(tshark, tmp_path, asker, times, sid):
    page = page_of(tshark, tmp_path, keep_asking(asker, times, lambda nth: 6, sid))
    assert f'endpoint {1 - asker} answered the same RE-CONFIG request of endpoint {asker} by "In progress" {times} times in ' in page
    assert f"(frames 10 to {8 + 2 * times}), and did not perform it, though it had acknowledged all the data that the reset waits for" in page
    assert "not to blame" not in page


@pytest.mark.parametrize("change", [
    lambda: keep_asking(0, 6, lambda nth: 6 if nth < 5 else 1, 1),  # performed at last
    lambda: keep_asking(1, 6, lambda nth: 6, 1, ahead=3),           # it waits for data
    lambda: keep_asking(0, 1, lambda nth: 6, 1),                    # one answer, and the capture ends
], ids=["performed", "data", "once"])
def test_a_reset_that_may_be_in_progress_is_not_told(tshark, tmp_path, change):
    assert "In progress" not in page_of(tshark, tmp_path, change())
