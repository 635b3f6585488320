/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the spans in which identifications of IPv4 prove that every packet of an endpoint is in a capture, for
 * test_tap. Input: files of packets as extract.py packs them. Output, tab-separated: "file" NAME; "span" ASSOC END
 * FIRST LAST PACKETS: frames of the endpoint's packets, when the span has ended. */
#include "../replay/stored_packet.h"

#include <stdio.h>

#include "../../plugins/sctp_analysis/core/analysis.h"
#include "../../plugins/sctp_analysis/core/model/reference.h"
#include "../../plugins/sctp_analysis/core/track/tracker.h"

/* The proven part of what an endpoint sent, as it was last: packet indices; packets 0: none. */
typedef struct {
    uint32_t since, last, packets;
} span_t;

static const sctpa_tap_t *tap_of(const sctpa_t *sctpa, uint32_t assoc)
{
    const sctpa_reference_t *reference = sctpa_reference_at(sctpa_model_reference(sctpa->model), assoc);
    return reference ? &reference->tap : NULL;
}

static void print_span(const sctpa_t *sctpa, unsigned assoc, unsigned end, const span_t *span)
{
    if (span->packets > 0)
        printf("span\t%u\t%u\t%u\t%u\t%u\n", assoc, end, sctpa_packet_frame(sctpa, span->since),
               sctpa_packet_frame(sctpa, span->last), span->packets);
}

/* What the packet fed last shows of its sender. */
static void follow(const sctpa_t *sctpa, GArray *spans)
{
    const uint32_t index = sctpa->tracker->records->len - 1;
    const sctpa_record_t *record = &g_array_index(sctpa->tracker->records, sctpa_record_t, index);
    const sctpa_tap_t *tap = record->assoc == SCTPA_NO_ASSOC ? NULL : tap_of(sctpa, record->assoc);
    if (!tap)
        return;
    const uint32_t since = sctpa_ip_ids_since(&tap->ip_ids[record->from]);
    if (tap->ip_ids[record->from].last_packet != index)
        return; /* damaged, or a copy: nothing was taken */
    if (2 * record->assoc + 2 > spans->len)
        g_array_set_size(spans, 2 * record->assoc + 2);
    span_t *span = &g_array_index(spans, span_t, 2 * record->assoc + record->from);
    if (span->packets > 0 && since != span->since + 1) {
        print_span(sctpa, record->assoc, record->from, span);
        span->packets = 0;
    }
    if (since > 0)
        *span = (span_t){ since - 1, index, span->packets + 1 };
}

static void play(const char *bytes, gsize length)
{
    sctpa_t *sctpa = sctpa_new(NULL, 0);
    GArray *spans = g_array_new(FALSE, TRUE, sizeof(span_t));
    sctpa_judge(sctpa, &(sctpa_rule_choice_t){ .levels = SCTPA_ALL_LEVELS }, SCTPA_PROFILE_BOTH);
    for (gsize at = 0; at + sizeof(stored_packet_t) <= length;) {
        stored_packet_t stored;
        memcpy(&stored, bytes + at, sizeof stored);
        at += sizeof stored;
        sctpa_packet_t packet = stored_packet(&stored, (const uint8_t *)(const void *)(bytes + at));
        const uint32_t before = sctpa->tracker->records->len;
        sctpa_feed(sctpa, &packet);
        if (sctpa->tracker->records->len > before)
            follow(sctpa, spans);
        at += stored.captured_bytes;
    }
    for (unsigned i = 0; i < spans->len; i++)
        print_span(sctpa, i / 2, i % 2, &g_array_index(spans, span_t, i));
    g_array_unref(spans);
    sctpa_free(sctpa);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        char *bytes;
        gsize length;
        if (!g_file_get_contents(argv[i], &bytes, &length, NULL))
            return 1;
        printf("file\t%s\n", argv[i]);
        play(bytes, length);
        g_free(bytes);
    }
    return 0;
}
