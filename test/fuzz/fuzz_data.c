/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzzes what becomes of data: the input is a sequence of short commands to two endpoints with three addresses each,
 * that send, send again, leave out, acknowledge with many gap blocks, take back, give up, reset their TSNs and wait.
 * One or two directions, TSNs that wrap, packets that the capture missed. After every input the promises of direction.h
 * and measure/ are checked. What is no sequence of DATA and SACK is fuzz_sequence's. */
#include "../unit/data_feed.h"
#include "direction_check.h"
#include "forget_check.h"
#include "measure_check.h"
#include "series_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { COMMANDS_MAX = 3000, BLOCKS_MAX = 250, ADDRESSES = 3, CHECKED_EVERY = 512 };

typedef struct {
    uint32_t next_tsn, cum_tsn;
} endpoint_t;

typedef struct {
    const uint8_t *at, *end;
    feeder_t feeder;
    endpoint_t ends[2]; /* A, Z */
    uint32_t packets;
} player_t;

static uint8_t next(player_t *player)
{
    return player->at < player->end ? *player->at++ : 0;
}

static void open_packet(player_t *player, bool from_a, uint8_t way)
{
    begin(&player->feeder, from_a, from_a ? TAG_Z : TAG_A);
    player->feeder.packet.time_ns -= 9000000;
    player->feeder.packet.source.data[2] = way % ADDRESSES;
    player->feeder.packet.destination.data[2] = way / ADDRESSES % ADDRESSES;
}

static void close_packet(player_t *player)
{
    player->packets = again(&player->feeder) + 1;
}

static void fill_data(player_t *player, uint8_t how, uint32_t tsn)
{
    bool i_data = how & 0x10;
    uint8_t *value = chunk(&player->feeder, i_data ? SCTPA_CHUNK_I_DATA : SCTPA_CHUNK_DATA, how & 0x0F,
                           (i_data ? 4 : 3) + (how >> 5) * 4);
    put32(value, tsn);
    put16(value + 4, how & 1);
    put16(value + 6, tsn / 2);
}

/* 1 to 8 chunks: new ones, old ones, or some left out. */
static void play_data(player_t *player, bool from_a)
{
    endpoint_t *end = &player->ends[!from_a];
    uint8_t way = next(player), how = next(player), n = next(player);
    uint32_t tsn = end->next_tsn;
    if (n & 0x40)
        tsn -= 1 + next(player) % 64u;
    else if (n & 0x80)
        end->next_tsn = tsn += next(player);
    if (way & 0x80) { /* the capture missed it */
        end->next_tsn += n & 0x40 ? 0 : 1 + (n & 7u);
        return;
    }
    open_packet(player, from_a, way);
    for (uint8_t i = 0; i <= (n & 7u); i++)
        fill_data(player, how, tsn++);
    if (!(n & 0x40))
        end->next_tsn = tsn;
    close_packet(player);
}

/* Blocks that follow each other, of pseudo-random lengths and distances, or any at all. */
static void fill_blocks(player_t *player, uint8_t *at, uint32_t n, uint8_t shape)
{
    uint32_t place = 1, state = shape;
    for (uint32_t i = 0; i < n; i++, at += 4) {
        state = state * 1103515245u + 12345;
        uint32_t first = place + 1 + (state >> 16) % (1 + shape % 8u), last = first + (state >> 24) % (1 + shape / 16u);
        put16(at, shape & 8 ? next(player) * 257u : first);
        put16(at + 2, shape & 8 ? next(player) * 257u : last);
        place = last + 1;
    }
}

static void play_sack(player_t *player, bool from_a)
{
    endpoint_t *acked = &player->ends[from_a];
    uint8_t way = next(player), n = next(player), shape = next(player), ahead = next(player);
    uint32_t blocks = MIN(n, BLOCKS_MAX), duplicates = shape & 0x40 ? 2 : 0;
    bool nr_sack = way & 0x40;
    if (ahead & 0x80)
        acked->cum_tsn -= ahead & 0x7F;
    else
        acked->cum_tsn += ahead;
    open_packet(player, from_a, way & 0x3F);
    uint8_t *value = chunk(&player->feeder, nr_sack ? SCTPA_CHUNK_NR_SACK : SCTPA_CHUNK_SACK, 0,
                           (nr_sack ? 4 : 3) + blocks + duplicates);
    uint8_t *at = value + (nr_sack ? 16 : 12);
    put32(value, acked->cum_tsn);
    put32(value + 4, shape == 0xFF ? 0 : 65536);
    put16(value + 8, nr_sack ? blocks / 2 : blocks);
    put16(value + 10, nr_sack ? blocks - blocks / 2 : duplicates);
    if (nr_sack)
        put16(value + 12, duplicates);
    fill_blocks(player, at, blocks, shape);
    for (uint32_t i = 0; i < duplicates; i++)
        put32(at + 4 * (blocks + i), acked->cum_tsn - i * shape);
    close_packet(player);
}

static void play_cum_tsn(player_t *player, bool from_a, uint8_t type)
{
    endpoint_t *end = &player->ends[type == SCTPA_CHUNK_SHUTDOWN ? from_a : !from_a];
    open_packet(player, from_a, 0);
    uint32_t tsn = (type == SCTPA_CHUNK_SHUTDOWN ? end->cum_tsn : end->next_tsn) - next(player) % 32u;
    put32(chunk(&player->feeder, type, 0, 1), tsn);
    close_packet(player);
}

static void play_heartbeat(player_t *player, bool from_a, uint8_t type)
{
    uint8_t way = next(player);
    open_packet(player, from_a, way);
    put32(chunk(&player->feeder, type, 0, 2), 0x00010008);
    put16(player->feeder.bytes + player->feeder.length - 2, next(player));
    close_packet(player);
}

static void check(const player_t *player)
{
    const sctpa_t *sctpa = player->feeder.sctpa;
    sctpa_packets_t halves[2] = { { NULL }, { NULL } };
    for (uint32_t i = 0; i < player->packets; i++)
        sctpa_packets_add(&halves[i * 2654435761u >> 31], i);
    for (uint32_t number = 0; number < sctpa_assoc_count(sctpa); number++)
        for (uint8_t e = 0; e < 2; e++) {
            if (sctpa_direction(sctpa, number, e))
                check_direction(sctpa_direction(sctpa, number, e));
            check_series(sctpa, number, e);
            measure_check(sctpa, number, e, halves);
        }
    sctpa_packets_clear(&halves[0]);
    sctpa_packets_clear(&halves[1]);
}

static void play(player_t *player)
{
    uint8_t command = next(player);
    bool from_a = command & 1;
    switch (command >> 1 & 7) {
    case 0:
    case 1:
    case 2: play_data(player, from_a); break;
    case 3:
    case 4: play_sack(player, from_a); break;
    case 5:
        play_cum_tsn(player, from_a,
                     command & 0x10   ? SCTPA_CHUNK_SHUTDOWN
                     : command & 0x20 ? SCTPA_CHUNK_I_FORWARD_TSN
                                      : SCTPA_CHUNK_FORWARD_TSN);
        break;
    case 6: play_heartbeat(player, from_a, command & 0x10 ? SCTPA_CHUNK_HEARTBEAT_ACK : SCTPA_CHUNK_HEARTBEAT); break;
    case 7: player->feeder.packet.time_ns += (int64_t)((command >> 4) - 2) * next(player) * 5000000; break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    player_t player = { .at = data, .end = data + size };
    uint8_t begins = next(&player);
    uint32_t first = begins & 0x80 ? 0xFFFFFFF0u : TAG_A;
    feeder_init(&player.feeder);
    if (begins & 1)
        feed_setup(&player.feeder, TAG_A, TAG_Z);
    player.ends[0] = (endpoint_t){ begins & 1 ? TAG_A : first, (begins & 1 ? TAG_A : first) - 1 };
    player.ends[1] = (endpoint_t){ begins & 1 ? TAG_Z : first, (begins & 1 ? TAG_Z : first) - 1 };
    for (unsigned i = 0; i < COMMANDS_MAX && player.at < player.end; i++) {
        play(&player);
        if (i % CHECKED_EVERY == CHECKED_EVERY - 1)
            check(&player);
    }
    check(&player);
    forget_all(player.feeder.sctpa, (uint32_t)size);
    sctpa_free(player.feeder.sctpa);
    return 0;
}
