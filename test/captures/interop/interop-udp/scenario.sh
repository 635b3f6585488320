# SPDX-License-Identifier: GPL-2.0-or-later
# usrsctp over UDP (RFC 6951), port 9899, 1 % loss, 20 ms; then Linux (A) to usrsctp (B) over UDP
#
# stacks: interop
# features: interoperation, UDP encapsulation, loss
# associations: 2

network 1
link 1 delay 20ms loss 1% rate 20mbit
start 1
B traffic-usrsctp -S -B 10.1.1.1 -P 5000 --udp 9899,9899 --tag B -- drain close &
server=$!
sleep 0.3
A traffic-usrsctp -C -B 10.1.0.1 -H 10.1.1.1 -p 5000 --udp 9899,9899 --tag A --poll 5 --gt $OUT/A.gt.tsv -- \
	bg_drain "send 500 1400" shutdown "waitclose 20000" close
wait $server
A sysctl -qw net.sctp.udp_port=9899 net.sctp.encap_port=9899
B traffic-usrsctp -S -B 10.1.1.1 -P 5001 --udp 9899,9899 --tag Bu --poll 5 --gt $OUT/B2.gt.tsv -- \
	drain close &
server=$!
sleep 0.3
A traffic-linux -C -B 10.1.0.1 -H 10.1.1.1 -p 5001 --tag Al --poll 5 --gt $OUT/A2.gt.tsv -- \
	bg_drain "send 500 1400" shutdown "waitclose 20000" close
wait $server
finish
