# SPDX-License-Identifier: GPL-2.0-or-later
"""report.html and issue.md: what one association shows, for a person. Leaves looks, tables and escaping to the templates, of which it shares those of all pages (sctpa/pages.py).
"""

import bisect
import os
import pathlib
import shlex

from sctpa import pages, plots
from sctpa.arguments import COMMAND
from sctpa.names import safe_text
from sctpa.rule_table import level_word
from sctpa.sequence import grouping

from . import ladder
from .packets import endpoint_name, pause_sentence, pauses_of

TEMPLATES = pathlib.Path(__file__).with_name("templates")
# Packets of the association shown around the first ones of a finding.
AROUND_BEFORE, AROUND_AFTER, LADDER_MAX = 3, 2, 24
FIRST_EVIDENCE = 4
PAUSES_SHOWN = 5


class Facts:
    """What both texts show of a Case and its Evidence."""

    def __init__(self, case, evidence, packets, rows, chosen, capture):
        self.case, self.evidence, self._packets, self._rows = case, evidence, packets, rows
        self.assoc, self.capture = case.assoc, case.capture
        self.name, self.is_anonymised = safe_text(capture.name), chosen.anonymise
        self.commands = _commands(case, chosen, capture)
        self.lacking = sorted({rule for rule, _, _ in evidence.lacking})

    def endpoint(self, end):
        return endpoint_name(self.assoc, end)

    def rule(self, finding):
        """The row of the table of rules; None where the preference `rules` left it out."""
        return self.case.rules.get(finding["rule"])

    def numbers(self, finding):
        """[(frame of the whole capture, number in evidence.pcapng or None)]."""
        return [(frame, self.evidence.number(frame)) for frame in finding["frames"]]

    def ladder(self, evidence, name):
        """The SVG around the first of these frames, of the packets that evidence.pcapng holds; None where it holds none."""
        frames, wanted = self._packets.frames, {}
        for frame in evidence[:FIRST_EVIDENCE]:
            at = bisect.bisect_left(frames, frame)
            wanted.update(
                (number, frames[number])
                for number in range(max(0, at - AROUND_BEFORE), min(at + 1 + AROUND_AFTER, len(frames)))
            )
        shown, last = [], None
        for number in [number for number in sorted(wanted) if wanted[number] in self._rows][:LADDER_MAX]:
            if last is not None and number > last + 1:
                shown.append(ladder.Gap(number - last - 1))
            shown.append(self._rows[wanted[number]])
            last = number
        return ladder.draw(shown, set(evidence), self.assoc, name) if shown else None

    def pauses(self):
        """[(sentence, frames)] of the longest pauses of both directions, in their order."""
        longest = sorted(pauses_of(self.assoc), key=lambda each: -each[1]["length_s"])[:PAUSES_SHOWN]
        return [
            (
                pause_sentence(self.assoc, end, pause),
                [pause[name] for name in ("from_frame", "lost_frame", "timeout_frame", "to_frame") if pause[name]],
            )
            for end, pause in sorted(longest, key=lambda each: each[1]["start_s"])
        ]

    def pictures(self):
        drawn = self.case.plots
        return [plots.of_direction(drawn, self.assoc, 1, end) for end in (0, 1)] if drawn else [[], []]


def _commands(case, chosen, capture):
    """What shows the same again: of the whole capture, and of evidence.pcapng alone. Keys stay behind."""
    words = [word for option in chosen.shown_options if not option.startswith("uat:") for word in ("-o", option)]
    files = (
        ["--sequence", *map(os.path.basename, chosen.captures)]
        if chosen.sequence and not chosen.anonymise
        else [os.path.basename(capture.name)]
    )
    whole = [COMMAND, "report", *words, "--association", str(case.number), *files]
    alone = ["tshark", *words, "-q", "-z", "sctp,findings", "-r", "evidence.pcapng"]
    return shlex.join(whole), shlex.join(alone)


def _render(facts, template, autoescape=True, **words):
    environment = pages.environment(TEMPLATES, autoescape=autoescape)
    environment.filters["level"] = level_word
    environment.globals["located"] = grouping.located
    return environment.get_template(template).render(facts=facts, assoc=facts.assoc, case=facts.case, **words)


def html(facts):
    """report.html as text."""
    return _render(
        facts,
        "page.html",
        n=1,
        section={"pictures": facts.pictures()},
        **pages.words(*pages.WITH_PLOTS, TEMPLATES / "report.css"),
    )


def markdown(facts):
    """issue.md as text."""
    return _render(facts, "issue.md", autoescape=False)
