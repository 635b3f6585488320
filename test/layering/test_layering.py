"""Checks the rules of dependency, naming and size that docs/architecture.md sets for the sources, and that these checks can fail.

Leaves out what a compiler or a linker already checks.
"""

import pathlib
import re
import shutil
import subprocess

import pytest

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
PLUGIN = pathlib.Path("plugins/sctp_analysis")

# What the files of a folder may include of ours, besides their own folder. `sctpa` is core/sctpa.h, `host` is ui/host.h.
# A table (.def) of the core may be expanded in every layer that may read results.
ALLOWED = {
    "base": set(),
    "wire": {"base"},
    "data": {"base", "wire"},
    "track": {"base", "wire", "data"},
    "tap": {"base", "wire", "data", "track"},
    "measure": {"base", "wire", "data", "track"},
    "fingerprint": {"base", "wire"},
    "reference": {"base", "wire", "data", "track", "tap", "fingerprint"},
    "rules": {"base", "wire", "data", "track", "tap", "reference"},
    "core": {"base", "wire", "data", "track", "tap", "measure", "fingerprint", "reference", "rules", "sctpa"},
    "sctpa": {"base", "wire", "data", "track", "tap", "measure", "fingerprint", "reference", "rules"},
    "report": {"sctpa"},
    "host": {"report"},
    "epan": {"sctpa", "report", "host"},
    "models": {"sctpa", "report", "host"},
    "plots": {"sctpa", "report", "host", "models"},
    "ui": {"sctpa", "report", "host", "models", "plots"},
}
CORE = {"base", "wire", "data", "track", "tap", "measure", "fingerprint", "reference", "rules", "core", "sctpa"}
FORBIDDEN_IN_CORE = {"stdio.h", "unistd.h", "time.h", "sys/time.h", "fcntl.h", "sys/socket.h", "glib/gstdio.h", "gio/gio.h"}
UI = {"ui", "plots", "models", "host"}
QT = re.compile(r"^(Q[A-Z]|Qt)")
WIRESHARK = re.compile(r"^(epan|wiretap|wsutil|ui)/|^(wireshark|cfile|file|ws_\w+)\.h$")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.M)
SOURCES = {".c", ".h", ".cpp", ".def"}
FORBIDDEN_NAME = re.compile(r"util|helper|common|manager|misc", re.I)
MAX_LINES = 500
MAX_COLUMNS = 120
# Tables whose columns are aligned: a row is a line.
WIDE_TABLES = {"fields.def", "params.def", "chunks.def", "causes.def", "analysis_fields.def", "faults.def", "loads.def",
               "protocol_parameters.def"}
SET_BY_LINKER = ("__bss_start", "_edata", "_end")


def sources(top):
    """Every source file of the plugin, and every C and C++ file of the tests except the lab's."""
    for folder in (PLUGIN, *map(pathlib.Path, ("test/unit", "test/fuzz", "test/hostile", "test/bench", "test/ui"))):
        for path in sorted((top / folder).rglob("*")):
            if path.suffix in SOURCES and path.is_file():
                yield path.relative_to(top)


def layer_of(path):
    """The layer a file below PLUGIN belongs to, or None for a test."""
    if not path.is_relative_to(PLUGIN):
        return None
    parts = path.relative_to(PLUGIN).parts
    if parts == ("ui", "host.h"):
        return "host"
    if parts[:2] in (("ui", "models"), ("ui", "plots")):
        return parts[1]
    if parts[0] != "core":
        return parts[0]
    if parts == ("core", "sctpa.h"):
        return "sctpa"
    return parts[1] if len(parts) > 2 else "core"


def target_of(top, path, name):
    """The file of ours that `#include "name"` in path means, or None."""
    for folder in (path.parent, PLUGIN / "core", PLUGIN, PLUGIN / "ui"):
        candidate = (top / folder / name).resolve()
        if candidate.is_file() and candidate.is_relative_to((top / PLUGIN).resolve()):
            return candidate.relative_to(top.resolve())
    return None


def without_comments(text):
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)


def wrong_includes(top):
    """Include lines against the one direction of the layers."""
    for path in sources(top):
        layer = layer_of(path)
        if layer is None:
            continue
        for quote, name in INCLUDE.findall(without_comments((top / path).read_text())):
            target = target_of(top, path, name) if quote == '"' else None
            if target is None:
                yield from wrong_foreign_include(path, layer, name)
            elif not may_include(layer, target):
                yield f"{path}: {layer} must not include {target}"


def may_include(layer, target):
    allowed = ALLOWED.get(layer, set()) | {layer}
    if target.suffix == ".def" and "sctpa" in allowed:
        allowed = allowed | CORE
    return layer_of(target) in allowed


def wrong_foreign_include(path, layer, name):
    if layer in CORE and (name in FORBIDDEN_IN_CORE or WIRESHARK.match(name)):
        yield f"{path}: the core must not include {name}"
    if layer in UI and WIRESHARK.match(name):
        yield f"{path}: ui/ must not include Wireshark's {name}"
    if layer not in UI - {"host"} and QT.match(name):
        yield f"{path}: only ui/ may include {name}"
    if layer != "epan" and name.startswith("epan/"):
        yield f"{path}: only epan/ may include {name}"


def wrong_version_conditions(top):
    for path in sources(top):
        if path == PLUGIN / "epan" / "compat.h":
            continue
        for number, line in enumerate((top / path).read_text().splitlines(), 1):
            if re.match(r"\s*#\s*(el)?if.*\b(WIRESHARK_VERSION|VERSION_M|SCTPA_WS_)", line):
                yield f"{path}:{number}: version conditions belong into epan/compat.h"


def missing_first_comments(top):
    for path in sources(top):
        if not re.match(r"\s*(/\*|//)", (top / path).read_text()):
            yield f"{path}: starts without a comment"


def long_files(top):
    for path in sources(top):
        lines = len((top / path).read_text().splitlines())
        if lines > MAX_LINES:
            yield f"{path}: {lines} lines, more than {MAX_LINES}"


def long_lines(top):
    for path in sources(top):
        for number, line in enumerate((top / path).read_text().splitlines(), 1):
            if len(line) > MAX_COLUMNS and path.name not in WIDE_TABLES:
                yield f"{path}:{number}: {len(line)} columns, more than {MAX_COLUMNS}"


def names_of_two_things(top):
    """Files of the plugin in different folders that have one name, but for the suffix."""
    homes = {}
    for path in sources(top):
        if path.is_relative_to(PLUGIN):
            homes.setdefault(path.stem, []).append(path)
    for paths in homes.values():
        if len({path.parent for path in paths}) > 1:
            yield from (f"{path}: the name stands for {len(paths)} things" for path in paths)


def forbidden_names(top):
    for path in sources(top):
        if FORBIDDEN_NAME.search(path.stem):
            yield f"{path}: names nothing"


def lonely_limits(top):
    """Numbers of the *_limits.h of rules and reference endpoints that no text can hold, that no row says or no code checks; and those that
    rows say and nobody defines."""
    homes = PLUGIN / "core" / "rules", PLUGIN / "core" / "reference"
    files = {path: (top / path).read_text() for path in sources(top) if any(map(path.is_relative_to, homes))}
    limits = {path for path in files if path.name.endswith("_limits.h")}
    # A row checks a number, too: .reported_from.
    code = "".join(re.sub(r"\bSAY\(\w+\)", "", without_comments(text)) for path, text in files.items() if path not in limits)
    said = {name: path for path, text in files.items() if path.suffix == ".def" for name in re.findall(r"\bSAY\((\w+)\)", text)}
    defined = set()
    for path in limits:
        for name, value in re.findall(r"^#define (\w+) (.+)$", without_comments(files[path]), re.M):
            defined.add(name)
            if not re.fullmatch(r"\d+", value):
                yield f"{path}: {name} is no bare number, so that no text can hold it"
            if name not in said or not re.search(rf"\b{name}\b", code):
                yield f"{path}: {name} is not shared by rows, as SAY({name}), and code"
    yield from (f"{path}: {name} is in no *_limits.h" for name, path in said.items() if name not in defined)


CHECKS = [
    wrong_includes, wrong_version_conditions, missing_first_comments, long_files, long_lines, names_of_two_things, forbidden_names, lonely_limits,
]


@pytest.mark.parametrize("check", CHECKS)
def test_sources_follow(check):
    defects = list(check(TOP))
    assert not defects, "\n".join(defects)


@pytest.mark.parametrize("name", ["libsctpa_core.a", "libsctpa_report.a"])
def test_external_symbols_have_the_prefix(name):
    library = TOP / "build/release/sctp_analysis" / name
    if not library.exists():
        pytest.skip(f"{name} is not built")
    assert foreign_symbols(library, "sctpa_") == []


def test_plugin_exports_only_what_wireshark_asks_for():
    plugins = list((TOP / "build/release/plugins").glob("*/epan/sctp_analysis.so"))
    if not plugins:
        pytest.skip("the plugin is not built")
    assert foreign_symbols(plugins[0], "plugin_", "--dynamic") == []


def test_the_module_of_dialogs_exports_its_one_symbol():
    modules = list((TOP / "build/release/plugins").glob("*/epan/sctp_analysis/*.so"))
    if not modules:
        pytest.skip("the dialogs are not built")
    assert foreign_symbols(modules[0], "sctpa_ui_start", "--dynamic") == []


@pytest.mark.parametrize("name", ["libsctpa_ui_models.a", "libsctpa_ui_plots.a", "libsctpa_ui.a"])
def test_symbols_of_the_dialogs_have_the_prefix(name):
    library = TOP / "build/release/sctp_analysis/ui" / name
    if not library.exists():
        pytest.skip(f"{name} is not built")
    listing = subprocess.run(["nm", "--defined-only", "--extern-only", "--format=posix", library], capture_output=True, text=True, check=True)
    # Weak ones are templates and inline functions of Qt and of the standard library.
    strong = [line.split()[0] for line in listing.stdout.splitlines() if re.search(r" [TDBR] ", line)]
    assert len(strong) > 20 and [symbol for symbol in strong if "sctpa" not in symbol.lower()] == []


@pytest.mark.skipif(not shutil.which("clang-format-14"), reason="clang-format-14 is not installed: other versions lay out otherwise")
def test_layout_is_that_of_clang_format():
    files = [path for path in sources(TOP) if path.suffix != ".def"]
    answer = subprocess.run(["clang-format-14", "--dry-run", "--Werror", *files], cwd=TOP, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr[:2000]


def foreign_symbols(file, prefix, *options):
    """Symbols defined in file, visible to others, that do not start with prefix."""
    listing = subprocess.run(
        ["nm", "--defined-only", "--extern-only", "--format=posix", *options, file], capture_output=True, text=True, check=True
    ).stdout
    names = [line.split()[0] for line in listing.splitlines() if len(line.split()) >= 2]
    return [name for name in names if not name.startswith((prefix, "__asan", "__odr_asan", "__gcov", *SET_BY_LINKER))]


SOUND = {
    "core/sctpa.h": '/* x */\n#include "track/path.h"\n',
    "core/base/serial.h": "/* x */\n#include <glib.h>\n",
    "core/track/path.c": '/* x */\n#include "base/serial.h"\n',
    "core/rules/setup/check_sack.c": '/* x */\n#include "track/path.h"\n#include "base/serial.h"\nint x = SCTPA_LATER_MS;\n',
    "core/rules/setup/setup_limits.h": "/* x */\n#define SCTPA_LATER_MS 5\n",
    "core/rules/setup/setup_rules.def": "/* x */\nSAY(SCTPA_LATER_MS)\n",
    "core/track/path.h": "/* x */\n",
    "core/measure/rtt.h": "/* x */\n",
    "core/wire/params.def": "/* x */\n",
    "report/json/json.c": '/* x */\n#include "sctpa.h"\n#include "wire/params.def"\n#include <stdio.h>\n',
    "epan/compat.h": "/* x */\n#if WIRESHARK_VERSION_MINOR >= 4\n#endif\n",
    "report/sheet.h": "/* x */\n",
    "ui/host.h": '/* x */\n#include "../report/sheet.h"\n',
    "ui/models/rows.cpp": '/* x */\n#include <QAbstractTableModel>\n#include "../host.h"\n#include "../../report/sheet.h"\n',
    "ui/dialogs/pane.cpp": '/* x */\n#include <QWidget>\n#include "models/rows.h"\n#include "plots/plot.h"\n',
    "ui/plots/plot.h": '/* x */\n#include <QWidget>\n#include "models/rows.h"\n#include "../../core/sctpa.h"\n',
    "ui/models/rows.h": "/* x */\n",
    "epan/menu.c": '/* x */\n#include "../ui/host.h"\n',
    "epan/tap.c": '/* x */\n#include <epan/packet.h>\n#include "compat.h"\n#include "sctpa.h"\n',
}
DEFECTS = [
    (wrong_includes, "core/base/range.c", '/* x */\n#include "track/path.h"\n'),
    (wrong_includes, "core/rules/check_rtt.c", '/* x */\n#include "measure/rtt.h"\n'),
    (wrong_includes, "core/measure/delay.c", '/* x */\n#include "rules/rule.h"\n'),
    (wrong_includes, "core/base/table.c", '/* x */\n#include "wire/params.def"\n'),
    (wrong_includes, "core/track/dump.c", "/* x */\n#include <stdio.h>\n"),
    (wrong_includes, "core/track/clock.c", "/* x */\n# include <time.h>\n"),
    (wrong_includes, "core/wire/tvb.c", "/* x */\n#include <epan/tvbuff.h>\n"),
    (wrong_includes, "report/table.c", '/* x */\n#include "track/path.h"\n'),
    (wrong_includes, "report/table.c", "/* x */\n#include <epan/packet.h>\n"),
    (wrong_includes, "ui/window.cpp", '/* x */\n#include "epan/compat.h"\n'),
    (wrong_includes, "ui/window.cpp", "/* x */\n#include <epan/packet.h>\n"),
    (wrong_includes, "ui/window.cpp", "/* x */\n#include <wsutil/filesystem.h>\n"),
    (wrong_includes, "ui/dialogs/window.cpp", '/* x */\n#include "../../core/wire/chunk.h"\n'),
    (wrong_includes, "ui/plots/trace.cpp", '/* x */\n#include "../dialogs/pane.h"\n'),
    (wrong_includes, "ui/plots/trace.cpp", '/* x */\n#include "../../core/wire/chunk.h"\n'),
    (wrong_includes, "ui/models/other.cpp", '/* x */\n#include "../plots/plot.h"\n'),
    (wrong_includes, "ui/models/other.cpp", '/* x */\n#include "../dialogs/pane.h"\n'),
    (wrong_includes, "ui/host.h", '/* x */\n#include <QString>\n'),
    (wrong_includes, "epan/menu.c", '/* x */\n#include "../ui/models/rows.h"\n'),
    (wrong_includes, "report/view.c", "/* x */\n#include <QString>\n"),
    (wrong_includes, "epan/tree.c", '/* x */\n#include "wire/chunk.h"\n'),
    (wrong_version_conditions, "epan/tree.c", "/* x */\n#if WIRESHARK_VERSION_MINOR < 4\n#endif\n"),
    (wrong_version_conditions, "epan/tap.c", "/* x */\n#  if SCTPA_WS_SINCE(4, 4)\n#endif\n"),
    (missing_first_comments, "core/wire/sack.c", "#include <glib.h>\n"),
    (long_files, "core/wire/sack.c", "/* x */\n" + "int x;\n" * MAX_LINES),
    (long_lines, "core/wire/sack.c", "/* " + "x" * MAX_COLUMNS + " */\n"),
    (names_of_two_things, "core/measure/path.c", "/* x */\n"),
    (wrong_includes, "core/reference/rto.c", '/* x */\n#include "rules/rule.h"\n'),
    (wrong_includes, "core/rules/setup/check_init.c", '/* x */\n#include "measure/rtt.h"\n'),
    (forbidden_names, "core/wire/chunk_util.c", "/* x */\n"),
    (lonely_limits, "core/rules/setup/setup_limits.h", "/* x */\n#define SCTPA_LATER_MS (5 + 1)\n"),
    (lonely_limits, "core/rules/paths/paths_limits.h", "/* x */\n#define SCTPA_SOONER_MS 5\n"),
    (lonely_limits, "core/rules/paths/paths_rules.def", "/* x */\nSAY(SCTPA_SOONER_MS)\n"),
]


def write_tree(top, files):
    for name, text in files.items():
        path = top / PLUGIN / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_a_sound_tree_passes(tmp_path):
    write_tree(tmp_path, SOUND)
    assert [line for check in CHECKS for line in check(tmp_path)] == []


@pytest.mark.parametrize("check, name, text", DEFECTS, ids=[f"{check.__name__}:{name}" for check, name, _ in DEFECTS])
def test_each_check_finds_its_defect(tmp_path, check, name, text):
    write_tree(tmp_path, {**SOUND, "core/wire/chunk.h": "/* x */\n", "core/rules/rule.h": "/* x */\n", "ui/dialogs/pane.h": "/* x */\n", name: text})
    assert [line for line in check(tmp_path) if name in line]


def unmarked_needs(top):
    """Files of tests that name the captures of SCTPA_CAPTURES and neither mark a test as needing them nor take them as arguments, which
    marks it: without them it would fail."""
    for path in sorted((top / "test").rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        if re.search(r"\b(SCTPA_CAPTURES|MORE_CAPTURES)\b", text) and not re.search(r"mark\.(more_captures|parametrize)", text):
            yield f"{path.relative_to(top)}: needs SCTPA_CAPTURES without the mark `more_captures`"


def test_what_needs_more_captures_says_so(tmp_path):
    assert list(unmarked_needs(TOP)) == []
    (tmp_path / "test").mkdir()
    (tmp_path / "test" / "test_hostile.py").write_text('FILE = MORE_CAPTURES / "hostile"\n')
    assert len(list(unmarked_needs(tmp_path))) == 1


def test_a_symbol_without_prefix_is_found(tmp_path):
    source, library = tmp_path / "x.c", tmp_path / "x.o"
    source.write_text("int sctpa_good; int bad; static int hidden; int *sctpa_use(void); int *sctpa_use(void) { return &hidden; }\n")
    subprocess.run(["gcc", "-c", "-o", library, source], check=True)
    assert foreign_symbols(library, "sctpa_") == ["bad"]
