# SPDX-License-Identifier: GPL-2.0-or-later
"""Captures as they might have been taken worse: thinned, cut, begun late, doubled, two clocks, saved through a display filter. A variation takes the packets of a capture
(as extract.packets gives them) and returns others; what a conforming endpoint did stays what it did."""

import random

SNAP_BYTES = 96


def whole(packets, _):
    return packets


def _lost(packets, seed, share, is_at_risk=lambda packet: True):
    rng = random.Random(seed)
    return [packet for packet in packets if rng.random() >= share or not is_at_risk(packet)]


def thinned(packets, seed):
    """1 % of the packets are missing."""
    return _lost(packets, seed, 0.01)


def cut(packets, _):
    """Frames cut to 96 bytes."""
    return [{**packet, "sctp": packet["sctp"][:max(SNAP_BYTES - packet["before"], 0)]} for packet in packets]


def middle(packets, seed):
    """Begun after a third to two thirds of the packets."""
    return packets[int(len(packets) * random.Random(seed).uniform(1 / 3, 2 / 3)):]


def doubled(packets, _):
    """Every packet twice, at two interfaces."""
    return [{**packet, "interface": interface, "time_ns": packet["time_ns"] + interface * 1000}
            for packet in packets for interface in (0, 1)]


def round_trip_ns(packets):
    """From the first INIT to its INIT ACK, the time that a shift stays below; 40 ms where the set-up is missing."""
    sent = None
    for packet in packets:
        kind = packet["sctp"][12] if len(packet["sctp"]) > 12 else None
        if kind == 1 and sent is None:
            sent = packet["time_ns"]
        if kind == 2 and sent is not None:
            return packet["time_ns"] - sent
    return 40_000_000


def shifted(packets, seed):
    """The clock of one direction is off by up to a round trip, forth or back."""
    if not packets:
        return packets
    rng = random.Random(seed)
    ports = {packet["sctp"][:2] for packet in packets if len(packet["sctp"]) > 4}
    shift_ns = int(round_trip_ns(packets) * rng.uniform(-1, 1))
    one = min({packet["source"] for packet in packets}) if len(ports) < 2 else min(ports)
    moved = [{**packet, "time_ns": packet["time_ns"] + shift_ns} if one in (packet["source"], packet["sctp"][:2]) else packet
             for packet in packets]
    return sorted(moved, key=lambda packet: packet["time_ns"])


def data_only(packets, _):
    """Saved through a display filter on what DATA carries."""
    return [packet for packet in packets if holds_data(packet["sctp"])]


def holds_data(sctp):
    at = 12
    while at + 4 <= len(sctp):
        if sctp[at] in (0x00, 0x40):
            return True
        at += max((int.from_bytes(sctp[at + 2:at + 4], "big") + 3) // 4 * 4, 4)
    return False


ALL = {make.__name__: make for make in (whole, thinned, cut, middle, doubled, shifted, data_only)}


# Worse ones, for sweeps: what of the packets is left, when they are said to have passed, and where from.

CLOCK_ERROR_NS = 5_000_000
SWAPPED, BURST = 0.02, 20


def lost_half_percent(packets, seed):
    """0.5 % of the packets are missing."""
    return _lost(packets, seed, 0.005)


def lost_2_percent(packets, seed):
    """2 % of the packets are missing."""
    return _lost(packets, seed, 0.02)


def lost_5_percent(packets, seed):
    """5 % of the packets are missing."""
    return _lost(packets, seed, 0.05)


def lost_bursts(packets, seed):
    """20 packets in a row are missing, once in 400."""
    rng = random.Random(seed)
    gaps = [rng.randrange(max(len(packets) - BURST, 1)) for _ in range(1 + len(packets) // 400)]
    return [packet for index, packet in enumerate(packets) if not any(0 <= index - gap < BURST for gap in gaps)]


def sides(packets):
    """{address: 0 or 1}: the endpoint that has it, as far as who sends to whom tells."""
    found = {}
    for _ in range(2):
        for packet in packets:
            pair = packet["source"], packet["destination"]
            if pair[0] not in found and pair[1] not in found:
                if found:
                    continue
                found[pair[0]] = 0
            for one, other in (pair, pair[::-1]):
                if one in found:
                    found.setdefault(other, 1 - found[one])
    return found


def _is_of(packets, side):
    side_of = sides(packets)
    return lambda packet: side_of.get(packet["source"], 0) == side


def lost_of_one_end(packets, seed):
    """10 % of what one endpoint sent are missing."""
    return _lost(packets, seed, 0.1, _is_of(packets, seed % 2))


def _restamped(packets, shift_ns):
    """Each packet at its time and what shift_ns says of it, in order of the new times."""
    return sorted(({**packet, "time_ns": packet["time_ns"] + shift} if (shift := shift_ns(packet)) else packet for packet in packets),
                  key=lambda packet: packet["time_ns"])


def clock_off(packets, seed):
    """The clock of one direction is 5 ms early or late."""
    is_of, shift_ns = _is_of(packets, seed % 2), CLOCK_ERROR_NS * (1 if seed // 2 % 2 else -1)
    return _restamped(packets, lambda packet: shift_ns if is_of(packet) else 0)


def clock_drifts(packets, seed):
    """The clock of one direction gains or loses 5 ms from the first packet to the last."""
    if not packets:
        return packets
    is_of, drift_ns = _is_of(packets, seed % 2), CLOCK_ERROR_NS * (1 if seed // 2 % 2 else -1)
    first_ns = min(packet["time_ns"] for packet in packets)
    span_ns = max(max(packet["time_ns"] for packet in packets) - first_ns, 1)
    return _restamped(packets, lambda packet: drift_ns * (packet["time_ns"] - first_ns) // span_ns if is_of(packet) else 0)


def neighbours_swapped(packets, seed):
    """One packet in 50 stands behind the next, each with its stamp."""
    rng, changed, at = random.Random(seed), list(packets), 0
    while at + 1 < len(changed):
        if rng.random() < SWAPPED:
            changed[at:at + 2] = changed[at + 1], changed[at]
            at += 1
        at += 1
    return changed


def _whole_stamps(packets, unit_ns):
    return [{**packet, "time_ns": packet["time_ns"] // unit_ns * unit_ns} for packet in packets]


def stamps_of_seconds(packets, _):
    """Stamps in whole seconds."""
    return _whole_stamps(packets, 1_000_000_000)


def stamps_of_10_ms(packets, _):
    """Stamps in whole 10 ms."""
    return _whole_stamps(packets, 10_000_000)


def _doubled_where(packets, is_doubled):
    """Some packets twice at one interface, the second 1 us later."""
    changed = []
    for packet in packets:
        changed += [packet, {**packet, "time_ns": packet["time_ns"] + 1000}] if is_doubled(packet) else [packet]
    return sorted(changed, key=lambda packet: packet["time_ns"])


def half_doubled(packets, seed):
    """Half of the packets stand twice, 1 us apart, of one interface."""
    rng = random.Random(seed)
    return _doubled_where(packets, lambda _: rng.random() < 0.5)


def one_end_doubled(packets, seed):
    """What one endpoint sent stands twice, 1 us apart, of one interface."""
    return _doubled_where(packets, _is_of(packets, seed % 2))


def translated(packets, seed):
    """The addresses of one endpoint are others where it sends, or where it is sent to: translated between it and the tap."""
    side, end, side_of = seed % 2, ("source", "destination")[seed // 2 % 2], sides(packets)
    others = {address: (b"\xc0\x00\x02" if len(address) == 4 else bytes.fromhex("20010db8") + bytes(11)) + bytes([1 + number])
              for number, address in enumerate(sorted(address for address in side_of if side_of[address] == side))}
    return [{**packet, end: others.get(packet[end], packet[end])} for packet in packets]


WORSE = {make.__name__: make for make in (
    lost_half_percent, lost_2_percent, lost_5_percent, lost_bursts, lost_of_one_end, clock_off, clock_drifts, neighbours_swapped,
    stamps_of_seconds, stamps_of_10_ms, half_doubled, one_end_doubled, translated, data_only)}
# These come out the same whatever the seed.
SEEDLESS = {"stamps_of_seconds", "stamps_of_10_ms", "data_only"}
