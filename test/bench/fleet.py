#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What a triage of many captures costs on two machines, shared out by GNU parallel and by snakemake, as docs/commands.md has them, and in one call of
./run triage: CPU time of all processes, time by the clock, peaks of memory. Fails where the results are not the same, byte for byte.

The machines are folders of this one. The captures are those of batch.py.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(TOP / "test"), str(TOP / "test" / "triage"), str(TOP / "test" / "bench")]
sys.dont_write_bytecode = True

import machines  # noqa: E402
from batch import cpu_seconds, gather  # noqa: E402
from prepared import prepare  # noqa: E402

RUN = TOP / "run"
MACHINES = ("machine1", "machine2")
KIB_PER_MIB = 1024
# What reads the captures, and what measures
BESIDE = {"tshark", "ps", "fleet.py"}


def resident_kib():
    """{process: (its parent, its resident memory in KiB, its command)} of all processes."""
    listing = subprocess.run(["ps", "-eo", "pid=,ppid=,rss=,comm="], capture_output=True, text=True, check=True).stdout
    rows = (line.split(None, 3) for line in listing.splitlines())
    return {int(pid): (int(parent), int(size), name) for pid, parent, size, name in rows}


def below(processes, root):
    """All processes that root started, itself first."""
    found = [root]
    for pid in found:
        found += [child for child, (parent, *_) in processes.items() if parent == pid]
    return found


class Peaks(threading.Thread):
    """Looks each half second how much memory what this process started takes in all, without tshark, and how much the engine alone does."""

    def __init__(self, engine):
        super().__init__(daemon=True)
        self._engine, self._is_over = engine, threading.Event()
        self.all_mib = self.engine_mib = 0.0

    def run(self):
        while not self._is_over.wait(0.5):
            processes = resident_kib()
            ours = [processes[pid] for pid in below(processes, os.getpid())[1:] if pid in processes]
            sizes = [size for _, size, name in ours if name not in BESIDE]
            engines = [size for _, size, name in ours if name in self._engine]
            self.all_mib = max(self.all_mib, sum(sizes) / KIB_PER_MIB)
            self.engine_mib = max(self.engine_mib, max(engines, default=0) / KIB_PER_MIB)

    def end(self):
        self._is_over.set()
        self.join()


def shell(command, folder):
    subprocess.run(["bash", "-c", command], cwd=folder, env={**os.environ, "HOME": str(folder), "SHELL": "/bin/bash"}, stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL, stderr=open(folder / "messages", "ab"), check=False)


def report(captures, out):
    return f"{RUN} triage --out {out} {captures}"


def engines(work, captures, batch):
    """{name: (folder of the results, command line, the program whose memory counts)}"""
    hosts = work / "machines"
    hosts.write_text("".join(f"1/{name}\n" for name in MACHINES))
    settings = work / "fleet.yaml"
    outs = {name: work / f"out_{name}" for name in ("parallel", "snakemake", "plain")}
    settings.write_text(f"captures: {captures}\nout: {outs['snakemake']}\nbatch: {batch}\n")
    submitted = f"--jobs {len(MACHINES)} --cluster-sync {machines.submit(work, MACHINES)}"
    return {
        "parallel": (outs["parallel"], f"{machines.by_parallel(RUN, captures, outs['parallel'], hosts, batch)}\n{report(captures, outs['parallel'])}", {"parallel", "perl"}),
        "snakemake": (outs["snakemake"], machines.by_snakemake(settings, submitted), {"snakemake", "python3"}),
        "plain": (outs["plain"], f"{report(captures, outs['plain'])} --jobs {len(MACHINES)}", {"python3"}),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--captures", type=int, default=2000)
    parser.add_argument("--batch", type=int, default=50, help="captures per job")
    parser.add_argument("--only", choices=("parallel", "snakemake", "plain"), action="append", default=[])
    chosen = parser.parse_args()
    prepare("triage", "fleet")
    work = pathlib.Path(tempfile.mkdtemp(prefix="sctpa-fleet.", dir="/tmp"))
    work.chmod(0o755)
    first = None
    try:
        captures = work / "in"
        files = gather(captures, chosen.captures)
        print(f"{len(files)} captures, {sum(file.stat().st_size for file in files) / 1e6:.1f} MB, {len(MACHINES)} machines, {chosen.batch} captures per job", flush=True)
        for name, (out, command, programs) in engines(work, captures, chosen.batch).items():
            if chosen.only and name not in chosen.only:
                continue
            peaks, load = Peaks(programs), os.getloadavg()[0]
            peaks.start()
            seconds, wall = cpu_seconds(lambda: shell(command, work))
            peaks.end()
            results = machines.results(out)
            differing = sorted(file for file in results.keys() | (first or results).keys() if results.get(file) != (first or results).get(file))
            first = first or results
            print(f"  {name}: {seconds:.1f} CPU s ({seconds / len(files) * 1000:.0f} ms per capture), {wall:.0f} s by the clock (load {load:.0f} before), "
                  f"at most {peaks.engine_mib:.0f} MiB a process of the engine, {peaks.all_mib:.0f} MiB all but tshark; {len(results)} files, "
                  f"{len(differing)} differ from the first: {', '.join(differing[:5]) or 'none'}", flush=True)
            if differing or len(results) < len(files):
                sys.stderr.write((work / "messages").read_text(errors="replace")[-3000:])
                return 1
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
