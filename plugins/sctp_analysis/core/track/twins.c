/* Finds packets that the capture holds more than once: on two interfaces, at both ends, before and after a NAT, with and without a VLAN
 * header, or simply twice. A copy must look different in where it was taken (interface, direction, TTL, link header, addresses), or
 * every packet must come doubled: a retransmission or a duplicate made by the network looks the same where it was taken.
 * The k-th time that a packet is seen at one place is a copy of the k-th time at another. */
#include "tracker.h"

#include "address.h"

enum {
    SLOTS_FIRST = 1 << 10,      /* the table doubles as it fills, up to SLOTS_MAX */
    SLOTS_MAX = 1 << 16,
    PLACES = 3,                 /* places remembered of one packet */
    WITHOUT_ID_MS = 500,        /* copies of packets that have no IPv4 identification lie closer than this */
    WITH_ID_MS = 16000,
    TRANSLATED_MS = 5,          /* copies with other addresses (NAT) when no identification says that they are the same */
    SAME_PLACE_MS = 2
};

typedef struct {
    uint64_t content;
    int64_t time_ns;            /* last copy */
    uint32_t index;             /* packet index of the first copy not yet matched */
    uint32_t addrs[PLACES];     /* hash of addresses */
    uint32_t places[PLACES];    /* hash of addresses and place, 0 free */
    uint16_t seen[PLACES];
    uint16_t ip_id;
} slot_t;

struct sctpa_twins {
    slot_t *slots;
    uint32_t size, used;        /* slots, and how many were taken since the last doubling */
};

struct sctpa_twins *sctpa_twins_new(void)
{
    struct sctpa_twins *twins = g_new0(struct sctpa_twins, 1);
    twins->size = SLOTS_FIRST;
    twins->slots = g_new0(slot_t, twins->size);
    return twins;
}

void sctpa_twins_free(struct sctpa_twins *twins)
{
    g_free(twins->slots);
    g_free(twins);
}

static void grow(struct sctpa_twins *twins)
{
    slot_t *old = twins->slots;
    uint32_t old_size = twins->size;
    twins->size *= 2;
    twins->slots = g_new0(slot_t, twins->size);
    for (uint32_t i = 0; i < old_size; i++)
        if (old[i].places[0] != 0)
            twins->slots[old[i].content % twins->size] = old[i];
    g_free(old);
}

static slot_t *slot_of(struct sctpa_twins *twins, uint64_t content)
{
    slot_t *slot = &twins->slots[content % twins->size];
    if (slot->places[0] != 0 || twins->size == SLOTS_MAX || ++twins->used <= twins->size / 2)
        return slot;
    grow(twins);
    return &twins->slots[content % twins->size];
}

static uint32_t addrs_hash(const sctpa_packet_t *packet)
{
    return (uint32_t)(sctpa_addr_hash(&packet->source) * 3 + sctpa_addr_hash(&packet->destination)) | 1;
}

static uint32_t place_hash(const sctpa_packet_t *packet, uint32_t addrs)
{
    uint64_t hash = sctpa_hash_mix(addrs, (uint64_t)packet->interface << 32 | packet->link_bytes << 16 |
                                              (uint32_t)packet->ttl << 8 | packet->link_direction);
    return (uint32_t)hash | 1;
}

static bool too_old(const slot_t *slot, const sctpa_packet_t *packet, uint32_t addrs)
{
    int64_t age_ms = (packet->time_ns - slot->time_ns) / 1000000;
    bool with_id = packet->ip_id != 0 && packet->ip_id == slot->ip_id;
    if (packet->ip_id != 0 && slot->ip_id != 0 && packet->ip_id != slot->ip_id)
        return true;
    if (addrs != slot->addrs[0] && !with_id)
        return age_ms > TRANSLATED_MS || age_ms < -TRANSLATED_MS;
    return age_ms > (with_id ? WITH_ID_MS : WITHOUT_ID_MS) || age_ms < -(with_id ? WITH_ID_MS : WITHOUT_ID_MS);
}

/* Copies at the place itself are copies of the capture only when nearly every packet has one. */
static bool doubled_here(sctpa_tracker_t *tracker, const sctpa_input_t *input, int64_t age_ns)
{
    const sctpa_flow_t *flow = input->vtag != 0 ? sctpa_flow_find(tracker, input) : NULL;
    if (age_ns > SAME_PLACE_MS * 1000000)
        return false;
    if (!flow)
        return true;
    sctpa_tracked_t *tracked = g_ptr_array_index(tracker->assocs, flow->pair->assoc);
    uint32_t copies = ++tracked->sides[flow->pair->from].same_place_copies;
    return 2 * copies >= flow->pair->counts.packets + flow->packets;
}

static bool is_translated(const slot_t *slot, const sctpa_tracker_t *tracker, const sctpa_packet_t *packet)
{
    const sctpa_record_t *record = &g_array_index(tracker->records, sctpa_record_t, slot->index);
    if (record->assoc == SCTPA_NO_ASSOC)
        return false;
    const sctpa_tracked_t *tracked = g_ptr_array_index(tracker->assocs, record->assoc);
    const sctpa_end_t *ends = tracked->assoc.ends;
    return sctpa_end_addr_origin(&ends[record->from], &packet->source) ||
           sctpa_end_addr_origin(&ends[!record->from], &packet->destination);
}

uint32_t sctpa_twins_check(sctpa_tracker_t *tracker, const sctpa_input_t *input, uint64_t content)
{
    const sctpa_packet_t *packet = input->packet;
    slot_t *slot = slot_of(tracker->twins, content);
    uint32_t addrs = addrs_hash(packet), place = place_hash(packet, addrs);
    unsigned at = 0, most = 0;

    if (slot->content != content || slot->places[0] == 0 || too_old(slot, packet, addrs) ||
        (addrs != slot->addrs[0] && !is_translated(slot, tracker, packet))) {
        *slot = (slot_t){ .content = content, .time_ns = packet->time_ns, .index = input->index, .ip_id = packet->ip_id };
        slot->addrs[0] = addrs;
        slot->places[0] = place;
        slot->seen[0] = 1;
        return UINT32_MAX;
    }
    while (at < PLACES - 1 && slot->places[at] != place && slot->places[at] != 0)
        at++;
    bool new_place = slot->places[at] != place;
    if (new_place)
        slot->seen[at] = 0;
    slot->places[at] = place;
    slot->addrs[at] = addrs;
    int64_t age_ns = packet->time_ns - slot->time_ns;
    slot->time_ns = packet->time_ns;
    slot->ip_id = packet->ip_id ? packet->ip_id : slot->ip_id;
    for (unsigned i = 0; i < PLACES; i++)
        if (i != at && slot->places[i] != 0 && slot->seen[i] > most)
            most = slot->seen[i];
    slot->seen[at]++;
    if (slot->seen[at] <= most || (!new_place && most == 0 && doubled_here(tracker, input, age_ns)))
        return slot->index;
    slot->index = input->index;
    return UINT32_MAX;
}
