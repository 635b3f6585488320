# SPDX-License-Identifier: GPL-2.0-or-later
# The part of the installed command sctp-analysis that finds what was installed with it, sourced by ../run. Installs nothing; that is checkout.bash's.

demo=$top/demo.pcapng.gz
python_folders=$top${PYTHONPATH:+:$PYTHONPATH}

is_prepared() { true; }

missing_packages() {
  command -v tshark >/dev/null || echo tshark
  [[ ! $gui ]] || command -v wireshark >/dev/null || echo wireshark
  missing_python
}

prepare() {
  local packages
  mapfile -t packages < <(missing_packages | sort -u)
  ((${#packages[@]} == 0)) || stop 3 "please install: ${packages[*]}"
  plugin_folder=$(cd -- "$top" && cd -- "$(<plugin_folder)" 2>/dev/null && pwd -P)
  [[ -e $plugin_folder/$plugin ]] || stop 3 "$plugin is not where it was installed, in $(<"$top/plugin_folder"), seen from $top"
  plugins=${plugin_folder%/*/*}
  series=$(basename "$(dirname "$plugin_folder")")
}

# Wireshark looks there.
find_plugin_for_gui() { :; }
