# SPDX-License-Identifier: GPL-2.0-or-later
"""./run check, compare, explain and matrix: has captures read, judges them, writes what was asked for. Leaves each of that to the module of its name."""

import datetime
import json
import os
import sys

from sctpa import captures, interrupts, rule_table, whole_files
from sctpa.arguments import say, show
from sctpa.names import cause
from sctpa.sequence import grouping
from sctpa.tshark import Failed, Host

from . import anonymous, arguments, baseline, captures_read, coverage, gate, matrix as _matrix, rule_names, severities
from .errors import STATUS_NOTHING_NEW, STATUS_NOT_JUDGED, STATUS_USAGE, WrongUsage

NO_FOLDER = os.devnull


class Read:
    """Captures as they were read, and the rules that options name."""

    def __init__(self, chosen, host, names, wants_rules):
        self.found, _, self.complaints = captures.find(names, NO_FOLDER)
        for error in self.complaints:
            say(f"{error.filename}: {cause(error)}")
        if chosen.sequence:
            self.found = grouping.grouped(self.found, host.as_user)
        job = captures_read.Job(host, chosen.timeout, wants_rules)
        self.readings = captures_read.read_all(job, self.found, chosen.jobs)
        for note in (note for reading in self.readings for note in reading.notes):
            say(note)
        self.rules = (
            (next((reading.rules for reading in self.readings if reading.rules), None) or rule_table.ask(host))
            if wants_rules
            else {}
        )
        self.names = [capture.name for capture in self.found]

    def generator(self):
        return next((reading.generator for reading in self.readings if reading.generator), {})


def names_rules(chosen):
    """Do the options name rules?"""
    return bool(chosen.rules or chosen.excluded or chosen.severities)


def settings_of(chosen, rules, accepted=None, required=()):
    """gate.Settings of the options. Raises WrongUsage."""
    looked_at = None
    if chosen.rules:
        looked_at = frozenset(rule_names.named(rules, chosen.rules, "--rules"))
    elif chosen.excluded:
        looked_at = frozenset(rules) - set(rule_names.named(rules, chosen.excluded, "--not"))
    levels = severities.read(chosen.severities, rules) if chosen.severities else {}
    return gate.Settings(
        chosen.endpoint,
        looked_at,
        chosen.limits,
        accepted or {},
        levels,
        chosen.allow_drops,
        tuple(required),
        datetime.date.today(),
        getattr(chosen, "test", False),
    )


def _required(chosen, rules):
    names = [name for text in chosen.require_exercised if text.startswith("@") for name in coverage.exercised(text[1:])]
    globs = [text for text in chosen.require_exercised if not text.startswith("@")]
    return rule_names.named(rules, [*names, *globs], "--require-exercised") if names or globs else []


def _cases(verdict, read, settings):
    """Of each capture its cases.Case; of a test also of rules without an occasion."""
    from . import cases

    rules = coverage.looked_at(settings, read.rules) if settings.is_test else ()
    return [cases.of(settings, capture, reading, rules) for capture, reading in zip(verdict.captures, read.readings)]


def _text_of(name, verdict, read, settings):
    if name == "junit":
        from . import junit

        return junit.write(verdict, _cases(verdict, read, settings))
    if name == "sarif":
        from . import sarif

        return sarif.write(verdict, read.rules, settings, read.generator())
    from . import formats

    if name == "json":
        return formats.as_json(verdict, read.generator(), _cases(verdict, read, settings))
    return "\n".join({"text": formats.text, "github": formats.github}[name](verdict, read.generator()))


def _put(path, text):
    if text and not text.endswith("\n"):
        text += "\n"
    if path is None:
        show(text)
    else:
        with whole_files.written(path) as file:
            file.write(text.encode("utf-8", "backslashreplace"))


def _update(chosen, verdict):
    """Adds what is new to the baseline; returns what the captures are then."""
    new = {fingerprint: found[0][1] for fingerprint, found in verdict.new().items()}
    added = baseline.add(chosen.baseline, new, datetime.date.today()) if new else 0
    say(f"{chosen.baseline}: {added} added")
    return baseline.read(chosen.baseline, True)


def check(words):
    chosen = arguments.check(words)
    accepted = baseline.read(chosen.baseline, chosen.update_baseline) if chosen.baseline else {}
    wants_rules = (
        names_rules(chosen)
        or bool(chosen.require_exercised)
        or any(name == "sarif" or (chosen.test and name in ("json", "junit")) for name, _ in chosen.formats)
    )
    read = Read(chosen, Host.from_environment(chosen.options), chosen.captures, wants_rules)
    settings = settings_of(chosen, read.rules, accepted, _required(chosen, read.rules))
    verdict = gate.judge(settings, read.names, read.readings)
    if chosen.update_baseline:
        settings = settings._replace(accepted=_update(chosen, verdict))
        verdict = gate.judge(settings, read.names, read.readings)
    for name, path in chosen.formats:
        _put(path, _text_of(name, verdict, read, settings))
    if chosen.coverage:
        _put(chosen.coverage, "\n".join(coverage.text(verdict.coverage)))
    if not read.found:
        say("no captures in what was named")
    return verdict.status or (STATUS_NOT_JUDGED if read.complaints else STATUS_NOTHING_NEW)


def compare(words):
    from . import comparison

    chosen = arguments.compare(words)
    host = Host.from_environment(chosen.options)
    sides = [Read(chosen, host, [name], names_rules(chosen)) for name in chosen.captures]
    settings = settings_of(chosen, sides[0].rules)
    return comparison.report(chosen, settings, sides)


def explain(words):
    from . import explanation

    chosen = arguments.explain(words)
    return explanation.report(chosen.rules, rule_table.ask(Host.from_environment(chosen.options)))


def _matrix_text(name, of, chosen):
    if name == "html":
        from . import matrix_page

        return matrix_page.write(of, arguments.again(chosen), chosen.anonymise)
    if name == "markdown":
        from . import matrix_markdown

        return matrix_markdown.write(of)
    return json.dumps(_matrix.document(of), indent=1)


def matrix(words):
    chosen = arguments.matrix(words)
    host = Host.from_environment(chosen.options)
    read = [Read(chosen, host, [column.path], True) for column in chosen.captures]
    settings = settings_of(chosen, read[0].rules)
    if chosen.anonymise:
        anonymous.replace(read)
    columns = [
        _matrix.column(
            settings._replace(endpoint=column.endpoint or settings.endpoint), column.name, each.names, each.readings
        )
        for column, each in zip(chosen.captures, read)
    ]
    of = _matrix.matrix(settings, read[0].rules, columns, chosen.bases, read[0].generator())
    for name, path in chosen.formats:
        _put(path, _matrix_text(name, of, chosen))
        if path:
            say(
                f"{path}: {len(of.exercised()[0])} of {len(of.rules)} rules exercised, {len(columns)} column{'s' * (len(columns) != 1)}"
            )
    troubled = any(each.complaints or not each.found for each in read) or any(
        capture.why_not for column in columns for capture in column.captures
    )
    return STATUS_NOT_JUDGED if troubled else STATUS_NOTHING_NEW


def main():
    interrupts.heed()
    try:
        return {"check": check, "compare": compare, "explain": explain, "matrix": matrix}[sys.argv[1]](sys.argv[2:])
    except WrongUsage as error:
        say(str(error))
        return STATUS_USAGE
    except Failed as error:
        say(str(error))
        return error.status
    except OSError as error:
        say(interrupts.shortage(error) or (f"{error.filename}: {cause(error)}" if error.filename else cause(error)))
        return STATUS_NOT_JUDGED
    except interrupts.Interrupted as interrupted:
        say("interrupted")
        os._exit(interrupted.status)
    except Exception as error:  # A defect of ours must not look like "violations", which is Python's own status 1.
        if text := interrupts.shortage(error):
            say(text)
            return STATUS_NOT_JUDGED
        import traceback

        traceback.print_exc()
        say(f"cannot judge: {error!r}")
        return STATUS_NOT_JUDGED


if __name__ == "__main__":
    # Without waiting for what workers are reading where something is wrong.
    os._exit(main())
