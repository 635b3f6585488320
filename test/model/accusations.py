# SPDX-License-Identifier: GPL-2.0-or-later
"""What the model accuses real endpoints of, over captures and their variations, and what of it is proven.

proven.tsv has a row per deviation of a stack that was looked at: captures (a glob of their paths), rule, accused end or *, and the proof.
"""

import csv
import fnmatch
import os
import pathlib
import zlib

import scenario_builder
import variations
from replay import extract

HERE = pathlib.Path(__file__).resolve().parent
CAPTURES = scenario_builder.TOP / "test" / "captures"
MORE_CAPTURES = pathlib.Path(os.environ.get("SCTPA_CAPTURES") or "/nonexistent").resolve()


def proven():
    with open(HERE / "proven.tsv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def not_accused():
    """Rows of not_accused.tsv: what looks like a deviation of a stack, and why it is none that a capture shows."""
    with open(HERE / "not_accused.tsv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def is_proven(name, finding, rows):
    return any(fnmatch.fnmatch(name, row["captures"]) and row["rule"] == finding.rule and row["accused"] in ("*", str(finding.accused))
               for row in rows)


def name_of(path):
    """A capture's path as proven.tsv gives it: below test/captures, or public/ and its name."""
    return str(path.relative_to(CAPTURES)) if path.is_relative_to(CAPTURES) else f"public/{path.name}"


def weighs(finding):
    return finding.level in ("MUST", "SHOULD")


# Of one process: starting and ending one under sanitizers takes as long as judging a small capture; the files of all of them lie there meanwhile.
CAPTURES_OF_PROCESS = 16


def judge(captures, kinds, folder, seed=1, profile="9260"):
    """Yields (capture name, variation, Judged). captures: paths; kinds: names of variations; folder: for files between."""
    for at in range(0, len(captures), CAPTURES_OF_PROCESS):
        files = {}
        for path in captures[at:at + CAPTURES_OF_PROCESS]:
            packets = list(extract.packets(str(path)))
            for kind in kinds:
                stored = folder / f"{os.getpid()}.{len(files)}"
                changed = variations.ALL[kind](packets, zlib.crc32(name_of(path).encode()) + seed)
                stored.write_bytes(b"".join(extract.pack(**packet) for packet in changed))
                files[str(stored)] = name_of(path), kind
        for stored, judged in scenario_builder.judge_files(list(files), profile).items():
            yield *files[stored], judged
        for stored in files:
            os.remove(stored)
