/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzzes the wire layer: two bytes choose how much of the packet is captured, the rest is the packet.
 * The promises are in packet_body.h. */
#include "packet_body.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2 || size - 2 > UINT16_MAX)
        return 0;
    uint32_t wire_bytes = (uint32_t)size - 2, captured_bytes = MIN(sctpa_be16(data), wire_bytes);
    uint8_t *packet = g_memdup2(data + 2, captured_bytes); /* so that a sanitizer sees reads past what is captured */
    check_packet(packet ? packet : data, captured_bytes, wire_bytes);
    g_free(packet);
    return 0;
}
