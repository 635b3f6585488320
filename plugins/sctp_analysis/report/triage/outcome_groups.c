/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Associations that met the same fate. */
#include "outcome_groups.h"

#include <string.h>

#include "../text/address_labels.h"
#include "../text/outcome_text.h"
#include "../text/page.h"
#include "../text/table.h"
#include "../text/text.h"
#include "../view.h"
#include "capture_quality.h"

static bool has_addr(const sctpa_end_t *end, const sctpa_addr_t *addr)
{
    for (unsigned i = 0; addr && i < end->n_addrs; i++)
        if (sctpa_addr_equal(&end->addrs[i].addr, addr))
            return true;
    return false;
}

/* Was its INIT answered by the server between the two times? */
static bool is_answered(const sctpa_assoc_t *other, const sctpa_end_t *server, int64_t first_ns, int64_t last_ns)
{
    const sctpa_setup_t *setup = &other->setup;
    const sctpa_end_t *answering = &other->ends[setup->steps[SCTPA_STEP_INIT_ACK].by];
    return setup->steps[SCTPA_STEP_INIT].count > 0 && setup->steps[SCTPA_STEP_INIT_ACK].count > 0 &&
           setup->steps[SCTPA_STEP_INIT_ACK].by != setup->steps[SCTPA_STEP_INIT].by &&
           setup->steps[SCTPA_STEP_INIT_ACK].first_ns > first_ns &&
           setup->steps[SCTPA_STEP_INIT_ACK].first_ns < last_ns && answering->port == server->port &&
           has_addr(answering, sctpa_end_first_addr(server));
}

/* Appends "; meanwhile it answered an INIT from port 51877 of the same host (frame 44)", or of another host, where the
 * server, at the address and port that asked names, answered between two times. Nothing: no INIT ACK of it passed then.
 * The same host goes before others. O(associations). */
static void answered_meanwhile_append(GString *text, const sctpa_view_t *view, sctpa_labels_t *labels,
                                      const sctpa_assoc_t *assoc, int64_t first_ns, int64_t last_ns)
{
    const uint8_t initiator = assoc->setup.steps[SCTPA_STEP_INIT].by;
    const sctpa_end_t *client = &assoc->ends[initiator], *server = &assoc->ends[!initiator];
    const sctpa_assoc_t *found = NULL;
    bool is_same_host = false;
    for (uint32_t number = 0; number < sctpa_assoc_count(view->sctpa) && !is_same_host; number++) {
        const sctpa_assoc_t *other = sctpa_assoc(view->sctpa, number);
        if (other->number != number || other->merged_into != SCTPA_NO_ASSOC || number == assoc->number ||
            !is_answered(other, server, first_ns, last_ns))
            continue;
        is_same_host = has_addr(&other->ends[other->setup.steps[SCTPA_STEP_INIT].by], sctpa_end_first_addr(client));
        found = found && !is_same_host ? found : other;
    }
    if (!found)
        return;
    const sctpa_end_t *answered = &found->ends[found->setup.steps[SCTPA_STEP_INIT].by];
    g_string_append(text, "; meanwhile it answered an INIT ");
    if (is_same_host)
        g_string_append_printf(text, "from port %u of the same host", answered->port);
    else {
        g_string_append(text, "of ");
        sctpa_labels_end(labels, answered, text);
    }
    g_string_append_printf(text, " (#%u, frame %u)", found->number,
                           found->setup.steps[SCTPA_STEP_INIT_ACK].first_frame);
}

enum { GROUPS_MAX = 10000, WHY_COLUMNS = 250, REASON_INDENT = 6 };

typedef struct {
    uint32_t hash; /* of key, which holds words of the peer's choice */
    char *key;     /* the same for associations of one group */
    const sctpa_assoc_t *first;
    sctpa_severity_t severity; /* of the first */
    uint32_t count;
    bool ports_differ;    /* of endpoint 0 */
    int64_t last_init_ns; /* of all */
    char *why;            /* safe text, "" unknown */
} group_t;

static const sctpa_column_t columns[] = {
    { "#", .align = SCTPA_RIGHT },
    { "alike", .align = SCTPA_RIGHT },
    { "endpoint 0", SCTPA_LEFT, .least_columns = 12 },
    { "endpoint 1", SCTPA_LEFT, .least_columns = 12 },
    { "end", .align = SCTPA_LEFT },
    { "at", .align = SCTPA_LEFT },
};

struct sctpa_outcome_groups {
    const sctpa_view_t *view;
    uint64_t seed;      /* of hashes of keys */
    GHashTable *by_key; /* group_t * */
    GPtrArray *all;     /* owned */
    uint32_t associations;
};

static void group_free(gpointer data)
{
    group_t *group = data;
    g_free(group->key);
    g_free(group->why);
    g_free(group);
}

static guint group_hash(gconstpointer data)
{
    return ((const group_t *)data)->hash;
}

static gboolean group_equal(gconstpointer a, gconstpointer b)
{
    const group_t *x = a, *y = b;
    return x->hash == y->hash && strcmp(x->key, y->key) == 0;
}

sctpa_outcome_groups_t *sctpa_outcome_groups_new(const sctpa_view_t *view)
{
    sctpa_outcome_groups_t *groups = g_new0(sctpa_outcome_groups_t, 1);
    groups->view = view;
    groups->seed = sctpa_hash_seed();
    groups->by_key = g_hash_table_new(group_hash, group_equal);
    groups->all = g_ptr_array_new_with_free_func(group_free);
    return groups;
}

void sctpa_outcome_groups_free(sctpa_outcome_groups_t *groups)
{
    g_hash_table_destroy(groups->by_key);
    g_ptr_array_free(groups->all, TRUE);
    g_free(groups);
}

int sctpa_setup_last_step(const sctpa_assoc_t *assoc)
{
    int step = SCTPA_STEPS - 1;
    while (step >= 0 && assoc->setup.steps[step].count == 0)
        step--;
    return step;
}

const char *sctpa_setup_step_word(int step)
{
    static const unsigned rows[SCTPA_STEPS] = { SCTPA_CHUNK_ROW_INIT, SCTPA_CHUNK_ROW_INIT_ACK,
                                                SCTPA_CHUNK_ROW_COOKIE_ECHO, SCTPA_CHUNK_ROW_COOKIE_ACK };
    return step < 0 ? "-" : sctpa_chunk_row_word(rows[step]);
}

static void append_addr(GString *key, const sctpa_end_t *end)
{
    const sctpa_addr_t *addr = sctpa_end_first_addr(end);
    if (addr)
        sctpa_addr_append(key, addr);
    g_string_append_c(key, ' ');
}

/* What failures have in common that have the same cause: a cookie is stale by another time in each. */
static const char *cause_of(const char *why)
{
    const char *stale_cookie = sctpa_tlv_type(SCTPA_TLV_CAUSE, SCTPA_CAUSE_STALE_COOKIE)->title;
    return g_str_has_prefix(why, stale_cookie) ? stale_cookie : why;
}

static void append_key(GString *key, const sctpa_view_t *view, const sctpa_assoc_t *assoc, const char *why)
{
    sctpa_outcome_t outcome = sctpa_view_outcome(view, assoc);
    append_addr(key, &assoc->ends[0]);
    append_addr(key, &assoc->ends[1]);
    g_string_append_printf(key, "%u %d %u %d %s", assoc->ends[1].port, (int)outcome.end, outcome.end_by,
                           sctpa_setup_last_step(assoc), cause_of(why));
}

/* The group of that key. NULL: there are too many. */
static group_t *group_of(sctpa_outcome_groups_t *groups, const GString *key, const sctpa_assoc_t *assoc,
                         const char *why)
{
    const group_t wanted = {
        .hash = (uint32_t)sctpa_hash_bytes(groups->seed, (const uint8_t *)key->str, (uint32_t)key->len), .key = key->str
    };
    group_t *group = g_hash_table_lookup(groups->by_key, &wanted);
    if (group || groups->all->len == GROUPS_MAX)
        return group;
    group = g_new(group_t, 1);
    *group = (group_t){ .hash = wanted.hash,
                        .key = g_strdup(key->str),
                        .first = assoc,
                        .severity = sctpa_outcome_severity(groups->view, assoc),
                        .why = g_strdup(why),
                        .last_init_ns = assoc->setup.last_init_ns };
    g_ptr_array_add(groups->all, group);
    g_hash_table_add(groups->by_key, group);
    return group;
}

uint32_t sctpa_outcome_groups_add(sctpa_outcome_groups_t *groups, const sctpa_assoc_t *assoc)
{
    GString *key = g_string_new(NULL), *why = g_string_new(NULL);

    sctpa_outcome_append_why(why, groups->view, assoc, WHY_COLUMNS);
    append_key(key, groups->view, assoc, why->str);
    group_t *group = group_of(groups, key, assoc, why->str);
    g_string_free(key, TRUE);
    g_string_free(why, TRUE);
    groups->associations++;
    if (!group)
        return 0;
    group->last_init_ns = MAX(group->last_init_ns, assoc->setup.last_init_ns);
    group->ports_differ |= group->first->ends[0].port != assoc->ends[0].port;
    return ++group->count;
}

static int compare(gconstpointer a, gconstpointer b)
{
    const group_t *x = *(const group_t *const *)a, *y = *(const group_t *const *)b;
    if (x->severity != y->severity)
        return x->severity < y->severity ? -1 : 1;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return x->first->number < y->first->number ? -1 : 1;
}

uint32_t sctpa_outcome_groups_associations(const sctpa_outcome_groups_t *groups)
{
    return groups->associations;
}

static void add_end(sctpa_table_t *table, sctpa_labels_t *labels, const group_t *group, unsigned end)
{
    const sctpa_end_t *endpoint = &group->first->ends[end];
    GString *text = g_string_new(NULL);
    if (end == 0 && group->ports_differ)
        sctpa_labels_addr(labels, sctpa_end_first_addr(endpoint), text);
    else
        sctpa_labels_end(labels, endpoint, text);
    sctpa_table_take(table, text);
}

/* What was asked, and whether it may go on: "5 INITs in 45.74 s, the last packet 61.30 s before the capture ends". */
static void append_asked(GString *text, const sctpa_view_t *view, const sctpa_assoc_t *assoc, int64_t last_ns)
{
    const sctpa_setup_t *setup = &assoc->setup;
    const uint32_t inits = setup->steps[SCTPA_STEP_INIT].count;
    int64_t left_ns = sctpa_view_until_end(view, last_ns);

    sctpa_text_quantity(text, inits, "INIT", NULL);
    if (inits > 1) {
        g_string_append(text, " in ");
        sctpa_text_duration(text, setup->last_init_ns - setup->steps[SCTPA_STEP_INIT].first_ns);
    }
    if (left_ns > 0) {
        g_string_append(text, ", the last packet ");
        sctpa_text_duration(text, left_ns);
        g_string_append(text, " before the capture ends");
    }
}

/* ABORTs that an endpoint sent and that its peer has to discard: how many, the first of them, and why. */
typedef struct {
    uint32_t n, first_frame;
    const char *why;
} discarded_t;

static discarded_t discarded_of(const sctpa_assoc_t *assoc, uint8_t end)
{
    discarded_t aborts = { 0, 0, NULL };
    for (unsigned i = 0; i < assoc->n_events; i++) {
        const sctpa_event_t *event = &assoc->events[i];
        if (event->kind != SCTPA_EVENT_ABORT_NOT_TAKEN || event->end != end)
            continue;
        if (aborts.n++ == 0) {
            aborts.first_frame = event->frame;
            aborts.why = event->detail;
        }
    }
    return aborts;
}

/* "4 COOKIE ECHOs, but no COOKIE ACK: 10.1.1.1 ...". */
static void append_no_cookie_ack(GString *text, sctpa_labels_t *labels, const sctpa_assoc_t *assoc, uint8_t asked)
{
    const discarded_t aborts = discarded_of(assoc, asked);
    g_string_append(text, "; ");
    sctpa_text_quantity(text, assoc->setup.steps[SCTPA_STEP_COOKIE_ECHO].count, "COOKIE ECHO", NULL);
    g_string_append(text, ", but no COOKIE ACK: ");
    sctpa_labels_addr(labels, sctpa_end_first_addr(&assoc->ends[asked]), text);
    if (aborts.n == 0) {
        g_string_append(text, " does not receive or discards the COOKIE ECHO, or its answer does not pass the capture "
                              "point");
        return;
    }
    g_string_append(text, " answers with ");
    sctpa_text_quantity(text, aborts.n, "ABORT", NULL);
    g_string_append_printf(text, ", the first in frame %u, of ", aborts.first_frame);
    sctpa_text_escape(text, aborts.why, WHY_COLUMNS);
    g_string_append(text, ": most likely of an earlier association of these ports, which it still holds; ");
    sctpa_labels_addr(labels, sctpa_end_first_addr(&assoc->ends[!asked]), text);
    g_string_append(text, " has to discard them (RFC 9260 8.5.1)");
}

/* "in frame 3 passes interface 1, and not interface 0: ...", where the INITs passed both and nothing of their receiver
 * did. False: that does not show. */
static bool append_passed_once(GString *text, const sctpa_view_t *view, const sctpa_assoc_t *assoc, uint8_t initiator)
{
    sctpa_two_taps_result_t asked;
    const uint32_t frame = assoc->setup.steps[SCTPA_STEP_INIT_ACK].first_frame;
    const uint32_t packet = sctpa_packet_find(view->sctpa, frame, 0);
    const sctpa_end_t *answering = &assoc->ends[!initiator];
    for (unsigned path = 0; path < answering->n_paths; path++) {
        const sctpa_two_taps_t *taps = answering->paths[path].probing->two_taps;
        if (taps && taps->both > 0)
            return false;
    }
    if (packet == UINT32_MAX || assoc->ends[initiator].n_paths == 0 ||
        !sctpa_two_taps_result(assoc, initiator, 0, &asked))
        return false;
    const uint32_t passed = sctpa_stamp_interface(sctpa_packet_stamp(view->sctpa, packet));
    if (passed != asked.near_interface && passed != asked.far_interface)
        return false;
    g_string_append_printf(text,
                           "in frame %u passes interface %u, and not interface %u, while the INIT passes both: most "
                           "likely it is dropped between them",
                           frame, passed, passed == asked.near_interface ? asked.far_interface : asked.near_interface);
    return true;
}

/* "; 4 COOKIE ECHOs: the COOKIE ACK in frame 4 passes interface 1, and not interface 0, ...". */
static void append_cookie_ack_dropped(GString *text, const sctpa_view_t *view, sctpa_labels_t *labels,
                                      const sctpa_assoc_t *assoc)
{
    sctpa_two_taps_result_t asked;
    const sctpa_setup_t *setup = sctpa_assoc_setup(assoc);
    const uint8_t asking = setup->steps[SCTPA_STEP_COOKIE_ECHO].by;
    const uint32_t frame = assoc->setup.steps[SCTPA_STEP_COOKIE_ACK].first_frame;
    g_string_append(text, "; ");
    sctpa_text_quantity(text, setup->steps[SCTPA_STEP_COOKIE_ECHO].count, "COOKIE ECHO", NULL);
    g_string_append_printf(text, ": the COOKIE ACK in frame %u", frame);
    const uint32_t packet = sctpa_packet_find(view->sctpa, frame, 0);
    if (packet != UINT32_MAX && assoc->ends[asking].n_paths > 0 && sctpa_two_taps_result(assoc, asking, 0, &asked))
        g_string_append_printf(text, " passes interface %u, and not interface %u",
                               sctpa_stamp_interface(sctpa_packet_stamp(view->sctpa, packet)), asked.near_interface);
    else
        g_string_append(text, " passes one of the two capture points");
    g_string_append(text, ", while the INIT ACK passes both: most likely it is dropped between them, and ");
    sctpa_labels_addr(labels, sctpa_end_first_addr(&assoc->ends[asking]), text);
    g_string_append(text, " never has an association");
}

/* Which step is missing, and whose: "no INIT ACK: 10.1.1.1 does not ...". */
static void append_missing_step(GString *text, const sctpa_view_t *view, sctpa_labels_t *labels, const group_t *group)
{
    const sctpa_assoc_t *assoc = group->first;
    const sctpa_setup_t *setup = &assoc->setup;
    const uint8_t initiator = setup->steps[SCTPA_STEP_INIT].by;
    const sctpa_addr_t *asking = sctpa_end_first_addr(&assoc->ends[initiator]),
                       *asked = sctpa_end_first_addr(&assoc->ends[!initiator]);

    switch (sctpa_setup_last_step(assoc)) {
    case SCTPA_STEP_INIT:
        g_string_append(text, "; no INIT ACK: ");
        if (sctpa_discarded_append(text, view, labels, assoc, initiator))
            break;
        sctpa_labels_addr(labels, asked, text);
        g_string_append(text, " does not receive the INIT or does not answer it, or its answer does not pass the "
                              "capture point");
        answered_meanwhile_append(text, view, labels, assoc, setup->steps[SCTPA_STEP_INIT].first_ns,
                                  group->last_init_ns);
        break;
    case SCTPA_STEP_INIT_ACK:
        g_string_append(text, "; ");
        sctpa_text_quantity(text, setup->steps[SCTPA_STEP_INIT_ACK].count, "INIT ACK", NULL);
        g_string_append(text, ", the first after ");
        sctpa_text_duration(text, setup->steps[SCTPA_STEP_INIT_ACK].first_ns - setup->steps[SCTPA_STEP_INIT].first_ns);
        g_string_append(text, ", but no COOKIE ECHO: ");
        if (sctpa_discarded_append(text, view, labels, assoc, !initiator))
            break;
        g_string_append(text, "the INIT ACK ");
        if (append_passed_once(text, view, assoc, initiator))
            break;
        g_string_append(text, "does not reach ");
        sctpa_labels_addr(labels, asking, text);
        g_string_append(text, ", or it discards it");
        break;
    case SCTPA_STEP_COOKIE_ECHO: append_no_cookie_ack(text, labels, assoc, !initiator); break;
    case SCTPA_STEP_COOKIE_ACK:
        if (sctpa_view_outcome(view, assoc).end == SCTPA_ASSOC_FAILED)
            append_cookie_ack_dropped(text, view, labels, assoc);
        break;
    default: break;
    }
}

/* What of the reason the capture shows: "; most likely ...". */
static void append_abort_reason(GString *text, const sctpa_view_t *view, const sctpa_assoc_t *assoc)
{
    GString *reason = g_string_new(NULL);
    sctpa_abort_append_reason(reason, view, assoc);
    if (reason->len > 0)
        g_string_append_printf(text, "; %s", reason->str);
    g_string_free(reason, TRUE);
}

/* Who ended it, when, why: "by endpoint 1 after 12.30 s, frame 7: Out of Resource". */
static void append_reason(GString *text, const sctpa_view_t *view, sctpa_labels_t *labels, const group_t *group)
{
    const sctpa_assoc_t *assoc = group->first;
    sctpa_outcome_t outcome = sctpa_view_outcome(view, assoc);
    bool aborted =
        outcome.end == SCTPA_ASSOC_ABORT || (outcome.end == SCTPA_ASSOC_REFUSED && outcome.end_by < SCTPA_NO_END);

    g_string_append(text, group->count > 1 ? "the first: " : "");
    if (outcome.end_by < SCTPA_NO_END)
        g_string_append_printf(text, "by endpoint %u ", outcome.end_by);
    if (outcome.end == SCTPA_ASSOC_NO_ANSWER || outcome.end == SCTPA_ASSOC_FAILED) {
        append_asked(text, view, assoc, outcome.last_ns);
    } else {
        g_string_append(text, "after ");
        sctpa_text_duration(text, sctpa_assoc_life_ns(view->sctpa, assoc, &outcome));
    }
    if (assoc->end_frame)
        g_string_append_printf(text, ", frame %u", assoc->end_frame);
    if (outcome.end == SCTPA_ASSOC_NOT_CLOSED)
        sctpa_outcome_append_not_closed(text, assoc, &outcome);
    else if (*group->why || aborted)
        g_string_append_printf(text, ": %s", *group->why ? group->why : "no error cause given");
    else
        append_missing_step(text, view, labels, group);
    if (aborted)
        append_abort_reason(text, view, assoc);
}

static void add_reason(sctpa_table_t *table, const sctpa_view_t *view, sctpa_labels_t *labels, const group_t *group)
{
    GString *text = g_string_new(NULL);
    append_reason(text, view, labels, group);
    sctpa_table_sentence(table, REASON_INDENT, text->str);
    g_string_free(text, TRUE);
}

static void add_group(sctpa_table_t *table, const sctpa_view_t *view, sctpa_labels_t *labels, const group_t *group)
{
    GString *end = g_string_new(NULL);

    sctpa_table_plain(table, group->first->number);
    sctpa_table_count(table, group->count);
    add_end(table, labels, group, 0);
    add_end(table, labels, group, 1);
    sctpa_outcome_append_end(end, view, group->first);
    sctpa_table_take(table, end);
    sctpa_table_text(table, sctpa_assoc_setup_seen(group->first) == SCTPA_SETUP_COMPLETE
                                ? ""
                                : sctpa_setup_step_word(sctpa_setup_last_step(group->first)));
    if (sctpa_outcome_has_failed(view, group->first))
        add_reason(table, view, labels, group);
}

void sctpa_outcome_groups_write(sctpa_outcome_groups_t *groups, sctpa_labels_t *labels, unsigned max_groups,
                                GString *out)
{
    sctpa_table_t *table = sctpa_table_new(columns, G_N_ELEMENTS(columns));
    uint32_t shown = 0;

    g_ptr_array_sort(groups->all, compare);
    for (unsigned i = 0; i < groups->all->len && i < max_groups; i++) {
        const group_t *group = g_ptr_array_index(groups->all, i);
        add_group(table, groups->view, labels, group);
        shown += group->count;
    }
    sctpa_table_write(table, out);
    sctpa_page_more(out, groups->associations - shown, "");
    sctpa_table_free(table);
}

void sctpa_outcome_groups_each(sctpa_outcome_groups_t *groups, sctpa_labels_t *labels, unsigned max_groups,
                               sctpa_outcome_groups_visit_fn visit, void *user)
{
    g_ptr_array_sort(groups->all, compare);
    for (unsigned i = 0; i < groups->all->len && i < max_groups; i++) {
        const group_t *group = g_ptr_array_index(groups->all, i);
        GString *text = g_string_new(NULL);
        sctpa_outcome_append_end(text, groups->view, group->first);
        if (group->count > 1) {
            g_string_append(text, ", ");
            sctpa_text_quantity(text, group->count, "association", NULL);
            g_string_append(text, " alike");
        }
        g_string_append(text, "; ");
        append_reason(text, groups->view, labels, group);
        visit(user, group->first, text->str);
        g_string_free(text, TRUE);
    }
}
