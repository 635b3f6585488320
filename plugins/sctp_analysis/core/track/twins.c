/* Finds packets that the capture holds more than once: on two interfaces, at both ends, before and after a NAT, with and without a VLAN
 * header, or simply twice. A copy must look different in where it was taken (interface, direction, TTL, link header, addresses), or
 * every packet must come doubled: a retransmission or a duplicate made by the network looks the same where it was taken.
 * The k-th time that a packet is seen at one place is a copy of the k-th time at another. Packets with another IPv4 identification are
 * other packets. */
#include "tracker.h"

#include "address.h"

enum {
    WAYS = 4,                   /* packets that share a set; the oldest one gives way */
    SETS_FIRST = 1 << 10,       /* the table doubles as it fills, up to SETS_MAX */
    SETS_MAX = 1 << 15,
    INTERFACES = 256,           /* counted apart, by number modulo */
    PLACES = 3,                 /* places remembered of one packet */
    WITHOUT_ID_MS = 500,        /* copies of packets that have no IPv4 identification lie closer than this */
    WITH_ID_MS = 16000,
    TRANSLATED_MS = 5,          /* copies with other addresses (NAT) when no identification says that they are the same */
    SAME_PLACE_MS = 2
};

typedef struct {
    int64_t time_ns;            /* last copy */
    uint32_t index;             /* packet index of the first copy not yet matched */
    uint32_t ways[PLACES];      /* hash of addresses and ports */
    uint32_t places[PLACES];    /* hash of interface, direction, TTL and link header, 0 free */
    uint16_t seen[PLACES];
} slot_t;

typedef struct {
    uint64_t contents[WAYS];    /* together, so that a look-up touches little memory */
    slot_t slots[WAYS];
} set_t;

struct sctpa_twins {
    set_t *sets;
    uint32_t n_sets, used;      /* used: sets taken since the last doubling */
    struct { uint32_t packets, copies; } here[INTERFACES];  /* packets taken in, exact copies at the same place soon after */
};

struct sctpa_twins *sctpa_twins_new(void)
{
    struct sctpa_twins *twins = g_new0(struct sctpa_twins, 1);
    twins->n_sets = SETS_FIRST;
    twins->sets = g_new0(set_t, twins->n_sets);
    return twins;
}

void sctpa_twins_free(struct sctpa_twins *twins)
{
    g_free(twins->sets);
    g_free(twins);
}

static void grow(struct sctpa_twins *twins)
{
    set_t *old = twins->sets;
    uint32_t n_old = twins->n_sets;
    twins->n_sets *= 2;
    twins->used = 0;
    twins->sets = g_new0(set_t, twins->n_sets);
    for (uint32_t i = 0; i < n_old; i++)
        for (unsigned way = 0; way < WAYS; way++) {
            if (old[i].slots[way].places[0] == 0)
                continue;
            set_t *set = &twins->sets[old[i].contents[way] & (twins->n_sets - 1)];
            set->contents[way] = old[i].contents[way];
            set->slots[way] = old[i].slots[way];
        }
    g_free(old);
}

/* The slot of a packet: its own, or that of the oldest in its set, emptied. */
static slot_t *slot_of(struct sctpa_twins *twins, uint64_t content)
{
    set_t *set = &twins->sets[content & (twins->n_sets - 1)];
    unsigned oldest = 0;
    for (unsigned way = 0; way < WAYS; way++)
        if (set->contents[way] == content)
            return &set->slots[way];
    if (set->slots[0].places[0] == 0 && twins->n_sets < SETS_MAX && ++twins->used > twins->n_sets / 2) {
        grow(twins);
        set = &twins->sets[content & (twins->n_sets - 1)];
    }
    for (unsigned way = 1; way < WAYS && set->slots[oldest].places[0] != 0; way++)
        if (set->slots[way].places[0] == 0 || set->slots[way].time_ns < set->slots[oldest].time_ns)
            oldest = way;
    set->contents[oldest] = content;
    set->slots[oldest].places[0] = 0;
    return &set->slots[oldest];
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
                                                           packet->link_direction) | 1;
}

static bool too_old(const slot_t *slot, const sctpa_packet_t *packet, uint32_t way)
{
    int64_t age_ms = (packet->time_ns - slot->time_ns) / 1000000;
    bool with_id = packet->ip_id != 0;
    if (way != slot->ways[0] && !with_id)
        return age_ms > TRANSLATED_MS || age_ms < -TRANSLATED_MS;
    return age_ms > (with_id ? WITH_ID_MS : WITHOUT_ID_MS) || age_ms < -(with_id ? WITH_ID_MS : WITHOUT_ID_MS);
}

/* Copies at the place itself are copies of the capture only when nearly every packet of the interface has one. */
static bool doubled_here(struct sctpa_twins *twins, const sctpa_packet_t *packet, int64_t age_ns)
{
    unsigned interface = packet->interface % INTERFACES;
    if (age_ns > SAME_PLACE_MS * 1000000)
        return false;
    return 2 * ++twins->here[interface].copies >= twins->here[interface].packets;
}

/* May a packet with other addresses or ports be the same one behind a NAT? It was taken elsewhere, and one of its addresses stayed. */
static bool is_translated(const slot_t *slot, const sctpa_tracker_t *tracker, const sctpa_packet_t *packet, uint32_t place)
{
    if (place == slot->places[0])
        return false;
    const sctpa_record_t *record = &g_array_index(tracker->records, sctpa_record_t, slot->index);
    if (record->assoc == SCTPA_NO_ASSOC)
        return false;
    const sctpa_tracked_t *tracked = g_ptr_array_index(tracker->assocs, record->assoc);
    const sctpa_end_t *ends = tracked->assoc.ends;
    return sctpa_end_addr_origin(&ends[record->from], &packet->source) ||
           sctpa_end_addr_origin(&ends[!record->from], &packet->destination);
}

void sctpa_twins_prefetch(const struct sctpa_twins *twins, uint64_t content)
{
    const set_t *set = &twins->sets[content & (twins->n_sets - 1)];
    __builtin_prefetch(set->contents);
    __builtin_prefetch(set->slots);
    __builtin_prefetch(&set->slots[WAYS - 1]);
}

uint32_t sctpa_twins_check(sctpa_tracker_t *tracker, const sctpa_input_t *input, uint64_t content)
{
    const sctpa_packet_t *packet = input->packet;
    slot_t *slot = slot_of(tracker->twins, content);
    uint32_t way = way_hash(input), place = place_hash(packet);
    unsigned at = 0, most = 0;

    if (slot->places[0] == 0 || too_old(slot, packet, way) ||
        (way != slot->ways[0] && !is_translated(slot, tracker, packet, place))) {
        *slot = (slot_t){ .time_ns = packet->time_ns, .index = input->index };
        slot->ways[0] = way;
        slot->places[0] = place;
        slot->seen[0] = 1;
        tracker->twins->here[packet->interface % INTERFACES].packets++;
        return UINT32_MAX;
    }
    while (at < PLACES - 1 && (slot->places[at] != place || slot->ways[at] != way) && slot->places[at] != 0)
        at++;
    bool new_place = slot->places[at] != place || slot->ways[at] != way;
    if (new_place)
        slot->seen[at] = 0;
    slot->places[at] = place;
    slot->ways[at] = way;
    int64_t age_ns = packet->time_ns - slot->time_ns;
    slot->time_ns = packet->time_ns;
    for (unsigned i = 0; i < PLACES; i++)
        if (i != at && slot->places[i] != 0 && slot->seen[i] > most)
            most = slot->seen[i];
    slot->seen[at]++;
    if (slot->seen[at] <= most || (!new_place && most == 0 && doubled_here(tracker->twins, packet, age_ns)))
        return slot->index;
    slot->index = input->index;
    tracker->twins->here[packet->interface % INTERFACES].packets++;
    return UINT32_MAX;
}
