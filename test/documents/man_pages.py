# SPDX-License-Identifier: GPL-2.0-or-later
"""The man pages docs/man: sctp-analysis(7) from what the plugin registers, sctp-analysis(1) from what the installed command prints with --help.

Leaves out how that is asked for: registered.py.
"""

import pathlib
import re
import shutil
import subprocess
import tempfile
import textwrap

import registered

DOCUMENTS = registered.TOP / "packaging/CMakeLists.txt"
COMMANDS = ("read", "triage", "check", "report", "webrtc", "watch")
DESCRIPTION = """This plugin of tshark and Wireshark follows every SCTP association of a capture: set-up and end, addresses and paths, each TSN and \
its acknowledgement, retransmissions by kind, round trips, windows and streams. A reference model of the protocol says which endpoint violated \
which clause of the RFCs, with the packets as proof.

Where it is installed, tshark and Wireshark load it by themselves, except for root, for whom Wireshark loads no plugins. \
'tshark -G plugins' lists it as sctp_analysis.so.

In Wireshark its windows are under Telephony > SCTP Expert Analysis: what went wrong, all associations, all findings, the association of the selected packet, \
its graphs, and its ladder."""
REPORTS = """Each is printed at the end of the capture; several may be asked for at once, and tshark prints the last first. FILTER is a display \
filter: only associations with a matching packet are reported, and counters are of the matching packets. Numbers of associations start at 0, \
in the order of their first packets."""
PREFERENCES = """Under Edit > Preferences > Protocols > SCTP Analysis, or with -o on the command line."""
FIELDS = """They stand below the SCTP layer of each packet. Those marked final are known at the end of the capture: tshark has them with -2."""
FURTHER = """{chunks} more fields, sctp.analysis.chunk and below, decode chunks, parameters and error causes. The expert infos \
sctp.analysis.fault.NAME mark what is malformed, sctp.analysis.rule.ID (ID in small letters, as in {example}) the packets that complete the \
violation of a rule."""
EXAMPLES = [
    ("What happened in a capture:", "tshark -q -r capture.pcapng -z sctp,triage"),
    ("Which endpoint violated which rule, of one association:", "tshark -q -r capture.pcapng -z sctp,findings,sctp.analysis.assoc==3"),
    ("Every retransmission with its kind:",
     "tshark -r capture.pcapng -Y sctp.analysis.retransmission \\\n    -T fields -e frame.number -e sctp.analysis.retransmission"),
    ("Everything, for a program:", "tshark -q -r capture.pcapng -z sctp,json | jq .associations"),
]


def escaped(text):
    """Text as roff has it: hyphens that may be copied, no control lines."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    return re.sub(r"^\.", r"\\&.", text, flags=re.M)


def paragraphs(text):
    return "".join(f".PP\n{escaped(part)}\n" for part in text.split("\n\n"))


def item(head, text):
    """A head in bold, capital words (what is to be replaced) in italics, and an indented text."""
    words = re.sub(r"(?<![-\w])[A-Z]+\b", lambda word: f"\\fI{word.group(0)}\\fB", escaped(head))
    return f".TP\n\\fB{words}\\fP\n{escaped(text)}\n"


def example(text):
    return f".PP\n.in +4n\n.nf\n{escaped(text)}\n.fi\n.in\n"


def section(title, body):
    return f".SH {title}\n{body.removeprefix('.PP' + chr(10))}"


def page(name, number, purpose, sections):
    """A whole page; sections: [(title, roff)]."""
    head = f'.\\" Written by test/documents/update.\n.TH {name.upper()} {number} "" "sctp_analysis {registered.version()}" "SCTP Analysis"\n'
    body = "".join(section(title, text) for title, text in [("NAME", f"{escaped(name)} \\- {escaped(purpose)}\n"), *sections])
    assert body.isascii(), re.findall(r"[^\x00-\x7f]", body)
    return head + body


def values_of(preference):
    if preference.kind == "uat":
        columns = ", ".join(f"{name} ({meaning})" for name, meaning in preference.values)
        return f"A table with the columns {columns}."
    words = ", ".join(word + (f" ({meaning})" if meaning else "") for word, meaning in preference.values)
    return (f"One of {words}. " if words else "") + (f"Default: {preference.default}." if preference.default else "Default: empty.")


def preference_items(tshark):
    found = registered.preferences(tshark)
    names = [f"uat:{p.default}" if p.kind == "uat" else f"sctp_analysis.{p.name}" for p in found]
    return "".join(item(name, f"{p.meaning}. {values_of(p)}") for name, p in zip(names, found))


def field_items(tshark):
    found = registered.fields(tshark)
    chunks = [field for field in found if f"{field.filter}.".startswith("sctp.analysis.chunk.")]
    rule = next(field.filter for field in found if field.filter.startswith("sctp.analysis.rule."))
    own = [field for field in found if field.known and field not in chunks]
    items = "".join(item(f.filter, f"{f.name} ({f.type}{', final' if f.known == 'final' else ''}): {f.meaning}.") for f in own)
    return items + paragraphs(FURTHER.format(chunks=len(chunks), example=rule))


def documents():
    """Names of the documents that are installed beside the man page."""
    return re.search(r"set\(documents ([^)]*)\)", DOCUMENTS.read_text()).group(1).split()


def plugin_page(tshark):
    """sctp-analysis(7)."""
    synopsis = example("tshark -q -r CAPTURE -z sctp,REPORT[,FILTER]...\ntshark -r CAPTURE -Y 'sctp.analysis.FIELD == VALUE'\nwireshark CAPTURE")
    folders = item("~/.local/lib/wireshark/plugins/VERSION/epan/sctp_analysis.so", "The plugin of one user.") \
        + item("$(pkg-config --variable=plugindir wireshark)/epan/sctp_analysis.so", "That of all users.") \
        + item("share/doc/sctp-analysis", f"Documents, below the prefix of the installation; in Debian in that of the package: "
                                          f"{', '.join(documents())}.") \
        + item("share/sctp-analysis", "What sctp-analysis(1) starts, and Lua scripts.")
    return page("sctp-analysis", 7, "what each SCTP association of a capture did (plugin of Wireshark)", [
        ("SYNOPSIS", synopsis),
        ("DESCRIPTION", paragraphs(DESCRIPTION)),
        ("REPORTS", paragraphs(REPORTS) + "".join(item(f"-z {r.syntax}", r.summary) for r in registered.reports(tshark))),
        ("PREFERENCES", paragraphs(PREFERENCES) + preference_items(tshark)),
        ("FIELDS", paragraphs(FIELDS) + field_items(tshark)),
        ("EXAMPLES", "".join(paragraphs(what) + example(command) for what, command in EXAMPLES)),
        ("FILES", folders),
        ("SEE ALSO", "\\fBtshark\\fP(1), \\fBwireshark\\fP(1), \\fBwireshark\\-filter\\fP(4)\n"),
    ])


def help_blocks(text):
    """[(kind, head, body)] of a help text: "option" for lines such as `-x, --word  what it does`, "table" for other indented lines, "text"."""
    blocks = []
    for part in re.split(r"\n\s*\n", text.strip("\n")):
        for line in part.splitlines():
            option = re.match(r" {2,}(-\S.*?)(?: {2,}(.*))?$", line)
            if option and len(line) - len(line.lstrip()) <= 10:
                blocks.append(["option", option.group(1), option.group(2) or ""])
            elif blocks and blocks[-1][0] == "option" and line.startswith(" " * 12):
                blocks[-1][2] += " " + line.strip()
            elif line.startswith("  "):
                blocks.append(["table", "", textwrap.dedent(line)])
            elif blocks and blocks[-1][0] == "text" and blocks[-1][2]:
                blocks[-1][2] += " " + line.strip()
            else:
                blocks.append(["text", "", line.strip()])
        blocks.append(["text", "", ""])
    return [tuple(block) for block in blocks if block[1] or block[2]]


def run_help(*words):
    """What ./run WORDS --help prints."""
    return subprocess.run([registered.TOP / "run", *words, "--help"], capture_output=True, text=True, check=True).stdout


def installed_help():
    """{words: what sctp-analysis WORDS --help prints} of the command as it is installed; (): without words."""
    with tempfile.TemporaryDirectory() as folder:
        home = pathlib.Path(folder)
        for name in ("run", "packaging/installed.bash", "docs/generated/reference.md", *(f"sctpa/{command}/usage*.txt" for command in COMMANDS)):
            for path in registered.TOP.glob(name):
                copy = home / path.relative_to(registered.TOP)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, copy)
        (home / "plugin_folder").write_text("nowhere")

        def shown(*words):
            return subprocess.run([home / "run", *words, "--help"], capture_output=True, text=True, check=True).stdout
        return {(): shown()} | {(word,): shown(word) for word in commands()}


def help_sections(text):
    """{title: roff} of a help text; its first paragraph begins with the usage, one line for each form."""
    usage, rest = text.split("\n\n", 1)
    first, *further = usage.splitlines()
    forms = [first.removeprefix("usage:"), *(line for line in further if line.startswith(" "))]
    rest = "\n".join(line for line in further if not line.startswith(" ")) + "\n\n" + rest
    sections = {"SYNOPSIS": example("\n".join(form.strip() for form in forms)), "DESCRIPTION": "", "OPTIONS": "", "EXIT STATUS": ""}
    title = "DESCRIPTION"
    for kind, head, body in help_blocks(rest):
        if kind == "option":
            title = "OPTIONS"
            sections[title] += item(head, body.strip())
        elif body.startswith("Exit status"):
            sections["EXIT STATUS"] += paragraphs(body.removeprefix("Exit status:").strip())
        else:
            sections[title] += (example if kind == "table" else paragraphs)(body)
    return {name: body for name, body in sections.items() if body}


def commands():
    """The words that make ./run something else, each with a help of its own: `./run WORD [options]` in its usage."""
    return re.findall(r"^(?:usage:)? +\./run ([a-z]+) ", run_help(), re.M)


def command_page():
    """sctp-analysis(1)."""
    shown = installed_help()
    sections = help_sections(shown.pop(()))
    for (word,), text in shown.items():
        sections[word.upper()] = "".join(f".SS {title.capitalize()}\n{body}" for title, body in help_sections(text).items())
    return page("sctp-analysis", 1, "reports of SCTP captures", [
        *sections.items(), ("NOTES", paragraphs("In a checkout, ./run takes the same arguments, and installs and builds what is missing.")),
        ("SEE ALSO", "\\fBsctp\\-analysis\\fP(7), \\fBtshark\\fP(1)\n")])
