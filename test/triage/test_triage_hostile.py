# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects those who open the results: nothing from a capture or its name becomes markup, a script or a formula, and with
--anonymise nothing tells who spoke.

Leaves what tshark itself makes of such captures to test/tshark/test_hostile.py.
"""

import gzip
import html.parser
import json
import random
import re

import pytest

from triage_runs import CAPTURES, OUTPUTS, complaints, gather, triage  # noqa: F401
from scenarios.generate import chunks, hostile, packet
from scenarios.generate.merge import START_NS
from scenarios.generate.pcapng import Pcapng
from scenarios.generate.association import Flow, Association

CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f\x80-\x9f\u202a-\u202e\u2066-\u2069]")
NAMES = ("<script>alert(1)<", "\"><img src=x onerror=alert(1)>", "=1+1", "+1", "-1", "@SUM(1)", "a\nb,\"c\"", "\x1b[31mred", "\u202eright", "{{ 7*7 }}{% x %}",
         "]]><!--", "' or '1", "&lt;b&gt;")
TEXTS = (b"<script>alert(document.domain)</script>", b"\"><svg onload=alert(1)>", b"=cmd|' /C calc'!A0", b"{{ 7*7 }}", b"</style><script>x</script>", b"</title><b>",
         b"\x1b]0;title\x07", b"secret-reason-4711", b"host.example.org said so")
VOID = {"meta", "input", "br", "img", "link", "hr"}


def capture_of(path, texts, addresses=("203.0.113.77", "198.51.100.88"), more=()):
    """A capture of associations whose ends say texts in ABORT, ERROR, host names and cookies."""
    flow = Flow("texts")
    for text in texts:
        association = Association(flow, random.Random(1), addresses).set_up()
        association.send(1, chunks.error(chunks.tlv(13, text)))
        association.abort(0, causes=(chunks.user_abort(text),))
        association = Association(flow, random.Random(2), addresses)
        association.init(params=chunks.tlv(chunks.HOST_NAME, text) + b"".join(chunks.address(address) for address in more)).init_ack(cookie=text)
    with Pcapng(path) as capture:
        for number, item in enumerate(flow.items):
            capture.write(START_NS + number * 1_000_000, packet.ethernet(item.to_ip()))
    path.chmod(0o644)


class Page(html.parser.HTMLParser):
    """The elements of a page, as a browser takes them apart."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.scripts, self.values, self.styles, self.attributes, self.tags, self._open, self.text = [], [], [], set(), set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attributes if tag != "script"}
        if tag == "script":
            assert attributes in ([], [("type", "application/json")])
        if tag not in VOID:
            self._open.append("values" if tag == "script" and attributes else tag)

    def handle_endtag(self, tag):
        assert self._open and self._open.pop() in (tag, "values" if tag == "script" else tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attributes}

    def handle_data(self, data):
        where = self._open[-1] if self._open else ""
        {"script": self.scripts, "values": self.values, "style": self.styles}.get(where, self.text).append(data)


def check_page(text):
    from sctpa import pages
    page, words = Page(text), pages.words(*pages.WITH_PLOTS)
    assert page.scripts == [words["script"]] and page.styles == [words["style"]]
    # Numbers, and of words only the names of rules.
    for values in map(json.loads, page.values):
        assert set(values) == {"columns", "start_s", "step_s", "is_log", "traces", "marks"}
        assert all(re.fullmatch(r"[A-Z0-9]+-\d+", rule) for _, _, rule in values["marks"]) and not re.search(r'[^\d,.\[\]e+-]', json.dumps(values["traces"], separators=(",", ":")))
    assert not page.tags & {"img", "iframe", "object", "embed", "form", "link", "base", "b"}
    assert not [name for name in page.attributes if name.startswith("on") or name in ("style", "src", "srcset", "action")]
    assert CONTROL.findall("".join(page.text)) == []
    return "".join(page.text)


def test_nothing_said_in_a_capture_becomes_markup_or_a_formula(triage, tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    capture_of(folder / "said.pcapng", TEXTS)
    hostile.write("texts", folder / "texts.pcapng")
    assert triage(folder).returncode == 0
    said = check_page(triage.output("report.html"))
    assert "<script>alert(document.domain)</script>" in said and "{{ 7*7 }}" in said
    for name in OUTPUTS[2:]:
        assert [cell for row in triage.table(name) for cell in row.values() if cell[:1] in tuple("=+-@")] == []
        assert CONTROL.findall(triage.output(name)) == []
    assert CONTROL.findall(triage.output("associations.ndjson")) == []


@pytest.mark.thorough
def test_no_name_of_a_file_becomes_markup_a_formula_or_an_escape(triage, tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    content = (CAPTURES / "dcsctp" / "abort" / "A.pcap.gz").read_bytes()
    for number, name in enumerate(NAMES):
        path = folder / f"{name.replace('/', '_')}.pcap.gz"
        path.write_bytes(content if number % 3 == 0 else b"no capture")
        path.chmod(0o644)
    with open(folder.as_posix().encode() + b"/\xff\xfe.pcap", "wb") as file:
        file.write(b"no capture")
    result = triage(folder)
    assert result.returncode == 1 and CONTROL.findall(result.stderr.replace("\n", "")) == []
    assert len(complaints(result)) == len([number for number in range(len(NAMES)) if number % 3]) + 2  # the name of bytes, the sum
    said = check_page(triage.output("report.html"))
    for shown in ("<script>alert(1)<.pcap.gz", "{{ 7*7 }}{% x %}.pcap.gz", "\\xff\\xfe.pcap", "\\x1b[31mred.pcap.gz", "\\u{202e}right.pcap.gz"):
        assert shown in said
    assert len(triage.table("captures.csv")) == len(NAMES) + 1


# Like tshark's messages, and what ./run says of them.
SAYINGS = ("is invalid - .pcap", "x-z sctp,series,1: association.pcapng", '"sctp_analysis.capture_name:.pcap', 'a\n-o flag "sctp_analysis.capture_name:.pcap',
           'b\nInvalid -z argument "sctp,json.pcap', "c\n-z sctp,series,0: association 0 is unknown.pcap", "cut short in the middle of a packet.pcap",
           "it isn't a capture file.pcap", "damaged or corrupt.pcap", "-o flag \"x.pcap")


@pytest.mark.thorough
def test_no_name_of_a_file_is_taken_for_a_message(triage, tmp_path):
    from sctpa.names import safe_text
    folder = tmp_path / "in"
    folder.mkdir()
    content = gzip.decompress((CAPTURES / "dcsctp" / "abort" / "A.pcap.gz").read_bytes())
    expected = {}
    for bytes_, words in ((content, ""), (content[:-3], "cut short in the middle of a packet; the report covers what is there"),
                          (b"no capture at all\n" * 50, "is not a capture file that Wireshark understands")):
        for name in SAYINGS:
            path = folder / f"{len(expected)}{name}"
            path.write_bytes(bytes_)
            path.chmod(0o644)
            expected[safe_text(path.name)] = words
    result = triage(folder)
    assert {name: row["message"] for name, row in triage.captures().items()} == expected and result.returncode == 1
    assert len(triage.associations()) == 2 * len(SAYINGS)


def test_cells_that_begin_like_formulas_are_made_text_as_the_windows_do():
    from sctpa.names import csv_cell
    assert [csv_cell(text) for text in ("=1", "+1", "-1", "@1", "a=1", "", "'", " =1")] == ["'=1", "'+1", "'-1", "'@1", "a=1", "", "'", " =1"]
    assert [csv_cell(value) for value in (-1, -0.5, None, 7)] == [-1, -0.5, "", 7]


def strings(value):
    if isinstance(value, dict):
        for key, each in value.items():
            yield key
            yield from strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from strings(each)
    elif isinstance(value, str):
        yield value


def is_in(secret, text):
    """Whole words of short ones: 10.1.1.1 is not in 110.1.1.12."""
    return re.search(rf"(?<![\w.:]){re.escape(secret)}(?![\w:])", text) or (len(secret) > 9 and secret in text)


def originals(document):
    """Addresses of an association as the plain results have them."""
    for assoc in document:
        for end in assoc["endpoints"]:
            yield from end["addresses"]
        for path in assoc["paths"]:
            yield from filter(None, (path["destination"], *(pair["source"] for pair in path["pairs"])))


@pytest.mark.thorough
def test_anonymised_results_hold_no_address_name_or_text_of_the_originals(triage, tmp_path):
    folder = gather(tmp_path / "customer-site", "usrsctp/restart/A.pcapng.gz", "linux/asconf-noauth/A.pcapng.gz", "linux/mh-v4v6/A.pcapng.gz")
    capture_of(folder / "texts-of-berlin.pcapng", (b"secret-reason-4711", b"host.example.org said so", b"10.99.88.77 2001:db8::5 is down"),
               more=("2001:db8::77", "192.0.2.99"))
    (folder / "broken-in-berlin.pcap").write_bytes(b"\0" * 1000)
    assert triage(folder).returncode == 1
    plain = triage.associations()
    secrets = {*originals(plain), "secret-reason-4711", "host.example.org", "10.99.88.77", "2001:db8::5", "203.0.113.77", "198.51.100.88", "192.0.2.99",
               "customer-site", "berlin", "restart_A", str(tmp_path)}
    assert len(secrets) > 14 and any(":" in secret for secret in originals(plain))
    assert "secret-reason-4711" in triage.output("associations.ndjson")

    triage.out = tmp_path / "anonymised"
    assert triage("--anonymise", folder).returncode == 1
    hidden = triage.associations()
    key = (triage.out / "resume" / "key").read_bytes()
    for name, content in triage.everything().items():
        text = content.decode("utf-8", "replace")
        assert [secret for secret in secrets if is_in(secret, text)] == [], name
        assert name == "key" or (key not in content and key.hex() not in text)
    for assoc in hidden:
        for text in strings({**assoc, "findings": [{**finding, "clause": None} for finding in assoc["findings"]]}):
            assert not re.search(r"\b\d{1,3}(\.\d{1,3}){3}\b|[0-9a-f]{1,4}::?[0-9a-f]{1,4}:", text), text

    # The same in all results, in all captures, and in a run that goes on.
    what = ("index", "ports", "end", "packets")
    assert [[assoc[name] for name in what] for assoc in plain] == [[assoc[name] for name in what] for assoc in hidden]
    # An address spelled out in two ways is one.
    pairs = set(zip(originals(plain), originals(hidden), strict=True))
    assert len(pairs) == len({plain for plain, _ in pairs}) == len({pseudonym for _, pseudonym in pairs})
    rows = triage.captures()
    assert set(rows) == {assoc["capture"]["file"] for assoc in hidden} | {name for name, row in rows.items() if row["state"] == "not read"}
    for file in (triage.out / "resume").glob("*.json"):
        file.unlink()
        break
    triage("--anonymise", folder)
    assert triage.associations() == hidden
    triage.out = tmp_path / "another"
    triage("--anonymise", folder)
    assert not {*originals(hidden)} & {*originals(triage.associations())}


def test_the_causes_of_aborts_stay_and_their_reasons_go(triage, tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    capture_of(folder / "a.pcapng", (b"reason: with a colon",))
    triage("--anonymise", folder)
    details = [event["detail"] for assoc in triage.associations() for event in assoc["events"] if event["kind"] == "abort"]
    assert details and all(re.fullmatch(r"User-Initiated Abort: text-[0-9a-f]{10}", detail) for detail in details if detail)


def test_authentication_keys_are_in_no_output(triage, tmp_path):
    folder = gather(tmp_path / "in", "linux/aborts/A.pcapng.gz")
    result = triage("-o", 'uat:sctp_analysis_auth_keys:"1","c0ffeec0ffee",""', folder)
    assert result.returncode == 0, result.stderr
    assert [name for name, content in triage.everything().items() if b"c0ffee" in content.lower()] == [] and "c0ffee" not in result.stderr


def test_outputs_of_names_are_what_report_text_makes_of_them():
    from sctpa.names import safe_text
    assert safe_text("a\x1b\u202e\udcff\u00e4\ue000 b") == "a\\x1b\\u{202e}\\xff\u00e4\\u{e000} b"
    assert json.loads(json.dumps(safe_text("\n"))) == "\\x0a"
