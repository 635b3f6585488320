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

sys.path.append(str(scenario_builder.TOP / "test"))

from mutants import mutants  # noqa: E402

PROGRAMS = {build: scenario_builder.TOP / "build" / build / "test" / "model" / "sweep_core" for build in ("release", "asan")}
LISTED = accusations.HERE / "false_in_sweep.tsv"
MISSING_MAX = 650
RUNS = (1, 3, 5)
MISSING = {f"missing_{run}": run for run in RUNS}
KINDS = (*MISSING, *variations.WORSE)

New = collections.namedtuple("New", "name kind copy rule accused level certainty before frames")
# found: {(rule, end): (certainty in the whole, copies in which it is proven or probable)} of what is proven or probable in the whole.
Sums = collections.namedtuple("Sums", "name kind copies found new")
Job = collections.namedtuple("Job", "path kinds seeds every build")


def name_of(path):
    return f"mutants/{path.name}" if path.is_relative_to(mutants.FOLDER) else accusations.name_of(path)


def captures():
    """All of the lab, and the mutants."""
    return sorted(accusations.CAPTURES.glob("*/**/*.pcap*")) + sorted(mutants.FOLDER.glob("*.pcap.gz"))


def describe(kind):
    if kind in MISSING:
        return f"Without {MISSING[kind]} packet{'s in a row' if MISSING[kind] > 1 else ''}, at each place (captures of up to {MISSING_MAX} packets)."
    return variations.WORSE[kind].__doc__


def is_false(new, rows):
    """Proven, not in the whole, not known to be true."""
    if new.certainty != "proven" or new.before != "-":
        return False
    if new.name.startswith("mutants/"):
        return not mutants.may_be_found(new.name.split("/")[1], new.rule)
    return not accusations.is_proven(new.name, new, rows)


def _read(text, kinds):
    """(new findings, copies, {(rule, end): (certainty in the whole, copies in which it is told)}). kinds: {copy: kind}."""
    new, copies, whole = [], 0, {}
    for line in text.splitlines():
        word, *cells = line.split("\t")
        if word == "new":
            copy, rule, end, level, certainty, before, frames = cells
            new.append((kinds[copy] if copy in kinds else copy, rule, int(end), level, certainty, before, frames))
        elif word == "whole":
            whole[cells[0], int(cells[1])] = cells[3], int(cells[4])
        else:
            copies = int(cells[0])
    return new, copies, whole


def _compare(job, kind, *arguments, names=None):
    result = subprocess.run([PROGRAMS[job.build], "--profile", "9260", *arguments], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr[-3000:]
    new, copies, whole = _read(result.stdout, names or {})
    name = name_of(job.path)
    return Sums(name, kind, copies, {key: told for key, told in whole.items() if told[0] in ("proven", "probable")},
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
