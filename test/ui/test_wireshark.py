# SPDX-License-Identifier: GPL-2.0-or-later
"""The dialogs in the real Wireshark: opened from its menu by keys, over real captures, reloads and closed files, light and dark, at 100 %
and 200 % (one and the other, with SCTPA_ALL_CAPTURES=1 all four). Pictures of every window lie in build/results/windows afterwards.

Leaves out what the tables hold: test_ui_models.cpp compares that with the reports.
"""

import contextlib
import gzip
import itertools
import os
import pathlib
import re
import shutil
import sys
import time

import pytest
from conftest import one_in
from desktop import Desktop, require_programs
from driven_wireshark import (ASSOCIATIONS, DEMO, FINDINGS, GRAPHS, LADDER, PACKET_ASSOCIATION, PACKET_GRAPHS, PACKET_LADDER, PACKET_MENU, PACKET_SUMMARY,
                              REST_S, SELECTED, SUMMARY, TABS, Wireshark)

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "tshark"))
from application_messages import example  # noqa: E402


TOP = pathlib.Path(__file__).resolve().parent.parent.parent


def name_of_look(dark, scale):
    return f"{'dark' if dark else 'light'}{scale}00"


def is_lit_as(dark, brightness):
    return brightness < 0.4 if dark else brightness > 0.6


LOOKS = list(itertools.product([False, True], [1, 2]))
in_every_look = pytest.mark.parametrize("dark, scale", one_in(3, LOOKS), ids=one_in(3, [name_of_look(*look) for look in LOOKS]))


@pytest.fixture
def desktop():
    require_programs()
    with Desktop() as desktop:
        yield desktop


# In the demo association 7 has findings and comes first, then the others in order.
@pytest.mark.thorough_but_one_in(2)
@in_every_look
def test_every_window_opens_from_the_menu_and_is_painted(desktop, tmp_path, dark, scale):
    name = name_of_look(dark, scale)
    with Wireshark(desktop, tmp_path, dark=dark, scale=scale) as wireshark:
        listed = wireshark.choose(ASSOCIATIONS, r"SCTP Associations · demo\.pcapng\.gz")
        desktop.activate(listed)
        desktop.keys("ctrl+Home", "Down", "Up")
        pictures = [desktop.shoot(listed, f"{name}_associations")]
        desktop.keys("ctrl+Home", "Down", "Return")
        opened = desktop.window(r"SCTP Association 0: 10\.1\.0\.1:50308 \(0\) – .*")
        desktop.activate(opened)
        for tab in TABS:
            time.sleep(0.3)
            pictures.append(desktop.shoot(opened, f"{name}_association_{tab}"))
            desktop.keys("ctrl+Tab")
        desktop.shoot(None, f"{name}_desktop")
    looks = [desktop.colors(picture) for picture in pictures]
    assert len({picture.read_bytes() for picture in pictures}) == len(pictures), "two tabs look alike: keys did not change them"
    for picture, (colors, brightness) in zip(pictures, looks):
        assert colors > 8, f"{picture} is empty"
        assert is_lit_as(dark, brightness), f"{picture}: brightness {brightness}"


@pytest.mark.thorough
def test_a_frame_that_was_chosen_is_selected_in_the_packet_list(desktop, tmp_path):
    """Proven by what the other menu entry says of the selected packet."""
    with Wireshark(desktop, tmp_path) as wireshark:
        listed = wireshark.choose(ASSOCIATIONS, "SCTP Associations .*")
        before = desktop.shoot(wireshark.main, "packet_list_before").read_bytes()
        desktop.activate(listed)
        desktop.keys("ctrl+Home", "Down", "Down", "alt+f")
        time.sleep(0.5)
        assert desktop.shoot(wireshark.main, "packet_list_after").read_bytes() != before
        wireshark.choose(SELECTED, r"SCTP Association 1: .*")


@pytest.mark.thorough
def test_a_filter_that_was_applied_hides_the_others_and_that_is_said(desktop, tmp_path):
    with Wireshark(desktop, tmp_path) as wireshark:
        listed = wireshark.choose(ASSOCIATIONS, "SCTP Associations .*")
        desktop.activate(listed)
        desktop.keys("ctrl+Home", "Down", "Down", "Down", "Down", "Down", "alt+a")
        time.sleep(1)
        wireshark.choose(SELECTED, r"SCTP Association 4: .*")
        desktop.shoot(wireshark.main, "filtered_packet_list")
        # A packet of another association is hidden: the packet list stays where it is.
        desktop.activate(listed)
        desktop.keys("ctrl+Home", "Down", "Down", "alt+f")
        desktop.shoot(listed, "hidden_by_filter")
        wireshark.choose(SELECTED, r"SCTP Association 4: .*")
        assert not desktop.windows("SCTP Association 1: .*")


@pytest.mark.thorough
@in_every_look
def test_graphs_zoom_and_go_to_packets(desktop, tmp_path, dark, scale):
    name = name_of_look(dark, scale)
    with Wireshark(desktop, tmp_path, dark=dark, scale=scale) as wireshark:
        graphs = wireshark.choose(GRAPHS, r"SCTP Graphs 0: 10\.1\.0\.1:50308 \(0\) – .*")
        desktop.activate(graphs)
        whole = desktop.shoot(graphs, f"{name}_graphs")
        desktop.keys("plus", "plus", "plus")
        zoomed = desktop.shoot(graphs, f"{name}_graphs_zoomed")
        assert whole.read_bytes() != zoomed.read_bytes()
        desktop.keys("Home")
        before = desktop.shoot(wireshark.main, f"{name}_packet_list_before").read_bytes()
        width, height = desktop.size(graphs)
        # The crosshair finds packets around the mouse: along the diagonal of the TSN plot it comes upon one.
        for step in range(2, 9):
            desktop.point(graphs, width * step // 10, height * (36 - 2 * step) // 100)
            pointed = desktop.shoot(graphs, f"{name}_graphs_pointed")
            desktop.click()
            after = desktop.shoot(wireshark.main, f"{name}_packet_list_after").read_bytes()
            if after != before:
                break
        assert after != before, "no click moved the packet list"
        desktop.activate(wireshark.main)
        desktop.shoot(wireshark.main, f"{name}_packet_list_after")
        colors, brightness = desktop.colors(pointed)
        assert colors > 20
        assert is_lit_as(dark, brightness)


@pytest.mark.thorough
@in_every_look
def test_a_right_click_on_graphs_offers_what_can_be_done(desktop, tmp_path, dark, scale):
    """Beside all points the first entry that is possible is the picture; behind it, the zoom."""
    name = name_of_look(dark, scale)
    with Wireshark(desktop, tmp_path, dark=dark, scale=scale) as wireshark:
        graphs = wireshark.choose(GRAPHS, r"SCTP Graphs 0: 10\.1\.0\.1:50308 \(0\) – .*")
        desktop.activate(graphs)
        width, height = desktop.size(graphs)
        desktop.point(graphs, width // 2, height // 5)
        carded = desktop.shoot(graphs, f"{name}_graphs_card")
        assert is_lit_as(dark, desktop.colors(carded)[1])
        desktop.press_button(3)
        time.sleep(REST_S)
        desktop.shoot(None, f"{name}_graphs_menu")
        desktop.keys("Down", "Return")
        time.sleep(REST_S)
        desktop.point(graphs, width // 2, 2)
        before = desktop.shoot(graphs, f"{name}_graphs_before_zoom").read_bytes()
        desktop.point(graphs, width // 2, height // 5)
        desktop.press_button(3)
        time.sleep(REST_S)
        desktop.keys("Down", "Down", "Return")
        time.sleep(REST_S)
        desktop.point(graphs, width // 2, 2)
        assert desktop.shoot(graphs, f"{name}_graphs_after_zoom").read_bytes() != before
        desktop.keys("Prior")
        desktop.window(r"SCTP Graphs 1: .*")
        desktop.keys("Next")
        desktop.window(r"SCTP Graphs 0: .*")


@pytest.mark.thorough_but_one_in(2)
@in_every_look
def test_findings_are_explained_and_lead_to_their_packets(desktop, tmp_path, dark, scale):
    name = name_of_look(dark, scale)
    with Wireshark(desktop, tmp_path, dark=dark, scale=scale) as wireshark:
        found = wireshark.choose(FINDINGS, r"SCTP Findings · demo\.pcapng\.gz")
        desktop.activate(found)
        desktop.keys("ctrl+Home", "Down")
        second = desktop.shoot(found, f"{name}_findings_second").read_bytes()
        desktop.keys("Up")
        explained = desktop.shoot(found, f"{name}_findings_explained")
        assert explained.read_bytes() != second
        desktop.keys("alt+f")
        time.sleep(0.5)
        wireshark.choose(SELECTED, r"SCTP Association 7: .*")
        colors, brightness = desktop.colors(explained)
        assert colors > 8
        assert is_lit_as(dark, brightness)


def pieces_of(pcapng, blocks):
    """The first blocks of a little-endian pcapng, and the others."""
    at = 0
    for _ in range(blocks):
        at += int.from_bytes(pcapng[at + 4:at + 8], "little")
    return pcapng[:at], pcapng[at:]


@pytest.mark.thorough
def test_a_growing_capture_is_followed(desktop, tmp_path):
    """dumpcap reads a pipe as it reads an interface; the demo comes through it in two pieces."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    os.chmod(pipe, 0o666)
    first, others = pieces_of(gzip.decompress(DEMO.read_bytes()), 30)
    # Open for both, so that opening it waits for nobody.
    with contextlib.ExitStack() as stack:
        writer = stack.enter_context(open(os.open(pipe, os.O_RDWR), "wb", buffering=0))
        writer.write(first)
        wireshark = stack.enter_context(Wireshark(desktop, tmp_path, "-k", "-i", str(pipe)))
        listed = wireshark.choose(ASSOCIATIONS, "SCTP Associations.*")
        time.sleep(1.5)
        desktop.activate(listed)
        desktop.keys("ctrl+Home", "Down", "Return")
        opened = desktop.window("SCTP Association 0: .*")
        time.sleep(1.5)
        early = [desktop.shoot(window, f"live_early_{name}").read_bytes() for window, name in ((listed, "list"), (opened, "one"))]
        writer.write(others)
        time.sleep(3)
        late = [desktop.shoot(window, f"live_late_{name}").read_bytes() for window, name in ((listed, "list"), (opened, "one"))]
        assert all(before != after for before, after in zip(early, late))


@pytest.mark.thorough
def test_windows_outlive_reloads_closed_files_and_other_files(desktop, tmp_path):
    with Wireshark(desktop, tmp_path) as wireshark:
        listed = wireshark.choose(ASSOCIATIONS, r"SCTP Associations · demo\.pcapng\.gz")
        desktop.activate(listed)
        desktop.keys("ctrl+Home", "Down", "Return")
        opened = desktop.window("SCTP Association 0: .* · demo.*")
        for turn in range(3):
            desktop.activate(wireshark.main)
            desktop.keys("ctrl+r")
            desktop.window(r"SCTP Associations · demo\.pcapng\.gz")
            desktop.window("SCTP Association 0: .* · demo.*")
            desktop.activate(wireshark.main)
            desktop.keys("ctrl+w")
            desktop.window("SCTP Associations")
            desktop.shoot(opened, f"closed_association_{turn}")
            for capture in reversed(wireshark.captures):
                desktop.activate(wireshark.main)
                desktop.keys("ctrl+o")
                desktop.activate(desktop.window("Wireshark · Open Capture File|.*Open Capture File.*"))
                desktop.type(capture)
                desktop.keys("Return")
                desktop.window(rf"SCTP Associations · {pathlib.Path(capture).name}")
                time.sleep(1)
                desktop.shoot(opened, f"reopened_{turn}_{pathlib.Path(capture).name}")
        desktop.window("SCTP Association 0: .* · demo.*")


@pytest.mark.thorough
def test_quits_with_windows_open_and_remembers_the_page(desktop, tmp_path):
    with Wireshark(desktop, tmp_path) as wireshark:
        listed = wireshark.choose(ASSOCIATIONS, "SCTP Associations .*")
        desktop.activate(wireshark.choose(SELECTED, "SCTP Association 0: .*"))
        desktop.keys("ctrl+Tab", "ctrl+Tab")
        desktop.activate(listed)
        assert wireshark.quit() == 0, wireshark.log.read_text()
    settings = next(wireshark.home.rglob("sctp_analysis_windows")).read_text()
    assert "page=2" in settings and "[windows]" in settings


@pytest.mark.thorough
@in_every_look
def test_a_packet_leads_to_its_association(desktop, tmp_path, dark, scale):
    """By its menu, and by shortcuts for the packet selected; the same packet is selected in what opens."""
    name = name_of_look(dark, scale)
    with Wireshark(desktop, tmp_path, dark=dark, scale=scale) as wireshark:
        wireshark.open_packet_menu()
        desktop.keys(*PACKET_MENU)
        desktop.shoot(None, f"{name}_packet_menu")
        desktop.keys("Escape", "Escape", "Escape")
        opened = [wireshark.choose_of_packet(*wanted) for wanted in (
            (PACKET_SUMMARY, r"SCTP Summary · demo\.pcapng\.gz"), (PACKET_ASSOCIATION, "SCTP Association 0: .*"),
            (PACKET_GRAPHS, "SCTP Graphs 0: .*"), (PACKET_LADDER, "SCTP Ladder 0: .*"))]
        for window, what in zip(opened, ("summary", "association", "graphs", "ladder")):
            desktop.activate(window)
            colors, brightness = desktop.colors(desktop.shoot(window, f"{name}_{what}_of_packet"))
            assert colors > 8
            assert is_lit_as(dark, brightness)
            desktop.keys("ctrl+w")
        for keys, title in (("ctrl+alt+shift+x", "SCTP Association 0: .*"), ("ctrl+alt+shift+g", "SCTP Graphs 0: .*"),
                            ("ctrl+alt+shift+l", "SCTP Ladder 0: .*")):
            desktop.activate(wireshark.main)
            desktop.keys(keys)
            desktop.activate(desktop.window(title))
            desktop.keys("ctrl+w")


def test_no_shortcut_is_one_of_wiresharks():
    entries = (TOP / "plugins/sctp_analysis/ui/menu_entries.def").read_text()
    ours = re.findall(r'"(Ctrl\+[A-Za-z+]+)"', entries)
    program = pathlib.Path(shutil.which("wireshark")).read_bytes()
    assert len(ours) == 3 and b"Ctrl+Alt+Shift+D" in program
    assert not [shortcut for shortcut in ours if shortcut.encode() in program]


def test_says_what_is_wrong_when_the_module_cannot_be_loaded(desktop, tmp_path):
    """Only when an entry is chosen: it is loaded when the capture is opened."""
    wireshark = Wireshark(desktop, tmp_path)
    module = next(wireshark.plugins.rglob("sctp_analysis_ui.so"))
    module.unlink()
    with wireshark:
        box = wireshark.choose(ASSOCIATIONS, "Wireshark")
        desktop.shoot(box, "module_missing")
        module.write_bytes(b"no module")
        desktop.activate(box)
        desktop.keys("Return")


@pytest.mark.thorough
def test_messages_are_shown_where_the_preference_reads_them(desktop, tmp_path):
    """Without it a sentence says what to do, where two tables stand with it."""
    path = tmp_path / "example.pcapng"
    example().write_capture(path)
    colors = {}
    for reads in ("TRUE", "FALSE"):
        with Wireshark(desktop, tmp_path / reads, "-o", f"sctp_analysis.messages:{reads}", "-r", str(path)) as wireshark:
            desktop.activate(wireshark.main)
            desktop.keys("ctrl+Home")
            opened = wireshark.choose(SELECTED, r"SCTP Association 0: .*")
            desktop.activate(opened)
            desktop.keys(*["ctrl+Tab"] * TABS.index("messages"))
            time.sleep(0.5)
            colors[reads], _ = desktop.colors(desktop.shoot(opened, f"messages_{reads.lower()}"))
    # The picture of Help has some 250.
    assert colors["FALSE"] <= 512 < colors["TRUE"], "frames are blue links, a sentence is grey"


@pytest.mark.thorough
def test_the_summary_and_the_ladder_open_from_the_menu(desktop, tmp_path):
    with Wireshark(desktop, tmp_path) as wireshark:
        summary = wireshark.choose(SUMMARY, r"SCTP Summary.*")
        desktop.activate(summary)
        colors, _ = desktop.colors(desktop.shoot(summary, "summary"))
        assert colors > 8
        desktop.activate(wireshark.main)
        desktop.keys("ctrl+Home")
        ladder = wireshark.choose(LADDER, r"SCTP Ladder.*")
        desktop.activate(ladder)
        time.sleep(0.5)
        colors, _ = desktop.colors(desktop.shoot(ladder, "ladder"))
        assert colors > 8
