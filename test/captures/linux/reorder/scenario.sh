# SPDX-License-Identifier: GPL-2.0-or-later
# reordering: delay 20 ms, 10 % of the packets sent at once, both ways; 1.4 MB; no loss
#
# stacks: linux usrsctp
# features: reordering
# associations: 1

network 1
link 1 delay 20ms reorder 10% 50%
start 1
server 10.1.1.1 5000 --tag B --poll 5 --gt $OUT/B.gt.tsv -- drain close
client 10.1.0.1 10.1.1.1 5000 --tag A --poll 5 --gt $OUT/A.gt.tsv -- \
	bg_drain "send 1000 1400 rr=3" shutdown "waitclose 20000" close
wait $server
finish
