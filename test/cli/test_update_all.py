# SPDX-License-Identifier: GPL-2.0-or-later
"""test/update_all: every program that writes a document is a step of it, it runs them in order, and says what failed and what changed.

Steps are played by stubs. Leaves out what each of them writes."""

import os
import pathlib
import re
import shutil
import subprocess

import pytest

from stub import stub

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = TOP / "test/update_all"
# In what is generated: "Written by `test/model/documents.py`", "`test/model/compare_cwnd --write` makes this table".
WRITERS = re.compile(r"\b(?:written|made) by `?(test/[\w/.]*\w)|`(test/[\w/.]*\w)[^`]*` (?:writes|makes)", re.I)


def call(program, *words):
    return subprocess.run([program, *words], cwd=program.parent.parent, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=60)


def steps():
    """{name: words of its command}, as --list prints them."""
    return {line.split()[0]: line.split()[1:] for line in call(PROGRAM, "--list").stdout.splitlines()}


@pytest.fixture
def tree(tmp_path):
    """A checkout in which nothing is to be built, and each step says its command."""
    stub(tmp_path / "test/prepare", "exit 0")
    for name in ("update_all", "prepared.py"):
        shutil.copy(TOP / "test" / name, tmp_path / "test" / name)
    for program, *_ in steps().values():
        stub(tmp_path / program, f"echo runs {program} $*")
    (tmp_path / "written.txt").write_text("old\n")
    (tmp_path / "edited.txt").write_text("old\n")
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "all"]):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a", *words], cwd=tmp_path, check=True)
    return tmp_path


def test_every_step_is_a_program():
    assert len(steps()) > 5
    for program, *_ in steps().values():
        assert os.access(TOP / program, os.X_OK), program


def test_whatever_a_document_says_to_write_it_is_a_step_or_left_out_in_words():
    generated = [*(TOP / "docs").rglob("*.md"), *(TOP / "docs/man").iterdir(), TOP / "test/model/ledger.tsv"]
    named = {name for path in generated for names in WRITERS.findall(path.read_text(encoding="utf-8")) for name in names if name}
    assert {"test/model/ledger", "test/golden/update", "test/documents/update"} <= named
    programs = {"test/update_all", *(program for program, *_ in steps().values())}
    left_out = re.search(r"Leaves out.*?\n[A-Z]", call(PROGRAM, "--help").stdout, re.S).group(0)
    assert [name for name in sorted(named - programs) if name not in left_out] == []


def test_every_document_in_docs_generated_names_the_step_that_writes_it():
    programs = {program for program, *_ in steps().values()}
    documents = list((TOP / "docs/generated").iterdir())
    assert len(documents) > 5
    for path in documents:
        (program, _), = WRITERS.findall(path.read_text(encoding="utf-8"))
        assert program in programs, path


def test_steps_run_in_the_order_of_the_list(tree):
    result = call(tree / "test/update_all")
    commands = {name: " ".join(words) for name, words in steps().items()}
    assert result.stdout.splitlines() == [line for name, command in commands.items() for line in (f"{name}: {command}", f"runs {command}")] \
        + ["nothing changed"]
    assert result.returncode == 0


def test_only_the_steps_asked_for_run(tree):
    result = call(tree / "test/update_all", "--only", "rules,ledger")
    assert re.findall(r"^(\w+): ", result.stdout, re.M) == ["ledger", "rules"] and result.returncode == 0


def test_an_unknown_step_is_refused_before_any_runs(tree):
    result = call(tree / "test/update_all", "--only", "ledger,moon")
    assert "no step moon" in result.stderr and "runs" not in result.stdout and result.returncode == 2


def test_a_step_that_fails_is_named_and_the_others_run(tree):
    stub(tree / steps()["rules"][0], "exit 3")
    result = call(tree / "test/update_all", "--only", "ledger,rules,goldens")
    assert "runs test/golden/update" in result.stdout
    assert result.stderr.splitlines() == ["update_all: failed: rules"] and result.returncode == 1


def test_what_the_run_changed_is_shown_and_nothing_else(tree):
    stub(tree / steps()["rules"][0], "echo new >written.txt; echo first >added.txt")
    (tree / "edited.txt").write_text("by hand\n")
    result = call(tree / "test/update_all", "--only", "rules")
    assert "-old\n+new\n" in result.stdout and "+first\n" in result.stdout and "edited.txt" not in result.stdout
    assert "2 files changed" in result.stdout.splitlines()[-1]
    status = subprocess.run(["git", "status", "--short"], cwd=tree, capture_output=True, encoding="utf-8").stdout
    assert "?? added.txt" in status and " M edited.txt" in status and " M written.txt" in status
