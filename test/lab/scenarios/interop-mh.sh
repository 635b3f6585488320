# SPDX-License-Identifier: GPL-2.0-or-later
# multihomed Linux client (A), usrsctp server (B), data both ways, path 1 fails at 2 s for 8 s; PR-SCTP, AUTH and
# RE-CONFIG as the stacks negotiate them
#
# stacks: interop
# features: interoperation, multihoming, failover, RE-CONFIG, PR-SCTP
# associations: 1

network 2
link 1 delay 15ms rate 4mbit loss 0.5%
link 2 delay 40ms rate 4mbit loss 0.5%
mute_kernel B b1 b2
sctp_sysctl reconf_enable=1
start 1 2
B traffic-usrsctp -S -B 10.1.1.1,10.2.1.1 -P 5000 --tag Bu --streams 8 --rto 500,300,2000 --hb 1000 --pathmax 2 \
	--reconf --poll 10 --gt $OUT/B.gt.tsv -- \
	bg_drain "send 800 700 gap=12000 rr=8" "waitclose 30000" close &
server=$!
sleep 0.3
A traffic-linux -C -B 10.1.0.1,10.2.0.1 -H 10.1.1.1,10.2.1.1 -p 5000 --tag Al --streams 8 --rto 500,300,2000 \
	--hb 1000 --pathmax 2 --reconf --poll 10 --gt $OUT/A.gt.tsv -- \
	bg_drain "send 1500 900 gap=8000 rr=8" "reset out 1" "sleep 500" "send 20 500 rr=8" "send 30 900 rtx=0 rr=8" \
	"sleep 3000" shutdown "waitclose 20000" close &
client=$!
sleep 2
link 1 loss 100%
sleep 8
link 1 delay 15ms rate 4mbit loss 0.5%
wait $client $server
finish
