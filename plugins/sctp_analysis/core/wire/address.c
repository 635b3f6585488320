/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Network addresses as text and in parameters. */
#include "address.h"

#include <arpa/inet.h>
#include <string.h>

sctpa_addr_t sctpa_addr_of_socket(uint32_t interface, bool is_local)
{
    sctpa_addr_t addr = { .bytes = SCTPA_ADDR_SOCKET_BYTES, .data = { is_local } };
    memcpy(addr.data + 1, &interface, sizeof interface);
    return addr;
}

static char *socket_text(const sctpa_addr_t *addr)
{
    uint32_t interface;
    memcpy(&interface, addr->data + 1, sizeof interface);
    return g_strdup_printf("%s@%u", addr->data[0] ? "local" : "remote", interface);
}

char *sctpa_addr_text(const sctpa_addr_t *addr)
{
    char text[INET6_ADDRSTRLEN];
    if (sctpa_addr_is_socket(addr))
        return socket_text(addr);
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
