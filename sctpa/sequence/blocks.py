# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads one capture file, pcap or pcapng, gzipped or not, as pcapng blocks in little endian; what is neither goes through editcap.

Checks what Wireshark's reader checks, so that a damaged file ends itself and not the whole capture. Leaves the numbers of interfaces as the
file has them: stream.py gives them new ones.
"""

import contextlib
import gzip
import io
import os
import stat
import struct
import subprocess
import zlib
from typing import NamedTuple

from sctpa import pcapng
from sctpa.names import cause, unreadable_cause
from sctpa.pcapng import CUT, DSB, EPB, IDB, ISB, JOURNAL, NRB, PB, SHB, SPB, Fault, Interface

PACKET_BYTES_MAX = 262_144
READ_BYTES = 1 << 18
# magic as it stands in the file: byte order, digits of a second
PCAP = {
    bytes.fromhex("d4c3b2a1"): ("<", 6),
    bytes.fromhex("a1b2c3d4"): (">", 6),
    bytes.fromhex("4d3cb2a1"): ("<", 9),
    bytes.fromhex("a1b23c4d"): (">", 9),
}
GZIP = b"\x1f\x8b"
# Options of an Enhanced Packet Block that are whole numbers; all others are text or bytes, the same in either byte order.
NUMBERS = {2: "I", 4: "Q", 5: "Q", 6: "I"}
EMPTY = "is empty (0 bytes)"
NOT_UNDERSTOOD = "is not a capture file that Wireshark understands"


class OfTheMoment(Fault):
    """The same where it is not what the file holds: it may be gone the next time."""


class Block(NamedTuple):
    """A block. interface: its number in the file, None: of none; ticks: the timestamp of a packet that has one, as its interface counts;
    described: of a description; dropped: of statistics, where they say so; raw: the whole block as it stands in the file, of one in little endian.
    """

    type: int
    body: bytes
    interface: int | None = None
    ticks: int | None = None
    described: Interface | None = None
    dropped: int | None = None
    raw: bytes | None = None


class Waiting(io.RawIOBase):
    """A file that is still being written, as a stream that ends when wait(), called at its end so far, says that nothing comes any more."""

    def __init__(self, file, wait):
        super().__init__()
        self._file, self._wait = file, wait

    def readable(self):
        return True

    def readinto(self, buffer):
        while not (count := self._file.readinto(buffer)):
            if not self._wait():
                return 0
        return count


class Passing(io.RawIOBase):
    """What comes through a pipe, as a stream. readinto: takes a buffer, and returns when there is something how many bytes it holds, 0 at the end."""

    def __init__(self, readinto):
        super().__init__()
        self._readinto = readinto

    def readable(self):
        return True

    def readinto(self, buffer):
        return self._readinto(buffer)


class _Unpacked(io.RawIOBase):
    """What a GzipFile holds, as much at a time as there is, so that what stands in front of damage is not lost."""

    def __init__(self, packed):
        super().__init__()
        self._packed = packed

    def readable(self):
        return True

    def readinto(self, buffer):
        data = self._packed.read1(len(buffer))
        buffer[: len(data)] = data
        return len(data)


class _Checked:
    """A file whose faults are those of a capture."""

    def __init__(self, file):
        self._file = file

    def read(self, count):
        """At most count bytes; fewer at the end of the file. Raises Fault when they cannot be read."""
        try:
            return self._file.read(count)
        except EOFError as error:
            raise Fault(CUT) from error
        except (zlib.error, gzip.BadGzipFile) as error:
            raise Fault("is damaged: invalid compressed data") from error
        except OSError as error:
            raise OfTheMoment(cause(error)) from error


# --- pcap ------------------------------------------------------------------------------------------------------------


def _of_pcap(file, order, digits):
    snap_bytes, network = struct.unpack(order + "12xII", pcapng.take(file, 20))
    fcs_bytes = (network >> 28) * 2 if network & 0x04000000 else None
    interface = Interface(network & 0xFFFF, snap_bytes, resolution=digits, fcs_bytes=fcs_bytes)
    yield Block(IDB, b"", described=interface)
    head, per_s, packet = struct.Struct(order + "IIII"), 10**digits, struct.Struct("<IIIII")
    while begun := pcapng.begin(file, 16):
        seconds, fraction, captured, length = head.unpack(begun)
        if captured > PACKET_BYTES_MAX:
            raise Fault(f"is damaged: packet of {captured} bytes")
        data, ticks = pcapng.take(file, captured), seconds * per_s + fraction
        yield Block(
            EPB,
            packet.pack(0, ticks >> 32, ticks & 0xFFFFFFFF, captured, length) + data + bytes(-captured % 4),
            0,
            ticks,
        )


# --- pcapng ----------------------------------------------------------------------------------------------------------


def _swapped_options(data, numbers):
    """Options of big endian in little endian."""
    made = []
    for code, value in pcapng.options(data, ">"):
        form = numbers.get(code)
        if form and len(value) == struct.calcsize(form):
            value = struct.pack("<" + form, *struct.unpack(">" + form, value))
        made.append((code, value))
    return pcapng.options_of(made)


def _packet(body, order, known, raw=None):
    number, high, low, captured, _ = fields = struct.unpack_from(order + "IIIII", body)
    end = 20 + captured + -captured % 4
    if captured > PACKET_BYTES_MAX or end > len(body):
        raise Fault(f"is damaged: packet of {captured} bytes in a block of {len(body) + 12}")
    if number >= len(known):
        raise Fault(f"is damaged: packet of interface {number}, which has no description")
    if order == ">":
        body = struct.pack("<IIIII", *fields) + body[20:end] + _swapped_options(body[end:], NUMBERS)
    return Block(EPB, body, number, high << 32 | low, raw=raw)


def _old_packet(body, order, known):
    """A packet of the kind that Enhanced Packet Blocks replaced, as one of these."""
    number, _, *fields = struct.unpack_from(order + "HHIIII", body)
    swapped = struct.pack(order + "IIIII", number, *fields) + body[20:]
    return _packet(swapped, order, known)


def _simple_packet(body, order, known):
    """The same of a packet without interface and time, which Wireshark takes for one of interface 0 at time 0."""
    if not known:
        raise Fault("is damaged: packet of interface 0, which has no description")
    (length,) = struct.unpack_from(order + "I", body)
    captured = min(length, known[0].snap_bytes or length, len(body) - 4)
    return _packet(
        struct.pack("<IIIII", 0, 0, 0, captured, length) + body[4 : 4 + captured] + bytes(-captured % 4), "<", known
    )._replace(ticks=None)


def _statistics(body, order):
    number, high, low = struct.unpack_from(order + "III", body)
    counts = {
        code: struct.unpack(order + "Q", value)[0]
        for code, value in pcapng.options(body[12:], order)
        if 4 <= code <= 8 and len(value) == 8
    }
    dropped = sum(counts.get(code, 0) for code in (5, 7)) if 5 in counts or 7 in counts else None
    said = pcapng.options_of((code, struct.pack("<Q", count)) for code, count in counts.items())
    return Block(ISB, struct.pack("<III", number, high, low) + said, number, dropped=dropped)


def _secrets(body, order):
    if order == ">" and len(body) >= 8:
        kind, length = struct.unpack_from(">II", body)
        body = struct.pack("<II", kind, length) + body[8 : 8 + length + -length % 4]
    return Block(DSB, body)


def _of_pcapng(file, begun):
    known = []
    for kind, body, order, whole in pcapng.blocks(file, begun):
        if kind == SHB:
            known = []
            yield Block(SHB, b"")
        elif kind == IDB:
            known.append(pcapng.described(body, order))
            yield Block(kind, b"", described=known[-1])
        elif kind == EPB and order == "<":
            yield _packet(body, order, known, whole)
        elif kind in PACKETS:
            yield PACKETS[kind](body, order, known)
        elif kind == ISB:
            yield _statistics(body, order)
        elif kind == DSB:
            yield _secrets(body, order)
        elif kind == NRB:
            yield Block(NRB, body if order == "<" else _swapped_options(body, {}) or bytes(4))
        elif kind == JOURNAL:
            yield Block(kind, body)


PACKETS = {EPB: _packet, PB: _old_packet, SPB: _simple_packet}
FRAMES = {EPB, JOURNAL}


# --- files -----------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _converted(path, as_user):
    """The file as editcap makes a pcapng of it. Raises Fault when it cannot."""
    words = [*as_user, "editcap", "-", "-"]
    with _opened(path) as file:
        try:
            process = subprocess.Popen(
                words,
                stdin=file,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd="/",
                env={**os.environ, "LC_ALL": "C.UTF-8"},
            )
        except OSError as error:
            raise OfTheMoment(f"is neither pcap nor pcapng, and {words[0]} cannot be started to convert it") from error
        with process:
            try:
                yield process.stdout
                said = process.stderr.read().decode("utf-8", "replace")
                if (status := process.wait()) < 0:
                    raise OfTheMoment(f"editcap, which converts it, ended by signal {-status}")
                if status != 0 or "cut short" in said:
                    raise Fault(CUT if "cut short" in said else NOT_UNDERSTOOD)
            finally:
                process.kill()


def _opened(path):
    try:
        # A pipe that nobody writes into must not keep us.
        file = open(path, "rb", buffering=0, opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK))
    except IsADirectoryError as error:
        raise Fault("is a folder, not a capture") from error
    except OSError as error:
        raise OfTheMoment(unreadable_cause(error)) from error
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise Fault("is no regular file")
    return file


def read(path, as_user=(), wait=None):
    """The blocks of a capture file: SHB, IDB, EPB, ISB, NRB, DSB, JOURNAL; others are left out. as_user: words that start editcap as another
    user; wait: of a file that is being written, see Waiting. Raises Fault at the place where it can be read no further, with the cause.
    Memory: one block."""
    raw = _opened(path)
    with contextlib.ExitStack() as stack:
        stack.enter_context(raw)
        file = io.BufferedReader(Waiting(raw, wait) if wait else raw, READ_BYTES)
        file = _Checked(_unpacked(file))
        head = pcapng.begin(file, 4)
        if not head:
            raise Fault(EMPTY if os.fstat(raw.fileno()).st_size == 0 else CUT)
        if head not in (pcapng.BEGIN, *PCAP):
            file = _Checked(stack.enter_context(_converted(path, as_user)))
            if (head := file.read(4)) != pcapng.BEGIN:
                # Which says why, where it knows.
                stack.close()
                raise Fault(NOT_UNDERSTOOD)
        yield from _of_any(file, head)


def read_passing(readinto):
    """The same of a capture that comes through a pipe, pcap or pcapng, packed by gzip or not. readinto: see Passing."""
    file = _Checked(_unpacked(io.BufferedReader(Passing(readinto), READ_BYTES)))
    head = pcapng.begin(file, 4)
    if not head:
        raise Fault(EMPTY)
    if head not in (pcapng.BEGIN, *PCAP):
        raise Fault("is neither pcap nor pcapng")
    yield from _of_any(file, head)


def _unpacked(file):
    try:
        is_packed = file.peek(2)[:2] == GZIP
    except OSError as error:
        raise OfTheMoment(cause(error)) from error
    return io.BufferedReader(_Unpacked(gzip.GzipFile(fileobj=file)), READ_BYTES) if is_packed else file


def _of_any(file, head):
    try:
        yield from _of_pcap(file, *PCAP[head]) if head in PCAP else _of_pcapng(file, head)
    except struct.error as error:
        raise Fault("is damaged: a block is too short for what it holds") from error
