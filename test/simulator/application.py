# SPDX-License-Identifier: GPL-2.0-or-later
"""The users of simulated endpoints: what they send, when they read, how they end; and the account of what was handed over and what came.

A user carries out the steps of its plan once the association is up: one after the other, each takes as long as it takes. Left out: the bytes of
messages
(payloads.py), and whether the account is right (pairs.py).
"""

import dataclasses

from . import payloads
from .endpoint import Application

SHUTDOWN, ABORT, NOTHING = "shutdown", "abort", "nothing"
# Why a life of an association ended, beside the reasons that the endpoint gives.
RESTARTED = "restarted"


# --- steps -----------------------------------------------------------------------------------------------------------


@dataclasses.dataclass(slots=True)
class Send:
    """Hands over messages: so many, of a size drawn between two bounds, one each interval or as fast as the endpoint takes them.

    unordered: share of them. lifetime_ns, retransmissions_max: partially reliable ones, of which share_limited is the share. immediate: share with
    the I bit.
    """

    count: int
    size_bytes: tuple = (100, 100)
    interval_ns: int = 0
    unordered: float = 0.0
    lifetime_ns: int | None = None
    retransmissions_max: int | None = None
    share_limited: float = 1.0
    immediate: float = 0.0
    stream: int | None = None


@dataclasses.dataclass(slots=True)
class Ask:
    """Sends a request, waits for its answer, thinks, so many times; with several at a time, waits for all of them."""

    count: int
    size_bytes: tuple = (100, 100)
    think_ns: int = 0
    at_a_time: int = 1


@dataclasses.dataclass(slots=True)
class Wait:
    """Does nothing."""

    duration_ns: int


@dataclasses.dataclass(slots=True)
class Until:
    """Waits until condition(user) holds, and looks each time that something came or was acked."""

    condition: object


@dataclasses.dataclass(slots=True)
class Call:
    """One of the user's other calls: call(user, association)."""

    name: str
    call: object


@dataclasses.dataclass(slots=True)
class Plan:
    """What a user does. steps: in order, once the association is up. answers: a message for each that comes, of sizes drawn between the bounds. end:
    how it ends
    when its steps are done. reads: (interval_ns, messages) of a slow reader, None reads at once. family: of its messages. shuns: streams that
    messages
    are not sent on. waits_for_peer: ends only once so many messages came."""

    steps: tuple = ()
    family: str = "plain"
    answers: tuple | None = None
    end: str = NOTHING
    reads: tuple | None = None
    begins_by_family: bool = False
    waits_for_peer: int = 0


class Sent:
    """A message that an endpoint took."""

    __slots__ = ("stream", "ordered", "data", "is_reliable")

    def __init__(self, stream, ordered, data, is_reliable):
        self.stream, self.ordered, self.data, self.is_reliable = stream, ordered, data, is_reliable


class Account:
    """What one user saw of one association, or of one of its lives: a restart begins another. closed: the reason, None while it is open."""

    __slots__ = ("association", "sent", "received", "closed", "is_up", "acked", "failed")

    def __init__(self, association):
        self.association = association
        self.sent, self.received = [], []
        self.closed, self.is_up = None, False
        self.acked = self.failed = 0


class User(Application):
    """The application at one endpoint."""

    def __init__(self, simulation, truth, name, plan):
        self.simulation, self.truth, self.name, self.plan = simulation, truth, name, plan
        self.random = simulation.random(f"application/{name}")
        self.family = payloads.FAMILIES[plan.family]
        self.accounts = {}  # by association, the last life of each
        self.lives = []  # all
        self.association = None
        self.steps, self.step, self.left = [], None, 0
        self.waiting_messages = []  # which the endpoint did not take yet
        self.numbers = 0
        self.answers_due = 0
        self.has_ended = False
        self.timer = None
        self.streams_max = None
        self.peer_errors = []
        self.association_reset_ns = None  # when it asked for the last one

    # --- upcalls of the endpoint ---

    def up(self, association):
        account = self._account(association)
        if account.is_up:
            return
        account.is_up = True
        if self.association is not None and association is not self.association and self.accounts[self.association].closed is None:
            return
        self.association = association
        self._begin(association)

    def _begin(self, association):
        self.steps, self.step, self.has_ended = list(self.plan.steps), None, False
        self.waiting_messages.clear()
        self.answers_due = 0
        if self.plan.reads:
            association.pause_reading()
            self.simulation.after(self.plan.reads[0], self._read, association)
        opening = self.family.opening(False) if self.plan.begins_by_family and self.plan.steps else None
        if opening:
            self._hand_over(opening, True)
        self._next_step()

    def message(self, association, stream, ppid, data, ordered):
        account = self._account(association)
        account.received.append((stream, ordered, bytes(data)))
        if association is not self.association:
            return
        if self.plan.answers:
            self.numbers += 1
            self._hand_over(self.family.answer(self.numbers, self._size(self.plan.answers), self._streams()), True)
        if self.answers_due:
            self.answers_due -= 1
            if not self.answers_due and isinstance(self.step, Ask):
                self._after(self.step.think_ns, self._ask)
        self._look()

    def sendable(self, association):
        if association is self.association:
            self._flush()
            if isinstance(self.step, Send) and not self.waiting_messages and (self.timer is None or not self.timer.is_running):
                self._send()
            self._look()

    def acked(self, association, message):
        self._account(association).acked += 1
        self._look()

    def send_failed(self, association, message, reason):
        self._account(association).failed += 1
        self._look()

    def shutdown_received(self, association):
        """Nothing more can be handed over (RFC 9260 9.2)."""
        self._tell("shutdown_received")
        if association is self.association:
            self.has_ended = True
            self._stop()

    def closed(self, association, reason):
        self._account(association).closed = reason
        self._tell("closed", reason)
        if association is self.association:
            self.has_ended = True
            self._stop()
            if self.plan.reads:
                association.resume_reading()

    def restarted(self, association):
        self._tell("restarted")
        self._stop()
        if association in self.accounts:
            self.accounts.pop(association).closed = RESTARTED
        self._account(association).is_up = True
        self.association = association
        self._begin(association)

    def peer_error(self, association, causes):
        self.peer_errors.append(causes)

    # --- steps ---

    def _next_step(self):
        """Begins the next step; ends when none is left."""
        if self.has_ended:
            return
        if not self.steps:
            self.step = None
            self._end()
            return
        self.step = step = self.steps.pop(0)
        self.left = getattr(step, "count", 0)
        if isinstance(step, Send):
            self._send()
        elif isinstance(step, Ask):
            self._ask()
        elif isinstance(step, Wait):
            self._after(step.duration_ns, self._next_step)
        elif isinstance(step, Call):
            self._tell(step.name)
            step.call(self, self.association)
            self._next_step()
        else:
            self._look()

    def _send(self):
        """Messages of a step Send, until the endpoint takes no more or it is not time."""
        step = self.step
        while self.left and not self.waiting_messages:
            self.left -= 1
            self.numbers += 1
            message = self.family.push(self.numbers, self._size(step.size_bytes), self._streams())
            if step.stream is not None:
                message = message._replace(stream=step.stream)
            self._hand_over(message, not self._chance(step.unordered), self._limits(step), self._chance(step.immediate))
            if step.interval_ns and self.left:
                self._after(step.interval_ns, self._send)
                return
        if not self.left and not self.waiting_messages:
            self._next_step()

    def _limits(self, step):
        """Of partial reliability, of one message."""
        if step.lifetime_ns is None and step.retransmissions_max is None or not self._chance(step.share_limited):
            return {}
        return {"lifetime_ns": step.lifetime_ns, "retransmissions_max": step.retransmissions_max}

    def _ask(self):
        step = self.step
        if not self.left:
            self._next_step()
            return
        at_once = min(step.at_a_time, self.left)
        self.left -= at_once
        self.answers_due = at_once
        for _ in range(at_once):
            self.numbers += 1
            self._hand_over(self.family.request(self.numbers, self._size(step.size_bytes), self._streams()), True)

    def _look(self):
        """Whether what is waited for is there."""
        if isinstance(self.step, Until) and self.step.condition(self):
            self._next_step()
        elif self.step is None and not self.steps:
            self._end()

    def _end(self):
        """As the plan has it, once everything was taken by the endpoint and came from the peer."""
        if self.has_ended or self.waiting_messages or self.association is None:
            return
        account = self.accounts[self.association]
        if self.plan.end == NOTHING or len(account.received) < self.plan.waits_for_peer:
            return
        self.has_ended = True
        self._tell(self.plan.end)
        if self.plan.end == SHUTDOWN:
            self.association.shutdown()
        else:
            self.association.abort(b"no longer needed")

    def _after(self, delay_ns, what):
        self.timer = self.simulation.after(delay_ns, what)

    def _stop(self):
        """Nothing more is done for the association that was."""
        if self.timer is not None:
            self.timer.cancel()
        self.waiting_messages.clear()
        self.steps, self.step = [], None

    # --- sending and reading ---

    def _hand_over(self, message, ordered, limits=None, immediate=False):
        self.waiting_messages.append((message, ordered, limits or {}, immediate))
        if len(self.waiting_messages) == 1:
            self._flush()

    def _flush(self):
        """Gives the endpoint what it takes."""
        while self.waiting_messages and self.association is not None:
            message, ordered, limits, immediate = self.waiting_messages[0]
            taken = self.association.send(message.data, message.stream, message.ppid, ordered, immediate=immediate, **limits)
            if taken is None:
                return
            self.waiting_messages.pop(0)
            self.accounts[self.association].sent.append(Sent(message.stream, ordered, message.data, not limits))

    def _read(self, association):
        """A slow reader takes a few messages each time."""
        account = self.accounts.get(association)
        if account is None or account.closed is not None or self.plan.reads is None:
            return
        association.read(self.plan.reads[1])
        self.simulation.after(self.plan.reads[0], self._read, association)

    # --- small things ---

    def _account(self, association):
        account = self.accounts.get(association)
        if account is None:
            account = self.accounts[association] = Account(association)
            self.lives.append(account)
        return account

    def _streams(self):
        """How many it may send on."""
        streams = getattr(self.association, "outbound_streams", 1)
        return streams if self.streams_max is None else min(streams, self.streams_max)

    def _size(self, bounds):
        return bounds[0] if bounds[0] == bounds[1] else self.random.randint(*bounds)

    def _chance(self, share):
        return bool(share) and self.random.random() < share

    def _tell(self, event, detail=None):
        self.truth.record("application", self.simulation.now_ns, endpoint=self.name, event=event, detail=detail)


def pause_reading(user, association):
    association.pause_reading()


def resume_reading(user, association):
    association.resume_reading()


STOP_READING, RESUME_READING = Call("stop_reading", pause_reading), Call("resume_reading", resume_reading)
