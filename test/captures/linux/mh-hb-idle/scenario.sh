# SPDX-License-Identifier: GPL-2.0-or-later
# idle multihomed association for 100 s: heartbeats (5 s +- jitter), path 2 RTT rises at 30 s, path 2 dead from 50
# to 80 s, then 10 messages
#
# stacks: linux usrsctp
# features: multihoming, HEARTBEAT, idle, path failure
# associations: 1

network 2
link 1 delay 10ms
link 2 delay 60ms
start 1 2
server 10.1.1.1,10.2.1.1 5000 --tag B --hb 5000 -- drain close
client 10.1.0.1,10.2.0.1 10.1.1.1,10.2.1.1 5000 --tag A --hb 5000 --pathmax 3 --poll 20 \
	--gt $OUT/A.gt.tsv -- \
	bg_drain "send 10 500" "sleep 100000" "send 10 500" shutdown "waitclose 60000" close &
client=$!
sleep 30
link 2 delay 200ms
sleep 20
link 2 loss 100%
sleep 30
link 2 delay 60ms
wait $client $server
finish
