#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes what is said of the rules into docs/generated: rules.md and rfc-coverage.md from the table of rules, LEFT_OUT of chapters/*.py and
clauses.tsv, stacks.md from proven.tsv and not_accused.tsv. As a program it writes them anew; test_documents.py compares."""

import csv
import functools
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import accusations  # noqa: E402
import chapters  # noqa: E402
import scenario_builder  # noqa: E402
from prepared import prepare  # noqa: E402

COLUMNS = "level since seeing needs accused clause title quote why evidence doubt".split()
GROUPS = {
    "FMT": "Packets and chunks", "HS": "Association set-up", "SM": "States, tags, out of the blue", "TX": "Data sender",
    "RX": "Data receiver", "FL": "Flow control", "CC": "Congestion control", "TM": "Timers and retransmission",
    "PM": "Paths, heartbeat and failover", "SD": "Shutdown and abort", "PR": "Partial reliability", "PD": "Padding",
    "AU": "Authentication", "AS": "Dynamic addresses", "RC": "Stream re-configuration", "ID": "Message interleaving",
    "UE": "UDP and DTLS encapsulation", "ZC": "Zero checksum", "EC": "ECN", "DX": "Drafts and private chunks",
}


@functools.cache
def rules():
    """{id: columns} in the order of the table."""
    rows = (line.split("\t") for line in scenario_builder.listed().splitlines())
    return {cells[1]: dict(zip(COLUMNS, cells[2:])) for cells in rows}


def group(rule):
    return rule.split("-")[0]


def _number(rule):
    return list(GROUPS).index(group(rule)), rule


def _describe(rule, row):
    since = f", since RFC {row['since']}" if f"RFC {row['since']}" not in row["clause"] else ""
    quote = f"\n> {row['quote']}\n" if row["quote"] else ""
    return f"""### {rule}: {row['title']}

**{row['level']}**, {row['clause']}{since}. Accused: {row['accused']}. Goes by: {row['seeing']}. Needs: {row['needs'].replace(',', ', ')}.
{quote}
Why it matters: {row['why']}

Evidence: {row['evidence']}

Possible false positive: {row['doubt']}
"""


def rules_text():
    table = rules()
    counts = {level: sum(row["level"] == level for row in table.values()) for level in ("MUST", "SHOULD", "heuristic")}
    parts = [f"""# Rules

The {len(table)} rules that endpoints are judged by: {counts['MUST']} MUST, {counts['SHOULD']} SHOULD, {counts['heuristic']} heuristic. A proven finding
of level MUST shows what no conforming endpoint does, one of level SHOULD what none does that follows the clause; a heuristic one is a note
and does not affect the verdict. Rules that stand only in RFC 9260 (since 9260) are notes unless the preference `profile` holds endpoints to it, or SHOULD where
RFC 4960 allowed what no endpoint is known to have done (FMT-034).

*Goes by* says what the accused must have known: nothing beyond its own packets; what it *could have seen* (it acted too early, so
every packet that may have reached it counts in its favour); what it *must have seen* (it was late or silent, so only packets that surely reached it
count). *Needs* is what a capture must show; without it the rule is not checked. With `no-capture-loss` a finding is only *probable* until the capture
shows that it lacks no packet around it, or until it happened at two places; a finding is withdrawn
when a later packet shows that the capture missed packets (`no-capture-loss`), that a SACK of the accused overtook an earlier one on its way to the
tap (`near`), or that addresses of an endpoint may be translated between it and the tap (`untranslated`).

Written by `test/model/documents.py` from the table of rules.
"""]
    last = None
    for rule in sorted(table, key=_number):
        if group(rule) != last:
            last = group(rule)
            parts.append(f"## {GROUPS[last]}\n")
        parts.append(_describe(rule, table[rule]))
    return "\n".join(parts)


def coverage_text():
    table, others = rules(), chapters.left_out()
    both = sorted({*table, *others}, key=_number)
    parts = [f"""# Coverage of the RFCs

What became of each candidate rule: {len(table)} are rules, {sum(what.startswith('merged') for what, _ in others.values())} are merged into another, the
rest is left out, mostly because a passive observer cannot decide it. [Clause by clause](#clause-by-clause) says which requirements are told, and by
what. Written by `test/model/documents.py`.
"""]
    for name, title in GROUPS.items():
        parts.append(f"## {title}\n\n| candidate | what became of it |\n|---|---|")
        for rule in (rule for rule in both if group(rule) == name):
            if rule in table:
                parts.append(f"| {rule} | rule, {table[rule]['level']}, {table[rule]['clause']}: {_cell(table[rule]['title'])} |")
            else:
                parts.append(f"| {rule} | {others[rule][0]}: {_cell(others[rule][1])} |")
        parts.append("")
    return "\n".join([*parts, _clauses_text()])


@functools.cache
def clauses():
    """Rows of clauses.tsv: what a clause requires, what proves that it was not kept, which rules tell it, why none does or only in part."""
    with open(pathlib.Path(__file__).resolve().parent / "clauses.tsv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def _clauses_text():
    parts = ["""## Clause by clause

What shows that a requirement (MUST, MUST NOT, SHOULD) was not kept: the *packets* alone prove it, or make it probable where it happens several times in
a row; they and *facts* prove it that the user asserts, mostly that the capture is complete and was taken at the endpoint; or nothing that a capture
holds. Where both stand, facts prove what packets make probable, or what happens once. Written from `test/model/clauses.tsv`.
"""]
    rfc = None
    for row in clauses():
        of, section = row["clause"].rsplit(" ", 1)
        if of != rfc:
            parts.append(("\n" if rfc else "") + f"### {of}\n\n| clause | requirement | shown by | told by | note |\n|---|---|---|---|---|")
            rfc = of
        parts.append(f"| {section} | {_cell(row['what'])} | {row['shown_by']} | {', '.join(row['told_by'].split())} | {_cell(row['why'])} |")
    return "\n".join(parts) + "\n"


def _cell(text):
    return re.sub(r"\s+", " ", text).replace("|", "\\|")


def stacks_text():
    table = rules()
    parts = ["""# What stacks were seen to do that the RFCs do not allow

Deviations that the model finds by itself in the captures of the lab, each looked at and proven. `*` in a capture's name stands for
several. Written by `test/model/documents.py` from `test/model/proven.tsv`.

| captures | rule | level | endpoint | what | proof |
|---|---|---|---|---|---|"""]
    for row in sorted(accusations.proven(), key=lambda row: (row["captures"], row["rule"])):
        info = table.get(row["rule"], {"level": "?", "title": "?"})
        parts.append(f"| {row['captures'].replace('*', chr(92) + '*')} | {row['rule']} | {info['level']} | {row['accused'].replace('*', 'either')} | "
                     f"{_cell(info['title'])} | {_cell(row['proof'])} |")
    parts.append("""
# What looks like it and is not told

Deviations that somebody found in captures of the same scenarios by hand, and why the model is right to be silent about them here. From
`test/model/not_accused.tsv`.

| captures | rule | what | why silent |
|---|---|---|---|""")
    for row in accusations.not_accused():
        parts.append("| " + " | ".join(_cell(row[column]) for column in ("captures", "rule", "what", "why")) + " |")
    return "\n".join(parts) + "\n"


FOLDER = scenario_builder.TOP / "docs/generated"
DOCUMENTS = {"rules.md": rules_text, "rfc-coverage.md": coverage_text, "stacks.md": stacks_text}

if __name__ == "__main__":
    prepare("asan", "judge_core")
    for name, write in DOCUMENTS.items():
        (FOLDER / name).write_text(write(), encoding="utf-8")
