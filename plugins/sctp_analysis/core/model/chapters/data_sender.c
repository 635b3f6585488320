/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Senders of data (RFC 9260 6.1, 6.5, 6.6, 6.7, 6.9): streams, fragments and sequence numbers in the order of the
 * TSNs, retransmissions, new data beyond the peer's window, and what the first data of an endpoint looks like: its I
 * bits, and the PPIDs of its messages. Keeps which SACKs surely reached the sender, and what is outstanding where
 * every byte of it counts against the window. Leaves out congestion control, timers, and what the receiver announces
 * (window.c). */
#include "data/shared_limits.h"
#include "model/chapter.h"
#include "model/shared/message_order.h"
#include "model/shared/obligations.h"
#include "model/shared/receiver.h"
#include "wire/types.h"

/* What separates nearly all of the data from some of it. */
#define FIRST_CHUNKS 100

/* Messages at the beginning that must all have an odd PPID: one may look so by chance. */
#define FIRST_MESSAGES 10

/* PPIDs up to this one are taken for registered, so that their bytes may be found reversed. */
#define PPID_REGISTERED 127

/* SACKs that are so old have reached the sender; the last so many of them count, too. */
#define SACK_OLD_MS 50
#define SACKS_OLD 2

/* An overshoot by a packet, and a probe of a closed window, stay below the margin: bytes, and packets as this one. */
#define BEYOND_BYTES 3000
#define BEYOND_PACKETS 2

/* What separates a sender that does not use SACKs, or their gap blocks, from SACKs that were lost between tap and
 * sender. */
#define ACKS_HEARD 3
#define GAP_SACKS 3

/* What separates a packet that never arrives from one that was lost by chance: transmissions, pauses between the last
 * of them in which other data was acknowledged, and how many half round trips such a pause is longer than. */
#define TIMES_AGAIN 6
#define PAUSES_ANSWERED 4
#define PAUSE_HALF_ROUND_TRIPS 3

/* Of FIRST_CHUNKS: nearly all. */
#define CHUNKS_IMMEDIATE 95

/* A SACK that the capture missed explains one occurrence. */
#define BEYOND_REPORTED 3

/* Of an endpoint: at most FIRST_CHUNKS chunks, FIRST_MESSAGES messages. */
typedef struct {
    uint8_t chunks, immediate; /* first transmissions, those with the I bit */
    /* those whose PPID has its bytes reversed, is of another service, is 0 */
    uint8_t messages, reversed, foreign, unspecified;
} counts_t;

typedef struct {
    counts_t of[2];
} first_data_t;

enum {
    SACKS_LOOKED_AT = 8,
    SACKS_OF_HOST = 64 /* that may wait in a host, or be taken a moment ago */
};

/* By endpoint. */
typedef struct {
    int64_t end[2]; /* after the highest TSN that was retransmitted or passed after a higher one */
    /* SACKs that had come when its new data last left beyond the window, or into a full one; 0 none did */
    uint32_t beyond_sacks[2], full_sacks[2];
} outstanding_t;

typedef struct {
    int64_t cum_tsn, since_ns; /* of the SACK, and when its receipt was shown */
} sack_receipt_t;

typedef struct {
    int64_t cum_tsn, tsn; /* of the SACK that waits, and of the data beside it */
    sack_receipt_t shown;
    bool is_waiting, is_shown;
} receipt_t;

typedef struct {
    receipt_t *of[2]; /* by endpoint that the SACKs go to, NULL before one came together with data */
} receipts_t;

enum { SSNS_OF_STREAM = 1 << 16 };

/* Services that have a port and PPIDs of their own in the registries of IANA. */
static const struct {
    uint16_t port;
    uint8_t ppid, over_dtls;
} services[] = { { 2904, 2, 2 },    { 2905, 3, 3 },    { 3565, 5, 5 },    { 3868, 46, 47 },  { 5868, 46, 47 },
                 { 9082, 29, 29 },  { 9900, 1, 1 },    { 14001, 4, 4 },   { 29168, 24, 24 }, { 36412, 18, 18 },
                 { 36422, 27, 27 }, { 36443, 43, 43 }, { 36444, 44, 44 }, { 38412, 60, 66 }, { 38422, 61, 67 },
                 { 38462, 64, 69 }, { 38472, 62, 68 } };

/* Index in services, G_N_ELEMENTS(services): none. */
static unsigned service_of(const sctpa_assoc_t *assoc)
{
    unsigned at = 0;
    while (at < G_N_ELEMENTS(services) && services[at].port != assoc->ends[0].port &&
           services[at].port != assoc->ends[1].port)
        at++;
    return at;
}

/* The PPID that the service of one of the ports has, and that port: 0 no service has one. O(1). */
static uint32_t ppid_of_service(const sctpa_assoc_t *assoc, uint16_t *port)
{
    unsigned service = service_of(assoc);
    if (service == G_N_ELEMENTS(services))
        return 0;
    *port = services[service].port;
    return services[service].ppid;
}

static bool is_reversed(uint32_t ppid)
{
    return (ppid & 0xFFFFFF) == 0 && ppid > 0 && ppid >> 24 <= PPID_REGISTERED;
}

static bool is_foreign(const sctpa_assoc_t *assoc, uint32_t ppid)
{
    if (ppid == 0 || is_reversed(ppid))
        return false;
    unsigned service = service_of(assoc);
    return service < G_N_ELEMENTS(services) && ppid != services[service].ppid && ppid != services[service].over_dtls;
}

static void add_message(const sctpa_context_t *c, counts_t *counts, uint32_t ppid)
{
    counts->messages++;
    counts->reversed += is_reversed(ppid);
    counts->foreign += is_foreign(c->assoc, ppid);
    counts->unspecified += ppid == 0;
}

/* Takes the DATA of a packet, before rules are asked about it, and fills beginning of c. O(chunks) among the first
 * data, else O(1). */
static void first_data_take(sctpa_context_t *c)
{
    if (!(c->facts & SCTPA_FACT_NEW_DATA))
        return;
    first_data_t *first = sctpa_context_find_part(c, SCTPA_PART_FIRST_DATA);
    if (!first)
        first = sctpa_context_part(c, SCTPA_PART_FIRST_DATA, sizeof *first);
    counts_t *counts = &first->of[c->from];
    bool had_chunks = counts->chunks == FIRST_CHUNKS, had_messages = counts->messages == FIRST_MESSAGES;
    if (had_chunks && had_messages)
        return;
    for (unsigned i = 0; i < c->n_chunks; i++) {
        const sctpa_observed_t *data = &c->chunks[i];
        if (!sctpa_observed_is_new(data))
            continue;
        if (counts->chunks < FIRST_CHUNKS) {
            counts->chunks++;
            counts->immediate += (data->tlv.flags & SCTPA_TSN_IMMEDIATE) != 0;
        }
        if (counts->messages < FIRST_MESSAGES && data->sent.tsn->flags & SCTPA_TSN_BEGIN) {
            c->beginning.ppid = data->sent.tsn->ppid;
            add_message(c, counts, c->beginning.ppid);
        }
    }
    c->beginning.ends_chunks = !had_chunks && counts->chunks == FIRST_CHUNKS;
    c->beginning.ends_messages = !had_messages && counts->messages == FIRST_MESSAGES;
    c->beginning.immediate = counts->immediate;
    c->beginning.reversed = counts->reversed;
    c->beginning.foreign = counts->foreign;
    c->beginning.unspecified = counts->unspecified;
    c->facts |= c->beginning.ends_chunks || c->beginning.ends_messages ? SCTPA_FACT_FIRST_DATA : 0u;
}

static outstanding_t *begin(const sctpa_context_t *c)
{
    return sctpa_context_part(c, SCTPA_PART_OUTSTANDING, sizeof(outstanding_t));
}

/* Notes what passes again or late; how many bytes of the packet leave for the first time? */
static uint32_t read_data(const sctpa_context_t *c)
{
    uint32_t bytes = 0;
    for (unsigned i = 0; i < c->n_chunks; i++) {
        const sctpa_tsn_t *tsn = c->chunks[i].sent.tsn;
        if (sctpa_observed_is_new(&c->chunks[i]) && !(tsn->state & SCTPA_TSN_BEHIND)) {
            bytes += tsn->bytes;
        } else if (tsn) {
            outstanding_t *outstanding = begin(c);
            outstanding->end[c->from] = MAX(outstanding->end[c->from], c->chunks[i].sent.number + 1);
        }
    }
    return bytes;
}

/* The largest window that the sender may still go by: of the SACKs that may not have reached it, and of the last that
 * have. False: not known. */
static bool largest_window(const sctpa_context_t *c, sctpa_usable_window_t *window)
{
    const sctpa_sack_record_t *sacks = &SCTPA_RECORD(&c->sent->sacks, sctpa_sack_record_t, 0);
    uint32_t end = c->sent->sacks.len, first = end - MIN(end, SACKS_LOOKED_AT);
    int64_t old_ns = c->packet->time_ns - SACK_OLD_MS * SCTPA_NS_PER_MS;
    unsigned n_old = 0;
    if (sctpa_context_time_ns(c, sacks[first].packet) > old_ns) /* many SACKs in a short time */
        return false;
    window->a_rwnd_bytes = 0;
    for (uint32_t i = end; i > first && n_old < SACKS_OLD; i--) {
        const sctpa_sack_record_t *sack = &sacks[i - 1];
        if (sack->a_rwnd_bytes >= window->a_rwnd_bytes) {
            window->a_rwnd_bytes = sack->a_rwnd_bytes;
            window->packet = sack->packet;
        }
        n_old += sctpa_context_time_ns(c, sack->packet) <= old_ns;
    }
    return n_old == SACKS_OLD;
}

/* Does the sender take the acks that reach it? It believes none of what was never sent, and may pass over an NR-SACK
 * that was not negotiated. */
static bool takes_acks(const sctpa_context_t *c)
{
    return c->sent->rare->unseen_acked + c->sent->rare->acked_before == 0 && !c->receivers[!c->from]->sends_nr_sacks &&
           !(c->assoc->ends[c->from].init.auth_chunks & (uint32_t)SCTPA_SACK_ROWS);
}

/* User bytes that a SACK newly acknowledged. A SHUTDOWN that does so says nothing of a_rwnd, but frees room. */
static uint32_t acked_by_sack(const sctpa_acked_t *acked)
{
    return acked->order & 1 ? acked->bytes : 0;
}

/* Is all that passed towards the sender known to have reached it, and does it take the acks? */
static bool has_arrived(const sctpa_context_t *c)
{
    return sctpa_context_has_all_of(c) && takes_acks(c);
}

/* Does the new data leave though the sender knows that the window has no room, where all SACKs that passed reached it?
 * By none that it may go by does a_rwnd exceed what is outstanding, less what later ones acknowledged: by the last that
 * it has surely taken, and those since. Before there is such a one, a_rwnd of the INIT or INIT ACK counts. */
static bool is_full(const sctpa_context_t *c, sctpa_usable_window_t *window)
{
    const sctpa_records_t *sacks = &c->sent->sacks, *acked = &c->sent->acked;
    const sctpa_init_t *peer = &c->assoc->ends[!c->from].init;
    const int64_t old_ns = c->packet->time_ns - SACK_OLD_MS * SCTPA_NS_PER_MS,
                  taken_ns = c->packet->time_ns - MAX(sctpa_context_host_takes_ns(c, c->from), SCTPA_NEAR_NS);
    const uint32_t first = sacks->len - MIN(sacks->len, SACKS_OF_HOST);
    uint64_t outstanding_bytes = c->sent->flight_bytes - MIN(window->new_bytes, c->sent->flight_bytes);
    uint32_t at = acked->len, i = sacks->len;
    unsigned n_old = 0;
    if (outstanding_bytes == 0)
        return false;
    for (; i > first && n_old < SACKS_OLD; i--) {
        const sctpa_sack_record_t *sack = &SCTPA_RECORD(sacks, sctpa_sack_record_t, i - 1);
        for (; at > 0 && SCTPA_RECORD(acked, sctpa_acked_t, at - 1).packet > sack->packet; at--)
            outstanding_bytes += acked_by_sack(&SCTPA_RECORD(acked, sctpa_acked_t, at - 1));
        if (outstanding_bytes < sack->a_rwnd_bytes)
            return window->is_full;
        if (i == sacks->len) {
            window->a_rwnd_bytes = sack->a_rwnd_bytes;
            window->packet = sack->packet;
        }
        n_old += sctpa_context_time_ns(c, sack->packet) < old_ns;
        window->is_full |= sctpa_context_time_ns(c, sack->packet) < taken_ns;
    }
    for (; at > 0 && i == 0; at--)
        outstanding_bytes += acked_by_sack(&SCTPA_RECORD(acked, sctpa_acked_t, at - 1));
    const bool is_full_by_init = i == 0 && peer->seen && peer->whole && outstanding_bytes >= peer->a_rwnd_bytes;
    window->is_full |= is_full_by_init;
    window->is_surely_full = n_old == SACKS_OLD || is_full_by_init;
    return window->is_full;
}

/* Is it beyond the window, and was it since the last SACK? */
static void read_excess(const sctpa_context_t *c, sctpa_usable_window_t *window)
{
    const outstanding_t *before = sctpa_context_find_part(c, SCTPA_PART_OUTSTANDING);
    uint32_t sacks = c->sent->sacks.len;
    window->is_beyond = c->sent->flight_bytes >
                        (uint64_t)window->a_rwnd_bytes + BEYOND_BYTES + BEYOND_PACKETS * (uint64_t)window->new_bytes;
    window->was_beyond = before && before->beyond_sacks[c->from] == sacks;
    if (window->is_beyond && sctpa_context_is_intact(c))
        begin(c)->beyond_sacks[c->from] = sacks;
}

/* Does all that reaches the sender pass the tap, where nothing is asserted: has nobody another address? Does it take
 * the acks? */
static bool passes_one_way(const sctpa_context_t *c)
{
    return takes_acks(c) && sctpa_assoc_is_single_homed(c->assoc) && sctpa_context_is_intact(c) &&
           !sctpa_context_is_asserted(c, SCTPA_ASSERTED_COMPLETE);
}

/* New data leaves into a full window: is it the first since the last SACK? */
static bool is_first_since_sack(const sctpa_context_t *c)
{
    outstanding_t *outstanding = begin(c);
    const bool is_first = outstanding->full_sacks[c->from] != c->sent->sacks.len;
    outstanding->full_sacks[c->from] = c->sent->sacks.len;
    return is_first;
}

/* Takes the DATA of a packet, before rules are asked about it, and fills usable_window of c. O(chunks). */
static void outstanding_take(sctpa_context_t *c)
{
    const sctpa_direction_t *sent = c->sent;
    if (!(c->rows & SCTPA_DATA_ROWS) || !sent || sent->sacks.len == 0)
        return;
    c->usable_window = (sctpa_usable_window_t){ .new_bytes = read_data(c) };
    if (c->usable_window.new_bytes == 0 || !sent->has_cum || sctpa_direction_has_gaps(sent))
        return;
    const outstanding_t *outstanding = sctpa_context_find_part(c, SCTPA_PART_OUTSTANDING);
    if (outstanding && sent->cum_tsn + 1 < outstanding->end[c->from])
        return;
    const bool is_reliable = sctpa_given_up(c->assoc, sent, sent->highest) == SCTPA_NO,
               is_known = is_reliable && largest_window(c, &c->usable_window), is_arrived = has_arrived(c);
    if (is_known) {
        read_excess(c, &c->usable_window);
        c->facts |= SCTPA_FACT_USABLE_WINDOW;
    }
    sctpa_usable_window_t taken = { .new_bytes = c->usable_window.new_bytes };
    if (c->usable_window.is_beyond || sent->rare->abandoned_to >= 0 || !(is_arrived || passes_one_way(c)) ||
        !is_full(c, &taken))
        return;
    taken.is_surely_full &= is_reliable;
    if (!is_arrived && (!taken.is_surely_full || !is_first_since_sack(c)))
        return;
    c->usable_window = taken;
    c->facts |= SCTPA_FACT_USABLE_WINDOW;
}

/* Data that was sent once and is acknowledged has arrived, and so has the SACK in its packet. */
static void show(const sctpa_context_t *c, receipt_t *receipt)
{
    if (!receipt->is_waiting || c->acked->cum_tsn < receipt->tsn)
        return;
    const sctpa_tsn_t *tsn = sctpa_direction_tsn(c->acked, receipt->tsn);
    receipt->is_waiting = false;
    if (!tsn || tsn->transmissions != 1)
        return;
    receipt->shown.cum_tsn = receipt->is_shown ? MAX(receipt->shown.cum_tsn, receipt->cum_tsn) : receipt->cum_tsn;
    receipt->shown.since_ns = c->packet->time_ns;
    receipt->is_shown = true;
}

static void free_receipts(sctpa_arena_t *arena, void *part)
{
    const receipts_t *receipts = part;
    for (unsigned endpoint = 0; endpoint < 2; endpoint++)
        sctpa_arena_free(arena, receipts->of[endpoint], sizeof *receipts->of[endpoint]);
}

/* Takes the SACK of a packet, after rules were asked about it. O(chunks). */
static void sack_receipts_take(const sctpa_context_t *c)
{
    if (!(c->rows & SCTPA_ROW(SACK)) || !c->acked)
        return;
    receipts_t *receipts = sctpa_context_find_part(c, SCTPA_PART_SACK_RECEIPTS);
    bool may_wait = c->rows & SCTPA_ROW(DATA) && c->sent;
    if (!receipts && !may_wait)
        return;
    if (!receipts)
        receipts = sctpa_context_owning_part(c, SCTPA_PART_SACK_RECEIPTS, sizeof *receipts, free_receipts);
    if (receipts->of[c->from])
        show(c, receipts->of[c->from]);
    const sctpa_tlv_t *sack = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_SACK);
    if (!sctpa_tlv_has(sack, SCTPA_F_SACK_CUM_TSN))
        return;
    receipt_t *receipt = receipts->of[!c->from];
    int64_t cum_tsn = sctpa_direction_unwrap(c->acked, sctpa_tlv_u32(sack, SCTPA_F_SACK_CUM_TSN));
    if (receipt && cum_tsn < receipt->shown.cum_tsn) /* taken back, or delayed by the network */
        receipt->is_shown = false;
    if (!may_wait || (receipt && receipt->is_waiting))
        return;
    if (!receipt)
        receipt = receipts->of[!c->from] = sctpa_arena_alloc(&c->store->arena, sizeof *receipt);
    const sctpa_observed_t *data = sctpa_context_observed(c, SCTPA_CHUNK_ROW_DATA);
    receipt->tsn = data->sent.number;
    receipt->cum_tsn = cum_tsn;
    receipt->is_waiting = sctpa_observed_is_new(data) && cum_tsn <= c->acked->highest;
}

/* The highest cum_tsn that an endpoint surely received for its data, and did not see taken back since. False: none.
 * O(1).
 */
static bool sack_receipt(const sctpa_context_t *c, uint8_t endpoint, sack_receipt_t *receipt)
{
    const receipts_t *receipts = sctpa_context_find_part(c, SCTPA_PART_SACK_RECEIPTS);
    const receipt_t *of = receipts ? receipts->of[endpoint] : NULL;
    if (!of || !of->is_shown)
        return false;
    *receipt = of->shown;
    return true;
}

static uint32_t serial_of(const sctpa_context_t *c)
{
    return c->sent->initial_tsn + (uint32_t)c->chunk->sent.number;
}

/* The TSN of the chunk that is a retransmission, NULL: it is none. */
static const sctpa_tsn_t *retransmitted(const sctpa_context_t *c)
{
    return sctpa_observed_is_new(c->chunk) ? NULL : c->chunk->sent.tsn;
}

RULE(TX, 017,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = NEAR | CHECKSUM,
    .when = PACKET, .of = OF_SENDER, .on = DATA_ROWS,
    .accused = "sender of the data",
    .clause = "RFC 9260 6.9",
    .title = "New DATA in IP fragments",
    .quote = "it MUST fragment a user message if the size of the user message to be sent causes the outbound SCTP "
        "packet size to exceed the current PMTU.",
    .why = "One lost fragment loses the whole packet, and middleboxes drop IP fragments.",
    .evidence = "Near its sender, new data in one packet comes in IP fragments.",
    .doubt = "Data that was sent before, or cut before the path's MTU shrank, has to be fragmented by IP; and routers "
        "fragment, and not every change of the PMTU shows: possible, unless the user asserts the PMTU and the packet "
        "is longer. Not checked once an ICMP message about the association was seen.");

static bool TX_017_applies(const sctpa_context_t *c)
{
    return c->first_data && sctpa_observed_is_new(c->first_data) &&
           !(c->first_data->sent.tsn->state & SCTPA_TSN_BEHIND) && !c->tracked->rare->icmp_seen &&
           c->packet->encapsulation == SCTPA_OVER_IP;
}

/* RFC 9260 6.9: "it MUST fragment a user message if the size of the user message to be sent causes the outbound SCTP
 * packet size to exceed the current PMTU." */
static bool TX_017_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const uint32_t pmtu_asserted = SCTPA_ASSERTED(PMTU);
    int64_t pmtu_bytes = sctpa_tap_parameter(&c->reference->tap, c->from, SCTPA_PARAMETER_PMTU, 0);
    bool is_asserted = sctpa_context_is_asserted(c, pmtu_asserted);
    if (!c->packet->fragmented || (is_asserted && c->packet->ip_bytes <= pmtu_bytes))
        return false;
    violation->path = c->path;
    violation->rests_on = is_asserted ? pmtu_asserted : 0;
    violation->at_best = is_asserted ? SCTPA_CERTAINTY_PROVEN : SCTPA_CERTAINTY_POSSIBLE;
    sctpa_violation_say(violation, "a message cut into DATA chunks that fit the PMTU",
                        SCTPA_WORDS("an IP packet of %u bytes in fragments, with new data", c->packet->ip_bytes));
    return true;
}

RULE(TX, 002,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = CHUNK, .of = OF_SENDER, .on = DATA_ROWS, .if_facts = RTX,
    .report = { .one_defect = true },
    .accused = "sender of the data",
    .clause = "RFC 9260 6.9",
    .title = "TSN retransmitted with other content",
    .quote = "The transmitter MUST then assign, in sequence, a separate TSN to each of the DATA chunks in the series.",
    .why = "The receiver keeps whichever came first: data of one message gets into another, or is lost unnoticed.",
    .evidence = "The same TSN was sent with another stream, number, B, E or U bit, PPID or FSN, another length, or "
        "other user data, by a hash of it.",
    .doubt = "The I bit may change, and the SSN of unordered data means nothing. Packets that are cut, or whose "
        "checksum was not verified, are not compared. One in 255 changes of user data has the same hash and is "
        "missed.");

static bool TX_002_applies(const sctpa_context_t *c)
{
    const sctpa_tsn_t *tsn = retransmitted(c);
    return tsn &&
           g_array_index(c->tracker->records, sctpa_record_t, tsn->first_packet).checksum == SCTPA_CHECKSUM_CRC32C &&
           (c->chunk->tlv.type == SCTPA_CHUNK_I_DATA) == !!(tsn->flags & SCTPA_TSN_I_DATA) &&
           !sctpa_context_may_be_made_anew(c, c->from, tsn->first_packet);
}

/* RFC 9260 6.9: "assign, in sequence, a separate TSN to each of the DATA chunks in the series" */
static bool TX_002_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tsn_t *tsn = c->chunk->sent.tsn;
    const sctpa_tlv_t *chunk = &c->chunk->tlv;
    bool i_data = chunk->type == SCTPA_CHUNK_I_DATA;
    const sctpa_rtx_t *rtx = sctpa_observed_rtx(c->chunk, c->sent);
    if (!rtx->is_other_message)
        return false;
    violation->path = c->path;
    violation->related = tsn->first_packet;
    if (!rtx->has_other_head) {
        sctpa_violation_say(
            violation, "the user data of the first transmission",
            SCTPA_WORDS("other user data in TSN %u retransmitted", sctpa_tlv_u32(chunk, SCTPA_F_DATA_TSN)));
        return true;
    }
    sctpa_violation_say(violation,
                        SCTPA_WORDS("stream %u, number %u, flags 0x%02x, PPID or FSN %u, %u bytes", tsn->stream,
                                    tsn->ssn, tsn->flags & 7, tsn->ppid, tsn->bytes),
                        SCTPA_WORDS("stream %u, flags 0x%02x, %u bytes in TSN %u retransmitted",
                                    sctpa_tlv_u32(chunk, i_data ? SCTPA_F_I_DATA_SID : SCTPA_F_DATA_SID),
                                    chunk->flags & 7u, sctpa_chunk_payload_bytes(chunk),
                                    sctpa_tlv_u32(chunk, SCTPA_F_DATA_TSN)));
    return true;
}

RULE(TX, 011,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = SETUP | BOTH | COMPLETE | CHECKSUM,
    .when = CHUNK, .of = OF_SENDER, .on = DATA_ROWS,
    .accused = "sender of the data",
    .clause = "RFC 9260 5.1.1",
    .title = "Stream identifier beyond the agreed number of streams",
    .quote = "the valid outbound stream identifier range for either endpoint MUST be 0 to min(local OS, remote MIS) - "
        "1",
    .why = "The receiver reports Invalid Stream Identifier and discards the message.",
    .evidence = "The stream identifier is not below the smaller of the sender's number of outbound streams and the "
        "peer's maximum number of inbound streams, each the largest of its INITs and INIT ACKs.",
    .doubt = "RE-CONFIG may add streams: the rule is not checked after one. One that the capture lacks explains it "
        "only where set-up negotiated RE-CONFIG.");

static bool TX_011_applies(const sctpa_context_t *c)
{
    if (!c->chunk->sent.tsn)
        return false;
    const sctpa_stream_counts_t counts = sctpa_stream_counts(c);
    return sctpa_stream_counts_agreed(&counts, c->from) > 0 && !counts.reconfigured;
}

/* RFC 9260 5.1.1: "MUST be 0 to min(local OS, remote MIS) - 1" */
static bool TX_011_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_stream_counts_t counts = sctpa_stream_counts(c);
    const sctpa_tlv_t *chunk = &c->chunk->tlv;
    unsigned streams = sctpa_stream_counts_agreed(&counts, c->from);
    unsigned stream = sctpa_tlv_u32(chunk, chunk->type == SCTPA_CHUNK_I_DATA ? SCTPA_F_I_DATA_SID : SCTPA_F_DATA_SID);
    if (stream < streams)
        return false;
    violation->path = c->path;
    violation->is_certain = sctpa_negotiated(c->assoc, SCTPA_EXTENSION_RE_CONFIG) == SCTPA_NO;
    sctpa_violation_say(violation, SCTPA_WORDS("streams 0 to %u", streams - 1), SCTPA_WORDS("stream %u", stream));
    return true;
}

/* The chunk is new, and no TSN before it was given up or numbered anew. */
static bool is_next_new(const sctpa_context_t *c)
{
    const sctpa_transmission_t *data = &c->chunk->sent;
    return sctpa_observed_is_new(c->chunk) && data->number > 0 && c->sent->announced && !c->sent->restarted &&
           !c->sent->truncated && sctpa_given_up(c->assoc, c->sent, data->number - 1) == SCTPA_NO;
}

RULE(TX, 001,
    .level = SHOULD, .since = 9260, .seeing = NOTHING, .needs = SETUP | BOTH | COMPLETE | NEAR | CHECKSUM,
    .when = CHUNK, .of = OF_SENDER, .on = DATA_ROWS, .if_facts = NEW_DATA,
    .report = { .one_defect = true },
    .accused = "sender of the data",
    .clause = "RFC 9260 3.3.1",
    .title = "TSN left out",
    .quote = "The TSNs of DATA chunks sent SHOULD be strictly sequential.",
    .why = "The receiver waits for the TSN for ever: nothing behind it is delivered in order, and the window fills.",
    .evidence = "The capture is asserted to be complete and taken at the sender. A TSN passes for the first time, "
        "and the TSN before it has not passed. Where that may have been given up, or wait for another path: a SACK "
        "reached up to it, and neither it nor a FORWARD-TSN beyond it passed within " SAY(SCTPA_SACK_LONGEST_MS) " "
        "ms, though one must not be delayed by more than 500 ms (RFC 3758 3.5 F3). Without assertions, near it: "
        "probable where it still sends something 21 s later, when its timer has expired three times.",
    .doubt = "Without these assertions the TSN may be lost before the capture point, but not each time. Not checked "
        "of senders that have addresses of which it is not asserted, where packets were cut, and after a reset of the "
        "TSNs.");

static bool TX_001_applies(const sctpa_context_t *c)
{
    return sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED) && sctpa_assoc_is_single_homed(c->assoc) &&
           is_next_new(c);
}

/* RFC 9260 3.3.1: "The TSNs of DATA chunks sent SHOULD be strictly sequential." */
static bool TX_001_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const int64_t number = c->chunk->sent.number;
    if (sctpa_context_tsn(c->sent, number - 1))
        return false;
    violation->path = c->path;
    violation->rests_on = SCTPA_ASSERTED_ARRIVED;
    sctpa_violation_say(violation, SCTPA_WORDS("TSN %u first", sctpa_direction_serial(c->sent, number - 1)),
                        SCTPA_WORDS("TSN %u", sctpa_direction_serial(c->sent, number)));
    return true;
}

RULE(TX, 018,
    .level = MUST, .since = 2960, .seeing = MUST_HAVE, .needs = BOTH | NEAR | CHECKSUM,
    .when = CHUNK, .of = OF_SENDER, .on = DATA_ROWS, .if_facts = RTX,
    .accused = "sender of the data",
    .clause = "RFC 9260 6.7",
    .title = "Acknowledged TSN retransmitted",
    .quote = "the endpoint MUST remove all DATA chunks that have been acknowledged by the SACK chunk's Cumulative TSN "
        "Ack from its transmit queue",
    .why = "Bandwidth is wasted, and a sender that waits for acknowledgements that it has received may never end.",
    .evidence = "A TSN at or below a cum_tsn is retransmitted, at least " SAY(SCTPA_UNDER_WAY_MS) " ms and "
        SAY(SCTPA_UNDER_WAY_ROUND_TRIPS) " round trips after the sender showed that it had received that SACK: it "
        "acknowledged data of the same packet, which was sent only once. Or after that SACK, where the capture is "
        "asserted to be complete and taken at the sender. Probable where " SAY(ACKS_HEARD) " SACKs passed before, in "
        SAY(SCTPA_UNDER_WAY_MS) " ms or more, each of which acknowledged the TSN.",
    .doubt = "A SACK may be lost between capture point and sender or cross the retransmission: it counts only where "
        "its receipt is shown or follows from what is asserted.");

/* The first of the last ACKS_HEARD SACKs that passed, in no single burst, where each acknowledged the TSN: all of them
 * would have to be lost between the tap and its sender, which is near. SCTPA_NO_PACKET_INDEX: there are not so many.
 * O(1). */
static uint32_t heard_ack(const sctpa_context_t *c)
{
    const sctpa_direction_t *sent = c->sent;
    const uint32_t n = sent->sacks.len;
    const sctpa_sack_record_t *first =
        n >= ACKS_HEARD ? &SCTPA_RECORD(&sent->sacks, sctpa_sack_record_t, n - ACKS_HEARD) : NULL;
    if (!first || sent->restarted || sent->rare->unseen_acked + sent->rare->acked_before > 0 ||
        !sctpa_assoc_is_single_homed(c->assoc) || c->chunk->sent.tsn->ack_packet > first->packet ||
        sctpa_direction_unwrap(sent, first->cum_tsn) < c->chunk->sent.number)
        return SCTPA_NO_PACKET_INDEX;
    const uint32_t last = SCTPA_RECORD(&sent->sacks, sctpa_sack_record_t, n - 1).packet;
    const int64_t apart_ns = sctpa_context_time_ns(c, last) - sctpa_context_time_ns(c, first->packet);
    return sctpa_context_least_ns(c, apart_ns) >= SCTPA_UNDER_WAY_MS * SCTPA_NS_PER_MS ? first->packet
                                                                                       : SCTPA_NO_PACKET_INDEX;
}

static bool TX_018_applies(const sctpa_context_t *c)
{
    sack_receipt_t receipt;
    return retransmitted(c) &&
           (has_arrived(c) || sack_receipt(c, c->from, &receipt) || heard_ack(c) != SCTPA_NO_PACKET_INDEX);
}

/* Since when has the sender had an ack of the TSN, as its receipt shows, or as all that passed reached it? INT64_MAX:
 * not so far. *rests_on: SCTPA_ASSERTED_ bits. */
static int64_t acked_since_ns(const sctpa_context_t *c, uint32_t *rests_on)
{
    const uint32_t ack_packet = c->chunk->sent.tsn->ack_packet;
    sack_receipt_t receipt;
    *rests_on = 0;
    if (ack_packet >= c->index)
        return INT64_MAX;
    if (sack_receipt(c, c->from, &receipt) && c->chunk->sent.number <= receipt.cum_tsn)
        return receipt.since_ns;
    const uint8_t checksum = sctpa_context_record(c, ack_packet)->checksum;
    *rests_on = SCTPA_ASSERTED_ARRIVED;
    return has_arrived(c) && (checksum == SCTPA_CHECKSUM_CRC32C || checksum == SCTPA_CHECKSUM_ZERO)
               ? sctpa_context_time_ns(c, ack_packet)
               : INT64_MAX;
}

/* RFC 9260 6.7: "MUST remove all DATA chunks that have been acknowledged by the SACK chunk's Cumulative TSN Ack from
 * its transmit queue" */
static bool TX_018_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t rests_on;
    int64_t acked_ns = acked_since_ns(c, &rests_on);
    const uint32_t heard = acked_ns == INT64_MAX ? heard_ack(c) : SCTPA_NO_PACKET_INDEX;
    if (heard != SCTPA_NO_PACKET_INDEX) {
        acked_ns = sctpa_context_time_ns(c, heard);
        rests_on = 0;
    }
    if (acked_ns == INT64_MAX ||
        sctpa_context_least_ns(c, c->packet->time_ns - acked_ns) < sctpa_context_under_way_ns(c))
        return false;
    violation->path = c->path;
    violation->related = c->chunk->sent.tsn->ack_packet;
    violation->rests_on = rests_on;
    if (heard != SCTPA_NO_PACKET_INDEX)
        violation->at_best = SCTPA_CERTAINTY_PROBABLE;
    sctpa_violation_say(violation, "no TSN that a cum_tsn has acknowledged",
                        SCTPA_WORDS("TSN %u retransmitted %.3f s after its acknowledgement had arrived", serial_of(c),
                                    (double)(c->packet->time_ns - acked_ns) / 1e9));
    return true;
}

RULE(TX, 019,
    .level = HEURISTIC, .since = 2960, .seeing = NOTHING, .needs = BOTH | NEAR | CHECKSUM,
    .when = CHUNK, .of = OF_SENDER, .on = DATA_ROWS, .if_facts = RTX,
    .accused = "sender of the data",
    .clause = "RFC 9260 6.2.1",
    .title = "TSN in Gap Ack Blocks retransmitted",
    .quote = "SCTP considers the information carried in the Gap Ack Blocks in the SACK chunk as advisory.",
    .why = "Bandwidth is wasted on data that the receiver has: the sender does not use Gap Ack Blocks, or does not get "
        "the SACKs.",
    .evidence = "A TSN is retransmitted that was in Gap Ack Blocks for at least " SAY(SCTPA_UNDER_WAY_MS) " ms, "
        SAY(SCTPA_UNDER_WAY_ROUND_TRIPS) " round trips and " SAY(GAP_SACKS) " SACKs, none of which took it back.",
    .doubt = "Nothing forbids it, and the SACKs may have been lost between capture point and sender.");

static bool TX_019_applies(const sctpa_context_t *c)
{
    const sctpa_tsn_t *tsn = retransmitted(c);
    return tsn && !(tsn->state & (SCTPA_TSN_RENEGED | SCTPA_TSN_ACKED | SCTPA_TSN_LATE)) &&
           sctpa_direction_tells_reneging(c->sent);
}

/* RFC 9260 6.2.1: "SCTP considers the information carried in the Gap Ack Blocks in the SACK chunk as advisory" */
static bool TX_019_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tsn_t *tsn = c->chunk->sent.tsn;
    if (!(tsn->state & SCTPA_TSN_GAP_ACKED) || tsn->gap_packet >= c->index)
        return false;
    const sctpa_records_t *sacks = &c->sent->sacks;
    uint32_t since =
        sacks->len - sctpa_records_from(sacks->data, sacks->len, sizeof(sctpa_sack_record_t), tsn->gap_packet);
    int64_t since_ns = c->packet->time_ns - sctpa_context_time_ns(c, tsn->gap_packet);
    if (since < GAP_SACKS || sctpa_context_least_ns(c, since_ns) < sctpa_context_under_way_ns(c))
        return false;
    violation->path = c->path;
    violation->related = tsn->gap_packet;
    sctpa_violation_say(
        violation, "the TSNs that the Gap Ack Blocks leave out",
        SCTPA_WORDS("TSN %u retransmitted %.3f s after a Gap Ack Block held it", serial_of(c), (double)since_ns / 1e9));
    return true;
}

/* In how many of the pauses between the last transmissions of a TSN was other data newly acknowledged? */
static unsigned answered_between(const sctpa_context_t *c, const sctpa_tsn_t *tsn)
{
    const sctpa_direction_t *sent = c->sent;
    const sctpa_records_t *acked = &sent->acked;
    int64_t round_trip_ns = sctpa_context_srtt_ns(c) * PAUSE_HALF_ROUND_TRIPS / 2;
    unsigned n = 0, left = TIMES_AGAIN;
    const sctpa_rtx_t *rtx;
    for (uint32_t at = tsn->more; at > 0 && left > 0; at = rtx->link.before, left--) {
        rtx = sctpa_direction_rtx(sent, at);
        uint32_t first = sctpa_records_from(acked->data, acked->len, sizeof(sctpa_acked_t), rtx->previous);
        n += rtx->kind != SCTPA_RTX_PROBE &&
             sctpa_context_time_ns(c, rtx->packet) - sctpa_context_time_ns(c, rtx->previous) > round_trip_ns &&
             first < acked->len && SCTPA_RECORD(acked, sctpa_acked_t, first).packet < rtx->packet;
    }
    return n;
}

RULE(TX, 027,
    .level = HEURISTIC, .since = 2960, .seeing = NOTHING, .needs = BOTH,
    .when = CHUNK, .of = OF_SENDER, .on = DATA_ROWS, .if_facts = RTX,
    .accused = "sender of the data",
    .clause = "RFC 9260 6.3.3",
    .title = "One TSN does not arrive while others do",
    .quote = "Determine how many of the earliest (i.e., lowest TSN) outstanding DATA chunks for the address for which "
        "the T3-rtx has expired will fit into a single SCTP packet",
    .why = "Something on the way or the receiver drops this very packet: too big for the path, filtered by its "
        "content, or no room for it.",
    .evidence = "The TSN was sent " SAY(TIMES_AGAIN) " times or more and is not acknowledged, while in "
        SAY(PAUSES_ANSWERED) " of the last " SAY(TIMES_AGAIN) " pauses between its transmissions, each "
        "longer than " SAY(PAUSE_HALF_ROUND_TRIPS) "/2 round trips, the peer newly acknowledged others.",
    .doubt = "Heavy loss may do it by chance. Zero-window probes do not count.");

static bool TX_027_applies(const sctpa_context_t *c)
{
    const sctpa_tsn_t *tsn = retransmitted(c);
    return tsn && !(tsn->state & (SCTPA_TSN_ACKED | SCTPA_TSN_GAP_ACKED | SCTPA_TSN_ABANDONED));
}

/* RFC 9260 6.3.3: "Determine how many of the earliest (i.e., lowest TSN) outstanding DATA chunks for the address for
 * which the T3-rtx has expired will fit into a single SCTP packet" */
static bool TX_027_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tsn_t *tsn = c->chunk->sent.tsn;
    if (tsn->transmissions < TIMES_AGAIN || answered_between(c, tsn) < PAUSES_ANSWERED)
        return false;
    violation->path = c->path;
    violation->related = tsn->first_packet;
    sctpa_violation_say(violation, "delivery after a few transmissions, as for other TSNs",
                        SCTPA_WORDS("TSN %u sent %u times, %u bytes", serial_of(c), tsn->transmissions, tsn->bytes));
    return true;
}

RULE(TX, 028,
    .level = HEURISTIC, .since = 2960, .seeing = NOTHING, .needs = BOTH | NEAR | CHECKSUM,
    .when = CHUNK, .of = OF_SENDER, .on = DATA_ROWS, .if_facts = RTX,
    .report = { .from = 3 },
    .accused = "sender of the data",
    .clause = "RFC 9260 7.2.4",
    .title = "TSNs in Gap Ack Blocks retransmitted instead of the missing one",
    .quote = "determine how many of the earliest (i.e., lowest TSN) DATA chunks marked for retransmission will fit "
        "into a single packet",
    .why = "The hole stays until T3-rtx expires, and what the receiver has is sent twice.",
    .evidence = "TSNs that the newest SACK lists in Gap Ack Blocks are retransmitted, while the lowest outstanding "
        "TSN, which it leaves out, has not been retransmitted. Reported from the third occurrence.",
    .doubt = "One path only. A tail loss probe may send one or two such TSNs.");

static bool TX_028_applies(const sctpa_context_t *c)
{
    const sctpa_tsn_t *tsn = retransmitted(c);
    return tsn && !(tsn->state & (SCTPA_TSN_RENEGED | SCTPA_TSN_ACKED | SCTPA_TSN_LATE | SCTPA_TSN_REPORTED)) &&
           c->sent->paths.len <= 1 && sctpa_direction_tells_reneging(c->sent);
}

/* RFC 9260 7.2.4: "Determine how many of the earliest (i.e., lowest TSN) DATA chunks marked for retransmission will
 * fit" */
static bool TX_028_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tsn_t *tsn = c->chunk->sent.tsn, *lowest = sctpa_context_tsn(c->sent, c->sent->cum_tsn + 1);
    if (!(tsn->state & SCTPA_TSN_GAP_ACKED) || tsn->gap_packet >= c->index || !lowest || lowest->transmissions != 1 ||
        lowest->state & (SCTPA_TSN_GAP_ACKED | SCTPA_TSN_ABANDONED | SCTPA_TSN_EARLIER_UNSEEN))
        return false;
    violation->path = c->path;
    violation->related = lowest->first_packet;
    sctpa_violation_say(
        violation, SCTPA_WORDS("TSN %u retransmitted first", sctpa_direction_serial(c->sent, c->sent->cum_tsn + 1)),
        SCTPA_WORDS("TSN %u, which a Gap Ack Block held", serial_of(c)));
    return true;
}

static sctpa_words_t describe(const sctpa_context_t *c, int64_t number, uint16_t stream, uint32_t ssn, uint8_t flags)
{
    return sctpa_words("TSN %u: stream %u, SSN %u, %s%s%s%s", sctpa_direction_serial(c->sent, number), stream, ssn,
                       flags & SCTPA_TSN_UNORDERED ? "U" : "", flags & SCTPA_TSN_BEGIN ? "B" : "",
                       flags & SCTPA_TSN_END ? "E" : "", flags & (SCTPA_TSN_BEGIN | SCTPA_TSN_END) ? "" : "middle");
}

static sctpa_words_t describe_tsn(const sctpa_context_t *c, int64_t number)
{
    const sctpa_tsn_t *tsn = sctpa_context_tsn(c->sent, number);
    return describe(c, number, tsn->stream, tsn->ssn, tsn->flags);
}

/* The misplaced TSN is the evidence, NULL: none is of this kind. */
static const sctpa_misplaced_t *find_misplaced(const sctpa_context_t *c, sctpa_misplaced_kind_t kind,
                                               sctpa_violation_t *violation)
{
    if (!sctpa_is_misplaced(c, kind))
        return NULL;
    const sctpa_misplaced_t *misplaced = &c->reached.misplaced[kind];
    const sctpa_tsn_t *tsn = sctpa_context_tsn(c->sent, misplaced->tsn);
    violation->path = tsn->path;
    violation->related = tsn->first_packet;
    return misplaced;
}

RULE(TX, 007,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM,
    .when = PACKET, .of = OF_SENDER, .on = DATA_ROWS, .if_facts = FRAGMENTS,
    .accused = "sender of the data",
    .clause = "RFC 9260 3.3.1",
    .title = "Fragments of a message differ in stream, SSN or U bit",
    .quote = "the same Stream Sequence Number MUST be carried in each of the fragments of the message",
    .why = "The receiver cannot reassemble the message, or aborts the association.",
    .evidence = "A TSN continues (B not set) the message of the TSN before it, which has not ended, with another "
        "stream, U bit or, in ordered data, SSN.",
    .doubt = "The SSN of unordered data means nothing; a B bit begins another message; I-DATA may be interleaved.");

static bool TX_007_applies(const sctpa_context_t *c)
{
    return c->reached.follows & SCTPA_FOLLOWS_FRAGMENT || sctpa_is_misplaced(c, SCTPA_MISPLACED_MESSAGE);
}

/* RFC 9260 3.3.1: "the same Stream Sequence Number MUST be carried in each of the fragments of the message" */
static bool TX_007_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_misplaced_t *other = find_misplaced(c, SCTPA_MISPLACED_MESSAGE, violation);
    if (!other)
        return false;
    const sctpa_fragment_t *before = &other->before;
    sctpa_violation_say(violation, describe(c, before->tsn, before->stream, before->ssn, before->flags).text,
                        describe_tsn(c, other->tsn).text);
    return true;
}

RULE(TX, 008,
    .level = HEURISTIC, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM,
    .when = PACKET, .of = OF_SENDER, .on = DATA_ROWS, .if_facts = FRAGMENTS,
    .accused = "sender of the data",
    .clause = "RFC 9260 3.3.1",
    .title = "Fragments of a message differ in PPID",
    .quote = "This field MUST be sent even in fragmented DATA chunks",
    .why = "Which PPID the peer's upper layer gets depends on its stack.",
    .evidence = "A TSN continues the message of the TSN before it with another PPID.",
    .doubt = "The clause requires the field, not equal values; I-DATA has the FSN in its place.");

static bool TX_008_applies(const sctpa_context_t *c)
{
    return c->reached.follows & SCTPA_FOLLOWS_FRAGMENT;
}

/* RFC 9260 3.3.1: "This field MUST be sent even in fragmented DATA chunks" */
static bool TX_008_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_misplaced_t *other = find_misplaced(c, SCTPA_MISPLACED_PPID, violation);
    if (other)
        sctpa_violation_say(violation, SCTPA_WORDS("PPID %u", other->before.ppid),
                            SCTPA_WORDS("PPID %u", sctpa_context_tsn(c->sent, other->tsn)->ppid));
    return other != NULL;
}

RULE(TX, 009,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM | COMPLETE | BOTH,
    .span = SCTPA_SPAN_EVIDENCE,
    .when = PACKET, .of = OF_SENDER, .on = DATA_ROWS, .if_facts = FRAGMENTS,
    .accused = "sender of the data",
    .clause = "RFC 9260 3.3.1",
    .title = "Fragments of a message not on consecutive TSNs",
    .quote = "the TSNs for each fragment of a fragmented user message MUST be strictly sequential",
    .why = "A receiver may take the fragments for those of different messages: the message never arrives, or the "
        "association is aborted.",
    .evidence = "A TSN without B bit fits a message (stream, U bit, SSN) whose last fragment was not the TSN before "
        "it: that one was seen and is of another message; or, near the sender, both fragments came in one packet and "
        "the TSNs between them did not pass in " SAY(SCTPA_FRAGMENTS_APART_MS) " ms, and did not arrive, while the "
        "second did.",
    .doubt = "TSNs that do not pass near the sender might be lost before the capture point: they must be the first "
        "that did not pass, and no TSN of this sender may have passed after a higher one. I-DATA may be interleaved.");

static bool TX_009_applies(const sctpa_context_t *c)
{
    return c->reached.follows & (SCTPA_FOLLOWS_FRAGMENT | SCTPA_FOLLOWS_HOLE) ||
           sctpa_is_misplaced(c, SCTPA_MISPLACED_MESSAGE) || sctpa_is_misplaced(c, SCTPA_MISPLACED_APART) ||
           sctpa_is_misplaced(c, SCTPA_MISPLACED_NO_BEGIN);
}

/* RFC 9260 3.3.1: "the TSNs for each fragment of a fragmented user message MUST be strictly sequential" */
static bool TX_009_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_misplaced_t *apart = find_misplaced(c, SCTPA_MISPLACED_APART, violation);
    if (apart)
        sctpa_violation_say(
            violation,
            SCTPA_WORDS("the message goes on in TSN %u", sctpa_direction_serial(c->sent, apart->before.tsn + 1)),
            describe_tsn(c, apart->tsn).text);
    return apart != NULL;
}

/* May the TSN before be of an association that was made anew since, with the same TSNs? */
static bool is_before_another_association(const sctpa_context_t *c, sctpa_misplaced_kind_t kind)
{
    return sctpa_context_may_be_made_anew(c, c->from, c->reached.misplaced[kind].before.packet);
}

/* A message that is given up may go no further. Most likely it was not, where nothing was given up so far, and the next
 * one began sooner than any message is given up, or once all of it was acknowledged that was sent, so that nothing held
 * the rest back. SCTPA_CERTAINTIES: it may have been. */
static sctpa_certainty_t lacks_end(const sctpa_context_t *c)
{
    const sctpa_misplaced_t *other = &c->reached.misplaced[SCTPA_MISPLACED_NO_END];
    if (!sctpa_is_misplaced(c, SCTPA_MISPLACED_NO_END) || is_before_another_association(c, SCTPA_MISPLACED_NO_END))
        return SCTPA_CERTAINTIES;
    if (sctpa_given_up(c->assoc, c->sent, other->tsn) == SCTPA_NO)
        return SCTPA_CERTAINTY_PROVEN;
    const uint32_t began = sctpa_context_tsn(c->sent, other->tsn)->first_packet;
    const sctpa_tsn_t *last = sctpa_context_tsn(c->sent, other->before.tsn);
    const int64_t between_ns = sctpa_context_time_ns(c, began) - sctpa_context_time_ns(c, other->before.packet);
    const bool is_acked = last && last->ack_packet < began;
    return c->sent->rare->abandoned_to < 0 && !c->sent->restarted &&
                   (is_acked || sctpa_context_most_ns(c, between_ns) < SCTPA_LIFE_LEAST_MS * SCTPA_NS_PER_MS)
               ? SCTPA_CERTAINTY_PROBABLE
               : SCTPA_CERTAINTIES;
}

/* The first TSN of all, which is known from the INIT or INIT ACK, begins a message. */
static bool is_first_without_beginning(const sctpa_context_t *c)
{
    const sctpa_observed_t *data = c->first_data;
    return data && data->sent.tsn && data->sent.number == 0 && sctpa_observed_is_new(data) && c->sent->announced &&
           !c->sent->restarted && !(data->sent.tsn->flags & SCTPA_TSN_BEGIN);
}

RULE(TX, 010,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM,
    .when = PACKET, .of = OF_SENDER, .on = DATA_ROWS,
    .report = { .one_defect = true },
    .accused = "sender of the data",
    .clause = "RFC 9260 6.9",
    .title = "Impossible order of B and E bits",
    .quote = "set the B/E bits of the first DATA chunk in the series to 10, the B/E bits of the last DATA chunk in the "
        "series to 01",
    .why = "The receiver cannot reassemble messages, or aborts the association.",
    .evidence = "The TSN before ended a message, and this one does not begin one; or it did not end one, and this one "
        "begins another. Or the Initial TSN begins none.",
    .doubt = "A sender that gives up messages (partial reliability) may begin another before the end: probable where "
        "INIT and INIT ACK offer it, and only before the first FORWARD-TSN, where the other message began less than "
        SAY(SCTPA_LIFE_LEAST_MS) " ms later, or once what was sent of the first had been acknowledged.");

static bool TX_010_applies(const sctpa_context_t *c)
{
    return c->reached.follows & SCTPA_FOLLOWS_MESSAGE || sctpa_is_misplaced(c, SCTPA_MISPLACED_NO_BEGIN) ||
           lacks_end(c) != SCTPA_CERTAINTIES || is_first_without_beginning(c);
}

/* RFC 9260 6.9: "set the B/E bits of the first DATA chunk in the series to 10, the B/E bits of the last DATA chunk in
 * the series to 01" */
static bool TX_010_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (is_first_without_beginning(c)) {
        violation->path = c->path;
        sctpa_violation_say(violation, "B set in the Initial TSN", describe_tsn(c, 0).text);
        return true;
    }
    if (!(c->facts & SCTPA_FACT_FRAGMENTS))
        return false;
    const sctpa_misplaced_t *other =
        sctpa_is_misplaced(c, SCTPA_MISPLACED_NO_BEGIN) && !is_before_another_association(c, SCTPA_MISPLACED_NO_BEGIN)
            ? find_misplaced(c, SCTPA_MISPLACED_NO_BEGIN, violation)
            : NULL;
    if (other) {
        sctpa_violation_say(
            violation, SCTPA_WORDS("B set: TSN %u ended a message", sctpa_direction_serial(c->sent, other->before.tsn)),
            describe_tsn(c, other->tsn).text);
        return true;
    }
    const sctpa_certainty_t lacks = lacks_end(c);
    other = lacks != SCTPA_CERTAINTIES ? find_misplaced(c, SCTPA_MISPLACED_NO_END, violation) : NULL;
    violation->at_best = other ? lacks : violation->at_best;
    if (other)
        sctpa_violation_say(violation,
                            SCTPA_WORDS("the message of TSN %u goes on, or ends with E first",
                                        sctpa_direction_serial(c->sent, other->before.tsn)),
                            describe_tsn(c, other->tsn).text);
    return other != NULL;
}

/* Whether the SSN of a message is wrong is said when the packet's peer sent it and the packet acknowledges it. */
static bool is_ssn_wrong(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_wrong_ssn_t *wrong = c->reached.wrong_ssn;
    if (c->accused == c->from)
        return false;
    uint16_t step = (uint16_t)(wrong->seen - wrong->expected);
    violation->related = wrong->packet;
    sctpa_violation_say(violation, SCTPA_WORDS("SSN %u on stream %u", wrong->expected, wrong->stream),
                        SCTPA_WORDS("SSN %u in TSN %u, %u %s", wrong->seen,
                                    sctpa_direction_serial(c->acked, wrong->tsn),
                                    step < SSNS_OF_STREAM / 2 ? step : SSNS_OF_STREAM - step,
                                    step < SSNS_OF_STREAM / 2 ? "too high" : "too low"));
    return true;
}

RULE(TX, 003,
    .level = MUST, .since = 4960, .seeing = NOTHING, .needs = SETUP | COMPLETE | BOTH | CHECKSUM,
    .when = PACKET, .of = OF_EACH, .on = DATA_ROWS | SACK_ROWS, .if_facts = FIRST_SSN,
    .accused = "sender of the data",
    .clause = "RFC 9260 6.5",
    .title = "First ordered message of a stream has an SSN other than 0",
    .quote = "The Stream Sequence Number in all the outgoing streams MUST start from 0 when the association is "
        "established.",
    .why = "The receiver waits for the messages before it for ever: the stream delivers nothing.",
    .evidence = "Every TSN from the initial one on was seen, no stream was reset, nothing was given up, and the "
        "message was acknowledged.",
    .doubt = "Not checked after messages were given up, after any RE-CONFIG (it may reset streams), and where TSNs "
        "were not seen.");

static bool TX_003_applies(const sctpa_context_t *c)
{
    return c->accused == c->from ? c->reached.follows & SCTPA_FOLLOWS_NO_SSN
                                 : c->reached.wrong_ssn && c->reached.wrong_ssn->is_first;
}

/* RFC 9260 6.5: "The Stream Sequence Number in all the outgoing streams MUST start from 0 when the association is
 * established." */
static bool TX_003_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return is_ssn_wrong(c, violation);
}

RULE(TX, 004,
    .level = MUST, .since = 9260, .seeing = NOTHING, .needs = COMPLETE | BOTH | CHECKSUM,
    .when = PACKET, .of = OF_EACH, .on = DATA_ROWS | SACK_ROWS, .if_facts = NEXT_SSN,
    .accused = "sender of the data",
    .clause = "RFC 9260 6.5",
    .title = "SSN does not follow that of the message before",
    .quote = "The Stream Sequence Number of an outgoing stream MUST be incremented by 1 for each ordered user message "
        "sent on that outgoing stream.",
    .why = "If a number is left out, the stream delivers nothing more; a number used twice is a duplicate or mixes "
        "messages.",
    .evidence = "Two ordered messages of a stream, and every TSN between them was seen. Unordered messages do not "
        "count; 65535 is followed by 0.",
    .doubt = "Not checked after messages were given up (a FORWARD-TSN says so before the TSN is acknowledged), after "
        "any RE-CONFIG (it may reset streams), and where TSNs were not seen.");

static bool TX_004_applies(const sctpa_context_t *c)
{
    return c->accused == c->from ? c->reached.follows & SCTPA_FOLLOWS_SSN
                                 : c->reached.wrong_ssn && !c->reached.wrong_ssn->is_first;
}

/* RFC 9260 6.5: "MUST be incremented by 1 for each ordered user message sent on that outgoing stream" */
static bool TX_004_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return is_ssn_wrong(c, violation);
}

static const char *name_of(uint32_t ppid)
{
    const char *name = sctpa_ppid_name(ppid);
    return name ? name : "not registered";
}

/* Are the first messages complete, on the port of a service? */
static bool has_first_of_service(const sctpa_context_t *c)
{
    uint16_t port;
    return c->beginning.ends_messages && ppid_of_service(c->assoc, &port) > 0;
}

static void say_service(const sctpa_context_t *c, sctpa_violation_t *violation, const char *seen)
{
    uint16_t port = 0;
    uint32_t expected = ppid_of_service(c->assoc, &port);
    violation->path = c->path;
    sctpa_violation_say(violation, SCTPA_WORDS("PPID %u (%s) on port %u", expected, name_of(expected), port), seen);
}

RULE(TX, 021,
    .level = HEURISTIC, .since = 2960, .seeing = NOTHING, .needs = 0,
    .when = PACKET, .of = OF_SENDER, .on = DATA_ROWS, .if_facts = FIRST_DATA,
    .report = { .one_defect = true },
    .accused = "sender of the data",
    .clause = "RFC 9260 3.3.1; IANA",
    .title = "PPID of another service than that of the port",
    .quote = "This identifier is not used by SCTP but can be used by certain network entities",
    .why = "Peers that look at the PPID reject the messages, or take them for those of another protocol.",
    .evidence = "One of the ports is registered for a service with PPIDs of its own (NGAP, S1AP, M3UA, Diameter, ...), "
        "and each of the first " SAY(FIRST_MESSAGES) " messages has another one.",
    .doubt = "Ports may be used privately; PPID 0 (not specified) and the PPIDs for DTLS do not count, nor does one in "
        "the wrong byte order.");

static bool TX_021_applies(const sctpa_context_t *c)
{
    return has_first_of_service(c);
}

/* RFC 9260 3.3.1: "This identifier is not used by SCTP but can be used by certain network entities" */
static bool TX_021_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->beginning.foreign < FIRST_MESSAGES)
        return false;
    uint32_t ppid = c->beginning.ppid;
    say_service(
        c, violation,
        SCTPA_WORDS("PPID %u (%s) and the like in all of the first %u messages", ppid, name_of(ppid), FIRST_MESSAGES));
    return true;
}

RULE(TX, 022,
    .level = HEURISTIC, .since = 2960, .seeing = NOTHING, .needs = 0,
    .when = PACKET, .of = OF_SENDER, .on = DATA_ROWS, .if_facts = FIRST_DATA,
    .report = { .one_defect = true },
    .accused = "sender of the data",
    .clause = "RFC 9260 3.3.1",
    .title = "PPID in the wrong byte order",
    .quote = "the upper layer is responsible for the host to network byte order conversion of this field",
    .why = "Peers and analysers take the messages for those of an unknown protocol.",
    .evidence = "In each of the first " SAY(FIRST_MESSAGES) " messages the PPID is one of the first "
        SAY(PPID_REGISTERED) " with its bytes reversed: the application did not convert it (htonl).",
    .doubt = "A private PPID may look like this by chance; all " SAY(FIRST_MESSAGES) " must.");

static bool TX_022_applies(const sctpa_context_t *c)
{
    return c->beginning.ends_messages;
}

/* RFC 9260 3.3.1: "the upper layer is responsible for the host to network byte order conversion of this field" */
static bool TX_022_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t ppid = c->beginning.ppid;
    if (c->beginning.reversed < FIRST_MESSAGES)
        return false;
    violation->path = c->path;
    sctpa_violation_say(
        violation, SCTPA_WORDS("PPID %u (%s)", ppid >> 24, name_of(ppid >> 24)),
        SCTPA_WORDS("PPID %u (0x%08x) and the like in all of the first %u messages", ppid, ppid, FIRST_MESSAGES));
    return true;
}

RULE(TX, 029,
    .level = HEURISTIC, .since = 2960, .seeing = NOTHING, .needs = 0,
    .when = PACKET, .of = OF_SENDER, .on = DATA_ROWS, .if_facts = FIRST_DATA,
    .accused = "sender of the data",
    .clause = "RFC 9260 3.3.1; IANA",
    .title = "PPID 0 on the port of a service with a PPID of its own",
    .quote = "This identifier is not used by SCTP but can be used by certain network entities",
    .why = "Peers and analysers that look at the PPID do not know which protocol the messages are.",
    .evidence = "One of the ports is registered for a service with PPIDs of its own (NGAP, S1AP, M3UA, Diameter, ...), "
        "and each of the first " SAY(FIRST_MESSAGES) " messages has PPID 0 (not specified).",
    .doubt = "Ports may be used privately, and nothing forbids PPID 0. Services whose PPID is 0, such as SGsAP, do not "
        "count.");

static bool TX_029_applies(const sctpa_context_t *c)
{
    return has_first_of_service(c);
}

/* RFC 9260 3.3.1: "This identifier is not used by SCTP but can be used by certain network entities" */
static bool TX_029_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->beginning.unspecified < FIRST_MESSAGES)
        return false;
    say_service(c, violation, SCTPA_WORDS("PPID 0 in all of the first %u messages", FIRST_MESSAGES));
    return true;
}

RULE(TX, 024,
    .level = HEURISTIC, .since = 7053, .seeing = NOTHING, .needs = SETUP,
    .when = PACKET, .of = OF_SENDER, .on = DATA_ROWS, .if_facts = FIRST_DATA,
    .accused = "sender of the data",
    .clause = "RFC 9260 6.1",
    .title = "I bit on nearly all data",
    .quote = "the sender MAY set the I bit in the DATA chunk header",
    .why = "The peer sends a SACK for every packet: twice as many as needed.",
    .evidence = "More than " SAY(CHUNKS_IMMEDIATE) " of the first " SAY(FIRST_CHUNKS) " DATA chunks carry "
        "the I bit in their first transmission.",
    .doubt = "It is allowed. Retransmissions do not count, so the capture must hold the beginning.");

static bool TX_024_applies(const sctpa_context_t *c)
{
    return c->beginning.ends_chunks;
}

/* RFC 9260 6.1: "the sender MAY set the I bit in the DATA chunk header" */
static bool TX_024_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->beginning.immediate <= CHUNKS_IMMEDIATE)
        return false;
    violation->path = c->path;
    sctpa_violation_say(violation, "the I bit where a delay of the SACK would hurt",
                        SCTPA_WORDS("on %u of the first %u DATA chunks", c->beginning.immediate, FIRST_CHUNKS));
    return true;
}

RULE(TX, 012,
    .level = MUST, .since = 2960, .seeing = MUST_HAVE, .needs = SETUP | BOTH | COMPLETE | NEAR | CHECKSUM,
    .when = PACKET, .of = OF_SENDER, .on = DATA_ROWS, .if_facts = USABLE_WINDOW,
    .report = { .from = BEYOND_REPORTED, .at_once_if = IF_COMPLETE },
    .accused = "sender of the data",
    .clause = "RFC 9260 6.1 A",
    .title = "New data beyond the peer's window",
    .quote = "the data sender MUST NOT transmit new data to any destination transport address if its peer's rwnd "
        "indicates that the peer has no buffer space",
    .why = "The receiver drops what does not fit: the data is retransmitted again and again, and cwnd collapses.",
    .evidence = "New data leaves more user bytes outstanding than any a_rwnd that the sender may go by, by more than "
        SAY(BEYOND_BYTES) " bytes and " SAY(BEYOND_PACKETS) " times what the packet adds. All SACKs of the "
        "last " SAY(SACK_OLD_MS) " ms count, and the " SAY(SACKS_OLD) " before. Reported where it "
        "happened " SAY(BEYOND_REPORTED) " times, each after another SACK. Where the capture is asserted to be "
        "complete and taken at the sender, most likely also new data that leaves with as much outstanding as any "
        "a_rwnd allows of the SACKs that came within the longest time that the sender took for an answer due at once ("
        SAY(SCTPA_HOST_TAKES_MS) " ms where it gave none, " SAY(SCTPA_NEAR_MS) " ms at least), and of the SACK before, "
        "but not nothing, so that it is no probe; surely where that is so of those of the last " SAY(SACK_OLD_MS)
        " ms and the " SAY(SACKS_OLD) " before, or of all and of a_rwnd of the INIT or INIT ACK. Elsewhere, between "
        "endpoints of one address each, most likely, where that is so " SAY(BEYOND_REPORTED) " times.",
    .doubt = "Bytes given back to the window play no part: nothing is reported missing, nothing outstanding was "
        "retransmitted, and partial reliability was not negotiated, or nothing was given up yet: only most likely. "
        "One probe of a zero window, and an overshoot by a packet, stay below the margin. A SACK that the capture "
        "missed explains one occurrence, not " SAY(BEYOND_REPORTED) ". What the sender had put into a queue of its "
        "host before the SACK came passes after it: only most likely, where less time has passed than "
        SAY(SACK_OLD_MS) " ms.");

static bool TX_012_applies(const sctpa_context_t *c)
{
    return c->facts & SCTPA_FACT_USABLE_WINDOW;
}

/* RFC 9260 6.1: "the data sender MUST NOT transmit new data to any destination transport address if its peer's rwnd
 * indicates that the peer has no buffer space" */
static bool TX_012_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_usable_window_t *window = &c->usable_window;
    if (!window->is_full && (!window->is_beyond || window->was_beyond))
        return false;
    violation->path = c->path;
    violation->related = window->packet;
    const bool is_asserted = sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED);
    violation->rests_on = window->is_full && is_asserted ? SCTPA_ASSERTED_ARRIVED : 0;
    violation->at_best =
        window->is_full && !(window->is_surely_full && is_asserted) ? SCTPA_CERTAINTY_PROBABLE : SCTPA_CERTAINTY_PROVEN;
    sctpa_violation_say(violation, SCTPA_WORDS("at most %u bytes outstanding", c->usable_window.a_rwnd_bytes),
                        SCTPA_WORDS("%" G_GUINT64_FORMAT " bytes outstanding, %u of them new", c->sent->flight_bytes,
                                    c->usable_window.new_bytes));
    return true;
}

void sctpa_check_data_sender(sctpa_context_t *c)
{
    if (c->due) {
        ASK_DUE(TX, 001, LEFT_OUT_TSN);
        return;
    }
    sctpa_message_order_take(c);
    outstanding_take(c);
    first_data_take(c);
    ASK(TX, 001);
    ASK(TX, 002);
    ASK(TX, 003);
    ASK(TX, 004);
    ASK(TX, 007);
    ASK(TX, 008);
    ASK(TX, 009);
    ASK(TX, 010);
    ASK(TX, 011);
    ASK(TX, 012);
    ASK(TX, 017);
    ASK(TX, 018);
    ASK(TX, 019);
    ASK(TX, 021);
    ASK(TX, 022);
    ASK(TX, 024);
    ASK(TX, 027);
    ASK(TX, 028);
    ASK(TX, 029);
    sack_receipts_take(c);
}
