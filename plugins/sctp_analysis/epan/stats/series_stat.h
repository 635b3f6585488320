/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tshark's -z sctp,series,<assoc>[,<endpoint>][,stream=<id>]... */
#ifndef SCTPA_EPAN_SERIES_STAT_H
#define SCTPA_EPAN_SERIES_STAT_H

void sctpa_series_stat_register(void);

#endif
