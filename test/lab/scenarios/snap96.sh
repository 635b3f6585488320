# SPDX-License-Identifier: GPL-2.0-or-later
# frames cut at 96 bytes: an association with large and small messages, bundled DATA chunks beyond the cut, 1 % loss, then one
# over IPv6; no CRC can be checked, COOKIE ECHO and INIT ACK are cut
#
# stacks: linux usrsctp
# features: snap length 96, IPv6, loss, bundling
# associations: 2

network 1
link 1 delay 20ms loss 1% rate 20mbit
TAP_OPTIONS=(-s 96)
start 1
server 10.1.1.1 5000 --tag B --streams 8 -- drain close
client 10.1.0.1 10.1.1.1 5000 --tag A --streams 8 --poll 5 --gt $OUT/A.gt.tsv -- \
	bg_drain "send 200 3000 rr=8" "send 300 40 rr=8" "send 100 1400 rr=8 unord" shutdown "waitclose 20000" close
wait $server
server fd00:1:1::1 5001 --tag B6 --streams 8 -- drain close
client fd00:1:0::1 fd00:1:1::1 5001 --tag A6 --streams 8 --poll 5 --gt $OUT/A6.gt.tsv -- \
	bg_drain "send 100 1400 rr=8" "send 100 40 rr=8" shutdown "waitclose 20000" close
wait $server
finish
