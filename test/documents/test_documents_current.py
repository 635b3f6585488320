# SPDX-License-Identifier: GPL-2.0-or-later
"""docs/generated/reference.md, the helps of commands and the man pages say what the plugin registers and what ./run --help says.

test/documents/update writes them anew."""

import json
import os
import pathlib
import posixpath
import re
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent.parent))

import man_pages  # noqa: E402
import reference_document  # noqa: E402
import registered  # noqa: E402
from sctpa.check import arguments as check  # noqa: E402
from sctpa.read import arguments as read  # noqa: E402
from sctpa.report import arguments as report  # noqa: E402
from sctpa.triage import arguments as triage  # noqa: E402
from sctpa.watch import arguments as watch  # noqa: E402
from sctpa.webrtc import arguments as webrtc  # noqa: E402

UPDATE = os.environ.get("SCTPA_DOCUMENTS") == "update"
HELPS = {
    "read/usage.txt": read.parser, "triage/usage.txt": triage.parser, "report/usage.txt": report.parser, "watch/usage.txt": watch.parser, "webrtc/usage.txt": webrtc.parser,
    "check/usage_check.txt": check.check_parser, "check/usage_compare.txt": check.compare_parser, "check/usage_matrix.txt": check.matrix_parser,
    "check/usage_explain.txt": check.explain_parser,
}
DOCUMENTS = {
    "json_schema.json": lambda tshark: json.dumps(registered.schema(), indent=1, ensure_ascii=False) + "\n",
    "man/sctp-analysis.7": man_pages.plugin_page,
    "man/sctp-analysis.1": lambda tshark: man_pages.command_page(),
}


def assert_current(path, text):
    if UPDATE:
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text, "write it anew with test/documents/update"


# Before the help of ./run, which lists its reports.
def test_reference_is_current(tshark):
    assert_current(registered.TOP / "docs/generated/reference.md", reference_document.text(tshark))


# Before the man page, which is made of them.
@pytest.mark.parametrize("name", HELPS)
def test_help_that_run_prints_without_python_is_that_of_the_options(name):
    text = HELPS[name]().text()
    assert_current(registered.TOP / "sctpa" / name, text)
    assert text.isascii()
    assert all(len(line) <= 80 for line in text.splitlines())


def test_every_help_is_written():
    assert {str(path.relative_to(registered.TOP / "sctpa")) for path in registered.TOP.glob("sctpa/*/usage*.txt")} == set(HELPS)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_document_is_current(name, tshark):
    assert_current(registered.TOP / "docs" / name, DOCUMENTS[name](tshark))


def shown(name):
    """A document without the marks of roff or Markdown."""
    text = (registered.TOP / "docs" / name).read_text(encoding="utf-8")
    return re.sub(r"\\f.|\\&", "", text).replace("\\-", "-").replace("\\|", "|")


@pytest.mark.parametrize("name", ["generated/reference.md", "man/sctp-analysis.7"])
def test_every_report_is_described(name, tshark):
    names = registered.report_names(tshark)
    assert {"triage", "json", "series"} <= names
    for report in names:
        assert re.search(rf"-z sctp,{report}\b", shown(name)), report


def test_help_of_run_and_its_page_list_the_reports_that_tshark_lists(tshark):
    for text in (man_pages.run_help(), shown("man/sctp-analysis.1")):
        listed = re.search(r"another report.*?(?=-Y, --filter|\n\.TP)", text, re.S).group(0)
        assert set(re.findall(r"sctp,(\w+)", listed.partition(":")[2])) == registered.report_names(tshark)


def test_readme_names_reports_and_options_that_exist(tshark):
    text = (registered.TOP / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(?:-z )?sctp,(\w+)`", text))
    assert {"triage", "watch"} <= named <= registered.report_names(tshark)
    options, words = set(re.findall(r"\./run (--[a-z]+)", text)), set(re.findall(r"\./run ([a-z]+)(?=[`:])", text))
    assert options and options <= set(re.findall(r"--[a-z]+", man_pages.run_help()))
    assert words and words <= set(man_pages.commands())


def test_readme_fits_a_screen():
    """Lines of 100 columns as a page shows them, the picture not counted; of a row of the table the longest cell of a third of the page decides."""
    text = re.sub(r"\]\([^)]*\)", "", re.sub(r"^<img .*$", "", (registered.TOP / "README.md").read_text(encoding="utf-8"), flags=re.M))
    lines = 0
    for block in text.split("\n\n"):
        for row in block.splitlines() if block.startswith(("|", "    ")) else [" ".join(block.split())]:
            cells = row.strip("|").split("|") if row.startswith("|") else [row]
            lines += max(-(-len(cell.strip()) // (100 if len(cells) == 1 else 45)) for cell in cells)
        lines += 1
    assert 20 < lines <= 50, lines


def test_the_guide_says_of_each_page_what_its_tab_says():
    source = (registered.TOP / "plugins/sctp_analysis/report/tables/association_pages.def").read_text()
    pages = re.findall(r'^SCTPA_PAGE\("\w+", "(\w+)",((?:\s*"(?:[^"\\]|\\.)*")+)', source, re.M)
    said = {title: "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', answers)) for title, answers in pages}
    path = registered.TOP / "docs/guide.md"
    guide = path.read_text(encoding="utf-8")
    head = "| tab | answers |\n|---|---|\n"
    rows = "".join(f"| {title} | {answers} |\n" for title, answers in said.items())
    before, _, rest = guide.partition(head)
    after = rest[re.search(r"^(?!\|)", rest, re.M).start():]
    if UPDATE:
        path.write_text(before + head + rows + after, encoding="utf-8")
    assert len(pages) == 11
    assert path.read_text(encoding="utf-8") == before + head + rows + after, "write it anew with test/documents/update"


def test_every_series_is_described():
    source = (registered.TOP / "plugins/sctp_analysis/core/measure/series/series.def").read_text()
    words = re.findall(r'^SCTPA_SERIES_ROW\(\w+, "(\w+)"', source, re.M)
    section = registered.REPORTS.read_text(encoding="utf-8").partition("\n## series\n")[2].partition("\n## ")[0]
    described = re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`[^|]*)\|", section, re.M)))
    assert len(words) > 20 and [word for word in words if word not in described] == []


def test_nothing_refers_to_a_document_that_is_not_here():
    folders = [registered.TOP / name for name in ("docs", "plugins", "test", "lua", "sctpa", "packaging")]
    files = [path for folder in folders for path in folder.rglob("*") if path.suffix in {".c", ".h", ".def", ".cpp", ".py", ".md", ".lua", ".sh"}]
    known = {path.name for path in files}
    missing = {f"{path}: {name}" for path in files for name in re.findall(r"\b[a-z][a-z_-]*\.md\b", path.read_text(encoding="utf-8"))
               if name not in known}
    assert len(files) > 300 and not missing


@pytest.mark.parametrize("name", ["generated/reference.md", "man/sctp-analysis.7"])
def test_every_preference_is_described(name, tshark):
    listed = registered.default_values(tshark)
    assert {"enabled", "decode"} <= set(listed)
    for preference in listed:
        assert f"sctp_analysis.{preference}" in shown(name), preference
    assert "uat:sctp_analysis_auth_keys" in shown(name)


def test_preferences_are_read_as_tshark_lists_them(tshark):
    listed = registered.default_values(tshark)
    found = {preference.name: preference for preference in registered.preferences(tshark) if preference.kind != "uat"}
    assert sorted(found) == sorted(listed)
    for name, (comment, default) in listed.items():
        assert re.sub(r"\s+", " ", comment).startswith(found[name].meaning)
        meanings = [meaning for _, meaning in found[name].values if meaning]
        assert not meanings or f"one of: {', '.join(meanings)}".lower() in re.sub(r"\s+", " ", comment).lower()
        assert meanings or found[name].default == default


@pytest.mark.parametrize("preference", ["decode", "profile"])
def test_wireshark_takes_the_values_that_are_described(preference, tshark, tmp_path):
    """Seen by what it makes of a file of preferences, since it is silent about values that it does not know."""
    (described,) = (found for found in registered.preferences(tshark) if found.name == preference)
    folder = tmp_path / ".config" / "wireshark"
    folder.mkdir(parents=True)
    for word, meaning in described.values:
        (folder / "preferences").write_text(f"sctp_analysis.{preference}: {word}\n")
        listed = tshark("-G", "currentprefs", environment={"HOME": str(tmp_path)}).stdout
        assert re.search(rf"^#?sctp_analysis\.{preference}: {re.escape(meaning)}$", listed, re.M), word


def test_every_field_says_when_it_is_known_or_is_an_expert_info(tshark):
    for field in registered.fields(tshark):
        assert field.known or field.type == "none", field


def test_every_option_of_the_command_is_on_its_page():
    for words, text in man_pages.installed_help().items():
        options = re.findall(r"(?<![\w-])--?[a-z][a-z-]*", text)
        assert len(options) > 2 or words in (("explain",), ("webrtc",))
        for option in options:
            assert option in shown("man/sctp-analysis.1"), option


def test_installed_documents_refer_to_installed_documents_only():
    names = set(man_pages.documents())
    for name in names:
        for link in re.findall(r"\]\(([^)#:]+)", (registered.TOP / "docs" / name).read_text(encoding="utf-8")):
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), link))
            assert target in names or target.startswith("images/") or link == "https", f"{name} refers to {link}"
