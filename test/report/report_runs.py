# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs ./run report for tests, as ./run starts it. Leaves what comes out to the tests."""

import subprocess
import sys

from conftest import TOP

sys.path += [str(TOP), str(TOP / "test/triage")]

import triage_runs  # noqa: E402

CAPTURES = TOP / "test" / "captures"


def report(tshark, folder, *arguments, trick=""):
    """The ended process; results lie in folder/out. trick: of triage_runs.Triage."""
    links = folder / "links"
    links.mkdir(exist_ok=True)
    for each in (folder, links):
        each.chmod(0o755)
    environment = triage_runs.module_environment(tshark, links)
    if trick:
        (folder / "tricked").mkdir()
        environment = triage_runs.Triage(tshark, folder / "tricked").tricked(trick)
    return subprocess.run(["/usr/bin/python3", "-sPB", "-m", "sctpa.report", "--out", folder / "out", *map(str, arguments)], cwd="/", stdin=subprocess.DEVNULL,
                          env=environment, capture_output=True, encoding="utf-8", timeout=300, check=False)
