# SPDX-License-Identifier: GPL-2.0-or-later
"""A file merged from captures at both ends tells of each end's data what the capture near that end tells alone."""

import json
import os
import subprocess

import pytest

from conftest import CAPTURES, one_in

SCENARIOS = ["linux/bulk-loss1", "linux/bidir", "linux/mh-pf-oneway", "linux/snap96", "linux/initcollision", "linux/outages", "usrsctp/bidir",
             "usrsctp/us-cmt", "usrsctp/vantage-setup", "interop/interop-mh"]
ALL = sorted(str(path.parent.relative_to(CAPTURES)) for path in CAPTURES.glob("*/*/A.pcapng.gz") if (path.parent / "B.pcapng.gz").exists())
SHIFTED = ["linux/bulk-loss1", "linux/bidir", "usrsctp/us-cmt", "interop/interop-bulk"]
OF_SENDER = ["tsns", "messages", "user_bytes", "retransmissions", "resent_unseen", "spurious", "lost", "abandoned_tsns", "duplicates_reported",
             "reneged_tsns", "zero_windows", "closed_windows", "pauses", "rtt_ms", "missed_by_capture"]
IN_ONE_FILE = {"from_frame", "to_frame", "lost_frame", "timeout_frame", "timer_from_frame", "start_s"}


def captures(scenario, folder, shift_s=0):
    """The captures at A and B, and both in one file, that at B with another clock."""
    a, b, shifted, merged = CAPTURES / scenario / "A.pcapng.gz", CAPTURES / scenario / "B.pcapng.gz", folder / "B.pcapng", folder / "merged.pcapng"
    subprocess.run(["editcap", "-t", str(shift_s), b, shifted], check=True, capture_output=True)
    subprocess.run(["mergecap", "-w", merged, a, shifted], check=True, capture_output=True)
    os.chmod(merged, 0o644)
    return a, b, merged


def document(tshark, path):
    done = tshark("-Q", "-r", path, "-z", "sctp,json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def identity(association):
    return tuple(sorted(str(endpoint["vtag"]) for endpoint in association["endpoints"])), tuple(sorted(association["ports"]))


def is_at_a(endpoint):
    """Addresses of A are 10.i.0.1 and fd00:i:0::1."""
    address = endpoint["addresses"][0]
    return address.split(".")[2] == "0" if "." in address else address.split(":")[2] in ("0", "")


def without_places(value):
    """Without frame numbers, which differ between files."""
    if isinstance(value, dict):
        return {key: without_places(item) for key, item in value.items() if key not in IN_ONE_FILE}
    return [without_places(item) for item in value] if isinstance(value, list) else value


def same_end(endpoint, association):
    """Which of the association's endpoints it is."""
    return next((number for number, other in enumerate(association["endpoints"])
                 if other["vtag"] == endpoint["vtag"] and other["addresses"][:1] == endpoint["addresses"][:1]), None)


def pairs(tshark, scenario, folder, shift_s=0):
    """Yields (association of the merged file, that at A, that at B) of those that all three hold."""
    a, b, merged = (document(tshark, path)["associations"] for path in captures(scenario, folder, shift_s))
    at_a, at_b = ({identity(association): association for association in associations} for associations in (a, b))
    for association in merged:
        found = at_a.get(identity(association)), at_b.get(identity(association))
        if all(found):
            yield association, *found


def directions(association, at_a, at_b):
    """Yields (end, its data in the merged file, in the capture near it, in the other one)."""
    for end, endpoint in enumerate(association["endpoints"]):
        near, far = (at_a, at_b) if is_at_a(endpoint) else (at_b, at_a)
        of_near, of_far = same_end(endpoint, near), same_end(endpoint, far)
        if of_near is not None and of_far is not None:
            yield end, association["directions"][end], near["directions"][of_near], far["directions"][of_far]


def differences(association, at_a, at_b):
    return [(association["index"], end, key, merged[key], expected[key])
            for end, merged, near, far in directions(association, at_a, at_b)
            for key, expected in [*((key, near) for key in OF_SENDER), ("sack_delay_ms", far)]
            if without_places(merged[key]) != without_places(expected[key])]


def new_findings(association, at_a, at_b):
    known = {(finding["rule"], finding["level"]) for single in (at_a, at_b) for finding in single["findings"]}
    return {(finding["rule"], finding["level"]) for finding in association["findings"]} - known


@pytest.mark.thorough_but_one_in(5)
@pytest.mark.parametrize("scenario", SCENARIOS + one_in(8, [scenario for scenario in ALL if scenario not in SCENARIOS]))
def test_each_end_is_told_of_as_its_own_capture_tells(scenario, tshark, tmp_path):
    found = list(pairs(tshark, scenario, tmp_path))
    assert found
    for association, at_a, at_b in found:
        assert differences(association, at_a, at_b) == []
        assert new_findings(association, at_a, at_b) == set()


@pytest.mark.thorough_but_one_in(10)
@pytest.mark.parametrize("shift_s", [0.005, -0.005, 0.3, -0.3])
@pytest.mark.parametrize("scenario", SHIFTED)
def test_clocks_that_differ_change_nothing_of_that(scenario, shift_s, tshark, tmp_path):
    for association, at_a, at_b in pairs(tshark, scenario, tmp_path, shift_s):
        assert differences(association, at_a, at_b) == []
        assert new_findings(association, at_a, at_b) == set()


def figures(association):
    """What must not depend on the clocks: (figure, number), exact ones and milliseconds."""
    exact = [("packets", association["packets"]), ("chunks", association["chunks"]),
             ("checksums", [endpoint["checksum"] for endpoint in association["endpoints"]]),
             ("findings", sorted((finding["rule"], finding["level"], finding["accused"]) for finding in association["findings"]))]
    exact += [(key, without_places(direction[key])) for direction in association["directions"] for key in (*OF_SENDER, "sack_delay_ms")]
    times = [association["setup_time_s"] * 1000, association["duration_s"] * 1000]
    for path in association["paths"]:
        exact += [(key, path["transit"][key]) for key in ("packets", "lost", "far_only")]
        times += [path["transit"][key] for key in ("min_ms", "mean_ms", "max_ms")]
        times += [path["tap_delay"][key] for key in ("median_ms", "p95_ms", "p99_ms", "max_ms", "jitter_ms", "both_ways_ms")]
    for direction in association["directions"]:
        times += [direction["message_delay"][bound][rank] for bound in ("delivered_least_ms", "delivered_most_ms")
                  for rank in ("median", "p95", "max") if direction["message_delay"] and direction["message_delay"]["delivered_least_ms"]["samples"]]
    times += [stream[bound][rank] for stream in association["streams"] if stream["hol_delay_ms"]
              for bound in ("hol_delay_ms", "hol_delay_most_ms") for rank in ("median", "p95", "max")]
    return exact, times


@pytest.mark.thorough_but_one_in(4)
@pytest.mark.parametrize("scenario", ["linux/bulk-loss1", "usrsctp/bulk-burstloss", "linux/vantage-setup", "linux/bidir"])
def test_no_figure_depends_on_how_far_the_clocks_differ(scenario, tshark, tmp_path):
    """Stamps are in microseconds, and the offset is half of a sum. A rule that needs order is not checked where first sightings are out of order: a
    finding may be missing then."""
    exact, times = figures(document(tshark, captures(scenario, tmp_path)[2])["associations"][0])
    for shift_s in (0.3, -0.3, 2, -2, 5, 10, -10, 16, -16):
        associations = document(tshark, captures(scenario, tmp_path, shift_s)[2])["associations"]
        other_exact, other_times = figures(associations[0])
        of_other, of_exact = dict(other_exact).get("findings"), dict(exact).get("findings")
        assert set(of_other) <= set(of_exact), shift_s
        assert [item for item in other_exact if item[0] != "findings"] == [item for item in exact if item[0] != "findings"], shift_s
        assert other_times == pytest.approx(times, abs=0.002), shift_s


@pytest.mark.parametrize("shift_s", [0, 3, -3, 12, -12])
def test_the_set_up_is_timed_by_every_interface_of_the_tap_near_the_initiator(shift_s, tshark, tmp_path):
    """The INIT leaves through one interface, its answers come in through another, of which no duplicate had shown yet at which tap it is. The COOKIE
    ACK was lost once on its way."""
    at_a, _, merged = captures("usrsctp/us-cmt", tmp_path, shift_s)
    alone, both = (document(tshark, path)["associations"][0] for path in (at_a, merged))
    assert both["setup_time_s"] == alone["setup_time_s"] == pytest.approx(0.1276, abs=1e-4)
    assert both["duration_s"] == alone["duration_s"]


def test_fields_stand_where_the_packet_passed_near_the_sender_of_the_data(tshark, tmp_path):
    """The round trip at the SACK's sighting at A, its delay at the one at B, the cause at the retransmission as it left."""
    merged = captures("linux/bulk-loss1", tmp_path)[2]
    names = ["frame.interface_name", "sctp.analysis.rtt", "sctp.analysis.sack.delay", "sctp.analysis.retransmission"]
    done = tshark("-r", merged, "-2", "-T", "fields", "-E", "occurrence=f", *(word for name in names for word in ("-e", name)))
    assert done.returncode == 0, done.stderr
    rows = [dict(zip(names, line.split("\t"))) for line in done.stdout.splitlines()]
    rtts = [row for row in rows if row["sctp.analysis.rtt"]]
    assert len(rtts) > 100 and {row["frame.interface_name"] for row in rtts} == {"a1"}
    assert all(float(row["sctp.analysis.rtt"]) > 0.04 for row in rtts)
    at_b = sorted(float(row["sctp.analysis.sack.delay"]) for row in rows if row["sctp.analysis.sack.delay"] and row["frame.interface_name"] == "b1")
    assert len(at_b) > 1000 and at_b[len(at_b) // 2] < 0.001
    causes = [row for row in rows if row["sctp.analysis.retransmission"]]
    assert [row["sctp.analysis.retransmission"] for row in causes].count("fast") == 19
    assert {row["frame.interface_name"] for row in causes} == {"a1"}


def test_a_filter_selects_what_both_taps_show(tshark, tmp_path):
    merged = captures("linux/bidir", tmp_path)[2]
    whole, selected = (json.loads(tshark("-Q", "-r", merged, "-z", word).stdout)["associations"][0]["directions"]
                       for word in ("sctp,json", "sctp,json,sctp"))
    for all_packets, filtered in zip(whole, selected):
        for key in ("retransmissions", "rtt_ms", "sack_delay_ms", "tsns", "data_chunks", "sacks"):
            assert filtered[key] == all_packets[key], key


def test_the_triage_page_says_so(tshark, tmp_path):
    page = " ".join(tshark("-Q", "-r", captures("linux/bulk-loss1", tmp_path)[2], "-z", "sctp,triage").stdout.split())
    assert "1 association captured near both endpoints (first: 0)" in page
    assert "frame.interface_id == 0" in page


OF_PATHS = {"primary_changed", "path_potentially_failed", "path_inactive", "path_failed", "path_recovered", "failover"}


def of_paths(association, end):
    """What happened to the paths of an endpoint, and its outages: texts, and times from the first of these on."""
    events = [event for event in association["events"] if event["kind"] in OF_PATHS and event["endpoint"] == end]
    outages = [outage for outage in association["outages"] if outage["endpoint"] == end]
    times = [event["time_s"] for event in events] + [outage["since_s"] for outage in outages]
    times += [outage[change][bound] for outage in outages for change in ("potentially_failed", "inactive", "left") if outage[change]
              for bound in ("earliest_s", "latest_s")]
    counts = [[(path["heartbeats_acked"], path["heartbeats_lost"]) for path in association["paths"] if path["from"] == end]]
    said = [(event["kind"], event["path"], event["detail"]) for event in events] + [(outage["path"], outage["heartbeats"], outage["timeouts"])
                                                                                    for outage in outages]
    return said + counts, [time - min(times) for time in times]


@pytest.mark.thorough_but_one_in(5)
@pytest.mark.parametrize("shift_s", [0, 16, -16, 3, -3])
@pytest.mark.parametrize("scenario", ["linux/mh-failover", "linux/mh-pf-oneway", "linux/vantage-multihomed", "usrsctp/mh-failover"])
def test_paths_fail_as_the_capture_near_their_sender_tells(scenario, shift_s, tshark, tmp_path):
    n = 0
    for association, at_a, at_b in pairs(tshark, scenario, tmp_path, shift_s):
        for end, endpoint in enumerate(association["endpoints"]):
            near = at_a if is_at_a(endpoint) else at_b
            said, times = of_paths(association, end)
            expected, expected_times = of_paths(near, same_end(endpoint, near))
            assert said == expected
            assert times == pytest.approx(expected_times, abs=2e-6)
            n += len(times)
    assert n > 0
