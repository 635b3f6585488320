# SPDX-License-Identifier: GPL-2.0-or-later
"""What belongs to the endpoint and to no association: addresses, routes, which association a packet is of, ICMP, and the user's calls.

Leaves out what is done with a packet of an association (association.py), with an INIT or a COOKIE ECHO (setup.py), and with one of no association
(errors.py).
"""

from .. import wire
from ..datagram import Datagram
from .association import Application, Association
from .errors import OutOfTheBlue
from .setup import SetupResponder


class Endpoint(SetupResponder, OutOfTheBlue):
    """One SCTP endpoint: a set of addresses and a port (RFC 9260 1.3), any number of associations."""

    def __init__(self, simulation, transmit, policy, addresses, port, truth=None, application=None, deviation=None, name="A", udp_ports=None):
        """transmit(datagram): given by the network. addresses: texts, the first is preferred. truth: Truth or None. application: gets the upcalls,
        see Application. deviation: has association_mixin, endpoint_mixin (classes put before Association and Endpoint, or None). udp_ports: (own,
        peer's) of RFC 6951, or None."""
        self.simulation = simulation
        self.transmit = transmit
        self.policy = policy
        self.addresses = list(addresses)
        self.port = port
        self.truth = truth
        self.application = Application() if application is None else application
        self.deviation = deviation
        self.name = name
        self.udp_ports = udp_ports
        self.associations = {}
        self.made = []
        self.is_listening = True
        self.routes = {}
        self.random = simulation.random(f"endpoint {name}")
        self.cookie_secret = self.random.getrandbits(256).to_bytes(32, "big")
        self.association_class = Association
        if deviation is not None:
            if getattr(deviation, "association_mixin", None):
                self.association_class = type("DeviantAssociation", (deviation.association_mixin, Association), {})
            if getattr(deviation, "endpoint_mixin", None):
                self.__class__ = type("DeviantEndpoint", (deviation.endpoint_mixin, self.__class__), {})
        self.record_parameters()

    def record_parameters(self):
        for name, value, clause in self.policy.items():
            self.record("parameter", name=name, value=value, clause=clause)

    def record(self, kind, **fields):
        if self.truth is not None:
            self.truth.record(kind, self.simulation.now_ns, endpoint=self.name, **fields)

    def record_running_timers(self):
        """For the truth, at the end of a run: timers that still run."""
        for association in self.made:
            for timer in association.all_timers():
                if timer.is_running:
                    timer.record("running")

    # The user's calls (RFC 9260 11.1).
    def associate(self, peer_addresses, peer_port):
        """ASSOCIATE (11.1.2): an association to the first of peer_addresses; more are used once the INIT ACK lists them. Returns the Association."""
        association = self.new_association(peer_port)
        association.associate(list(peer_addresses))
        return association

    def send(
        self, data, stream=0, ppid=0, ordered=True, lifetime_ns=None, retransmissions_max=None, priority=None, immediate=False, association=None
    ):
        """SEND (11.1.5) on the association made last, or on this one; see Association.send."""
        return (association or self.association).send(data, stream, ppid, ordered, lifetime_ns, retransmissions_max, priority, immediate)

    def shutdown(self, association=None):
        (association or self.association).shutdown()

    def abort(self, reason=b"", association=None):
        (association or self.association).abort(reason)

    @property
    def association(self):
        """The one made last that is not gone; else the one made last, None if there was none."""
        for association in reversed(self.made):
            if association.state != "CLOSED":
                return association
        return self.made[-1] if self.made else None

    def new_association(self, peer_port):
        association = self.association_class(self, peer_port)
        self.made.append(association)
        return association

    def add_key(self, association, address):
        """From now on packets from this address are of the association."""
        self.associations[address, association.peer_port] = association

    def remove_key(self, association, address):
        if self.associations.get((address, association.peer_port)) is association:
            del self.associations[address, association.peer_port]

    # Packets.
    def receive(self, datagram, now_ns=None):
        """One datagram that came in at one of the addresses (now_ns is the simulation's time; given by some networks, not needed)."""
        packet = wire.parse(datagram.sctp, check=not datagram.checksum_is_known)
        if packet is None or packet.destination_port != self.port or not packet.chunks:
            return
        association = self.find_association(packet, datagram)
        if not self.checksum_is_accepted(packet, association):
            return
        first = packet.chunks[0]
        if first.type == wire.INIT or (packet.tag == 0 and any(chunk.type == wire.INIT for chunk in packet.chunks)):
            self.receive_init(packet, datagram, association)
        elif first.type == wire.COOKIE_ECHO:
            self.receive_cookie_echo(packet, datagram, association)
        elif association is None:
            self.receive_out_of_the_blue(packet, datagram)
        else:
            association.receive_packet(packet, datagram)

    def find_association(self, packet, datagram):
        """By the source address, or by an address that an INIT or INIT ACK lists (RFC 9260 5.1.2 D)."""
        association = self.associations.get((datagram.source, packet.source_port))
        if association is None and packet.chunks[0].type in (wire.INIT, wire.INIT_ACK):
            init = wire.read_init(packet.chunks[0])
            for parameter in init.parameters if init else ():
                if parameter.type in (wire.IPV4_ADDRESS, wire.IPV6_ADDRESS) and len(parameter.value) in (4, 16):
                    association = association or self.associations.get((wire.address_text(parameter.value), packet.source_port))
        elif association is None and packet.chunks[0].type in (wire.ASCONF, wire.AUTH):
            association = self.find_association_by_asconf(packet)
        return association

    def find_association_by_asconf(self, packet):
        """RFC 5061 4.1.1, 5.3: the address parameter of an ASCONF finds the association where the source address is a new one."""
        for chunk in packet.chunks:
            if chunk.type == wire.ASCONF and len(chunk.value) >= 4:
                for parameter in wire.parse_tlvs(chunk.value[4:])[:1]:
                    if parameter.type in (wire.IPV4_ADDRESS, wire.IPV6_ADDRESS) and len(parameter.value) in (4, 16):
                        return self.associations.get((wire.address_text(parameter.value), packet.source_port))
        return None

    def checksum_is_accepted(self, packet, association):
        """RFC 9260 6.8: any other is silently discarded; RFC 9653 5.3: zero, where this endpoint announced that it takes it."""
        if packet.checksum_is_right:
            return True
        return packet.checksum_is_zero and association is not None and association.accepts_zero_checksum()

    def source_for(self, destination):
        """The own address to send from: that of the route, else the one of the same family with the longest common prefix."""
        source = self.routes.get(destination)
        if source is None or source not in self.addresses:
            wanted = wire.address_bytes(destination)
            best = (-1, self.addresses[0])
            for address in self.addresses:
                own = wire.address_bytes(address)
                if len(own) == len(wanted):
                    differing = int.from_bytes(own, "big") ^ int.from_bytes(wanted, "big")
                    best = max(best, (len(own) * 8 - differing.bit_length(), address), key=lambda row: row[0])
            source = best[1]
        return source

    def send_packet(self, source, destination, destination_port, tag, chunks, notes=None, checksum=None, tos=None, udp_ports=None):
        """Hands one packet to the network; returns the Datagram."""
        notes = {} if notes is None else notes
        notes["endpoint"] = self.name
        notes.setdefault("chunks", [{"type": chunk.name} for chunk in chunks])
        notes["path"] = destination
        datagram = Datagram(
            self.simulation.number("datagram"), source, destination, wire.packet(self.port, destination_port, tag, chunks, checksum),
            self.policy.tos if tos is None else tos, self.policy.ttl, None, udp_ports, notes,
        )  # fmt: skip
        datagram.checksum_is_known = checksum is None
        self.transmit(datagram)
        return datagram

    def reply(self, packet, datagram, tag, chunks):
        """To where a packet came from, from the address that it came to (RFC 9260 6.4)."""
        udp_ports = datagram.udp_ports and (datagram.udp_ports[1], datagram.udp_ports[0])
        return self.send_packet(datagram.destination, datagram.source, packet.source_port, tag, chunks, udp_ports=udp_ports)

    # ICMP (RFC 9260 10).
    def receive_icmp(self, kind, destination, sctp, mtu_bytes=None):
        """kind: too big (Fragmentation Needed, Packet Too Big), protocol unreachable, port unreachable, host unreachable. destination: where the
        packet that the message is about went; sctp: what the message has of it, 8 bytes at the least. mtu_bytes: of too big."""
        if len(sctp) < 8:
            return
        peer_port = int.from_bytes(sctp[2:4], "big")
        association = self.associations.get((destination, peer_port))
        if association is None or not self.icmp_is_of(association, sctp):
            return
        association.receive_icmp(kind, association.paths[destination], mtu_bytes, is_init=len(sctp) > 12 and sctp[12] == wire.INIT)

    def icmp_is_of(self, association, sctp):
        """ICMP6: the Verification Tag is the peer's, or 0 with an INIT that bears the own Initiate Tag (doubtful, see disagreements.md)."""
        tag = int.from_bytes(sctp[4:8], "big")
        if tag:
            return tag == association.peer_tag
        return len(sctp) >= 20 and sctp[12] == wire.INIT and int.from_bytes(sctp[16:20], "big") == association.own_tag
