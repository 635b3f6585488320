/* Counts the occurrences of findings among the selected packets, once for a report. */
#include "broken.h"

struct sctpa_broken {
    const sctpa_view_t *view;
    GHashTable *counts;         /* finding -> occurrences selected; NULL: no filter */
};

sctpa_broken_t *sctpa_broken_new(const sctpa_view_t *view, const sctpa_packets_t *selected)
{
    sctpa_broken_t *broken = g_new0(sctpa_broken_t, 1);
    uint32_t n;
    const sctpa_mark_t *marks = sctpa_marks(view->sctpa, &n);
    broken->view = view;
    if (!selected)
        return broken;
    broken->counts = g_hash_table_new(NULL, NULL);
    for (uint32_t i = 0; i < n; i++) {
        gpointer key = (gpointer)(uintptr_t)marks[i].finding;
        if (sctpa_packets_has(selected, marks[i].packet))
            g_hash_table_insert(broken->counts, key, GUINT_TO_POINTER(GPOINTER_TO_UINT(g_hash_table_lookup(broken->counts, key)) + 1));
    }
    return broken;
}

void sctpa_broken_free(sctpa_broken_t *broken)
{
    if (broken->counts)
        g_hash_table_unref(broken->counts);
    g_free(broken);
}

uint32_t sctpa_broken_count(const sctpa_broken_t *broken, const sctpa_finding_t *finding)
{
    return broken->counts ? GPOINTER_TO_UINT(g_hash_table_lookup(broken->counts, finding)) : finding->count;
}

static const sctpa_finding_t *skip(const sctpa_broken_t *broken, const sctpa_assoc_t *assoc, const sctpa_finding_t *finding)
{
    while (finding && sctpa_broken_count(broken, finding) == 0)
        finding = sctpa_finding_next(broken->view->sctpa, assoc->number, finding);
    return finding;
}

const sctpa_finding_t *sctpa_broken_first(const sctpa_broken_t *broken, const sctpa_assoc_t *assoc)
{
    return skip(broken, assoc, sctpa_finding_first(broken->view->sctpa, assoc->number));
}

const sctpa_finding_t *sctpa_broken_next(const sctpa_broken_t *broken, const sctpa_assoc_t *assoc, const sctpa_finding_t *finding)
{
    return skip(broken, assoc, sctpa_finding_next(broken->view->sctpa, assoc->number, finding));
}

void sctpa_broken_frames(const sctpa_view_t *view, const sctpa_finding_t *finding, unsigned max, GString *out)
{
    for (unsigned i = 0; i < finding->n_packets && i < max; i++)
        g_string_append_printf(out, "%s%u", i ? ", " : "", sctpa_packet_frame(view->sctpa, finding->packets[i]));
    if (finding->n_packets > max || finding->count > finding->n_packets)
        g_string_append(out, ", ...");
}

void sctpa_broken_needs(uint32_t needs, GString *out)
{
    const char *comma = "";
    for (unsigned bit = 0; bit < SCTPA_NEEDS; bit++)
        if (needs >> bit & 1) {
            g_string_append_printf(out, "%s%s", comma, sctpa_need_word(bit));
            comma = ", ";
        }
}

void sctpa_broken_marks(const sctpa_view_t *view, const sctpa_stack_t *stack, GString *out)
{
    const char *comma = "";
    for (unsigned bit = 0; bit < SCTPA_MARKS; bit++)
        if (stack->marks >> bit & 1) {
            g_string_append_printf(out, "%s%s", comma, sctpa_mark_word(bit));
            comma = ", ";
        }
    g_string_append_printf(out, " (frame %u)", sctpa_packet_frame(view->sctpa, stack->packet));
}

uint32_t sctpa_broken_frame(const sctpa_view_t *view, const sctpa_finding_t *finding)
{
    return sctpa_packet_frame(view->sctpa, finding->completed);
}
