# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects ./run matrix: states and counts of cells, columns, differences, pseudonyms; the page as a browser shows it, and its commands."""

import collections
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

import pytest

from conftest import TOP
from test_check import CAPTURES, CLEAN, IDATA, run, said

sys.path.append(str(TOP / "test" / "triage"))

import browser  # noqa: E402

INTEROP = CAPTURES / "interop/interop-bulk/A.pcapng.gz"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """matrix.html and matrix.json of two columns, the second of which violates rules."""
    folder = tmp_path_factory.mktemp("matrix")
    folder.chmod(0o755)
    (folder / "new").mkdir()
    shutil.copy(IDATA, folder / "new")
    shutil.copy(CAPTURES / "linux/aborts/A.pcapng.gz", folder / "new/aborts.pcapng.gz")
    result = run("matrix", f"old={CLEAN}", folder / "new", "--format", f"html={folder / 'matrix.html'}", "--format", f"json={folder / 'matrix.json'}")
    assert result.returncode == 0, result.stderr
    return folder


@pytest.fixture(scope="module")
def document(made):
    return json.loads((made / "matrix.json").read_text(encoding="utf-8"))


def rows(document):
    return {row["rule"]: row for row in document["rules"]}


# --- cells -----------------------------------------------------------------------------------------------------------


def test_cells_say_what_the_json_of_the_plugin_says(document, tshark):
    told = json.loads(tshark("-n", "-q", "-r", CLEAN, "-z", "sctp,json").stdout)
    checked, undecided = {}, {}
    for end in told["associations"][0]["endpoints"]:
        rules = end["rules"]
        for rule, packets in zip(told["rule_sets"][rules["checked"]], rules["occasions"]):
            checked[rule] = checked.get(rule, 0) + packets
        for rule, packets in zip(told["rule_sets"][rules["undecided"]], rules["undecided_occasions"]):
            undecided[rule] = undecided.get(rule, 0) + packets
    cells = {rule: row["cells"][0] for rule, row in rows(document).items()}
    assert {rule: cell["occasions"] for rule, cell in cells.items() if cell["occasions"]} == checked
    assert {rule: cell["undecided_occasions"] for rule, cell in cells.items() if cell["undecided_occasions"]} == undecided
    assert {cell["state"] for rule, cell in cells.items() if rule not in checked and rule not in undecided} == {"never"}
    assert {rule for rule, cell in cells.items() if cell["state"] == "undecided"} == set(undecided) - set(checked) != set()


def test_a_violation_has_its_packets_and_never_more_than_occasions(document):
    cell = rows(document)["ID-005"]["cells"][1]
    assert (cell["state"], cell["certainty"], cell["violating_packets"]) == ("violated", "proven", 44) and cell["occasions"] > 44
    first = cell["evidence"][0]
    assert first["frames"][:3] == [8, 19, 20] and first["role"] == "initiator" and re.fullmatch(r"ID-005/initiator/[0-9a-f]{8}", first["fingerprint"])
    for row in rows(document).values():
        for cell in row["cells"]:
            assert cell["violating_packets"] <= cell["occasions"] and (cell["state"] == "violated") == (cell["violating_packets"] > 0)
            assert bool(cell["evidence"]) == (cell["state"] != "never") and bool(cell["lacking"]) == (cell["undecided_endpoints"] > 0)


def test_two_columns_show_what_differs(document):
    changes = {rule: row["change"] for rule, row in rows(document).items()}
    assert changes["ID-005"] == "new violation" and changes["FMT-006"] is None
    assert {"exercised now", "no longer exercised", "new violation"} <= set(changes.values())


@pytest.fixture(scope="module")
def versions(made):
    """{option: document} of three columns, compared as the option says; matrix.html of each beside it."""
    columns = [f"v1={CLEAN}", f"v2={IDATA}", f"v3={made / 'new/aborts.pcapng.gz'}"]
    documents = {}
    for option in ("", "--neighbours", "--base=v3"):
        path = made / f"versions{option}"
        formats = [word for kind, suffix in (("html", "html"), ("json", "json"), ("markdown", "md")) for word in ("--format", f"{kind}={path}.{suffix}")]
        result = run("matrix", *columns, *[option] * bool(option), *formats)
        assert result.returncode == 0, result.stderr
        documents[option] = json.loads(pathlib.Path(f"{path}.json").read_text(encoding="utf-8"))
    return documents


@pytest.mark.thorough
@pytest.mark.parametrize("option, bases", [("", (None, None, None)), ("--neighbours", (None, 0, 1)), ("--base=v3", (2, 2, None))])
def test_of_many_columns_cells_differ_from_the_column_that_was_chosen(versions, made, option, bases):
    document = versions[option]
    names = [column["name"] for column in document["columns"]]
    assert names == ["v1", "v2", "v3"]
    assert [column["base"] for column in document["columns"]] == [None if base is None else names[base] for base in bases]
    kinds = set()
    for row in document["rules"]:
        for cell, base in zip(row["cells"], bases):
            other = cell if base is None else row["cells"][base]
            differs = (cell["state"], cell["certainty"]) != (other["state"], other["certainty"])
            assert bool(cell["change"]) == differs, (row["rule"], cell, other)
            kinds.add(cell["change"])
        assert row["change"] == ("; ".join(f"{name}: {cell['change']}" for name, cell in zip(names, row["cells"]) if cell["change"]) or None)
    assert (kinds == {None}) == (option == "")
    head, *_ = pathlib.Path(f"{made / f'versions{option}'}.md").read_text(encoding="utf-8").splitlines()
    assert head == "| rule | level | v1 | v2 | v3 | " + "change | " * bool(option) + "what |"


def test_a_violation_is_new_to_the_left_and_gone_to_the_right(versions):
    assert rows(versions["--neighbours"])["ID-005"]["change"] == "v2: new violation; v3: no longer exercised"
    assert rows(versions["--base=v3"])["ID-005"]["change"] == "v2: new violation"


def test_mixed_pairs_are_told_apart_by_stack():
    result = run("matrix", "--format", "json", f"{INTEROP}@stack=linux", f"FreeBSD={INTEROP}@stack=usrsctp", f"all={INTEROP}")
    columns = json.loads(result.stdout)["columns"]
    assert [column["name"] for column in columns] == ["A.pcapng.gz, stack=linux", "FreeBSD", "all"]
    assert [column["endpoints"] for column in columns] == [2, 2, 4]


def test_markdown_is_a_table_of_what_is_exercised():
    lines = run("matrix", "--format", "markdown", "--rules", "ID-*,AS-*", f"one={CLEAN}", f"two={IDATA}").stdout.splitlines()
    assert lines[:2] == ["| rule | level | one | two | change | what |", "|---|---|---|---|---|---|"]
    assert any(re.match(r"\| ID-005 \| MUST \| - \| \*\*violated 44 of \d+\*\* \| new violation \| FSN ", line) for line in lines)
    assert lines[-1].startswith("Never exercised: ") and "AS-001" in lines[-1]


@pytest.mark.parametrize("arguments, words", [
    ([], "which folders?"), (["/nonexistent"], "there is no such folder"), ([f"a={CLEAN}", f"a={IDATA}"], "two columns are called a"),
    ([f"{CLEAN}@nowhere"], "nowhere"), (["--format", "text", CLEAN], "text"),
    (["--base", "c", f"a={CLEAN}", f"b={IDATA}"], "no column named c; columns are a, b"),
    (["--neighbours", CLEAN], "two columns or more"), (["--base", "a", "--neighbours", f"a={CLEAN}", f"b={IDATA}"], "not allowed with"),
])
def test_wrong_usage_is_one_line(arguments, words):
    result = run("matrix", *arguments)
    line, = said(result)
    assert result.returncode == 2 and line.startswith("run: ") and words in line


def test_what_cannot_be_judged_is_said_and_no_success(tmp_path):
    (tmp_path / "empty.pcap").touch()
    result = run("matrix", "--format", f"html={tmp_path / 'm.html'}", CLEAN, tmp_path)
    assert result.returncode == 3 and "is empty" in (tmp_path / "m.html").read_text(encoding="utf-8")


def test_pseudonyms_stand_for_names_and_addresses(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    shutil.copy(IDATA, folder / "secretname.pcapng.gz")
    for kind in ("html", "json"):
        text = run("matrix", "--anonymise", "--format", kind, f"ours={folder}").stdout
        assert "secretname" not in text and "10.1." not in text and str(tmp_path) not in text and "ID-005" in text and "ipv4-" in text


# --- the page --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def page(made):
    if not browser.is_there():
        pytest.skip("needs chromium and chromedriver")
    with browser.Browser() as shown:
        shown.report = made / "matrix.html"
        shown.open(shown.report)
        yield shown


def test_opens_without_a_message_and_without_the_network(page):
    page.open(page.report)
    assert page.console() == [] and page.run("return performance.getEntriesByType('resource').map(entry => entry.name)") == []
    assert not re.search(r"(https?:)?//[a-z0-9]", re.sub(r"<script>.*?</script>|//stdout", "", page.report.read_text(), flags=re.S))


def test_every_cell_leads_to_its_evidence(page, document):
    cells = page.run("""return [...document.querySelectorAll('#matrix-table tbody td[data-v]')].map(cell => {
        const target = document.getElementById(cell.querySelector('a').hash.slice(1));
        return [cell.parentElement.cells[0].textContent, cell.className, cell.textContent, target ? target.textContent : ''] })""")
    told = {rule: row for rule, row in rows(document).items() if any(cell["state"] != "never" for cell in row["cells"])}
    assert len(cells) == 2 * len(told) > 200
    for number, (rule, state, text, evidence) in enumerate(cells):
        cell = told[rule]["cells"][number % 2]
        assert state == cell["state"] and state in text
        assert f"{cell['evidence'][0]['capture']}" in evidence if cell["evidence"] else "never exercised" in evidence
    assert page.run("""return [...document.querySelectorAll('a')]
        .filter(a => !document.getElementById(a.hash.slice(1)) || a.pathname !== location.pathname).map(a => a.href)""") == []
    assert page.run("const ids = [...document.querySelectorAll('[id]')].map(each => each.id); return ids.length - new Set(ids).size") == 0


@pytest.mark.parametrize("state, number", [("violated", 1), ("held", 0), ("undecided", 0)])
def test_the_command_of_a_cell_shows_it(page, document, state, number):
    rule = next(rule for rule, row in rows(document).items() if row["cells"][number]["state"] == state and row["level"] == "MUST")
    commands = page.run("return [...document.getElementById(arguments[0]).querySelectorAll('.command code')].map(each => each.textContent)", rule)
    first = rows(document)[rule]["cells"][number]["evidence"][0]
    text, = [each for each in commands if f" {first['capture']}" in each]
    result = subprocess.run(shlex.split(text), cwd=TOP, capture_output=True, encoding="utf-8", timeout=600)
    row, = [line.split("\t") for line in result.stdout.splitlines() if line.startswith(f"{rule}\t")]
    assert row[1] == first["role"] and row[6] == str(0 if first["lacking"] else first["occasions"]), result.stderr
    assert result.returncode == (1 if first["frames"] else 3 if first["lacking"] else 0)
    assert all(str(frame) in result.stdout for frame in first["frames"][:3])


def test_structure_is_told_to_those_who_cannot_see_it(page):
    count = lambda selector: page.run("return document.querySelectorAll(arguments[0]).length", selector)  # noqa: E731
    assert [count(selector) for selector in ("h1", "main", "header", "nav[aria-label]", "html[lang]")] == [1, 1, 1, 1, 1]
    assert count("th:not([scope])") == 0 and count("table:not(:has(caption))") == 0 and count("article:not([aria-labelledby])") == 0
    assert count(".scroll:not([tabindex='0'][role=region][aria-label])") == 0 and count("section:not([aria-labelledby])") == 0


@pytest.mark.parametrize("is_dark", [False, True])
def test_text_has_contrast(page, is_dark):
    page.dark(is_dark)
    assert (page.run("return getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)") == (not is_dark)
    assert page.low_contrast() == {}
    page.dark(False)


def test_sorts_and_filters_by_keyboard(page):
    page.open(page.report)
    page.run("document.querySelectorAll('#matrix-table thead button')[3].focus()")
    page.enter()
    assert page.run("return document.querySelector('#matrix-table tbody tr').cells[3].className") == "violated"
    page.run("const input = document.querySelector('#matrix .filter input'); input.value = 'id-005 fsn'; input.dispatchEvent(new Event('input'))")
    assert page.run("return [...document.querySelector('#matrix-table').tBodies[0].rows].filter(row => !row.hidden).map(row => row.cells[0].textContent)") == ["ID-005"]


def test_fits_a_screen_of_390_pixels(page):
    page.tool("Emulation.setDeviceMetricsOverride", width=390, height=800, deviceScaleFactor=1, mobile=True)
    try:
        page.open(page.report)
        assert page.run("return [document.documentElement.scrollWidth, innerWidth]") == [390, 390]
    finally:
        page.tool("Emulation.clearDeviceMetricsOverride")


def test_is_whole_without_its_script_and_on_paper(page, document, tmp_path):
    page.tool("Emulation.setScriptExecutionDisabled", value=True)
    try:
        page.open(page.report)
        tree = page.tool("Accessibility.getFullAXTree")["nodes"]
        told = [row for row in document["rules"] if any(cell["state"] != "never" for cell in row["cells"])]
        assert sum(node.get("role", {}).get("value") == "article" for node in tree) == len(told)
    finally:
        page.tool("Emulation.setScriptExecutionDisabled", value=False)
    page.open(page.report)
    page.pdf(tmp_path / "page.pdf")
    text = subprocess.run(["pdftotext", "-layout", tmp_path / "page.pdf", "-"], capture_output=True, encoding="utf-8").stdout if shutil.which("pdftotext") else None
    assert len(re.findall(rb"/Type\s*/Page\b", (tmp_path / "page.pdf").read_bytes())) > 10 and (text is None or all(row["rule"] in text for row in told))


# --- what differs, on the page -----------------------------------------------------------------------------------------


@pytest.fixture(params=["--neighbours", "--base=v3"])
def differing(page, versions, request):
    """(The browser with the page of three columns, its document.)"""
    page.open(page.report.with_name(f"versions{request.param}.html"))
    return page, versions[request.param]


DIFFERING = """return [...document.querySelector('#changes-table').tBodies[0].rows].filter(row => !row.hidden).map(row =>
    [row.cells[0].textContent, [...row.querySelectorAll('td[data-v]')].map(cell => cell.textContent)])"""


def test_what_differs_is_told_in_words_and_counted(differing):
    page, document = differing
    told = {row["rule"]: [cell["change"] for cell in row["cells"]] for row in document["rules"] if row["change"]}
    shown = dict(page.run(DIFFERING))
    assert shown.keys() == told.keys()
    for rule, texts in shown.items():
        assert [text.partition("\u2260 ")[2] or None for text in texts] == told[rule]
    counts = page.run("""const table = document.querySelector('#changes table');
        return [...table.tBodies[0].rows].map(row => [...row.cells].map(cell => cell.textContent)).concat([[...table.tHead.rows[0].cells].map(cell => cell.textContent)])""")
    heads, names = counts.pop(), [column["name"] for column in document["columns"]]
    assert [(row[0], row[1]) for row in counts] == [(column["name"], column["base"]) for column in document["columns"] if column["base"]]
    for name, _, *numbers in counts:
        assert {kind: int(number) for kind, number in zip(heads[2:], numbers) if number != "0"} == dict(
            collections.Counter(each[names.index(name)] for each in told.values() if each[names.index(name)]))
    assert page.console() == [] and page.run("const ids = [...document.querySelectorAll('[id]')].map(each => each.id); return ids.length - new Set(ids).size") == 0


def test_what_differs_is_reached_sorted_and_filtered_by_keyboard(differing):
    page, document = differing
    page.run("document.querySelector('nav a[href=\"#changes\"]').focus()")
    page.enter()
    assert page.run("return location.hash") == "#changes"
    number = next(number for number in range(3) if any(row["cells"][number]["change"] == "new violation" for row in document["rules"]))
    page.run("document.querySelectorAll('#changes-table thead button')[arguments[0] + 2].focus()", number)
    page.enter()
    assert "violated" in page.run(DIFFERING)[0][1][number]
    page.run("const input = document.querySelector('#changes .filter input'); input.focus(); input.value = 'new violation'; input.dispatchEvent(new Event('input'))")
    expected = {row["rule"] for row in document["rules"] if any(cell["change"] == "new violation" for cell in row["cells"])}
    assert {rule for rule, _ in page.run(DIFFERING)} == expected != set()
    page.run("document.querySelector('#changes-table tbody tr:not([hidden]) td.changed a').focus()")
    page.enter()
    assert page.run("return document.querySelector(':target').closest('article').id") in expected


@pytest.mark.thorough
@pytest.mark.parametrize("is_dark", [False, True])
def test_what_differs_has_contrast_and_fits_390_pixels(differing, is_dark):
    page, _ = differing
    page.dark(is_dark)
    page.tool("Emulation.setDeviceMetricsOverride", width=390, height=800, deviceScaleFactor=1, mobile=True)
    try:
        assert page.low_contrast() == {} and page.run("return [document.documentElement.scrollWidth, innerWidth]") == [390, 390]
    finally:
        page.tool("Emulation.clearDeviceMetricsOverride")
        page.dark(False)


def test_what_differs_is_on_paper(differing):
    page, document = differing
    page.tool("Emulation.setEmulatedMedia", media="print")
    try:
        shown = page.run("return [...document.querySelectorAll('#changes .change')].filter(each => each.checkVisibility() && each.offsetHeight).length")
        assert shown == sum(cell["change"] is not None for row in document["rules"] for cell in row["cells"]) and page.low_contrast() == {}
    finally:
        page.tool("Emulation.setEmulatedMedia", media="")


def test_hostile_names_stay_text(tmp_path):
    name = tmp_path / "<script>alert(1)</script>\x1b[31m.pcapng.gz".replace("/", "")
    shutil.copy(IDATA, name)
    text = run("matrix", "--format", "html", f"<b>bold</b>={name}").stdout
    assert "<script>alert" not in text and "<b>bold" not in text and "\x1b" not in text and "&lt;b&gt;bold" in text


# --- the lab ---------------------------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_the_matrix_of_the_lab_is_current(tmp_path):
    subprocess.run([TOP / "test/check/lab_matrix", tmp_path / "matrix.md"], check=True, stdin=subprocess.DEVNULL, capture_output=True, timeout=1800)
    old, new = (path.read_text(encoding="utf-8").splitlines() for path in (TOP / "docs/generated/matrix.md", tmp_path / "matrix.md"))
    assert new == old, "test/update_all --only matrix writes it anew; look at what changed"
