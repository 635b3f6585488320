# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects the packages of other systems, which no test here builds: their own tools find no fault in how they are written.

Leaves their versions to test_version.py, Debian's packages to test/packages.
"""

import shutil
import subprocess

import pytest

import project_files

PACKAGING = project_files.TOP / "packaging"


def checked(tool, *words, text=None):
    if not shutil.which(tool):
        pytest.skip(f"needs {tool}")
    return subprocess.run([tool, *words], input=text, capture_output=True, encoding="utf-8", check=False)


def test_fedoras_spec():
    result = checked("rpmlint", PACKAGING / "fedora/sctp-analysis.spec")
    assert result.returncode == 0 and "1 specfiles checked; 0 errors" in result.stdout, result.stdout


def test_archs_build():
    result = checked("shellcheck", PACKAGING / "arch/PKGBUILD")
    assert result.returncode == 0, result.stdout


def test_homebrews_formula():
    result = checked("ruby", "-c", PACKAGING / "homebrew/sctp-analysis.rb")
    assert result.returncode == 0, result.stderr


def test_the_commands_of_the_image():
    lines = (PACKAGING / "container/Containerfile").read_text(encoding="utf-8").replace("\\\n", "").splitlines()
    commands = [line.removeprefix("RUN ") for line in lines if line.startswith("RUN ")]
    assert len(commands) == 1
    result = checked("shellcheck", "--shell", "sh", "-", text="\n".join(commands))
    assert result.returncode == 0, result.stdout


def test_what_they_install_is_what_cmake_installs():
    rules = (PACKAGING / "CMakeLists.txt").read_text(encoding="utf-8")
    for name in ("fedora/sctp-analysis.spec", "arch/PKGBUILD"):
        text = (PACKAGING / name).read_text(encoding="utf-8")
        assert "for component in plugin command documents dialogs;" in text, name
    assert "install_binaries(${SCTPA_PLUGIN_DIR} plugin dialogs)" in rules and "${CMAKE_INSTALL_MANDIR} documents)" in rules
    assert "install_command(${SCTPA_PLUGIN_DIR} command)" in rules
