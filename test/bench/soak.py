#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What ./run watch takes over a ring without an end: half of the packets of associations that live through all of it, half of short ones that end.

Prints packets, times, peaks of resident memory. --compare keeps the files, and fails where an association that ended, the first or the last one that
did, or any between, is not what -z sctp,ndjson of the files as one capture has, and where the parts of those that live do not add up to the whole.
"""

import argparse
import datetime
import itertools
import json
import os
import pathlib
import random
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(TOP / "test"), str(TOP / "test" / "bench")]
sys.dont_write_bytecode = True

import traffic  # noqa: E402
from prepared import prepare  # noqa: E402
from scenarios.generate import chunks, packet  # noqa: E402
from scenarios.generate.merge import START_NS  # noqa: E402
from scenarios.generate.pcapng import Pcapng  # noqa: E402

# 50,000,000 packets are five days.
GAP_NS = 8_640_000
# Set-up, eleven times two DATA and a SACK, and how it ends.
SHORT_AT_ONCE, SHORT_PACKETS = 50, 40
END = ((0, chunks.shutdown(0)), (1, chunks.shutdown_ack()), (0, chunks.shutdown_complete()))
AHEAD = 3
OWN = ("record", "forgotten", "continues", "start_epoch_s", "index")


def short(number, rng):
    """The packets of an association that sets up, transfers and shuts down."""
    # Addresses beside those of the living.
    peer = traffic.Peer(0x100000 + number, rng, traffic.SMALL)
    for _ in range(SHORT_PACKETS - len(END)):
        yield peer.next()
    ends = (peer.address, traffic.SERVER)
    for sender, part in END:
        yield sender, packet.ipv4(ends[sender], ends[1 - sender], packet.sctp(5001, 5001, peer.tags[1 - sender], part))


def packets(living):
    """(sender, IP packet) without an end: in turn one of the living and one of the short associations."""
    rng = random.Random(7)
    numbers = itertools.count()
    long = [traffic.Peer(number, rng, traffic.SMALL) for number in range(living)]
    others = [short(next(numbers), rng) for _ in range(SHORT_AT_ONCE)]
    for turn in itertools.count():
        yield long[turn % living].next()
        at = turn % SHORT_AT_ONCE
        made = next(others[at], None)
        if made is None:
            others[at] = short(next(numbers), rng)
            made = next(others[at])
        yield made


class Peaks(threading.Thread):
    """Looks twice a second what the processes below this one take, by their names."""

    def __init__(self):
        super().__init__(daemon=True)
        self.kib, self.sum_kib, self._is_over = {}, 0, threading.Event()

    def run(self):
        while not self._is_over.wait(0.5):
            listed = subprocess.run(["ps", "-eo", "pid=,ppid=,rss=,comm="], capture_output=True, text=True, check=True).stdout.splitlines()
            rows = {int(pid): (int(parent), int(kib), name) for pid, parent, kib, name in (line.split(None, 3) for line in listed)}
            ours = [os.getpid()]
            for pid in ours:
                ours += [child for child, (parent, *_) in rows.items() if parent == pid]
            now = {}
            for pid in ours[1:]:
                _, kib, name = rows[pid]
                now[name] = now.get(name, 0) + kib
            now.pop("ps", None)
            self.sum_kib = max(self.sum_kib, sum(now.values()))
            self.kib = {name: max(self.kib.get(name, 0), now.get(name, 0)) for name in {*self.kib, *now}}

    def end(self):
        self._is_over.set()
        self.join()


class Log:
    """The log of the watch as it grows: how many files it has begun to read, how many lines of associations it has, whether all that is there was read."""

    def __init__(self, path, keeps):
        self._path, self._keeps, self._at, self._rest = path, keeps, 0, b""
        self.files, self.is_silent, self.lines, self.rule_sets = 0, False, 0, None
        self.associations = []

    def look(self):
        if not self._path.exists():
            return
        with open(self._path, "rb") as file:
            file.seek(self._at)
            while data := file.read(1 << 22):
                self._at += len(data)
                *lines, self._rest = (self._rest + data).split(b"\n")
                for line in lines:
                    self._take(line)

    def _take(self, line):
        record = line[11:line.index(b'"', 11)]
        if record == b"file":
            self.files, self.is_silent = self.files + 1, False
        elif record == b"tick":
            self.is_silent = True
        elif record == b"association":
            self.lines += 1
            self.associations += [line] * self._keeps
        elif record == b"rules":
            self.rule_sets = json.loads(line)["rule_sets"]


def write_ring(ring, source, count, files, log, keeps):
    """Writes the files, at most AHEAD before the watch reads them, and removes those read; yields after each."""
    written = []
    for number in range(files):
        while number - log.files > AHEAD:
            time.sleep(0.05)
            log.look()
        began = datetime.datetime(2024, 1, 1) + datetime.timedelta(seconds=number)
        written.append(ring / f"ring_{number + 1:05}_{began:%Y%m%d%H%M%S}.pcapng")
        with Pcapng(written[-1]) as capture:
            for at in range(number * count // files, (number + 1) * count // files):
                sender, content = next(source)
                capture.write(START_NS + at * GAP_NS, packet.ethernet(content, None, 1 - sender))
        if not keeps and number > 2 * AHEAD:
            written.pop(0).unlink()
        yield number


def named(associations, rule_sets):
    """Associations with the rules of their endpoints in place of the numbers of sets of them."""
    for association in associations:
        for end in association["endpoints"]:
            end["rules"] |= {name: rule_sets[end["rules"][name]] for name in ("checked", "undecided")}
        yield association


def differing(place, one, other):
    """Where two values differ, a line each."""
    if isinstance(one, dict) and isinstance(other, dict) and set(one) == set(other):
        for name in one:
            yield from differing(f"{place}.{name}", one[name], other[name])
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, (left, right) in enumerate(zip(one, other)):
            yield from differing(f"{place}[{number}]", left, right)
    elif one != other:
        yield f"{place} is {str(one)[:100]}, {str(other)[:100]} in the whole"


def client(association):
    """The endpoint that is not the server: later parts may begin with a packet of either."""
    return next(end["addresses"][0] for end in association["endpoints"] if end["addresses"] != ["172.16.0.1"])


def differences(ring, log):
    """What is not as in the whole, a line each. log: a Log that was read to its end."""
    whole = subprocess.run([TOP / "run", "--sequence", "--no-messages", "-z", "sctp,ndjson", *sorted(ring.iterdir())], stdout=subprocess.PIPE, check=True)
    whole = [json.loads(line) for line in whole.stdout.splitlines()]
    expected = named((each for each in whole if each["record"] == "association"), whole[-1]["rule_sets"])
    keyed = {client(each): each for each in expected}
    sums = {}
    for line in named(map(json.loads, log.associations), log.rule_sets):
        key = client(line)
        if line["forgotten"] == "ended":
            same = keyed.pop(key)
            yield from differing(key, *({name: value for name, value in each.items() if name not in OWN} for each in (line, same)))
        else:
            sums[key] = sums.get(key, 0) + line["packets"]
    for key, each in keyed.items():
        if sums.get(key) != each["packets"]:
            yield f"{key}: {sums.get(key)} of {each['packets']} packets"


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--packets", type=int, default=50_000_000)
    arguments.add_argument("--files", type=int, default=500)
    arguments.add_argument("--living", type=int, default=100)
    arguments.add_argument("--memory", type=int, default=256)
    arguments.add_argument("--compare", action="store_true")
    chosen = arguments.parse_args()
    prepare()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        folder.chmod(0o755)
        ring = folder / "ring"
        ring.mkdir()
        log, source = Log(folder / "log", chosen.compare), packets(chosen.living)
        words = [TOP / "run", "watch", "--log", folder / "log", "--lines", "0", "--memory", str(chosen.memory), ring]
        began_s, peaks, watch = time.monotonic(), Peaks(), None
        for _ in write_ring(ring, source, chosen.packets, chosen.files, log, chosen.compare):
            # There must be a first file.
            watch = watch or subprocess.Popen(words)
            if not peaks.is_alive():
                peaks.start()
        while not log.is_silent or log.files < chosen.files:
            time.sleep(0.2)
            log.look()
        watch.send_signal(signal.SIGTERM)
        status = watch.wait()
        peaks.end()
        log.look()
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        print(f"{chosen.packets:,} packets in {chosen.files} files, {log.lines:,} lines of associations; status {status}")
        print(f"{time.monotonic() - began_s:.0f} s by the clock, CPU {used.ru_utime + used.ru_stime:.0f} s of the watch; log {log._at >> 20} MiB")
        print(f"peak of all {peaks.sum_kib >> 10} MiB: " + ", ".join(f"{name} {kib >> 10}" for name, kib in sorted(peaks.kib.items())))
        found = list(differences(ring, log)) if chosen.compare else []
        for text in found[:20]:
            print(text)
        sys.exit(bool(found or status))


if __name__ == "__main__":
    main()
