/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the application did, where its messages were read: how many, how soon requests were answered; and of each
 * association what was asked again or never answered, and what it reported of itself. */
#include "../text/text.h"
#include "triage.h"

enum { PROTOCOLS_MAX = 3 };

sctpa_application_t *sctpa_application_named(const sctpa_view_t *view)
{
    sctpa_application_t *application = sctpa_application_new(view);
    for (unsigned i = 0; application != NULL && i < application->lines->len; i++)
        if (g_array_index(application->lines, sctpa_message_line_t, i).name->kind == SCTPA_MESSAGE_NAMED)
            return application;
    sctpa_application_free(application);
    return NULL;
}

static bool is_trouble(const sctpa_message_line_t *line)
{
    return line->sum.repeats > 0 || line->sum.unanswered > 0;
}

/* What the application felt of losses: messages that had arrived and could not be delivered. */
static void add_holds(sctpa_paragraphs_t *topic, const sctpa_assoc_t *assoc, const sctpa_message_line_t *lines,
                      unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        bool is_felt = lines[i].name->kind == SCTPA_MESSAGE_NAMED &&
                       lines[i].holds.longest_ns >= SCTPA_PAUSE_LEAST_MS * SCTPA_NS_PER_MS;
        sctpa_paragraphs_row_t *row =
            is_felt ? sctpa_paragraphs_add(topic, assoc, lines[i].from, lines[i].holds.messages) : NULL;
        if (!row)
            continue;
        sctpa_application_append_name(row->sentence, &lines[i]);
        g_string_append(row->sentence, ": ");
        sctpa_application_append_holds(row->sentence, &lines[i]);
    }
}

/* Events of an endpoint that say the same. */
typedef struct {
    const sctpa_application_event_t *first;
    uint64_t times;
} event_group_t;

static guint hash_of_event(gconstpointer key)
{
    const sctpa_application_event_t *event = key;
    return g_str_hash(event->text) * 2u + event->from;
}

static gboolean events_say_the_same(gconstpointer a, gconstpointer b)
{
    const sctpa_application_event_t *x = a, *y = b;
    return x->from == y->from && g_str_equal(x->text, y->text);
}

/* Those that are trouble, event_group_t in the order of the first ones. O(events). */
static GArray *group_events(const sctpa_application_event_t *events, unsigned n)
{
    GArray *groups = g_array_new(FALSE, FALSE, sizeof(event_group_t));
    GHashTable *numbers = g_hash_table_new(hash_of_event, events_say_the_same); /* 1 + index in groups */
    for (unsigned i = 0; i < n; i++) {
        if (!events[i].is_trouble)
            continue;
        guint number = GPOINTER_TO_UINT(g_hash_table_lookup(numbers, &events[i]));
        if (number == 0) {
            event_group_t group = { &events[i], 0 };
            g_array_append_val(groups, group);
            number = groups->len;
            g_hash_table_insert(numbers, (gpointer)(uintptr_t)&events[i], GUINT_TO_POINTER(number));
        }
        g_array_index(groups, event_group_t, number - 1).times++;
    }
    g_hash_table_destroy(numbers);
    return groups;
}

static void add_events(sctpa_paragraphs_t *topic, const sctpa_assoc_t *assoc, const sctpa_application_event_t *events,
                       unsigned n)
{
    GArray *groups = group_events(events, n);
    for (unsigned i = 0; i < groups->len; i++) {
        const event_group_t *group = &g_array_index(groups, event_group_t, i);
        sctpa_paragraphs_row_t *row = sctpa_paragraphs_add(topic, assoc, group->first->from, group->times);
        if (!row)
            continue;
        g_string_append(row->sentence, group->first->text);
        if (group->times > 1) {
            g_string_append(row->sentence, ": ");
            sctpa_text_count(row->sentence, group->times, 20);
            g_string_append_printf(row->sentence, " times, first in frame %u", group->first->frame);
        } else {
            g_string_append_printf(row->sentence, ", in frame %u", group->first->frame);
        }
    }
    g_array_unref(groups);
}

void sctpa_application_trouble_add(sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc)
{
    sctpa_paragraphs_t *topic = trouble->topics[SCTPA_TRIAGE_APPLICATION];
    unsigned n;
    const sctpa_application_event_t *events = sctpa_application_events(trouble->application, assoc->number, &n);
    add_events(topic, assoc, events, n);
    const sctpa_message_line_t *lines = sctpa_application_lines(trouble->application, assoc->number, &n);
    add_holds(topic, assoc, lines, n);
    for (unsigned i = 0; i < n; i++) {
        sctpa_paragraphs_row_t *row =
            is_trouble(&lines[i])
                ? sctpa_paragraphs_add(topic, assoc, lines[i].from, lines[i].sum.repeats + lines[i].sum.unanswered)
                : NULL;
        if (!row)
            continue;
        sctpa_application_append_name(row->sentence, &lines[i]);
        g_string_append(row->sentence, ": ");
        sctpa_application_append_repeats(row->sentence, &lines[i]);
    }
}

/* Messages of a protocol. */
typedef struct {
    const char *protocol;
    uint64_t messages;
} protocol_t;

/* What all associations add up to. */
typedef struct {
    GArray *protocols; /* protocol_t */
    uint64_t answered, unanswered, inner, ciphered;
    const sctpa_message_line_t *slowest; /* with the request that waited longest for its answer, NULL none */
} sum_t;

static void add_to_protocol(GArray *protocols, const sctpa_message_line_t *line)
{
    unsigned i = 0;
    while (i < protocols->len && g_strcmp0(g_array_index(protocols, protocol_t, i).protocol, line->name->protocol) != 0)
        i++;
    if (i == protocols->len) {
        protocol_t protocol = { line->name->protocol, 0 };
        g_array_append_val(protocols, protocol);
    }
    g_array_index(protocols, protocol_t, i).messages += line->sum.count;
}

static void add_line(sum_t *sum, const sctpa_message_line_t *line)
{
    if (line->name->kind == SCTPA_MESSAGE_NAMED)
        add_to_protocol(sum->protocols, line);
    sum->inner += line->name->kind == SCTPA_MESSAGE_INNER ? line->sum.count : 0;
    sum->ciphered += line->name->kind == SCTPA_MESSAGE_CIPHERED ? line->sum.count : 0;
    sum->answered += line->sum.answered;
    sum->unanswered += line->sum.unanswered;
    if (line->answers.spread.samples > 0 &&
        (sum->slowest == NULL || line->answers.spread.max_ns > sum->slowest->answers.spread.max_ns))
        sum->slowest = line;
}

static int most_first(gconstpointer a, gconstpointer b)
{
    const protocol_t *x = a, *y = b;
    if (x->messages != y->messages)
        return x->messages > y->messages ? -1 : 1;
    return g_strcmp0(x->protocol, y->protocol);
}

static void append_contents(GString *text, const sum_t *sum)
{
    g_array_sort(sum->protocols, most_first);
    for (unsigned i = 0; i < MIN(sum->protocols->len, PROTOCOLS_MAX); i++) {
        const protocol_t *protocol = &g_array_index(sum->protocols, protocol_t, i);
        g_string_append(text, i > 0 ? ", " : "");
        sctpa_text_count(text, protocol->messages, 20);
        g_string_append_printf(text, " of %s", protocol->protocol);
    }
    g_string_append(text, sum->protocols->len > PROTOCOLS_MAX ? ", and of others" : "");
    if (sum->inner + sum->ciphered == 0)
        return;
    g_string_append(text, ", with ");
    sctpa_text_count(text, sum->inner + sum->ciphered, 20);
    g_string_append(text, " of NAS");
    if (sum->ciphered > 0) {
        g_string_append(text, " (");
        sctpa_text_count(text, sum->ciphered, 20);
        g_string_append(text, " ciphered)");
    }
}

static void append_answers(GString *text, const sum_t *sum)
{
    uint64_t requests = sum->answered + sum->unanswered;
    if (requests == 0)
        return;
    g_string_append(text, "; ");
    if (sum->unanswered > 0) {
        sctpa_text_count(text, sum->answered, 20);
        g_string_append(text, " of ");
    } else if (requests > 1) {
        g_string_append(text, "all ");
    }
    sctpa_text_quantity(text, requests, "request", NULL);
    g_string_append(text, " answered");
    if (sum->slowest == NULL)
        return;
    g_string_append(text, ", the slowest after ");
    sctpa_text_duration(text, sum->slowest->answers.spread.max_ns);
    g_string_append(text, " (");
    sctpa_application_append_name(text, sum->slowest);
    g_string_append_printf(text, ", frame %u)", sum->slowest->answers.frame);
}

void sctpa_application_append(const sctpa_triage_trouble_t *trouble, GString *text)
{
    if (trouble->application == NULL || trouble->data_chunks == 0)
        return;
    sum_t sum = { .protocols = g_array_new(FALSE, FALSE, sizeof(protocol_t)) };
    for (unsigned i = 0; i < trouble->application->lines->len; i++)
        add_line(&sum, &g_array_index(trouble->application->lines, sctpa_message_line_t, i));
    append_contents(text, &sum);
    append_answers(text, &sum);
    g_array_unref(sum.protocols);
}
