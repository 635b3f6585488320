# SPDX-License-Identifier: GPL-2.0-or-later
"""-z sctp,triage: endpoints that answer on the stream of a request, and have fewer streams than their peer."""

import pytest
from application_messages import MS, ScenarioBuilder
from generate import chunks
from report_text import triage_of

S = 1000 * MS


def asymmetric(few, many, limited):
    """The limited endpoint may send on few streams, its peer on many."""
    scenario = ScenarioBuilder()
    outbound = [few if end == limited else many for end in (0, 1)]
    ends = scenario.ends
    scenario.send(0, chunks.init(ends[0].tag, ends[0].initial_tsn, outbound=outbound[0], inbound=outbound[1]), vtag=0)
    scenario.send(1, chunks.init_ack(ends[1].tag, ends[1].initial_tsn, outbound=outbound[1], inbound=outbound[0]))
    return scenario.cookie_echo(0).cookie_ack(1)


def say(scenario, sender, stream, ssn=0):
    end = scenario.ends[sender]
    scenario.send(sender, chunks.data(end.tsn, bytes(40), sid=stream, ssn=ssn), gap_ns=20 * MS)
    end.tsn = end.tsn + 1 & 0xFFFFFFFF
    return scenario.sack(1 - sender, gap_ns=MS)


def asked(streams, few, many, limited, answers):
    """The peer sends a message on each of streams; answers: the stream that the limited endpoint answers on, None: it does not."""
    scenario, sent = asymmetric(few, many, limited), {}
    for stream in streams:
        say(scenario, 1 - limited, stream)
        on = answers(stream)
        if on is not None:
            say(scenario, limited, on, sent.get(on, 0))
            sent[on] = sent.get(on, 0) + 1
    return scenario.wait(S).heartbeat(0)


def page_of(tshark, folder, scenario):
    scenario.write_capture(folder / "capture.pcapng")
    return triage_of(tshark, folder / "capture.pcapng")


@pytest.mark.parametrize("few, many, limited, said", [
    (5, 17, 1, "endpoint 1 sent as many messages as endpoint 0 on each of 5 streams, and none for the 7 on streams 5 to 11: it has only 5 outbound streams"),
    (3, 9, 0, "endpoint 0 sent as many messages as endpoint 1 on each of 3 streams, and none for the 6 on streams 3 to 8: it has only 3 outbound streams")])
def test_requests_on_streams_that_the_other_endpoint_lacks_are_told(tshark, tmp_path, few, many, limited, said):
    page = page_of(tshark, tmp_path, asked(range(12 if many > 12 else many), few, many, limited, lambda stream: stream if stream < few else None))
    assert said + ", and most likely answers on the stream of a request" in page
    assert "troubles of the application" not in page.split("Not found: ")[1]


@pytest.mark.parametrize("streams, answers", [
    (range(12), lambda stream: 0),                                # all answers on one stream
    (range(12), lambda stream: stream % 5),                       # each has an answer, on another stream
    (range(5), lambda stream: stream),                            # all that it has
    (range(12), lambda stream: None if stream != 1 else 1),       # it hardly answers at all
    ((0, 1, 7), lambda stream: stream if stream < 5 else None),   # one may not ask for an answer
], ids=["one", "others", "enough", "few", "once"])
def test_other_uses_of_streams_are_not(tshark, tmp_path, streams, answers):
    assert "outbound streams" not in page_of(tshark, tmp_path, asked(streams, 5, 17, 1, answers))
