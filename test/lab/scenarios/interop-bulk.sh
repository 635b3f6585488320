# SPDX-License-Identifier: GPL-2.0-or-later
# Linux (A) sends 1.4 MB to usrsctp (B), then usrsctp (A) to Linux (B); 20 ms, 1 % loss, 20 Mbit/s, raw IP
#
# stacks: interop
# features: interoperation, loss, fast retransmit
# associations: 2

network 1
link 1 delay 20ms loss 1% rate 20mbit
mute_kernel B b1
start 1
B traffic-usrsctp -S -B 10.1.1.1 -P 5000 --tag Bu --poll 5 --gt $OUT/B1.gt.tsv -- drain close &
server=$!
sleep 0.3
A traffic-linux -C -B 10.1.0.1 -H 10.1.1.1 -p 5000 --tag Al --poll 5 --gt $OUT/A1.gt.tsv -- \
	bg_drain "send 1000 1400 rr=4" shutdown "waitclose 20000" close
wait $server
mute_kernel A a1
unmute_kernel B b1
B traffic-linux -S -B 10.1.1.1 -P 5001 --tag Bl --poll 5 --gt $OUT/B2.gt.tsv -- drain close &
server=$!
sleep 0.3
A traffic-usrsctp -C -B 10.1.0.1 -H 10.1.1.1 -p 5001 --tag Au --poll 5 --gt $OUT/A2.gt.tsv -- \
	bg_drain "send 1000 1400 rr=4" shutdown "waitclose 20000" close
wait $server
finish
