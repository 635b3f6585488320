# SPDX-License-Identifier: GPL-2.0-or-later
# eight short associations, seen at both ends and in the middle, with 15 % loss on either side of the tap M: setup and
# shutdown chunks that M saw and the receiver did not, and such as M never saw
#
# stacks: linux usrsctp
# features: three taps, loss of setup and shutdown chunks, T1, T2, many associations
# associations: 8

network 1
near 1 delay 10ms loss 15%
far 1 delay 15ms loss 15%
MIDDLE=1 start 1
for k in 1 2 3 4 5 6 7 8; do
	B timeout 60 traffic -S -B 10.1.1.1 -P $((5000 + k)) --tag B$k --rto 500,300,2000 -- drain close &
	server=$!
	sleep 0.1
	A timeout 60 traffic -C -B 10.1.0.1 -H 10.1.1.1 -p $((5000 + k)) --tag A$k --rto 500,300,2000 -- \
		bg_drain "send 5 900" shutdown "waitclose 30000" close
	wait $server
done
finish
