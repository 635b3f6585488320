# SPDX-License-Identifier: GPL-2.0-or-later
# ./run --install: the plugin for the user who calls it. Part of ./run, which has the functions and variables that this uses.

install_for_user() {
  local home=${HOME:?} owner=() target staged
  if ((EUID == 0)) && ((${SUDO_UID:-0})); then
    home=$(getent passwd "$SUDO_UID" | cut -d: -f6)
    owner=(setpriv --reuid="$SUDO_UID" --regid="${SUDO_GID:-$SUDO_UID}" --clear-groups)
  elif ((EUID == 0)); then
    say 'installing for root, for whom Wireshark loads no plugins (call it as the user who starts Wireshark)'
  fi
  target=$home/.local
  staged=$(mktemp -d /tmp/sctp_analysis.XXXXXX) || stop 3 'cannot make a temporary folder in /tmp'
  # tar reads as root what the user may not; it makes every file anew, so that a running Wireshark keeps its own. Where there are links now, 0.1.0
  # had folders.
  cmake --install "$build" --component personal --prefix "$staged" >"$top/build/install.log" &&
    "${owner[@]}" mkdir -p "$target" &&
    "${owner[@]}" rm -rf -- "$target/$(cd "$staged" && echo lib/wireshark/plugins/*/epan/sctp_analysis/report)" &&
    tar -C "$staged" -cf - . | "${owner[@]}" tar -C "$target" --no-overwrite-dir --no-same-owner -xf - ||
    { rm -rf -- "$staged"; stop 3 "cannot install into $target"; }
  target+=/$(cd "$staged" && echo lib/wireshark/plugins/*/epan)
  rm -rf -- "$staged"
  [[ -O $top ]] || chown --reference="$top" "$top/build/install.log" "$build"/install_manifest*.txt
  say "installed $target/$plugin; wireshark (Telephony > SCTP Expert Analysis) and tshark (-z sctp,triage) have it from now on"
}
