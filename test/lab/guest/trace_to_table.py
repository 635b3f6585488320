#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Turns the guest's kernel trace (trace.txt) into the ground-truth table gt.tsv; test/captures/README.md says what its
columns and rows mean. Kernel times are jiffies (HZ=250) there, milliseconds here."""
import re
import socket
import struct
import sys

HZ = 250
LINE = re.compile(r'\]\s+\S+\s+(\d+\.\d+): (\w+): (.*)')
COLUMNS = 'cwnd ssthresh pba flight rto srtt rttvar state err mtu prwnd'.split()
ADDRESS = 'family v4 v6a v6b'.split()
IN_JIFFIES = ('rto', 'srtt', 'rttvar')


class Associations:
    """Short names a0, a1... for the kernel's association pointers, in order of appearance."""

    def __init__(self):
        self.names = {}

    def name(self, pointer):
        return self.names.setdefault(int(pointer.split('(')[0], 16), 'a%d' % len(self.names))


def sack_row(fields):
    values = ['-'] * 9 + [fields['pathmtu'], fields['rwnd']]
    extra = 'unack_data=%s ports=%s>%s' % (fields['unack_data'], fields['bind_port'], fields['peer_port'])
    return 'sackin', '-', values, extra


def path_row(fields, text):
    address = re.search(r'ipaddr=(\S+)', text).group(1)
    address = re.sub(r':\d+$', '', address).strip('[]')
    values = [fields['cwnd'], fields['ssthresh'], fields['partial_bytes_acked'], fields['flight_size'],
              '-', '-', '-', fields['state'], '-', fields['pathmtu'], '-']
    return 'sack', address, values, 'primary' if '(*)' in text else ''


def address_text(fields):
    if int(fields['family'], 16) == socket.AF_INET6:
        halves = struct.pack('<QQ', int(fields['v6a'], 16), int(fields['v6b'], 16))
        return socket.inet_ntop(socket.AF_INET6, halves)
    return socket.inet_ntoa(struct.pack('<I', int(fields['v4'], 16)))


def probe_row(event, fields):
    for name in IN_JIFFIES:
        fields[name] = str(int(fields[name]) * 1000 // HZ)
    extra = ' '.join('%s=%s' % (k, v) for k, v in fields.items() if k not in COLUMNS + ADDRESS + ['asoc'])
    return event, address_text(fields), [fields[c] for c in COLUMNS], extra


def table_row(event, text):
    fields = dict(re.findall(r'(\w+)=(\S+)', text))
    if event == 'sctp_probe':
        return fields, sack_row(fields)
    if event == 'sctp_probe_path':
        return fields, path_row(fields, text)
    return fields, probe_row(event, fields)


def main():
    source, target = sys.argv[1:3]
    associations = Associations()
    with open(source, errors='replace') as trace, open(target, 'w') as table:
        heads = [c + '_ms' if c in IN_JIFFIES else c for c in COLUMNS]
        table.write('\t'.join(['time', 'event', 'assoc', 'dst'] + heads + ['extra']) + '\n')
        for line in trace:
            match = LINE.search(line)
            if not match:
                continue
            time, event, text = match.groups()
            fields, (name, address, values, extra) = table_row(event, text)
            row = [time, name, associations.name(fields['asoc']), address] + values + [extra]
            table.write('\t'.join(row) + '\n')


if __name__ == '__main__':
    main()
