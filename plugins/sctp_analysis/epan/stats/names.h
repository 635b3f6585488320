/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of addresses and ports, by Wireshark's settings for name resolution. */
#ifndef SCTPA_EPAN_NAMES_H
#define SCTPA_EPAN_NAMES_H

#include "report/report.h"

/* Callbacks for a view; NULL when names of that kind are switched off. Their results are valid until the next call. */
const char *(*sctpa_names_addr(void))(void *user, const sctpa_addr_t *addr);
const char *(*sctpa_names_port(void))(void *user, uint16_t port);

#endif
