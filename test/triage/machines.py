# SPDX-License-Identifier: GPL-2.0-or-later
"""Several machines for tests and benchmarks of docs/commands.md: folders of this machine, reached by a program that stands in for ssh, and the command lines
of the document with names of ours in place of those there; all results, to be compared.

Leaves what runs on them to its callers.
"""

import pathlib
import re

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
DOCUMENT = TOP / "docs" / "commands.md"
# What ./run tells the module.
TOLD = ("SCTPA_AS_USER", "SCTPA_HOME", "SCTPA_LINKS", "SCTPA_PLUGINS", "SCTPA_CONFIG", "PYTHONPATH", "PATH")
MADE = re.compile(rb"made \d{4}-\d\d-\d\d \d\d:\d\d UTC")


def _program(path, text):
    path.write_text(f"#!/bin/bash\n{text}")
    path.chmod(0o755)
    return path


def ssh(folder):
    """The stand-in for ssh, as GNU parallel calls it: what runs on a machine starts in folder/MACHINE and has its name in SSH_WORKER."""
    return _program(folder / "ssh", f"""
while [[ $1 == -* ]]; do [[ $1 != -[lp] ]] || shift; shift; done
worker=$1
shift; [[ $1 != -- ]] || shift
mkdir -p {folder}/$worker
cd {folder}/$worker && exec env SSH_WORKER="$worker" sh -c "$*"
""")


def submit(folder, machines):
    """A program for snakemake's --cluster-sync: runs a job script on the first of the machines that has no other, by the stand-in for ssh."""
    return _program(folder / "submit", f"""
for machine in {" ".join(machines)}; do
  exec {{lock}}>{folder}/$machine.lock
  ! flock -n "$lock" || exec {ssh(folder)} "$machine" "'$1'"
done
echo 'no machine is free' >&2
exit 1
""")


def run(folder, command):
    """In place of ./run, which would build: a program that runs the module with its environment, and notes in folder/called which machine does.
    command: words and environment of a run, as Triage.command() has them."""
    words, variables = command
    exports = "\n".join(f"export {name}='{variables[name]}'" for name in TOLD)
    return _program(folder / "run", f'shift\necho "$SSH_WORKER" >>{folder}/called\n{exports}\nexec {" ".join(words[:words.index("--out")])} "$@"\n')


def documented(begin, end, replaced):
    """The command line of the document from begin to end (regular expressions), as words of a shell, with each word of replaced, which it must
    have, replaced."""
    command = re.search(rf"^ +({begin}.*?{end})$", DOCUMENT.read_text(encoding="utf-8"), re.M | re.S)[1]
    lacking = [word for word in replaced if word not in command]
    if lacking:
        raise ValueError(f"{DOCUMENT}: {lacking} is not in: {command}")
    return re.sub("|".join(map(re.escape, sorted(replaced, key=len, reverse=True))), lambda found: str(replaced[found[0]]), command)


def by_parallel(run, captures, out, machines, batch):
    """The command line that shares the captures out by GNU parallel. machines: a file with a line per machine; run: what stands for ./run."""
    replaced = {"/archive/triage": out, "/archive ": f"{captures} ", "--sshloginfile machines": f"--sshloginfile {machines}", "/opt/sctp_analysis/run": run, "-n 50": f"-n {batch}",
                "parallel ": f"parallel --will-cite --ssh {ssh(machines.parent)} "}
    return documented("find ", "--", replaced)


def by_snakemake(settings, more=""):
    """The same by snakemake; settings: what stands for fleet.yaml; more: options, with which it gets the jobs somewhere."""
    replaced = {"/opt/sctp_analysis": TOP, "fleet.yaml": settings}
    return f"{documented('snakemake ', '--jobs 8', replaced)} {more}"


def results(out):
    """The bytes of all files of results by name, those of resume/ included, without the minute in which the page was made."""
    contents = {str(path.relative_to(out)): path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()}
    return {name: MADE.sub(b"", content) if name == "report.html" else content for name, content in contents.items()}
