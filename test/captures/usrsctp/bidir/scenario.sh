# SPDX-License-Identifier: GPL-2.0-or-later
# both ends send 1 MB at once on 8 streams, ordered and unordered, small and fragmented messages, 2 % loss, 25 ms,
# 10 Mbit/s
#
# stacks: linux usrsctp
# features: data both ways, streams, unordered, fragmentation, loss
# associations: 1

network 1
link 1 delay 25ms loss 2% rate 10mbit
start 1
server 10.1.1.1 5000 --tag B --streams 8,8 --poll 5 --gt $OUT/B.gt.tsv -- \
	bg_drain "send 200 4000 rr=8" "send 2000 100 rr=8 unord" "waitclose 60000" close
client 10.1.0.1 10.1.1.1 5000 --tag A --streams 8,8 --poll 5 --gt $OUT/A.gt.tsv -- \
	bg_drain "send 100 9000 rr=8" "send 1500 60 rr=8" "sleep 3000" shutdown "waitclose 20000" close
wait $server
finish
