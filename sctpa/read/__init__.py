# SPDX-License-Identifier: GPL-2.0-or-later
"""`./run CAPTURE`: the reports of captures, one after the other, as tshark prints them; or Wireshark with one of them."""
