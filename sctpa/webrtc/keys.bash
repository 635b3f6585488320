# SPDX-License-Identifier: GPL-2.0-or-later
# The part of ./run that gives Wireshark the keys of DTLS, sourced there. Leaves decryption to Wireshark.

# Has Wireshark read the key log $keys, or a copy where its user cannot read it. Ends ./run where it is none.
take_keys() {
  local cause path=$keys
  if cause=$(unreadable_cause "$path" | sed 's/not a capture/not a key log/'); [[ $cause ]]; then stop 1 "$keys: $cause"; fi
  grep -qaE '^[A-Z_0-9]+ [0-9A-Fa-f]+ [0-9A-Fa-f]+' -- "$path" || stop 1 "$keys: holds no keys of DTLS (lines such as CLIENT_RANDOM ...)"
  [[ $path == /* ]] || path=$PWD/$path
  if ! user_can_read "$path"; then
    # Not where others may put a link: home belongs to them.
    make install -m 600 -- "$path" "$work/keys"
    chown "$uid:$gid" "$work/keys"
    path=$work/keys
  fi
  options+=(-o "tls.keylog_file:$path")
}
