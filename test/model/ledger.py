# SPDX-License-Identifier: GPL-2.0-or-later
"""What the model says of captures, as rows that a change can be compared by: findings, verdicts, and which rules had an occasion.

Rows, tab-separated: "finding" CAPTURE ASSOCIATION ACCUSED RULE LEVEL CERTAINTY COUNT FRAMES; "verdict" CAPTURE WORD ENDS JUDGED REFUSED (sums over
the ends that have it); "rule" RULE JUDGED REFUSED BROKEN (ends, over all captures). Leaves out texts, which the golden files hold.
"""

import collections
import difflib
import pathlib
import tempfile

import accusations

LEDGER = accusations.HERE / "ledger.tsv"
HEAD = "# Made by test/model/ledger --update: what the model says of test/captures (the rows: ledger.py)."


def lab_captures():
    return sorted(accusations.CAPTURES.glob("*/**/*.pcap*"))


def captures_below(paths):
    """The captures among paths and in the folders among them."""
    for path in paths:
        yield from sorted(path.glob("**/*.pcap*")) if path.is_dir() else [path]


def rows(captures):
    """The rows of captures. About 50 ms a capture of the lab."""
    findings, verdicts, rules = [], [], collections.defaultdict(lambda: [0, 0, 0])
    with tempfile.TemporaryDirectory() as folder:
        for name, _, judged in accusations.judge(captures, ["whole"], pathlib.Path(folder), profile="both"):
            findings += [("finding", name, f.assoc, f.accused, f.rule, f.level, f.certainty, f.count, ",".join(map(str, f.frames)))
                         for f in judged.findings]
            verdicts += verdict_rows(name, judged)
            broken = {(f.assoc, f.accused, f.rule) for f in judged.findings}
            for column, named in enumerate((judged.judged.values(), judged.refused.values(), [[rule] for _, _, rule in broken])):
                for rule in (rule for of_end in named for rule in of_end):
                    rules[rule][column] += 1
    return ["\t".join(map(str, row)) for row in (*findings, *verdicts, *(("rule", rule, *rules[rule]) for rule in sorted(rules)))]


def verdict_rows(name, judged):
    sums = collections.defaultdict(lambda: [0, 0, 0])
    for end, word in judged.verdicts.items():
        for column, count in enumerate((1, len(judged.judged[end]), len(judged.refused[end]))):
            sums[word][column] += count
    return [("verdict", name, word, *sums[word]) for word in sorted(sums)]


def write(path, lines):
    path.write_text("\n".join([HEAD, *lines, ""]), encoding="utf-8")


def read(path):
    return path.read_text(encoding="utf-8").splitlines()[1:]


def difference(before, after):
    """Lines that went (-) and came (+)."""
    return [line for line in difflib.unified_diff(before, after, lineterm="", n=0) if line[:2] not in ("--", "++", "@@")]
