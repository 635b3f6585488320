# SPDX-License-Identifier: GPL-2.0-or-later
"""Sentences of the triage page and of the report of pauses, each judged by the truth file: true, false, or not decided by it.

A kind is what one part of a sentence says: its words as a pattern, how sure they are, and a function that looks up in the truth whether it is so.
Left out: causes that no sentence says (silences.py); what the page looks like (page.py).
"""

import collections
import re

from .happened import HOST_NS, other
from .page import DURATION, ns_of, number_of

FACT, LIKELY, OPEN = "fact", "most likely", "not decidable"
PAUSES, PAUSE = "Pauses", "pause"  # the page's topic, and a row of the report of pauses
# A cause is what took most of the time.
MOST = 0.5
SKIPPED = object()  # what a judge says of words that are another kind's

Kind = collections.namedtuple("Kind", "name topic pattern certainty judge")
# What was said, and whether it is so: None where truth does not decide it. place: for a person who looks it up.
Statement = collections.namedtuple("Statement", "kind certainty verdict association end text place")
KINDS = []


def says(name, topic, pattern, certainty=FACT):
    """Registers the function as the judge of what the pattern matches in sentences of a topic."""

    def register(judge):
        KINDS.append(Kind(name, topic, re.compile(pattern), certainty, judge))
        return judge

    return register


class Context:
    """Where a sentence stands: the truth, the endpoints' names, and of a pause its times at the sender."""

    def __init__(self, happened, page, row):
        self.happened, self.page, self.row = happened, page, row
        self.association = page.associations.get(row.association, {})
        self.names = names_of(happened, self.association)
        self.sender = None if row.end is None else self.names[row.end]
        self.receiver = other(self.sender) if self.sender else None
        self.resolution_ns = max((tap["resolution_ns"] for tap in happened.taps), default=1)
        self.text = row.text
        self.since_ns = self.until_ns = None
        if hasattr(row, "since"):
            self.since_ns = self.at_sender_ns(row.since)
            until = row.until or self.association.get("last_frame")
            self.until_ns = self.at_sender_ns(until)
            self.until = until

    def at_sender_ns(self, frame):
        """When the sender of the data sent or got the packet of a frame; one that it never got: when it was sent."""
        packet = self.happened.packet_of(frame)
        if packet is None:
            return None
        if self.happened.sender(packet["number"]) == self.sender:
            return packet["sent_ns"]
        came_ns = self.happened.came_ns(packet)
        return packet["sent_ns"] if came_ns is None else came_ns

    @property
    def length_ns(self):
        return self.until_ns - self.since_ns

    def has_times(self):
        return self.since_ns is not None and self.until_ns is not None and self.until_ns > self.since_ns

    def share_waiting(self, *causes):
        """Which share of the pause the sender's data was held back by one of these causes; none: by any."""
        spent = self.happened.waited_ns(self.sender, self.since_ns, self.until_ns)
        return sum(ns for cause, ns in spent.items() if not causes or cause in causes) / self.length_ns

    def repeated(self):
        """The frame of the retransmission that the sentence names, the last of the pause else."""
        named = re.search(r"retransmitted(?: it)?(?: late,)?(?:, last)? in frame (\d+)|the last in frame (\d+)|timeouts? in frame (\d+)", self.text)
        return int(next(one for one in named.groups() if one)) if named else None

    def repeated_ns(self):
        frame = self.repeated()
        packet = self.happened.packet_of(frame) if frame else None
        return packet["sent_ns"] if packet else self.until_ns

    def tsns_in(self):
        """Frames of this association."""
        return range(self.association.get("first_frame", 1), self.association.get("last_frame", 0) + 1)

    def trip_ns(self, frame):
        """At most how long the packet of a frame was between its host and the tap: all of its way."""
        packet = self.happened.packet_of(frame)
        came_ns = self.happened.came_ns(packet) if packet else None
        if came_ns is not None:
            return came_ns - packet["sent_ns"] + HOST_NS
        trips = [one["arrived_ns"] - one["sent_ns"] for one in self.happened.packets.values() if one["fate"] == "arrived"]
        return (max(trips) if trips else 0) + HOST_NS


def names_of(happened, association):
    """[name of endpoint 0, of endpoint 1] by their addresses; a translated one is the other."""
    found = [None, None]
    for end, endpoint in enumerate(association.get("endpoints", ())):
        for address in endpoint["addresses"]:
            found[end] = found[end] or happened.addresses.get(address)
    if found[0] is None and found[1] is None:
        return ["A", "B"]
    return [found[0] or other(found[1]), found[1] or other(found[0])]


def judged(happened, page):
    """[Statement] of a page."""
    found = []
    rows = [(row.topic, row) for row in page.rows] + [(PAUSE, row) for row in page.pauses]
    for topic, row in rows:
        context = Context(happened, page, row)
        for kind in KINDS:
            if kind.topic != topic:
                continue
            for match in kind.pattern.finditer(row.text):
                verdict = kind.judge(context, match)
                if verdict is SKIPPED:
                    continue
                place = f"frames {row.since}-{row.until}" if topic == PAUSE else topic
                found.append(Statement(kind.name, kind.certainty, verdict, row.association, row.end, match[0], place))
    found += endings(happened, page)
    return found


# --- what became of a packet -------------------------------------------------------------------------------------------

LOST, ACK_LOST, ACK_LATE, ACKED = "lost", "ack lost", "ack late", "acked"


def fate(context, sending, until_ns):
    """Of a TSN that was sent, as its sender could know it at a time: it did not arrive; it did, and each ack of it sent by then was lost; no ack
    of it was there yet, as none was sent or it was on its way; or it knew."""
    happened = context.happened
    if happened.all_copies(sending) is None:
        return LOST
    acks = happened.acks_of(context.sender, sending.tsn, until_ns)
    if any(ack.arrived_ns is not None and ack.arrived_ns <= until_ns for ack in acks):
        return ACKED
    if not acks or any(ack.arrived_ns is not None for ack in acks):
        return ACK_LATE
    return ACK_LOST


def fates(context, frame):
    """Of the TSNs of a frame that the retransmission named repeats, else of all; at that retransmission."""
    sendings = context.happened.tsns_of(frame)
    repeated = context.repeated()
    again = {one.tsn for one in context.happened.tsns_of(repeated)} if repeated else set()
    chosen = [one for one in sendings if one.tsn in again] or sendings
    return [fate(context, one, context.repeated_ns()) for one in chosen]


# --- pauses ----------------------------------------------------------------------------------------------------------


@says("pause: no ack progress", PAUSE, r"^.+$")
def is_pause(context, _):
    """Between its two packets the sender heard of nothing that arrived newly; a host has a packet up to HOST_NS after the tap, and
    what passed the tap before the pause is none of it, nor what passed after it and overtook its last packet."""
    if not context.has_times() or not context.happened.sendings:
        return None

    def is_within(number):
        frame = context.happened.first_near(number, context.sender)
        return frame is None or context.row.since < frame < (context.row.until or frame + 1)

    found = context.happened.progress_between(context.sender, context.since_ns + HOST_NS, context.until_ns - HOST_NS)
    return not any(is_within(number) for _, number in found)


@says("pause: frame was lost", PAUSE, r"frame (\d+) was lost(?! or)")
def frame_was_lost(context, match):
    """The packet did not arrive, or damaged."""
    found = fates(context, int(match[1]))
    return all(one == LOST for one in found) if found else None


@says("pause: frame was lost or discarded", PAUSE, r"frame (\d+) was lost or discarded")
def frame_was_discarded(context, match):
    """The packet did not arrive, or damaged, or its receiver had no association yet, or never sent an ack of it before it was sent again."""
    found = fates(context, int(match[1]))
    return all(one in (LOST, ACK_LATE) for one in found) if found else None


@says("pause: frame or its ack was lost", PAUSE, r"frame (\d+) or its ack was lost(, or it was discarded|, or its SACK was held back)*")
def frame_or_ack(context, match):
    """It did not arrive, or every ack of it sent until the retransmission was lost: an ack on its way, or not due yet, is neither; where it may have
    been discarded, or its SACK held back, no ack of it was sent until then."""
    found = fates(context, int(match[1]))
    return all(one in (LOST, ACK_LOST) or match[2] and one == ACK_LATE for one in found) if found else None


@says(
    "pause: repeated loss",
    PAUSE,
    r"frame (\d+) and (?:its retransmissions, or their acks, were|other transmissions of it were) lost"
    r"( or discarded|, or they were discarded)?(, or the last SACK was held back)?",
)
def repeated_loss(context, match):
    """Two transmissions of it at least were lost before the pause ended, all up to the retransmission named, or the acks of what came; discarded
    ones have no ack, nor has the last one whose SACK was held back."""
    happened, until_ns = context.happened, context.repeated_ns()
    allowed = (LOST, ACK_LOST, ACK_LATE) if match[2] or match[3] else (LOST, ACK_LOST)
    for one in happened.tsns_of(int(match[1])):
        sent = [sending for sending in happened.sendings[context.sender, one.tsn] if sending.sent_ns < context.until_ns]
        found = [(fate(context, sending, until_ns), sending.sent_ns < until_ns) for sending in sent]
        if sum(one in allowed for one, _ in found) >= 2 and all(one in allowed for one, is_before in found if is_before):
            return True
    return False if happened.tsns_of(int(match[1])) else None


@says("pause: frame had arrived", PAUSE, r"frame (\d+)(?:, or a retransmission of it,)? had arrived")
def had_arrived(context, match):
    """It came; or, where the sentence says so, a later transmission of the same TSN did."""
    happened, until_ns = context.happened, context.until_ns
    sendings = happened.tsns_of(int(match[1]))
    if not sendings:
        return None
    if "or a retransmission" in match[0]:
        return any(happened.all_copies(one) is not None for sent in sendings for one in happened.sendings[context.sender, sent.tsn])
    return all(happened.all_copies(one) is not None and happened.all_copies(one) <= until_ns for one in sendings)


def has_passed(context, number, frame):
    """Whether a packet passed the tap nearest to the sender before a frame: held by it, or missed. One that was damaged shows nothing."""
    if not context.happened.passed(number, context.sender):
        return False
    first = context.happened.first_near(number, context.sender)
    return first is None or first < frame


@says("pause: no ack passed the capture point", PAUSE, r"frame (\d+).* no ack passed the capture point")
def no_ack_passed(context, match):
    """No ack of it passed before the retransmission, whether the capture holds it or not."""
    happened, frame = context.happened, context.repeated()
    sendings = happened.tsns_of(int(match[1]))
    if not sendings or frame is None:
        return None
    again = {one.tsn for one in happened.tsns_of(frame)}
    for one in sendings:
        if one.tsn not in again:
            continue
        for ack in happened.acks_of(context.sender, one.tsn, context.repeated_ns()):
            if has_passed(context, ack.number, frame):
                return False
    return True


@says("pause: acks lost or late", PAUSE, r"frame (\d+).* its acks were lost or late: frame (\d+) acked more packets")
def acks_lost(context, match):
    """An ack of it was sent before the one named and was lost or is not in the capture; or the first was later than the receiver's SACK delay."""
    happened = context.happened
    ending = happened.packet_of(int(match[2]))
    delay_ns = happened.parameter(context.receiver, "sack_delay_ns") or 0
    for one in happened.tsns_of(int(match[1])):
        acks = happened.acks_of(context.sender, one.tsn, ending["sent_ns"] - 1)
        if any(ack.arrived_ns is None or not happened.in_frame(ack.number) for ack in acks):
            return True
        came_ns = happened.came_first_ns(context.sender, one.tsn)
        if came_ns is not None and ending["sent_ns"] - came_ns > delay_ns + HOST_NS and not acks:
            return True
    return False


@says("pause: the timer retransmitted it", PAUSE, r"the timer retransmitted it(?: late,)? in frame (\d+)")
def timer_retransmitted(context, match):
    """A TSN of that packet was sent there because a timer expired: T3-rtx, or that of window probes."""
    found = context.happened.tsns_of(int(match[1]))
    return any(one.cause in ("timeout", "zero_window_probe") for one in found) if found else None


@says("pause: n timeouts in a row", PAUSE, r"(\d+) timeouts? in a row|, (\d+) timeouts? in frame")
def timeouts_in_a_row(context, match):
    """T3-rtx expired at least as often between the packets of the pause; what was sent before began the first of them."""
    count = int(match[1] or match[2])
    timers = context.happened.timers(context.sender, "T3-rtx")
    return sum(context.since_ns <= one["expires_ns"] <= context.until_ns + HOST_NS for one in timers) >= count


@says("pause: how long the timer ran, from which frame", PAUSE, rf"frame (\d+) after (at most )?{DURATION} \(from frame (\d+) on\)")
def timer_ran(context, match):
    """A timer that expired when the packet left, T3-rtx or that of window probes, ran as long as said. The tap sees both packets up to their whole way later than the sender did
    what they show (trip_ns); its clock has ticks."""
    happened = context.happened
    packet = happened.packet_of(int(match[1]))
    if packet is None:
        return None
    said_ns, rounding_ns = ns_of(match[3])
    doubt_ns = context.trip_ns(int(match[1])) + context.trip_ns(int(match[4])) + 2 * context.resolution_ns + rounding_ns
    timers = [
        one for name in ("T3-rtx", "zero-window-probe") for one in happened.timers(context.sender, name)
        if abs(one["expires_ns"] - packet["sent_ns"]) <= HOST_NS
    ]  # fmt: skip
    if not timers:
        return False
    ran = [one["expires_ns"] - one["started_ns"] for one in timers]
    if match[2]:
        return any(one <= said_ns + doubt_ns for one in ran)
    return any(abs(one - said_ns) <= doubt_ns for one in ran)


@says("pause: late timer", PAUSE, rf"by the parameters of the RFC its RTO was at most {DURATION}")
def late_timer(context, match):
    """The timer ran longer than that."""
    packet = context.happened.packet_of(context.repeated()) if context.repeated() else None
    if packet is None:
        return None
    timers = [one for one in context.happened.timers(context.sender, "T3-rtx") if abs(one["expires_ns"] - packet["sent_ns"]) <= HOST_NS]
    return any(one["expires_ns"] - one["started_ns"] > ns_of(match[1])[0] for one in timers)


@says("pause: most likely a delayed SACK", PAUSE, r"endpoint \d most likely delayed its SACK", LIKELY)
@says("pause: delayed SACK", PAUSE, r"endpoint \d delayed its SACK")
def delayed_sack(context, _):
    """The receiver held the ack that ended the pause, after the oldest packet that it is the first to acknowledge, for most of the time said, which
    is the tap's: nearer to the receiver it holds less of the way."""
    happened = context.happened
    packet = happened.packet_of(context.until)
    if packet is None or "acks" not in packet:
        return None
    ending = next(ack for ack in happened.acks[context.receiver] if ack.number == packet["number"])
    before = [ack for ack in happened.acks[context.receiver] if ack.sent_ns < ending.sent_ns]
    held_ns = 0
    for (endpoint, tsn), sendings in list(happened.sendings.items()):
        came_ns = happened.came_first_ns(endpoint, tsn) if endpoint == context.sender and happened.covers(ending, tsn) else None
        if came_ns is not None and came_ns <= ending.sent_ns and not any(happened.covers(ack, tsn) and ack.sent_ns >= came_ns for ack in before):
            held_ns = max(held_ns, ending.sent_ns - came_ns)
    return held_ns >= MOST * context.row.lost_s * 1e9


@says("pause: the sender waited for the SACK", PAUSE, r"for which endpoint \d most likely waited", LIKELY)
def waited_for_sack(context, _):
    """Its data was held back for most of the pause; or new data left as soon as the SACK was there, and no data of the peer had come that it may
    answer: a full send buffer waits for acks, too."""
    if not context.has_times():
        return None
    return context.share_waiting() >= MOST or is_released(context)


def is_released(context):
    happened = context.happened
    following = happened.first_after(context.sender, context.until_ns)
    if following is None or following.sent_ns - context.until_ns > HOST_NS:
        return False
    return not any(
        context.until_ns - HOST_NS <= sending.arrived_ns <= following.sent_ns
        for one in happened.firsts[context.receiver] for sending in happened.sendings[context.receiver, one.tsn] if sending.arrived_ns is not None
    )  # fmt: skip


@says("pause: Nagle", PAUSE, r"outstanding, as Nagle's algorithm does", LIKELY)
def nagle(context, _):
    """By Nagle, for most of the pause, or when it ended: the pause itself is the SACK's."""
    if not context.has_times():
        return None
    return context.share_waiting("Nagle") >= MOST or context.happened.waited_ns(context.sender, context.until_ns - HOST_NS, context.until_ns)["Nagle"] > 0


@says("pause: closed or full window", PAUSE, r"the window of endpoint \d was closed, or had no room for the next chunk")
def closed_window(context, _):
    """The peer's window held data back for most of the pause; or what was left of it in the middle of the pause is less than the new data after it
    needs, or nothing, whoever waited."""
    if not context.has_times():
        return None
    following = context.happened.first_after(context.sender, context.until_ns)
    room = context.happened.room(context.sender, (context.since_ns + context.until_ns) // 2)
    needed = 1 if following is None else following.bytes
    return context.share_waiting("peer's window") >= MOST or room is not None and room < needed


@says("pause: most likely a full cwnd", PAUSE, r"most likely its cwnd or its send buffer was full(?!,)", LIKELY)
def full_cwnd(context, _):
    """cwnd held data back for most of the pause; or what a full send buffer had kept left as soon as the ack was there."""
    return context.share_waiting("cwnd", "Max.Burst") >= MOST or is_released(context) if context.has_times() else None


@says("pause: most likely a full cwnd, or Nagle", PAUSE, r"most likely its cwnd or its send buffer was full, or it waited as Nagle's algorithm does", LIKELY)
def full_cwnd_or_nagle(context, _):
    """One of the three held data back for most of the pause."""
    return context.share_waiting("cwnd", "Max.Burst", "Nagle") >= MOST or is_released(context) if context.has_times() else None


@says("pause: the sender held back", PAUSE, r"endpoint \d held back")
def held_back(context, _):
    """It had data, and neither the window nor a cwnd kept it back for most of the pause that its Max.Burst had not made one packet."""
    if not context.has_times():
        return None
    is_burst = context.happened.parameter(context.sender, "burst_method") == "cwnd" and context.happened.parameter(context.sender, "max_burst_packets") == 1
    allowed = ("peer's window",) if is_burst else ("cwnd", "peer's window")
    return context.share_waiting() >= MOST > context.share_waiting(*allowed)


@says("pause: most likely SHUTDOWN taken for a closed window", PAUSE, r"most likely takes the SHUTDOWN in frame \d+ for a closed window", LIKELY)
@says("pause: SHUTDOWN taken for a closed window", PAUSE, r"(?<!likely )(?<!possibly )takes the SHUTDOWN in frame \d+ for a closed window")
def shutdown_as_closed(_, __):
    """No simulated endpoint does."""
    return False


@says("pause: gaps not reported", PAUSE, r"most likely endpoint \d gets packets and does not report them", LIKELY)
def unreported(_, __):
    """No simulated endpoint does."""
    return False


@says("pause: RTO below the SACK delay", PAUSE, r"frame (\d+) had arrived, and the SACK for it, .* was not due yet")
def rto_below(context, match):
    """It had arrived, and no ack of it was sent before it was retransmitted."""
    found = fates(context, int(match[1]))
    return all(one == ACK_LATE for one in found) if found else None


@says("pause: path without answer", PAUSE, r"(?:path to (\S+) without answer|no path answers): .*frame (\d+) on, (?:retransmitted|\d+ timeout)")
def path_without_answer(context, match):
    """Nothing that went there from that frame on, and nowhere else, was acknowledged to the sender before the pause ended."""
    happened, first = context.happened, context.happened.packet_of(int(match[2]))
    if first is None or not context.has_times():
        return None
    for one in happened.firsts[context.sender]:
        sent = [sending for sending in happened.sendings[context.sender, one.tsn] if sending.sent_ns < context.until_ns]
        if not sent or any(match[1] not in (None, sending.path) or sending.sent_ns < first["sent_ns"] for sending in sent):
            continue
        acks = happened.acks_of(context.sender, one.tsn, context.until_ns)
        if any(ack.arrived_ns is not None and ack.arrived_ns < context.until_ns - HOST_NS for ack in acks):
            return False
    return True


@says("pause: lost before the capture", PAUSE, r"data was lost before the capture, and (?:retransmitted in|.*retransmitted it in) frame (\d+)")
def lost_before(context, match):
    """A TSN of that packet had been sent before, and that packet was lost and never passed a tap."""
    happened = context.happened
    found = happened.tsns_of(int(match[1]))
    for one in found:
        for sending in happened.sendings[context.sender, one.tsn]:
            if sending.sent_ns < one.sent_ns and not happened.passed(sending.packet, context.sender):
                return True
    return False if found else None


@says("pause: the set-up was not complete", PAUSE, r"the set-up was not complete")
def set_up(context, _):
    """An endpoint was not ESTABLISHED when it began."""
    return any(
        not any(one["endpoint"] == name and one["state"] == "ESTABLISHED" and one["time_ns"] < context.since_ns for one in context.happened.records["state"])
        for name in "AB"
    )  # fmt: skip


@says("pause: gave up", PAUSE, r"endpoint \d gave up in frame \d+")
def gave_up_in_pause(context, _):
    """Its association ended by its error count."""
    return any(detail == "error count" for _, detail in context.happened.events(context.sender, "closed"))


@says(
    "pause: SACKs that say nothing", PAUSE, r"it got packets and reported none of them, or (?:sent more SACKs than packets came|packets were doubled)"
)
def silent_sacks(context, match):
    """Packets were doubled; no simulated endpoint does the rest."""
    return "doubled" in match[0] and any(one.get("copy_of") is not None for one in context.happened.packets.values())


@says("pause: undecided", PAUSE, r"nothing shows [a-z ]+|nothing was acknowledged any more", OPEN)
def undecided(_, __):
    """It says so."""
    return None


LOST_BEHIND = r"from frame (\d+) to (?:\d+|the end): .*(?:SACKs of endpoint \d leave it out|acked none of \d+ with data from endpoint \d): (discarded by the receiver, or )?lost between"


@says("page: lost between capture point and receiver", PAUSES, LOST_BEHIND)
def lost_behind(context, match):
    """What was lost had passed the tap, and did not arrive, or damaged, or came before its receiver had an association."""
    named = re.search(r"from frame \d+ to (?:\d+|the end): (?:.*?from frame|frame) (\d+)", context.text)
    found = context.happened.tsns_of(int(named[1])) if named else []
    return all(context.happened.all_copies(one) is None for one in found) if found else None


# --- retransmissions -------------------------------------------------------------------------------------------------

CAUSES = {"fast": {"fast"}, "timeout": {"timeout"}, "early": {"early"}, "probe": {"zero_window_probe"}, "handover": {"address_removed"},
          "report": {"pmtu", "pktdrop"}}  # fmt: skip


def captured(context):
    """Sendings of the association's data that the capture holds, each packet once."""
    happened, seen, found = context.happened, set(), []
    for frame in context.tsns_in():
        of = happened.frames.get(frame)
        if of is None or of[1] in seen or happened.sender(of[1]) != context.sender:
            continue
        seen.add(of[1])
        if happened.packets[of[1]].get("copy_of") is None:
            found += happened.of_packet.get(of[1], ())
    return found


def again_of(context):
    """Those of them that had been sent before."""
    return [one for one in captured(context) if context.happened.sendings[context.sender, one.tsn][0].sent_ns < one.sent_ns]


@says("retransmissions: how many", "Retransmissions", r"([\d,]+) of ([\d,]+) transmissions? w")
def how_many(context, match):
    """No more than the capture holds of TSNs that were sent before, and what it says may have been doubled."""
    said = re.search(r"([\d,]+) unknown \((?:([\d,]+) of them )?retransmitted, or doubled on the way", context.text)
    may_be = 0 if said is None else number_of(said[2] or said[1])
    return number_of(match[1]) - may_be <= len(again_of(context))


def is_into_closed(context, sending):
    """Was the window that the sender heard of last smaller than the chunk?"""
    heard = [
        ack for ack in context.happened.acks[context.receiver]
        if ack.a_rwnd is not None and ack.arrived_ns is not None and ack.arrived_ns <= sending.sent_ns
    ]  # fmt: skip
    return bool(heard) and max(heard, key=lambda ack: ack.arrived_ns).a_rwnd < sending.bytes


for _word in CAUSES:

    @says(f"retransmissions: {_word}", "Retransmissions", rf"(?<=[:,] )([\d,]+) {_word}\b(?!:)")
    def by_cause(context, match, word=_word):
        """No more than were sent for that reason: what is more has another. What a timer sends into a closed window is a probe."""
        return number_of(match[1]) <= sum(
            one.cause in CAUSES[word] or word == "probe" and one.cause == "timeout" and is_into_closed(context, one) for one in again_of(context)
        )


@says("retransmissions: unknown", "Retransmissions", r"(?<=[:,] )([\d,]+) unknown", OPEN)
def unknown(_, __):
    """It says so."""
    return None


def is_spurious(context, sending):
    """An earlier transmission of the same TSN arrived."""
    earlier = [one for one in context.happened.sendings[context.sender, sending.tsn] if one.sent_ns < sending.sent_ns]
    return any(context.happened.all_copies(one) is not None for one in earlier)


@says("retransmissions: spurious", "Retransmissions", r"(?:all|at least) ([\d,]+) of them spurious")
def spurious(context, match):
    """No more than were sent though an earlier transmission arrived."""
    return number_of(match[1]) <= sum(is_spurious(context, one) for one in again_of(context))


@says(
    "retransmissions: reordered on the way",
    "Retransmissions",
    r"of which [\d,]+ fast: most likely packets were reordered on the way(, or overtaken by those of another path)?",
    LIKELY,
)
def reordered_likely(context, match):
    """A fast retransmission was of a packet that others overtook, or that arrived while others took another path."""
    happened = context.happened
    if match[1] and any(sending.cause == "fast" and is_spurious(context, sending) for sending in again_of(context)):
        return True
    return any(
        happened.packets[one.packet].get("overtaken_by")
        for sending in again_of(context) if sending.cause == "fast" for one in happened.sendings[context.sender, sending.tsn]
    )  # fmt: skip


def unacked_spurious(context):
    """How many spurious ones passed when no ack of them had passed the tap, and when one had, sent after them or not."""
    happened, without = context.happened, 0
    rows = [one for one in again_of(context) if is_spurious(context, one)]
    for one in rows:
        frame = happened.first_near(one.packet, context.sender) or happened.first_frame(one.packet)
        without += not any(
            has_passed(context, ack.number, frame) and (ack.sent_ns <= one.sent_ns or happened.first_near(ack.number, context.sender))
            for ack in happened.acks_of(context.sender, one.tsn)
        )
    return without, len(rows) - without


@says("retransmissions: no ack had passed", "Retransmissions", r"for (them|it|[\d,]+) no ack had passed the capture point")
def no_ack_had_passed(context, match):
    """As many as that left before an ack of them passed."""
    said = re.search(r"(?:all|at least) ([\d,]+) of them spurious", context.text)
    count = number_of(said[1] if match[1] in ("them", "it") else match[1])
    return count <= unacked_spurious(context)[0]


@says("retransmissions: too early, or acks lost behind", "Retransmissions", r"too early, or their acks lost between capture point and sender")
def too_early(context, _):
    """At least one was sent after an ack of it had passed the tap."""
    return unacked_spurious(context)[1] > 0


@says(
    "retransmissions: sent twice in a row", "Retransmissions", r"endpoint \d (?:most likely )?sends (?:each DATA packet|DATA packets) twice in a row"
)
def twice(context, _):
    """No simulated endpoint does; the network may double them, or delay the first ones, which is said with it."""
    packets = context.happened.packets
    return ("or the network doubles" in context.text and any(one.get("copy_of") is not None for one in packets.values())) or (
        "or its first packets were delayed" in context.text
        and any(packets[sent.packet].get("overtaken_by") for one in again_of(context) for sent in context.happened.sendings[context.sender, one.tsn])
    )


@says("retransmissions: RTO below the SACK delay", "Retransmissions", r"endpoint \d (?:delays|may delay) SACKs.*RTO below the peer's SACK delay")
def early_rto(context, _):
    """A retransmission of the timer left before the receiver had sent an ack of what had arrived."""
    rows = [one for one in again_of(context) if one.cause == "timeout" and is_spurious(context, one)]
    return any(not context.happened.acks_of(context.sender, one.tsn, one.sent_ns) for one in rows)


@says("retransmissions: lost before the capture", "Retransmissions", r"([\d,]+) lost before the capture and first seen as a retransmission")
def lost_before_all(context, match):
    """No more than TSNs of which a transmission was lost and never passed a tap, and a later one did."""
    happened, found = context.happened, set()
    for one in again_of(context):
        earlier = [sent for sent in happened.sendings[context.sender, one.tsn] if sent.sent_ns < one.sent_ns]
        if any(not happened.passed(sent.packet, context.sender) for sent in earlier):
            found.add(one.tsn)
    return number_of(match[1]) <= len(found)


@says(
    "retransmissions: first seen when missing",
    "Retransmissions",
    r"([\d,]+) first seen after they were reported missing: lost before the capture and re",
)
def first_seen_late(context, match):
    """No more than TSNs first captured undamaged as a retransmission, or overtaken."""
    happened, found, firsts = context.happened, set(), set()
    for one in captured(context):
        if one.tsn not in firsts and happened.passed(one.packet, context.sender):
            firsts.add(one.tsn)
            is_again = happened.sendings[context.sender, one.tsn][0].sent_ns < one.sent_ns
            if is_again or happened.packets[one.packet].get("overtaken_by"):
                found.add(one.tsn)
    return number_of(match[1]) <= len(found)


@says("retransmissions: passed out of order", "Retransmissions", r"([\d,]+) of [\d,]+ chunks? passed out of order")
def out_of_order(context, match):
    """No more than chunks in packets that others overtook on the way."""
    found = {one.tsn for one in captured(context) if context.happened.packets[one.packet].get("overtaken_by")}
    return number_of(match[1]) <= len(found)


@says("retransmissions: no loss shows", "Retransmissions", r"reordered on the way, and no loss shows")
def no_loss(context, _):
    """No captured packet with data was lost."""
    return all(one.arrived_ns is not None for one in captured(context))


@says("retransmissions: doubled on the way", "Retransmissions", r"([\d,]+) chunks? passed again in the same IP packet")
def doubled(context, match):
    """No more than chunks in packets that the network doubled."""
    happened = context.happened
    found = [one for one in captured(context) if any(happened.in_frame(copy) for copy in happened.copies.get(one.packet, ()))]
    return number_of(match[1]) <= len(found)


# --- between taps, given up, windows ---------------------------------------------------------------------------------


BETWEEN = r"([\d,]+) of [\d,]+ packets(?: to (\S+))? passed interface \d+ and (?:not interface|(?:was|were) not captured at interface) \d+"


@says("two taps: lost between, or missed", "Lost between interfaces", BETWEEN)
def lost_between(context, match):
    """No more than packets in frames of one tap alone, or damaged on their way to the other. Without "or missed" those that it missed are none."""
    happened, may_be_missed = context.happened, "missed there" in context.text
    taps_of = collections.defaultdict(set)
    for tap, number, _ in happened.frames.values():
        taps_of[number].add(tap)
    found = [
        number for number, taps in taps_of.items()
        if (len(taps) == 1 or happened.packets[number].get("corrupted")) and (may_be_missed or number not in happened.missed)
        and happened.sender(number) == context.sender and match[2] in (None, happened.packets[number]["destination"])
    ]  # fmt: skip
    return number_of(match[1]) <= len(found)


def abandoned(context):
    """TSNs that were sent of messages that their sender gave up."""
    happened = context.happened
    messages = {one["message"] for one in happened.records["message"] if one["endpoint"] == context.sender and one["event"] == "abandoned"}
    return {tsn for (endpoint, tsn), rows in happened.sendings.items() if endpoint == context.sender and rows[0].message in messages}


@says("given up: how many", "Given up", r"FORWARD-TSNs? of endpoint \d gave up ([\d,]+) chunks?")
def gave_up_count(context, match):
    """No more than TSNs of messages that were given up."""
    return number_of(match[1]) <= len(abandoned(context))


@says("given up: arrived all the same", "Given up", r"([\d,]+) arrived all the same, as SACKs show")
def arrived_all_the_same(context, match):
    """No more than those of them that arrived."""
    came = [tsn for tsn in abandoned(context) if context.happened.came_first_ns(context.sender, tsn) is not None]
    return number_of(match[1]) <= len(came)


@says("given up: on the way", "Given up", r"([\d,]+) (?:was|were) on the way")
def on_the_way(context, match):
    """No more than those that arrived: what was lost is not on the way."""
    return number_of(match[1]) <= len(abandoned(context))


@says("given up: had not arrived", "Given up", r"([\d,]+) had not arrived when SACKs reported")
def had_not_arrived(context, match):
    """No more than those of which a transmission was lost or overtaken."""
    happened = context.happened
    found = [
        tsn for tsn in abandoned(context)
        if any(one.arrived_ns is None or happened.packets[one.packet].get("overtaken_by") for one in happened.sendings[context.sender, tsn])
    ]  # fmt: skip
    return number_of(match[1]) <= len(found)


@says("given up: never passed", "Given up", r"([\d,]+) more never passed: lost before the capture point, or not captured")
def never_passed(context, match):
    """No more than those in no frame, and those never sent."""
    messages = {one["message"] for one in context.happened.records["message"] if one["endpoint"] == context.sender and one["event"] == "abandoned"}
    unseen = [
        tsn for tsn in abandoned(context) if not any(context.happened.in_frame(one.packet) for one in context.happened.sendings[context.sender, tsn])
    ]
    return True if number_of(match[1]) <= len(unseen) else None if messages else False


@says("given up: FORWARD-TSN not repeated", "Given up", r"FORWARD-TSN in frame (\d+) was not repeated.*most likely it was lost", LIKELY)
def forward_lost(context, match):
    """It was lost."""
    packet = context.happened.packet_of(int(match[1]))
    return packet is not None and context.happened.came_ns(packet) is None


@says("window: reads too slowly", "Receiver windows", r"endpoint \d reads too slowly")
def slow_reader(context, _):
    """What filled the receiver's window was its reader, at least once."""
    return any(one["endpoint"] == context.receiver and one.get("cause") == "reader" for one in context.happened.records["window"])


@says("window: waits for a TSN", "Receiver windows", r"waits for TSN (\d+)(?:, lost ([\d,]+) times?)?")
def waits_for_tsn(context, match):
    """What filled the receiver's window was a TSN that was missing, and as many transmissions were lost as said."""
    causes = {one.get("cause") for one in context.happened.records["window"] if one["endpoint"] == context.receiver}
    return bool(causes & {"missing_tsn", "fragments"})


@says("window: limits the rate", "Receiver windows", r"endpoint \d limits the rate")
def limits(context, _):
    """The peer's window held data back."""
    return any(one["endpoint"] == context.sender and one["cause"] == "peer's window" for one in context.happened.records["pause"])


@says("window: undecided", "Receiver windows", r"not decidable whether endpoint \d", OPEN)
def window_open(_, __):
    """It says so."""
    return None


@says("window: fragments never freed", "Receiver windows", r"their fragments are never freed")
def never_freed(_, __):
    """No simulated endpoint does."""
    return False


# --- queues, paths, set-up -------------------------------------------------------------------------------------------


@says("queue: as when a queue fills up", "Growing queues", rf"grew from {DURATION} to {DURATION}.*as when a queue on the way fills up")
def queue(context, match):
    """Trips of packets there and back took more than their least by half of that growth: it was on the way, and not at the receiver."""
    happened, grown_ns = context.happened, ns_of(match[2])[0] - ns_of(match[1])[0]
    spread_ns = 0
    for sender in "AB":
        by_path = collections.defaultdict(list)
        for one in happened.packets.values():
            if one["fate"] == "arrived" and happened.sender(one["number"]) == sender:
                by_path[one["source"], one["destination"]].append(one["arrived_ns"] - one["sent_ns"])
        spread_ns += max((sorted(trips)[int(len(trips) * 0.95)] - min(trips) for trips in by_path.values()), default=0)
    return spread_ns >= MOST * grown_ns


def heartbeats(context, address):
    """How many HEARTBEATs to an address the capture holds of which it lacks the answer: a doubled one may have two."""
    happened = context.happened

    def of(name, sender):
        return [one for one in happened.packets.values() if name in one.get("chunks", ()) and happened.sender(one["number"]) == sender]

    seen = [
        one["sent_ns"] for one in of("HEARTBEAT ACK", context.receiver)
        if one["source"] == address and happened.first_near(one["number"], context.sender) and not one.get("corrupted")
    ]  # fmt: skip

    def is_answered(asked):
        copies = [asked["number"], *happened.copies.get(asked["number"], ())]
        came = [time for number in copies if (time := happened.came_ns(happened.packets[number])) is not None]
        return any(time <= sent_ns <= time + HOST_NS for time in came for sent_ns in seen)

    return sum(
        one["chunks"].count("HEARTBEAT") for one in of("HEARTBEAT", context.sender)
        if one["destination"] == address and happened.first_near(one["number"], context.sender) and not is_answered(one)
    )  # fmt: skip


@says("path: no answer to HEARTBEATs", "Path troubles", r"no answer captured to ([\d,]+) of ([\d,]+) HEARTBEATs? to (\S+?)(?=[;,]|$)")
def unanswered(context, match):
    return number_of(match[1]) <= heartbeats(context, match[3])


STOPPED = r"(\S+) stopped answering at ([\d.]+) s: (?:([\d,]+) HEARTBEATs? unanswered)?(?:, )?(?:([\d,]+) timeouts?)?"


@says("path: stopped answering", "Path troubles", STOPPED)
def stopped(context, match):
    """Its sender counted as many errors on it: T3-rtx and HEARTBEAT timers that expired."""
    happened = context.happened
    expired = [one for name in ("T3-rtx", "HEARTBEAT-timeout") for one in happened.timers(context.sender, name) if one.get("path") == match[1]]
    return len(expired) >= number_of(match[3] or "0") + number_of(match[4] or "0")


@says(
    "path: inactive",
    "Path troubles",
    r"(\S+) stopped answering[^;]*(?:;[^;]*?)*?; inactive between ([\d.]+) and ([\d.]+) s if Path\.Max\.Retrans is (\d+)",
)
def inactive(context, match):
    """Where its Path.Max.Retrans is that: it took the path for inactive."""
    happened = context.happened
    if happened.parameter(context.sender, "path_retransmissions_max") != int(match[4]):
        return None
    return any(one["endpoint"] == context.sender and one["path"] == match[1] and one["state"] == "INACTIVE" for one in happened.records["path"])


@says("path: potentially failed", "Path troubles", r"potentially failed between [\d.]+ and [\d.]+ s \(RFC 7829\)")
def potentially_failed(context, _):
    """Its sender took a path for that."""
    return any(one["endpoint"] == context.sender and one["state"] == "POTENTIALLY-FAILED" for one in context.happened.records["path"])


@says(
    "path: most likely potentially failed",
    "Path troubles",
    r"most likely potentially failed \(RFC 7829\)(?:, or Path.Max.Retrans of endpoint \d is 0)?",
    LIKELY,
)
def likely_failed(context, _):
    """Its sender took a path for that, or its Path.Max.Retrans is 0."""
    return potentially_failed(context, _) or context.happened.parameter(context.sender, "path_retransmissions_max") == 0


@says("path: Path.Max.Retrans", "Path troubles", r"Path\.Max\.Retrans of endpoint \d is most likely (at least )?(\d+)(?: (or|to) (\d+))?", LIKELY)
def path_max(context, match):
    """It is."""
    value, least = context.happened.parameter(context.sender, "path_retransmissions_max"), int(match[2])
    if match[1]:
        return value >= least
    return least <= value <= int(match[4] or match[2])


@says("path: still probed", "Path troubles", r"Path\.Max\.Retrans of endpoint \d is most likely (\d+) or more", LIKELY)
def probed(context, match):
    """It is."""
    return context.happened.parameter(context.sender, "path_retransmissions_max") >= int(match[1])


def moved(context, match):
    """The packet holds a TSN that was never sent before, and went there."""
    found = context.happened.tsns_of(int(match[2]))
    return any(one.cause == "first" and one.path == match[1] for one in found) if found else None


def moved_first(context, match):
    """The packet holds a TSN of which no earlier transmission had passed, and went there."""
    happened, frame = context.happened, int(match[2])

    def has_passed_before(one):
        earlier = [before for before in happened.sendings[context.sender, one.tsn] if before.sent_ns < one.sent_ns]
        return any(happened.passed(before.packet, context.sender) and has_passed(context, before.packet, frame) for before in earlier)

    found = happened.tsns_of(frame)
    return any(one.path == match[1] and not has_passed_before(one) for one in found) if found else None


def says_move(name, words, judge, certainty=FACT):
    """Registers the judge of moves that these words begin."""
    for topic in ("Path changes", "Path troubles"):
        says(name, topic, r"to (\S+) at frame (\d+)", certainty)(
            lambda context, match: judge(context, match) if re.search(words, context.text) else SKIPPED
        )


says_move("path: new data moved to", r"new data moved from", moved)
says_move("path: new data most likely moved to", r"new data most likely moved from", moved, LIKELY)
says_move("path: data moved to, new or sent again", r"(?<!new )data moved from", moved_first)


@says("path: after n timeouts", "Path troubles", r"at frame (\d+) after (\d+) timeouts?(?: in a row)?")
def after_timeouts(context, match):
    """T3-rtx had expired as often by then."""
    packet = context.happened.packet_of(int(match[1]))
    timers = context.happened.timers(context.sender, "T3-rtx")
    return packet is not None and sum(one["expires_ns"] <= packet["sent_ns"] + HOST_NS for one in timers) >= int(match[2])


@says("path: an application set the primary", "Path changes", r"most likely its application, or its peer, set the primary path", LIKELY)
def set_primary(context, _):
    """A user of its own, or its peer's, did."""
    return bool(context.happened.events(context.sender, "set_primary") or context.happened.events(context.receiver, "set_peer_primary"))


@says("path: no timeout shows before", "Path changes", r"no timeout of the path shows before, and no two HEARTBEATs without answer", LIKELY)
@says("path: no timeout before", "Path changes", r"no timeout of the path before, and no two HEARTBEATs without answer")
def no_timeout(context, _):
    """T3-rtx did not expire before the last move."""
    frames = [int(one) for one in re.findall(r"at frame (\d+)", context.text)]
    packet = context.happened.packet_of(max(frames)) if frames else None
    return None if packet is None else not any(one["expires_ns"] < packet["sent_ns"] for one in context.happened.timers(context.sender, "T3-rtx"))


@says("path: never answered", "Path troubles", r"(\d+) of the \d+ addresses that endpoint \d listed in its INIT(?: ACK)? never answered")
def never_answered(context, match):
    """No packet came from that many of the peer's addresses to its host."""
    came = {one["source"] for one in context.happened.packets.values() if context.happened.came_ns(one) is not None}
    return sum(name == context.receiver and address not in came for address, name in context.happened.addresses.items()) >= int(match[1])


@says(
    "path: packets too big", "Path troubles", r"every packet of [\d,]+ bytes? or more to (\S+) was lost .*most likely the path MTU is smaller", LIKELY
)
def too_big(context, _):
    """Packets were lost by their size."""
    return any(one.get("why") in ("too_big", "size") for one in context.happened.packets.values())


@says("path: SHUTDOWN COMPLETE unheard", "Path troubles", r"these did not reach endpoint (\d) \(lost behind the capture point\), or it ignored them")
def complete_unheard(context, match):
    """A SHUTDOWN COMPLETE to it was lost behind the tap; no simulated endpoint ignores one."""
    happened, name = context.happened, context.names[int(match[1])]
    rows = [
        one for one in happened.packets.values() if "SHUTDOWN COMPLETE" in one.get("chunks", ()) and happened.sender(one["number"]) == other(name)
    ]
    return any(happened.came_ns(one) is None and happened.in_frame(one["number"]) for one in rows)


STEPS = {"INIT": "INIT", "INIT_ACK": "INIT ACK", "COOKIE_ECHO": "COOKIE ECHO", "COOKIE_ACK": "COOKIE ACK"}


@says("set-up: repeated", "Set-up repeats", r"\b(INIT|INIT_ACK|COOKIE_ECHO|COOKIE_ACK) (\d+) times")
def repeated_step(context, match):
    """No more packets with it than passed, those that the network doubled among them; not those that a tap holds twice."""
    happened = context.happened
    rows = [
        one for one in happened.packets.values()
        if STEPS[match[1]] in one.get("chunks", ()) and happened.in_frame(one["number"])
    ]  # fmt: skip
    return int(match[2]) <= len(rows)


# --- how it ended ----------------------------------------------------------------------------------------------------


def chunk_in_capture(happened, name, chunk):
    """Numbers of packets of an endpoint that hold a chunk and are in the capture."""
    return [one["number"] for one in happened.packets.values()
            if chunk in one.get("chunks", ()) and happened.sender(one["number"]) == name and happened.in_frame(one["number"])]  # fmt: skip


def endings(happened, page):
    """How each association ended, and by whom, as its page says."""
    found = []
    for association in page.associations.values():
        names = names_of(happened, association)
        by = None if association["end_by"] is None else names[association["end_by"]]
        verdict = ENDINGS[association["end"]](happened, association, by) if association["end"] in ENDINGS else None
        text = f"{association['end']} by {association['end_by']} ({by})"
        found.append(Statement(f"ending: {association['end']}", FACT, verdict, association["index"], None, text, "ending"))
    return found


def ended_open(happened, association, _):
    """No ABORT that its receiver took, and no SHUTDOWN COMPLETE, is in the capture."""
    last = association["last_frame"]
    for name in "AB":
        for chunk in ("ABORT", "SHUTDOWN COMPLETE"):
            for number in chunk_in_capture(happened, name, chunk):
                if (
                    happened.first_frame(number) <= last
                    and happened.came_ns(happened.packets[number]) is not None
                    and len(happened.events("A", "associate", "restart")) < 2
                ):
                    return False
    return True


def ended_by_shutdown(happened, _, by):
    """A user at either end saw its association shut down; the first SHUTDOWN was sent by the endpoint named."""
    closed = [detail for name in "AB" for _, detail in happened.events(name, "closed")]
    if "shutdown" not in closed and not any(chunk_in_capture(happened, name, "SHUTDOWN COMPLETE") for name in "AB"):
        return False
    if by is None:
        return True
    return any("SHUTDOWN" in one.get("chunks", ()) and happened.sender(one["number"]) == by for one in happened.packets.values())


def ended_by_abort(happened, _, by):
    """The endpoint named sent an ABORT."""
    return None if by is None else any("ABORT" in one.get("chunks", ()) and happened.sender(one["number"]) == by for one in happened.packets.values())


def ended_by_restart(happened, _, by):
    """A host lost its memory, or INITs of both crossed."""
    return bool(happened.events("A", "restart", "restarted") or happened.events("B", "restart", "restarted"))


def never_set_up(happened, _, __):
    """No endpoint got to ESTABLISHED at both ends."""
    up = {one["endpoint"] for one in happened.records["state"] if one["state"] == "ESTABLISHED"}
    return up != {"A", "B"}


def not_closed(happened, _, __):
    """An endpoint's association ended by its error count, or the run ended before it did; none heard what it waits for."""
    closed = {detail for name in "AB" for _, detail in happened.events(name, "closed")}
    return "error count" in closed or "aborted" in closed or len([1 for name in "AB" for _ in happened.events(name, "closed")]) < 2


ENDINGS = {"open": ended_open, "shutdown": ended_by_shutdown, "abort": ended_by_abort, "restarted": ended_by_restart, "no_answer": never_set_up,
           "failed": never_set_up, "refused": ended_by_abort, "not_closed": not_closed}  # fmt: skip


@says("failure: its application asked for it", "Failures", r"(possibly |most likely )its application asked for it", LIKELY)
def application_asked(context, _):
    """A user aborted."""
    by = context.association.get("end_by")
    return None if by is None else bool(context.happened.events(context.names[by], "abort"))


GAVE_UP = r"(most likely |possibly )?it gave up its peer \(RFC 9260 8\.1\)"


def gave_up(context, match):
    """Its association ended by its error count."""
    by = context.association.get("end_by")
    return (
        None if by is None else any(detail in ("error count", "setup failed") for _, detail in context.happened.events(context.names[by], "closed"))
    )


says("failure: it gave up its peer", "Failures", r"(?<!likely )(?<!possibly )it gave up its peer")(gave_up)
says("failure: most likely it gave up its peer", "Failures", r"(?:most likely|possibly) it gave up its peer", LIKELY)(gave_up)


@says("failure: has no such association", "Failures", r"T bit: who sent it has no such association")
def no_association(context, _):
    """Not judged: the truth does not say which associations an endpoint has forgotten."""
    return None


@says("failure: did not wait for its peer any longer", "Failures", r"most likely it did not wait for its peer any longer", LIKELY)
def did_not_wait(context, _):
    """It closed for its T5-shutdown-guard, or its error count."""
    by = context.association.get("end_by")
    if by is None:
        return None
    name = context.names[by]
    return bool(context.happened.timers(name, "T5-shutdown-guard")) or any(
        detail == "error count" for _, detail in context.happened.events(name, "closed")
    )


@says("failure: its application did not want to finish", "Failures", r"most likely its application did not want to finish the shutdown", LIKELY)
def not_finished(context, _):
    """A user aborted."""
    return application_asked(context, _)


@says(
    "failure: possibly data not read",
    "Failures",
    r"(?:possibly|most likely) its application closed the association with data that it had not read",
    LIKELY,
)
def unread(context, _):
    """Its user was slow to read, at least once."""
    by = context.association.get("end_by")
    return (
        None
        if by is None
        else any(one["endpoint"] == context.names[by] and one.get("cause") == "reader" for one in context.happened.records["window"])
    )


@says("failure: it answers a frame", "Failures", r"it answers frame \d+ of endpoint \d")
def answers_frame(context, _):
    """It sent the ABORT, and no user asked for it."""
    by = context.association.get("end_by")
    return None if by is None else not context.happened.events(context.names[by], "abort")


@says(
    "failure: goes on after the ABORT",
    "Failures",
    r"endpoint (\d) goes on for [^;]*: it (?:does not receive the ABORT or ignores it|ignores ABORTs, or they are lost)",
)
def goes_on(context, match):
    """An ABORT to it was lost: no simulated endpoint ignores one."""
    happened, name = context.happened, context.names[int(match[1])]
    aborts = [one for one in happened.packets.values() if "ABORT" in one.get("chunks", ()) and happened.sender(one["number"]) == other(name)]
    return any(happened.came_ns(one) is None for one in aborts)


@says("failure: most likely ignores ABORTs", "Failures", r"endpoint \d goes on for [^;]*: most likely it ignores ABORTs", LIKELY)
def ignores(_, __):
    """No simulated endpoint does."""
    return False


@says("failure: never acknowledged", "Failures", r"([\d,]+) bytes? of endpoint (\d) never acknowledged")
def never_acked(context, match):
    """So many bytes of its user data at least were sent and not acknowledged to it."""
    happened, name = context.happened, context.names[int(match[2])]
    sizes = {one["tsn"]: one.get("bytes", 0) for one in happened.records["transmission"] if one["endpoint"] == name}
    open_bytes = 0
    for endpoint, tsn in list(happened.sendings):
        if endpoint == name and not any(ack.arrived_ns is not None for ack in happened.acks_of(name, tsn)):
            open_bytes += sizes.get(tsn, 0)
    return number_of(match[1]) <= open_bytes


MISSING = r"no INIT ACK: \S+ does not receive the INIT or does not answer it, or its answer does not pass the capture point"


@says("failure: no INIT ACK", "Failures", MISSING)
def no_init_ack(context, _):
    """No INIT ACK passed the tap."""
    happened = context.happened
    return not any("INIT ACK" in one.get("chunks", ()) and one["number"] in happened.missed for one in happened.packets.values())


@says("failure: INIT ACK does not reach", "Failures", r"the INIT ACK does not reach \S+, or it discards it")
def init_ack_lost(context, _):
    """Each INIT ACK in the capture was lost or damaged."""
    happened = context.happened
    rows = [one for one in happened.packets.values() if "INIT ACK" in one.get("chunks", ()) and happened.in_frame(one["number"])]
    return all(happened.came_ns(one) is None for one in rows) if rows else None


@says("failure: no COOKIE ACK", "Failures", r"but no COOKIE ACK: \S+ does not receive or discards the COOKIE ECHO, or its answer does not pass")
def no_cookie_ack(context, _):
    """No COOKIE ACK passed the tap."""
    happened = context.happened
    return not any("COOKIE ACK" in one.get("chunks", ()) and one["number"] in happened.missed for one in happened.packets.values())


@says(
    "failure: gone, or packets are lost",
    "Failures",
    r"nothing of endpoint (\d) passed after the first of them: endpoint \d is gone, or packets between them are lost",
)
def gone(context, match):
    """Its association had ended, or what was sent to it, or by it, was lost."""
    happened, name = context.happened, context.names[int(match[1])]
    rows = [one for one in happened.packets.values() if {"SHUTDOWN", "SHUTDOWN ACK"} & set(one.get("chunks", ()))]
    return bool(happened.events(name, "closed", "restart")) or any(happened.came_ns(one) is None for one in rows)
