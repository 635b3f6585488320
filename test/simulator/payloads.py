# SPDX-License-Identifier: GPL-2.0-or-later
"""User messages that Wireshark's dissectors name: NGAP, S1AP, X2AP, Diameter, M3UA, and plain bytes, as requests and answers.

The bytes are made here from the encodings of the protocols, as few information elements as name the message. Left out: what the messages would do,
and
every state of these protocols beyond the order in which they come.
"""

import collections
import struct

# Payload protocol identifiers (IANA).
M3UA, S1AP, X2AP, DIAMETER, NGAP = 3, 18, 27, 46, 60
# Choices of a PDU of NGAP, S1AP and X2AP.
INITIATING, SUCCESSFUL, UNSUCCESSFUL = 0x00, 0x20, 0x40
REJECT, IGNORE, NOTIFY = 0x00, 0x40, 0x80

# name: as Wireshark has it; kind: request, answer, or push, which nobody answers.
Message = collections.namedtuple("Message", "name ppid stream data")


def aper_length(count):
    """A length determinant of the aligned packed encoding rules (X.691 11.9) below 16 Ki."""
    return bytes([count]) if count < 128 else struct.pack("!H", 0x8000 | count)


def aper_integer(value, bits):
    """A whole number whose range is larger than 64 Ki: its length in the first `bits` bits, then the bytes."""
    data = value.to_bytes(max((value.bit_length() + 7) // 8, 1), "big")
    return bytes([len(data) - 1 << 8 - bits]) + data


def octets(data):
    """An OCTET STRING without bounds."""
    return aper_length(len(data)) + data


def pdu(choice, procedure, criticality, elements):
    """A PDU of NGAP, S1AP or X2AP. elements: (id, criticality, value)."""
    fields = b"".join(struct.pack("!HB", number, critical) + octets(value) for number, critical, value in elements)
    body = struct.pack("!BH", 0, len(elements)) + fields
    return bytes([choice, procedure, criticality]) + octets(body)


# --- NGAP (TS 38.413) ------------------------------------------------------------------------------------------------

PLMN = bytes.fromhex("00f110")
GLOBAL_RAN_NODE = bytes([0x00]) + PLMN + bytes.fromhex("10000001")
NR_LOCATION = bytes.fromhex("40") + PLMN + bytes.fromhex("0000000010") + PLMN + bytes.fromhex("000001")
REGISTRATION_REQUEST = bytes.fromhex("7e004179000d0100f110f0ff000010325476982e02f0f0")
IDENTITY_REQUEST = bytes.fromhex("7e005b01")
IDENTITY_RESPONSE = bytes.fromhex("7e005c000d0100f110f0ff00001032547698")


def nas(plain, ciphered, header):
    """A NAS message as it is, or, where there is something to fill it with, ciphered: what its bytes say is nobody's to read (TS 24.501 9.3, 24.301
    9.3)."""
    return header + bytes.fromhex("0123456701") + ciphered if ciphered else plain


NAS_5GS_CIPHERED, NAS_EPS_CIPHERED = bytes.fromhex("7e02"), bytes.fromhex("27")


def ngap_ids(ue):
    """AMF-UE-NGAP-ID and RAN-UE-NGAP-ID."""
    return [(10, REJECT, aper_integer(ue + 1, 3)), (85, REJECT, aper_integer(ue + 1, 2))]


def ngap_setup(answered):
    if not answered:
        return pdu(INITIATING, 21, REJECT, [(27, REJECT, GLOBAL_RAN_NODE), (82, IGNORE, b"\x01\x00gnb"), (21, IGNORE, b"\x40")])
    return pdu(SUCCESSFUL, 21, REJECT, [(1, REJECT, b"\x01\x80amf1"), (86, IGNORE, b"\xff")])


def ngap_request(ue, filling):
    """InitialUEMessage with a registration request."""
    message = octets(nas(REGISTRATION_REQUEST, filling, NAS_5GS_CIPHERED))
    return pdu(
        INITIATING, 15, IGNORE, [(85, REJECT, aper_integer(ue + 1, 2)), (38, REJECT, message), (121, REJECT, NR_LOCATION), (90, IGNORE, b"\x18")]
    )


def ngap_downlink(ue, filling):
    return pdu(INITIATING, 4, IGNORE, [*ngap_ids(ue), (38, REJECT, octets(nas(IDENTITY_REQUEST, filling, NAS_5GS_CIPHERED)))])


def ngap_uplink(ue, filling):
    message = octets(nas(IDENTITY_RESPONSE, filling, NAS_5GS_CIPHERED))
    return pdu(INITIATING, 46, IGNORE, [*ngap_ids(ue), (38, REJECT, message), (121, IGNORE, NR_LOCATION)])


def ngap_release(ue, answered):
    if not answered:
        return pdu(INITIATING, 41, REJECT, [(114, REJECT, b"\x00" + aper_integer(ue + 1, 3) + aper_integer(ue + 1, 2)), (15, IGNORE, b"\x05\x00")])
    return pdu(SUCCESSFUL, 41, REJECT, ngap_ids(ue))


# --- S1AP (TS 36.413) and X2AP (TS 36.423) ---------------------------------------------------------------------------

ATTACH_REQUEST = bytes.fromhex("074171084906103254769802" "02f0f0" "00040201d011")
EPS_IDENTITY_REQUEST, EPS_IDENTITY_RESPONSE = bytes.fromhex("075501"), bytes.fromhex("0756084906103254769802")
TAI = b"\x00" + PLMN + b"\x00\x01"
EUTRAN_CGI = b"\x00" + PLMN + bytes.fromhex("00000010")


def s1ap_ids(ue):
    """MME-UE-S1AP-ID and eNB-UE-S1AP-ID."""
    return [(0, REJECT, aper_integer(ue + 1, 2)), (8, REJECT, aper_integer(ue + 1, 2))]


def s1ap_setup(answered):
    if not answered:
        return pdu(
            INITIATING,
            17,
            REJECT,
            [(59, REJECT, b"\x00" + PLMN + bytes.fromhex("00000010")), (64, REJECT, bytes.fromhex("00000040") + PLMN), (137, IGNORE, b"\x40")],
        )
    return pdu(SUCCESSFUL, 17, REJECT, [(87, IGNORE, b"\xff")])


def s1ap_request(ue, filling):
    return pdu(
        INITIATING,
        12,
        IGNORE,
        [
            (8, REJECT, aper_integer(ue + 1, 2)),
            (26, REJECT, octets(nas(ATTACH_REQUEST, filling, NAS_EPS_CIPHERED))),
            (67, REJECT, TAI),
            (100, IGNORE, EUTRAN_CGI),
            (134, IGNORE, b"\x30"),
        ],
    )


def s1ap_downlink(ue, filling):
    return pdu(INITIATING, 11, IGNORE, [*s1ap_ids(ue), (26, REJECT, octets(nas(EPS_IDENTITY_REQUEST, filling, NAS_EPS_CIPHERED)))])


def s1ap_uplink(ue, filling):
    message = octets(nas(EPS_IDENTITY_RESPONSE, filling, NAS_EPS_CIPHERED))
    return pdu(INITIATING, 13, IGNORE, [*s1ap_ids(ue), (26, REJECT, message), (100, IGNORE, EUTRAN_CGI), (67, IGNORE, TAI)])


def s1ap_release(ue, answered):
    if not answered:
        return pdu(INITIATING, 23, REJECT, [(99, REJECT, b"\x00" + aper_integer(ue + 1, 2) + aper_integer(ue + 1, 2)), (2, IGNORE, b"\x02\x00")])
    return pdu(SUCCESSFUL, 23, REJECT, s1ap_ids(ue))


def x2ap_setup(answered):
    node = (21, REJECT, b"\x00" + PLMN + bytes.fromhex("00000010"))
    return pdu(SUCCESSFUL if answered else INITIATING, 6, REJECT, [node])


def x2ap_error(ue, filling):
    """An Error Indication about a UE; its length does not follow what is asked."""
    return pdu(INITIATING, 3, IGNORE, [(10, IGNORE, struct.pack("!H", ue % 4096)), (5, IGNORE, b"\x28")])


# --- Diameter (RFC 6733) ---------------------------------------------------------------------------------------------

CAPABILITIES, CREDIT_CONTROL, WATCHDOG, DISCONNECT = 257, 272, 280, 282
SUCCESS, UNABLE_TO_DELIVER, USER_UNKNOWN = 2001, 3002, 5030


def avp(code, data):
    return struct.pack("!IB3s", code, 0x40, (8 + len(data)).to_bytes(3, "big")) + data + bytes(-len(data) % 4)


def diameter(command, is_request, number, who, more=b"", application=0, result=None):
    """A message of Diameter. number: hop-by-hop and end-to-end; who: the host's name."""
    avps = avp(264, who + b".example.org") + avp(296, b"example.org") + more
    if result:
        avps = avp(268, struct.pack("!I", result)) + avps
    flags = (0x80 if is_request else 0) | (0x40 if command == CREDIT_CONTROL else 0) | (0x20 if result and result // 1000 == 3 else 0)
    return struct.pack("!B3sB3sIII", 1, (20 + len(avps)).to_bytes(3, "big"), flags, command.to_bytes(3, "big"), application, number, number) + avps


def diameter_capabilities(answered):
    more = avp(257, bytes.fromhex("00010a000001")) + avp(266, bytes(4)) + avp(269, b"simulator") + avp(258, struct.pack("!I", 4))
    return diameter(CAPABILITIES, not answered, 1, b"server" if answered else b"client", more, result=SUCCESS if answered else None)


def diameter_request(number, filling):
    more = avp(263, b"client;%d;1" % number) + avp(258, struct.pack("!I", 4)) + avp(416, struct.pack("!I", 4)) + avp(415, bytes(4))
    return diameter(CREDIT_CONTROL, True, number + 2, b"client", more + (avp(25, filling) if filling else b""), 4)


def diameter_answer(number, filling, result=SUCCESS):
    more = avp(263, b"client;%d;1" % number) + avp(258, struct.pack("!I", 4)) + avp(416, struct.pack("!I", 4)) + avp(415, bytes(4))
    return diameter(CREDIT_CONTROL, False, number + 2, b"server", more + (avp(25, filling) if filling else b""), 4, result)


# --- M3UA (RFC 4666) -------------------------------------------------------------------------------------------------


def m3ua(message_class, kind, body=b""):
    return struct.pack("!BBBBI", 1, 0, message_class, kind, 8 + len(body)) + body


def m3ua_parameter(tag, value):
    return struct.pack("!HH", tag, 4 + len(value)) + value + bytes(-len(value) % 4)


def m3ua_data(number, filling):
    """DATA with an SCCP unitdata between subsystems 254 and 252 (ITU-T Q.713 4.10)."""
    called, calling = bytes([0x42, 254]), bytes([0x42, 252])
    data = filling or bytes.fromhex("000130")  # BSSMAP: Reset
    sccp = bytes([9, 0, 3, 3 + len(called), 3 + len(called) + len(calling)]) + b"".join(bytes([len(part)]) + part for part in (called, calling, data))
    label = struct.pack("!IIBBBB", 1, 2, 3, 2, 0, number & 15)
    context, correlation = struct.pack("!I", 1), struct.pack("!I", number)
    return m3ua(1, 1, m3ua_parameter(0x0006, context) + m3ua_parameter(0x0210, label + sccp) + m3ua_parameter(0x0013, correlation))


# --- families --------------------------------------------------------------------------------------------------------


# Lengths above 16 Ki are given in parts (X.691 11.9), which nothing here does.
APER_BYTES_MAX = 16_000


class Family:
    """Messages of one protocol. opening(answered) -> Message: what each association begins with, None where nothing does; request, answer, push
    (number,
    size_bytes, streams) -> Message. port: of a server (IANA). filling_bytes_max: more is not added to a message. Stream 0 is for what concerns no
    user, as TS 36.412 7 and 38.412 7 want it.
    """

    def __init__(self, name, ppid, port, filling_bytes_max, opening, request, answer, push):
        self.name, self.ppid, self.port, self.filling_bytes_max = name, ppid, port, filling_bytes_max
        self._opening, self._request, self._answer, self._push = opening, request, answer, push

    def opening(self, answered):
        return None if self._opening is None else Message(f"{self.name} opening", self.ppid, 0, self._opening(answered))

    def request(self, number, size_bytes, streams):
        return self._made(self._request, "request", number, size_bytes, streams)

    def answer(self, number, size_bytes, streams):
        return self._made(self._answer, "answer", number, size_bytes, streams)

    def push(self, number, size_bytes, streams):
        return self._made(self._push, "push", number, size_bytes, streams)

    def _made(self, make, word, number, size_bytes, streams):
        """Of about that size; never below what the message needs."""
        bare = len(make(number, b""))
        data = make(number, _filling(number, min(size_bytes - bare, self.filling_bytes_max))) if size_bytes > bare else make(number, b"")
        return Message(f"{self.name} {word}", self.ppid, 0 if streams < 2 else 1 + number % (streams - 1), data)


LETTERS = b"abcdefghijklmnopqrstuvwxyz"


def _filling(number, count):
    """Letters that begin with the number, so that no two messages are the same."""
    begin = b"%d " % number
    return (begin + LETTERS * (count // 26 + 1))[:count]


def plain(number, filling):
    """Letters; messages of a size of their own are the same only where it is too small for the number."""
    return filling or b"."


FAMILIES = {
    family.name: family
    for family in (
        Family("plain", 0, 5001, 1 << 24, None, plain, plain, plain),
        Family("NGAP", NGAP, 38_412, APER_BYTES_MAX, ngap_setup, ngap_request, ngap_downlink, ngap_uplink),
        Family("S1AP", S1AP, 36_412, APER_BYTES_MAX, s1ap_setup, s1ap_request, s1ap_downlink, s1ap_uplink),
        Family("X2AP", X2AP, 36_422, 0, x2ap_setup, x2ap_error, x2ap_error, x2ap_error),
        Family("Diameter", DIAMETER, 3868, 1 << 20, diameter_capabilities, diameter_request, diameter_answer, diameter_request),
        Family("M3UA", M3UA, 2905, 250, lambda answered: m3ua(3, 4 if answered else 1), m3ua_data, m3ua_data, m3ua_data),
    )
}
