/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A set of packets by packet index. */
#include "packets.h"

void sctpa_packets_add(sctpa_packets_t *packets, uint32_t index)
{
    if (!packets->words)
        packets->words = g_array_new(FALSE, TRUE, sizeof(uint64_t));
    if (index / 64 >= packets->words->len)
        g_array_set_size(packets->words, index / 64 + 1);
    g_array_index(packets->words, uint64_t, index / 64) |= UINT64_C(1) << (index % 64);
}

void sctpa_packets_clear(sctpa_packets_t *packets)
{
    g_clear_pointer(&packets->words, g_array_unref);
}
