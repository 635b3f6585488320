# SPDX-License-Identifier: GPL-2.0-or-later
"""-z sctp,messages of each protocol that applications.def lists: named, counted, and asked and answered by what belongs together."""

import re
import struct

import pytest
from application_messages import (
    DIAMETER, NGAP, S1AP, SUCCESSFUL, UNSUCCESSFUL, Conversation, avp, cause, chunks, diameter, information_element, m3ua, m3ua_param, nas_5gs, ngap, of_ue,
    open_type)
from test_messages import report  # noqa: F401

M2UA, SUA, M2PA, DCEP, X2AP, XNAP, F1AP, E1AP, SGSAP = 2, 4, 5, 50, 27, 61, 62, 64, 0
ASPUP, ASPUP_ACK, OPEN, ACK = (3, 1), (3, 4), 3, 2


@pytest.mark.parametrize("ppid, port, protocol, procedure, name, successful", [
    (X2AP, 36422, "X2AP", 6, "x2Setup", SUCCESSFUL), (XNAP, 38422, "XnAP", 17, "xnSetup", SUCCESSFUL),
    (F1AP, 38472, "F1AP", 1, "F1Setup", SUCCESSFUL << 1), (E1AP, 38462, "E1AP", 3, "gNB-CU-UP-E1Setup", SUCCESSFUL)], ids=str)
def test_set_ups_of_interfaces_are_named_and_timed(report, ppid, port, protocol, procedure, name, successful):  # noqa: F811
    """The choice of F1AP has no extension marker, so that its index begins a bit earlier (TS 38.473 9.4)."""
    talk = Conversation(ppid, ports=(port, port))
    talk.say(0, ngap(procedure)).say(1, ngap(procedure, choice=successful))
    found = report(talk)
    assert [(row.sender, row.protocol, row.name, row.count, row.open) for row in found.rows] == [
        (0, protocol, name, 1, 0), (1, protocol, f"{name}, successful", 1, 0)], found.text
    assert f"{protocol} {name} " in found.sections["From a request"]
    assert f"{protocol} {name}, successful" in found.sections["Events"]


@pytest.mark.parametrize("ppid, port, protocol", [(M2UA, 2904, "M2UA"), (SUA, 14001, "SUA")], ids=["M2UA", "SUA"])
def test_adaptation_layers_go_up_and_say_so(report, ppid, port, protocol):  # noqa: F811
    talk = Conversation(ppid, ports=(port, port))
    talk.say(0, m3ua(*ASPUP)).say(1, m3ua(*ASPUP_ACK)).say(1, m3ua(0, 1, m3ua_param(13, struct.pack("!HH", 1, 3))))
    found = report(talk)
    assert [(row.sender, row.protocol, row.name, row.open) for row in found.rows] == [
        (0, protocol, "ASPUP", 0), (1, protocol, "ASPUP ACK", 0), (1, protocol, "NTFY", 0)], found.text
    assert "ASP up" in found.sections["Events"] and "AS-ACTIVE" in found.sections["Events"]


def test_link_states_of_m2pa_are_named(report):  # noqa: F811
    talk = Conversation(M2PA, ports=(3565, 3565))
    header = struct.pack("!II", 0xFFFFFF, 0xFFFFFF)
    talk.say(0, struct.pack("!BBBBI", 1, 0, 11, 2, 20) + header + struct.pack("!I", 1))
    talk.say(1, struct.pack("!BBBBI", 1, 0, 11, 1, 16) + header)
    found = report(talk)
    assert [(row.sender, row.protocol, row.name) for row in found.rows] == [(0, "M2PA", "Link Status"), (1, "M2PA", "User Data")], found.text


def sgsap(kind, imsi=None, *elements):
    """TS 29.118 9.4.6: the IMSI in digits of half an octet, the first beside the kind of identity."""
    identity = b""
    if imsi:
        digits = imsi if len(imsi) % 2 else imsi + "F"
        value = bytes([int(digits[0]) << 4 | 9 if len(imsi) % 2 else int(digits[0]) << 4 | 1])
        value += bytes(int(digits[at + 1], 16) << 4 | int(digits[at], 16) for at in range(1, len(digits) - 1, 2))
        identity = bytes([1, len(value)]) + value
    return bytes([kind]) + identity + b"".join(elements)


def test_pagings_of_two_subscribers_are_kept_apart(report):  # noqa: F811
    """PPID 0 is right for SGsAP. The first is paged twice without an answer, the second answers at once."""
    talk = Conversation(SGSAP, ports=(29118, 29118))
    first, second = "001010123456789", "001010123456780"
    talk.say(1, sgsap(1, first)).say(1, sgsap(1, second)).say(0, sgsap(6, second))
    talk.wait(5_000_000_000).say(1, sgsap(1, first))
    found = report(talk)
    paging = found.row(1, "SGsAP-PAGING-REQUEST")
    assert (paging.protocol, paging.count, paging.repeats, paging.open) == ("SGSAP", 3, 1, 1), found.text
    assert found.row(0, "SGsAP-SERVICE-REQUEST").count == 1


def test_a_reject_of_sgsap_is_an_event_with_its_cause(report):  # noqa: F811
    talk = Conversation(SGSAP, ports=(29118, 29118))
    talk.say(0, sgsap(9, "001010123456789")).say(1, sgsap(11, "001010123456789", bytes([15, 1, 2])))
    found = report(talk)
    assert found.row(0, "SGsAP-LOCATION-UPDATE-REQUEST").open == 0
    assert "SGsAP-LOCATION-UPDATE-REJECT" in found.sections["Events"]


def test_data_channels_are_opened_stream_by_stream(report):  # noqa: F811
    talk = Conversation(DCEP, ports=(5000, 5000))
    opened = struct.pack("!BBHIHH", OPEN, 0, 256, 0, 4, 0) + b"chat"
    for stream, payload, sender in ((1, opened, 0), (3, opened, 0), (3, bytes([ACK]), 1)):
        end = talk.ends[sender]
        talk.send(sender, chunks.data(end.tsn, payload, stream, 0, DCEP)).sack(1 - sender)
        end.tsn += 1
    found = report(talk)
    asked = found.row(0, "DATA_CHANNEL_OPEN_REQUEST")
    assert (asked.count, asked.repeats, asked.open) == (2, 0, 1), found.text
    assert found.row(1, "DATA_CHANNEL_ACK").count == 1


def s1ap_of_ue(procedure, value, content=None, has_mme_id=True, choice=0):
    """Of a UE with these ids, and a NAS PDU."""
    ids = [information_element(0, b"\0" + bytes([100 + value]))] if has_mme_id else []
    inside = [information_element(26, open_type(content))] if content else []
    return ngap(procedure, *ids, information_element(8, b"\0" + bytes([value])), *inside, choice=choice)


S1AP_CONTEXT_SETUP, S1AP_DOWNLINK, S1AP_INITIAL_UE, NGAP_DOWNLINK = 9, 11, 12, 4
SERVICE_REQUEST = bytes([0xC7, 0x01, 0xAA, 0x55])  # TS 24.301 9.3.1: security header 12, the protocol, KSI and sequence number, short MAC


def test_rejects_of_nas_are_events_with_their_cause(report):  # noqa: F811
    talk = Conversation(S1AP, ports=(36412, 36412))
    talk.say(0, s1ap_of_ue(S1AP_INITIAL_UE, 1, SERVICE_REQUEST, has_mme_id=False))
    talk.say(1, s1ap_of_ue(S1AP_DOWNLINK, 1, bytes([0x07, 0x4E, 9])))
    found = report(talk)
    asked = found.row(0, "Service request")
    assert (asked.protocol, asked.count, asked.open) == ("NAS-EPS", 1, 0), found.text
    assert re.search(r"NAS-EPS Service reject; cause 9:\s+UE\s+identity cannot", found.sections["Events"]), found.text


def test_a_service_request_is_granted_by_bearers_of_that_ue(report):  # noqa: F811
    """The second UE gets none."""
    talk = Conversation(S1AP, ports=(36412, 36412))
    for value in (1, 2):
        talk.say(0, s1ap_of_ue(S1AP_INITIAL_UE, value, SERVICE_REQUEST, has_mme_id=False))
    talk.say(1, s1ap_of_ue(S1AP_CONTEXT_SETUP, 1)).say(0, s1ap_of_ue(S1AP_CONTEXT_SETUP, 1, choice=SUCCESSFUL))
    found = report(talk)
    asked = found.row(0, "Service request")
    assert (asked.count, asked.repeats, asked.open) == (2, 0, 1), found.text
    assert found.row(1, "InitialContextSetup").open == 0 and found.sections["Events"].strip() == "None.", found.text


def test_a_reject_of_a_session_inside_another_message_is_an_event(report):  # noqa: F811
    """DL NAS transport, the container of which holds a PDU session establishment reject (TS 24.501 8.3.3)."""
    talk = Conversation(NGAP, ports=(38412, 38412))
    inner = bytes([0x2E, 5, 1, 0xC3, 27])
    talk.say(1, of_ue(NGAP_DOWNLINK, 1, nas_5gs(0x68, bytes([1]) + struct.pack("!H", len(inner)) + inner)))
    found = report(talk)
    assert re.search(r"PDU session\s+establishment\s+reject; cause 27:\s+Missing\s+or\s+unknown\s+DNN", found.sections["Events"]), found.text


def test_unsuccessful_outcomes_of_any_procedure_are_events(report):  # noqa: F811
    talk = Conversation(NGAP, ports=(38412, 38412))
    talk.say(1, of_ue(14, 1)).say(0, of_ue(14, 1, cause(3), choice=UNSUCCESSFUL)).say(1, of_ue(14, 2)).say(0, of_ue(14, 2, choice=SUCCESSFUL))
    events = report(talk).sections["Events"]
    assert re.search(r"InitialContextSetup,\s+unsuccessful; cause\s+misc", events) and events.count("InitialContextSetup") == 1, events


def test_results_of_failure_of_any_command_are_events(report):  # noqa: F811
    """Experimental-Result holds a Vendor-Id and the code (RFC 6733 7.6); 2001 is a success."""
    def experimental(code):
        return struct.pack("!II", 297, 0x40 << 24 | 32) + avp(266, 10415) + avp(298, code)

    talk = Conversation(DIAMETER, ports=(3868, 3868))
    for number, answer in enumerate((experimental(5001), experimental(2001), avp(268, 5012), avp(268, 2001)), 1):
        talk.say(0, diameter(318, True, number, number, application=16777251)).say(1, diameter(318, False, number, number, answer, application=16777251))
    events = re.sub(r"\s+", " ", report(talk).sections["Events"])
    assert "Experimental-Result-Code: DIAMETER_ERROR_USER_UNKNOWN" in events and "; Result-Code: DIAMETER_UNABLE_TO_COMPLY" in events, events
    assert events.count("Answer") == 2, events


def test_triage_counts_what_was_rejected_alike(tshark, tmp_path):
    talk = Conversation(S1AP, ports=(36412, 36412))
    for value in (1, 2, 3):
        talk.say(0, s1ap_of_ue(S1AP_INITIAL_UE, value, SERVICE_REQUEST, has_mme_id=False))
        talk.say(1, s1ap_of_ue(S1AP_DOWNLINK, value, bytes([0x07, 0x4E, 9 if value < 3 else 10])))
    path = tmp_path / "rejects.pcapng"
    talk.write_capture(path)
    text = re.sub(r"\s+", " ", tshark("-q", "-o", "sctp_analysis.messages:TRUE", "-r", path, "-z", "sctp,triage").stdout)
    assert re.search(r"1→0 NAS-EPS Service reject; cause 9: [^;]*: 2 times, first in frame \d+", text), text
    assert re.search(r"1→0 NAS-EPS Service reject; cause 10: Implicitly detached, in frame \d+", text), text
    assert "all 3 requests answered" in text, text
