# SPDX-License-Identifier: GPL-2.0-or-later
"""Debian's packages in a clean chroot, as root: installed, used, removed. test/packages/run starts it; the order of the tests is that of a
package's life.

Leaves out building (packaging/build) and what reports and windows say (test/tshark, test/ui).
"""

import os
import pathlib
import re
import subprocess
import sys

import pytest
from conftest import TOP, unprivileged

sys.path.insert(0, str(TOP / "test" / "ui"))

REPORTS, DIALOGS = "tshark-sctp-analysis", "wireshark-sctp-analysis"
# What triage needs, recommended only.
PYTHON = ("python3-jinja2", "python3-tqdm")
PACKAGES = pathlib.Path(os.environ.get("SCTPA_BUILT_PACKAGES", "/nonexistent"))
DEMO = TOP / "test/captures/demo.pcapng.gz"
# Changed by every apt-get, or no part of the system: lists, caches, logs, mounts, this checkout.
UNSTABLE = {"/proc", "/sys", "/dev", "/tmp", "/run", "/src", "/root", "/var/cache", "/var/log", "/var/lib/apt", "/var/lib/dpkg",
            "/etc/ld.so.cache", "/etc/resolv.conf", "/etc/hosts"}
QT = re.compile(r"libqt|qcustomplot", re.I)


def run(*command, check=True, **options):
    return subprocess.run(command, check=check, capture_output=True, encoding="utf-8", stdin=subprocess.DEVNULL, **options)


def apt_get(*arguments, check=True):
    return run("apt-get", "-y", "--no-install-recommends", *arguments, check=check, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})


def deb(name, folder=PACKAGES):
    (found,) = folder.glob(f"{name}_*.deb")
    return str(found)


def tshark(*arguments):
    """tshark as a user that Wireshark loads plugins for."""
    variables = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
    return run(*unprivileged(), "tshark", *arguments, check=False, env=variables, cwd="/")


def system_files():
    """{path: (size, time of change)} of all files, and None for folders; of dpkg's own only their names."""
    found = {}
    for folder, folders, files in os.walk("/"):
        folders[:] = [name for name in folders if os.path.join(folder, name) not in UNSTABLE]
        for name in [*folders, *files]:
            path = os.path.join(folder, name)
            if path not in UNSTABLE:
                state = os.lstat(path)
                found[path] = None if name in folders else (state.st_size, state.st_mtime_ns)
    return found | {f"/var/lib/dpkg/info/{name}": None for name in os.listdir("/var/lib/dpkg/info")}


@pytest.fixture(scope="module")
def before():
    """What was there before the packages."""
    assert "sctp_analysis" not in tshark("-G", "plugins").stdout
    return system_files()


@pytest.fixture(scope="module")
def reports(before):
    """The package for tshark alone is installed."""
    apt_get("install", deb(REPORTS))


@pytest.fixture(scope="module")
def dialogs(reports):
    """The package for Wireshark, too."""
    apt_get("install", deb(DIALOGS))


def test_depends_on_this_wireshark_and_on_no_qt(reports):
    depends = run("dpkg-deb", "-f", deb(REPORTS), "Depends").stdout
    (library,) = pathlib.Path("/usr/lib").glob("*/libwireshark.so.[0-9][0-9]")
    package = run("dpkg", "-S", str(library)).stdout.split(":")[0]
    assert re.search(rf"\b{package} \(>= ", depends), depends
    assert not QT.search(depends)


OTHERS = sorted({path.parent for path in PACKAGES.parent.glob(f"*/{REPORTS}_*.deb")} - {PACKAGES})


@pytest.mark.parametrize("folder", OTHERS, ids=lambda folder: folder.name)
def test_the_package_of_another_wireshark_is_refused(folder):
    result = apt_get("install", "--simulate", "--allow-downgrades", deb(REPORTS, folder), check=False)
    assert result.returncode != 0 and re.search(r"Depends: libwireshark\d+", result.stdout + result.stderr), result.stdout + result.stderr


def test_tshark_lists_the_plugin_where_debian_puts_plugins(reports):
    listed = [line.split() for line in tshark("-G", "plugins").stdout.splitlines() if line.startswith("sctp_analysis.so")]
    assert len(listed) == 1
    version = run("dpkg-deb", "-f", deb(REPORTS), "Version").stdout.split("-")[0]
    assert listed[0][1] == version
    assert re.fullmatch(r"/usr/lib/[^/]+/wireshark/plugins/\d\.\d/epan/sctp_analysis\.so", listed[0][-1])


def test_tshark_prints_the_triage_of_the_demo(reports):
    result = tshark("-q", "-o", "sctp_analysis.messages:TRUE", "-r", str(DEMO), "-z", "sctp,triage")
    assert result.returncode == 0 and result.stderr == ""
    assert len(result.stdout) > 1000 and (TOP / "test/golden/demo.txt").read_text().startswith(result.stdout)


def test_documents_and_man_page_are_there(reports):
    listed = run("dpkg", "-L", REPORTS).stdout.split("\n")
    documents = f"/usr/share/doc/{REPORTS}"
    assert {"/usr/share/man/man7/sctp-analysis.7.gz", f"{documents}/guide.md", f"{documents}/generated/reference.md", f"{documents}/copyright"} <= set(listed)
    assert {"/usr/bin/sctp-analysis", "/usr/share/man/man1/sctp-analysis.1.gz", "/usr/share/sctp-analysis/lua/sctp_rules.lua", f"{documents}/lua.md",
            f"{documents}/commands.md"} <= set(listed)


def command(folder, *words, check=True):
    """sctp-analysis as a user, in folder."""
    folder.chmod(0o777)
    return run(*unprivileged(), "env", f"--chdir={folder}", "HOME=/nonexistent", "sctp-analysis", *words, check=check)


def test_the_command_says_what_it_needs(reports, tmp_path):
    shown = command(tmp_path, "triage", str(DEMO), check=False)
    assert shown.returncode == 3 and shown.stderr.startswith("sctp-analysis: please install: python3")


def test_the_command_reads_many_captures_and_is_a_gate(reports, tmp_path):
    apt_get("install", *PYTHON)
    assert command(tmp_path, str(DEMO)).stdout.startswith("=====")
    command(tmp_path, "triage", "--out", "out", str(DEMO))
    assert (tmp_path / "out/report.html").stat().st_size > 10_000
    gate = command(tmp_path, "check", "--fail-on", "must", str(DEMO), check=False)
    assert gate.returncode in (0, 1) and gate.stdout
    assert command(tmp_path, "explain", "RX-023").stdout.startswith("RX-023")


def test_wireshark_has_the_profile(dialogs):
    folders = tshark("-G", "folders").stdout
    data = next(line.split("\t", 1)[1].strip() for line in folders.splitlines() if line.startswith("Global configuration"))
    assert (pathlib.Path(data) / "profiles/SCTP Analysis/preferences").is_file()


def test_wireshark_opens_the_window_of_associations(dialogs, tmp_path):
    import desktop
    import driven_wireshark
    with desktop.Desktop() as screen:
        wireshark = driven_wireshark.Wireshark(screen, tmp_path, has_plugin=False)
        del wireshark.environment["WIRESHARK_PLUGIN_DIR"]
        with wireshark:
            window = wireshark.choose(driven_wireshark.ASSOCIATIONS, r"SCTP Associations · demo\.pcapng\.gz")
            colors, _ = screen.colors(screen.shoot(window, "associations"))
            screen.shoot(None, "desktop")
    assert colors > 8, "the window is empty"


def test_removed_and_purged_nothing_is_left(dialogs, before):
    installed = [path for name in (REPORTS, DIALOGS) for path in run("dpkg", "-L", name).stdout.split("\n") if path and os.path.isfile(path)]
    assert len(installed) > 10
    apt_get("purge", "--auto-remove", REPORTS, DIALOGS, *PYTHON)
    assert not [path for path in installed if os.path.lexists(path)]
    assert "sctp-analysis" not in run("dpkg-query", "-W", "-f", "${Package} ${db:Status-Abbrev}\n").stdout
    after = system_files()
    assert after == before
    assert "sctp_analysis" not in tshark("-G", "plugins").stdout
