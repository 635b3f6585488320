/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one analysis of the open capture: packets enter it here, everybody else reads. */
#ifndef SCTPA_EPAN_OPEN_ANALYSIS_H
#define SCTPA_EPAN_OPEN_ANALYSIS_H

#include <epan/packet.h>

#include "sctpa.h"

enum { SCTPA_NO_PACKET = 0xFFFFFFFFu };

/* Ties the analysis to opening, redissecting and closing captures. protocol: the one that per-packet data is filed
 * under. */
void sctpa_analysis_register(int protocol);

/* The analysis of the open capture, NULL when none is open or the preference `enabled` is off. */
const sctpa_t *sctpa_analysis_current(void);

/* The same to whoever forgets associations that it holds: tshark's watch alone. */
sctpa_t *sctpa_analysis_to_watch(void);

/* Occasions of rules are counted (sctpa_count_occasions) in captures of which no packet has passed. In a main window
 * they always are. */
void sctpa_analysis_count_occasions(void);

/* 1, 2, ...: another number for each analysis. */
uint32_t sctpa_analysis_number(void);
/* Calls about_to_end before each analysis is freed, the last moment to let go of it. One watcher; NULL: none. */
void sctpa_analysis_watch_end(void (*about_to_end)(void));
/* Calls about_to_change with user before each change of the analysis. One watcher; NULL: none. */
void sctpa_analysis_watch_change(void (*about_to_change)(void *user), void *user);
/* The association of the first packet of the frame that has one, SCTPA_NO_ASSOC none. */
uint32_t sctpa_analysis_assoc_of_frame(uint32_t frame);

/* The packet's index in the analysis: feeds it when its frame is dissected for the first time, else looks it up.
 * SCTPA_NO_PACKET when it is not there. Call once per packet and dissection, in the order of the frame. */
uint32_t sctpa_analysis_packet(packet_info *pinfo, const sctpa_packet_t *packet);

/* Is this frame dissected for the first time, and in capture order? */
bool sctpa_analysis_is_first_pass(const packet_info *pinfo);

/* Feeds an ICMP error that the frame holds; call on the first pass. */
void sctpa_analysis_icmp(const sctpa_icmp_t *icmp);

#endif
