/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Feeds the tap of tap_sctp_analysis.h. */
#ifndef SCTPA_EPAN_TAP_H
#define SCTPA_EPAN_TAP_H

#include <epan/packet.h>

#include "sctpa.h"

void sctpa_tap_register(void);

/* Queues a packet for the listeners; nothing when there are none. packet must live until the frame is dissected: it is
 * copied. */
void sctpa_tap_queue(const sctpa_t *analysis, uint32_t index, const sctpa_packet_t *packet, packet_info *pinfo);

#endif
