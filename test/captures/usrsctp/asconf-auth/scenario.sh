# SPDX-License-Identifier: GPL-2.0-or-later
# dynamic address reconfiguration with AUTH: start on path 1, add 10.2.0.1, set it peer-primary, delete 10.1.0.1,
# data all the while, 1 % loss; B adds an address too
#
# stacks: linux usrsctp
# features: ASCONF, AUTH, multihoming, loss, address added and deleted, set primary
# associations: 1

network 2
link 1 delay 15ms loss 1%
link 2 delay 25ms loss 1%
sctp_sysctl addip_enable=1 auth_enable=1
start 1 2
server 10.1.1.1 5000 --tag B --asconf 1 --hb 2000 --key secret123 -- \
	bg_drain "sleep 1500" "addip 10.2.1.1" "sleep 200" "send 50 300 gap=20000" "waitclose 30000" close
client 10.1.0.1 10.1.1.1 5000 -P 6100 --tag A --asconf 1 --hb 2000 --key secret123 --poll 10 \
	--gt $OUT/A.gt.tsv -- \
	bg_drain "send 40 800 gap=10000" "addip 10.2.0.1" "sleep 500" "send 100 800 gap=10000" "sleep 1200" \
	"peerprimary 10.2.0.1" "send 60 800 gap=10000" "primary 10.2.1.1" "sleep 300" "delip 10.1.0.1" \
	"send 60 800 gap=10000" "sleep 1500" shutdown "waitclose 10000" close
wait $server
finish
