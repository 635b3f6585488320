# SPDX-License-Identifier: GPL-2.0-or-later
# ECN: netem marks 2 % instead of dropping; ECNE and CWR
#
# stacks: linux usrsctp
# features: ECN, ECNE, CWR
# associations: 1

network 1
link 1 delay 20ms
forward 1 delay 20ms loss 2% ecn rate 10mbit
sctp_sysctl ecn_enable=1
start 1
server 10.1.1.1 5000 --tag B --ecn -- drain close
client 10.1.0.1 10.1.1.1 5000 --tag A --ecn --poll 5 --gt $OUT/A.gt.tsv -- \
	bg_drain "send 800 1400" shutdown "waitclose 20000" close
wait $server
finish
