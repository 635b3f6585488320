# SPDX-License-Identifier: GPL-2.0-or-later
# The part of ./run that installs and builds what is missing in its checkout, sourced there. Leaves out what is installed: installed.bash.

build=$top/build/release
demo=$top/test/captures/demo.pcapng.gz
lock_file=$top/build/run.lock
python_folders=$top:$top/build/python

. "$top/packaging/with_progress.bash"

is_prepared() { [[ -e $build/build.ninja ]]; }

# The major version of Qt that Wireshark has in Debian; nothing while Wireshark's headers are not installed.
qt_major() {
  local version
  version=$(pkg-config --modversion wireshark 2>/dev/null) || return
  if dpkg --compare-versions "$version" lt 4.2; then echo 5; else echo 6; fi
}

# Sets built_for: what build_plugin configured the build for, nothing while there is none. Without another program, which might be killed: the answer
# decides whether all is built anew.
read_built_for() {
  built_for=''
  { IFS= read -r built_for <"$build/built_for"; } 2>/dev/null
}

# The dialogs need Qt: they are built for those who open or install them, and from then on.
wants_dialogs() {
  local built_for
  read_built_for
  [[ $gui$install$only_build || $built_for == *dialogs ]]
}

# SCTPA_PACKAGES names what test/run needs beyond this; @ stands for the major version of Qt.
missing_packages() {
  local command package
  for command in tshark:tshark cmake:cmake ninja:ninja-build gcc:gcc g++:g++ pkg-config:pkgconf setpriv:util-linux; do
    command -v "${command%%:*}" >/dev/null || echo "${command#*:}"
  done
  pkg-config --exists glib-2.0 2>/dev/null || echo libglib2.0-dev
  pkg-config --exists wireshark 2>/dev/null || echo libwireshark-dev
  [[ ! $gui$install ]] || command -v wireshark >/dev/null || echo wireshark
  if wants_dialogs && [[ $(qt_major) ]]; then
    pkg-config --exists "Qt$(qt_major)Widgets" 2>/dev/null || echo "$([[ $(qt_major) == 5 ]] && echo qtbase5-dev || echo qt6-base-dev)"
    pkg-config --exists "Qt$(qt_major)Svg" 2>/dev/null || echo "$([[ $(qt_major) == 5 ]] && echo libqt5svg5-dev || echo qt6-svg-dev)"
    [[ -e /usr/include/qcustomplot.h ]] || echo libqcustomplot-dev
  fi
  missing_python
  for package in ${SCTPA_PACKAGES:-}; do
    [[ $package != *@* || $(qt_major) ]] || continue
    package=${package/@/$(qt_major)}
    dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -q '^installed' || echo "$package"
  done
}

# Whether anything was installed.
install_packages() {
  local packages root=()
  mapfile -t packages < <(missing_packages 2>/dev/null | sort -u)
  ((${#packages[@]})) || return
  command -v apt-get >/dev/null || stop 3 "not a Debian system; please install: ${packages[*]}"
  ((EUID == 0)) || root=(sudo)
  ((EUID == 0)) || command -v sudo >/dev/null || stop 3 "neither root nor sudo; please install: ${packages[*]}"
  echo installing >"$lock_file"
  say "installing ${packages[*]} (log: $top/build/install.log)"
  with_progress installing "$top/build/install.log" "${root[@]}" env DEBIAN_FRONTEND=noninteractive bash -c '
    apt-get -o DPkg::Lock::Timeout=300 update &&
      apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "$@"' - "${packages[@]}" ||
    stop 3 "installing failed: $(grep -m1 -E '^(E:|W: Failed|Err:)' "$top/build/install.log") (log: $top/build/install.log)"
}

# The build belongs to one place and one Wireshark: a moved checkout or another version starts afresh.
build_plugin() {
  local stamp version built_for log=$top/build/build.log dialogs=OFF targets=(sctp_analysis)
  version=$(pkg-config --modversion wireshark) || stop 3 "pkg-config does not say which Wireshark to build for"
  stamp="$top $version"
  read_built_for
  if wants_dialogs; then dialogs=ON stamp+=' dialogs' targets+=(sctp_analysis_ui); fi
  if [[ ! -e $build/build.ninja || $built_for != "$stamp" ]]; then
    echo building >"$lock_file"
    say "building the plugin$([[ $dialogs == OFF ]] || echo ' and its windows') (log: $log)"
    (cd "$top" && cmake --fresh --preset release -DSCTPA_UI=$dialogs) >"$log" 2>&1 </dev/null && echo "$stamp" >"$build/built_for" ||
      stop 3 "configuring failed: $(grep -m1 -A2 'Error' "$log" | tr -s '\n ' ' ') (log: $log)"
  fi
  with_progress building "$log" ninja -C "$build" "${targets[@]}" ||
    stop 3 "building failed: $(grep -m1 -E ' error: |^ninja: error|undefined reference' "$log") (log: $log)"
}

# Of a call that only looks nothing is said, of one that installs or builds afresh soon: then the file says so.
await_lock() {
  flock --timeout 1 "$1" || { [[ ! -s $lock_file ]] && flock --timeout 9 "$1"; } ||
    { say "waiting until another call of ./run has installed and built"; flock "$1"; }
}

prepare() {
  local lock
  plugin_folders=("$build"/plugins/*/epan)
  if mkdir -p "$top/build" 2>/dev/null && [[ -w $top/build ]]; then
    exec {lock}>>"$lock_file"
    await_lock "$lock" || stop 3 "cannot lock $lock_file"
    : >"$lock_file"
    # Which Qt is known once Wireshark is there.
    install_packages && install_packages
    build_plugin
    # What root makes in a user's checkout stays the user's.
    if [[ ! -O $top ]]; then
      chown --reference="$top" "$top/build" "$lock_file" "$top"/build/*.log
      chown -R --reference="$top" "$build"
    fi 2>/dev/null
    exec {lock}>&-
    plugin_folders=("$build"/plugins/*/epan)
  elif [[ ! -e ${plugin_folders[0]}/$plugin ]]; then
    stop 3 "cannot build the plugin: no permission to write to $top/build"
  fi
  plugin_folder=${plugin_folders[0]}
  series=$(basename "$(dirname "$plugin_folder")")
  [[ -e $plugin_folder/$plugin ]] || stop 3 "the build has made no $plugin"
  plugins=$build/plugins
}

# The user's own copy of the plugin is used where there is one; else ours, beside the plugins Wireshark came with.
find_plugin_for_gui() {
  local installed=${HOME:-}/.local/lib/wireshark/plugins/$series/epan/$plugin
  if ((EUID != 0)) && [[ -e $installed ]]; then
    cmp -s "$installed" "$plugin_folder/$plugin" || say "using the installed plugin, which is another build (./run --install renews it)"
    return
  fi
  mkdir -p "$work/gui/$series"
  cp -rs "$(pkg-config --variable=plugindir wireshark)/." "$work/gui/$series/" 2>/dev/null
  mkdir -p "$work/gui/$series/epan" && cp -r "$plugins/$series/epan/." "$work/gui/$series/epan/"
  chmod -R a+rX "$work/gui"
  export WIRESHARK_PLUGIN_DIR=$work/gui
}
