/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Is the transport to blame? Where nothing went wrong the page says so, with what shows it: what was acknowledged, and
 * how soon. Where something did: what failed and what pauses cost, in all; the topics say it of each association. */
#include "../text/pause_text.h"
#include "../text/text.h"
#include "capture_quality.h"
#include "triage.h"

/* Does nobody acknowledge what an endpoint sends since its port was changed on the way? */
static bool is_discarded(const sctpa_view_t *view, const sctpa_triage_sender_t *sender)
{
    uint32_t checksums[SCTPA_CHECKSUMS];
    sctpa_end_checksums(view->sctpa, sender->assoc, sender->end, checksums);
    return sctpa_discarded_is_rewritten(&sender->assoc->ends[sender->end], checksums);
}

void sctpa_answer_add(sctpa_triage_trouble_t *trouble, const sctpa_triage_sender_t *sender)
{
    sctpa_acks_seen_t *seen = &trouble->acks_seen;
    const sctpa_measure_t *measure = sender->measure;
    const sctpa_unseen_rest_t rest = sctpa_unseen_rest(trouble->view->sctpa, sender->assoc->number, !sender->end);
    const bool lacks_sacks = rest.kind == SCTPA_UNSEEN_SACKS;
    if (sender->source.data_only || sender->assoc->ends[!sender->end].settled->packets == 0 ||
        (lacks_sacks && rest.last_frame == 0)) {
        seen->has_half = true;
        seen->has_discarded |= is_discarded(trouble->view, sender);
        return;
    }
    seen->lacks_acks |= lacks_sacks;
    seen->tsns += measure->all.tsns;
    seen->acked += measure->acked_tsns;
    seen->given_up_missing += measure->given_up_missing_tsns;
    seen->given_up[sctpa_given_up_is_near(sender)] += measure->given_up_tsns - measure->given_up_missing_tsns;
    if (sctpa_view_measures(trouble->view, measure->slowest_ack_ns) && measure->slowest_ack_ns >= 0 &&
        (seen->slowest_frame == 0 || measure->slowest_ack_ns > seen->slowest_ns)) {
        seen->slowest_ns = measure->slowest_ack_ns;
        seen->slowest_frame = sctpa_packet_frame(trouble->view->sctpa, measure->slowest_packet);
    }
}

void sctpa_answer_add_heartbeats(sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc)
{
    for (unsigned e = 0; e < 2; e++)
        for (unsigned path = 0; path < assoc->ends[e].n_paths; path++) {
            const sctpa_probing_t *probed = sctpa_path_probed(trouble->view->sctpa, assoc, e, path);
            trouble->acks_seen.heartbeats += probed->heartbeats;
            trouble->acks_seen.heartbeats_acked += probed->heartbeats_acked;
        }
}

static uint64_t given_up(const sctpa_acks_seen_t *seen)
{
    return seen->given_up[false] + seen->given_up[true] + seen->given_up_missing;
}

static void append_given_up(GString *text, uint64_t chunks, const char *what_became)
{
    if (chunks == 0)
        return;
    g_string_append(text, ", ");
    sctpa_text_count(text, chunks, 20);
    g_string_append_printf(text, "%s%s", chunks == 1 ? " was given up" : " were given up", what_became);
}

static void append_acked(GString *text, const sctpa_acks_seen_t *seen)
{
    if (seen->acked == seen->tsns) {
        g_string_append(text, seen->tsns > 1 ? "all " : "");
        sctpa_text_quantity(text, seen->tsns, "DATA chunk", NULL);
    } else {
        sctpa_text_count(text, seen->acked, 20);
        g_string_append(text, " of ");
        sctpa_text_quantity(text, seen->tsns, "DATA chunk", NULL);
    }
    g_string_append(text, seen->acked == 1 || seen->tsns == 1 ? " was acknowledged" : " were acknowledged");
    if (seen->slowest_frame > 0) {
        g_string_append(text, seen->acked > 1 ? ", the slowest after " : " after ");
        sctpa_text_duration(text, seen->slowest_ns);
        g_string_append_printf(text, " (frame %u)", seen->slowest_frame);
    }
    append_given_up(text, seen->given_up_missing, ", reported missing by SACKs");
    append_given_up(text, seen->given_up[true], " and most likely arrived");
    append_given_up(text, seen->given_up[false], ": whether that arrived is not decidable");
    if (given_up(seen) < seen->tsns - seen->acked)
        g_string_append(text, seen->lacks_acks ? ", of the rest the capture holds no ack"
                                               : ", the rest not before the capture ends");
}

static void append_answered(GString *text, const sctpa_acks_seen_t *seen)
{
    sctpa_text_separate(text);
    sctpa_text_count(text, seen->heartbeats_acked, 20);
    g_string_append(text, " of ");
    sctpa_text_quantity(text, seen->heartbeats, "HEARTBEAT", NULL);
    g_string_append(text, " answered");
}

/* "all 28 DATA chunks were acknowledged, ...; 14 of 14 HEARTBEATs answered", or nothing. */
static void append_facts(GString *text, const sctpa_acks_seen_t *seen)
{
    GString *facts = g_string_new(NULL);
    if (seen->tsns > 0 && !seen->has_half)
        append_acked(facts, seen);
    if (seen->heartbeats > 0 && !seen->has_half)
        append_answered(facts, seen);
    g_string_append(text, facts->str);
    g_string_free(facts, TRUE);
}

/* "3 of 9 associations failed, 2 of them most likely because an application asked for it". */
static void append_failed(GString *text, const sctpa_triage_trouble_t *trouble, uint32_t failed)
{
    const bool are_all_wished = trouble->by_application == failed;

    sctpa_text_count(text, failed, 20);
    g_string_append(text, " of ");
    sctpa_text_quantity(text, trouble->assocs + trouble->refused, "association", NULL);
    g_string_append(text, are_all_wished ? " aborted" : " failed");
    if (trouble->by_application == 0)
        return;
    g_string_append(text, ", ");
    if (!are_all_wished) {
        sctpa_text_count(text, trouble->by_application, 20);
        g_string_append(text, " of them ");
    }
    g_string_append(text, "most likely because an application asked for it");
}

/* Associations that failed, and time that pauses cost. */
static void append_blame(GString *text, const sctpa_triage_trouble_t *trouble, uint32_t failed)
{
    if (failed > 0)
        append_failed(text, trouble, failed);
    if (trouble->paused > 0) {
        g_string_append(text, failed > 0 ? "; pauses cost " : "pauses cost ");
        sctpa_text_duration(text, trouble->pauses.paused_ns);
        g_string_append(text, " in ");
        sctpa_text_quantity(text, trouble->paused, "direction", NULL);
        g_string_append(text, ": ");
        sctpa_pause_append_causes(text, &trouble->pauses);
    }
}

/* Data passed, and nothing shows that any of it arrived. */
static bool is_without_ack(const sctpa_acks_seen_t *seen)
{
    return seen->tsns > 0 && seen->acked == 0 && given_up(seen) == 0;
}

static void append_transport(const sctpa_triage_trouble_t *trouble, uint32_t failed, bool is_doubtful, GString *text)
{
    GString *facts = g_string_new(NULL);
    bool has_trouble = trouble->half_closed > 0;
    for (unsigned kind = 0; kind < SCTPA_TRIAGE_APPLICATION; kind++)
        has_trouble |= sctpa_trouble_is_told(trouble, (sctpa_paragraphs_kind_t)kind);
    append_facts(facts, &trouble->acks_seen);
    if (failed > 0 || trouble->paused > 0) {
        append_blame(text, trouble, failed);
        if (failed == trouble->by_application && trouble->paused == 0 && facts->len > 0)
            g_string_append_printf(text, "; %s", facts->str);
    } else if (facts->len > 0 && is_without_ack(&trouble->acks_seen))
        g_string_append_printf(text, "not judged: %s", facts->str);
    else if (facts->len > 0 && has_trouble)
        g_string_append_printf(text, "no failures and no pauses; %s", facts->str);
    else if (facts->len > 0)
        g_string_append_printf(text, "%s: %s", is_doubtful ? "nothing here speaks against it" : "not to blame",
                               facts->str);
    else if (trouble->acks_seen.has_half)
        g_string_append(text, trouble->acks_seen.has_discarded
                                  ? "not judged: a receiver discards packets whose port was changed on the way"
                                  : "not judged: the capture lacks the acks");
    g_string_free(facts, TRUE);
}

void sctpa_answer_each(const sctpa_triage_trouble_t *trouble, uint32_t failed, bool is_doubtful,
                       sctpa_statement_fn each, void *user)
{
    GString *text = g_string_new(NULL);
    append_transport(trouble, failed, is_doubtful, text);
    each(user, "Transport:", text->str);
    g_string_truncate(text, 0);
    sctpa_application_append(trouble, text);
    each(user, "Messages:", text->str);
    g_string_free(text, TRUE);
}
