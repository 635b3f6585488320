# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes the packets of a capture as a scenario of scenario_builder.py, so that a case seen in the wild becomes one to change and to keep. User data
becomes zeros of the same length, but messages of DCEP; all else stays, times and IPv4 identifications too. Leaves out packets of other pairs of ports."""

import ipaddress
import json
import struct

from generate import chunks, packet

DCEP_PPID = 50


def _hex(content):
    return f'bytes.fromhex("{content.hex()}")' if content else 'b""'


def _pairs(content):
    return [struct.unpack_from("!HH", content, at) for at in range(0, len(content), 4)]


def _options(**values):
    return "".join(f", {name}={value}" for name, value in values.items() if value)


def _set_up(name, value):
    tag, a_rwnd, outbound, inbound, tsn = struct.unpack_from("!IIHHI", value)
    return f"chunks.{name}(0x{tag:08x}, {tsn}, a_rwnd={a_rwnd}, outbound={outbound}, inbound={inbound}"


def _init_ack(flags, value):
    at = 16
    while at + 4 <= len(value):
        kind, length = struct.unpack_from("!HH", value, at)
        if kind == chunks.STATE_COOKIE:
            return f"{_set_up('init_ack', value)}, cookie={_hex(value[at + 4:at + length])}, params={_hex(value[16:at])})"
        at += max(length + 3 & ~3, 4)
    return f"chunks.chunk({chunks.INIT_ACK}, {flags}, {_hex(value)})"


def _data(flags, value):
    tsn, sid, ssn, ppid = struct.unpack_from("!IHHI", value)
    payload = _hex(value[12:]) if ppid == DCEP_PPID else f"bytes({len(value) - 12})"
    return f"chunks.data({tsn}, {payload}{_options(sid=sid, ssn=ssn, ppid=ppid)}, flags={flags})"


def _sack(flags, value):
    cum_tsn, a_rwnd, gaps, _ = struct.unpack_from("!IIHH", value)
    duplicates = list(struct.unpack(f"!{(len(value) - 12 - 4 * gaps) // 4}I", value[12 + 4 * gaps:]))
    return f"chunks.sack({cum_tsn}, {a_rwnd}{_options(gaps=_pairs(value[12:12 + 4 * gaps]), duplicates=duplicates, flags=flags)})"


WRITERS = {
    chunks.INIT: lambda flags, value: f"{_set_up('init', value)}, params={_hex(value[16:])})",
    chunks.INIT_ACK: _init_ack,
    chunks.DATA: _data,
    chunks.SACK: _sack,
    chunks.HEARTBEAT: lambda flags, value: f"chunks.heartbeat({_hex(value[4:])})",
    chunks.HEARTBEAT_ACK: lambda flags, value: f"chunks.heartbeat_ack({_hex(value[4:])})",
    chunks.SHUTDOWN: lambda flags, value: f"chunks.shutdown({struct.unpack('!I', value)[0]})",
    chunks.SHUTDOWN_ACK: lambda flags, value: "chunks.shutdown_ack()",
    chunks.SHUTDOWN_COMPLETE: lambda flags, value: f"chunks.shutdown_complete({'True' if flags else ''})",
    chunks.COOKIE_ECHO: lambda flags, value: f"chunks.cookie_echo({_hex(value)})",
    chunks.COOKIE_ACK: lambda flags, value: "chunks.cookie_ack()",
}


def _without_user_data(chunk):
    kind, _, length = struct.unpack_from("!BBH", chunk)
    if kind == chunks.DATA and 16 <= length <= len(chunk) and struct.unpack_from("!I", chunk, 12)[0] != DCEP_PPID:
        return chunk[:16] + bytes(length - 16) + chunk[length:]
    return chunk


def chunk_text(chunk):
    """The call of generate.chunks that makes these bytes, padding included; where none of them does, the bytes."""
    kind, flags, length = struct.unpack_from("!BBH", chunk)
    value = chunk[4:length]
    for write in (WRITERS.get(kind), lambda flags, value: f"chunks.chunk(0x{kind:02x}, {flags}, {_hex(value)})"):
        try:
            text = write(flags, value)
            if eval(text, {"chunks": chunks}) == _without_user_data(chunk):
                return text
        except (struct.error, TypeError, ValueError):
            pass
    return _hex(chunk)


def chunks_of(sctp):
    """The bytes of each chunk with its padding; what cannot be told apart is one piece."""
    at = 12
    while at + 4 <= len(sctp):
        length = struct.unpack_from("!H", sctp, at + 2)[0]
        after = at + (length + 3 & ~3)
        if length < 4 or after > len(sctp):
            after = len(sctp)
        yield sctp[at:after]
        at = after
    if at < len(sctp):
        yield sctp[at:]


class _Ends:
    """Who sent which packet: end 0 the first. Addresses are learned from packets that go to or come from a known one."""

    def __init__(self, first):
        self.ports = struct.unpack_from("!HH", first["sctp"])
        self.addresses = [[first["source"]], [first["destination"]]]
        self.tags, self.tsns = [0, 0], [0, 0]

    def sender(self, seen):
        """0 or 1; None of a packet of other ports."""
        ports = struct.unpack_from("!HH", seen["sctp"])
        if ports not in (self.ports, self.ports[::-1]):
            return None
        if self.ports[0] != self.ports[1]:
            sender = int(ports != self.ports)
        else:
            sender = int(seen["source"] in self.addresses[1] or seen["destination"] in self.addresses[0])
        for end, address in ((sender, seen["source"]), (1 - sender, seen["destination"])):
            if address not in self.addresses[end]:
                self.addresses[end].append(address)
        kind, tag = seen["sctp"][12] if len(seen["sctp"]) > 12 else None, struct.unpack_from("!I", seen["sctp"], 4)[0]
        if kind in (chunks.INIT, chunks.INIT_ACK) and len(seen["sctp"]) >= 32 and not self.tsns[sender]:
            self.tags[sender], self.tsns[sender] = struct.unpack_from("!I", seen["sctp"], 16)[0], struct.unpack_from("!I", seen["sctp"], 28)[0]
        self.tags[1 - sender] = self.tags[1 - sender] or tag
        return sender


def _packet_text(ends, sender, seen, gap_ns):
    sctp = seen["sctp"]
    options = {"gap_ns": f"{gap_ns:_}", "source": ends.addresses[sender].index(seen["source"]),
               "destination": ends.addresses[1 - sender].index(seen["destination"]), "ttl": seen["ttl"] if seen["ttl"] != 64 else 0}
    tag = struct.unpack_from("!I", sctp, 4)[0]
    text = "".join(f", {name}={value}" for name, value in options.items() if value)
    text += f", identification={seen['identification']}" + f", vtag=0x{tag:08x}" * (tag != ends.tags[1 - sender]) + f", tos={seen['tos']}" * (seen["tos"] != 2)
    parts = list(chunks_of(sctp))
    if sctp[8:12] != packet.sctp(*struct.unpack_from("!HHI", sctp), *parts)[8:12]:
        text += f", checksum={_hex(sctp[8:12])}"
    return f"    scenario.send({sender}, {', '.join(map(chunk_text, parts))}{text})  # {seen['frame']}"


def scenario_text(name, packets):
    """The function of a scenario, as text. packets: as extract.packets gives them, at least one; name: of the function."""
    ends, lines, last_ns = _Ends(packets[0]), [], packets[0]["time_ns"]
    of_pair = [(sender, seen) for seen in packets if (sender := ends.sender(seen)) is not None]
    for sender, seen in of_pair:
        lines.append(_packet_text(ends, sender, seen, seen["time_ns"] - last_ns))
        last_ns = seen["time_ns"]
    addresses = [[str(ipaddress.ip_address(address)) for address in of_end] for of_end in ends.addresses]
    encapsulated = next((seen for _, seen in of_pair if any(seen["ports"])), None)
    udp = f", udp={encapsulated['ports']}" if encapsulated else ""
    if encapsulated:
        lines.insert(0, f"    scenario.udp_checksum = {encapsulated['udp_checksum']}")
    return "\n".join([f"def {name}():",
                      f"    scenario = ScenarioBuilder(addresses={json.dumps(addresses)}, ports={ends.ports},",
                      f"                               tags=(0x{ends.tags[0]:08x}, 0x{ends.tags[1]:08x}), tsns={tuple(ends.tsns)}{udp})",
                      *lines, "    return scenario"])
