# SPDX-License-Identifier: GPL-2.0-or-later
"""The names that docs/compatibility.md promises: those there are today, and promised.tsv, which lists them with the version that brought each.

Leaves out what the names mean, and texts for people (heads of columns, titles, sentences), which may change.
"""

import csv
import re
import sys

import man_pages
import reference_document
import registered

TOP = registered.TOP
LEDGER = TOP / "test/documents/promised.tsv"
RULES = TOP / "docs/generated/rules.md"
CANDIDATES = TOP / "docs/generated/rfc-coverage.md"
HEAD = ("kind", "name", "what", "since")

sys.path.insert(0, str(TOP))


def _fields(tshark):
    """Fields with their types. Those of rules follow from the rules' numbers."""
    return {field.filter: field.type for field in registered.fields(tshark) if not reference_document.is_below(field, "rule")}


def _preferences(tshark):
    """Each preference and each word that one takes; a table by its columns."""
    for preference in registered.preferences(tshark):
        name = preference.default if preference.kind == "uat" else preference.name
        yield name, preference.kind
        yield from ((f"{name}:{word}", "value") for word, _ in preference.values)


def _rules():
    """Each rule's number with its clause."""
    return dict(re.findall(r"^### (\w+-\d+): .*\n\n\*\*\w+\*\*, (.*?)(?:, since [^.]*)?\. Accused: ", RULES.read_text(encoding="utf-8"), re.M))


def _json_keys():
    schema = registered.schema()
    for name, below in [("", schema), *schema["definitions"].items()]:
        yield from ((f"{name}.{key}".lstrip("."), "") for key, _, _ in reference_document.rows_of(below))


def _csv_columns():
    from sctpa.triage import csv_tables  # noqa: PLC0415
    return {f"{table}:{column}": "" for table, columns in csv_tables.COLUMNS.items() for column in columns}


def _series():
    source = (TOP / "plugins/sctp_analysis/core/measure/series/series.def").read_text(encoding="utf-8")
    return dict.fromkeys(re.findall(r'^SCTPA_SERIES_ROW\(\w+, "(\w+)"', source, re.M), "")


def _options_and_statuses():
    """({option: ""}, {status: ""}) of ./run and each of its commands, `triage --jobs` and `triage 2`."""
    options, statuses = {}, {}
    for words in [(), *((word,) for word in man_pages.commands())]:
        text = man_pages.run_help(*words)
        for line in re.findall(r"^ {2,10}(-\S.*?)(?:  |$)", text, re.M):
            options.update({" ".join((*words, option)): "" for option in re.findall(r"(?<![\w-])--?[a-zA-Z][a-z-]*", line)})
        said = text.partition("Exit status")[2]
        statuses.update({" ".join((*words, number)): "" for number in re.findall(r"(?:[:,]|^)\s+([0-3])(?=[ ,])", said)})
    return options, statuses


def names(tshark):
    """{(kind, name): what} of all that is promised and there: what is a field's type, a preference's kind, a rule's clause. Cost: seven calls of ./run."""
    options, statuses = _options_and_statuses()
    kinds = {
        "field": _fields(tshark), "report": dict.fromkeys(registered.report_names(tshark), ""), "preference": dict(_preferences(tshark)),
        "rule": _rules(), "json": dict(_json_keys()), "csv": _csv_columns(), "series": _series(), "option": options, "status": statuses,
    }
    return {(kind, name): what for kind, found in kinds.items() for name, what in found.items()}


def ledger():
    """{(kind, name): (what, since)} of promised.tsv."""
    with LEDGER.open(encoding="utf-8", newline="") as file:
        return {(row["kind"], row["name"]): (row["what"], row["since"]) for row in csv.DictReader(file, delimiter="\t")}


def candidates():
    """Numbers of rules that are taken, whatever became of them."""
    return set(re.findall(r"^\| (\w+-\d+) \|", CANDIDATES.read_text(encoding="utf-8"), re.M))


def broken(promised, there, taken):
    """What is promised and no longer so, in words. promised: as ledger gives it; there: as names; taken: as candidates."""
    for (kind, name), (what, since) in promised.items():
        if (kind, name) in there:
            if there[kind, name] != what:
                yield f"{kind} {name}, since {since}: was {what}, is {there[kind, name]}"
        elif kind != "rule":
            yield f"{kind} {name}, since {since}: is gone"
        elif name not in taken:
            yield f"rule {name}, since {since}: its number is free again"


def add_missing(there, version):
    """Writes promised.tsv with a row for each name that has none, since this version. Takes none away."""
    rows = {name: (what, version) for name, what in there.items()} | (ledger() if LEDGER.exists() else {})
    with LEDGER.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(HEAD)
        writer.writerows((*name, *rows[name]) for name in sorted(rows))
