# SPDX-License-Identifier: GPL-2.0-or-later
# 10 MB bulk transfer A->B, 20 ms each way, 1 % loss each way, 50 Mbit/s; frames cut at 128 bytes
#
# stacks: linux usrsctp
# features: snap length 128, loss, long transfer
# associations: 1

network 1
link 1 delay 20ms loss 1% rate 50mbit
TAP_OPTIONS=(-s 128)
start 1
server 10.1.1.1 5000 --tag B --rcvbuf 2000000 -- drain close
client 10.1.0.1 10.1.1.1 5000 --tag A --sndbuf 2000000 --poll 5 --gt $OUT/A.gt.tsv -- \
	bg_drain "send 7200 1400" shutdown "waitclose 20000" close
wait $server
finish
