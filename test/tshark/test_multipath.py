# SPDX-License-Identifier: GPL-2.0-or-later
"""Several paths at once: what the report and JSON say of a sender with CMT against a walk over the built-in dissector's fields at both ends."""

import json
import statistics

import pytest

from conftest import CAPTURES
from data_walk import packets
from multihomed_examples import TwoPaths, five_of_six_silent

CMT = "usrsctp/us-cmt"
def directions(tshark, name):
    done = tshark("-q", "-r", CAPTURES / f"{name}.pcapng.gz", "-z", "sctp,json")
    assert done.returncode == 0, done.stderr
    association = json.loads(done.stdout)["associations"][0]
    return association, association["directions"]


def sent(tshark, name, port):
    """{TSN: (destination, times sent, when first)} of what passed."""
    found = {}
    for packet in packets(tshark, CAPTURES / f"{name}.pcapng.gz"):
        for tsn in packet.tsns if packet.port == port else ():
            where, times, first = found.get(tsn, (packet.destination, 0, packet.time))
            found[tsn] = where, times + 1, first
    return found


def behind(order, known):
    """{destination: [by how many TSNs]} of TSNs sent once, in an order of arrival [(packet, TSN)], behind the highest of an earlier packet that went elsewhere."""
    found, highest, before, last = {}, None, None, None
    for packet, tsn in order:
        before, last = highest if packet != last else before, packet
        if before is not None and tsn < before and known[tsn][1] == 1 and known[tsn][0] != known[before][0]:
            found.setdefault(known[tsn][0], []).append(before - tsn)
        highest = tsn if highest is None else max(highest, tsn)
    return found


def first_acks(tshark, name, port, known):
    done = set()
    for packet in packets(tshark, CAPTURES / f"{name}.pcapng.gz"):
        for tsn in sorted(tsn for tsn in known if tsn not in done and packet.port != port and packet.acks(tsn)):
            done.add(tsn)
            yield packet.frame, tsn


def arrivals(tshark, name, port):
    done = set()
    for packet in packets(tshark, CAPTURES / f"{name}.pcapng.gz"):
        for tsn in packet.tsns if packet.port == port else ():
            if tsn not in done:
                yield packet.frame, tsn
            done.add(tsn)


def test_tsns_behind_another_path_are_those_that_sacks_and_arrivals_show(tshark):
    association, (direction, other) = directions(tshark, f"{CMT}/A")
    assert other["concurrent"] is None
    port, destinations = association["ports"][0], {path["index"]: path["destination"] for path in association["paths"] if path["from"] == 0}
    known = sent(tshark, f"{CMT}/A", port)
    by_sacks = behind(first_acks(tshark, f"{CMT}/A", port, known), known)
    by_arrival = behind(arrivals(tshark, f"{CMT}/B", port), known)
    for path in direction["concurrent"]["paths"]:
        shown, expected, arrived = path["behind_tsns"], by_sacks[destinations[path["index"]]], by_arrival[destinations[path["index"]]]
        assert (shown["count"], shown["median"], shown["max"]) == (len(expected), statistics.median_low(expected), max(expected))
        assert 0.8 * len(arrived) < shown["count"] <= len(arrived)
        assert 0.8 * max(arrived) < shown["max"] <= max(arrived)


def test_several_paths_at_once_are_times_between_returns(tshark):
    """A sender with CMT over 40 and 70 ms: nearly all the time from its first to its last data."""
    association, (direction, _) = directions(tshark, f"{CMT}/A")
    to_sender = association["endpoints"][0]["distance_ms"]
    least = {path["destination"]: (path["rtt_ms"]["min"] + to_sender) / 1000 for path in association["paths"] if path["from"] == 0}
    known = sorted(sent(tshark, f"{CMT}/A", association["ports"][0]).items())
    last, before, covered, total, returns = {}, None, 0.0, 0.0, 0
    for _, (destination, _, now) in known:
        if destination != before and destination in last and now - last[destination] <= least[destination]:
            returns += 1
            total += max(now - max(last[destination], covered), 0)
            covered = max(covered, now)
        last[destination], before = now, destination
    concurrent = direction["concurrent"]
    assert float(concurrent["time_s"]) == pytest.approx(total, abs=0.002)
    assert concurrent["returns"] == returns
    assert total > 0.9 * (known[-1][1][2] - known[0][1][2])


def test_the_report_and_triage_say_what_each_path_carried(tshark):
    path = CAPTURES / CMT / "A.pcapng.gz"
    report = tshark("-q", "-r", path, "-z", "sctp,paths").stdout
    rows = report.split("Several paths at once")[1].split("\nbehind")[0].splitlines()[-2:]
    assert [row.split()[:4] for row in rows] == [["0", "0", "57.3", "57.3"], ["0", "1", "42.7", "42.7"]]
    triage = " ".join(tshark("-q", "-r", path, "-z", "sctp,triage").stdout.split())
    assert "new data used several paths at once for 2.80" in triage and "changed paths" not in triage
    assert "442 TSNs arrived behind higher ones of another path, by up to 42" in triage


@pytest.mark.parametrize("name", ["linux/mh-failover/A", "linux/asconf-auth/A", "linux/mh-loss-rtxalt/A", "usrsctp/mh-pf-oneway/A", "interop/interop-mh/A"])
def test_paths_one_after_the_other_are_not_several_at_once(tshark, name):
    assert [direction["concurrent"] for direction in directions(tshark, name)[1]] == [None, None]


def test_at_the_far_tap_it_is_not_known_what_a_path_waited_for(tshark):
    assert directions(tshark, f"{CMT}/A")[1][0]["concurrent"]["blocked_s"] == 0
    assert directions(tshark, f"{CMT}/B")[1][0]["concurrent"]["blocked_s"] is None


def of_made(tshark, tmp_path, talk, report):
    path = tmp_path / "made.pcapng"
    talk.write_capture(path)
    return tshark("-q", "-r", path, "-z", report).stdout


def test_a_path_that_the_receivers_buffer_kept_waiting_says_how_long(tshark, tmp_path):
    """Not more than in truth, and not much less: what waits for another reason by then does not count."""
    made = TwoPaths(buffer_bytes=12_000, total=80).run()
    association = json.loads(of_made(tshark, tmp_path, made.talk, "sctp,json"))["associations"][0]
    concurrent = association["directions"][0]["concurrent"]
    true_s = made.blocked_ns / 1e9
    assert 0.9 * true_s <= float(concurrent["blocked_s"]) <= true_s
    assert [float(path["blocked_s"]) for path in concurrent["paths"]] == [float(concurrent["blocked_s"]), 0]
    triage = " ".join(of_made(tshark, tmp_path, made.talk, "sctp,triage").split())
    assert "a path with room in its cwnd waited for the receiver's window, full because of TSNs missing from another path, for 2.160 s" in triage
    rows = of_made(tshark, tmp_path, made.talk, "sctp,paths").split("Several paths at once")[1].split("\nbehind")[0].splitlines()
    assert [row.split()[-1] for row in rows[-2:]] == ["2.160", "0.000"]
    assert max(map(len, rows)) <= 80


@pytest.mark.parametrize("buffer_bytes, total", [(120_000, 80), (24_000, 20)])
def test_a_buffer_with_room_for_what_is_under_way_blocks_no_path(tshark, tmp_path, buffer_bytes, total):
    made = TwoPaths(buffer_bytes=buffer_bytes, total=total).run()
    assert made.blocked_ns == 0
    (forth, _) = json.loads(of_made(tshark, tmp_path, made.talk, "sctp,json"))["associations"][0]["directions"]
    assert forth["concurrent"] is None or float(forth["concurrent"]["blocked_s"]) == 0


def test_addresses_that_never_answer_are_one_sentence(tshark, tmp_path):
    triage = " ".join(of_made(tshark, tmp_path, five_of_six_silent(), "sctp,triage").split())
    assert "5 of the 6 addresses that endpoint 1 listed in its INIT ACK never answered (10.1.1.1, 10.2.1.1, …): bind its SCTP to the others, or " \
           "route these" in triage
    assert "4 of 24 HEARTBEATs answered" in triage
    rows = [line.split() for line in of_made(tshark, tmp_path, five_of_six_silent(), "sctp,paths").splitlines()]
    beats = {row[2]: (row[-2], row[-1]) for row in rows if len(row) == 9 and row[0] == "0" and row[2].startswith("10.")}
    assert beats == {"10.0.1.1": ("4", "0"), **{f"10.{net}.1.1": ("4", "3") for net in range(1, 6)}}
