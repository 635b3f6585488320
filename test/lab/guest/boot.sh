#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Boots the emulated guest once for one scenario and unpacks what it leaves.
# usage: boot.sh WORK INITRD linux|usrsctp|interop SCENARIO.sh DIRECTORY
# Virtual time (-icount): waiting costs nothing and there is no noise of a busy machine. One processor: with more, a
# receiver zeroes the checksum in a buffer which the capture shares.
set -euo pipefail
work=$1 initrd=$2 stack=$3 scenario=$4 output=$5

mkdir -p "$output"
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
mkdir "$temporary/lab"
cp "$scenario" "$temporary/lab/scenario.sh"
(cd "$temporary" && find lab | cpio -o -H newc --quiet | gzip -1) | cat "$initrd" - >"$temporary/initrd"
truncate -s 256M "$temporary/disk"

timeout "${LAB_TIMEOUT:-600}" qemu-system-x86_64 \
	-accel tcg,thread=single -smp 1 -cpu max -m 768 \
	-icount shift=0,sleep=off -rtc base=2026-01-01T00:00:00,clock=vm -seed 1 \
	-display none -serial stdio -monitor none -no-reboot -nodefaults \
	-kernel "$work"/kernel/boot/vmlinuz-* -initrd "$temporary/initrd" \
	-append "console=ttyS0 quiet panic=-1 mitigations=off nokaslr audit=0 tsc=reliable lab.stack=$stack" \
	-drive "file=$temporary/disk,format=raw,if=virtio" </dev/null 2>&1 | tr -d '\r' >"$output/console.txt"
tar xf "$temporary/disk" -C "$output"
[ -s "$output/A.pcapng" ]
cp "$scenario" "$output/scenario.sh"
