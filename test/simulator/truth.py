# SPDX-License-Identifier: GPL-2.0-or-later
"""What really happened in a simulation: every packet's fate, every timer, every reason, written as NDJSON beside the capture.

Each line is one record: an object with "kind" and "time_ns" (the simulation's clock, 0 at its start; the tap's record says how a capture's stamps
follow from
it) and the fields of its kind, as SCHEMA lists them. A field that does not apply is left out or null. Names of endpoints are those that the run gave
them
("A", "B"); addresses are texts; a packet is named by the number of its datagram, which the record "frames" of a tap leads to frames of a capture.

Left out: what follows from these records (intervals, sums, rates): whoever needs it, reckons it.
"""

import json

# {kind: {field: meaning}}. A field whose meaning begins with "optional" may be missing.
SCHEMA = {
    "packet": {
        "number": "of the datagram, unique in the run",
        "source": "address",
        "destination": "address",
        "sent_ns": "when it left its host",
        "fate": "arrived, lost, or in_flight where the run ended before",
        "why": "optional: of a lost one: random, burst, size, queue_full, outage, one_way_outage, too_big, middlebox, corrupted_header, no_route, or "
        "no_endpoint",
        "where": "optional: of a lost one: the name of the link or of the middlebox",
        "arrived_ns": "optional: when its host had it",
        "bytes": "of the IP payload on the wire: SCTP, and UDP where it is encapsulated",
        "corrupted": "optional: true where bits of it were changed on the way",
        "copy_of": "optional: the number of the datagram that the network doubled or altered to make this one",
        "altered": "optional: names of the middleboxes that changed it",
        "overtaken_by": "optional: how many datagrams of the same link that entered it later left it earlier",
        "marked": "optional: true where a router set CE (RFC 3168)",
        "chunks": "optional: names of its chunks, in order",
        "acks": "optional: of its SACK: [Cumulative TSN Ack, [[start, end] of each Gap Ack Block, as offsets], a_rwnd]; of its SHUTDOWN without a_rwnd",
    },
    "transmission": {
        "endpoint": "its sender",
        "packet": "number of the datagram that bears it",
        "tsn": "of the DATA or I-DATA chunk",
        "path": "destination address",
        "cause": "first, fast, timeout, early (PTO, RACK), zero_window_probe, address_removed, pmtu, or what else the sender decided by",
        "bytes": "optional: of user data",
        "stream": "optional",
        "message": "optional: number of the message that it is of, as in records of the kind message",
    },
    "timer": {
        "endpoint": "whose",
        "name": "T1-init, T1-cookie, T2-shutdown, T3-rtx, T4-RTO, T5-shutdown-guard, SACK, HEARTBEAT, RE-CONFIG, ...",
        "path": "optional: destination address",
        "started_ns": "",
        "expires_ns": "when it was to expire",
        "rto_ns": "optional: the RTO that it was started with",
        "result": "expired, cancelled or running at the end of the run",
    },
    "state": {
        "endpoint": "whose",
        "association": "optional: number within the endpoint",
        "state": "as RFC 9260 4 spells it",
        "before": "optional: the last one",
        "cause": "optional",
    },
    "path": {
        "endpoint": "whose",
        "path": "destination address",
        "state": "ACTIVE, INACTIVE, POTENTIALLY-FAILED, CONFIRMED, ADDED, REMOVED",
        "errors": "its error counter",
    },
    "cwnd": {
        "endpoint": "whose",
        "path": "destination address",
        "cwnd_bytes": "",
        "ssthresh_bytes": "optional",
        "outstanding_bytes": "optional: on that path",
        "cause": "slow_start, congestion_avoidance, fast_retransmit, timeout, idle, ecn, ...",
    },
    "window": {
        "endpoint": "its receiver",
        "a_rwnd_bytes": "what it would advertise",
        "held_bytes": "optional",
        "cause": "optional: reader, missing_tsn, fragments, size_set, ...",
    },
    "message": {
        "endpoint": "who records it",
        "event": "handed_over, delivered, acked, abandoned, failed",
        "message": "optional: number within its sender's association",
        "stream": "",
        "ordered": "optional",
        "ppid": "optional",
        "bytes": "optional",
        "application": "optional: what its bytes are, as the application names them",
    },
    "pause": {"endpoint": "who had to act", "until_ns": "", "cause": "whom or what it waited for"},
    "parameter": {"endpoint": "whose; or network", "name": "", "value": "", "clause": "optional"},
    "deviation": {"endpoint": "whose", "name": "", "clause": "", "level": "", "packets": "numbers of the datagrams that it shows in"},
    "frames": {
        "tap": "name",
        "file": "optional: number of the capture file where there are several",
        "frames": "[[frame, packet, what], ...]: what: null, or duplicate, fragment, icmp",
        "offset_ns": "stamp = time_ns + offset_ns + drift_ppm * time_ns / 1e6, then cut to the resolution",
        "drift_ppm": "",
        "resolution_ns": "",
        "missed": "numbers of the datagrams that passed and are in no frame, by cause: {drop: [], filter: []}",
    },
    "application": {
        "endpoint": "whose",
        "event": "what its user did: associate, close, abort, stop_reading, resume_reading, restart, ...",
        "detail": "optional",
    },
    "network": {"event": "outage_begins, outage_ends, nat_mapping, nat_forgets, switch, ...", "where": "", "detail": "optional"},
    "end": {"cause": "finished, time, events", "detail": "optional"},
}


class Truth:
    """The records of a run, in the order in which they were made. kinds: None keeps all; else a set of those kept, for runs that only check a few."""

    __slots__ = ("records", "kinds")

    def __init__(self, kinds=None):
        self.records = []
        self.kinds = kinds

    def record(self, kind, time_ns, **fields):
        """One more record. fields: as SCHEMA has them, of JSON's types."""
        if self.keeps(kind):
            self.records.append((kind, time_ns, fields))

    def keeps(self, kind):
        """Whether records of a kind are kept."""
        return self.kinds is None or kind in self.kinds

    def of(self, kind):
        """(time_ns, fields) of each record of a kind."""
        return [(time_ns, fields) for had, time_ns, fields in self.records if had == kind]

    def write(self, file):
        """NDJSON to a text file, by time; records of one time as they were made."""
        for kind, time_ns, fields in sorted(self.records, key=lambda record: record[1]):
            file.write(json.dumps({"kind": kind, "time_ns": time_ns, **fields}, separators=(",", ":"), default=_plain) + "\n")


def _plain(value):
    """JSON's form of what it has none for."""
    if isinstance(value, (bytes, bytearray)):
        return value.hex()
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    raise TypeError(f"a record holds a {type(value).__name__}")


def faults(records):
    """Texts: each kind of record, or field, that SCHEMA does not have, and each field that it demands and a record lacks."""
    found = {}
    for kind, _, fields in records:
        known = SCHEMA.get(kind)
        if known is None:
            found[f"kind {kind}"] = None
            continue
        for name in fields:
            if name not in known:
                found[f"{kind}.{name} is in no schema"] = None
        for name, meaning in known.items():
            if name not in fields and not meaning.startswith("optional"):
                found[f"{kind}.{name} is missing"] = None
    return list(found)
