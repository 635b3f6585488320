# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs the real tshark with the plugin built under AddressSanitizer and UndefinedBehaviorSanitizer (build/asan), on frames at random.

Wireshark itself is not built so: of it only what calls the C library wrongly shows.
"""

import os
import pathlib
import re
import subprocess

from scenarios.generate import compare, random_frames

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
PLUGINS = TOP / "build" / "asan" / "plugins"
# From the document that is written from what tshark lists, with the association that series asks for; watch stands alone.
REPORTS = [name + ",0" * (name == "series") for name in
           re.findall(r"^\| `-z sctp,(\w+)", (TOP / "docs/generated/reference.md").read_text(encoding="utf-8"), re.M) if name != "watch"]
SANITIZER = re.compile(r"AddressSanitizer|runtime error:|LeakSanitizer|DEADLYSIGNAL")
# One pass for all reports, two with every field and every chunk decoded, the reports of what a filter selects, and a watch that soon discards.
RUNS = {
    "reports": ["-q", *(part for report in REPORTS for part in ("-z", f"sctp,{report}"))],
    "two passes": ["-2", "-V", "-o", "sctp_analysis.decode:all"],
    "filtered": ["-q", "-2", "-R", "sctp", *(part for report in REPORTS if report != "series,0" for part in ("-z", f"sctp,{report},sctp.analysis.from==1"))],
    "watch": ["-q", "-z", "sctp,watch,pause=1,idle=1,memory=1"],
}


def runtimes():
    """The sanitizers' libraries, which a tshark built without them must load first; a list of paths."""
    paths = [subprocess.run(["gcc", f"-print-file-name={name}"], capture_output=True, text=True).stdout.strip()
             for name in ("libasan.so", "libubsan.so")]
    missing = [path for path in paths if not pathlib.Path(path).is_absolute()]
    if missing or not list(PLUGINS.glob("*/epan/sctp_analysis.so")):
        raise FileNotFoundError(f"{missing[0]} of gcc" if missing else f"no plugin in {PLUGINS}: run test/run --unit")
    return [str(pathlib.Path(path).resolve()) for path in paths]


def environment():
    return {"LD_PRELOAD": " ".join(runtimes()), "ASAN_OPTIONS": "detect_leaks=0:exitcode=99",
            "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1", "G_SLICE": "always-malloc"}


def complaint(tshark, capture, arguments, timeout):
    """What is wrong with a run, or an empty text. tshark: conftest.Tshark."""
    try:
        result = tshark("-n", "-r", capture, *arguments, environment=environment(), timeout=timeout, text=False)
    except subprocess.TimeoutExpired:
        return f"no end within {timeout} s"
    messages = result.stderr.decode(errors="replace")
    found = SANITIZER.search(messages)
    if found:
        return messages[max(0, messages.rfind("\n", 0, found.start())):][:6000]
    if result.returncode:
        return f"status {result.returncode}: {messages[-2000:]}"
    try:
        compare.check_messages(messages)
    except AssertionError as error:
        return str(error)
    return ""


def complaints(tshark, folder, frames, seed, timeout=600):
    """(kind of run, capture, what is wrong) for each run that is not clean; the capture of a clean seed is removed."""
    capture = folder / f"frames-{seed}.pcapng"
    random_frames.write(capture, frames, seed)
    found = [(kind, capture, text) for kind, arguments in RUNS.items() if (text := complaint(tshark, capture, arguments, timeout))]
    if not found and not os.environ.get("SCTPA_KEEP"):
        capture.unlink()
    return found
