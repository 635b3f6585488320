# SPDX-License-Identifier: GPL-2.0-or-later
"""The command line of `./run webrtc` and its help."""

from sctpa.arguments import Parser, filled

PURPOSE = """\
Writes the packets that a browser logged above DTLS (lines with # SCTP_PACKET)
as a capture, pcapng of bare SCTP, that Wireshark and all other commands read.
./run LOG reports what such a log shows without keeping a capture.

Chromium's dcSCTP logs them with --enable-logging
--vmodule=text_pcap_packet_observer=1,dcsctp_transport=1 (docs/commands.md).

Times in a log are local times of day: TZ sets the time zone. The date is that
of Chromium's log, else that of the last change to the file.

Where both endpoints of an association logged their packets, as two connections
in one page do, those of the endpoint that comes second in the log are left out."""
STATUSES = """\
Exit status: 0 done, 1 a line with SCTP_PACKET, or the log, could not be read
(what could be read is written), 2 wrong usage."""


def parser():
    """The Parser of ./run webrtc. --name is for ./run alone: what messages call the log."""
    made = Parser("webrtc", ["[--socket NAME] LOG CAPTURE"], PURPOSE, STATUSES)
    made.add_argument(
        "--socket",
        type=filled,
        metavar="NAME",
        help="only the packets of this socket, named as the interfaces of a capture made without (see capinfos)",
    )
    made.add_argument("--name", type=filled)
    made.add_argument("log", type=filled)
    made.add_argument("capture", type=filled)
    return made
