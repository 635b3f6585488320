#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What a triage of many captures costs: CPU beside plain runs of tshark on the same files, and the memory of the parent.

The captures are those of the lab, repeated under other names. Leaves single captures to measure.py.
"""

import argparse
import ctypes
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "test"))
sys.dont_write_bytecode = True

from prepared import prepare  # noqa: E402

PR_SET_CHILD_SUBREAPER = 36


def gather(folder, count):
    """count captures, links where the file system allows; readable for everybody."""
    sources = sorted(path for path in (TOP / "test" / "captures").rglob("*") if path.name.endswith((".pcap.gz", ".pcapng.gz")))
    folder.mkdir()
    for number in range(count):
        source = sources[number % len(sources)]
        name = f"{number:05}_" + "_".join(source.relative_to(TOP / "test" / "captures").parts)
        shutil.copyfile(source, folder / name)
    return sorted(folder.iterdir())


def cpu_seconds(task):
    """CPU seconds of all processes that task() starts, orphans too, user and system; wall seconds."""
    begin, handle = time.monotonic(), os.memfd_create("seconds")
    child = os.fork()
    if child == 0:
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        task()
        while True:
            try:
                os.wait()
            except ChildProcessError:
                break
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        os.write(handle, f"{usage.ru_utime + usage.ru_stime}".encode())
        os._exit(0)
    os.waitpid(child, 0)
    return float(os.pread(handle, 100, 0)), time.monotonic() - begin


def peak_mib(pid):
    try:
        lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")), 0.0)


def triage(folder, out, jobs, environment, memory):
    """Runs it; writes the parent's peak of memory in MiB into the file memory."""
    process = subprocess.Popen(["/usr/bin/python3", "-sPB", "-m", "sctpa.triage", "--jobs", str(jobs), "--out", str(out), str(folder)],
                               env={**os.environ, **environment, "PYTHONPATH": str(TOP)}, stderr=subprocess.DEVNULL)
    peak = 0.0
    while process.poll() is None:
        peak = max(peak, peak_mib(process.pid))
        time.sleep(0.2)
    memory.write_text(f"{peak:.1f}")


def plain(files, environment, *arguments):
    as_user = environment["SCTPA_AS_USER"].split()
    variables = {**os.environ, "HOME": environment["SCTPA_HOME"], "WIRESHARK_PLUGIN_DIR": environment["SCTPA_PLUGINS"]}
    for file in files:
        subprocess.run([*as_user, "tshark", "-r", file, "-q", *arguments], env=variables, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--captures", type=int, nargs="+", default=[100, 1000])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--sample", type=int, default=10, help="plain tshark runs on every so manyth capture")
    chosen = parser.parse_args()
    prepare("triage")
    work = pathlib.Path(tempfile.mkdtemp(prefix="sctpa-batch.", dir="/tmp"))
    work.chmod(0o755)
    home, links, plugins, none = work / "home", work / "links", work / "plugins", work / "none"
    home.mkdir(mode=0o777)
    home.chmod(0o777)
    none.mkdir()
    links.mkdir()
    shutil.copytree(TOP / "build" / "release" / "plugins", plugins)
    subprocess.run(["chmod", "-R", "a+rX", plugins], check=True)
    as_user = "setpriv --reuid=65534 --regid=65534 --clear-groups" if os.geteuid() == 0 else ""
    environment = {"SCTPA_AS_USER": as_user, "SCTPA_HOME": str(home), "SCTPA_LINKS": str(links), "SCTPA_PLUGINS": str(plugins),
                   "SCTPA_CONFIG": str(home)}
    try:
        for count in chosen.captures:
            files = gather(work / f"in{count}", count)
            sample = files[::chosen.sample]
            memory = work / "memory"
            ours, wall = cpu_seconds(lambda: triage(work / f"in{count}", work / f"out{count}", chosen.jobs, environment, memory))
            again, _ = cpu_seconds(lambda: triage(work / f"in{count}", work / f"out{count}", chosen.jobs, environment, work / "memory2"))
            print(f"{count} captures, {sum(file.stat().st_size for file in files) / 1e6:.1f} MB, --jobs {chosen.jobs}: {ours:.1f} CPU s, {wall:.0f} s by the clock, "
                  f"parent at most {memory.read_text()} MiB, report.html {(work / f'out{count}' / 'report.html').stat().st_size / 1e6:.1f} MB; "
                  f"all done before: {again:.1f} CPU s", flush=True)
            for name, arguments, folder in (("io,stat without the plugin", ["-z", "io,stat,0"], none), ("io,stat", ["-z", "io,stat,0"], plugins),
                                            ("sctp,json", ["-z", "sctp,json"], plugins)):
                seconds, _ = cpu_seconds(lambda: plain(sample, {**environment, "SCTPA_PLUGINS": str(folder)}, *arguments))
                each = seconds / len(sample)
                print(f"  tshark -z {name}: {each * 1000:.0f} CPU ms per capture ({len(sample)} of them); triage takes {ours / count / each:.2f} times that", flush=True)
    finally:
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
