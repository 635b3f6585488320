# SPDX-License-Identifier: GPL-2.0-or-later
"""new_rule: which number a rule gets, where its stubs go, what is refused, and that no stub can pass for a rule.

In a small tree with the chapters of a sea; what a compiler says of stubs is asked in a copy of the core."""

import pathlib
import re
import shutil
import subprocess

import pytest

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
CORE = pathlib.Path("plugins/sctp_analysis/core")
RULES = CORE / "rules"
MODEL = pathlib.Path("test/model")
STUB = re.compile(r"\b[A-Z]+_\d{3}_lacks_\w+")


def row(group, number):
    return f'SCTPA_RULE({group}, {number},\n    .title = "the row of {group}-{number}")\n'


def functions(group, number):
    return f"bool sctpa_{group}_{number}_applies(int c)\n{{\n    return c;\n}}\n\nbool sctpa_{group}_{number}_violates(int c)\n{{\n    return c;\n}}\n"


def scenarios(rule):
    name = rule.lower().replace("-", "_")
    return f'@fires("{rule}")\ndef high_{name}():\n    return 1\n\n\n@silent("{rule}", judged=False)\ndef low_{name}():\n    return 0\n'


def mutation(rule):
    return f'@breaks("{rule}")\ndef raise_{rule.lower().replace("-", "_")}(editor):\n    return 0\n'


FILES = {
    RULES / "tides/ebb_rules.def": f"/* Ebb. */\n{row('EB', '001')}\n{row('EB', '004')}",
    RULES / "tides/flood_rules.def": f"/* Flood. */\n{row('FD', '001')}\n{row('EB', '006')}",
    RULES / "tides/check_ebb.c": f"/* Ebb. */\n{functions('EB', '001')}\n{functions('EB', '004')}\nbool sctpa_is_spring_tide(int c)\n{{\n    return c;\n}}\n",
    RULES / "tides/check_flood.c": f"/* Flood. */\n{functions('FD', '001')}\n{functions('EB', '006')}",
    RULES / "tides/tide_table.c": "/* What tides share. */\n",
    CORE / "wire/chunks.def": '/* Chunks. */\nSCTPA_CHUNK(DATA, 0, "DATA")\nSCTPA_CHUNK(I_DATA, 64, "I-DATA")\n',
    MODEL / "scenario_sea.py": "from register import fires, silent\n\n\n" + "\n\n".join(map(scenarios, ("EB-001", "EB-004", "FD-001", "EB-006"))),
    MODEL / "mutations_ebb.py": "from mutations import breaks\n\n\n" + "\n\n".join(map(mutation, ("EB-001", "EB-004"))),
    MODEL / "mutations_flood.py": "from mutations import breaks\n\n\n" + "\n\n".join(map(mutation, ("FD-001", "EB-006"))),
    MODEL / "register.py": "def fires(*words, **options):\n    return lambda make: make\n\n\nsilent = fires\n",
    MODEL / "mutations.py": "from register import fires as breaks\n",
    MODEL / "coverage/ebb.tsv": "rule\twhat\twhy\nEB-002\tleft out\tlow water looks the same\nEB-003\tmerged into EB-001\tas EB-002\n"
                                "EB-007\tdropped\tthe moon is not visible\n",
}


def call(tree, *words):
    return subprocess.run([tree / MODEL / "new_rule", *words], capture_output=True, encoding="utf-8", timeout=60)


def contents(tree):
    return {path: path.read_text(encoding="utf-8") for path in sorted(tree.rglob("*")) if path.is_file()}


@pytest.fixture
def sea(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    shutil.copy(TOP / MODEL / "new_rule", tmp_path / MODEL / "new_rule")
    return tmp_path


def text(tree, name):
    return (tree / name).read_text(encoding="utf-8")


def test_the_number_is_one_that_neither_a_rule_of_any_table_nor_what_was_left_out_has(sea):
    assert call(sea, "ebb", "EB").stdout.splitlines()[0] == "EB-008"
    assert call(sea, "flood", "EB").stdout.splitlines()[0] == "EB-009"
    assert call(sea, "flood", "FD").stdout.splitlines()[0] == "FD-002"


def test_stubs_stand_beside_those_of_the_group(sea):
    result = call(sea, "ebb", "EB")
    assert result.returncode == 0, result.stderr
    assert re.findall(r"^(\S+): ", result.stdout, re.M) == [str(name) for name in (
        RULES / "tides/ebb_rules.def", RULES / "tides/check_ebb.c", MODEL / "scenario_sea.py", MODEL / "mutations_ebb.py")]
    assert text(sea, RULES / "tides/ebb_rules.def").startswith(FILES[RULES / "tides/ebb_rules.def"] + "\nSCTPA_RULE(EB, 008,\n    .level = ")
    heads = re.findall(r"^\w+ (sctpa_\w+)", text(sea, RULES / "tides/check_ebb.c"), re.M)
    assert heads[-4:] == ["sctpa_EB_004_violates", "sctpa_EB_008_applies", "sctpa_EB_008_violates", "sctpa_is_spring_tide"]
    assert re.findall(r"^@\w+.*", text(sea, MODEL / "scenario_sea.py"), re.M)[-2:] == ['@fires("EB-008")', '@silent("EB-008")']
    assert text(sea, MODEL / "mutations_ebb.py").startswith(FILES[MODEL / "mutations_ebb.py"] + '\n\n@breaks("EB-008")\ndef ')


def test_a_group_that_only_one_table_of_the_folder_has_is_found_by_the_folder(sea):
    assert f"{RULES}/tides/flood_rules.def: row" in call(sea, "tides", "FD").stdout


def test_title_and_chunks_are_filled_in(sea):
    call(sea, "flood", "FD", "--title", 'The "high" water\\mark', "--chunk", "DATA,i-data")
    table = text(sea, RULES / "tides/flood_rules.def")
    assert '.title = "The \\"high\\" water\\\\mark",' in table and ".on = ROW(DATA) | ROW(I_DATA)," in table and ".when = CHUNK," in table


def test_a_number_that_was_left_out_is_taken_on_demand_and_no_longer_listed(sea):
    result = call(sea, "--revive", "EB-002", "ebb")
    lines = result.stdout.splitlines()
    assert lines[0] == "EB-002" and lines[-2:] == [
        "test/model/coverage/ebb.tsv: no longer says: EB-002\tleft out\tlow water looks the same",
        "test/model/coverage/ebb.tsv: still refers to EB-002: EB-003\tmerged into EB-001\tas EB-002"]
    assert re.findall(r"^EB-\d+", text(sea, MODEL / "coverage/ebb.tsv"), re.M) == ["EB-003", "EB-007"]
    assert re.findall(r"EB, (\d+)", text(sea, RULES / "tides/ebb_rules.def")) == ["001", "002", "004"]


@pytest.mark.thorough_but_one_in(3)
@pytest.mark.parametrize("words, cause", [
    ([], "needs CHAPTER and GROUP"),
    (["ebb"], "needs CHAPTER and GROUP"),
    (["moon", "EB"], "there is no chapter moon, but ebb, flood, tides"),
    (["ebb", "XX"], "there is no group XX, but EB, FD"),
    (["ebb", "FD"], "the chapter ebb has no group FD: that is in flood"),
    (["tides", "EB"], "group EB is in ebb and flood: name one of them"),
    (["--revive", "EB-002"], "group EB is in ebb and flood: name one of them"),
    (["--revive", "EB-004", "ebb"], "EB-004 is a rule"),
    (["--revive", "EB-010", "ebb"], "EB-010 is no number that was left out or merged"),
    (["--revive", "XX-001"], "there is no group XX"),
    (["--revive", "EB-002", "ebb", "EB"], "the group of --revive is that of its ID"),
    (["flood", "FD", "--chunk", "DATA,FOAM"], "there is no chunk FOAM, but DATA, I_DATA"),
], ids=" ".join)
def test_says_what_it_refuses_and_changes_nothing(sea, words, cause):
    before = contents(sea)
    result = call(sea, *words)
    assert result.stderr.startswith(f"new_rule: error: {cause}") and result.stderr.count("\n") == 1, result.stderr
    assert result.returncode == 2 and result.stdout == "" and contents(sea) == before


def test_a_table_without_mutations_beside_which_one_could_stand_is_refused(sea):
    (sea / MODEL / "mutations_flood.py").write_text("")
    before = contents(sea)
    assert "where mutations belong" in call(sea, "flood", "FD").stderr and contents(sea) == before


@pytest.mark.parametrize("module, name, lacking", [
    ("scenario_sea", "violates_fd_002", "FD_002_lacks_a_scenario_that_violates_it"),
    ("scenario_sea", "looks_like_fd_002", "FD_002_lacks_an_innocent_near_twin"),
    ("mutations_flood", "breaks_fd_002", "FD_002_lacks_a_mutation"),
])
def test_a_scenario_or_mutation_that_is_not_filled_in_fails_and_is_named(sea, module, name, lacking):
    call(sea, "flood", "FD")
    program = f"import {module}; {module}.{name}(*[None] * ({module}.{name}.__code__.co_argcount))"
    result = subprocess.run(["python3", "-B", "-c", program], cwd=sea / MODEL, capture_output=True, encoding="utf-8")
    assert result.returncode and lacking in result.stderr.splitlines()[-1]


def fields_of_every_row():
    """Those that each row of a rule with two functions has; the others are seldom needed."""
    rows = [row for table in (TOP / RULES).rglob("*_rules.def") for row in table.read_text(encoding="utf-8").split("SCTPA_RULE(")[1:]]
    return set.intersection(*(set(re.findall(r"\.(\w+) = ", row)) for row in rows if ".when = " in row))


def test_a_compiler_refuses_a_rule_that_is_not_filled_in_and_names_every_field_and_function(tmp_path):
    shutil.copytree(TOP / CORE, tmp_path / CORE)
    shutil.copytree(TOP / MODEL, tmp_path / MODEL, ignore=shutil.ignore_patterns("__pycache__"))
    rule = call(tmp_path, "ecn", "EC").stdout.splitlines()[0].replace("-", "_")
    flags = subprocess.run(["pkg-config", "--cflags", "glib-2.0"], capture_output=True, encoding="utf-8", check=True).stdout.split()
    result = subprocess.run(["cc", "-std=c11", "-fsyntax-only", "-I", CORE, *flags, RULES / "rules.c", RULES / "ecn/check_ecn.c"], cwd=tmp_path,
                            capture_output=True, encoding="utf-8")
    assert {"level", "on", "clause", "doubt"} <= fields_of_every_row() and result.returncode != 0
    for lacking in (*fields_of_every_row(), "applies", "violates"):
        assert f"{rule}_lacks_{lacking}" in result.stderr, lacking


def test_no_stub_is_left_in_a_rule():
    folders = [(TOP / RULES).rglob("*"), (TOP / MODEL).glob("scenario_*.py"), (TOP / MODEL).glob("mutations_*.py")]
    lacking = [f"{path.relative_to(TOP)}: {name}" for paths in folders for path in paths if path.is_file() for name in STUB.findall(path.read_text())]
    assert not lacking, "\n".join(lacking)
