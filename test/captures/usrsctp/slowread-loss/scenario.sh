# SPDX-License-Identifier: GPL-2.0-or-later
# slow reader (20 kB every 60 ms, rcvbuf 64 kB) and 1 % loss, fragmented 8 kB messages
#
# stacks: linux usrsctp
# features: slow reader, small window, loss, fragmentation
# associations: 1

network 1
link 1 delay 20ms loss 1% rate 20mbit
start 1
server 10.1.1.1 5000 --tag B --rcvbuf 64000 --poll 5 --gt $OUT/B.gt.tsv -- "drain 20000 60" close
client 10.1.0.1 10.1.1.1 5000 --tag A --poll 5 --gt $OUT/A.gt.tsv -- \
	bg_drain "send 200 8000" shutdown "waitclose 60000" close
wait $server
finish
