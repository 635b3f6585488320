/* tshark's -z sctp,series,<assoc>[,<endpoint>]. */
#ifndef SCTPA_EPAN_SERIES_H
#define SCTPA_EPAN_SERIES_H

void sctpa_series_stat_register(void);

#endif
