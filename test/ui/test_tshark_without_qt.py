# SPDX-License-Identifier: GPL-2.0-or-later
"""tshark with the plugin loads no Qt and no library that it would not load without the plugin, so that it starts as it did."""

import re
import subprocess

import pytest

QT = re.compile(r"lib(Qt|qcustomplot)", re.I)


def loaded_libraries(result):
    """Names of the files that the dynamic linker loaded (LD_DEBUG=files)."""
    return {line.rsplit("/", 1)[-1] for line in re.findall(r"calling init: (\S+)", result.stderr)}


def modules(tshark, pattern):
    return list(tshark.with_plugin.glob(pattern))


def test_the_plugin_links_no_qt(tshark):
    (plugin,) = modules(tshark, "*/epan/sctp_analysis.so")
    listing = subprocess.run(["ldd", plugin], capture_output=True, text=True, check=True).stdout
    assert "libwireshark" in listing and not QT.search(listing)


def test_the_module_links_qt_and_lies_where_wireshark_looks_for_no_plugins(tshark):
    (module,) = modules(tshark, "*/epan/sctp_analysis/*.so")
    assert QT.search(subprocess.run(["ldd", module], capture_output=True, text=True, check=True).stdout)


@pytest.mark.parametrize("report", ["sctp,triage", "sctp,json", "sctp,series,0"])
def test_tshark_loads_nothing_more_than_the_plugin(tshark, captures, report):
    demo = next(capture for capture in captures if capture.name == "demo.pcapng.gz")
    debug = {"LD_DEBUG": "libs"}
    plain = loaded_libraries(tshark("-q", "-r", demo, plugin=False, environment=debug))
    with_plugin = loaded_libraries(tshark("-q", "-r", demo, "-z", report, environment=debug))
    assert any(name.startswith("libwireshark.so") for name in plain)
    assert with_plugin - plain == {"sctp_analysis.so"}
    assert not any(QT.search(name) for name in with_plugin)
