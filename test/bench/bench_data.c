/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measures what following data costs the core as one association grows: TSNs in order, SACKs of 200 gap blocks each,
 * blocks of 10,000 TSNs in reverse order. CPU time per packet and resident memory per DATA chunk, of this process.
 * Usage: bench_data [PACKETS_MOST] */
#include <glib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../plugins/sctp_analysis/core/sctpa.h"
#include "../put_bytes.h"

enum {
    DATA_BYTES = 60,
    SACK_FIXED_BYTES = 28,
    BLOCKS = 200,
    SACK_BYTES_MAX = SACK_FIXED_BYTES + 4 * BLOCKS,
    REVERSED = 10000
};

typedef struct {
    const char *name;
    unsigned data_per_sack, blocks;
    bool reversed;
} shape_t;

typedef struct {
    sctpa_t *sctpa;
    sctpa_packet_t packet;
    uint8_t bytes[SACK_BYTES_MAX];
    uint32_t data;
} player_t;

static void feed(player_t *player, bool data, uint32_t bytes)
{
    static const sctpa_addr_t ends[2] = { { 4, { 10, 0, 0, 1 } }, { 4, { 10, 0, 0, 2 } } };
    sctpa_packet_t *packet = &player->packet;
    put16(player->bytes, data ? 5000 : 5001);
    put16(player->bytes + 2, data ? 5001 : 5000);
    put32(player->bytes + 4, data ? 0x12345678 : 0x98765432);
    player->bytes[SCTPA_HEADER_BYTES] = data ? SCTPA_CHUNK_DATA : SCTPA_CHUNK_SACK;
    player->bytes[SCTPA_HEADER_BYTES + 1] = data ? 3 : 0;
    put16(player->bytes + 14, bytes - SCTPA_HEADER_BYTES);
    packet->frame++;
    packet->time_ns += 10000;
    packet->source = ends[!data];
    packet->destination = ends[data];
    packet->bytes = player->bytes;
    packet->captured_bytes = packet->wire_bytes = bytes;
    packet->ip_bytes = bytes + 20;
    sctpa_feed(player->sctpa, packet);
}

/* TSNs in order; with blocks every other TSN is left out until it is BLOCKS pairs old, so that each SACK has that many
 * blocks. */
static uint32_t next_tsn(const shape_t *shape, uint32_t n)
{
    if (shape->reversed)
        return n / REVERSED * REVERSED + REVERSED - 1 - n % REVERSED;
    if (shape->blocks == 0)
        return n;
    uint32_t pair = n / 2;
    return n % 2 == 0 ? 2 * (pair + shape->blocks) + 1 : 2 * pair;
}

static void send_sack(player_t *player, const shape_t *shape)
{
    uint32_t pair = player->data / 2, cum_tsn = shape->blocks ? 2 * pair - 1 : player->data - 1, blocks = shape->blocks;
    if (shape->reversed)
        cum_tsn = player->data / REVERSED * REVERSED - 1;
    memset(player->bytes, 0, SACK_FIXED_BYTES);
    put32(player->bytes + 16, cum_tsn);
    put32(player->bytes + 20, 1000000);
    put16(player->bytes + 24, blocks);
    for (uint32_t i = 0; i < blocks; i++) {
        put16(player->bytes + SACK_FIXED_BYTES + 4 * i, 2 * i + 2);
        put16(player->bytes + SACK_FIXED_BYTES + 4 * i + 2, 2 * i + 2);
    }
    feed(player, false, SACK_FIXED_BYTES + 4 * blocks);
}

static void send_data(player_t *player, const shape_t *shape)
{
    memset(player->bytes, 0, DATA_BYTES);
    put32(player->bytes + 16, next_tsn(shape, player->data));
    player->data++;
    feed(player, true, DATA_BYTES);
}

static double resident_bytes(void)
{
    char *text = NULL;
    double pages = 0;
    if (g_file_get_contents("/proc/self/statm", &text, NULL, NULL))
        pages = g_ascii_strtod(strchr(text, ' '), NULL);
    g_free(text);
    return pages * (double)sysconf(_SC_PAGESIZE);
}

static void measure(const shape_t *shape, uint32_t n_packets)
{
    player_t player = { .sctpa = sctpa_new(NULL, 0), .packet = { .link_bytes = 34, .ttl = 64 } };
    double before = resident_bytes();
    clock_t begun = clock();
    while (player.packet.frame < n_packets) {
        for (unsigned i = 0; i < shape->data_per_sack; i++)
            send_data(&player, shape);
        send_sack(&player, shape);
    }
    double cpu_s = (double)(clock() - begun) / CLOCKS_PER_SEC;
    g_print("%-22s %10u %14.2f %20.0f\n", shape->name, n_packets, cpu_s / n_packets * 1e6,
            (resident_bytes() - before) / player.data);
    sctpa_free(player.sctpa);
}

/* In a process of its own: memory that was used before, and freed, shows in none. */
static void measure_alone(const shape_t *shape, uint32_t n_packets)
{
    pid_t child = fork();
    if (child == 0) {
        measure(shape, n_packets);
        exit(0);
    }
    waitpid(child, NULL, 0);
}

int main(int argc, char **argv)
{
    static const shape_t shapes[] = { { "in order", 2, 0, false },
                                      { "200 gap blocks", 2, BLOCKS, false },
                                      { "reversed by 10,000", 2, 0, true } };
    uint32_t most = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 5000000;
    g_print("%-22s %10s %14s %20s\n", "data", "packets", "us/packet", "bytes/DATA chunk");
    for (size_t s = 0; s < G_N_ELEMENTS(shapes); s++)
        for (uint32_t n = most / 16; n <= most; n *= 4)
            measure_alone(&shapes[s], n);
    return 0;
}
