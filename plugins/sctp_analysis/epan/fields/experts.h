/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expert infos below sctp.analysis. */
#ifndef SCTPA_EPAN_EXPERTS_H
#define SCTPA_EPAN_EXPERTS_H

#include <epan/packet.h>

#include "sctpa.h"

/* sctp: the built-in protocol, which owns them. */
void sctpa_experts_register(int sctp);

/* Does anything listen to expert infos, so that they are worth finding without a tree? */
bool sctpa_experts_are_wanted(void);

/* Each adds an expert info; item: what it concerns, NULL without a tree. */
void sctpa_experts_add_fault(packet_info *pinfo, proto_item *item, sctpa_fault_t fault);
void sctpa_experts_add_result(packet_info *pinfo, proto_item *item, const sctpa_packet_result_t *result);

#endif
