/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tshark's -z sctp,watch. */
#ifndef SCTPA_EPAN_WATCH_STAT_H
#define SCTPA_EPAN_WATCH_STAT_H

void sctpa_watch_stat_register(void);

#endif
