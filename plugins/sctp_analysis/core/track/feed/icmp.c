/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ICMP and ICMPv6 errors that quote an SCTP packet: events of the association that sent it, never traffic. */
#include <string.h>

#include "feed_parts.h"
#include "track/endpoints.h"
#include "track/events.h"
#include "track/flow.h"
#include "track/identity/identity_parts.h"
#include "track/input.h"
#include "track/tracker.h"
#include "wire/address.h"

enum { ICMP_UNREACHABLE_TYPE = 3, ICMPV6_UNREACHABLE_TYPE = 1, ERRORS_SEEN = 4, QUOTED_BYTES = 64, INTERFACES = 64 };
static const int64_t duplicate_ns = 500000000;

/* The last ICMP errors of an association, so that one captured at several interfaces is one event: 112 bytes. */
struct sctpa_icmp_seen {
    struct {
        uint64_t content; /* hash of the error, 0 free */
        int64_t time_ns;
        uint64_t interfaces; /* where it was seen, by number modulo INTERFACES */
    } errors[ERRORS_SEEN];
    uint32_t next;
};

/* Codes of Destination Unreachable in RFC 792 and RFC 1122 3.2.2.1, and in RFC 4443 3.1. */
char *sctpa_icmp_reason(const sctpa_icmp_t *icmp)
{
    static const char *const v4[] = {
        "network unreachable",      "host unreachable",           "protocol unreachable", "port unreachable",
        "fragmentation needed",     "source route failed",        "network unknown",      "host unknown",
        "source host isolated",     "network prohibited",         "host prohibited",      "network unreachable for TOS",
        "host unreachable for TOS", "administratively prohibited"
    };
    static const char *const v6[] = { "no route",
                                      "administratively prohibited",
                                      "beyond scope of source",
                                      "address unreachable",
                                      "port unreachable",
                                      "source address failed policy",
                                      "reject route" };
    bool is_v6 = icmp->quoted.source.bytes == 16;
    if (is_v6 && icmp->type == ICMPV6_UNREACHABLE_TYPE && icmp->code < G_N_ELEMENTS(v6))
        return g_strdup(v6[icmp->code]);
    if (!is_v6 && icmp->type == ICMP_UNREACHABLE_TYPE && icmp->code < G_N_ELEMENTS(v4))
        return g_strdup(v4[icmp->code]);
    return g_strdup_printf("type %u code %u", icmp->type, icmp->code);
}

static char *icmp_text(const sctpa_icmp_t *icmp)
{
    char *destination = sctpa_addr_text(&icmp->quoted.destination), *reporter = sctpa_addr_text(&icmp->reporter),
         *why = sctpa_icmp_reason(icmp), *text;
    if (icmp->kind == SCTPA_ICMP_PACKET_TOO_BIG)
        text = g_strdup_printf("to %s, MTU %u, from %s", destination, icmp->mtu_bytes, reporter);
    else
        text = g_strdup_printf("%s: to %s, from %s", why, destination, reporter);
    g_free(why);
    g_free(destination);
    g_free(reporter);
    return text;
}

static uint64_t content_hash(const sctpa_tracker_t *tracker, const sctpa_icmp_t *icmp)
{
    const sctpa_packet_t *quoted = &icmp->quoted;
    uint64_t hash =
        (uint64_t)icmp->type << 56 | (uint64_t)icmp->code << 48 | (uint64_t)quoted->ip_id << 32 | icmp->mtu_bytes;
    hash = sctpa_hash_mix(sctpa_hash_mix(tracker->store.seed, hash),
                          (uint64_t)quoted->wire_bytes << 32 | quoted->captured_bytes);
    hash = sctpa_hash_bytes(hash, quoted->bytes, MIN(quoted->captured_bytes, QUOTED_BYTES));
    hash =
        sctpa_addr_hash(sctpa_addr_hash(sctpa_addr_hash(hash, &quoted->source), &quoted->destination), &icmp->reporter);
    return hash ? hash : 1;
}

/* Was the same error seen a moment ago at another interface? The k-th time at one is a duplicate of the k-th time at
 * another. O(1). */
static bool is_duplicate(const sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, const sctpa_icmp_t *icmp)
{
    uint64_t content = content_hash(tracker, icmp), interface = UINT64_C(1) << icmp->quoted.interface % INTERFACES;
    struct sctpa_icmp_seen *seen = tracked->rare->icmp_seen;
    if (!seen)
        seen = sctpa_tracked_rare(tracked)->icmp_seen = sctpa_arena_alloc(tracked->arena, sizeof *seen);
    for (unsigned i = 0; i < ERRORS_SEEN; i++) {
        unsigned at = (seen->next + i) % ERRORS_SEEN; /* oldest first */
        int64_t elapsed_ns = icmp->quoted.time_ns - seen->errors[at].time_ns;
        if (seen->errors[at].content == content && ABS(elapsed_ns) <= duplicate_ns &&
            !(seen->errors[at].interfaces & interface)) {
            seen->errors[at].interfaces |= interface;
            return true;
        }
    }
    seen->errors[seen->next].content = content;
    seen->errors[seen->next].time_ns = icmp->quoted.time_ns;
    seen->errors[seen->next].interfaces = interface;
    seen->next = (seen->next + 1) % ERRORS_SEEN;
    return false;
}

static sctpa_sender_t quoted_sender(const sctpa_tracker_t *tracker, const sctpa_input_t *input)
{
    const sctpa_flow_t *flow = sctpa_flow_find(tracker, input);
    if (flow)
        return (sctpa_sender_t){ sctpa_tracked_at(tracker, flow->pair->assoc), flow->pair->from };
    return sctpa_find_known(tracker, input);
}

static uint16_t known_path(const sctpa_end_t *end, const sctpa_addr_t *destination)
{
    for (unsigned i = 0; i < end->n_paths; i++)
        if (sctpa_addr_equal(end->paths[i].destination, destination))
            return (uint16_t)i;
    return SCTPA_NO_PATH;
}

bool sctpa_icmp_take(sctpa_tracker_t *tracker, const sctpa_icmp_t *icmp)
{
    sctpa_input_t input;
    sctpa_sender_t sender;

    if (!sctpa_input_read(tracker, &input, &icmp->quoted, UINT32_MAX))
        return false;
    sender = quoted_sender(tracker, &input);
    if (!sender.tracked)
        return false;
    if (is_duplicate(tracker, sender.tracked, icmp))
        return true;
    if (icmp->kind == SCTPA_ICMP_UNREACHABLE && !sender.tracked->established)
        sender.tracked->refused_by_icmp = true;
    if (icmp->kind != SCTPA_ICMP_OTHER)
        sctpa_event_add(sender.tracked, &icmp->quoted,
                        icmp->kind == SCTPA_ICMP_PACKET_TOO_BIG ? SCTPA_EVENT_PACKET_TOO_BIG
                                                                : SCTPA_EVENT_ICMP_UNREACHABLE,
                        sender.from, known_path(&sender.tracked->assoc.ends[sender.from], &icmp->quoted.destination),
                        icmp_text(icmp));
    return true;
}

void sctpa_icmp_free(sctpa_tracked_t *tracked)
{
    sctpa_arena_free(tracked->arena, tracked->rare->icmp_seen, sizeof *tracked->rare->icmp_seen);
}
