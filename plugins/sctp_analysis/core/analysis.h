/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an analysis consists of; for the files of core/ that implement sctpa.h. */
#ifndef SCTPA_CORE_ANALYSIS_H
#define SCTPA_CORE_ANALYSIS_H

#include "model/model.h"
#include "measure/source.h"
#include "sctpa.h"

enum { SCTPA_INTERFACES_WATCHED = 256 };

/* What was asked about RTOs since the last packet (path_results.c): remembered, so that a look at each packet costs no
 * more than one at all; what is answered does not depend on it. It has a lock of its own. */
typedef struct sctpa_rto_memory sctpa_rto_memory_t;
sctpa_rto_memory_t *sctpa_rto_memory_new(void);
void sctpa_rto_memory_free(sctpa_rto_memory_t *memory);

/* Do all stamps of a capture lie near whole seconds (SCTPA_TICK_WIDTH_NS), and how many different ones? */
typedef struct {
    int64_t last_s;
    uint32_t seconds;     /* 0: no packet; saturates */
    uint32_t answers;     /* that are stamped in another second than the oldest packet that they answer; saturates */
    bool has_late_answer; /* one of them in another second than the last of these as well */
    bool is_refuted;
} sctpa_ticks_t;

/* The last time that nothing passed for RTO.Min or longer by the clock of an interface (clock_results.c). */
typedef struct {
    int64_t ns;      /* 0: none, or it is judged */
    uint32_t packet; /* index of the first behind it */
    uint32_t interface;
} sctpa_silence_t;

struct sctpa {
    sctpa_tracker_t *tracker;
    sctpa_model_t *model;
    sctpa_assertions_t *assertions; /* NULL none */
    sctpa_rto_memory_t *rtos;
    sctpa_summary_t summary;
    /* By interface number modulo: time of the last packet; what all stamps are multiples of, 0 there is none; the
     * earliest and the latest time, INT64_MIN none. */
    int64_t last_ns[SCTPA_INTERFACES_WATCHED], stamp_unit_ns[SCTPA_INTERFACES_WATCHED];
    int64_t earliest_ns[SCTPA_INTERFACES_WATCHED], latest_ns[SCTPA_INTERFACES_WATCHED];
    sctpa_ticks_t ticks;
    sctpa_silence_t silence;
};

/* What numbers of the data that an end sent are drawn from; selected: NULL all packets. O(1). */
sctpa_source_t sctpa_source_of(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, const sctpa_packets_t *selected);

/* Forgets the association that number stands for, and the halves that became part of it, and gives back what is kept of
 * them: endpoints, paths, events, data, reference endpoints, findings, what leads to them. O(what is kept), amortised.
 *
 * What stays: its packets (record and stamp, 40 bytes) as kept_packets.h says, and their places among duplicate
 * packets; the number, 16 bytes, which no other association gets; what is bounded over all associations
 * (sctpa_model_forget). Looked up by that number, or by a packet, it is none from then on: sctpa_assoc is of no number,
 * has no packets, addresses and events, sctpa_direction is NULL, it has no findings and nothing of it was judged,
 * sctpa_packet_result says SCTPA_NO_ASSOC, and SCTPA_NO_ASSOC leads to none, too; so are packets that were recorded for
 * it and belong to a half that left it. Whoever reports its findings does so before. Pointers into it, to its findings
 * and to marks are dead. A packet of it that comes later begins a new association, which is the restart of none; so
 * does one that doubles an earlier one. */
void sctpa_forget(sctpa_t *sctpa, uint32_t number);
/* Bytes that associations hold, with what leads to them: 0 once each was forgotten. O(1). */
size_t sctpa_held_bytes(const sctpa_t *sctpa);

/* Takes packet number index, the one that the tracker and the model took last: does it show that no time passed in the
 * last silence (sctpa_clock_steps)? O(log SACKs). */
void sctpa_stopped_timers_take(sctpa_t *sctpa, const sctpa_record_t *record, uint32_t index);

/* The path of an end that a packet went, back to it where its peer sent the packet; SCTPA_NO_PATH none. O(1). */
uint16_t sctpa_packet_path(const sctpa_t *sctpa, uint8_t end, uint32_t packet);

#endif
