# SPDX-License-Identifier: GPL-2.0-or-later
"""Deviations by Verification Tags and T bits (RFC 9260 8.4, 8.5, 8.5.1, 5.1)."""

from .. import occasions as o
from .. import wire
from ..deviation import MUST, PACKETS, EndpointDecisions, changing_packet, row
from ..wire import Chunk


def other(packet, endpoint):
    packet.tag = (packet.tag + 0x01010101) % wire.TSN_MODULUS or 1


def zero(packet, endpoint):
    packet.tag = 0


def own(packet, endpoint):
    """The tag that the peer should use, not the peer's."""
    if packet.association is None or packet.association.own_tag == packet.tag:
        return False
    packet.tag = packet.association.own_tag
    return True


def tagged(name, words, clauses, types, change, *occasions):
    changing_packet(name, words, clauses, MUST, "B", PACKETS, types, change, *occasions)


TAG = ["RFC 9260 8.5"]
tagged("tag-of-init", "INIT bears a Verification Tag other than 0.", ["RFC 9260 8.5.1", "RFC 9260 3.1"], (wire.INIT,), other, o.client)
tagged("tag-of-init-ack", "INIT ACK bears another tag than that of the INIT.", ["RFC 9260 5.1", "RFC 9260 8.5"], (wire.INIT_ACK,), other, o.server)
tagged("tag-of-init-ack-zero", "INIT ACK bears the tag 0.", ["RFC 9260 5.1", "RFC 9260 8.5"], (wire.INIT_ACK,), zero, o.server)
tagged("tag-of-cookie-echo", "COOKIE ECHO bears a wrong tag.", ["RFC 9260 8.5.1", "RFC 9260 8.5"], (wire.COOKIE_ECHO,), other, o.client)
tagged("tag-of-cookie-ack", "COOKIE ACK bears a wrong tag.", TAG, (wire.COOKIE_ACK,), other, o.server)
tagged("tag-of-data", "DATA bears a wrong tag.", TAG, (wire.DATA,), other, o.sends)
tagged("tag-of-data-zero", "DATA bears the tag 0.", TAG, (wire.DATA,), zero, o.sends)
tagged("tag-of-data-own", "DATA bears the own tag.", TAG, (wire.DATA,), own, o.sends)
tagged("tag-of-sack", "SACK bears a wrong tag.", TAG, (wire.SACK,), other, o.receives)
tagged("tag-of-sack-own", "SACK bears the own tag.", TAG, (wire.SACK,), own, o.receives)
tagged("tag-of-heartbeat", "HEARTBEAT bears a wrong tag.", TAG, (wire.HEARTBEAT,), other, o.idle)
tagged("tag-of-heartbeat-ack", "HEARTBEAT ACK bears a wrong tag.", TAG, (wire.HEARTBEAT_ACK,), other, o.idle)
tagged("tag-of-abort", "ABORT bears a wrong tag.", ["RFC 9260 8.5.1", "RFC 9260 9.1"], (wire.ABORT,), other, o.aborts)
tagged("tag-of-shutdown", "SHUTDOWN bears a wrong tag.", TAG, (wire.SHUTDOWN,), other, o.ends_itself)
tagged("tag-of-shutdown-ack", "SHUTDOWN ACK bears a wrong tag.", ["RFC 9260 8.5.1", "RFC 9260 8.5"], (wire.SHUTDOWN_ACK,), other, o.is_ended)
tagged("tag-of-shutdown-complete", "SHUTDOWN COMPLETE bears a wrong tag.", ["RFC 9260 8.5.1"], (wire.SHUTDOWN_COMPLETE,), other, o.ends_itself)


def t_bit(packet, endpoint):
    packet.chunks = [Chunk(chunk.type, chunk.flags | wire.FLAG_T, chunk.value) for chunk in packet.chunks]


def no_t_bit(packet, endpoint):
    if not any(chunk.flags & wire.FLAG_T for chunk in packet.chunks):
        return False
    packet.chunks = [Chunk(chunk.type, chunk.flags & ~wire.FLAG_T, chunk.value) for chunk in packet.chunks]
    return True


tagged(
    "abort-with-t-bit",
    "ABORT of an association that is there has the T bit, and the peer's tag.",
    ["RFC 9260 8.5.1", "RFC 9260 3.3.7"],
    (wire.ABORT,),
    t_bit,
    o.aborts,
)
tagged(
    "shutdown-complete-with-t-bit",
    "SHUTDOWN COMPLETE of an association that is there has the T bit, and the peer's tag.",
    ["RFC 9260 8.5.1", "RFC 9260 3.3.13"],
    (wire.SHUTDOWN_COMPLETE,),
    t_bit,
    o.ends_itself,
)
tagged(
    "ootb-abort-without-t-bit",
    "The ABORT for what is out of the blue reflects the tag, but has no T bit.",
    ["RFC 9260 8.4", "RFC 9260 8.5.1"],
    (wire.ABORT,),
    no_t_bit,
    o.own_forgets,
)


@row(["RFC 9260 8.4"], MUST, "B", PACKETS, o.own_forgets)
class OotbAbortWithOtherTag(EndpointDecisions):
    """The ABORT for what is out of the blue does not reflect the tag."""

    def send_abort_out_of_the_blue(self, packet, datagram):
        packet.tag = self.new_tag()
        super().send_abort_out_of_the_blue(packet, datagram)
        self.deviates_now(self.last_sent)
