# SPDX-License-Identifier: GPL-2.0-or-later
"""What the plugin registers with Wireshark: reports, preferences, fields, expert infos; asked of tshark, which cannot know the short names of
values and tables of keys: those are read from the source that registers them. Columns of windows: asked of judge_core.

Leaves out how documents say it: reference_document.py, man_pages.py.
"""

import collections
import functools
import json
import pathlib
import re
import subprocess

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
PREFERENCES = TOP / "plugins/sctp_analysis/epan/preferences.c"
REPORTS = TOP / "docs/reports.md"
PREFIX = "sctp.analysis"

# syntax: what follows -z; summary: one sentence, without markup.
Report = collections.namedtuple("Report", "name syntax summary")
# known: "past" or "final"; "" for expert infos.
Field = collections.namedtuple("Field", "filter name type meaning known")
# values: [(what is written, what it means)]; default: what is written. A table (kind "uat") has its name in -o as default, and its columns.
Preference = collections.namedtuple("Preference", "name kind title meaning values default")


def version():
    """The plugin's, from its build."""
    return re.search(r"^set\(SCTPA_VERSION (\S+)\)$", (TOP / "plugins/sctp_analysis/identity.cmake").read_text(), re.M).group(1)


def _said_by_judge_core(option):
    return subprocess.run([TOP / "build/asan/test/model/judge_core", option], capture_output=True, encoding="utf-8", check=True).stdout


def columns():
    """(table, head, meaning) of each column of each table in windows, once."""
    lines = _said_by_judge_core("--columns").splitlines()
    rows = list(dict.fromkeys(tuple(line.split("\t")[1:]) for line in lines))
    assert not [row for row in rows if row[2] == "(null)"], "a column that windows show has no meaning"
    return rows


@functools.cache
def report_names(tshark):
    """Names after `sctp,` that -z takes with the plugin and not without it."""
    with_plugin, without = (
        set(re.findall(r"^ +sctp,(\w+)", result.stdout + result.stderr, re.M))
        for result in (tshark("-z", "help"), tshark("-z", "help", plugin=False)))
    return with_plugin - without


def plain(text):
    """Markdown as running text: links by their words, no emphasis or code marks, single blanks."""
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"\s+", " ", re.sub(r"\*\*|`", "", text)).strip()


def sections():
    """{name: first paragraph} of the reports' manual, in its order."""
    found = re.findall(r"^## (\w+)\n\n(.*?)\n\n", REPORTS.read_text(encoding="utf-8"), re.M | re.S)
    return {name: paragraph for name, paragraph in found if not paragraph.startswith(("<!--", "```", "-", "|"))}


def reports(tshark):
    """Each registered report as its section of the manual begins, in the manual's order."""
    names, described = report_names(tshark), sections()
    missing = names - set(described)
    assert not missing, f"docs/reports.md has no section that begins with a sentence for {', '.join(sorted(missing))}"
    found = []
    for name, paragraph in described.items():
        if name in names:
            syntax = re.match(r"`-z (sctp,[^`]*)` ", paragraph)
            text = plain(paragraph[syntax.end():] if syntax else paragraph)
            sentence = re.match(r".*?[.](?= [A-Z]|$)", text)
            sentence = sentence.group(0) if sentence else text
            found.append(Report(name, syntax.group(1) if syntax else f"sctp,{name}[,FILTER]", sentence[0].upper() + sentence[1:]))
    return found


@functools.cache
def fields(tshark):
    """All fields and expert infos of the plugin, in the order in which it registers them."""
    rows = (line.split("\t") for line in tshark("-G", "fields").stdout.splitlines())
    found = []
    for cells in rows:
        if cells[0] == "F" and (cells[2] + ".").startswith(PREFIX + "."):
            meaning, known = re.fullmatch(r"(.*?)(?: \((past|final)\))?", cells[7] if len(cells) > 7 else "").groups()
            found.append(Field(cells[2], cells[1], cells[3].removeprefix("FT_").lower(), meaning, known or ""))
    return found


@functools.cache
def default_values(tshark):
    """{name: (the lines that describe it, default)} of the preferences that tshark lists."""
    found = re.findall(r"((?:^#[^\n]*\n)+)^#?sctp_analysis\.(\w+): *(.*)$", tshark("-G", "defaultprefs").stdout, re.M)
    return {name: (re.sub(r"\n?# ", " ", comment).strip(), default) for comment, name, default in found}


def _literal(text):
    """The words of a C string literal, or of several beside each other."""
    return "".join(re.findall(r'"([^"]*)"', text))


def _enum_rows(source, table):
    """[(word, meaning)] of a table of enum_val_t."""
    rows = re.search(table + r"\[\] = \{(.*?)\n\};", source, re.S).group(1)
    return re.findall(r'\{ "([^"]+)", "([^"]+)"', rows)


def preferences(tshark):
    """All preferences in the order in which they are registered."""
    source, defaults = PREFERENCES.read_text(encoding="utf-8"), default_values(tshark)
    strings = r'((?:\s*"[^"]*")+)'
    found = []
    for kind, name, title, meaning, rest in re.findall(
            rf'prefs_register_(\w+)_preference\(\s*module, "(\w+)",{strings},{strings},(.*?)\);', source, re.S):
        values, default = [], defaults.get(name, ("", ""))[1]
        if kind == "bool":
            values = [("TRUE", ""), ("FALSE", "")]
        elif kind == "enum":
            values = _enum_rows(source, re.search(r"\w+_values", rest).group(0))
            default = next(word for word, text in values if text == default)
        elif kind == "uat":
            values = re.findall(r'UAT_FLD_\w+\(\s*\w+,\s*(\w+),\s*"[^"]*",\s*"([^"]*)"\)', source)
            default = re.search(r'uat_new\("[^"]*",[^"]*"(\w+)"', source).group(1)
        found.append(Preference(name, kind, _literal(title), _literal(meaning), values, default))
    return found


def schema():
    """The schema of -z sctp,json, as the descriptions have it from which that is written."""
    return json.loads(_said_by_judge_core("--schema"))
