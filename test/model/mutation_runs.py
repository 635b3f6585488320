# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes the breaches of captures and says of each whether the model found it, and what else it found."""

import collections
import fnmatch

import accusations
import documents
import mutations
import scenario_builder
from replay import extract
from packet_editor import NoPlace, PacketEditor

# Captures that hold a place for every mutation, and the rules that test_mutations.py breaks in each.
SAMPLE = {
    "linux/mh-hb-idle/A.pcapng.gz": "*",
    "linux/mh-hb-idle/B.pcapng.gz": "*",
    "usrsctp/asconf-noauth/A.pcapng.gz": "*",
    "usrsctp/asconf-auth/A.pcapng.gz": "*",
    "usrsctp/asconf-auth/B.pcapng.gz": "*",
    "linux/auth-data/A.pcapng.gz": "*",
    "pion/paced-small/A.pcap.gz": "*",
    "usrsctp/vantage-setup/A.pcapng.gz": "*",
    "usrsctp/vantage-setup/B.pcapng.gz": "*",
    "linux/strreset/B.pcapng.gz": "*",
    "linux/smallmsg-sackopts/B.pcapng.gz": "*",
    "pion/vantage-setup/A.pcap.gz": "*",
    "usrsctp/mh-hb-idle/B.pcapng.gz": "*",
    "pion/bigmsg/A.pcap.gz": "TX-*",
    "linux/mh-v4v6/A.pcapng.gz": "PM-*",
    "linux/mh-failover/A.pcapng.gz": "PM-016",  # which needs order, that the one before lacks
    "dcsctp/bidir/A.pcap.gz": "HS-0[13][47]",  # collisions: HS-014, HS-037
    "dcsctp/idata/A.pcap.gz": "ID-*",
    "dcsctp/idata/B.pcap.gz": "ID-*",
}

Breach = collections.namedtuple("Breach", "mutation capture seed accused found consequences untrue")


def pack(packets, path):
    path.write_bytes(b"".join(extract.pack(**packet) for packet in packets))
    return str(path)


def needs(rule):
    return set(documents.rules()[rule]["needs"].split(","))


def counts(judged):
    sums = collections.Counter()
    for finding in judged.findings:
        sums[finding.rule, finding.accused] += finding.count
    return sums


def make(capture, packets, rules, seeds, folder):
    """{file: (mutation, seed, accused end)} of the breaches for which the capture holds a place."""
    made = {}
    for number, mutation in enumerate(mutations.load()):
        for seed in range(seeds) if fnmatch.fnmatch(mutation.rule, rules) else ():
            editor = PacketEditor(packets, f"{capture}.{mutation.rule}.{seed}")
            try:
                accused = mutation.mutate(editor)
            except NoPlace:
                continue
            made[pack(editor.packets, folder / f"{number}.{seed}")] = (mutation, seed, accused)
    return made


def breach(capture, folder, rules="*", seeds=1):
    """Yields a Breach for each that was made, but for ends that broke the rule already, and captures that miss packets
    where the rule needs all. folder: for files between."""
    packets = list(extract.packets(str(capture)))
    whole = pack(packets, folder / "whole")
    made = make(accusations.name_of(capture), packets, rules, seeds, folder)
    judged = scenario_builder.judge_files([whole, *made], "9260")
    before = counts(judged[whole])
    for path, (mutation, seed, accused) in made.items():
        if before[mutation.rule, accused] or needs(mutation.rule) & judged[whole].missing & {"no-capture-loss"}:
            continue
        after = counts(judged[path])
        others = [finding for finding in judged[path].findings
                  if finding.rule != mutation.rule and accusations.weighs(finding) and not before[finding.rule, finding.accused]]
        yield Breach(mutation, accusations.name_of(capture), seed, accused,
                     after[mutation.rule, accused] > 0,
                     [finding for finding in others if finding.rule in mutation.causes],
                     [finding for finding in others if finding.rule not in mutation.causes])
    for path in (whole, *made):
        (folder / path).unlink()
