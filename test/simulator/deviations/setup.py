# SPDX-License-Identifier: GPL-2.0-or-later
"""Deviations in setting up and restarting an association (RFC 9260 3.3.2, 3.3.3, 5). Leaves out wrong Verification Tags (tags.py)."""

from .. import occasions as o
from .. import wire
from ..clock import MILLISECOND_NS as MS
from ..clock import SECOND_NS as S

from ..deviation import (
    FACTS,
    LOST_BEHIND,
    MUST,
    PACKETS,
    SHOULD,
    STOPPED,
    Decisions,
    EndpointDecisions,
    altering,
    changing_packet,
    delaying,
    latest_ns,
    omitting,
    row,
    with_value,
    with_word,
)
from ..wire import Tlv

INIT, INIT_ACK = (wire.INIT,), (wire.INIT_ACK,)
COOKIE_ECHO, COOKIE_ACK = (wire.COOKIE_ECHO,), (wire.COOKIE_ACK,)


# --- fields of INIT and INIT ACK --------------------------------------------------------------------------------------


def field(at, number, size=4):
    return lambda chunk, endpoint, packet: with_word(chunk, at, number, size)


def parameters(change):
    """The parameters of an INIT or INIT ACK as change(list) returns them."""

    def altered(chunk, endpoint, packet):
        before = wire.parse_tlvs(chunk.value[16:])
        after = change(list(before))
        return None if after is None else with_value(chunk, chunk.value[:16] + wire.encode_tlvs(after))

    return altered


def without(type_):
    return parameters(lambda given: [one for one in given if one.type != type_] if any(one.type == type_ for one in given) else None)


altering("init-tag-zero", "The Initiate Tag of the INIT is 0.", ["RFC 9260 3.3.2"], MUST, "A", PACKETS, INIT, field(0, 0), o.client)
altering("init-small-window", "The INIT advertises less than 1,500 bytes.", ["RFC 9260 3.3.2"], MUST, "A", PACKETS, INIT, field(4, 1000), o.client)
altering("init-no-outbound-streams", "The INIT asks for 0 outbound streams.", ["RFC 9260 3.3.2"], MUST, "A", PACKETS, INIT, field(8, 0, 2), o.client)
altering("init-no-inbound-streams", "The INIT allows 0 inbound streams.", ["RFC 9260 3.3.2"], MUST, "A", PACKETS, INIT, field(10, 0, 2), o.client)
altering(
    "init-host-name",
    "The INIT has a Host Name Address.",
    ["RFC 9260 3.3.2", "RFC 9260 3.3.2.1.4"],
    MUST,
    "A",
    PACKETS,
    INIT,
    parameters(lambda given: given + [Tlv(wire.HOST_NAME_ADDRESS, b"a.example\0")]),
    o.client,
)
altering(
    "init-mapped-address",
    "The INIT lists an IPv4-mapped IPv6 address.",
    ["RFC 9260 3.3.2.1.2"],
    MUST,
    "A",
    PACKETS,
    INIT,
    parameters(lambda given: given + [wire.address_parameter("::ffff:10.1.0.1")]),
    o.client,
)
altering("init-ack-tag-zero", "The Initiate Tag of the INIT ACK is 0.", ["RFC 9260 3.3.3"], MUST, "A", PACKETS, INIT_ACK, field(0, 0), o.server)
altering(
    "init-ack-small-window",
    "The INIT ACK advertises less than 1,500 bytes.",
    ["RFC 9260 3.3.3"],
    MUST,
    "A",
    PACKETS,
    INIT_ACK,
    field(4, 900),
    o.server,
)
altering(
    "init-ack-no-outbound-streams",
    "The INIT ACK asks for 0 outbound streams.",
    ["RFC 9260 3.3.3"],
    MUST,
    "A",
    PACKETS,
    INIT_ACK,
    field(8, 0, 2),
    o.server,
)
altering(
    "init-ack-no-inbound-streams",
    "The INIT ACK allows 0 inbound streams.",
    ["RFC 9260 3.3.3"],
    MUST,
    "A",
    PACKETS,
    INIT_ACK,
    field(10, 0, 2),
    o.server,
)
altering(
    "init-ack-too-many-streams",
    "The INIT ACK asks for more streams than the INIT allows.",
    ["RFC 9260 3.3.3"],
    MUST,
    "C",
    PACKETS,
    INIT_ACK,
    field(8, 3000, 2),
    o.server,
    o.peer_given(inbound_streams=100),
)
altering(
    "init-ack-without-cookie",
    "The INIT ACK has no State Cookie.",
    ["RFC 9260 3.3.3", "RFC 9260 5.1"],
    MUST,
    "A",
    PACKETS,
    INIT_ACK,
    without(wire.STATE_COOKIE),
    o.server,
)
altering(
    "init-ack-host-name",
    "The INIT ACK has a Host Name Address.",
    ["RFC 9260 3.3.3"],
    MUST,
    "A",
    PACKETS,
    INIT_ACK,
    parameters(lambda given: given + [Tlv(wire.HOST_NAME_ADDRESS, b"b.example\0")]),
    o.server,
)
altering(
    "unrecognized-parameter-not-reported",
    "A parameter of the INIT that is to be reported is not.",
    ["RFC 9260 3.2.1", "RFC 9260 3.2.2"],
    MUST,
    "D",
    PACKETS,
    INIT_ACK,
    without(wire.UNRECOGNIZED_PARAMETER),
    o.server,
    o.peer_given(forward_tsn=True, forward_tsn_parameter=True),
    o.own_given(forward_tsn=False, forward_tsn_parameter_is_known=False),
    never_shows="Who knows the parameter and does not use it need not report it, and whether it does is not on the wire; a type that no "
    "document has is told by FMT-052.",
)


# --- State Cookie -----------------------------------------------------------------------------------------------------


def spoilt_cookie(chunk, endpoint, packet):
    at = len(chunk.value) // 2
    return with_value(chunk, chunk.value[:at] + bytes([chunk.value[at] ^ 0xFF]) + chunk.value[at + 1 :])


altering(
    "cookie-altered",
    "The COOKIE ECHO bears another cookie than the INIT ACK.",
    ["RFC 9260 5.1", "RFC 9260 3.3.11"],
    MUST,
    "C",
    PACKETS,
    COOKIE_ECHO,
    spoilt_cookie,
    o.client,
)
altering(
    "cookie-cut",
    "The COOKIE ECHO lacks the last bytes of the cookie.",
    ["RFC 9260 5.1", "RFC 9260 3.3.11"],
    MUST,
    "C",
    PACKETS,
    COOKIE_ECHO,
    lambda chunk, endpoint, packet: with_value(chunk, chunk.value[:-4]),
    o.client,
)


def turned(packet, endpoint):
    """What should be first comes last."""
    if len(packet.chunks) < 2:
        return False
    packet.chunks = packet.chunks[1:] + packet.chunks[:1]
    return True


changing_packet(
    "cookie-echo-not-first",
    "DATA stands before the COOKIE ECHO.",
    ["RFC 9260 5.1", "RFC 9260 3.3.11"],
    MUST,
    "A",
    PACKETS,
    COOKIE_ECHO,
    turned,
    o.client,
    o.own_given(bundles_data_with_cookie_echo=True),
    lambda draft: draft.calls.append((o.BEGIN_NS + 1, lambda world, own, peer: own.endpoint.send(b"early" * 20, 0, 0))),
)


def after_pad(packet, endpoint):
    packet.chunks.insert(0, wire.Chunk(wire.PAD, 0, bytes(4)))


changing_packet(
    "cookie-ack-not-first",
    "A PAD chunk stands before the COOKIE ACK.",
    ["RFC 9260 5.1", "RFC 9260 3.3.12"],
    SHOULD,
    "A",
    PACKETS,
    COOKIE_ACK,
    after_pad,
    o.server,
)


# --- answers that are missing -----------------------------------------------------------------------------------------

omitting("no-init-ack", "An INIT is not answered.", ["RFC 9260 5.1"], MUST, "D", FACTS, INIT_ACK, o.server)
omitting("no-cookie-echo", "An INIT ACK is not answered.", ["RFC 9260 5.1"], MUST, "D", STOPPED, COOKIE_ECHO, o.client)
omitting("no-cookie-ack", "A COOKIE ECHO is not answered.", ["RFC 9260 5.1"], MUST, "D", PACKETS, COOKIE_ACK, o.server)


@row(["RFC 9260 5.1", "RFC 9260 5.1.4"], MUST, "D", FACTS, o.client, o.loses(INIT, True, 1), o.loses(INIT_ACK, False, 1))
class InitNeverRepeated(Decisions):
    """An INIT that is not answered is never repeated."""

    def t1_init_expired(self):
        self.deviates_now(self.endpoint.last_sent)


@row(["RFC 9260 5.1", "RFC 9260 5.1.4"], MUST, "D", FACTS, o.client, o.loses(COOKIE_ACK, False, 1))
class CookieEchoNeverRepeated(Decisions):
    """A COOKIE ECHO that is not answered is never repeated."""

    def t1_cookie_expired(self):
        rto_ns = self.t1_cookie.rto_ns
        self.deviates_unless(latest_ns(rto_ns) - rto_ns, lambda: self.state != "COOKIE-ECHOED", self.endpoint.last_sent)


@row(["RFC 9260 5.2.4"], MUST, "D", PACKETS, o.server, o.loses(COOKIE_ACK, True, 1))
class RepeatedCookieEchoNotAnswered(Decisions):
    """The COOKIE ACK was lost, and a repeated COOKIE ECHO gets none (action D)."""

    def cookie_action_d(self, cookie, datagram):
        self.deviates_now()
        return False


@row(
    ["RFC 9260 5.1.5"],
    MUST,
    "D",
    FACTS,
    o.server,
    o.loses(COOKIE_ECHO, False, 4),
    o.given(rto_initial_ns=3 * S),
    o.own_given(cookie_life_ns=5 * S),
    o.peer_given(init_retransmissions_max=8),
)
class StaleCookieTaken(EndpointDecisions):
    """A cookie whose life is over is taken."""

    def open_cookie(self, sealed):
        cookie = super().open_cookie(sealed)
        if cookie is not None and self.simulation.now_ns > cookie.created_ns + cookie.life_ns:
            self.deviates_now()
            return cookie._replace(created_ns=self.simulation.now_ns)
        return cookie


@row(["RFC 9260 5.1.5"], MUST, "D", PACKETS, o.server)
class FreshCookieRefused(EndpointDecisions):
    """A cookie that is fresh is refused as stale."""

    def open_cookie(self, sealed):
        cookie = super().open_cookie(sealed)
        if cookie is not None:
            self.deviates_now()
            return cookie._replace(created_ns=-100 * S, life_ns=S)
        return cookie


# --- time -------------------------------------------------------------------------------------------------------------


@row(["RFC 9260 5.1", "RFC 9260 6.3.3"], MUST, "E", PACKETS, o.client, o.loses(INIT_ACK, False, 4), o.own_given(init_retransmissions_max=8))
class InitWithoutBackoff(Decisions):
    """The timer T1-init does not back off."""

    def back_off_setup(self):
        self.init_path_index += 1
        if self.state == "COOKIE-WAIT" and self.setup_retransmissions > 1:
            self.repeats_early = True

    def send_init(self):
        before = self.endpoint.last_sent
        super().send_init()
        if getattr(self, "repeats_early", False):
            self.deviates_now(before, self.endpoint.last_sent)


@row(["RFC 9260 5.1", "RFC 9260 6.3.3"], MUST, "E", PACKETS, o.client, o.loses(COOKIE_ACK, False, 4), o.own_given(init_retransmissions_max=8))
class CookieEchoWithoutBackoff(Decisions):
    """The timer T1-cookie does not back off."""

    def back_off_setup(self):
        self.repeats_early = self.setup_retransmissions > 1

    def send_cookie_echo(self):
        before = self.endpoint.last_sent
        super().send_cookie_echo()
        if getattr(self, "repeats_early", False):
            self.deviates_now(before, self.endpoint.last_sent)


@row(["RFC 9260 5.1", "RFC 9260 6.3.1"], SHOULD, "E", PACKETS, o.client, o.loses(INIT_ACK, False, 3))
class InitRepeatedEarly(Decisions):
    """INITs follow each other within 100 ms."""

    def send_init(self):
        before = self.endpoint.last_sent
        self.setup_rto_ns = 50 * MS
        super().send_init()
        if self.setup_retransmissions:
            self.deviates_now(before, self.endpoint.last_sent)


@row(
    ["RFC 9260 4", "RFC 9260 5.1.4"],
    SHOULD,
    "F",
    FACTS,
    o.client,
    o.loses(INIT, True, 40),
    o.own_given(init_retransmissions_max=8, rto_initial_ns=S, rto_max_ns=5 * S),
)
class TooManyInits(Decisions):
    """More than Max.Init.Retransmits INITs."""

    def t1_init_expired(self):
        if not self.policy.init_retransmissions_max <= self.setup_retransmissions < 30:
            super().t1_init_expired()
            return
        self.setup_retransmissions += 1
        self.back_off_setup()
        self.send_init()
        self.deviates_now(self.endpoint.last_sent)


delaying("init-ack-late", "The INIT ACK comes seconds after the INIT.", ["RFC 9260 5.1"], SHOULD, FACTS, INIT_ACK, (2 * S, 4 * S), o.server)
delaying(
    "cookie-ack-late", "The COOKIE ACK comes seconds after the COOKIE ECHO.", ["RFC 9260 5.1"], SHOULD, FACTS, COOKIE_ACK, (2 * S, 4 * S), o.server
)


# --- what must not be sent --------------------------------------------------------------------------------------------


@row(
    ["RFC 9260 5.1"],
    MUST,
    "F",
    PACKETS,
    o.client,
    o.sends,
    o.given(bundles_data_with_cookie_echo=True),
    lambda draft: setattr(draft, "delay_ns", 20 * MS),
)
class DataBeforeCookieAck(Decisions):
    """Packets with DATA follow the COOKIE ECHO before the COOKIE ACK has come."""

    def send_cookie_echo(self):
        super().send_cookie_echo()
        for _ in range(2):
            self.send(b"too early" * 10)
        path = self.setup_path()
        data = self.take_data(path, self.room_bytes(path, []))
        if data:
            self.note_packet(self.emit(path, [], data))


@row(["RFC 9260 5.1"], MUST, "F", PACKETS, o.client)
class HeartbeatBeforeCookieAck(Decisions):
    """A HEARTBEAT follows the COOKIE ECHO before the COOKIE ACK has come."""

    def send_cookie_echo(self):
        super().send_cookie_echo()
        path = self.setup_path()
        self.note_packet(self.emit(path, [wire.heartbeat_chunk(bytes(40))]))


def beside(chunk):
    def change(packet, endpoint):
        packet.chunks.append(chunk)

    return change


PAD = wire.Chunk(wire.PAD, 0, bytes(8))
changing_packet(
    "init-bundled", "The INIT is not alone in its packet.", ["RFC 9260 6.10", "RFC 9260 3"], MUST, "A", PACKETS, INIT, beside(PAD), o.client
)
changing_packet(
    "init-ack-bundled",
    "The INIT ACK is not alone in its packet.",
    ["RFC 9260 6.10", "RFC 9260 3"],
    MUST,
    "A",
    PACKETS,
    INIT_ACK,
    beside(PAD),
    o.server,
    o.peer_given(bundled_alone_answer="take"),
)


def to_other_address(packet, endpoint):
    """The INIT ACK goes to the peer's second address."""
    packet.destination = packet.destination.replace("10.1.", "10.2.").replace("db8:1:", "db8:2:")


changing_packet(
    "init-ack-elsewhere",
    "The INIT ACK goes to another address than the INIT came from.",
    ["RFC 9260 5.1"],
    MUST,
    "C",
    PACKETS,
    INIT_ACK,
    to_other_address,
    o.server,
    o.two_paths,
)


# --- collisions and restarts ------------------------------------------------------------------------------------------


@row(["RFC 9260 5.2.1"], MUST, "C", PACKETS, o.both_associate)
class CollisionAnsweredWithNewTag(Decisions):
    """An INIT in COOKIE-WAIT is answered with another Initiate Tag than that of the own INIT."""

    def answer_collision(self, packet, datagram, init, offer):
        own_tag, self.own_tag = self.own_tag, self.endpoint.new_tag()
        super().answer_collision(packet, datagram, init, offer)
        self.own_tag = own_tag
        self.deviates_now(self.endpoint.last_sent)


@row(["RFC 9260 5.2.1"], MUST, "D", LOST_BEHIND, o.both_associate)
class CollisionIgnored(Decisions):
    """An INIT in COOKIE-WAIT or COOKIE-ECHOED is not answered."""

    def receive_unexpected_init(self, packet, datagram, init, offer):
        self.deviates_now()


@row(["RFC 9260 5.2.2"], MUST, "C", PACKETS, o.peer_restarts)
class RestartAnsweredWithOldTag(Decisions):
    """An INIT of an association that is up is answered with the tag that is in use."""

    def tag_for_restart(self):
        return self.own_tag

    def answer_restart(self, packet, datagram, init, offer):
        super().answer_restart(packet, datagram, init, offer)
        self.deviates_now(self.endpoint.last_sent)


@row(["RFC 9260 5.2.2"], MUST, "D", PACKETS, o.peer_restarts)
class RestartIgnored(Decisions):
    """An INIT of an association that is up is not answered."""

    def receive_unexpected_init(self, packet, datagram, init, offer):
        self.deviates_now()


@row(["RFC 9260 5.2.2"], MUST, "D", PACKETS, o.peer_restarts)
class RestartAborted(Decisions):
    """An INIT of an association that is up is answered by an ABORT."""

    def receive_unexpected_init(self, packet, datagram, init, offer):
        self.endpoint.reply(packet, datagram, init.tag, [wire.causes_chunk(wire.ABORT, [])])
        self.deviates_now(self.endpoint.last_sent)


@row(["RFC 9260 5.2.4"], MUST, "D", PACKETS, o.peer_restarts)
class RestartCookieIgnored(Decisions):
    """The COOKIE ECHO of a peer that restarted is not answered (action A)."""

    def cookie_action_a(self, cookie, datagram):
        self.deviates_now()
        return False


@row(["RFC 9260 5.2.4"], MUST, "C", PACKETS, o.peer_restarts)
class RestartKeepsTsn(Decisions):
    """After a restart the TSNs go on as before, and not with the Initial TSN of the INIT ACK (action A)."""

    def establish_from_cookie(self, cookie, datagram):
        before = self.endpoint.made[0] is self and getattr(self, "tsn_before", None)
        super().establish_from_cookie(cookie, datagram)
        if before:
            self.next_tsn = before
            self.deviates_now()
            self.is_off = True

    def forget_all(self, reason):
        self.tsn_before = self.next_tsn + 1000
        super().forget_all(reason)

    def emit(self, path, chunks, data=(), tag=None):
        datagram = super().emit(path, chunks, data, tag)
        if data and getattr(self, "is_off", False):
            self.deviates_now(datagram.number)
        return datagram


@row(["RFC 9260 5.2.3"], MUST, "F", PACKETS, o.client, o.sends, lambda draft: draft.lose(draft.peer, 0, duplicate=0.6))
class StrayInitAckAnswered(Decisions):
    """An INIT ACK that comes twice is answered by a COOKIE ECHO each time."""

    def receive_init_ack(self, chunk):
        if self.state in ("COOKIE-ECHOED", "ESTABLISHED") and self.cookie_value:
            self.note_packet(self.emit(self.primary, [wire.Chunk(wire.COOKIE_ECHO, 0, self.cookie_value)]))
            return None
        return super().receive_init_ack(chunk)
