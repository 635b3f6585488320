/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which checksum a packet carries: real packets carry CRC32c, changed ones none, and Adler-32 and zero are told apart.
 */
#include "test_chunk_samples.h"
#include "wire/checksum.h"
#include <string.h>

static sctpa_checksum_t kind_of(const GByteArray *packet)
{
    return sctpa_checksum_kind(packet->data, packet->len, sctpa_packet_crc32c(packet->data, packet->len));
}

static void set_field(GByteArray *packet, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        packet->data[8 + i] = (uint8_t)(value >> (24 - 8 * i));
}

/* Adler-32 by its definition (RFC 2960 appendix B): no deferred modulus, no splitting around the field. */
static uint32_t adler32_by_definition(const GByteArray *packet)
{
    uint64_t s1 = 1, s2 = 0;
    for (guint i = 0; i < packet->len; i++) {
        s1 = (s1 + (i >= 8 && i < 12 ? 0 : packet->data[i])) % 65521;
        s2 = (s2 + s1) % 65521;
    }
    return (uint32_t)(s2 << 16 | s1);
}

static void finds_crc32c_in_every_whole_sample(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(samples); i++) {
        GByteArray *packet = bytes_of_hex(samples[i].hex);
        if (packet->len == samples[i].wire_bytes)
            g_assert_cmpint(kind_of(packet), ==, SCTPA_CHECKSUM_CRC32C);
        g_byte_array_unref(packet);
    }
}

static void calls_a_packet_with_any_bit_changed_bad(void)
{
    GByteArray *packet = bytes_of_hex(samples[0].hex);
    for (guint bit = 0; bit < 8 * packet->len; bit++) {
        packet->data[bit / 8] ^= (uint8_t)(1 << bit % 8);
        g_assert_cmpint(kind_of(packet), ==, SCTPA_CHECKSUM_BAD);
        packet->data[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    g_byte_array_unref(packet);
}

static void tells_adler32_and_zero_from_crc32c(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(samples); i++) {
        GByteArray *packet = bytes_of_hex(samples[i].hex);
        uint32_t crc = sctpa_packet_crc32c(packet->data, packet->len);
        set_field(packet, adler32_by_definition(packet));
        g_assert_cmpint(kind_of(packet), ==, SCTPA_CHECKSUM_ADLER32);
        set_field(packet, 0);
        g_assert_cmpint(kind_of(packet), ==, SCTPA_CHECKSUM_ZERO);
        set_field(packet, crc);
        g_assert_cmpint(kind_of(packet), ==, SCTPA_CHECKSUM_CRC32C);
        g_byte_array_unref(packet);
    }
}

static void computes_adler32_of_long_packets_without_overflow(void)
{
    GByteArray *packet = g_byte_array_new();
    g_byte_array_set_size(packet, 65000);
    memset(packet->data, 0xFF, packet->len);
    set_field(packet, adler32_by_definition(packet));
    g_assert_cmpint(kind_of(packet), ==, SCTPA_CHECKSUM_ADLER32);
    g_byte_array_unref(packet);
}

static void leaves_a_packet_without_whole_header_unverified(void)
{
    uint8_t bytes[SCTPA_HEADER_BYTES] = { 0 };
    for (size_t length = 0; length < SCTPA_HEADER_BYTES; length++)
        g_assert_cmpint(sctpa_checksum_kind(bytes, length, 0), ==, SCTPA_CHECKSUM_UNVERIFIED);
    g_assert_cmpint(sctpa_checksum_kind(bytes, SCTPA_HEADER_BYTES, 1), ==, SCTPA_CHECKSUM_ZERO);
}

/* Whatever its length, for any port, at either end. */
static void finds_the_port_that_a_wrong_checksum_was_made_for(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(samples); i++) {
        GByteArray *packet = bytes_of_hex(samples[i].hex);
        for (unsigned at = 0; packet->len == samples[i].wire_bytes && at < 4; at++) {
            const uint16_t before = (uint16_t)(packet->data[at & 2] << 8 | packet->data[(at & 2) + 1]);
            uint16_t port, other;
            packet->data[at] ^= 0x5A;
            g_assert_true(sctpa_checksum_port(packet->data, packet->len, at >= 2, &port));
            g_assert_cmpuint(port, ==, before);
            g_assert_false(sctpa_checksum_port(packet->data, packet->len, at < 2, &other));
            packet->data[at] ^= 0x5A;
            g_assert_false(sctpa_checksum_port(packet->data, packet->len, at >= 2, &port));
        }
        g_byte_array_unref(packet);
    }
}

static void finds_no_port_where_other_bytes_were_changed(void)
{
    GByteArray *packet = bytes_of_hex(samples[0].hex);
    for (guint at = 4; at < packet->len; at++) {
        uint16_t port;
        packet->data[at] ^= 0x5A;
        g_assert_false(sctpa_checksum_port(packet->data, packet->len, true, &port));
        g_assert_false(sctpa_checksum_port(packet->data, packet->len, false, &port));
        packet->data[at] ^= 0x5A;
    }
    g_byte_array_unref(packet);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/checksum/finds_crc32c_in_every_whole_sample", finds_crc32c_in_every_whole_sample);
    g_test_add_func("/checksum/calls_a_packet_with_any_bit_changed_bad", calls_a_packet_with_any_bit_changed_bad);
    g_test_add_func("/checksum/tells_adler32_and_zero_from_crc32c", tells_adler32_and_zero_from_crc32c);
    g_test_add_func("/checksum/computes_adler32_of_long_packets_without_overflow",
                    computes_adler32_of_long_packets_without_overflow);
    g_test_add_func("/checksum/leaves_a_packet_without_whole_header_unverified",
                    leaves_a_packet_without_whole_header_unverified);
    g_test_add_func("/checksum/finds_the_port_that_a_wrong_checksum_was_made_for",
                    finds_the_port_that_a_wrong_checksum_was_made_for);
    g_test_add_func("/checksum/finds_no_port_where_other_bytes_were_changed",
                    finds_no_port_where_other_bytes_were_changed);
    return g_test_run();
}
