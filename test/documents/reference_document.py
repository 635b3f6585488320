# SPDX-License-Identifier: GPL-2.0-or-later
"""docs/generated/reference.md: every report, preference, field, expert info and JSON key, from what is registered and from the JSON schema.

Leaves out how that is asked for: registered.py.
"""

import registered

HEAD = """# Reference

Everything that the plugin adds to Wireshark and tshark, in the words with which it registers it. Written by `test/documents/update`.
[Reports](../reports.md) explains the reports column by column, [Rules](rules.md) each rule.
"""
FIELDS = """## Fields

They stand below the SCTP layer of each packet. **past**: known when the packet is dissected for the first time, from it and earlier ones, so
that a display filter during a live capture and tshark in one pass have it. **final**: known at the end of the capture; tshark has it with
`-2`, Wireshark when a packet is looked at again. The types are Wireshark's.
"""
CHUNKS = """### Decoded chunks

Which chunks are decoded is the preference `decode`. All are known in the past.
"""
EXPERTS = """### Expert infos

Each is also a field without a value, so that a display filter finds its packets.
"""
RULES = """Each rule has one: `sctp.analysis.rule.` and its id in small letters, such as `{example}`; {count} in all. Where a finding is only
probable, it is that with `.probable` behind, of the severity below; where the preference `profile` makes the rule a note, with `.note` behind. [Rules](rules.md) has all of them.
"""
COLUMNS = """## Columns

What the heads of the windows' columns mean, as hints over them say; the reports of the same tables have the same heads. A table is named as the
files that it is exported to.
"""
JSON = """## JSON

What `-z sctp,json` writes, as [json_schema.json](../json_schema.json) has it; [Reports](../reports.md#json) says more of some keys. Every key is always
there. A type in italics has a table of its own. `null` means not known.
"""


def cell(text):
    return text.replace("|", "\\|")


def table(head, rows):
    lines = [f"| {' | '.join(map(cell, row))} |\n" for row in [head, *rows]]
    return "".join([lines[0], "|" + "---|" * len(head) + "\n", *lines[1:]])


def reports_part(tshark):
    rows = [(f"`-z {report.syntax}`", f"[{report.name}](../reports.md#{report.name})", report.summary) for report in registered.reports(tshark)]
    return "## Reports\n\n" + table(("tshark", "report", "shows"), rows)


def value_text(preference):
    if preference.kind == "uat":
        return "rows of " + ", ".join(f"`{name}` ({meaning})" for name, meaning in preference.values)
    if preference.values:
        return "; ".join(f"`{word}`" + (f": {meaning}" if meaning else "") for word, meaning in preference.values)
    return "text"


def default_text(preference):
    if preference.kind == "uat":
        return "no rows"
    return f"`{preference.default}`" if preference.default else "empty"


def option_text(preference):
    if preference.kind == "uat":
        columns = ",".join(f'"{name}"' for name, _ in preference.values)
        return f"`uat:{preference.default}:{columns}`"
    return f"`sctp_analysis.{preference.name}`"


def preferences_part(tshark):
    rows = [(preference.title, option_text(preference), preference.meaning, value_text(preference), default_text(preference))
            for preference in registered.preferences(tshark)]
    return ("## Preferences\n\nUnder Edit > Preferences > Protocols > SCTP Analysis, or with `-o` on the command line.\n\n"
            + table(("preference", "with `-o`", "meaning", "values", "default"), rows))


def fields_part(tshark):
    found = registered.fields(tshark)
    chunks = [field for field in found if is_below(field, "chunk")]
    experts = [field for field in found if not field.known]
    rules = [field for field in experts if is_below(field, "rule")]
    own = [field for field in found if field not in chunks and field not in experts]
    ids = {field.filter.removesuffix(".note") for field in rules}
    return "\n".join([
        FIELDS, table(("field", "type", "name", "meaning", "known"), [(f"`{f.filter}`", f.type, f.name, f.meaning, f.known) for f in own]),
        CHUNKS, table(("field", "type", "name"), [(f"`{f.filter}`", f.type, f.name) for f in chunks]),
        EXPERTS, table(("field", "says"), [(f"`{f.filter}`", f.name) for f in experts if f not in rules]),
        RULES.format(example=rules[0].filter, count=len(ids))])


def is_below(field, name):
    return (field.filter + ".").startswith(f"{registered.PREFIX}.{name}.")


def type_text(schema):
    """One cell for a type of the schema."""
    if "$ref" in schema:
        return f"*{schema['$ref'].rsplit('/', 1)[-1]}*"
    if "anyOf" in schema:
        return " or ".join(type_text(choice) for choice in schema["anyOf"])
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        return ", ".join("null" if value is None else f"`{value}`" for value in schema["enum"])
    if "unit" in schema:
        return f"{type_text({name: of for name, of in schema.items() if name != 'unit'})}, {schema['unit']}"
    kinds = schema.get("type", "any")
    kinds = [kinds] if isinstance(kinds, str) else kinds
    return " or ".join(f"array of {type_text(schema['items'])}" if kind == "array" and "items" in schema else kind for kind in kinds)


def rows_of(schema, path=""):
    """(key, type, remark) of an object and the objects inside that have no name of their own, dots between them."""
    for choice in schema.get("anyOf", [schema]):
        if "items" in choice:
            yield from rows_of(choice["items"], path + "[]")
        for key, below in choice.get("properties", {}).items():
            name = f"{path}.{key}" if path else key
            yield name, type_text(below), below.get("description", "")
            yield from rows_of(below, name)
        below = choice.get("additionalProperties")
        if isinstance(below, dict):
            yield f"{path}.*", type_text(below), below.get("description", "")
            yield from rows_of(below, f"{path}.*")


def json_part():
    schema = registered.schema()
    parts = [JSON, "### The document\n", json_table(schema)]
    for name, definition in schema["definitions"].items():
        remark = definition.get("description", "")
        kind = "" if definition.get("type") == "object" else f"{type_text(definition)}. "
        parts.append(f"### {name}\n" + (f"\n{kind[:1].upper()}{kind[1:]}{remark}\n" if kind or remark else ""))
        if list(rows_of(definition)):
            parts.append(json_table(definition))
    return "\n".join(parts)


def json_table(schema):
    rows = [(f"`{key}`", kind, remark) for key, kind, remark in rows_of(schema)]
    columns = 3 if any(remark for _, _, remark in rows) else 2
    return table(("key", "type", "remark")[:columns], [row[:columns] for row in rows])


def columns_part():
    """What the heads of columns mean: the hints of the windows. Heads that mean the same in several tables stand once."""
    tables = {}
    for name, head, meaning in registered.columns():
        tables.setdefault((head, meaning), []).append(f"`{name}`")
    rows = [(", ".join(names), f"`{head}`", meaning) for (head, meaning), names in tables.items()]
    return COLUMNS + "\n" + table(("tables", "column", "means"), rows)


def text(tshark):
    """The whole document."""
    return "\n".join([HEAD, reports_part(tshark), preferences_part(tshark), fields_part(tshark), columns_part(), json_part()])
