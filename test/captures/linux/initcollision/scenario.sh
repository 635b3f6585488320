# SPDX-License-Identifier: GPL-2.0-or-later
# simultaneous open: both ends connect to each other (same ports) within one RTT of 100 ms; three trials with
# different offsets, the last with 20 % loss
#
# stacks: linux usrsctp
# features: INIT collision, loss
# associations: 3

network 1
link 1 delay 50ms
start 1
p=5000
for delay in 0.001 0.03 0.045; do
	[ $delay = 0.045 ] && link 1 delay 50ms loss 20%
	A traffic -C --many -B 10.1.0.1 -P $p -H 10.1.1.1 -p $p --tag A -- \
		"send 5 300" "sleep 3000" abort &
	client=$!
	sleep $delay
	B traffic -C --many -B 10.1.1.1 -P $p -H 10.1.0.1 -p $p --tag B -- \
		"send 5 300" "sleep 6000" close &
	server=$!
	wait $client $server
	p=$((p + 1))
done
finish
