# SPDX-License-Identifier: GPL-2.0-or-later
"""evidence.pcapng: the set-up and the packets that show findings and pauses, with comments, and as many packets before them as it takes to show the
findings again. Leaves what the reports say to case.py.

Packets keep their bytes and times; their numbers are others, so that each comment names the frame of the whole capture.
"""

import bisect
import os
import subprocess
import tempfile
from typing import NamedTuple

from sctpa import whole_files
from sctpa.names import address_and_port
from sctpa.rule_table import level_word
from sctpa.tshark import Run

from . import case

# Packets of the association taken before each that is evidence, until the findings show: each attempt costs a tshark of its own.
BEFORE = (4, 16, 64, 512)
AFTER = 2
# Where these do not do, the whole association, if it has no more packets: another person can still read them.
WHOLE_MAX = 5_000
# Of the packets within a pause: as many after its begin, and before its end.
IN_PAUSE = 32
# Of one finding or kind of pause: the report lists no more frames, either.
EVIDENCE_MAX = 32
# editcap takes each comment as two words of its command line.
COMMENTS_MAX = 1000
PACKETS_MAX = 20_000


class Evidence(NamedTuple):
    """A written evidence.pcapng. frames: of the whole capture, in order; notes: {frame: lines of its comment}; lacking: findings of the
    whole capture that it does not show when read alone; extra: rules that only it shows."""

    frames: list
    notes: dict
    lacking: list
    extra: list

    def number(self, frame):
        """The number of a frame of the whole capture there; None when it is not there."""
        at = bisect.bisect_left(self.frames, frame)
        return at + 1 if at < len(self.frames) and self.frames[at] == frame else None


def endpoint_name(assoc, end):
    """address:port of an endpoint, its number behind it, as windows have it; '-' for none."""
    return (
        "-" if end is None else f"{address_and_port(assoc['endpoints'][end]['addresses'], assoc['ports'][end])} ({end})"
    )


def pauses_of(assoc, most=None):
    """[(endpoint that sent the data, pause)] of both directions, of each the first `most`."""
    return [
        (end, pause)
        for end, direction in enumerate(assoc["directions"])
        if direction["pauses"]
        for pause in direction["pauses"]["list"][:most]
    ]


def pause_sentence(assoc, end, pause):
    """What a pause of the data of an endpoint was, without a full stop."""
    return f"{pause['length_s']:.3f} s without progress of {endpoint_name(assoc, end)}: {pause['cause_text']}"


def notes_of(assoc):
    """{frame: lines} of what findings and pauses say of single packets; at most COMMENTS_MAX frames, findings first."""
    notes = {}

    def note(frame, line):
        if frame in notes or len(notes) < COMMENTS_MAX:
            notes.setdefault(frame, []).append(line)

    for finding in assoc["findings"] or ():
        for frame in finding["frames"][:EVIDENCE_MAX]:
            note(
                frame,
                f"{finding['rule']} ({level_word(finding['level'])}, {finding['certainty']}, {finding['clause']}): {finding['title']}. "
                f"Of {endpoint_name(assoc, finding['accused'])}.",
            )
    for end, pause in pauses_of(assoc, EVIDENCE_MAX):
        what = pause_sentence(assoc, end, pause)
        note(pause["from_frame"], f"Pause begins: {what}.")
        note(pause["to_frame"], f"Pause ends: {what}.")
    return notes


def chosen_frames(assoc, packets, notes, before):
    """Frames of the set-up, those with a note or an event, `before` packets of the association before each of these and AFTER after it, and
    packets in pauses; at most PACKETS_MAX."""
    all_frames, frames = packets.frames, set(packets.setup)
    shown = {*notes, *(event["frame"] for event in assoc["events"][:EVIDENCE_MAX] if event["frame"])}
    for frame in sorted(shown):
        at = bisect.bisect_left(all_frames, frame)
        frames.add(frame)
        frames.update(all_frames[max(0, at - before) : at + 1 + AFTER])
        if len(frames) > PACKETS_MAX:
            break
    for _, pause in pauses_of(assoc, EVIDENCE_MAX):
        begin, end = (bisect.bisect_left(all_frames, pause[name]) for name in ("from_frame", "to_frame"))
        frames.update(all_frames[begin : min(begin + IN_PAUSE, end)], all_frames[max(begin, end - IN_PAUSE) : end])
    return sorted(frames)[:PACKETS_MAX]


def _ranges(frames):
    """Numbers in order as the set of a display filter: 3..5, 9."""
    parts = []
    for frame in frames:
        if parts and parts[-1][1] == frame - 1:
            parts[-1][1] = frame
        else:
            parts.append([frame, frame])
    return ", ".join(f"{first}..{last}" if last > first else str(first) for first, last in parts)


def _take(host, path, frames, target, timeout_s):
    """Writes these packets of a capture as pcapng."""
    run = Run(host, path, ["-n", "-Y", f"frame.number in {{{_ranges(frames)}}}", "-F", "pcapng", "-w", "-"], timeout_s)
    while piece := run.stdout.read(1 << 20):
        target.write(piece)
    target.flush()
    run.end()


def _comment(host, source, evidence, target):
    """Writes a pcapng with a comment on each packet that has a note."""
    words = [
        word
        for frame in sorted(evidence.notes)
        if evidence.number(frame)
        for word in (
            "-a",
            f"{evidence.number(frame)}:Frame {frame} of the whole capture. {' '.join(evidence.notes[frame])}",
        )
    ]
    source.seek(0)
    subprocess.run(
        [*host.as_user, "editcap", "-F", "pcapng", *words, "-", "-"],
        stdin=source,
        stdout=target,
        stderr=subprocess.PIPE,
        cwd="/",
        check=True,
    )


def _matches(wanted, found):
    """Is this finding of the whole capture among those of the evidence? Addresses may be fewer where packets are."""
    rule, port, addresses = wanted
    return any(
        rule == other_rule and (port is None or (port == other_port and set(addresses) & set(other_addresses)))
        for other_rule, other_port, other_addresses in found
    )


def write(host, path, assoc, packets, target, timeout_s, step, rows_of):
    """Writes into target (a binary file) as few packets as show all findings again, or as show most of them; returns the Evidence and what
    rows_of(path of a capture of these packets, their frames) makes of it. step: is called with what is done next. Cost: at most two runs of tshark over
    the evidence and one over the whole capture for each number of packets tried."""
    notes = notes_of(assoc)
    wanted = [case.identity(assoc, finding) for finding in assoc["findings"] or ()]
    with tempfile.TemporaryDirectory(dir=host.links) as folder:
        os.chmod(folder, 0o755)
        best = None
        for before in (*BEFORE, *[WHOLE_MAX] * (len(packets.frames) <= WHOLE_MAX)):
            frames = chosen_frames(assoc, packets, notes, before) if before < WHOLE_MAX else list(packets.frames)
            if best and frames == best[0].frames:
                continue
            step(f"writing the evidence: {len(frames):,} packets")
            taken = os.path.join(folder, f"taken{before}.pcapng")
            with whole_files.naming(taken), open(taken, "wb") as file:
                _take(host, path, frames, file, timeout_s)
            os.chmod(taken, 0o644)
            found = case.findings_of(host, taken, timeout_s)
            lacking = [each for each in wanted if not _matches(each, found)]
            extra = sorted({rule for rule, port, addresses in found if not _matches((rule, port, addresses), wanted)})
            if best is None or len(lacking) < len(best[0].lacking):
                best = Evidence(frames, notes, lacking, extra), taken
            if not lacking:
                break
        with open(best[1], "rb") as source:
            _comment(host, source, best[0], target)
        return best[0], rows_of(best[1], best[0].frames)
