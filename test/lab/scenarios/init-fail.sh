# SPDX-License-Identifier: GPL-2.0-or-later
# INIT with no answer (Max.Init.Retransmits), stale cookie (cookie life 60 ms, RTT 200 ms), peer comes up late
#
# stacks: linux usrsctp
# features: INIT without answer, stale cookie, T1-init, late peer
# associations: 3
# associations at B: 2
# associations at B (usrsctp): 1

network 1
link 1 delay 20ms
start 1
link 1 loss 100%
client 10.1.0.1 10.1.1.1 5000 --tag A1 --initmax 4 -- exit
link 1 delay 100ms
B timeout 30 traffic -S -B 10.1.1.1 -P 5001 --tag B2 --cookielife 60 -- drain close &
server=$!
sleep 0.3
A timeout 20 traffic -C -B 10.1.0.1 -H 10.1.1.1 -p 5001 --tag A2 -- \
	"send 3 100" shutdown "waitclose 3000" close
wait $server
forward 1 loss 100%
{ sleep 8; forward 1 delay 100ms; } &
B timeout 60 traffic -S -B 10.1.1.1 -P 5002 --tag B3 -- drain close &
server=$!
sleep 0.3
client 10.1.0.1 10.1.1.1 5002 --tag A3 -- \
	"send 3 100" shutdown "waitclose 3000" close
wait $server
finish
