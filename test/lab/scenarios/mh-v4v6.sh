# SPDX-License-Identifier: GPL-2.0-or-later
# one association over an IPv4 and an IPv6 path (AF_INET6 sockets), 1 % loss, IPv6 primary, then the IPv6 path fails
#
# stacks: linux usrsctp
# features: IPv6, IPv4 and IPv6 in one association, multihoming, failover
# associations: 1

network 2
link 1 delay 20ms loss 1%
link 2 delay 30ms loss 1%
sctp_sysctl addr_scope_policy=0
start 1 2
server fd00:1:1::1,10.2.1.1 5000 --tag B --hb 1000 --rto 500,300,2000 -- drain close
client fd00:1:0::1,10.2.0.1 fd00:1:1::1,10.2.1.1 5000 --tag A --hb 1000 --rto 500,300,2000 \
	--pathmax 1 --poll 10 --gt $OUT/A.gt.tsv -- \
	bg_drain "send 600 1200 gap=6000" shutdown "waitclose 60000" close &
client=$!
sleep 2
link 1 loss 100%
wait $client $server
finish
