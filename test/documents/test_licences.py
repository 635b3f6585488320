# SPDX-License-Identifier: GPL-2.0-or-later
"""Every source names its licence in its first lines, packaging/debian/copyright names what others wrote, and the tree is as REUSE has it.

Leaves out what the licences allow.
"""

import fnmatch
import os
import re
import shutil
import subprocess

import pytest

import project_files

TOP = project_files.TOP
COPYRIGHT = TOP / "packaging/debian/copyright"
IDENTIFIER = (TOP / "test/documents/test_licences.py").read_text().splitlines()[0].removeprefix("# ")
SOURCES = {".c", ".h", ".cpp", ".def", ".py", ".lua", ".sh", ".bash", ".rs", ".go", ".mod", ".js", ".css", ".html", ".cmake", ".map", ".qrc", ".toml"}
HEAD_LINES = 3


def of_others():
    """Patterns of the files that have another licence than the rest."""
    paragraphs = COPYRIGHT.read_text().split("\n\n")
    found = [re.match(r"Files: (\S+)\nCopyright: .+\nLicense: (\S+)$", paragraph) for paragraph in paragraphs]
    return [match.group(1) for match in found if match and match.group(1) != "*"]


def is_source(path):
    if path.suffix in SOURCES or path.name in {"CMakeLists.txt", "Snakefile"}:
        return True
    with (TOP / path).open("rb") as file:
        return file.read(3) == b"#!/"


def sources():
    return [path for path in project_files.paths() if is_source(path) and not any(fnmatch.fnmatch(path, pattern) for pattern in of_others())]


def names_its_licence(text):
    return IDENTIFIER in "\n".join(text.splitlines()[:HEAD_LINES])


def test_every_source_names_its_licence():
    found = sources()
    assert len(found) > 1200
    assert [str(path) for path in found if not names_its_licence((TOP / path).read_text(encoding="utf-8"))] == []


def test_a_source_that_names_no_licence_or_late_is_found():
    assert names_its_licence(f"#!/bin/sh\n# {IDENTIFIER}\n")
    assert not names_its_licence("int x;\n")
    assert not names_its_licence("\n" * HEAD_LINES + IDENTIFIER)


def test_what_others_wrote_is_in_the_tree_and_its_licences_have_their_text():
    patterns = of_others()
    assert len(patterns) == 3
    paths = [str(path) for path in project_files.paths()]
    for pattern in patterns:
        assert fnmatch.filter(paths, pattern), pattern
    named = set(re.findall(r"^License: (\S+)", COPYRIGHT.read_text(), re.M))
    assert named == {path.stem for path in (TOP / "LICENSES").iterdir()}


@pytest.mark.skipif(not shutil.which("reuse"), reason="needs reuse")
def test_reuse_finds_nothing_without_a_licence(tmp_path):
    for path in project_files.paths():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(TOP / path, tmp_path / path, follow_symlinks=False)
    command = ["reuse", "--root", tmp_path, "lint"]
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=environment)
    assert result.returncode == 0, result.stdout[-2000:] + result.stderr[-2000:]
    (tmp_path / ".reuse/dep5").unlink()
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=environment)
    assert result.returncode == 1 and "no licensing information" in result.stdout
