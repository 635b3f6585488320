/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CRC32c: the vectors of RFC 3720 B.4, and the instruction variant against the tables against the bare polynomial. */
#include "wire/checksum.h"
#include <glib.h>
#include <string.h>

static uint32_t crc32c_bit_by_bit(const uint8_t *bytes, size_t length)
{
    uint32_t state = 0xFFFFFFFF;
    for (size_t i = 0; i < length; i++) {
        state ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            state = state >> 1 ^ (state & 1 ? 0x82F63B78 : 0);
    }
    return ~state;
}

static void gives_the_vectors_of_rfc_3720(void)
{
    uint8_t zeros[32] = { 0 }, ones[32], up[32], down[32];
    static const uint8_t read_command[48] = { 0x01, 0xC0, 0, 0, 0, 0, 0,    0, 0,    0, 0, 0,    0, 0, 0, 0,
                                              0x14, 0,    0, 0, 0, 0, 0x04, 0, 0,    0, 0, 0x14, 0, 0, 0, 0x18,
                                              0x28, 0,    0, 0, 0, 0, 0,    0, 0x02, 0, 0, 0,    0, 0, 0, 0 };
    memset(ones, 0xFF, sizeof ones);
    for (uint8_t i = 0; i < 32; i++) {
        up[i] = i;
        down[i] = (uint8_t)(31 - i);
    }
    const struct {
        const uint8_t *bytes;
        size_t length;
        uint32_t crc;
    } vectors[] = {
        { zeros, 32, 0x8A9136AA }, { ones, 32, 0x62A8AB43 },         { up, 32, 0x46DD794E },
        { down, 32, 0x113FDB5C },  { read_command, 48, 0xD9963A56 }, { (const uint8_t *)"123456789", 9, 0xE3069283 },
        { zeros, 0, 0 },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(vectors); i++) {
        g_assert_cmphex(sctpa_crc32c(vectors[i].bytes, vectors[i].length), ==, vectors[i].crc);
        g_assert_cmphex(sctpa_crc32c_table(vectors[i].bytes, vectors[i].length), ==, vectors[i].crc);
    }
}

static uint8_t *random_bytes(GRand *random, size_t length)
{
    uint8_t *bytes = g_malloc(length);
    for (size_t i = 0; i < length; i++)
        bytes[i] = (uint8_t)g_rand_int(random);
    return bytes;
}

static void gives_the_same_for_every_length_with_and_without_the_instruction(void)
{
    GRand *random = g_rand_new_with_seed(1);
    for (size_t length = 0; length < 4000; length++) {
        uint8_t *bytes = random_bytes(random, length + 1);
        g_assert_cmphex(sctpa_crc32c(bytes, length), ==, sctpa_crc32c_table(bytes, length));
        g_free(bytes);
    }
    g_rand_free(random);
}

static void gives_the_same_at_random_lengths_and_alignments(void)
{
    GRand *random = g_rand_new_with_seed(2);
    uint8_t *bytes = random_bytes(random, 1 << 16);
    for (int i = 0; i < 2000; i++) {
        size_t from = (size_t)g_rand_int_range(random, 0, 64),
               length = (size_t)g_rand_int_range(random, 0, i % 50 ? 3000 : 65000);
        uint32_t crc = crc32c_bit_by_bit(bytes + from, length);
        g_assert_cmphex(sctpa_crc32c(bytes + from, length), ==, crc);
        g_assert_cmphex(sctpa_crc32c_table(bytes + from, length), ==, crc);
    }
    g_free(bytes);
    g_rand_free(random);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/crc32c/gives_the_vectors_of_rfc_3720", gives_the_vectors_of_rfc_3720);
    g_test_add_func("/crc32c/gives_the_same_for_every_length_with_and_without_the_instruction",
                    gives_the_same_for_every_length_with_and_without_the_instruction);
    g_test_add_func("/crc32c/gives_the_same_at_random_lengths_and_alignments",
                    gives_the_same_at_random_lengths_and_alignments);
    return g_test_run();
}
