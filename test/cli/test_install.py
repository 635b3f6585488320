# SPDX-License-Identifier: GPL-2.0-or-later
"""`cmake --install` and `./run --install` put everything where Wireshark, man and a reader look for it.

Leaves out Debian's packages: test/packages/run.
"""

import os
import pathlib
import shutil
import subprocess

import pytest
from conftest import unprivileged

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = TOP / "build" / "release"
PROFILE = {path.name for path in (TOP / "lua" / "profile" / "SCTP Analysis").iterdir()}


def install(*arguments, **environment):
    subprocess.run(["cmake", "--install", BUILD, *arguments], check=True, capture_output=True, env={**os.environ, **environment})


def files(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def plugin_folder(of, tshark, **environment):
    """What tshark calls its folder of plugins: "Personal" or "Global"."""
    listed = tshark("-G", "folders", plugin=False, environment=environment).stdout
    return next(line.split("\t", 1)[1].strip() for line in listed.splitlines() if line.startswith(f"{of} Plugins"))


@pytest.fixture(params=["cmake", "run"])
def home(request, tmp_path):
    """The home of a user for whom the plugin was installed."""
    folder = tmp_path / "home"
    folder.mkdir(mode=0o755)
    if request.param == "cmake":
        install("--component", "personal", "--prefix", folder / ".local")
    else:
        subprocess.run([TOP / "run", "--install"], check=True, capture_output=True, stdin=subprocess.DEVNULL,
                       env={**{name: value for name, value in os.environ.items() if not name.startswith("SUDO_")}, "HOME": str(folder)})
    subprocess.run(["chmod", "-R", "a+rX", folder], check=True)
    return folder


def test_a_user_gets_plugin_dialogs_documents_and_man_pages(home, tshark):
    plugins = pathlib.Path(plugin_folder("Personal", tshark, HOME=str(home)))
    assert plugins.is_relative_to(home)
    assert files(plugins) == {"epan/sctp_analysis.so", "epan/sctp_analysis/sctp_analysis_ui.so"}
    for name in ("report/__main__.py", "report/templates/page.html", "templates/base.html"):
        assert (plugins / "epan/sctp_analysis/report/sctpa" / name).is_file()
    shared = files(home / ".local/share")
    assert {"doc/sctp-analysis/guide.md", "doc/sctp-analysis/generated/reference.md", "doc/sctp-analysis/images/association.png",
            "man/man7/sctp-analysis.7", "man/man1/sctp-analysis.1", "sctp-analysis/lua/profile/SCTP Analysis/preferences"} <= shared
    assert all("sctp-analysis" in name for name in shared), "cannot be told from what else is there"


def test_the_users_tshark_has_the_reports(home, tshark):
    demo = TOP / "test/captures/demo.pcapng.gz"
    variables = {**os.environ, "HOME": str(home), "LC_ALL": "C.UTF-8", "TZ": "UTC"}
    for name in ("WIRESHARK_PLUGIN_DIR", "WIRESHARK_CONFIG_DIR", "XDG_CONFIG_HOME"):
        variables.pop(name, None)
    copy = shutil.copy(demo, home / demo.name)
    os.chmod(copy, 0o644)
    result = subprocess.run([*unprivileged(), "tshark", "-q", "-r", copy, "-z", "sctp,triage"], env=variables, cwd="/",
                            capture_output=True, encoding="utf-8")
    assert result.stdout == tshark("-q", "-r", demo, "-z", "sctp,triage").stdout != ""


def test_installing_again_renews_every_file(tmp_path):
    environment = {**{name: value for name, value in os.environ.items() if not name.startswith("SUDO_")}, "HOME": str(tmp_path)}
    inodes = []
    for _ in range(2):
        subprocess.run([TOP / "run", "--install"], check=True, capture_output=True, stdin=subprocess.DEVNULL, env=environment)
        (module,) = (tmp_path / ".local").rglob("sctp_analysis_ui.so")
        inodes.append(module.stat().st_ino)
        held = open(module, "rb")
    assert inodes[0] != inodes[1], "a running Wireshark would have the new file in its memory"
    held.close()


def test_an_earlier_version_is_replaced(tmp_path):
    environment = {**{name: value for name, value in os.environ.items() if not name.startswith("SUDO_")}, "HOME": str(tmp_path)}
    subprocess.run([TOP / "run", "--install"], check=True, capture_output=True, stdin=subprocess.DEVNULL, env=environment)
    (report,) = (tmp_path / ".local").rglob("epan/sctp_analysis/report")
    for module in report.iterdir():
        module.unlink()
        module.mkdir()
        (module / "old.py").touch()
    subprocess.run([TOP / "run", "--install"], check=True, capture_output=True, stdin=subprocess.DEVNULL, env=environment)
    assert all(module.is_symlink() and [*module.glob("*.py")] for module in report.iterdir()) and not [*report.rglob("old.py")]


def test_what_the_user_had_keeps_its_permissions(tmp_path):
    folder = tmp_path / ".local" / "share"
    folder.mkdir(parents=True)
    for path in (folder, folder.parent):
        path.chmod(0o700)
    subprocess.run([TOP / "run", "--install"], check=True, capture_output=True, stdin=subprocess.DEVNULL,
                   env={**{name: value for name, value in os.environ.items() if not name.startswith("SUDO_")}, "HOME": str(tmp_path)})
    assert [path.stat().st_mode & 0o777 for path in (folder, folder.parent)] == [0o700] * 2


def test_all_users_get_it_where_wireshark_looks(tmp_path):
    install("--prefix", "/usr", DESTDIR=str(tmp_path))
    system = subprocess.run(["pkg-config", "--variable=plugindir", "wireshark"], capture_output=True, text=True, check=True).stdout.strip()
    installed = files(tmp_path)
    assert {f"{system}/epan/sctp_analysis.so"[1:], f"{system}/epan/sctp_analysis/sctp_analysis_ui.so"[1:],
            "usr/share/man/man7/sctp-analysis.7", "usr/share/doc/sctp-analysis/guide.md", "usr/bin/sctp-analysis", "usr/share/man/man1/sctp-analysis.1",
            "usr/share/wireshark/profiles/SCTP Analysis/preferences"} <= installed


@pytest.mark.parametrize("component, holds", [("plugin", {"sctp_analysis.so"}), ("dialogs", {"sctp_analysis_ui.so", *PROFILE})])
def test_a_component_can_be_had_alone(component, holds, tmp_path):
    """What the dialogs start comes with the command: they have a link to it."""
    install("--component", component, DESTDIR=str(tmp_path))
    assert {path.name for path in tmp_path.rglob("*") if path.is_file()} == holds
    assert bool([*tmp_path.rglob("epan/sctp_analysis/report")]) == (component == "dialogs")


def test_the_program_of_reports_runs_where_it_is_installed(tmp_path):
    """All that it imports is there: of this project it finds only what lies beside it."""
    for component in ("command", "dialogs"):
        install("--component", component, DESTDIR=str(tmp_path))
    (program,) = tmp_path.rglob("epan/sctp_analysis/report")
    result = subprocess.run(["/usr/bin/python3", "-sPB", "-m", "sctpa.report", "--help"], cwd="/", capture_output=True, text=True,
                            env={**os.environ, "PYTHONPATH": str(program)})
    assert result.returncode == 0 and "usage" in result.stdout, result.stderr
    modules = [str(path.relative_to(program).with_suffix("")).replace("/", ".") for module in program.iterdir() for path in module.rglob("*.py") if path.stem != "__main__"]
    subprocess.run(["/usr/bin/python3", "-sPB", "-c", f"import {', '.join(sorted(modules))}"], cwd="/", check=True,
                   env={**os.environ, "PYTHONPATH": str(program)})
