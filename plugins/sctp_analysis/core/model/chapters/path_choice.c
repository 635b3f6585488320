/* SPDX-License-Identifier: GPL-2.0-or-later */
/* To which paths an endpoint with several sends its data (RFC 9260 6.4): how often new data changes the path,
 * whether retransmissions go to another, and when a path is given up. Leaves out which path is the usual one, and
 * when it fails (path_states.c of track), and which paths are active (heartbeats.h). */
#include "data/t3.h"
#include "heartbeats.h"
#include "model/chapter.h"
#include "model/shared/endpoint_states.h"
#include "model/shared/failure_detection.h"
#include "model/shared/t3_bounds.h"
#include "wire/types.h"

/* Packets with new data in a row that are looked at together. */
#define SPREAD_PACKETS 100

/* Of SPREAD_PACKETS: what separates a sender that uses several paths from one whose primary path changed. */
#define SPREAD_TURNS 10

/* So often within so short a time, new data changes the path of no sender whose paths fail and recover: there, back
 * when the first path has recovered, and there again before that can have failed once more. */
#define SPREAD_TURNS_SOON 3

/* RTO.Min as recommended (RFC 9260 16): no path fails sooner. */
#define SPREAD_SOON_MS 1000

/* A single retransmission that stays on its path may be a race. */
#define STAYS_ON_PATH 2

/* So many of the last acknowledgements are searched for one of a path: more than a round trip's, most often. */
#define ACKS_SEARCHED 16

/* What separates a sender that goes back and forth from paths that fail and recover. */
#define SWINGS_S 60

/* What separates a path on which no data arrives from one that loses some: transmissions of a TSN, what the window has
 * room for besides, and a sender that retransmits more than this share of its other data. */
#define TRANSMISSIONS_IN_VAIN 6
#define WINDOW_ROOM_BYTES 3000
#define LOSSY_SHARE 10

enum { TURNS_KEPT = SPREAD_TURNS_SOON - 1 };

/* Packets with new data in a row, without a retransmission between; after SPREAD_PACKETS the next row begins. */
typedef struct {
    uint32_t first_packet;
    /* the last ones that went to another path than the one before, the newest first; SCTPA_NO_PACKET_INDEX none */
    uint32_t turned[TURNS_KEPT];
    uint32_t rtx;         /* retransmissions by then */
    uint16_t path;        /* of the last one */
    uint8_t n;            /* 0 none */
    uint8_t turns;        /* of them, to another path than the one before */
    bool has_turned_soon; /* SPREAD_TURNS_SOON times within SPREAD_SOON_MS */
} new_data_t;

/* A fast retransmission to another path than the transmission before, until new data passes. */
typedef struct {
    uint32_t packet, sent_packet; /* sent_packet: the transmission before */
    uint16_t path, original;      /* where it went, and where the transmission before */
    bool is_last;                 /* no new data passed since */
} stray_t;

typedef struct {
    new_data_t new_data;
    stray_t stray;
} path_choice_t;

typedef struct {
    path_choice_t of[2]; /* by endpoint */
} path_choices_t;

enum { NEW_DATA_WITHIN = 64 }; /* packets: longer ago, and the sender may have changed its primary path twice */

static const path_choice_t *find(const sctpa_context_t *c)
{
    const path_choices_t *choices = sctpa_context_find_part(c, SCTPA_PART_PATH_CHOICE);
    return choices ? &choices->of[c->from] : NULL;
}

static path_choice_t *make(const sctpa_context_t *c)
{
    path_choices_t *choices = sctpa_context_part(c, SCTPA_PART_PATH_CHOICE, sizeof *choices);
    return &choices->of[c->from];
}

/* A row of new data that begins with the packet, which is not counted yet. */
static new_data_t begin_row(const sctpa_context_t *c, uint32_t rtx)
{
    new_data_t row = { .first_packet = c->index,
                       .rtx = rtx,
                       .path = c->sent->has_usual_path ? c->sent->usual_path : c->path };
    for (unsigned i = 0; i < TURNS_KEPT; i++)
        row.turned[i] = SCTPA_NO_PACKET_INDEX;
    return row;
}

/* The row of new data that the packet is the last of; n 0: its sender has one path, or it holds no new data, or
 * retransmissions, too. O(1). */
static new_data_t sctpa_new_data(const sctpa_context_t *c)
{
    if (!sctpa_has_several_paths(c) || (c->facts & (SCTPA_FACT_NEW_DATA | SCTPA_FACT_RTX)) != SCTPA_FACT_NEW_DATA)
        return (new_data_t){ .n = 0 };
    const path_choice_t *choice = find(c);
    const uint32_t rtx = c->sent->rare->rtx.len;
    const bool goes_on =
        choice && choice->new_data.n > 0 && choice->new_data.n < SPREAD_PACKETS && choice->new_data.rtx == rtx;
    new_data_t row = goes_on ? choice->new_data : begin_row(c, rtx);
    if (row.path != c->path) {
        const uint32_t first = row.turned[TURNS_KEPT - 1];
        row.has_turned_soon |=
            first != SCTPA_NO_PACKET_INDEX && sctpa_context_most_since_ns(c, first) < SPREAD_SOON_MS * SCTPA_NS_PER_MS;
        for (unsigned i = TURNS_KEPT - 1; i > 0; i--)
            row.turned[i] = row.turned[i - 1];
        row.turned[0] = c->index;
        row.turns++;
    }
    row.path = c->path;
    row.n++;
    return row;
}

/* The stray retransmission of the packet's sender before the packet, which holds new data; NULL none. O(1). */
static const stray_t *sctpa_stray(const sctpa_context_t *c)
{
    const path_choice_t *choice = find(c);
    return choice && choice->stray.is_last ? &choice->stray : NULL;
}

/* The first retransmission of the packet, which holds one. O(chunks). */
static const sctpa_rtx_t *first_rtx(const sctpa_context_t *c)
{
    unsigned i = 0;
    while (c->chunks[i].sent.rtx == 0)
        i++;
    return sctpa_observed_rtx(&c->chunks[i], c->sent);
}

/* Is it a fast one that no timer explains, of data whose path was in order and where new data goes? *original: of the
 * transmission before. O(chunks). */
static bool is_certainly_fast(const sctpa_context_t *c, uint16_t *original)
{
    const sctpa_rtx_t *rtx = first_rtx(c);
    *original = sctpa_context_record(c, rtx->previous)->path;
    const sctpa_data_path_t *path = sctpa_direction_known_path(c->sent, *original);
    if (!path || rtx->kind != SCTPA_RTX_FAST || rtx->link.before != 0 || rtx->misses < SCTPA_MISSES_FAST ||
        path->left_ns != INT64_MIN || !c->sent->has_usual_path || c->sent->usual_path != *original)
        return false;
    int64_t now_ns = c->packet->time_ns, sent_ns = sctpa_context_time_ns(c, rtx->previous);
    sctpa_t3_t t3 = sctpa_t3_of(path, now_ns, sctpa_tap_rtt_of(c->tracked, c->from), 0);
    return now_ns - MIN(sent_ns, t3.started_ns) < c->sent->rare->rto_min_ns &&
           path->timeout_packet == SCTPA_NO_PACKET_INDEX && path->unknown_packet == SCTPA_NO_PACKET_INDEX;
}

/* Takes the data of the packet, after the rules. O(chunks). */
static void path_choice_take(const sctpa_context_t *c)
{
    if (!sctpa_has_several_paths(c))
        return;
    new_data_t new_data = sctpa_new_data(c);
    uint16_t original;
    if (new_data.n > 0)
        *make(c) = (path_choice_t){ .new_data = new_data };
    else if (c->facts & SCTPA_FACT_RTX && is_certainly_fast(c, &original) && first_rtx(c)->path != original)
        make(c)->stray = (stray_t){ .packet = c->index,
                                    .sent_packet = first_rtx(c)->previous,
                                    .path = first_rtx(c)->path,
                                    .original = original,
                                    .is_last = true };
}

/* How the sender changed paths, NULL: it did not. */
static const sctpa_switching_t *switching_of(const sctpa_context_t *c)
{
    return sctpa_has_several_paths(c) ? c->assoc->ends[c->from].rare->switching : NULL;
}

RULE(PM, 015,
    .level = HEURISTIC, .since = 2960, .seeing = NOTHING, .needs = BOTH | COMPLETE,
    .when = PACKET, .of = OF_SENDER, .on = DATA_ROWS, .if_facts = NEW_DATA,
    .accused = "sender of the data",
    .clause = "RFC 9260 6.4",
    .title = "New data goes out on several paths at once",
    .quote = "an endpoint SHOULD always transmit to the primary path, unless the SCTP user explicitly specifies the "
        "destination transport address",
    .why = "Multipath transfer (CMT), or a user who names a path per message: TSNs arrive out of order without loss, "
        "and each path has its own cwnd.",
    .evidence = "Of " SAY(SPREAD_PACKETS) " packets with new data in a row more than " SAY(SPREAD_TURNS)
        " go to another path than the one before, with no retransmission in between. Or " SAY(SPREAD_TURNS_SOON)
        " within " SAY(SPREAD_SOON_MS) " ms, as long as an RTO is at the least, where the capture was taken near the "
        "sender.",
    .doubt = "A sender leaves a failing path after retransmissions: not reported. A user may name the path, and CMT is "
        "not part of the RFC: a note.");

/* Does the packet turn, the third time within a short time, as none of its row did before? Far from the sender, what is
 * new may be a retransmission whose first transmission was lost before the tap. */
static bool turns_soon(const sctpa_context_t *c, const new_data_t *new_data)
{
    const path_choice_t *choice = find(c);
    return new_data->has_turned_soon && new_data->turned[0] == c->index && choice &&
           !choice->new_data.has_turned_soon && sctpa_tap_is_near(&c->reference->tap, c->tracked, c->from) == SCTPA_YES;
}

static bool PM_015_applies(const sctpa_context_t *c)
{
    const new_data_t new_data = sctpa_new_data(c);
    return new_data.n == SPREAD_PACKETS || turns_soon(c, &new_data);
}

/* "an endpoint SHOULD always transmit to the primary path, unless the SCTP user explicitly specifies the destination"
 */
static bool PM_015_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    new_data_t new_data = sctpa_new_data(c);
    const bool is_soon = turns_soon(c, &new_data);
    if (!is_soon && (new_data.n < SPREAD_PACKETS || new_data.turns <= SPREAD_TURNS))
        return false;
    violation->related = new_data.first_packet;
    sctpa_violation_say(violation, "new data on the primary path",
                        SCTPA_WORDS("%u packets with new data changed paths %u times, no retransmission in between",
                                    new_data.n, new_data.turns));
    return true;
}

RULE(PM, 016,
    .level = SHOULD, .since = 2960, .seeing = NOTHING, .needs = SETUP | BOTH | COMPLETE | NEAR,
    .when = PACKET, .of = OF_SENDER, .on = DATA_ROWS, .if_facts = RTX,
    .report = { .from = STAYS_ON_PATH },
    .accused = "sender of the data",
    .clause = "RFC 9260 6.4",
    .title = "Retransmissions after timeouts stay on the path",
    .quote = "an endpoint SHOULD try to retransmit a chunk that timed out to an active destination transport address "
        "that is different from the last destination address to which the chunk was sent",
    .why = "On a path that has failed, every retransmission is lost too: the delay doubles until failover.",
    .evidence = SAY(STAYS_ON_PATH) " or more retransmissions after a timeout went to the path of the "
        "transmission before, while another path had answered its last heartbeat, or data that was sent there alone, "
        "within " SAY(SCTPA_PATH_ACTIVE_S) " s, and no timer of it expired since.",
    .doubt = "A single case may be a race; after three miss indications it may be a fast retransmission. An "
        "alternate path with an unanswered heartbeat does not count as active.");

/* Was the packet with that index sent after any retransmission that the timer of the path may have sent? */
static bool is_since_timeouts(const sctpa_context_t *c, uint16_t path, uint32_t packet)
{
    const sctpa_data_path_t *known = sctpa_direction_known_path(c->sent, path);
    return !known || ((known->timeout_packet == SCTPA_NO_PACKET_INDEX || known->timeout_packet < packet) &&
                      (known->unknown_packet == SCTPA_NO_PACKET_INDEX || known->unknown_packet < packet));
}

/* Was data acknowledged not long ago that was sent once, to that path, since any timeout there? O(1), bounded. */
static bool has_acked_data(const sctpa_context_t *c, uint16_t path)
{
    const sctpa_records_t *log = &c->sent->acked;
    for (uint32_t i = log->len; i > 0 && log->len - i < ACKS_SEARCHED; i--) {
        const sctpa_acked_t *acked = &SCTPA_RECORD(log, sctpa_acked_t, i - 1);
        if (acked->oldest_packet != SCTPA_NO_PACKET_INDEX && is_since_timeouts(c, path, acked->oldest_packet) &&
            sctpa_context_record(c, acked->oldest_packet)->path == path)
            return sctpa_context_most_since_ns(c, acked->packet) < SCTPA_PATH_ACTIVE_S * SCTPA_NS_PER_S;
    }
    return false;
}

/* Is another path surely active for the sender of the data? O(paths), bounded. */
static bool is_other_active(const sctpa_context_t *c, uint16_t path)
{
    for (uint16_t other = 0; other < SCTPA_PATHS_KEPT; other++) {
        const sctpa_heartbeats_t *heartbeats = sctpa_heartbeats(c, c->from, other);
        const bool is_failing = heartbeats && heartbeats->is_open,
                   has_answered = sctpa_path_state(c, c->from, other) == SCTPA_PATH_ACTIVE &&
                                  is_since_timeouts(c, other, heartbeats->packet);
        if (other != path && (has_answered || (!is_failing && has_acked_data(c, other))))
            return true;
    }
    return false;
}

static bool PM_016_applies(const sctpa_context_t *c)
{
    return sctpa_has_several_paths(c) && first_rtx(c)->kind == SCTPA_RTX_TIMEOUT &&
           first_rtx(c)->misses < SCTPA_MISSES_FAST &&
           is_other_active(c, sctpa_context_record(c, first_rtx(c)->previous)->path);
}

/* "SHOULD try to retransmit a chunk that timed out to an active destination transport address that is different" */
static bool PM_016_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_rtx_t *rtx = first_rtx(c);
    if (rtx->path != sctpa_context_record(c, rtx->previous)->path)
        return false;
    violation->path = rtx->path;
    violation->related = rtx->previous;
    sctpa_violation_say(violation, "a retransmission after a timeout on another path, which answers heartbeats",
                        SCTPA_WORDS("on path %u again", rtx->path));
    return true;
}

RULE(PM, 017,
    .level = SHOULD, .since = 9260, .seeing = NOTHING, .needs = BOTH | COMPLETE | NEAR | RTT,
    .when = PACKET, .of = OF_SENDER, .on = DATA_ROWS, .if_facts = NEW_DATA | RTX,
    .accused = "sender of the data",
    .clause = "RFC 9260 6.4",
    .title = "Fast retransmission on another path",
    .quote = "an endpoint SHOULD send fast retransmissions to the same destination transport address to which the "
        "original data was sent",
    .why = "The retransmission meets another round trip time and an unused congestion window; it may arrive later than "
        "necessary.",
    .evidence = "The first retransmission of a TSN, after three miss indications and sooner than the RTO, goes to "
        "another path than the first transmission; new data still goes to the original path.",
    .doubt = "A changed primary path allows it: the next new data must go to the old path. That path must have had no "
        "timeout and no retransmission of unknown cause. Probable at most when the sender's packets are out of "
        "order in the capture: another path may then be the primary one.");

static bool PM_017_applies(const sctpa_context_t *c)
{
    uint16_t original;
    if (!sctpa_has_several_paths(c))
        return false;
    return c->facts & SCTPA_FACT_RTX ? is_certainly_fast(c, &original) : sctpa_stray(c) != NULL;
}

/* "SHOULD send fast retransmissions to the same destination transport address to which the original data was sent": new
 * data shows whether the primary path had been changed. */
static bool PM_017_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const stray_t *stray = sctpa_stray(c);
    if (c->facts & SCTPA_FACT_RTX || c->path != stray->original || c->index - stray->packet > NEW_DATA_WITHIN)
        return false;
    violation->path = stray->path;
    violation->related = stray->packet;
    violation->since = stray->sent_packet;
    if (c->reference->tap.is_mixed[c->from])
        violation->at_best = SCTPA_CERTAINTY_PROBABLE;
    sctpa_violation_say(violation,
                        SCTPA_WORDS("fast retransmission on path %u, as the first transmission", stray->original),
                        SCTPA_WORDS("on path %u in frame %u, new data on path %u again here", stray->path,
                                    sctpa_context_frame(c, stray->packet), stray->original));
    return true;
}

RULE(PM, 019,
    .level = HEURISTIC, .since = 2960, .seeing = NOTHING, .needs = BOTH | COMPLETE,
    .when = PACKET, .of = OF_SENDER, .on = DATA_ROWS, .if_facts = NEW_DATA,
    .accused = "sender of the data",
    .clause = "RFC 9260 8.2",
    .title = "New data goes back and forth between paths",
    .quote = "the sender MAY automatically transmit new packets to an alternate destination address if one exists and "
        "is active",
    .why = "Every change starts with a small congestion window. A low Path.Max.Retrans on a lossy path is the usual "
        "cause.",
    .evidence = "New data returned three times straight to the path it had left, within " SAY(SWINGS_S) " s.",
    .doubt = "A move counts only if new data stays on the path; endpoints that use several paths at once make none.");

static bool PM_019_applies(const sctpa_context_t *c)
{
    const sctpa_switching_t *switching = switching_of(c);
    return switching && switching->primary_changes > 0;
}

/* Not of an RFC: the sender changes paths faster than they can recover. */
static bool PM_019_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_switching_t *switching = switching_of(c);
    const uint32_t *packets = switching->ping_pong_packets;
    if (switching->ping_pong < SCTPA_PING_PONGS_KEPT || packets[0] != c->index ||
        sctpa_context_most_since_ns(c, packets[SCTPA_PING_PONGS_KEPT - 1]) >= SWINGS_S * SCTPA_NS_PER_S)
        return false;
    violation->path = c->path;
    sctpa_violation_say(
        violation, "new data that stays on a path",
        SCTPA_WORDS("%u times back and forth, the last three within %d s", switching->ping_pong, SWINGS_S));
    return true;
}

RULE(PM, 023,
    .level = HEURISTIC, .since = 2960, .seeing = COULD, .needs = BOTH | COMPLETE,
    .when = PACKET, .of = OF_PEER, .on = DATA_ROWS, .if_facts = RTX,
    .accused = "receiver of the data, or the path to it",
    .clause = "RFC 9260 8.1",
    .title = "Heartbeats are answered, data is not acknowledged",
    .quote = "This allows for handling the possible difference in reachability based on DATA chunks and HEARTBEAT "
        "chunks.",
    .why = "The association looks alive but carries no data: often packets of full size are dropped on the path, or "
        "the receiver has no memory.",
    .evidence = "The lowest outstanding TSN was transmitted " SAY(TRANSMISSIONS_IN_VAIN) " times or more, a_rwnd "
        "has room for " SAY(WINDOW_ROOM_BYTES) " bytes, and the path's last two heartbeats, both sent after the "
        "first transmission, were answered.",
    .doubt = "A sender that retransmits more than 1/" SAY(LOSSY_SHARE) " of its other data has a lossy path: not "
        "reported; nor are closed windows and zero-window probes, data beyond the window, data that the receiver wants "
        "authenticated, and a receiver whose COOKIE ECHO is not answered.");

/* Was the TSN one of those that probed a closed window, the last times that it was sent? */
static bool has_probed(const sctpa_context_t *c, const sctpa_tsn_t *tsn)
{
    unsigned left = TRANSMISSIONS_IN_VAIN;
    const sctpa_rtx_t *rtx;
    for (uint32_t at = tsn->more; at > 0 && left > 0; at = rtx->link.before, left--) {
        rtx = sctpa_direction_rtx(c->sent, at);
        if (rtx->kind == SCTPA_RTX_PROBE)
            return true;
    }
    return false;
}

/* May the receiver have dropped the data as the RFCs want it, though it answers HEARTBEATs: is its COOKIE ECHO not
 * answered yet (RFC 9260 5.1 C, 8.3), does it want the data authenticated (RFC 4895 6.3), or was more sent than it had
 * room for (RFC 9260 6.2)? */
static bool may_be_dropped(const sctpa_context_t *c, const sctpa_tsn_t *tsn)
{
    const uint8_t not_up = 1 << SCTPA_STATE_COOKIE_WAIT | 1 << SCTPA_STATE_COOKIE_ECHOED;
    return sctpa_states_before(c, !c->from) & not_up ||
           c->assoc->ends[!c->from].init.auth_chunks & c->rows & SCTPA_DATA_ROWS ||
           c->sent->flight_bytes > c->sent->a_rwnd_bytes || has_probed(c, tsn);
}

static bool PM_023_applies(const sctpa_context_t *c)
{
    const sctpa_tsn_t *tsn = c->first_data->sent.tsn;
    const sctpa_heartbeats_t *sent = sctpa_heartbeats(c, c->from, c->path);
    return tsn && tsn->transmissions >= TRANSMISSIONS_IN_VAIN && sent && sent->answered_before != SCTPA_NO_PACKET_INDEX;
}

/* "This allows for handling the possible difference in reachability based on DATA chunks and HEARTBEAT chunks." */
static bool PM_023_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    sctpa_transmission_t lowest = c->first_data->sent;
    const sctpa_tsn_t *tsn = lowest.tsn;
    const sctpa_heartbeats_t *sent = sctpa_heartbeats(c, c->from, c->path);
    bool is_answering = sent->answered_before > tsn->first_packet && !sent->is_open;
    bool is_lossy = ((uint64_t)c->sent->rare->rtx.len - (tsn->transmissions - 1u)) * LOSSY_SHARE > c->sent->tsns;
    if (!is_answering || is_lossy || c->sent->cum_tsn != lowest.number - 1 || !c->sent->has_a_rwnd ||
        c->sent->a_rwnd_bytes < (uint32_t)WINDOW_ROOM_BYTES + tsn->bytes || may_be_dropped(c, tsn))
        return false;
    violation->related = sent->answered_packet;
    sctpa_violation_say(violation, "data acknowledged where heartbeats are answered",
                        SCTPA_WORDS("%u transmissions of one TSN of %u bytes, a_rwnd %u", tsn->transmissions,
                                    tsn->bytes, c->sent->a_rwnd_bytes));
    return true;
}

/* The failover that the packet makes certain, NULL none. */
static const sctpa_failover_t *failover_of(const sctpa_context_t *c)
{
    const sctpa_switching_t *switching = switching_of(c);
    uint32_t n = switching ? switching->n_failovers : 0;
    const sctpa_failover_t *last = n > 0 && n <= SCTPA_FAILOVERS_MAX ? &switching->failovers[n - 1] : NULL;
    return last && last->certain_packet == c->index ? last : NULL;
}

RULE(PM, 028,
    .level = HEURISTIC, .since = 2960, .seeing = NOTHING, .needs = BOTH | COMPLETE | NEAR | RTT,
    .when = PACKET, .of = OF_SENDER, .on = DATA_ROWS, .if_facts = NEW_DATA,
    .accused = "sender of the data",
    .clause = "RFC 9260 8.2, 16",
    .title = "Path failure found sooner or later than recommended",
    .quote = "Path.Max.Retrans: 5 attempts (per destination address)",
    .why = "Too soon, and data leaves a lossy path that would have recovered; too late, and users wait. HB.interval "
        "and RTO matter as much as the limit.",
    .evidence = "New data left a path for good after a number of errors in a row, timeouts and unanswered heartbeats, "
        "other than six; or the time from the first packet lost fits a formula that is not the RFC's: FreeBSD waits "
        "for the heartbeats of all paths and jitter, Solaris once for a heartbeat.",
    .doubt = "Path.Max.Retrans is a parameter: a note. One error alone is RFC 7829. A sender without new data changes "
        "later than it detects the failure; times fit a formula to a tenth. Retransmissions that never reached the "
        "wire are missing from the count.");

static bool PM_028_applies(const sctpa_context_t *c)
{
    const sctpa_failover_t *failover = failover_of(c);
    return failover && sctpa_trouble_errors(&failover->trouble) >= 2 && failover->trouble.rto_ms > 0;
}

/* "Path.Max.Retrans: 5 attempts (per destination address)"; inactive when the counter exceeds it (8.2). RFC 7829 5.1
 * lets new data leave a path that is potentially failed, after the first. */
static bool PM_028_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_failover_t *failover = failover_of(c);
    const sctpa_trouble_t *trouble = &failover->trouble;
    uint64_t errors = sctpa_trouble_errors(trouble);
    sctpa_detection_t detection =
        sctpa_detection_of(failover, c->assoc->ends[c->from].n_paths, trouble->rto_ms * SCTPA_NS_PER_MS);
    sctpa_formula_t formula = sctpa_detection_fit(&detection);
    if (formula != SCTPA_FORMULA_RFC && trouble->heartbeats == 0) /* only jitter tells the formulas apart */
        formula = SCTPA_FORMULA_NONE;
    if (errors == SCTPA_ERRORS_PATH_INACTIVE && formula <= SCTPA_FORMULA_RFC)
        return false;
    violation->path = failover->path;
    violation->related = trouble->since_packet;
    sctpa_violation_say(
        violation,
        SCTPA_WORDS("%d errors in a row, or 1 (RFC 7829); %.1f s for %" G_GUINT64_FORMAT " by the RFC's formula",
                    SCTPA_ERRORS_PATH_INACTIVE, (double)detection.rfc_ns / (double)SCTPA_NS_PER_S, errors),
        SCTPA_WORDS("%u timeouts, %u heartbeats lost; %.1f s, as %s%s gives", trouble->timeouts, trouble->heartbeats,
                    (double)detection.took_ns / (double)SCTPA_NS_PER_S, formula ? "the formula of " : "no formula",
                    sctpa_formula_word(formula)));
    return true;
}

RULE(PM, 036,
    .level = SHOULD, .since = 7829, .seeing = NOTHING, .needs = SETUP | BOTH | COMPLETE | NEAR,
    .certainty = SCTPA_CERTAINTY_PROBABLE,
    .when = PACKET, .of = OF_SENDER, .on = DATA_ROWS, .if_facts = RTX,
    .report = { .covers = { COVERS(PM, 016) } },
    .accused = "sender of the data",
    .clause = "RFC 7829 3.2",
    .title = "Data goes on to a potentially failed path",
    .quote = "An SCTP-PF sender SHOULD NOT send data to destination addresses in PF state when alternative destination "
        "addresses in active state are available.",
    .why = "The path may have failed: what goes there waits for one RTO more, which is twice as long.",
    .evidence = "Where the user asserts a complete capture that was taken at the sender, RTO.Initial, RTO.Min, RTO.Max "
        "and a PotentiallyFailed.Max.Retrans of 0: nothing but T3-rtx can have sent the retransmission, which goes to "
        "the same path, while another one had answered its last heartbeat, or data that was sent there alone, within "
        SAY(SCTPA_PATH_ACTIVE_S) " s, and no timer of it expired since.",
    .doubt = "The host may have no route to the other address at that time: probable at best.");

static bool PM_036_applies(const sctpa_context_t *c)
{
    uint16_t path;
    return sctpa_has_several_paths(c) &&
           sctpa_tap_parameter(&c->reference->tap, c->from, SCTPA_PARAMETER_PF_MAX_RETRANS, 1) == 0 &&
           sctpa_t3_bounds_expiry(c, &path) == SCTPA_YES && is_other_active(c, path);
}

/* "SHOULD NOT send data to destination addresses in PF state when alternative destination addresses in active state are
 * available" */
static bool PM_036_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_rtx_t *rtx = first_rtx(c);
    if (c->path != sctpa_context_record(c, rtx->previous)->path)
        return false;
    violation->path = c->path;
    violation->related = rtx->previous;
    violation->rests_on = SCTPA_T3_BOUNDS_REST_ON | SCTPA_ASSERTED(PF_MAX_RETRANS);
    sctpa_violation_say(violation, "a retransmission after the first timeout on another path, which is active",
                        SCTPA_WORDS("on path %u again", c->path));
    return true;
}

/* Data matters where there is a choice of paths, and data that is lost again and again. */
void sctpa_check_path_choice(sctpa_context_t *c)
{
    if (!(c->facts & SCTPA_FACT_RTX) && !sctpa_has_several_paths(c))
        return;
    ASK(PM, 015);
    ASK(PM, 016);
    ASK(PM, 017);
    ASK(PM, 019);
    ASK(PM, 023);
    ASK(PM, 028);
    ASK(PM, 036);
    path_choice_take(c);
}
