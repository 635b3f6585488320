# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes captures of DTLS 1.2 over UDP with any contents, and the key log that opens them. The cipher suite is TLS_RSA_WITH_NULL_SHA256: records have
a MAC, but are not enciphered. Of the handshake there is what Wireshark needs, both hellos and ChangeCipherSpec."""

import hashlib
import hmac
import struct

MASTER = bytes(range(48))
CLIENT_RANDOM, SERVER_RANDOM = bytes([0xC1]) * 32, bytes([0x5E]) * 32
VERSION, SUITE = 0xFEFD, 0x003B
CHANGE, HANDSHAKE, CONTENTS = 20, 22, 23
CLIENT_HELLO, SERVER_HELLO = 1, 2
CLIENT, SERVER = (bytes([192, 0, 2, 1]), 40001), (bytes([192, 0, 2, 2]), 40002)
KEY_LOG = f"CLIENT_RANDOM {CLIENT_RANDOM.hex()} {MASTER.hex()}\n"


def _prf(label, seed, length):
    """P_SHA256 of RFC 5246 5."""
    seed, made = label + seed, b""
    block = seed
    while len(made) < length:
        block = hmac.digest(MASTER, block, hashlib.sha256)
        made += hmac.digest(MASTER, block + seed, hashlib.sha256)
    return made[:length]


KEYS = _prf(b"key expansion", SERVER_RANDOM + CLIENT_RANDOM, 64)


def _hello(kind, random, suites):
    body = struct.pack(">H", VERSION) + random + b"\0" + (b"\0" if kind == CLIENT_HELLO else b"") + suites
    size = struct.pack(">I", len(body))[1:]
    return bytes([kind]) + size + b"\0\0" + bytes(3) + size + body


def _record(kind, epoch, number, contents):
    return struct.pack(">BHHHIH", kind, VERSION, epoch, 0, number, len(contents)) + contents


def _protected(is_client, number, contents):
    key = KEYS[:32] if is_client else KEYS[32:]
    head = struct.pack(">HHIBHH", 1, 0, number, CONTENTS, VERSION, len(contents))
    return _record(CONTENTS, 1, number, contents + hmac.digest(key, head + contents, hashlib.sha256))


def _datagram(is_client, contents):
    (source, from_port), (destination, to_port) = (CLIENT, SERVER) if is_client else (SERVER, CLIENT)
    udp = struct.pack(">HHHH", from_port, to_port, 8 + len(contents), 0) + contents
    return struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(udp), 0, 0x4000, 64, 17, 0) + source + destination + udp


def dtls_capture(packets):
    """A pcap with the handshake, and a record for each (ns since 1970, sent by the client?, contents)."""
    begin_ns = packets[0][0] - 10 ** 9
    frames = [(begin_ns, _datagram(True, _record(HANDSHAKE, 0, 0, _hello(CLIENT_HELLO, CLIENT_RANDOM, struct.pack(">HHBB", 2, SUITE, 1, 0))))),
              (begin_ns, _datagram(False, _record(HANDSHAKE, 0, 0, _hello(SERVER_HELLO, SERVER_RANDOM, struct.pack(">HB", SUITE, 0))))),
              (begin_ns, _datagram(True, _record(CHANGE, 0, 1, b"\1"))), (begin_ns, _datagram(False, _record(CHANGE, 0, 1, b"\1")))]
    frames += [(time_ns, _datagram(is_client, _protected(is_client, number, contents))) for number, (time_ns, is_client, contents) in enumerate(packets)]
    made = [struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 65535, 101)]
    for time_ns, frame in frames:
        made.append(struct.pack("<IIII", time_ns // 10 ** 9, time_ns % 10 ** 9, len(frame), len(frame)) + frame)
    return b"".join(made)
