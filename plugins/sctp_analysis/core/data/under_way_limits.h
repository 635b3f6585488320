/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long a packet is under way at most, that rules also say. */
#ifndef SCTPA_DATA_UNDER_WAY_LIMITS_H
#define SCTPA_DATA_UNDER_WAY_LIMITS_H

/* Both, the longer counts: longer than any packet is under way from the sender to a tap near it. */
#define SCTPA_UNDER_WAY_MS 200
#define SCTPA_UNDER_WAY_ROUND_TRIPS 2

#endif
