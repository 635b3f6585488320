# Sourced by run, fresh, packaging/build and test/packages/run: makes Debian chroots and runs commands in them. Needs root and mmdebstrap.
# Mirrors, proxies and certificates are the host's; no address stands here.

top=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
chroots=${SCTPA_CHROOTS:-$top/build/chroots}

stop() { printf '%s: %s\n' "${0##*/}" "$*" >&2; exit 1; }

require_root_and_tools() {
  ((EUID == 0)) || stop 'needs root, for chroots'
  command -v mmdebstrap >/dev/null ||
    DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends mmdebstrap >/dev/null || stop 'needs mmdebstrap'
  mkdir -p "$chroots" || stop "cannot make $chroots"
  unshare --mount --pid --fork true || stop 'needs unshare(1) of mounts and processes'
}

# The address from which this machine takes Debian's own packages.
mirror() {
  apt-get indextargets --format '$(LABEL) $(REPO_URI)' 'Created-By: Packages' | awk '$1 == "Debian" { print $2; exit }'
}

# make_chroot SUITE: $chroots/SUITE with git and nothing else, made once.
make_chroot() {
  local suite=$1 root=$chroots/$1 options=(--aptopt='Acquire::Check-Valid-Until "false"') line
  [[ ! -e $root/etc/debian_version ]] || return 0
  while IFS= read -r line; do options+=(--aptopt="$line"); done < <(apt-config dump | grep -iE '^Acquire::[^ ]*(Proxy|Verify|CaInfo)')
  rm -rf "$root.partial"
  mmdebstrap --quiet --variant=minbase --include=git,ca-certificates "${options[@]}" \
    "$suite" "$root.partial" "$(mirror)" >"$root.log" 2>&1 || stop "making the chroot of $suite failed (log: $root.log)"
  if compgen -G '/usr/local/share/ca-certificates/*' >/dev/null; then
    cp -r /usr/local/share/ca-certificates/. "$root.partial/usr/local/share/ca-certificates/"
    chroot "$root.partial" update-ca-certificates >>"$root.log" 2>&1
  fi
  mv "$root.partial" "$root"
}

# in_chroot ROOT COMMAND...: with its own mounts, which end with it; the host's captures show up under /src/shared.
in_chroot() {
  local root=$1 environment=() name
  shift
  for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY; do
    [[ ! ${!name:-} ]] || environment+=("$name=${!name}")
  done
  unshare --mount --pid --fork --kill-child --propagation private bash -c '
    set -e
    root=$1 captures=$2; shift 2
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount --rbind /sys "$root/sys"
    mount -t tmpfs -o mode=1777 tmp "$root/tmp"
    if [[ -d $captures ]]; then
      mkdir -p "$root/src/shared/captures"
      mount --bind -o ro "$captures" "$root/src/shared/captures"
    fi
    cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
    exec chroot "$root" env -i "$@"' - \
    "$root" "$top/../shared/captures" \
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
