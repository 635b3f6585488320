# SPDX-License-Identifier: GPL-2.0-or-later
"""Files that a capturing program wrote one after the other, read as the one capture that they are.

rings.py puts them in order, blocks.py reads one, stream.py makes one pcapng of all for tshark, table.py tells the plugin which frames are of
which file. grouping.py does it for commands that read many captures. Leaves what is in the packets to the plugin.
"""
