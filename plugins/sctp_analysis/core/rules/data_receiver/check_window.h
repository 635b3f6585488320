/* What the model keeps of the window that an endpoint announces. Kept by check_window.c. Internal to rules/. */
#ifndef SCTPA_RULES_CHECK_WINDOW_H
#define SCTPA_RULES_CHECK_WINDOW_H

#include "check_receiver.h"

/* The window of an end, made when it sends its first SACK alone in a packet. */
typedef struct {
    uint32_t largest_bytes;           /* a_rwnd announced */
    uint32_t chunk_bytes;             /* largest user data of a packet's first chunk */
    uint32_t held_chunks, held_bytes; /* acknowledged since a_rwnd was the largest */
    uint32_t dropped_tsn;
    uint16_t drops, reopened, probes;
    uint16_t updates, small_updates; /* in a row: within the burst, small and from a closed window */
    uint32_t burst_packet, closed_packet;
    bool is_closed, dormant_told, small_told, probing_told;
} sctpa_window_t;

/* The window of end; made when make. NULL: not made. O(1). */
sctpa_window_t *sctpa_window(const sctpa_context_t *c, uint8_t end, bool make);
/* Whether the peer of end probes its closed window; wait: what end was sent since its last SACK, or before the one in
 * this packet. O(1). */
void sctpa_check_probing(sctpa_context_t *c, sctpa_window_t *window, uint8_t end, const sctpa_wait_t *wait);
/* The sender of this packet gives up the association; window: of its peer. O(1). */
void sctpa_check_abort(sctpa_context_t *c, const sctpa_window_t *window);

#endif
