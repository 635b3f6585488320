#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Builds the dcSCTP simulation with cargo, which gets the crates. usage: build.sh WORK   writes WORK/bin/simulate-dcsctp
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
work=$1
# shellcheck source=packages.sh
. "$here/../packages.sh"
need_command cargo "the Rust toolchain, 1.82 or newer"
mkdir -p "$work/bin"
cargo build --release --quiet --locked --manifest-path "$here/Cargo.toml" --target-dir "$work/dcsctp"
cp "$work/dcsctp/release/simulate-dcsctp" "$work/bin/"
