# SPDX-License-Identifier: GPL-2.0-or-later
"""What every page has in common: its templates, style and script, and how numbers are written. A page is one file that needs nothing else: a
Content-Security-Policy allows its style and its script and nothing else, and templates escape all they are given.
"""

import base64
import datetime
import hashlib
import pathlib

import jinja2
from markupsafe import Markup

from . import plots

TEMPLATES = pathlib.Path(__file__).with_name("templates")
UPLOT = TEMPLATES / "uPlot.iife.min.js"
# Rows of what an association has many of.
SHOWN = {"events": 60, "findings": 100, "paths": 24, "streams": 24, "frames": 32, "addresses": 16}
# What a page with plots needs besides.
WITH_PLOTS = (TEMPLATES / "uPlot.min.css", TEMPLATES / "plots.css", UPLOT, TEMPLATES / "plots.js")


def style_hash(text):
    """Of a style or script of a page, as its Content-Security-Policy names it."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def number(value, decimals=None):
    """With thousands separators; '-' when not known."""
    if value is None:
        return "-"
    return f"{value:,}" if decimals is None else f"{value:,.{decimals}f}"


def seconds(value):
    """In the unit that fits."""
    if value is None:
        return "-"
    if value >= 120:
        return f"{value / 60:,.1f} min"
    return f"{value:.3f} s" if value >= 1 else f"{value * 1e3:.2f} ms"


def size(value, unit="B"):
    """Bytes, or another unit, with a prefix."""
    if value is None:
        return "-"
    text = plots.si(value)
    return text + unit if text[-1].isalpha() else f"{text} {unit}"


def share(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else "-"


def environment(folder, autoescape=True):
    """Jinja's environment for templates of a folder and those of all pages, with the filters and words of the latter."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader((folder, TEMPLATES)),
        autoescape=autoescape,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(number=number, seconds=seconds, size=size, words=lambda text: str(text).replace("_", " "))
    made.globals.update(shown=SHOWN)
    return made


def words(*more):
    """What base.html asks for. more: further style sheets and scripts, which come after those of all pages in this order."""
    texts = {".css": "", ".js": ""}
    for path in (TEMPLATES / "pages.css", TEMPLATES / "pages.js", *more):
        texts[path.suffix] += path.read_text(encoding="utf-8")
    style, script = texts[".css"], texts[".js"]
    if UPLOT in more:
        script += f"/*\n{(TEMPLATES / 'uPlot.LICENSE').read_text(encoding='utf-8')}*/\n"
    return {
        "style": Markup(style),
        "script": Markup(script),
        "style_hash": style_hash(style),
        "script_hash": style_hash(script),
        "made": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
    }
