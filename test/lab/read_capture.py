# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads captures for the lab's scripts: pcap and pcapng (gzipped or not) down to the SCTP common header and the chunk
list. On purpose independent of Wireshark, the plugin and sctpa/, whose results are compared with what is read here. Ethernet,
raw IP, Linux cooked v1 and v2; IPv4, IPv6, SCTP over UDP. Packets quoted in ICMP errors are not SCTP packets here."""
import gzip
import ipaddress
import struct
from collections import namedtuple

ETHERNET, RAW_IP, COOKED, COOKED_2 = 1, 101, 113, 276
OTHER_RAW_IP = (12, 14, 228, 229)
IPV4, IPV6 = 0x0800, 0x86dd
ICMP, UDP, SCTP, ICMPV6 = 1, 17, 132, 58
UDP_ENCAPSULATION_PORT = 9899
EXTENSION_HEADERS = (0, 43, 60)

Packet = namedtuple('Packet', 'frame time src dst sport dport vtag chunks body whole')
Chunk = namedtuple('Chunk', 'type flags value')


def open_capture(path):
    return gzip.open(path, 'rb') if path.endswith('.gz') else open(path, 'rb')


def pcap_frames(data):
    little, nano = {b'\xd4\xc3\xb2\xa1': (True, False), b'\x4d\x3c\xb2\xa1': (True, True),
                    b'\xa1\xb2\xc3\xd4': (False, False), b'\xa1\xb2\x3c\x4d': (False, True)}[data[:4]]
    order = '<' if little else '>'
    link, = struct.unpack(order + 'I', data[20:24])
    position = 24
    while position + 16 <= len(data):
        seconds, fraction, captured, length = struct.unpack(order + '4I', data[position:position + 16])
        yield seconds + fraction / (1e9 if nano else 1e6), link, data[position + 16:position + 16 + captured], length
        position += 16 + captured


def time_resolution(order, options):
    while len(options) >= 4:
        code, length = struct.unpack(order + 'HH', options[:4])
        if code == 9:
            value = options[4]
            return 2.0 ** -(value & 127) if value & 128 else 10.0 ** -value
        options = options[4 + (length + 3) // 4 * 4:]
    return 1e-6


def pcapng_frames(data):
    position, order, interfaces = 0, '<', []
    while position + 12 <= len(data):
        if data[position:position + 4] == b'\x0a\x0d\x0d\x0a':
            order = '<' if data[position + 8:position + 12] == b'\x4d\x3c\x2b\x1a' else '>'
            interfaces = []
        kind, size = struct.unpack(order + 'II', data[position:position + 8])
        body = data[position + 8:position + size - 4]
        if kind == 1:
            interfaces.append((struct.unpack(order + 'H', body[:2])[0], time_resolution(order, body[8:])))
        elif kind == 6:
            index, high, low, captured, length = struct.unpack(order + '5I', body[:20])
            link, resolution = interfaces[index]
            yield (high << 32 | low) * resolution, link, body[20:20 + captured], length
        elif kind == 3:
            length, = struct.unpack(order + 'I', body[:4])
            yield 0.0, interfaces[0][0], body[4:4 + length], length
        position += size


def network_layer(link, frame):
    """(network protocol, its bytes) of one frame."""
    if link == ETHERNET:
        kind, start = int.from_bytes(frame[12:14], 'big'), 14
        while kind == 0x8100:
            kind, start = int.from_bytes(frame[start + 2:start + 4], 'big'), start + 4
        return kind, frame[start:]
    if link == COOKED:
        return int.from_bytes(frame[14:16], 'big'), frame[16:]
    if link == COOKED_2:
        return int.from_bytes(frame[0:2], 'big'), frame[20:]
    if link == RAW_IP or link in OTHER_RAW_IP:
        return (IPV4 if frame[:1] and frame[0] >> 4 == 4 else IPV6), frame
    return 0, b''


class Fragments:
    """Puts IPv4 fragments together; a packet counts for the frame that completes it."""

    def __init__(self):
        self.parts = {}

    def add(self, key, start, is_last, body):
        """The whole body, if this part completes it."""
        parts = self.parts.setdefault(key, {})
        parts[start] = (body, is_last)
        whole = b''
        while len(whole) in parts:
            part, ends = parts[len(whole)]
            whole += part
            if ends:
                del self.parts[key]
                return whole
            if not part:
                break
        return None


def ipv4(packet, fragments):
    if len(packet) < 20:
        return None
    length, header = int.from_bytes(packet[2:4], 'big'), (packet[0] & 15) * 4
    protocol, src, dst, body = packet[9], packet[12:16], packet[16:20], packet[header:length]
    position = int.from_bytes(packet[6:8], 'big') & 0x3fff
    if not position:
        return protocol, src, dst, body, length - header
    key = protocol, src, dst, packet[4:6]
    whole = fragments.add(key, (position & 0x1fff) * 8, not position & 0x2000, body)
    return whole and (protocol, src, dst, whole, len(whole))


def ipv6(packet):
    if len(packet) < 40:
        return None
    protocol, start, length = packet[6], 40, 40 + int.from_bytes(packet[4:6], 'big')
    while protocol in EXTENSION_HEADERS and len(packet) >= start + 8:
        protocol, start = packet[start], start + 8 + packet[start + 1] * 8
    return protocol, packet[8:24], packet[24:40], packet[start:length], length - start


def chunk_list(body):
    chunks, position = [], 12
    while position + 4 <= len(body):
        kind, flags, length = struct.unpack('>BBH', body[position:position + 4])
        if length < 4:
            break
        chunks.append(Chunk(kind, flags, body[position + 4:position + length]))
        position += (length + 3) // 4 * 4
    return chunks


def sctp_packet(number, time, link, frame, fragments):
    kind, packet = network_layer(link, frame)
    layer = ipv4(packet, fragments) if kind == IPV4 else ipv6(packet) if kind == IPV6 else None
    if not layer:
        return None
    protocol, src, dst, body, length = layer
    if protocol == UDP and UDP_ENCAPSULATION_PORT in struct.unpack('>HH', body[:4]):
        protocol, body, length = SCTP, body[8:], length - 8
    if protocol != SCTP or len(body) < 12:
        return None
    sport, dport, vtag = struct.unpack('>HHI', body[:8])
    return Packet(number, time, str(ipaddress.ip_address(src)), str(ipaddress.ip_address(dst)), sport, dport, vtag,
                  chunk_list(body), body, len(body) == length)


def sctp_packets(path):
    """All SCTP packets of a capture, in its order; frames are counted from 1, as Wireshark does."""
    data = open_capture(path).read()
    frames = pcapng_frames(data) if data[:4] == b'\x0a\x0d\x0d\x0a' else pcap_frames(data)
    fragments = Fragments()
    for number, (time, link, frame, _) in enumerate(frames, 1):
        packet = sctp_packet(number, time, link, frame, fragments)
        if packet:
            yield packet


def _crc32c_table():
    table = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (0x82f63b78 if value & 1 else 0)
        table.append(value)
    return table


CRC32C_TABLE = _crc32c_table()


def is_corrupted(packet):
    """Whether the CRC32c of a wholly captured packet is wrong. A checksum of zero counts as not computed."""
    field = packet.body[8:12]
    if not packet.whole or field == bytes(4):
        return False
    crc = 0xffffffff
    for byte in packet.body[:8] + bytes(4) + packet.body[12:]:
        crc = crc >> 8 ^ CRC32C_TABLE[(crc ^ byte) & 255]
    return struct.pack('<I', crc ^ 0xffffffff) != field
