# SPDX-License-Identifier: GPL-2.0-or-later
"""The real Wireshark on a desktop, for tests, pictures and measurements: started with the plugin as a user it loads plugins for, its menu
entries chosen by keys.

Leaves out what its windows show, and the desktop itself.
"""

import os
import pathlib
import shutil
import subprocess
import time

from conftest import PLUGINS, unprivileged, wireshark_release
from desktop import PATIENCE_S, dark_theme, wait_for
from rest import wait_for_rest

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
DEMO = TOP / "test/captures/demo.pcapng.gz"
OTHER = TOP / "test/captures/linux/restart/A.pcapng.gz"
QT_MAJOR = 5 if wireshark_release() < (4, 2) else 6
TABS = ["overview", "findings", "paths", "streams", "chunks", "retransmissions", "pauses", "owed", "messages", "parameters", "events"]
# Keys in the menu Telephony, whose last entry leads to ours; the first entry below its SCTP is the built-in's.
OURS = ["Up", "Right"]
SUMMARY, ASSOCIATIONS, FINDINGS, SELECTED, GRAPHS, LADDER = ([*OURS, *["Down"] * entry] for entry in range(6))
BUILT_IN = ["c"]
# Keys in the menu of a packet, where ours stand last or, where Wireshark puts them, behind those for comments; and the entries below.
PACKET_MENU = ["Up", "Right"] if wireshark_release() < (4, 2) else [*["Down"] * 6, "Right"]
PACKET_SUMMARY, PACKET_ASSOCIATION, PACKET_GRAPHS, PACKET_LADDER = range(4)
REST_S = 0.4
# A place in the main window, as large as it is without settings, where the packet list has a packet.
PACKET_IN_LIST = (300, 250)


class Wireshark:
    """With settings of its own; use as a context. `arguments` replace the demo as the capture that is opened."""

    def __init__(self, desktop, folder, *arguments, dark=False, scale=1, has_plugin=True, patience_s=PATIENCE_S):
        self.desktop = desktop
        self.patience_s = patience_s
        self.home = folder / "home"
        self.plugins = folder / "plugins"
        for path in (folder, self.home):
            path.mkdir(exist_ok=True)
            os.chmod(path, 0o777)
        if has_plugin:
            shutil.copytree(PLUGINS, self.plugins)
        self.captures = [shutil.copy(path, folder / name) for path, name in ((DEMO, "demo.pcapng.gz"), (OTHER, "other.pcapng.gz"))]
        theme = dark_theme(self.home, QT_MAJOR) if dark else {"QT_QPA_PLATFORMTHEME": ""}
        subprocess.run(["chmod", "-R", "a+rwX", folder], check=True)
        self.environment = {
            **desktop.environment, **theme, "HOME": str(self.home), "XDG_RUNTIME_DIR": str(self.home), "LC_ALL": "C.UTF-8",
            "QT_SCALE_FACTOR": str(scale), "WIRESHARK_PLUGIN_DIR": str(self.plugins), "QT_ACCESSIBILITY": "0",
        }
        for name in ("XDG_CONFIG_HOME", "WIRESHARK_CONFIG_DIR", "XDG_CONFIG_DIRS"):
            self.environment.pop(name, None)
        self.arguments = arguments
        self.log = folder / "wireshark.log"
        self.has_quit = False

    def __enter__(self):
        with self.log.open("w") as log:
            self.process = subprocess.Popen([*unprivileged(), "wireshark", *(self.arguments or ("-r", str(self.captures[0])))],
                                            env=self.environment, cwd=self.home, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.main = self.desktop.window(r"\*?([^·]*\.pcapng(\.gz)?|Capturing from .*)", self.patience_s)
        return self

    def quit(self):
        """Ends it as a user does; returns the exit status."""
        self.desktop.activate(self.main)
        self.desktop.keys("ctrl+q")
        self.has_quit = True
        return self.process.wait(timeout=30)

    def __exit__(self, *_):
        alive = self.has_quit or self.process.poll() is None
        self.process.terminate()
        self.process.wait(timeout=30)
        assert alive, f"Wireshark ended by itself: {self.process.returncode}\n{self.log.read_text()}"

    def point_to(self, entry):
        """Opens the menu Telephony and goes to an entry in it, which Return then chooses."""
        self.desktop.activate(self.main)
        self.desktop.keys("Escape", "alt+y", *entry)

    def open_packet_menu(self):
        """Of a packet in the packet list."""
        self.desktop.activate(self.main)
        self.desktop.point(self.main, PACKET_IN_LIST[0], PACKET_IN_LIST[1])
        self.desktop.press_button(3)
        time.sleep(0.5)

    def choose_of_packet(self, entry, title):
        """Chooses an entry of the menu of a packet; returns the window that it opens."""
        self.open_packet_menu()
        self.desktop.keys(*PACKET_MENU, *["Down"] * entry, "Return")
        window = self.desktop.window(title)
        wait_for_rest(self.process.pid, REST_S, PATIENCE_S)
        return window

    def choose(self, entry, title):
        """Telephony > entry, until a window with that title is there and painted; returns the window."""
        for _ in range(4):
            self.point_to(entry)
            self.desktop.keys("Return")
            try:
                wait_for(lambda: self.desktop.windows(title), title, patience_s=5)
                break
            except AssertionError:
                self.desktop.keys("Escape", "Escape")
        window = self.desktop.window(title)
        wait_for_rest(self.process.pid, REST_S, PATIENCE_S)
        return window


def open_all_windows(desktop, wireshark, patience_s=PATIENCE_S):
    """The list, the first association of it with its graphs, and the findings."""
    wait_for_rest(wireshark.process.pid, REST_S, patience_s)
    listed = wireshark.choose(ASSOCIATIONS, "SCTP Associations.*")
    desktop.activate(listed)
    desktop.keys("ctrl+Home", "Down", "Return")
    desktop.activate(desktop.window(r"SCTP Association \d+: .*"))
    desktop.keys("alt+g")
    desktop.window(r"SCTP Graphs \d+: .*")
    wireshark.choose(FINDINGS, "SCTP Findings.*")
