# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs tshark with and without the plugin in turn and takes CPU time and peak memory of each run."""

import dataclasses
import os
import pathlib
import resource
import shutil
import signal
import statistics
import subprocess
import tempfile

NOBODY = 65534


READ = ("-q", "-z", "io,stat,0")


class Stopped(Exception):
    """A run took more CPU time than it may."""


@dataclasses.dataclass
class Cost:
    """Medians of several runs."""

    seconds: float
    kibibytes: float


class Tshark:
    """plugins: folder for WIRESHARK_PLUGIN_DIR, copied to where tshark's user can read it."""

    def __init__(self, plugins):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sctpa-bench.", dir="/tmp"))
        self.folder.chmod(0o755)
        for name in ("home", "none"):
            (self.folder / name).mkdir()
            (self.folder / name).chmod(0o777)
        shutil.copytree(plugins, self.folder / "plugins")
        subprocess.run(["chmod", "-R", "a+rX", self.folder / "plugins"], check=True)
        if not list((self.folder / "plugins").glob("*/epan/*.so")):
            raise SystemExit(f"bench: no plugin in {plugins}: run ./run --build")

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, capture, has_plugin, options=(), command=READ, most_seconds=0):
        """(CPU seconds, peak KiB) of one run of `tshark -n -r capture command options`; with most_seconds of CPU time it is ended: Stopped."""
        start = [] if os.geteuid() else ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
        folder = self.folder / ("plugins" if has_plugin else "none")
        variables = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "HOME": str(self.folder / "home"), "WIRESHARK_PLUGIN_DIR": str(folder)}
        seconds = int(most_seconds) + 1 if most_seconds else resource.RLIM_INFINITY
        process = subprocess.Popen([*start, "tshark", "-n", "-r", str(capture), *command, *options],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=variables, cwd=self.folder / "home",
                                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds)))
        with process.stderr:
            messages = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if most_seconds and process.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
            raise Stopped(f"ended after {seconds} s")
        if process.returncode:
            raise SystemExit(f"bench: tshark ended with {process.returncode}: {messages.decode(errors='replace')[:500]}")
        return usage.ru_utime + usage.ru_stime, usage.ru_maxrss

    def compare(self, capture, rounds, options=()):
        """(Cost without, Cost with the plugin), run alternately; after one run of each that only warms up."""
        results = {False: [], True: []}
        for number in range(rounds + 1):
            for has_plugin in (False, True):
                cost = self.run(capture, has_plugin, options)
                if number:
                    results[has_plugin].append(cost)
        return tuple(Cost(statistics.median(cost[0] for cost in results[which]), statistics.median(cost[1] for cost in results[which]))
                     for which in (False, True))
