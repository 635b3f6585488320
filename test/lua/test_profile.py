# SPDX-License-Identifier: GPL-2.0-or-later
"""lua/profile/SCTP Analysis: Wireshark takes its columns, colours and buttons, and none of their filters is invalid.

Leaves out whether the filters select what their names say.
"""

import csv
import pathlib
import re
import shutil
import subprocess
import zipfile

import pytest
from lua_script import TOP, capture

PROFILE = TOP / "lua" / "profile" / "SCTP Analysis"


def lines(name):
    return [line for line in (PROFILE / name).read_text().splitlines() if line and not line.startswith("#")]


def buttons():
    """(name, filter) of each button."""
    rows = csv.reader(lines("dfilter_buttons"))
    return [(name, text.replace(r"\x22", '"')) for _, name, text, _ in rows]


def colors():
    return [tuple(line.split("@")[1:3]) for line in lines("colorfilters")]


@pytest.fixture
def with_profile(tshark):
    folder = tshark.home / ".config" / "wireshark" / "profiles" / PROFILE.name
    shutil.copytree(PROFILE, folder, dirs_exist_ok=True)
    subprocess.run(["chmod", "-R", "a+rwX", tshark.home], check=True)
    yield lambda *arguments, **options: tshark("-C", PROFILE.name, "-r", capture("linux/mh-failover/A"), *arguments, **options)
    shutil.rmtree(tshark.home / ".config", ignore_errors=True)


@pytest.mark.thorough_but_one_in(5)
@pytest.mark.parametrize("name, text", buttons() + colors())
def test_a_filter_is_valid(name, text, tshark):
    result = tshark("-2", "-r", capture("linux/mh-failover/A"), "-Y", text)
    assert (result.returncode, result.stderr) == (0, ""), name


def test_the_columns_show_fields_of_the_analysis(with_profile):
    result = with_profile("-T", "tabs", "-Y", "frame.number == 387")
    assert result.stderr == ""
    cells = [cell.strip() for cell in result.stdout.rstrip("\n").split("\t")]
    assert [cell for cell in cells if cell][-2:] == ["path_failed,failover,primary_changed", "DATA (TSN=246)"]


def test_its_preferences_are_known(with_profile, tshark):
    assert with_profile("-c", "1").stderr == ""
    known = tshark("-G", "defaultprefs").stdout
    for name in re.findall(r"^([\w.]+):", (PROFILE / "preferences").read_text(), re.M):
        assert f"{name}:" in known, name


def test_the_colors_are_used(with_profile):
    """tshark writes the name of the rule that coloured a packet into frame.coloring_rule.name."""
    result = with_profile("--color", "-T", "fields", "-e", "frame.coloring_rule.name", "-Y", "frame.number in {2, 380, 387, 400}",
                          environment={"COLORTERM": "truecolor", "TERM": "xterm"})
    assert "Could not compile" not in result.stderr
    assert {"SCTP path failed", "SCTP timeout", "SCTP set-up and end", "SCTP"} <= set(result.stdout.split("\n"))


def test_every_color_has_two_colours_apart(tshark):
    for line in lines("colorfilters"):
        back, front = re.findall(r"\[(\d+),(\d+),(\d+)\]", line)
        light = [sum(float(part) * weight for part, weight in zip(color, (0.299, 0.587, 0.114))) for color in (back, front)]
        assert abs(light[0] - light[1]) > 65535 * 0.4, line


def test_a_zip_of_it_has_the_folder_on_top(tmp_path):
    """What the command in docs/lua.md makes, which Wireshark imports."""
    path = tmp_path / "profile.zip"
    subprocess.run(["/usr/bin/python3", "-m", "zipfile", "-c", str(path), str(PROFILE)], check=True)
    assert {pathlib.PurePath(name).parts[0] for name in zipfile.ZipFile(path).namelist()} == {PROFILE.name}
    assert f"{PROFILE.name}/preferences" in zipfile.ZipFile(path).namelist()
