# SPDX-License-Identifier: GPL-2.0-or-later
"""One capture of the lab as seen from the end it was made at: the packets that end sent and received, with their DATA and
SACK chunks. Leaves out what the stack thinks (linux.py and its neighbours) and what the plugin says (plugin.py)."""

import functools
import gzip
import ipaddress
import pathlib
import sys
from dataclasses import dataclass, field

TOP = pathlib.Path(__file__).resolve().parent.parent
CAPTURES = TOP / "captures"
sys.path.insert(0, str(TOP / "lab"))

from read_capture import is_corrupted, open_capture, pcap_frames, pcapng_frames, sctp_packets  # noqa: E402

DATA, SACK, SHUTDOWN, NR_SACK, I_DATA = 0, 3, 7, 16, 64
BEGINS = 2
LARGEST_STEP = 1 << 20
PKTDROP, FORWARD_TSN, I_FORWARD_TSN = 129, 192, 194


def signed32(number):
    """A difference of serial numbers as a signed number."""
    return (number + 0x80000000 & 0xFFFFFFFF) - 0x80000000


def before(one, other):
    """Serial number arithmetic (RFC 1982): `one` is smaller."""
    return signed32(one - other) < 0


def is_other_range(newest, tsn):
    """After an association reset (RFC 6525 5.2.4) TSNs go on elsewhere."""
    return abs(signed32(tsn - newest)) > LARGEST_STEP


@dataclass(eq=False)
class Data:
    """One DATA or I_DATA chunk of a packet; `size` is its user data in bytes, `begins`: it has the B bit."""

    tsn: int
    size: int
    stream: int
    begins: bool = True


@dataclass(eq=False)
class Sack:
    """One SACK (NR_SACK); blocks are (first, last) TSNs. `is_shutdown`: the cumulative TSN of a SHUTDOWN."""

    cum: int
    a_rwnd: int
    blocks: list
    duplicates: list
    is_shutdown: bool = False

    def covers(self, tsn):
        """True for a TSN it acks, cumulatively or in a block."""
        return not before(self.cum, tsn) or any(
            not before(tsn, first) and not before(last, tsn) for first, last in self.blocks
        )

    def highest(self):
        return self.blocks[-1][1] if self.blocks else self.cum


@dataclass(eq=False)
class TapPacket:
    """A packet; `time` in seconds since 1970, `sent`: by this tap's end, `assoc` the true association number or None,
    `dropped` the TSNs that a PKTDROP reports, `forward` the TSN of a FORWARD_TSN or I_FORWARD_TSN, `content`: equal for
    equal bytes between the same addresses."""

    frame: int
    time: float
    source: str
    destination: str
    sent: bool
    assoc: int
    kinds: list
    data: list = field(default_factory=list)
    sacks: list = field(default_factory=list)
    dropped: list = field(default_factory=list)
    forward: int = None
    content: int = None


def data_chunk(chunk):
    value, header = chunk.value, 12 if chunk.type == DATA else 16
    size, stream = chunk.length - 4 - header, int.from_bytes(value[4:6], "big")
    return Data(int.from_bytes(value[:4], "big"), size, stream, bool(chunk.flags & BEGINS))


def sack_chunk(chunk):
    value = chunk.value
    cum, a_rwnd = int.from_bytes(value[:4], "big"), int.from_bytes(value[4:8], "big")
    gaps, repeated = int.from_bytes(value[8:10], "big"), int.from_bytes(value[10:12], "big")
    start = 12
    if chunk.type == NR_SACK:
        gaps, repeated, start = gaps + repeated, int.from_bytes(value[12:14], "big"), 16
    words = [int.from_bytes(value[at : at + 2], "big") for at in range(start, start + 4 * gaps, 2)]
    blocks = sorted(zip(words[::2], words[1::2]))
    blocks = [(cum + first & 0xFFFFFFFF, cum + last & 0xFFFFFFFF) for first, last in blocks]
    rest = value[start + 4 * gaps : start + 4 * (gaps + repeated)]
    return Sack(cum, a_rwnd, blocks, [int.from_bytes(rest[at : at + 4], "big") for at in range(0, len(rest), 4)])


def dropped_tsns(chunk):
    """A PKTDROP quotes the packet behind 12 bytes of its own."""
    quoted = full_chunks(chunk.value[12:])
    return [int.from_bytes(inner.value[:4], "big") for inner in quoted if inner.type in (DATA, I_DATA)]


def shutdown_chunk(chunk):
    return Sack(int.from_bytes(chunk.value[:4], "big"), 0, [], [], True)


class FullChunk:
    """A chunk with the length of its head, also where the capture is cut."""

    def __init__(self, body, position):
        self.type, self.flags = body[position], body[position + 1]
        self.length = int.from_bytes(body[position + 2 : position + 4], "big")
        self.value = body[position + 4 : position + self.length]


def full_chunks(body):
    position = 12
    while position + 4 <= len(body):
        chunk = FullChunk(body, position)
        if chunk.length < 4:
            return
        yield chunk
        position += (chunk.length + 3) // 4 * 4


def is_address_of_a(address):
    """The lab numbers A's addresses x.x.0.x and x:x:0:..., B's x.x.1.x and x:x:1:..."""
    address = ipaddress.ip_address(address)
    return (address.packed[2] if address.version == 4 else address.packed[5]) == 0


def open_table(path):
    return gzip.open(path, "rt") if path.name.endswith(".gz") else open(path)


def beside(folder, name):
    """The file `name` of a scenario, gzipped or not; None when there is none."""
    return next((path for path in (folder / name, folder / (name + ".gz")) if path.exists()), None)


def true_associations(folder, end):
    with open_table(beside(folder, f"{end}.assocs.tsv")) as table:
        next(table)
        return {int(frame): None if assoc == "-" else int(assoc) for frame, assoc in (line.split() for line in table)}


def capture_path(folder, end):
    return next((path for suffix in (".pcapng", ".pcap") if (path := beside(folder, end + suffix))), None)


def start_time(folder, end):
    """The time of the first frame, which the plugin counts from."""
    data = open_capture(str(capture_path(folder, end))).read()
    frames = pcapng_frames(data) if data[:4] == b"\x0a\x0d\x0d\x0a" else pcap_frames(data)
    return next(frames)[0]


def take_chunk(packet, chunk):
    """Keeps of a chunk what TapPacket has a place for."""
    size = len(chunk.value)
    if chunk.type in (DATA, I_DATA) and size >= 12:
        packet.data.append(data_chunk(chunk))
    elif chunk.type in (SACK, NR_SACK) and size >= 12:
        packet.sacks.append(sack_chunk(chunk))
    elif chunk.type == SHUTDOWN and size >= 4:
        packet.sacks.append(shutdown_chunk(chunk))
    elif chunk.type == PKTDROP:
        packet.dropped += dropped_tsns(chunk)
    elif chunk.type in (FORWARD_TSN, I_FORWARD_TSN) and size >= 4:
        packet.forward = int.from_bytes(chunk.value[:4], "big")


@functools.lru_cache(maxsize=8)
def read_tap(folder, end):
    """Packets of capture `end` (A or B) of a scenario folder, in frame order. Corrupted ones are left out: no stack
    takes them."""
    associations, result = true_associations(folder, end), []
    for raw in sctp_packets(str(capture_path(folder, end))):
        sent = is_address_of_a(raw.src) == (end == "A")
        if associations[raw.frame] is None or (not sent and is_corrupted(raw)):
            continue
        packet = TapPacket(raw.frame, raw.time, raw.src, raw.dst, sent, associations[raw.frame], [])
        packet.content = hash((raw.src, raw.dst, raw.body))
        for chunk in full_chunks(raw.body):
            packet.kinds.append(chunk.type)
            take_chunk(packet, chunk)
        result.append(packet)
    return result


@dataclass(eq=False)
class Retransmission:
    """A DATA chunk sent again, `place` counts the DATA chunks before it in the packet; `previous` is the frame of its last
    transmission, `since` the seconds since then. `truth` is a kind, several ("fast|early": no telling which) or
    "undecided", `why` says what it rests on or what is missing."""

    frame: int
    time: float
    assoc: int
    tsn: int
    size: int
    destination: str
    number: int
    previous: int
    since: float
    previous_destination: str
    place: int
    truth: str = "undecided"
    why: str = ""
    evidence: str = ""


def retransmissions(packets):
    """Every sending again of a TSN by the tap's end, in frame order."""
    last, result = {}, []
    for packet in packets:
        for place, data in enumerate(packet.data if packet.sent else ()):
            key = packet.assoc, data.tsn
            number, previous = last.get(key, (0, None))
            last[key] = number + 1, packet
            if previous:
                result.append(
                    Retransmission(packet.frame, packet.time, packet.assoc, data.tsn, data.size, packet.destination,
                                   number + 1, previous.frame, packet.time - previous.time, previous.destination,
                                   place)
                )
    return result
