# SPDX-License-Identifier: GPL-2.0-or-later
# The part of ./run that reports packet logs of browsers, sourced there. Leaves converting them to __main__.py.

# A text with lines for text2pcap. A pcapng begins with a newline, too, but a carriage return follows: captures are not searched.
is_packet_log() {
  local LC_ALL=C
  [[ -f $1 ]] && head -c2 -- "$1" | tr '\n' . | grep -qE '^[ -~]{2}' && grep -qm1 '# SCTP_PACKET' -- "$1"
} 2>/dev/null

# Has $path be a capture of what the log $path, called $name, holds.
convert_packet_log() {
  await_python webrtc --name="$name" "$path" "$work/in/packets" || trouble=yes
  path=$work/in/packets
  [[ -e $path ]] && chmod 644 "$path"
}
