# SPDX-License-Identifier: GPL-2.0-or-later
"""What real stacks recorded of their own cwnd, SACK by SACK, beside what the reference sender says of it at that moment.

The moment is the arrival of a SACK, before it is processed: what the packets before it did to cwnd has happened by then. The tap is the
sender's own interface. SACKs behind an ECNE in their packet are left out: what the stack records there is after that. Leaves out how the
table is printed (compare_cwnd).
"""

import bisect
import collections
import decimal
import gzip
import ipaddress
import os
import pathlib
import subprocess
import statistics

import scenario_builder
from replay import extract

PROGRAM = scenario_builder.PROGRAM.with_name("cwnd_core")
CAPTURES = scenario_builder.TOP / "test" / "captures"
AFTER_S = decimal.Decimal("0.002")
TICK_S = decimal.Decimal("0.000001")    # the clocks in the tables and the times read of a capture may differ by so much
COMMON_HEADER_BYTES, ECNE = 12, 12
STACKS = ("linux", "usrsctp", "dcsctp", "pion")
# Congestion control of another kind than RFC 9260 section 7. pion retransmits by time (RACK) and grows cwnd that it does not use.
NOT_BY_RFC = {("usrsctp", "us-cmt"), ("usrsctp", "us-cc-htcp"), ("pion", None)}

Said = collections.namedtuple("Said", "frame time assoc port destination cwnd low high ssthresh unit sender")
Pair = collections.namedtuple("Pair", "said cwnd")


def said_of(stored, folder, left_out=frozenset()):
    """[Said] of packets as extract.pack packs them, in order. left_out: frames of SACKs that do not count."""
    path = folder / f"{os.getpid()}.packets"
    path.write_bytes(stored)
    text = subprocess.run([PROGRAM, str(path)], capture_output=True, text=True, check=True).stdout
    path.unlink()
    said = []
    for line in text.splitlines():
        kind, *cells = line.split("\t")
        if kind == "sack":
            frame, time_ns, assoc, _, port, destination, cwnd, low, high, ssthresh, unit, sender = cells
            if int(frame) in left_out:
                continue
            said.append(Said(int(frame), decimal.Decimal(time_ns).scaleb(-9), int(assoc), int(port), ipaddress.ip_address(bytes.fromhex(destination)),
                             int(cwnd), int(low), int(high), int(ssthresh), int(unit), sender))
    return said


def model(capture, folder):
    """[Said] of a capture, in order."""
    packets = list(extract.packets(str(capture)))
    begins_with_ecne = {packet["frame"] for packet in packets if packet["sctp"][COMMON_HEADER_BYTES:][:1] == bytes([ECNE])}
    return said_of(b"".join(extract.pack(**packet) for packet in packets), folder, begins_with_ecne)


def rows(path):
    """Dictionaries of a table of the ground truth; cells beyond the head line in "more"."""
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as file:
        names = next(file).lstrip("#").rstrip("\n").split("\t")
        for line in file:
            cells = line.rstrip("\n").split("\t")
            yield dict(zip(names, cells)) | {"more": cells[len(names) - 1:]}


def table(folder, name):
    return next((path for path in (folder / name, folder / f"{name}.gz") if path.exists()), None)


def is_of(end, destination):
    """Does end send to this address? A's addresses are 10.i.0.1 and fd00:i:0::1, B's 10.i.1.1 and fd00:i:1::1."""
    number = destination.packed[2] if destination.version == 4 else destination.packed[5]
    return number == (1 if end == "A" else 0)


def linux(folder, end):
    """(time, port, {destination: cwnd}) at each SACK that arrived at end."""
    ports, destinations, last = {}, {}, None
    for row in rows(table(folder, "gt.tsv")):
        if row["event"] == "sackin":
            ports[row["assoc"]] = int(row["extra"].split("ports=")[1].split(">")[0])
            if last and last[2]:
                yield last
            last = decimal.Decimal(row["time"]), ports[row["assoc"]], {}
        if row["event"] == "sack" and row["assoc"] in ports:
            destination = destinations.setdefault(row["dst"], ipaddress.ip_address(row["dst"]))
            if is_of(end, destination):
                last[2][destination] = int(row["cwnd"])
    if last and last[2]:
        yield last


def usrsctp(folder, end):
    """The same; the port is not recorded."""
    for path in sorted([*folder.glob(f"{end}*.gt.tsv"), *folder.glob(f"{end}*.gt.tsv.gz")]):
        for row in rows(path):
            if row["event"] == "rx":
                cells = [cell.split(",") for cell in row["more"]]
                yield decimal.Decimal(row["time"]), None, {ipaddress.ip_address(cell[0]): int(cell[2]) for cell in cells}


def matched(said, truth):
    """[Pair] of those that follow a SACK at the tap at once: SACKs are processed in the order in which they came."""
    waiting, pairs, frames = collections.defaultdict(collections.deque), [], {}
    for item in said:
        if item.frame not in frames:
            frames[item.frame] = {}
            waiting[item.port].append(item)
        frames[item.frame][item.destination] = item
    for time, port, cwnds in truth:
        for queue in (waiting[port],) if port else waiting.values():
            while queue and time - queue[0].time > AFTER_S:
                queue.popleft()
            if queue and queue[0].time <= time + TICK_S:
                items = frames[queue.popleft().frame]
                pairs += [Pair(items[destination], cwnd) for destination, cwnd in cwnds.items() if destination in items]
                break
    return pairs


def changes(folder, end, said):
    """[Pair] where the stack's cwnd is known: recorded since the SACK before, or the same before and after."""
    known = [(decimal.Decimal(row["time"]), int(row["cwnd"])) for row in rows(table(folder, "gt.tsv")) if row["end"] == end]
    times, pairs, last = [time for time, _ in known], [], None
    for item in said:
        after = bisect.bisect_left(times, item.time - TICK_S)
        before = after - 1
        if before >= 0:
            is_same = after < len(known) and known[before][1] == known[after][1]
            if is_same or (last is not None and known[before][0] >= last - TICK_S):
                pairs.append(Pair(item, known[before][1]))
        last = item.time
    return pairs


def compare(stack, folder, end, work):
    """[Pair] of a scenario's capture at end; empty without truth or data."""
    capture = next((path for path in (folder / f"{end}.pcapng.gz", folder / f"{end}.pcap.gz") if path.exists()), None)
    if capture is None or not (table(folder, "gt.tsv") or table(folder, f"{end}.gt.tsv")):
        return []
    said = model(capture, work)
    if stack in ("linux", "usrsctp"):
        return matched([item for item in said if is_of(end, item.destination)], {"linux": linux, "usrsctp": usrsctp}[stack](folder, end))
    return changes(folder, end, [item for item in said if is_of(end, item.destination)])


def is_by_rfc(stack, scenario):
    return not {(stack, scenario), (stack, None)} & NOT_BY_RFC


def figures(pairs):
    """SACKs, share inside the interval, share whose best fit is within one unit, median width in units, senders that fit."""
    inside = [pair.said.low <= pair.cwnd <= pair.said.high for pair in pairs]
    near = [abs(pair.said.cwnd - pair.cwnd) <= pair.said.unit for pair in pairs]
    width = statistics.median((min(pair.said.high, 1 << 24) - pair.said.low) / pair.said.unit for pair in pairs)
    return len(pairs), sum(inside) / len(pairs), sum(near) / len(pairs), width, sorted({pair.said.sender for pair in pairs})


def scenarios(stack):
    return sorted(path for path in (CAPTURES / stack).iterdir() if path.is_dir())
