# SPDX-License-Identifier: GPL-2.0-or-later
# usrsctp only: NR-SACK and PKTDROP enabled at both ends, 1 % loss, 0.5 % corrupted packets, 20 ms, 10 Mbit/s,
# unordered and ordered data
#
# stacks: usrsctp
# features: NR-SACK, PKTDROP, corrupted packets, loss, unordered
# associations: 1

network 1
link 1 delay 20ms loss 1% corrupt 0.5% rate 10mbit
start 1
server 10.1.1.1 5000 --nrsack --pktdrop --tag B -- drain close
client 10.1.0.1 10.1.1.1 5000 --nrsack --pktdrop --tag A --poll 5 --gt $OUT/A.gt.tsv -- \
	bg_drain "send 300 1400 unord" "send 300 1400 rr=4" shutdown "waitclose 20000" close
wait $server
finish
