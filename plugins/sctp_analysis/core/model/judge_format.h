/* What the parts of the topic FORMAT tell each other. Internal to judge_format*.c. */
#ifndef SCTPA_MODEL_JUDGE_FORMAT_H
#define SCTPA_MODEL_JUDGE_FORMAT_H

#include "case.h"

/* Accuses the sender of the packet. */
void sctpa_format_accuse(sctpa_case_t *c, sctpa_rule_t rule, const char *expected, sctpa_words_t seen);
/* "INIT_ACK". */
const char *sctpa_format_word(const sctpa_tlv_t *chunk);
/* Judges length and flags of one chunk of a packet whose checksum is right, then what is in it. O(bytes). */
void sctpa_format_chunk(sctpa_case_t *c, const sctpa_tlv_t *chunk);
/* Judges the parameters or causes of a chunk. O(parameters). */
void sctpa_format_params(sctpa_case_t *c, const sctpa_tlv_t *chunk);
void sctpa_format_causes(sctpa_case_t *c, const sctpa_tlv_t *chunk);

#endif
