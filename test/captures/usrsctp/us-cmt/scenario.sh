# SPDX-License-Identifier: GPL-2.0-or-later
# usrsctp only: concurrent multipath transfer (CMT on) over two paths, 0.5 % loss, 20 ms and 35 ms, 4 Mbit/s each
#
# stacks: usrsctp
# features: CMT, multihoming, NR-SACK, loss
# associations: 1

network 2
link 1 delay 20ms loss 0.5% rate 4mbit
link 2 delay 35ms loss 0.5% rate 4mbit
start 1 2
server 10.1.1.1,10.2.1.1 5000 --cmt 1 --nrsack --tag B -- drain close
client 10.1.0.1,10.2.0.1 10.1.1.1,10.2.1.1 5000 --cmt 1 --nrsack --tag A --poll 5 \
	--gt $OUT/A.gt.tsv -- \
	bg_drain "send 1400 1400" shutdown "waitclose 20000" close
wait $server
finish
