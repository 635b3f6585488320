# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects what a triage is about: -Y, --from, --to and --only, in every result, and that results of one selection are not another's."""

import datetime
import json

import pytest

from triage_runs import CAPTURES, complaints, gather, triage  # noqa: F401

ABORTS, DEMO = "linux/aborts/A.pcapng.gz", "demo.pcapng.gz"


@pytest.fixture
def folder(tmp_path):
    return gather(tmp_path / "in", ABORTS)


def read(tshark, *filter_words):
    return json.loads(tshark("-n", "-q", "-r", CAPTURES / ABORTS, "-z", ",".join(("sctp,json", *filter_words))).stdout)


def epochs(tshark):
    """Seconds since 1970 of each packet, as text."""
    return tshark("-n", "-r", CAPTURES / ABORTS, "-T", "fields", "-e", "frame.time_epoch").stdout.split()


def test_a_filter_counts_what_tshark_counts(triage, folder, tshark):  # noqa: F811
    result = triage("-Y", "sctp.chunk_type == 0 || sctp.chunk_type == 6", folder)
    assert result.returncode == 0, result.stderr
    expected = read(tshark, "sctp.chunk_type == 0 || sctp.chunk_type == 6")["associations"]
    assert [(line["index"], line["packets"], line["chunks"]) for line in triage.associations()] == \
        [(assoc["index"], assoc["packets"], assoc["chunks"]) for assoc in expected]
    assert "sctp.chunk_type == 0 || sctp.chunk_type == 6" in triage.output("report.html")


@pytest.mark.thorough_but_one_in(3)
@pytest.mark.parametrize("form", ["epoch", "iso", "zone"])
def test_a_time_window_holds_its_begin_and_not_its_end(triage, folder, tshark, form):  # noqa: F811
    stamps = epochs(tshark)
    begin, end = stamps[20], stamps[60]
    words = begin, end
    if form != "epoch":
        zone = datetime.timezone(datetime.timedelta(hours=0 if form == "iso" else 5))
        # To the microsecond, and not later than the packet.
        words = [datetime.datetime.fromtimestamp(int(text.split(".")[0]), zone).replace(microsecond=int(text.split(".")[1][:6]), tzinfo=None if form == "iso" else zone).isoformat()
                 for text in words]
        begin, end = (f"{text.split('.')[0]}.{text.split('.')[1][:6]}" for text in (begin, end))
    result = triage("--from", words[0], "--to", words[1], folder)
    assert result.returncode == 0, result.stderr
    held = read(tshark, f"frame.time_epoch >= {begin} && frame.time_epoch < {end}")["associations"]
    assert [(line["index"], line["packets"]) for line in triage.associations()] == [(assoc["index"], assoc["packets"]) for assoc in held]
    inside = sum(float(begin) <= float(stamp) < float(end) for stamp in stamps)
    assert 0 < sum(line["packets"] for line in triage.associations()) <= inside


@pytest.mark.thorough
def test_only_associations_of_an_address_or_network(triage, tmp_path):  # noqa: F811
    folder = gather(tmp_path / "in", ABORTS, DEMO)
    triage(folder)
    all_of_them = triage.associations()
    addresses = [{address for end in line["endpoints"] for address in end["addresses"]} for line in all_of_them]
    chosen = sorted(addresses[0])[0]
    for words, takes in ((["--only", chosen], lambda each: chosen in each), (["--only", "2001:db8::/32"], lambda each: any(address.startswith("2001:db8:") for address in each)),
                         (["--only", "192.0.2.0/24", "--only", chosen], lambda each: chosen in each or any(address.startswith("192.0.2.") for address in each))):
        result = triage(*words, folder)
        assert result.returncode == 0, result.stderr
        expected = [(line["capture"]["file"], line["index"]) for line, each in zip(all_of_them, addresses) if takes(each)]
        assert [(line["capture"]["file"], line["index"]) for line in triage.associations()] == expected
        assert sum(int(row["associations"]) for row in triage.captures().values()) == len(expected)
    assert "associations of 192.0.2.0/24" in triage.output("report.html")


@pytest.mark.thorough
def test_another_selection_reads_again_and_the_same_does_not(triage, folder):  # noqa: F811
    for words, reads in (([], 1), (["-Y", "sctp"], 2), (["-Y", "sctp"], 2), (["--only", "::/0"], 3), ([], 3)):
        triage(*words, "--sections", "0", folder)
        assert len(triage.reads()) == reads


@pytest.mark.thorough
def test_anonymised_no_address_of_the_selection_is_left(triage, folder):  # noqa: F811
    triage(folder)
    address = triage.associations()[0]["endpoints"][0]["addresses"][0]
    result = triage("--anonymise", "--only", address, "-Y", f"ip.addr == {address}", folder)
    assert result.returncode == 0 and triage.associations(), result.stderr
    assert all(address.encode() not in content for name, content in triage.everything().items() if name in ("report.html", "associations.ndjson") or name.endswith(".csv"))


@pytest.mark.parametrize("words, said", [
    (["-Y", "sctp.no_such_field == 1"], "the filter is not valid: "), (["--from", "yesterday"], "yesterday is no time"),
    (["--only", "10.1"], "10.1 is neither an address nor a network"), (["--from", "2024-01-02", "--to", "2024-01-01"], "--from is not before --to"),
])
def test_wrong_words_are_one_line_and_status_2(triage, folder, words, said):  # noqa: F811
    result = triage(*words, folder)
    assert result.returncode == 2 and len(complaints(result)) == 1 and said in result.stderr
