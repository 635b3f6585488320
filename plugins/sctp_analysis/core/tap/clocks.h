/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The clocks of the two directions of an association, as answers show them that are stamped before what they answer:
 * two interfaces, or captures of two hosts in one file. What an endpoint sent is then stamped early against what its
 * peer sent: by the most by which an answer of it precedes at the least, and by less than its peer's shortest answer
 * takes, which would precede, too. Leaves out who finds which answer belongs to what (association_tap.h). */
#ifndef SCTPA_TAP_CLOCKS_H
#define SCTPA_TAP_CLOCKS_H

#include <stdbool.h>
#include <stdint.h>

/* What is sent again may pass behind an answer to a transmission that the capture lacks: so many in a row do not. */
enum { SCTPA_CLOCKS_PAIRS_LEAST = 3 };

/* Answers of an endpoint that are stamped before what they answer: 16 bytes. All zero: none. */
typedef struct {
    int64_t early_ns; /* the most */
    uint32_t first;   /* packet, the first that stands behind its answer; with pairs 0 none */
    uint16_t pairs;   /* saturates */
    bool is_sure;     /* one of them answers what is not sent again */
} sctpa_early_answers_t;

/* By the endpoint that answers. */
typedef struct {
    sctpa_early_answers_t of[2];
} sctpa_clocks_t;

/* An endpoint answered packet index early_ns before that was stamped; back_ns: the RTT from the tap to its peer, -1: it
 * answered nothing yet. is_sure: the packet is not sent again, as a HEARTBEAT is not. An answer that is stamped behind
 * what it answers says nothing; nor one that is early by more than back_ns, for the peer's answers would have preceded
 * as well: it answered an earlier transmission. O(1). */
void sctpa_clocks_take(sctpa_clocks_t *clocks, uint8_t endpoint, int64_t early_ns, int64_t back_ns, uint32_t index,
                       bool is_sure);

/* How the clocks differ: the stamps of what endpoint early sent are too early by least_ns to most_ns; most_ns -1:
 * unknown, where its peer answered nothing, or the difference grew. */
typedef struct {
    int64_t least_ns, most_ns;
    uint32_t first, pairs; /* the packet that showed it first, and how many did */
    uint8_t early;
} sctpa_clock_difference_t;

/* Do the clocks of the directions differ, as far as the capture shows? *difference is set where they do. rtt_ns: by
 * endpoint, RTT from the tap, -1 none. O(1). */
bool sctpa_clocks_differ(const sctpa_clocks_t *clocks, const int64_t rtt_ns[2], sctpa_clock_difference_t *difference);
/* By how much a time between packets of both directions is surely wrong, 0: nothing shows it. O(1). */
int64_t sctpa_clocks_error_ns(const sctpa_clocks_t *clocks);

#endif
