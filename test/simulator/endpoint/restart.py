# SPDX-License-Identifier: GPL-2.0-or-later
"""INIT, COOKIE ECHO and the like where a TCB exists (RFC 9260 5.2): collisions, restarts, late and repeated chunks.

Leaves out INIT ACK and COOKIE ACK in other states than theirs: setup.py discards these.
"""

from .. import wire
from ..wire import Tlv


class Restart:
    """The association's part of RFC 9260 5.2."""

    def receive_unexpected_init(self, packet, datagram, init, offer):
        """5.2.1 (COOKIE-WAIT, COOKIE-ECHOED), 5.2.2 (others), 9.2 (SHUTDOWN-ACK-SENT). No state changes, no timer stops."""
        if self.state == "SHUTDOWN-ACK-SENT":
            self.arrival_path = self.paths.get(datagram.source)
            self.repeat_shutdown_ack()
            self.flush()
            self.arrival_path = None
        elif self.state == "COOKIE-WAIT":
            if self.init_may_be_answered(datagram):
                self.answer_collision(packet, datagram, init, offer)
        elif self.new_addresses(datagram, offer):
            self.refuse_restart(packet, datagram, init, offer)
        elif self.state == "COOKIE-ECHOED":
            self.populate_tie_tags()
            self.answer_collision(packet, datagram, init, offer)
        else:
            self.answer_restart(packet, datagram, init, offer)

    def init_may_be_answered(self, datagram):
        """5.2.1, rules 1 to 3: only to an address that the user named; sent to the source of the INIT."""
        return datagram.source in self.requested_addresses

    def answer_collision(self, packet, datagram, init, offer):
        """5.2.1: the own tag, TSN and streams as in the own INIT."""
        auth = b"".join(p.unpadded() for p in self.own_parameters if p.type in (wire.RANDOM, wire.CHUNK_LIST, wire.REQUESTED_HMAC))
        self.endpoint.answer_init(
            packet,
            datagram,
            init,
            offer,
            self.own_tag,
            self.initial_tsn,
            self.local_tie_tag,
            self.peer_tie_tag,
            self.policy.outbound_streams,
            self.policy.inbound_streams,
            auth,
        )

    def tag_for_restart(self):
        """5.2.2: the Initiate Tag of the INIT ACK is a new one."""
        return self.endpoint.new_tag()

    def answer_restart(self, packet, datagram, init, offer):
        """5.2.2: a tag of its own, the Tie-Tags in the cookie, streams as they are."""
        self.populate_tie_tags()
        endpoint = self.endpoint
        endpoint.answer_init(
            packet,
            datagram,
            init,
            offer,
            self.tag_for_restart(),
            endpoint.new_initial_tsn(),
            self.local_tie_tag,
            self.peer_tie_tag,
            self.outbound_streams,
            self.policy.inbound_streams,
            None,
        )

    def populate_tie_tags(self):
        """5.2.2: random, not 0; once."""
        if self.local_tie_tag == 0:
            self.local_tie_tag = self.random.randint(1, 0xFFFFFFFF)
            self.peer_tie_tag = self.random.randint(1, 0xFFFFFFFF)

    def new_addresses(self, datagram, offer):
        """Addresses of an INIT, its source among them, that the association does not have."""
        families = {":" in address for address in self.own_addresses}
        listed = [a for a in offer.addresses if (":" in a) in families]
        return [address for address in dict.fromkeys([datagram.source] + listed) if address not in self.paths]

    def refuse_restart(self, packet, datagram, init, offer):
        """5.2.2: ABORT with the Initiate Tag of the INIT, and the addresses that are new."""
        causes = []
        if self.policy.restart_adds_address_cause:
            new = [wire.address_parameter(address) for address in self.new_addresses(datagram, offer)]
            causes = [Tlv(wire.RESTART_WITH_NEW_ADDRESSES, wire.encode_tlvs(new))]
        self.endpoint.reply(packet, datagram, init.tag, [wire.causes_chunk(wire.ABORT, causes)])

    def receive_bundled_init(self, chunk):
        """6.10, 8.5.1 A: an INIT among other chunks; the rest of the packet is discarded."""
        return False

    # COOKIE ECHO (5.2.4).
    def cookie_case(self, cookie):
        """The row of Table 12: A, B, C, D, or None for what is in none of them."""
        local, peer = cookie.own_tag == self.own_tag, self.peer_tag != 0 and cookie.peer_tag == self.peer_tag
        ties = cookie.local_tie_tag != 0 and (cookie.local_tie_tag, cookie.peer_tie_tag) == (self.local_tie_tag, self.peer_tie_tag)
        if local:
            return "D" if peer else "B"
        if peer:
            return "C" if (cookie.local_tie_tag, cookie.peer_tie_tag) == (0, 0) else None
        return "A" if ties else None

    def receive_cookie_echo_again(self, packet, datagram, cookie):
        """5.2.4 (3) to (5), then the rest of the packet."""
        case = self.cookie_case(cookie)
        staleness_ns = self.simulation.now_ns - cookie.created_ns - cookie.life_ns
        if staleness_ns > 0 and case != "D":
            self.endpoint.send_stale_cookie(packet, datagram, cookie, staleness_ns)
            return
        action = {"A": self.cookie_action_a, "B": self.cookie_action_b, "C": self.cookie_action_c, "D": self.cookie_action_d}.get(case)
        if action is not None and action(cookie, datagram):
            self.receive_packet(packet, datagram, first=1)

    def cookie_action_a(self, cookie, datagram):
        """The peer has restarted: as an ABORT and a new COOKIE ECHO; in SHUTDOWN-ACK-SENT SHUTDOWN ACK and ERROR."""
        self.arrival_path = self.paths.get(datagram.source)
        if self.state == "SHUTDOWN-ACK-SENT":
            self.repeat_shutdown_ack()
            self.queue_control(wire.causes_chunk(wire.ERROR, [Tlv(wire.COOKIE_WHILE_SHUTTING_DOWN)]), self.arrival_path)
            self.flush()
            return False
        self.forget_all("restart")
        self.establish_from_cookie(cookie, datagram)
        self.send_cookie_ack()
        self.was_up = True
        self.start_heartbeats()
        self.application.restarted(self)
        return True

    def forget_all(self, reason):
        """All of the old association but its place; outstanding data is reported to the user."""
        for timer in self.all_timers():
            timer.stop()
        self.fail_messages(reason)
        for address in list(self.paths):
            self.endpoint.remove_key(self, address)
        self.begin_subjects()

    def cookie_action_b(self, cookie, datagram):
        """Collision: the peer's tag is that of the cookie, T1 stops, COOKIE ACK."""
        self.t1_init.stop()
        self.t1_cookie.stop()
        self.arrival_path = self.paths.get(datagram.source)
        was_up = self.state not in ("COOKIE-WAIT", "COOKIE-ECHOED")
        if was_up:
            self.peer_tag = cookie.peer_tag
        else:
            self.take_back_data()
            chunk = wire.Chunk(wire.INIT, 0, cookie.peer_init)
            init = wire.read_init(chunk)
            self.outbound_streams, self.inbound_streams = cookie.outbound_streams, cookie.inbound_streams
            self.take_offer(init, self.endpoint.read_offer(init), cookie.source)
            self.arrival_path = self.paths.get(datagram.source)
            self.enter("ESTABLISHED", "COOKIE ECHO")
        self.send_cookie_ack()
        if not was_up:
            self.go_up()
        return True

    def cookie_action_c(self, cookie, datagram):
        """A late cookie: silently discarded."""
        return False

    def cookie_action_d(self, cookie, datagram):
        """The COOKIE ACK was lost, or a collision ends here."""
        self.arrival_path = self.paths.get(datagram.source)
        if self.state == "COOKIE-WAIT":
            return False
        comes_up = self.state == "COOKIE-ECHOED"
        if comes_up:
            self.t1_cookie.stop()
            self.enter("ESTABLISHED", "COOKIE ECHO")
        self.send_cookie_ack()
        if comes_up:
            self.go_up()
        return True

    def receive_late_cookie_echo(self, chunk):
        """5.1 C: a COOKIE ECHO is the first chunk of its packet; elsewhere it is discarded, with what follows."""
        return False
