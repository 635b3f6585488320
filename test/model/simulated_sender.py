# SPDX-License-Identifier: GPL-2.0-or-later
"""A sender with the congestion control of RFC 9260 sections 6.1, 6.3 and 7.2, simulated, since the lab has no capture of aiortc: what passes a
tap at it, and the cwnd that it has when each SACK arrives.

Its choices are those of aiortc: a chunk per packet; user bytes are outstanding; it sends while less than cwnd is outstanding, so that it may
exceed cwnd by a chunk; cwnd grows by SACKs that advance the cum_tsn while cwnd is fully utilized, by a chunk at most; a TSN may be retransmitted
fast again after three more miss indications. Leaves out what the model says of it (test_simulated_sender.py).
"""

import collections
import dataclasses
import heapq
import itertools
import random

import scenario_builder
from generate import chunks
from scenario_builder import MS, S

AIORTC_EXTENSIONS = chunks.tlv(chunks.FORWARD_TSN_SUPPORTED) + chunks.tlv(chunks.EXTENSIONS, bytes([chunks.FORWARD_TSN, chunks.RE_CONFIG]))
RTO_INITIAL_NS, RTO_MIN_NS = 3 * S, 1 * S
MISSES_FAST, FLOOR_CHUNKS, BURST_CHUNKS, BURST_RECOVERING_CHUNKS = 3, 4, 4, 2
PROCESSING_NS, SENDING_NS = 30_000, 15_000    # until a SACK is taken; for each packet


@dataclasses.dataclass
class Choices:
    payload: int = 1200              # user bytes of a chunk
    initial: int = 3 * 1200          # cwnd
    ssthresh: int = 1 << 20
    exit_waits: bool = True          # cwnd does not grow by the SACK that ends Fast Recovery
    miscounts: bool = False          # what is lost leaves what is outstanding with each three misses; T3-rtx also marks what was gap-acked
    sack_every: int = 1              # packets, of the receiver
    setup: bytes = AIORTC_EXTENSIONS    # parameters of INIT and INIT ACK
    streams: int = 65535


@dataclasses.dataclass
class Network:
    delay_ns: int = 20 * MS
    packet_ns: int = 200_000         # at the slowest link
    loss: float = 0.0                # of DATA packets
    sack_loss: float = 0.0
    outages: tuple = ()              # (from, to) in ns since the set-up: nothing arrives


@dataclasses.dataclass
class Chunk:
    tsn: int
    size: int
    flags: int
    ssn: int
    sent_ns: int = 0
    sends: int = 0
    misses: int = 0
    is_acked: bool = False
    is_lost: bool = False            # to be retransmitted


class Sender:
    """The congestion control of one path. put(chunk) sends; timer(after_ns) sets T3-rtx, None stops it."""

    def __init__(self, choices, first_tsn, put, timer):
        self.choices, self.put, self.set_timer = choices, put, timer
        self.cwnd, self.ssthresh, self.partial = choices.initial, choices.ssthresh, 0
        self.flight, self.cum, self.recovery_to, self.must_send = 0, first_tsn - 1, None, False
        self.sent, self.queue = collections.deque(), collections.deque()
        self.srtt = self.rttvar = None
        self.is_timed = False

    def timer(self, is_on=True):
        rto = RTO_INITIAL_NS if self.srtt is None else max(RTO_MIN_NS, self.srtt + 4 * self.rttvar)
        self.is_timed = is_on
        self.set_timer(rto if is_on else None)

    def measure(self, rtt):
        if self.srtt is None:
            self.srtt, self.rttvar = rtt, rtt // 2
        else:
            self.rttvar += (abs(self.srtt - rtt) - self.rttvar) // 4
            self.srtt += (rtt - self.srtt) // 8

    def left(self, chunk):
        """A chunk is not outstanding any more."""
        if self.choices.miscounts or not chunk.is_lost:
            self.flight = max(0, self.flight - chunk.size)

    def take_cum(self, cum, now):
        """(has the cum_tsn advanced, bytes newly acknowledged)."""
        self.cum, acked, first = cum, 0, True
        while self.sent and self.sent[0].tsn <= cum:
            chunk = self.sent.popleft()
            if not chunk.is_acked:
                acked += chunk.size
                self.left(chunk)
            if first and chunk.sends == 1:
                self.measure(now - chunk.sent_ns)
            first = False
        return not first, acked

    def take_gaps(self, gaps):
        """(bytes newly acknowledged, is something lost)."""
        reported = {self.cum + offset for first, last in gaps for offset in range(first, last + 1)}
        news = [chunk for chunk in self.sent if chunk.tsn in reported and not chunk.is_acked]
        for chunk in news:
            chunk.is_acked = True
            self.left(chunk)
        missing = [chunk for chunk in self.sent if news and chunk.tsn < news[-1].tsn and chunk.tsn not in reported]
        is_loss = False
        for chunk in missing:
            chunk.misses += 1
            if chunk.misses == MISSES_FAST:
                self.left(chunk)
                chunk.misses, chunk.is_lost, is_loss = 0, True, True
        return sum(chunk.size for chunk in news), is_loss

    def grow(self, acked):
        if self.cwnd <= self.ssthresh:
            self.cwnd += min(acked, self.choices.payload)
            return
        self.partial += acked
        if self.partial >= self.cwnd:
            self.partial -= self.cwnd
            self.cwnd += self.choices.payload

    def take_sack(self, cum, gaps, now):
        if cum < self.cum:
            return
        is_utilized, was_recovering = self.flight >= self.cwnd, self.recovery_to is not None
        has_advanced, acked = self.take_cum(cum, now)
        newly_gap_acked, is_loss = self.take_gaps(gaps)
        if was_recovering and cum >= self.recovery_to:
            self.recovery_to = None
        is_growing = not was_recovering or (self.recovery_to is None and not self.choices.exit_waits)
        if is_growing and has_advanced and is_utilized:
            self.grow(acked + newly_gap_acked)
        if is_loss and not was_recovering:
            self.cwnd = self.ssthresh = max(self.cwnd // 2, FLOOR_CHUNKS * self.choices.payload)
            self.partial, self.recovery_to, self.must_send = 0, self.sent[-1].tsn, True
        if not self.sent:
            self.timer(False)
        elif has_advanced:
            self.timer()
        self.transmit(now)

    def expire(self, now):
        for chunk in self.sent:
            chunk.is_lost = self.choices.miscounts or not chunk.is_acked
        self.is_timed, self.recovery_to, self.flight, self.partial = False, None, 0, 0
        self.ssthresh = max(self.cwnd // 2, FLOOR_CHUNKS * self.choices.payload)
        self.cwnd = self.choices.payload
        self.transmit(now)

    def transmit(self, now):
        burst = BURST_CHUNKS if self.recovery_to is None else BURST_RECOVERING_CHUNKS
        limit = min(self.cwnd, self.flight + burst * self.choices.payload)
        for place, chunk in enumerate(self.sent):
            if not chunk.is_lost:
                continue
            if self.flight >= limit and not self.must_send:
                return
            self.must_send, chunk.is_lost, chunk.misses = False, False, 0
            self.flight += chunk.size
            chunk.sends += 1
            self.put(chunk)
            if place == 0:
                self.timer()
        while self.queue and self.flight < limit:
            chunk = self.queue.popleft()
            self.sent.append(chunk)
            self.flight += chunk.size
            chunk.sends, chunk.sent_ns = 1, now
            self.put(chunk)
            if not self.is_timed:
                self.timer()

    def hand_over(self, message, now):
        self.queue.extend(message)
        if not self.is_timed:
            self.transmit(now)


class Receiver:
    """Acknowledges every so many packets, at once where TSNs are missing, and 200 ms after the first that waits."""

    DELAY_NS = 200 * MS

    def __init__(self, every, first_tsn):
        self.every, self.cum, self.above, self.waiting = every, first_tsn - 1, set(), 0

    def take(self, tsn):
        """Is a SACK due now?"""
        is_new = tsn > self.cum and tsn not in self.above
        if is_new:
            self.above.add(tsn)
        had_gap = len(self.above) > is_new
        while self.cum + 1 in self.above:
            self.cum += 1
            self.above.remove(self.cum)
        self.waiting += 1
        return self.waiting >= self.every or had_gap or not is_new

    def sack(self):
        self.waiting = 0
        gaps = []
        for tsn in sorted(self.above):
            if gaps and gaps[-1][1] == tsn - self.cum - 1:
                gaps[-1][1] += 1
            else:
                gaps.append([tsn - self.cum, tsn - self.cum])
        return self.cum, [tuple(gap) for gap in gaps]


class Simulation:
    """One association, and what passes a tap at its sender."""

    def __init__(self, choices=Choices(), network=Network(), seed=1):
        self.choices, self.network, self.random = choices, network, random.Random(seed)
        first = 1000
        self.builder = scenario_builder.ScenarioBuilder(seed=seed, tsns=(first, 5_000_000))
        self.builder.options["tos"] = 0
        self.events, self.order, self.now, self.link_ns = [], itertools.count(), 0, 0
        self.sender = Sender(choices, first, self.put, self.set_timer)
        self.receiver = Receiver(choices.sack_every, first)
        self.next_tsn, self.ssn, self.timer_number, self.delay_number, self.passed_ns = first, 0, 0, 0, 0
        self.cwnds = {}                  # frame of a SACK: cwnd before it was taken
        self.set_up()

    def set_up(self):
        one, other = self.builder.ends
        streams = {"outbound": self.choices.streams, "inbound": self.choices.streams, "a_rwnd": self.choices.ssthresh}
        self.pass_tap(0, chunks.init(one.tag, one.initial_tsn, self.choices.setup, **streams), vtag=0)
        self.now += 2 * self.network.delay_ns
        cookie = bytes(24)
        self.pass_tap(1, chunks.init_ack(other.tag, other.initial_tsn, cookie, self.choices.setup, **streams))
        self.now += PROCESSING_NS
        self.pass_tap(0, chunks.cookie_echo(cookie))
        self.now += 2 * self.network.delay_ns
        self.pass_tap(1, chunks.cookie_ack())

    def pass_tap(self, end, chunk, **options):
        self.builder.send(end, chunk, gap_ns=self.now - self.passed_ns, **options)
        self.passed_ns = self.now

    def at(self, time_ns, call, *arguments):
        heapq.heappush(self.events, (time_ns, next(self.order), call, arguments))

    def run(self, messages, bytes_each=16384, pauses=()):
        """messages in all; before those whose numbers stand in pauses, the application waits that long (ns) after all else was acknowledged."""
        pauses = dict(pauses)
        for number in range(messages):
            if number in pauses:
                self.play()
                self.now += pauses[number]
            self.sender.hand_over(self.message(bytes_each), self.now)
            if number % 4 == 3:
                self.play(until=lambda: not self.sender.queue)
        self.play()
        return self

    def message(self, size):
        sizes = [min(self.choices.payload, size - at) for at in range(0, size, self.choices.payload)]
        self.ssn += 1
        for number, part in enumerate(sizes):
            flags = (chunks.BEGIN if number == 0 else 0) | (chunks.END if number == len(sizes) - 1 else 0)
            yield Chunk(self.next_tsn, part, flags, self.ssn - 1)
            self.next_tsn += 1

    def play(self, until=lambda: False):
        while self.events and not until():
            self.now, _, call, arguments = heapq.heappop(self.events)
            call(*arguments)

    def is_lost(self, share):
        return self.random.random() < share or any(start <= self.now < end for start, end in self.network.outages)

    def put(self, chunk):
        self.now += SENDING_NS
        self.pass_tap(0, chunks.data(chunk.tsn, bytes(chunk.size), ssn=chunk.ssn, flags=chunk.flags))
        if self.is_lost(self.network.loss):
            return
        self.link_ns = max(self.link_ns, self.now) + self.network.packet_ns
        self.at(self.link_ns + self.network.delay_ns, self.arrive, chunk.tsn)

    def arrive(self, tsn):
        self.delay_number += 1
        if self.receiver.take(tsn):
            self.acknowledge()
        else:
            self.at(self.now + Receiver.DELAY_NS, self.acknowledge_late, self.delay_number)

    def acknowledge_late(self, number):
        if number == self.delay_number and self.receiver.waiting:
            self.acknowledge()

    def acknowledge(self):
        sack = self.receiver.sack()
        if not self.is_lost(self.network.sack_loss):
            self.at(self.now + self.network.delay_ns, self.take_sack, *sack)

    def take_sack(self, cum, gaps):
        self.now = max(self.now, self.passed_ns)
        self.pass_tap(1, chunks.sack(cum, a_rwnd=self.choices.ssthresh, gaps=gaps))
        self.cwnds[len(self.builder.flow.items)] = self.sender.cwnd
        self.now += PROCESSING_NS
        self.sender.take_sack(cum, gaps, self.now)

    def set_timer(self, after_ns):
        self.timer_number += 1
        if after_ns is not None:
            self.at(self.now + after_ns, self.expire, self.timer_number)

    def expire(self, number):
        if number == self.timer_number:
            self.sender.expire(self.now)
