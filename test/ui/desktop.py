# SPDX-License-Identifier: GPL-2.0-or-later
"""A desktop without a screen for the tests that start the real Wireshark: an X server, a window manager, keys, windows by title, pictures.

Leaves out what Wireshark shows; the tests know that.
"""

import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import time

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
SHOTS = TOP / "build" / "results" / "windows"
SIZE = "2560x1600x24"
PATIENCE_S = 30
PICTURES_UNTIL_STILL = 10


def wait_for(question, what, patience_s=PATIENCE_S):
    """The first true answer to question(); fails with what(), or the text what, after patience_s."""
    end = time.monotonic() + patience_s
    while time.monotonic() < end:
        answer = question()
        if answer:
            return answer
        time.sleep(0.1)
    raise AssertionError(f"{what() if callable(what) else what}: not within {patience_s} s")


def dark_theme(home, qt_major):
    """Settings below home that give a Qt program dark colours; returns its environment."""
    folder = home / ".config" / f"qt{qt_major}ct"
    folder.mkdir(parents=True)
    colors = f"/usr/share/qt{qt_major}ct/colors/darker.conf"
    assert os.path.exists(colors), f"no {colors}: install qt{qt_major}ct"
    (folder / f"qt{qt_major}ct.conf").write_text(f"[Appearance]\ncolor_scheme_path={colors}\ncustom_palette=true\nstyle=Fusion\n")
    return {"QT_QPA_PLATFORMTHEME": f"qt{qt_major}ct"}


class Desktop:
    """An X server with a window manager; use as a context. `memory`: a folder where the server keeps what it shows, for screen.py."""

    def __init__(self, memory=None):
        self.options = ["-fbdir", str(memory)] if memory else []

    def __enter__(self):
        self.stack = contextlib.ExitStack()
        reading, writing = os.pipe()
        self._start(["Xvfb", "-displayfd", str(writing), "-screen", "0", SIZE, "-nolisten", "tcp", "-noreset", *self.options], pass_fds=[writing])
        os.close(writing)
        with os.fdopen(reading) as number:
            self.display = f":{number.readline().strip()}"
        self.environment = {**os.environ, "DISPLAY": self.display}
        self._start(["openbox"], env=self.environment)
        wait_for(lambda: "_NET_SUPPORTING_WM_CHECK(WINDOW)" in self._output("xprop", "-root"), "a window manager")
        return self

    def __exit__(self, *_):
        self.stack.close()

    def _start(self, command, **options):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
        self.stack.callback(process.wait)
        self.stack.callback(process.terminate)

    def _output(self, *command):
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=60).stdout

    def keys(self, *keys):
        """Presses keys, one after the other, in the active window; pauses so that menus open."""
        for key in keys:
            self.press(key)
            time.sleep(0.3)

    def press(self, key):
        self._output("xdotool", "key", key)

    def point(self, window, x, y):
        """Moves the mouse to a place in a window."""
        self._output("xdotool", "mousemove", "--window", window, str(x), str(y))
        time.sleep(0.3)

    def press_button(self, button=1):
        self._output("xdotool", "click", str(button))

    def click(self):
        """Clicks, and pauses until what it did is shown."""
        self.press_button()
        time.sleep(0.5)

    def place(self, window):
        """(x, y, width, height) of a window on the screen."""
        shape = self._output("xdotool", "getwindowgeometry", "--shell", window)
        return tuple(int(re.search(rf"^{name}=(-?\d+)", shape, re.M).group(1)) for name in ("X", "Y", "WIDTH", "HEIGHT"))

    def resize(self, window, width, height):
        self._output("xdotool", "windowsize", "--sync", window, str(width), str(height))

    def size(self, window):
        """(width, height) of a window."""
        return self.place(window)[2:]

    def type(self, text):
        self._output("xdotool", "type", "--delay", "20", text)

    def windows(self, title):
        """Windows that the window manager shows and whose title matches the regular expression as a whole, as {id: title}."""
        ids = re.findall(r"0x[0-9a-f]+", self._output("xprop", "-root", "_NET_CLIENT_LIST"))
        titles = {window: self._output("xdotool", "getwindowname", str(int(window, 16))).rstrip("\n") for window in ids}
        return {str(int(window, 16)): name for window, name in titles.items() if re.fullmatch(title, name)}

    def window(self, title, patience_s=PATIENCE_S):
        """Waits for a window and returns its id."""
        return wait_for(lambda: next(iter(self.windows(title)), None),
                        lambda: f"a window {title!r} among {list(self.windows('.*').values())}", patience_s)

    def activate(self, window):
        self._output("xdotool", "windowactivate", "--sync", window)
        time.sleep(0.2)

    def close(self, window):
        self._output("xdotool", "windowclose", window)

    def shoot(self, window, name, folder=SHOTS):
        """Keeps a picture of a window, or of everything (None), as an artefact of the run, once it stands still; returns its path."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{name}.png"
        pictures = []
        while len(pictures) < 2 or (pictures[-1] != pictures[-2] and len(pictures) < PICTURES_UNTIL_STILL):
            time.sleep(0.2)
            subprocess.run(["import", "-window", window or "root", str(path)], env=self.environment, check=True, timeout=60)
            pictures.append(path.read_bytes())
        return path

    def colors(self, path):
        """(number of colours, mean brightness from 0 to 1) of a picture."""
        numbers = self._output("identify", "-format", "%k %[fx:mean]", str(path)).split()
        return int(numbers[0]), float(numbers[1])


def require_programs():
    """Everything a desktop needs is there (test/run installs it)."""
    for program in ("Xvfb", "openbox", "xdotool", "xprop", "import", "identify", "wireshark"):
        assert shutil.which(program), f"{program} is not installed: test/run does that"
