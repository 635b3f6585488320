# SPDX-License-Identifier: GPL-2.0-or-later
# one association seen at both ends and in the middle: bulk data both ways, loss and delay on both sides of the tap M
# (A..M 8 ms 1 %, M..B 17 ms 2 %, 10 Mbit/s)
#
# stacks: linux usrsctp
# features: three taps, loss, data both ways
# associations: 1

network 1
near 1 delay 8ms loss 1% rate 10mbit
far 1 delay 17ms loss 2% rate 10mbit
MIDDLE=1 start 1
server 10.1.1.1 5000 --tag B --poll 5 --gt $OUT/B.gt.tsv -- \
	bg_drain "send 150 1000 gap=5000" "waitclose 30000" close
client 10.1.0.1 10.1.1.1 5000 --tag A --poll 5 --gt $OUT/A.gt.tsv -- \
	bg_drain "send 500 1400 rr=4" "sleep 1000" shutdown "waitclose 20000" close
wait $server
finish
