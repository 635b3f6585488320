# SPDX-License-Identifier: GPL-2.0-or-later
"""Small associations that show one rule of the definitions each, with the values worked out by hand: what the lab's stacks never do
(reneging, a TSN first seen after its SACK), or so rarely that a test by captures alone would not notice."""

from scenarios.generate import chunks, packet

from .frames import Frame

STEP_NS = 10_000_000        # frame n was captured n steps after the start
START_NS = 1_700_000_000_000_000_000
TAGS = (0x10000001, 0x20000002)
ADDRESSES = (("10.0.0.1", "10.1.0.1"), ("10.0.1.1", "10.1.1.1"))
SETUP_FRAMES = 4


class Script:
    """One association being written. expected: frame -> field -> values."""

    def __init__(self, tsns=(1000, 5000), a_rwnd=10_000, set_up=True):
        self.frames, self.tsns, self.expected, self.paused_ns = [], tsns, {}, 0
        if set_up:
            self._set_up(tsns, a_rwnd)

    def _set_up(self, tsns, a_rwnd):
        self.send(0, chunks.init(TAGS[0], tsns[0], a_rwnd=a_rwnd), tag=0)
        self.send(1, chunks.init_ack(TAGS[1], tsns[1], a_rwnd=a_rwnd))
        self.send(0, chunks.cookie_echo())
        self.send(1, chunks.cookie_ack())

    def send(self, end, *chunk_bytes, path=0, tag=None, checksum=None):
        """Returns the frame number."""
        payload = packet.sctp(5001 + end, 5002 - end, TAGS[1 - end] if tag is None else tag, *chunk_bytes, checksum=checksum)
        number = len(self.frames) + 1
        whole = packet.ip(ADDRESSES[end][path], ADDRESSES[1 - end][path], payload, identification=number)
        frame = packet.ethernet(whole, towards=1 - end)
        self.frames.append(Frame(number, START_NS + self.paused_ns + number * STEP_NS, 0, 1, frame, len(frame)))
        return number

    def pause(self, seconds):
        """The next frame comes so much later."""
        self.paused_ns += seconds * 10**9

    def data(self, *tsns, end=0, size=100, **more):
        return self.send(end, *(chunks.data((self.tsns[end] + tsn) % 2**32, bytes(size)) for tsn in tsns), **more)

    def sack(self, cum, *gaps, end=1, **more):
        return self.send(end, self.sack_chunk(cum, *gaps, end=end), **more)

    def sack_chunk(self, cum, *gaps, end=1, a_rwnd=10_000):
        return chunks.sack((self.tsns[1 - end] + cum) % 2**32, a_rwnd, gaps)

    def expect(self, frame, **fields):
        """sack_new_chunks stands for sack.new_chunks."""
        self.expected[frame] = {field.replace("sack_", "sack."): values for field, values in fields.items()}
        return self


def steps(count):
    return count * STEP_NS


def case_plain_transfer():
    """TSNs wrap around; a SACK of two packets ends the timing of the first."""
    script = Script(tsns=(2**32 - 1, 7))
    one, two = script.data(0, size=300), script.data(1, 2)
    ack = script.sack(2)
    script.expect(one, tsn=[0], transmission=[1], gap_acked_in=[None], acked_in=[ack], flight=[300], peer_window=[9700])
    script.expect(two, tsn=[1, 2], acked_in=[ack, ack], flight=[500])
    return script.expect(ack, sack_new_chunks=[3], sack_new_bytes=[500], sack_missing=[0], sack_delay=[steps(2)],
                         rtt=[steps(2)], acks=[one, two])


def case_gap_then_cum():
    script = Script()
    sent = [script.data(tsn) for tsn in range(5)]
    gap = script.sack(0, (2, 2), (4, 4))
    again = script.data(1)
    cum = script.sack(2)
    script.expect(sent[2], gap_acked_in=[gap], acked_in=[cum])
    script.expect(gap, sack_missing=[2], sack_new_chunks=[3], acks=[sent[0], sent[4]], sack_delay=[steps(5)], rtt=[steps(5)])
    script.expect(again, transmission=[2], first_sent=[sent[1]], since_last=[steps(5)], flight=[200])
    return script.expect(cum, sack_new_chunks=[1], acks=[again], sack_delay=[None], rtt=[])


def case_tsns_wrap():
    """Relative TSNs go on beyond 2**32, and so do gap blocks."""
    script = Script(tsns=(2**32 - 2, 5000))
    sent = [script.data(tsn) for tsn in range(6)]
    gap = script.sack(0, (2, 4))
    script.expect(gap, sack_new_chunks=[4], sack_missing=[1])
    ack = script.sack(5)
    script.expect(ack, sack_new_chunks=[2])
    script.expect(sent[5], tsn=[5], acked_in=[ack], gap_acked_in=[None])
    return script.expect(sent[3], tsn=[3], gap_acked_in=[gap], acked_in=[ack])


def case_cum_tsn_jumps_far():
    """A SACK that acknowledges 6,000 TSNs at once."""
    script = Script(a_rwnd=10_000_000)
    sent = [script.data(*range(first, first + 100), size=4) for first in range(0, 6000, 100)]
    ack = script.sack(5999)
    script.expect(ack, sack_new_chunks=[6000], sack_new_bytes=[24000], acks=[sent[0], sent[-1]])
    return script.expect(sent[30], acked_in=[ack] * 100)


def case_old_sack_changes_nothing():
    """Not what is acknowledged, not the window; its own gap is still its own."""
    script = Script()
    for tsn in range(4):
        script.data(tsn)
    script.sack(2)
    old = script.send(1, script.sack_chunk(0, (3, 3), a_rwnd=500))
    after = script.data(4)
    script.expect(old, sack_new_chunks=[0], sack_new_bytes=[0], sack_missing=[2], sack_delay=[None], acks=[], rtt=[])
    return script.expect(after, flight=[200], peer_window=[9800])


def case_equal_cum_adds_blocks():
    script = Script()
    for tsn in range(5):
        script.data(tsn)
    script.sack(0, (2, 2))
    more = script.sack(0, (4, 4))
    script.expect(more, sack_new_chunks=[1], sack_missing=[3])
    return script.expect(script.data(5), flight=[300])


def case_reneged_tsns_are_outstanding_again():
    """The newer SACK has blocks around TSN 3, which was in one, and none up to TSN 7, which was in another."""
    script = Script()
    sent = [script.data(tsn) for tsn in range(8)]
    first = script.sack(0, (3, 3), (5, 5), (7, 7))
    script.sack(1, (4, 4))
    script.expect(sent[3], gap_acked_in=[first])
    script.expect(script.data(8), flight=[600])
    last = script.sack(8)
    return script.expect(last, sack_new_chunks=[4])


def case_shutdown_acknowledges_without_a_sample():
    script = Script()
    sent = script.data(0)
    end = script.send(1, chunks.shutdown(1000))
    script.expect(sent, acked_in=[end])
    return script.expect(end, rtt=[], sack_new_chunks=[])


def case_shutdown_before_a_sack_in_one_packet():
    """What SHUTDOWN acknowledged is nothing new to the SACK behind it."""
    script = Script()
    sent = script.data(0)
    both = script.send(1, chunks.shutdown(script.tsns[0]), script.sack_chunk(0))
    return script.expect(sent, acked_in=[both]).expect(both, sack_new_chunks=[0])


def case_karn():
    """A retransmission ends the timing; the next first transmission starts one."""
    script = Script()
    script.data(0)
    script.data(0)
    third = script.data(1)
    ack = script.sack(1)
    script.expect(third, transmission=[1])
    return script.expect(ack, rtt=[steps(1)], sack_delay=[steps(1)])


def case_two_paths():
    """Each path times one TSN and has its own flight; a retransmission moves the bytes."""
    script = Script()
    script.data(0, size=400)
    other = script.data(1, size=200, path=1)
    moved = script.data(0, size=400, path=1)
    back = script.data(2, size=50)
    ack = script.sack(2)
    script.expect(other, flight=[200], peer_window=[9400])
    script.expect(moved, flight=[600], peer_window=[9400], since_last=[steps(2)])
    script.expect(back, flight=[50], peer_window=[9350])
    return script.expect(ack, rtt=[steps(1), steps(3)], sack_new_bytes=[650])


def case_window_is_never_negative():
    script = Script(a_rwnd=250)
    script.data(0, 1)
    return script.expect(script.data(2), flight=[300], peer_window=[0])


def case_forward_tsn_abandons():
    """What it passes leaves the flight; a SACK that covers it is the first to."""
    script = Script()
    sent = [script.data(tsn) for tsn in range(3)]
    script.sack(-1, (2, 2))
    script.send(0, chunks.forward_tsn(1001))
    after = script.data(3)
    ack = script.sack(1)
    script.expect(after, flight=[200])
    script.expect(sent[0], acked_in=[ack])
    return script.expect(ack, sack_new_chunks=[1], rtt=[])


def case_nr_sack_and_i_data():
    script = Script()
    script.send(0, *(chunks.i_data(1000 + tsn, bytes(60)) for tsn in range(5)))
    ack = script.send(1, chunks.nr_sack(1000, 9_000, gaps=[(4, 4)], nr_gaps=[(2, 2)]))
    script.expect(ack, sack_new_chunks=[3], sack_new_bytes=[180], sack_missing=[2])
    return script.expect(script.send(0, chunks.i_data(1005, bytes(10))), flight=[130], peer_window=[8870])


def case_first_seen_after_its_sack():
    """The copy that was acknowledged never passed the tap: no new chunk, not outstanding, not timed."""
    script = Script()
    script.data(0)
    ack = script.sack(2)
    late = script.data(1)
    gap = script.sack(2, (2, 2))
    later = script.data(4)
    script.expect(ack, sack_new_chunks=[1])
    script.expect(late, transmission=[1], acked_in=[None], gap_acked_in=[None], flight=[0])
    script.expect(later, gap_acked_in=[None], flight=[0])
    return script.expect(gap, sack_new_chunks=[0], sack_missing=[1])


def case_heartbeats():
    """The last one with this content counts; one that nobody sent gives none."""
    script = Script()
    script.send(0, chunks.heartbeat(b"one"), path=1)
    script.send(0, chunks.heartbeat(b"two"))
    script.send(0, chunks.heartbeat(b"one"), path=1)
    script.expect(script.send(1, chunks.heartbeat_ack(b"two")), rtt=[steps(2)])
    script.expect(script.send(1, chunks.heartbeat_ack(b"one")), rtt=[steps(2)])
    return script.expect(script.send(1, chunks.heartbeat_ack(b"three")), rtt=[])


def case_both_ways_in_one_packet():
    """The SACK acknowledges the other direction, the DATA goes its own."""
    script = Script()
    sent = script.data(0)
    both = script.send(1, script.sack_chunk(0), chunks.data(5000, bytes(40)))
    ack = script.sack(0, end=0)
    return script.expect(sent, acked_in=[both]).expect(both, tsn=[0], acked_in=[ack], acks=[sent], rtt=[steps(1)], flight=[40])


def case_two_sacks_in_one_packet():
    script = Script()
    for tsn in range(4):
        script.data(tsn)
    both = script.send(1, script.sack_chunk(0), script.sack_chunk(1, (2, 2)))
    return script.expect(both, sack_new_chunks=[1, 2], sack_missing=[0, 1], sack_delay=[steps(4), steps(3)])


def case_corrupted_packets_count_for_nothing():
    """Their receiver drops them."""
    script = Script()
    sent = script.data(0)
    script.send(1, script.sack_chunk(0), checksum=b"\1\2\3\4")
    ack = script.sack(0)
    return script.expect(sent, acked_in=[ack]).expect(ack, sack_new_chunks=[1])


def case_tsn_reset():
    """RFC 6525: the next TSN lies 2**31 above the smallest TSN that is not acknowledged; 64-bit TSNs go on."""
    script = Script()
    script.data(0)
    script.sack(0)
    response = chunks.tlv(chunks.RESPONSE, (77).to_bytes(4, "big") + (1).to_bytes(4, "big") + (5100).to_bytes(4, "big")
                          + (1001 + 2**31).to_bytes(4, "big"))
    script.send(1, chunks.re_config(response))
    sent = script.data(1 + 2**31)
    ack = script.sack(1 + 2**31)
    return script.expect(sent, tsn=[1 + 2**31], flight=[100], acked_in=[ack]).expect(ack, rtt=[steps(1)])


def case_ack_after_the_timer():
    """RTO.Initial is 3 s at most: after 20 s without a retransmission the sender had an acknowledgement that the capture lacks."""
    script = Script()
    script.data(0)
    script.pause(20)
    late = script.sack(0)
    script.expect(late, rtt=[], sack_new_chunks=[1], sack_delay=[None])
    script.data(1)
    return script.expect(script.sack(1), rtt=[steps(1)], sack_delay=[steps(1)])


def case_ack_after_a_retransmission():
    """The timer ran out and was restarted: the TSN sent once measures."""
    script = Script()
    script.data(0)
    script.pause(3)
    script.data(0)
    script.data(1)
    return script.expect(script.sack(1), rtt=[steps(1)], sack_delay=[steps(1)])


def case_new_data_after_the_timer():
    """What is sent instead of a retransmission shows that the one before was acknowledged; it is timed itself."""
    script = Script()
    script.data(0)
    script.pause(20)
    script.data(1)
    return script.expect(script.sack(1), rtt=[steps(1)], sack_delay=[steps(1)])


def case_data_only_until_a_sack_alone():
    """A capture that begins with packets with DATA: what a display filter would leave. From the first other packet on it is whole."""
    script = Script(set_up=False)
    one = script.data(0)
    back = script.send(1, script.sack_chunk(0), chunks.data(5000, bytes(40)))
    script.expect(one, flight=[], peer_window=[], acked_in=[back]).expect(back, rtt=[], sack_delay=[None], flight=[])
    alone = script.sack(0, end=0)
    two = script.data(1)
    script.expect(alone, rtt=[steps(1)], sack_delay=[steps(1)]).expect(two, flight=[100])
    return script.expect(script.sack(1), rtt=[steps(1)])


CASES = {name.removeprefix("case_"): make for name, make in sorted(globals().items()) if name.startswith("case_")}
