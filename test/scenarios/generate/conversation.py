# SPDX-License-Identifier: GPL-2.0-or-later
"""What two endpoints say to each other, as steps; how a packet passes is up to who sends it: a flow, a scenario, a capture that goes on."""

import collections

from . import chunks

DEFAULT_GAP = None
WHOLE = chunks.BEGIN | chunks.END


class End:
    def __init__(self, addresses, port, tag, tsn, identification=0):
        self.addresses = [addresses] if isinstance(addresses, str) else list(addresses)
        self.port = port
        self.tag = tag                  # that packets to this end carry
        self.tsn = tsn                  # next TSN it sends
        self.initial_tsn = tsn
        self.identification = identification
        self.a_rwnd = 131072            # that its SACKs say
        self.stream = 0                 # of its messages, unless they name another
        self.ssns = collections.Counter()   # next SSN by stream

    @property
    def ssn(self):
        """The next one of its stream."""
        return self.ssns[self.stream]

    @ssn.setter
    def ssn(self, ssn):
        self.ssns[self.stream] = ssn


class Conversation:
    """Two ends; each step is what one of them sends, and its options are those of send, unless it says otherwise. ends: two End; rng: of cookies
    and HEARTBEATs; send(sender, *chunks, source, destination, way, vtag, gap_ns, ...): sends one packet and returns self."""

    sent = None     # the last DATA chunk

    def chunk(self, sender, size=20, sid=None, flags=WHOLE, payload=None, ppid=0, ssn=None):
        """The next DATA chunk of an end, not sent yet."""
        end = self.ends[sender]
        sid = end.stream if sid is None else sid
        if flags & chunks.BEGIN and not flags & chunks.UNORDERED:
            end.ssns[sid] = end.ssns[sid] + 1 & 0xFFFF
        ssn = max(end.ssns[sid] - 1, 0) if ssn is None else ssn
        made = chunks.data(end.tsn, bytes(size) if payload is None else payload, sid, ssn, ppid, flags)
        end.tsn = end.tsn + 1 & 0xFFFFFFFF
        return made

    def data(self, sender=0, size=20, sid=None, flags=WHOLE, payload=None, ppid=0, ssn=None, **options):
        self.sent = self.chunk(sender, size, sid, flags, payload, ppid, ssn)
        return self.send(sender, self.sent, **options)

    def lose(self, sender):
        """The next TSN of sender, without a message, passes in no packet; returns it."""
        end = self.ends[sender]
        end.tsn = (tsn := end.tsn) + 1 & 0xFFFFFFFF
        return tsn

    def skip(self, sender):
        """The next message of sender passes in no packet; returns its chunk, to be sent later."""
        return self.chunk(sender)

    def last_tsn(self, sender):
        return self.ends[sender].tsn - 1 & 0xFFFFFFFF

    def saying(self, sender, below=0, a_rwnd=None, **fields):
        """The SACK chunk for all that the other end has sent, but the last `below`. fields: of chunks.sack."""
        return chunks.sack(self.last_tsn(1 - sender) - below, self.ends[sender].a_rwnd if a_rwnd is None else a_rwnd, **fields)

    def sack(self, sender=1, below=0, a_rwnd=None, gaps=(), duplicates=(), **options):
        return self.send(sender, self.saying(sender, below, a_rwnd, gaps=gaps, duplicates=duplicates), **options)

    def exchange(self, rounds=1, **options):
        """Per round two DATA packets and a SACK from end 0 to 1, then one DATA and a SACK back."""
        for _ in range(rounds):
            self.data(0, **options).data(0, **options).sack(1, **options).data(1, **options).sack(0, **options)
        return self

    def heartbeat(self, sender=0, source=0, destination=0, answered=True, way=None, info=None, gap_ns=DEFAULT_GAP, answer_gap_ns=DEFAULT_GAP, **options):
        """Options that are not named here are those of the answer, too."""
        info = self.rng.randbytes(40) if info is None else info
        source, destination = (source, destination) if way is None else (way, way)
        self.send(sender, chunks.heartbeat(info), source=source, destination=destination, gap_ns=gap_ns, **options)
        if answered:
            self.send(1 - sender, chunks.heartbeat_ack(info), source=destination, destination=source, gap_ns=answer_gap_ns, **options)
        return self

    def init(self, sender=0, params=b"", tag=None, **options):
        end = self.ends[sender]
        return self.send(sender, chunks.init(end.tag if tag is None else tag, end.initial_tsn, params), vtag=0, **options)

    def init_ack(self, sender=1, params=b"", tag=None, cookie=b"cookie..", **options):
        end = self.ends[sender]
        return self.send(sender, chunks.init_ack(end.tag if tag is None else tag, end.initial_tsn, cookie, params), **options)

    def cookie_echo(self, sender=0, cookie=b"cookie..", **options):
        return self.send(sender, chunks.cookie_echo(cookie), **options)

    def cookie_ack(self, sender=1, **options):
        return self.send(sender, chunks.cookie_ack(), **options)

    def set_up(self, params=(b"", b""), initiator=0, gap_ns=DEFAULT_GAP, **options):
        """The four packets of RFC 9260 5.1. gap_ns: before the first."""
        responder = 1 - initiator
        cookie = self.rng.randbytes(8)
        self.init(initiator, params[initiator], gap_ns=gap_ns, **options).init_ack(responder, params[responder], cookie=cookie, **options)
        return self.cookie_echo(initiator, cookie, **options).cookie_ack(responder, **options)

    def shutdown(self, sender=0, below=0, **options):
        """SHUTDOWN that acknowledges all that the other end has sent, but the last `below`."""
        return self.send(sender, chunks.shutdown(self.last_tsn(1 - sender) - below), **options)

    def shutdown_ack(self, sender=1, **options):
        return self.send(sender, chunks.shutdown_ack(), **options)

    def shutdown_complete(self, sender=0, t=False, **options):
        options.setdefault("vtag", self.ends[sender].tag if t else None)
        return self.send(sender, chunks.shutdown_complete(t), **options)

    def shut_down(self, sender=0, complete_t=False, **options):
        self.shutdown(sender, **options).shutdown_ack(1 - sender, **options)
        return self.shutdown_complete(sender, complete_t, **options)

    def abort(self, sender=0, t=False, causes=(), **options):
        options.setdefault("vtag", self.ends[sender].tag if t else None)
        return self.send(sender, chunks.abort(*causes, t=t), **options)


class TimedConversation(Conversation):
    """One whose packets have times. gaps_ns: of each end, how long after the packet before it what it sends passes."""

    gaps_ns = (100_000, 20_000_000)
    waiting_ns = 0

    @property
    def near(self):
        """The end at the tap."""
        return int(self.gaps_ns[1] < self.gaps_ns[0])

    @property
    def far(self):
        return 1 - self.near

    def wait(self, gap_ns):
        """The next packet comes gap_ns later than it would."""
        self.waiting_ns += gap_ns
        return self

    def rounds(self, sender, count=1, wait_ns=0, **options):
        """The end sends data, the other acknowledges each packet, after wait_ns more. options: of data."""
        for _ in range(count):
            self.data(sender, **options).wait(wait_ns).sack(1 - sender)
        return self

    def take_gap_ns(self, sender, gap_ns=DEFAULT_GAP):
        """Between the packet before and the next, of that end; gap_ns instead of its own."""
        gap_ns = (self.gaps_ns[sender] if gap_ns is None else gap_ns) + self.waiting_ns
        self.waiting_ns = 0
        return gap_ns
