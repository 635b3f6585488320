# SPDX-License-Identifier: GPL-2.0-or-later
"""An association: its control block, what it does with a packet, and the upcalls; put together from the files of this folder.

Each subject is a class of its own file, and each decision a method of its own: a deviation is a class put before Association that replaces some.
Leaves out what belongs to no association: endpoint.py.
"""

from .. import wire
from .asconf import Asconf
from .auth import Auth
from .bundling import Bundling
from .congestion import Congestion
from .data_channels import DataChannels
from .ecn import Ecn
from .encapsulation import Encapsulation
from .errors import Errors
from .fragmentation import Fragmentation
from .interleaving import Interleaving
from .partial_reliability import PartialReliability
from .paths import Paths
from .receiver import Receiver
from .reconfig import Reconfig
from .reordering import Reordering
from .restart import Restart
from .sender import Sender
from .setup import Setup
from .shutdown import Shutdown
from .timers import EndpointTimer
from .zero_checksum import ZeroChecksum


class Application:
    """The upcalls (RFC 9260 11.2); this one does nothing. Each gets the association first."""

    def up(self, association):
        """COMMUNICATION UP (11.2.4)."""

    def message(self, association, stream, ppid, data, ordered):
        """DATA ARRIVE and RECEIVE at once: a whole message; not called while the association's reading is paused."""

    def sendable(self, association):
        """The send buffer has room again after send() refused a message."""

    def acked(self, association, message):
        """Every fragment of a message is acked; message: its number, as send() returned it."""

    def send_failed(self, association, message, reason):
        """SEND FAILURE (11.2.2): abandoned (partial reliability), or the association ended."""

    def path_changed(self, association, address, state):
        """NETWORK STATUS CHANGE (11.2.3): ACTIVE, INACTIVE, POTENTIALLY-FAILED, CONFIRMED, ADDED, REMOVED."""

    def shutdown_received(self, association):
        """SHUTDOWN arrived (9.2): no more data is taken."""

    def closed(self, association, reason):
        """The association is gone. reason: shutdown, abort received, aborted, error count, setup failed, stale cookie."""

    def restarted(self, association):
        """RESTART (11.2.7): the peer began anew; sequence numbers began anew, too."""

    def peer_error(self, association, causes):
        """COMMUNICATION ERROR (11.2.6): an ERROR chunk's causes."""

    def streams_reset(self, association, direction, streams):
        """RFC 6525 6.1.1: direction "incoming" or "outgoing"; streams: list, empty for all."""

    def association_reset(self, association):
        """RFC 6525 6.1.2: TSNs and SSNs began anew."""

    def streams_added(self, association, direction, count):
        """RFC 6525 6.1.3: count streams more."""

    def reset_denied(self, association, result):
        """The peer's answer to a RE-CONFIG request was no."""

    def address_changed(self, association, address, what):
        """RFC 5061: what "added", "deleted", "set primary", "refused"."""

    def channel_opened(self, association, stream, label, protocol):
        """RFC 8832: the peer opened a data channel."""

    def channel_acked(self, association, stream):
        """RFC 8832: the peer took the data channel."""


WHEEL_LEVEL_TICKS, WHEEL_SHIFT = 63, 3


def wheel_granularity_ns(delay_ns, granularity_ns):
    """Of a timer wheel: eight times that of the level before, from 63 of a level's ticks on."""
    while delay_ns >= WHEEL_LEVEL_TICKS * granularity_ns:
        granularity_ns <<= WHEEL_SHIFT
    return granularity_ns


class Association(
    Setup, Restart, Shutdown, Bundling, Sender, Fragmentation, Congestion, Receiver, Reordering, Paths, PartialReliability, Interleaving,
    Auth, Asconf, Reconfig, Errors, Ecn, Encapsulation, ZeroChecksum, DataChannels,
):  # fmt: skip
    """The TCB (RFC 9260 14) and what is done with it."""

    def __init__(self, endpoint, peer_port):
        self.endpoint = endpoint
        self.simulation = endpoint.simulation
        self.policy = endpoint.policy
        self.application = endpoint.application
        self.random = endpoint.random
        self.number = len(endpoint.made)
        self.peer_port = peer_port
        self.own_addresses = list(endpoint.addresses)
        self.state = "CLOSED"
        self.was_up = False
        self.arrival_path = None
        self.arrival_address = None
        self.own_tag = self.peer_tag = 0
        self.begin_subjects()

    def begin_subjects(self):
        """What each subject keeps, as it is before the set-up."""
        self.begin_setup()
        self.begin_paths()
        self.begin_bundling()
        self.begin_sender()
        self.begin_receiver()
        self.begin_reordering()
        self.begin_partial_reliability()
        self.begin_auth()
        self.begin_asconf()
        self.begin_reconfig()
        self.begin_shutdown()
        self.begin_errors()
        self.begin_ecn()
        self.begin_data_channels()

    # Truth and time.
    def record(self, kind, **fields):
        endpoint = self.endpoint
        if endpoint.truth is not None:
            endpoint.truth.record(kind, self.simulation.now_ns, endpoint=endpoint.name, **fields)

    def enter(self, state, cause=None):
        """One state after another, as RFC 9260 4 names them."""
        if state != self.state:
            before, self.state = self.state, state
            self.record("state", association=self.number, state=state, before=before, cause=cause)

    def new_timer(self, name, callback, path=None):
        return EndpointTimer(self, name, callback, path)

    def timer_delay_ns(self, name, path, delay_ns):
        """How long a timer really takes: the host's granularity and lateness."""
        granularity_ns, lateness_ns = self.policy.timer_granularity_ns, self.policy.timer_lateness_ns
        if granularity_ns:
            now_ns = self.simulation.now_ns
            if self.policy.timer_wheel:
                granularity_ns = wheel_granularity_ns(delay_ns, granularity_ns)
            delay_ns = -(-(now_ns + delay_ns) // granularity_ns) * granularity_ns - now_ns
        if lateness_ns:
            delay_ns += self.random.randint(0, lateness_ns)
        return delay_ns

    @property
    def is_gone(self):
        return self.state == "CLOSED"

    # Packets.
    HANDLERS = {
        wire.DATA: "receive_data",
        wire.I_DATA: "receive_data",
        wire.INIT_ACK: "receive_init_ack",
        wire.SACK: "receive_sack",
        wire.HEARTBEAT: "receive_heartbeat",
        wire.HEARTBEAT_ACK: "receive_heartbeat_ack",
        wire.ABORT: "receive_abort",
        wire.SHUTDOWN: "receive_shutdown",
        wire.SHUTDOWN_ACK: "receive_shutdown_ack",
        wire.ERROR: "receive_error",
        wire.COOKIE_ACK: "receive_cookie_ack",
        wire.SHUTDOWN_COMPLETE: "receive_shutdown_complete",
        wire.AUTH: "receive_auth",
        wire.ECNE: "receive_ecne",
        wire.CWR: "receive_cwr",
        wire.FORWARD_TSN: "receive_forward_tsn",
        wire.I_FORWARD_TSN: "receive_forward_tsn",
        wire.RE_CONFIG: "receive_reconfig",
        wire.ASCONF: "receive_asconf",
        wire.ASCONF_ACK: "receive_asconf_ack",
        wire.PAD: "receive_pad",
        wire.NR_SACK: "receive_nr_sack",
        wire.COOKIE_ECHO: "receive_late_cookie_echo",
        wire.INIT: "receive_bundled_init",
    }

    def receive_packet(self, packet, datagram, first=0):
        """A packet of this association, from chunk number first on (what is before that has been dealt with)."""
        if first == 0 and not self.verification_tag_is_right(packet):
            self.receive_wrong_tag(packet, datagram)
            return
        if datagram.destination in self.deleting_addresses and any(chunk.type == wire.ABORT for chunk in packet.chunks):
            return  # RFC 5061 5.3 F4, 5.3.1
        self.arrival_path = self.paths.get(datagram.source)
        self.arrival_address = datagram.destination
        self.learn_udp_port(self.arrival_path, datagram)
        self.begin_received_packet(packet, datagram)
        self.receive_chunks(packet, first)
        if not self.is_gone:
            self.end_received_packet()
            self.flush()
        self.arrival_path = self.arrival_address = None

    def receive_chunks(self, packet, first):
        """In the order of the packet (RFC 9260 6.10); a partial chunk is dropped, what is not recognized is treated by 3.2."""
        for index in range(first, len(packet.chunks)):
            chunk = packet.chunks[index]
            if chunk.is_malformed:
                self.receive_partial_chunk(chunk)
                return
            if not self.is_authenticated(packet, index):
                continue
            handler = self.HANDLERS.get(chunk.type)
            if handler is None or not self.is_recognized(chunk.type):
                if not self.receive_unrecognized_chunk(chunk):
                    return
                continue
            if getattr(self, handler)(chunk) is False or self.is_gone:
                return

    def verification_tag_is_right(self, packet):
        """RFC 9260 8.5, 8.5.1: the own tag; with the T bit of ABORT or SHUTDOWN COMPLETE the peer's."""
        for chunk in packet.chunks:
            if chunk.type in (wire.ABORT, wire.SHUTDOWN_COMPLETE):
                return packet.tag == (self.peer_tag if chunk.flags & wire.FLAG_T else self.own_tag) and packet.tag != 0
        if self.state in ("COOKIE-WAIT", "COOKIE-ECHOED") and packet.chunks[0].type == wire.SHUTDOWN_ACK:
            return False
        return packet.tag == self.own_tag

    def receive_wrong_tag(self, packet, datagram):
        """Silently discarded (8.5); but a SHUTDOWN ACK in COOKIE-WAIT or COOKIE-ECHOED is out of the blue (8.5.1 E)."""
        if self.state in ("COOKIE-WAIT", "COOKIE-ECHOED") and packet.chunks[0].type == wire.SHUTDOWN_ACK:
            self.endpoint.receive_out_of_the_blue(packet, datagram)

    def receive_pad(self, chunk):
        """RFC 4820 3: discarded."""

    def receive_icmp(self, kind, path, mtu_bytes, is_init):
        """RFC 9260 10, ICMP7 to ICMP9."""
        kind = self.icmp_kind(kind, path)
        if kind == "too big":
            self.learn_pmtu(path, mtu_bytes)
        elif kind == "protocol unreachable" and (not is_init or self.state == "COOKIE-WAIT"):
            self.close("abort received")

    def close(self, reason):
        """Removes all record of the association; the user is told what was not delivered."""
        if self.is_gone and not self.paths:
            return
        self.enter("CLOSED", reason)
        for timer in self.all_timers():
            timer.stop()
        for address in list(self.paths):
            self.endpoint.remove_key(self, address)
        self.fail_messages(reason)
        self.application.closed(self, reason)

    def all_timers(self):
        """Every timer of the association."""
        timers = [
            self.t1_init,
            self.t1_cookie,
            self.t2_shutdown,
            self.t5_guard,
            self.sack_timer,
            self.probe_timer,
            self.reconfig_timer,
            self.asconf_timer,
            self.forward_tsn_timer,
            self.lifetime_timer,
        ]
        for path in self.every_path:
            timers += [path.t3, path.heartbeat_timer, path.heartbeat_timeout]
        return timers
