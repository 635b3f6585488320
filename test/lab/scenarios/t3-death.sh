# SPDX-License-Identifier: GPL-2.0-or-later
# total link failure in mid-transfer: T3-rtx with back-off until Association.Max.Retrans (10 by default), default
# RTO; then a shutdown into the void (T2)
#
# stacks: linux usrsctp
# features: association failure, T3-rtx back-off, T2-shutdown
# associations: 2

network 1
link 1 delay 20ms rate 5mbit
start 1
server 10.1.1.1 5000 --tag B --hb 0 -- drain close
client 10.1.0.1 10.1.1.1 5000 --tag A --hb 0 --poll 10 --gt $OUT/A.gt.tsv -- \
	bg_drain "send 300 1000 gap=3000" "waitclose 600000" close &
client=$!
sleep 1
link 1 loss 100%
wait $client
kill $server
link 1 delay 20ms
sleep 1
server 10.1.1.1 5001 --tag B2 -- drain close
client 10.1.0.1 10.1.1.1 5001 --tag A2 --assocmax 6 -- \
	bg_drain "send 20 1000" "sleep 800" shutdown "waitclose 600000" close &
client=$!
sleep 0.8
link 1 loss 100%
wait $client
kill $server
finish
