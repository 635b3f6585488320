/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Receivers that closed their window, or left too little of it; chunks that were given up; receivers that send more
 * SACKs than packets came. */
#include "../text/pause_text.h"
#include "../text/text.h"
#include "triage.h"

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

static void append_tsns(GString *text, uint64_t count, const char *one, const char *many)
{
    sctpa_text_count(text, count, 20);
    g_string_append_printf(text, " %s", count == 1 ? one : many);
}

/* Those of which no ack shows that they arrived. Beside the receiver what passes arrives as a rule. */
static void append_rest(const sctpa_triage_sender_t *sender, uint64_t abandoned, uint64_t lost, GString *text)
{
    const uint64_t missing = sender->measure->given_up_missing_tsns;
    if (missing > 0) {
        g_string_append(text, "; ");
        append_tsns(text, missing, "had", "had");
        g_string_append(text, " not arrived when SACKs reported ");
        g_string_append(text, missing == 1 ? "it missing" : "them missing");
    }
    lost -= MIN(missing, lost);
    if (lost == 0)
        return;
    const bool is_near = sctpa_given_up_is_near(sender);
    g_string_append(text, is_near ? "; " : "; whether ");
    if (lost < abandoned) {
        g_string_append(text, "the other ");
        sctpa_text_count(text, lost, 20);
    } else
        g_string_append(text, lost == 1 ? "it" : "they");
    g_string_append(text,
                    is_near ? " most likely arrived: they passed beside the receiver" : " arrived is not decidable");
}

/* What shows that chunks arrived, or were on their way, when they were given up. */
static void append_what_became(const sctpa_triage_sender_t *sender, GString *text)
{
    const sctpa_measure_t *measure = sender->measure;
    const uint64_t abandoned = measure->all.abandoned_tsns, lost = MIN(measure->given_up_tsns, abandoned);

    if (measure->given_up_on_way_tsns > 0) {
        g_string_append(text, ": ");
        append_tsns(text, measure->given_up_on_way_tsns, "was", "were");
        g_string_append(text, " on the way (an answer takes ");
        sctpa_text_duration(text, measure->round_trip_ns);
        g_string_append_c(text, ')');
    }
    if (abandoned > lost) {
        g_string_append(text, "; ");
        append_tsns(text, abandoned - lost, "arrived all the same", "arrived all the same");
        g_string_append(text, ", as SACKs show");
    }
    append_rest(sender, abandoned, lost, text);
    if (measure->given_up_unseen_tsns > 0) {
        g_string_append(text, "; ");
        append_tsns(text, measure->given_up_unseen_tsns, "more never passed", "more never passed");
        g_string_append(text, ": lost before the capture point, or not captured");
    }
}

/* "; the FORWARD-TSN in frame 33 was not repeated, though 46 SACKs stay below it ...". */
static void append_stuck(const sctpa_triage_sender_t *sender, sctpa_triage_trouble_t *trouble, uint64_t forwards,
                         GString *text)
{
    const sctpa_direction_t *direction = sender->source.direction;
    sctpa_stuck_forward_t stuck;
    if (forwards != direction->rare->forwards.len || !sctpa_direction_forward_is_stuck(direction, &stuck) ||
        sender->source.sent_all(&sender->source, stuck.packet, stuck.last_packet) == SCTPA_NO)
        return;
    sctpa_trouble_tell(trouble, SCTPA_TRIAGE_RULES);
    sctpa_trouble_tell(trouble, SCTPA_TRIAGE_PATHS);
    g_string_append_printf(text, "; the FORWARD-TSN in frame %u was not repeated, though ",
                           sctpa_packet_frame(trouble->view->sctpa, stuck.packet));
    sctpa_text_quantity(text, stuck.sacks, "SACK", NULL);
    g_string_append_printf(text, " of endpoint %u in ", !sender->end);
    sctpa_text_duration(text, stuck.ns);
    g_string_append_printf(text,
                           " after it stay below it: most likely it was lost, and endpoint %u has to send it again "
                           "(RFC 3758 3.5)",
                           sender->end);
}

static void say_given_up(sctpa_triage_trouble_t *trouble, const sctpa_triage_sender_t *sender, uint64_t forwards,
                         GString *text)
{
    const sctpa_measure_t *measure = sender->measure;

    sctpa_text_quantity(text, forwards, "FORWARD-TSN", NULL);
    g_string_append_printf(text, " of endpoint %u gave up ", sender->end);
    sctpa_text_quantity(text, measure->all.abandoned_tsns, "chunk", NULL);
    append_what_became(sender, text);
    if (measure->given_up_control_packet != SCTPA_NO_PACKET_INDEX)
        g_string_append_printf(text, "; the one in frame %u opens a data channel, which must be reliable (RFC 8832 6)",
                               sctpa_packet_frame(trouble->view->sctpa, measure->given_up_control_packet));
    append_stuck(sender, trouble, forwards, text);
    if (measure->sacks.idle > 0) {
        g_string_append(text, "; ");
        append_tsns(text, measure->sacks.idle, "of ", "of ");
        sctpa_text_quantity(text, measure->sacks.sacks, "SACK", NULL);
        g_string_append_printf(text, " of endpoint %u acknowledged nothing new", !sender->end);
    }
}

static uint64_t forwards_of(const sctpa_triage_trouble_t *trouble, const sctpa_triage_sender_t *sender)
{
    const sctpa_counts_t *counts = sctpa_selection_end(trouble->selection, sender->assoc, sender->end);
    return (uint64_t)sctpa_counts_chunks(counts, SCTPA_CHUNK_ROW_FORWARD_TSN) +
           sctpa_counts_chunks(counts, SCTPA_CHUNK_ROW_I_FORWARD_TSN);
}

void sctpa_given_up_add(sctpa_triage_trouble_t *trouble, const sctpa_triage_sender_t *sender)
{
    const uint64_t forwards = forwards_of(trouble, sender);
    if (sender->source.data_only || forwards == 0)
        return;
    sctpa_paragraphs_row_t *row =
        sctpa_paragraphs_add(trouble->topics[SCTPA_TRIAGE_GIVEN_UP], sender->assoc, sender->end, forwards);
    if (row)
        say_given_up(trouble, sender, forwards, row->sentence);
}

static void say_updates(const sctpa_triage_sender_t *sender, GString *text)
{
    const sctpa_sack_totals_t *sacks = &sender->measure->sacks;
    const uint32_t announced_bytes = sender->source.window_bytes;

    g_string_append_printf(text, "endpoint %u sent ", !sender->end);
    sctpa_text_quantity(text, sacks->sacks, "SACK", NULL);
    g_string_append(text, " for ");
    sctpa_text_quantity(text, sender->measure->all.data_packets, "packet", NULL);
    g_string_append(text, " with DATA: ");
    append_tsns(text, sacks->updates, "only raised", "only raised");
    g_string_append(text, " its a_rwnd, by ");
    sctpa_text_quantity(text, sacks->raised_bytes / sacks->updates, "byte", NULL);
    g_string_append(text, " on average");
    if (announced_bytes > 0 && sacks->largest_bytes > announced_bytes) {
        g_string_append(text, ", to ");
        sctpa_text_count(text, sacks->largest_bytes, 20);
        g_string_append(text, ", where the set-up announced ");
        sctpa_text_count(text, announced_bytes, 20);
    }
}

/* Each packet that comes may have its SACK (RFC 9260 6.2): what is more than that is much. */
static bool has_many_updates(const sctpa_measure_t *measure)
{
    return measure->sacks.updates >= SCTPA_UPDATES_LEAST &&
           measure->sacks.updates > measure->all.data_packets + measure->missed;
}

/* How many more SACKs than packets that may have one: those with DATA, and FORWARD-TSNs. */
static bool has_many_equal(const sctpa_triage_sender_t *sender, uint64_t forwards)
{
    const sctpa_measure_t *measure = sender->measure;
    const sctpa_sack_totals_t *sacks = &measure->sacks;
    const uint64_t answers = measure->all.data_packets + measure->missed + forwards + sacks->answering + sacks->updates;
    return measure->missed_known && sacks->repeated >= SCTPA_UPDATES_LEAST &&
           sacks->sacks >= answers + SCTPA_UPDATES_LEAST;
}

static void say_equal(const sctpa_triage_sender_t *sender, GString *text)
{
    const sctpa_sack_totals_t *sacks = &sender->measure->sacks;
    g_string_append_printf(text, "endpoint %u sent ", !sender->end);
    sctpa_text_quantity(text, sacks->sacks, "SACK", NULL);
    g_string_append(text, " for ");
    sctpa_text_quantity(text, sender->measure->all.data_packets, "packet", NULL);
    g_string_append(text, " with DATA: ");
    append_tsns(text, sacks->repeated, "says the same as the one before", "say the same as the one before");
    if (sacks->unnumbered > 0)
        g_string_append(text, ", unless the network doubled them");
    else
        g_string_append(text, ", where each packet may have one (RFC 9260 6.2)");
}

void sctpa_updates_add(sctpa_triage_trouble_t *trouble, const sctpa_triage_sender_t *sender)
{
    const sctpa_sack_totals_t *sacks = &sender->measure->sacks;
    const bool has_updates = has_many_updates(sender->measure),
               has_equal = !has_updates && has_many_equal(sender, forwards_of(trouble, sender));
    if (sender->source.data_only || !(has_updates || has_equal))
        return;
    if (has_equal) {
        sctpa_trouble_tell(trouble, SCTPA_TRIAGE_RULES);
        sctpa_trouble_tell(trouble, SCTPA_TRIAGE_PATHS);
    }
    sctpa_paragraphs_row_t *row = sctpa_paragraphs_add(trouble->topics[SCTPA_TRIAGE_SACKS], sender->assoc, sender->end,
                                                       has_updates ? sacks->updates : sacks->repeated);
    if (row && has_updates)
        say_updates(sender, row->sentence);
    else if (row)
        say_equal(sender, row->sentence);
}
