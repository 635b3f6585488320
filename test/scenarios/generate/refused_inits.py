# SPDX-License-Identifier: GPL-2.0-or-later
"""Captures that show set-ups by ICMP errors alone."""

from reference import thin
from reference.frames import Frame

from . import chunks, packet

ROUTER = "2001:db8::ff"


def capture_of_refused_inits(folder, attempts, gap_ns=1_000_000_000):
    """A capture that holds ICMP errors about INITs and not the INITs: `attempts` of (client, its port, server); a router refuses those over IPv6."""
    frames = []
    for number, (client, port, server) in enumerate(attempts, 1):
        init = packet.ip(client, server, packet.sctp(port, 36412, 0, chunks.init(0x1234 + number, 7)), identification=number)
        if ":" in client:
            error = packet.ip(ROUTER, client, packet.icmpv6(ROUTER, client, 1, 1, init), packet.ICMPV6)
        else:
            error = packet.ip(server, client, packet.icmp(3, 2, init[:28]), packet.ICMP, number)
        frame = packet.ethernet(error, towards=0)
        frames.append(Frame(number, 1_700_000_000_000_000_000 + number * gap_ns, 0, 1, frame, len(frame)))
    path = folder / "refused.pcapng"
    thin.write(path, frames)
    path.chmod(0o644)
    return path
