/* What an analysis consists of; for the files of core/ that implement sctpa.h. */
#ifndef SCTPA_CORE_ANALYSIS_H
#define SCTPA_CORE_ANALYSIS_H

#include "reference/sender/cwnd_records.h"
#include "findings/model.h"
#include "sctpa.h"

enum { SCTPA_INTERFACES_WATCHED = 256 };

struct sctpa {
    sctpa_tracker_t *tracker;
    sctpa_model_t *model;
    sctpa_summary_t summary;
    int64_t last_ns[SCTPA_INTERFACES_WATCHED]; /* of the last packet, by interface number modulo */
};

#endif
