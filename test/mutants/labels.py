# SPDX-License-Identifier: GPL-2.0-or-later
"""Captures with one deviation each and their innocent twins: what their labels say, and what of it the model finds (README.md)."""

import collections
import csv
import functools
import ipaddress
import pathlib
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER.parent / "model"), str(FOLDER.parent)]

import accusations  # noqa: E402
import scenario_builder  # noqa: E402
from replay import extract  # noqa: E402


def table(name):
    with open(FOLDER / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def listed(cell):
    return set(filter(None, cell.split(",")))


@functools.lru_cache(maxsize=None)
def _broken():
    """{file: rules that are broken in it, or may be said to be}."""
    broken = collections.defaultdict(set)
    for row in table("expected.tsv"):
        broken[row["file"]] |= {row["rule"]} | listed(row["accept"]) | listed(row["also"])
    for row in table("innocent.tsv"):
        broken[row["file"]] |= listed(row["also"])
    return broken


def may_be_found(file, rule):
    """A finding of rule in this file, or in a worse copy of it, is not known to be false."""
    return rule in _broken()[file] or any(name.startswith("BUG-") for name in _broken()[file])


def frames_of(row):
    return {int(frame) for frame in row["frames"].split(",")}


def is_accused(row, finding):
    return row["accused"] in ("*", str(finding.accused))


def is_found(row, judged, certainties):
    """One of the row's rules accuses its endpoint; BUG: any rule does, within 5 frames of the evidence."""
    found = [finding for finding in judged.findings if is_accused(row, finding)]
    if row["class"] == "BUG":
        return any(abs(frame - of_row) <= 5 for finding in found for frame in finding.frames for of_row in frames_of(row))
    rules = {row["rule"]} | listed(row["accept"])
    return any(finding.rule in rules and finding.certainty in certainties for finding in found)


def extra(row, judged):
    """Rules of proven findings of level MUST that the deviation does not explain."""
    if row["class"] == "BUG":
        return []
    return sorted({f.rule for f in judged.findings if f.level == "MUST" and f.certainty == "proven" and not may_be_found(row["file"], f.rule)})


def is_hidden(row, judged):
    """The verdict of the accused is clean, and the rule that it broke counts as checked."""
    rules = {row["rule"]} | listed(row["accept"])
    return any(word == "clean" and row["accused"] in ("*", str(end)) and rules & judged.judged[assoc, end]
               for (assoc, end), word in judged.verdicts.items())


def false(row, judged):
    """Rules that an innocent file is accused of: its own at any certainty, others where they are MUST and not in also; of a twin of a bug
    report any MUST or SHOULD."""
    is_report = row["rule"].startswith("BUG-")
    return sorted({f.rule for f in judged.findings if f.rule == row["rule"] or is_report and f.level in ("MUST", "SHOULD")
                   or f.level == "MUST" and f.certainty == "proven" and f.rule not in listed(row["also"])})


def addresses(packets):
    """{end: an address of it}: end 0 sent the first INIT, else the first packet."""
    first = next((packet for packet in packets if packet["sctp"][12:13] == b"\x01"), packets[0])
    return {0: first["source"], 1: first["destination"]}


def facts_of(row, packets):
    """The facts of a row as options of judge_core."""
    address, facts = {end: str(ipaddress.ip_address(data)) for end, data in addresses(packets).items()}, listed(row["facts"])
    taken_at = [address[int(fact.partition("=")[2])] for fact in facts if fact.startswith("taken_at=")]
    parameters = [f"{address[int(row['accused'])]} {fact}" for fact in sorted(facts) if fact != "complete" and not fact.startswith("taken_at=")]
    return scenario_builder.assertions("complete" in facts, taken_at, parameters)


def judge_alone(rows, folder):
    """{file: Judged} of what the captures of rows alone say."""
    paths = sorted({FOLDER / row["file"] for row in rows})
    return {path.name: judged for path, (_, _, judged) in zip(paths, accusations.judge(paths, ["whole"], folder, profile="9260"), strict=True)}


def judge_with_facts(rows, folder):
    """{place in rows: Judged} of what their captures say with the facts of each row; those with the same facts together."""
    alike = collections.defaultdict(dict)
    for place, row in enumerate(rows):
        packets = list(extract.packets(str(FOLDER / row["file"])))
        stored = folder / f"facts.{place}"
        stored.write_bytes(b"".join(extract.pack(**packet) for packet in packets))
        alike[tuple(facts_of(row, packets))][str(stored)] = place
    return {places[stored]: judged for facts, places in alike.items()
            for stored, judged in scenario_builder.judge_files(list(places), "9260", facts).items()}


# What one row of expected.tsv or innocent.tsv came to. found: None of an innocent one; facts: asserted.
Outcome = collections.namedtuple("Outcome", "row facts found extra hidden false said")


def _said(row, judged):
    """How sure the rule is told of the accused, for the lists of what is missed."""
    rules = {row["rule"]} | listed(row["accept"])
    told = sorted({f.certainty for f in judged.findings if is_accused(row, f) and f.rule in rules})
    return f"only {', '.join(told)}" if told else "nothing is said of it"


def _outcome(row, judged, facts):
    if "class" not in row:
        return Outcome(row, facts, None, [], False, false(row, judged), "")
    needs_proof = row["class"] == "F" or row["class"] == "A" and facts
    is_quiet_right = row["class"] == "A" and not facts
    found = is_found(row, judged, {"proven"} if needs_proof or is_quiet_right else {"proven", "probable", "possible"})
    hidden = not found and needs_proof and is_hidden(row, judged)
    return Outcome(row, facts, found, extra(row, judged), hidden, [], _said(row, judged))


def outcomes():
    """Every row judged without facts, and those that have some with them."""
    rows = table("expected.tsv") + table("innocent.tsv")
    with tempfile.TemporaryDirectory() as folder:
        judged = judge_alone(rows, pathlib.Path(folder))
        made = [_outcome(row, judged[row["file"]], False) for row in rows]
        with_facts = [row for row in rows if row["facts"] and row.get("class", "A") == "A"]
        made += [_outcome(with_facts[place], judged, True) for place, judged in sorted(judge_with_facts(with_facts, pathlib.Path(folder)).items())]
    return made


def must_be_found(outcome):
    return outcome.found is not None and (outcome.row["class"] != "A" or outcome.facts)


def _key(o):
    return o.row["file"], o.row["rule"], o.row["accused"], "asserted" if o.facts else "-"


def missed(made):
    """{(file, rule, accused, facts)} that must be found and is not."""
    return {_key(o) for o in made if must_be_found(o) and not o.found}


def wrong(made):
    """{(file, what, rules)}: extra and false findings, and verdicts that hide what was missed."""
    found = set()
    for o in made:
        facts = " with facts" if o.facts else ""
        found |= {(o.row["file"], "extra" + facts, rule) for rule in o.extra} | {(o.row["file"], "false" + facts, rule) for rule in o.false}
        if o.hidden:
            found.add((o.row["file"], "clean" + facts, o.row["rule"]))
    return found


def as_text(made):
    lines = [f"{'class':22} {'rows':>5} {'found':>6} {'missed':>7} {'extra':>6} {'clean':>6} {'false':>6}"]
    names = {"F": "F", "A": "A without facts", "P": "P", "BUG": "BUG"}
    groups = collections.defaultdict(list)
    for o in made:
        kind = "innocent" if o.found is None else names[o.row["class"]]
        groups[kind.replace(" without facts", "") + " with facts" if o.facts else kind].append(o)
    for kind, of_kind in groups.items():
        found = sum(bool(o.found) for o in of_kind)
        lost = sum(must_be_found(o) and not o.found for o in of_kind)
        lines.append(f"{kind:22} {len(of_kind):5} {found:6} {lost:7} {sum(bool(o.extra) for o in of_kind):6} {sum(o.hidden for o in of_kind):6} "
                     f"{sum(bool(o.false) for o in of_kind):6}")
    return "\n".join(lines)


KNOWN = {"missed.tsv": ("file", "rule", "accused", "facts"), "wrong.tsv": ("file", "what", "rule")}


def known(name):
    """{columns: reason} of what is missed or wrong today."""
    return {tuple(row[column] for column in KNOWN[name]): row["reason"] for row in table(name)} if (FOLDER / name).exists() else {}


def write_known(made):
    for name, rows in (("missed.tsv", missed(made)), ("wrong.tsv", wrong(made))):
        reasons = {**{_key(o): o.said for o in made if name == "missed.tsv" and o.found is not None}, **known(name)}
        lines = [(*KNOWN[name], "reason")]
        lines += [(*row, reasons.get(row, "the rule is missed, and the verdict is clean" if "clean" in row[1] else "not looked at")) for row in sorted(rows)]
        (FOLDER / name).write_text("".join("\t".join(line) + "\n" for line in lines), encoding="utf-8")
