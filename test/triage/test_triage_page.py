# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects report.html as a browser shows it: without a message, without the network, plots and links whole, tables that sort,
readable in light and dark and on paper.

Leaves hostile contents to test_triage_hostile.py, apart from whether the page would run what slipped through.
"""

import re

import pytest

import browser
from triage_runs import Triage, gather

pytestmark = pytest.mark.skipif(not browser.is_there(), reason="needs chromium and chromedriver")

CAPTURES = ("dcsctp/abort/A.pcap.gz", "demo.pcapng.gz")


@pytest.fixture(scope="module")
def page(tshark, tmp_path_factory):
    """A browser that shows the report of a few captures."""
    folder = tmp_path_factory.mktemp("page")
    folder.chmod(0o755)
    triage = Triage(tshark, folder)
    source = gather(folder / "in", *CAPTURES)
    (source / "broken.pcap").write_text("no capture")
    assert triage(source).returncode == 1
    with browser.Browser() as shown:
        shown.report, shown.triage = triage.out / "report.html", triage
        shown.open(shown.report)
        yield shown


@pytest.mark.thorough
def test_opens_without_a_message_and_without_the_network(page):
    page.open(page.report)
    assert page.console() == []
    assert page.run("return performance.getEntriesByType('resource').map(entry => entry.name)") == []
    assert not re.search(r"(https?:)?//[a-z0-9]", re.sub(r"<script>.*?</script>", "", page.report.read_text(), flags=re.S))


def test_every_association_has_its_section_with_plots(page):
    associations = page.triage.associations()
    shown = page.run("""return [...document.querySelectorAll('article')]
        .map(each => [each.querySelector('h3').textContent, each.querySelectorAll('svg.plot').length])""")
    assert len(shown) == len(associations)
    with_data = sum(any(direction["tsns"] for direction in assoc["directions"]) for assoc in associations)
    assert sum(plots >= 3 for _, plots in shown) == with_data > 5
    sizes = page.run("""return [...document.querySelectorAll('svg.plot')].slice(0, 24)
        .map(each => [each.getBoundingClientRect().width, each.querySelector('path.bar, path.step').getTotalLength()])""")
    assert all(width > 300 for width, _ in sizes) and sum(length > 20 for _, length in sizes) > 12


def test_findings_name_packets_and_clause(page):
    findings = [finding for assoc in page.triage.associations() for finding in assoc["findings"]]
    rows = page.run("""return [...document.querySelectorAll('article table')].filter(each => each.caption.textContent === 'Findings')
        .flatMap(each => [...each.tBodies[0].rows].map(row => row.textContent.replace(/\\s+/g, ' ')))""")
    assert len(rows) == len(findings) > 0
    for finding in findings:
        assert [row for row in rows if finding["rule"] in row and finding["clause"] in row and str(finding["frames"][0]) in row]


def test_links_lead_somewhere_and_ids_are_unique(page):
    assert page.run("""return [...document.querySelectorAll('a')]
        .filter(a => !document.getElementById(a.hash.slice(1)) || a.pathname !== location.pathname).map(a => a.href)""") == []
    assert page.run("const ids = [...document.querySelectorAll('[id]')].map(each => each.id); return ids.length - new Set(ids).size") == 0
    page.run("document.querySelector('#associations-table a').click()")
    assert page.run("return document.querySelector('article:target h3').getBoundingClientRect().top") < 200


def test_structure_is_told_to_those_who_cannot_see_it(page):
    count = lambda selector: page.run("return document.querySelectorAll(arguments[0]).length", selector)  # noqa: E731
    assert [count(selector) for selector in ("h1", "main", "header", "nav[aria-label]", "html[lang]")] == [1, 1, 1, 1, 1]
    assert count("th:not([scope])") == 0 and count("table:not(:has(caption))") == 0 and count("figure:not(:has(figcaption))") == 0
    assert count("svg.plot") == count("svg.plot[role=img][aria-labelledby] > title + desc") > 0
    assert count(".scroll:not([tabindex='0'][role=region][aria-label])") == 0 and count("section:not([aria-labelledby])") == 0
    assert page.run("""return [...document.querySelectorAll('svg.plot')]
        .filter(each => each.getAttribute('aria-labelledby').split(' ').some(id => !document.getElementById(id).textContent)).length""") == 0


@pytest.mark.parametrize("is_dark", [False, True])
def test_text_has_contrast(page, is_dark):
    page.dark(is_dark)
    background = page.run("return getComputedStyle(document.body).backgroundColor")
    assert (background == "rgb(255, 255, 255)") == (not is_dark)
    assert page.low_contrast() == {}
    page.dark(False)


def test_tables_sort_and_filter_by_keyboard(page):
    page.open(page.report)
    column = "[...document.querySelector('#associations-table').tBodies[0].rows].map(row => Number(row.cells[5].dataset.v))"
    before = page.run(f"return {column}")
    page.run("document.querySelectorAll('#associations-table thead button')[5].focus()")
    for _ in range(2):
        page.enter()
        last, before = before, page.run(f"return {column}")
        if before == sorted(before, reverse=True):
            assert page.run("return document.querySelectorAll('#associations-table th')[5].ariaSort") == "descending"
    assert before == sorted(before) and last == sorted(last, reverse=True) and len(set(before)) > 3
    page.run("const input = document.querySelector('.filter input'); input.value = 'DCSCTP abort'; input.dispatchEvent(new Event('input'))")
    shown = page.run("return [...document.querySelector('#associations-table').tBodies[0].rows].filter(row => !row.hidden).map(row => row.textContent)")
    assert len(shown) == 1 and "dcsctp_abort" in shown[0]


def test_the_contents_stay_in_sight_and_sections_fold_by_keyboard(page):
    page.open(page.report)
    page.run("document.querySelector('article:last-of-type').scrollIntoView()")
    assert page.run("const nav = document.querySelector('nav').getBoundingClientRect(); return [nav.top, nav.height > 20]") == [0, True]
    assert page.run("return [...document.querySelectorAll('article')].every(each => each.querySelector('details').open)")
    page.run("document.querySelector('article summary').focus()")
    page.enter()
    assert not page.run("return document.querySelector('article details').open")
    page.enter()
    assert page.run("return document.querySelector('article details').open")
    page.open(page.report)


def test_a_rule_is_explained_where_it_stands(page):
    rows = page.run("""return [...document.querySelectorAll('#rules tbody tr')]
        .map(row => [row.cells[0].textContent, row.querySelector('summary').textContent, row.querySelector('details').textContent])""")
    assert len(rows) > 1
    for rule, title, text in rows:
        assert re.fullmatch(r"[A-Z]+-\d+", rule) and title and "Evidence: " in text and "Possible false positive: " in text
    assert page.run("return document.querySelector('#rules details').open") is False


def test_frames_are_copied_as_a_display_filter(page, tshark):
    frames = page.run("return document.querySelector('td[data-frames]').dataset.frames")
    page.run("""window.copied = null; document.execCommand = () => { window.copied = document.activeElement.value; return true; };
        Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject(new Error()) }, configurable: true });
        document.querySelector('button.copy').click()""")
    assert page.run("return new Promise(done => setTimeout(() => done(window.copied), 100))") == f"frame.number in {{{frames}}}"
    assert page.run("return document.querySelector('button.copy').textContent") == "Copied"
    listed = tshark("-n", "-r", page.triage.associations()[0]["capture"]["file"], "-Y", f"frame.number in {{{frames}}}", "-T", "fields", "-e", "frame.number")
    assert listed.returncode == 0, listed.stderr
    page.open(page.report)


def test_page_is_whole_without_its_script(page):
    page.tool("Emulation.setScriptExecutionDisabled", value=True)
    try:
        page.open(page.report)
        tree = page.tool("Accessibility.getFullAXTree")["nodes"]
        assert sum(node.get("role", {}).get("value") == "article" for node in tree) == len(page.triage.associations())
        assert not [node for node in tree if node.get("role", {}).get("value") in ("button", "searchbox")]
    finally:
        page.tool("Emulation.setScriptExecutionDisabled", value=False)
        page.open(page.report)


def test_page_would_run_and_load_nothing_that_slipped_in(page):
    page.open(page.report)
    page.console()
    page.run("""const script = document.createElement('script'); script.textContent = 'window.ran = 1'; document.body.append(script);
        document.body.insertAdjacentHTML('beforeend', '<img src="x.png" onerror="window.ran = 2"><p style="color: red" id="styled">a</p>')""")
    assert page.run("return [window.ran, getComputedStyle(document.getElementById('styled')).color === 'rgb(255, 0, 0)']") == [None, False]
    assert len([message for message in page.console() if "Content Security Policy" in message]) >= 3
    page.open(page.report)


def test_prints_all_of_it(page, tmp_path):
    page.pdf(tmp_path / "page.pdf")
    pages = len(re.findall(rb"/Type\s*/Page\b", (tmp_path / "page.pdf").read_bytes()))
    assert pages > len(page.triage.associations())
