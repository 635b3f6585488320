/* A packet as extract.py writes it, little-endian, then its bytes. */
#ifndef SCTPA_TEST_STORED_PACKET_H
#define SCTPA_TEST_STORED_PACKET_H

#include <glib.h>
#include <stdint.h>

typedef struct {
    int64_t time_ns;
    uint32_t frame, interface, header_bytes, captured_bytes, wire_bytes;
    uint16_t ip_id;
    uint8_t ttl, address_bytes;
    uint8_t source[16], destination[16];
} stored_packet_t;
G_STATIC_ASSERT(sizeof(stored_packet_t) == 64);

#endif
