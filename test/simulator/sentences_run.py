# SPDX-License-Identifier: GPL-2.0-or-later
"""One run of test/simulator/sentences: a random pair, its captures, their pages, what these say; and the table of many.

Left out: what a sentence is true by (statements.py, silences.py).
"""

import collections
import json
import os
import pathlib
import random
import shlex
import shutil
import subprocess
import tempfile

from . import copies, pairs
from .happened import Happened, records_of
from .page import Page
from .silences import SILENT, silences
from .statements import FACT, LIKELY, OPEN, judged

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
KNOWN = TOP / "test" / "simulator" / "known_sentences.tsv"
REPORTS = ("-n", "-q", "-z", "sctp,json", "-z", "sctp,pauses", "-z", "sctp,triage")


class Reader:
    """Runs tshark over a file. command: text, None: tshark with the plugin of build/release."""

    def __init__(self, command=None):
        self.command, self.folder = command, None

    def __enter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sctpa-sentences."))
        self.folder.chmod(0o755)
        if self.command is None:
            plugins = self.folder / "plugins"
            shutil.copytree(os.environ.get("SCTPA_PLUGIN_DIR", TOP / "build" / "release" / "plugins"), plugins)
            subprocess.run(["chmod", "-R", "a+rX", plugins], check=True)
            user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []
            self.command = shlex.join(["env", f"HOME={self.folder}", "LC_ALL=C.UTF-8", f"WIRESHARK_PLUGIN_DIR={plugins}", *user, "tshark"])
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)

    def text(self, data):
        """What tshark prints of the bytes of a capture."""
        path = self.folder / "capture.pcapng"
        path.write_bytes(data)
        path.chmod(0o644)
        result = subprocess.run([*shlex.split(self.command), *REPORTS[:2], "-r", path, *REPORTS[2:]], capture_output=True, text=True, check=False)
        if result.returncode:
            raise RuntimeError(result.stderr[-1000:])
        return result.stdout


def names_of_copies(seed):
    """The copies that a run is read in: whole, and every second run in a worse one, too."""
    drawn = random.Random(f"{seed}/copy")
    worse = copies.DRAWN if drawn.random() < 0.4 else drawn.choice(sorted(copies.VARIATIONS))
    return [copies.WHOLE, worse] if seed % 2 else [copies.WHOLE]


def run(seed, reader, keep=None, names=None):
    """What was said of the copies of a pair, as JSON has it."""
    pair, _ = pairs.run(seed, has_taps=True, kinds=None)
    found, faults = [], []
    if pair is None:
        return {"seed": seed, "statements": [], "faults": ["the simulator failed"]}
    records = records_of(pair.world.truth)
    addresses = {address: site.host.name for site in (pair.client, pair.server) for address in site.addresses}
    for name in names or names_of_copies(seed):
        data, frames = copies.written(pair.world, name, seed)
        text = reader.text(data)
        page = Page(text)
        happened = Happened(copies.replaced(records, frames), addresses)
        said = judged(happened, page) + silences(happened, page)
        if keep and any(one.verdict is False or one.certainty == SILENT for one in said):
            kept(keep, f"{seed}.{name.replace(' ', '_')}", data, text, copies.replaced(records, frames))
        found += [{**one._asdict(), "copy": name} for one in said]
    return {"seed": seed, "statements": found, "faults": faults}


def kept(folder, stem, data, text, records):
    folder.mkdir(exist_ok=True)
    (folder / f"{stem}.pcapng").write_bytes(data)
    (folder / f"{stem}.txt").write_text(text, encoding="utf-8")
    rows = sorted(({"kind": kind, **fields} for kind, of in records.items() for fields in of), key=lambda row: row["time_ns"])
    (folder / f"{stem}.ndjson").write_text("".join(json.dumps(row, default=str) + "\n" for row in rows), encoding="utf-8")


# --- the table ---------------------------------------------------------------------------------------------------------


def known():
    """{kind: why its false statements are known}."""
    rows = [line.split("\t") for line in KNOWN.read_text(encoding="utf-8").splitlines()[1:]] if KNOWN.exists() else []
    return {kind: why for kind, why in rows}


def counted(results, is_whole):
    """{kind: Counter of (certainty, verdict)}."""
    counts = collections.defaultdict(collections.Counter)
    for result in results:
        for one in result["statements"]:
            if (one["copy"] == copies.WHOLE) == is_whole:
                counts[one["kind"]][one["certainty"], one["verdict"]] += 1
    return counts


HEAD = "| kind | fact: true | false | not decided | most likely: true | false | not decided | says not decidable | silent |"


def row_of(name, counts):
    cells = [counts[FACT, True], counts[FACT, False], counts[FACT, None], counts[LIKELY, True], counts[LIKELY, False], counts[LIKELY, None],
             counts[OPEN, None], counts[SILENT, None]]  # fmt: skip
    return f"| {name} | " + " | ".join(str(cell) if cell else "" for cell in cells) + " |"


def table(results):
    """Text of the document."""
    lines = [
        "<!-- SPDX-License-Identifier: GPL-2.0-or-later -->",
        "# Sentences against truth files", "",
        "Written by `test/simulator/sentences --runs N --table docs/generated/sentences.md`; do not edit. Random conforming pairs",
        "(`test/simulator/pairs.py`) run, tshark writes the triage page and the report of pauses of their captures, and each part of a sentence is judged by",
        "the truth file: `test/simulator/statements.py` has what makes each kind true. Each capture is read whole, and every second one once more, worse: as its taps drew it, or",
        "by a variation of `test/model/variations.py`. Not decided: truth says neither. Silent: it happened, the capture shows it, and no sentence says so.", "",
        f"{len(results)} runs.", "",
    ]  # fmt: skip
    for is_whole, title in ((True, "Whole captures"), (False, "Worse copies")):
        counts = counted(results, is_whole)
        every = sum(counts.values(), collections.Counter())
        fact, likely = (every[which, True] + every[which, False] for which in (FACT, LIKELY))
        lines += [f"## {title}", ""]
        if fact:
            lines += [f"Stated as fact: {fact}, {100 * every[FACT, True] / fact:.2f} % true. "
                      f"Most likely: {likely}, {100 * every[LIKELY, True] / max(likely, 1):.1f} % true. Silent: {every[SILENT, None]}.", ""]  # fmt: skip
        lines += [HEAD, "|---" * 9 + "|"]
        lines += [row_of(kind, counts[kind]) for kind in sorted(counts)] + [row_of("all", every), ""]
    reasons = known()
    if reasons:
        lines += ["## Known", "", "Kinds that are false at times today, and why.", ""]
        lines += [f"- {kind}: {why}" for kind, why in reasons.items()] + [""]
    return "\n".join(lines)
