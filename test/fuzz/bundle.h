/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes packets that hold up to 200 chunks of all types, mostly well formed, from a few bytes that choose them and a
 * sequence of pseudo-random numbers. For fuzz_bundles.c. */
#ifndef BUNDLE_H
#define BUNDLE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "../put_bytes.h"

enum { BUNDLE_BYTES_MAX = 1 << 16, BUNDLE_CHUNK_BYTES_MAX = 1024, BUNDLE_HEADER_BYTES = 12, BUNDLE_DIRECTIONS = 8 };

typedef enum {
    MIX_ALL,
    MIX_DATA,
    MIX_SACKS,
    MIX_TRANSFER,
    MIX_SETUP,
    MIX_REQUESTS,
    MIX_ONE_TYPE,
    MIX_IN_TURN,
    MIXES
} bundle_mix_t;

typedef struct {
    uint64_t state;
    uint32_t tsn[BUNDLE_DIRECTIONS];    /* of the next DATA */
    uint32_t serial[BUNDLE_DIRECTIONS]; /* of the next ASCONF or RE-CONFIG */
    unsigned direction;                 /* whose packet this is; its peer is the one with the last bit changed */
    uint32_t own_tag, length;
    uint8_t bytes[BUNDLE_BYTES_MAX];
} bundle_t;

static const uint8_t bundle_types[] = { 0,    1,    2,    3,    4,    5,    6,    7,    8,    9,
                                        10,   11,   12,   13,   14,   15,   16,   0x40, 0x80, 0x81,
                                        0x82, 0x84, 0xC0, 0xC1, 0xC2, 0x3F, 0x7F, 0xBF, 0xFE };

static inline uint32_t bundle_random(bundle_t *bundle, uint32_t below)
{
    bundle->state = bundle->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((bundle->state >> 33) % below);
}

static inline bool one_in(bundle_t *bundle, uint32_t n)
{
    return bundle_random(bundle, n) == 0;
}

static inline void bundle8(bundle_t *bundle, uint32_t value)
{
    bundle->bytes[bundle->length++] = (uint8_t)value;
}

static inline void bundle16(bundle_t *bundle, uint32_t value)
{
    put16(bundle->bytes + bundle->length, value);
    bundle->length += 2;
}

static inline void bundle32(bundle_t *bundle, uint32_t value)
{
    put32(bundle->bytes + bundle->length, value);
    bundle->length += 4;
}

static inline void bundle_bytes(bundle_t *bundle, uint32_t n)
{
    while (n-- > 0)
        bundle8(bundle, bundle_random(bundle, 256));
}

/* Writes the length of a chunk or parameter that began at from, seldom a wrong one, and pads it. */
static inline void bundle_close(bundle_t *bundle, uint32_t from)
{
    put16(bundle->bytes + from + 2, bundle->length - from + (one_in(bundle, 200) ? bundle_random(bundle, 9) : 0));
    while (bundle->length % 4)
        bundle8(bundle, one_in(bundle, 100));
}

static inline uint32_t near_tsn(bundle_t *bundle, unsigned direction)
{
    static const uint32_t far[] = { 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFF00, 70000, 2 };
    uint32_t tsn = bundle->tsn[direction] - bundle_random(bundle, 32);
    return one_in(bundle, 100) ? tsn + far[bundle_random(bundle, 6)] : tsn;
}

static inline void put_address(bundle_t *bundle)
{
    bool is_v6 = one_in(bundle, 4);
    bundle32(bundle, is_v6 ? 0x00060014 : 0x00050008);
    bundle32(bundle, one_in(bundle, 10) ? 0 : 0x0A000000 + bundle_random(bundle, 6));
    if (is_v6)
        for (unsigned i = 0; i < 3; i++)
            bundle32(bundle, i == 2 ? bundle_random(bundle, 4) : 0);
}

static inline void put_param(bundle_t *bundle)
{
    static const uint16_t types[] = { 1,      5,      6,      7,      8,      9,      11,     12,
                                      13,     14,     15,     16,     17,     18,     0x8000, 0x8001,
                                      0x8002, 0x8003, 0x8004, 0x8005, 0x8008, 0xC000, 0xC001, 0xC002,
                                      0xC003, 0xC004, 0xC005, 0xC006, 0x1234, 0x9234, 0xD234 };
    uint32_t from = bundle->length, type = types[bundle_random(bundle, sizeof types / sizeof *types)];
    if (type == 5 || type == 6) {
        put_address(bundle);
        return;
    }
    bundle32(bundle, type << 16);
    if (type >= 13 && type <= 18)
        for (unsigned i = 0; i < 3; i++)
            bundle32(bundle, bundle->serial[bundle->direction ^ one_in(bundle, 2)] - bundle_random(bundle, 2));
    else if (type >= 0xC001 && type <= 0xC004) {
        bundle32(bundle, bundle_random(bundle, 8));
        put_address(bundle);
    } else
        bundle_bytes(bundle, bundle_random(bundle, 24));
    bundle_close(bundle, from);
}

static inline void put_params(bundle_t *bundle, uint32_t most)
{
    for (uint32_t n = bundle_random(bundle, most); n > 0 && bundle->length < BUNDLE_BYTES_MAX - BUNDLE_CHUNK_BYTES_MAX;
         n--)
        put_param(bundle);
}

static inline void put_sack(bundle_t *bundle, bool is_nr)
{
    static const uint32_t windows[] = { 0, 1, 1500, 65536, 0xFFFFFFFF };
    uint32_t gaps = one_in(bundle, 3) ? bundle_random(bundle, one_in(bundle, 8) ? 200 : 6) : 0,
             nr_gaps = is_nr ? bundle_random(bundle, 4) : 0;
    uint32_t duplicates = one_in(bundle, 8) ? bundle_random(bundle, 4) : 0, offset = 1;
    bundle32(bundle, near_tsn(bundle, bundle->direction ^ 1));
    bundle32(bundle, windows[bundle_random(bundle, 5)]);
    bundle16(bundle, gaps);
    bundle16(bundle, is_nr ? nr_gaps : duplicates);
    if (is_nr) {
        bundle16(bundle, duplicates);
        bundle16(bundle, 0);
    }
    for (uint32_t i = 0; i < gaps + nr_gaps; i++) {
        uint32_t first = offset + 1 + bundle_random(bundle, 3),
                 last = first + bundle_random(bundle, one_in(bundle, 50) ? 65536 : 3);
        bundle16(bundle, one_in(bundle, 50) ? last : first);
        bundle16(bundle, last);
        offset = last;
    }
    while (duplicates-- > 0)
        bundle32(bundle, near_tsn(bundle, bundle->direction ^ 1));
}

static inline void put_data(bundle_t *bundle, bool is_i_data)
{
    uint32_t *next = &bundle->tsn[bundle->direction];
    bool is_new = !one_in(bundle, 4);
    bundle32(bundle, is_new ? *next : near_tsn(bundle, bundle->direction));
    *next += is_new ? 1 + one_in(bundle, 20) : 0;
    bundle16(bundle, bundle_random(bundle, one_in(bundle, 50) ? 65536 : 4));
    bundle16(bundle, bundle_random(bundle, 8));
    bundle32(bundle, bundle_random(bundle, 64));
    if (is_i_data)
        bundle32(bundle, bundle_random(bundle, 8));
    bundle_bytes(bundle, one_in(bundle, 50) ? 0 : 1 + bundle_random(bundle, 4));
}

static inline void put_init(bundle_t *bundle)
{
    bundle32(bundle, one_in(bundle, 8) ? bundle_random(bundle, 3) : bundle->own_tag);
    bundle32(bundle, one_in(bundle, 8) ? 0 : 65536);
    bundle16(bundle, bundle_random(bundle, 4) * 10);
    bundle16(bundle, bundle_random(bundle, 4) * 10);
    bundle32(bundle, near_tsn(bundle, bundle->direction));
    put_params(bundle, 12);
}

static inline void put_forward(bundle_t *bundle, uint32_t words)
{
    bundle32(bundle, near_tsn(bundle, bundle->direction));
    for (uint32_t n = bundle_random(bundle, 5) * words; n > 0; n--)
        bundle32(bundle, bundle_random(bundle, 4) << 16 | bundle_random(bundle, 8));
}

static inline void put_asconf(bundle_t *bundle, bool is_ack)
{
    uint32_t *serial = &bundle->serial[bundle->direction ^ is_ack];
    bundle32(bundle, is_ack || one_in(bundle, 3) ? *serial : ++*serial);
    if (!is_ack)
        put_address(bundle);
    put_params(bundle, 6);
}

static inline void put_causes(bundle_t *bundle)
{
    for (uint32_t n = bundle_random(bundle, 4); n > 0; n--) {
        uint32_t from = bundle->length;
        bundle32(bundle, (one_in(bundle, 10) ? 0xA0 : 1 + bundle_random(bundle, 13)) << 16);
        bundle_bytes(bundle, bundle_random(bundle, 20));
        bundle_close(bundle, from);
    }
}

static inline void put_value(bundle_t *bundle, uint32_t type)
{
    switch (type) {
    case 0:
    case 0x40: put_data(bundle, type == 0x40); break;
    case 1:
    case 2: put_init(bundle); break;
    case 3:
    case 16: put_sack(bundle, type == 16); break;
    case 4:
    case 5:
        bundle32(bundle, 0x00010008);
        bundle32(bundle, bundle_random(bundle, 8));
        break;
    case 6:
    case 9: put_causes(bundle); break;
    case 7:
    case 12:
    case 13: bundle32(bundle, near_tsn(bundle, bundle->direction ^ (type == 7))); break;
    case 10: bundle_bytes(bundle, 4 * bundle_random(bundle, 10)); break;
    case 15:
        bundle16(bundle, bundle_random(bundle, 3));
        bundle16(bundle, 1 + 2 * bundle_random(bundle, 2));
        bundle_bytes(bundle, 20);
        break;
    case 0x80:
    case 0xC1: put_asconf(bundle, type == 0x80); break;
    case 0x82: put_params(bundle, 5); break;
    case 0xC0:
    case 0xC2: put_forward(bundle, type == 0xC2 ? 2 : 1); break;
    case 8:
    case 11:
    case 14: break;
    default: bundle_bytes(bundle, bundle_random(bundle, 24));
    }
}

static inline uint32_t bundle_type(bundle_t *bundle, bundle_mix_t mix, uint32_t number, uint8_t seed)
{
    static const uint8_t transfer[] = { 0, 0, 0, 3, 3, 0x40, 4, 5, 9, 12, 13, 0xC0 },
                         setup[] = { 1, 2, 10, 11, 10, 11, 0, 3, 9, 6, 7, 8, 14 };
    static const uint8_t requests[] = { 15, 0xC1, 0x80, 0x82, 0x82, 4, 5, 0xC0, 0xC2, 0 };
    switch (mix) {
    case MIX_DATA: return one_in(bundle, 20) ? 4 : 0;
    case MIX_SACKS: return one_in(bundle, 5) ? 16 : 3;
    case MIX_TRANSFER: return transfer[bundle_random(bundle, sizeof transfer)];
    case MIX_SETUP: return setup[bundle_random(bundle, sizeof setup)];
    case MIX_REQUESTS: return requests[bundle_random(bundle, sizeof requests)];
    case MIX_ONE_TYPE: return bundle_types[seed % sizeof bundle_types];
    case MIX_IN_TURN: return bundle_types[(number + seed) % sizeof bundle_types];
    default:
        return one_in(bundle, 100) ? bundle_random(bundle, 256)
                                   : bundle_types[bundle_random(bundle, sizeof bundle_types)];
    }
}

/* A packet of so many chunks (or as many as fit) into bundle->bytes; ports and tag are the caller's. */
static inline void bundle_make(bundle_t *bundle, bundle_mix_t mix, uint32_t chunks, uint8_t seed)
{
    memset(bundle->bytes, 0, BUNDLE_HEADER_BYTES);
    bundle->length = BUNDLE_HEADER_BYTES;
    for (uint32_t i = 0; i < chunks && bundle->length < BUNDLE_BYTES_MAX - 2 * BUNDLE_CHUNK_BYTES_MAX; i++) {
        uint32_t from = bundle->length;
        bundle8(bundle, bundle_type(bundle, mix, i, seed));
        bundle8(bundle, bundle->bytes[from] == 0 ? bundle_random(bundle, 16) : one_in(bundle, 4));
        bundle16(bundle, 0);
        put_value(bundle, bundle->bytes[from]);
        bundle_close(bundle, from);
    }
}

#endif
