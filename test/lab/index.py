#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes INDEX.tsv of a directory of captures: one line per capture, made from the captures themselves, their truth tables
and the notes the scenarios carry. Fails if the number of associations is not the one the scenario says there must be.

usage: index.py DIRECTORY"""
import collections
import csv
import glob
import gzip
import os
import re
import sys

from read_capture import is_corrupted, sctp_packets

HERE = os.path.dirname(os.path.abspath(__file__))
COLUMNS = ['path', 'stack', 'version', 'link', 'scenario', 'taps', 'ground_truth', 'packets', 'seconds', 'chunks',
           'associations', 'corrupted', 'features']
CHUNKS = {0: 'DATA', 1: 'INIT', 2: 'INIT_ACK', 3: 'SACK', 4: 'HEARTBEAT', 5: 'HEARTBEAT_ACK', 6: 'ABORT', 7: 'SHUTDOWN',
          8: 'SHUTDOWN_ACK', 9: 'ERROR', 10: 'COOKIE_ECHO', 11: 'COOKIE_ACK', 12: 'ECNE', 13: 'CWR',
          14: 'SHUTDOWN_COMPLETE', 15: 'AUTH', 16: 'NR_SACK', 64: 'I_DATA', 128: 'ASCONF_ACK', 129: 'PKTDROP',
          130: 'RE_CONFIG', 132: 'PAD', 192: 'FORWARD_TSN', 193: 'ASCONF', 194: 'I_FORWARD_TSN'}


def read(path):
    with (gzip.open(path, 'rt') if path.endswith('.gz') else open(path)) as file:
        return file.read()


def guest_notes(directory):
    """The notes at the head of scenario.sh and the link settings it starts with."""
    text = read(directory + '/scenario.sh')
    head, body = text.split('\n\n', 1)
    lines = [line[2:] for line in head.splitlines() if len(line) > 2]
    notes = dict(line.split(': ', 1) for line in lines if re.match(r'(stacks|features|associations( at \w( \(\w+\))?)?): ', line))
    notes['scenario'] = ' '.join(line for line in lines if line.split(': ')[0] not in notes)
    before_start = re.split(r'^(?:\S+=\S+ )*start ', body, flags=re.M)[0]
    notes['link'] = '; '.join(re.findall(r'^(?:link|forward|reverse|near|far) .*', before_start, flags=re.M))
    notes['version'] = read(directory + '/uname.txt').splitlines()[-1]
    return notes


def simulated_notes(directory, stack, scenario):
    notes = {'link': read(directory + '/params.txt').strip(), 'version': read(directory + '/version.txt').strip()}
    with open('%s/%s/scenarios.tsv' % (HERE, stack)) as table:
        for line in table:
            name, _, associations, features, words = line.rstrip('\n').split('\t')
            if name == scenario:
                notes.update(associations=associations, features=features, scenario=words)
    return notes


def notes_of(directory, stack, scenario):
    if os.path.exists(directory + '/scenario.sh'):
        return guest_notes(directory)
    return simulated_notes(directory, stack, scenario)


def truth_files(directory, tap):
    names = sorted(os.path.basename(f) for f in glob.glob(directory + '/*.tsv*'))
    mine = [n for n in names if n.startswith(tap + '.assocs')]
    return ' '.join(mine + [n for n in names if '.assocs.' not in n])


def association_count(directory, tap):
    table, = glob.glob('%s/%s.assocs.tsv*' % (directory, tap))
    return len({line.split('\t')[1] for line in read(table).splitlines()[1:]} - {'-'})


def summary(capture):
    counts, times, corrupted = collections.Counter(), [], 0
    for packet in sctp_packets(capture):
        times.append(packet.time)
        corrupted += is_corrupted(packet)
        counts.update(chunk.type for chunk in packet.chunks)
    chunks = ' '.join('%s=%d' % (CHUNKS.get(kind, kind), counts[kind]) for kind in sorted(counts))
    return {'packets': len(times), 'seconds': '%.3f' % (max(times) - min(times)), 'chunks': chunks, 'corrupted': corrupted}


def expected_associations(notes, stack, tap):
    at_tap = notes.get('associations at ' + tap, notes['associations'])
    return int(notes.get('associations at %s (%s)' % (tap, stack), at_tap))


def rows(root):
    for capture in sorted(glob.glob(root + '/*/*/[ABM].pcap*')):
        directory, name = os.path.split(capture)
        stack, scenario = os.path.relpath(directory, root).split('/')
        tap = name[0]
        notes = notes_of(directory, stack, scenario)
        row = dict(summary(capture), path=os.path.relpath(capture, root), stack=stack, version=notes['version'],
                   link=notes['link'], scenario=notes['scenario'], features=notes['features'],
                   taps=' '.join(sorted(os.path.basename(f)[0] for f in glob.glob(directory + '/[ABM].pcap*'))),
                   ground_truth=truth_files(directory, tap), associations=association_count(directory, tap))
        yield row, expected_associations(notes, stack, tap)


def main():
    root, wrong = sys.argv[1], 0
    unfinished = root + '/.INDEX.tsv.new'
    with open(unfinished, 'w', newline='') as file:
        table = csv.DictWriter(file, COLUMNS, delimiter='\t', lineterminator='\n', quoting=csv.QUOTE_NONE)
        table.writeheader()
        for row, expected in rows(root):
            table.writerow(row)
            if row['associations'] != expected:
                wrong += 1
                print('%s: %d associations, the scenario says %d' % (row['path'], row['associations'], expected))
    os.rename(unfinished, root + '/INDEX.tsv')
    sys.exit(wrong > 0)


if __name__ == '__main__':
    main()
