# SPDX-License-Identifier: GPL-2.0-or-later
"""The windows of lua/ and the profile in the real Wireshark: opened from Tools > SCTP by keys, a button sets the display filter.
Pictures lie in build/results/windows afterwards.

Leaves out what the scripts count: the tests of tshark compare that.
"""

import pathlib
import shutil
import sys

import pytest
from lua_script import TOP, capture, copied_scripts

sys.path[:0] = [str(TOP / "test" / "ui")]

from desktop import Desktop, require_programs, wait_for  # noqa: E402
from driven_wireshark import Wireshark  # noqa: E402

PROFILE = TOP / "lua" / "profile" / "SCTP Analysis"
NAMES = ["linux/mh-failover/A", "linux/mh-hb-idle/A"]


@pytest.fixture(scope="module")
def desktop():
    require_programs()
    with Desktop() as shown:
        yield shown


def started(desktop, folder, *arguments, dark=False):
    scripts = folder / "scripts"
    scripts.mkdir()
    copied_scripts(scripts)
    path = shutil.copy(capture(NAMES[dark]), folder / "shown.pcapng.gz")
    return Wireshark(desktop, folder, *[str(part).replace("SCRIPTS", str(scripts)) for part in arguments], "-r", str(path), dark=dark)


def choose_last_of_tools(wireshark, title):
    """Tools > SCTP > its entry, until the window is there."""
    desktop = wireshark.desktop
    for _ in range(4):
        desktop.activate(wireshark.main)
        desktop.keys("Escape", "alt+t", "Up", "Right", "Return")
        try:
            return wait_for(lambda: next(iter(desktop.windows(title)), None), title, patience_s=8)
        except AssertionError:
            desktop.keys("Escape", "Escape")
    raise AssertionError(f"no window {title}")


@pytest.mark.thorough_but_one_in(4)
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("script, title", [("sctp_window.lua", ".*SCTP Associations and Findings"),
                                           ("sctp_rules.lua", ".*SCTP Site Rules")])
def test_a_window_opens_and_its_button_filters(script, title, dark, desktop, tmp_path):
    name = f"{'dark' if dark else 'light'}_{pathlib.Path(script).stem}"
    with started(desktop, tmp_path, "-X", f"lua_script:SCRIPTS/{script}", dark=dark) as wireshark:
        window = choose_last_of_tools(wireshark, title)
        desktop.activate(window)
        shown = desktop.shoot(window, name)
        colors, brightness = desktop.colors(shown)
        assert colors > 12 and (brightness < 0.5 if dark else brightness > 0.6)
        before = desktop.shoot(wireshark.main, f"{name}_packets").read_bytes()
        # The buttons follow the text and the field Highlight in the order of Tab.
        desktop.activate(window)
        desktop.keys("Tab", "Tab", "space")
        wait_for(lambda: desktop.shoot(wireshark.main, f"{name}_packets").read_bytes() != before, "the display filter")
        desktop.close(window)


def test_the_profile_shows_columns_buttons_and_colours(desktop, tmp_path):
    folder = tmp_path / "home" / ".config" / "wireshark" / "profiles" / PROFILE.name
    shutil.copytree(PROFILE, folder)
    with started(desktop, tmp_path, "-C", PROFILE.name) as wireshark:
        desktop.resize(wireshark.main, 1400, 700)
        assert not desktop.windows(".*[Ee]rror.*")
        assert desktop.colors(desktop.shoot(wireshark.main, "profile"))[0] > 60
