# SPDX-License-Identifier: GPL-2.0-or-later
"""What the model says of worse copies of captures, compared with what it says of the whole: each few packets in a row missing (by sweep_core
itself), and the variations of variations.py. A false accusation is a proven finding of level MUST or SHOULD in a copy that is neither
found in the whole capture nor a deviation known of it (proven.tsv; the labels of test/mutants)."""

import collections
import concurrent.futures
import contextlib
import os
import pathlib
import subprocess
import sys
import tempfile
import zlib

import accusations
import scenario_builder
import variations
from replay import extract

sys.path.append(str(scenario_builder.TOP / "test" / "mutants"))

import labels  # noqa: E402

PROGRAMS = {build: scenario_builder.TOP / "build" / build / "test" / "model" / "sweep_core" for build in ("release", "asan")}
LISTED = accusations.HERE / "false_in_sweep.tsv"
MISSING_MAX = 650
RUNS = (1, 3, 5)
MISSING = {f"missing_{run}": run for run in RUNS}
KINDS = (*MISSING, *variations.WORSE)

New = collections.namedtuple("New", "name kind copy rule accused level certainty before frames")
# found: {(rule, end): Told} of what is proven or probable in the whole.
Sums = collections.namedtuple("Sums", "name kind copies found new")
# certainty: in the whole. with_evidence: copies that hold the packets that the finding names in the whole; kept: those of them, all_kept: all copies in which it
# is proven or probable.
Told = collections.namedtuple("Told", "certainty kept with_evidence all_kept")
Job = collections.namedtuple("Job", "path kinds seeds every build")


def name_of(path):
    return f"mutants/{path.name}" if path.is_relative_to(labels.FOLDER) else accusations.name_of(path)


def captures():
    """All of the lab, and the mutants."""
    return sorted(accusations.CAPTURES.glob("*/**/*.pcap*")) + sorted(labels.FOLDER.glob("*.pcap.gz"))


def describe(kind):
    if kind in MISSING:
        return f"Without {MISSING[kind]} packet{'s in a row' if MISSING[kind] > 1 else ''}, at each place (captures of up to {MISSING_MAX} packets)."
    return variations.WORSE[kind].__doc__


def is_false(new, rows):
    """Proven, not in the whole, not known to be true."""
    if new.certainty != "proven" or new.before != "-":
        return False
    if new.name.startswith("mutants/"):
        return not labels.may_be_found(new.name.split("/")[1], new.rule)
    return not accusations.is_proven(new.name, new, rows)


def _read(text, kinds):
    """(new findings, copies, {(rule, end): Told}). kinds: {copy: kind}."""
    new, copies, whole = [], 0, {}
    for line in text.splitlines():
        word, *cells = line.split("\t")
        if word == "new":
            copy, rule, end, level, certainty, before, frames = cells
            new.append((kinds[copy] if copy in kinds else copy, rule, int(end), level, certainty, before, frames))
        elif word == "whole":
            whole[cells[0], int(cells[1])] = Told(cells[3], *map(int, cells[4:]))
        else:
            copies = int(cells[0])
    return new, copies, whole


def _compare(job, kind, *arguments, names=None):
    result = subprocess.run([PROGRAMS[job.build], "--profile", "9260", *arguments], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr[-3000:]
    new, copies, whole = _read(result.stdout, names or {})
    name = name_of(job.path)
    return Sums(name, kind, copies, {key: told for key, told in whole.items() if told.certainty in ("proven", "probable")},
                [New(name, kind, *of_copy) for of_copy in new])


def _write(packets, path, packed):
    """packed: {id of a packet of the capture: its bytes}, as most variations leave most packets alone."""
    path.write_bytes(b"".join(packed.get(id(packet)) or extract.pack(**packet) for packet in packets))
    return str(path)


def of_capture(job):
    """The Sums of a capture, one for each kind."""
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as folder:
        return list(_of_capture(job, pathlib.Path(folder)))


def _of_capture(job, folder):
    packets = list(extract.packets(str(job.path)))
    packed = {id(packet): extract.pack(**packet) for packet in packets}
    whole = _write(packets, folder / "whole", packed)
    for kind in job.kinds:
        if kind not in MISSING:
            seeds = range(1, 2 if kind in variations.SEEDLESS else job.seeds + 1)
            first = zlib.crc32(name_of(job.path).encode())
            names = {_write(variations.WORSE[kind](packets, first + seed), folder / f"{seed}", packed): f"seed {seed}" for seed in seeds}
            yield _compare(job, kind, whole, *names, names=names)
        elif len(packets) <= MISSING_MAX:
            yield _compare(job, kind, "--missing", str(MISSING[kind]), "--every", str(job.every), whole)


def sweep(paths, kinds=KINDS, seeds=1, every=1, build="release", jobs=2):
    """Yields the Sums of captures, in no order of kinds. Long captures first."""
    todo = [Job(path, tuple(kinds), seeds, every, build) for path in sorted(paths, key=lambda path: -path.stat().st_size)]
    with contextlib.ExitStack() as stack:
        work = stack.enter_context(concurrent.futures.ProcessPoolExecutor(jobs)).map if jobs > 1 else map
        for sums in work(of_capture, todo):
            yield from sums


def sample(build="asan", jobs=1):
    """What the default run looks at: one short capture of the lab in four, one mutant in twelve; every 23rd place."""
    lab = sorted((path for path in accusations.CAPTURES.glob("*/**/*.pcap*") if path.stat().st_size < 60_000), key=lambda path: str(path))[::4]
    paths = lab + sorted(labels.FOLDER.glob("*.pcap.gz"))[::12]
    return list(sweep(paths, KINDS, 1, 23, build, jobs))


class Table:
    """Sums by variation."""

    COLUMNS = "variation captures copies false raised probable kept lab mutants all".split()

    def __init__(self, made):
        self.made, self.rows = made, accusations.proven()
        self.false = sorted(new for sums in made for new in sums.new if is_false(new, self.rows))

    def _share(self, kept, of):
        return f"{100 * kept / of:.1f} %" if of else "-"

    def _kept(self, made):
        told = [told for sums in made for told in sums.found.values()]
        return self._share(sum(told.kept for told in told), sum(told.with_evidence for told in told))

    def _all_kept(self, made):
        return self._share(sum(told.all_kept for sums in made for told in sums.found.values()), sum(len(sums.found) * sums.copies for sums in made))

    def cells(self):
        for kind in dict.fromkeys(sums.kind for sums in self.made):
            of_kind = [sums for sums in self.made if sums.kind == kind]
            new = [new for sums in of_kind for new in sums.new]
            mutated = [sums for sums in of_kind if sums.name.startswith("mutants/")]
            yield (kind, len(of_kind), sum(sums.copies for sums in of_kind), sum(n.kind == kind for n in self.false),
                   sum(n.certainty == "proven" and n.before != "-" for n in new), sum(n.certainty == "probable" and n.before == "-" for n in new),
                   self._kept(of_kind), self._kept([sums for sums in of_kind if sums not in mutated]), self._kept(mutated), self._all_kept(of_kind))

    def as_text(self):
        shape = "{:20} {:>8} {:>7} {:>6} {:>6} {:>8} {:>8} {:>8} {:>8} {:>8}"
        return "\n".join(shape.format(*cells) for cells in (self.COLUMNS, *self.cells()))

    def by_rule(self):
        """Rules by how many copies accuse falsely, and by what is lost."""
        lines, counts = [], collections.Counter((new.rule, new.kind) for new in self.false)
        lines += [f"false    {rule:8} {kind:20} {count}" for (rule, kind), count in counts.most_common()]
        kept, told = collections.Counter(), collections.Counter()
        for sums in self.made:
            for (rule, _), of_rule in sums.found.items():
                kept[rule, of_rule.certainty, sums.kind] += of_rule.kept
                told[rule, of_rule.certainty, sums.kind] += of_rule.with_evidence
        lost = sorted(told, key=lambda key: kept[key] - told[key])
        lines += [f"lost     {rule:8} {kind:20} {told[rule, certainty, kind] - kept[rule, certainty, kind]} of {told[rule, certainty, kind]} {certainty}"
                  for rule, certainty, kind in lost if kept[rule, certainty, kind] < told[rule, certainty, kind]]
        return "\n".join(lines)


BEGIN, END = "<!-- sweep -->\n", "<!-- end of sweep -->\n"


COLUMNS_WRITTEN = ["variation", "captures", "copies", "false", "raised", "probable", "kept", "kept, lab", "kept, mutants", "all"]


def write_markdown(path, table, seeds):
    """Writes the rows of the table between the marks in a document, in the order of KINDS; rows of variations that it does not have stay."""
    text = path.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    written, after = rest.split(END)
    rows = {line.split(" | ")[0]: line for line in written.splitlines(keepends=True) if line.startswith("| ")}
    for cells in table.cells():
        name = describe(cells[0]).rstrip(".")
        rows[f"| {name}"] = "| " + " | ".join(map(str, (name, *cells[1:]))) + " |\n"
    ordered = [rows[name] for kind in (*variations.WORSE, *MISSING) if (name := f"| {describe(kind).rstrip('.')}") in rows]
    head = "| " + " | ".join(COLUMNS_WRITTEN) + " |\n" + "|---" * len(COLUMNS_WRITTEN) + "|\n"
    path.write_text(before + BEGIN + f"Seeds of each variation: {seeds}.\n\n" + head + "".join(ordered) + END + after, encoding="utf-8")


def listed():
    """Rows of false_in_sweep.tsv: the false accusations of the sample that are known."""
    return [tuple(line.split("\t")) for line in LISTED.read_text(encoding="utf-8").splitlines()[1:]]


def known_as(false):
    return sorted({(new.name, new.kind, new.rule, str(new.accused)) for new in false})


def write_listed(false):
    LISTED.write_text("".join("\t".join(row) + "\n" for row in (("capture", "variation", "rule", "accused"), *known_as(false))), encoding="utf-8")
