# SPDX-License-Identifier: GPL-2.0-or-later
"""Wireshark names every message that users send, and finds none of them malformed."""

import pytest

from sctpa import pcapng

from . import payloads, tap, wire
from .datagram import Datagram

NAMES = {
    "plain": {"DATA"},
    "NGAP": {"NGSetupRequest", "NGSetupResponse", "InitialUEMessage", "DownlinkNASTransport", "UplinkNASTransport"},
    "S1AP": {"S1SetupRequest", "S1SetupResponse", "InitialUEMessage", "DownlinkNASTransport", "UplinkNASTransport"},
    "X2AP": {"X2SetupRequest", "X2SetupResponse", "ErrorIndication"},
    "Diameter": {
        "cmd=Capabilities-Exchange Request(257)",
        "cmd=Capabilities-Exchange Answer(257)",
        "cmd=Credit-Control Request(272)",
        "cmd=Credit-Control Answer(272)",
    },
    "M3UA": {"ASPUP", "ASPUP_ACK", "UDT"},
}


def capture(messages):
    """A pcapng file with a packet for each."""
    made = [pcapng.section(), pcapng.interface_block(pcapng.Interface(tap.RAW_IP, 262_144, b"x", 9))]
    for number, message in enumerate(messages):
        sctp = wire.packet(4000, 4001, 7, [wire.data_chunk(number, message.stream, number, message.ppid, message.data)])
        made.append(pcapng.packet(0, number * 1_000_000, tap.ip_packets(Datagram(number, "10.0.0.1", "10.0.0.2", sctp), 64)[0]))
    return b"".join(made)


def test_wireshark_names_them(tshark, tmp_path):
    messages = []
    for family in payloads.FAMILIES.values():
        opening = [family.opening(False), family.opening(True)]
        made = [
            make(number, size, 4) for number, size in ((0, 0), (300, 0), (5, 100), (9, 1200)) for make in (family.request, family.answer, family.push)
        ]
        messages += [(family.name, message) for message in opening + made if message]
    path = tmp_path / "messages.pcapng"
    path.write_bytes(capture([message for _, message in messages]))
    result = tshark("-n", "-r", path, "-T", "fields", "-e", "_ws.malformed", "-e", "_ws.expert.message", "-e", "_ws.col.Info", plugin=False)
    lines = [line.split("\t") for line in result.stdout.splitlines()]
    named = {name: set() for name in NAMES}
    for (family, message), (malformed, expert, said) in zip(messages, lines, strict=True):
        assert not malformed and not expert, (family, message)
        named[family].add(max((name for name in NAMES[family] if said.startswith(name)), key=len, default=said))
    assert named == NAMES


@pytest.mark.parametrize("family", payloads.FAMILIES.values(), ids=lambda family: family.name)
def test_filled_messages_are_as_long_as_asked(family):
    if family.name not in ("X2AP", "M3UA"):
        assert all(abs(len(family.push(number, 700, 3).data) - 700) <= 16 for number in range(200))


def test_signalling_of_no_user_is_on_stream_0():
    assert {payloads.FAMILIES["NGAP"].request(number, 100, 5).stream for number in range(50)} == {1, 2, 3, 4}
    assert payloads.FAMILIES["NGAP"].opening(False).stream == 0
