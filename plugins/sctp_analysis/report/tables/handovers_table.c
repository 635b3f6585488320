/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handovers: what asked for them, how long delivery stood still, and what it cost. */
#include "tables.h"

#include "../text/column_meanings.h"
#include "../text/page.h"
#include "window_tables.h"

#define TITLE "Handovers: new data that went another way and stayed there"

static const sctpa_column_t columns[] = {
    { "from", SCTPA_LEFT, .meaning = SCTPA_MEANS_FROM },
    { "path", SCTPA_LEFT, .meaning = SCTPA_MEANS_PATH },
    { "frame", SCTPA_RIGHT, .meaning = "number of the packet with the first new data on the other path",
      .holds = SCTPA_HOLDS_FRAMES },
    { "by", SCTPA_LEFT,
      .meaning =
          "failover, or the last ASCONF before: it added the new address, set it primary, or deleted the old one" },
    { "asked", SCTPA_RIGHT, .meaning = "number of the packet with that ASCONF", .holds = SCTPA_HOLDS_FRAMES },
    { "acked", SCTPA_RIGHT, .meaning = "number of the packet with its ASCONF-ACK", .holds = SCTPA_HOLDS_FRAMES },
    { "ack ms", SCTPA_RIGHT, .meaning = "from frame, the first new data there, to the first ack of data sent there" },
    { "gap ms", SCTPA_RIGHT,
      .meaning = "the longest that outstanding data waited for an ack until then, from the failover's first loss, the "
                 "request, or "
                 "frame on" },
    { "rtx", SCTPA_RIGHT, .meaning = "retransmissions since then of what had gone the old way" },
    { "spur", SCTPA_RIGHT, .meaning = "of these retransmissions the spurious: at least" },
    { "old", SCTPA_RIGHT, .meaning = "the old path answered after frame: data sent there once acked, or a HEARTBEAT",
      .holds = SCTPA_HOLDS_FRAMES },
};

const char *sctpa_handover_word(const sctpa_handover_t *handover)
{
    static const char *const words[] = {
        [SCTPA_ADDRESS_ADD] = "add", [SCTPA_ADDRESS_DELETE] = "delete", [SCTPA_ADDRESS_PRIMARY] = "primary"
    };
    if (handover->failover)
        return "failover";
    return handover->request ? words[handover->request->kind] : NULL;
}

sctpa_table_t *sctpa_handovers_new(void)
{
    return sctpa_table_new(columns, G_N_ELEMENTS(columns));
}

/* 0: no such frame. */
static void add_frame(sctpa_table_t *table, uint32_t frame)
{
    if (frame > 0)
        sctpa_table_plain(table, frame);
    else
        sctpa_table_text(table, "-");
}

static void add_handover(sctpa_table_t *table, const sctpa_view_t *view, uint8_t end, const sctpa_handover_t *handover)
{
    const char *word = sctpa_handover_word(handover);
    const sctpa_address_request_t *request = handover->request;
    const bool is_acked = handover->acked_packet != SCTPA_NO_PACKET_INDEX;
    sctpa_table_plain(table, end);
    if (handover->from == handover->to)
        sctpa_table_plain(table, handover->to);
    else
        sctpa_table_printf(table, "%u→%u", handover->from, handover->to);
    sctpa_table_plain(table, handover->frame);
    sctpa_table_text(table, word ? word : "-");
    add_frame(table, request ? request->asked_frame : 0);
    add_frame(table, request ? request->acked_frame : 0);
    sctpa_view_ms(view, table, is_acked, handover->acked_ns);
    sctpa_view_ms(view, table, handover->gap_ns >= 0, handover->gap_ns);
    sctpa_table_count(table, handover->retransmitted);
    sctpa_table_count(table, handover->spurious);
    add_frame(table, sctpa_packet_frame(view->sctpa, handover->old_answered_packet));
}

/* labels NULL: no heading. */
static void add_assoc(sctpa_table_t *table, const sctpa_view_t *view, sctpa_labels_t *labels,
                      const sctpa_assoc_t *assoc)
{
    bool has_heading = labels == NULL;
    for (uint8_t e = 0; e < 2; e++) {
        GArray *handovers = sctpa_handovers(view->sctpa, assoc->number, e);
        for (guint i = 0; i < handovers->len; i++) {
            if (!has_heading)
                sctpa_labels_add_line(labels, assoc, table);
            has_heading = true;
            add_handover(table, view, e, &g_array_index(handovers, sctpa_handover_t, i));
        }
        g_array_unref(handovers);
    }
}

void sctpa_handovers_add(sctpa_table_t *table, const sctpa_view_t *view, sctpa_labels_t *labels,
                         const sctpa_assoc_t *assoc)
{
    add_assoc(table, view, labels, assoc);
}

static void add_to_window(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    add_assoc(table, source->view, NULL, assoc);
}

const sctpa_window_table_t sctpa_window_table_handovers = {
    .name = "handovers",
    .title = TITLE,
    SCTPA_COLUMNS(columns),
    .add = add_to_window,
    .is_whole = true,
};

void sctpa_handovers_write(const sctpa_table_t *table, GString *out)
{
    if (sctpa_table_rows(table) == 0)
        return;
    sctpa_page_section(out, TITLE);
    sctpa_table_write(table, out);
    sctpa_page_sentence(out, "by", 8,
                        "failover, or the last ASCONF before: it added the new address, set it primary, or deleted "
                        "the old one (asked), and its ASCONF-ACK (acked)");
    sctpa_window_table_explain(&sctpa_window_table_handovers, "ack ms", 8, out);
    sctpa_window_table_explain(&sctpa_window_table_handovers, "gap ms", 8, out);
    sctpa_page_sentence(out, "rtx", 8,
                        "retransmissions since then of what had gone the old way; spur: at least so many spurious");
    sctpa_window_table_explain(&sctpa_window_table_handovers, "old", 8, out);
}
