# SPDX-License-Identifier: GPL-2.0-or-later
# bursty loss (Gilbert: 1 % to bad, 25 % back, 70 % loss in bad) both ways, 30 ms, 10 Mbit/s: T3 timeouts, fast
# retransmit of several TSNs
#
# stacks: linux usrsctp
# features: burst loss, T3-rtx, fast retransmit
# associations: 1

network 1
link 1 delay 30ms loss gemodel 1% 25% 70% 0% rate 10mbit
start 1
server 10.1.1.1 5000 --tag B --poll 5 --gt $OUT/B.gt.tsv -- drain close
client 10.1.0.1 10.1.1.1 5000 --tag A --poll 5 --gt $OUT/A.gt.tsv -- \
	bg_drain "send 1200 1400 rr=4" shutdown "waitclose 60000" close
wait $server
finish
