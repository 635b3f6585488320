/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fields of sctp.analysis about data: TSNs, retransmissions, acknowledgements, round trips, flight. */
#ifndef SCTPA_EPAN_DATA_TREE_H
#define SCTPA_EPAN_DATA_TREE_H

#include <epan/packet.h>

#include "sctpa.h"

/* Adds what the packet did for its association's data to tree. first_pass: it was just fed (sctpa_rto_at). O(chunks).
 */
void sctpa_data_tree_show(const sctpa_t *analysis, const sctpa_packet_result_t *result, const sctpa_packet_t *packet,
                          bool first_pass, tvbuff_t *tvb, proto_tree *tree);

#endif
