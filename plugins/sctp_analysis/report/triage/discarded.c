/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A receiver discards what has no right checksum (RFC 9260 6.8): all packets of an endpoint that are so explain why
 * nothing answers them. Where hardware computes checksums, a capture on the sender's host has packets without, which
 * are right on the wire: what was answered shows that. */
#include "discarded.h"

#include "../text/text.h"

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

sctpa_discarded_goes_on_t sctpa_discarded_goes_on(const sctpa_t *sctpa, const sctpa_assoc_t *assoc, uint8_t end)
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

static void append_rewritten(GString *text, sctpa_labels_t *labels, const sctpa_assoc_t *assoc, uint8_t from)
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
        append_rewritten(text, labels, assoc, from);
    else if (says)
        append_either(text, labels, assoc, from, zero + bad, what->str);
    g_string_free(what, TRUE);
    return says;
}
