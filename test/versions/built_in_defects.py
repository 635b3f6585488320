# SPDX-License-Identifier: GPL-2.0-or-later
"""python3 test/versions/built_in_defects.py [TSHARK]: prints what Wireshark's built-in SCTP dissector makes of captures that show the defects
of docs/upstream.md, one line each. About a minute.

What its SCTP windows count is printed where the tshark has -z sctp_windows (test/versions/in_tree). Leaves out what would be right.
"""

import collections
import pathlib
import resource
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(TOP / "test"), str(TOP / "test" / "bench")]

import traffic  # noqa: E402

CAPTURES = TOP / "test" / "captures"
DEMO = CAPTURES / "demo.pcapng.gz"
BEGINS_LATE = 5864  # a packet of DEMO with SACK and DATA
FEW, MANY = 100, (2000, 4000, 8000)  # associations
RUNS = 6


class BuiltIn:
    """A tshark; `folder` is for captures that are made."""

    def __init__(self, program, folder):
        self.program = program
        self.folder = folder

    def __call__(self, capture, *arguments):
        """What tshark prints of the capture, as lines."""
        done = subprocess.run([self.program, "-n", "-r", capture, *arguments], stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", check=False)
        if done.returncode:
            sys.exit(f"{self.program} {' '.join(map(str, arguments))} of {capture}: {done.stderr.strip()}")
        return done.stdout.splitlines()

    def seconds(self, capture, *arguments):
        """The least CPU time of three runs."""
        def one():
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            self(capture, *arguments)
            return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        return min(one() for _ in range(3))

    def associations(self, count, own_ports=False):
        """A capture of so many associations, six packets of each in turn, all between the same ports or each from one of its own."""
        path = self.folder / f"associations{count}{'_own_ports' if own_ports else ''}.pcapng"
        if not path.exists():
            traffic.write(path, 6 * count, count, own_ports=own_ports)
        return path


def acked(tshark):
    for relative in ("TRUE", "FALSE"):
        packets = [line.split("\t") for line in tshark(DEMO, "-2", "-o", f"sctp.relative_tsns:{relative}", "-Y", "sctp.data_tsn_raw",
                                                      "-T", "fields", "-e", "frame.number", "-e", "sctp.acked")]
        known = sum(bool(frames) for _, frames in packets)
        print(f"sctp.acked, {DEMO.name}, sctp.relative_tsns:{relative}: {known} of {len(packets)} packets with DATA")


def indexes(tshark):
    for count in (FEW, MANY[0]):
        found = [len(set(tshark(tshark.associations(count), "-o", "sctp.association_index:TRUE", "-T", "fields", "-e", "sctp.assoc_index")))
                 for _ in range(RUNS)]
        print(f"indexes of {count:,} associations, {RUNS} runs: {' '.join(map(str, found))}")


def time_of_index(tshark):
    for own_ports in (False, True):
        for count in MANY:
            off, on = (tshark.seconds(tshark.associations(count, own_ports), "-q", "-o", f"sctp.association_index:{on}", "-z", "io,stat,0")
                       for on in ("FALSE", "TRUE"))
            print(f"CPU time for {count:,} associations {'from ports of their own' if own_ports else 'between the same ports'}: "
                  f"{off:.2f} s without the index, {on:.2f} s with it")


def dissected(tshark, capture):
    types = collections.Counter(kind for line in tshark(capture, "-Y", "sctp", "-T", "fields", "-e", "sctp.chunk_type") for kind in line.split(",") if kind)
    return " ".join(f"{kind}={count}" for kind, count in sorted(types.items(), key=lambda item: int(item[0])))


def windows(tshark):
    late = tshark.folder / f"late.{DEMO.name.removesuffix('.gz')}"
    tshark(DEMO, "-Y", f"frame.number == {BEGINS_LATE}", "-w", late)
    for capture in (late, CAPTURES / "dcsctp/idata-pr/A.pcap.gz", CAPTURES / "linux/pmtu/A.pcapng.gz", CAPTURES / "linux/strreset/A.pcapng.gz"):
        name = f"frame {BEGINS_LATE} of {DEMO.name} alone" if capture == late else capture.relative_to(CAPTURES)
        print(f"chunks, {name}, in the packets by number: {dissected(tshark, capture)}")
        for line in tshark(capture, "-q", "-z", "sctp_windows"):
            print(f"chunks, {name}, in the windows, ports {line}")


def has_windows(program):
    done = subprocess.run([program, "-z", "help"], stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", check=False)
    return "sctp_windows" in done.stdout + done.stderr


def main(program="tshark"):
    with tempfile.TemporaryDirectory() as folder:
        tshark = BuiltIn(program, pathlib.Path(folder))
        for show in (acked, indexes, time_of_index, *([windows] if has_windows(program) else [])):
            show(tshark)


if __name__ == "__main__":
    main(*sys.argv[1:2])
