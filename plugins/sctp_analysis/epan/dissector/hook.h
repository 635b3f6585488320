/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes SCTP over from Wireshark's built-in dissector, which still does all of its own work, and owns the one
 * analysis of the open capture: packets enter it here, everybody else reads. */
#ifndef SCTPA_EPAN_HOOK_H
#define SCTPA_EPAN_HOOK_H

#include <epan/packet.h>
#include "../../core/sctpa.h"

enum { SCTPA_NO_PACKET = 0xFFFFFFFFu };

/* Ties the analysis to opening, redissecting and closing captures. protocol: the one that per-packet data is filed
 * under. */
void sctpa_analysis_register(int protocol);

/* The analysis of the open capture, NULL when none is open or the preference `enabled` is off. */
const sctpa_t *sctpa_analysis_current(void);

/* The same to whoever forgets associations that it holds: tshark's watch alone. */
sctpa_t *sctpa_analysis_to_watch(void);

/* The capture, as far as it was read, ended at end_ns (sctpa_judge_end); 0: not known. Before reports are made. */
void sctpa_analysis_judge_end(int64_t end_ns);

/* Occasions of rules are counted (sctpa_count_occasions) in captures of which no packet has passed. In a main window
 * they always are. */
void sctpa_analysis_count_occasions(void);

/* Whether what endpoints owed is kept (sctpa_keep_owed) in captures of which no packet has passed: where it is proof,
 * by what the user asserts, unless said otherwise, and in a main window always. */
typedef enum { SCTPA_OWED_AS_ASSERTED, SCTPA_OWED_ALWAYS, SCTPA_OWED_NEVER } sctpa_owed_kept_t;
void sctpa_analysis_keep_owed(sctpa_owed_kept_t kept);

/* 1, 2, ...: another number for each analysis. */
uint32_t sctpa_analysis_number(void);

/* Calls about_to_end before each analysis is freed, the last moment to let go of it. One watcher; NULL: none. */
void sctpa_analysis_watch_end(void (*about_to_end)(void));

/* Calls about_to_change with user before each change of the analysis. One watcher; NULL: none. */
void sctpa_analysis_watch_change(void (*about_to_change)(void *user), void *user);

/* The association of the first packet of the frame that has one, SCTPA_NO_ASSOC none. */
uint32_t sctpa_analysis_assoc_of_frame(uint32_t frame);

void sctpa_tap_register(void);

/* sctp: id of the built-in protocol. */
void sctpa_hook_register(int sctp);
/* Looks up the built-in dissector; after all protocols have registered. */
void sctpa_hook_handoff(void);

#endif
