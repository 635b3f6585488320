# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects ./run report --anonymise: no address, name or user data of the capture in any output, and findings and checksums as before."""

import ipaddress
import json
import random
import re
import subprocess

import pytest

from report_runs import CAPTURES, report

from sctpa.crc32c import crc32c
from sctpa.report import capture_rewriter, pseudonyms as pseudonyms_module
from sctpa.report.packet_rewriter import LINK_ETHERNET, LINK_RAW, LINK_SLL, LINK_SLL2, PacketRewriter
from sctpa.report.pseudonyms import Pseudonyms
from sctpa.tshark import Failed

NAMES = ("linux/idata/A.pcapng.gz", "linux/asconf-auth/A.pcapng.gz", "linux/mh-v4v6/A.pcapng.gz", "linux/aborts/A.pcapng.gz", "linux/udpencap/A.pcapng.gz",
         "usrsctp/aborts/A.pcapng.gz", "usrsctp/pmtu/A.pcapng.gz", "dcsctp/outage/A.pcap.gz", "pion/reset-streams/A.pcap.gz", "demo.pcapng.gz")
THERE = [name for name in NAMES if (CAPTURES / name).exists()]
KEY = bytes(32)


def fields(path, *names):
    words = [word for name in names for word in ("-e", name)]
    text = subprocess.run(["tshark", "-n", "-r", path, "-T", "fields", "-E", "occurrence=a", "-E", "aggregator= ", *words], capture_output=True, encoding="utf-8",
                          check=True).stdout
    return set(text.split())


def addresses(path):
    """All that Wireshark finds, as bytes and as text, but for those that tell nothing."""
    texts = fields(path, "ip.addr", "ipv6.addr", "sctp.parameter_ipv4_address", "sctp.parameter_ipv6_address")
    found = {ipaddress.ip_address(text) for text in texts}
    return [address for address in found if not (address.is_loopback or address.is_unspecified or address.is_multicast)]


def whole(path, target):
    """The capture anonymised, with all its packets."""
    subprocess.run(["tshark", "-n", "-r", path, "-F", "pcapng", "-w", f"{target}.in"], check=True, capture_output=True)
    with open(f"{target}.in", "rb") as source, open(target, "wb") as made:
        capture_rewriter.rewrite(source, made, PacketRewriter(Pseudonyms(KEY)))
    target.chmod(0o644)
    return target


def document(tshark, path):
    return json.loads(tshark("-r", path, "-q", "-z", "sctp,json", "-o", "sctp_analysis.messages:FALSE").stdout)


def told(read):
    """What must be the same with other addresses and without user data."""
    return [(assoc["packets"], assoc["setup"], assoc["end"], assoc["chunks"], [end["verdict"] for end in assoc["endpoints"]],
             sorted((finding["rule"], finding["count"], finding["certainty"], finding["frames"]) for finding in assoc["findings"] or ()))
            for assoc in read["associations"]]


def checksum_counts(read):
    return [end["checksum"] for assoc in read["associations"] for end in assoc["endpoints"]]


def test_captures_are_there():
    assert len(THERE) >= 8


@pytest.mark.thorough_but_one_in(18)
@pytest.mark.parametrize("name", THERE)
def test_outputs_hold_no_address_and_no_name(name, tshark, tmp_path):
    result = report(tshark, tmp_path, "--anonymise", "--taken-at", addresses(CAPTURES / name)[0], CAPTURES / name)
    assert result.returncode == 0, result.stderr
    macs = {bytes.fromhex(text.replace(":", "")) for text in fields(CAPTURES / name, "eth.addr")} - {bytes(6), b"\xff" * 6}
    for path in (tmp_path / "out").iterdir():
        content = path.read_bytes()
        for address in addresses(CAPTURES / name):
            if path.suffix == ".pcapng" and address.version == 4:
                # Four bytes may occur by chance where they are no address.
                assert address not in addresses(path)
            else:
                assert address.packed not in content or address.version == 4, (path.name, address)
            assert not re.search(rb"(?<![\d.:])%s(?![\d.:]*\d)" % re.escape(str(address).encode()), content), (path.name, address)
        assert not any(mac in content for mac in macs)
        assert name.encode() not in content


@pytest.mark.thorough_but_one_in(3)
@pytest.mark.parametrize("name", THERE)
def test_what_is_found_stays_the_same(name, tshark, tmp_path):
    made, before = (document(tshark, path) for path in (whole(CAPTURES / name, tmp_path / "whole.pcapng"), CAPTURES / name))
    assert told(made) == told(before)
    assert checksum_counts(made) == checksum_counts(before)


@pytest.mark.thorough_but_one_in(18)
@pytest.mark.parametrize("name", THERE)
def test_checksums_of_headers_stay_right(name, tmp_path):
    made = whole(CAPTURES / name, tmp_path / "whole.pcapng")
    checks = ("-o", "ip.check_checksum:TRUE", "-o", "udp.check_checksum:TRUE")
    for layer in ("ip", "udp", "icmp", "icmpv6"):
        counts = [len(subprocess.run(["tshark", "-n", *checks, "-r", path, "-Y", f"{layer}.checksum.status == 0"], capture_output=True, check=True).stdout.splitlines())
                  for path in (CAPTURES / name, made)]
        assert counts[0] == counts[1], layer


def test_crc32c_is_that_of_the_rfc():
    # RFC 3720 B.4, whose examples RFC 9260 Appendix A has the algorithm of.
    assert crc32c(bytes(32)) == 0x8A9136AA
    assert crc32c(b"\xff" * 32) == 0x62A8AB43
    assert crc32c(bytes(range(32))) == 0x46DD794E
    assert crc32c(b"123456789") == 0xE3069283


@pytest.mark.parametrize("link", [LINK_ETHERNET, LINK_SLL, LINK_SLL2, *sorted(LINK_RAW), 0, 108, 248])
def test_any_bytes_are_taken_and_none_of_another_length_come_out(link):
    chance, rewriter = random.Random(link), PacketRewriter(Pseudonyms(KEY))
    starts = {LINK_ETHERNET: bytes(12) + b"\x08\x00", LINK_SLL: bytes(14) + b"\x08\x00", LINK_SLL2: b"\x08\x00" + bytes(18), 0: bytes(4), 108: bytes(4)}
    for _ in range(2000):
        inner = bytearray(chance.randbytes(chance.randrange(120)))
        if len(inner) > 24 and chance.random() < 0.8:
            inner[0], inner[9] = chance.choice((0x45, 0x60, 0x46)), chance.choice((132, 17, 1, 4, 41))
            inner[6:8] = b"\0\0"
            inner[2:4] = len(inner).to_bytes(2, "big")
            inner[20] = chance.choice((3, 11, 20))
        packet = starts.get(link, b"") + bytes(inner)
        packet = packet[:chance.randrange(len(packet) + 1)] if chance.random() < 0.2 else packet
        assert len(rewriter.packet(link, packet, len(packet))) == len(packet)


def test_addresses_stay_of_their_kind_and_apart():
    pseudonyms = Pseudonyms(KEY)
    originals = [ipaddress.ip_address(text) for text in ("10.1.2.3", "192.168.1.1", "172.16.0.1", "8.8.8.8", "1.1.1.1", "169.254.1.1", "fe80::1", "fd12::1", "2a00::1",
                                                          "::ffff:8.8.8.8", *(f"9.{high}.{low}.7" for high in range(40) for low in range(100)))]
    new = [ipaddress.ip_address(pseudonyms.address(address.packed)) for address in originals]
    assert len(set(new)) == len(new)
    for before, after in zip(originals[:9], new):
        assert (before.version, before.is_link_local) == (after.version, after.is_link_local) and before != after
    assert new[9].ipv4_mapped == new[3]
    assert [pseudonyms.address(address.packed) for address in originals] == [address.packed for address in new]
    for text in ("127.0.0.1", "0.0.0.0", "255.255.255.255", "224.0.0.1", "::1", "ff02::1"):
        assert pseudonyms.text(text) == text


def replaced(pseudonyms, first, count):
    """How many addresses stand for so many from the first on."""
    return len({pseudonyms.address((first + number).to_bytes(4, "big")) for number in range(count)})


def test_more_addresses_than_the_first_network_has_stay_apart():
    # 198.18.0.0/15 has 131,072.
    assert replaced(Pseudonyms(KEY), int(ipaddress.ip_address("50.0.0.0")), 140_000) == 140_000


@pytest.mark.thorough
def test_all_link_local_addresses_of_ipv4_stay_apart():
    pseudonyms = Pseudonyms(KEY)
    assert replaced(pseudonyms, int(ipaddress.ip_address("169.254.0.0")), 1 << 16) == 1 << 16


def test_where_no_address_is_left_that_is_said(monkeypatch):
    monkeypatch.setattr(pseudonyms_module, "GLOBAL", pseudonyms_module._Kind("198.18.0.0/28", "240.0.0.0/28"))
    pseudonyms = Pseudonyms(KEY)
    assert replaced(pseudonyms, int(ipaddress.ip_address("50.0.0.0")), 8 + 16) == 24
    with pytest.raises(Failed, match="more addresses than --anonymise can replace"):
        pseudonyms.address(bytes((60, 0, 0, 1)))
