/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is kept of every packet fed, by packet index. */
#ifndef SCTPA_TRACK_PACKET_RECORD_H
#define SCTPA_TRACK_PACKET_RECORD_H

#include <stdint.h>

/* One packet as stored: 16 bytes. */
typedef struct {
    uint32_t frame, assoc;
    uint16_t path, pair;
    uint8_t from, remarks, checksum;
    uint8_t auth; /* 1 + sctpa_auth_t of all its AUTH chunks, 0 none */
} sctpa_record_t;

#endif
