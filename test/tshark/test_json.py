# SPDX-License-Identifier: GPL-2.0-or-later
"""The JSON report: valid against docs/json_schema.json for every capture, exact in its times, consistent in its numbers."""

import decimal
import json
import pathlib
import re

import jsonschema
import pytest

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
SCHEMA = json.loads((TOP / "docs/json_schema.json").read_text())
VALIDATOR = jsonschema.Draft7Validator(SCHEMA)
RATES = {"throughput_bps", "goodput_bps", "window", "lossy", "lossy_headers"}
SHORT = TOP / "test/captures/linux/init-fail/A.pcapng.gz"


@pytest.fixture(scope="session")
def json_text(tshark):
    return tshark.json_report


def numbers_of(value):
    """Every number in a document with its key."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if isinstance(inner, (int, decimal.Decimal)) and not isinstance(inner, bool):
                yield key, inner
            yield from numbers_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from numbers_of(inner)


def test_the_schema_is_a_schema():
    jsonschema.Draft7Validator.check_schema(SCHEMA)


def test_the_schema_has_every_cause_of_a_pause():
    table = (TOP / "plugins/sctp_analysis/core/measure/periods/pauses.def").read_text()
    words = re.findall(r'^SCTPA_PAUSE_ROW\(\w+, "(\w+)"', table, re.M)
    pauses = SCHEMA["definitions"]["pauses"]["properties"]
    causes = pauses["list"]["items"]["properties"]["cause"]["enum"]
    assert sorted(causes) == sorted(words)
    assert set(pauses["by_cause"]["properties"]) == {f"{word}_s" for word in words}


def test_the_words_are_those_that_the_schema_allows(json_text):
    words, definitions = json.loads(json_text(SHORT))["words"], SCHEMA["definitions"]
    for name, kind, key in (("end", "association", "end"), ("encapsulation", "association", "encapsulation"),
                            ("quality", "quality", "kind"), ("verdict", "endpoint", "verdict")):
        assert sorted(words[name]) == sorted(definitions[kind]["properties"][key]["enum"]), key
    assert words["failures"] == words["rank"][:len(words["failures"])]


def check_counters(association):
    """Counters of an association, its paths, pairs, directions and endpoints agree."""
    paths = association["paths"]
    assert association["packets"] == sum(path["packets"] for path in paths)
    assert association["packets"] == sum(sum(end["checksum"].values()) for end in association["endpoints"])
    for direction in association["directions"]:
        sent = [path for path in paths if path["from"] == direction["from"]]
        assert direction["wire_bytes"] == sum(path["wire_bytes"] for path in sent)
        assert direction["data_chunks"] == sum(path["data_chunks"] for path in sent)
    for path in paths:
        assert path["packets"] == sum(pair["packets"] for pair in path["pairs"])
        assert path["wire_bytes"] == sum(pair["wire_bytes"] for pair in path["pairs"])


def check_data(association, whole):
    """Numbers of directions, their paths and their streams agree. whole: no packet is cut, damaged or malformed."""
    for direction in association["directions"]:
        paths = [path for path in association["paths"] if path["from"] == direction["from"]]
        streams = [stream for stream in association["streams"] if stream["from"] == direction["from"]]
        resent = sum(direction["retransmissions"].values())
        again = resent + direction["other_messages"]
        doubled = direction["doubled"]
        assert direction["user_bytes"] == sum(path["user_bytes"] for path in paths)
        assert resent == sum(path["retransmissions"] for path in paths)
        assert direction["tsns"] + again == sum(stream["chunks"] for stream in streams)
        for key in ("messages", "user_bytes"):
            assert direction[key] == sum(stream[key] for stream in streams)
        assert direction["spurious"] <= resent
        assert direction["messages"] <= direction["tsns"] <= direction["data_chunks"]
        assert direction["tsns"] + again + doubled <= direction["data_chunks"]
        assert not whole or direction["tsns"] + again + doubled == direction["data_chunks"]
        assert samples(direction, "rtt_ms") == sum(samples(path, "rtt_ms") for path in paths)
        check_rates(direction, paths)


def check_rates(direction, paths):
    """Rates of paths are shares of the direction's; a rate is unknown for all or for none."""
    for key in ("throughput_bps", "goodput_bps"):
        known = direction[key] is not None
        assert all((path[key] is not None) == known for path in paths)
        if known:
            assert sum(path[key] for path in paths) == pytest.approx(direction[key], abs=len(paths))
    if direction["throughput_bps"] is not None:
        assert direction["goodput_bps"] < direction["throughput_bps"]


def samples(measured, key):
    return measured[key]["samples"] if measured[key] else 0


def check_spreads(value):
    """min <= median <= p95 <= max wherever there are any."""
    if isinstance(value, dict):
        spread = [value[key] for key in ("min", "median", "p95", "max") if key in value]
        if {"median", "p95", "max"} <= set(value):
            assert spread == sorted(spread)
        for inner in value.values():
            check_spreads(inner)
    elif isinstance(value, list):
        for inner in value:
            check_spreads(inner)


def check_roles(association):
    """Of a collision both endpoints are either; fingerprints say the same as the endpoints."""
    initiator, roles = association["initiator"], [end["role"] for end in association["endpoints"]]
    if any(event["kind"] == "collision" for event in association["events"]):
        assert roles == ["either", "either"]
    else:
        assert roles == (["unknown"] * 2 if initiator is None else [("initiator", "responder")[end != initiator] for end in (0, 1)])
    for finding in association["findings"] or ():
        assert finding["fingerprint"].split("/")[:2] == [finding["rule"], roles[finding["accused"]]]


def is_whole(document):
    return not any(remark["kind"] == "truncated" for remark in document["capture"]["quality"])


def test_the_report_follows_the_schema_and_adds_up(json_text, half_of_captures):
    capture = half_of_captures
    text = json_text(capture)
    assert all(line.isprintable() for line in text.split("\n"))
    document = json.loads(text)
    VALIDATOR.validate(document)
    for association in document["associations"]:
        check_counters(association)
        check_roles(association)
        intact = not any(end["checksum"]["bad"] for end in association["endpoints"])
        check_data(association, intact and is_whole(document) and "fuzz" not in capture.name)
    check_spreads(document["associations"])


def test_times_have_nanoseconds_and_fit_the_frames(json_text, tshark):
    document = json.loads(json_text(SHORT), parse_float=decimal.Decimal)
    times = tshark("-r", SHORT, "-T", "fields", "-e", "frame.time_epoch").stdout.split()
    times = [decimal.Decimal(time) for time in times]
    assert document["capture"]["start_epoch_s"] == times[0]
    assert document["capture"]["duration_s"] == times[-1] - times[0]
    for association in document["associations"]:
        first, last = times[association["first_frame"] - 1], times[association["last_frame"] - 1]
        assert association["start_s"] == first - times[0]
        assert association["duration_s"] == last - first
    for key, number in numbers_of(document):
        if isinstance(number, decimal.Decimal):
            decimals = 9 if key.endswith("_s") else 1 if key in RATES else 6
            assert number.as_tuple().exponent == -decimals, key


def test_what_is_not_measured_is_null_and_never_zero(json_text):
    association = json.loads(json_text(SHORT))["associations"][0]  # nobody answered its INIT
    assert association["findings"] == []
    for direction in association["directions"]:
        for key in ("rtt_ms", "sack_delay_ms", "throughput_bps", "goodput_bps", "missed_by_capture", "theory_bps"):
            assert direction[key] is None
    for end in association["endpoints"]:
        assert {name for name, value in end["learned"].items() if value is not None} <= {"max_init_retrans"}
        assert end["stack"] is None or end["stack"]["evidence"]
    assert association["endpoints"][1]["verdict"] == "not_judged"


def test_the_schema_rejects_a_key_that_is_not_documented(json_text):
    document = json.loads(json_text(SHORT))
    document["associations"][0]["surprise"] = 1
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, SCHEMA)
