/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Receivers that closed their window, or left too little of it. */
#include "triage.h"

#include "../text/closed_window_text.h"
#include "../text/pause_text.h"
#include "../text/text.h"

/* May the window have been closed or nearly so: did the receiver announce half of its largest, or less? */
static bool may_lack_window(const sctpa_direction_t *direction)
{
    uint32_t least = UINT32_MAX, most = 0;
    for (unsigned i = 0; i < direction->sacks.len; i++) {
        uint32_t bytes = SCTPA_RECORD(&direction->sacks, sctpa_sack_record_t, i).a_rwnd_bytes;
        least = MIN(least, bytes);
        most = MAX(most, bytes);
    }
    return sctpa_window_is_closed(least) || least <= most / 2;
}

static bool is_much(int64_t ns, int64_t span_ns)
{
    return span_ns > 0 && ns / SCTPA_SHORT_PERCENT >= span_ns / 100;
}

static void say_short(const sctpa_windows_t *windows, unsigned receiver, GString *text)
{
    g_string_append(text, "receiver window (");
    sctpa_text_quantity(text, windows->max_bytes, "byte", NULL);
    g_string_append(text, " at most) left less than a chunk needs for ");
    sctpa_text_duration(text, windows->short_ns);
    g_string_append(text, " (");
    sctpa_text_share(text, (uint64_t)windows->short_ns, (uint64_t)windows->span_ns);
    g_string_append_printf(text, " %% of the time): endpoint %u limits the rate", receiver);
}

static int64_t closed_ns(const sctpa_closed_t *closed)
{
    return closed->closed_ns;
}

static int64_t waiting_ns(const sctpa_closed_t *closed)
{
    return closed->waiting_ns;
}

static const sctpa_closed_t *longest_by(const sctpa_windows_t *windows, int64_t (*ns)(const sctpa_closed_t *closed))
{
    const sctpa_closed_t *longest = &g_array_index(windows->closed, sctpa_closed_t, 0);
    for (unsigned i = 1; i < windows->closed->len; i++)
        if (ns(&g_array_index(windows->closed, sctpa_closed_t, i)) > ns(longest))
            longest = &g_array_index(windows->closed, sctpa_closed_t, i);
    return longest;
}

/* How long, unless it was all the time that the window was closed. */
static void append_part(GString *text, const sctpa_windows_t *windows, int64_t ns)
{
    if (ns == windows->closed_ns)
        return;
    g_string_append(text, " (");
    sctpa_text_duration(text, ns);
    g_string_append_c(text, ')');
}

static bool is_long(const sctpa_windows_t *windows, int64_t ns)
{
    return ns >= (int64_t)SCTPA_CLOSED_MS * SCTPA_NS_PER_MS || is_much(ns, windows->span_ns);
}

/* Fragments that arrived of messages that were given up fill the window. */
static void append_orphans(const sctpa_triage_sender_t *sender, const sctpa_windows_t *windows, bool is_more,
                           GString *text)
{
    const sctpa_orphans_t *orphans = &windows->orphans;

    g_string_append(text, is_more ? ", " : ": ");
    if (!orphans->is_proven) {
        g_string_append_printf(text, "not decidable whether endpoint %u reads too slowly or keeps what arrived of ",
                               !sender->end);
        sctpa_text_quantity(text, orphans->messages, "message", NULL);
        g_string_append(text, " that were given up (");
        sctpa_text_quantity(text, orphans->bytes, "byte", NULL);
        g_string_append_c(text, ')');
        return;
    }
    g_string_append_printf(text, "the window of endpoint %u fell by ", !sender->end);
    if (orphans->least_bytes < orphans->most_bytes) {
        sctpa_text_count(text, orphans->least_bytes, 20);
        g_string_append(text, " to ");
    }
    sctpa_text_quantity(text, orphans->most_bytes, "byte", NULL);
    g_string_append(text, " with each of ");
    sctpa_text_quantity(text, orphans->filling_messages, "message", NULL);
    g_string_append(text, " that were given up, by just what had arrived of them");
    g_string_append(text, orphans->is_cut ? " and the window had room for" : "");
    g_string_append(text, ", and stayed: their fragments are never freed");
}

/* Why it was closed, each cause where it lasted long. */
static void append_why(const sctpa_triage_sender_t *sender, const sctpa_windows_t *windows, GString *text)
{
    int64_t undecided_ns = windows->closed_ns - windows->reader_ns - windows->waiting_ns;
    bool is_slow = is_long(windows, windows->reader_ns), is_waiting = is_long(windows, windows->waiting_ns);

    if (is_slow || is_waiting)
        g_string_append_printf(text, ": endpoint %u ", !sender->end);
    if (is_slow) {
        g_string_append(text, "reads too slowly");
        append_part(text, windows, windows->reader_ns);
        g_string_append(text, ", with no TSN missing");
    }
    if (is_waiting) {
        g_string_append(text, is_slow ? " and " : "");
        const sctpa_closed_t *longest = longest_by(windows, waiting_ns);
        sctpa_closed_append_wait(&sender->source, longest, text);
        append_part(text, windows, windows->waiting_ns);
        g_string_append(text, ", with ");
        sctpa_closed_append_gap_acked(&sender->source, longest, windows->first_bytes, text);
    }
    if (is_long(windows, undecided_ns) && windows->orphans.fills_window) {
        append_orphans(sender, windows, is_waiting, text);
    } else if (is_long(windows, undecided_ns)) {
        g_string_append_printf(text,
                               "%s not decidable whether endpoint %u reads too slowly or a loss kept it from reading",
                               is_slow || is_waiting ? "," : ":", !sender->end);
        append_part(text, windows, undecided_ns);
    }
}

static void say_closed(const sctpa_triage_trouble_t *trouble, const sctpa_triage_sender_t *sender,
                       const sctpa_windows_t *windows, GString *text)
{
    const sctpa_closed_t *longest = longest_by(windows, closed_ns);
    uint32_t probes = windows->probes + windows->new_probes;

    g_string_append(text, "receiver window closed ");
    sctpa_text_quantity(text, windows->closed->len, "time", NULL);
    g_string_append(text, ", ");
    sctpa_text_duration(text, windows->closed_ns);
    g_string_append(text, " in all (");
    sctpa_text_share(text, (uint64_t)windows->closed_ns, (uint64_t)windows->span_ns);
    g_string_append(text, " % of the time), longest ");
    sctpa_text_duration(text, longest->closed_ns);
    g_string_append_c(text, ' ');
    sctpa_pause_append_frames(text, trouble->view, longest->packet, longest->until);
    append_why(sender, windows, text);
    if (probes > 0) {
        g_string_append(text, "; ");
        sctpa_text_quantity(text, probes, "probe", NULL);
    }
}

int64_t sctpa_windows_add(sctpa_triage_trouble_t *trouble, const sctpa_triage_sender_t *sender)
{
    if (sender->source.data_only || !may_lack_window(sender->source.direction))
        return 0;
    sctpa_windows_t *windows = sctpa_windows_measure(&sender->source);
    bool is_closed = windows->closed->len > 0;
    if (is_closed && is_long(windows, windows->closed_ns - windows->waiting_ns))
        sctpa_trouble_tell(trouble, SCTPA_TRIAGE_APPLICATION); /* it may read too slowly */
    bool is_short = is_much(windows->short_ns, windows->span_ns);
    sctpa_paragraphs_row_t *row = NULL;
    if (is_closed || is_short)
        row = sctpa_paragraphs_add(trouble->topics[SCTPA_TRIAGE_CLOSED], sender->assoc, sender->end,
                                   (uint64_t)(is_closed ? windows->closed_ns : windows->short_ns));
    if (row && is_closed) {
        const sctpa_closed_t *longest = longest_by(windows, closed_ns);
        say_closed(trouble, sender, windows, row->sentence);
        row->frames[0] = sctpa_packet_frame(trouble->view->sctpa, longest->packet);
        row->frames[1] = sctpa_packet_frame(trouble->view->sctpa, longest->until);
    } else if (row)
        say_short(windows, !sender->end, row->sentence);
    int64_t all_ns = windows->closed_ns;
    sctpa_windows_free(windows);
    return all_ns;
}
