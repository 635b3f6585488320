# SPDX-License-Identifier: GPL-2.0-or-later
"""Every program that the READMEs and docs name can be called, and says in one line what is missing where it can neither build nor install.

What they have built can be built. Leaves out what each of them does.
"""

import ast
import os
import pathlib
import re
import shutil
import subprocess

import pytest

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
DOCUMENTS = [*sorted(TOP.glob("*.md")), TOP / "test/README.md", *sorted((TOP / "docs").rglob("*.md"))]
# What builds, installs or makes chroots.
HIDDEN = {"cmake", "ninja", "gcc", "cc", "c++", "g++", "apt-get", "mmdebstrap"}

# Nothing with what is hidden here: new_rule; rule must be told the rule; build.sh needs go alone, and a place to build in; run must be told
# the stack, record what to record.
BUILDS_NOTHING = {
    "test/model/new_rule", "test/rule", "test/lab/pion/build.sh", "test/lab/run", "test/lab/webrtc/record", "test/simulator/lab.py", "test/simulator/peers.py",
    "test/simulator/run", "test/simulator/sweep",
}


def programs():
    """Paths below test/ and packaging/ that the documents name and that are no tests of pytest, folders or lists."""
    named = {path for document in DOCUMENTS for path in re.findall(r"\b(?:test|packaging)/[\w/.]*\w", document.read_text(encoding="utf-8"))}
    return sorted(path for path in named if (TOP / path).is_file() and (TOP / path).read_bytes().startswith(b"#!"))


def test_the_programs_of_the_readme_are_among_them():
    assert {"test/run", "test/bench/run", "test/bench/batch.py", "test/golden/update", "test/documents/update", "test/model/accuse",
            "test/model/mutate", "test/versions/fresh", "packaging/build", "test/update_all", *BUILDS_NOTHING} <= set(programs())


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """(A copy of the tree in which nothing is built, a PATH without what builds and installs.)"""
    folder = tmp_path_factory.mktemp("bare")
    copy, tools = folder / "sctp_analysis", folder / "bin"
    # Other tests may be writing caches of Python at the same time.
    left_out = {str(TOP): {"build", ".git"}, str(TOP / "test"): {"captures"}}
    shutil.copytree(TOP, copy, ignore=lambda place, names: left_out.get(str(place), set()) | {"__pycache__"}, symlinks=True)
    (copy / "test/captures").symlink_to(TOP / "test/captures")
    tools.mkdir()
    for path in {path.name: path for place in ("/usr/sbin", "/usr/bin") for path in pathlib.Path(place).iterdir()}.values():
        if path.name not in HIDDEN:
            (tools / path.name).symlink_to(path)
    return copy, tools


@pytest.mark.thorough_but_one_in(4)
@pytest.mark.parametrize("program", [program for program in programs() if program not in BUILDS_NOTHING])
def test_a_program_that_can_neither_build_nor_install_says_so_in_a_line(program, bare):
    copy, tools = bare
    assert os.access(copy / program, os.X_OK), "is not executable"
    # Plugins that are built elsewhere would spare some programs the building.
    variables = {name: value for name, value in os.environ.items() if name != "SCTPA_PLUGIN_DIR"} | {"PATH": str(tools)}
    result = subprocess.run([copy / program], cwd=copy, env=variables, stdin=subprocess.DEVNULL, capture_output=True,
                            encoding="utf-8", timeout=120)
    lines = result.stderr.splitlines()
    assert result.returncode != 0 and len(lines) == 1, result.stderr
    assert re.search(r"please install: .*cmake|needs (mmdebstrap|root)", lines[0]), lines


def python_words(text):
    """For each call of prepare in a program in Python: its arguments that are text."""
    calls = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "prepare")
    return [[word.value for word in call.args if isinstance(word, ast.Constant)] for call in calls]


def shell_words(text):
    """For each test/prepare in a program of the shell: what follows it."""
    return [words.split() for words in re.findall(r"^[^#\n]*\btest/prepare\b([\w ]*)", text, re.M)]


def built_targets():
    """(Program, build, target) for each target that a program below test/ has built by prepare."""
    found = set()
    for path in (TOP / "test").rglob("*"):
        if "__pycache__" in path.parts or path.is_relative_to(TOP / "test/captures") or not path.is_file():
            continue
        begin = path.read_bytes()[:100]
        calls = python_words if path.suffix == ".py" or b"python" in begin.partition(b"\n")[0] else shell_words if begin.startswith(b"#!") else None
        for words in calls(path.read_text(encoding="utf-8")) if calls else []:
            build = next((word for word in words if word in ("release", "asan")), None)
            found |= {(str(path.relative_to(TOP)), build, target) for target in words[words.index(build) + 1:]} if build else set()
    return sorted(found)


def test_the_targets_of_known_programs_are_among_them():
    assert {("test/model/mutate", "asan", "judge_core"), ("test/ui/guide_pictures", "release", "shoot_graphs"),
            ("test/bench/run", "release", "bench_data")} <= set(built_targets())


@pytest.mark.parametrize("program, build, target", built_targets())
def test_what_a_program_has_built_is_there_to_be_built(program, build, target):
    assert (TOP / "build" / build / "build.ninja").exists(), f"nothing is built in build/{build}: run test/run"
    result = subprocess.run(["ninja", "-C", TOP / "build" / build, "-t", "query", target], capture_output=True, encoding="utf-8")
    assert result.returncode == 0, result.stderr
