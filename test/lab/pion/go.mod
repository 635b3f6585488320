// SPDX-License-Identifier: GPL-2.0-or-later
module simulate-pion

go 1.25

require (
	github.com/pion/logging v0.2.4
	github.com/pion/sctp v1.9.4
)

require (
	github.com/pion/randutil v0.1.0 // indirect
	github.com/pion/transport/v4 v4.0.1 // indirect
)
