# SPDX-License-Identifier: GPL-2.0-or-later
"""Captures of floods, as bytes of raw IPv4 in pcap. Leaves what is asked of them to the tests."""

import struct

START_S = 1_700_000_000
SERVER = bytes((192, 0, 2, 2))


def chunk(kind, flags, value):
    return struct.pack(">BBH", kind, flags, 4 + len(value)) + value + bytes(-len(value) % 4)


def init(tag):
    return chunk(1, 0, struct.pack(">IIHHI", tag, 65536, 10, 10, tag))


def init_ack(tag, tsn):
    """With a cookie of 8 bytes."""
    return chunk(2, 0, struct.pack(">IIHHI", tag, 65536, 10, 10, tsn) + struct.pack(">HH", 7, 12) + bytes(8))


def data(tsn):
    return chunk(0, 3, struct.pack(">IHHI", tsn, 0, tsn & 0xFFFF, 0) + b"data")


def sack(cum_tsn, gaps=()):
    return chunk(3, 0, struct.pack(">IIHH", cum_tsn, 65536, len(gaps), 0) + b"".join(struct.pack(">HH", *gap) for gap in gaps))


def packet(source, destination, ports, tag, *chunks):
    """An IPv4 packet."""
    body = struct.pack(">HHII", *ports, tag, 0) + b"".join(chunks)
    return struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(body), 0, 0, 64, 132, 0) + source + destination + body


def host(number):
    return (0x0B000000 + number * 2654435761 % 0x00FFFFFF).to_bytes(4, "big")


def tag(number):
    return (number * 2654435761 & 0xFFFFFFFF) | 1


def inits(count):
    """INITs of as many hosts, none of which is answered."""
    for number in range(count):
        yield packet(host(number), SERVER, (1024 + number % 60000, 3868), 0, init(tag(number)))


def answered(count, kind):
    """The same, answered by a server: by an INIT ACK with a cookie (kind 2), or by an ABORT (kind 6)."""
    for number, each in enumerate(inits(count)):
        yield each
        answer = init_ack(77, 77) if kind == 2 else chunk(6, 0, b"")
        yield packet(SERVER, host(number), (3868, 1024 + number % 60000), tag(number), answer)


def strays(count):
    """DATA of as many hosts that nobody knows."""
    for number in range(count):
        yield packet(SERVER, host(number), (3868, 1024 + number % 60000), tag(number), data(1))


def talk(rounds, client=bytes((10, 0, 0, 1))):
    """An association that sets up and then sends so many DATA chunks, each acknowledged."""
    there, back = (client, SERVER, (5000, 3868)), (SERVER, client, (3868, 5000))
    yield packet(*there, 0, init(5))
    yield packet(*back, 5, init_ack(6, 100))
    yield packet(*there, 6, chunk(10, 0, bytes(8)))
    yield packet(*back, 5, chunk(11, 0, b""))
    for number in range(rounds):
        yield packet(*there, 6, data(5 + number))
        yield packet(*back, 5, sack(5 + number))


def write(path, packets, gap_ns):
    """A pcap of packets, one each gap_ns."""
    with open(path, "wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 65535, 101))
        for number, each in enumerate(packets):
            seconds, rest = divmod(number * gap_ns, 1_000_000_000)
            file.write(struct.pack("<IIII", START_S + seconds, rest, len(each), len(each)) + each)
    path.chmod(0o644)
    return path
