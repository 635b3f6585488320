/* A set of packets by packet index. */
#include "packets.h"

#include <glib.h>
#include <string.h>

enum { WORDS_MIN = 16 };

static void grow(sctpa_packets_t *packets, uint32_t n_words)
{
    n_words = MAX(n_words, MAX(2 * packets->n_words, WORDS_MIN));
    packets->words = g_renew(uint64_t, packets->words, n_words);
    memset(packets->words + packets->n_words, 0, (size_t)(n_words - packets->n_words) * sizeof(uint64_t));
    packets->n_words = n_words;
}

void sctpa_packets_add(sctpa_packets_t *packets, uint32_t index)
{
    if (index / 64 >= packets->n_words)
        grow(packets, index / 64 + 1);
    packets->words[index / 64] |= UINT64_C(1) << (index % 64);
}

void sctpa_packets_clear(sctpa_packets_t *packets)
{
    g_free(packets->words);
    *packets = (sctpa_packets_t){ 0 };
}
