/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds packets that the capture holds more than once: on two interfaces, at both ends, before and after a NAT, with
 * and without a VLAN header, or simply twice. A duplicate must look different in where it was taken (interface,
 * direction, TTL, link header, addresses), or come at once, or every packet must come twice: a retransmission, or a
 * packet that the network doubled, looks the same where it was taken, and so do SACKs and FORWARD-TSNs without
 * identification that an endpoint sends again unchanged. Each time that a packet is seen at one place has
 * one duplicate at each other, whichever place shows it first. Where another interface cut the packet, they have its
 * first bytes in common. Packets with another IPv4 identification are other packets; of those without one, which of
 * several a duplicate belongs to follows from how much later than another interface this one showed the packets before:
 * the way between them, and how far their clocks differ. */
#include "base/hash.h"
#include "identity_parts.h"
#include "track/endpoints.h"
#include "track/packet.h"
#include "track/tracker.h"

enum {
    WAYS = 4, /* packets that share a set; the oldest one gives way */
    SETS = 1 << 15,
    CACHE_LINE_BYTES = 64,
    INTERFACES = 256, /* counted apart, by number modulo */
    PLACES = 3,       /* places remembered of one packet */
    WAITING = 4,      /* first sightings of one packet, transmissions of the same bytes, that may have duplicates */
    WITHOUT_ID_MS =
        500, /* duplicates of packets without IPv4 identification lie closer than this to what is expected */
    WITH_ID_MS = SCTPA_CLOCKS_MS + WITHOUT_ID_MS,
    TRANSLATED_MS = 5, /* duplicates with other addresses (NAT) when no identification says that they are the same, nor
                          the addresses: a retransmission to another address of a multihomed peer comes later */
    SAME_PLACE_MS = 2
};
/* No timer sends the same packet again so soon, and no way there and back is as short: it was captured twice, or the
 * network doubled it right before. Said only where stamps tell such times apart. */
enum { AGAIN_AT_ONCE_NS = 5000, COARSE_NS = 10000 };
/* The first bytes, which any capture holds: the header of a chunk, and what tells apart those that are sent one after
 * the other (TSN, Initiate Tag, serial number). */
enum { FIRST_BYTES = 16, IS_CUT = 1 };
enum { FREE = 0, SEEN_AGAIN = 2, TTL_BITS = 8, IS_PLACE = 1 << 30 }; /* the first two are no places */

/* A packet. A set of them is a cache line: nearly all packets are seen once, and a look-up touches no more. */
typedef struct {
    uint32_t content; /* the upper half of its hash, whose lower half is the set; of its first bytes: IS_CUT or not */
    uint32_t index;   /* packet index of the first sighting not yet matched */
    uint32_t place;   /* TTL, and a hash of interface, direction and link header; or FREE, SEEN_AGAIN */
    uint32_t way;     /* hash of addresses and ports; seen again: number in again */
} seen_t;

typedef struct {
    seen_t seen[WAYS];
} set_t;

/* What is known of a packet that was seen again. */
typedef struct {
    int64_t times_ns[PLACES]; /* of the last sighting at each place */
    uint32_t ways[PLACES], places[PLACES];
    uint16_t seen[PLACES];
    uint8_t last;             /* place of the last sighting */
    bool has_left;            /* more than WAITING first sightings: the oldest gave way */
    uint8_t n;                /* first sightings, newest first: */
    uint8_t matched[WAITING]; /* bit i: seen at places[i] */
    uint32_t first[WAITING];  /* packet index */
} again_t;

struct sctpa_duplicate_packets {
    set_t *sets;        /* 2 MiB, touched as packets come */
    void *allocated;    /* the same before alignment */
    sctpa_pool_t again; /* again_t */
    int64_t later_ns;   /* how much later than another interface the last duplicate was seen; 0 none yet */
    uint32_t interface; /* of the first packet */
    bool has_packets, has_others, has_cut; /* a packet of another interface, one that was cut */
    struct {
        uint32_t packets, repeats;
        bool is_fine;
        bool is_second;
        int64_t later_ns;
    } here[INTERFACES]; /* packets that no endpoint sends twice, each counted once, and those of them that came again at
                           the same place soon after; are stamps finer than COARSE_NS? Has the interface shown what
                           another showed before, and how much later? */
};

struct sctpa_duplicate_packets *sctpa_duplicate_packets_new(void)
{
    struct sctpa_duplicate_packets *duplicates = g_new0(struct sctpa_duplicate_packets, 1);
    duplicates->allocated = g_malloc0(SETS * sizeof(set_t) + CACHE_LINE_BYTES - 1);
    uintptr_t past = (uintptr_t)duplicates->allocated % CACHE_LINE_BYTES;
    duplicates->sets = (set_t *)(void *)((uint8_t *)duplicates->allocated + (past ? CACHE_LINE_BYTES - past : 0));
    sctpa_pool_init(&duplicates->again, sizeof(again_t));
    return duplicates;
}

void sctpa_duplicate_packets_free(struct sctpa_duplicate_packets *duplicates)
{
    g_free(duplicates->allocated);
    sctpa_pool_clear(&duplicates->again);
    g_free(duplicates);
}

static set_t *set_of(const struct sctpa_duplicate_packets *duplicates, uint64_t content)
{
    return &duplicates->sets[content % SETS];
}

static void empty(struct sctpa_duplicate_packets *duplicates, seen_t *seen)
{
    if (seen->place == SEEN_AGAIN)
        sctpa_pool_remove(&duplicates->again, seen->way);
    seen->place = FREE;
}

static uint32_t way_hash(const sctpa_input_t *input)
{
    const sctpa_packet_t *packet = input->packet;
    uint64_t ports = (uint64_t)packet->udp_source << 48 | (uint64_t)packet->udp_destination << 32 |
                     (uint32_t)input->source_port << 16 | input->destination_port;
    return (uint32_t)sctpa_hash_mix(input->source_hash * 3 + input->destination_hash, ports) | 1;
}

static uint32_t place_hash(const sctpa_packet_t *packet)
{
    const uint64_t hash = sctpa_hash_mix(packet->interface, (uint64_t)packet->link_bytes << 8 | packet->link_direction);
    return (uint32_t)hash << TTL_BITS | IS_PLACE | packet->ttl;
}

static bool is_within(int64_t age_ns, int64_t ms)
{
    return age_ns <= ms * SCTPA_NS_PER_MS && age_ns >= -ms * SCTPA_NS_PER_MS;
}

static bool is_at_once(const struct sctpa_duplicate_packets *duplicates, const sctpa_packet_t *packet, int64_t age_ns)
{
    return duplicates->here[packet->interface % INTERFACES].is_fine && ABS(age_ns) <= AGAIN_AT_ONCE_NS;
}

/* Is the same again within SAME_PLACE_MS no other packet of its sender? The identification says so, or a chunk that
 * only a timer or three misses send again, or that differs each time. Whatever else an endpoint sends (SACK,
 * FORWARD-TSN, ERROR, SHUTDOWN), it may send unchanged at once, as often as something makes it. */
static bool is_sent_once(const sctpa_input_t *input)
{
    const uint64_t timed = SCTPA_ROW(INIT) | SCTPA_ROW(COOKIE_ECHO) | SCTPA_ROW(HEARTBEAT) | SCTPA_ROW(DATA) |
                           SCTPA_ROW(I_DATA) | SCTPA_ROW(ASCONF) | SCTPA_ROW(RE_CONFIG);
    return input->packet->ip_id != 0 || input->observation->rows & timed;
}

/* The same again at the place itself, age_ns later, is a duplicate of the capture only when nearly every packet of the
 * interface of which this tells has one, or when such a packet comes at once. Of two packets of which one was damaged
 * neither repeats the other. */
static bool doubled_here(const sctpa_tracker_t *tracker, const again_t *again, const sctpa_input_t *input,
                         int64_t age_ns)
{
    struct sctpa_duplicate_packets *duplicates = tracker->duplicate_packets;
    const sctpa_packet_t *packet = input->packet;
    if (g_array_index(tracker->records, sctpa_record_t, again->first[0]).checksum != input->checksum)
        return false;
    const bool sent_once = is_sent_once(input);
    const unsigned interface = packet->interface % INTERFACES;
    if (age_ns > SAME_PLACE_MS * SCTPA_NS_PER_MS)
        return false;
    const uint32_t repeats = duplicates->here[interface].repeats += sent_once;
    return (repeats > 0 && 2 * repeats > duplicates->here[interface].packets) ||
           (sent_once && is_at_once(duplicates, packet, age_ns));
}

/* Did it list no addresses to choose from? Then the same packet is sent neither from nor to another one. */
static bool has_no_choice(const sctpa_end_t *end)
{
    return end->init.seen && sctpa_end_listed_addrs_count(end) <= 1;
}

/* Has the packet another address there than the one seen before, which the endpoint announced itself? It sent, or was
 * sent, the same by another path: no translator chooses such an address. */
static bool is_announced_other(const sctpa_end_t *end, const sctpa_addr_t *address, const sctpa_addr_t *before)
{
    return !sctpa_addr_equal(address, before) &&
           sctpa_end_addr_origin(end, address) & (SCTPA_ADDR_LISTED | SCTPA_ADDR_ADDED);
}

/* Without an identification that says otherwise: is the packet another one, sent by another path? */
static bool took_other_path(const sctpa_end_t *sender, const sctpa_end_t *receiver, const sctpa_packet_t *packet,
                            const sctpa_record_t *before)
{
    const sctpa_pair_t *pair = before->pair < sender->n_pairs ? sender->pairs[before->pair] : NULL;
    return packet->ip_id == 0 && pair &&
           (is_announced_other(sender, &packet->source, pair->source) ||
            is_announced_other(receiver, &packet->destination, pair->destination));
}

/* May a packet with other addresses or ports be the same one behind a NAT? It was taken elsewhere, or at once on the
 * host that translates, and one of its addresses stayed. */
static bool is_translated(const again_t *again, uint32_t index, const sctpa_tracker_t *tracker,
                          const sctpa_packet_t *packet, uint32_t place)
{
    const int64_t age_ns = packet->time_ns - again->times_ns[again->last];
    if ((place == again->places[0] && !is_at_once(tracker->duplicate_packets, packet, age_ns)) ||
        (packet->ip_id == 0 && !is_within(age_ns, WITHOUT_ID_MS)))
        return false;
    const sctpa_record_t *record = &g_array_index(tracker->records, sctpa_record_t, index);
    if (record->assoc == SCTPA_NO_ASSOC)
        return false;
    const sctpa_tracked_t *tracked = g_ptr_array_index(tracker->assocs, record->assoc);
    const sctpa_end_t *sender = &tracked->assoc.ends[record->from], *receiver = &tracked->assoc.ends[!record->from];
    const bool is_source = sctpa_end_addr_origin(sender, &packet->source),
               is_destination = sctpa_end_addr_origin(receiver, &packet->destination);
    if ((!is_source && !is_destination) || took_other_path(sender, receiver, packet, record))
        return false;
    if (packet->ip_id != 0 || is_within(age_ns, TRANSLATED_MS))
        return true;
    /* both are known once the association has translated addresses */
    const bool changes_source = !is_source || is_destination, changes_destination = !is_destination || is_source;
    return (!changes_source || has_no_choice(sender)) && (!changes_destination || has_no_choice(receiver));
}

/* What is known of a packet that was seen. */
static again_t known_of(const sctpa_tracker_t *tracker, const seen_t *seen)
{
    if (seen->place == SEEN_AGAIN)
        return *(const again_t *)sctpa_pool_at(&tracker->duplicate_packets->again, seen->way);
    return (again_t){ .times_ns = { g_array_index(tracker->store.stamps, sctpa_stamp_t, seen->index).time_ns },
                      .ways = { seen->way },
                      .places = { seen->place },
                      .seen = { 1 },
                      .n = 1,
                      .matched = { 1 },
                      .first = { seen->index } };
}

static void keep(struct sctpa_duplicate_packets *duplicates, seen_t *seen, const again_t *again)
{
    if (seen->place != SEEN_AGAIN)
        *(again_t *)sctpa_pool_add(&duplicates->again, &seen->way) = *again;
    else
        *(again_t *)sctpa_pool_at(&duplicates->again, seen->way) = *again;
    seen->place = SEEN_AGAIN;
}

/* The packet of that content (its set, and the upper half looked for) that the input shows again (*is_known), or in
 * place of the oldest in its set a free one. The same bytes that were sent another way, as when an endpoint retransmits
 * on another path, are another packet. */
static seen_t *find(const sctpa_tracker_t *tracker, const sctpa_input_t *input, uint64_t content, uint32_t upper,
                    uint32_t way, uint32_t place, bool *is_known)
{
    seen_t *seen = set_of(tracker->duplicate_packets, content)->seen, *oldest = seen, *translated = NULL;
    *is_known = true;
    for (unsigned i = 0; i < WAYS; i++) {
        if (seen[i].place == FREE || seen[i].content != upper)
            continue;
        const again_t known = known_of(tracker, &seen[i]);
        if (!is_within(input->packet->time_ns - known.times_ns[known.last], WITH_ID_MS))
            empty(tracker->duplicate_packets, &seen[i]);
        else if (known.ways[0] == way)
            return &seen[i];
        else if (is_translated(&known, seen[i].index, tracker, input->packet, place))
            translated = &seen[i];
    }
    if (translated)
        return translated;
    *is_known = false;
    for (unsigned i = 1; i < WAYS && oldest->place != FREE; i++)
        if (seen[i].place == FREE || seen[i].index < oldest->index)
            oldest = &seen[i];
    empty(tracker->duplicate_packets, oldest);
    oldest->content = (uint32_t)(content >> 32);
    return oldest;
}

void sctpa_duplicate_packets_prefetch(const struct sctpa_duplicate_packets *duplicates, uint64_t content)
{
    __builtin_prefetch(set_of(duplicates, content), 1);
}

/* Was the packet first seen with other TTLs alone: on another side of a router? */
static bool has_other_ttl(const again_t *again, unsigned which, uint8_t ttl)
{
    if (again->matched[which] == 0 || ttl == 0)
        return false;
    for (unsigned at = 0; at < PLACES; at++)
        if (again->matched[which] & 1U << at && ((uint8_t)again->places[at] == ttl || (uint8_t)again->places[at] == 0))
            return false;
    return true;
}

/* An endpoint whose INIT was answered, so that the association is up, sends none again: another interface shows it by
 * another clock. So does one where the packet has another TTL. */
static bool is_other_clock(const sctpa_tracker_t *tracker, const again_t *again, unsigned which,
                           const sctpa_input_t *input)
{
    const uint64_t asks = SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK);
    const sctpa_record_t *record = &g_array_index(tracker->records, sctpa_record_t, again->first[which]);
    if (sctpa_record_is_gone(record) || record->assoc == SCTPA_NO_ASSOC)
        return false;
    return has_other_ttl(again, which, input->packet->ttl) ||
           (input->observation->rows & asks && sctpa_tracked_find(tracker, record->assoc)->established);
}

/* How much later than another interface does this one show packets, as far as is known? What none of its packets tells
 * yet, those of the other interfaces do: one machine may have several. */
static int64_t expected_later_ns(const struct sctpa_duplicate_packets *duplicates, unsigned interface)
{
    return duplicates->here[interface].is_second ? duplicates->here[interface].later_ns : duplicates->later_ns;
}

/* May the packet be a duplicate of that first sighting, age_ns before? */
static bool is_due(const sctpa_tracker_t *tracker, const again_t *again, unsigned which, const sctpa_input_t *input,
                   int64_t age_ns)
{
    const struct sctpa_duplicate_packets *duplicates = tracker->duplicate_packets;
    const uint32_t interface = input->packet->interface;
    if (is_within(age_ns, input->packet->ip_id != 0 ? WITH_ID_MS : WITHOUT_ID_MS))
        return true;
    if (sctpa_stamp_interface(&g_array_index(tracker->store.stamps, sctpa_stamp_t, again->first[which])) == interface ||
        !is_within(age_ns, WITH_ID_MS))
        return false;
    return (duplicates->here[interface % INTERFACES].is_second &&
            is_within(age_ns - duplicates->here[interface % INTERFACES].later_ns, WITHOUT_ID_MS)) ||
           is_other_clock(tracker, again, which, input);
}

/* Which of the first sightings is the packet a duplicate of: the one that is as long ago as packets before it were,
 * else the newest; WAITING: of none. */
static unsigned matching(const sctpa_tracker_t *tracker, const again_t *again, const sctpa_input_t *input, unsigned at)
{
    const unsigned interface = input->packet->interface % INTERFACES;
    const int64_t expected_ns = expected_later_ns(tracker->duplicate_packets, interface);
    unsigned best = WAITING;
    int64_t best_ns = INT64_MAX;
    for (unsigned i = 0; i < again->n; i++) {
        const int64_t time_ns = g_array_index(tracker->store.stamps, sctpa_stamp_t, again->first[i]).time_ns,
                      age_ns = input->packet->time_ns - time_ns, off_ns = ABS(age_ns - expected_ns);
        if (again->matched[i] & 1U << at || off_ns >= best_ns || !is_due(tracker, again, i, input, age_ns))
            continue;
        best = i;
        best_ns = off_ns;
    }
    return best;
}

/* Where among its places is the packet seen? *is_new: nowhere yet; of more than PLACES the last gives way. */
static unsigned place_of(again_t *again, uint32_t way, uint32_t place, bool *is_new)
{
    unsigned at = 0;
    while (at < PLACES - 1 && (again->places[at] != place || again->ways[at] != way) && again->places[at] != FREE)
        at++;
    *is_new = again->places[at] != place || again->ways[at] != way;
    if (*is_new) {
        again->seen[at] = 0;
        for (unsigned i = 0; i < again->n; i++)
            again->matched[i] &= (uint8_t) ~(1U << at);
    }
    again->places[at] = place;
    again->ways[at] = way;
    return at;
}

static void add_first(again_t *again, uint32_t index, unsigned at)
{
    again->has_left |= again->n == WAITING;
    again->n = (uint8_t)MIN(again->n + 1, WAITING);
    for (unsigned i = again->n; i-- > 1;) {
        again->first[i] = again->first[i - 1];
        again->matched[i] = again->matched[i - 1];
    }
    again->first[0] = index;
    again->matched[0] = (uint8_t)(1U << at);
}

/* Another interface showed the packet first: how much later does this one? */
static void learn_later(const sctpa_tracker_t *tracker, const sctpa_packet_t *packet, uint32_t first)
{
    const sctpa_stamp_t *stamp = &g_array_index(tracker->store.stamps, sctpa_stamp_t, first);
    if (sctpa_stamp_interface(stamp) == packet->interface)
        return;
    tracker->duplicate_packets->here[packet->interface % INTERFACES].is_second = true;
    tracker->duplicate_packets->here[packet->interface % INTERFACES].later_ns = packet->time_ns - stamp->time_ns;
    tracker->duplicate_packets->later_ns = packet->time_ns - stamp->time_ns;
}

/* The packet is seen once more. Which one, by packet index, is it a duplicate of? UINT32_MAX: of none. *is_here: of one
 * at the place itself. */
static uint32_t take_again(const sctpa_tracker_t *tracker, again_t *again, const sctpa_input_t *input, uint32_t way,
                           uint32_t place, bool *is_here)
{
    bool is_new_place;
    unsigned most = 0;
    const unsigned at = place_of(again, way, place, &is_new_place), match = matching(tracker, again, input, at);
    const int64_t age_ns = input->packet->time_ns - again->times_ns[at];
    again->times_ns[at] = input->packet->time_ns;
    again->last = (uint8_t)at;
    for (unsigned i = 0; i < PLACES; i++)
        if (i != at && again->places[i] != FREE && again->seen[i] > most)
            most = again->seen[i];
    again->seen[at]++;
    if (match < WAITING) {
        again->matched[match] |= (uint8_t)(1U << at);
        learn_later(tracker, input->packet, again->first[match]);
        return again->first[match];
    }
    const bool is_one_of_many = again->has_left && again->seen[at] <= most;
    *is_here =
        !is_one_of_many && !is_new_place && again->seen[at] > most && doubled_here(tracker, again, input, age_ns);
    if (is_one_of_many || *is_here)
        return again->first[0];
    add_first(again, input->index, at);
    return UINT32_MAX;
}

/* Looks the packet up by content, among those with that upper half, and enters it. */
static uint32_t look_up(sctpa_tracker_t *tracker, const sctpa_input_t *input, uint64_t content, uint32_t upper,
                        bool *is_here)
{
    const uint32_t way = way_hash(input), place = place_hash(input->packet);
    bool is_known;
    seen_t *seen = find(tracker, input, content, upper, way, place, &is_known);
    if (!is_known) {
        *seen = (seen_t){ seen->content, input->index, place, way };
        return UINT32_MAX;
    }
    again_t again = known_of(tracker, seen);
    const uint32_t first = take_again(tracker, &again, input, way, place, is_here);
    keep(tracker->duplicate_packets, seen, &again);
    if (first == UINT32_MAX)
        seen->index = input->index;
    return first;
}

/* May another interface have cut the packet, or shown more of it? Before one did, that is asked of set-ups alone. */
static bool may_be_cut_elsewhere(struct sctpa_duplicate_packets *duplicates, const sctpa_input_t *input)
{
    const uint64_t first = SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK) | SCTPA_ROW(COOKIE_ECHO);
    const sctpa_packet_t *packet = input->packet;
    if (!duplicates->has_packets)
        duplicates->interface = packet->interface;
    duplicates->has_packets = true;
    duplicates->has_others |= packet->interface != duplicates->interface;
    duplicates->has_cut |= packet->captured_bytes < packet->wire_bytes;
    return packet->captured_bytes >= SCTPA_HEADER_BYTES + FIRST_BYTES &&
           ((duplicates->has_others && duplicates->has_cut) || input->observation->rows & first);
}

/* By the first bytes: a packet that was cut among those that were not, and the other way round. */
static uint32_t look_up_first_bytes(sctpa_tracker_t *tracker, const sctpa_input_t *input, bool *is_here)
{
    const sctpa_packet_t *packet = input->packet;
    const uint64_t head = (uint64_t)input->vtag << 32 | (packet->wire_bytes & 0xFFFF) << 16 | packet->ip_id,
                   hash = sctpa_hash_bytes(head, packet->bytes + SCTPA_HEADER_BYTES, FIRST_BYTES);
    const uint32_t upper = (uint32_t)(hash >> 32) & ~(uint32_t)IS_CUT,
                   is_cut = packet->captured_bytes < packet->wire_bytes ? IS_CUT : 0;
    return look_up(tracker, input, (uint64_t)(upper | is_cut) << 32 | (uint32_t)hash, upper | (is_cut ^ IS_CUT),
                   is_here);
}

uint32_t sctpa_duplicate_packets_check(sctpa_tracker_t *tracker, const sctpa_input_t *input, uint64_t content)
{
    struct sctpa_duplicate_packets *duplicates = tracker->duplicate_packets;
    const sctpa_packet_t *packet = input->packet;
    bool is_here = false;
    uint32_t first = look_up(tracker, input, content, (uint32_t)(content >> 32), &is_here);
    if (may_be_cut_elsewhere(duplicates, input) && first == UINT32_MAX)
        first = look_up_first_bytes(tracker, input, &is_here);
    if (first != UINT32_MAX && g_array_index(tracker->records, sctpa_record_t, first).remarks & SCTPA_CAPTURE_DUPLICATE)
        first = g_array_index(tracker->records, sctpa_record_t, first).rows;
    duplicates->here[packet->interface % INTERFACES].is_fine |= packet->time_ns % COARSE_NS != 0;
    if (!is_here)
        duplicates->here[packet->interface % INTERFACES].packets += is_sent_once(input);
    return first;
}
