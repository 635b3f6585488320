# SPDX-License-Identifier: GPL-2.0-or-later
# ABORT of several kinds: user abort in mid-transfer; close() with unread data; connect to a closed port; DATA out
# of the blue after an unclean end; process exit
#
# stacks: linux usrsctp
# features: ABORT, out of the blue, closed port, unread data
# associations: 4

network 1
link 1 delay 20ms
start 1
server 10.1.1.1 5000 --tag B1 -- bg_drain "waitclose 10000" close
client 10.1.0.1 10.1.1.1 5000 --tag A1 -- bg_drain "send 300 1400" abort
wait $server
server 10.1.1.1 5001 --tag B2 -- "sleep 500" close
client 10.1.0.1 10.1.1.1 5001 --tag A2 -- \
	bg_drain "send 10 1000" "waitclose 3000" close
wait $server
client 10.1.0.1 10.1.1.1 5999 --tag A3 -- "send 1 10"
server 10.1.1.1 5002 --tag B4 --linger0 -- "sleep 500" exit
client 10.1.0.1 10.1.1.1 5002 --tag A4 --assocmax 4 --rto 500,300,1000 -- \
	"send 10 1000" "sleep 300" "send 5 500" "waitclose 1000" "send 5 500" "waitclose 9000" close &
client=$!
sleep 0.4
reverse 1 loss 100%
sleep 1
reverse 1 delay 20ms
wait $client $server
finish
