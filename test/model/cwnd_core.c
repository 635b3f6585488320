/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints what the reference sender says of cwnd in captures, for compare_cwnd. Input: files of packets as extract.py
 * packs them. Output, tab-separated: "file" NAME; per SACK or SHUTDOWN that passes, before it is taken: "sack" FRAME
 * TIME_NS ASSOC END PORT DESTINATION CWND MIN MAX SSTHRESH UNIT SENDER, a line for each path of END, whose data it
 * acknowledges; END's port, address of the path. */
#include "../replay/stored_packet.h"

#include <stdio.h>

#include "../../plugins/sctp_analysis/core/analysis.h"
#include "../../plugins/sctp_analysis/core/track/tracker.h"

static void print_address(const sctpa_addr_t *addr)
{
    for (unsigned i = 0; i < addr->bytes; i++)
        printf("%02x", addr->data[i]);
}

static void print_paths(const sctpa_t *sctpa, uint32_t index, int64_t time_ns)
{
    const sctpa_record_t *record = &g_array_index(sctpa->tracker->records, sctpa_record_t, index);
    const sctpa_tracked_t *tracked = g_ptr_array_index(sctpa->tracker->assocs, record->assoc);
    uint8_t end = !record->from;
    sctpa_congestion_t is;
    for (uint16_t path = 0; index > 0 && path < tracked->assoc.ends[end].n_paths; path++) {
        if (!sctpa_congestion_at(sctpa_model_reference(sctpa->model), tracked, end, path, index - 1, &is))
            continue;
        printf("sack\t%u\t%" G_GINT64_FORMAT "\t%u\t%u\t%u\t", record->frame, time_ns, record->assoc, end,
               tracked->assoc.ends[end].port);
        print_address(tracked->assoc.ends[end].paths[path].destination);
        printf("\t%u\t%u\t%u\t%u\t%u\t%s\n", is.cwnd, is.cwnd_min, is.cwnd_max, is.ssthresh, is.unit_bytes, is.sender);
    }
}

static void play(const char *bytes, gsize length)
{
    sctpa_t *sctpa = sctpa_new(NULL, 0);
    stored_feed(sctpa, bytes, length);
    for (uint32_t i = 0; i < sctpa->tracker->records->len; i++) {
        const sctpa_record_t *record = &g_array_index(sctpa->tracker->records, sctpa_record_t, i);
        const sctpa_stamp_t *stamp = &g_array_index(sctpa->tracker->store.stamps, sctpa_stamp_t, i);
        if (record->assoc != SCTPA_NO_ASSOC && stamp->holds & SCTPA_STAMP_SACK &&
            !(record->remarks & SCTPA_CAPTURE_UNCOUNTED))
            print_paths(sctpa, i, stamp->time_ns);
    }
    sctpa_free(sctpa);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        gchar *bytes;
        gsize length;
        GError *error = NULL;
        if (!g_file_get_contents(argv[i], &bytes, &length, &error))
            g_error("%s", error->message);
        printf("file\t%s\n", argv[i]);
        play(bytes, length);
        g_free(bytes);
    }
    return 0;
}
