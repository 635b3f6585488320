/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measures what the core alone costs per packet as associations grow in number: the first two packets of each, later
 * ones, the end. Every association sends a DATA and a SACK in turn, all interleaved, no set-up captured. CPU time of
 * this process. Usage: bench_growth [PACKETS] */
#include <glib.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../plugins/sctp_analysis/core/sctpa.h"
#include "../put_bytes.h"

enum { PORTS_PER_HOST = 60000, DATA_BYTES = 60, SACK_BYTES = 28 };

static double cpu_s(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* Packet number i of all: a DATA chunk on even numbers, the SACK for it on odd ones. */
static void build(sctpa_packet_t *packet, uint8_t *bytes, uint32_t i, uint32_t n_assocs)
{
    uint32_t assoc = i / 2 % n_assocs, tsn = assoc * 7919 + i / 2 / n_assocs, port = 1024 + assoc % PORTS_PER_HOST;
    bool data = i % 2 == 0;
    sctpa_addr_t client = { 4, { 10, 1, (uint8_t)(assoc / PORTS_PER_HOST), 1 } }, server = { 4, { 10, 0, 0, 1 } };

    memset(bytes, 0, DATA_BYTES);
    put16(bytes, data ? port : 5001);
    put16(bytes + 2, data ? 5001 : port);
    put32(bytes + 4, (data ? 0x10000000u : 0x90000000u) + assoc * 4097);
    bytes[SCTPA_HEADER_BYTES] = data ? SCTPA_CHUNK_DATA : SCTPA_CHUNK_SACK;
    put16(bytes + 14, data ? DATA_BYTES - SCTPA_HEADER_BYTES : SACK_BYTES - SCTPA_HEADER_BYTES);
    put32(bytes + 16, tsn);
    *packet = (sctpa_packet_t){ .frame = i + 1,
                                .time_ns = (int64_t)i * 3000,
                                .link_bytes = 34,
                                .ttl = 64,
                                .bytes = bytes,
                                .source = data ? client : server,
                                .destination = data ? server : client };
    packet->captured_bytes = packet->wire_bytes = data ? DATA_BYTES : SACK_BYTES;
    packet->ip_bytes = packet->wire_bytes + 20;
}

static void measure(uint32_t n_assocs, uint32_t n_packets)
{
    sctpa_t *sctpa = sctpa_new(NULL, 0);
    uint32_t first = MIN(2 * n_assocs, n_packets);
    double begun = cpu_s(), after_first = begun;
    sctpa_packet_t packet;
    uint8_t bytes[DATA_BYTES];

    for (uint32_t i = 0; i < n_packets; i++) {
        build(&packet, bytes, i, n_assocs);
        sctpa_feed(sctpa, &packet);
        if (i + 1 == first)
            after_first = cpu_s();
    }
    double fed = cpu_s();
    sctpa_free(sctpa);
    double ended = cpu_s();
    g_print("%12u  %20.2f  %20.2f  %20.2f\n", n_assocs, (after_first - begun) / first * 1e6,
            (fed - after_first) / MAX(n_packets - first, 1) * 1e6, (ended - fed) / n_assocs * 1e6);
}

int main(int argc, char **argv)
{
    uint32_t n_packets = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1000000;
    g_print("associations  us/packet, first two  us/packet, later ones  us/association at end\n");
    for (uint32_t n = 10; n <= 100000; n *= 10)
        measure(n, n_packets);
    return 0;
}
