# SPDX-License-Identifier: GPL-2.0-or-later
"""What tshark said, against the truth. Each function returns the list of differences as sentences; empty means right."""

import json


def fields(tshark, path, names, options=(), plugin=True, timeout=600):
    """Rows of `tshark -T fields`: one list of values per frame, each value the list of its occurrences."""
    arguments = ["-r", path, "-n", *options, "-T", "fields", "-E", "separator=/t", "-E", "occurrence=a", "-E", "aggregator=,"]
    for name in names:
        arguments += ["-e", name]
    result = tshark(*arguments, plugin=plugin, timeout=timeout)
    assert result.returncode == 0, result.stderr
    check_messages(result.stderr)
    return [[value.split(",") if value else [] for value in line.split("\t")] for line in result.stdout.splitlines()]


def check_messages(stderr):
    """No bug of the plugin shows on stderr."""
    for word in ("Dissector bug", "ASSERT", "assertion", "CRITICAL", "ERROR **", "AddressSanitizer", "runtime error"):
        assert word not in stderr, stderr[:2000]


def grouping(tshark, path, field="sctp.analysis.assoc", options=(), plugin=True, timeout=600):
    """frame -> list of association numbers."""
    rows = fields(tshark, path, ("frame.number", field), options, plugin, timeout)
    return {int(row[0][0]): [int(value) for value in row[1]] for row in rows}


def document(tshark, path, options=(), filter_text=None, timeout=600):
    """The parsed -z sctp,json."""
    report = "sctp,json" + (f",{filter_text}" if filter_text else "")
    result = tshark("-r", path, "-n", "-q", *options, "-z", report, timeout=timeout)
    assert result.returncode == 0, result.stderr
    check_messages(result.stderr)
    return json.loads(result.stdout)


def differences_of_grouping(seen, truth, limit=10):
    """The partition, and numbers 0, 1, 2, ... in order of first packets where no half is joined later."""
    wrong = []
    allowed, owners = {}, {}
    for frame in sorted(truth.assoc):
        key, numbers = truth.assoc[frame], seen.get(frame, [])
        if key is None:
            if numbers:
                wrong.append(f"frame {frame} belongs to no association but has {numbers}")
            continue
        if len(numbers) != 1:
            wrong.append(f"frame {frame} of {key} has the numbers {numbers}")
            continue
        if truth.halves.get(frame) == "any":
            continue
        half = (key, truth.halves.get(frame))
        if allowed.setdefault(half, numbers[0]) != numbers[0]:
            wrong.append(f"frame {frame} of {half} is in {numbers[0]}, earlier ones in {allowed[half]}")
        if owners.setdefault(numbers[0], key) != key:
            wrong.append(f"frame {frame} of {key} is in {numbers[0]} like those of {owners[numbers[0]]}")
    if not truth.halves and not wrong:
        for key, number in truth.numbers.items():
            if allowed[(key, None)] != number:
                wrong.append(f"{key} has number {allowed[(key, None)]}, not {number}")
    return wrong[:limit] + [f"... {len(wrong)} in all"] * (len(wrong) > limit)


def _fits(value, expected):
    return value in expected if isinstance(expected, (set, frozenset)) else value == expected


def differences_of_json(associations, truth, numbers, limit=10):
    """associations: of the JSON; numbers: key -> association number as fields show it in the last frame of the key."""
    wrong = []
    packets = truth.packets()
    by_index = {entry["index"]: entry for entry in associations}
    if len(by_index) != len(truth.expect):
        wrong.append(f"{len(by_index)} associations, not {len(truth.expect)}")
    for key, expect in truth.expect.items():
        entry = by_index.get(numbers.get(key))
        if entry is None:
            wrong.append(f"{key}: no association with index {numbers.get(key)}")
            continue
        for name in ("end", "setup", "encapsulation"):
            expected = getattr(expect, name)
            if expected is not None and not _fits(entry[name], expected):
                wrong.append(f"{key}: {name} is {entry[name]}, not {expected}")
        if expect.initiator != "unchecked" and entry["initiator"] != expect.initiator:
            wrong.append(f"{key}: initiator is {entry['initiator']}, not {expect.initiator}")
        restart_of = None if expect.restart_of is None else numbers.get(expect.restart_of)
        if expect.check_restart and entry["restart_of"] != restart_of:
            wrong.append(f"{key}: restart_of is {entry['restart_of']}, not {restart_of}")
        kinds = [event["kind"] for event in entry["events"]]
        wrong += [f"{key}: no event {kind} among {kinds}" for kind in expect.events if kind not in kinds]
        wrong += [f"{key}: event {kind}" for kind in expect.no_events if kind in kinds]
        if expect.check_packets and entry["packets"] != packets[key]:
            wrong.append(f"{key}: {entry['packets']} packets, not {packets[key]}")
    return wrong[:limit] + [f"... {len(wrong)} in all"] * (len(wrong) > limit)


def last_numbers(seen, truth):
    """key -> the number in its last frame."""
    return {truth.assoc[frame]: seen[frame][0] for frame in sorted(truth.assoc)
            if truth.assoc[frame] is not None and seen.get(frame)}
