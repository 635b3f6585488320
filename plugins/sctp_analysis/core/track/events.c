/* The list of what happened to an association, and the addresses that events name. */
#include "tracker.h"

#include <arpa/inet.h>
#include <string.h>

static void event_clear(gpointer event)
{
    g_free(((sctpa_event_t *)event)->detail);
}

void sctpa_event_add(sctpa_tracked_t *tracked, const sctpa_packet_t *packet, sctpa_event_kind_t kind, uint8_t end, uint16_t path,
                     char *detail)
{
    sctpa_assoc_t *assoc = &tracked->assoc;
    sctpa_event_t event = { packet->time_ns, packet->frame, kind, end, path, detail };
    if (!assoc->events) {
        assoc->events = g_array_sized_new(FALSE, FALSE, sizeof event, 1);
        g_array_set_clear_func(assoc->events, event_clear);
    }
    if (assoc->events->len == SCTPA_EVENTS_MAX) {
        assoc->events_dropped++;
        g_free(detail);
        return;
    }
    g_array_append_val(assoc->events, event);
}

char *sctpa_addr_text(const sctpa_addr_t *addr)
{
    char text[INET6_ADDRSTRLEN];
    if (addr->bytes == 0 || !inet_ntop(addr->bytes == 4 ? AF_INET : AF_INET6, addr->data, text, sizeof text))
        return g_strdup("?");
    return g_strdup(text);
}

bool sctpa_param_addr(const sctpa_tlv_t *param, sctpa_addr_t *addr)
{
    uint8_t bytes = param->type == SCTPA_PARAM_IPV4 ? 4 : param->type == SCTPA_PARAM_IPV6 ? 16 : 0;
    if (bytes == 0 || param->captured_bytes < SCTPA_TLV_HEADER_BYTES + (uint32_t)bytes)
        return false;
    memset(addr, 0, sizeof *addr);
    addr->bytes = bytes;
    memcpy(addr->data, param->bytes + SCTPA_TLV_HEADER_BYTES, bytes);
    return true;
}

bool sctpa_nested_addr(const sctpa_tlv_t *owner, sctpa_addr_t *addr)
{
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t param;
    sctpa_params_begin(&iter, owner);
    while (sctpa_tlv_next(&iter, &param))
        if (sctpa_param_addr(&param, addr))
            return true;
    return false;
}
