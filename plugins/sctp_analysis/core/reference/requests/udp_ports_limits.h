/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many UDP ports of an endpoint are kept, that rules also say. */
#ifndef SCTPA_REFERENCE_UDP_PORTS_LIMITS_H
#define SCTPA_REFERENCE_UDP_PORTS_LIMITS_H

/* UDP ports of an endpoint that are kept. */
#define SCTPA_UDP_PORTS 4

#endif
