/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tracker: all associations, what is kept of every packet, and the indices by which packets find their association.
 * Whoever reads it outside track/ never writes. */
#ifndef SCTPA_TRACK_TRACKER_H
#define SCTPA_TRACK_TRACKER_H

#include <glib.h>

#include "base/arena.h"
#include "base/slots.h"
#include "data/observation.h"
#include "data/store.h"
#include "wire/types.h"
#include "assoc.h"
#include "clock_steps.h"
#include "flow.h"
#include "kept_packets.h"

/* What the user asserts of a parameter of the endpoint at addr, in the unit of its row, times in ns. False: nothing,
 * *value stays. O(what is asserted). */
typedef bool (*sctpa_asserted_fn)(const void *user, const sctpa_addr_t *addr, sctpa_parameter_t parameter,
                                  int64_t *value);

/* Does the user assert that the capture is complete, and was taken at addr? O(what is asserted). */
typedef bool (*sctpa_asserted_here_fn)(const void *user, const sctpa_addr_t *addr);

enum {
    SCTPA_CHECKSUM_INTERFACES = 64,
    SCTPA_LEFT_TO_HARDWARE = 3 /* wrong ones, which may be damage; an absent one counts as so many */
};

struct sctpa_tracker {
    sctpa_flow_t untagged;           /* way of the packet being taken when its tag is 0 and so no key */
    sctpa_shown_t shown;             /* by the packet being taken */
    sctpa_observation_t observation; /* of the packet being taken */
    sctpa_arena_t arena;             /* associations and what belongs to them */
    GPtrArray *assocs;               /* sctpa_tracked_t * by number */
    GArray *records;                 /* sctpa_record_t by packet index */
    sctpa_store_t store;             /* of the data of all directions */
    sctpa_kept_packets_t kept;       /* of records and stamps, after associations were forgotten */
    sctpa_pool_t flows;              /* sctpa_flow_t */
    sctpa_slots_t flow_table;        /* their numbers by way */
    sctpa_pool_t lists;              /* sctpa_candidates_t, where there is more than one */
    sctpa_slots_t owners;            /* tag -> associations where an endpoint owns it */
    sctpa_pool_t neighbours;         /* unordered addresses and ports -> associations there, newest first */
    sctpa_slots_t neighbour_table;
    sctpa_pool_t halves; /* by TSN range or Heartbeat Info */
    sctpa_slots_t half_table;
    struct sctpa_duplicate_packets *duplicate_packets;
    sctpa_hosts_t hosts;
    GArray *late_events; /* uint32_t, ascending: frames that made an event certain that stands at an earlier one */
    bool two_taps;       /* packets were seen at two interfaces */
    /* by interface modulo these: packets whose wrong checksum, or lack of one, another interface showed to be right:
     * the hardware computes it behind the tap; at most SCTPA_LEFT_TO_HARDWARE */
    uint8_t left_to_hardware[SCTPA_CHECKSUM_INTERFACES];
    bool has_left_owners; /* is_left of an owner was set */
    bool holds_more;      /* a packet without DATA was seen: no display filter on what DATA carries cut the capture */
    bool has_reused_tsn;  /* the packet being taken has DATA with the TSN of another message (direction.h) */
    GArray *keys;         /* sctpa_auth_key_t */
    /* Time between two packets is known to that much: what all stamps of an interface are multiples of, of the
     * coarsest; SCTPA_STAMPS_FINE_NS: that or less. */
    int64_t stamp_unit_ns;
    sctpa_clock_steps_t clock_steps;
    sctpa_asserted_fn asserted; /* NULL: nothing is */
    sctpa_asserted_here_fn asserted_here;
    const void *asserted_user;
};

enum { SCTPA_STAMPS_FINE_NS = 1000 };

/* The association of that number, as it was before merging; sctpa_tracked_none where none has it. O(1). */
static inline const sctpa_tracked_t *sctpa_tracked_find(const sctpa_tracker_t *tracker, uint32_t number)
{
    return number < tracker->assocs->len ? g_ptr_array_index(tracker->assocs, number) : &sctpa_tracked_none;
}

/* The association that number, which was given out, stands for, after merging. O(1). */
static inline sctpa_tracked_t *sctpa_tracked_at(const sctpa_tracker_t *tracker, uint32_t number)
{
    sctpa_tracked_t *tracked = g_ptr_array_index(tracker->assocs, number);
    return tracked->assoc.merged_into == SCTPA_NO_ASSOC
               ? tracked
               : g_ptr_array_index(tracker->assocs, tracked->assoc.merged_into);
}

#endif
