/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers by which the paths of new data are compared, that rules also say. */
#ifndef SCTPA_REFERENCE_PATH_CHOICE_LIMITS_H
#define SCTPA_REFERENCE_PATH_CHOICE_LIMITS_H

/* Packets with new data in a row that are looked at together. */
#define SCTPA_SPREAD_PACKETS 100

#endif
