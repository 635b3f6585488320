# SPDX-License-Identifier: GPL-2.0-or-later
"""test/run and .ci/run: what they run and in which order, their closing line and status. Their parts are played by stubs.

Leaves out what the tests say.
"""

import os
import pathlib
import shutil
import subprocess
import time

import pytest

from stub import stub

TOP = pathlib.Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def tree(tmp_path):
    """A checkout with test/run as it is, nothing to prepare, and a ctest that has nothing to test."""
    tree = tmp_path / "work" / "sctp_analysis"
    stub(tree / "test/prepare", "exit 0")
    shutil.copy(TOP / "test/run", tree / "test/run")
    stub(tmp_path / "bin/ctest", f'touch {tmp_path}/ctest_ran; while [[ $1 != --output-junit ]]; do shift; done; echo "<testsuite/>" >"$2"')
    return tree


def call(tree, *words, **variables):
    path = f"{tree.parent.parent}/bin:{os.environ['PATH']}"
    return subprocess.run(words, cwd=tree, env={**os.environ, "PATH": path, **variables}, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=120)


def test_skipped_tests_say_why(tree):
    (tree / "test/test_one.py").write_text("import pytest\n\ndef test_a(): pass\n\ndef test_b(): pytest.skip('no moon tonight')\n")
    result = call(tree, "test/run")
    assert "no moon tonight" in result.stdout
    assert result.stdout.splitlines()[-1] == "1 passed, 0 failed, 1 skipped" and result.returncode == 0


MARKED = """import pytest

def test_quick(): pass

@pytest.mark.thorough
def test_long(): pass

@pytest.mark.thorough_but_one_in(3, never="6")
@pytest.mark.parametrize("number", range(7))
def test_of_many(number): pass
"""


@pytest.mark.parametrize("arguments, passed", [([], 3), (["--pytest"], 3), (["--all"], 9), (["-k", "long"], 1), (["test/test_one.py"], 9), (["-m", "thorough"], 6)])
def test_thorough_tests_are_for_all_and_for_who_selects_them(tree, arguments, passed):
    shutil.copy(TOP / "test/conftest.py", tree / "test/conftest.py")
    (tree / "test/test_one.py").write_text(MARKED)
    result = call(tree, "test/run", *arguments)
    assert result.stdout.splitlines()[-1] == f"{passed} passed, 0 failed, 0 skipped", result.stdout


def test_of_the_compiled_tests_the_thorough_ones_are_for_all(tree):
    (tree / "test/test_one.py").write_text("def test_a(): pass\n")
    stub(tree / "test/prepare", 'echo "prepare: $*" >&2')
    stub(tree.parent.parent / "bin/ctest", 'echo "ctest: $*" >&2; while [[ $1 != --output-junit ]]; do shift; done; echo "<testsuite/>" >"$2"')
    quick, whole = call(tree, "test/run").stderr, call(tree, "test/run", "--all").stderr
    assert " -LE thorough " in quick and " -LE " not in whole
    assert "prepare: suite asan sctp_analysis test/unit/all" in quick and "prepare: suite asan\n" in whole


def test_where_nothing_is_selected_that_is_a_failure_and_said(tree):
    (tree / "test/test_one.py").write_text("def test_a(): pass\n")
    result = call(tree, "test/run", "-k", "moon")
    assert "no test is selected by: -k moon" in result.stderr and "the unit tests are left out" in result.stderr
    assert result.stdout.splitlines()[-1] == "0 passed, 1 failed, 0 skipped" and result.returncode == 1


def test_a_second_run_waits_for_the_first_and_keeps_its_results(tree):
    (tree / "test/test_one.py").write_text("import time\n\ndef test_a():\n    open('begun', 'w')\n    time.sleep(3)\n")
    first = subprocess.Popen([tree / "test/run"], cwd=tree, env={**os.environ, "PATH": f"{tree.parent.parent}/bin:{os.environ['PATH']}"},
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8")
    deadline = time.monotonic() + 60
    while not (tree / "begun").exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    second = call(tree, "test/run")
    assert "waiting until another run of the tests has ended" in second.stderr
    assert [first.communicate()[0].splitlines()[-1], second.stdout.splitlines()[-1]] == ["1 passed, 0 failed, 0 skipped"] * 2


def test_under_nohup_a_hangup_is_heeded(tree):
    shutil.copy(TOP / "test/conftest.py", tree / "test/conftest.py")
    (tree / "test/test_one.py").write_text("import signal\n\ndef test_a(): assert signal.getsignal(signal.SIGHUP) == signal.SIG_DFL\n")
    result = call(tree, "nohup", "test/run")
    assert result.stdout.splitlines()[-1] == "1 passed, 0 failed, 0 skipped", result.stdout


def test_a_file_that_cannot_be_collected_ends_the_run_before_any_test(tree):
    (tree / "test/test_one.py").write_text("def test_a(): open('test_ran', 'w')\n")
    (tree / "test/test_two.py").write_text("import no_such_module\n")
    result = call(tree, "test/run")
    assert "no_such_module" in result.stderr
    assert result.stdout.splitlines()[-1] == "0 passed, 1 failed, 0 skipped" and result.returncode == 1
    assert not (tree / "test_ran").exists() and not (tree.parent.parent / "ctest_ran").exists()


@pytest.mark.parametrize("conftest, arguments, cause", [
    ("import no_such_module\n", [], "No module named 'no_such_module'"),
    ("", ["-k", "a b"], "a b"),
    ("", ["test/missing.py"], "test/missing.py"),
    ("", ["--nonsense"], "unrecognized arguments: --nonsense"),
], ids=["conftest", "expression", "file", "option"])
def test_what_keeps_pytest_from_beginning_is_said(tree, conftest, arguments, cause):
    (tree / "test/conftest.py").write_text(conftest)
    (tree / "test/test_one.py").write_text("def test_a(): pass\n")
    result = call(tree, "test/run", *arguments)
    assert cause in result.stderr
    assert result.stdout.splitlines()[-1] == "0 passed, 1 failed, 0 skipped" and result.returncode == 1


def test_unit_tests_without_a_result_are_a_failure(tree):
    (tree / "test/test_one.py").write_text("def test_a(): pass\n")
    stub(tree.parent.parent / "bin/ctest", "exit 1")
    result = call(tree, "test/run")
    assert result.stdout.splitlines()[-1] == "1 passed, 1 failed, 0 skipped" and result.returncode == 1


@pytest.fixture
def ci(tree):
    """A checkout with .ci/run as it is, a folder of captures, and the test/run that is given: it says what it sees and was told."""
    (tree / ".ci").mkdir()
    shutil.copy(TOP / ".ci/run", tree / ".ci/run")
    (tree.parent / "captures").mkdir()

    def run(text):
        stub(tree / "test/run", 'cd "$(dirname "$0")/.."; mkdir -p build/results\n[[ -d ${SCTPA_CAPTURES:-} ]] && sees=more || sees=nothing\n' + text)
        return call(tree, ".ci/run", SCTPA_CAPTURES=str(tree.parent / "captures"))

    return run


def test_ci_runs_all_without_more_captures_and_what_needs_them_apart(ci, tree):
    result = ci('echo "sees $sees: $*"; [[ $sees == more ]] && echo "2 passed, 0 failed, 1 skipped" || echo "40 passed, 0 failed, 5 skipped"')
    lines = result.stdout.splitlines()
    assert lines == ["sees nothing: --all", "alone: 40 passed, 0 failed, 5 skipped", "sees more: --all --pytest -m more_captures",
                     "more: 2 passed, 0 failed, 1 skipped", "42 passed, 0 failed, 6 skipped"]
    assert result.returncode == 0
    shutil.rmtree(tree.parent / "captures")
    result = ci('echo "40 passed, 0 failed, 5 skipped"')
    assert result.stdout.splitlines()[-1] == "40 passed, 0 failed, 5 skipped" and result.returncode == 0


@pytest.mark.parametrize("where", ["nothing", "more"])
@pytest.mark.parametrize("ending, line", [('echo "1 passed, 1 failed, 0 skipped"; exit 1', "2 passed, 1 failed, 0 skipped"),
                                          ("exit 1", "1 passed, 1 failed, 0 skipped"), ("exit 0", "1 passed, 1 failed, 0 skipped")])
def test_ci_fails_where_either_part_fails_or_ends_without_its_line(ci, where, ending, line):
    result = ci(f'if [[ $sees == {where} ]]; then {ending}; else echo "1 passed, 0 failed, 0 skipped"; fi')
    assert result.stdout.splitlines()[-1] == line and result.returncode == 1
