# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs a triage for tests: the module as ./run starts it, with a tshark that can be watched, slowed down or made to misbehave.

Leaves what comes out to the tests.
"""

import csv
import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

from conftest import TOP, unprivileged

sys.path.append(str(TOP))

from sctpa.rule_table import NO_PACKETS  # noqa: E402

CAPTURES = TOP / "test" / "captures"
OUTPUTS = ("report.html", "associations.ndjson", "associations.csv", "captures.csv", "findings.csv", "pauses.csv", "events.csv", "messages.csv")
REAL_TSHARK = shutil.which("tshark")


def cut_off(bytes_missing):
    """The trick of a tshark that is killed when it has printed all but so many bytes."""
    return f'{REAL_TSHARK} "$@" | head -c -{bytes_missing}; kill -KILL $$'


def gather(folder, *names):
    """Copies captures of the lab into folder, /made/flat: linux/aborts/A.pcapng.gz becomes linux_aborts_A.pcapng.gz."""
    folder.mkdir(exist_ok=True)
    for name in names:
        target = folder / name.replace("/", "_")
        shutil.copy(CAPTURES / name, target)
        target.chmod(0o644)
    folder.chmod(0o755)
    return folder


def module_environment(tshark, links):
    """What ./run sets for the modules that read captures: links is an empty folder for their links."""
    return {**os.environ, "SCTPA_AS_USER": " ".join(unprivileged()), "SCTPA_HOME": str(tshark.home), "SCTPA_PLUGINS": str(tshark.with_plugin),
            "SCTPA_LINKS": str(links), "SCTPA_CONFIG": str(tshark.home), "PYTHONPATH": f"{TOP}:{TOP / 'build/python'}", "LC_ALL": "C.UTF-8"}


class Triage:
    """triage(*arguments) runs one; its results lie in `out`. `trick` is a piece of shell that each tshark that reads a file runs
    before, with the capture as $capture; `reads()` are the captures that tshark was asked to read so far."""

    def __init__(self, tshark, folder):
        self._tshark, self.folder, self.out = tshark, folder, folder / "out"
        self._log, self._tools, self._links = folder / "reads", folder / "tools", folder / "links"
        self._log.touch()
        self._log.chmod(0o666)
        self._tools.mkdir()
        self._links.mkdir()
        self.trick("")

    def trick(self, shell):
        program = self._tools / "tshark"
        program.write_text(f"""#!/bin/bash
previous='' capture=''
for word in "$@"; do
  [[ $previous != -r ]] || capture=$(readlink -- "$word" || echo "$word")
  previous=$word
done
if [[ $capture ]]; then
  echo "$capture" >>{self._log}
  {shell or ":"}
fi
exec {REAL_TSHARK} "$@"
""")
        program.chmod(0o755)

    def reads(self):
        names = [pathlib.Path(line).name for line in self._log.read_text().splitlines()]
        return [name for name in names if not name.startswith(NO_PACKETS)]

    def tricked(self, shell):
        """The environment of a module that reads captures with this trick."""
        self.trick(shell)
        return self.environment()

    def environment(self):
        return {**module_environment(self._tshark, self._links), "PATH": f"{self._tools}:{os.environ['PATH']}"}

    def command(self, *arguments):
        """Words and environment of a run."""
        return ["/usr/bin/python3", "-sPB", "-W", "ignore:resource_tracker", "-m", "sctpa.triage", "--out", str(self.out), *map(str, arguments)], self.environment()

    def start(self, *arguments, **options):
        words, variables = self.command(*arguments)
        return subprocess.Popen(words, env=variables, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8", cwd="/", **options)

    def __call__(self, *arguments):
        """CompletedProcess of a run to its end."""
        words, variables = self.command(*arguments)
        return subprocess.run(words, env=variables, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", cwd="/", timeout=300, check=False)

    def associations(self):
        return [json.loads(line) for line in (self.out / "associations.ndjson").read_bytes().splitlines()]

    def table(self, name):
        with open(self.out / name, encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def captures(self):
        """Rows of captures.csv by file name."""
        return {pathlib.Path(row["capture"]).name: row for row in self.table("captures.csv")}

    def output(self, name):
        return (self.out / name).read_text(encoding="utf-8")

    def heads(self):
        """The captures that are done, by file name."""
        heads = [json.loads(path.read_bytes()) for path in (self.out / "resume").glob("*.json")]
        return {pathlib.Path(head["file"]).name: head for head in heads}

    def everything(self):
        """Contents of all files of the results, unpacked, by name."""
        contents = {}
        for path in self.out.rglob("*"):
            if path.is_file():
                content = path.read_bytes()
                contents[path.name] = gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content
        return contents


def complaints(result):
    """What was said, without how far the run was."""
    return [line.removeprefix("run: ") for line in result.stderr.splitlines() if not re.match(r"run: \d+ of \d+ captures, ", line)]


def children(pid):
    """All processes below pid."""
    listing = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    below, found = {}, []
    for line in listing.splitlines():
        child, parent = map(int, line.split())
        below.setdefault(parent, []).append(child)
    waiting = [pid]
    while waiting:
        more = below.get(waiting.pop(), [])
        found += more
        waiting += more
    return found


@pytest.fixture
def triage(tshark, tmp_path):
    """A Triage of the test's own; to be imported by the tests that use it."""
    return Triage(tshark, tmp_path)
