# SPDX-License-Identifier: GPL-2.0-or-later
"""Takes the SCTP packets of captures out of their frames, for replay_core. Uses the lab's reader, which knows nothing of Wireshark.
Fragments of IPv4 are put together at the frame of the last to come, as Wireshark does it. Leaves out fragments of IPv6 and what lies in
tunnels; test/tshark covers those."""

import struct
import sys

from lab import read_capture


def network_packets(path):
    """(time in ns, frame number, link type, frame bytes, frame length) of every frame."""
    data = read_capture.open_capture(path).read()
    frames = read_capture.pcapng_frames if data[:4] == b"\x0a\x0d\x0d\x0a" else read_capture.pcap_frames
    for number, (time, link, frame, length) in enumerate(frames(data), 1):
        yield round(time * 1e9), number, link, frame, length


def reassembled(packet, pending):
    """The IPv4 packet of which this is the last fragment to come; None before, or when one was cut. pending: the fragments so far."""
    flags, total, header = int.from_bytes(packet[6:8], "big"), int.from_bytes(packet[2:4], "big"), (packet[0] & 15) * 4
    key = packet[4:6] + packet[9:10] + packet[12:20]
    if header < total <= len(packet):
        pending.setdefault(key, {})[(flags & 0x1FFF) * 8] = packet[header:total], flags & 0x2000
    parts, size, has_more = pending.get(key, {}), 0, True
    while has_more and size in parts:
        body, has_more = parts[size]
        size += len(body)
    if has_more:
        return None
    body = b"".join(parts[at][0] for at in sorted(parts) if at < size)
    del pending[key]
    return packet[:2] + (header + size).to_bytes(2, "big") + packet[4:6] + bytes(2) + packet[8:header] + body


def ip_header(kind, packet):
    """(source, destination, identification, TTL, TOS, upper protocol, header bytes) of a packet, None for no IP."""
    if kind == read_capture.IPV4 and len(packet) >= 20:
        return packet[12:16], packet[16:20], int.from_bytes(packet[4:6], "big"), packet[8], packet[1], packet[9], (packet[0] & 15) * 4
    if kind == read_capture.IPV6 and len(packet) >= 40:
        return packet[8:24], packet[24:40], 0, packet[7], packet[0] << 4 & 0xF0 | packet[1] >> 4, packet[6], 40
    return None


def udp_ports(packet, start):
    """Ports of a UDP header in front of SCTP (RFC 6951), None when something else follows."""
    ports = (int.from_bytes(packet[start:start + 2], "big"), int.from_bytes(packet[start + 2:start + 4], "big"))
    return ports if read_capture.UDP_ENCAPSULATION_PORT in ports else None


def pack(*, time_ns, frame, before=0, wire, identification=0, ttl=64, tos=0, source, destination, ports=(0, 0), sctp, interface=0,
         encapsulation=0, udp_checksum=None, fragmented=False):
    """A packet as stored_packet.h reads it. time_ns since the epoch; source, destination: bytes of the addresses; sctp: captured bytes;
    udp_checksum: None not known; fragmented: came in IP fragments."""
    return struct.pack("<qIIIIIHBB16s16sHHBBHBB6x", time_ns, frame, interface, before, len(sctp), wire, identification, ttl, len(source),
                       source, destination, *ports, tos, encapsulation, udp_checksum or 0, udp_checksum is not None, fragmented) + sctp


def packets(path):
    """The SCTP packets of a capture, each as the arguments of pack."""
    return packets_of(network_packets(path))


def packets_of(frames):
    """The same of frames as network_packets gives them."""
    pending = {}
    for time_ns, number, link, frame, length in frames:
        kind, packet = read_capture.network_layer(link, frame)
        fragmented = kind == read_capture.IPV4 and len(packet) >= 20 and int.from_bytes(packet[6:8], "big") & 0x3FFF != 0
        if fragmented:
            packet, link_bytes = reassembled(packet, pending), len(frame) - len(packet)
            if packet is None:
                continue
            frame = frame[:link_bytes] + packet
            length = len(frame)
        header = ip_header(kind, packet)
        if header is None:
            continue
        source, destination, identification, ttl, tos, protocol, headers = header
        ports = {read_capture.SCTP: (0, 0), read_capture.UDP: udp_ports(packet, headers)}.get(protocol)
        if ports is None:
            continue
        udp_checksum = int.from_bytes(packet[headers + 6:headers + 8], "big") if any(ports) else None
        headers += 8 if any(ports) else 0
        before = len(frame) - len(packet) + headers
        total = int.from_bytes(packet[2:4], "big") if kind == read_capture.IPV4 else 40 + int.from_bytes(packet[4:6], "big")
        wire = max(min(total - headers, length - before) if total else length - before, 0)
        yield {"time_ns": time_ns, "frame": number, "before": before, "wire": wire, "identification": identification, "ttl": ttl,
               "tos": tos, "source": source, "destination": destination, "ports": ports, "udp_checksum": udp_checksum, "fragmented": fragmented,
               "sctp": frame[before:before + wire]}


def write(capture, path):
    """Writes the packets of a capture to path; returns how many."""
    stored = [pack(**packet) for packet in packets(str(capture))]
    path.write_bytes(b"".join(stored))
    return len(stored)


if __name__ == "__main__":
    sys.exit("used by the tests of replay and model")
