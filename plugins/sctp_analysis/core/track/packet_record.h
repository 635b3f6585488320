/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is kept of every packet fed, by packet index. */
#ifndef SCTPA_TRACK_PACKET_RECORD_H
#define SCTPA_TRACK_PACKET_RECORD_H

#include <stdint.h>

/* One packet as stored: 16 bytes. */
typedef struct {
    uint32_t frame, assoc;
    uint32_t rows;      /* SCTPA_CHUNK_ROW_ bits of its chunks; of a duplicate, the packet that it repeats, by index */
    uint8_t path, pair; /* below SCTPA_ADDRS_MAX; nothing where assoc is SCTPA_NO_ASSOC */
    uint8_t remarks;
    uint8_t from : 1;
    uint8_t checksum : 3;
    uint8_t auth : 2; /* 1 + sctpa_auth_t of all its AUTH chunks, 0 none */
} sctpa_record_t;

#endif
