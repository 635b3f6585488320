# SPDX-License-Identifier: GPL-2.0-or-later
"""How many breaches the model finds, per rule: sums, as text and as the document docs/generated/recall.md."""

import collections

HEAD = """# Recall

How many violations the model finds when one rule is violated in one place of a real capture: a field edited, a packet dropped, repeated, delayed
or injected, or the association going on otherwise from a moment at which all data is acknowledged. *Precise* are violations with no other
finding of level MUST or SHOULD than true consequences, which the last column names. Rules that cannot be violated so stand in
`test/model/not_mutated.tsv`.

Written by `test/model/mutate --markdown docs/generated/recall.md` for the captures of `test/model/mutation_runs.py`.

| rule | made | found | recall | precise | consequences |
|---|---|---|---|---|---|
"""


class Sum:
    def __init__(self):
        self.made = self.found = self.precise = 0
        self.causes = collections.Counter()

    def add(self, breach):
        self.made += 1
        self.found += breach.found
        self.precise += not breach.untrue
        self.causes.update({finding.rule for finding in breach.consequences})

    def cells(self):
        share = lambda count: f"{100 * count / self.made:.1f} %"  # noqa: E731
        return [self.made, self.found, share(self.found), share(self.precise), " ".join(sorted(self.causes))]


def as_text(sums):
    lines = [f"{'rule':8} {'made':>5} {'found':>5} {'recall':>8} {'precise':>8} consequences"]
    lines += ["{:8} {:5} {:5} {:>8} {:>8} {}".format(rule, *total.cells()) for rule, total in sorted(sums.items())]
    return "\n".join(lines)


def as_markdown(sums):
    return HEAD + "".join("| " + " | ".join(str(cell) for cell in (rule, *total.cells())) + " |\n" for rule, total in sorted(sums.items()))
