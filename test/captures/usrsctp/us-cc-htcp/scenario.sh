# SPDX-License-Identifier: GPL-2.0-or-later
# usrsctp only: HTCP congestion control (module 2), 5 Mbit/s bottleneck with a 25-packet queue, 15 ms
#
# stacks: usrsctp
# features: HTCP, congestion, queue drops
# associations: 1

network 1
link 1 delay 15ms
forward 1 delay 15ms rate 5mbit limit 25
start 1
server 10.1.1.1 5000 --rcvbuf 2000000 --tag B -- drain close
client 10.1.0.1 10.1.1.1 5000 --cc 2 --sndbuf 2000000 --tag A --poll 5 --gt $OUT/A.gt.tsv -- \
	bg_drain "send 1500 1400" shutdown "waitclose 20000" close
wait $server
finish
