/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An expert info per rule of the model. */
#ifndef SCTPA_EPAN_RULE_EXPERTS_H
#define SCTPA_EPAN_RULE_EXPERTS_H

#include <epan/packet.h>

#include "sctpa.h"

/* sctp: the built-in protocol, which owns them. */
void sctpa_rule_experts_register(int sctp);

/* Adds the expert info of a finding; item: what it concerns, NULL without a tree. */
void sctpa_rule_experts_add(packet_info *pinfo, proto_item *item, const sctpa_finding_t *finding);

#endif
