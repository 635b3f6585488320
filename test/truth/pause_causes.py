# SPDX-License-Identifier: GPL-2.0-or-later
"""Why a wait for progress (flow.Wait) took so long, as both taps show it. Its time is divided by what it was spent on:
until the window opened, until the chunk that brought the progress went out for the time that counted, on the way, until
the receiver acked it, until one of its SACKs arrived. What took longest decides, and the packets say why it did. A link
that was down goes before other reasons for what was lost. Leaves out which waits are pauses (pauses.py), and set-ups
(setup_waits.py).

`lost retransmission` is also said of what a timeout sent again, not only of fast retransmissions: whichever loss cost
most. `tail loss`: fewer than three SACKs that newly acked a later TSN were sent; where three were sent and fewer came,
it is `acks lost`. `delayed SACK` however long the receiver waited, where nothing was lost; in a window that has no room
for the next chunk it is `closed window`. `undecided`: three misses came, and fast retransmission all the same began
late; the receiver acks nothing (it knows no such association); data given up whose FORWARD_TSN was lost; a round trip
that grew while the application had nothing to send.
"""

from dataclasses import dataclass, field

from dead_path import dead
from tap import before

PATH_DEAD, TAIL_LOSS, LOST_AGAIN, LEFT_TO_TIMER = "path dead", "tail loss", "lost retransmission", "left to the timer"
ACKS_LOST, CLOSED_WINDOW, DELAYED_SACK, CWND = "acks lost", "closed window", "delayed SACK", "cwnd"
UNDECIDED = "undecided"
MISSES_FAST = 3
ROUNDING_S = 1e-6
ENDED_BY = {"given up": "FORWARD_TSN", "abort": "ABORT", "reset": "reset", "ack": "SACK", None: "-"}


@dataclass(eq=False)
class Verdict:
    """`why` in words, `frames` at the sender's tap that show it, `address`: where the data went to, `ended_by`: what
    brought the progress, `is_idle`: the sender had nothing to send and only waited for a delayed SACK."""

    cause: str
    why: str
    address: str
    frames: list = field(default_factory=list)
    ended_by: str = "-"
    is_idle: bool = False


@dataclass(eq=False)
class Spent:
    """The chunk that brought the progress, the `sending` of it that counted, `acked`: the first SACK for it that the
    receiver sent, lost or not; `came`: when the receiver sent the SACK that ended the wait; and the seconds of the
    wait."""

    chunk: object
    sending: object
    acked: object
    came: float
    seconds: dict

    @property
    def address(self):
        return self.sending.packet.destination

    @property
    def most(self):
        return max(self.seconds, key=self.seconds.get)


def lengths(marks, start, until):
    """The time between the marks, so far as it lies between start and until."""
    marks = [min(max(mark, start), until) for mark in marks]
    return [max(0, after - mark) for mark, after in zip(marks, marks[1:])]


def frames_of(sendings):
    return [sending.packet.frame for sending in sendings]


class Case:
    """One wait with all that is known: `kinds`: (frame, TSN) -> tap.Retransmission, `downs`: links.Down, `end`: A or
    B."""

    def __init__(self, flow, wait, kinds, downs, end):
        self.flow, self.wait, self.kinds, self.downs, self.end = flow, wait, kinds, downs, end

    def verdict(self):
        spent = self.spent()
        if spent is None:
            return self.without_ack()
        by = {"window": self.closed_window, "loss": self.loss, "acks": self.acks, "held": self.held, "way": self.way}
        found = by[spent.most](spent)
        found.ended_by = self.ended_by(found, spent)
        return found

    # What the time was spent on

    def spent(self):
        """Spent of the acked chunk that the receiver acked first; None when there is none."""
        acked = [(self.first_ack(chunk), chunk) for chunk in self.wait.acked]
        acked = [(answer, chunk) for answer, chunk in acked if answer and self.kept(chunk, answer)]
        if not acked:
            return None
        answer, chunk = min(acked, key=lambda pair: pair[0].sent)
        sending = self.kept(chunk, answer)
        came = next((other.sent for other in self.flow.answers if other.packet is self.wait.last), self.wait.until)
        opened = self.wait.opened or self.wait.start
        refused = min([self.refused_since(chunk, sending), sending.time])
        acked_at = sending.arrival if answer.packet is None else answer.sent
        marks = [self.wait.start, opened, refused, sending.time, sending.arrival, acked_at, came, self.wait.until]
        window, loss, closed, there, held, acks, back = lengths(marks, self.wait.start, self.wait.until)
        return Spent(chunk, sending, answer, came,
                     {"window": window + closed, "loss": loss, "way": there + back, "held": held, "acks": acks})

    def first_ack(self, chunk):
        first = chunk.sendings[0].time
        acking = (answer for answer in self.flow.answers if answer.sent > first and answer.sack.covers(chunk.tsn))
        return next(acking, None)

    def kept(self, chunk, answer):
        """The transmission that the receiver kept: the first that came after all SACKs that lacked the chunk."""
        came = [sending for sending in chunk.sendings if sending.arrival is not None and sending.arrival <= answer.sent]
        lacking = [other.sent for other in self.flow.answers if other.sent < answer.sent and not other.sack.is_shutdown]
        late = [sending for sending in came if not lacking or sending.arrival >= lacking[-1]]
        return next(iter(late or came[-1:]), None)

    def refused_since(self, chunk, kept):
        """When the first transmission came that the receiver did not keep."""
        arrivals = [sending.arrival for sending in chunk.sendings if sending.arrival is not None]
        return min((arrival for arrival in arrivals if arrival < kept.arrival), default=kept.time)

    # The causes

    def windows(self):
        """The a_rwnd of each SACK that came in the wait."""
        return [answer for answer in self.flow.answers if answer.packet and not answer.sack.is_shutdown
                and self.wait.start <= answer.packet.time <= self.wait.until]

    def closed_window(self, spent):
        chunk, windows = spent.chunk if spent else self.wait.outstanding[0], self.windows()
        smallest = min((answer.sack.a_rwnd for answer in windows), default=None)
        return Verdict(CLOSED_WINDOW, f"a_rwnd {smallest}, the chunk has {chunk.size} bytes",
                       spent.address if spent else chunk.sendings[-1].packet.destination,
                       [answer.packet.frame for answer in windows])

    def loss(self, spent):
        """Nothing that would have brought progress arrived for long."""
        until = spent.sending.time
        lost = [chunk for chunk in [spent.chunk, *self.wait.outstanding] if self.lost_sendings(chunk, until)]
        if lost:
            return self.lost_chunk(lost[0], until)
        if any(answer.sack.a_rwnd < chunk.size for answer in self.windows() for chunk in self.wait.outstanding):
            return self.closed_window(spent)
        return Verdict(UNDECIDED, f"nothing was lost, yet TSN {spent.chunk.tsn} went out late", spent.address,
                       frames_of([spent.sending]))

    def lost_sendings(self, chunk, until):
        return [sending for sending in chunk.sendings if sending.arrival is None and sending.time < until]

    def lost_chunk(self, chunk, until):
        """Of a chunk whose transmissions before `until` were lost the one after which the sender waited longest
        decides."""
        sent = [sending for sending in chunk.sendings if sending.time < until]
        after = dict(zip(sent, [sending.time for sending in sent[1:]] + [until]))
        lost = self.lost_sendings(chunk, until)
        worst = max(lost, key=lambda sending: after[sending] - max(sending.time, self.wait.start))
        address = worst.packet.destination
        found = self.dead_path(address)
        if found:
            return found
        again = next((sending for sending in chunk.sendings if sending.time > worst.time), None)
        kind = self.kind(again, chunk) if again else "not sent again"
        misses = self.flow.misses(chunk.tsn, worst.time, after[worst])
        reported = self.reported(chunk, worst.time, after[worst])
        why = f"TSN {chunk.tsn} lost {len(lost)} times, {misses} misses came of {reported}, then {kind}"
        cause = self.cause_of_loss(worst is not sent[0], misses, reported, kind)
        if cause == UNDECIDED:
            why += self.lost_forward()
        return Verdict(cause, why, address, frames_of(sent))

    def cause_of_loss(self, is_again, misses, reported, kind):
        if is_again:
            return LOST_AGAIN
        if misses < MISSES_FAST:
            return TAIL_LOSS if reported < MISSES_FAST else ACKS_LOST
        return LEFT_TO_TIMER if kind == "timeout" else UNDECIDED

    def reported(self, chunk, start, until):
        """The SACKs that newly acked a later TSN, and could have come by then, lost or not."""
        seen, count = set(), 0
        later = [other.tsn for other in self.flow.chunks.values()
                 if before(chunk.tsn, other.tsn) and start <= other.sendings[0].time < until]
        for answer in self.flow.answers:
            if start < answer.sent < until and (answer.packet is None or answer.packet.time <= until):
                new = {tsn for tsn in later if tsn not in seen and answer.sack.covers(tsn)}
                count += bool(new)
                seen |= new
        return count

    def lost_forward(self):
        lost = [packet.frame for packet in self.flow.packets if packet.forward is not None and packet.sent
                and packet.frame not in self.flow.arrivals and self.wait.start <= packet.time < self.wait.until]
        return f"; the FORWARD_TSN in {lost[0]} was lost" if lost else ""

    def kind(self, sending, chunk):
        found = self.kinds.get((sending.packet.frame, chunk.tsn))
        return found.truth if found else "new data"

    def dead_path(self, address):
        found = dead(self.flow, self.wait, self.end, address, self.downs)
        return Verdict(PATH_DEAD, found[0], address, found[1]) if found else None

    def acks(self, spent):
        """The receiver had it, and none of its first SACKs came. But where what ended the wait mends a loss, that would
        have been waited for all the same."""
        found = self.dead_path(spent.address)
        if found:
            return found
        lost = [answer for answer in self.flow.answers if answer.packet is None and answer.sent < self.wait.until
                and answer.sack.covers(spent.chunk.tsn)]
        trigger = self.trigger(spent)
        mended = [chunk for chunk in self.wait.outstanding if self.is_mended(chunk, trigger)]
        if mended:
            return self.lost_chunk(mended[0], trigger.time)
        return Verdict(ACKS_LOST, f"TSN {spent.chunk.tsn} arrived, {len(lost)} SACKs for it were lost", spent.address,
                       frames_of(spent.chunk.sendings))

    def is_mended(self, chunk, packet):
        """Does it carry the chunk, of which nothing had arrived before?"""
        before_it = [sending for sending in chunk.sendings if sending.time < packet.time]
        return (any(sending.packet is packet for sending in chunk.sendings) and bool(before_it)
                and all(sending.arrival is None for sending in before_it))

    def held(self, spent):
        """The receiver had it, lost nothing, and took its time to say so."""
        delay = spent.acked.sent - spent.sending.arrival
        if self.window_is_too_small():
            found = self.closed_window(spent)
            found.why += f"; SACK delayed by {delay:.3f} s"
            return found
        waits_for_it = self.flow.sends_new_data(self.wait.until) and not self.flow.was_free(self.wait.start, self.wait.until)
        is_idle = not waits_for_it and not self.resent()
        return Verdict(DELAYED_SACK, f"TSN {spent.chunk.tsn} acked {delay:.3f} s after it arrived", spent.address,
                       frames_of([spent.sending]), is_idle=is_idle)

    def resent(self):
        """Was anything sent again, then or later, that was outstanding in the first half? What went out for the first time in the second half
        shows that nothing kept the sender waiting (flow.was_free), whatever became of it."""
        middle = (self.wait.start + self.wait.until) / 2
        return any(sending.time > self.wait.start for chunk in self.wait.outstanding if chunk.sendings[0].time < middle
                   for sending in chunk.sendings[1:])

    def window_is_too_small(self):
        """By the last SACK before the wait, for the next chunk that was sent after it, beside what was outstanding."""
        last = [answer.sack.a_rwnd for answer in self.flow.answers
                if answer.packet and answer.packet.time <= self.wait.start and not answer.sack.is_shutdown]
        after = next((sending for sending in self.flow.first_sendings if sending.time >= self.wait.until), None)
        if not last or after is None:
            return False
        outstanding = sum(chunk.size for chunk in self.wait.outstanding)
        return last[-1] < outstanding + max(data.size for data in after.packet.data)

    def way(self, spent):
        there = spent.sending.arrival - spent.sending.time
        outstanding = sum(chunk.size for chunk in self.wait.outstanding)
        back = self.wait.until - spent.came
        why = f"{there:.3f} s to the receiver, {back:.3f} s back, {outstanding} bytes outstanding"
        if self.flow.sends_new_data(self.wait.until):
            return Verdict(CWND, why, spent.address, frames_of([spent.sending]))
        return Verdict(UNDECIDED, why + ", nothing new was sent after it", spent.address, frames_of([spent.sending]))

    def without_ack(self):
        """What was outstanding was given up, or nothing ended the wait."""
        until = self.wait.until + (ROUNDING_S if self.wait.end is None else 0)
        oldest, outstanding = self.wait.outstanding[0], self.wait.outstanding
        lost = [chunk for chunk in outstanding if self.lost_sendings(chunk, until)]
        acked = [chunk for chunk in outstanding if self.first_ack(chunk)]
        if lost and (lost[0] is oldest or not acked):
            found = self.lost_chunk(lost[0], until)
        elif acked:
            sendings = acked[0].sendings
            address = sendings[-1].packet.destination
            why = f"TSN {acked[0].tsn} arrived, SACKs for it were lost"
            found = self.dead_path(address) or Verdict(ACKS_LOST, why, address, frames_of(sendings))
        elif any(answer.sack.a_rwnd < oldest.size for answer in self.windows()):
            found = self.closed_window(None)
        else:
            found = Verdict(UNDECIDED, f"TSN {oldest.tsn} arrived, the receiver acked nothing",
                            oldest.sendings[-1].packet.destination, frames_of(oldest.sendings))
        found.ended_by = ENDED_BY[self.wait.end]
        return found

    # What ended it

    def trigger(self, spent):
        """The last DATA packet that reached the receiver before it sent the SACK which ended the wait."""
        came = [packet for packet in self.flow.packets if packet.sent and packet.data
                and self.flow.arrivals.get(packet.frame, float("inf")) <= spent.came]
        return max(came, key=lambda packet: self.flow.arrivals[packet.frame], default=spent.sending.packet)

    def ended_by(self, found, spent):
        packet = self.trigger(spent) if spent.most == "acks" or found.cause == PATH_DEAD else spent.sending.packet
        if found.cause == PATH_DEAD:
            is_back = packet.destination == found.address
            return "path came back" if is_back else f"failover to {packet.destination}"
        if found.cause in (DELAYED_SACK, CWND) or packet.time <= self.wait.start:
            return "SACK"
        if found.cause == CLOSED_WINDOW:
            return "window update" if self.was_opened(packet.time) else "SACK"
        again = [self.kinds.get((packet.frame, data.tsn)) for data in packet.data]
        return next((sent.truth for sent in again if sent), "new data")

    def was_opened(self, time):
        """Did a SACK without progress widen the window before?"""
        before = [answer.sack.a_rwnd for answer in self.windows() if answer.packet.time <= time]
        return len(before) > 1 and before[-1] > min(before)
