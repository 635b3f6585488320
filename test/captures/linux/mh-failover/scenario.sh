# SPDX-License-Identifier: GPL-2.0-or-later
# two paths; bulk at 4 Mbit/s; path 1 dies (100 % loss both ways) after 2 s for 12 s, then heals. HB 1 s,
# Path.Max.Retrans 2, RTO 300..2000
#
# stacks: linux usrsctp
# features: multihoming, failover, T3-rtx, HEARTBEAT
# associations: 1

network 2
link 1 delay 15ms rate 4mbit
link 2 delay 40ms rate 4mbit
start 1 2
server 10.1.1.1,10.2.1.1 5000 --tag B --rto 500,300,2000 --hb 1000 --pathmax 2 --poll 10 \
	--gt $OUT/B.gt.tsv -- drain close
client 10.1.0.1,10.2.0.1 10.1.1.1,10.2.1.1 5000 --tag A --rto 500,300,2000 --hb 1000 \
	--pathmax 2 --poll 10 --gt $OUT/A.gt.tsv -- \
	bg_drain "send 2200 1000 gap=8000" shutdown "waitclose 20000" close &
client=$!
sleep 2
link 1 loss 100%
sleep 12
link 1 delay 15ms rate 4mbit
wait $client $server
finish
