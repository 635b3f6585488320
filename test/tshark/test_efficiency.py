# SPDX-License-Identifier: GPL-2.0-or-later
"""How efficiently each endpoint sends, against packets and lengths as Wireshark's built-in dissector has them."""

import json
import pathlib

import pytest

CAPTURES = pathlib.Path(__file__).resolve().parent.parent / "captures"
DATA, SACK, DATA_HEADER_BYTES = "0", "3", 16
FIELDS = ("sctp.chunk_type", "ip.len", "sctp.chunk_length")
PARTS = 10**-6


def packets_of(tshark, capture, source):
    fields = [argument for field in FIELDS for argument in ("-e", field)]
    result = tshark("-r", capture, "-Y", f"sctp and not icmp and ip.src == {source}", "-T", "fields", *fields, plugin=False)
    for line in result.stdout.splitlines():
        types, length, chunk_lengths = line.split("\t")
        chunks = list(zip(types.split(","), map(int, chunk_lengths.split(","))))
        yield int(length), [kind for kind, _ in chunks], sum(length - DATA_HEADER_BYTES for kind, length in chunks if kind == DATA)


def expected(packets):
    with_data = [packet for packet in packets if DATA in packet[1]]
    count = len(with_data)
    return {
        "data_packets": count,
        "other_packets": len(packets) - count,
        "other_per_data_packet": (len(packets) - count) / count,
        "chunks_per_data_packet": sum(kinds.count(DATA) for _, kinds, _ in with_data) / count,
        "bundled_share": sum(kinds.count(DATA) > 1 for _, kinds, _ in with_data) / count,
        "sack_share": sum(SACK in kinds for _, kinds, _ in with_data) / count,
        "header_share": 1 - sum(user for _, _, user in packets) / sum(length for length, _, _ in packets),
        "data_header_share": 1 - sum(user for _, _, user in with_data) / sum(length for length, _, _ in with_data),
    }


@pytest.mark.parametrize("name, end, source", [
    ("linux/bidir/A.pcapng.gz", 0, "10.1.0.1"), ("linux/bidir/A.pcapng.gz", 1, "10.1.1.1"), ("dcsctp/bidir/A.pcap.gz", 0, "10.9.0.1"),
    ("linux/smallmsg-sackopts/A.pcapng.gz", None, "10.1.0.1"),
])
def test_efficiency_is_that_of_the_packets(tshark, name, end, source):
    capture = CAPTURES / name
    associations = json.loads(tshark("-q", "-r", capture, "-z", "sctp,json").stdout)["associations"]
    wanted = expected(list(packets_of(tshark, capture, source)))
    if end is None:             # several associations between the same hosts: what is counted adds up
        found = [association["directions"][0]["efficiency"] for association in associations]
        assert all(sum(each[key] for each in found) == wanted[key] for key in ("data_packets", "other_packets"))
        return
    found = associations[0]["directions"][end]["efficiency"]
    assert found == {**{key: pytest.approx(value, abs=PARTS) for key, value in wanted.items()}, "sack_delay_sum_s": found["sack_delay_sum_s"]}


def test_who_sends_no_data_has_no_ratios(tshark):
    associations = json.loads(tshark("-q", "-r", CAPTURES / "linux/bulk-loss1/A.pcapng.gz", "-z", "sctp,json").stdout)["associations"]
    quiet = associations[0]["directions"][1]["efficiency"]
    assert quiet["data_packets"] == 0 and quiet["other_packets"] > 0 and quiet["header_share"] == 1
    assert all(quiet[key] is None for key in quiet if key not in ("data_packets", "other_packets", "header_share"))


def test_the_sum_of_delays_is_that_of_the_acks(tshark):
    """A SACK every other packet or after 200 ms: the sum lies between samples times the median's neighbours."""
    for association in json.loads(tshark("-q", "-r", CAPTURES / "linux/bulk-loss1/A.pcapng.gz", "-z", "sctp,json").stdout)["associations"]:
        direction = association["directions"][0]
        delays, total_s = direction["sack_delay_ms"], direction["efficiency"]["sack_delay_sum_s"]
        assert delays["samples"] * delays["min"] <= total_s * 1000 <= delays["samples"] * delays["max"]
