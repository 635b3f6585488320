/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tells SCTP packets from other bytes by checksum and framing. Leaves what their chunks mean to the core. */
#include "sctp_bytes.h"

#include "sctpa.h"

static bool chunks_fill(const uint8_t *bytes, uint32_t length)
{
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t chunk;
    bool is_first = true;
    sctpa_chunks_begin(&iter, bytes, length, length);
    while (sctpa_tlv_next(&iter, &chunk)) {
        if ((is_first && chunk.row == NULL) || !sctpa_tlv_is_framed(&chunk))
            return false;
        is_first = false;
    }
    return !is_first && iter.fault == SCTPA_FAULT_NONE;
}

bool sctpa_is_sctp(tvbuff_t *tvb)
{
    uint32_t length = tvb_captured_length(tvb);
    if (length < SCTPA_HEADER_BYTES + SCTPA_TLV_HEADER_BYTES || length != tvb_reported_length(tvb))
        return false;
    const uint8_t *bytes = tvb_get_ptr(tvb, 0, (int)length);
    if (sctpa_be16(bytes) == 0 || sctpa_be16(bytes + 2) == 0)
        return false;
    sctpa_checksum_t kind = sctpa_checksum_kind(bytes, length, sctpa_packet_crc32c(bytes, length));
    return (kind == SCTPA_CHECKSUM_CRC32C || kind == SCTPA_CHECKSUM_ZERO) && chunks_fill(bytes, length);
}
