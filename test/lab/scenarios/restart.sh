# SPDX-License-Identifier: GPL-2.0-or-later
# peer restart: the client's host loses its association (all its packets, ABORT included, are dropped), a new client
# comes from the same port: COOKIE-ECHO with a RESTART on the server
#
# stacks: linux usrsctp
# features: restart, multihoming, out of the blue
# associations: 2

network 2
link 1 delay 20ms
link 2 delay 20ms
start 1 2
B traffic -S --many -B 10.1.1.1,10.2.1.1 -P 5000 --tag B --hb 2000 -- \
	bg_drain "sleep 1000" "send 5 200" "sleep 12000" close &
server=$!
sleep 0.3
client 10.1.0.1,10.2.0.1 10.1.1.1,10.2.1.1 5000 -P 6000 --tag A1 --linger0 -- \
	bg_drain "send 20 500 gap=20000" "sleep 800" &
client=$!
sleep 1.2
link 1 loss 100%
link 2 loss 100%
wait $client
sleep 0.5
link 1 delay 20ms
link 2 delay 20ms
client 10.1.0.1,10.2.0.1 10.1.1.1,10.2.1.1 5000 -P 6000 --tag A2 -- \
	bg_drain "send 20 500 gap=20000" "sleep 1000" shutdown "waitclose 5000" close
wait $server
finish
