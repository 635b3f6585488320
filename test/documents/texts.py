# SPDX-License-Identifier: GPL-2.0-or-later
"""What people read: documents, man pages, texts in the sources of the plugin, of programs and of scripts, and templates of pages.

Leaves out quotations of RFCs, code in documents, names that are data (keys, columns), comments in C, captures, and what is made of these texts (goldens).
"""

import ast
import re

import project_files

TOP = project_files.TOP
# What others wrote, what a program recorded, and what is made of the texts.
LEFT_OUT = ("LICENSES", "test/captures", "test/golden", "test/fuzz", "test/check/github", "sctpa/templates/uPlot", "test/lab/webrtc/recorded")
C = {".c", ".h", ".cpp", ".def"}
LITERAL = r'"(?:\\.|[^"\\\n])*"'
LITERALS = re.compile(rf"{LITERAL}(?:\s*{LITERAL})*")
IS_NAME = re.compile(r"[a-z0-9_.%/-]*")


def _of_markdown(text):
    text = re.sub(r"^```.*?^```$|^> .*?$", "", text, flags=re.M | re.S)
    yield re.sub(r"`[^`\n]*`", "`", text)


def _of_template(text):
    """A template of a page: what stands between its marks, and text inside them."""
    yield re.sub(r"\{\{.*?\}\}|\{%.*?%\}", " ", text, flags=re.S)
    for mark in re.findall(r"\{\{.*?\}\}|\{%.*?%\}", text, re.S):
        for found in re.findall(LITERAL, mark):
            yield found[1:-1]


def _of_c(text):
    text = re.sub(rf"{LITERAL}|/\*.*?\*/|//[^\n]*", lambda found: found.group(0) if found.group(0).startswith('"') else "", text, flags=re.S)
    text = re.sub(r"\.quote = (?:\s*" + LITERAL + r")+", "", text)
    for found in LITERALS.findall(text):
        yield "".join(re.findall(r'"((?:\\.|[^"\\\n])*)"', found))


def _of_python(text, docstring_only):
    tree = ast.parse(text)
    if docstring_only:
        yield ast.get_docstring(tree) or ""
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _of_file(path):
    suffix, name, place = path.suffix, path.name, path.parts[0]
    read = (TOP / path).read_bytes()
    is_program = read.startswith(b"#!")
    if not (is_program or suffix in C | {".md", ".1", ".7", ".html", ".py", ".lua"} or name == "control" or path.parts[:2] == ("lua", "profile")
            or re.fullmatch(r"usage\w*\.txt", name)):
        return
    text = read.decode("utf-8")
    if suffix == ".md":
        yield from _of_markdown(text)
    elif suffix == ".html":
        yield from _of_template(text)
    elif suffix in C or suffix == ".lua":
        yield from _of_c(text) if place != "test" else ()
    elif suffix == ".py" or text.startswith("#!/usr/bin/env python3"):
        yield from _of_python(text, docstring_only=place == "test") if place != "test" or is_program else ()
    elif place != "test" or is_program:
        yield text


def texts():
    """(path, text) of each text, blanks and line ends being one blank each. Names such as `rtt_ms` alone are none. Cost: reads every source once."""
    for path in project_files.paths():
        if str(path).startswith(LEFT_OUT) or not (TOP / path).is_file():
            continue
        for text in _of_file(path):
            text = re.sub(r"\s+", " ", text)
            if not IS_NAME.fullmatch(text):
                yield path, text
