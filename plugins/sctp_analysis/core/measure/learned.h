/* Parameters of an endpoint as what it did shows them: its timers, its SACKs, its first window, what its paths carry.
 * A parameter is given only where nothing else that the capture shows explains what was seen; otherwise it is unknown. */
#ifndef SCTPA_MEASURE_LEARNED_H
#define SCTPA_MEASURE_LEARNED_H

#include <stdbool.h>
#include <stdint.h>

typedef enum {
#define SCTPA_LEARNED_ROW(name, word, unit) SCTPA_LEARNED_##name,
#include "learned.def"
#undef SCTPA_LEARNED_ROW
    SCTPA_LEARNED_KINDS
} sctpa_learned_kind_t;

typedef enum {
    SCTPA_LEARNED_IN_MS, SCTPA_LEARNED_IN_S, SCTPA_LEARNED_IN_PACKETS, SCTPA_LEARNED_IN_BYTES, SCTPA_LEARNED_IN_ERRORS,
    SCTPA_LEARNED_IN_TRUTH
} sctpa_learned_unit_t;

/* samples 0: unknown, the others mean nothing. The parameter lies in low .. high as far as the samples tell; without an upper
 * bound has_high is false. Times in ns. packet: index of one that shows it. */
typedef struct {
    uint32_t samples;
    bool has_high;
    int64_t value, low, high;
    uint32_t packet;
} sctpa_learned_value_t;

/* By sctpa_learned_kind_t:
 *
 * RTO_MIN (RFC 9260 6.3.1 C6): waits for the first timeout of a series, where SRTT + 4 RTTVAR is at most 3/4 of the wait and the tap is
 * near the sender. Two waits alike, or one that is twice that RTO. high: the longest of those alike.
 * HEARTBEAT_INTERVAL (8.3: HB.interval + RTO, +- 50 % of the RTO): three intervals between answered HEARTBEATs with no DATA on the path
 * between. low, high: what fits all of them; unknown where that is wider than half of high.
 * SACK_DELAY (6.2): how long a single DATA packet waited that nothing else made the endpoint acknowledge; three alike, longer than
 * 10 ms. high: what was seen at the tap, low: less the way to the endpoint and back, and one tick.
 * SACK_EVERY (6.2): DATA packets acked per SACK while data came in order and without a pause: the most frequent number, of half of at
 * least 8 SACKs. low, high: the numbers that a tenth of them have.
 * MAX_BURST (6.1 D): the most DATA packets that one SACK released. Given only where three such bursts were smaller than what the SACK
 * freed and the peer's window had room, with no loss near: something else than the window ended them.
 * INITIAL_CWND (7.2.1): user bytes sent before the first SACK, when the sender then stopped and went on as the SACK came. low: without
 * the last packet, which may have gone beyond the window; high: with one more packet and the headers of chunks.
 * PMTU (7.3): the largest IP packet with DATA that was acked, when three were that large and hold fragments of messages; over all
 * paths. high: what a sender that keeps room for other headers may have left free.
 * PATH_MAX_RETRANS (8.2): errors in a row on a path before new data went elsewhere, less one. high unknown: a sender may leave the path
 * earlier (RFC 9260 8.? potentially failed, RFC 7829). Unknown after a single error.
 * COUNTS_HEADERS (theory.md 8.3): 1 when flight at the limit of a window fits it with chunk headers only, 0 without only. */
typedef struct { sctpa_learned_value_t values[SCTPA_LEARNED_KINDS]; } sctpa_learned_t;

/* The interface's word: "rto_min_ms", and its unit. */
const char *sctpa_learned_word(sctpa_learned_kind_t kind);
sctpa_learned_unit_t sctpa_learned_unit(sctpa_learned_kind_t kind);

#endif
