# SPDX-License-Identifier: GPL-2.0-or-later
"""Report… in the real Wireshark, by keys: of a saved capture, of one that was recorded and must be saved first, in every look.

Leaves out what a report says (test/report), and what its window says when something fails (test_ui_report.cpp).
"""

import contextlib
import gzip
import os
import pathlib
import re
import shutil
import subprocess
import time

import pytest
from conftest import one_in
from desktop import Desktop, require_programs, wait_for
from driven_wireshark import ASSOCIATIONS, DEMO, FINDINGS, Wireshark
from test_wireshark import LOOKS, is_lit_as, name_of_look, pieces_of

NAME = "Mitschnitt für das Büro.pcapng.gz"
REPORT_S = 240
FILES = {"report.html", "evidence.pcapng", "issue.md"}


@pytest.fixture
def desktop():
    require_programs()
    with Desktop() as desktop:
        yield desktop


@pytest.fixture
def named(tmp_path):
    """The demo under a name with blanks and letters that are no ASCII, in a folder that everybody may write to."""
    folder = tmp_path / "Aufnahmen von heute"
    folder.mkdir()
    folder.chmod(0o777)
    path = shutil.copy(DEMO, folder / NAME)
    os.chmod(path, 0o644)
    return pathlib.Path(path)


def open_report(desktop, window):
    """By the button of a window."""
    desktop.activate(window)
    desktop.keys("alt+t")
    asked = desktop.window("SCTP Report.*")
    desktop.activate(asked)
    return asked


def wait_for_report(folder):
    wait_for(lambda: folder.is_dir() and FILES <= {path.name for path in folder.iterdir()}, f"a report in {folder}", REPORT_S)
    assert {path.name for path in folder.iterdir()} == FILES


@pytest.mark.thorough_but_one_in(2)
@pytest.mark.parametrize("dark, scale", one_in(3, LOOKS), ids=one_in(3, [name_of_look(*look) for look in LOOKS]))
def test_a_report_is_made_of_the_selected_association(desktop, tmp_path, named, dark, scale):
    """It says what was asserted in this Wireshark. Association 7 is the worst, and selected when the list opens."""
    look = name_of_look(dark, scale)
    asserted = ("-o", "sctp_analysis.capture_complete:TRUE", "-o", "sctp_analysis.taken_at:10.1.0.1")
    with Wireshark(desktop, tmp_path, *asserted, "-r", str(named), dark=dark, scale=scale) as wireshark:
        listed = wireshark.choose(ASSOCIATIONS, f"SCTP Associations · {re.escape(NAME)}")
        asked = open_report(desktop, listed)
        pictures = [desktop.shoot(asked, f"{look}_report_asked")]
        desktop.keys("alt+m")
        time.sleep(0.5)
        subprocess.run(["import", "-window", asked, str(pictures[0].with_name(f"{look}_report_runs.png"))], env=desktop.environment, check=True)
        folder = named.parent / "Mitschnitt für das Büro_association_7"
        wait_for_report(folder)
        time.sleep(1)
        pictures.append(desktop.shoot(asked, f"{look}_report_written"))
        for picture in pictures:
            colors, brightness = desktop.colors(picture)
            assert colors > 8 and is_lit_as(dark, brightness), picture
        assert pictures[0].read_bytes() != pictures[1].read_bytes()
    text = (folder / "issue.md").read_text(encoding="utf-8")
    assert f"Association 7 of `{NAME}`" in text and "10.1.0.1:60407 (0)" in text
    assert "./run report -o sctp_analysis.capture_complete:TRUE -o sctp_analysis.taken_at:10.1.0.1 --association 7" in text
    comments = subprocess.run(["tshark", "-r", folder / "evidence.pcapng", "-T", "fields", "-e", "frame.comment"], capture_output=True, check=True).stdout
    assert b"of the whole capture" in comments


@pytest.mark.thorough
def test_a_recorded_capture_is_saved_first(desktop, tmp_path):
    """While it is recorded, and while it lies in a temporary file, nothing is made."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    os.chmod(pipe, 0o666)
    first, others = pieces_of(gzip.decompress(DEMO.read_bytes()), 30)
    with contextlib.ExitStack() as stack:
        writer = stack.enter_context(open(os.open(pipe, os.O_RDWR), "wb", buffering=0))
        writer.write(first)
        wireshark = stack.enter_context(Wireshark(desktop, tmp_path, "-k", "-i", str(pipe)))
        found = wireshark.choose(FINDINGS, "SCTP Findings.*")
        asked = open_report(desktop, found)
        recorded = desktop.shoot(asked, "report_of_recording")
        writer.write(others)
        time.sleep(3)
        writer.close()
        time.sleep(3)
        desktop.activate(asked)
        unsaved = desktop.shoot(asked, "report_of_unsaved")
        assert unsaved.read_bytes() != recorded.read_bytes()
        desktop.keys("alt+s")
        desktop.activate(desktop.window(".*Save Capture File As.*"))
        saved = tmp_path / "recorded.pcapng"
        desktop.keys("ctrl+a")
        desktop.type(str(saved))
        desktop.keys("Return")
        wait_for(saved.exists, "the saved capture")
        time.sleep(2)
        desktop.activate(asked)
        desktop.shoot(asked, "report_of_saved")
        desktop.keys("alt+m")
        wait_for(lambda: list(tmp_path.glob("recorded_*")), "a report beside the saved capture", REPORT_S)
        wait_for_report(next(iter(tmp_path.glob("recorded_*"))))
