# SPDX-License-Identifier: GPL-2.0-or-later
"""Which files are pieces of one capture, by the names that dumpcap, Wireshark, editcap and tcpdump give such, and in which order.

Also which of them are missing. Leaves what they hold to stream.py; looks at the begin of each for its interfaces and its first packet.
"""

import contextlib
import datetime
import os
import re
from typing import NamedTuple

from sctpa.pcapng import NS_PER_S

from . import blocks
from .stream import Part

_END = r"(?P<suffix>(?:\.[A-Za-z][A-Za-z0-9]{0,7})?)(?:\.(?:gz|zst|lz4))?\Z"
# Times in names are local times: they go back when summer ends.
CLOCK_CHANGE = datetime.timedelta(hours=1, seconds=1)
_STAMP = r"(?P<stamp>(?:19|20)\d{12})"
# dumpcap -b (ring_00001_20240101120000.pcapng, and with nametimenum:2 the other way round), editcap -c and -i; the same without a time;
# tcpdump -G with the whole time in the name; tcpdump -C (ring.pcap, ring.pcap1, ...).
NAMES = [
    re.compile(text)
    for text in (
        r"(?P<stem>.+)_(?P<number>\d{5,7})_" + _STAMP + _END,
        r"(?P<stem>.+)_" + _STAMP + r"_(?P<number>\d{5,7})" + _END,
        r"(?P<stem>.+)_(?P<number>\d{5,7})" + _END,
        r"(?P<stem>.*?)(?P<stamp>(?:19|20)\d\d[-_]?\d\d[-_]?\d\d[-_T.]?\d\d[-_.:]?\d\d[-_.:]?\d\d)" + _END,
        r"(?P<stem>.+(?P<suffix>\.(?:pcap|cap|dmp)))(?P<number>\d*)(?:\.(?:gz|zst|lz4))?\Z",
    )
]

# By more than one kind of interfaces, by more than one run
WHY = {
    (False, False): "name",
    (True, False): "name and interface",
    (False, True): "name and run",
    (True, True): "name, interface and run",
}


class Place(NamedTuple):
    """Where a file stands in a ring by its name. ring: what all files of the ring have alike; number, stamp: None where the name has none."""

    ring: tuple
    number: int | None
    stamp: str | None

    @property
    def order(self):
        """Sorts the places of a ring: by their times, then by their numbers."""
        return self.stamp or "", -1 if self.number is None else self.number


class Begin(NamedTuple):
    """How a file begins: what it was captured from, and when, by its first packet; None: it has none, or cannot be read."""

    taken_from: tuple
    start_ns: int | None


class Sequence(NamedTuple):
    """Files that are one capture. name: what it is called; parts: in order; how: how they were grouped and put in order."""

    name: str
    parts: tuple
    how: str

    def reading(self):
        """The line that says what is read as one."""
        count = len(self.parts)
        return f"reading {count} file{'s' * (count != 1)} as one capture, {self.how}"


def place(path):
    """The Place of a file; None: its name is not that of one of many."""
    folder, name = os.path.split(path)
    for number, pattern in enumerate(NAMES):
        match = pattern.fullmatch(name)
        words = match.groupdict() if match else {}
        stamp = re.sub(r"\D", "", words.get("stamp", ""))
        if match and (not stamp or _time_of(stamp)):
            digits = words.get("number")
            return Place(
                (os.path.abspath(folder), number, words["stem"], words["suffix"].lower()),
                None if digits is None else int(digits or 0),
                stamp or None,
            )
    return None


def _time_of(stamp):
    """The time that digits of a name are; None: they are none."""
    try:
        return datetime.datetime.strptime(stamp, "%Y%m%d%H%M%S")
    except ValueError:
        return None


def begin(path, as_user=()):
    """Reads a file to its first packet."""
    described = []
    start_ns = None
    with contextlib.suppress(blocks.Fault), contextlib.closing(blocks.read(path, as_user)) as found:
        for block in found:
            if block.described:
                described.append(block.described)
            elif block.type in blocks.FRAMES:
                start_ns = None if block.ticks is None else described[block.interface].time_ns(block.ticks)
                break
    return Begin(tuple((each.link_type, each.name) for each in described), start_ns)


def missing(before, after):
    """What the numbers of two files in a row say of files between them; None: nothing."""
    if before is None or after is None or after == before + 1:
        return None
    if after <= before:
        return f"numbering restarts after {before:05}"
    return (
        f"file {before + 1:05} is missing"
        if after == before + 2
        else f"files {before + 1:05} to {after - 1:05} are missing"
    )


def _is_one_run(places):
    """Did the capturing program count through? Then each number is there once, and the times in the names do not go back."""
    numbered = sorted((each.number, each.stamp) for each in places)
    times = [_time_of(stamp) for _, stamp in numbered if stamp]
    return len({number for number, _ in numbered}) == len(numbered) and all(
        after >= before - CLOCK_CHANGE for before, after in zip(times, times[1:])
    )


def _wrapped(paths, starts):
    """Files in the order of their numbers, from the oldest on: a program that writes so many files and no more begins again with the first."""
    falls = [
        at
        for at in range(1, len(paths))
        if None not in (starts[at - 1], starts[at]) and starts[at] < starts[at - 1] - NS_PER_S
    ]
    known = [start for start in starts if start is not None]
    if len(falls) != 1 or known[-1] > known[0]:
        return paths
    return paths[falls[0] :] + paths[: falls[0]]


def _by_names(paths, places, start):
    """The files of one ring, oldest first, what is missing before each, and what the order goes by. start(path): of its first packet, asked where
    names do not tell."""
    ordered = sorted(paths, key=lambda path: (places[path].order, path))
    if None in {each.number for each in places.values()}:
        return [(path, None) for path in ordered], "in the order of the times in their names"
    if _is_one_run(places.values()):
        ordered = sorted(paths, key=lambda path: places[path].number)
        if all(each.stamp is None for each in places.values()):
            turned = _wrapped(ordered, [start(path) for path in ordered])
            if turned != ordered:
                return [(path, None) for path in turned], "in the order of their numbers, oldest first"
    gaps = [
        None,
        *(missing(places[before].number, places[after].number) for before, after in zip(ordered, ordered[1:])),
    ]
    return list(zip(ordered, gaps)), "in the order of their numbers"


def _by_times(paths, start):
    """Files as given, or, where one begins more than a second before the one before it, in the order of their first packets."""
    latest, keys = 0, {}
    for path in paths:
        latest = keys[path] = start(path) if start(path) is not None else latest
    starts = list(keys.values())
    if all(after >= before - NS_PER_S for before, after in zip(starts, starts[1:])):
        return paths, "in the given order"
    return sorted(paths, key=keys.get), "in the order of their first packets"


def name_of(names):
    """What a sequence of files of these names, in order, is called."""
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more file{'s' * (len(names) > 2)}"


def of_one(paths, names=None, as_user=()):
    """All these files as one Sequence, by their names where these are of one ring, else by their first packets. names: what they are called in
    messages, by path. Cost: where names do not tell the order, reads the begin of each file."""
    paths = list(dict.fromkeys(paths))
    names = names or {path: path for path in paths}
    starts = {}

    def start(path):
        if path not in starts:
            starts[path] = begin(path, as_user).start_ns
        return starts[path]

    places = {path: place(path) for path in paths}
    if len(paths) > 1 and None not in places.values() and len({each.ring for each in places.values()}) == 1:
        ordered, how = _by_names(paths, places, start)
    else:
        by_times, how = _by_times(paths, start)
        ordered = [(path, None) for path in by_times]
    parts = tuple(Part(path, names[path], gap) for path, gap in ordered)
    return Sequence(name_of([part.name for part in parts]), parts, how)


def of_words(words, as_user=()):
    """The same of the files of a command line, called as they are there."""
    names = {os.path.abspath(word): word for word in words}
    return of_one(list(names), names, as_user)


def group(paths, as_user=()):
    """(files, why they are one capture; None: it is a file alone) of all paths, in the order of their first files. Files of a ring that were
    captured from different interfaces are no sequence, nor are those of another run of the capturing program, whose numbering restarts.
    Cost: reads the begin of each file whose name is that of one of many."""
    rings = {}
    for path in paths:
        where = place(path)
        rings.setdefault(where.ring if where else path, []).append(path)
    for ring in rings.values():
        if len(ring) == 1:
            yield ring, None
            continue
        kinds = _by_interfaces(ring, as_user)
        runs = [run for files in kinds for run in _runs(files)]
        why = f"grouped by {WHY[len(kinds) > 1, len(runs) > len(kinds)]}"
        yield from ((run, why if len(run) > 1 else None) for run in runs)


def _by_interfaces(ring, as_user):
    """The files of a ring, apart by what they were captured from. What is empty, or cannot be read, goes with the first."""
    kinds = {}
    for path in ring:
        kinds.setdefault(begin(path, as_user).taken_from, []).append(path)
    of_none = kinds.pop((), [])
    return [files + of_none * (number == 0) for number, files in enumerate(kinds.values())] or [of_none]


def _runs(files):
    """Files of one ring, apart where their numbers begin again; of two with the same place, as a file and its compressed copy, one is alone."""
    places = {path: place(path) for path in files}
    ordered = sorted(files, key=lambda path: places[path].order)
    is_numbered = None not in {each.number for each in places.values()}
    if len(set(places.values())) == len(files) and (not is_numbered or _is_one_run(places.values())):
        return [files]
    runs = [ordered[:1]]
    for before, path in zip(ordered, ordered[1:]):
        if places[path] == places[before]:
            runs.insert(0, [path])
        elif (places[path].number or 0) <= (places[before].number or 0) and places[path].number is not None:
            runs.append([path])
        else:
            runs[-1].append(path)
    return runs
