/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the messages of an SCTP packet in what Wireshark's dissectors made of it. */
#ifndef SCTPA_EPAN_MESSAGE_TREE_H
#define SCTPA_EPAN_MESSAGE_TREE_H

#include <epan/epan_dissect.h>

#include "report/messages/messages.h"
#include "../dissector/tap_sctp_analysis.h"

/* Counts every user message that ends in a packet. edt: the dissected frame, whose tree has the fields of
 * sctpa_applications_filter. Retransmissions and packets captured twice hold no message. O(nodes of the tree + chunks *
 * log chunks). */
void sctpa_message_tree_take(sctpa_messages_t *messages, const sctpa_tap_packet_t *tap, const epan_dissect_t *edt);

#endif
