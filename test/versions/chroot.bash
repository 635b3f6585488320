# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by run, fresh, packaging/build and test/packages/run: makes chroots of Debian, and of Ubuntu 24.04 (noble), and runs commands in
# them. Needs root and mmdebstrap. Debian's mirror, proxies and certificates are the host's; Ubuntu's mirror is $SCTPA_UBUNTU_MIRROR.

top=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
chroots=${SCTPA_CHROOTS:-$top/build/chroots}

stop() { printf '%s: %s\n' "${0##*/}" "$*" >&2; exit 1; }

require_root_and_tools() {
  ((EUID == 0)) || stop 'needs root, for chroots'
  command -v mmdebstrap >/dev/null ||
    DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends mmdebstrap >/dev/null 2>&1 || stop 'needs mmdebstrap; please install it'
  mkdir -p "$chroots" || stop "cannot make $chroots"
  unshare --mount --pid --fork true || stop 'needs unshare(1) of mounts and processes'
}

# The address from which this machine takes Debian's own packages.
mirror() {
  apt-get indextargets --format '$(LABEL) $(REPO_URI)' 'Created-By: Packages' | awk '$1 == "Debian" { print $2; exit }'
}

ubuntu_mirror=${SCTPA_UBUNTU_MIRROR:-}
ubuntu_keyring=$chroots/ubuntu-archive-keyring.gpg
# Of usr/share/keyrings/ubuntu-archive-keyring.gpg in noble's package ubuntu-keyring, which holds Ubuntu's archive key of 2018,
# F6ECB3762474EDA9D21B7022871920D1991BC93C.
ubuntu_keyring_sha256=80a36b0a6de2f69f49d2df75ef473ccde121e9e190b9ea01d20a4f63778d5c31

# Puts Ubuntu's keys into $ubuntu_keyring; false where its packages cannot be reached or are not those.
fetch_ubuntu_keyring() {
  local work options status
  [[ $ubuntu_mirror ]] || return
  [[ ! -e $chroots/noble/etc/debian_version ]] || return 0
  work=$(mktemp -d) || return
  options=(-o Dir::Etc::SourceList="$work/sources" -o Dir::Etc::SourceParts=/dev/null -o Dir::State::Lists="$work/lists" -o Dir::Cache="$work/cache"
    -o APT::Sandbox::User=root -o Acquire::Retries=0 -o APT::Update::Error-Mode=any)
  mkdir -p "$work/lists/partial" "$work/cache/archives/partial"
  echo "deb [trusted=yes] $ubuntu_mirror noble main" >"$work/sources"
  (cd "$work" && apt-get "${options[@]}" update && apt-get "${options[@]}" download ubuntu-keyring && dpkg-deb -x ubuntu-keyring_*.deb . &&
    echo "$ubuntu_keyring_sha256  usr/share/keyrings/ubuntu-archive-keyring.gpg" | sha256sum --check &&
    mv usr/share/keyrings/ubuntu-archive-keyring.gpg "$ubuntu_keyring") >"$ubuntu_keyring.log" 2>&1
  status=$?
  rm -rf "$work"
  return "$status"
}

# make_chroot SUITE: $chroots/SUITE with git and nothing else, made once.
make_chroot() {
  local suite=$1 root=$chroots/$1 options=(--aptopt='Acquire::Check-Valid-Until "false"') line packages_from
  [[ ! -e $root/etc/debian_version ]] || return 0
  packages_from=$(mirror)
  if [[ $suite == noble ]]; then
    fetch_ubuntu_keyring || stop "Ubuntu's packages cannot be had: set SCTPA_UBUNTU_MIRROR to the address of a mirror that can be reached"
    packages_from="deb $ubuntu_mirror noble main universe"
    options+=(--keyring="$ubuntu_keyring")
  fi
  while IFS= read -r line; do options+=(--aptopt="$line"); done < <(apt-config dump | grep -iE '^Acquire::[^ ]*(Proxy|Verify|CaInfo)')
  rm -rf "$root.partial"
  mmdebstrap --quiet --variant=minbase --include=apt,git,ca-certificates "${options[@]}" \
    "$suite" "$root.partial" "$packages_from" >"$root.log" 2>&1 || stop "making the chroot of $suite failed (log: $root.log)"
  if compgen -G '/usr/local/share/ca-certificates/*' >/dev/null; then
    cp -r /usr/local/share/ca-certificates/. "$root.partial/usr/local/share/ca-certificates/"
    chroot "$root.partial" update-ca-certificates >>"$root.log" 2>&1
  fi
  mv "$root.partial" "$root"
}

# in_chroot ROOT COMMAND...: with its own mounts, which end with it; the folder that $SCTPA_CAPTURES names shows up there as /src/captures.
in_chroot() {
  local root=$1 environment=() name
  shift
  for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY SCTPA_WERROR; do
    [[ ! ${!name:-} ]] || environment+=("$name=${!name}")
  done
  [[ ! ${SCTPA_CAPTURES:-} ]] || environment+=(SCTPA_CAPTURES=/src/captures)
  unshare --mount --pid --fork --kill-child --propagation private bash -c '
    set -e
    root=$1 captures=$2; shift 2
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount --rbind /sys "$root/sys"
    mount -t tmpfs -o mode=1777 tmp "$root/tmp"
    if [[ $captures && -d $captures ]]; then
      mkdir -p "$root/src/captures"
      mount --bind -o ro "$captures" "$root/src/captures"
    fi
    cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
    exec chroot "$root" env -i "$@"' - \
    "$root" "${SCTPA_CAPTURES:-}" \
    HOME=/root LC_ALL=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "${environment[@]}" "$@" </dev/null
}

# Where what a layer has of its own lies.
layer_folder() { printf '%s/%s/changes' "$chroots" "$1"; }

# empty_in_layer LAYER FOLDER: what the layer has of its own there is gone. Not while a command runs in it.
empty_in_layer() { rm -rf "$(layer_folder "$1")/$2" && mkdir -p "$(layer_folder "$1")/$2"; }

# in_layer LAYER BELOW COMMAND...: in a chroot made of the folders BELOW (separated by ':', the upper first), which stay as they are, and
# what earlier commands changed in the layer. One command at a time.
in_layer() {
  local layer=$chroots/$1 below=$2 lock status
  shift 2
  mkdir -p "$layer"/{changes,work,root}
  exec {lock}>"$layer/lock"
  flock "$lock"
  export top
  export -f in_chroot
  unshare --mount --propagation private bash -c '
    layer=$1 below=$2; shift 2
    mount -t overlay overlay -o "lowerdir=$below,upperdir=$layer/changes,workdir=$layer/work" "$layer/root" || exit
    in_chroot "$layer/root" "$@"' - "$layer" "$below" "$@" {lock}>&-
  status=$?
  exec {lock}>&-
  return "$status"
}

# copy_worktree TARGET: what git tracks or would track; a build folder in TARGET stays. All files are new there: one that is older than
# what an earlier copy was built into would not be built.
copy_worktree() {
  local target=$1
  mkdir -p "$target"
  find "$target" -mindepth 1 -maxdepth 1 ! -name build ! -name .git -exec rm -rf {} +
  (cd "$top" && git -c safe.directory="$top" ls-files -z --cached --others --exclude-standard |
    while IFS= read -r -d '' file; do [[ ! -e $file && ! -L $file ]] || printf '%s\0' "$file"; done |
    tar --null --files-from=- --owner=0 --group=0 -cf -) | tar -C "$target" -xmf -
}
