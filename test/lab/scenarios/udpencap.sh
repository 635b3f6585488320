# SPDX-License-Identifier: GPL-2.0-or-later
# SCTP over UDP (RFC 6951), port 9899, 1 % loss, 20 ms
#
# stacks: linux
# features: UDP encapsulation, loss
# associations: 1

network 1
link 1 delay 20ms loss 1% rate 20mbit
sctp_sysctl udp_port=9899 encap_port=9899
start 1
server 10.1.1.1 5000 --tag B -- drain close
client 10.1.0.1 10.1.1.1 5000 --tag A --poll 5 --gt $OUT/A.gt.tsv -- \
	bg_drain "send 500 1400" shutdown "waitclose 20000" close
wait $server
finish
