# SPDX-License-Identifier: GPL-2.0-or-later
# slow reader: 16 kB receive buffer, no reading for 6 s (zero window, probes), then 4000 bytes every 100 ms, later
# at full speed
#
# stacks: linux usrsctp
# features: zero window, window probe, window update, slow reader
# associations: 1

network 1
link 1 delay 10ms
start 1
server 10.1.1.1 5000 --tag B --rcvbuf 16000 --poll 5 --gt $OUT/B.gt.tsv -- \
	"sleep 6000" "recv 4000" "sleep 100" "recv 4000" "sleep 3000" "recv 8000" "sleep 100" "recv 4000" \
	"sleep 100" "recv 4000" "sleep 100" "recv 4000" "sleep 100" "recv 4000" drain close
client 10.1.0.1 10.1.1.1 5000 --tag A --poll 5 --gt $OUT/A.gt.tsv -- \
	bg_drain "send 300 1000" shutdown "waitclose 30000" close
wait $server
finish
