# SPDX-License-Identifier: GPL-2.0-or-later
"""Messages of applications, encoded as short as Wireshark's dissectors decode them, and conversations that carry them in SCTP.

Leaves out what the report says of them.
"""

import pathlib
import struct
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(TOP / "test" / "model")]

from scenario_builder import MS, ScenarioBuilder  # noqa: E402
from generate import chunks  # noqa: E402

NGAP, S1AP, M3UA, DIAMETER = 60, 18, 3, 46
INITIATING, SUCCESSFUL, UNSUCCESSFUL = 0x00, 0x20, 0x40
ORIGIN_HOST = struct.pack("!II", 264, 0x40 << 24 | 16) + b"end.test"  # Wireshark takes no message of less than 36 bytes for Diameter
NG_SETUP, DOWNLINK_NAS, UPLINK_NAS, INITIAL_CONTEXT_SETUP, UE_CONTEXT_RELEASE = 21, 4, 46, 14, 41
ERROR_INDICATION, INITIAL_UE, SESSION_SETUP = 9, 15, 29


def open_type(content):
    """A length determinant of aligned PER (X.691 11.9) and what it counts."""
    return (bytes([len(content)]) if len(content) < 128 else struct.pack("!H", 0x8000 | len(content))) + content


def information_element(number, content):
    return struct.pack("!HB", number, 0x40) + open_type(content)


def ngap(procedure, *elements, choice=INITIATING):
    """A PDU of 3GPP TS 38.413; S1AP has the same frame."""
    content = b"\0" + struct.pack("!H", len(elements)) + b"".join(elements)
    return bytes([choice, procedure, 0x40]) + open_type(content)


def amf_id(value):
    return information_element(10, b"\0" + bytes([value]))


def ran_id(value):
    return information_element(85, b"\0" + bytes([value]))


def of_ue(procedure, value, *elements, choice=INITIATING):
    return ngap(procedure, amf_id(100 + value), ran_id(value), *elements, choice=choice)


def nas(content):
    return information_element(38, open_type(content))


def nas_5gs(kind, rest=b""):
    return nas(bytes([0x7E, 0, kind]) + rest)


def nas_ciphered():
    return nas(bytes([0x7E, 2, 1, 2, 3, 4, 5]) + b"\xa5" * 12)


def cause(value):
    """CauseMisc."""
    return information_element(15, bytes([0x80 | value << 1]))


def pdu_session(value):
    """PDUSessionResourceSetupListSUReq with one session, an S-NSSAI and no parameters."""
    return information_element(74, bytes([0, 0, value, 0, 0, 0]))


def diameter(command, request, hop_by_hop, end_to_end, *avps, application=0, repeat=False):
    flags = (0x80 if request else 0) | (0x10 if repeat else 0)
    content = b"".join(avps) + ORIGIN_HOST
    return struct.pack("!II", 1 << 24 | 20 + len(content), flags << 24 | command) + struct.pack(
        "!III", application, hop_by_hop, end_to_end) + content


def avp(code, value):
    return struct.pack("!IIi", code, 0x40 << 24 | 12, value)


def m3ua(kind, number, *params):
    content = b"".join(params)
    return struct.pack("!BBBBI", 1, 0, kind, number, 8 + len(content)) + content


def m3ua_param(tag, content):
    return struct.pack("!HH", tag, 4 + len(content)) + content


class Conversation(ScenarioBuilder):
    """An association whose endpoints send messages. Each is acknowledged at once."""

    def __init__(self, ppid, **options):
        super().__init__(**options)
        self.ppid = ppid
        self.numbers = [0, 0]
        self.set_up()

    def next_chunk(self, sender, payload, flags=chunks.BEGIN | chunks.END, ends=True, ppid=None):
        end = self.ends[sender]
        made = chunks.data(end.tsn, payload, 0, self.numbers[sender], self.ppid if ppid is None else ppid, flags)
        end.tsn = end.tsn + 1 & 0xFFFFFFFF
        self.numbers[sender] += ends
        return made

    def say(self, sender, *messages, gap_ns=None, **options):
        """Messages of one packet."""
        self.send(sender, *(self.next_chunk(sender, message, **options) for message in messages), gap_ns=gap_ns)
        return self.sack(1 - sender)

    def fragments(self, sender, message, pieces):
        """The chunks of a message in so many pieces."""
        size = -(-len(message) // pieces)
        parts = [message[at:at + size] for at in range(0, len(message), size)]
        return [self.next_chunk(sender, part, (chunks.BEGIN if i == 0 else 0) | (chunks.END if i == len(parts) - 1 else 0), i == len(parts) - 1)
                for i, part in enumerate(parts)]


def example():
    """A gNB and an AMF, two UEs: one registers, the other does not answer the security mode command; one message is sent twice by SCTP."""
    talk = Conversation(NGAP, ports=(38412, 38412), near_ns=2 * MS, far_ns=5 * MS)
    talk.say(0, ngap(NG_SETUP)).say(1, ngap(NG_SETUP, choice=SUCCESSFUL))
    talk.say(0, *(ngap(INITIAL_UE, ran_id(value), nas_5gs(0x41)) for value in (1, 2)))
    talk.say(1, *(of_ue(DOWNLINK_NAS, value, nas_5gs(0x56)) for value in (1, 2)))
    talk.say(0, *(of_ue(UPLINK_NAS, value, nas_5gs(0x57)) for value in (1, 2)))
    talk.say(1, *(of_ue(DOWNLINK_NAS, value, nas_5gs(0x5D)) for value in (1, 2)))
    talk.say(0, of_ue(UPLINK_NAS, 1, nas_ciphered()))
    lost = talk.next_chunk(1, of_ue(INITIAL_CONTEXT_SETUP, 1, nas_ciphered()))
    talk.send(1, lost).wait(1000 * MS).send(1, lost).sack(0)
    talk.say(0, of_ue(INITIAL_CONTEXT_SETUP, 1, choice=SUCCESSFUL))
    for _ in range(4):
        talk.wait(6000 * MS).say(1, of_ue(DOWNLINK_NAS, 2, nas_5gs(0x5D)))
    return talk.say(1, ngap(ERROR_INDICATION, cause(0)))


def healthy():
    """A gNB and an AMF, one UE that registers, is served, and leaves. Nothing goes wrong."""
    talk = Conversation(NGAP, ports=(38412, 38412), near_ns=2 * MS, far_ns=5 * MS)
    talk.say(0, ngap(NG_SETUP)).say(1, ngap(NG_SETUP, choice=SUCCESSFUL))
    talk.wait(100 * MS).say(0, ngap(INITIAL_UE, ran_id(1), nas_5gs(0x41)))
    talk.say(1, of_ue(DOWNLINK_NAS, 1, nas_5gs(0x56))).wait(40 * MS).say(0, of_ue(UPLINK_NAS, 1, nas_5gs(0x57)))
    talk.say(1, of_ue(DOWNLINK_NAS, 1, nas_5gs(0x5D))).wait(30 * MS).say(0, of_ue(UPLINK_NAS, 1, nas_ciphered()))
    talk.say(1, of_ue(INITIAL_CONTEXT_SETUP, 1, nas_ciphered())).wait(20 * MS).say(0, of_ue(INITIAL_CONTEXT_SETUP, 1, choice=SUCCESSFUL))
    talk.say(1, of_ue(SESSION_SETUP, 1, pdu_session(1))).wait(15 * MS).say(0, of_ue(SESSION_SETUP, 1, choice=SUCCESSFUL))
    talk.wait(900 * MS).say(1, of_ue(UE_CONTEXT_RELEASE, 1)).wait(5 * MS).say(0, of_ue(UE_CONTEXT_RELEASE, 1, choice=SUCCESSFUL))
    return talk.shut_down()


def slow_diameter():
    """A peer that answers quickly, until every answer takes seconds and one is asked for again."""
    talk = Conversation(DIAMETER, ports=(50000, 3868), near_ns=2 * MS, far_ns=5 * MS)
    capabilities, credit_control, success = 257, 272, avp(268, 2001)
    talk.say(0, diameter(capabilities, True, 1, 1)).say(1, diameter(capabilities, False, 1, 1, success))
    for number, wait_ms in enumerate((3, 4, 3, 1800, 2600, 3900, 5200), 2):
        talk.say(0, diameter(credit_control, True, number, number, application=4)).wait(wait_ms * MS)
        talk.say(1, diameter(credit_control, False, number, number, success, application=4))
    talk.say(0, diameter(credit_control, True, 20, 20, application=4)).wait(6000 * MS)
    return talk.say(0, diameter(credit_control, True, 21, 20, application=4, repeat=True))


def m3ua_failover():
    """An application server process that goes away: the peer's traffic stops, a destination becomes unavailable, the process comes back."""
    talk = Conversation(M3UA, ports=(2905, 2905), near_ns=2 * MS, far_ns=5 * MS)
    up, up_ack, down, down_ack, active, active_ack = (3, 1), (3, 4), (3, 2), (3, 5), (4, 1), (4, 3)
    context, available, pending = m3ua_param(6, struct.pack("!I", 7)), struct.pack("!HH", 1, 3), struct.pack("!HH", 1, 4)
    data = m3ua_param(0x210, struct.pack("!IIBBBB", 100, 200, 3, 2, 0, 5) + bytes(20))
    talk.say(0, m3ua(*up)).say(1, m3ua(*up_ack)).say(0, m3ua(*active, context)).say(1, m3ua(*active_ack, context))
    talk.say(1, m3ua(0, 1, m3ua_param(13, available)))
    for _ in range(5):
        talk.wait(100 * MS).say(1, m3ua(1, 1, data))
    talk.wait(400 * MS).say(0, m3ua(*down)).say(1, m3ua(*down_ack)).say(1, m3ua(0, 1, m3ua_param(13, pending)))
    talk.wait(2000 * MS).say(1, m3ua(2, 1, m3ua_param(0x12, struct.pack("!I", 200))))
    talk.wait(8000 * MS).say(0, m3ua(*up)).say(1, m3ua(*up_ack)).say(0, m3ua(*active, context)).say(1, m3ua(*active_ack, context))
    return talk.say(1, m3ua(2, 2, m3ua_param(0x12, struct.pack("!I", 200))))


# What docs/reports.md shows, by the name that stands there.
EXAMPLES = {"conversation": example, "healthy-ngap": healthy, "slow-diameter": slow_diameter, "m3ua-failover": m3ua_failover}
