# SPDX-License-Identifier: GPL-2.0-or-later
"""The comparison as text for a terminal and as a page of Markdown. Leaves out how the numbers are found."""

from collections import Counter, defaultdict

import explained
import kinds
from statement import VERDICTS

SHOWN = 8
MEANING = """What each stack recorded of itself (kernel trace, its variables, its log) against what the plugin says of the capture at that
stack's interface, for every run of the lab and both its ends.

- **right, unknown, wrong**: kinds of retransmission. Wrong: the truth denies it. Unknown is never wrong.
- **RTT**: samples that the stack's numbers show, of which the plugin has an equal one at the same packet (within the stack's
  tick: Linux 4 ms, usrsctp 1 ms, the others 20 us). Which TSN is timed is the sender's choice.
- **RTO by formula**: RTO values of the stack that RFC 9260 6.3.1 gives from its samples, in the stack's arithmetic.
  **shown**: that the plugin shows, within 1/8.
- **duplicates** that SACKs reported. **spurious**: retransmissions of which another copy reached the receiver's host, and how
  many the plugin proves at the sender's tap. **retransmitted unseen**: the same for TSNs of which a copy was lost before the far tap."""

STATEMENTS = """What is said of each capture, by one tap, beside what the stack, its application or the other tap shows: **timer**: frame and running time of
T3-rtx in pauses and events (Linux, whose kernel records them; equal within 1 ms); **ending**: shutdown, abort, restart, and by whom, as the
applications were told; **lost**: packets with data that were lost and retransmitted, at most; **lost before the tap**, **spurious**: at least;
**given up**: TSNs given up that arrived all the same, at least; **head-of-line delay**: an interval, of three percentiles. **bound**: not exact, and
the bound that is said holds. **explained**: differs, for a reason that test/truth/endings.py has. **false**: any other difference; a test fails then."""


def share(part, whole):
    """`part` of `whole`, - where there is nothing to compare."""
    return f"{part} of {whole} ({100 * part / whole:.1f} %)" if whole else "-"


def confusion(title, rows):
    """Truth down, the plugin across; columns without a count are left out."""
    counts = kinds.table(rows)
    columns = [kind for kind in kinds.KINDS if any(counts[key] for key in counts if key[1] == kind)]
    yield f"{title}: {len(rows)} retransmissions, {sum(row.is_wrong for row in rows)} wrong"
    yield f"  {'truth':14}" + "".join(f"{kind:>10}" for kind in columns)
    for true in sorted({key[0] for key in counts}):
        yield f"  {true:14}" + "".join(f"{counts[true, kind] or '.':>10}" for kind in columns)


def sampling(title, counts):
    """One line for rtt.Counts."""
    return (f"{title}: samples of the stack with an equal one of ours {share(counts.found, counts.of_stack)}, with another value "
            f"{counts.other}; ours that the stack shows {share(counts.also, counts.ours)}; RTO by formula "
            f"{share(counts.rto_formula, counts.rto_known)}, shown {share(counts.rto_equal, counts.rto_shown)}")


def counting(title, true, ours):
    """One line for two counters.Numbers."""
    return f"{title}: " + ", ".join(f"{name} {value} / {getattr(ours, name)}" for name, value in vars(true).items())


def markdown_row(cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def summary(stacks):
    """The one table: a row per stack; `stacks`: name -> (kinds rows, rtt.Counts, (true, ours) counters.Numbers)."""
    heads = ("stack", "right", "unknown", "wrong", "RTT", "RTO by formula", "RTO shown", "duplicates", "spurious", "retransmitted unseen")
    yield markdown_row(heads)
    yield markdown_row(["---"] * len(heads))
    for stack, (rows, rtt, (true, ours)) in stacks.items():
        decided = [row for row in rows if row.is_decided]
        right, wrong = sum(row.is_right for row in decided), sum(row.is_wrong for row in decided)
        yield markdown_row((
            stack, share(right, len(decided)), len(decided) - right - wrong, wrong, share(rtt.found, rtt.of_stack),
            share(rtt.rto_formula, rtt.rto_known), share(rtt.rto_equal, rtt.rto_shown),
            f"{ours.duplicates} of {true.duplicates}", f"{ours.spurious} of {true.spurious}", f"{ours.unseen} of {true.unseen}"))


def by_reason(rows):
    """Reason or None -> the rows that differ."""
    result = defaultdict(list)
    for row in rows:
        if row.is_different:
            result[explained.reason(row)].append(row)
    return result


def differences(rows):
    """A list of Markdown: the kinds that differ by reason, then what is known of paths and of the other numbers."""
    for reason, found in by_reason(rows).items():
        places = ", ".join(f"{row.where} frame {row.truth.frame}" for row in found[:SHOWN])
        yield (f"- kind, {'unknown' if found[0].ours == kinds.UNKNOWN else 'wrong'} {len(found)}: {reason or '**not explained**'} "
               f"({places}{', ...' if len(found) > SHOWN else ''})")
    for reason, where in explained.places("path"):
        yield f"- path, {where}: {reason}"
    for reason, where in explained.places("outage"):
        yield f"- outage, {where}: {reason}"
    for row in explained.of("RTT", "RTO", "counter"):
        yield f"- {row['what']}, {row['where']}: {row['reason']}"


def statement_rows(statements):
    """A row for each kind of statement; `statements`: all statement.Statement of the lab."""
    yield markdown_row(("statement", *VERDICTS))
    yield markdown_row(["---"] * (1 + len(VERDICTS)))
    for kind in dict.fromkeys(statement.kind for statement in statements):
        counts = Counter(statement.verdict for statement in statements if statement.kind == kind)
        yield markdown_row((kind, *(counts[verdict] for verdict in VERDICTS)))


def page(stacks, statements):
    """The page of Markdown."""
    yield "# Ground truth\n\nWritten by `test/truth/compare --markdown`; test/captures/README.md says what the stacks recorded.\n"
    yield from summary(stacks)
    yield f"\n{MEANING}\n\n## Kinds of retransmission\n"
    yield "Truth down, the plugin across. `fast|early`: the stack does not tell which, either is right. `pmtu` (retransmitted in smaller"
    yield "packets) and `window` (a window probe retransmitted as the window opens) have no kind of ours: unknown is right.\n\n```"
    for stack, (rows, _, _) in stacks.items():
        yield from confusion(stack, rows)
    yield f"```\n\n## Statements\n\n{STATEMENTS}\n"
    yield from statement_rows(statements)
    yield "\n## Differences\n"
    yield from differences([row for rows, _, _ in stacks.values() for row in rows])
