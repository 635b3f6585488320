# SPDX-License-Identifier: GPL-2.0-or-later
"""The truth of every scenario, whichever stack made it; kept in a temporary folder until its files change.

Leaves out how each stack's truth is found (linux.py and its neighbours) and the comparison (compare).
"""

import hashlib
import importlib
import os
import pathlib
import pickle
import tempfile

from evidence import evidence_of
from tap import CAPTURES, capture_path, read_tap

HERE = pathlib.Path(__file__).resolve().parent
STACKS = ("linux", "usrsctp", "interop", "dcsctp", "pion")
SOURCES = STACKS + ("tap", "evidence", "truth", "usrsctp_queue", "samples", "webrtc_rto", "counters")
SOURCES += tuple(f"{stack}_rto" for stack in ("linux", "usrsctp", "interop"))
SOURCES += ("pauses", "pause_causes", "dead_path", "setup_waits", "flow", "crossing", "links", "timeouts")


def scenarios(wanted=()):
    """Folders of STACK or STACK/SCENARIO names, all without names."""
    folders = [folder for stack in STACKS for folder in sorted((CAPTURES / stack).iterdir()) if folder.is_dir()]
    names = {name.rstrip("/") for name in wanted}
    unknown = names - {str(f.relative_to(CAPTURES)) for f in folders} - set(STACKS)
    if unknown:
        raise LookupError(f"no such stack or scenario: {', '.join(sorted(unknown))}")
    return [f for f in folders if not names or str(f.relative_to(CAPTURES)) in names or f.parent.name in names]


def taps(folder):
    """The ends of a scenario that were captured."""
    return [end for end in "AB" if capture_path(folder, end)]


def kept(name, folder, make):
    """make(), or what it gave before with the same files of the scenario and the same sources."""
    sources = [HERE / f"{source}.py" for source in SOURCES]
    files = sources + sorted(path for path in folder.iterdir() if path.is_file())
    state = [(str(path), path.stat().st_mtime_ns, path.stat().st_size) for path in files]
    key = hashlib.sha256(repr(state).encode()).hexdigest()[:16]
    place = pathlib.Path(tempfile.gettempdir()) / f"sctpa-truth-{os.getuid()}"
    place.mkdir(mode=0o700, exist_ok=True)
    if place.stat().st_uid != os.getuid() or place.is_symlink():
        return make()
    stem = f"{folder.parent.name}-{folder.name}-{name}-"
    path = place / (stem + key)
    if path.exists():
        return pickle.loads(path.read_bytes())
    result, unfinished = make(), path.with_suffix(f".{os.getpid()}")
    unfinished.write_bytes(pickle.dumps(result))
    unfinished.rename(path)
    for old in place.glob(stem + "*"):
        if old != path and not old.suffix:
            old.unlink(missing_ok=True)
    return result


def judge(folder, end):
    seen = evidence_of(read_tap(folder, end))
    result = importlib.import_module(folder.parent.name).kinds(folder, end, seen)
    for sent in result:
        evidence = seen[sent.frame, sent.tsn]
        if sent.truth == "timeout" and evidence.a_rwnd is not None and evidence.a_rwnd < sent.size:
            sent.truth = "probe"
        sent.evidence = str(evidence)
    return result


def kinds(folder, end):
    """The retransmissions by this end, as its own tap shows them, with their truth (tap.Retransmission)."""
    return kept(f"kinds-{end}", folder, lambda: judge(folder, end))


def received_frames(folder, end):
    """The frames of what this end received."""
    return kept(f"received-{end}", folder, lambda: {packet.frame for packet in read_tap(folder, end) if not packet.sent})
