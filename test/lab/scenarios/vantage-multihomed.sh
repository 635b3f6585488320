# SPDX-License-Identifier: GPL-2.0-or-later
# a multihomed association seen at both ends and by a middle tap that sees path 1 only; the far half of path 1 (M..B)
# dies after 2 s for 6 s: M still sees what A sends into the void
#
# stacks: linux usrsctp
# features: three taps, middle sees one path of two, multihoming, failover, loss
# associations: 1

network 2
near 1 delay 5ms rate 4mbit
far 1 delay 10ms loss 0.5% rate 4mbit
near 2 delay 20ms loss 0.5% rate 4mbit
far 2 delay 20ms rate 4mbit
MIDDLE=1 start 1 2
server 10.1.1.1,10.2.1.1 5000 --tag B --rto 500,300,2000 --hb 1000 --pathmax 2 --poll 10 \
	--gt $OUT/B.gt.tsv -- drain close
client 10.1.0.1,10.2.0.1 10.1.1.1,10.2.1.1 5000 --tag A --rto 500,300,2000 --hb 1000 --pathmax 2 --poll 10 \
	--gt $OUT/A.gt.tsv -- bg_drain "send 1000 1000 gap=10000" "sleep 1000" shutdown "waitclose 20000" close &
client=$!
sleep 2
far 1 loss 100%
sleep 6
far 1 delay 10ms loss 0.5% rate 4mbit
wait $client $server
finish
