/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Data that stood still, and receivers that closed their window. */
#include "triage.h"

#include "../text/closed_window_text.h"
#include "../text/text.h"

static uint32_t frame_of(const sctpa_triage_trouble_t *trouble, uint32_t packet)
{
    return sctpa_packet_frame(trouble->view->sctpa, packet);
}

/* "from frame 33 to 41", "from frame 33 to the end". */
static void append_frames(const sctpa_triage_trouble_t *trouble, GString *out, uint32_t since, uint32_t until)
{
    g_string_append_printf(out, "from frame %u to ", frame_of(trouble, since));
    if (until == SCTPA_NO_PACKET_INDEX)
        g_string_append(out, "the end");
    else
        g_string_append_printf(out, "%u", frame_of(trouble, until));
}

/* --- closed windows --- */

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
    return ns >= (int64_t)SCTPA_STALL_MS * SCTPA_NS_PER_MS || is_much(ns, windows->span_ns);
}

/* Why it was closed, each cause where it lasted long. */
static void append_why(const sctpa_sender_t *sender, const sctpa_windows_t *windows, GString *text)
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
    if (is_long(windows, undecided_ns)) {
        g_string_append_printf(text,
                               "%s not decidable whether endpoint %u reads too slowly or a loss kept it from reading",
                               is_slow || is_waiting ? "," : ":", !sender->end);
        append_part(text, windows, undecided_ns);
    }
}

static void say_closed(const sctpa_triage_trouble_t *trouble, const sctpa_sender_t *sender,
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
    append_frames(trouble, text, longest->packet, longest->until);
    append_why(sender, windows, text);
    if (probes > 0) {
        g_string_append(text, "; ");
        sctpa_text_quantity(text, probes, "probe", NULL);
    }
}

/* NULL: the window was never closed. */
static sctpa_windows_t *add_closed(sctpa_triage_trouble_t *trouble, const sctpa_sender_t *sender)
{
    if (sender->source.data_only || !may_lack_window(sender->source.direction))
        return NULL;
    sctpa_windows_t *windows = sctpa_windows_measure(&sender->source);
    bool is_closed = windows->closed->len > 0;
    bool is_short = is_much(windows->short_ns, windows->span_ns);
    sctpa_paragraphs_row_t *row = NULL;
    if (is_closed || is_short)
        row = sctpa_paragraphs_add(trouble->topics[SCTPA_TRIAGE_CLOSED], sender->assoc, sender->end,
                                   (uint64_t)(is_closed ? windows->closed_ns : windows->short_ns));
    if (row && is_closed)
        say_closed(trouble, sender, windows, row->sentence);
    else if (row)
        say_short(windows, !sender->end, row->sentence);
    if (is_closed)
        return windows;
    sctpa_windows_free(windows);
    return NULL;
}

/* --- stalls --- */

/* Was the window closed for half of the stall or more? Both are in order of packets: *first is the first window that
 * may reach into the stall, and moves on from one stall to the next. */
static bool is_closed_window(const sctpa_triage_trouble_t *trouble, const sctpa_windows_t *windows,
                             const sctpa_stall_t *stall, unsigned *first)
{
    int64_t since_ns = sctpa_packet_time_ns(trouble->view->sctpa, stall->since),
            until_ns = since_ns + stall->stalled_ns, both_ns = 0;
    unsigned n = windows ? windows->closed->len : 0;
    while (*first < n && g_array_index(windows->closed, sctpa_closed_t, *first).until <= stall->since)
        ++*first;
    for (unsigned i = *first; i < n && g_array_index(windows->closed, sctpa_closed_t, i).packet < stall->until; i++) {
        const sctpa_closed_t *closed = &g_array_index(windows->closed, sctpa_closed_t, i);
        int64_t from_ns = sctpa_packet_time_ns(trouble->view->sctpa, closed->packet);
        both_ns = sctpa_ns_sum(both_ns, MAX(MIN(from_ns + closed->closed_ns, until_ns) - MAX(from_ns, since_ns), 0));
    }
    return stall->stalled_ns > 0 && both_ns >= stall->stalled_ns / 2;
}

static int longest_first(gconstpointer a, gconstpointer b)
{
    const sctpa_stall_t *x = a, *y = b;
    if (x->stalled_ns != y->stalled_ns)
        return x->stalled_ns > y->stalled_ns ? -1 : 1;
    return x->since < y->since ? -1 : x->since > y->since;
}

/* Those that no closed window explains, the longest first. */
static int64_t add_stalls(sctpa_triage_trouble_t *trouble, const sctpa_sender_t *sender, const sctpa_windows_t *windows,
                          GArray *stalls)
{
    sctpa_paragraphs_t *topic = trouble->topics[SCTPA_TRIAGE_STALLS];
    unsigned first_window = 0;
    uint32_t n = 0;
    int64_t stalled_ns = 0;

    for (unsigned i = 0; i < stalls->len; i++) {
        const sctpa_stall_t *stall = &g_array_index(stalls, sctpa_stall_t, i);
        if (!is_closed_window(trouble, windows, stall, &first_window)) {
            stalled_ns = sctpa_ns_sum(stalled_ns, stall->stalled_ns);
            g_array_index(stalls, sctpa_stall_t, n++) = *stall;
        }
    }
    g_array_set_size(stalls, n);
    g_array_sort(stalls, longest_first);
    for (unsigned i = 0; i < MIN(n, SCTPA_STALLS_OF_DIRECTION); i++) {
        const sctpa_stall_t *stall = &g_array_index(stalls, sctpa_stall_t, i);
        sctpa_paragraphs_row_t *row =
            sctpa_paragraphs_add(topic, sender->assoc, sender->end, (uint64_t)stall->stalled_ns);
        if (row)
            row->stall = *stall;
    }
    if (n > SCTPA_STALLS_OF_DIRECTION)
        sctpa_paragraphs_count_more(topic, n - SCTPA_STALLS_OF_DIRECTION);
    return stalled_ns;
}

int64_t sctpa_stalled_add(sctpa_triage_trouble_t *trouble, const sctpa_sender_t *sender, int64_t *closed_ns,
                          sctpa_stall_t *longest)
{
    sctpa_windows_t *windows = add_closed(trouble, sender);
    bool both_seen = sender->assoc->ends[!sender->end].settled->packets > 0;
    int64_t least_ns = MAX((int64_t)SCTPA_STALL_MS * SCTPA_NS_PER_MS,
                           SCTPA_STALL_ANSWERS * *sender->source.direction->receiver_tap_rtt_ns);
    sctpa_stalls_t *found = sctpa_stalls_measure(
        &sender->source, sctpa_view_outcome(trouble->view, sender->assoc).last_ns, least_ns, SCTPA_STALL_TIMEOUTS);
    int64_t stalled_ns = both_seen ? add_stalls(trouble, sender, windows, found->stalls) : 0;

    *closed_ns = windows ? windows->closed_ns : 0;
    *longest = found->longest;
    if (!both_seen)
        longest->since = SCTPA_NO_PACKET_INDEX;
    sctpa_windows_free(windows);
    sctpa_stalls_free(found);
    return stalled_ns;
}

/* --- what passed during the worst stalls --- */

typedef struct {
    uint32_t packets[2], data; /* that each end sent; of the sender's, with data */
    int64_t heard_ns;          /* when the receiver last sent something, or the stall began */
    uint32_t heard;            /* that packet, or the one since which it stalls */
    int64_t silence_ns;        /* the receiver's longest; the packets around it: */
    uint32_t silent_since, silent_until;
} passed_t;

static int64_t since_ns(const sctpa_triage_trouble_t *trouble, const sctpa_stall_t *stall)
{
    return sctpa_packet_time_ns(trouble->view->sctpa, stall->since);
}

static void note_heard(passed_t *passed, uint32_t packet, int64_t time_ns)
{
    if (time_ns - passed->heard_ns > passed->silence_ns) {
        passed->silence_ns = time_ns - passed->heard_ns;
        passed->silent_since = passed->heard;
        passed->silent_until = packet;
    }
    passed->heard_ns = time_ns;
    passed->heard = packet;
}

/* Of the stall: the SACK that ended it is none of it. */
static uint32_t last_packet(const sctpa_stall_t *stall)
{
    return stall->ends_acked ? stall->until - 1 : stall->until;
}

/* The packet that ended the association is no answer. */
static void note_passed(const sctpa_triage_trouble_t *trouble, const sctpa_paragraphs_row_t *row,
                        const sctpa_packet_result_t *packet, passed_t *passed)
{
    const sctpa_stamp_t *stamp = sctpa_packet_stamp(trouble->view->sctpa, packet->index);
    if (row->assoc->number != packet->assoc || packet->index <= row->stall.since ||
        packet->index > last_packet(&row->stall) || packet->frame == row->assoc->end_frame)
        return;
    passed->packets[packet->from & 1]++;
    if (packet->from == row->end)
        passed->data += (stamp->holds & SCTPA_STAMP_DATA) != 0;
    else
        note_heard(passed, packet->index, stamp->time_ns);
}

/* One walk over the packets for all rows. */
static void count_passed(const sctpa_triage_trouble_t *trouble, const sctpa_paragraphs_row_t *rows, unsigned n,
                         passed_t *passed)
{
    sctpa_packet_result_t result;
    uint32_t first = UINT32_MAX, last = 0;

    for (unsigned i = 0; i < n; i++) {
        first = MIN(first, rows[i].stall.since);
        last = MAX(last, last_packet(&rows[i].stall));
        passed[i].heard_ns = since_ns(trouble, &rows[i].stall);
        passed[i].heard = passed[i].silent_since = rows[i].stall.since;
    }
    for (uint32_t at = first; n > 0 && at <= last && sctpa_packet_result(trouble->view->sctpa, at, &result); at++)
        if (result.assoc != SCTPA_NO_ASSOC && !(result.remarks & SCTPA_CAPTURE_UNCOUNTED))
            for (unsigned i = 0; i < n; i++)
                note_passed(trouble, &rows[i], &result, &passed[i]);
    for (unsigned i = 0; i < n; i++)
        note_heard(&passed[i], rows[i].stall.until, since_ns(trouble, &rows[i].stall) + rows[i].stall.stalled_ns);
}

static void append_packets(GString *text, unsigned end, uint32_t packets)
{
    g_string_append_printf(text, "endpoint %u sent ", end);
    sctpa_text_quantity(text, packets, "packet", NULL);
}

static void append_lasting(const sctpa_triage_trouble_t *trouble, GString *text, int64_t ns, uint32_t since,
                           uint32_t until)
{
    sctpa_text_duration(text, ns);
    g_string_append_c(text, ' ');
    append_frames(trouble, text, since, until);
}

/* The receiver sent nothing for most of the stall, or all of it, while the sender did. */
static void append_outage(const sctpa_triage_trouble_t *trouble, GString *text, const sctpa_paragraphs_row_t *row,
                          const passed_t *passed)
{
    const sctpa_stall_t *stall = &row->stall;
    bool is_whole = passed->silent_since == stall->since && passed->silent_until == stall->until;
    if (passed->packets[row->end] >= SCTPA_OUTAGE_PACKETS)
        g_string_append(text, "one-way outage: ");
    if (is_whole)
        g_string_append_printf(text, "nothing from endpoint %u for ", !row->end);
    else
        g_string_append(text, "no ack progress for ");
    append_lasting(trouble, text, stall->stalled_ns, stall->since, stall->until);
    if (!is_whole) {
        g_string_append_printf(text, ", nothing from endpoint %u for ", !row->end);
        append_lasting(trouble, text, passed->silence_ns, passed->silent_since, passed->silent_until);
        g_string_append_c(text, ',');
    }
    g_string_append(text, " while ");
    append_packets(text, row->end, passed->packets[row->end]);
}

/* What the packets of both endpoints tell of the cause. */
static void append_cause(const sctpa_triage_trouble_t *trouble, GString *text, const sctpa_paragraphs_row_t *row,
                         const passed_t *passed)
{
    unsigned sender = row->end, receiver = !row->end;
    bool is_silent = passed->silence_ns >= row->stall.stalled_ns / 100 * SCTPA_OUTAGE_PERCENT;

    if (is_silent && passed->packets[sender] > 0) {
        append_outage(trouble, text, row, passed);
        return;
    }
    g_string_append(text, "no ack progress for ");
    append_lasting(trouble, text, row->stall.stalled_ns, row->stall.since, row->stall.until);
    g_string_append(text, ": ");
    if (is_silent && passed->packets[receiver] == 0) {
        g_string_append(text, "neither endpoint sent anything");
        return;
    }
    append_packets(text, receiver, passed->packets[receiver]);
    if (passed->data == 0)
        g_string_append_printf(text, ", endpoint %u no data: it waited for its timer", sender);
    else
        g_string_append_printf(text,
                               " but acked none of %u with data from endpoint %u: lost between capture point and "
                               "receiver",
                               passed->data, sender);
}

static void say_stall(const sctpa_triage_trouble_t *trouble, sctpa_paragraphs_row_t *row, const passed_t *passed)
{
    const sctpa_stall_t *stall = &row->stall;
    GString *text = row->sentence;

    append_cause(trouble, text, row, passed);
    g_string_append(text, "; ");
    sctpa_text_quantity(text, stall->chunks, "chunk", NULL);
    g_string_append(text, " outstanding");
    if (stall->timeouts > 0) {
        g_string_append(text, ", ");
        sctpa_text_quantity(text, stall->timeouts, "timeout", NULL);
        g_string_append(text, stall->timeouts > 1 ? " in a row" : "");
    }
}

void sctpa_stalled_explain(sctpa_triage_trouble_t *trouble)
{
    passed_t passed[SCTPA_TRIAGE_ROWS] = { 0 };
    unsigned n;
    sctpa_paragraphs_row_t *rows = sctpa_paragraphs_rows(trouble->topics[SCTPA_TRIAGE_STALLS], &n);

    count_passed(trouble, rows, n, passed);
    for (unsigned i = 0; i < n; i++)
        say_stall(trouble, &rows[i], &passed[i]);
}
