/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of addresses and ports for the reports, where Wireshark's settings ask for them. */
#include "names.h"

#include "../compat.h"

#include <epan/addr_resolv.h>
#include <epan/packet.h>

static const char *addr_name(void *user, const sctpa_addr_t *addr)
{
    ws_in6_addr ip6;
    uint32_t ip4;
    (void)user;
    if (addr->bytes == sizeof ip4) {
        memcpy(&ip4, addr->data, sizeof ip4);
        return get_hostname(ip4);
    }
    if (addr->bytes != sizeof ip6)
        return sctpa_addr_is_socket(addr) ? NULL : "";
    memcpy(&ip6, addr->data, sizeof ip6);
    return get_hostname6(&ip6);
}

static const char *port_name(void *user, uint16_t port)
{
    static char *name;
    (void)user;
    wmem_free(NULL, name);
    name = sctp_port_to_display(NULL, port);
    return name;
}

const char *(*sctpa_names_addr(void))(void *user, const sctpa_addr_t *addr)
{
    return gbl_resolv_flags.network_name ? addr_name : NULL;
}

const char *(*sctpa_names_port(void))(void *user, uint16_t port)
{
    return gbl_resolv_flags.transport_name ? port_name : NULL;
}
