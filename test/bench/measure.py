"""Runs tshark with and without the plugin in turn and takes CPU time and peak memory of each run."""

import dataclasses
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile

NOBODY = 65534


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

    def run(self, capture, has_plugin, options=()):
        """(CPU seconds, peak KiB) of one run."""
        start = [] if os.geteuid() else ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
        folder = self.folder / ("plugins" if has_plugin else "none")
        variables = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "HOME": str(self.folder / "home"), "WIRESHARK_PLUGIN_DIR": str(folder)}
        process = subprocess.Popen([*start, "tshark", "-n", "-q", "-r", str(capture), "-z", "io,stat,0", *options],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=variables, cwd=self.folder / "home")
        messages = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
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
