# SPDX-License-Identifier: GPL-2.0-or-later
# I-DATA (RFC 8260): 30 kB messages on 4 streams with the round-robin scheduler, interleaved with small messages,
# unordered too, PR (I-FORWARD-TSN), 1 % loss
#
# stacks: linux usrsctp
# features: I-DATA, I-FORWARD-TSN, interleaving, unordered, loss
# associations: 1

network 1
link 1 delay 20ms loss 1% rate 10mbit
sctp_sysctl intl_enable=1
start 1
server 10.1.1.1 5000 --tag B --streams 8 --idata -- drain close
client 10.1.0.1 10.1.1.1 5000 --tag A --streams 8 --idata --sched 2 --poll 10 \
	--gt $OUT/A.gt.tsv -- \
	bg_drain "send 24 30000 rr=4" "send 60 300 rr=8 unord" "send 60 300 rr=8" "send 30 5000 s=5 rtx=0 ppid=51" \
	"send 10 20000 rr=4 unord" shutdown "waitclose 30000" close
wait $server
finish
