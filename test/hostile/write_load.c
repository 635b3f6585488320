/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a hostile load as a capture (pcap, Ethernet, IPv4, SCTP without checksums), or lists the kinds. */
#include <stdio.h>
#include <stdlib.h>

#include "loads.h"

enum { LINK_BYTES = 14, IP_BYTES = 20 };

typedef struct {
    FILE *file;
    uint16_t ip_id;
} writer_t;

static uint16_t ip_checksum(const uint8_t *header)
{
    uint32_t sum = 0;
    for (int i = 0; i < IP_BYTES; i += 2)
        sum += (uint32_t)(header[i] << 8 | header[i + 1]);
    sum = (sum & 0xFFFF) + (sum >> 16);
    return (uint16_t) ~(sum + (sum >> 16));
}

static void write_packet(void *user, const load_packet_t *packet)
{
    writer_t *writer = user;
    uint8_t headers[LINK_BYTES + IP_BYTES] = { 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 8, 0, 0x45 },
                                 *ip = headers + LINK_BYTES;
    uint32_t total = (uint32_t)sizeof headers + packet->n_bytes;
    uint32_t record[4] = { (uint32_t)(packet->time_us / 1000000), (uint32_t)(packet->time_us % 1000000), total, total };
    if (++writer->ip_id == 0)
        writer->ip_id = 1;
    put16(ip + 2, IP_BYTES + packet->n_bytes);
    put16(ip + 4, writer->ip_id);
    ip[6] = 0x40;
    ip[8] = 64;
    ip[9] = 132;
    put32(ip + 12, packet->source);
    put32(ip + 16, packet->destination);
    put16(ip + 10, ip_checksum(ip));
    fwrite(record, sizeof record, 1, writer->file);
    fwrite(headers, sizeof headers, 1, writer->file);
    fwrite(packet->bytes, packet->n_bytes, 1, writer->file);
}

static int list_kinds(void)
{
    static const char *const looks[] = { "read", "fields", "json", "triage", "keys" };
    for (unsigned i = 0; i < n_load_kinds; i++)
        printf("%s\t%s\t%s\t%u\t%s\n", load_kinds[i].name, looks[load_kinds[i].look],
               load_kinds[i].has_control ? "control" : "-", load_kinds[i].n_small, load_kinds[i].attacks);
    return 0;
}

/* Prints how many packets, chunks and associations the capture holds. */
static int write_capture(const load_kind_t *kind, const char *path, uint64_t n, bool is_hostile)
{
    static load_t load;
    const uint32_t header[6] = { 0xA1B2C3D4, 2 | 4 << 16, 0, 0, 262144, 1 };
    writer_t writer = { .file = fopen(path, "wb") };
    if (!writer.file) {
        perror(path);
        return 1;
    }
    setvbuf(writer.file, NULL, _IOFBF, 1 << 20);
    fwrite(header, sizeof header, 1, writer.file);
    load_begin(&load, write_packet, &writer);
    kind->make(&load, n, is_hostile);
    if (ferror(writer.file) | fclose(writer.file)) {
        perror(path);
        return 1;
    }
    printf("%llu\t%llu\t%llu\n", (unsigned long long)load.packets, (unsigned long long)load.chunks,
           (unsigned long long)load.associations);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--list") == 0)
        return list_kinds();
    const load_kind_t *kind = argc >= 3 ? load_kind_find(argv[1]) : NULL;
    if (!kind) {
        fprintf(stderr, "usage: hostile_write KIND FILE [N [0: the harmless control]] | --list\n");
        return 2;
    }
    uint64_t n = argc > 3 ? strtoull(argv[3], NULL, 10) : kind->n_small;
    return write_capture(kind, argv[2], n, argc <= 4 || atoi(argv[4]) != 0);
}
