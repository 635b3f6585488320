/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The checksum field of an SCTP packet: what CRC32c and Adler-32 give for the packet, and which of them the field
 * holds. */
#include "checksum.h"

#include <string.h>

#include "base/numbers.h"
#include "chunk.h"

/* --- CRC32c --- */

/* RFC 9260 appendix A: by tables, eight bytes at a time, and by the instructions of x86-64 and ARMv8. States are not
 * inverted: they begin with CRC32C_START and are inverted at the end.
 *
 * The polynomial is 0x1EDC6F41, bit-reflected 0x82F63B78. CRC is linear, so table k (the state after byte i and k zero
 * bytes) follows from its values for single bits, and the state after n zero bytes is a product with x^8n modulo the
 * polynomial. */
#define CRC32C_START UINT32_C(0xFFFFFFFF)
#define CRC32C_POLYNOMIAL UINT32_C(0x82F63B78) /* bit-reflected */

#define BIT(i, b, value) ((i) >> (b)&1 ? (value) : 0u)
#define ENTRY(i, b0, b1, b2, b3, b4, b5, b6, b7) \
    BIT(i, 0, b0) ^ BIT(i, 1, b1) ^ BIT(i, 2, b2) ^ BIT(i, 3, b3) ^ BIT(i, 4, b4) ^ BIT(i, 5, b5) ^ BIT(i, 6, b6) ^ \
        BIT(i, 7, b7)
#define ENTRIES_4(i, ...) \
    ENTRY(i, __VA_ARGS__), ENTRY((i) + 1, __VA_ARGS__), ENTRY((i) + 2, __VA_ARGS__), ENTRY((i) + 3, __VA_ARGS__)
#define ENTRIES_16(i, ...) \
    ENTRIES_4(i, __VA_ARGS__), ENTRIES_4((i) + 4, __VA_ARGS__), ENTRIES_4((i) + 8, __VA_ARGS__), \
        ENTRIES_4((i) + 12, __VA_ARGS__)
#define ENTRIES_64(i, ...) \
    ENTRIES_16(i, __VA_ARGS__), ENTRIES_16((i) + 16, __VA_ARGS__), ENTRIES_16((i) + 32, __VA_ARGS__), \
        ENTRIES_16((i) + 48, __VA_ARGS__)
/* clang-format off */
#define TABLE(...) \
    { ENTRIES_64(0, __VA_ARGS__), ENTRIES_64(64, __VA_ARGS__), ENTRIES_64(128, __VA_ARGS__), \
      ENTRIES_64(192, __VA_ARGS__) }
/* clang-format on */

static const uint32_t tables[8][256] = {
    TABLE(0xf26b8303, 0xe13b70f7, 0xc79a971f, 0x8ad958cf, 0x105ec76f, 0x20bd8ede, 0x417b1dbc, 0x82f63b78),
    TABLE(0x13a29877, 0x274530ee, 0x4e8a61dc, 0x9d14c3b8, 0x3fc5f181, 0x7f8be302, 0xff17c604, 0xfbc3faf9),
    TABLE(0xa541927e, 0x4f6f520d, 0x9edea41a, 0x38513ec5, 0x70a27d8a, 0xe144fb14, 0xc76580d9, 0x8b277743),
    TABLE(0xdd45aab8, 0xbf672381, 0x7b2231f3, 0xf64463e6, 0xe964b13d, 0xd725148b, 0xaba65fe7, 0x52a0c93f),
    TABLE(0x38116fac, 0x7022df58, 0xe045beb0, 0xc5670b91, 0x8f2261d3, 0x1ba8b557, 0x37516aae, 0x6ea2d55c),
    TABLE(0xef306b19, 0xdb8ca0c3, 0xb2f53777, 0x6006181f, 0xc00c303e, 0x85f4168d, 0x0e045beb, 0x1c08b7d6),
    TABLE(0x68032cc8, 0xd0065990, 0xa5e0c5d1, 0x4e2dfd53, 0x9c5bfaa6, 0x3d5b83bd, 0x7ab7077a, 0xf56e0ef4),
    TABLE(0x493c7d27, 0x9278fa4e, 0x211d826d, 0x423b04da, 0x847609b4, 0x0d006599, 0x1a00cb32, 0x34019664),
};

/* The state after length more bytes, by tables. O(length). */
static uint32_t crc32c_update_table(uint32_t state, const uint8_t *bytes, size_t length)
{
    for (; length >= 8; bytes += 8, length -= 8) {
        state = tables[7][bytes[0] ^ (state & 0xFF)] ^ tables[6][bytes[1] ^ (state >> 8 & 0xFF)] ^
                tables[5][bytes[2] ^ (state >> 16 & 0xFF)] ^ tables[4][bytes[3] ^ (state >> 24)] ^ tables[3][bytes[4]] ^
                tables[2][bytes[5]] ^ tables[1][bytes[6]] ^ tables[0][bytes[7]];
    }
    for (; length; bytes++, length--)
        state = tables[0][(state ^ *bytes) & 0xFF] ^ state >> 8;
    return state;
}

#if defined(__x86_64__) && defined(__GNUC__)
#include <nmmintrin.h>
#include <wmmintrin.h>

#define HAS_INSTRUCTION (__builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("pclmul"))
#define FOR_CPU __attribute__((target("sse4.2,pclmul")))

enum { STEP_BYTES = 16, MAX_STEPS = 32, SERIAL_BYTES = 3 * STEP_BYTES };

/* x^(128 j - 33) modulo the polynomial, bit-reflected, at j - 1: a product with it and one crc32 shift a state past 16
 * j zero bytes. */
static const uint32_t shifts[2 * MAX_STEPS] = {
    0x493c7d27, 0xba4fc28e, 0xddc0152b, 0x9e4addf8, 0x39d3b296, 0x0715ce53, 0x47db8317, 0x0d3b6092,
    0xc96cfdc0, 0x878a92a7, 0xdaece73e, 0xab7aff2a, 0x2162d385, 0x83348832, 0x299847d5, 0xb9e02b86,
    0x18b33a4e, 0xb6dd949b, 0x78d9ccb7, 0xbac2fd7b, 0xa60ce07b, 0xce7f39f4, 0x61d82e56, 0xd270f1a2,
    0xc619809d, 0x2b3cac5d, 0x65863b64, 0x1b03397f, 0xebb883bd, 0xb3e32c28, 0x064f7f26, 0xdd7e3b0c,
    0xf285651c, 0x10746f3c, 0xc7a68855, 0x271d9844, 0x8e766a0c, 0x93a5f730, 0x6cb08e5c, 0x6b749fb2,
    0x1393e203, 0xcec3662e, 0x96c515bb, 0xe6fc4e6a, 0x8227bb8a, 0xb0cd4768, 0x39c7ff35, 0xd7a4825c,
    0x0ab3844b, 0x0167d312, 0xf6076544, 0x26f6a60a, 0xa741c1bf, 0x98d8d9cb, 0x49c3cc9c, 0x68bce87a,
    0x57a3d037, 0x6956fc3b, 0x42d98888, 0x3771e98f, 0xb42ae3d9, 0x2178513a, 0xe0ac139e, 0x170076fa,
};

static inline uint64_t load64(const uint8_t *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

FOR_CPU static inline uint64_t product(uint64_t state, uint32_t shift)
{
    return (uint64_t)_mm_cvtsi128_si64(
        _mm_clmulepi64_si128(_mm_cvtsi64_si128((long long)state), _mm_cvtsi64_si128(shift), 0));
}

/* The instruction has a latency of three cycles but starts every cycle: three lanes of 16 steps bytes run side by side.
 */
FOR_CPU static uint32_t update_three_lanes(uint32_t state, const uint8_t *bytes, size_t steps)
{
    size_t lane_bytes = STEP_BYTES * steps;
    uint64_t first = state, second = 0, third = 0;
    for (size_t i = 0; i < lane_bytes; i += 8) {
        first = _mm_crc32_u64(first, load64(bytes + i));
        second = _mm_crc32_u64(second, load64(bytes + lane_bytes + i));
        third = _mm_crc32_u64(third, load64(bytes + 2 * lane_bytes + i));
    }
    uint64_t shifted = product(first, shifts[2 * steps - 1]) ^ product(second, shifts[steps - 1]);
    return (uint32_t)(_mm_crc32_u64(0, shifted) ^ third);
}

FOR_CPU static uint32_t update_by_instruction(uint32_t state, const uint8_t *bytes, size_t length)
{
    while (length >= 2 * SERIAL_BYTES) {
        size_t steps = length / SERIAL_BYTES < MAX_STEPS ? length / SERIAL_BYTES : MAX_STEPS;
        state = update_three_lanes(state, bytes, steps);
        bytes += SERIAL_BYTES * steps;
        length -= SERIAL_BYTES * steps;
    }
    for (; length >= 8; bytes += 8, length -= 8)
        state = (uint32_t)_mm_crc32_u64(state, load64(bytes));
    for (; length; bytes++, length--)
        state = _mm_crc32_u8(state, *bytes);
    return state;
}

#elif defined(__aarch64__) && defined(__GNUC__) && (defined(__ARM_FEATURE_CRC32) || defined(__linux__))
#ifdef __ARM_FEATURE_CRC32
#define HAS_INSTRUCTION 1
#else
#include <asm/hwcap.h>
#include <sys/auxv.h>
#define HAS_INSTRUCTION (getauxval(AT_HWCAP) & HWCAP_CRC32)
#endif

static uint32_t update_by_instruction(uint32_t state, const uint8_t *bytes, size_t length)
{
    for (; length >= 8; bytes += 8, length -= 8) {
        uint64_t word;
        memcpy(&word, bytes, sizeof word);
        __asm__(".arch_extension crc\n\tcrc32cx %w0, %w0, %x1" : "+r"(state) : "r"(word));
    }
    for (; length; bytes++, length--)
        __asm__(".arch_extension crc\n\tcrc32cb %w0, %w0, %w1" : "+r"(state) : "r"((uint32_t)*bytes));
    return state;
}

#else
#define HAS_INSTRUCTION 0
#define update_by_instruction crc32c_update_table
#endif

/* The state after length more bytes, by the instruction of the CPU when it has one. O(length). */
static uint32_t crc32c_update(uint32_t state, const uint8_t *bytes, size_t length)
{
    return HAS_INSTRUCTION ? update_by_instruction(state, bytes, length) : crc32c_update_table(state, bytes, length);
}

uint32_t sctpa_crc32c(const uint8_t *bytes, size_t length)
{
    return ~crc32c_update(CRC32C_START, bytes, length);
}

uint32_t sctpa_crc32c_table(const uint8_t *bytes, size_t length)
{
    return ~crc32c_update_table(CRC32C_START, bytes, length);
}

/* --- the field --- */

enum { FIELD_AT = 8, FIELD_BYTES = SCTPA_HEADER_BYTES - FIELD_AT };

static const uint8_t zero_field[FIELD_BYTES];

static uint32_t swap(uint32_t state)
{
    return state << 24 | (state << 8 & 0xFF0000) | (state >> 8 & 0xFF00) | state >> 24;
}

uint32_t sctpa_packet_crc32c(const uint8_t *packet, size_t length)
{
    uint32_t state = crc32c_update(CRC32C_START, packet, FIELD_AT);
    state = crc32c_update(state, zero_field, FIELD_BYTES);
    state = ~crc32c_update(state, packet + SCTPA_HEADER_BYTES, length - SCTPA_HEADER_BYTES);
    return swap(state);
}

/* Two states differ by difference after so many same bytes. By what did they before? */
static uint32_t difference_before(uint32_t difference, size_t length)
{
    for (size_t bit = 0; bit < 8 * length; bit++)
        difference = difference >> 31 ? (difference ^ CRC32C_POLYNOMIAL) << 1 | 1 : difference << 1;
    return difference;
}

/* What two bytes differ by is what the states differ by right before them. */
bool sctpa_checksum_port(const uint8_t *packet, size_t length, bool is_destination, uint16_t *port)
{
    const size_t at = is_destination ? 2 : 0;
    const uint32_t wrong = sctpa_be32(packet + FIELD_AT) ^ sctpa_packet_crc32c(packet, length);
    const uint32_t difference = difference_before(swap(wrong), length - at);
    *port = sctpa_be16(packet + at) ^ (uint16_t)(difference << 8 | difference >> 8);
    return difference != 0 && difference <= UINT16_MAX;
}

typedef struct {
    uint32_t s1, s2;
} adler32_t;

static void adler32_add(adler32_t *sums, const uint8_t *bytes, size_t length)
{
    enum { MODULUS = 65521, RUN_BYTES = 5552 }; /* bytes whose sums stay below 2^32 (RFC 1950 9) */
    while (length) {
        size_t run = length < RUN_BYTES ? length : RUN_BYTES;
        for (size_t i = 0; i < run; i++) {
            sums->s1 += bytes[i];
            sums->s2 += sums->s1;
        }
        sums->s1 %= MODULUS;
        sums->s2 %= MODULUS;
        bytes += run;
        length -= run;
    }
}

/* Adler-32 of a packet with its field taken as zero (RFC 2960 6.8, appendix B). */
static uint32_t packet_adler32(const uint8_t *packet, size_t length)
{
    adler32_t sums = { .s1 = 1 };
    adler32_add(&sums, packet, FIELD_AT);
    adler32_add(&sums, zero_field, FIELD_BYTES);
    adler32_add(&sums, packet + SCTPA_HEADER_BYTES, length - SCTPA_HEADER_BYTES);
    return sums.s2 << 16 | sums.s1;
}

sctpa_checksum_t sctpa_checksum_kind(const uint8_t *packet, size_t length, uint32_t crc)
{
    if (length < SCTPA_HEADER_BYTES)
        return SCTPA_CHECKSUM_UNVERIFIED;
    uint32_t field = sctpa_be32(packet + FIELD_AT);
    if (field == crc)
        return SCTPA_CHECKSUM_CRC32C;
    if (field == 0)
        return SCTPA_CHECKSUM_ZERO;
    return field == packet_adler32(packet, length) ? SCTPA_CHECKSUM_ADLER32 : SCTPA_CHECKSUM_BAD;
}
