# SPDX-License-Identifier: GPL-2.0-or-later
"""python3 test/versions/compare_reports.py TSHARK PLUGINS TREE_TSHARK: every report of one tshark with the plugin of a folder beside those of a
tshark of Wireshark's tree, which finds the plugin that was built with it; of the demo and twenty captures. Prints what differs; status 1 then.

Leaves out what the reports should say.
"""

import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

CAPTURES = pathlib.Path(__file__).resolve().parent.parent / "captures"
COUNT = 20
SHOWN_LINES = 20
# tshark's own, what has to be told of an association, and what others cannot be asked for beside.
NOT_OURS, COMPLETED, ALONE = {"sctp,stat"}, {"sctp,series": "sctp,series,0"}, {"sctp,watch"}


class Side:
    """A tshark with its plugin, as a user that Wireshark loads plugins for. home: a folder that this user may write to."""

    def __init__(self, program, home, plugins=None):
        self.program = program
        self.environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TZ": "UTC", "HOME": home, **({"WIRESHARK_PLUGIN_DIR": plugins} if plugins else {})}

    def run(self, *arguments):
        return subprocess.run(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", self.program, *arguments], stdin=subprocess.DEVNULL,
                              capture_output=True, encoding="utf-8", errors="surrogateescape", env=self.environment, check=False)

    def plugin(self):
        """Where this tshark found the plugin."""
        found = re.findall(r"\bsctp_analysis\.so\s+(\S+)\s+.*?(/\S+)$", self.run("-G", "plugins").stdout, re.M)
        if len(found) != 1:
            sys.exit(f"{self.program} finds {len(found)} plugins sctp_analysis.so instead of one")
        return " ".join(found[0])

    def reports(self):
        help_text = self.run("-z", "help")
        names = set(re.findall(r"^ +(sctp,\w+)$", help_text.stdout + help_text.stderr, re.M)) - NOT_OURS
        return [COMPLETED.get(name, name) for name in sorted(names)]

    def text(self, capture, reports):
        lines = []
        for together in (set(reports) - ALONE, ALONE):
            done = self.run("-n", "-q", "-r", capture, *(word for report in sorted(together) for word in ("-z", report)))
            if done.returncode:
                sys.exit(f"{self.program} of {capture}: {done.stderr.strip()}")
            lines += done.stdout.splitlines()
        return lines


def chosen():
    rows = (CAPTURES / "INDEX.tsv").read_text(encoding="utf-8").splitlines()[1:]
    paths = [row.split("\t")[0] for row in rows]
    return ["demo.pcapng.gz", *paths[::len(paths) // COUNT][:COUNT]]


def main(program, plugins, tree_program):
    with tempfile.TemporaryDirectory() as home:
        os.chmod(home, 0o777)
        sides = [Side(program, home, plugins), Side(tree_program, home)]
        for side in sides:
            print(f"{side.program}: plugin {side.plugin()}")
        reports = sides[0].reports()
        if not reports or sides[1].reports() != reports:
            sys.exit(f"reports: {' '.join(reports)}; in the tree: {' '.join(sides[1].reports())}")
        differing = lines = 0
        for name in chosen():
            texts = [side.text(CAPTURES / name, reports) for side in sides]
            difference = list(difflib.unified_diff(*texts, *(side.program for side in sides), lineterm="", n=0))
            lines += len(texts[0])
            differing += bool(difference)
            print(f"{name}: {f'{len(difference)} lines of difference' if difference else 'same'}", *difference[:SHOWN_LINES], sep="\n")
    print(f"{len(chosen())} captures, {len(reports)} reports of each, {lines:,} lines: {differing} differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
