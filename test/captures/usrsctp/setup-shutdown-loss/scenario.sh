# SPDX-License-Identifier: GPL-2.0-or-later
# 12 short associations with 30 % loss each way: lost INIT, INIT-ACK, COOKIE-ECHO, COOKIE-ACK, SHUTDOWN,
# SHUTDOWN-ACK, SHUTDOWN-COMPLETE
#
# stacks: linux usrsctp
# features: loss of setup and shutdown chunks, T1, T2, many associations
# associations: 12

network 1
link 1 delay 20ms loss 30%
start 1
for k in 1 2 3 4 5 6 7 8 9 10 11 12; do
	B timeout 120 traffic -S -B 10.1.1.1 -P $((5000 + k)) --tag B$k --rto 500,300,2000 -- drain close &
	server=$!
	sleep 0.1
	A timeout 100 traffic -C -B 10.1.0.1 -H 10.1.1.1 -p $((5000 + k)) --tag A$k --rto 500,300,2000 -- \
		bg_drain "send 5 900" shutdown "waitclose 60000" close
	wait $server
done
finish
