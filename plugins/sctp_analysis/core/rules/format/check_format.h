/* What the parts of the group FORMAT tell each other. Internal to check_format*.c. */
#ifndef SCTPA_RULES_CHECK_FORMAT_H
#define SCTPA_RULES_CHECK_FORMAT_H

#include "rules/engine.h"

/* Accuses the sender of the packet; seen are sctpa_words_t. */
#define sctpa_format_accuse(c, rule, expected, seen) \
    sctpa_accuse(c, rule, (c)->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX, expected, (seen).text)
/* "INIT_ACK". */
const char *sctpa_format_word(const sctpa_tlv_t *chunk);
/* Judges length and flags of one chunk of a packet whose checksum is right, then what is in it. O(bytes). */
void sctpa_format_chunk(sctpa_context_t *c, const sctpa_tlv_t *chunk);
/* Judges the parameters or causes of a chunk. O(parameters). */
void sctpa_format_params(sctpa_context_t *c, const sctpa_tlv_t *chunk);
void sctpa_format_causes(sctpa_context_t *c, const sctpa_tlv_t *chunk);

#endif
