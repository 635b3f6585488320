# SPDX-License-Identifier: GPL-2.0-or-later
# The part of ./run that reports files that are one capture, sourced there. Leaves reading them to __main__.py, tshark to report_entry of ./run.

# The files of a sequence, which Python reads and writes into a pipe as one capture. What is odd about any of them it says.
report_sequence() {
  local named name entry=- feeder input reading writing files result status=0
  named=$(SCTPA_AS_USER=${as_user[*]} await_python sequence --name "$follow" -- "${captures[@]}") || exit
  name=${named%%$'\n'*}
  if [[ $named == *$'\n'* && " ${options[*]} " == *' sctp_analysis.capture_complete:TRUE '* ]]; then
    say "${named#*$'\n'}: the capture is incomplete; --complete is ignored"
    options+=(-o sctp_analysis.capture_complete:FALSE)
  fi
  make_entry_folder
  files=$work/in/files
  make eval ': >"$files" && chmod 644 "$files"'
  make_pipe
  input=$reading
  SCTPA_AS_USER=${as_user[*]} become_python sequence "$files" "$follow" -- "${captures[@]}" >&$writing {input}<&- &
  feeder=$!
  exec {writing}>&-
  # Ctrl-C ends the following, not the report of it.
  [[ ! $follow ]] || trap 'kill $feeder 2>/dev/null' INT
  report_entry
  result=$?
  # 143: tshark ended first, for a cause that was said.
  await $feeder || status=$?
  ((status == 0 || status == 143)) && return $result
  ((status < 128)) || say "$name: the process that reads the files ended by signal $((status - 128)); the report covers what it had read"
  # tshark was told before the files were read.
  ((status != 4)) || [[ " ${options[*]} " != *' sctp_analysis.capture_complete:TRUE '* ]] ||
    say 'the capture is incomplete: findings that rest on --complete may be wrong'
  return 1
}

# Names of dumpcap -b, which nobody gives to captures that are not of one ring.
hint_sequence() {
  local capture rings=()
  for capture in "${captures[@]}"; do
    [[ ! $capture =~ ^(.*)_[0-9]{5,}_[0-9]{14}(\.|$) ]] || rings+=("${BASH_REMATCH[1]}")
  done
  [[ $(printf '%s\n' "${rings[@]}" | sort | uniq -d) ]] && say 'some of these files look like parts of one capture; --sequence reads them as one'
}
