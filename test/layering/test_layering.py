# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks the rules of dependency, naming and size that docs/architecture.md sets for the sources, and that these checks can fail.

Leaves out what a compiler or a linker already checks.
"""

import ast
import graphlib
import pathlib
import re
import shutil
import subprocess

import pytest

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
PLUGIN = pathlib.Path("plugins/sctp_analysis")
PYTHON = pathlib.Path("sctpa")
BLACK = ("--line-length=120", "--target-version=py311")

# What the files of a folder may include of ours, besides their own folder. `sctpa` is core/sctpa.h, `host` is ui/host.h with its list of entries.
# A table (.def) of the core may be expanded in every layer that may read results.
ALLOWED = {
    "base": set(),
    "wire": {"base"},
    "data": {"base", "wire"},
    "track": {"base", "wire", "data"},
    "tap": {"base", "wire", "data", "track"},
    "measure": {"base", "wire", "data", "track"},
    "model": {"base", "wire", "data", "track", "tap"},
    "chapters": {"base", "wire", "data", "track", "tap", "model"},
    "core": {"base", "wire", "data", "track", "tap", "measure", "model", "sctpa"},
    "sctpa": {"base", "wire", "data", "track", "tap", "measure", "model"},
    "report": {"sctpa"},
    "host": {"report"},
    "epan": {"sctpa", "report", "host"},
    "models": {"sctpa", "report", "host"},
    "plots": {"sctpa", "report", "host", "models"},
    "ui": {"sctpa", "report", "host", "models", "plots"},
}
CORE = {"base", "wire", "data", "track", "tap", "measure", "model", "chapters", "core", "sctpa"}
FORBIDDEN_IN_CORE = {"stdio.h", "unistd.h", "time.h", "sys/time.h", "fcntl.h", "sys/socket.h", "glib/gstdio.h", "gio/gio.h"}
UI = {"ui", "plots", "models", "host"}
QT = re.compile(r"^(Q[A-Z]|Qt)")
WIRESHARK = re.compile(r"^(epan|wiretap|wsutil|ui)/|^(wireshark|cfile|file|ws_\w+)\.h$")
# What everything in the core is made of: the headers of base and wire, and these. Others must not reach more than this part of its files.
EVERYWHERE = {
    # records that all numbers are drawn from
    PLUGIN / "core/data/direction.h", PLUGIN / "core/data/tap_rtt.h", PLUGIN / "core/data/tsn_set.h",
    # what a packet and an association are
    PLUGIN / "core/track/packet.h", PLUGIN / "core/track/counts.h", PLUGIN / "core/track/assoc.h",
}
MANY = 0.6
LICENCE = "/* SPDX-License-" "Identifier: GPL-2.0-or-later */\n"  # apart: reuse reads this line, too
# Folders in which each header is the face of one file, or of a data structure.
FACES = {"track"}
# A chapter of rules is a file that nobody includes: groups.def has the engine ask it, rules.def finds its rows.
MODEL, CHAPTERS = PLUGIN / "core/model", PLUGIN / "core/model/chapters"
ASKED = re.compile(r"sctpa_(check|row)_\w+$")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.M)
STRING = re.compile(r'"(?:\\.|[^"\\\n])*"')
# `? p->n + 1 : 1`, `? 1 + p->n : 1`, `? p->n : 0) + 1`
READ_BEFORE = re.compile(r"\?[^?:;{}]*(?:->|\[)[^?:;{}]*?[-+|^]\s*(\w+)\s*:\s*\1\b|\?\s*(\w+)\s*[+|^][^?:;{}]*(?:->|\[)[^?:;{}]*:\s*\2\b"
                         r"|\?[^?:;{}]*(?:->|\[)[^?:;{}]*:\s*\w+\)+\s*[-+|^]\s*(?:\d|[A-Z][A-Z_]+\b)")
COMPARED = re.compile(r"((==|!=|<=|>=|<|(?<!-)>)\s*[\w.()]+|\w\([^()]*\))\s*$")
DEFINED = re.compile(r"^(?!static\b|typedef\b)\w[\w *]*?\b(sctpa_\w+)\([^;{}]*\)\s*\{", re.M)
DECLARED = re.compile(r"^(?!static\b|typedef\b)\w[\w *]*?\b(sctpa_\w+)\([^{}]*?\)[^;{}]*;", re.M)
INLINE = re.compile(r"^static inline[^;{]*\{.*?^\}", re.M | re.S)
PART = re.compile(r"\b(?:SCTPA_PART_\w+|sctpa_context_(?:find_|owning_)?part|sctpa_reference_(?:part|find|make))\b")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
OURS = re.compile(r"\bsctpa_\w+")
PASTED = re.compile(r"\b(sctpa_\w+_)##")
FILE_OF_C = re.compile(r"(?<![\w/.*>-])[\w/]+\.[ch]\b")
# Files of Wireshark, of Linux and of usrsctp that comments name.
FOREIGN_FILES = {"dfilter.h", "structs.h", "sctp_output.c"}
FUNCTION = re.compile(r"^\w[\w *]*?\b(\w+)\([^;{}]*\)\s*\{(.*?)^\}", re.M | re.S)
SOURCES = {".c", ".h", ".cpp", ".def"}
FORBIDDEN_NAME = re.compile(r"util|helper|common|manager|misc", re.I)
MAX_LINES = 1200
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
    if parts in (("ui", "host.h"), ("ui", "menu_entries.def")):
        return "host"
    if parts[:2] in (("ui", "models"), ("ui", "plots")):
        return parts[1]
    if parts[0] != "core":
        return parts[0]
    if parts == ("core", "sctpa.h"):
        return "sctpa"
    if path.is_relative_to(CHAPTERS):
        return "chapters"
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


def includes(top, path):
    """Each include of path as (name, the file of ours that it means, or None)."""
    for quote, name in INCLUDE.findall(without_comments((top / path).read_text())):
        yield name, target_of(top, path, name) if quote == '"' else None


def wrong_includes(top):
    """Include lines against the one direction of the layers."""
    for path in sources(top):
        layer = layer_of(path)
        if layer is None:
            continue
        for name, target in includes(top, path):
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


def core_files(top, *suffixes):
    return [path for path in sources(top) if layer_of(path) in CORE and path.suffix in suffixes]


def included(top, path):
    return {target for _, target in includes(top, path) if target}


def circle_in(graph):
    """The nodes of a circle, the first one again at the end; empty: none."""
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        return error.args[1][::-1]
    return []


def circles_of_includes(top):
    """A circle of files of the core that include each other."""
    circle = circle_in({path: included(top, path) for path in core_files(top, *SOURCES)})
    if circle:
        yield " -> ".join(map(str, circle))


def code_of(top):
    """The code of each file of the core, and where each function is defined."""
    texts = {path: STRING.sub('""', without_comments((top / path).read_text())) for path in core_files(top, ".c", ".h")}
    return texts, {name: path for path, text in texts.items() if path.suffix == ".c" for name in DEFINED.findall(text)}


def calls(top):
    """(file, file, function) wherever a function of the core is named in another file than the one that defines it."""
    texts, homes = code_of(top)
    for path, text in texts.items():
        body = text if path.suffix == ".c" else "\n".join(INLINE.findall(text))
        for name in sorted(set(re.findall(r"\bsctpa_\w+", body))):
            if homes.get(name, path) != path and not ASKED.match(name):
                yield path, homes[name], name


def linked_calls(folder):
    """The same as the linker sees them, in the objects of a folder whose sources still exist."""
    texts = {path: (TOP / path).read_text() for path in core_files(TOP, ".c")}
    objects = [folder / f"{path.relative_to(PLUGIN)}.o" for path in texts]
    listing = subprocess.run(["nm", "--format=posix", "--print-file-name", *(file for file in objects if file.exists())], capture_output=True, text=True,
                             check=True).stdout
    named = {}
    for path in texts:
        named.setdefault(path.stem, []).append(path)
    # A chapter may be called as another file: then the one that names the symbol is meant.
    symbols = [
        (path, name, kind) for stem, name, kind in re.findall(r"/(\w+)\.c\.o: (sctpa_\w+) (\w)", listing) if not ASKED.match(name)
        for path in named.get(stem, []) if len(named[stem]) == 1 or name in texts[path]
    ]
    homes = {name: path for path, name, kind in symbols if kind in "TDBRC"}
    return [(path, homes[name], name) for path, name, kind in symbols if kind == "U" and name in homes]


def wrong_calls(top, found=None):
    """Calls against the one direction of the layers."""
    for caller, callee, name in found or calls(top):
        if not may_include(layer_of(caller), callee):
            yield f"{caller}: {layer_of(caller)} must not call {name} of {callee}"


def circles_of_folders(top, found=None):
    """A circle of folders of the core whose files call or include each other. Tables (.def) belong to whoever expands them; the model is one
    folder but for its chapters."""
    pairs = {(path, target) for path in core_files(top, ".c", ".h") for target in included(top, path) if target.suffix != ".def"}
    pairs |= {(caller, callee) for caller, callee, _ in found or calls(top)}
    graph = {}
    for path, target in pairs:
        if folder_of(path) != folder_of(target):
            graph.setdefault(folder_of(path), set()).add(folder_of(target))
    circle = circle_in(graph)
    for folder, following in zip(circle, circle[1:]):
        edges = sorted(f"{path} -> {target}" for path, target in pairs if (folder_of(path), folder_of(target)) == (folder, following))
        yield f"{folder} -> {following}, of a circle: {', '.join(edges)}"


def folder_of(path):
    return MODEL if path.is_relative_to(MODEL) and not path.is_relative_to(CHAPTERS) else path.parent


def faces_of_others(top):
    """Functions that are declared in another header than that of their file, or of their folder (feed_parts.h)."""
    texts, homes = code_of(top)
    for path, text in texts.items():
        if path.suffix == ".h" and layer_of(path) in FACES:
            for name in DECLARED.findall(INLINE.sub("", text)):
                if name in homes and path not in (homes[name].with_suffix(".h"), homes[name].with_name(f"{homes[name].parent.name}_parts.h")):
                    yield f"{path}: declares {name} of {homes[name]}"


def headers_for_everything(top):
    """Headers that most files of the core include, directly or through others."""
    graph = {path: included(top, path) for path in core_files(top, ".c", ".h", ".def")}
    files = core_files(top, ".c", ".h")
    readers = {}
    for path in files:
        for header in reached(graph, path):
            readers.setdefault(header, set()).add(path)
    for header, paths in readers.items():
        basic = layer_of(header) in {"base", "wire"} or header in EVERYWHERE
        if header.suffix == ".h" and not basic and len(paths) > MANY * (len(files) - 1):
            direct = sorted(str(path) for path in files if header in graph[path])
            yield f"{header}: {len(paths)} of {len(files)} files include it, by way of {', '.join(direct)}"


def reached(graph, path):
    found, left = set(), [path]
    while left:
        for target in graph.get(left.pop(), set()) - found:
            found.add(target)
            left.append(target)
    return found


def wrong_version_conditions(top):
    for path in sources(top):
        if path == PLUGIN / "epan" / "compat.h":
            continue
        for number, line in enumerate((top / path).read_text().splitlines(), 1):
            if re.match(r"\s*#\s*(el)?if.*\b(WIRESHARK_VERSION|VERSION_M|SCTPA_WS_)", line):
                yield f"{path}:{number}: version conditions belong into epan/compat.h"


def missing_licences(top):
    for path in sources(top):
        if not (top / path).read_text().startswith(LICENCE):
            yield f"{path}: does not start with {LICENCE.strip()}"


def missing_first_comments(top):
    for path in sources(top):
        if not re.match(r"\s*(/\*|//)", (top / path).read_text().removeprefix(LICENCE)):
            yield f"{path}: does not say what it is responsible for"


def lines_of_code(text):
    """Lines but for empty ones, comments and the rows of rules."""
    text = re.sub(r"^RULE\(.*?\);$", "", re.sub(r"/\*.*?\*/", "", text, flags=re.S), flags=re.M | re.S)
    return sum(1 for line in text.splitlines() if line.strip())


def long_files(top):
    for path in sources(top):
        lines = lines_of_code((top / path).read_text())
        if lines > MAX_LINES:
            yield f"{path}: {lines} lines, more than {MAX_LINES}"


def long_lines(top):
    for path in sources(top):
        for number, line in enumerate((top / path).read_text().splitlines(), 1):
            if len(line) > MAX_COLUMNS and path.name not in WIDE_TABLES:
                yield f"{path}:{number}: {len(line)} columns, more than {MAX_COLUMNS}"


def names_of_two_things(top):
    """Files of the plugin in different folders that have one name, but for the suffix. A chapter has that of its subject, as others may."""
    homes = {}
    for path in sources(top):
        if path.is_relative_to(PLUGIN) and not path.is_relative_to(CHAPTERS):
            homes.setdefault(path.stem, []).append(path)
    for paths in homes.values():
        if len({path.parent for path in paths}) > 1:
            yield from (f"{path}: the name stands for {len(paths)} things" for path in paths)


def forbidden_names(top):
    for path in sources(top):
        if FORBIDDEN_NAME.search(path.stem):
            yield f"{path}: names nothing"


def lonely_limits(top):
    """Numbers that rows say, as SAY(NAME), and nobody defines as a bare number, or that no code checks; and those of the *_limits.h of data
    that no row says."""
    homes = [PLUGIN / "core" / folder for folder in ("model", "data")]
    files = {path: (top / path).read_text() for path in sources(top) if any(map(path.is_relative_to, homes))}
    # A row checks a number, too: .report.
    code = "".join(re.sub(r"\bSAY\(\w+\)|#define \w+ .*", "", without_comments(text)) for text in files.values())
    said = {name: path for path, text in files.items() if path.suffix == ".c" for name in re.findall(r"\bSAY\((\w+)\)", text)}
    graph = {path: included(top, path) for path in core_files(top, *SOURCES)}
    defined = {path: dict(re.findall(r"^#define (\w+) (.+)$", without_comments(text), re.M)) for path, text in files.items()}
    for name, path in said.items():
        value = next((defined[seen][name] for seen in (path, *reached(graph, path)) if name in defined.get(seen, ())), "")
        if not re.fullmatch(r"\d+", value):
            yield f"{path}: {name} is no bare number that is defined there or in what it includes, so that no text can hold it"
        elif not re.search(rf"\b{name}\b", code):
            yield f"{path}: {name} is said by rows and checked by no code"
    for path, values in defined.items():
        yield from (f"{path}: no row says {name}" for name in values if path.name.endswith("_limits.h") and name not in said)


def keeping_rules(top):
    """Rules that reach for a part of the reference endpoints, to keep something there or to read it past the function that knows what it
    means; and functions that make one and do not say that they take the packet or ready it."""
    for path in sources(top):
        if path.is_relative_to(CHAPTERS):
            for name, body in FUNCTION.findall(without_comments((top / path).read_text())):
                for part in sorted(set(PART.findall(body))) if re.search(r"_(applies|violates)$", name) else ():
                    yield f"{path}: {name} names {part}: rules ask for facts, and keep none"


def reads_before_the_condition(top):
    """Sums that GCC 14 computes wrongly when the condition is of bool: it folds them to `(b & p->n) + 1`, which reads p->n whatever b is. A comparison,
    a call, and a pointer that it reads by, are no bool to it."""
    for path in sources(top):
        text = STRING.sub('""', without_comments((top / path).read_text()))
        for found in READ_BEFORE.finditer(text):
            condition = re.split(r"[=;{}(,]", text[max(0, found.start() - 100):found.start()])[-1].strip()
            is_bool = not COMPARED.search(text[:found.start()][-100:]) and not re.search(rf"\b{re.escape(condition)}(->|\[)", found.group(0))
            if is_bool:
                yield f"{path}:{text.count(chr(10), 0, found.start()) + 1}: write an if: {condition} {' '.join(found.group(0).split())}"


def is_there(name, words, pasted):
    """Is name one of the words, the beginning of one, or made by pasting behind one of these beginnings?"""
    return name in words or name.startswith(pasted) or (name.endswith("_") and any(word.startswith(name) for word in words))


def names_of_nothing(top):
    """Comments of the plugin, and documents, that name a function, a type or a file of C which is not there (any more)."""
    texts = {path: (top / path).read_text() for path in sources(top)}
    codes = [without_comments(text) for text in texts.values()]
    words = {word for code in codes for word in OURS.findall(code)}
    pasted = tuple({start for code in codes for start in PASTED.findall(code)})
    files = {path.name for path in texts} | {name.rsplit("/", 1)[-1] for code in codes for _, name in INCLUDE.findall(code)} | FOREIGN_FILES
    said = {path: [(text[:match.start()].count("\n") + 1, match[0]) for match in COMMENT.finditer(text)]
            for path, text in texts.items() if path.is_relative_to(PLUGIN)}
    said |= {path.relative_to(top): list(enumerate(path.read_text().splitlines(), 1)) for path in sorted((top / "docs").glob("*.md"))}
    for path, parts in said.items():
        for number, text in parts:
            missing = [name for name in OURS.findall(text) if not is_there(name, words, pasted)]
            missing += [name for name in FILE_OF_C.findall(text) if name.rsplit("/", 1)[-1] not in files]
            yield from (f"{path}:{number}: {name} is not there" for name in missing)


CHECKS = [
    wrong_includes, circles_of_includes, wrong_calls, circles_of_folders, faces_of_others, headers_for_everything,
    wrong_version_conditions, missing_licences, missing_first_comments, long_files, long_lines, names_of_two_things, forbidden_names, lonely_limits,
    keeping_rules, reads_before_the_condition, names_of_nothing,
]


@pytest.mark.parametrize("check", CHECKS)
def test_sources_follow(check):
    defects = list(check(TOP))
    assert not defects, "\n".join(defects)


@pytest.mark.parametrize("check", [wrong_calls, circles_of_folders])
@pytest.mark.parametrize("build", ["release", "asan"])
def test_what_is_linked_follows(build, check):
    folder = TOP / "build" / build / "sctp_analysis/CMakeFiles/sctpa_core.dir"
    if not folder.exists():
        pytest.skip(f"{folder.relative_to(TOP)} is not built")
    found = linked_calls(folder)
    defects = list(check(TOP, found))
    assert len(found) > 500 and not defects, "\n".join(defects)


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


def black_release():
    """"23.1" where black is installed as Debian 12 has it; another text, or None."""
    program = shutil.which("black")
    return program and ".".join(re.findall(r"\d+", subprocess.run([program, "--version"], capture_output=True, text=True).stdout)[:2])


@pytest.mark.skipif(black_release() != "23.1", reason="black 23.1 is not installed: other versions lay out otherwise")
def test_layout_of_python_is_that_of_black():
    answer = subprocess.run(["black", *BLACK, "--check", PYTHON], cwd=TOP, capture_output=True, text=True)
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
    "core/base/numbers.h": "/* x */\n#include <glib.h>\n",
    "core/track/path.c": '/* x */\n#include "base/numbers.h"\nvoid sctpa_path_add(void)\n{\n}\n',
    "core/model/chapters/ebb.c": '/* x */\n#include "model/seen.h"\n#include "base/numbers.h"\n#define LATER_MS 5\n#define LOW 2\n'
        'RULE(EB, 001, .evidence = SAY(LATER_MS) SAY(LOW));\nint x = LATER_MS + LOW;\nvoid sctpa_check_ebb(void)\n{\n    sctpa_seen();\n}\n',
    "core/model/seen.h": "/* x */\nvoid sctpa_seen(void);\n",
    "core/model/seen.c": '/* x */\n#include "base/numbers.h"\n#include "seen.h"\n#include "track/path.h"\nvoid sctpa_seen(void)\n{\n    sctpa_path_add();\n    sctpa_check_ebb();\n}\n',
    "core/data/ebb_limits.h": "/* x */\n#define SCTPA_HIGH_MS 7\n",
    "core/model/chapters/flood.c": '/* x */\n#include "base/numbers.h"\n#include "data/ebb_limits.h"\nRULE(FL, 001, .evidence = SAY(SCTPA_HIGH_MS));\nint y = SCTPA_HIGH_MS;\n',
    "core/track/path.h": "/* x */\nvoid sctpa_path_add(void);\n",
    "core/measure/rtt.h": '/* x */\n#include "base/numbers.h"\nint sctpa_rtt_ms(int ns);\n'
        "static inline int sctpa_rtt_of(void)\n{\n    return sctpa_path_add != 0;\n}\n",
    "core/measure/rtt.c": '/* x */\n#include "rtt.h"\nint sctpa_rtt_ms(\n    int ns)\n{\n    return ns;\n}\n',
    "core/measure/series/points.c": '/* x */\n#include "measure/rtt.h"\nint sctpa_points_of(void)\n{\n    return sctpa_rtt_ms(1);\n}\n',
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
    (wrong_includes, "core/model/chapters/neap.c", '/* x */\n#include "measure/rtt.h"\n'),
    (wrong_calls, "core/model/chapters/neap.c", "/* x */\nstatic void f(void)\n{\n    sctpa_rtt_ms(1);\n}\n"),
    (wrong_includes, "core/model/rtt_rule.c", '/* x */\n#include "measure/rtt.h"\n'),
    (wrong_includes, "core/model/moon.c", '/* x */\n#include "chapters/ebb.c"\n'),
    (wrong_includes, "core/measure/delay.c", '/* x */\n#include "model/rule.h"\n'),
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
    (circles_of_includes, "core/track/path.h", '/* x */\n#include "sctpa.h"\n'),
    (circles_of_includes, "core/track/path.h", '/* x */\n#include "path.h"\n'),
    (wrong_calls, "core/base/numbers.c", "/* x */\nstatic void f(void)\n{\n    sctpa_path_add();\n}\n"),
    (wrong_calls, "core/base/numbers.h", "/* x */\nstatic inline void f(void)\n{\n    sctpa_path_add();\n}\n"),
    (circles_of_folders, "core/measure/rtt.c", "/* x */\nint sctpa_rtt_ms(int ns)\n{\n    return ns + sctpa_points_of();\n}\n"),
    (circles_of_folders, "core/measure/rtt.h", '/* x */\n#include "series/bins.h"\n'),
    (faces_of_others, "core/track/path.h", "/* x */\nvoid sctpa_path_add(void);\nint sctpa_rtt_ms(\n    int ns);\n"),
    (faces_of_others, "core/track/way.h", "/* x */\nvoid sctpa_path_add(void);\n"),
    (headers_for_everything, "core/base/numbers.h", '/* x */\n#include "track/path.h"\n'),
    (wrong_version_conditions, "epan/tree.c", "/* x */\n#if WIRESHARK_VERSION_MINOR < 4\n#endif\n"),
    (wrong_version_conditions, "epan/tap.c", "/* x */\n#  if SCTPA_WS_SINCE(4, 4)\n#endif\n"),
    (missing_licences, "core/wire/sack.c", "/* UNLICENSED */\n"),
    (missing_first_comments, "core/wire/sack.c", "#include <glib.h>\n"),
    (long_files, "core/wire/sack.c", "/* x */\n" + "int x;\n" * (MAX_LINES + 1)),
    (long_lines, "core/wire/sack.c", "/* " + "x" * MAX_COLUMNS + " */\n"),
    (names_of_two_things, "core/measure/path.c", "/* x */\n"),
    (forbidden_names, "core/wire/chunk_util.c", "/* x */\n"),
    *((names_of_nothing, "core/wire/sack.c", text) for text in ("/* sctpa_gone */\n", "/* x */\nint x; // gone.h\n", "/* x */\n/* track/gone.c\n */\n")),
    *((keeping_rules, "core/model/chapters/neap.c", f"/* x */\nstatic bool EB_002_{which}(const sctpa_context_t *c)\n{{\n    return {call};\n}}\n")
      for which in ("applies", "violates") for call in ("sctpa_context_find_part(c, part)", "of(c, SCTPA_PART_SETUP)", "sctpa_context_owning_part(c)")),
    *((reads_before_the_condition, "core/wire/sack.c", f"/* x */\nint f(bool b, const struct s *p)\n{{\n    return {result};\n}}\n")
      for result in ("b ? p->n + 1 : 1", "b ? 1 + p->n[2] : 1", "(b ? p->n : 0) + 1", "(b ? p->n : 0) | MANY")),
    *((lonely_limits, "core/model/chapters/neap.c", f"/* x */\n{text}\n") for text in (
        "#define LOW_MS (5 + 1)\nRULE(EB, 002, .evidence = SAY(LOW_MS));\nint x = LOW_MS;", "RULE(EB, 002, .evidence = SAY(LOW_MS));\nint x = LOW_MS;",
        "#define LOW_MS 5\nRULE(EB, 002, .evidence = SAY(LOW_MS));",
        "RULE(EB, 002, .evidence = SAY(SCTPA_HIGH_MS));\nint x = SCTPA_HIGH_MS;")),
    (lonely_limits, "core/data/neap_limits.h", "/* x */\n#define SCTPA_LOW_MS 5\n"),
]


# Read by commands and by those that share: --sequence is an option of many.
READ_BY_ALL = "sequence"
# One command alone reads it, and so does what writes captures for tests.
FOR_TESTS = {"crc32c.py"}


def modules_read(top, path):
    """The modules below sctpa/ that a file imports, as paths without a suffix; of a folder the folder."""
    package = path.parent.parts
    for node in ast.walk(ast.parse((top / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (pathlib.Path(*alias.name.split(".")) for alias in node.names if alias.name.split(".")[0] == PYTHON.name)
        elif isinstance(node, ast.ImportFrom):
            base = pathlib.Path(*package[:len(package) + 1 - node.level] if node.level else (), *(node.module or "").split("."))
            if base.parts[:1] == (PYTHON.name,):
                for alias in node.names:
                    below = base / alias.name
                    yield below if (top / below).is_dir() or (top / below).with_suffix(".py").exists() else base


def command_of(top, path):
    """The folder of sctpa/ that a module lies in, or that path is; None for what is shared."""
    return path.parts[1] if len(path.parts) > 1 and (top / PYTHON / path.parts[1]).is_dir() else None


def python_files(top):
    return [path.relative_to(top) for path in sorted((top / PYTHON).rglob("*.py"))]


def commands_read_by_others(top):
    """Imports of a command by another one, or by what is shared."""
    for path in python_files(top):
        ours = command_of(top, path)
        for read in modules_read(top, path):
            if command_of(top, read) not in {None, ours, ours and READ_BY_ALL}:
                yield f"{path}: must not import {'.'.join(read.parts)}"


def shared_by_one(top):
    """Modules beside the commands that fewer than two commands read, be it by way of others."""
    files = python_files(top)
    graph = {path: {read.with_suffix(".py") for read in modules_read(top, path)} & set(files) for path in files}
    readers = {}
    for path in files:
        for read in reached(graph, path):
            readers.setdefault(read, set()).add(command_of(top, path))
    for path in files:
        if command_of(top, path) is None and path.name not in {"__init__.py", *FOR_TESTS} and len(readers.get(path, set()) - {None}) < 2:
            yield f"{path}: shared, but read by {', '.join(filter(None, readers.get(path, ()))) or 'no command'} alone"


PYTHON_CHECKS = [commands_read_by_others, shared_by_one]
SOUND_PYTHON = {
    "names.py": "", "files.py": "from . import names\n", "sequence/rings.py": "from sctpa import names\n",
    "watch/__main__.py": "from sctpa.files import written\nfrom sctpa.sequence import rings\nfrom . import told\n", "watch/told.py": "import json\n",
    "check/__main__.py": "def main():\n    from sctpa import files\n",
}
PYTHON_DEFECTS = [
    (commands_read_by_others, "check/gate.py", "from sctpa.watch import told\n"),
    (commands_read_by_others, "check/gate.py", "from sctpa.watch.told import tell\n"),
    (commands_read_by_others, "check/gate.py", "import sctpa.watch\n"),
    (commands_read_by_others, "check/gate.py", "def f():\n    from ..watch import told\n"),
    (commands_read_by_others, "names.py", "from .watch import told\n"),
    (commands_read_by_others, "names.py", "from sctpa.sequence import rings\n"),
    (shared_by_one, "lonely.py", ""),
]


@pytest.mark.parametrize("check", PYTHON_CHECKS)
def test_python_follows(check):
    defects = list(check(TOP))
    assert not defects and len(python_files(TOP)) > 50, "\n".join(defects)


def write_python(top, files):
    for name, text in files.items():
        (top / PYTHON / name).parent.mkdir(parents=True, exist_ok=True)
        (top / PYTHON / name).write_text(text)


def test_sound_python_passes(tmp_path):
    write_python(tmp_path, SOUND_PYTHON)
    assert [line for check in PYTHON_CHECKS for line in check(tmp_path)] == []


@pytest.mark.parametrize("check, name, text", PYTHON_DEFECTS)
def test_each_check_of_python_finds_its_defect(tmp_path, check, name, text):
    write_python(tmp_path, {**SOUND_PYTHON, name: text})
    assert [line for line in check(tmp_path) if name in line]


def write_tree(top, files):
    for name, text in files.items():
        path = top / PLUGIN / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text if "UNLICENSED" in text else LICENCE + text)


def test_a_sound_tree_passes(tmp_path):
    write_tree(tmp_path, SOUND)
    assert [line for check in CHECKS for line in check(tmp_path)] == []


@pytest.mark.parametrize("check, name, text", DEFECTS, ids=[f"{check.__name__}:{name}" for check, name, _ in DEFECTS])
def test_each_check_finds_its_defect(tmp_path, check, name, text):
    headers = ("core/wire/chunk.h", "core/model/rule.h", "core/measure/series/bins.h", "ui/dialogs/pane.h")
    write_tree(tmp_path, {**SOUND, **dict.fromkeys(headers, "/* x */\n"), name: text})
    assert [line for line in check(tmp_path) if name in line]


def test_what_documents_name_is_there(tmp_path):
    write_tree(tmp_path, SOUND)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "model.md").write_text("`sctpa_path_add` of `path.c`, `sctpa_check_`, `<folder>_parts.h`\n\n`sctpa_gone`, `gone.h`\n")
    assert list(names_of_nothing(tmp_path)) == [f"docs/model.md:3: {name} is not there" for name in ("sctpa_gone", "gone.h")]


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
