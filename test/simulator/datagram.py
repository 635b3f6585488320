# SPDX-License-Identifier: GPL-2.0-or-later
"""What travels between hosts: an IP datagram that holds one SCTP packet, and what the truth has to know about it.

Leaves out how it looks on the wire: that is the tap's.
"""

TOS_ECT0 = 0b10
TOS_ECT1 = 0b01
TOS_CE = 0b11
TOS_ECN_MASK = 0b11


class Datagram:
    """One SCTP packet in an IP datagram.

    number: unique in the simulation, in order of sending. source, destination: texts as ipaddress writes them. tos, ttl: 0 to 255. identification:
    of IPv4, None until the host sets it. sctp: bytes from the common header on. udp_ports: (source, destination) of RFC 6951, or None.
    checksum_is_known: the sender has just computed it, and the bytes are still the same: nobody has to do it again. notes: what the truth has to
    say: "endpoint" the name of the endpoint that sent it, "chunks" a list with one dict for each chunk ("type", for DATA and I-DATA also "tsn",
    "cause" of this transmission: first, fast, early, timeout, zero-window probe, address removed), "path" the destination address, "copy_of" the
    number of the datagram that the network duplicated, "deviation" the name of a deviation that shows in it, "interface" the address of the
    interface that it leaves by, where that is not its source."""

    __slots__ = ("number", "source", "destination", "tos", "ttl", "identification", "_sctp", "udp_ports", "notes", "checksum_is_known")

    def __init__(self, number, source, destination, sctp, tos=0, ttl=64, identification=None, udp_ports=None, notes=None):
        self.number = number
        self.source = source
        self.destination = destination
        self._sctp = sctp
        self.checksum_is_known = False
        self.tos = tos
        self.ttl = ttl
        self.identification = identification
        self.udp_ports = udp_ports
        self.notes = {} if notes is None else notes

    @property
    def sctp(self):
        return self._sctp

    @sctp.setter
    def sctp(self, value):
        """Other bytes: whether their checksum is right has to be found out."""
        self._sctp = value
        self.checksum_is_known = False

    def copy(self, number):
        """The same bytes once more, under a number of its own; notes["copy_of"] says of which."""
        copy = Datagram(
            number,
            self.source,
            self.destination,
            self.sctp,
            self.tos,
            self.ttl,
            self.identification,
            self.udp_ports,
            {**self.notes, "copy_of": self.number},
        )
        copy.checksum_is_known = self.checksum_is_known
        return copy
