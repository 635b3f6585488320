/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers by which messages are read in the order of their TSNs, that rules also say. */
#ifndef SCTPA_REFERENCE_MESSAGE_ORDER_LIMITS_H
#define SCTPA_REFERENCE_MESSAGE_ORDER_LIMITS_H

/* What separates TSNs that were left out between fragments from some that pass late. */
#define SCTPA_FRAGMENTS_APART_MS 500

#endif
