# SPDX-License-Identifier: GPL-2.0-or-later
# 2 % duplicates and 0.5 % corrupted packets (bad CRC32c), 20 ms, 20 Mbit/s
#
# stacks: linux usrsctp
# features: duplicate packets, corrupted packets
# associations: 1

network 1
link 1 delay 20ms duplicate 2% corrupt 0.5% rate 20mbit
start 1
server 10.1.1.1 5000 --tag B -- drain close
client 10.1.0.1 10.1.1.1 5000 --tag A --poll 5 --gt $OUT/A.gt.tsv -- \
	bg_drain "send 1000 1400" shutdown "waitclose 20000" close
wait $server
finish
