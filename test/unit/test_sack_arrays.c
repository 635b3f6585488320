/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SACK and NR-SACK: arrays come out as the counts say, and never beyond what is captured and inside the length. */
#include "test_chunk_samples.h"

static GByteArray *parse(const char *hex, uint32_t captured, sctpa_sack_t *sack, bool *parsed)
{
    GByteArray *packet = bytes_of_hex(hex);
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t chunk;
    sctpa_chunks_begin(&iter, packet->data, MIN(captured, packet->len), packet->len);
    *parsed = sctpa_tlv_next(&iter, &chunk) && sctpa_sack_parse(&chunk, sack);
    return packet;
}

static const char *sample_of(uint32_t type)
{
    for (size_t i = 0; i < G_N_ELEMENTS(samples); i++) {
        if (samples[i].type == type)
            return samples[i].hex;
    }
    g_assert_not_reached();
}

static void reads_the_gap_blocks_of_a_real_sack(void)
{
    sctpa_sack_t sack;
    bool parsed;
    GByteArray *packet = parse(sample_of(SCTPA_CHUNK_SACK), UINT32_MAX, &sack, &parsed);
    g_assert_true(parsed && sack.complete);
    g_assert_cmphex(sack.cum_tsn, ==, 0x5CCC0FA2);
    g_assert_cmpuint(sack.a_rwnd, ==, 0x14880);
    g_assert_cmpuint(sack.n_gaps, ==, 2);
    g_assert_cmpuint(sctpa_be16(sack.gaps), ==, 2);
    g_assert_cmpuint(sctpa_be16(sack.gaps + 2), ==, 16);
    g_assert_cmpuint(sctpa_be16(sack.gaps + 4), ==, 18);
    g_assert_cmpuint(sctpa_be16(sack.gaps + 6), ==, 18);
    g_assert_cmpuint(sack.n_duplicates + sack.n_nr_gaps, ==, 0);
    g_byte_array_unref(packet);
}

static void reads_the_duplicates_of_a_real_sack(void)
{
    sctpa_sack_t sack;
    bool parsed;
    GByteArray *packet =
        parse("138893170f1a0971db2b218d03000014921fa8e60001a00000000001921fa8e6", UINT32_MAX, &sack, &parsed);
    g_assert_true(parsed && sack.complete);
    g_assert_cmpuint(sack.n_gaps, ==, 0);
    g_assert_cmpuint(sack.n_duplicates, ==, 1);
    g_assert_cmphex(sctpa_be32(sack.duplicates), ==, 0x921FA8E6);
    g_byte_array_unref(packet);
}

static void reads_both_kinds_of_blocks_of_a_real_nr_sack(void)
{
    sctpa_sack_t sack;
    bool parsed;
    GByteArray *packet = parse(sample_of(SCTPA_CHUNK_NR_SACK), UINT32_MAX, &sack, &parsed);
    g_assert_true(parsed && sack.complete);
    g_assert_cmphex(sack.cum_tsn, ==, 0x8F2C6E2A);
    g_assert_cmpuint(sack.n_gaps, ==, 4);
    g_assert_cmpuint(sack.n_nr_gaps, ==, 4);
    g_assert_cmpuint(sctpa_be16(sack.gaps + 12), ==, 17);
    g_assert_cmpuint(sctpa_be16(sack.nr_gaps), ==, 2);
    g_assert_cmpuint(sctpa_be16(sack.nr_gaps + 14), ==, 16);
    g_byte_array_unref(packet);
}

static void cuts_arrays_to_what_is_captured(void)
{
    const char *hex = sample_of(SCTPA_CHUNK_NR_SACK);
    for (uint32_t captured = 0; captured <= 64; captured++) {
        sctpa_sack_t sack;
        bool parsed;
        GByteArray *packet = parse(hex, captured, &sack, &parsed);
        g_assert_cmpint(parsed, ==, captured >= 32);
        if (parsed) {
            g_assert_cmpuint(sack.n_gaps, ==, MIN(4, (captured - 32) / 4));
            g_assert_cmpuint(sack.n_nr_gaps, ==, captured < 48 ? 0 : (captured - 48) / 4);
            g_assert_cmpint(sack.complete, ==, captured == 64);
        }
        g_byte_array_unref(packet);
    }
}

static void cuts_counts_to_the_length_of_the_chunk(void)
{
    sctpa_sack_t sack;
    bool parsed;
    GByteArray *packet = parse("000000000000000000000000"
                               "03000018"
                               "0000000100000002"
                               "ffffffff"
                               "0002000300050006"
                               "0300001000000000"
                               "0000000000000000",
                               UINT32_MAX, &sack, &parsed);
    g_assert_true(parsed);
    g_assert_cmpuint(sack.n_gaps, ==, 2);
    g_assert_cmpuint(sack.n_duplicates, ==, 0);
    g_assert_false(sack.complete);
    g_byte_array_unref(packet);
}

static void reads_the_same_places_of_both_types(void)
{
    g_assert_cmpint(sctpa_places[SCTPA_F_SACK_CUM_TSN].at, ==, sctpa_places[SCTPA_F_NR_SACK_CUM_TSN].at);
    g_assert_cmpint(sctpa_places[SCTPA_F_SACK_A_RWND].at, ==, sctpa_places[SCTPA_F_NR_SACK_A_RWND].at);
    g_assert_cmpint(sctpa_places[SCTPA_F_SACK_N_GAPS].at, ==, sctpa_places[SCTPA_F_NR_SACK_N_GAPS].at);
}

static void parses_no_other_chunk(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(samples); i++) {
        sctpa_sack_t sack;
        bool parsed;
        GByteArray *packet = parse(samples[i].hex, UINT32_MAX, &sack, &parsed);
        uint8_t first = packet->data[SCTPA_HEADER_BYTES];
        g_assert_cmpint(parsed, ==, first == SCTPA_CHUNK_SACK || first == SCTPA_CHUNK_NR_SACK);
        g_byte_array_unref(packet);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/sack/reads_the_gap_blocks_of_a_real_sack", reads_the_gap_blocks_of_a_real_sack);
    g_test_add_func("/sack/reads_the_duplicates_of_a_real_sack", reads_the_duplicates_of_a_real_sack);
    g_test_add_func("/sack/reads_both_kinds_of_blocks_of_a_real_nr_sack", reads_both_kinds_of_blocks_of_a_real_nr_sack);
    g_test_add_func("/sack/cuts_arrays_to_what_is_captured", cuts_arrays_to_what_is_captured);
    g_test_add_func("/sack/cuts_counts_to_the_length_of_the_chunk", cuts_counts_to_the_length_of_the_chunk);
    g_test_add_func("/sack/reads_the_same_places_of_both_types", reads_the_same_places_of_both_types);
    g_test_add_func("/sack/parses_no_other_chunk", parses_no_other_chunk);
    return g_test_run();
}
