# SPDX-License-Identifier: GPL-2.0-or-later
# short outages of 0.5, 1.5 and 5 s during a paced transfer (0.9 s of data between): T3 back-off, collapse to one
# MTU, slow start after; RTO.Min 1 s
#
# stacks: linux usrsctp
# features: outage, T3-rtx back-off, slow start
# associations: 1

network 1
link 1 delay 20ms rate 8mbit
start 1
server 10.1.1.1 5000 --tag B -- drain close
client 10.1.0.1 10.1.1.1 5000 --tag A --poll 5 --gt $OUT/A.gt.tsv -- \
	bg_drain "send 2000 1400" shutdown "waitclose 60000" close &
client=$!
sleep 1
for length in 0.5 1.5 5; do
	link 1 loss 100%
	sleep $length
	link 1 delay 20ms rate 8mbit
	sleep 2
done
wait $client $server
finish
