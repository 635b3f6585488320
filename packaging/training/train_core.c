/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Feeds the core what ordinary captures hold, so that the compiler learns which of its code runs for nearly every
 * packet (training.cmake): associations in turn, each with its set-up, data one way or both, acks, HEARTBEATs and an
 * end; then one long transfer with losses. Leaves out what is rare or hostile: that code is to lie apart. */
#include <glib.h>
#include <string.h>

#include "core/sctpa.h"
#include "core/wire/checksum.h"

enum {
    ASSOCIATIONS = 2000,
    ROUNDS = 24, /* turns of an association: beginnings cost most, and nearly all that is in captures of many */
    TRANSFER = 20000,
    LOST_EVERY = 200,
    SMALL_BYTES = 60,
    LARGE_BYTES = 1452,
    SNAP_BYTES = 96,
    COOKIE_BYTES = 128,
    A_RWND_BYTES = 1 << 20
};

typedef struct {
    sctpa_addr_t address;
    uint32_t tag, initial_tsn, tsn; /* tsn: of its next DATA */
    uint32_t cum_tsn;               /* that it acknowledged last */
    uint16_t ip_id;
} endpoint_t;

typedef struct {
    endpoint_t ends[2];
    uint32_t turns;
} association_t;

/* The packet that is written, and fed when it is whole, as far as it is captured. */
typedef struct {
    sctpa_t *sctpa;
    sctpa_packet_t packet;
    uint8_t bytes[2048];
    uint32_t used, snap_bytes;
} writer_t;

static void put(writer_t *writer, uint32_t value, unsigned bytes)
{
    while (bytes-- > 0)
        writer->bytes[writer->used++] = (uint8_t)(value >> 8 * bytes);
}

static void put_zeros(writer_t *writer, uint32_t bytes)
{
    memset(writer->bytes + writer->used, 0, bytes);
    writer->used += bytes;
}

static void put_head(writer_t *writer, uint8_t type, uint8_t flags, uint32_t length)
{
    put(writer, type, 1);
    put(writer, flags, 1);
    put(writer, length, 2);
}

static void begin(writer_t *writer, uint32_t tag)
{
    writer->used = 0;
    put(writer, 5000, 2);
    put(writer, 5000, 2);
    put(writer, tag, 4);
    put(writer, 0, 4);
}

static void feed(writer_t *writer, association_t *association, uint8_t from, int64_t gap_ns)
{
    endpoint_t *sender = &association->ends[from];
    sctpa_packet_t *packet = &writer->packet;
    packet->frame++;
    packet->time_ns += gap_ns;
    packet->source = sender->address;
    packet->destination = association->ends[!from].address;
    packet->ip_id = ++sender->ip_id;
    packet->bytes = writer->bytes;
    packet->wire_bytes = writer->used;
    packet->captured_bytes = MIN(writer->used, writer->snap_bytes);
    packet->ip_bytes = writer->used + 20;
    uint32_t checksum = GUINT32_TO_LE(sctpa_crc32c(writer->bytes, writer->used));
    memcpy(writer->bytes + 8, &checksum, sizeof checksum);
    sctpa_feed(writer->sctpa, packet);
}

/* INIT, INIT ACK, COOKIE ECHO or COOKIE ACK: step 0 to 3. */
static void send_setup(writer_t *writer, association_t *association, unsigned step)
{
    static const uint8_t types[] = { SCTPA_CHUNK_INIT, SCTPA_CHUNK_INIT_ACK, SCTPA_CHUNK_COOKIE_ECHO,
                                     SCTPA_CHUNK_COOKIE_ACK };
    const uint8_t from = step % 2, extensions[] = { SCTPA_CHUNK_FORWARD_TSN, SCTPA_CHUNK_RE_CONFIG, 0, 0 };
    const endpoint_t *own = &association->ends[from];
    const uint32_t cookie_bytes = step == 1 ? 4 + COOKIE_BYTES : 0;
    begin(writer, step == 0 ? 0 : association->ends[!from].tag);
    if (step < 2) {
        put_head(writer, types[step], 0, 20 + 8 + 4 + cookie_bytes);
        put(writer, own->tag, 4);
        put(writer, A_RWND_BYTES, 4);
        put(writer, 10, 2);
        put(writer, 10, 2);
        put(writer, own->tsn, 4);
        put(writer, 0x8008, 2); /* Supported Extensions */
        put(writer, 6, 2);
        memcpy(writer->bytes + writer->used, extensions, sizeof extensions);
        writer->used += sizeof extensions;
        put(writer, 0xC000, 2); /* Forward-TSN-Supported */
        put(writer, 4, 2);
        if (cookie_bytes > 0) {
            put(writer, 7, 2);
            put(writer, cookie_bytes, 2);
            put_zeros(writer, COOKIE_BYTES);
        }
    } else {
        put_head(writer, types[step], 0, step == 2 ? 4 + COOKIE_BYTES : 4);
        put_zeros(writer, step == 2 ? COOKIE_BYTES : 0);
    }
    feed(writer, association, from, 20000);
}

static void send_data(writer_t *writer, association_t *association, uint8_t from, uint32_t tsn, uint32_t payload_bytes)
{
    begin(writer, association->ends[!from].tag);
    put_head(writer, SCTPA_CHUNK_DATA, 3, 16 + payload_bytes);
    put(writer, tsn, 4);
    put(writer, 0, 2);
    put(writer, tsn - association->ends[from].initial_tsn, 2);
    put(writer, 0, 4);
    put_zeros(writer, payload_bytes);
    feed(writer, association, from, 10000);
}

static void send_next(writer_t *writer, association_t *association, uint8_t from, uint32_t payload_bytes)
{
    send_data(writer, association, from, association->ends[from].tsn++, payload_bytes);
}

/* Acknowledges all that the peer sent up to cum_tsn, and above it a gap block of so many TSNs after one that is
 * missing. */
static void send_sack(writer_t *writer, association_t *association, uint8_t from, uint32_t cum_tsn, uint32_t beyond)
{
    begin(writer, association->ends[!from].tag);
    put_head(writer, SCTPA_CHUNK_SACK, 0, beyond > 0 ? 20 : 16);
    put(writer, cum_tsn, 4);
    put(writer, A_RWND_BYTES, 4);
    put(writer, beyond > 0, 2);
    put(writer, 0, 2);
    if (beyond > 0) {
        put(writer, 2, 2);
        put(writer, 1 + beyond, 2);
    }
    association->ends[from].cum_tsn = cum_tsn;
    feed(writer, association, from, 30000);
}

static void send_heartbeat(writer_t *writer, association_t *association, uint8_t from, uint8_t type)
{
    begin(writer, association->ends[!from].tag);
    put_head(writer, type, 0, 4 + 12);
    put(writer, 1, 2);
    put(writer, 12, 2);
    put(writer, (association->turns - 1) / 9, 4); /* the same in the answer */
    put(writer, 0, 4);
    feed(writer, association, from, 20000);
}

static void send_end(writer_t *writer, association_t *association, uint8_t from, uint8_t type)
{
    begin(writer, association->ends[!from].tag);
    put_head(writer, type, 0, type == SCTPA_CHUNK_SHUTDOWN ? 8 : 4);
    if (type == SCTPA_CHUNK_SHUTDOWN)
        put(writer, association->ends[from].cum_tsn, 4);
    feed(writer, association, from, 20000);
}

static association_t association_of(uint32_t number)
{
    association_t association = { .turns = 0 };
    for (uint32_t end = 0; end < 2; end++) {
        endpoint_t *own = &association.ends[end];
        own->address = (sctpa_addr_t){ 4, { 10, (uint8_t)end, (uint8_t)(number >> 8), (uint8_t)number } };
        own->tag = 1 + 2 * number + end;
        own->initial_tsn = own->tsn = 104729 * own->tag;
        association.ends[!end].cum_tsn = own->tsn - 1;
    }
    return association;
}

/* One packet of an association, the next of its life. */
static void take_turn(writer_t *writer, association_t *association, uint32_t number)
{
    static const uint8_t ending[] = { SCTPA_CHUNK_SHUTDOWN, SCTPA_CHUNK_SHUTDOWN_ACK, SCTPA_CHUNK_SHUTDOWN_COMPLETE };
    const uint32_t turn = association->turns++, end = 8 + number % (ROUNDS - 12);
    const bool is_two_way = number % 3 == 0, is_idle = number % 8 == 1, is_answer = turn % 9 == 8;
    const uint8_t from = is_two_way && turn / 3 % 2;
    if (turn < 4)
        send_setup(writer, association, turn);
    else if (turn < end && is_idle && turn % 9 > 6)
        send_heartbeat(writer, association, is_answer, is_answer ? SCTPA_CHUNK_HEARTBEAT_ACK : SCTPA_CHUNK_HEARTBEAT);
    else if (turn < end && turn % 3 < 2)
        send_next(writer, association, from, SMALL_BYTES + number % 400);
    else if (turn < end)
        send_sack(writer, association, !from, association->ends[from].tsn - 1, 0);
    else if (number % 4 == 0 && turn < end + G_N_ELEMENTS(ending))
        send_end(writer, association, (turn - end) % 2, ending[turn - end]);
}

static void play_many(writer_t *writer)
{
    association_t *associations = g_new(association_t, ASSOCIATIONS);
    for (uint32_t number = 0; number < ASSOCIATIONS; number++)
        associations[number] = association_of(number);
    for (uint32_t round = 0; round < ROUNDS; round++)
        for (uint32_t number = 0; number < ASSOCIATIONS; number++)
            take_turn(writer, &associations[number], number);
    g_free(associations);
}

/* The tap is near the receiver: what was lost does not pass until it is retransmitted, after three SACKs that miss it.
 */
static void play_transfer(writer_t *writer, uint32_t payload_bytes)
{
    association_t association = association_of(ASSOCIATIONS);
    endpoint_t *sender = &association.ends[0];
    for (unsigned step = 0; step < 4; step++)
        send_setup(writer, &association, step);
    for (uint32_t round = 1; round <= TRANSFER; round++) {
        send_next(writer, &association, 0, payload_bytes);
        if (round % LOST_EVERY == 0) {
            const uint32_t lost = sender->tsn++;
            for (unsigned sacks = 0; sacks < 3; sacks++) {
                send_next(writer, &association, 0, payload_bytes);
                send_sack(writer, &association, 1, lost - 1, sacks + 1);
            }
            send_data(writer, &association, 0, lost, payload_bytes);
        } else {
            send_next(writer, &association, 0, payload_bytes);
        }
        send_sack(writer, &association, 1, sender->tsn - 1, 0);
    }
}

int main(void)
{
    enum { MANY, BULK, CUT, SHORT, LOADS };
    g_random_set_seed(1); /* the same hashes, and so the same counts, in every build */
    for (unsigned load = 0; load < LOADS; load++) {
        writer_t *writer = g_new0(writer_t, 1);
        writer->sctpa = sctpa_new(NULL, 0);
        writer->packet = (sctpa_packet_t){ .link_bytes = 34, .ttl = 64 };
        writer->snap_bytes = load == CUT ? SNAP_BYTES : sizeof writer->bytes;
        if (load == MANY)
            play_many(writer);
        else
            play_transfer(writer, load == SHORT ? SMALL_BYTES : LARGE_BYTES);
        sctpa_free(writer->sctpa);
        g_free(writer);
    }
    return 0;
}
