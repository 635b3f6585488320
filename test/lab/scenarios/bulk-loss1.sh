# SPDX-License-Identifier: GPL-2.0-or-later
# bulk transfer A->B: 2100 messages of 1400 bytes, 20 ms each way, 1 % loss each way, 20 Mbit/s
#
# stacks: linux usrsctp
# features: loss, fast retransmit
# associations: 1

network 1
link 1 delay 20ms loss 1% rate 20mbit
start 1
server 10.1.1.1 5000 --tag B --poll 5 --gt $OUT/B.gt.tsv -- drain close
client 10.1.0.1 10.1.1.1 5000 --tag A --poll 5 --gt $OUT/A.gt.tsv -- \
	bg_drain "send 2100 1400" shutdown "waitclose 20000" close
wait $server
finish
