# SPDX-License-Identifier: GPL-2.0-or-later
# small messages with pauses: Nagle on, then NODELAY; default delayed SACK, then delay 500 ms / freq 4, then no
# delay (freq 1)
#
# stacks: linux usrsctp
# features: Nagle, delayed SACK, SACK immediately, many associations
# associations: 6

network 1
link 1 delay 10ms
start 1
port=5000
for sack in "" "--sack 500,4" "--sack 0,1"; do
	for nagle in "" "--nodelay"; do
		server 10.1.1.1 $port --tag "B[$sack]" $sack -- drain close
		client 10.1.0.1 10.1.1.1 $port --tag "A[$nagle]" $nagle -- \
			bg_drain "send 40 200 gap=3000" "send 5 700 gap=400000" "send 3 3000 imm gap=1000" \
			shutdown "waitclose 5000" close
		wait $server
		port=$((port + 1))
	done
done
finish
