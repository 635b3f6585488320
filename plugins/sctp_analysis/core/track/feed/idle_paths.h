/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When an endpoint takes a path for potentially failed (RFC 7829), or inactive (RFC 9260 8.2), because HEARTBEATs to it
 * are not answered: events path_potentially_failed and path_inactive; and the outages of an endpoint, for timeouts as
 * well. Leaves out where new data goes, and what an answer is (failover.h). */
#ifndef SCTPA_TRACK_IDLE_PATHS_H
#define SCTPA_TRACK_IDLE_PATHS_H

#include "path_place.h"

enum {
    SCTPA_ACKS_SEARCHED = 256, /* back from an error, for one of a path: more than a window of SACKs */
    SCTPA_PROBES_LEAST = 2     /* sooner than HB.interval allows: the application may ask for a HEARTBEAT (8.3) */
};

/* What HEARTBEATs to a path showed since its last answer. All 0: nothing. */
typedef struct {
    sctpa_path_state_change_t last; /* the last error that a HEARTBEAT showed */
    int64_t counted_ns;             /* when the HEARTBEAT left that showed it */
    int64_t waited_ns;              /* how long after the one before */
    uint32_t heartbeats;            /* errors that HEARTBEATs showed, in a row */
    uint16_t probes;                /* of them, followed by another sooner than HB.interval allows, not counted further
                                       than SCTPA_PROBES_LEAST */
    uint16_t outage;                /* 1 + index in outages, 0: neither event was made */
} sctpa_idle_path_t;

/* A packet of an endpoint at which an error of a path shows. */
typedef struct {
    const sctpa_path_place_t *place;
    sctpa_switching_t *switching;   /* of the endpoint */
    const sctpa_trouble_t *trouble; /* of the path, with this error */
    sctpa_idle_path_t *idle;
    uint16_t path;
    uint8_t from;
} sctpa_idle_step_t;

/* The packet holds a HEARTBEAT to the path, and the one before, which left at asked_ns, was not answered. It counts as
 * an error, as RFC 9260 8.3 has it ("not acknowledged within one RTO"), where the next one leaves half an RTO later or
 * more: so soon it may be due, and Linux and FreeBSD count when it is. The time of the error lies between one RTO after
 * the HEARTBEAT that is lost, or before the next where that is later, and the later of its RTO and the next HEARTBEAT.
 * Where the next one comes later than HB.interval and one and a half RTOs allow, the error was counted when it was due.
 * RTOs are backed off by the errors before; RTO.Min is the asserted one or unknown below that of the RFC.
 *
 * path_potentially_failed: two HEARTBEATs in a row without answer, the second as long after the first as on an active
 * path, the third sooner after the second than HB.interval allows: RFC 7829 5 has a path that is potentially failed
 * probed once per RTO. Certain with the third, placed at the second.
 *
 * path_inactive: more errors in a row, timeouts among them (8.2), than Path.Max.Retrans, the asserted one or that of
 * RFC 9260 16.
 *
 * An outage was still probed once per RTO, as a path is that is potentially failed, where so many HEARTBEATs as
 * SCTPA_PROBES_LEAST follow each other sooner than HB.interval allows, by this path's or else by others of the
 * endpoint.
 *
 * Neither where nothing that was sent to the path was answered before, a HEARTBEAT or data: the tap may not see
 * answers; nor when the association ends. O(what is asserted). */
void sctpa_idle_heartbeat(const sctpa_idle_step_t *step, int64_t asked_ns);
/* The packet is the retransmission that shows a timeout of the path: an error as well (8.2). It makes path_inactive
 * where HEARTBEATs were without answer before, and others answered. SCTPA_OUTAGE_ERRORS timeouts in a row, without an
 * answer, are an outage where data passed another path meanwhile. O(what is asserted). */
void sctpa_idle_timeout(const sctpa_idle_step_t *step);
/* Every path of the endpoint had SCTPA_OUTAGE_ERRORS timeouts in a row, and nothing of the peer passed: the path has an
 * outage, unless nothing that was sent to it was answered before. O(1). */
void sctpa_idle_all_out(const sctpa_idle_step_t *step);
/* New data left the path after the errors of step->trouble, first in a frame at time_ns. O(1). */
void sctpa_idle_left(const sctpa_idle_step_t *step, uint32_t frame, int64_t time_ns);
/* The path answers: ends its outage. O(1). */
void sctpa_idle_answered(sctpa_switching_t *switching, sctpa_idle_path_t *idle, const sctpa_packet_t *packet);

#endif
