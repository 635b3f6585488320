# SPDX-License-Identifier: GPL-2.0-or-later
# congestion: 5 Mbit/s bottleneck with a 25-packet drop-tail queue, 15 ms each way, no random loss; large windows
#
# stacks: linux usrsctp
# features: congestion, queue drops, RTT growth
# associations: 1

network 1
link 1 delay 15ms
forward 1 delay 15ms rate 5mbit limit 25
echo 4000000 >/proc/sys/net/core/rmem_max
echo 4000000 >/proc/sys/net/core/wmem_max
start 1
server 10.1.1.1 5000 --tag B --rcvbuf 2000000 --poll 5 --gt $OUT/B.gt.tsv -- drain close
client 10.1.0.1 10.1.1.1 5000 --tag A --sndbuf 2000000 --poll 5 --gt $OUT/A.gt.tsv -- \
	bg_drain "send 2100 1400" shutdown "waitclose 20000" close
wait $server
finish
