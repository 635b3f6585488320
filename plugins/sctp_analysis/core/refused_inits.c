/* SPDX-License-Identifier: GPL-2.0-or-later */
/* INITs of which the capture holds no more than ICMP errors that quote them: attempts that failed. */
#include "analysis.h"

#include <string.h>

#include "base/bytes.h"
#include "track/feed/icmp.h"
#include "wire/address.h"

enum { TAG_AT = 4, TAG_END = 8 }; /* all that an ICMP error quotes at the least */

static sctpa_refused_init_t *find(sctpa_summary_t *summary, const sctpa_packet_t *quoted)
{
    const uint16_t source_port = sctpa_be16(quoted->bytes), destination_port = sctpa_be16(quoted->bytes + 2);
    for (unsigned i = 0; i < MIN(summary->n_refused, G_N_ELEMENTS(summary->refused)); i++) {
        sctpa_refused_init_t *refused = &summary->refused[i];
        if (refused->source_port == source_port && refused->destination_port == destination_port &&
            sctpa_addr_equal(&refused->source, &quoted->source) &&
            sctpa_addr_equal(&refused->destination, &quoted->destination))
            return refused;
    }
    return NULL;
}

/* RFC 9260 8.5.1 A: "When an endpoint sends an INIT chunk, it MUST be in a packet with the Verification Tag 0", as no
 * other packet is. */
void sctpa_refused_init_take(sctpa_summary_t *summary, const sctpa_icmp_t *icmp)
{
    const sctpa_packet_t *quoted = &icmp->quoted;
    if (icmp->kind != SCTPA_ICMP_UNREACHABLE || quoted->captured_bytes < TAG_END ||
        sctpa_be32(quoted->bytes + TAG_AT) != 0)
        return;
    summary->refused_errors++;
    sctpa_refused_init_t *refused = find(summary, quoted);
    if (refused) {
        refused->errors++;
        return;
    }
    refused = &summary->refused[MIN(summary->n_refused, SCTPA_REFUSED_INITS_MAX)];
    summary->n_refused++;
    *refused = (sctpa_refused_init_t){ .source = quoted->source,
                                       .destination = quoted->destination,
                                       .reporter = icmp->reporter,
                                       .source_port = sctpa_be16(quoted->bytes),
                                       .destination_port = sctpa_be16(quoted->bytes + 2),
                                       .errors = 1,
                                       .first_frame = quoted->frame,
                                       .first_ns = quoted->time_ns };
    char *reason = sctpa_icmp_reason(icmp);
    g_strlcpy(refused->reason, reason, sizeof refused->reason);
    g_free(reason);
}

bool sctpa_refused_init_join(sctpa_summary_t *summary, const sctpa_packet_t *init, sctpa_refused_init_t *joined)
{
    if (summary->n_refused == 0 || init->captured_bytes < TAG_END || sctpa_be32(init->bytes + TAG_AT) != 0)
        return false;
    sctpa_refused_init_t *refused = find(summary, init);
    if (!refused || refused - summary->refused >= SCTPA_REFUSED_INITS_MAX)
        return false;
    *joined = *refused;
    summary->n_refused--;
    summary->refused_errors -= joined->errors;
    summary->icmp_unmatched -= joined->errors;
    memmove(refused, refused + 1, (size_t)(&summary->refused[SCTPA_REFUSED_INITS_MAX] - refused) * sizeof *refused);
    return true;
}
