/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading associations with or without a filter. */
#include "view.h"

#include "findings_filter.h"
#include "tally.h"

enum { CHUNK_VALUES = 256 };

/* Counters of the selected packets that one end sent. */
typedef struct {
    sctpa_counts_t counts;
    GPtrArray *pairs; /* sctpa_counts_t by pair index, NULL where none was selected */
    uint32_t checksums[SCTPA_CHECKSUMS];
    uint32_t *unknown; /* CHUNK_VALUES counts, or NULL */
    uint64_t duplicates;
} selected_end_t;
typedef struct {
    selected_end_t ends[2];
} selected_t;

/* What was read last of each end. */
typedef struct {
    sctpa_counts_copy_t ends[2], pairs[2];
    uint32_t checksums[2][SCTPA_CHECKSUMS];
} read_t;

struct sctpa_selection {
    const sctpa_view_t *view;
    read_t *read;
    GHashTable *selected; /* association number -> selected_t; NULL: no filter */
    sctpa_findings_filter_t *findings_filter;
    sctpa_arena_t *arena; /* of counts */
};

static void selected_free(gpointer data)
{
    selected_t *selected = data;
    for (unsigned e = 0; e < 2; e++) {
        g_ptr_array_free(selected->ends[e].pairs, TRUE);
        g_free(selected->ends[e].unknown);
    }
    g_free(selected);
}

static selected_t *selected_at(GHashTable *table, uint32_t assoc)
{
    selected_t *selected = g_hash_table_lookup(table, GUINT_TO_POINTER(assoc));
    if (!selected) {
        selected = g_new0(selected_t, 1);
        for (unsigned e = 0; e < 2; e++)
            selected->ends[e].pairs = g_ptr_array_new_with_free_func(g_free);
        g_hash_table_insert(table, GUINT_TO_POINTER(assoc), selected);
    }
    return selected;
}

static void add_pair(sctpa_selection_t *selection, selected_end_t *end, uint32_t pair, const sctpa_counts_t *counts)
{
    if (pair >= end->pairs->len)
        g_ptr_array_set_size(end->pairs, (int)pair + 1);
    if (!g_ptr_array_index(end->pairs, pair))
        g_ptr_array_index(end->pairs, pair) = g_new0(sctpa_counts_t, 1);
    sctpa_counts_merge(g_ptr_array_index(end->pairs, pair), selection->arena, counts);
}

static void add_slot(void *user, const sctpa_tally_slot_t *slot)
{
    sctpa_selection_t *selection = user;
    sctpa_packet_result_t result;

    if (!sctpa_packet_result(selection->view->sctpa, slot->index, &result) || result.assoc == SCTPA_NO_ASSOC)
        return;
    selected_end_t *end = &selected_at(selection->selected, result.assoc)->ends[result.from & 1];
    sctpa_counts_merge(&end->counts, selection->arena, &slot->counts);
    add_pair(selection, end, result.pair, &slot->counts);
    end->duplicates += slot->duplicates;
    for (unsigned i = 0; i < SCTPA_CHECKSUMS; i++)
        end->checksums[i] += slot->checksums[i];
    if (!slot->unknown_chunks)
        return;
    if (!end->unknown)
        end->unknown = g_new0(uint32_t, CHUNK_VALUES);
    for (unsigned i = 0; i < CHUNK_VALUES; i++)
        end->unknown[i] += slot->unknown_chunks[i];
}

sctpa_selection_t *sctpa_selection_new(const sctpa_view_t *view)
{
    sctpa_selection_t *selection = g_new0(sctpa_selection_t, 1);
    selection->view = view;
    selection->read = g_new(read_t, 1);
    sctpa_arena_init(selection->arena = g_new0(sctpa_arena_t, 1));
    if (view->tally) {
        selection->selected = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, selected_free);
        sctpa_tally_each(view->tally, add_slot, selection);
    }
    selection->findings_filter = sctpa_findings_filter_new(view, sctpa_selection_packets(selection));
    return selection;
}

void sctpa_selection_free(sctpa_selection_t *selection)
{
    if (selection->selected)
        g_hash_table_destroy(selection->selected);
    sctpa_findings_filter_free(selection->findings_filter);
    sctpa_arena_clear(selection->arena);
    g_free(selection->arena);
    g_free(selection->read);
    g_free(selection);
}

const sctpa_view_t *sctpa_selection_view(const sctpa_selection_t *selection)
{
    return selection->view;
}

sctpa_arena_t *sctpa_selection_arena(const sctpa_selection_t *selection)
{
    return selection->arena;
}

const sctpa_assoc_t *sctpa_selection_next(const sctpa_selection_t *selection, uint32_t *number)
{
    const sctpa_t *sctpa = selection->view->sctpa;
    uint32_t count = sctpa_assoc_count(sctpa);

    while (*number < count) {
        const sctpa_assoc_t *assoc = sctpa_assoc(sctpa, (*number)++);
        if (assoc->number != SCTPA_NO_ASSOC && assoc->merged_into == SCTPA_NO_ASSOC &&
            (!selection->selected || g_hash_table_contains(selection->selected, GUINT_TO_POINTER(assoc->number))))
            return assoc;
    }
    return NULL;
}

static const selected_end_t *find(const sctpa_selection_t *selection, const sctpa_assoc_t *assoc, unsigned end)
{
    const selected_t *selected = g_hash_table_lookup(selection->selected, GUINT_TO_POINTER(assoc->number));
    return selected ? &selected->ends[end] : NULL;
}

const sctpa_counts_t *sctpa_selection_end(const sctpa_selection_t *selection, const sctpa_assoc_t *assoc, unsigned end)
{
    if (!selection->selected) {
        sctpa_counts_copy_t *read = &selection->read->ends[end];
        sctpa_end_counts(selection->view->sctpa, assoc, end, read);
        return &read->counts;
    }
    const selected_end_t *selected = find(selection, assoc, end);
    return selected ? &selected->counts : &sctpa_counts_none;
}

const sctpa_counts_t *sctpa_selection_pair(const sctpa_selection_t *selection, const sctpa_assoc_t *assoc, unsigned end,
                                           unsigned pair)
{
    if (!selection->selected) {
        sctpa_counts_copy_t *read = &selection->read->pairs[end];
        sctpa_pair_counts(selection->view->sctpa, assoc->ends[end].pairs[pair], read);
        return &read->counts;
    }
    const selected_end_t *selected = find(selection, assoc, end);
    const sctpa_counts_t *counts =
        selected && pair < selected->pairs->len ? g_ptr_array_index(selected->pairs, pair) : NULL;
    return counts ? counts : &sctpa_counts_none;
}

const uint32_t *sctpa_selection_unknown(const sctpa_selection_t *selection, const sctpa_assoc_t *assoc, unsigned end)
{
    if (!selection->selected)
        return assoc->ends[end].rare->unknown_chunks;
    const selected_end_t *selected = find(selection, assoc, end);
    return selected ? selected->unknown : NULL;
}

const uint32_t *sctpa_selection_checksums(const sctpa_selection_t *selection, const sctpa_assoc_t *assoc, unsigned end)
{
    static const uint32_t none[SCTPA_CHECKSUMS];
    if (!selection->selected) {
        sctpa_end_checksums(selection->view->sctpa, assoc, end, selection->read->checksums[end]);
        return selection->read->checksums[end];
    }
    const selected_end_t *selected = find(selection, assoc, end);
    return selected ? selected->checksums : none;
}

const sctpa_findings_filter_t *sctpa_selection_findings(const sctpa_selection_t *selection)
{
    return selection->findings_filter;
}

uint64_t sctpa_selection_duplicates(const sctpa_selection_t *selection, const sctpa_assoc_t *assoc, unsigned end)
{
    if (!selection->selected) {
        const sctpa_direction_t *acked = sctpa_direction(selection->view->sctpa, assoc->number, !end);
        return acked ? acked->rare->duplicate_tsns.len : 0;
    }
    const selected_end_t *selected = find(selection, assoc, end);
    return selected ? selected->duplicates : 0;
}

const sctpa_packets_t *sctpa_selection_packets(const sctpa_selection_t *selection)
{
    return selection->selected ? sctpa_tally_selected(selection->view->tally) : NULL;
}

sctpa_measure_t *sctpa_selection_measure(const sctpa_selection_t *selection, const sctpa_assoc_t *assoc, unsigned end)
{
    return sctpa_measure(selection->view->sctpa, assoc->number, (uint8_t)end, sctpa_selection_packets(selection));
}

sctpa_message_delays_t *sctpa_selection_delays(const sctpa_selection_t *selection, const sctpa_assoc_t *assoc,
                                               unsigned end, GArray **streams)
{
    return sctpa_message_delays(selection->view->sctpa, assoc->number, (uint8_t)end, sctpa_selection_packets(selection),
                                selection->view->delay_budget_ns, streams);
}

GArray *sctpa_selection_streams(const sctpa_selection_t *selection, const sctpa_assoc_t *assoc, unsigned end)
{
    return sctpa_streams(selection->view->sctpa, assoc->number, (uint8_t)end, sctpa_selection_packets(selection));
}

unsigned sctpa_view_setup_waits(const sctpa_view_t *view, const sctpa_assoc_t *assoc,
                                sctpa_setup_wait_t waits[SCTPA_SETUP_WAITS_MAX])
{
    const sctpa_setup_t *setup = sctpa_assoc_setup(assoc);
    const sctpa_outcome_t outcome = sctpa_view_outcome(view, assoc);
    const int64_t span_ns = sctpa_assoc_span_ns(view->sctpa, assoc, &outcome);
    return sctpa_setup_waits(
        assoc, setup, setup == &assoc->setup ? outcome.last_ns : setup->steps[SCTPA_STEP_INIT].first_ns + span_ns,
        waits);
}

sctpa_pauses_t *sctpa_view_pauses(const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned sender)
{
    sctpa_series_source_t source = sctpa_series_source(view->sctpa, assoc->number, (uint8_t)sender, view->start_ns);
    if (assoc->ends[!sender].settled->packets == 0)
        return NULL;
    return sctpa_pauses_measure(&source, sctpa_view_outcome(view, assoc).last_ns);
}

int64_t sctpa_view_least_rtt_ns(const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned sender,
                                const sctpa_sent_t *sent)
{
    const sctpa_direction_t *direction = sctpa_direction(view->sctpa, assoc->number, (uint8_t)sender);
    const int64_t least_ns = sctpa_sent_rtt_ns(sent);
    if (!direction || least_ns < 0)
        return -1;
    const sctpa_tap_rtt_t rtt = sctpa_tap_rtt_of_host(*direction->receiver_tap_rtt);
    const sctpa_tap_rtt_t of_data = { .most_ns = least_ns, .is_measured = true };
    if (!rtt.is_measured)
        return -1;
    return rtt.most_ns < sctpa_tap_least_answer_ns(of_data) ? rtt.most_ns : least_ns;
}

uint32_t sctpa_view_resolve(const sctpa_view_t *view, uint32_t number)
{
    uint32_t count = sctpa_assoc_count(view->sctpa);
    while (number < count && sctpa_assoc(view->sctpa, number)->merged_into != SCTPA_NO_ASSOC)
        number = sctpa_assoc(view->sctpa, number)->merged_into;
    return number < count ? number : SCTPA_NO_ASSOC;
}

void sctpa_view_moment(const sctpa_view_t *view, sctpa_table_t *table, int64_t time_ns)
{
    int64_t since_ns = sctpa_view_since_start(view, time_ns);
    if (!view->moment) {
        sctpa_table_seconds(table, since_ns);
        return;
    }
    GString *text = g_string_new(NULL);
    view->moment(view->user, time_ns, text);
    sctpa_table_number(table, (double)since_ns / 1e9, text->str);
    g_string_free(text, TRUE);
}

bool sctpa_view_measures(const sctpa_view_t *view, int64_t ns)
{
    enum { UNITS_LEAST = 10 };
    const sctpa_summary_t *summary = sctpa_summary(view->sctpa);
    const int64_t unit_ns = summary->ticks > 0 ? SCTPA_NS_PER_S : summary->stamp_unit_ns;
    return unit_ns < SCTPA_NS_PER_MS || ABS(ns) >= UNITS_LEAST * unit_ns;
}

bool sctpa_view_tells(const sctpa_view_t *view, int64_t ns)
{
    const sctpa_summary_t *summary = sctpa_summary(view->sctpa);
    if (summary->ticks > 0)
        return ABS(ns) > SCTPA_NS_PER_S + 2 * SCTPA_TICK_WIDTH_NS;
    return summary->stamp_unit_ns < SCTPA_NS_PER_MS || ABS(ns) > summary->stamp_unit_ns;
}
