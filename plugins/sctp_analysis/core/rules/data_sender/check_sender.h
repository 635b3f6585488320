/* What the rules for senders of data remember of an association, and its endpoints do not. Internal to check_sender*.c.
 */
#ifndef SCTPA_RULES_CHECK_SENDER_H
#define SCTPA_RULES_CHECK_SENDER_H

#include "rules/rule_functions.h"
#include "sender_limits.h"

/* The first DATA of an endpoint: at most SCTPA_CHUNKS_JUDGED chunks, SCTPA_PPIDS_JUDGED messages. */
typedef struct {
    uint8_t chunks, immediate;           /* first transmissions, those with the I bit */
    uint8_t messages, reversed, foreign; /* those whose PPID has its bytes reversed, is of another service */
} sctpa_first_data_t;

/* Of an endpoint. */
typedef struct {
    uint32_t beyond_sacks; /* SACKs that had come when new data last left beyond the window, 0 none did */
    sctpa_first_data_t first;
} sctpa_sender_memory_t;

typedef struct {
    sctpa_sender_memory_t of[2];
} sctpa_data_sender_t;

/* Of the sender of the packet, NULL nothing. O(1). */
static inline const sctpa_sender_memory_t *sctpa_sender_memory(const sctpa_context_t *c)
{
    const sctpa_data_sender_t *sender = sctpa_context_find_part(c, SCTPA_PART_SENDER);
    return sender ? &sender->of[c->from] : NULL;
}

/* Counts the first transmissions of the packet. O(chunks) among the first data, else O(1). */
void sctpa_sender_take_first(const sctpa_context_t *c, sctpa_first_data_t *first);
/* Remembers whether the new data of the packet left beyond the window. O(1) where it did not. */
void sctpa_sender_take_window(const sctpa_context_t *c, sctpa_sender_memory_t *memory);

#endif
