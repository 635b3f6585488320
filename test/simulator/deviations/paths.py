# SPDX-License-Identifier: GPL-2.0-or-later
"""Deviations of path management (RFC 9260 5.4, 6.4, 8.1 to 8.3; RFC 7829): HEARTBEATs, failover, verification."""

from .. import occasions as o
from .. import wire
from ..clock import MILLISECOND_NS as MS
from ..clock import SECOND_NS as S
from ..deviation import (
    ASKED_UNSEEN,
    DISORDER,
    FACTS,
    MUST,
    PACKETS,
    SHOULD,
    Decisions,
    altering,
    changing_packet,
    delaying,
    latest_ns,
    omitting,
    row,
    with_value,
)

HEARTBEAT, HEARTBEAT_ACK = (wire.HEARTBEAT,), (wire.HEARTBEAT_ACK,)

omitting("no-heartbeat-ack", "A HEARTBEAT is not answered.", ["RFC 9260 8.3"], MUST, "D", PACKETS, HEARTBEAT_ACK, o.idle)
delaying("heartbeat-ack-late", "HEARTBEATs are answered after seconds.", ["RFC 9260 8.3"], SHOULD, FACTS, HEARTBEAT_ACK, (2 * S, 4 * S), o.idle)
altering(
    "heartbeat-info-altered",
    "The HEARTBEAT ACK has other Heartbeat Info than the HEARTBEAT.",
    ["RFC 9260 3.3.6", "RFC 9260 8.3"],
    MUST,
    "C",
    PACKETS,
    HEARTBEAT_ACK,
    lambda chunk, endpoint, packet: with_value(chunk, chunk.value[:-2] + b"\xff\xfe"),
    o.idle,
)
altering(
    "heartbeat-info-cut",
    "The HEARTBEAT ACK lacks the end of the Heartbeat Info.",
    ["RFC 9260 3.3.6", "RFC 9260 8.3"],
    MUST,
    "C",
    PACKETS,
    HEARTBEAT_ACK,
    lambda chunk, endpoint, packet: with_value(chunk, b"\0\1\0\x0c" + chunk.value[4:12]),
    o.idle,
)
altering(
    "heartbeat-nonce-constant",
    "Each HEARTBEAT has the same Heartbeat Info: no nonce.",
    ["RFC 9260 5.4", "RFC 9260 3.3.5"],
    SHOULD,
    "C",
    PACKETS,
    HEARTBEAT,
    lambda chunk, endpoint, packet: with_value(chunk, chunk.value[:4] + b"\x07" * (len(chunk.value) - 4)),
    o.two_paths,
    o.idle,
)


def to_other_address(packet, endpoint):
    """From and to the second addresses."""
    if not endpoint.receiving or ":2:" in packet.destination or packet.destination.startswith("10.2."):
        return False
    packet.destination = packet.destination.replace("10.1.", "10.2.").replace("db8:1:", "db8:2:")
    return True


changing_packet(
    "heartbeat-ack-elsewhere",
    "The HEARTBEAT ACK goes to another address than the HEARTBEAT came from.",
    ["RFC 9260 8.3", "RFC 9260 6.4"],
    SHOULD,
    "C",
    PACKETS,
    HEARTBEAT_ACK,
    to_other_address,
    o.two_paths,
    o.idle,
)


def from_other_address(packet, endpoint):
    """From an address that is no part of the association."""
    packet.source = packet.source[:-1] + "9"


changing_packet(
    "wrong-source-address",
    "Packets with DATA come from an address that the association does not have.",
    ["RFC 9260 3.3.2.1.1", "RFC 9260 11.1.1"],
    SHOULD,
    "C",
    PACKETS,
    (wire.DATA,),
    from_other_address,
    o.sends,
)


def last_to(association, path):
    """The number of the last packet that was sent to a path: since then it is idle."""
    return (association.endpoint.last_to or {}).get(path.address)


@row(["RFC 9260 8.3"], SHOULD, "D", FACTS, o.idle, lambda draft: draft.policies[draft.own].update(heartbeat_is_on=True))
class NoHeartbeats(Decisions):
    """An idle path gets no HEARTBEATs."""

    def heartbeat_timer_expired(self, path):
        if self.may_send_heartbeats() and path.is_confirmed:
            self.deviates_now(self.endpoint.last_sent, last_to(self, path))
            self.start_heartbeat_timer(path)
        else:
            super().heartbeat_timer_expired(path)


class HeartbeatTimed(Decisions):
    """Notes each HEARTBEAT to a confirmed path with the one before."""

    def send_heartbeat(self, path):
        super().send_heartbeat(path)
        if path.is_confirmed:
            self.deviates_with(self.controls[-1][0])


@row(["RFC 9260 8.3"], SHOULD, "E", PACKETS, o.idle)
class HeartbeatsTooOften(HeartbeatTimed):
    """An idle path gets a HEARTBEAT every 100 ms."""

    def heartbeat_period_ns(self, path):
        return 100 * MS


@row(["RFC 9260 8.3"], SHOULD, "E", FACTS, o.idle, o.one_path, lambda draft: setattr(draft, "end", "nothing"))
class HeartbeatsWithoutJitter(HeartbeatTimed):
    """HEARTBEATs come at exact intervals."""

    def heartbeat_period_ns(self, path):
        return 3 * S


@row(["RFC 9260 8.3"], SHOULD, "F", DISORDER, o.is_ended, o.two_paths)
class HeartbeatAfterShutdownAck(Decisions):
    """HEARTBEATs go on after SHUTDOWN ACK."""

    def send_shutdown_ack(self):
        super().send_shutdown_ack()
        self.simulation.after(100_000, self.beat)

    def beat(self):
        if self.paths and self.state == "SHUTDOWN-ACK-SENT":
            self.note_packet(self.emit(self.primary, [wire.heartbeat_chunk(bytes(40))]))


@row(["RFC 9260 8.3"], SHOULD, "F", PACKETS, o.ends_while_receiving)
class HeartbeatAfterShutdown(Decisions):
    """HEARTBEATs go on after SHUTDOWN."""

    def send_shutdown(self):
        super().send_shutdown()
        if not getattr(self, "has_beaten", False):
            self.has_beaten = True
            self.simulation.after(10 * MS, self.beat)

    def beat(self):
        if self.state == "SHUTDOWN-SENT":
            self.note_packet(self.emit(self.primary, [wire.heartbeat_chunk(bytes(40))]))


@row(["RFC 9260 3.3.6", "RFC 9260 8.3"], SHOULD, "F", PACKETS, o.idle)
class HeartbeatAckUnasked(Decisions):
    """A HEARTBEAT ACK for which there was no HEARTBEAT."""

    def heartbeat_timer_expired(self, path):
        super().heartbeat_timer_expired(path)
        if self.state == "ESTABLISHED" and not path.is_removed:
            self.note_packet(self.emit(path, [wire.Chunk(wire.HEARTBEAT_ACK, 0, wire.Tlv(wire.HEARTBEAT_INFO, b"nobody asked").unpadded())]))


@row(["RFC 9260 8.3"], SHOULD, "F", PACKETS, o.idle)
class HeartbeatAnsweredTwice(Decisions):
    """A HEARTBEAT is answered by two HEARTBEAT ACKs."""

    def receive_heartbeat(self, chunk):
        super().receive_heartbeat(chunk)
        if self.answers_heartbeats():
            self.deviates_with(wire.Chunk(wire.HEARTBEAT_ACK, 0, chunk.value))
            self.queue_control(self.endpoint.deviation.pending[-1], self.arrival_path)


@row(["RFC 9260 8.3", "RFC 9260 5.4"], SHOULD, "F", PACKETS, o.client)
class HeartbeatWithCookieEcho(Decisions):
    """A HEARTBEAT is bundled with the COOKIE ECHO."""

    def send_cookie_echo(self):
        self.pending_errors = [wire.heartbeat_chunk(bytes(40))]
        self.deviates_with(self.pending_errors[0])
        super().send_cookie_echo()


@row(["RFC 9260 5.4"], MUST, "F", ASKED_UNSEEN, o.two_paths, o.sends, o.dead_second_path)
class DataToUnconfirmed(Decisions):
    """DATA goes to an address that is not confirmed."""

    def data_path(self):
        for path in self.paths.values():
            if not path.is_confirmed and self.state == "ESTABLISHED" and path.errors < 3:
                return path
        return super().data_path()

    def emit(self, path, chunks, data=(), tag=None):
        datagram = super().emit(path, chunks, data, tag)
        if data and not path.is_confirmed:
            self.deviates_now(datagram.number)
        return datagram


@row(["RFC 9260 5.4"], MUST, "D", FACTS, o.two_paths, o.sends_slowly, o.stays_open)
class NeverVerifies(Decisions):
    """Addresses of the peer that are not confirmed are never probed."""

    def may_verify(self, path):
        self.deviates_now(self.endpoint.last_sent)
        return False


@row(["RFC 9260 5.4"], SHOULD, "E", PACKETS, o.two_paths, o.dead_second_path, o.stays_open, o.own_given(heartbeat_is_on=True))
class VerifiesTooOften(Decisions):
    """An unconfirmed address gets a HEARTBEAT every 20 ms."""

    def heartbeat_period_ns(self, path):
        return super().heartbeat_period_ns(path) if path.is_confirmed else 20 * MS

    def heartbeat_timer_expired(self, path):
        if path.is_confirmed or not self.may_send_heartbeats() or path.is_removed:
            super().heartbeat_timer_expired(path)
            return
        self.deviates_with(wire.heartbeat_chunk(bytes(40)))
        self.controls.append((self.endpoint.deviation.pending[-1], path))
        self.start_heartbeat_timer(path)
        self.flush()


@row(["RFC 9260 8.2", "RFC 9260 6.4"], SHOULD, "C", FACTS, o.dead_primary)
class NeverFailsOver(Decisions):
    """A path that does not answer stays active beyond Path.Max.Retrans, and DATA goes there first."""

    def count_path_error(self, path):
        path.errors += 1

    def timeout_path(self, path):
        return path

    def count_association_error(self):
        return False

    def emit(self, path, chunks, data=(), tag=None):
        datagram = super().emit(path, chunks, data, tag)
        if data and path.errors > self.policy.path_retransmissions_max and self.answering_path(path) is not None:
            self.deviates_now(datagram.number)
        return datagram


@row(["RFC 9260 6.4", "RFC 9260 8.2"], SHOULD, "C", PACKETS, o.two_paths, o.sends)
class NewDataAlternates(Decisions):
    """New DATA goes to both addresses in turn, though the primary path works."""

    turns, last_path = 0, None

    def data_path(self):
        ready = [path for path in self.paths.values() if path.is_confirmed and path.is_active]
        return ready[self.next_tsn // 3 % len(ready)] if ready else super().data_path()

    def emit(self, path, chunks, data=(), tag=None):
        """The user may change the primary path (11.1.6): it shows where data went there, back, and there again."""
        datagram = super().emit(path, chunks, data, tag)
        if data:
            self.turns += self.last_path is not None and path is not self.last_path
            self.last_path = path
        if data and self.turns >= 3:
            self.deviates_now(datagram.number)
        return datagram


@row(["RFC 9260 8.3"], SHOULD, "D", FACTS, o.dead_primary, o.stays_open, o.own_given(heartbeat_interval_ns=5 * S, heartbeat_is_on=True))
class InactiveNotProbed(Decisions):
    """An inactive path gets no HEARTBEATs any more."""

    def heartbeat_timer_expired(self, path):
        if path.is_active:
            super().heartbeat_timer_expired(path)
        else:
            self.deviates_now(self.endpoint.last_sent, last_to(self, path))


@row(["RFC 7829 3"], SHOULD, "C", FACTS, o.dead_primary, o.own_given(potentially_failed=True, pf_retransmissions_max=0))
class DataToPotentiallyFailed(Decisions):
    """DATA goes on to a potentially failed path though another one is active."""

    def data_path(self):
        primary = self.primary
        return primary if primary is not None and primary.is_confirmed and primary.is_active else super().data_path()

    def timeout_path(self, path):
        return path if path.is_active else super().timeout_path(path)

    def emit(self, path, chunks, data=(), tag=None):
        datagram = super().emit(path, chunks, data, tag)
        if data and path.is_failing and self.answering_path(path) is not None:
            self.deviates_now(datagram.number)
        return datagram


@row(["RFC 7829 3"], SHOULD, "D", FACTS, o.dead_primary, o.own_given(potentially_failed=True, pf_retransmissions_max=0, path_retransmissions_max=5))
class PotentiallyFailedNotProbed(Decisions):
    """A potentially failed path gets no HEARTBEATs."""

    def probe_failing_path(self, path):
        self.start_heartbeat_timer(path)

    def heartbeat_timer_expired(self, path):
        """One is due within an RTO, unless data that is outstanding there tells as much (RFC 7829 3 (6))."""
        if path.is_failing:
            before, sent = self.endpoint.last_sent, last_to(self, path)
            is_over = lambda: path.is_removed or not path.is_failing or not self.may_send_heartbeats() or path.unacked or last_to(self, path) != sent
            if not is_over():
                self.deviates_unless(latest_ns(2 * path.rto_ns), is_over, before, sent)
            self.start_heartbeat_timer(path)
        else:
            super().heartbeat_timer_expired(path)
