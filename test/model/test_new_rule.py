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
CHAPTERS = CORE / "model/chapters"
IDS = CORE / "model/rules.def"
MODEL = pathlib.Path("test/model")
TESTS = MODEL / "chapters"
STUB = re.compile(r"\b[A-Z]+_\d{3}_lacks_\w+")


def rule(group, number, when="PACKET"):
    functions = "".join(f"\nstatic bool {group}_{number}_{what}(const int c)\n{{\n    return c;\n}}\n" for what in ("applies", "violates"))
    return f'RULE({group}, {number},\n    .when = {when},\n    .title = "the rule {group}-{number}");\n{functions}'


def scenarios(rule):
    name = rule.lower().replace("-", "_")
    return f'@fires("{rule}")\ndef high_{name}():\n    return 1\n\n\n@silent("{rule}", judged=False)\ndef low_{name}():\n    return 0\n'


def chapter(rules, asks):
    return "/* Of the sea. */\n" + "\n".join(rules) + f"\nvoid sctpa_check_{asks}\n}}\n"


def file_of_tests(left_out, *rules):
    return "\n\n".join(["from register import fires, silent\n", *map(scenarios, rules), f"LEFT_OUT = [\n{left_out}]\n"])


FILES = {
    IDS: "/* Ids. */\n" + "".join(f"SCTPA_RULE({name})\n" for name in ("EB, 001", "FD, 001", "EB, 004", "EB, 006")),
    CHAPTERS / "ebb.c": chapter([rule("EB", "001"), rule("EB", "004", "CHUNK"),
                                 "static bool is_spring_tide(int c)\n{\n    return c;\n}\n"],
                                "ebb(int c)\n{\n    while (c) {\n        ASK_OF_CHUNK(EB, 004);\n    }\n    ASK_OF_PACKET(EB, 001);\n    take(c);"),
    CHAPTERS / "flood.c": chapter([rule("FD", "001"), rule("EB", "006", "PARAM")],
                                  "flood(int c)\n{\n    ASK(FD, 001);\n    for (;;)\n        ASK_OF_PARAM(EB, 006);"),
    CORE / "wire/chunks.def": '/* Chunks. */\nSCTPA_CHUNK(DATA, 0, "DATA")\nSCTPA_CHUNK(I_DATA, 64, "I-DATA")\n',
    TESTS / "ebb.py": file_of_tests('    ("EB-002", "left out",\n     "low water "\n     "looks the same"),\n'
                                    '    ("EB-003", "merged into EB-001", "as EB-002"),\n', "EB-001", "EB-004"),
    TESTS / "flood.py": file_of_tests('    ("EB-007", "dropped", "the moon is not visible"),\n', "FD-001", "EB-006"),
    MODEL / "register.py": "def fires(*words, **options):\n    return lambda make: make\n\n\nsilent = fires\n",
    MODEL / "scripts.py": "from register import fires as violates\n",
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


def asked(tree, name):
    return re.findall(r"ASK.*", text(tree, CHAPTERS / f"{name}.c"))


def test_the_number_is_one_that_neither_a_rule_of_any_chapter_nor_what_was_left_out_has(sea):
    assert call(sea, "ebb", "EB").stdout.splitlines()[0] == "EB-008"
    assert call(sea, "flood", "EB").stdout.splitlines()[0] == "EB-009"
    assert call(sea, "flood", "FD").stdout.splitlines()[0] == "FD-002"


def test_stubs_stand_beside_those_of_the_group(sea):
    result = call(sea, "ebb", "EB")
    assert result.returncode == 0, result.stderr
    assert re.findall(r"^(\S+): ", result.stdout, re.M) == [str(name) for name in (IDS, CHAPTERS / "ebb.c", TESTS / "ebb.py")]
    heads = re.findall(r"^(?:RULE|static bool|void)\W+(.*)", text(sea, CHAPTERS / "ebb.c"), re.M)
    assert [re.match(r"\w+(?:, \d+)?", head)[0] for head in heads[-6:]] == [
        "EB_004_violates", "EB, 008", "EB_008_applies", "EB_008_violates", "is_spring_tide", "sctpa_check_ebb"]
    assert re.findall(r"^@\w+.*", text(sea, TESTS / "ebb.py"), re.M)[4:] == ['@violates("EB-008")', '@silent("EB-008")']


def test_what_the_stubs_use_is_imported_once(sea):
    call(sea, "ebb", "EB")
    call(sea, "ebb", "EB")
    assert text(sea, TESTS / "ebb.py").count("from scripts import violates\n") == 1


def test_an_id_stands_behind_the_next_lower_one_of_its_chapter(sea):
    call(sea, "ebb", "EB")
    call(sea, "--revive", "EB-002")
    assert re.findall(r"\((\w+, \d+)\)", text(sea, IDS)) == ["EB, 001", "EB, 002", "FD, 001", "EB, 004", "EB, 008", "EB, 006"]


def test_it_is_asked_where_rules_of_the_group_are_that_are_asked_as_often(sea):
    call(sea, "ebb", "EB", "--chunk", "DATA")
    call(sea, "ebb", "EB")
    assert asked(sea, "ebb") == ["ASK_OF_CHUNK(EB, 004);", "ASK_OF_CHUNK(EB, 008);", "ASK_OF_PACKET(EB, 001);", "ASK_OF_PACKET(EB, 009);"]


def test_it_is_asked_last_where_no_rule_of_the_group_is_asked_as_often(sea):
    call(sea, "flood", "EB")
    assert asked(sea, "flood") == ["ASK(FD, 001);", "ASK_OF_PARAM(EB, 006);", "ASK(EB, 008);"]
    assert text(sea, CHAPTERS / "flood.c").endswith("\n    ASK(EB, 008);\n}\n")


def test_title_and_chunks_are_filled_in(sea):
    call(sea, "flood", "FD", "--title", 'The "high" water\\mark', "--chunk", "DATA,i-data")
    made = text(sea, CHAPTERS / "flood.c")
    assert '.title = "The \\"high\\" water\\\\mark",' in made and ".on = ROW(DATA) | ROW(I_DATA)," in made and ".when = CHUNK, .of" in made


def test_a_number_that_was_left_out_is_taken_on_demand_and_no_longer_listed(sea):
    result = call(sea, "--revive", "EB-002")
    lines = result.stdout.splitlines()
    assert lines[0] == "EB-002" and lines[-2:] == [
        "test/model/chapters/ebb.py: no longer says: EB-002 left out low water looks the same",
        "test/model/chapters/ebb.py: still refers to EB-002: EB-003 merged into EB-001 as EB-002"]
    assert text(sea, TESTS / "ebb.py").endswith('\n\n\nLEFT_OUT = [\n    ("EB-003", "merged into EB-001", "as EB-002"),\n]\n')
    assert re.findall(r"^RULE\(EB, (\d+)", text(sea, CHAPTERS / "ebb.c"), re.M) == ["001", "004", "002"]


def test_a_number_that_was_left_out_can_go_to_another_chapter(sea):
    assert call(sea, "--revive", "EB-007", "ebb").returncode == 0
    assert "EB_007_violates" in text(sea, CHAPTERS / "ebb.c") and '@violates("EB-007")' in text(sea, TESTS / "ebb.py")
    assert text(sea, TESTS / "flood.py").endswith("LEFT_OUT = [\n]\n")


@pytest.mark.thorough_but_one_in(3)
@pytest.mark.parametrize("words, cause", [
    ([], "needs CHAPTER and GROUP"),
    (["ebb"], "needs CHAPTER and GROUP"),
    (["moon", "EB"], "there is no chapter moon, but ebb, flood"),
    (["ebb", "XX"], "there is no group XX, but EB, FD"),
    (["ebb", "FD"], "the chapter ebb has no group FD: that is in flood"),
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


def test_tests_without_a_scenario_beside_which_one_could_stand_are_refused(sea):
    (sea / TESTS / "flood.py").write_text("LEFT_OUT = []\n")
    before = contents(sea)
    assert "where a scenario belongs" in call(sea, "flood", "FD").stderr and contents(sea) == before


@pytest.mark.parametrize("name, lacking", [
    ("violates_fd_002", "FD_002_lacks_what_violates_it"),
    ("looks_like_fd_002", "FD_002_lacks_an_innocent_near_twin"),
])
def test_a_scenario_that_is_not_filled_in_fails_and_is_named(sea, name, lacking):
    call(sea, "flood", "FD")
    program = f"from chapters import flood; flood.{name}(*[None] * (flood.{name}.__code__.co_argcount))"
    result = subprocess.run(["python3", "-B", "-c", program], cwd=sea / MODEL, capture_output=True, encoding="utf-8")
    assert result.returncode and lacking in result.stderr.splitlines()[-1]


def fields_of_every_rule():
    """Those that each rule has; the others are seldom needed."""
    texts = [path.read_text(encoding="utf-8") for path in (TOP / CHAPTERS).glob("*.c")]
    rules = [one for its in texts for one in re.findall(r"^RULE\(.*?\);\n", its, re.M | re.S)]
    return set.intersection(*(set(re.findall(r"\.(\w+) = ", one)) for one in rules))


def test_a_compiler_refuses_a_rule_that_is_not_filled_in_and_names_every_field_and_function(tmp_path):
    shutil.copytree(TOP / CORE, tmp_path / CORE)
    shutil.copytree(TOP / MODEL, tmp_path / MODEL, ignore=shutil.ignore_patterns("__pycache__"))
    made = call(tmp_path, "ecn", "EC").stdout.splitlines()[0].replace("-", "_")
    flags = subprocess.run(["pkg-config", "--cflags", "glib-2.0"], capture_output=True, encoding="utf-8", check=True).stdout.split()
    result = subprocess.run(["cc", "-std=c11", "-fsyntax-only", "-I", CORE, *flags, CHAPTERS / "ecn.c"], cwd=tmp_path,
                            capture_output=True, encoding="utf-8")
    assert {"level", "on", "clause", "doubt"} <= fields_of_every_rule() and result.returncode != 0
    for lacking in (*fields_of_every_rule(), "applies", "violates"):
        assert f"{made}_lacks_{lacking}" in result.stderr, lacking


def test_no_stub_is_left_in_a_rule():
    paths = [*(TOP / CHAPTERS).glob("*.c"), *(TOP / TESTS).glob("*.py")]
    lacking = [f"{path.relative_to(TOP)}: {name}" for path in paths for name in STUB.findall(path.read_text(encoding="utf-8"))]
    assert not lacking, "\n".join(lacking)
