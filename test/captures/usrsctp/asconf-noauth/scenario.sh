# SPDX-License-Identifier: GPL-2.0-or-later
# add/delete address with net.sctp.addip_noauth_enable=1 (ASCONF without AUTH), lost ASCONFs (20 % loss)
#
# stacks: linux usrsctp
# features: ASCONF, multihoming, loss, address added and deleted
# associations: 1

network 2
link 1 delay 15ms
link 2 delay 25ms
sctp_sysctl addip_enable=1 addip_noauth_enable=1
start 1 2
server 10.1.1.1 5000 --tag B --hb 2000 -- bg_drain "waitclose 30000" close
client 10.1.0.1 10.1.1.1 5000 -P 6000 --tag A --hb 2000 -- \
	bg_drain "send 20 800 gap=10000" "sleep 700" "addip 10.2.0.1" "sleep 3000" "send 20 800 gap=10000" \
	"delip 10.1.0.1" "sleep 4000" "addip 10.1.0.1" "sleep 4000" "delip 10.2.0.1" "send 20 800 gap=10000" \
	shutdown "waitclose 10000" close &
client=$!
sleep 1
link 1 delay 15ms loss 20%
link 2 delay 25ms loss 20%
wait $client $server
finish
