# SPDX-License-Identifier: GPL-2.0-or-later
"""Links between documents lead to files and headings that exist.

Leaves out links to the web.
"""

import re

import pytest

import project_files

TOP = project_files.TOP
DOCUMENTS = [path for path in project_files.paths() if path.suffix == ".md" and "templates" not in path.parts]
LINK = re.compile(r"(?:\]\(|<img src=\")([^)\"\s]+)")


def without_code(text):
    """Without code blocks and code in lines, whose brackets are no links."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    return re.sub(r"`[^`\n]*`", "`", text)


def anchors(text):
    """What a link to a place in this document may be called: headings as GitHub names them, and `<a id>`."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S), re.M)
    names, seen = set(re.findall(r'<a id="([^"]+)">', text)), {}
    for heading in headings:
        heading = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip().lower()
        name = re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")
        count = seen[name] = seen.get(name, -1) + 1
        names.add(f"{name}-{count}" if count else name)
    return names


def broken_links(path):
    """Links of the document at this path (relative to TOP) that lead nowhere."""
    for link in LINK.findall(without_code((TOP / path).read_text(encoding="utf-8"))):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = TOP / path.parent / name if name else TOP / path
        if not target.exists():
            yield link
        elif anchor and target.suffix == ".md" and anchor not in anchors(target.read_text(encoding="utf-8")):
            yield link


@pytest.mark.parametrize("path", DOCUMENTS, ids=str)
def test_links_lead_somewhere(path):
    assert list(broken_links(path)) == []


def test_links_are_found_and_anchors_are_as_github_has_them():
    assert sum(len(LINK.findall((TOP / path).read_text(encoding="utf-8"))) for path in DOCUMENTS) > 120
    assert anchors("# A `b`, c\n## A b c\n```\n# no\n```\n") == {"a-b-c", "a-b-c-1"}
    assert LINK.findall(without_code("[x](rules.md#z) `a[0](b)`")) == ["rules.md#z"]
