/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Can the capture be trusted? With its files, where several hold it: which frames are of which, and what is missing;
 * and packets that their receiver discards for their checksum. */
#include "capture_quality.h"

#include "../text/page.h"
#include "../text/text.h"
#include "../view.h"

/* Packets with that checksum when all of the endpoint have it, else 0. */
static uint32_t all_of(const uint32_t checksums[SCTPA_CHECKSUMS], sctpa_checksum_t kind)
{
    uint64_t all = 0;
    for (unsigned i = 0; i < SCTPA_CHECKSUMS; i++)
        all += checksums[i];
    return all == checksums[kind] ? checksums[kind] : 0;
}

bool sctpa_discarded_is_rewritten(const sctpa_end_t *end, const uint32_t checksums[SCTPA_CHECKSUMS])
{
    const sctpa_rewritten_t *rewritten = &end->rare->rewritten;
    return rewritten->fitting > 0 && rewritten->fitting == rewritten->tried &&
           all_of(checksums, SCTPA_CHECKSUM_BAD) > 0;
}

static bool has_same_addr(const sctpa_end_t *one, const sctpa_end_t *other)
{
    const sctpa_addr_t *of_one = sctpa_end_first_addr(one), *of_other = sctpa_end_first_addr(other);
    return of_one && of_other && sctpa_addr_equal(of_one, of_other);
}

/* Does the endpoint of old write the same tag between the same addresses, at the port for which the checksums of end
 * are right? */
static bool is_same_sender(const sctpa_assoc_t *assoc, uint8_t end, const sctpa_assoc_t *old, uint8_t old_end)
{
    const sctpa_rewritten_t *rewritten = &assoc->ends[end].rare->rewritten;
    const sctpa_end_t *peer = &assoc->ends[!end], *old_peer = &old->ends[!old_end];
    const sctpa_end_t *changed = &old->ends[rewritten->is_destination ? !old_end : old_end];
    return peer->has_vtag && old_peer->has_vtag && peer->vtag == old_peer->vtag && changed->port == rewritten->port &&
           has_same_addr(&assoc->ends[end], &old->ends[old_end]) && has_same_addr(peer, old_peer);
}

/* Which association before it does the endpoint of an association go on from: with the same tag, between the same
 * addresses, at the port for which the checksums are right? O(associations). */
static sctpa_discarded_goes_on_t discarded_goes_on(const sctpa_t *sctpa, const sctpa_assoc_t *assoc, uint8_t end)
{
    const sctpa_direction_t *sent = sctpa_direction(sctpa, assoc->number, end);
    for (uint32_t i = 0; i < assoc->number; i++)
        for (uint8_t e = 0; e < 2; e++) {
            const sctpa_direction_t *before = sctpa_direction(sctpa, i, e);
            if (!is_same_sender(assoc, end, sctpa_assoc(sctpa, i), e))
                continue;
            const bool is_next = sent && before && sent->tsns > 0 && before->tsns > 0 &&
                                 sctpa_direction_serial(before, before->highest) + 1 == sent->initial_tsn;
            return (sctpa_discarded_goes_on_t){ i, is_next };
        }
    return (sctpa_discarded_goes_on_t){ SCTPA_NO_ASSOC, false };
}

/* Did somebody answer packets of the address whose checksum is not right either? */
static bool is_answered(const sctpa_view_t *view, const sctpa_addr_t *addr, sctpa_checksum_t kind)
{
    for (uint32_t i = 0; i < sctpa_assoc_count(view->sctpa); i++) {
        const sctpa_assoc_t *assoc = sctpa_assoc(view->sctpa, i);
        for (unsigned e = 0; e < 2; e++) {
            uint32_t checksums[SCTPA_CHECKSUMS];
            const sctpa_addr_t *other = sctpa_end_first_addr(&assoc->ends[e]);
            if (!other || !sctpa_addr_equal(other, addr) || assoc->ends[!e].settled->packets == 0)
                continue;
            sctpa_end_checksums(view->sctpa, assoc, e, checksums);
            if (checksums[kind] > 0)
                return true;
        }
    }
    return false;
}

/* "every packet of endpoint 0 has a wrong CRC32c, which would be right for destination port 38412". */
static void append_port(GString *text, const sctpa_rewritten_t *rewritten, uint8_t from)
{
    g_string_append_printf(text,
                           "every packet of endpoint %u has a wrong CRC32c, which would be right for %s port %u: a "
                           "translator changed the port without computing the checksum anew",
                           from, rewritten->is_destination ? "destination" : "source", rewritten->port);
}

static void discarded_append_rewritten(GString *text, sctpa_labels_t *labels, const sctpa_assoc_t *assoc, uint8_t from)
{
    const sctpa_rewritten_t *rewritten = &assoc->ends[from].rare->rewritten;
    if (rewritten->different < 2)
        g_string_append(text, "most likely ");
    sctpa_labels_addr(labels, sctpa_end_first_addr(&assoc->ends[!from]), text);
    g_string_append(text, " discards what it gets: ");
    append_port(text, rewritten, from);
}

/* Nothing tells whether the packets were so on the wire. */
static void append_either(GString *text, sctpa_labels_t *labels, const sctpa_assoc_t *assoc, uint8_t from,
                          uint32_t packets, const char *what)
{
    const sctpa_addr_t *asked = sctpa_end_first_addr(&assoc->ends[!from]);
    g_string_append(text, "either ");
    sctpa_labels_addr(labels, asked, text);
    g_string_append(text, " discards what it gets, since ");
    if (packets == 1)
        g_string_append_printf(text, "the packet of endpoint %u has %s", from, what);
    else
        g_string_append_printf(text, "all %u packets of endpoint %u have %s", packets, from, what);
    g_string_append(text, "; or hardware computes the checksum behind the capture point, and ");
    sctpa_labels_addr(labels, asked, text);
    g_string_append(text, " does not receive the packets or does not answer them, or its answer does not pass the "
                          "capture point");
}

/* Zero may be agreed on, but for an INIT: who answers it knows whether its sender takes zero. False: it does. */
static bool say_zero(GString *what, const sctpa_assoc_t *assoc, uint8_t from)
{
    const sctpa_init_t *peer = &assoc->ends[!from].init;
    g_string_assign(what, "checksum 0, ");
    if (assoc->setup.steps[SCTPA_STEP_INIT].by == from)
        g_string_append(what, "which no INIT may have (RFC 9653)");
    else
        g_string_append_printf(what, "which endpoint %u did not announce to take (RFC 9653)", !from);
    return assoc->setup.steps[SCTPA_STEP_INIT].by == from || !(peer->params >> SCTPA_PARAM_ROW_ZERO_CHECKSUM & 1);
}

bool sctpa_discarded_append(GString *text, const sctpa_view_t *view, sctpa_labels_t *labels, const sctpa_assoc_t *assoc,
                            uint8_t from)
{
    const sctpa_end_t *end = &assoc->ends[from];
    const sctpa_addr_t *addr = sctpa_end_first_addr(end);
    uint32_t checksums[SCTPA_CHECKSUMS];
    sctpa_end_checksums(view->sctpa, assoc, from, checksums);
    const uint32_t zero = all_of(checksums, SCTPA_CHECKSUM_ZERO), bad = all_of(checksums, SCTPA_CHECKSUM_BAD);
    if (!addr || zero + bad == 0 || is_answered(view, addr, zero > 0 ? SCTPA_CHECKSUM_ZERO : SCTPA_CHECKSUM_BAD))
        return false;
    GString *what = g_string_new("a wrong checksum");
    const bool says = zero == 0 || say_zero(what, assoc, from);
    if (says && sctpa_discarded_is_rewritten(end, checksums))
        discarded_append_rewritten(text, labels, assoc, from);
    else if (says)
        append_either(text, labels, assoc, from, zero + bad, what->str);
    g_string_free(what, TRUE);
    return says;
}

enum { NAME_COLUMNS = 200, SHOWN_ALL = 13, SHOWN_MAX = 24 };

sctpa_file_gaps_t sctpa_file_gaps(const sctpa_view_t *view)
{
    sctpa_file_gaps_t gaps = { 0 };
    for (uint32_t i = 0; i < view->n_files; i++)
        if (view->files[i].gap != NULL && gaps.count++ == 0)
            gaps.first = &view->files[i];
    return gaps;
}

/* Appends a sentence about the gaps, one about packets that the capturing program dropped; nothing where there are
 * none. O(files). */
static void files_describe_gaps(const sctpa_view_t *view, GString *text)
{
    sctpa_file_gaps_t gaps = sctpa_file_gaps(view);
    if (gaps.count == 0)
        return;
    sctpa_text_quantity(text, gaps.count, "gap", NULL);
    g_string_append_printf(text, " between the files of the capture (first: before frame %u; ",
                           gaps.first->first_frame);
    sctpa_text_escape(text, gaps.first->gap, NAME_COLUMNS);
    g_string_append(text, "): packets are missing there. They appear as loss, as an endpoint that does not answer, or "
                          "as an association without set-up or end");
}

static void files_describe_dropped(const sctpa_view_t *view, GString *text)
{
    const sctpa_capture_file_t *first = NULL;
    uint64_t dropped = 0;
    for (uint32_t i = 0; i < view->n_files; i++) {
        dropped += view->files[i].dropped;
        if (view->files[i].dropped > 0 && first == NULL)
            first = &view->files[i];
    }
    if (first == NULL)
        return;
    sctpa_text_quantity(text, dropped, "packet", NULL);
    g_string_append_printf(text, " dropped by the capturing host (first: while it wrote ");
    sctpa_text_escape(text, first->name, NAME_COLUMNS);
    g_string_append(text, "): they passed, and are not in the capture");
}

static void write_file(const sctpa_capture_file_t *file, const char *label, unsigned label_columns, GString *out)
{
    GString *text = g_string_new(NULL);
    if (file->frames == 0)
        g_string_append(text, "no frames: ");
    else
        g_string_append_printf(text, "frames %u to %u: ", file->first_frame, file->first_frame + file->frames - 1);
    sctpa_text_escape(text, file->name, NAME_COLUMNS);
    if (file->message != NULL) {
        g_string_append(text, " (");
        sctpa_text_escape(text, file->message, NAME_COLUMNS);
        g_string_append_c(text, ')');
    }
    sctpa_page_sentence(out, label, label_columns, text->str);

    g_string_free(text, TRUE);
}

static bool holds_any(const sctpa_capture_file_t *file, const GArray *frames)
{
    for (unsigned i = 0; i < frames->len; i++)
        if (g_array_index(frames, uint32_t, i) - file->first_frame < file->frames)
            return true;

    return false;
}

static void write_left_out(uint32_t files, bool is_first, unsigned label_columns, GString *out)
{
    if (files == 0)
        return;

    GString *text = g_string_new("... ");

    sctpa_text_quantity(text, files, "more file", NULL);

    g_string_append(text, is_first ? " (all: -z sctp,json, capture.files)" : "");

    sctpa_page_sentence(out, "", label_columns, text->str);

    g_string_free(text, TRUE);
}

void sctpa_files_write(const sctpa_view_t *view, const GArray *named, unsigned label_columns, GString *out)
{
    uint32_t shown = 0, left_out = 0;

    for (uint32_t i = 0; i < view->n_files; i++) {
        const sctpa_capture_file_t *file = &view->files[i];
        const bool is_at_an_end = i == 0 || i == view->n_files - 1;
        const bool is_of_interest = file->message != NULL || file->gap != NULL || holds_any(file, named);
        if (view->n_files > SHOWN_ALL && !is_at_an_end && (!is_of_interest || shown >= SHOWN_MAX - 1)) {
            left_out++;
            continue;
        }
        write_left_out(left_out, left_out == i - shown, label_columns, out);
        left_out = 0;
        write_file(file, i == 0 ? "  files" : "", label_columns, out);
        shown++;
    }
}

/* Adds an association, if the capture lacks packets of an endpoint to its end. O(pairs), bounded. */
static void unseen_add(sctpa_unseen_t *unseen, const sctpa_t *sctpa, const sctpa_assoc_t *assoc)
{
    for (uint8_t end = 0; end < 2; end++) {
        const sctpa_unseen_rest_t rest = sctpa_unseen_rest(sctpa, assoc->number, end);
        if (rest.kind == SCTPA_UNSEEN_NONE)
            continue;
        if (unseen->count++ == 0)
            *unseen = (sctpa_unseen_t){ 1, assoc->number, end, rest };
        return;
    }
}

/* "of which packets are missing to the end (first: 0): the capture holds no packet of endpoint 1 after ..." */
static void unseen_append(GString *text, const sctpa_unseen_t *unseen)
{
    const sctpa_unseen_rest_t *rest = &unseen->rest;
    const unsigned end = unseen->end, peer = !unseen->end;
    g_string_append_printf(
        text, "of which packets are missing to the end (first: %u): the capture holds no %s of endpoint %u",
        unseen->first, rest->kind == SCTPA_UNSEEN_SACKS ? "SACK" : "packet", end);
    if (rest->last_frame > 0)
        g_string_append_printf(text, " after frame %u", rest->last_frame);
    switch (rest->kind) {
    case SCTPA_UNSEEN_SET_UP:
        g_string_append_printf(text,
                               ", though endpoint %u is ESTABLISHED: from frame %u on it sends packets without COOKIE "
                               "ECHO, so that it has had the COOKIE ACK (RFC 9260 5.1 C)",
                               peer, rest->shown_frame);
        break;
    case SCTPA_UNSEEN_SACKS:
        g_string_append_printf(
            text,
            ", though endpoint %u most likely has had later ones: it sends new data in frame %u, when without "
            "an ack its retransmission timer had expired (RFC 9260 6.3.3)",
            peer, rest->shown_frame);
        break;
    case SCTPA_UNSEEN_HEARTBEATS:
        g_string_append_printf(text, ", though endpoint %u answers a later HEARTBEAT of it in frame %u", peer,
                               rest->shown_frame);
        break;
    case SCTPA_UNSEEN_NONE: break;
    }
    g_string_append_printf(text, ". What endpoint %u sent and acknowledged after that is unknown", end);
}

static const sctpa_two_taps_t *most_compared(const sctpa_assoc_t *assoc)
{
    const sctpa_two_taps_t *most = NULL;
    for (unsigned path = 0; path < assoc->ends[0].n_paths; path++) {
        const sctpa_two_taps_t *taps = assoc->ends[0].paths[path].probing->two_taps;
        if (taps && taps->both > (most ? most->both : 0) && sctpa_two_taps_counterpart(&assoc->ends[1], taps))
            most = taps;
    }
    return most;
}

/* ": the clock of interface 1 is 3.250 s ahead of that of interface 0, to within 29.70 ms": of the two interfaces that
 * showed most packets of an association both ways; where the clocks drift, the two ways may contradict each other by
 * that. Nothing where none did. O(paths). */
static void clocks_append_ahead(GString *text, const sctpa_assoc_t *assoc)
{
    const sctpa_two_taps_t *taps = most_compared(assoc);
    int64_t ahead_ns, within_ns;
    if (!taps || !sctpa_two_taps_ahead(&assoc->ends[1], taps, &ahead_ns, &within_ns))
        return;
    within_ns = ABS(within_ns);
    g_string_append(text, ": ");
    if (ABS(ahead_ns) <= within_ns) {
        g_string_append_printf(text, "the clocks of interfaces %u and %u agree as far as can be told, ",
                               taps->interfaces[0], taps->interfaces[1]);
    } else {
        const unsigned early = ahead_ns < 0;
        g_string_append_printf(text, "the clock of interface %u is ", taps->interfaces[1]);
        sctpa_text_duration(text, ABS(ahead_ns));
        g_string_append_printf(text, " %s that of interface %u, ", early ? "behind" : "ahead of", taps->interfaces[0]);
    }
    g_string_append(text, "to within ");
    sctpa_text_duration(text, within_ns);
}

/* As "missed_by_capture" of the JSON: not where packets were cut, nor without data. */
static void add_missed(sctpa_doubts_t *doubts, const sctpa_t *sctpa, const sctpa_assoc_t *assoc)
{
    for (unsigned e = 0; e < 2; e++) {
        const sctpa_direction_t *direction = sctpa_direction(sctpa, assoc->number, (uint8_t)e);
        if (!direction || direction->tsns == 0 || direction->truncated)
            continue;
        doubts->tsns += direction->tsns;
        const uint64_t missed = sctpa_direction_unseen_acked(direction);
        if (missed == 0)
            continue;
        if (doubts->missed == 0)
            doubts->missed_first = assoc->number;
        doubts->missed += missed;
    }
}

static bool lacks_acks(const sctpa_t *sctpa, const sctpa_assoc_t *assoc)
{
    bool lacks = false;
    for (unsigned e = 0; e < 2; e++) {
        const sctpa_direction_t *direction = sctpa_direction(sctpa, assoc->number, (uint8_t)e);
        lacks |= direction && direction->rare->unseen_acks > 0;
    }
    return lacks;
}

static bool has_data(const sctpa_t *sctpa, const sctpa_assoc_t *assoc)
{
    bool has = false;
    for (unsigned e = 0; e < 2; e++) {
        const sctpa_direction_t *direction = sctpa_direction(sctpa, assoc->number, (uint8_t)e);
        has |= direction && direction->tsns > 0;
    }
    return has;
}

static void count_assoc(sctpa_doubtful_t *counted, const sctpa_assoc_t *assoc)
{
    if (counted->count++ > 0)
        return;
    counted->first = assoc->number;
    counted->first_frame = assoc->first_frame;
}

/* Where only one direction was captured, no ack could have been. */
static void add_data_only(sctpa_doubts_t *doubts, const sctpa_t *sctpa, const sctpa_assoc_t *assoc)
{
    if (!sctpa_assoc_is_data_only(assoc) || assoc->ends[0].n_pairs == 0 || assoc->ends[1].n_pairs == 0 ||
        !has_data(sctpa, assoc))
        return;
    count_assoc(&doubts->data_only, assoc);
    if (lacks_acks(sctpa, assoc))
        count_assoc(&doubts->without_acks, assoc);
}

const sctpa_doubtful_t *sctpa_doubts_data_only(const sctpa_doubts_t *doubts, const sctpa_t *sctpa)
{
    return sctpa_summary(sctpa)->has_more ? &doubts->without_acks : &doubts->data_only;
}

/* As "reneged_tsns" of the JSON, which is null there. */
static void add_untold(sctpa_doubts_t *doubts, const sctpa_t *sctpa, const sctpa_assoc_t *assoc)
{
    for (unsigned e = 0; e < 2; e++) {
        const sctpa_direction_t *direction = sctpa_direction(sctpa, assoc->number, (uint8_t)e);
        if (direction && !sctpa_direction_tells_reneging(direction) && doubts->untold++ == 0)
            doubts->untold_first = assoc->number;
    }
}

static void add_clocks(sctpa_doubts_t *doubts, const sctpa_t *sctpa, const sctpa_assoc_t *assoc)
{
    sctpa_clock_difference_t difference;
    if (!sctpa_clock_difference(sctpa, assoc->number, &difference))
        return;
    if (doubts->two_clocks.count == 0)
        doubts->clocks = difference;
    count_assoc(&doubts->two_clocks, assoc);
}

/* May an endpoint send packets without checksum: did its peer announce that it takes such, as far as captured (RFC
 * 9653 5.2)? Nobody did to an INIT without answer. */
static bool may_send_zero(const sctpa_assoc_t *assoc, unsigned end)
{
    const sctpa_init_t *peer = &assoc->ends[!end].init;
    const bool is_asking = assoc->ends[end].init.seen && assoc->ends[!end].settled->packets == 0;
    return peer->seen ? (peer->params >> SCTPA_PARAM_ROW_ZERO_CHECKSUM & 1) : !is_asking;
}

/* Did one endpoint send packets, and the other none that it would have? An INIT may still be on its way. */
static bool is_one_way(const sctpa_assoc_t *assoc, sctpa_assoc_end_t end)
{
    const uint32_t packets[2] = { assoc->ends[0].settled->packets, assoc->ends[1].settled->packets };
    const bool is_asking = packets[0] + packets[1] <= assoc->setup.steps[SCTPA_STEP_INIT].count;
    return (packets[0] == 0 || packets[1] == 0) && !is_asking &&
           (end == SCTPA_ASSOC_OPEN || end == SCTPA_ASSOC_SHUTDOWN);
}

static void note_rewritten(sctpa_doubts_t *doubts, const sctpa_t *sctpa, const sctpa_assoc_t *assoc, uint8_t end,
                           uint32_t packets)
{
    doubts->rewritten += packets;
    if (doubts->has_rewritten)
        return;
    doubts->has_rewritten = true;
    doubts->rewritten_first = assoc->number;
    doubts->rewritten_end = end;
    doubts->rewritten_after = discarded_goes_on(sctpa, assoc, end);
}

static void append_rewritten(GString *text, const sctpa_doubts_t *doubts, const sctpa_t *sctpa)
{
    const sctpa_assoc_t *first = sctpa_assoc(sctpa, doubts->rewritten_first);
    g_string_append_printf(text, "right for another port (first: %u), most likely a translator changed that",
                           first->ends[doubts->rewritten_end].rare->rewritten.port);
    if (doubts->rewritten_after.from != SCTPA_NO_ASSOC)
        g_string_append_printf(text,
                               ": association %u goes on from association %u (same Verification Tag%s) under another "
                               "port from frame %u on, and its receiver discards what it gets",
                               doubts->rewritten_first, doubts->rewritten_after.from,
                               doubts->rewritten_after.is_next_tsn ? ", next TSN" : "", first->first_frame);
}

void sctpa_doubts_add(sctpa_doubts_t *doubts, const sctpa_view_t *view, const sctpa_assoc_t *assoc)
{
    sctpa_assoc_end_t end = sctpa_view_outcome(view, assoc).end;
    bool is_discarded = false;

    add_missed(doubts, view->sctpa, assoc);
    add_untold(doubts, view->sctpa, assoc);
    unseen_add(&doubts->unseen, view->sctpa, assoc);
    sctpa_doubts_add_kind(doubts, view->sctpa, assoc);
    for (unsigned e = 0; e < 2; e++) {
        uint32_t checksums[SCTPA_CHECKSUMS];
        sctpa_end_checksums(view->sctpa, assoc, e, checksums);
        uint32_t bad = checksums[SCTPA_CHECKSUM_BAD];
        if (bad > 0 && doubts->bad_checksums == 0)
            doubts->bad_checksum_first_assoc = assoc->number;
        doubts->bad_checksums += bad;
        doubts->adler += checksums[SCTPA_CHECKSUM_ADLER32];
        if (sctpa_discarded_is_rewritten(&assoc->ends[e], checksums)) {
            is_discarded |= assoc->ends[!e].settled->packets == 0;
            note_rewritten(doubts, view->sctpa, assoc, (uint8_t)e, bad);
        }
        doubts->zero_agreeable += may_send_zero(assoc, e) ? checksums[SCTPA_CHECKSUM_ZERO] : 0;
        doubts->bad_auth += assoc->ends[e].rare->auth_bad;
    }
    if (!is_discarded && is_one_way(assoc, end) && doubts->one_way++ == 0)
        doubts->one_way_first = assoc->number;
}

void sctpa_doubts_add_kind(sctpa_doubts_t *doubts, const sctpa_t *sctpa, const sctpa_assoc_t *assoc)
{
    const sctpa_taps_t taps = sctpa_taps(sctpa, assoc->number);
    if (taps != SCTPA_TAPS_ONE)
        count_assoc(taps == SCTPA_TAPS_TWO ? &doubts->two_taps : &doubts->unclear_taps, assoc);
    add_data_only(doubts, sctpa, assoc);
    if (sctpa_translated(sctpa, assoc->number, 0) == SCTPA_YES ||
        sctpa_translated(sctpa, assoc->number, 1) == SCTPA_YES)
        count_assoc(&doubts->translated, assoc);
    add_clocks(doubts, sctpa, assoc);
}

/* Remarks so far, sentences; of them, how many weaken what the reports say. */
typedef struct {
    GPtrArray *all;
    unsigned weighty;
} remarks_t;

typedef enum { HARMLESS, WEIGHTY } weight_t;

static void add_remark(remarks_t *remarks, weight_t weight, const char *text)
{
    remarks->weighty += weight == WEIGHTY;
    g_ptr_array_add(remarks->all, g_strdup(text));
}

/* A sentence: count, what is the matter, where it begins, what follows. */
static void add_quality(remarks_t *remarks, weight_t weight, const sctpa_quality_t *quality, const char *is,
                        const char *are, const char *so)
{
    GString *text = g_string_new(NULL);
    if (quality->count > 0) {
        sctpa_text_quantity(text, quality->count, "packet", NULL);
        g_string_append_printf(text, " %s (first: frame %u)%s", quality->count == 1 ? is : are, quality->first_frame,
                               so);
        add_remark(remarks, weight, text->str);
    }
    g_string_free(text, TRUE);
}

static void add_zero(remarks_t *remarks, const sctpa_doubts_t *doubts, const sctpa_quality_t *zero)
{
    GString *so = g_string_new(": left to the hardware, or ");
    if (doubts->zero_agreeable == 0)
        g_string_append(so, "never computed; nobody agreed on that (RFC 9653)");
    else
        g_string_append(so, "agreed on (RFC 9653)");
    if (doubts->zero_agreeable > 0 && doubts->zero_agreeable < zero->count) {
        g_string_append(so, ", but nobody agreed on ");
        sctpa_text_count(so, zero->count - doubts->zero_agreeable, 20);
        g_string_append(so, " of them");
    }
    add_quality(remarks, HARMLESS, zero, "has a checksum of zero", "have a checksum of zero", so->str);
    g_string_free(so, TRUE);
}

static void add_counted(remarks_t *remarks, weight_t weight, uint64_t count, const char *noun, const char *rest)
{
    GString *text = g_string_new(NULL);
    if (count > 0) {
        sctpa_text_quantity(text, count, noun, NULL);
        g_string_append_printf(text, " %s", rest);
        add_remark(remarks, weight, text->str);
    }
    g_string_free(text, TRUE);
}

static unsigned bit_number(unsigned bit)
{
    unsigned number = 0;
    while (bit > 1u << number)
        number++;
    return number;
}

/* Timers that did not run show that no time passed, or that who runs them slept. */
static void add_clock_steps(remarks_t *remarks, const sctpa_t *sctpa)
{
    const sctpa_clock_steps_t *steps = sctpa_clock_steps(sctpa);
    if (steps->count == 0)
        return;
    GString *text = g_string_new("Nothing passed for ");
    sctpa_text_duration(text, steps->steps[0].ns);
    g_string_append_printf(text, " before frame %u", sctpa_packet_frame(sctpa, steps->steps[0].packet));
    if (steps->count > 1) {
        g_string_append(text, ", and so ");
        sctpa_text_quantity(text, steps->count - 1, "more time", NULL);
    }
    g_string_append(text,
                    ", while data was outstanding, and no timer retransmitted it: most likely the clock stepped "
                    "forward by about that, or the host of the capture was suspended; times across it mean nothing");
    add_remark(remarks, WEIGHTY, text->str);
    g_string_free(text, TRUE);
}

/* Few packets may have such stamps by chance. */
static void add_stamp_unit(remarks_t *remarks, const sctpa_summary_t *summary)
{
    enum { PACKETS_LEAST = 10, COARSE_MS = 100 };
    GString *text = g_string_new("Timestamps are ");
    if (summary->packets >= PACKETS_LEAST && summary->stamp_unit_ns >= SCTPA_NS_PER_MS) {
        if (summary->stamp_unit_ns == SCTPA_NS_PER_S)
            g_string_append(text, "whole seconds");
        else if (summary->stamp_unit_ns == SCTPA_NS_PER_MS)
            g_string_append(text, "whole milliseconds");
        else
            g_string_append_printf(text, "multiples of %d ms", (int)(summary->stamp_unit_ns / SCTPA_NS_PER_MS));
        g_string_append(text, ": shorter times are unknown");
        if (summary->stamp_unit_ns >= COARSE_MS * SCTPA_NS_PER_MS)
            g_string_append(text, ", and so is whether the capture was taken near an endpoint");
        add_remark(remarks, WEIGHTY, text->str);
    } else if (summary->packets >= PACKETS_LEAST && summary->ticks > 0) {
        g_string_printf(text,
                        "All timestamps lie within 1 ms of %u whole seconds, and answers take whole seconds: most "
                        "likely the clock is one of whole seconds, and times below a second mean nothing",
                        summary->ticks);
        add_remark(remarks, WEIGHTY, text->str);
    }
    g_string_free(text, TRUE);
}

static void add_capture_remarks(remarks_t *remarks, const sctpa_doubts_t *doubts, const sctpa_summary_t *summary)
{
    const sctpa_quality_t *quality = summary->quality;

    add_quality(remarks, WEIGHTY, &quality[bit_number(SCTPA_CAPTURE_TRUNCATED)], "was cut by the snap length",
                "were cut by the snap length", ": chunks in the missing part are not seen, checksums not verified");
    add_quality(remarks, WEIGHTY, &quality[bit_number(SCTPA_CAPTURE_CLOCK)],
                "has a timestamp far earlier than its predecessor's",
                "have timestamps far earlier than their predecessors'",
                ": the clock stepped, times are not reliable there");
    add_quality(remarks, WEIGHTY, &quality[bit_number(SCTPA_CAPTURE_TIME)],
                "has a timestamp too far away to be compared", "have timestamps too far away to be compared",
                ": counted as nine years from the first packet, times are not reliable there");
    add_quality(remarks, HARMLESS, &quality[bit_number(SCTPA_CAPTURE_REORDERED)],
                "has a timestamp slightly earlier than its predecessor's",
                "have timestamps slightly earlier than their predecessors'", ": a capture from several queues");
    add_quality(remarks, WEIGHTY, &quality[bit_number(SCTPA_CAPTURE_OFFLOAD)],
                "is larger than its link carries or has its checksum left to the hardware",
                "are larger than their link carries or have their checksum left to the hardware",
                ": captured on the sending host, not on the wire");
    add_stamp_unit(remarks, summary);
    add_quality(remarks, HARMLESS, &quality[bit_number(SCTPA_CAPTURE_DUPLICATE)], "was captured twice",
                "were captured twice", ": each counts once");
    add_quality(remarks, HARMLESS, &quality[bit_number(SCTPA_CAPTURE_STRAY)], "has a wrong Verification Tag",
                "have a wrong Verification Tag", ": receivers discard such packets, so they are not counted");
    add_zero(remarks, doubts, &quality[SCTPA_QUALITY_ZERO_CHECKSUM]);
    add_quality(remarks, WEIGHTY, &quality[SCTPA_QUALITY_OTHER_MESSAGE], "has DATA with the TSN of another message",
                "have DATA with the TSN of another message",
                ": made-up headers, or a sender that reuses TSNs; such DATA is not counted as retransmitted");
}

/* Certain only where a sender must have had acks and the capture holds nothing but DATA: else packets may have been
 * lost. */
static void add_filtered(remarks_t *remarks, const sctpa_doubts_t *doubts, const sctpa_t *sctpa)
{
    const sctpa_doubtful_t *cut = sctpa_doubts_data_only(doubts, sctpa);
    bool is_certain = !sctpa_summary(sctpa)->has_more && doubts->without_acks.count > 0;
    char *text = g_strdup_printf(
        "with packets that hold DATA only (first: %u): %sa display filter left out the SACKs, HEARTBEATs and "
        "set-up packets that stand alone. Acks, RTTs, pauses, causes of retransmissions and HEARTBEATs are not "
        "judged there. Save with the display filter \"sctp\" to keep them",
        cut->first, is_certain ? "" : "perhaps ");
    add_counted(remarks, WEIGHTY, cut->count, "association", text);
    g_free(text);
}

/* What was asserted and turned out to be wrong. */
static void add_refuted(remarks_t *remarks, const sctpa_t *sctpa)
{
    const sctpa_asserted_t *asserted = sctpa_asserted(sctpa);
    GString *text = g_string_new(NULL);
    if (asserted->complete_refuted != SCTPA_NO_PACKET_INDEX) {
        g_string_printf(text,
                        "The capture is not complete, or not in order, although that was asserted: frame %u shows it. "
                        "The assertion is not used of that association from there on",
                        sctpa_packet_frame(sctpa, asserted->complete_refuted));
        add_remark(remarks, WEIGHTY, text->str);
    }
    if (asserted->taken_at_refuted != SCTPA_NO_PACKET_INDEX) {
        g_string_printf(text,
                        "The capture was not taken at the sender of frame %u, although that was asserted: its SACKs "
                        "are not in the order of sending. The assertion is not used there",
                        sctpa_packet_frame(sctpa, asserted->taken_at_refuted));
        add_remark(remarks, WEIGHTY, text->str);
    }
    g_string_free(text, TRUE);
}

/* What a file merged from captures at two places leaves unknown, and how to get it. */
static void add_taps(remarks_t *remarks, const sctpa_doubts_t *doubts, const sctpa_t *sctpa)
{
    static const char *const alone = "Keep the interfaces of one endpoint in a file of their own, with a display "
                                     "filter such as \"frame.interface_id == 0\",";
    GString *near = g_string_new(NULL);
    g_string_printf(near, "captured near both endpoints (first: %u)", doubts->two_taps.first);
    if (doubts->two_taps.count > 0)
        clocks_append_ahead(near, sctpa_assoc(sctpa, doubts->two_taps.first));
    g_string_append_printf(near,
                           ". RTTs, causes of retransmissions and pauses are those near the sender of the data, SACK "
                           "delays those near its receiver. cwnd is unknown, and fewer rules are checked. %s for these",
                           alone);
    add_counted(remarks, HARMLESS, doubts->two_taps.count, "association", near->str);
    g_string_free(near, TRUE);
    char *text = g_strdup_printf(
        "captured at several places, and it is unknown which is near which endpoint (first: %u): each packet counts "
        "where it stands first, so that RTTs may be wrong and causes of retransmissions unknown. %s to "
        "get them",
        doubts->unclear_taps.first, alone);
    add_counted(remarks, WEIGHTY, doubts->unclear_taps.count, "association", text);
    g_free(text);
}

/* Whose stamps are early by how much, and what that leaves unknown. */
static void add_two_clocks(remarks_t *remarks, const sctpa_doubts_t *doubts, const sctpa_t *sctpa)
{
    const sctpa_clock_difference_t *clocks = &doubts->clocks;
    if (doubts->two_clocks.count == 0)
        return;
    GString *text = g_string_new(NULL);
    char *early = sctpa_addr_text(&sctpa_assoc(sctpa, doubts->two_clocks.first)->ends[clocks->early].addrs[0].addr);
    g_string_printf(text,
                    "whose directions were stamped by two clocks (first: %u): answers of %s are stamped before what "
                    "they answer (frame %u), so that its stamps are early by %.3f ms",
                    doubts->two_clocks.first, early, sctpa_packet_frame(sctpa, clocks->first),
                    (double)clocks->least_ns / (double)SCTPA_NS_PER_MS);
    if (clocks->most_ns >= 0)
        g_string_append_printf(text, " to %.3f ms", (double)clocks->most_ns / (double)SCTPA_NS_PER_MS);
    else
        g_string_append(text, " at least");
    g_string_append(text, ". The order of packets of both directions and the times between them are known no better "
                          "than that, so that fewer rules are checked there");
    add_counted(remarks, WEIGHTY, doubts->two_clocks.count, "association", text->str);
    g_free(early);
    g_string_free(text, TRUE);
}

static void add_files(remarks_t *remarks, const sctpa_view_t *view)
{
    static void (*const describe[])(const sctpa_view_t *, GString *) = { files_describe_gaps, files_describe_dropped };
    for (unsigned i = 0; i < G_N_ELEMENTS(describe); i++) {
        GString *text = g_string_new(NULL);
        describe[i](view, text);
        if (text->len > 0)
            add_remark(remarks, WEIGHTY, text->str);
        g_string_free(text, TRUE);
    }
}

static void add_doubts(remarks_t *remarks, const sctpa_t *sctpa, const sctpa_doubts_t *doubts)
{
    const sctpa_summary_t *summary = sctpa_summary(sctpa);
    GString *text = g_string_new(NULL);

    g_string_assign(text, "acknowledged that the capture does not hold, ");
    sctpa_text_share(text, doubts->missed, doubts->missed + doubts->tsns);
    g_string_append_printf(text,
                           " %% of all (first in association %u): it missed packets. Retransmissions near them are of "
                           "cause unknown, counts and rates too low",
                           doubts->missed_first);
    add_counted(remarks, WEIGHTY, doubts->missed, "chunk", text->str);
    g_string_printf(
        text,
        "acknowledged the same TSNs and took them back again and again (first in association %u): which TSNs it "
        "had is no longer followed. Retransmissions after that are of cause unknown, outstanding data may be too low",
        doubts->untold_first);
    add_counted(remarks, WEIGHTY, doubts->untold, "receiver", text->str);
    add_filtered(remarks, doubts, sctpa);
    g_string_truncate(text, 0);
    unseen_append(text, &doubts->unseen);
    add_counted(remarks, WEIGHTY, doubts->unseen.count, "association", text->str);
    g_string_printf(text, "with a wrong checksum (first in association %u): ", doubts->bad_checksum_first_assoc);
    if (doubts->has_rewritten && doubts->rewritten == doubts->bad_checksums)
        append_rewritten(text, doubts, sctpa);
    else
        g_string_append(text, "damaged, or left to the hardware");
    add_counted(remarks, WEIGHTY, doubts->bad_checksums, "packet", text->str);
    g_string_printf(text,
                    "seen in one direction only (first: %u): the other was captured elsewhere, left out by a filter, "
                    "or not captured",
                    doubts->one_way_first);
    add_counted(remarks, WEIGHTY, doubts->one_way, "association", text->str);
    g_string_printf(
        text,
        "with translated addresses (first: %u): an endpoint sends from one address and receives at another "
        "that it never announced, its peer's HEARTBEATs or State Cookie contain an address that no packet has, or a "
        "packet is there under two addresses, as behind a NAT or in a rewritten file. Rules about destination "
        "addresses "
        "are not checked there",
        doubts->translated.first);
    add_counted(remarks, WEIGHTY, doubts->translated.count, "association", text->str);
    add_two_clocks(remarks, doubts, sctpa);
    add_taps(remarks, doubts, sctpa);
    add_counted(remarks, WEIGHTY, summary->unlabelled, "packet",
                "too short or too damaged to belong to an association");
    add_counted(remarks, HARMLESS, summary->icmp_unmatched - summary->refused_errors, "ICMP error",
                "about SCTP packets of no association in this capture");
    if (sctpa_predates_rfc(sctpa, SCTPA_RULE_FMT_004))
        add_counted(remarks, HARMLESS, doubts->adler, "packet",
                    doubts->adler == 1 ? "has an Adler-32 checksum, as RFC 2960 asked before RFC 3309"
                                       : "have Adler-32 checksums, as RFC 2960 asked before RFC 3309");
    add_counted(remarks, HARMLESS, doubts->bad_auth, "AUTH chunk",
                "with a wrong HMAC: forged, or another key than those known");
    g_string_free(text, TRUE);
}

/* Remarks that weaken nothing are one sentence. */
static char *join_harmless(const remarks_t *remarks)
{
    GString *text = g_string_new("good");
    for (unsigned i = 0; i < remarks->all->len; i++)
        g_string_append_printf(text, "%s%s", i == 0 ? ", though " : "; ", (const char *)remarks->all->pdata[i]);
    return g_string_free(text, FALSE);
}

bool sctpa_quality_each(const sctpa_view_t *view, const sctpa_doubts_t *doubts, sctpa_quality_fn each, void *user)
{
    remarks_t remarks = { .all = g_ptr_array_new_with_free_func(g_free) };

    add_files(&remarks, view);
    add_capture_remarks(&remarks, doubts, sctpa_summary(view->sctpa));
    add_clock_steps(&remarks, view->sctpa);
    add_refuted(&remarks, view->sctpa);
    add_doubts(&remarks, view->sctpa, doubts);
    if (remarks.weighty == 0) {
        char *text = join_harmless(&remarks);
        each(user, SCTPA_QUALITY_LABEL, text);
        g_free(text);
    } else {
        each(user, SCTPA_QUALITY_LABEL, NULL);
        for (unsigned i = 0; i < remarks.all->len; i++)
            each(user, NULL, remarks.all->pdata[i]);
    }
    g_ptr_array_free(remarks.all, TRUE);
    return remarks.weighty;
}
