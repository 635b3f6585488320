/* SPDX-License-Identifier: GPL-2.0-or-later */
/* AUTH chunks (RFC 4895): finds the key vectors and the shared key of an association, and counts what verifies.
 * BAD is only said with a key that the user gave; the empty key of RFC 4895 6.1 can prove a packet right, not wrong.
 * At most one HMAC per packet is computed, whatever the packet holds. */
#include "feed_parts.h"
#include "track/endpoints.h"
#include "track/tracker.h"

static bool key_fits(const sctpa_auth_key_t *key, const sctpa_assoc_t *assoc, uint16_t key_id)
{
    if (key->key_id != key_id)
        return false;
    return !key->has_addr || sctpa_end_addr_origin(&assoc->ends[0], &key->addr) ||
           sctpa_end_addr_origin(&assoc->ends[1], &key->addr);
}

static const sctpa_auth_key_t *find_key(const sctpa_tracker_t *tracker, const sctpa_assoc_t *assoc, uint16_t key_id)
{
    const sctpa_auth_key_t *best = NULL;
    for (unsigned i = 0; i < tracker->keys->len; i++) {
        const sctpa_auth_key_t *key = &g_array_index(tracker->keys, sctpa_auth_key_t, i);
        if (key_fits(key, assoc, key_id) && (!best || key->has_addr))
            best = key;
    }
    return best;
}

/* RFC 4895 6.2: without a shared key "it MUST use Shared Key Identifier zero with an empty endpoint pair shared key".
 */
static sctpa_auth_t verify(const sctpa_tracker_t *tracker, const sctpa_assoc_t *assoc, const sctpa_packet_t *packet,
                           const sctpa_tlv_t *chunk)
{
    const sctpa_bytes_t *a = assoc->ends[0].key_vector, *b = assoc->ends[1].key_vector;
    if (!a || !b || packet->captured_bytes < packet->wire_bytes || !sctpa_tlv_has(chunk, SCTPA_F_AUTH_KEY_ID))
        return SCTPA_AUTH_UNVERIFIED;
    uint16_t key_id = (uint16_t)sctpa_tlv_u32(chunk, SCTPA_F_AUTH_KEY_ID);
    const sctpa_auth_key_t *key = find_key(tracker, assoc, key_id);
    if (!key && key_id != 0)
        return SCTPA_AUTH_UNVERIFIED;
    gsize length = 0;
    const uint8_t *bytes = key ? g_bytes_get_data(key->key, &length) : NULL;
    sctpa_auth_t auth =
        sctpa_auth_verify(chunk, packet->bytes + packet->wire_bytes, (sctpa_key_vector_t){ a->data, a->length },
                          (sctpa_key_vector_t){ b->data, b->length }, bytes, length);
    return auth == SCTPA_AUTH_BAD && !key ? SCTPA_AUTH_UNVERIFIED : auth;
}

/* What is true of all AUTH chunks of a packet: one that is bad makes it bad, else one that is unverified unverified. */
static sctpa_auth_t worse(sctpa_auth_t a, sctpa_auth_t b)
{
    return a == SCTPA_AUTH_BAD || b == SCTPA_AUTH_BAD     ? SCTPA_AUTH_BAD
           : a == SCTPA_AUTH_GOOD && b == SCTPA_AUTH_GOOD ? SCTPA_AUTH_GOOD
                                                          : SCTPA_AUTH_UNVERIFIED;
}

/* RFC 4895 5.1: "The control chunk AUTH MUST NOT appear more than once in an SCTP packet." */
void sctpa_auth_verify_chunk(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t from,
                             const sctpa_packet_t *packet, const sctpa_tlv_t *chunk, sctpa_record_t *record)
{
    sctpa_end_rare_t *end = sctpa_end_rare(tracked, from);
    bool is_first = record->auth == 0;
    sctpa_auth_t auth = is_first ? verify(tracker, &tracked->assoc, packet, chunk) : SCTPA_AUTH_UNVERIFIED;
    if (auth == SCTPA_AUTH_GOOD)
        end->auth_good++;
    else if (auth == SCTPA_AUTH_BAD)
        end->auth_bad++;
    else
        end->auth_unverified++;
    record->auth = (1u + (is_first ? auth : worse(record->auth - 1u, auth))) & 3u;
}
