# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects -z sctp,ndjson: line by line what -z sctp,json has in one document, for any capture and filter."""

import json

import pytest

from conftest import CAPTURES

NAMES = ("demo.pcapng.gz", "linux/mh-failover/A.pcapng.gz", "usrsctp/idata/A.pcapng.gz", "linux/init-fail/A.pcapng.gz")


def lines_of(text):
    assert text.endswith("}\n") and "\n\n" not in text
    return [json.loads(line) for line in text.splitlines()]


def check(lines, document):
    """The lines hold the document, the capture first and the rules last."""
    first, *associations, last = lines
    assert [line.pop("record") for line in lines] == ["capture", *["association"] * len(associations), "rules"]
    assert first == {name: document[name] for name in ("schema", "generator", "words", "capture")}
    assert associations == document["associations"]
    assert first | last | {"associations": associations} == document


@pytest.mark.thorough_but_one_in(4)
@pytest.mark.parametrize("name", [name for name in NAMES if (CAPTURES / name).exists()])
@pytest.mark.parametrize("words", ["", ",sctp.chunk_type == 0", ",frame.number < 0"])
def test_the_lines_are_the_document(tshark, name, words):
    document, lines = (tshark("-n", "-q", "-r", CAPTURES / name, "-z", f"sctp,{report}{words}").stdout for report in ("json", "ndjson"))
    check(lines_of(lines), json.loads(document))


def test_each_line_keeps_its_digits(tshark):
    """Nanoseconds stay as the document has them."""
    text = tshark("-n", "-q", "-r", CAPTURES / "demo.pcapng.gz", "-z", "sctp,ndjson").stdout
    document = tshark.json_report(CAPTURES / "demo.pcapng.gz")
    start = document.split('"start_epoch_s": ')[1].split(",")[0]
    assert f'"start_epoch_s":{start},' in text


def test_a_capture_without_sctp_has_two_lines(tshark, tmp_path):
    import struct
    path = tmp_path / "none.pcap"
    path.write_bytes(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
    path.chmod(0o644)
    first, last = lines_of(tshark("-q", "-r", path, "-z", "sctp,ndjson").stdout)
    assert first["capture"]["sctp_packets"] == 0 and last["rule_sets"] == []
