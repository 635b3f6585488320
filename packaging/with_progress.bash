# SPDX-License-Identifier: GPL-2.0-or-later
# What takes minutes is heard of: sourced by what installs and builds, which has say TEXT.

# with_progress WHAT LOG COMMAND...: what the command prints goes to LOG, and a line of it every ten seconds to the user.
with_progress() {
  local what=$1 log=$2 line next=$((SECONDS + 10))
  shift 2
  {
    "$@" </dev/null 2>&1 | tee "$log" | while IFS= read -r line; do
      line=${line%$'\r'}
      ((SECONDS < next)) || { say "$what: ${line:0:100}" 2>&3; next=$((SECONDS + 10)); }
    done
    return "${PIPESTATUS[0]}"
  } 3>&2 2>/dev/null
}
