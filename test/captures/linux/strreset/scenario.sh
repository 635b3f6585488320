# SPDX-License-Identifier: GPL-2.0-or-later
# RE-CONFIG: reset outgoing, incoming, both; add streams; SSN/TSN reset of the association; with data before and
# after, 2 % loss
#
# stacks: linux usrsctp
# features: RE-CONFIG, stream reset, add streams, association reset, loss
# associations: 1

network 1
link 1 delay 15ms loss 2%
sctp_sysctl reconf_enable=1
start 1
server 10.1.1.1 5000 --tag B --streams 8,16 --reconf -- \
	bg_drain "sleep 600" "send 20 500 rr=8" "sleep 500" "reset out 1,2" "sleep 400" "send 16 500 rr=8" \
	"waitclose 30000" close
client 10.1.0.1 10.1.1.1 5000 --tag A --streams 8,16 --reconf -- \
	bg_drain "send 40 500 rr=8" "sleep 300" "reset out 0,3" "sleep 300" "send 16 500 rr=8" "sleep 1500" \
	"reset in 2" "sleep 300" "reset both" "sleep 500" "send 16 500 rr=8" "sleep 500" "addstreams 2 0" \
	"sleep 500" "addstreams 0 3" "sleep 500" "send 10 500 s=9" "sleep 500" resetassoc "sleep 500" \
	"send 16 500 rr=8" "sleep 300" shutdown "waitclose 10000" close
wait $server
finish
