# SPDX-License-Identifier: GPL-2.0-or-later
# 25 parallel associations between the same hosts, mixed sizes, 1 % loss, some aborted
#
# stacks: linux usrsctp
# features: many associations, loss, ABORT
# associations: 25

network 1
link 1 delay 20ms loss 1% rate 20mbit
start 1
for k in $(seq 25); do
	B traffic -S -B 10.1.1.1 -P $((5000 + k)) --tag B$k -- drain close &
done
sleep 0.5
for k in $(seq 25); do
	end=shutdown
	[ $((k % 6)) = 0 ] && end=abort
	A traffic -C -B 10.1.0.1 -H 10.1.1.1 -p $((5000 + k)) --tag A$k -- \
		bg_drain "send $((k * 3)) $((k * 50 + 20)) rr=3 gap=2000" $end "waitclose 20000" close &
	sleep 0.02
done
sleep 20
finish
