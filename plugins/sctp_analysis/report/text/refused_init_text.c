/* SPDX-License-Identifier: GPL-2.0-or-later */
/* INITs that ICMP errors quote, in words. */
#include "refused_init_text.h"

#include "text.h"

uint32_t sctpa_refused_inits_count(const sctpa_view_t *view, unsigned *kept)
{
    const uint32_t n = view->filter ? 0 : sctpa_summary(view->sctpa)->n_refused;
    *kept = MIN(n, SCTPA_REFUSED_INITS_MAX);
    return n;
}

void sctpa_refused_init_append_why(GString *out, sctpa_labels_t *labels, const sctpa_refused_init_t *refused)
{
    g_string_append_printf(out, "INIT refused by ICMP (%s) from ", refused->reason);
    sctpa_labels_addr(labels, &refused->reporter, out);
    g_string_append(out, ", ");
    sctpa_text_quantity(out, refused->errors, "error", NULL);
    g_string_append_printf(out, ", the first in frame %u; the capture lacks the INIT itself", refused->first_frame);
}

void sctpa_refused_init_append(GString *out, sctpa_labels_t *labels, const sctpa_refused_init_t *refused)
{
    sctpa_labels_addr(labels, &refused->source, out);
    g_string_append_printf(out, ", port %u, to ", refused->source_port);
    sctpa_labels_addr(labels, &refused->destination, out);
    g_string_append_printf(out, ", port %u: ", refused->destination_port);
    sctpa_refused_init_append_why(out, labels, refused);
}
