# SPDX-License-Identifier: GPL-2.0-or-later
"""SCTP in UDP (RFC 6951): the remote encapsulation port of each path, and what it makes of ICMP.

Leaves out UDP checksums (the tap's) and what 5.7 asks of multi-homed endpoints behind a NAT: which addresses are listed is the user's choice.
"""

UDP_PORT = 9899  # RFC 6951 7


class Encapsulation:
    """The association's part."""

    def learn_udp_port(self, path, datagram):
        """5.4: the UDP source port of a packet with the right tag is where the next ones go; a packet without UDP ends the encapsulation."""
        if path is not None:
            path.udp_port = datagram.udp_ports[0] if datagram.udp_ports else None

    def udp_ports_to(self, path):
        """5.3: (local, remote) of a packet on this path, None for no UDP."""
        if path.udp_port is None:
            return None
        return (self.endpoint.udp_ports[0] if self.endpoint.udp_ports else UDP_PORT), path.udp_port

    def icmp_kind(self, kind, path):
        """5.5: Port Unreachable of UDP stands for Protocol Unreachable."""
        return "protocol unreachable" if kind == "port unreachable" and path.udp_port is not None else kind
