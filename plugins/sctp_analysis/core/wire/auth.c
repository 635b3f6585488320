/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Key vectors, association keys and HMACs of AUTH chunks (RFC 4895 6), by GLib.
 * Keeps no keys; leaves choosing the key of a key id to the caller. */
#include "auth.h"
#include <glib.h>
#include <string.h>

enum { MAX_DIGEST_BYTES = 32 };

/* Appends the first parameter of a type with its header, without padding. False when it does not fit; *found tells if
 * there was one. */
static bool append_param(const sctpa_tlv_t *init, uint32_t type, uint8_t *out, size_t capacity, size_t *length,
                         bool *found)
{
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t param;
    sctpa_params_begin(&iter, init);
    *found = false;
    while (sctpa_tlv_next(&iter, &param)) {
        if (param.type != type)
            continue;
        if (param.captured_bytes < param.length || param.length < SCTPA_TLV_HEADER_BYTES ||
            param.length > capacity - *length)
            return false;
        memcpy(out + *length, param.bytes, param.length);
        *length += param.length;
        *found = true;
        return true;
    }
    return true;
}

size_t sctpa_key_vector_collect(const sctpa_tlv_t *init, uint8_t *out, size_t capacity)
{
    size_t length = 0;
    bool random, chunks, hmac_algo;
    if (init->kind != SCTPA_TLV_CHUNK || !init->row || init->row->body != SCTPA_BODY_PARAMS)
        return 0;
    if (!append_param(init, SCTPA_PARAM_RANDOM, out, capacity, &length, &random) ||
        !append_param(init, SCTPA_PARAM_CHUNKS, out, capacity, &length, &chunks) ||
        !append_param(init, SCTPA_PARAM_HMAC_ALGO, out, capacity, &length, &hmac_algo))
        return 0;
    bool list_may_be_cut = !chunks && init->captured_bytes < init->wire_bytes;
    return random && hmac_algo && !list_may_be_cut ? length : 0;
}

/* RFC 4895 6.1: the vectors are compared as unsigned big-endian numbers; of equal numbers the shorter one is the
 * smaller. */
static bool is_smaller(sctpa_key_vector_t a, sctpa_key_vector_t b)
{
    size_t length = MAX(a.length, b.length);
    for (size_t i = length; i > 0; i--) {
        uint8_t byte_a = i <= a.length ? a.bytes[a.length - i] : 0;
        uint8_t byte_b = i <= b.length ? b.bytes[b.length - i] : 0;
        if (byte_a != byte_b)
            return byte_a < byte_b;
    }
    return a.length < b.length;
}

/* The association shared key: shared key, smaller vector, larger vector. Freed by the caller. */
static GByteArray *association_key(sctpa_key_vector_t a, sctpa_key_vector_t b, const uint8_t *shared_key,
                                   size_t shared_key_length)
{
    sctpa_key_vector_t smaller = is_smaller(b, a) ? b : a, larger = is_smaller(b, a) ? a : b;
    GByteArray *key = g_byte_array_new();
    if (shared_key_length)
        g_byte_array_append(key, shared_key, (guint)shared_key_length);
    g_byte_array_append(key, smaller.bytes, (guint)smaller.length);
    g_byte_array_append(key, larger.bytes, (guint)larger.length);
    return key;
}

/* False: not known. */
static bool digest_of(uint32_t hmac_id, GChecksumType *digest)
{
    *digest = hmac_id == SCTPA_HMAC_SHA1 ? G_CHECKSUM_SHA1 : G_CHECKSUM_SHA256;
    return hmac_id == SCTPA_HMAC_SHA1 || hmac_id == SCTPA_HMAC_SHA256;
}

sctpa_known_t sctpa_key_vector_lists(sctpa_key_vector_t vector, uint32_t hmac_id)
{
    size_t at = 0, length = 0;
    for (; at + SCTPA_TLV_HEADER_BYTES <= vector.length; at += length) {
        length = sctpa_be16(vector.bytes + at + 2);
        if (length < SCTPA_TLV_HEADER_BYTES || at + length > vector.length)
            return SCTPA_UNKNOWN;
        if (sctpa_be16(vector.bytes + at) != SCTPA_PARAM_HMAC_ALGO)
            continue;
        for (size_t i = at + SCTPA_TLV_HEADER_BYTES; i + 2 <= at + length; i += 2)
            if (sctpa_be16(vector.bytes + i) == hmac_id)
                return SCTPA_YES;
        return SCTPA_NO;
    }
    return SCTPA_UNKNOWN;
}

uint32_t sctpa_hmac_bytes(uint32_t hmac_id)
{
    GChecksumType digest;
    return digest_of(hmac_id, &digest) ? (uint32_t)g_checksum_type_get_length(digest) : 0;
}

static void compute_hmac(GChecksumType digest, const GByteArray *key, const sctpa_tlv_t *auth,
                         const uint8_t *packet_end, uint8_t out[MAX_DIGEST_BYTES])
{
    static const uint8_t zeros[MAX_DIGEST_BYTES];
    const uint8_t *after = auth->bytes + auth->wire_bytes;
    gsize length = MAX_DIGEST_BYTES;
    GHmac *hmac = g_hmac_new(digest, key->data, key->len);
    g_hmac_update(hmac, auth->bytes, auth->row->fixed_bytes);
    g_hmac_update(hmac, zeros, (gssize)(auth->wire_bytes - auth->row->fixed_bytes));
    g_hmac_update(hmac, after, packet_end - after);
    g_hmac_get_digest(hmac, out, &length);
    g_hmac_unref(hmac);
}

sctpa_auth_t sctpa_auth_verify(const sctpa_tlv_t *auth, const uint8_t *packet_end, sctpa_key_vector_t a,
                               sctpa_key_vector_t b, const uint8_t *shared_key, size_t shared_key_length)
{
    GChecksumType digest;
    uint8_t expected[MAX_DIGEST_BYTES];
    if (auth->captured_bytes < auth->wire_bytes || !sctpa_tlv_has(auth, SCTPA_F_AUTH_HMAC_ID) || !a.length || !b.length)
        return SCTPA_AUTH_UNVERIFIED;
    if (packet_end < auth->bytes + auth->wire_bytes || !digest_of(sctpa_tlv_u32(auth, SCTPA_F_AUTH_HMAC_ID), &digest))
        return SCTPA_AUTH_UNVERIFIED;
    uint32_t hmac_bytes = auth->wire_bytes - auth->row->fixed_bytes;
    if (auth->wire_bytes != auth->length || hmac_bytes != (uint32_t)g_checksum_type_get_length(digest))
        return SCTPA_AUTH_BAD;
    GByteArray *key = association_key(a, b, shared_key, shared_key_length);
    compute_hmac(digest, key, auth, packet_end, expected);
    g_byte_array_unref(key);
    return memcmp(expected, auth->bytes + auth->row->fixed_bytes, hmac_bytes) ? SCTPA_AUTH_BAD : SCTPA_AUTH_GOOD;
}
