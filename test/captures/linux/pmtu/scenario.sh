# SPDX-License-Identifier: GPL-2.0-or-later
# path MTU drops from 1500 to 1000 in the network (ICMP frag needed), later PLPMTUD probing (PAD chunks, 5 s
# interval) on a second association with ICMP filtered
#
# stacks: linux usrsctp
# features: PMTU, ICMP errors, PAD, HEARTBEAT
# associations: 2

network 1
link 1 delay 15ms
ip -n R2 link set rb1 mtu 1000
ip -n B link set b1 mtu 1000
start 1
server 10.1.1.1 5000 --tag B -- drain close
client 10.1.0.1 10.1.1.1 5000 --tag A --poll 5 --gt $OUT/A.gt.tsv -- \
	bg_drain "send 100 3000 gap=5000" shutdown "waitclose 20000" close
wait $server
ip -n A route flush cache
ip netns exec R2 sysctl -qw net.ipv4.icmp_ratemask=0 net.ipv4.icmp_ratelimit=0
ip -n R2 link set rb1 mtu 1500
ip -n B link set b1 mtu 1500
sctp_sysctl plpmtud_probe_interval=5000
server 10.1.1.1 5001 --tag B2 -- drain close
client 10.1.0.1 10.1.1.1 5001 --tag A2 --poll 5 --gt $OUT/A2.gt.tsv -- \
	bg_drain "send 30 3000 gap=20000" "sleep 40000" "send 30 3000 gap=20000" shutdown "waitclose 20000" close
wait $server
finish
