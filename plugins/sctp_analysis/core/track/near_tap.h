/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which of two taps answers a question about the data of an endpoint. */
#ifndef SCTPA_TRACK_NEAR_TAP_H
#define SCTPA_TRACK_NEAR_TAP_H

#include "tracked.h"

/* The times there and back between two taps are together longer than this; else they are as good as one. */
enum { SCTPA_TAPS_APART_NS = 100000 };
enum { SCTPA_NO_TAP = 2 };

/* Which tap is near an endpoint: 0, 1, or SCTPA_NO_TAP as long as none is known to be. O(1). */
unsigned sctpa_near_tap_of(const sctpa_two_taps_data_t *data, uint8_t end);

/* By how much the clock of tap 1 is ahead, where it is known which tap is near which endpoint: what the shortest times
 * both ways differ by, halved. *way_ns: what they take one way. O(1). */
int64_t sctpa_near_tap_ahead_ns(const sctpa_two_taps_data_t *data, int64_t *way_ns);

/* Did a packet pass the tap, by its interface? */
static inline bool sctpa_tap_data_has(const sctpa_tap_data_t *tap, uint32_t interface)
{
    bool has = false;
    for (uint32_t i = 0; i < tap->n_interfaces; i++)
        has |= tap->interfaces[i] == interface;
    return has;
}

/* Were packets of the association first seen out of order: one where those of its sender pass later as a rule, since
 * the other tap missed it, or by another clock? Also where interfaces cannot be told apart into two taps. O(1). */
static inline bool sctpa_near_tap_is_misplaced(const sctpa_tracked_t *tracked)
{
    const sctpa_two_taps_data_t *data = tracked->rare->two_taps_data;
    return data && (data->is_misplaced || data->is_unclear);
}

/* The tap that tells of the paths of an endpoint, where each of two is followed; NULL: what is
 * known of them is as packets were first seen. O(1). */
static inline const sctpa_tap_data_t *sctpa_near_tap_of_paths(const sctpa_tracked_t *tracked, uint8_t end)
{
    const sctpa_two_taps_data_t *data = tracked->rare->two_taps_data;
    return data && data->has_begun[end] && data->reshaped == tracked->reshaped ? &data->taps[data->asked[end]] : NULL;
}

/* The tap near the endpoint that repeats COOKIE ECHO, where each COOKIE ACK passed the other tap only, and the endpoint
 * shows nothing of having one: it never came up. NULL: not so, or it is not known which tap is near. O(1). */
const sctpa_tap_data_t *sctpa_near_tap_without_cookie_ack(const sctpa_tracked_t *tracked);

/* Are there two taps, and it is not known which is near, or both missed much? Taps that are no farther apart than
 * SCTPA_TAPS_APART_NS are as good as one. O(1). */
bool sctpa_near_tap_is_unknown(const sctpa_tracked_t *tracked);

/* What the tap near an endpoint (near) shows of the data that an endpoint sent, with the RTT from that tap to its peer;
 * where that tap missed much of it, what the other shows. NULL: one tap, or it is not known which is near, or both
 * missed much. What lies between the taps' clocks does not matter: packets must have been seen at both in both
 * directions. O(1). */
const sctpa_tap_data_t *sctpa_near_tap(const sctpa_tracked_t *tracked, uint8_t near, uint8_t end);

/* What is known of the data that an endpoint sent, as near its sender as the capture shows; NULL: it sent none. O(1).
 */
static inline const sctpa_direction_t *sctpa_near_tap_sent(const sctpa_tracked_t *tracked, uint8_t near, uint8_t end)
{
    const sctpa_tap_data_t *tap = tracked->rare->two_taps_data ? sctpa_near_tap(tracked, near, end) : NULL;
    return tap && tap->sides[end].sent ? tap->sides[end].sent : tracked->sides[end].sent;
}

/* By how much the clock of the tap near the receiver of an endpoint's data is ahead of the one near its sender, where
 * sctpa_near_tap_sent gives what two taps show; else 0. O(1). */
int64_t sctpa_near_tap_receiver_ahead_ns(const sctpa_tracked_t *tracked, uint8_t end);

/* What HEARTBEATs to a path of an endpoint showed at a tap. O(1). */
static inline const sctpa_probing_t *sctpa_tap_data_probed(const sctpa_tap_data_t *tap, unsigned end, unsigned path)
{
    static const sctpa_probing_t none;
    return path < tap->n_probing[end] ? &tap->probing[end][path] : &none;
}

#endif
