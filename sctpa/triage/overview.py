# SPDX-License-Identifier: GPL-2.0-or-later
"""What all captures add up to: counters by end, stack and rule, and the worst associations and captures.

Counters count what each capture shows; lists have an association that several captures saw once (taps.py), where it looks the worst.
Memory does not grow with the number of captures or associations: stacks and rules are those of the plugin's tables, lists are bounded.
"""

import math
from collections import Counter
from typing import NamedTuple

from sctpa import rank

from . import taps

NO_STACK = "not known"
ASSOCS_LISTED = 2000
CAPTURES_LISTED = 2000
ALIKE_MAX = 3
KINDS_MAX = 2000
TAPS = 2  # captures of one association that lists have room for, until they are grouped
NOTHING_WORSE = (math.inf, 0)


class Row(NamedTuple):
    """An association in the lists of the report. number: of the capture in the run; ends: (first address, further addresses, port);
    identity: of taps.py."""

    number: int
    file: str
    index: int
    rank: tuple
    ends: tuple
    end: str
    end_by: int | None
    start_s: float
    duration_s: float
    packets: int
    user_bytes: int
    resent: int
    must: int
    should: int
    probable: int
    rules: tuple
    stacks: tuple
    identity: bytes | None


def row(number, file, assoc):
    """The Row of an association."""
    ends = tuple(
        (end["addresses"][0] if end["addresses"] else "?", max(len(end["addresses"]) - 1, 0), port)
        for end, port in zip(assoc["endpoints"], assoc["ports"])
    )
    rules = tuple(dict.fromkeys(finding["rule"] for finding in assoc["findings"] or [] if rank.counts(finding)))
    return Row(
        number,
        file,
        assoc["index"],
        rank.rank(assoc),
        ends,
        assoc["end"],
        assoc["end_by"],
        assoc["start_s"],
        assoc["duration_s"],
        assoc["packets"],
        sum(direction["user_bytes"] for direction in assoc["directions"]),
        rank.resent(assoc),
        *rank.levels(assoc),
        rules,
        (rank.stack(assoc, 0), rank.stack(assoc, 1)),
        taps.identity(assoc),
    )


class Rule:
    """What is counted of a rule."""

    def __init__(self, finding):
        self.id, self.title, self.level, self.clause = (finding[name] for name in ("rule", "title", "level", "clause"))
        self.associations = self.captures = self.occurrences = 0
        self.accused = Counter()


class Overview:
    """Takes captures one after the other: begin, add for each association, end. words: the lists of words of the JSON; None: no capture was read."""

    def __init__(self, sections):
        self.words = None
        self.captures = Counter()
        self.sums = Counter()
        self.ends, self.encapsulations, self.quality, self.needs = Counter(), Counter(), Counter(), Counter()
        self.stacks, self.rules = {}, {}
        self.generators = set()
        self.taps = taps.Taps()
        self._assocs = rank.Worst(ASSOCS_LISTED * TAPS)
        self.files = rank.Worst(CAPTURES_LISTED)
        self._sections = sections
        self._varied = rank.Varied(ALIKE_MAX * TAPS if sections else 0, KINDS_MAX)
        self._of_capture = None

    def begin(self, number, head, words):
        """words: as a capture's JSON has them; None: it was not read."""
        self.words = words or self.words
        self._of_capture = {
            "number": number,
            "head": head,
            "start_s": head["start_epoch_s"] and float(head["start_epoch_s"]),
            "rules": set(),
            "must": 0,
            "should": 0,
            "probable": 0,
            "failed": 0,
            "worst": NOTHING_WORSE,
        }

    def add(self, assoc):
        of_capture = self._of_capture
        entry = row(of_capture["number"], of_capture["head"]["file"], assoc)
        self.sums["associations"] += 1
        self.sums["packets"] += entry.packets
        self.sums["user_bytes"] += entry.user_bytes
        self.sums["resent"] += entry.resent
        self.sums["data_chunks"] += sum(direction["data_chunks"] for direction in assoc["directions"])
        self.ends[assoc["end"]] += 1
        self.encapsulations[assoc["encapsulation"]] += 1
        self.needs.update(assoc["missing_needs"] or [])
        self._add_findings(assoc)
        self._add_stacks(assoc)
        of_capture["must"] += entry.must
        of_capture["should"] += entry.should
        of_capture["probable"] += entry.probable
        of_capture["failed"] += assoc["failed"]
        of_capture["worst"] = min(of_capture["worst"], entry.rank)
        self.taps.add(of_capture["number"], assoc, of_capture["start_s"])
        self._assocs.offer(entry.rank, entry)
        self._varied.offer(entry.rank, entry, assoc["alike"])

    def _add_findings(self, assoc):
        broken = {}
        for finding in assoc["findings"] or []:
            rule = self.rules.get(finding["rule"])
            if rule is None:
                rule = self.rules[finding["rule"]] = Rule(finding)
            rule.occurrences += finding["count"]
            broken.setdefault(finding["rule"], set()).add(finding["accused"])
        for name, accused in broken.items():
            self.rules[name].associations += 1
            self.rules[name].captures += name not in self._of_capture["rules"]
            self._of_capture["rules"].add(name)
            self.rules[name].accused.update(rank.stack(assoc, end) or NO_STACK for end in accused if end is not None)

    def _add_stacks(self, assoc):
        for end in (0, 1):
            counts = self.stacks.setdefault(rank.stack(assoc, end) or NO_STACK, Counter())
            counts["endpoints"] += 1
            counts[assoc["endpoints"][end]["verdict"]] += 1

    def end(self, head):
        """head: of the capture. Returns its state and what was counted of it."""
        of_capture, described = self._of_capture, head["capture"]
        state = (
            "not read"
            if described is None
            else "read in part"
            if head["message"]
            else "read"
            if head["associations"]
            else "without SCTP"
        )
        self.captures[state] += 1
        self.captures["all"] += 1
        self.sums["bytes"] += head["bytes"]
        if described:
            self.sums["frames"] += described["frames"] or 0
            self.sums["sctp_packets"] += described["sctp_packets"]
            self.quality.update(remark["kind"] for remark in described["quality"])
            self.generators.add((described["plugin"] or "?", described["wireshark"] or "?"))
        if refused := len(head["refused_inits"]) + head["refused_inits_left_out"]:
            of_capture["failed"] += refused
            of_capture["worst"] = min(of_capture["worst"], (self.words["rank"].index("refused"), 0))
        order = (-1, 0) if state == "not read" else of_capture["worst"]
        of_capture.update(head=head, state=state, rules=len(of_capture["rules"]))
        self.files.offer(order, of_capture)
        return state, of_capture

    def seen(self):
        """(associations, how many of them several captures saw), each counted once."""
        several, times = self.taps.count()
        return self.sums["associations"] - times + several, several

    def assocs(self):
        """(entry, others) of the worst associations; others: (number, index) of the same one in other captures."""
        grouped = _Grouped(self.taps)
        for entry in self._assocs:
            if len(grouped.entries) < ASSOCS_LISTED:
                grouped.offer(entry)
        return list(grouped.entries.values())

    def chosen(self):
        """The associations that get a section, as assocs(): the worst, few of those that are alike, and where there is room left all others."""
        grouped, alike = _Grouped(self.taps), Counter()
        for like, entry in self._varied:
            if len(grouped.entries) < self._sections and alike[like] < ALIKE_MAX:
                alike[like] += grouped.offer(entry)
        for entry in self._assocs:
            if len(grouped.entries) < self._sections:
                grouped.offer(entry)
        return sorted(grouped.entries.values(), key=lambda pair: (pair[0].rank, pair[0].number, pair[0].index))


class _Grouped:
    """Entries, of each association one: the first that is offered."""

    def __init__(self, known):
        self._taps, self._taken, self.entries = known, set(), {}

    def offer(self, entry):
        """Was it taken?"""
        place = entry.number, entry.index
        if place in self._taken:
            return False
        others = self._taps.others(entry)
        self._taken.update((place, *others))
        self.entries[place] = entry, others
        return True
