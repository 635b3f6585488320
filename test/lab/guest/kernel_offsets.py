#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Prints, as shell variables, where the fields that the kernel trace reads lie in this kernel's structures. Read from the
kernel's own type information (BTF) with pahole. Argument: the directory of the unpacked kernel package."""
import glob
import re
import subprocess
import sys
import tempfile

LZ4_LEGACY_MAGIC = b'\x02!L\x18'
TRANSPORT = ('asoc', 'ipaddr', 'rto', 'srtt', 'rttvar', 'cwnd', 'ssthresh', 'partial_bytes_acked', 'flight_size',
             'burst_limited', 'state', 'error_count', 'pathmtu')


def vmlinux(directory, target):
    """Debian's cloud kernel image holds vmlinux as one lz4 stream; lz4 complains about what follows it."""
    image = open(glob.glob(directory + '/boot/vmlinuz-*')[0], 'rb').read()
    stream = image[image.find(LZ4_LEGACY_MAGIC):]
    target.write(subprocess.run(['lz4', '-dc'], input=stream, capture_output=True).stdout)
    target.flush()


def offsets(base, module, structure):
    """Offsets of all named members; of a name that occurs twice (nested) the first one."""
    text = subprocess.run(['pahole', '--btf_base', base, '-C', structure, module],
                          capture_output=True, text=True, check=True).stdout
    found = {}
    for name, offset in re.findall(r'(\w+);\s+/\*\s+(\d+)\s', text):
        found.setdefault(name, int(offset))
    return found


def main():
    directory = sys.argv[1]
    module = glob.glob(directory + '/lib/modules/*/kernel/net/sctp/sctp.ko')[0]
    with tempfile.NamedTemporaryFile() as base:
        vmlinux(directory, base)
        transport = offsets(base.name, module, 'sctp_transport')
        packet = offsets(base.name, module, 'sctp_packet')
        association = offsets(base.name, module, 'sctp_association')
    for name in TRANSPORT:
        print('TRANSPORT_%s=%d' % (name.upper(), transport[name]))
    print('TRANSPORT_IPADDR_V4=%d' % (transport['ipaddr'] + 4))
    print('TRANSPORT_IPADDR_V6=%d' % (transport['ipaddr'] + 8))
    print('PACKET_TRANSPORT=%d' % packet['transport'])
    print('ASSOCIATION_PEER_RWND=%d' % association['rwnd'])


if __name__ == '__main__':
    main()
