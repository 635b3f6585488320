/* The one analysis of the open capture. */
#ifndef SCTPA_EPAN_ANALYSIS_H
#define SCTPA_EPAN_ANALYSIS_H

#include <epan/packet.h>

#include "../core/sctpa.h"

enum { SCTPA_NO_PACKET = 0xFFFFFFFFu };

/* Ties the analysis to opening, redissecting and closing captures. protocol: the one that per-packet data is filed under. */
void sctpa_analysis_register(int protocol);

/* The analysis of the open capture, NULL when none is open or the preference `enabled` is off. */
sctpa_t *sctpa_analysis_current(void);

/* The packet's index in the analysis: feeds it when its frame is dissected for the first time, else looks it up.
 * SCTPA_NO_PACKET when it is not there. Call once per packet and dissection, in the order of the frame. */
uint32_t sctpa_analysis_packet(packet_info *pinfo, const sctpa_packet_t *packet);

/* Is this frame dissected for the first time, and in capture order? */
bool sctpa_analysis_is_first_pass(const packet_info *pinfo);

#endif
