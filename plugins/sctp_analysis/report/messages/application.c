/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps lines and events in arrays by association, and finds those of one by halving; joins lines whose associations
 * turned out to be one, and measures their times. */
#include "application.h"

#include <string.h>

#include "../text/text.h"
#include "../view.h"

/* A time of a line. */
typedef struct {
    uint32_t line, frame;
    int64_t ns;
} sample_t;

typedef struct {
    const sctpa_view_t *view;
    const sctpa_messages_t *messages;
    GArray *lines;     /* sctpa_message_line_t by first message */
    uint32_t *line_of; /* index in lines by row */
} lines_t;

static sctpa_message_line_t *line_at(const lines_t *lines, uint32_t line)
{
    return &g_array_index(lines->lines, sctpa_message_line_t, line);
}

/* The association and endpoint of a packet, as they are known now. */
static void message_lines_place(const sctpa_view_t *view, uint32_t packet, uint32_t *assoc, unsigned *from)
{
    sctpa_packet_result_t result = { .assoc = SCTPA_NO_ASSOC };
    (void)sctpa_packet_result(view->sctpa, packet, &result);
    *assoc = result.assoc;
    *from = result.from;
}

static void add_row(sctpa_message_row_t *sum, const sctpa_message_row_t *row)
{
    sum->count += row->count;
    sum->bytes += row->bytes;
    sum->repeats += row->repeats;
    sum->answered += row->answered;
    sum->ambiguous += row->ambiguous;
    sum->unanswered += row->unanswered;
}

static uint32_t make_line(lines_t *lines, const sctpa_message_key_t *key)
{
    sctpa_message_line_t line = { .assoc = key->assoc,
                                  .from = key->from,
                                  .order = lines->lines->len,
                                  .name = &g_array_index(lines->messages->names, sctpa_message_name_t, key->name) };
    g_array_append_val(lines->lines, line);
    return line.order;
}

static void make_lines(lines_t *lines)
{
    GHashTable *known = g_hash_table_new_full(sctpa_message_key_hash, sctpa_message_key_equal, g_free, NULL);
    for (uint32_t i = 0; i < lines->messages->rows->len; i++) {
        const sctpa_message_row_t *row = &g_array_index(lines->messages->rows, sctpa_message_row_t, i);
        sctpa_message_key_t key = { .name = row->name };
        unsigned from;
        message_lines_place(lines->view, row->packet, &key.assoc, &from);
        key.from = from;
        uint32_t number = GPOINTER_TO_UINT(g_hash_table_lookup(known, &key));
        if (number == 0) {
            number = 1 + make_line(lines, &key);
            g_hash_table_insert(known, g_memdup2(&key, sizeof key), GUINT_TO_POINTER(number));
        }
        lines->line_of[i] = number - 1;
        add_row(&line_at(lines, number - 1)->sum, row);
    }
    g_hash_table_destroy(known);
}

static void note_open(void *user, const sctpa_message_open_t *open)
{
    lines_t *lines = user;
    line_at(lines, lines->line_of[open->row])->sum.unanswered++;
}

static int sample_order(gconstpointer a, gconstpointer b)
{
    const sample_t *x = a, *y = b;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return x->ns < y->ns ? -1 : x->ns > y->ns;
}

typedef sctpa_message_times_t *(*times_fn)(sctpa_message_line_t *line);

static sctpa_message_times_t *answers_of(sctpa_message_line_t *line)
{
    return &line->answers;
}

static sctpa_message_times_t *intervals_of(sctpa_message_line_t *line)
{
    return &line->intervals;
}

static sctpa_message_times_t *delays_of(sctpa_message_line_t *line)
{
    return &line->delays;
}

/* Sorts samples, and fills the times of each line. */
static void fill_times(lines_t *lines, GArray *samples, times_fn times_of)
{
    GArray *ns = g_array_new(FALSE, FALSE, sizeof(int64_t));
    g_array_sort(samples, sample_order);
    for (uint32_t i = 0; i < samples->len; i++) {
        const sample_t *sample = &g_array_index(samples, sample_t, i);
        g_array_append_val(ns, sample->ns);
        if (i + 1 < samples->len && sample[1].line == sample->line)
            continue;
        *times_of(line_at(lines, sample->line)) = (sctpa_message_times_t){ sctpa_percentiles_of(ns), sample->frame };
        g_array_set_size(ns, 0);
    }
    g_array_unref(ns);
    g_array_set_size(samples, 0);
}

static void add_paired(lines_t *lines, GArray *samples, sctpa_message_sample_kind_t kind)
{
    for (uint32_t i = 0; i < lines->messages->samples->len; i++) {
        const sctpa_message_sample_t *paired = &g_array_index(lines->messages->samples, sctpa_message_sample_t, i);
        sample_t sample = { lines->line_of[paired->row], paired->frame, paired->ns };
        if (paired->kind == kind)
            g_array_append_val(samples, sample);
    }
}

/* Of an endpoint that the capture does not show nobody knows what it answered. */
static void forget_unseen_answers(const lines_t *lines)
{
    for (uint32_t i = 0; i < lines->lines->len; i++) {
        sctpa_message_line_t *line = line_at(lines, i);
        const sctpa_assoc_t *assoc = sctpa_assoc(lines->view->sctpa, line->assoc);
        if (assoc == NULL || assoc->ends[!line->from].settled->packets == 0)
            line->sum.unanswered = 0;
    }
}

static void measure(lines_t *lines)
{
    GArray *samples = g_array_new(FALSE, FALSE, sizeof(sample_t));
    add_paired(lines, samples, SCTPA_MESSAGE_ANSWER_TIME);
    fill_times(lines, samples, answers_of);
    add_paired(lines, samples, SCTPA_MESSAGE_REPEAT_INTERVAL);
    fill_times(lines, samples, intervals_of);
    g_array_unref(samples);
}

/* --- what became of each message --- */

/* A message that was acked, or waited: relative TSN of its last fragment, packet of its first transmission, time to its
 * ack (-1: not acked), what it waited for and how long at least (0: it need not have). */
typedef struct {
    int64_t number, ack_ns, behind, wait_ns;
    uint32_t sent;
} told_t;

static void keep_told(void *user, const sctpa_user_message_t *message)
{
    const bool is_acked = message->fate == SCTPA_FATE_ACKED,
               has_waited = message->has_wait && message->delay_least_ns > 0;
    told_t told = { message->number, is_acked ? message->ack_ns : -1, message->behind,
                    has_waited ? message->delay_least_ns : 0, message->sent };
    if (is_acked || has_waited)
        g_array_append_val((GArray *)user, told);
}

static int by_number(gconstpointer a, gconstpointer b)
{
    const told_t *x = a, *y = b;
    return x->number < y->number ? -1 : x->number > y->number;
}

static void free_told(gpointer told)
{
    g_array_unref(told);
}

/* What is told of the messages in the direction of a line, told_t by number, read once each: held by 2 * association +
 * endpoint. */
static const GArray *told_of(const lines_t *lines, GHashTable *held, const sctpa_message_line_t *line)
{
    gint64 key = (gint64)line->assoc * 2 + line->from;
    GArray *told = g_hash_table_lookup(held, &key);
    if (told != NULL)
        return told;
    told = g_array_new(FALSE, FALSE, sizeof(told_t));
    if (line->assoc != SCTPA_NO_ASSOC)
        sctpa_each_user_message(lines->view->sctpa, line->assoc, (uint8_t)line->from, keep_told, told);
    g_hash_table_insert(held, g_memdup2(&key, sizeof key), told);
    return told;
}

static const told_t *find_told(const lines_t *lines, GHashTable *held, const sctpa_message_record_t *record,
                               const sctpa_message_line_t *line, const sctpa_direction_t *direction)
{
    const GArray *told = told_of(lines, held, line);
    told_t sought;
    unsigned at;
    if (told->len == 0 || direction == NULL ||
        sctpa_direction_tsn_near(direction, record->tsn, record->packet, &sought.number) == NULL ||
        !g_array_binary_search((GArray *)(uintptr_t)told, &sought, by_number, &at))
        return NULL;
    return &g_array_index(told, told_t, at);
}

static uint32_t first_frame_of(const lines_t *lines, const sctpa_direction_t *direction, int64_t number)
{
    const sctpa_tsn_t *tsn = sctpa_direction_tsn(direction, number);
    return tsn != NULL ? sctpa_packet_frame(lines->view->sctpa, tsn->first_packet) : 0;
}

static void add_hold(const lines_t *lines, const sctpa_direction_t *direction, const told_t *told,
                     sctpa_message_line_t *line)
{
    line->holds.messages++;
    if (told->wait_ns <= line->holds.longest_ns)
        return;
    line->holds.longest_ns = told->wait_ns;
    line->holds.frame = first_frame_of(lines, direction, told->number);
    line->holds.tsn = sctpa_direction_serial(direction, told->behind);
    line->holds.tsn_frame = first_frame_of(lines, direction, told->behind);
}

static void add_told(lines_t *lines)
{
    GHashTable *held = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, free_told);
    GArray *samples = g_array_new(FALSE, FALSE, sizeof(sample_t));
    for (uint32_t i = 0; i < lines->messages->records->len; i++) {
        const sctpa_message_record_t *record = &g_array_index(lines->messages->records, sctpa_message_record_t, i);
        const uint32_t number = lines->line_of[record->row];
        sctpa_message_line_t *line = line_at(lines, number);
        const sctpa_direction_t *direction =
            sctpa_direction_at_receiver(lines->view->sctpa, line->assoc, (uint8_t)line->from);
        const told_t *told = find_told(lines, held, record, line, direction);
        if (told != NULL && told->wait_ns > 0)
            add_hold(lines, direction, told, line);
        if (told == NULL || told->ack_ns < 0)
            continue;
        sample_t sample = { number, sctpa_packet_frame(lines->view->sctpa, told->sent), told->ack_ns };
        g_array_append_val(samples, sample);
    }
    fill_times(lines, samples, delays_of);
    g_array_unref(samples);
    g_hash_table_destroy(held);
}

static int line_order(gconstpointer a, gconstpointer b)
{
    const sctpa_message_line_t *x = a, *y = b;
    if (x->assoc != y->assoc)
        return x->assoc < y->assoc ? -1 : 1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* The lines, sctpa_message_line_t by association, endpoint and first message; g_array_unref frees them. O(n log n) in
 * messages, and O(log TSNs lifted) each, and O(n log n) for n TSNs and transmissions of their directions; memory while
 * it runs: 16 bytes per message, 40 per message of their directions that was acked or waited. */
static GArray *message_lines(const sctpa_view_t *view)
{
    lines_t lines = { .view = view,
                      .messages = view->messages,
                      .lines = g_array_new(FALSE, FALSE, sizeof(sctpa_message_line_t)),
                      .line_of = g_new(uint32_t, view->messages->rows->len + 1) };
    make_lines(&lines);
    sctpa_messages_each_open(view->messages, note_open, &lines);
    forget_unseen_answers(&lines);
    measure(&lines);
    add_told(&lines);
    g_free(lines.line_of);
    g_array_sort(lines.lines, line_order);
    return lines.lines;
}

/* A keep-alive that waits longer when the capture ends is an event: answers take a round trip. */
#define KEEP_ALIVE_WAIT_NS INT64_C(1000000000)
enum { NAME_COLUMNS = 60 };

static void add_event(sctpa_application_t *application, const sctpa_view_t *view, uint32_t packet, uint32_t frame,
                      int64_t time_ns, char *text, bool is_trouble)
{
    sctpa_application_event_t event = { .frame = frame, .time_ns = time_ns, .text = text, .is_trouble = is_trouble };
    message_lines_place(view, packet, &event.assoc, &event.from);
    g_array_append_val(application->events, event);
}

typedef struct {
    sctpa_application_t *application;
    const sctpa_view_t *view;
} keep_alives_t;

static void add_keep_alive(void *user, const sctpa_message_open_t *open)
{
    const keep_alives_t *keep_alives = user;
    const sctpa_messages_t *messages = keep_alives->view->messages;
    int64_t wait_ns = sctpa_view_until_end(keep_alives->view, open->time_ns);
    if (!open->is_keep_alive || wait_ns < KEEP_ALIVE_WAIT_NS)
        return;
    const sctpa_message_row_t *row = &g_array_index(messages->rows, sctpa_message_row_t, open->row);
    const sctpa_message_name_t *name = &g_array_index(messages->names, sctpa_message_name_t, row->name);
    GString *text = g_string_new(NULL);
    g_string_printf(text, "%s %s: no answer in the ", name->protocol, name->name);
    sctpa_text_duration(text, wait_ns);
    g_string_append(text, " until the capture ended");
    add_event(keep_alives->application, keep_alives->view, row->packet, open->frame, open->time_ns,
              g_string_free(text, FALSE), true);
}

static int event_order(gconstpointer a, gconstpointer b)
{
    const sctpa_application_event_t *x = a, *y = b;
    if (x->assoc != y->assoc)
        return x->assoc < y->assoc ? -1 : 1;
    return x->frame < y->frame ? -1 : x->frame > y->frame;
}

static void clear_event(void *event)
{
    g_free(((sctpa_application_event_t *)event)->text);
}

static void collect_events(sctpa_application_t *application, const sctpa_view_t *view)
{
    keep_alives_t keep_alives = { application, view };
    for (uint32_t i = 0; i < view->messages->events->len; i++) {
        const sctpa_message_event_t *event = &g_array_index(view->messages->events, sctpa_message_event_t, i);
        add_event(application, view, event->packet, event->frame, event->time_ns, g_strdup(event->text),
                  event->is_trouble);
    }
    sctpa_messages_each_open(view->messages, add_keep_alive, &keep_alives);
    g_array_sort(application->events, event_order);
}

sctpa_application_t *sctpa_application_new(const sctpa_view_t *view)
{
    if (view->messages == NULL)
        return NULL;
    sctpa_application_t *application = g_new0(sctpa_application_t, 1);
    application->lines = message_lines(view);
    application->events = g_array_new(FALSE, FALSE, sizeof(sctpa_application_event_t));
    application->events_missed = view->messages->events_missed;
    g_array_set_clear_func(application->events, clear_event);
    collect_events(application, view);
    return application;
}

void sctpa_application_free(sctpa_application_t *application)
{
    if (application == NULL)
        return;
    g_array_unref(application->lines);
    g_array_unref(application->events);
    g_free(application);
}

typedef uint32_t (*assoc_at_fn)(const GArray *array, uint32_t at);

static uint32_t line_assoc(const GArray *lines, uint32_t at)
{
    return g_array_index(lines, sctpa_message_line_t, at).assoc;
}

static uint32_t event_assoc(const GArray *events, uint32_t at)
{
    return g_array_index(events, sctpa_application_event_t, at).assoc;
}

/* The first of an array by association that is of assoc or a later one. */
static uint32_t first_from(const GArray *array, assoc_at_fn assoc_at, uint64_t assoc)
{
    uint32_t low = 0, high = array->len;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (assoc_at(array, middle) < assoc)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const sctpa_message_line_t *sctpa_application_lines(const sctpa_application_t *application, uint32_t assoc, unsigned *n)
{
    uint32_t first = first_from(application->lines, line_assoc, assoc);
    *n = first_from(application->lines, line_assoc, (uint64_t)assoc + 1) - first;
    return *n > 0 ? &g_array_index(application->lines, sctpa_message_line_t, first) : NULL;
}

const sctpa_application_event_t *sctpa_application_events(const sctpa_application_t *application, uint32_t assoc,
                                                          unsigned *n)
{
    uint32_t first = first_from(application->events, event_assoc, assoc);
    *n = first_from(application->events, event_assoc, (uint64_t)assoc + 1) - first;
    return *n > 0 ? &g_array_index(application->events, sctpa_application_event_t, first) : NULL;
}

void sctpa_application_append_name(GString *text, const sctpa_message_line_t *line)
{
    g_string_append_printf(text, "%s ", line->name->protocol);
    sctpa_text_escape(text, line->name->name, NAME_COLUMNS);
}

void sctpa_application_append_repeats(GString *text, const sctpa_message_line_t *line)
{
    sctpa_text_count(text, line->sum.count, 20);
    if (line->sum.repeats > 0) {
        g_string_append(text, ", ");
        sctpa_text_count(text, line->sum.repeats, 20);
        g_string_append(text, line->sum.repeats == 1 ? " of them a repeat" : " of them repeats");
    }
    if (line->intervals.spread.samples > 0) {
        g_string_append(text, ", ");
        sctpa_text_duration(text, line->intervals.spread.median_ns);
        g_string_append(text, line->intervals.spread.samples > 1 ? " apart (median)" : " apart");
    }
    if (line->sum.unanswered > 0) {
        g_string_append(text, "; ");
        sctpa_text_quantity(text, line->sum.unanswered, "request", NULL);
        g_string_append(text, " unanswered");
    }
}

void sctpa_application_append_holds(GString *text, const sctpa_message_line_t *line)
{
    const sctpa_message_holds_t *holds = &line->holds;
    if (holds->messages == 0)
        return;
    sctpa_text_count(text, holds->messages, 20);
    g_string_append(text, " of ");
    sctpa_text_count(text, line->sum.count, 20);
    g_string_append(text, " had arrived and waited for an earlier TSN; the longest, frame ");
    g_string_append_printf(text, "%u, for at least ", holds->frame);
    sctpa_text_duration(text, holds->longest_ns);
    g_string_append_printf(text, " behind TSN %u (frame %u)", holds->tsn, holds->tsn_frame);
}
