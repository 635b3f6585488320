/* tshark's -z sctp,series,<assoc>[,<endpoint>][,stream=<id>]... */
#ifndef SCTPA_EPAN_SERIES_H
#define SCTPA_EPAN_SERIES_H

void sctpa_series_stat_register(void);

#endif
