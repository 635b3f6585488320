# SPDX-License-Identifier: GPL-2.0-or-later
# The plugin's version, and where it looks for what it loads. Here, since this folder alone is what Wireshark's own build gets.

set(SCTPA_VERSION 1.0.0)
# Where the plugin looks for the dialogs, below its own folder.
set(SCTPA_UI_FOLDER sctp_analysis)
set(SCTPA_UI_MODULE sctp_analysis_ui.so)
# Where the dialogs look for the program that makes reports, below the plugin's folder.
set(SCTPA_REPORT_FOLDER ${SCTPA_UI_FOLDER}/report)
