/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Failovers: the times from the first packet lost to new data on another path, measured and by formula. */
#include "tables.h"

#include "../text/column_meanings.h"
#include "../text/page.h"
#include "window_tables.h"
#include "../text/address_labels.h"
#include "../text/table.h"
#include "../view.h"

/* How many of them are kept, and what adds number at of an endpoint. */
typedef struct {
    uint32_t (*count)(const sctpa_switching_t *switching);
    void (*add)(sctpa_table_t *table, const sctpa_view_t *view, const sctpa_assoc_t *assoc, uint8_t end, uint32_t at);
} sctpa_switching_rows_t;

/* Adds all of an association; labels: under a line that names it, NULL: without. O(rows). */
static void switching_rows_add(const sctpa_switching_rows_t *rows, sctpa_table_t *table, const sctpa_view_t *view,
                               sctpa_labels_t *labels, const sctpa_assoc_t *assoc)
{
    bool has_heading = labels == NULL;
    for (uint8_t e = 0; e < 2; e++) {
        const sctpa_switching_t *switching = assoc->ends[e].rare->switching;
        const uint32_t n = switching ? rows->count(switching) : 0;
        if (n > 0 && !has_heading)
            sctpa_labels_add_line(labels, assoc, table);
        has_heading |= n > 0;
        for (uint32_t i = 0; i < n; i++)
            rows->add(table, view, assoc, e, i);
    }
}

#define TITLE "Failover time, measured and expected (RFC, FreeBSD, Solaris)"

static const sctpa_column_t columns[] = {
    { "from", SCTPA_LEFT, .meaning = SCTPA_MEANS_FROM },
    { "path", SCTPA_RIGHT, .meaning = SCTPA_MEANS_PATH },
    { "to", SCTPA_RIGHT, .meaning = "number of the path that new data took instead" },
    { "frame", SCTPA_RIGHT, .meaning = SCTPA_MEANS_FRAME, .holds = SCTPA_HOLDS_FRAMES },
    { "timeouts", SCTPA_RIGHT, .meaning = "of the retransmission timer until then" },
    { "HB", SCTPA_RIGHT, .meaning = "HEARTBEATs lost until then" },
    { "RTO s", SCTPA_RIGHT, .meaning = "the RTO with which it began, in seconds" },
    { "took s", SCTPA_RIGHT, .meaning = "from the first packet lost to new data elsewhere, in seconds" },
    { "RFC s", SCTPA_RIGHT,
      .meaning = "failover time by RFC 9260, in seconds: PMR*HB + RTO_0 + ... + RTO_PMR, doubling" },
    { "FreeBSD", SCTPA_RIGHT, .meaning = SCTPA_MEANS_FREEBSD },
    { "Solaris", SCTPA_RIGHT, .meaning = SCTPA_MEANS_SOLARIS },
};

sctpa_table_t *sctpa_failovers_new(void)
{
    return sctpa_table_new(columns, G_N_ELEMENTS(columns));
}

static void add_seconds(sctpa_table_t *table, int64_t ns)
{
    char text[32];
    g_snprintf(text, sizeof text, "%.3f", (double)ns / 1e9);
    if (ns < 0)
        sctpa_table_text(table, "-");
    else
        sctpa_table_number(table, (double)ns / 1e9, text);
}

static uint32_t count(const sctpa_switching_t *switching)
{
    return MIN(switching->n_failovers, SCTPA_FAILOVERS_MAX);
}

static void add_failover(sctpa_table_t *table, const sctpa_view_t *view, const sctpa_assoc_t *assoc, uint8_t end,
                         uint32_t at)
{
    const sctpa_failover_t *failover = &assoc->ends[end].rare->switching->failovers[at];
    const sctpa_trouble_t *trouble = &failover->trouble;
    int64_t rto_ns = trouble->timeouts > 0
                         ? sctpa_rto_before_ns(view->sctpa, assoc->number, end, failover->path, trouble->timeout_packet)
                         : 0;
    sctpa_detection_t detection = sctpa_detection_of(failover, assoc->ends[end].n_paths, rto_ns);

    sctpa_table_plain(table, end);
    sctpa_table_plain(table, failover->path);
    sctpa_table_plain(table, failover->to);
    sctpa_table_plain(table, failover->frame);
    sctpa_table_count(table, trouble->timeouts);
    sctpa_table_count(table, trouble->heartbeats);
    add_seconds(table, rto_ns > 0 ? rto_ns : -1);
    add_seconds(table, MAX(detection.took_ns, 0));
    add_seconds(table, detection.rfc_ns);
    add_seconds(table, detection.freebsd_ns);
    add_seconds(table, detection.solaris_ns);
}

static const sctpa_switching_rows_t rows = { count, add_failover };

void sctpa_failovers_add(sctpa_table_t *table, const sctpa_view_t *view, sctpa_labels_t *labels,
                         const sctpa_assoc_t *assoc)
{
    switching_rows_add(&rows, table, view, labels, assoc);
}

static void add_to_window(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    switching_rows_add(&rows, table, source->view, NULL, assoc);
}

const sctpa_window_table_t sctpa_window_table_failovers = {
    .name = "failovers",
    .title = TITLE,
    SCTPA_COLUMNS(columns),
    .add = add_to_window,
    .is_whole = true,
};

void sctpa_failovers_write(const sctpa_table_t *table, GString *out)
{
    if (sctpa_table_rows(table) == 0)
        return;
    sctpa_page_section(out, TITLE);
    sctpa_table_write(table, out);
    sctpa_page_sentence(out, "took", 8, "from the first packet lost to new data elsewhere");
    sctpa_page_sentence(out, "RFC", 8, "PMR*HB + RTO_0 + ... + RTO_PMR, doubling (8.1)-(8.4)");
    sctpa_page_sentence(out, "FreeBSD", 8, "PMR*N*HB + RTO_0 + ... + 128 ms each, N paths (8.5)");
    sctpa_page_sentence(out, "Solaris", 8, "HB + RTO_0 + ... + RTO_PMR (8.6)");
    sctpa_page_sentence(out, "with", 8,
                        "PMR + 1 = timeouts and HEARTBEATs lost (HB) until then; HB = what the last lost HEARTBEAT "
                        "waited beyond the RTO, 0 when data alone showed the failure");
}
