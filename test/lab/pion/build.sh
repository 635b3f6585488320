#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Builds the pion simulation with go, which gets the modules. usage: build.sh WORK   writes WORK/bin/simulate-pion
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
work=${1:?usage: build.sh WORK}
# shellcheck source=packages.sh
. "$here/../packages.sh"
need_command go "Go 1.25 or newer: testing/synctest"
mkdir -p "$work/bin"
(cd "$here" && go test -c -o "$work/bin/pion.test" .)
cat >"$work/bin/simulate-pion" <<-'RUN'
	#!/bin/sh
	exec "$(dirname "$0")/pion.test" -test.run TestSimulation "$@"
RUN
chmod +x "$work/bin/simulate-pion"
