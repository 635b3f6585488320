# SPDX-License-Identifier: GPL-2.0-or-later
"""The version stands in plugins/sctp_analysis/identity.cmake: what is built says it, and where a form of its own needs it again, it is the same.

Leaves out the man pages, which are written with it (test_documents_current.py).
"""

import json
import pathlib
import re

import pytest

import project_files
import registered
from conftest import CAPTURES

TOP = project_files.TOP
# The first version of each: that in work.
HEADS = {
    "packaging/debian/changelog": r"sctp-analysis \(([\d.]+)-\d+\) ",
    "CHANGELOG.md": r"^## \[?([\d.]+)\]?",
    "packaging/fedora/sctp-analysis.spec": r"^Version: +([\d.]+)$",
    "packaging/arch/PKGBUILD": r"^pkgver=([\d.]+)$",
}
NAMED = re.compile(r"sctp[_-]analysis (\d+\.\d+\.\d+)")


def first_version(text, pattern):
    return re.search(pattern, text, re.M).group(1)


@pytest.mark.parametrize("name", HEADS)
def test_the_newest_entry_is_of_this_version(name):
    assert first_version((TOP / name).read_text(encoding="utf-8"), HEADS[name]) == registered.version()


def test_the_plugin_says_the_version(tshark):
    row = next(line for line in tshark("-G", "plugins").stdout.splitlines() if line.startswith("sctp_analysis.so"))
    assert row.split("\t")[1] == registered.version()


def test_json_says_the_version(tshark):
    result = tshark("-q", "-r", CAPTURES / "linux/init-fail/A.pcapng.gz", "-z", "sctp,json")
    assert json.loads(result.stdout)["generator"]["plugin"] == registered.version()


def test_no_text_names_another_version():
    texts = [path for path in project_files.paths() if path.suffix in {".md", ".1", ".7", ".txt", ".lua", ".py", ".html"}]
    named = {(str(path), version) for path in texts for version in NAMED.findall((TOP / path).read_text(encoding="utf-8", errors="replace"))}
    assert {pathlib.Path(name).suffix for name, _ in named} >= {".1", ".7"}
    assert {(name, version) for name, version in named if version != registered.version()} == set()
