# SPDX-License-Identifier: GPL-2.0-or-later
"""-z sctp,messages: what Wireshark's dissectors name is counted once per message, whatever packets carry it; repeats, answers and
events belong to the requests that they belong to, and to no others."""

import collections
import json
import re
import xml.etree.ElementTree

import pytest
from application_messages import (
    DIAMETER, DOWNLINK_NAS, INITIAL_CONTEXT_SETUP, M3UA, MS, NG_SETUP, NGAP, SESSION_SETUP, SUCCESSFUL, UE_CONTEXT_RELEASE,
    UNSUCCESSFUL, UPLINK_NAS, Conversation, avp, cause, chunks, diameter, example, healthy, m3ua, m3ua_param, nas_5gs, nas_ciphered, ngap, of_ue,
    pdu_session)
from conftest import MORE_CAPTURES, TOP, capture_files, capture_id
from report_text import width

S = 1000 * MS
Row = collections.namedtuple("Row", "sender protocol name count bytes repeats open")
SECURITY_MODE_COMMAND, SECURITY_MODE_COMPLETE, REGISTRATION_REQUEST = 0x5D, 0x5E, 0x41
CAPABILITIES, WATCHDOG, CREDIT_CONTROL = 257, 280, 272
RESULT_CODE = 268
CAPTURES = capture_files([MORE_CAPTURES])


class Report:
    """The sections of the report by the beginnings of their headings, and the rows of the table of messages."""

    def __init__(self, text):
        self.text = text
        self.sections = dict(re.findall(r"\n\n(What|Requests|From a request|From the first|Events)[^\n]*\n(.*?)(?=\n\n|\Z)", text, re.S))
        self.sections = {name: section.rstrip("\n") for name, section in self.sections.items()}
        self.rows = [*self.read_rows(self.sections.get("What", "").splitlines())]
        self.counts = collections.Counter()
        for row in self.rows:
            self.counts[row.sender, row.protocol, row.name] += row.count

    @staticmethod
    def read_rows(lines):
        """Texts begin where their heads do, numbers end there."""
        protocol, message = (lines[0].find(word) for word in ("protocol", "message")) if lines else (0, 0)
        ends = [lines[0].find(word) + len(word) for word in ("count", "bytes", "repeats", "open")] if lines else []
        for line in lines:
            if re.match(r"[01] ", line):
                name, count = re.fullmatch(r"(.*?) +([\d,]+)", line[message:ends[0]]).groups()
                numbers = [count, *(line[begin:end] for begin, end in zip(ends, ends[1:]))]
                yield Row(int(line[0]), line[protocol:message].strip(), name, *(int(text.replace(",", "").strip() or 0) for text in numbers))

    def row(self, sender, name):
        (found,) = (row for row in self.rows if (row.sender, row.name) == (sender, name))
        return found

    def count(self, sender, name):
        return sum(row.count for row in self.rows if (row.sender, row.name) == (sender, name))


def report_of(tshark, path, *options, filter=""):
    result = tshark("-q", *options, "-r", path, "-z", f"sctp,messages{',' + filter if filter else ''}")
    assert result.returncode in (0, 2), result.stderr
    return Report(result.stdout)


@pytest.fixture
def report(tshark, tmp_path):
    def make(conversation, *options, **named):
        path = tmp_path / "messages.pcapng"
        conversation.write_capture(path)
        return report_of(tshark, path, *options, **named)
    return make


def test_bundled_messages_are_counted_each(report):
    talk = Conversation(NGAP, ports=(38412, 38412))
    talk.say(0, ngap(NG_SETUP)).say(1, ngap(NG_SETUP, choice=SUCCESSFUL))
    talk.say(0, *(of_ue(UPLINK_NAS, value, nas_5gs(REGISTRATION_REQUEST)) for value in range(1, 8)))
    found = report(talk)
    assert found.count(0, "UplinkNASTransport") == found.count(0, "Registration request") == 7
    assert found.count(0, "NGSetup") == found.count(1, "NGSetup, successful") == 1
    assert "User messages: 9 named by a dissector\n" in found.text


def test_a_fragmented_message_counts_once_with_all_its_bytes(report):
    talk = Conversation(NGAP, ports=(38412, 38412))
    message = of_ue(DOWNLINK_NAS, 1, nas_5gs(SECURITY_MODE_COMMAND, bytes(90)))
    for chunk in talk.fragments(1, message, 4):
        talk.send(1, chunk)
    talk.sack(0)
    found = report(talk)
    assert (found.count(1, "DownlinkNASTransport"), found.row(1, "DownlinkNASTransport").bytes) == (1, len(message))


def test_interleaved_fragments_and_whole_messages_of_one_packet_keep_their_places(report):
    """Two messages end in one packet, one of them with fragments in earlier packets; a third stands whole between them."""
    talk = Conversation(NGAP, ports=(38412, 38412))
    long = [of_ue(DOWNLINK_NAS, value, nas_5gs(SECURITY_MODE_COMMAND, bytes(size))) for value, size in ((1, 60), (2, 100))]
    first = talk.fragments(1, long[0], 3)
    talk.send(1, first[0]).send(1, first[1], )
    whole = talk.next_chunk(1, ngap(NG_SETUP, choice=SUCCESSFUL))
    second = talk.fragments(1, long[1], 2)
    talk.send(1, first[2], whole, second[0], second[1]).sack(0)
    found = report(talk)
    assert (found.count(1, "DownlinkNASTransport"), found.count(1, "NGSetup, successful")) == (2, 1)
    assert found.row(1, "DownlinkNASTransport").bytes == sum(map(len, long))


@pytest.mark.parametrize("port, ppid, row", [(38412, NGAP, (1, "NGAP", "DownlinkNASTransport", 2)), (5001, 4711, (1, "PPID 4711", "-", 2))],
                         ids=["named", "unknown"])
def test_messages_whose_fragments_interleave_are_told_apart(report, port, ppid, row):
    """I-DATA: only the first fragment has the PPID, and those of two streams alternate. Wireshark goes by the port then."""
    talk = Conversation(NGAP, ports=(port, port))
    messages = [of_ue(DOWNLINK_NAS, stream, nas_5gs(SECURITY_MODE_COMMAND, bytes(90))) for stream in (0, 1)]
    for fsn in range(3):
        for stream, message in enumerate(messages):
            end, size = talk.ends[1], len(message) // 3 + 1
            flags = {0: chunks.BEGIN, 2: chunks.END}.get(fsn, 0)
            talk.send(1, chunks.i_data(end.tsn, message[fsn * size:(fsn + 1) * size], stream, 0, fsn or ppid, flags))
            end.tsn += 1
    assert row in [found[:4] for found in report(talk).rows]


def test_a_last_fragment_that_comes_early_makes_no_second_message(report):
    talk = Conversation(NGAP, ports=(38412, 38412))
    parts = talk.fragments(1, of_ue(DOWNLINK_NAS, 1, nas_5gs(SECURITY_MODE_COMMAND, bytes(60))), 3)
    talk.send(1, parts[0]).send(1, parts[2]).send(1, parts[1]).sack(0)
    found = report(talk)
    assert "User messages: 1 named by a dissector\n" in found.text


def test_a_retransmission_of_sctp_is_no_message(report):
    talk = Conversation(NGAP, ports=(38412, 38412))
    chunk = talk.next_chunk(1, of_ue(DOWNLINK_NAS, 1, nas_5gs(SECURITY_MODE_COMMAND)))
    talk.send(1, chunk).wait(S).send(1, chunk).sack(0)
    found = report(talk)
    assert found.count(1, "Security mode command") == 1
    assert found.sections["Requests"] == "None."


def test_a_request_without_an_answer_that_is_sent_again_is_a_repeat(report):
    talk = Conversation(NGAP, ports=(38412, 38412))
    for value in (1, 2):
        for _ in range(5):
            talk.wait(6 * S if _ else 0).say(1, of_ue(DOWNLINK_NAS, value, nas_5gs(SECURITY_MODE_COMMAND)))
    found = report(talk)
    assert " ".join(found.sections["Requests"].split()) == (
        "#0 1→0 NAS-5GS Security mode command: 10, 8 of them repeats, 6.020 s apart (median); 2 requests unanswered")
    assert found.row(1, "Security mode command").repeats == 8


@pytest.mark.parametrize("answer", [nas_5gs(SECURITY_MODE_COMPLETE), nas_ciphered()], ids=["answered", "perhaps_answered"])
def test_a_request_that_was_answered_may_be_sent_anew(report, answer):
    talk = Conversation(NGAP, ports=(38412, 38412))
    for _ in range(3):
        talk.say(1, of_ue(DOWNLINK_NAS, 1, nas_5gs(SECURITY_MODE_COMMAND))).say(0, of_ue(UPLINK_NAS, 1, answer))
    found = report(talk)
    assert found.sections["Requests"] == "None."
    assert found.row(1, "Security mode command").open == 0


def test_ids_that_were_released_are_of_another_ue_afterwards(report):
    talk = Conversation(NGAP, ports=(38412, 38412))
    for _ in range(2):
        talk.say(1, of_ue(DOWNLINK_NAS, 1, nas_5gs(SECURITY_MODE_COMMAND)))
        talk.say(1, of_ue(UE_CONTEXT_RELEASE, 1)).say(0, of_ue(UE_CONTEXT_RELEASE, 1, choice=SUCCESSFUL))
    found = report(talk)
    assert found.sections["Requests"] == "None."
    assert found.row(1, "Security mode command").open == 2


def test_concurrent_procedures_of_several_ues_are_not_mixed_up(report):
    """The answers come in reverse order: the first request waits longest."""
    talk = Conversation(NGAP, ports=(38412, 38412), near_ns=10 * MS, far_ns=10 * MS)
    for value in range(1, 5):
        talk.send(1, talk.next_chunk(1, of_ue(INITIAL_CONTEXT_SETUP, value)))
    for value in range(4, 0, -1):
        talk.send(0, talk.next_chunk(0, of_ue(INITIAL_CONTEXT_SETUP, value, choice=UNSUCCESSFUL if value == 2 else SUCCESSFUL)))
    found = report(talk)
    times = re.search(r"NGAP InitialContextSetup +(\d+) +([\d.]+) +([\d.]+) +(\d+)", found.sections["From a request"]).groups()
    assert times == ("4", "30.000", "70.000", "5")
    assert found.count(0, "InitialContextSetup, unsuccessful") == 1


def test_sessions_of_a_ue_that_are_set_up_at_once_are_no_repeats(report):
    talk = Conversation(NGAP, ports=(38412, 38412))
    for session in (5, 6, 6):
        talk.say(1, of_ue(SESSION_SETUP, 1, pdu_session(session)))
    assert report(talk).row(1, "PDUSessionResourceSetup")[5:] == (1, 2)


def test_the_answer_to_a_repeated_request_is_not_timed(report):
    talk = Conversation(NGAP, ports=(38412, 38412))
    talk.say(0, ngap(NG_SETUP)).wait(10 * S).say(0, ngap(NG_SETUP)).say(1, ngap(NG_SETUP, choice=SUCCESSFUL))
    found = report(talk)
    assert found.sections["From a request"] == "No answer was timed.\n1 more answer fits several requests, or one that was repeated."
    assert re.search(r"NGSetup: 2, 1 of them a repeat, 10\.\d+ s apart", found.sections["Requests"])


def test_a_procedure_without_outcome_is_never_open(report):
    talk = Conversation(NGAP, ports=(38412, 38412))
    for _ in range(3):
        talk.say(1, of_ue(DOWNLINK_NAS, 1))
    assert report(talk).row(1, "DownlinkNASTransport").open == 0


def test_diameter_is_paired_by_hop_by_hop_id(report):
    talk = Conversation(DIAMETER, ports=(3868, 3868), near_ns=10 * MS, far_ns=10 * MS)
    for number in (1, 2, 3):
        talk.send(0, talk.next_chunk(0, diameter(CREDIT_CONTROL, True, number, 70 + number, application=4)))
    for number in (3, 1):
        talk.send(1, talk.next_chunk(1, diameter(CREDIT_CONTROL, False, number, 70 + number, avp(RESULT_CODE, 2001), application=4)))
    talk.send(1, talk.next_chunk(1, diameter(CREDIT_CONTROL, False, 99, 72, avp(RESULT_CODE, 2001), application=4)))
    found = report(talk)
    assert re.search(r"Diameter Credit-Control Request +2 +10\.000 +40\.000 +5", found.sections["From a request"])
    assert found.row(0, "Credit-Control Request").open == 1


def test_diameter_repeats_have_the_end_to_end_id_or_the_t_flag(report):
    talk = Conversation(DIAMETER, ports=(3868, 3868))
    talk.say(0, diameter(CREDIT_CONTROL, True, 1, 70)).wait(2 * S).say(0, diameter(CREDIT_CONTROL, True, 2, 70))
    talk.say(0, diameter(CREDIT_CONTROL, True, 3, 71, repeat=True))
    talk.say(0, diameter(CREDIT_CONTROL, True, 4, 72))
    assert report(talk).row(0, "Credit-Control Request").repeats == 2


def test_keep_alives_never_repeat_and_an_unanswered_one_is_an_event(report):
    talk = Conversation(DIAMETER, ports=(3868, 3868))
    for number in range(4):
        talk.wait(30 * S if number else 0).say(0, diameter(WATCHDOG, True, number, number))
        if number < 2:
            talk.say(1, diameter(WATCHDOG, False, number, number, avp(RESULT_CODE, 2001)))
    talk.wait(30 * S).sack(0)
    found = report(talk)
    assert found.sections["Requests"] == "None."
    assert len(re.findall(r"Device-Watchdog Request: no answer in the\s+\d+\.\d+ s until the capture ended", found.sections["Events"])) == 2


def test_events_of_diameter_name_the_result(report):
    talk = Conversation(DIAMETER, ports=(3868, 3868))
    talk.say(0, diameter(CAPABILITIES, True, 1, 1)).say(1, diameter(CAPABILITIES, False, 1, 1, avp(RESULT_CODE, 5010)))
    assert re.search(r"Capabilities-Exchange Answer; Result-Code:\s+DIAMETER_NO_COMMON_APPLICATION", report(talk).sections["Events"])


def test_events_of_m3ua_follow_the_states_of_asp_and_destination(report):
    talk = Conversation(M3UA, ports=(2905, 2905))
    affected = m3ua_param(0x12, b"\0\0\x12\x34")
    talk.say(0, m3ua(3, 1)).say(1, m3ua(3, 4)).say(0, m3ua(4, 1)).say(1, m3ua(4, 3))
    talk.say(1, m3ua(0, 1, m3ua_param(0x0D, b"\0\1\0\3"))).say(1, m3ua(2, 1, affected)).say(1, m3ua(2, 2, affected))
    talk.say(0, m3ua(3, 3)).say(1, m3ua(3, 6)).say(0, m3ua(3, 2)).say(1, m3ua(3, 5))
    found = report(talk)
    events = re.findall(r"M3UA (.*)", re.sub(r"\n {20,}", " ", found.sections["Events"]))
    assert events == ["ASP up (ASPUP ACK)", "ASP active (ASPAC ACK)", "NTFY; AS-ACTIVE", "destination unavailable (DUNA); Affected point code: 4660",
                      "destination available (DAVA); Affected point code: 4660", "ASP down (ASPDN ACK)"]
    assert found.count(0, "BEAT") == found.count(1, "BEAT ACK") == 1


def test_a_failed_setup_is_an_event_with_its_cause(report):
    talk = Conversation(NGAP, ports=(38412, 38412))
    talk.say(0, ngap(NG_SETUP)).say(1, ngap(NG_SETUP, cause(2), choice=UNSUCCESSFUL))
    assert re.search(r"NGAP NGSetup, unsuccessful; cause misc:\s+\S+", report(talk).sections["Events"])


def test_what_no_dissector_names_is_counted_by_ppid(report):
    talk = Conversation(NGAP, ports=(5001, 5002))
    talk.say(0, b"\x16\xfe\xfd" + bytes(30), ppid=66).say(0, b"secret", ppid=4711).say(0, b"x", ppid=18 << 24)
    talk.say(1, of_ue(DOWNLINK_NAS, 1, nas_ciphered()))
    found = report(talk)
    assert "User messages: 1 named by a dissector, 1 protected by DTLS, 2 without a name\nNAS in them:   1 ciphered\n" in found.text
    assert {(0, "PPID 4711", "-"): 1, (0, "NGAP over DTLS", "protected by DTLS"): 1}.items() <= found.counts.items()
    assert any(protocol.startswith("S1AP, by") for _, protocol, _ in found.counts)


def test_the_transport_is_timed_from_the_first_transmission_to_the_ack(report):
    talk = Conversation(NGAP, ports=(38412, 38412), near_ns=10 * MS, far_ns=10 * MS)
    chunk = talk.next_chunk(1, ngap(NG_SETUP, choice=SUCCESSFUL))
    talk.send(1, chunk).wait(490 * MS).send(1, chunk).sack(0)
    assert re.search(r"NGAP NGSetup, successful +1 +510\.000 +510\.000 +5", report(talk).sections["From the first"])


@pytest.mark.parametrize("far_ms, words", [(20, "1 of 2 rows is a lower bound: the capture was not taken near the sender"), (1, None)])
def test_far_from_the_sender_a_first_transmission_may_be_missing(report, far_ms, words):
    talk = Conversation(NGAP, ports=(38412, 38412), far_ns=far_ms * MS)
    talk.say(0, ngap(NG_SETUP)).say(1, ngap(NG_SETUP, choice=SUCCESSFUL))
    told = report(talk).sections["From the first"]
    assert words in told if words else "lower bound" not in told


def test_a_filter_selects_the_packets_whose_messages_count(report):
    talk = Conversation(NGAP, ports=(38412, 38412))
    talk.say(0, ngap(NG_SETUP)).say(1, ngap(NG_SETUP, choice=SUCCESSFUL)).say(1, of_ue(DOWNLINK_NAS, 1))
    found = report(talk, filter="ngap.procedureCode == 21")
    assert (found.count(0, "NGSetup"), found.count(1, "NGSetup, successful"), found.count(1, "DownlinkNASTransport")) == (1, 1, 0)


@pytest.mark.parametrize("filter", ["foo.bar ==", "sctp) or (udp"])
def test_a_wrong_filter_is_named_as_it_was_given(tshark, tmp_path, filter):
    path = tmp_path / "messages.pcapng"
    Conversation(NGAP).write_capture(path)
    result = tshark("-q", "-r", path, "-z", f"sctp,messages,{filter}")
    assert (result.returncode, "ngap" in result.stderr, result.stdout) == (1, False, "")


def test_one_pass_and_two_say_the_same(report):
    talk = Conversation(NGAP, ports=(38412, 38412))
    talk.say(0, ngap(NG_SETUP)).say(1, ngap(NG_SETUP, choice=SUCCESSFUL))
    talk.say(1, of_ue(DOWNLINK_NAS, 1, nas_5gs(SECURITY_MODE_COMMAND, bytes(1000))))
    assert report(talk).text == report(talk, "-2").text


def test_flipped_bytes_of_messages_do_no_harm(tshark, tmp_path):
    talk = Conversation(NGAP, ports=(38412, 38412))
    messages = [ngap(NG_SETUP), of_ue(DOWNLINK_NAS, 1, nas_5gs(SECURITY_MODE_COMMAND)), of_ue(INITIAL_CONTEXT_SETUP, 1),
                diameter(WATCHDOG, True, 1, 1, avp(RESULT_CODE, 2001)), m3ua(0, 1, m3ua_param(0x0D, b"\0\1\0\3"))]
    for ppid, message in zip((NGAP, NGAP, NGAP, DIAMETER, M3UA), messages):
        for at in range(len(message)):
            for value in (0, 0xFF, message[at] ^ 0x40):
                talk.send(0, talk.next_chunk(0, message[:at] + bytes([value]) + message[at + 1:], ppid=ppid))
            talk.send(0, talk.next_chunk(0, message[:at] or b"\0", ppid=ppid))
    path = tmp_path / "flipped.pcapng"
    talk.write_capture(path)
    found = report_of(tshark, path)
    assert all(width(line) <= 80 and line.isprintable() for line in found.text.split("\n"))
    assert "None of" not in found.text and found.counts


def test_too_many_open_requests_are_given_up_and_counted(report):
    talk = Conversation(DIAMETER, ports=(3868, 3868))
    for number in range(40):
        talk.send(0, *(talk.next_chunk(0, diameter(CREDIT_CONTROL, True, 64 * number + i, 7, avp(RESULT_CODE, number))) for i in range(40)))
    found = report(talk)
    assert found.row(0, "Credit-Control Request").count == 1600


PROTOCOLS = {"ngap": "NGAP", "s1ap": "S1AP", "x2ap": "X2AP", "m3ua": "M3UA", "m2ua": "M2UA", "diameter": "Diameter"}
CODES = {"ngap": "ngap.procedureCode", "s1ap": "s1ap.procedureCode"}


def test_this_wireshark_has_every_field_by_one_of_its_names(tshark):
    rows = re.findall(r'^SCTPA_APPLICATION_FIELD\((\w+), +"([^"]+)", +(\w+)\)', (TOP / "plugins/sctp_analysis/epan/messages/applications.def").read_text(), re.M)
    known = {line.split("\t")[2] for line in tshark("-G", "fields").stdout.splitlines() if line.startswith("F\t")}
    here = {(application, name.replace("_", "-")) for application, name, _ in rows if name in known}
    assert len(rows) > 90 and {(application, name.replace("_", "-")) for application, name, _ in rows} == here


def messages_of_tree(tshark, path):
    """How many messages of each protocol, and of each procedure code, the whole tree of tshark shows."""
    counts = collections.Counter()
    document = tshark("-r", path, "-Y", "sctp", "-T", "pdml").stdout
    for packet in xml.etree.ElementTree.fromstring(document).iter("packet") if document.strip() else ():
        for protocol in packet.findall("proto"):
            name = protocol.get("name")
            if name not in PROTOCOLS:
                continue
            counts[PROTOCOLS[name]] += 1
            if name in CODES:
                field = protocol.find(f".//field[@name='{CODES[name]}']")
                counts[PROTOCOLS[name], re.search(r"id-(\S+)", field.get("showname")).group(1)] += 1
    return counts


def has_repeated_tsns(tshark, path):
    return bool(tshark("-r", path, "-Y", "sctp.analysis.transmission > 1", "-T", "fields", "-e", "frame.number").stdout.strip())


@pytest.mark.more_captures
@pytest.mark.parametrize("path", CAPTURES, ids=[capture_id(path) for path in CAPTURES])
def test_counts_are_those_of_the_tree(tshark, path):
    expected = messages_of_tree(tshark, path)
    if has_repeated_tsns(tshark, path):
        pytest.skip("Wireshark dissects some retransmissions, too")
    found = report_of(tshark, path)
    assert " more names\n" not in found.text
    for protocol in PROTOCOLS.values():
        assert sum(row.count for row in found.rows if row.protocol == protocol) == expected[protocol]
    for protocol, name in (key for key in expected if isinstance(key, tuple)):
        assert sum(row.count for row in found.rows if row.protocol == protocol and is_procedure(row.name, name)) == expected[protocol, name]


def is_procedure(shown, name):
    """The table cuts long names."""
    stem = shown.partition(",")[0]
    return name.startswith(stem[:-1]) if stem.endswith("…") else stem == name


def associations_of(tshark, path, *options):
    result = tshark("-q", *options, "-r", path, "-z", "sctp,json")
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)["associations"]


READ_MESSAGES = ("-o", "sctp_analysis.messages:TRUE")


@pytest.fixture
def example_capture(tmp_path):
    path = tmp_path / "example.pcapng"
    example().write_capture(path)
    return path


def test_json_has_the_messages_that_the_report_has(tshark, example_capture):
    (association,) = associations_of(tshark, example_capture, *READ_MESSAGES)
    listed = [(row["from"], row["protocol"], row["message"], row["count"], row["bytes"], row["repeats"], row["unanswered"])
              for row in association["application"]["messages"]]
    assert listed == [tuple(row) for row in report_of(tshark, example_capture).rows]
    (request,) = [row for row in association["application"]["messages"] if row["message"] == "Security mode command"]
    assert request["repeat_interval_ms"]["median"] == pytest.approx(6007)
    assert [(event["frame"], event["from"], event["event"]) for event in association["application"]["events"]] == [
        (7, 1, "NGAP NGSetup, successful"), (32, 1, "NGAP ErrorIndication; cause misc: control-processing-overload")]


def test_without_the_preference_nothing_is_read(tshark, example_capture):
    (association,) = associations_of(tshark, example_capture)
    assert association["application"] is None


def test_a_report_of_messages_lets_others_of_the_same_packets_have_them(tshark, example_capture):
    result = tshark("-q", "-r", example_capture, "-z", "sctp,messages", "-z", "sctp,triage")
    assert "Messages:  18 of NGAP, with 14 of NAS (2 ciphered);" in result.stdout
    other = tshark("-q", "-r", example_capture, "-z", "sctp,messages", "-z", "sctp,triage,sctp.srcport==38412")
    assert "of the application not read" in other.stdout


def test_the_page_tells_what_the_application_did(tshark, example_capture):
    page = " ".join(tshark("-q", *READ_MESSAGES, "-r", example_capture, "-z", "sctp,triage").stdout.split())
    assert "Messages: 18 of NGAP, with 14 of NAS (2 ciphered); 6 of 8 requests answered, the slowest after 1.009 s (NGAP InitialContextSetup, " \
           "frame 19)" in page
    assert "Application: in 1 of 1 association #0 1→0 NAS-5GS Security mode command: 6, 4 of them repeats, 6.007 s apart (median); 1 request " \
           "unanswered #0 1→0 NGAP ErrorIndication; cause misc: control-processing-overload, in frame 32" in page


def test_what_is_missing_of_a_peer_that_was_not_captured_is_not_said(tshark, tmp_path):
    talk = Conversation(NGAP, ports=(38412, 38412))
    talk.say(0, ngap(NG_SETUP))
    path, half = tmp_path / "whole.pcapng", tmp_path / "half.pcapng"
    talk.write_capture(path)
    assert tshark("-r", path, "-Y", "ip.src == 10.0.0.1", "-w", half).returncode == 0
    page = tshark("-q", *READ_MESSAGES, "-r", half, "-z", "sctp,triage").stdout
    assert "Messages:  1 of NGAP\n" in page and "unanswered" not in page


def test_a_healthy_signalling_capture_fits_24_lines(tshark, tmp_path):
    healthy().write_capture(tmp_path / "healthy.pcapng")
    page = tshark("-q", *READ_MESSAGES, "-r", tmp_path / "healthy.pcapng", "-z", "sctp,triage").stdout
    assert len(page.splitlines()) <= 24
    assert "Transport: not to blame" in page and "all 7 requests answered, the slowest after 24.00 ms" in " ".join(page.split())


def test_messages_that_waited_for_a_lost_one_say_for_which(tshark, tmp_path):
    """The first of four is lost; two others had arrived 1 s before the last was sent, whose ack still reports it missing. The tap is at their sender."""
    talk = Conversation(NGAP, ports=(38412, 38412))
    talk.say(0, ngap(NG_SETUP)).say(1, ngap(NG_SETUP, choice=SUCCESSFUL))
    first = talk.ends[0].tsn
    parts = [talk.next_chunk(0, of_ue(UPLINK_NAS, value, nas_5gs(REGISTRATION_REQUEST))) for value in (1, 2, 3, 4)]
    for part in parts[:3]:
        talk.send(0, part)
    talk.send(1, chunks.sack(first - 1, gaps=((2, 3),)))
    talk.wait(S).send(0, parts[3]).send(1, chunks.sack(first - 1, gaps=((2, 4),))).send(0, parts[0]).sack(1)
    path = tmp_path / "held.pcapng"
    talk.write_capture(path)
    (association,) = associations_of(tshark, path, *READ_MESSAGES)
    (row,) = [row for row in association["application"]["messages"] if row["message"] == "UplinkNASTransport"]
    held = row["held"]
    assert (held["messages"], held["behind_tsn"], held["behind_frame"]) == (2, first, 9)
    assert held["frame"] in (10, 11) and held["longest_s"] == pytest.approx(1, abs=0.03)
    page = " ".join(tshark("-q", *READ_MESSAGES, "-r", path, "-z", "sctp,triage").stdout.split())
    assert "NGAP UplinkNASTransport: 2 of 4 had arrived and waited for an earlier TSN; the longest, frame " in page
    assert f"for at least {held['longest_s']:.3f} s behind TSN {first} (frame 9)" in page


def test_the_time_to_the_ack_begins_with_the_first_fragment(tshark, tmp_path):
    """Its last fragment follows a second later; the report of messages and that of delays have one definition."""
    talk = Conversation(NGAP, ports=(38412, 38412))
    first, last = talk.fragments(0, ngap(NG_SETUP), 2)
    talk.send(0, first).wait(S).send(0, last).sack(1)
    path = tmp_path / "fragments.pcapng"
    talk.write_capture(path)
    (association,) = associations_of(tshark, path, *READ_MESSAGES)
    (row,) = association["application"]["messages"]
    delay = association["directions"][0]["message_delay"]
    assert row["ack_delay_ms"]["max"] == delay["ack_ms"]["max"] > 1000


def test_a_chunk_that_never_passed_may_hold_back_what_follows(tshark, tmp_path):
    """The tap lacks the first of two; a SACK goes past it a second after it gap-acked the second, which could be delivered then at the latest."""
    talk = Conversation(NGAP, ports=(38412, 38412))
    talk.say(0, ngap(NG_SETUP))
    unseen, passed = (talk.next_chunk(0, of_ue(UPLINK_NAS, value, nas_5gs(REGISTRATION_REQUEST))) for value in (1, 2))
    last = talk.ends[0].tsn - 1
    talk.send(0, passed).send(1, chunks.sack(last - 2, gaps=((2, 2),))).wait(S).send(1, chunks.sack(last))
    path = tmp_path / "unseen.pcapng"
    talk.write_capture(path)
    (association,) = associations_of(tshark, path)
    delay = association["directions"][0]["message_delay"]
    assert (delay["messages"], delay["ack_ms"]["max"]) == (2, pytest.approx(20, abs=0.1))
    assert delay["delivered_most_ms"]["max"] > 1000
