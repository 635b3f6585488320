# SPDX-License-Identifier: GPL-2.0-or-later
# PR-SCTP: ttl, rtx and prio policies over a slow lossy link (1 Mbit/s, 5 % loss), ordered and unordered,
# fragmented; FORWARD-TSN
#
# stacks: linux usrsctp
# features: PR-SCTP, FORWARD-TSN, loss, unordered
# associations: 1

network 1
link 1 delay 30ms loss 5% rate 1mbit
start 1
server 10.1.1.1 5000 --tag B --streams 4 -- drain close
client 10.1.0.1 10.1.1.1 5000 --tag A --streams 4 --poll 10 --gt $OUT/A.gt.tsv -- \
	bg_drain "send 150 1000 ttl=150 rr=3 gap=4000" "sleep 1500" "send 150 1000 rtx=0 rr=3 gap=8000" "sleep 1500" \
	"send 60 3000 rtx=1 s=1 gap=20000" "sleep 1500" "send 80 1000 unord rtx=0 gap=9000" "sleep 1000" \
	"send 100 1400 prio=10 s=2 nb" "send 100 1400 prio=1 s=3 nb" "sleep 1500" "send 20 500 s=0" shutdown \
	"waitclose 30000" close
wait $server
finish
