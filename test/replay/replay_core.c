/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plays packets of captures through the core, cut at every snap length and with bytes flipped, and checks that its
 * promises hold. Input: files that extract.py wrote. Meant to run under sanitizers. Usage: replay_core STEP FLIPS
 * FILE...   snap lengths 0, STEP, 2 STEP ... 200; FLIPS runs with random bytes flipped */
#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "../fuzz/forget_check.h"
#include "../fuzz/packet_body.h"
#include "stored_packet.h"

enum { SNAP_MAX = 200, SNAP_WHOLE = 1 << 20, FLIPS_PER_PACKET = 3 };

static void flip(GRand *random, uint8_t *bytes, uint32_t length)
{
    for (int i = 0; length > 0 && i < FLIPS_PER_PACKET; i++)
        bytes[g_rand_int_range(random, 0, (gint32)length)] ^= (uint8_t)(1 << g_rand_int_range(random, 0, 8));
}

/* A packet cut at a snap length of its frame, in memory of its own so that reads past it are seen. */
static void play_packet(sctpa_t *sctpa, const stored_packet_t *stored, const uint8_t *bytes, uint32_t snap,
                        GRand *random)
{
    uint32_t room = snap > stored->header_bytes ? snap - stored->header_bytes : 0;
    uint32_t captured = MIN(stored->captured_bytes, room);
    uint8_t *copy = g_memdup2(bytes, captured);
    if (random && g_rand_int_range(random, 0, 10) == 0)
        flip(random, copy, captured);
    sctpa_packet_t packet = stored_packet(stored, copy ? copy : bytes);
    packet.captured_bytes = captured;
    sctpa_feed(sctpa, &packet);
    if (snap < SNAP_WHOLE || random)
        check_packet(packet.bytes, captured, packet.wire_bytes);
    g_free(copy);
}

/* Packets fed are packets counted, copied, astray or in no association. */
static void check_sum(const sctpa_t *sctpa)
{
    const sctpa_summary_t *summary = sctpa_summary(sctpa);
    const unsigned stray = g_bit_nth_lsf(SCTPA_CAPTURE_STRAY, -1);
    uint64_t counted = summary->unlabelled + summary->quality[0].count + summary->quality[stray].count;
    for (uint32_t i = 0; i < sctpa_assoc_count(sctpa); i++)
        for (unsigned e = 0; e < 2; e++) {
            sctpa_counts_copy_t sent;
            sctpa_end_counts(sctpa, sctpa_assoc(sctpa, i), e, &sent);
            counted += sent.counts.packets;
        }
    g_assert_cmpuint(counted, ==, summary->packets);
}

static void play(const char *bytes, gsize length, uint32_t snap, GRand *random)
{
    sctpa_t *sctpa = sctpa_new(NULL, 0);
    for (gsize at = 0; at + sizeof(stored_packet_t) <= length;) {
        stored_packet_t stored;
        memcpy(&stored, bytes + at, sizeof stored);
        at += sizeof stored;
        play_packet(sctpa, &stored, (const uint8_t *)bytes + at, snap, random);
        at += stored.captured_bytes;
    }
    check_sum(sctpa);
    forget_all(sctpa, snap);
    sctpa_free(sctpa);
}

int main(int argc, char **argv)
{
    uint32_t step = argc > 3 ? (uint32_t)atoi(argv[1]) : 0, flips = argc > 3 ? (uint32_t)atoi(argv[2]) : 0, runs = 0;
    if (step == 0)
        g_error("usage: replay_core STEP FLIPS FILE...");
    for (int i = 3; i < argc; i++) {
        gchar *bytes;
        gsize length;
        GError *error = NULL;
        if (!g_file_get_contents(argv[i], &bytes, &length, &error))
            g_error("%s", error->message);
        GRand *random = g_rand_new_with_seed((guint32)length);
        for (uint32_t snap = 0; snap <= SNAP_MAX; snap += step, runs++)
            play(bytes, length, snap, NULL);
        for (uint32_t n = 0; n < flips; n++, runs++)
            play(bytes, length, SNAP_WHOLE, random);
        g_rand_free(random);
        g_free(bytes);
    }
    g_print("%d captures, %u runs: passed\n", argc - 3, runs);
    return 0;
}
