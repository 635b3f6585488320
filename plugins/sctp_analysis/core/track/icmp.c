/* ICMP and ICMPv6 errors that quote an SCTP packet: events of the association that sent it, never traffic. */
#include "tracker.h"

#include "address.h"

static char *icmp_text(const sctpa_icmp_t *icmp)
{
    char *destination = sctpa_addr_text(&icmp->quoted.destination), *reporter = sctpa_addr_text(&icmp->reporter), *text;
    if (icmp->kind == SCTPA_ICMP_PACKET_TOO_BIG)
        text = g_strdup_printf("to %s, MTU %u, from %s", destination, icmp->mtu_bytes, reporter);
    else
        text = g_strdup_printf("to %s, type %u code %u, from %s", destination, icmp->type, icmp->code, reporter);
    g_free(destination);
    g_free(reporter);
    return text;
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
    for (unsigned i = 0; i < end->paths->len; i++)
        if (sctpa_addr_equal(&g_array_index(end->paths, sctpa_path_t, i).destination, destination))
            return (uint16_t)i;
    return SCTPA_NO_PATH;
}

bool sctpa_icmp_take(sctpa_tracker_t *tracker, const sctpa_icmp_t *icmp)
{
    sctpa_input_t input;
    sctpa_sender_t sender;

    if (!sctpa_input_read(&input, &icmp->quoted, UINT32_MAX))
        return false;
    sender = quoted_sender(tracker, &input);
    if (!sender.tracked)
        return false;
    if (icmp->kind == SCTPA_ICMP_UNREACHABLE && !sender.tracked->established)
        sender.tracked->refused_by_icmp = true;
    if (icmp->kind != SCTPA_ICMP_OTHER)
        sctpa_event_add(sender.tracked, &icmp->quoted,
                        icmp->kind == SCTPA_ICMP_PACKET_TOO_BIG ? SCTPA_EVENT_PACKET_TOO_BIG : SCTPA_EVENT_ICMP_UNREACHABLE,
                        sender.from, known_path(&sender.tracked->assoc.ends[sender.from], &icmp->quoted.destination),
                        icmp_text(icmp));
    return true;
}
