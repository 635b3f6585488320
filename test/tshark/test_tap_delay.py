# SPDX-License-Identifier: GPL-2.0-or-later
"""Delay between two taps: of captures at both ends in one file, against the same packets in the two captures and against what the links were set to."""

import collections
import json
import math
import os
import re
import subprocess

import pytest

from conftest import CAPTURES

SCENARIOS = ["linux/bulk-loss1", "usrsctp/us-cmt", "linux/mh-failover", "linux/asconf-auth"]
FIELDS = ["frame.time_epoch", "ip.src", "ip.dst", "ip.id", "sctp.checksum"]


def merge(scenario, folder, *pieces):
    """A file of the capture at A and that at B, or pieces of it."""
    merged = folder / "merged.pcapng"
    subprocess.run(["mergecap", "-w", merged, CAPTURES / scenario / "A.pcapng.gz", *(pieces or [CAPTURES / scenario / "B.pcapng.gz"])], check=True, capture_output=True)
    os.chmod(merged, 0o644)
    return merged


def shifted(scenario, folder, seconds, name="shifted.pcapng", *options):
    path = folder / name
    subprocess.run(["editcap", "-t", str(seconds), *options, CAPTURES / scenario / "B.pcapng.gz", path], check=True, capture_output=True)
    return path


def paths(tshark, path):
    done = tshark("-q", "-r", path, "-z", "sctp,json")
    assert done.returncode == 0, done.stderr
    association = json.loads(done.stdout)["associations"][0]
    return {(place["from"], place["destination"]): place for place in association["paths"]}


def sightings(tshark, scenario, tap):
    """{packet: ns} of packets that passed once; TIME as the capture has it."""
    done = tshark("-n", "-r", CAPTURES / scenario / f"{tap}.pcapng.gz", "-Y", "sctp && !icmp", "-T", "fields", *(word for field in FIELDS for word in ("-e", field)))
    found = collections.defaultdict(list)
    for line in done.stdout.splitlines():
        time, *key = line.split("\t")
        seconds, fraction = time.split(".")
        found[tuple(key)].append(int(seconds) * 10**9 + int(fraction))
    return {key: times[0] for key, times in found.items() if len(times) == 1}


def rank(times, percent):
    return times[math.ceil(len(times) * percent / 100) - 1]


def jitter(delays):
    """RFC 3550 6.4.1: after the last packet, and the most."""
    value, most = 0.0, 0.0
    for before, after in zip(delays, delays[1:]):
        value += (abs(after - before) - value) / 16
        most = max(most, value)
    return value, most


def passages(tshark, scenario):
    """{destination: [(when at the tap near the sender, how much later at the far one)]} in ns; A has 10.i.0.1."""
    at_a, at_b = sightings(tshark, scenario, "A"), sightings(tshark, scenario, "B")
    found = collections.defaultdict(list)
    for key in at_a.keys() & at_b.keys():
        near, far = (at_a, at_b) if key[0].split(".")[2] == "0" else (at_b, at_a)
        found[key[1]].append((near[key], far[key] - near[key]))
    return {destination: sorted(times) for destination, times in found.items()}


def ms(ns):
    return pytest.approx(ns / 1e6, abs=2e-6)


@pytest.mark.thorough_but_one_in(4)
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_delays_are_those_between_the_captures(tshark, tmp_path, scenario):
    expected = passages(tshark, scenario)
    found = paths(tshark, merge(scenario, tmp_path))
    assert {destination for _, destination in found} <= expected.keys()
    for (_, destination), place in found.items():
        shown, delays = place["tap_delay"], [delay for _, delay in expected[destination]]
        above = sorted(delay - min(delays) for delay in delays)
        assert shown["packets"] == len(delays)
        assert [shown["median_ms"], shown["p95_ms"], shown["p99_ms"], shown["max_ms"]] == [ms(rank(above, percent)) for percent in (50, 95, 99, 100)]
        last, most = jitter(delays)
        assert [shown["jitter_ms"], shown["max_jitter_ms"]] == [pytest.approx(last / 1e6, abs=5e-5), pytest.approx(most / 1e6, abs=5e-5)]


def configured(scenario):
    """{path of the lab: ms} one way, as the run began."""
    lines = (CAPTURES / scenario / "links.txt").read_text().splitlines()[:4]
    return {int(path): int(delay) for path, delay in (re.search(r"path (\d) \S+: delay (\d+)ms", line).groups() for line in lines)}


def dropped(scenario):
    """{(router's interface): packets} that netem dropped."""
    text = (CAPTURES / scenario / "netem-stats.txt").read_text()
    return {device: int(count) for device, count in re.findall(r"qdisc netem \S+ dev (\S+) .*?\n .*?dropped (\d+)", text)}


@pytest.mark.parametrize("scenario", ["linux/bulk-loss1", "usrsctp/us-cmt", "linux/mh-failover"])
def test_the_least_both_ways_is_what_the_links_were_set_to(tshark, tmp_path, scenario):
    """And up to half a millisecond for the smallest packets at 4 Mbit/s."""
    found = paths(tshark, merge(scenario, tmp_path))
    for (_, destination), place in found.items():
        delay_ms = configured(scenario)[int(destination.split(".")[1])]
        assert 2 * delay_ms <= place["tap_delay"]["both_ways_ms"] < 2 * delay_ms + 0.5
        assert abs(place["tap_delay"]["clock_drift_ms"] or 0) < 1


def test_packets_lost_between_taps_are_those_that_netem_dropped(tshark, tmp_path):
    found = paths(tshark, merge("usrsctp/us-cmt", tmp_path))
    drops = dropped("usrsctp/us-cmt")
    assert {destination: place["transit"]["lost"] for (_, destination), place in found.items()} == \
        {"10.1.1.1": drops["rb1"], "10.2.1.1": drops["rb2"], "10.1.0.1": drops["ra1"], "10.2.0.1": drops["ra2"]}


@pytest.mark.parametrize("shift_s", [0.3, -0.3])
def test_an_offset_of_the_clocks_changes_nothing_of_it(tshark, tmp_path, shift_s):
    plain = paths(tshark, merge("linux/bulk-loss1", tmp_path))
    other = paths(tshark, merge("linux/bulk-loss1", tmp_path, shifted("linux/bulk-loss1", tmp_path, shift_s)))
    assert {key: place["tap_delay"] for key, place in other.items()} == {key: place["tap_delay"] for key, place in plain.items()}


def test_a_clock_that_gains_shows_as_drift(tshark, tmp_path):
    """B's clock jumps by 3 ms in the middle: gained by the far tap of A's packets, lost by that of B's."""
    scenario = "linux/bulk-loss1"
    times = sorted(sightings(tshark, scenario, "B").values())
    middle = (times[0] + times[-1]) / 2e9
    pieces = [shifted(scenario, tmp_path, 0, "before.pcapng", "-B", f"{middle:.6f}"), shifted(scenario, tmp_path, 0.003, "after.pcapng", "-A", f"{middle:.6f}")]
    whole = tmp_path / "whole.pcapng"
    subprocess.run(["mergecap", "-I", "any", "-w", whole, *pieces], check=True, capture_output=True)
    found = paths(tshark, merge(scenario, tmp_path, whole))
    assert {end: place["tap_delay"]["clock_drift_ms"] for (end, _), place in found.items()} == {0: pytest.approx(3, abs=0.2), 1: pytest.approx(-3, abs=0.2)}


def test_one_tap_shows_none(tshark):
    assert all(place["tap_delay"] is None for place in paths(tshark, CAPTURES / "linux/bulk-loss1" / "A.pcapng.gz").values())
