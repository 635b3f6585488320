# SPDX-License-Identifier: GPL-2.0-or-later
# two paths; only the forward direction of path 1 fails, with the potentially-failed threshold (pf 0, pathmax 4);
# default RTO (min 1 s)
#
# stacks: linux usrsctp
# features: multihoming, one-way failure, potentially failed
# associations: 1

network 2
link 1 delay 10ms
link 2 delay 10ms
start 1 2
server 10.1.1.1,10.2.1.1 5000 --tag B --hb 2000 -- drain close
client 10.1.0.1,10.2.0.1 10.1.1.1,10.2.1.1 5000 --tag A --hb 2000 --pfthresh 0,0,4 --poll 10 \
	--gt $OUT/A.gt.tsv -- \
	bg_drain "send 1200 800 gap=20000" shutdown "waitclose 60000" close &
client=$!
sleep 3
forward 1 loss 100%
sleep 30
forward 1 delay 10ms
wait $client $server
finish
