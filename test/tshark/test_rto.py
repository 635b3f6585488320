# SPDX-License-Identifier: GPL-2.0-or-later
"""The RTO is the same wherever it is shown: fields of a second pass, series, the table of failovers, and the parameters learned."""

import csv
import functools
import json
import pathlib
import re
from collections import defaultdict

import pytest

CAPTURES = pathlib.Path(__file__).resolve().parent.parent / "captures"
WORDS = ("rto", "rto_least", "rto_most")
FIELDS = ("frame.number", "ip.src", "ipv6.src", "sctp.analysis.assoc", "sctp.analysis.from", "sctp.analysis.path", "sctp.analysis.transmission",
          *(f"sctp.analysis.{word}" for word in WORDS))
# RTO.Min is 300 ms in the first three and in interop-mh, 400 ms in those of dcsctp, else 1 s.
SAMPLES = ["linux/mh-failover/A", "usrsctp/mh-failover/A", "usrsctp/vantage-multihomed/A", "interop/interop-mh/A", "dcsctp/outage/A", "pion/outage/A",
           "linux/outages/A", "linux/vantage-setup/A", "usrsctp/mh-v4v6/A"]
LEARNED = ["linux/mh-failover/A", "usrsctp/mh-v4v6/A", "pion/outage/A"]


def capture_named(name):
    return next(CAPTURES.glob(f"{name}.pcap*.gz"))


def run(tshark, capture, *arguments):
    result = tshark("-n", "-r", capture, *arguments)
    assert result.returncode == 0, result.stderr
    return result.stdout


@functools.lru_cache(maxsize=4)
def document(tshark, capture):
    return json.loads(run(tshark, capture, "-q", "-z", "sctp,json"))["associations"]


@functools.lru_cache(maxsize=4)
def series(tshark, capture):
    """(association, sender, path) -> [(frame, {word: seconds})], in order."""
    points = defaultdict(list)
    for number in range(len(document(tshark, capture))):
        for row in csv.DictReader(run(tshark, capture, "-q", "-z", f"sctp,series,{number}").splitlines()):
            if row["series"] in WORDS:
                of_path, frame = points[number, int(row["endpoint"]), int(row["path"])], int(row["frame"])
                if row["series"] == "rto":
                    of_path.append((frame, {}))
                of_path[-1][1][row["series"]] = row["value"]
    return points


def fields(tshark, capture, *options):
    """(frame, (association, sender, path), {word: seconds}) of each packet: of the data that it holds, or else acknowledges."""
    arguments = [argument for name in FIELDS for argument in ("-e", name)]
    paths = {(number, path["from"], path["destination"]): path["index"] for number, association in enumerate(document(tshark, capture))
             for path in association["paths"]}
    for line in run(tshark, capture, *options, "-Y", "sctp.analysis.assoc && !sctp.analysis.capture == \"duplicate\" && !icmp", "-T", "fields",
                    *arguments).splitlines():
        frame, ipv4, ipv6, association, sender, path, transmission, *values = line.split("\t")
        association, sender = int(association), int(sender)
        of = (association, sender, int(path)) if transmission else (association, 1 - sender, paths.get((association, 1 - sender, ipv4 or ipv6)))
        yield int(frame), of, {word: value for word, value in zip(WORDS, values) if value}


def drawn_at(points, frame):
    """What the series say last up to a frame, as the fields have it: bounds that differ, or none."""
    values = next((values for at, values in reversed(points) if at <= frame), {})
    return values if values.get("rto_least") != values.get("rto_most") else {word: values[word] for word in values if word == "rto"}


@pytest.mark.thorough_but_one_in(4)
@pytest.mark.parametrize("name", SAMPLES)
def test_fields_have_the_rto_that_is_drawn(name, tshark):
    capture = capture_named(name)
    points, compared = series(tshark, capture), 0
    for frame, of, values in fields(tshark, capture, "-2"):
        assert values == drawn_at(points.get(of, []), frame), f"frame {frame}"
        compared += bool(values)
    assert compared > 20


@pytest.mark.thorough_but_one_in(4)
@pytest.mark.parametrize("name", [name for name in SAMPLES if name != "usrsctp/mh-v4v6/A"])
def test_bounds_of_the_first_pass_hold_what_the_second_says(name, tshark):
    """Of RTO.Min: that there is an RTO.Max of 2 s in mh-v4v6 shows only later."""
    capture = capture_named(name)
    both = zip(fields(tshark, capture), fields(tshark, capture, "-2"))
    for (frame, of, first), (_, same, second) in both:
        assert of == same and ("rto" in first) == ("rto" in second)
        if "rto_least" in first:
            assert float(first["rto_least"]) <= float(second["rto"]) <= float(first["rto_most"]), f"frame {frame}"


@pytest.mark.parametrize("name", LEARNED)
def test_no_rto_lies_below_the_parameters_learned(name, tshark):
    capture = capture_named(name)
    points, compared = series(tshark, capture), 0
    for number, association in enumerate(document(tshark, capture)):
        for sender, endpoint in enumerate(association["endpoints"]):
            least, most = (endpoint["learned"][name] for name in ("rto_min_ms", "rto_max_ms"))
            for values in (values for of, of_path in points.items() if of[:2] == (number, sender) for _, values in of_path):
                for word, bound in zip(WORDS, ("value", "low", "high")):
                    assert not least or float(values[word]) * 1000 >= least[bound] - 1e-6
                    assert not most or float(values[word]) * 1000 <= most[bound] + 1e-6
                    compared += bool(least or most)
    assert compared > 20


@pytest.mark.parametrize("name", ["linux/mh-failover/A", "usrsctp/mh-failover/A", "interop/interop-mh/A"])
def test_failovers_have_the_rto_before_the_first_timeout(name, tshark):
    capture = capture_named(name)
    points = series(tshark, capture)
    rows = re.findall(r"^ *([01]) +(\d+) +\d+ +(\d+) +([1-9]\d*) +\d+ +(\d+\.\d{3}) ", run(tshark, capture, "-q", "-z", "sctp,paths"), re.MULTILINE)
    assert rows
    for sender, path, frame, timeouts, rto in rows:
        values = [values["rto"] for at, values in points[0, int(sender), int(path)] if at <= int(frame)]
        # Each timeout is a point, after which the RTO is doubled.
        assert f"{float(values[-int(timeouts) - 1]):.3f}" == rto
