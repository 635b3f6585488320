/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds packets that the capture holds more than once: on two interfaces, at both ends, before and after a NAT, with
 * and without a VLAN header, or simply twice. A duplicate must look different in where it was taken (interface,
 * direction, TTL, link header, addresses), or come at once, or every packet must come twice: a retransmission, or a
 * packet that the network doubled, looks the same where it was taken. The k-th time that a packet is seen at one place
 * is a duplicate of the k-th time at another. Packets with another IPv4 identification are other packets. */
#include "duplicate_packets.h"

#include "base/hash.h"
#include "track/endpoints.h"
#include "track/packet_record.h"
#include "track/tracker.h"

enum {
    WAYS = 4, /* packets that share a set; the oldest one gives way */
    SETS = 1 << 15,
    CACHE_LINE_BYTES = 64,
    INTERFACES = 256,    /* counted apart, by number modulo */
    PLACES = 3,          /* places remembered of one packet */
    WITHOUT_ID_MS = 500, /* duplicates of packets that have no IPv4 identification lie closer than this */
    WITH_ID_MS = 16000,
    TRANSLATED_MS = 5, /* duplicates with other addresses (NAT) when no identification says that they are the same */
    SAME_PLACE_MS = 2
};
/* Nobody sends the same packet again so soon, and no way there and back is as short: it was captured twice, or the
 * network doubled it right before. Said only where stamps tell such times apart. */
enum { AGAIN_AT_ONCE_NS = 5000, COARSE_NS = 10000 };
enum { FREE = 0, SEEN_AGAIN = 2 }; /* no hashes, which are odd */

/* A packet. A set of them is a cache line: nearly all packets are seen once, and a look-up touches no more. */
typedef struct {
    uint32_t content; /* the upper half of its hash, whose lower half is the set */
    uint32_t index;   /* packet index of the first sighting not yet matched */
    uint32_t place;   /* hash of interface, direction, TTL and link header; or FREE, SEEN_AGAIN */
    uint32_t way;     /* hash of addresses and ports; seen again: number in again */
} seen_t;

typedef struct {
    seen_t seen[WAYS];
} set_t;

/* What is known of a packet that was seen again. */
typedef struct {
    int64_t time_ns; /* of the last sighting */
    uint32_t ways[PLACES], places[PLACES];
    uint16_t seen[PLACES];
} again_t;

struct sctpa_duplicate_packets {
    set_t *sets;        /* 2 MiB, touched as packets come */
    void *allocated;    /* the same before alignment */
    sctpa_pool_t again; /* again_t */
    struct {
        uint32_t packets, repeats;
        bool is_fine;
    } here[INTERFACES]; /* packets taken in, the same again at the same place soon after; are stamps finer than
                           COARSE_NS? */
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

/* The packet of that content, or in place of the oldest in its set a free one. */
static seen_t *find(struct sctpa_duplicate_packets *duplicates, uint64_t content)
{
    seen_t *seen = set_of(duplicates, content)->seen, *oldest = seen;
    uint32_t upper = (uint32_t)(content >> 32);
    for (unsigned way = 0; way < WAYS; way++)
        if (seen[way].content == upper && seen[way].place != FREE)
            return &seen[way];
    for (unsigned way = 1; way < WAYS && oldest->place != FREE; way++)
        if (seen[way].place == FREE || seen[way].index < oldest->index)
            oldest = &seen[way];
    empty(duplicates, oldest);
    oldest->content = upper;
    return oldest;
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
    return (uint32_t)sctpa_hash_mix(packet->interface, (uint64_t)packet->link_bytes << 16 | (uint32_t)packet->ttl << 8 |
                                                           packet->link_direction) |
           1;
}

static bool too_old(const again_t *again, const sctpa_packet_t *packet, uint32_t way)
{
    int64_t age_ms = (packet->time_ns - again->time_ns) / SCTPA_NS_PER_MS;
    bool with_id = packet->ip_id != 0;
    if (way != again->ways[0] && !with_id)
        return age_ms > TRANSLATED_MS || age_ms < -TRANSLATED_MS;
    return age_ms > (with_id ? WITH_ID_MS : WITHOUT_ID_MS) || age_ms < -(with_id ? WITH_ID_MS : WITHOUT_ID_MS);
}

static bool is_at_once(const struct sctpa_duplicate_packets *duplicates, const sctpa_packet_t *packet, int64_t age_ns)
{
    return duplicates->here[packet->interface % INTERFACES].is_fine && ABS(age_ns) <= AGAIN_AT_ONCE_NS;
}

/* The same again at the place itself is a duplicate of the capture only when it comes at once, or nearly every packet
 * of the interface has one. */
static bool doubled_here(struct sctpa_duplicate_packets *duplicates, const sctpa_packet_t *packet, int64_t age_ns)
{
    unsigned interface = packet->interface % INTERFACES;
    if (age_ns > SAME_PLACE_MS * SCTPA_NS_PER_MS)
        return false;
    return 2 * ++duplicates->here[interface].repeats >= duplicates->here[interface].packets ||
           is_at_once(duplicates, packet, age_ns);
}

/* May a packet with other addresses or ports be the same one behind a NAT? It was taken elsewhere, or at once on the
 * host that translates, and one of its addresses stayed. */
static bool is_translated(const again_t *again, uint32_t index, const sctpa_tracker_t *tracker,
                          const sctpa_packet_t *packet, uint32_t place)
{
    if (place == again->places[0] && !is_at_once(tracker->duplicate_packets, packet, packet->time_ns - again->time_ns))
        return false;
    const sctpa_record_t *record = &g_array_index(tracker->records, sctpa_record_t, index);
    if (record->assoc == SCTPA_NO_ASSOC)
        return false;
    const sctpa_tracked_t *tracked = g_ptr_array_index(tracker->assocs, record->assoc);
    const sctpa_end_t *ends = tracked->assoc.ends;
    return sctpa_end_addr_origin(&ends[record->from], &packet->source) ||
           sctpa_end_addr_origin(&ends[!record->from], &packet->destination);
}

/* What is known of a packet that was seen. */
static again_t known_of(const sctpa_tracker_t *tracker, const seen_t *seen)
{
    if (seen->place == SEEN_AGAIN)
        return *(const again_t *)sctpa_pool_at(&tracker->duplicate_packets->again, seen->way);
    return (again_t){ .time_ns = g_array_index(tracker->store.stamps, sctpa_stamp_t, seen->index).time_ns,
                      .ways = { seen->way },
                      .places = { seen->place },
                      .seen = { 1 } };
}

static void keep(struct sctpa_duplicate_packets *duplicates, seen_t *seen, const again_t *again)
{
    if (seen->place != SEEN_AGAIN)
        *(again_t *)sctpa_pool_add(&duplicates->again, &seen->way) = *again;
    else
        *(again_t *)sctpa_pool_at(&duplicates->again, seen->way) = *again;
    seen->place = SEEN_AGAIN;
}

/* Is it the packet that was seen, and not another one of the same content? */
static bool is_same(const sctpa_tracker_t *tracker, const seen_t *seen, const sctpa_packet_t *packet, uint32_t way,
                    uint32_t place)
{
    again_t known = known_of(tracker, seen);
    return !too_old(&known, packet, way) &&
           (way == known.ways[0] || is_translated(&known, seen->index, tracker, packet, place));
}

void sctpa_duplicate_packets_prefetch(const struct sctpa_duplicate_packets *duplicates, uint64_t content)
{
    __builtin_prefetch(set_of(duplicates, content), 1);
}

/* The packet is seen once more: is this a duplicate of it? */
static bool take_again(struct sctpa_duplicate_packets *duplicates, again_t *again, const sctpa_packet_t *packet,
                       uint32_t way, uint32_t place)
{
    unsigned at = 0, most = 0;
    while (at < PLACES - 1 && (again->places[at] != place || again->ways[at] != way) && again->places[at] != FREE)
        at++;
    bool new_place = again->places[at] != place || again->ways[at] != way;
    if (new_place)
        again->seen[at] = 0;
    again->places[at] = place;
    again->ways[at] = way;
    int64_t age_ns = packet->time_ns - again->time_ns;
    again->time_ns = packet->time_ns;
    for (unsigned i = 0; i < PLACES; i++)
        if (i != at && again->places[i] != FREE && again->seen[i] > most)
            most = again->seen[i];
    again->seen[at]++;
    return again->seen[at] <= most || (!new_place && most == 0 && doubled_here(duplicates, packet, age_ns));
}

uint32_t sctpa_duplicate_packets_check(sctpa_tracker_t *tracker, const sctpa_input_t *input, uint64_t content)
{
    struct sctpa_duplicate_packets *duplicates = tracker->duplicate_packets;
    const sctpa_packet_t *packet = input->packet;
    seen_t *seen = find(duplicates, content);
    uint32_t way = way_hash(input), place = place_hash(packet);
    bool is_duplicate = false;

    if (seen->place == FREE || !is_same(tracker, seen, packet, way, place)) {
        empty(duplicates, seen);
        *seen = (seen_t){ seen->content, input->index, place, way };
    } else {
        again_t again = known_of(tracker, seen);
        is_duplicate = take_again(duplicates, &again, packet, way, place);
        keep(duplicates, seen, &again);
        if (!is_duplicate)
            seen->index = input->index;
    }
    duplicates->here[packet->interface % INTERFACES].is_fine |= packet->time_ns % COARSE_NS != 0;
    if (!is_duplicate)
        duplicates->here[packet->interface % INTERFACES].packets++;
    return is_duplicate ? seen->index : UINT32_MAX;
}
