# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects the plots of report.html that can be zoomed: by mouse and by keyboard, with the values of the decimation, under the page's own
Content-Security-Policy; and that all of the page can be reached and used by keyboard. Leaves the drawings to test_triage_plots.py."""

import hashlib
import json

import pytest

import browser
from triage_runs import TOP
from test_triage_page import page  # noqa: F401

TEMPLATES = TOP / "sctpa/templates"
FIGURE = "article figure.zoomable"
# Where the cursor of the plot stands that was made.
READ = "return document.querySelector('.zoomable:has(.uplot) .at').textContent"

pytestmark = pytest.mark.skipif(not browser.is_there(), reason="needs chromium and chromedriver")


def unpacked(text):
    """Traces of a data block as [[column, least, greatest]...], as plots.js reads them."""
    words, traces = json.loads(text), []
    for columns, lows, spans, is_delta in words["traces"]:
        points, column, value = [], 0, 0
        for number, step in enumerate(columns):
            column += step
            value = value + lows[number] if is_delta else lows[number]
            points.append([column, value, value + (spans[number] if spans else 0)])
        traces.append(points)
    return traces


def focus(page):  # noqa: F811
    """The first plot, focused as by keyboard; its times at both ends."""
    page.open(page.report)
    page.run(f"document.querySelector('{FIGURE} .drawing').focus()")
    return [reached(page, key) for key in ("Home", "End")]


def reached(page, *keys):  # noqa: F811
    """Seconds at which the cursor stands after these keys."""
    for key in keys:
        page.press(key)
    return float(page.run(READ).split(" ")[0])


def test_vendored_files_are_those_that_were_published():
    for line in (TEMPLATES / "uPlot.sha256").read_text().splitlines():
        digest, name = line.split()
        assert hashlib.sha256((TEMPLATES / name).read_bytes()).hexdigest() == digest, name


@pytest.mark.thorough
def test_a_page_with_uplot_holds_its_licence(page):  # noqa: F811
    text = page.report.read_text()
    assert "/*! https://github.com/leeoniya/uPlot (v1.6.32) */" in text and (TEMPLATES / "uPlot.LICENSE").read_text() in text


def test_values_in_the_page_are_those_of_the_decimation(page):  # noqa: F811
    from sctpa.triage import results
    store = results.Folder(page.triage.out)
    key, = (path.stem for path in (page.triage.out / "resume").glob("*.json") if json.loads(path.read_text())["file"].endswith("demo.pcapng.gz"))
    sections = page.run("""return [...document.querySelectorAll('article')].filter(each => each.querySelector('h3').textContent.includes('demo'))
        .map(each => [each.querySelector('h3').textContent, [...each.querySelectorAll('figure')].map(figure => [figure.querySelector('figcaption').textContent,
        figure.querySelector('script').textContent])])""")
    checked = 0
    for heading, figures in sections:
        plots = store.plots(key, int(heading.split()[2]))
        assert bool(plots) or not figures
        traces = plots["traces"] if plots else []
        known = [[[*point] for point in points] for end in traces for points in end.values()]
        for _, text in figures:
            for points in unpacked(text):
                assert any(len(points) == len(each) and all(a[0] == b[0] and a[1:] == pytest.approx(b[1:], rel=1e-6) for a, b in zip(points, each)) for each in known)
                checked += 1
    assert checked > 50


def test_dragging_zooms_and_a_double_click_shows_all_again(page):  # noqa: F811
    start, end = focus(page)
    page.console()
    whole = page.run("return document.querySelectorAll('.uplot').length")
    page.drag(f"{FIGURE} .drawing", (0.5, 0.5), (0.7, 0.5))
    zoomed = float(page.run(READ).split(" ")[0])
    # The pointer stands where the drag began, in the middle of a view that has become narrower.
    middle = (zoomed - start) / (end - start)
    assert whole == 1 and 0.4 < middle < 0.8
    page.run("""const over = document.querySelector('.uplot .u-over'); over.dispatchEvent(new MouseEvent('dblclick', {bubbles: true}));""")
    page.drag(f"{FIGURE} .drawing", (0.5, 0.5), (0.501, 0.5))
    assert abs((float(page.run(READ).split(" ")[0]) - start) / (end - start) - 0.44) < 0.05
    assert page.console() == []


def test_keys_read_zoom_and_reset(page):  # noqa: F811
    page.console()
    start, end = focus(page)
    column = (end - start) / 479
    assert reached(page, "Home", "ArrowRight") - start == pytest.approx(column, rel=0.2)
    page.press("ArrowRight", shift=True)
    assert float(page.run(READ).split(" ")[0]) - start == pytest.approx(11 * column, rel=0.2)
    pixels = "return document.querySelector('.zoomable .u-cursor-x').getBoundingClientRect().x"
    reached(page, "Home")
    left = page.run(pixels)
    reached(page, "ArrowRight")
    width = page.run(pixels) - left
    reached(page, "Home", "+", "+", "+")
    left = page.run(pixels)
    reached(page, "ArrowRight")
    assert page.run(pixels) - left == pytest.approx(8 * width, rel=0.3)
    values = page.run(f"return [...document.querySelectorAll('{FIGURE}')][0].querySelector('[role=status]').textContent")
    assert values.split(";")[0].endswith(" s")
    reached(page, "-", "-", "-", "Home")
    left = page.run(pixels)
    reached(page, "ArrowRight")
    assert page.run(pixels) - left == pytest.approx(width, rel=0.3)
    reached(page, "+", "+", "Escape", "Home")
    left = page.run(pixels)
    reached(page, "ArrowRight")
    assert page.run(pixels) - left == pytest.approx(width, rel=0.3)
    assert page.console() == []


def test_the_cursor_names_values_of_the_traces(page):  # noqa: F811
    focus(page)
    reached(page, "End")
    legend = page.run(f"""const figure = document.querySelector('{FIGURE}'); const items = [...figure.querySelectorAll('.legend li')].map(each => each.textContent);
        return [items, figure.querySelector('script').textContent]""")
    cum_ack = [item for item in legend[0] if item.startswith("acknowledged")]
    number = [item.split("acknowledged")[0] == "" for item in legend[0]].index(True)
    assert cum_ack[0].removeprefix("acknowledged").replace(",", "") == str(unpacked(legend[1])[number][-1][2])


def test_colours_follow_light_and_dark(page):  # noqa: F811
    focus(page)
    background = "return getComputedStyle(document.querySelector('.uplot')).backgroundColor"
    light = page.run(background)
    page.dark()
    assert page.run(f"return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done((() => {{ {background} }})()))))") != light
    assert page.run("return document.querySelectorAll('.uplot').length") == 1
    page.dark(False)


def test_paper_shows_the_drawings(page):  # noqa: F811
    focus(page)
    page.tool("Emulation.setEmulatedMedia", media="print")
    assert page.run("return [getComputedStyle(document.querySelector('.uplot')).display, document.querySelector('svg.plot').checkVisibility()]") == ["none", True]
    page.tool("Emulation.setEmulatedMedia", media="")


def test_a_plot_goes_when_it_is_left_and_not_zoomed(page):  # noqa: F811
    focus(page)
    page.press("Tab")
    shown = [page.run("return [...document.querySelectorAll('.zoomable')].map(each => each.querySelector('.uplot') !== null).slice(0, 2)")]
    page.press("+")
    page.press("Tab")
    shown.append(page.run("return [...document.querySelectorAll('.zoomable')].map(each => each.querySelector('.uplot') !== null).slice(0, 3)"))
    assert shown == [[False, True], [False, True, True]]


def test_tab_leads_through_all_of_the_page_in_its_order_and_shows_where(page):  # noqa: F811
    page.open(page.report)
    page.run("window.reached = []; document.addEventListener('focusin', event => window.reached.push(event.target))")
    for _ in range(250):
        page.press("Tab")
        if page.run("return document.activeElement.classList.contains('drawing')"):
            break
    said = page.run("""return window.reached.map((each, i) => [each.tagName, each.className, i === 0 ||
        Boolean(window.reached[i - 1].compareDocumentPosition(each) & (Node.DOCUMENT_POSITION_FOLLOWING | Node.DOCUMENT_POSITION_CONTAINED_BY))])""")
    assert said[0][:2] == ["A", "skip"] and said[-1][:2] == ["DIV", "drawing"] and all(follows for *_, follows in said)
    assert {"A", "BUTTON", "INPUT", "SUMMARY", "DIV"} <= {tag for tag, *_ in said}
    page.run("window.unseen = []; document.addEventListener('focusin', event => { const s = getComputedStyle(event.target); if (s.outlineStyle === 'none') window.unseen.push(event.target.tagName); })")
    page.run("document.activeElement.blur(); window.scrollTo(0, 0)")
    for _ in range(20):
        page.press("Tab")
    assert page.run("return window.unseen") == []
    page.open(page.report)


def test_what_folds_does_so_by_enter_and_space(page):  # noqa: F811
    page.open(page.report)
    for selector in ("#rules details", "article details"):
        for key in ("Enter", " "):
            before = page.run("const each = document.querySelector(arguments[0]); each.querySelector('summary').focus(); return each.open", selector)
            page.press(key)
            assert page.run("return document.querySelector(arguments[0]).open", selector) is not before
    page.open(page.report)
