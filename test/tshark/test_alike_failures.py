# SPDX-License-Identifier: GPL-2.0-or-later
"""-z sctp,triage: failures of one cause are one row, those of several causes are not."""

import struct

import pytest
from application_messages import MS, ScenarioBuilder
from generate import chunks, pcapng

HOSTS, OVER_V6 = ("10.0.0.1", "10.0.0.2"), ("2001:db8::1", "2001:db8::2")


def stale(measure):
    return chunks.error(chunks.tlv(chunks.STALE_COOKIE, struct.pack("!I", measure)))


def aborted(text):
    return chunks.abort(chunks.tlv(chunks.USER_ABORT, text))


def rows_of(tshark, folder, hosts, answers):
    """The rows of failures of a page: each attempt has a port of its own, and its COOKIE ECHO gets this answer."""
    path = folder / "capture.pcapng"
    with pcapng.Pcapng(path, [pcapng.RAW_IP]) as file:
        for number, answer in enumerate(answers):
            attempt = ScenarioBuilder(hosts, ports=(5001 + number, 7000), seed=number).init().init_ack().cookie_echo().send(1, answer)
            for time_ns, item in attempt.times_ns():
                file.write(time_ns + 500 * number * MS, item.to_ip())
    page = tshark("-q", "-r", path, "-z", "sctp,triage").stdout
    failures = page[page.index("Failures:"):page.index("Not found:")]
    return [(line.split()[0], line.split()[1]) for line in failures.splitlines() if line[:1].isdigit()]


@pytest.mark.parametrize("hosts, measures", [(HOSTS, (1500, 1501, 99_000)), (OVER_V6, (7, 7, 4_000_000, 12, 13))])
def test_cookies_that_are_stale_by_other_times_fail_alike(tshark, tmp_path, hosts, measures):
    assert rows_of(tshark, tmp_path, hosts, [stale(measure) for measure in measures]) == [("0", str(len(measures)))]


def test_aborts_with_other_texts_do_not_fail_alike(tshark, tmp_path):
    assert sorted(rows_of(tshark, tmp_path, HOSTS, [aborted(b"cell 1 is full"), aborted(b"cell 2 is full"), stale(5)])) == [("0", "1"), ("1", "1"), ("2", "1")]
