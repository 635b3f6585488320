# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects check, compare and matrix with --sequence: a ring is judged as the one capture it is, and findings name the file that shows them."""

import json
import shutil
import sys

import pytest

from conftest import TOP
from test_check import CAPTURES, IDATA, check, run, said

sys.path.append(str(TOP / "test" / "sequence"))

from cutting import cut  # noqa: E402

PARTS = 5


@pytest.fixture(scope="module")
def ring(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ring")
    folder.chmod(0o755)
    cut(IDATA, folder, PARTS, seed=2)
    for path in folder.iterdir():
        path.chmod(0o644)
    return folder


def findings(result):
    """The findings of --format json without the file and the frame in it."""
    capture, = json.loads(result.stdout)["captures"]
    return [{**each, "in_file": None} for each in capture["new"] + capture["below"]], [each["in_file"] for each in capture["new"]]


def test_a_ring_has_the_findings_of_the_whole_and_names_the_file_of_each(ring):
    whole, one = check("--format", "json", IDATA), check("--sequence", "--format", "json", ring)
    assert one.returncode == whole.returncode == 1
    (found, places), (expected, nowhere) = findings(one), findings(whole)
    assert found == expected and set(map(str, nowhere)) == {"None"}
    names = {str(path): path for path in ring.iterdir()}
    assert all(file in names and frame > 0 for file, frame in places)
    assert any(line.endswith(f"and {PARTS - 1} more files: read as one capture, grouped by name, in the order of their numbers") for line in said(one))


def test_each_format_names_the_file(ring, tmp_path):
    result = check("--sequence", "--format", "text", "--format", f"sarif={tmp_path / 's'}", "--format", f"github={tmp_path / 'g'}",
                   "--format", f"junit={tmp_path / 'j'}", ring)
    assert result.returncode == 1 and "frame " in result.stdout
    file, frame = findings(check("--sequence", "--format", "json", ring))[1][0]
    inside = f"({file.rpartition('/')[2]}:{frame})"
    assert inside in " ".join(result.stdout.split()).replace("- ", "-")
    uris = {place["physicalLocation"]["artifactLocation"]["uri"] for place in json.loads((tmp_path / "s").read_text())["runs"][0]["results"][0]["locations"]}
    assert uris == {file} and inside in (tmp_path / "s").read_text() and inside in (tmp_path / "j").read_text()
    assert f"file={file}," in (tmp_path / "g").read_text()


def test_without_it_the_files_are_captures_and_with_a_gap_it_is_said(ring, tmp_path):
    assert len(json.loads(check("--format", "json", ring).stdout)["captures"]) == PARTS
    for path in sorted(ring.iterdir())[:1] + sorted(ring.iterdir())[2:]:
        shutil.copy(path, tmp_path)
    result = check("--sequence", tmp_path)
    assert any("file 00002 is missing before it" in line for line in said(result))


def test_compare_and_matrix_take_rings(ring, tmp_path):
    same = run("compare", "--sequence", "--format", "json", IDATA, ring)
    assert same.returncode == 0, same.stderr
    page = run("matrix", "--sequence", f"whole={IDATA}", f"ring={ring}", "--format", f"json={tmp_path / 'm.json'}")
    assert page.returncode == 0, page.stderr
    rules = json.loads((tmp_path / "m.json").read_text())["rules"]
    assert rules and not any(rule["change"] for rule in rules)


def test_it_needs_no_ring(tmp_path):
    shutil.copy(CAPTURES / "dcsctp/abort/A.pcap.gz", tmp_path)
    result = check("--sequence", tmp_path)
    assert result.returncode == 0 and said(result) == []
