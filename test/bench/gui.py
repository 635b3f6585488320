# SPDX-License-Identifier: GPL-2.0-or-later
"""Our graphs beside the built-in's "Graph TSN", each in a Wireshark of its own, on the same capture: time from a choice in the menu to the
painted window, and memory.

Leaves out what the core alone costs (run) and what a step of zooming does (bench_graphs in test/ui).
"""

import dataclasses
import os
import pathlib
import shutil
import statistics
import time

import traffic
from desktop import Desktop
from driven_wireshark import BUILT_IN, GRAPHS, Wireshark
from rest import wait_for_rest
from screen import REST_S, Screen, painted_s

LOADING_S = 1200
# The built-in's dialogs stay empty without it.
OPTIONS = ("-o", "sctp.association_index:TRUE")


@dataclasses.dataclass
class Opened:
    """Seconds and MB: the file loaded, from the choice to the first points, to the end of all work; resident before and after."""

    loaded_s: float
    painted_s: float
    finished_s: float
    before_mb: float
    after_mb: float

    @property
    def growth_mb(self):
        return self.after_mb - self.before_mb


def resident_mb(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) * 1024 / 1e6


def cpu_s(pid):
    """CPU seconds that a process has taken."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Opening:
    """One Wireshark with one capture, from its start to a painted graph."""

    def __init__(self, desktop, screen, wireshark, started):
        self.desktop, self.screen, self.wireshark = desktop, screen, wireshark
        self.pid = wireshark.process.pid
        wait_for_rest(self.pid, REST_S, LOADING_S)
        self.loaded_s = time.monotonic() - started - REST_S
        self.before_mb = resident_mb(self.pid)

    def act(self, action, title):
        """Does it; returns (window with that title, changes of the screen)."""
        changes = self.screen.changes(action, self.pid)
        return self.desktop.window(title), changes

    def opened(self, window, changes, earlier_s=0.0):
        painted = painted_s(changes, self.desktop.place(window))
        return Opened(self.loaded_s, earlier_s + painted, earlier_s + changes[-1].seconds, self.before_mb, resident_mb(self.pid))

    def ours(self):
        self.wireshark.point_to(GRAPHS)
        return self.opened(*self.act(lambda: self.desktop.press("Return"), "SCTP Graphs 0: .*"))

    def built_in(self):
        """Two choices: the menu's, and the button's in the window that it opens. What a person takes between them is left out."""
        self.wireshark.point_to(BUILT_IN)
        window, changes = self.act(lambda: self.desktop.press("Return"), "SCTP Analyse Association: .*")
        self.desktop.activate(window)
        self.desktop.keys("ctrl+Tab")
        width, height = self.desktop.size(window)
        self.desktop.point(window, width * 2 // 5, height * 9 // 10)
        return self.opened(*self.act(lambda: self.desktop.press_button(), "SCTP TSNs and SACKs over Time: .*"), changes[-1].seconds)


def open_graphs(folder, capture, is_ours):
    """Starts Wireshark with (ours) or without the plugin, opens graphs of the first association's first packet; an Opened."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    with Desktop(memory=folder) as desktop:
        started = time.monotonic()
        with Wireshark(desktop, folder, "-r", str(capture), *OPTIONS, has_plugin=is_ours, patience_s=LOADING_S) as wireshark:
            opening = Opening(desktop, Screen(folder), wireshark, started)
            return opening.ours() if is_ours else opening.built_in()


def loading_cpu_s(folder, capture, has_plugin):
    """CPU seconds of Wireshark from its start to a loaded capture."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    with Desktop(memory=folder) as desktop, \
            Wireshark(desktop, folder, "-r", str(capture), *OPTIONS, has_plugin=has_plugin, patience_s=LOADING_S) as wireshark:
        wait_for_rest(wireshark.process.pid, REST_S, LOADING_S)
        return cpu_s(wireshark.process.pid)


def loading(folder, packets, rounds):
    """Median CPU seconds of loading a bulk transfer of so many packets, (with, without the plugin), in turn, their start taken off."""
    results = {True: [], False: []}
    captures = [folder / "one.pcapng", folder / "many.pcapng"]
    for capture, count in zip(captures, (1, packets)):
        traffic.write(capture, count, 1, traffic.PAYLOAD)
    for _ in range(rounds):
        for has_plugin in (True, False):
            start_s, whole_s = (loading_cpu_s(folder / "gui", capture, has_plugin) for capture in captures)
            results[has_plugin].append(whole_s - start_s)
    for capture in captures:
        capture.unlink()
    return tuple(statistics.median(results[has_plugin]) for has_plugin in (True, False))


def medians(results):
    return Opened(*(statistics.median(getattr(result, field.name) for result in results) for field in dataclasses.fields(Opened)))


def compare(folder, tsns, rounds):
    """(ours, the built-in's) for a transfer of so many TSNs, two of them for a SACK; medians of rounds, in turn."""
    capture = folder / f"graphs{tsns}.pcapng"
    traffic.write(capture, tsns * 3 // 2, 1)
    results = {True: [], False: []}
    for _ in range(rounds):
        for is_ours in (True, False):
            results[is_ours].append(open_graphs(folder / "gui", capture, is_ours))
    capture.unlink()
    return medians(results[True]), medians(results[False])


def rows(tsns, ours, theirs):
    """Lines of a table with HEADS."""
    def row(name, result, ratio):
        return (f"{tsns:,}", name, f"{result.loaded_s:.1f}", f"{result.painted_s:.2f}", f"{result.finished_s:.2f}", ratio,
                f"{result.before_mb:.0f}", f"{result.growth_mb:.0f}")

    return [row("ours", ours, f"{theirs.painted_s / ours.painted_s:.1f}"), row("built-in", theirs, "1.0")]


HEADS = ("TSNs", "graphs", "loaded s", "painted s", "finished s", "times as quick", "loaded MB", "added MB")
