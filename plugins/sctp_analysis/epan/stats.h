/* The reports of tshark's -z sctp,... */
#ifndef SCTPA_EPAN_STATS_H
#define SCTPA_EPAN_STATS_H

void sctpa_stats_register(void);

#endif
