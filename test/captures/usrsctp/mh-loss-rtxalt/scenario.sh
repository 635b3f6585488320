# SPDX-License-Identifier: GPL-2.0-or-later
# two lossy paths (3 % and 1 %): retransmissions may go to the alternate path; primary switched by the user at 2 s
# and back at 4 s
#
# stacks: linux usrsctp
# features: multihoming, loss, set primary, retransmission to the other path
# associations: 1

network 2
link 1 delay 20ms loss 3% rate 8mbit
link 2 delay 50ms loss 1% rate 8mbit
start 1 2
server 10.1.1.1,10.2.1.1 5000 --tag B --hb 3000 -- drain close
client 10.1.0.1,10.2.0.1 10.1.1.1,10.2.1.1 5000 --tag A --hb 3000 --poll 10 \
	--gt $OUT/A.gt.tsv -- \
	bg_drain "send 500 1000 gap=4000" "primary 10.2.1.1" "send 500 1000 gap=4000" "primary 10.1.1.1" \
	"send 500 1000 gap=4000" shutdown "waitclose 60000" close
wait $server
finish
