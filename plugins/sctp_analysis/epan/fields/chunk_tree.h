/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The chunk nodes below sctp.analysis. */
#ifndef SCTPA_EPAN_CHUNK_TREE_H
#define SCTPA_EPAN_CHUNK_TREE_H

#include <epan/packet.h>

#include "sctpa.h"

/* Adds one node per chunk to tree with what the preference `decode` asks for, and an expert info for everything
 * malformed. tree may be NULL: expert infos only. O(bytes of the packet). */
void sctpa_chunk_tree_show(const sctpa_packet_t *packet, tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree);

#endif
