/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shows what is known of a packet below its SCTP node: fields and expert infos. */
#ifndef SCTPA_EPAN_TREE_H
#define SCTPA_EPAN_TREE_H

#include <epan/packet.h>

#include "sctpa.h"

/* Adds the subtree sctp.analysis to node, and expert infos; without a node only expert infos, when anybody listens to
 * them. tvb starts at the SCTP header, as packet's bytes do. O(bytes of the packet). */
void sctpa_tree_show(const sctpa_t *analysis, uint32_t index, const sctpa_packet_t *packet, tvbuff_t *tvb,
                     packet_info *pinfo, proto_tree *node);

/* sctp: the built-in protocol, which owns them. */
void sctpa_rule_experts_register(int sctp);

/* sctp: the built-in protocol, which owns them. */
void sctpa_experts_register(int sctp);

typedef enum {
#define RESULT(id, ...) SCTPA_RESULT_##id,
#include "analysis_fields.def"
    SCTPA_RESULTS
} sctpa_result_t;

/* sctp: the built-in protocol, parent of all fields. */
void sctpa_fields_register(int sctp);

#endif
