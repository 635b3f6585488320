/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who rewrites a port and leaves the checksum as it was makes it wrong: CRC32c is linear, so that the difference to the
 * right one tells which port it was made for. */
#include "rewritten_port.h"

#include "base/bytes.h"
#include "track/endpoints.h"

enum { CHECKSUM_AT = 8 };

/* The packet fits the port that those before it did, or none did yet. */
static bool fits(const sctpa_rewritten_t *rewritten, bool is_destination, uint16_t port)
{
    return rewritten->fitting == 0 || (rewritten->is_destination == is_destination && rewritten->port == port);
}

void sctpa_rewritten_port_note(sctpa_tracked_t *tracked, uint8_t from, const sctpa_packet_t *packet)
{
    sctpa_rewritten_t *rewritten = &sctpa_end_rare(tracked, from)->rewritten;
    if (rewritten->tried == SCTPA_REWRITTEN_TRIED)
        return;
    const uint32_t checksum = sctpa_be32(packet->bytes + CHECKSUM_AT);
    rewritten->tried++;
    for (unsigned side = 0; side < 2; side++) {
        uint16_t port;
        const bool is_destination = side == 0;
        if (!sctpa_checksum_port(packet->bytes, packet->captured_bytes, is_destination, &port) ||
            !fits(rewritten, is_destination, port))
            continue;
        rewritten->different += rewritten->fitting == 0 || checksum != rewritten->checksum;
        rewritten->fitting++;
        rewritten->checksum = checksum;
        rewritten->is_destination = is_destination;
        rewritten->port = port;
        return;
    }
}
