# SPDX-License-Identifier: GPL-2.0-or-later
"""What a clause asks of an endpoint, subject by subject: two endpoints over a plain link, or one and packets made by hand.

Leaves out networks, taps and applications (test_network.py, test_tap.py, test_pairs.py) and replayed runs (peers.py).
"""

import random
import struct
import types as types_module

import pytest

from simulator import wire
from simulator.clock import MILLISECOND_NS, SECOND_NS, Simulation
from simulator.datagram import TOS_CE, Datagram
from simulator.endpoint import Application, Association, Endpoint
from simulator.policy import FREEDOMS, KEEPS_SHOULD, PRESETS, Policy
from simulator.wire import Tlv

ONE_WAY_NS = 10 * MILLISECOND_NS


class Recorder(Application):
    """A user who notes what he is told; replies: what he does when the association is up."""

    def __init__(self):
        self.events = []
        self.data = []
        self.failed = []

    def __getattribute__(self, name):
        if name in ("up", "closed", "restarted", "path_changed", "shutdown_received", "streams_reset", "streams_added", "association_reset",
        "reset_denied",
                    "address_changed", "channel_opened", "channel_acked", "sendable", "peer_error"):  # fmt: skip
            events = object.__getattribute__(self, "events")
            return lambda association, *arguments: events.append((name,) + arguments)
        return object.__getattribute__(self, name)

    def message(self, association, stream, ppid, data, ordered):
        self.data.append((stream, ppid, data, ordered))

    def send_failed(self, association, message, reason):
        self.failed.append((message, reason))

    def names(self):
        return [event[0] for event in self.events]


class Link:
    """Two endpoints, A and B, with a delay; drop(datagram, packet) says what is lost; packets: (time_ns, source, packet) of all that was sent."""

    def __init__(self, a=None, b=None, addresses_a=("10.0.0.1",), addresses_b=("10.0.0.2",), seed=1):
        self.simulation = Simulation(seed)
        self.packets = []
        self.datagrams = []
        self.drop = lambda datagram, packet: False
        self.change = lambda datagram: datagram
        self.hosts = {}
        self.a = self.make("A", a, addresses_a, 5000)
        self.b = self.make("B", b, addresses_b, 6000)

    def make(self, name, policy, addresses, port):
        endpoint = Endpoint(self.simulation, self.transmit, policy or Policy(), addresses, port, application=Recorder(), name=name)
        self.hosts.update({address: endpoint for address in addresses})
        return endpoint

    def transmit(self, datagram):
        packet = wire.parse(datagram.sctp)
        self.packets.append((self.simulation.now_ns, datagram.source, packet))
        self.datagrams.append(datagram)
        if datagram.destination in self.hosts and not self.drop(datagram, packet):
            self.simulation.after(ONE_WAY_NS, self.deliver, self.change(datagram))

    def deliver(self, datagram):
        if datagram.destination in self.hosts:
            self.hosts[datagram.destination].receive(datagram)

    def run(self, seconds):
        self.simulation.run(until_ns=self.simulation.now_ns + int(seconds * SECOND_NS))

    def connect(self):
        association = self.a.associate([self.b.addresses[0]], 6000)
        self.run(1)
        assert association.state == "ESTABLISHED"
        return association, self.b.association

    def sent(self, endpoint, *types, since_ns=0):
        """(time_ns, chunk) of each chunk of these types that an endpoint sent."""
        return [(t, c) for t, source, p in self.packets if self.hosts_of(endpoint, source) and t >= since_ns for c in p.chunks if c.type in types]

    def hosts_of(self, endpoint, source):
        return source in endpoint.addresses

    def names(self):
        return ["+".join(chunk.name for chunk in packet.chunks) for _, _, packet in self.packets]


class Tester:
    """One endpoint, B (10.0.0.2:6000), and packets by hand from 10.0.0.1:5000; sent: what the endpoint answered since the last ask()."""

    __test__ = False

    def __init__(self, policy=None, seed=1, addresses=("10.0.0.2",)):
        self.simulation = Simulation(seed)
        self.sent = []
        self.datagrams = []
        self.endpoint = Endpoint(self.simulation, self.transmit, policy or Policy(), addresses, 6000, application=Recorder(), name="B")
        self.tag = 77
        self.peer_tag = 0
        self.tsn = 1000
        self.cookie = b""

    def transmit(self, datagram):
        self.datagrams.append(datagram)
        self.sent.append(wire.parse(datagram.sctp))

    def ask(self, *chunks, tag=None, seconds=0.0, source="10.0.0.1", port=5000, checksum=None, tos=0):
        """The packets that the endpoint sends at once, or within these seconds, after a packet with these chunks."""
        self.sent = []
        data = wire.packet(port, 6000, self.peer_tag if tag is None else tag, chunks, checksum)
        self.endpoint.receive(Datagram(0, source, self.endpoint.addresses[0], data, tos=tos))
        return self.wait(seconds) if seconds else self.sent

    def wait(self, seconds):
        self.simulation.run(until_ns=self.simulation.now_ns + int(seconds * SECOND_NS))
        return self.sent

    def init(self, *parameters, a_rwnd=100000, outbound=10, inbound=10, tag=77):
        return wire.init_chunk(wire.INIT, tag, a_rwnd, outbound, inbound, self.tsn, list(parameters))

    def connect(self, *parameters, a_rwnd=100000):
        """The association after INIT and COOKIE ECHO."""
        (answer,) = self.ask(self.init(*parameters, a_rwnd=a_rwnd), tag=0)
        self.init_ack = wire.read_init(answer.chunks[0])
        self.peer_tag = self.init_ack.tag
        self.cookie = next(p.value for p in self.init_ack.parameters if p.type == wire.STATE_COOKIE)
        self.ask(wire.Chunk(wire.COOKIE_ECHO, 0, self.cookie))
        return self.endpoint.association

    def accept(self, association, *parameters, a_rwnd=100000):
        """The INIT ACK and COOKIE ACK to what the endpoint has just opened."""
        init = wire.read_init(self.sent[-1].chunks[0])
        self.peer_tag = init.tag
        answer = wire.init_chunk(wire.INIT_ACK, self.tag, a_rwnd, 10, 10, self.tsn, [Tlv(wire.STATE_COOKIE, b"cookie"), *parameters])
        self.ask(answer)
        self.ask(wire.Chunk(wire.COOKIE_ACK))

    def data(self, offset, text=b"x" * 100, **rest):
        return wire.data_chunk(self.tsn + offset, rest.pop("stream", 0), rest.pop("ssn", offset), 0, text, **rest)

    def sack(self, sent, gaps=(), a_rwnd=100000, duplicates=()):
        """Of DATA number sent of the endpoint (0 is the first), None for none of it."""
        return wire.sack_chunk(
            self.init_ack.initial_tsn - 1 if sent is None else self.init_ack.initial_tsn + sent, a_rwnd, list(gaps), list(duplicates)
        )


def types(packets):
    return [[chunk.type for chunk in packet.chunks] for packet in packets]


def the_sack(packets):
    (found,) = [wire.read_sack(chunk) for packet in packets for chunk in packet.chunks if chunk.type == wire.SACK]
    return found


def causes(packets, type_):
    return [cause.type for packet in packets for chunk in packet.chunks if chunk.type == type_ for cause in wire.parse_tlvs(chunk.value)]


# Set-up (RFC 9260 5.1).
def sets_up_with_four_packets():
    link = Link()
    link.connect()
    assert link.names()[:4] == ["INIT", "INIT ACK", "COOKIE ECHO", "COOKIE ACK"]
    assert link.packets[0][2].tag == 0 and link.packets[1][2].tag == wire.read_init(link.packets[0][2].chunks[0]).tag
    assert link.a.application.names()[0] == link.b.application.names()[0] == "up"


def keeps_no_state_before_the_cookie():
    tester = Tester()
    (answer,) = tester.ask(tester.init(), tag=0)
    assert types([answer]) == [[wire.INIT_ACK]] and answer.tag == 77 and tester.endpoint.association is None


def discards_a_cookie_that_was_changed():
    tester = Tester()
    (answer,) = tester.ask(tester.init(), tag=0)
    init = wire.read_init(answer.chunks[0])
    cookie = next(p.value for p in init.parameters if p.type == wire.STATE_COOKIE)
    assert tester.ask(wire.Chunk(wire.COOKIE_ECHO, 0, cookie[:-1] + bytes([cookie[-1] ^ 1])), tag=init.tag) == []
    assert tester.ask(wire.Chunk(wire.COOKIE_ECHO, 0, cookie), tag=init.tag + 1) == []
    assert types(tester.ask(wire.Chunk(wire.COOKIE_ECHO, 0, cookie), tag=init.tag)) == [[wire.COOKIE_ACK]]


def answers_a_stale_cookie_with_its_staleness():
    tester = Tester()
    (answer,) = tester.ask(tester.init(), tag=0)
    init = wire.read_init(answer.chunks[0])
    cookie = next(p.value for p in init.parameters if p.type == wire.STATE_COOKIE)
    tester.wait(61)
    (error,) = tester.ask(wire.Chunk(wire.COOKIE_ECHO, 0, cookie), tag=init.tag)
    (cause,) = wire.parse_tlvs(error.chunks[0].value)
    assert (cause.type, int.from_bytes(cause.value, "big")) == (wire.STALE_COOKIE, 1_000_000) and error.tag == 77


@pytest.mark.parametrize("answer", ["init", "preservative", "close"])
def heeds_stale_cookie_in_one_of_three_ways(answer):
    tester = Tester(Policy(stale_cookie_answer=answer))
    association = tester.endpoint.associate(["10.0.0.1"], 5000)
    tester.peer_tag = association.own_tag
    tester.ask(wire.init_chunk(wire.INIT_ACK, 77, 100000, 10, 10, 1, [Tlv(wire.STATE_COOKIE, b"cookie")]))
    sent = tester.ask(wire.causes_chunk(wire.ERROR, [wire.word_cause(wire.STALE_COOKIE, 0)]))
    if answer == "close":
        assert sent == [] and association.is_gone
    else:
        has = any(p.type == wire.COOKIE_PRESERVATIVE for p in wire.read_init(sent[0].chunks[0]).parameters)
        assert association.state == "COOKIE-WAIT" and has == (answer == "preservative")


@pytest.mark.parametrize("wrong", [dict(a_rwnd=1499), dict(outbound=0), dict(inbound=0)])
def refuses_an_init_with_an_invalid_number(wrong):
    tester = Tester()
    (answer,) = tester.ask(tester.init(**wrong), tag=0)
    assert answer.tag == 77 and answer.chunks[0].flags == 0 and causes([answer], wire.ABORT) == [wire.INVALID_PARAMETER]


def is_silent_to_an_init_with_tag_0_and_to_one_in_company():
    tester = Tester()
    assert tester.ask(tester.init(tag=0), tag=0) == []
    assert tester.ask(tester.init(), wire.Chunk(wire.COOKIE_ACK), tag=0) == []


def refuses_a_host_name():
    tester = Tester()
    assert causes(tester.ask(tester.init(Tlv(wire.HOST_NAME_ADDRESS, b"host\0")), tag=0), wire.ABORT) == [wire.UNRESOLVABLE_ADDRESS]


@pytest.mark.parametrize("type_, goes_on, is_reported", [(0x3FFF, False, False), (0x7FFF, False, True), (0xBFFF, True, False), (0xFFF0, True, True)])
def treats_unrecognized_parameters_by_their_highest_bits(type_, goes_on, is_reported):
    tester = Tester(Policy(forward_tsn_unasked=False))
    (answer,) = tester.ask(tester.init(Tlv(type_, b"1234"), Tlv(wire.FORWARD_TSN_SUPPORTED)), tag=0)
    parameters = wire.read_init(answer.chunks[0]).parameters
    assert (wire.FORWARD_TSN_SUPPORTED in [p.type for p in parameters]) == goes_on
    assert [p.value for p in parameters if p.type == wire.UNRECOGNIZED_PARAMETER] == ([Tlv(type_, b"1234").unpadded()] if is_reported else [])


def reports_unrecognized_parameters_of_an_init_ack_with_the_cookie_echo():
    tester = Tester()
    association = tester.endpoint.associate(["10.0.0.1"], 5000)
    tester.peer_tag = association.own_tag
    sent = tester.ask(wire.init_chunk(wire.INIT_ACK, 77, 100000, 10, 10, 1, [Tlv(wire.STATE_COOKIE, b"cookie"), Tlv(0xFFF0, b"12")]))
    assert types(sent) == [[wire.COOKIE_ECHO, wire.ERROR]] and causes(sent, wire.ERROR) == [wire.UNRECOGNIZED_PARAMETERS]


def aborts_an_init_ack_without_a_cookie():
    tester = Tester()
    association = tester.endpoint.associate(["10.0.0.1"], 5000)
    tester.peer_tag = association.own_tag
    assert causes(tester.ask(wire.init_chunk(wire.INIT_ACK, 77, 100000, 10, 10, 1, [])), wire.ABORT) == [wire.MISSING_PARAMETER]
    assert association.is_gone


def uses_as_many_streams_as_the_peer_takes():
    link = Link(Policy(outbound_streams=100, inbound_streams=3), Policy(outbound_streams=5, inbound_streams=7))
    a, b = link.connect()
    assert (a.outbound_streams, b.outbound_streams, a.inbound_streams, b.inbound_streams) == (7, 3, 3, 7)


def repeats_init_with_doubled_timer_and_gives_up():
    link = Link()
    link.drop = lambda datagram, packet: True
    association = link.a.associate(["10.0.0.2"], 6000)
    link.run(400)
    times = [t // SECOND_NS for t, _ in link.sent(link.a, wire.INIT)]
    assert times == [0, 1, 3, 7, 15, 31, 63, 123, 183] and association.is_gone and link.a.application.names() == ["closed"]


def sends_data_with_the_cookie_echo_and_none_before_the_cookie_ack():
    link = Link()
    association = link.a.associate(["10.0.0.2"], 6000)
    for _ in range(3):
        association.send(b"y" * 1000)
    link.run(1)
    assert link.names()[:4] == ["INIT", "INIT ACK", "COOKIE ECHO+DATA", "COOKIE ACK+SACK"]
    assert len(link.b.application.data) == 3


# Collisions and restarts (5.2).
def joins_two_associations_that_were_opened_at_once():
    link = Link()
    one, two = link.a.associate(["10.0.0.2"], 6000), link.b.associate(["10.0.0.1"], 5000)
    link.run(2)
    assert one.state == two.state == "ESTABLISHED" and (one.peer_tag, two.peer_tag) == (two.own_tag, one.own_tag)
    one.send(b"a"), two.send(b"b")
    link.run(1)
    assert link.a.application.data and link.b.application.data and len(link.a.made) == len(link.b.made) == 1


def restarts_when_the_peer_begins_anew():
    link = Link()
    a, b = link.connect()
    a.send(b"1")
    link.run(1)
    del link.hosts["10.0.0.1"]
    link.a = link.make("A2", None, ["10.0.0.1"], 5000)
    again = link.a.associate(["10.0.0.2"], 6000)
    link.run(1)
    assert again.state == b.state == "ESTABLISHED" and "restarted" in link.b.application.names() and b.peer_tag == again.own_tag
    again.send(b"2")
    link.run(1)
    assert [data for _, _, data, _ in link.b.application.data] == [b"1", b"2"]


def refuses_a_restart_that_adds_an_address():
    tester = Tester()
    association = tester.connect()
    (answer,) = tester.ask(tester.init(wire.address_parameter("10.9.9.9"), tag=99), tag=0)
    (cause,) = wire.parse_tlvs(answer.chunks[0].value)
    assert answer.tag == 99 and cause.type == wire.RESTART_WITH_NEW_ADDRESSES and cause.value == wire.address_parameter("10.9.9.9").unpadded()
    assert association.state == "ESTABLISHED"


def acks_a_repeated_cookie_echo_again():
    tester = Tester()
    tester.connect()
    tester.wait(100)
    assert types(tester.ask(wire.Chunk(wire.COOKIE_ECHO, 0, tester.cookie)))[-1] == [wire.COOKIE_ACK]


def discards_init_ack_and_cookie_ack_out_of_season():
    tester = Tester()
    tester.connect()
    assert tester.ask(wire.init_chunk(wire.INIT_ACK, 5, 100000, 1, 1, 1, [Tlv(wire.STATE_COOKIE, b"x")])) == []
    assert tester.ask(wire.Chunk(wire.COOKIE_ACK)) == []


# Verification tags, out of the blue (8.4, 8.5).
def is_silent_to_a_wrong_tag():
    tester = Tester()
    association = tester.connect()
    assert tester.ask(tester.data(0), tag=tester.peer_tag + 1) == []
    assert tester.ask(wire.causes_chunk(wire.ABORT, []), tag=77) == [] and association.state == "ESTABLISHED"
    assert tester.ask(wire.causes_chunk(wire.ABORT, [], wire.FLAG_T), tag=tester.peer_tag) == [] and association.state == "ESTABLISHED"
    assert tester.ask(wire.causes_chunk(wire.ABORT, [], wire.FLAG_T), tag=77) == [] and association.is_gone


@pytest.mark.parametrize("chunk, answer, flags", [
    (wire.Chunk(wire.SHUTDOWN_ACK), wire.SHUTDOWN_COMPLETE, 1), (wire.Chunk(wire.HEARTBEAT, 0, b"\0\1\0\4"), wire.ABORT, 1),
    (wire.Chunk(wire.COOKIE_ACK), None, None), (wire.Chunk(wire.SHUTDOWN_COMPLETE), None, None), (wire.Chunk(wire.ABORT), None, None),
    (wire.causes_chunk(wire.ERROR, [wire.word_cause(wire.STALE_COOKIE, 1)]), None, None), (wire.sack_chunk(1, 1, [], []), wire.ABORT, 1),
])  # fmt: skip
def answers_out_of_the_blue_by_its_rules(chunk, answer, flags):
    sent = Tester().ask(chunk, tag=4711)
    assert [(c.type, c.flags, p.tag) for p in sent for c in p.chunks] == ([] if answer is None else [(answer, flags, 4711)])


def discards_a_wrong_checksum():
    tester = Tester()
    tester.connect()
    assert tester.ask(tester.data(0), checksum=1) == [] and tester.ask(tester.data(0), checksum=0) == []


# Errors (3.2, 3.3.10).
@pytest.mark.parametrize("type_, goes_on, is_reported", [(0x3E, False, False), (0x7E, False, True), (0xBE, True, False), (0xFE, True, True)])
def treats_unrecognized_chunks_by_their_highest_bits(type_, goes_on, is_reported):
    tester = Tester()
    tester.connect()
    sent = tester.ask(wire.Chunk(type_, 0, b"1234"), wire.Chunk(wire.HEARTBEAT, 0, b"\0\1\0\4"))
    found = [chunk.type for packet in sent for chunk in packet.chunks]
    assert (wire.HEARTBEAT_ACK in found) == goes_on and (wire.ERROR in found) == is_reported


def reports_a_stream_that_there_is_not_and_acks_the_data():
    tester = Tester()
    tester.connect()
    sent = tester.ask(tester.data(0, stream=10))
    assert causes(sent, wire.ERROR) == [wire.INVALID_STREAM] and the_sack(sent).cum_tsn == tester.tsn and not tester.endpoint.application.data


def aborts_data_without_user_data():
    tester = Tester()
    tester.connect()
    assert causes(tester.ask(tester.data(0, b"")), wire.ABORT) == [wire.NO_USER_DATA]


def drops_a_partial_chunk_and_heeds_those_before():
    tester = Tester()
    tester.connect()
    sent = tester.ask(tester.data(0), wire.Chunk(wire.DATA, 3, b"12345678", length=400))
    assert the_sack(sent).cum_tsn == tester.tsn


# Receiver (6.2, 6.7).
def acks_the_first_data_at_once_then_every_second_packet_or_after_200_ms():
    tester = Tester()
    tester.connect()
    assert the_sack(tester.ask(tester.data(0))).cum_tsn == tester.tsn
    assert tester.ask(tester.data(1)) == []
    assert the_sack(tester.ask(tester.data(2))).cum_tsn == tester.tsn + 2
    assert tester.ask(tester.data(3), seconds=0.199) == []
    assert the_sack(tester.wait(0.002)).cum_tsn == tester.tsn + 3


def reports_gaps_at_once_and_duplicates():
    tester = Tester()
    tester.connect()
    tester.ask(tester.data(0))
    assert the_sack(tester.ask(tester.data(2))).gap_blocks == [(2, 2)]
    assert the_sack(tester.ask(tester.data(5))).gap_blocks == [(2, 2), (5, 5)]
    sack = the_sack(tester.ask(tester.data(2), tester.data(0)))
    assert sorted(sack.duplicates) == [tester.tsn, tester.tsn + 2]
    sack = the_sack(tester.ask(tester.data(1), tester.data(3), tester.data(4)))
    assert (sack.cum_tsn, sack.gap_blocks, sack.duplicates) == (tester.tsn + 5, [], [])


def heeds_the_immediate_bit():
    tester = Tester()
    tester.connect()
    tester.ask(tester.data(0))
    assert the_sack(tester.ask(tester.data(1, immediate=True))).cum_tsn == tester.tsn + 1


def closes_and_opens_its_window_as_the_user_reads():
    tester = Tester(Policy(receive_buffer_bytes=4000))
    association = tester.connect()
    association.pause_reading()
    assert the_sack(tester.ask(tester.data(0, b"x" * 1000))).a_rwnd == 3000
    tester.ask(tester.data(1, b"x" * 1000)), tester.ask(tester.data(2, b"x" * 1000))
    assert the_sack(tester.ask(tester.data(3, b"x" * 1000, immediate=True))).a_rwnd == 0
    dropped = the_sack(tester.ask(tester.data(4, b"x" * 1000)))
    assert (dropped.cum_tsn, dropped.a_rwnd) == (tester.tsn + 3, 0)
    tester.sent = []
    association.resume_reading()
    assert the_sack(tester.sent).a_rwnd == 4000 and len(tester.endpoint.application.data) == 4


def drops_the_highest_tsn_for_a_lower_one_when_full():
    tester = Tester(Policy(receive_buffer_bytes=3000))
    tester.connect()
    tester.ask(tester.data(0))
    for offset in (2, 3, 4):
        tester.ask(tester.data(offset, b"x" * 1000))
    sack = the_sack(tester.ask(tester.data(1, b"x" * 1000)))
    assert sack.cum_tsn == tester.tsn + 3 and sack.gap_blocks == []


def reports_no_more_gap_blocks_than_a_packet_holds():
    tester = Tester(Policy(pmtu_bytes=200))
    tester.connect()
    tester.ask(tester.data(0))
    for offset in range(2, 200, 2):
        sent = tester.ask(tester.data(offset, b"x"))
    assert len(the_sack(sent).gap_blocks) == (200 - 20 - 12 - 16) // 4 and len(tester.datagrams[-1].sctp) <= 180


def delivers_in_order_within_a_stream_and_unordered_at_once():
    tester = Tester()
    tester.connect()
    tester.ask(tester.data(1, b"b", ssn=1)), tester.ask(tester.data(2, b"u", unordered=True)), tester.ask(tester.data(3, b"other", stream=1, ssn=0))
    assert [data for _, _, data, _ in tester.endpoint.application.data] == [b"u", b"other"]
    tester.ask(tester.data(0, b"a", ssn=0))
    assert [data for _, _, data, _ in tester.endpoint.application.data][2:] == [b"a", b"b"]


def reassembles_in_any_order():
    tester = Tester()
    tester.connect()
    tester.ask(tester.data(2, b"c", ssn=0, beginning=False)), tester.ask(tester.data(0, b"a", ssn=0, ending=False))
    tester.ask(tester.data(1, b"b", ssn=0, beginning=False, ending=False))
    assert tester.endpoint.application.data == [(0, 0, b"abc", True)]


def hands_over_a_message_that_is_larger_than_the_buffer():
    link = Link(b=Policy(receive_buffer_bytes=5000))
    a, _ = link.connect()
    a.send(bytes(range(256)) * 100)
    link.run(60)
    assert [data for _, _, data, _ in link.b.application.data] == [bytes(range(256)) * 100]


# Sender (6.1, 6.3, 7).
def begins_with_the_initial_cwnd_and_grows_by_slow_start():
    link = Link()
    a, _ = link.connect()
    first_ns = link.simulation.now_ns
    a.send(b"z" * 20000)
    assert len(link.sent(link.a, wire.DATA, since_ns=first_ns)) == 3
    link.run(0.5)
    assert a.primary.cwnd > 4404 and not a.outstanding


def fragments_by_the_pmtu():
    link = Link()
    a, _ = link.connect()
    a.send(b"z" * 3000, stream=3)
    link.run(1)
    chunks = [wire.read_data(c) for _, c in link.sent(link.a, wire.DATA)]
    assert [(len(c.user_data), c.beginning, c.ending, c.number) for c in chunks] == [
        (1452, True, False, 0),
        (1452, False, False, 0),
        (96, False, True, 0),
    ]
    assert max(len(d.sctp) for d in link.datagrams) <= 1480


def bundles_small_messages_after_nagle():
    link = Link(Policy(nagle=True))
    a, _ = link.connect()
    for _ in range(5):
        a.send(b"small")
    link.run(1)
    assert [name for name in link.names() if "DATA" in name] == ["DATA", "DATA+DATA+DATA+DATA"]


def measures_the_round_trip_and_keeps_rto_min():
    link = Link()
    a, _ = link.connect()
    a.send(b"1")
    link.run(1)
    assert a.primary.srtt_ns == 2 * ONE_WAY_NS and a.primary.rto_ns == SECOND_NS


def retransmits_after_t3_with_backoff_and_closes_after_association_max_retrans():
    link = Link()
    a, _ = link.connect()
    link.drop = lambda datagram, packet: True
    began_ns = link.simulation.now_ns
    a.send(b"1")
    link.run(700)
    times = [(t - began_ns) // SECOND_NS for t, _ in link.sent(link.a, wire.DATA)]
    assert times[:7] == [0, 1, 3, 7, 15, 31, 63] and a.is_gone and ("closed", "error count") in link.a.application.events
    assert link.a.application.failed == [(0, "error count")]


def sends_one_packet_after_a_timeout():
    link = Link()
    a, _ = link.connect()
    lost_until_ns = link.simulation.now_ns + SECOND_NS // 2
    link.drop = lambda datagram, packet: link.simulation.now_ns < lost_until_ns
    began_ns = link.simulation.now_ns
    for _ in range(4):
        a.send(b"q" * 1400)
    link.run(1.005)
    again = [t for t, _ in link.sent(link.a, wire.DATA, since_ns=began_ns + SECOND_NS)]
    assert len(again) == 1 and a.primary.cwnd == 1468
    link.run(5)
    assert len(link.b.application.data) == 4


def retransmits_fast_after_the_third_miss_indication():
    tester = Tester()
    association = tester.connect()
    for _ in range(6):
        association.send(b"m" * 500)
    cwnd = association.primary.cwnd
    assert tester.ask(tester.sack(None, [(2, 2)])) == [] and tester.ask(tester.sack(None, [(2, 3)])) == []
    sent = tester.ask(tester.sack(None, [(2, 4)]))
    assert [wire.read_data(c).tsn for p in sent for c in p.chunks] == [tester.init_ack.initial_tsn]
    assert association.recovery_exit is not None and association.primary.cwnd == max(cwnd // 2, 4 * 1468)
    assert tester.ask(tester.sack(None, [(2, 5)])) == []
    tester.ask(tester.sack(5))
    assert association.recovery_exit is None and not association.outstanding


def counts_misses_only_below_the_highest_tsn_newly_acked():
    tester = Tester()
    association = tester.connect()
    for _ in range(4):
        association.send(b"m" * 500)
    for _ in range(5):
        tester.ask(tester.sack(None, [(2, 2)]))
    assert association.outstanding[tester.init_ack.initial_tsn].misses == 1


def discards_an_old_sack():
    tester = Tester()
    association = tester.connect()
    for _ in range(3):
        association.send(b"m" * 500)
    tester.ask(tester.sack(2))
    tester.ask(tester.sack(0, a_rwnd=7))
    assert association.peer_rwnd == 100000


def probes_a_closed_window_after_an_rto_and_counts_no_errors():
    tester = Tester()
    association = tester.connect()
    association.send(b"m" * 500)
    tester.ask(tester.sack(0, a_rwnd=0))
    association.send(b"n" * 500)
    assert tester.wait(0.9) == []
    assert types(tester.wait(0.2)) == [[wire.DATA]]
    tester.ask(tester.sack(0, a_rwnd=0))
    probes = 0
    for _ in range(400):
        if types(tester.wait(1)):
            probes += 1
            tester.ask(tester.sack(0, a_rwnd=0))
    assert 8 <= probes <= 14
    assert association.state == "ESTABLISHED" and association.errors == 0


def respects_the_window():
    tester = Tester()
    association = tester.connect(a_rwnd=2000)
    for _ in range(4):
        association.send(b"m" * 900)
    assert sum(len(packet.chunks) for packet in tester.sent if packet.chunks[0].type == wire.DATA) == 2


def limits_bursts():
    tester = Tester(Policy(max_burst_packets=2, initial_cwnd_packets=4))
    association = tester.connect()
    tester.sent = []
    association.cork()
    for _ in range(8):
        association.send(b"m" * 1400)
    association.uncork()
    assert len(tester.sent) == 2


def decays_cwnd_of_an_idle_path():
    link = Link(Policy(heartbeat_is_on=False))
    a, _ = link.connect()
    for _ in range(60):
        a.send(b"z" * 1400)
    link.run(3)
    grown = a.primary.cwnd
    link.run(60)
    a.send(b"z")
    assert grown > 4 * 1468 == a.primary.cwnd


def retransmits_what_the_receiver_reneged():
    tester = Tester()
    association = tester.connect()
    for _ in range(2):
        association.send(b"m" * 500)
    tester.ask(tester.sack(None, [(2, 2)]))
    tester.ask(tester.sack(0))
    assert [wire.read_data(c).tsn for p in tester.wait(3) for c in p.chunks if c.type == wire.DATA][0] == tester.init_ack.initial_tsn + 1


def aborts_or_ignores_an_ack_of_what_was_never_sent():
    tester = Tester()
    tester.connect()
    assert causes(tester.ask(tester.sack(5)), wire.ABORT) == [wire.PROTOCOL_VIOLATION]
    tester = Tester(Policy(violation_answer="discard"))
    association = tester.connect()
    assert tester.ask(tester.sack(5)) == [] and association.state == "ESTABLISHED"


# Shutdown and abort (9).
def shuts_down_once_all_is_acked():
    link = Link()
    a, b = link.connect()
    a.send(b"1" * 5000)
    a.shutdown()
    assert a.state == "SHUTDOWN-PENDING" and a.send(b"late") is None
    link.run(2)
    assert link.names()[-3:] == ["SHUTDOWN", "SHUTDOWN ACK", "SHUTDOWN COMPLETE"] and a.is_gone and b.is_gone
    assert ("closed", "shutdown") in link.a.application.events and ("closed", "shutdown") in link.b.application.events


def delivers_the_peers_data_before_it_ends():
    link = Link()
    a, b = link.connect()
    for _ in range(30):
        b.send(b"2" * 1400)
    a.shutdown()
    link.run(5)
    assert len(link.a.application.data) == 30 and a.is_gone and b.is_gone


def answers_data_with_shutdown_while_shutdown_is_sent():
    tester = Tester()
    association = tester.connect()
    association.shutdown()
    assert types(tester.ask(tester.data(0))) == [[wire.SHUTDOWN]]
    assert types(tester.ask(tester.data(2))) == [[wire.SACK, wire.SHUTDOWN]]


def repeats_shutdown_and_gives_up():
    link = Link()
    a, _ = link.connect()
    link.drop = lambda datagram, packet: True
    a.shutdown()
    link.run(1000)
    assert len(link.sent(link.a, wire.SHUTDOWN)) in (10, 11) and a.is_gone


def answers_init_with_shutdown_ack_while_that_is_unanswered():
    tester = Tester()
    association = tester.connect()
    assert types(tester.ask(wire.shutdown_chunk(tester.init_ack.initial_tsn - 1))) == [[wire.SHUTDOWN_ACK]]
    assert types(tester.ask(tester.init(tag=88), tag=0)) == [[wire.SHUTDOWN_ACK]] and association.state == "SHUTDOWN-ACK-SENT"
    assert tester.ask(wire.Chunk(wire.SHUTDOWN_COMPLETE)) == [] and association.is_gone


def ends_when_both_shut_down_at_once():
    link = Link()
    a, b = link.connect()
    a.shutdown(), b.shutdown()
    link.run(2)
    assert a.is_gone and b.is_gone


def says_why_the_user_aborts():
    link = Link()
    a, b = link.connect()
    a.abort(b"reason")
    link.run(1)
    (_, chunk), = link.sent(link.a, wire.ABORT)  # fmt: skip
    assert wire.parse_tlvs(chunk.value)[0].value == b"reason" and b.is_gone and ("closed", "abort received") in link.b.application.events


# Paths (5.4, 8; RFC 7829).
def multihomed(**policy):
    link = Link(Policy(**policy), Policy(**policy), ("10.0.0.1", "10.1.0.1"), ("10.0.0.2", "10.1.0.2"))
    a, b = link.connect()
    link.run(5)
    return link, a, b


def verifies_addresses_before_it_uses_them():
    link, a, b = multihomed()
    assert [p.is_confirmed for p in a.paths.values()] == [True, True] and sorted(a.paths) == ["10.0.0.2", "10.1.0.2"]
    first = next(t for t, source, p in link.packets if source == "10.1.0.1")
    assert [c.type for t, source, p in link.packets if t == first and source == "10.1.0.1" for c in p.chunks][0] in (
        wire.HEARTBEAT,
        wire.HEARTBEAT_ACK,
    )


def acks_a_cookie_from_an_unconfirmed_address_with_a_heartbeat_even_when_it_leaves_at_once():
    class Leaver(Application):
        def up(self, association):
            association.shutdown()

    tester = Tester(Policy(lists_own_address=True))
    tester.endpoint.application = Leaver()
    (answer,) = tester.ask(tester.init(wire.address_parameter("10.1.0.1")), tag=0)
    init = wire.read_init(answer.chunks[0])
    cookie = next(p.value for p in init.parameters if p.type == wire.STATE_COOKIE)
    answers = types(tester.ask(wire.Chunk(wire.COOKIE_ECHO, 0, cookie), tag=init.tag, source="10.1.0.1"))
    assert answers[0] == [wire.COOKIE_ACK, wire.HEARTBEAT] and [wire.SHUTDOWN] in answers


def probes_one_address_in_an_rto():
    tester = Tester(Policy(lists_own_address=True))
    tester.connect(*[wire.address_parameter(f"10.{n}.0.1") for n in range(1, 4)])
    tester.sent, tester.datagrams = [], []
    seen = []
    for _ in range(12):
        tester.datagrams = []
        tester.wait(0.5)
        seen.append([d.destination for d in tester.datagrams])
    assert all(len(row) <= 1 for row in seen) and {d for row in seen for d in row} == {"10.1.0.1", "10.2.0.1", "10.3.0.1"}


def sends_heartbeats_on_idle_paths_only():
    link, a, b = multihomed()
    began_ns = link.simulation.now_ns
    for _ in range(100):
        a.send(b"x")
        link.run(1)
    assert not [1 for t, source, p in link.packets if source == "10.0.0.1" and t > began_ns and p.chunks[0].type == wire.HEARTBEAT]
    beats = [t for t, source, p in link.packets if source == "10.1.0.1" and t > began_ns and p.chunks[0].type == wire.HEARTBEAT]
    assert len(beats) == 3 and all(30 * SECOND_NS <= y - x <= 33 * SECOND_NS for x, y in zip(beats, beats[1:]))


def answers_a_heartbeat_with_what_it_held():
    tester = Tester()
    tester.connect()
    chunk = wire.Chunk(wire.HEARTBEAT, 0, Tlv(1, b"any 13 bytes.").unpadded() + b"\0\0\0" + Tlv(99, b"more").unpadded())
    (answer,) = tester.ask(chunk)
    assert answer.chunks[0].value == chunk.value


def goes_to_the_other_path_and_reports_the_failure():
    link, a, b = multihomed(path_retransmissions_max=2)
    link.drop = lambda datagram, packet: "10.0" in datagram.destination
    for _ in range(40):
        a.send(b"f" * 100)
        link.run(1)
    assert len(link.b.application.data) == 40 and ("path_changed", "10.0.0.2", "INACTIVE") in link.a.application.events
    link.drop = lambda datagram, packet: False
    link.run(120)
    assert ("path_changed", "10.0.0.2", "ACTIVE") in link.a.application.events


def retransmits_to_another_path_after_a_timeout():
    link, a, b = multihomed()
    link.drop = lambda datagram, packet: datagram.destination == "10.0.0.2" and packet.chunks[0].type == wire.DATA
    began_ns = link.simulation.now_ns
    a.send(b"f")
    link.run(2)
    assert [source for t, source, p in link.packets if t >= began_ns and p.chunks[0].type == wire.DATA] == ["10.0.0.1", "10.1.0.1"]


def leaves_a_potentially_failed_path_after_one_timeout():
    link, a, b = multihomed(potentially_failed=True)
    link.drop = lambda datagram, packet: "10.0" in datagram.destination
    a.send(b"f")
    link.run(1.5)
    assert ("path_changed", "10.0.0.2", "POTENTIALLY-FAILED") in link.a.application.events and a.data_path().address == "10.1.0.2"
    link.drop = lambda datagram, packet: False
    link.run(5)
    assert a.data_path().address == "10.0.0.2"


def sends_to_the_primary_that_the_user_sets():
    link, a, b = multihomed()
    a.set_primary("10.1.0.2")
    began_ns = link.simulation.now_ns
    a.send(b"f")
    assert [source for t, source, p in link.packets if t >= began_ns] == ["10.1.0.1"]


def heeds_icmp_of_its_own_packets_only():
    tester = Tester()
    association = tester.connect()
    ours = struct.pack("!HHI", 6000, 5000, 77) + bytes(4)
    tester.endpoint.receive_icmp("too big", "10.0.0.1", struct.pack("!HHI", 6000, 5000, 78) + bytes(4), 1000)
    assert association.primary.pmtu == 1500
    tester.endpoint.receive_icmp("too big", "10.0.0.1", ours, 1000)
    assert association.primary.pmtu == 1000
    tester.endpoint.receive_icmp("port unreachable", "10.0.0.1", ours)
    assert association.state == "ESTABLISHED"
    tester.endpoint.receive_icmp("protocol unreachable", "10.0.0.1", ours)
    assert association.is_gone


# SCTP in UDP (RFC 6951).
def follows_the_udp_port_of_its_peer():
    tester = Tester()
    tester.endpoint.udp_ports = (9899, 9899)
    udp = dict(udp_ports=(31000, 9899))
    send = lambda chunk, tag: tester.endpoint.receive(Datagram(0, "10.0.0.1", "10.0.0.2", wire.packet(5000, 6000, tag, [chunk]), **udp))
    send(tester.init(), 0)
    assert tester.datagrams[-1].udp_ports == (9899, 31000)
    init = wire.read_init(tester.sent[-1].chunks[0])
    send(wire.Chunk(wire.COOKIE_ECHO, 0, next(p.value for p in init.parameters if p.type == wire.STATE_COOKIE)), init.tag)
    udp = dict(udp_ports=(31001, 9899))
    send(tester.data(0), init.tag)
    assert tester.datagrams[-1].udp_ports == (9899, 31001) and tester.endpoint.association.pmdcs(tester.endpoint.association.primary) == 1460
    tester.endpoint.receive_icmp("port unreachable", "10.0.0.1", struct.pack("!HHI", 6000, 5000, 77) + bytes(4))
    assert tester.endpoint.association.is_gone


# Partial reliability (RFC 3758, 7496).
def abandons_and_forwards(ordered, interleaving):
    policy = dict(interleaving=interleaving)
    link = Link(Policy(**policy), Policy(**policy))
    a, _ = link.connect()
    link.drop = lambda datagram, packet: any(c.type in (wire.DATA, wire.I_DATA) and b"lost" in c.value for c in packet.chunks)
    a.send(b"lost", stream=2, ordered=ordered, retransmissions_max=1)
    a.send(b"kept", stream=2, ordered=ordered)
    link.run(20)
    return link, a


@pytest.mark.parametrize("interleaving", [False, True])
@pytest.mark.parametrize("ordered", [False, True])
def abandons_after_the_retransmissions_allowed(ordered, interleaving):
    link, a = abandons_and_forwards(ordered, interleaving)
    type_ = wire.I_FORWARD_TSN if interleaving else wire.FORWARD_TSN
    forward = wire.read_forward_tsn(link.sent(link.a, type_)[0][1])
    assert forward.streams == ([(2, not ordered, 0)] if ordered or interleaving else []) and forward.cum_tsn == a.initial_tsn % wire.TSN_MODULUS
    assert [data for _, _, data, _ in link.b.application.data] == [b"kept"] and link.a.application.failed == [(0, "abandoned")] and not a.outstanding


def abandons_at_the_end_of_its_life_and_sends_no_forward_tsn_for_what_was_never_sent():
    tester = Tester()
    association = tester.connect(Tlv(wire.FORWARD_TSN_SUPPORTED), a_rwnd=1500)
    association.send(b"m" * 1400)
    association.send(b"n" * 1400, lifetime_ns=SECOND_NS // 10)
    tester.sent = []
    tester.wait(0.5)
    assert types(tester.ask(tester.sack(0))) == [] and tester.endpoint.application.failed == [(1, "abandoned")]


def repeats_forward_tsn_until_it_is_acked():
    tester = Tester()
    association = tester.connect(Tlv(wire.FORWARD_TSN_SUPPORTED))
    association.send(b"m", retransmissions_max=0)
    assert sum(c.type == wire.FORWARD_TSN for p in tester.wait(8) for c in p.chunks) == 3
    tester.ask(tester.sack(0))
    tester.sent = []
    assert tester.wait(20) == [] and not association.outstanding


def moves_its_cumulative_tsn_by_forward_tsn():
    tester = Tester()
    tester.connect(Tlv(wire.FORWARD_TSN_SUPPORTED))
    tester.ask(tester.data(3, b"d", ssn=1))
    tester.ask(tester.data(1, b"part", ssn=5, stream=2, ending=False))
    sack = the_sack(tester.ask(wire.forward_tsn_chunk(tester.tsn + 2, [(0, 0), (2, 5)])))
    assert (
        sack.cum_tsn == tester.tsn + 3 and tester.endpoint.application.data == [(0, 0, b"d", True)] and tester.endpoint.association.held_in_bytes == 0
    )
    assert the_sack(tester.ask(wire.forward_tsn_chunk(tester.tsn + 1, []))).cum_tsn == tester.tsn + 3


def reports_a_forward_tsn_that_was_not_negotiated():
    tester = Tester()
    tester.connect()
    assert causes(tester.ask(wire.forward_tsn_chunk(tester.tsn + 2, [])), wire.ERROR) == [wire.UNRECOGNIZED_CHUNK]


# Interleaving (RFC 8260).
def interleaves_messages_of_two_streams():
    policy = dict(interleaving=True, scheduler="rr")
    link = Link(Policy(**policy), Policy(**policy))
    a, _ = link.connect()
    a.cork()
    a.send(b"1" * 6000, stream=1), a.send(b"2" * 6000, stream=2)
    a.uncork()
    link.run(1)
    chunks = [wire.read_data(c) for _, c in link.sent(link.a, wire.I_DATA)]
    assert [c.stream for c in chunks[:4]] == [1, 2, 1, 2] and [c.fsn for c in chunks if c.stream == 1] == [0, 1, 2, 3, 4]
    assert sorted(data[0] for data in link.b.application.data) == [1, 2] and not link.sent(link.a, wire.DATA)


def aborts_data_where_i_data_was_negotiated():
    tester = Tester(Policy(interleaving=True))
    tester.connect(Tlv(wire.SUPPORTED_EXTENSIONS, bytes([wire.I_DATA])))
    assert causes(tester.ask(tester.data(0)), wire.ABORT) == [wire.PROTOCOL_VIOLATION]


@pytest.mark.parametrize("scheduler, order", [("fcfs", [1, 1, 2, 2]), ("rr", [1, 2, 1, 2]), ("prio", [2, 2, 1, 1])])
def schedules_by_its_policy(scheduler, order):
    tester = Tester(Policy(scheduler=scheduler, bundles_data=False))
    association = tester.connect()
    tester.sent = []
    association.cork()
    for stream, priority in ((1, 2), (1, 2), (2, 1), (2, 1)):
        association.send(b"x", stream=stream, priority=priority)
    association.uncork()
    assert [wire.read_data(c).stream for p in tester.sent for c in p.chunks] == order


# AUTH (RFC 4895), ASCONF (RFC 5061).
def authenticates_what_the_peer_asks_for():
    policy = dict(auth=True, auth_chunks=(wire.DATA,))
    link = Link(Policy(**policy), Policy(**policy))
    a, _ = link.connect()
    a.send(b"secret" * 500)
    link.run(2)
    assert all(name.endswith("AUTH+DATA") for name in link.names() if "DATA" in name) and len(link.b.application.data) == 1
    assert max(len(d.sctp) for d in link.datagrams) <= 1480


def discards_what_is_not_authenticated_or_altered():
    policy = dict(auth=True, auth_chunks=(wire.DATA,), heartbeat_is_on=False)
    link = Link(Policy(**policy), Policy(**policy))
    a, b = link.connect()
    data = wire.data_chunk(a.next_tsn, 0, 0, 0, b"forged")
    link.b.receive(Datagram(0, "10.0.0.1", "10.0.0.2", wire.packet(5000, 6000, b.own_tag, [data])))
    wrong = wire.auth_chunk(0, 3, bytes(32))
    link.b.receive(Datagram(0, "10.0.0.1", "10.0.0.2", wire.packet(5000, 6000, b.own_tag, [wrong, data])))
    assert link.b.application.data == [] and b.cum_tsn == a.initial_tsn - 1


ASCONF = dict(asconf=True, auth=True)


def adds_uses_and_deletes_an_address():
    link = Link(Policy(**ASCONF), Policy(**ASCONF))
    a, b = link.connect()
    link.hosts["10.1.0.1"] = link.a
    assert a.add_address("10.1.0.1")
    link.run(3)
    assert ("address_changed", "10.1.0.1", "added") in link.a.application.events and b.paths["10.1.0.1"].is_confirmed
    assert a.set_peer_primary("10.1.0.1")
    link.run(1)
    assert b.primary.address == "10.1.0.1"
    assert a.delete_address("10.0.0.1")
    link.run(1)
    assert list(b.paths) == ["10.1.0.1"] and a.own_addresses == ["10.1.0.1"]
    b.send(b"to the new one")
    link.run(1)
    assert len(link.a.application.data) == 1 and all(name.startswith("AUTH+ASCONF") for name in link.names() if "ASCONF" in name)


def refuses_to_delete_the_last_and_the_source_address():
    policy = Policy(asconf=True, asconf_needs_auth=False)
    for listed, code in (((), wire.DELETE_LAST_ADDRESS), (("10.7.7.7",), wire.DELETE_SOURCE_ADDRESS)):
        tester = Tester(policy)
        tester.connect(Tlv(wire.SUPPORTED_EXTENSIONS, bytes([wire.ASCONF, wire.ASCONF_ACK])), *[wire.address_parameter(a) for a in listed])
        body = wire.correlated(wire.DELETE_IP_ADDRESS, 5, wire.address_parameter("10.0.0.1").encode())
        (answer,) = tester.ask(wire.asconf_chunk(wire.ASCONF, tester.tsn, [body], "10.0.0.1"))
        (response,) = wire.parse_tlvs(answer.chunks[0].value[4:])
        assert int.from_bytes(response.value[:4], "big") == 5 and wire.parse_tlvs(response.value[4:])[0].type == code


def answers_a_repeated_asconf_with_the_same_ack():
    tester = Tester(Policy(asconf=True, asconf_needs_auth=False))
    tester.connect(Tlv(wire.SUPPORTED_EXTENSIONS, bytes([wire.ASCONF, wire.ASCONF_ACK])))
    chunk = wire.asconf_chunk(
        wire.ASCONF, tester.tsn, [wire.correlated(wire.ADD_IP_ADDRESS, 1, wire.address_parameter("10.5.5.5").encode())], "10.0.0.1"
    )
    first = [c.encode() for p in tester.ask(chunk) for c in p.chunks if c.type == wire.ASCONF_ACK]
    again = [c.encode() for p in tester.ask(chunk) for c in p.chunks if c.type == wire.ASCONF_ACK]
    assert first == again and len(first) == 1
    assert not [c for p in tester.ask(wire.asconf_chunk(wire.ASCONF, tester.tsn + 5, [], "10.0.0.1")) for c in p.chunks if c.type == wire.ASCONF_ACK]


# RE-CONFIG (RFC 6525).
def resets_an_outgoing_stream():
    link = Link()
    a, b = link.connect()
    a.send(b"1", stream=2), a.send(b"2", stream=3)
    link.run(1)
    assert a.reset_streams([2])
    a.send(b"3", stream=2), a.send(b"4", stream=3)
    link.run(1)
    numbers = [(c.stream, c.number) for c in (wire.read_data(chunk) for _, chunk in link.sent(link.a, wire.DATA))]
    assert numbers == [(2, 0), (3, 0), (3, 1), (2, 0)] and len(link.b.application.data) == 4
    assert ("streams_reset", "incoming", [2]) in link.b.application.events and ("streams_reset", "outgoing", [2]) in link.a.application.events


def answers_in_progress_while_data_is_missing_and_resets_later():
    link = Link()
    a, b = link.connect()
    lost = []
    link.drop = lambda datagram, packet: not lost and any(c.type == wire.DATA for c in packet.chunks) and (lost.append(1) or True)
    a.send(b"1", stream=2)
    a.reset_streams([2])
    link.run(10)
    results = [struct.unpack_from("!I", wire.parse_tlvs(c.value)[0].value, 4)[0] for _, c in link.sent(link.b, wire.RE_CONFIG)]
    assert (
        results[0] == wire.IN_PROGRESS
        and results[-1] in (wire.PERFORMED, wire.NOTHING_TO_DO)
        and ("streams_reset", "outgoing", [2]) in link.a.application.events
    )


def resets_an_incoming_stream_by_the_peer():
    link = Link()
    a, b = link.connect()
    b.send(b"1", stream=4)
    link.run(1)
    assert a.reset_streams([4], outgoing=False, incoming=True)
    link.run(1)
    assert ("streams_reset", "incoming", [4]) in link.a.application.events and ("streams_reset", "outgoing", [4]) in link.b.application.events
    assert not a.requests_in_flight and not b.requests_in_flight


def resets_tsns_and_ssns():
    link = Link()
    a, b = link.connect()
    a.send(b"1"), b.send(b"2")
    link.run(1)
    assert a.reset_association()
    link.run(1)
    a.send(b"3"), b.send(b"4")
    link.run(1)
    assert ("association_reset",) in link.a.application.events and ("association_reset",) in link.b.application.events
    assert [d[2] for d in link.b.application.data] == [b"1", b"3"] and [d[2] for d in link.a.application.data] == [b"2", b"4"]


@pytest.mark.parametrize("seed", range(10))
def brings_everything_in_order_between_requests_that_wait_for_each_other(seed):
    rng = random.Random(seed)
    link = Link(seed=seed)
    link.drop = lambda datagram, packet: rng.random() < 0.1
    a = link.a.associate(["10.0.0.2"], 6000)
    link.run(20)
    sent = []
    for number in range(60):
        what = rng.random()
        if what < 0.1:
            assert a.reset_association()
        elif what < 0.3:
            assert a.reset_streams(rng.choice([[], [1], [2], [1, 2]]))
        sent.append((number.to_bytes(2, "big") * rng.choice([1, 100, 1500]), rng.randrange(4)))
        assert a.send(*sent[-1]) is not None
        if rng.random() < 0.2:
            link.run(rng.choice([0.01, 0.03, 1]))
    link.run(600)
    got = [(data, stream) for stream, _, data, _ in link.b.application.data]
    assert sorted(got) == sorted(sent) and all([r for r in got if r[1] == s] == [r for r in sent if r[1] == s] for s in range(4))


@pytest.mark.parametrize("seed", range(20))
def brings_everything_in_order_while_both_ask_for_resets(seed):
    """Some policies deny what the own user has not asked for."""
    rng = random.Random(seed)
    link = Link(*[Policy(reconfig_allows=rng.choice([("streams",), ()])) for _ in range(2)], seed=seed)
    link.drop = lambda datagram, packet: rng.random() < 0.1
    a = link.a.associate(["10.0.0.2"], 6000)
    link.run(20)
    sent = {a: [], link.b.association: []}
    for number in range(80):
        association = rng.choice(list(sent))
        if rng.random() < 0.3:
            association.reset_streams(rng.choice([[], [1], [2], [1, 2]]), *rng.choice([(True, False), (False, True), (True, True)]))
        sent[association].append((number.to_bytes(2, "big") * rng.choice([1, 100, 1500]), rng.randrange(4)))
        assert association.send(*sent[association][-1]) is not None
        if rng.random() < 0.2:
            link.run(rng.choice([0.01, 0.03, 1]))
    link.run(1000)
    for todo, receiver in zip(sent.values(), (link.b, link.a)):
        got = [(data, stream) for stream, _, data, _ in receiver.application.data]
        assert sorted(got) == sorted(todo) and all([r for r in got if r[1] == s] == [r for r in todo if r[1] == s] for s in range(4))
    assert not any(association.requests or association.requests_in_flight for association in sent)


def adds_streams_in_both_directions():
    link = Link()
    a, b = link.connect()
    assert a.add_streams(outgoing=3) and a.add_streams(incoming=2)
    link.run(2)
    assert (a.outbound_streams, b.inbound_streams, b.outbound_streams, a.inbound_streams) == (13, 13, 12, 12)
    assert a.send(b"x", stream=12) is not None and not a.requests_in_flight and not b.requests_in_flight


def reports_parameters_that_may_not_stand_together():
    tester = Tester()
    tester.connect(Tlv(wire.SUPPORTED_EXTENSIONS, bytes([wire.RE_CONFIG])))
    both = [Tlv(wire.SSN_TSN_RESET, struct.pack("!I", tester.tsn)), wire.add_streams_parameter(wire.ADD_OUTGOING_STREAMS, tester.tsn + 1, 1)]
    assert causes(tester.ask(wire.Chunk(wire.RE_CONFIG, 0, wire.encode_tlvs(both))), wire.ERROR) == [wire.PROTOCOL_VIOLATION]


def denies_what_its_policy_does_not_allow_and_repeats_its_answer():
    tester = Tester(Policy(reconfig_allows=()))
    tester.connect(Tlv(wire.SUPPORTED_EXTENSIONS, bytes([wire.RE_CONFIG])))
    chunk = wire.Chunk(wire.RE_CONFIG, 0, wire.outgoing_reset_parameter(tester.tsn, 0, tester.tsn - 1, [1]).unpadded())
    answers = [[c.value for p in tester.ask(chunk) for c in p.chunks if c.type == wire.RE_CONFIG] for _ in range(2)]
    assert answers[0] == answers[1] and struct.unpack_from("!I", answers[0][0], 8)[0] == wire.DENIED
    wrong = wire.Chunk(wire.RE_CONFIG, 0, wire.outgoing_reset_parameter(tester.tsn + 9, 0, tester.tsn - 1, [1]).unpadded())
    (answer,) = [c.value for p in tester.ask(wrong) for c in p.chunks if c.type == wire.RE_CONFIG]
    assert struct.unpack_from("!I", answer, 8)[0] == wire.BAD_SEQUENCE_NUMBER


# Zero checksum, ECN, data channels.
def sends_zero_checksums_where_the_peer_takes_them():
    link = Link(Policy(zero_checksum=True), Policy(zero_checksum=True))
    a, _ = link.connect()
    a.send(b"x")
    link.run(1)
    zero = {link.names()[i]: d.sctp[8:12] == bytes(4) for i, d in enumerate(link.datagrams)}
    assert zero["DATA"] and zero["SACK"] and not zero["INIT"] and not zero["COOKIE ECHO"] and len(link.b.application.data) == 1


def halves_cwnd_by_ecne_once_in_a_window():
    link = Link(Policy(ecn=True), Policy(ecn=True))
    a, _ = link.connect()
    for _ in range(40):
        a.send(b"z" * 1400)
    link.run(1)

    def mark(datagram):
        if datagram.tos & 3 == 2:
            datagram.tos |= TOS_CE
        return datagram

    link.change = mark
    before = a.primary.cwnd
    a.send(b"z")
    link.run(0.5)
    assert a.primary.cwnd == max(before // 2, 4 * 1468) and link.sent(link.b, wire.ECNE) and link.sent(link.a, wire.CWR)


def opens_uses_and_closes_a_data_channel():
    link = Link(Policy(data_channels=True), Policy(data_channels=True))
    a, b = link.connect()
    stream = a.open_channel(b"chat", b"proto", ordered=False, retransmissions_max=3)
    link.run(1)
    assert ("channel_opened", stream, b"chat", b"proto") in link.b.application.events and ("channel_acked", stream) in link.a.application.events
    b.send_on_channel(stream, b"hello", is_text=True), b.send_on_channel(stream, b"")
    link.run(1)
    assert [(d[1], d[2]) for d in link.a.application.data] == [(wire.PPID_STRING, b"hello"), (wire.PPID_BINARY_EMPTY, b"\0")]
    a.close_channel(stream)
    link.run(3)
    assert not a.channels and not b.channels


# Deviations.
class NoBackoff:
    def back_off_rto(self, path):
        """6.3.3 E2 left out."""


class Echoes:
    def receive_out_of_the_blue(self, packet, datagram):
        """8.4 answered with what came."""
        self.reply(packet, datagram, packet.tag, packet.chunks)


def defines_each_decision_in_one_file():
    for owner in (Association, Endpoint):
        names = [name for file in owner.__mro__[:-1] for name in vars(file) if not name.startswith("__")]
        assert len(names) == len(set(names))


def replaces_a_decision_by_that_of_a_deviation():
    tester = Tester()
    deviation = types_module.SimpleNamespace(association_mixin=NoBackoff, endpoint_mixin=Echoes)
    tester.endpoint = Endpoint(tester.simulation, tester.transmit, Policy(), ["10.0.0.2"], 6000, application=Recorder(), deviation=deviation)
    assert types(tester.ask(wire.sack_chunk(1, 1, [], []), tag=5)) == [[wire.SACK]]
    association = tester.connect()
    association.send(b"x")
    tester.sent = []
    assert len(tester.wait(5.5)) == 5


# The whole.
@pytest.mark.parametrize("name", sorted(PRESETS))
def speaks_with_itself_by_each_preset(name):
    link = Link(Policy.preset(name), Policy.preset(name))
    a, _ = link.connect()
    for number in range(50):
        a.send(bytes([number]) * 700, stream=number % 2)
    link.run(10)
    a.shutdown()
    link.run(5)
    assert len(link.b.application.data) == 50 and a.is_gone


def gives_the_same_bytes_for_the_same_seed():
    def run(seed):
        link = Link(Policy.random(random.Random(seed)), Policy.random(random.Random(seed + 1)), seed=seed)
        rng = link.simulation.random("loss")
        link.drop = lambda datagram, packet: rng.random() < 0.1
        association = link.a.associate(["10.0.0.2"], 6000)
        for number in range(30):
            association.send(bytes([number]) * 900)
        link.run(60)
        return [(t, d.sctp) for (t, _, _), d in zip(link.packets, link.datagrams)]

    assert run(5) == run(5) and run(5) != run(6)


@pytest.mark.parametrize("seed", range(12))
def delivers_all_that_is_reliable_once_and_in_order(seed):
    rng = random.Random(seed)
    link = Link(Policy.random(rng), Policy.random(rng), seed=seed)
    link.drop = lambda datagram, packet: rng.random() < 0.05
    association = link.a.associate(["10.0.0.2"], 6000)
    link.run(20)
    todo = [(number.to_bytes(4, "big") * rng.choice([5, 200, 1500]), number % min(3, association.outbound_streams)) for number in range(40)]
    rest = list(todo)
    while rest and not association.is_gone:
        if association.send(*rest[0]) is None:
            link.run(1)
        else:
            rest.pop(0)
    link.run(400)
    association.shutdown()
    link.run(400)
    got = [(data, stream) for stream, _, data, _ in link.b.application.data]
    assert sorted(got) == sorted(todo) and all([r for r in got if r[1] == s] == [r for r in todo if r[1] == s] for s in range(3))


def names_every_freedom_once_with_clause_and_draw():
    assert len({freedom.name for freedom in FREEDOMS}) == len(FREEDOMS) and all(freedom.meaning and freedom.clause for freedom in FREEDOMS)
    assert all(name in Policy.__slots__ for names in (KEEPS_SHOULD, *PRESETS.values()) for name in names)
    assert Policy.random(random.Random(1), keeps_should=True).rto_min_ns == SECOND_NS


for _name, _test in list(globals().items()):
    if callable(_test) and getattr(_test, "__module__", None) == __name__ and not isinstance(_test, type) and _name not in (
        "types", "the_sack", "causes", "multihomed", "abandons_and_forwards",
    ):  # fmt: skip
        globals()[f"test_{_name}"] = _test
