"""Takes the SCTP packets of captures out of their frames, for replay_core. Uses the lab's reader, which knows nothing of Wireshark.
Leaves out fragments and what lies in tunnels; test/tshark covers those."""

import struct
import sys

from lab import read_capture


def network_packets(path):
    """(time in ns, frame number, link type, frame bytes, frame length) of every frame."""
    data = read_capture.open_capture(path).read()
    frames = read_capture.pcapng_frames if data[:4] == b"\x0a\x0d\x0d\x0a" else read_capture.pcap_frames
    for number, (time, link, frame, length) in enumerate(frames(data), 1):
        yield round(time * 1e9), number, link, frame, length


def ip_header(kind, packet):
    """(source, destination, identification, TTL, upper protocol, header bytes) of a packet, None for a fragment or no IP."""
    if kind == read_capture.IPV4 and len(packet) >= 20:
        if int.from_bytes(packet[6:8], "big") & 0x3FFF:
            return None
        return packet[12:16], packet[16:20], int.from_bytes(packet[4:6], "big"), packet[8], packet[9], (packet[0] & 15) * 4
    if kind == read_capture.IPV6 and len(packet) >= 40:
        return packet[8:24], packet[24:40], 0, packet[7], packet[6], 40
    return None


def udp_bytes(packet, start):
    """Bytes of a UDP header in front of SCTP (RFC 6951), None when something else follows."""
    ports = (int.from_bytes(packet[start:start + 2], "big"), int.from_bytes(packet[start + 2:start + 4], "big"))
    return 8 if read_capture.UDP_ENCAPSULATION_PORT in ports else None


def stored_packets(path):
    for time_ns, number, link, frame, length in network_packets(path):
        kind, packet = read_capture.network_layer(link, frame)
        header = ip_header(kind, packet)
        if header is None:
            continue
        source, destination, identification, ttl, protocol, headers = header
        between = {read_capture.SCTP: 0, read_capture.UDP: udp_bytes(packet, headers)}.get(protocol)
        if between is None:
            continue
        headers += between
        before = len(frame) - len(packet) + headers
        total = int.from_bytes(packet[2:4], "big") if kind == read_capture.IPV4 else 40 + int.from_bytes(packet[4:6], "big")
        wire = max(min(total - headers, length - before) if total else length - before, 0)
        sctp = frame[before:before + wire]
        yield struct.pack("<qIIIIIHBB16s16s", time_ns, number, 0, before, len(sctp), wire, identification, ttl, len(source),
                          source, destination) + sctp


def write(capture, path):
    """Writes the packets of a capture to path; returns how many."""
    packets = list(stored_packets(str(capture)))
    path.write_bytes(b"".join(packets))
    return len(packets)


if __name__ == "__main__":
    sys.exit("used by test_replay.py")
