# SPDX-License-Identifier: GPL-2.0-or-later
# AUTH on DATA (0), SACK(3), HEARTBEAT(4), HB-ACK(5), SHUTDOWN(7) chunks, key change in mid-association, 1 % loss;
# then a second association whose keys differ (packets dropped, T1/T3 runs)
#
# stacks: linux usrsctp
# features: AUTH, AUTH on DATA, key change, wrong key, loss
# associations: 2

network 1
link 1 delay 15ms loss 1%
sctp_sysctl auth_enable=1
start 1
server 10.1.1.1 5000 --tag B --auth 0,3,4,5,7 --key k1k1k1 -- \
	bg_drain "sleep 800" "usekey 2 otherkey2" "waitclose 20000" close
client 10.1.0.1 10.1.1.1 5000 --tag A --auth 0,3,4,5,7 --key k1k1k1 -- \
	bg_drain "send 60 900 gap=8000" "sleep 700" "usekey 2 otherkey2" "send 60 900 gap=8000" shutdown \
	"waitclose 10000" close
wait $server
server 10.1.1.1 5001 --tag B2 --auth 0 --key right -- drain close
A timeout 12 traffic -C -B 10.1.0.1 -H 10.1.1.1 -p 5001 --tag A2 --auth 0 --key wrong --assocmax 3 -- \
	bg_drain "send 3 400" "sleep 9000" abort
sleep 1
kill $server
finish
