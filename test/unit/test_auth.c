/* SPDX-License-Identifier: GPL-2.0-or-later */
/* AUTH: HMACs of lab captures verify under their keys and under no other, and any change of what they protect is
 * noticed. */
#include "test_chunk_samples.h"
#include "wire/auth.h"
#include <string.h>

/* linux/auth-data, the INIT of the association on port 5000 */
static const char linux_init[] =
    "a67b1388000000001d55aa1701000061131377d50001a000000affff3591e096000c00060005000080000004800800050f000000c0000004"
    "80020024076b39e8ac29e7f8e43d2f0a295231d7cadff1bc7ffb48cdd5841800e21d41cc8004000600010000800300090003040507000000";
/* its INIT ACK */
static const char linux_init_ack[] =
    "1388a67b131377d5efab232c02000181840cf66d0001a000000a000acd64225400070128ab116897012246b08a12d8afcb957293dc3a3a7e"
    "000000000000000000000000000000006df60c84d577131300000000000000005967a510617286180a000a00542264cd0200a67b0a010001"
    "00000000000000000000000000000000000000008813010000000000800200248edac28e2deb9e12af149abd81764b997226230b30ccc70a"
    "16cfac234f9b44eb80040006000100000000000080030009000304050700000000000000000000000000000001000061131377d50001a000"
    "000affff3591e096000c00060005000080000004800800050f000000c000000480020024076b39e8ac29e7f8e43d2f0a295231d7cadff1bc"
    "7ffb48cdd5841800e21d41cc8004000600010000800300090003040507000000000000000000000000000000000000008000000480080005"
    "0f000000c0000004800200248edac28e2deb9e12af149abd81764b997226230b30ccc70a16cfac234f9b44eb800400060001000080030009"
    "0003040507000000";
/* a SACK under key 1, "k1k1k1" */
static const char linux_key_1[] =
    "1388a67b131377d5281e264c0f00001c00010001ec89747709ec2520398f0a4d1730a4eb2bad4bfa030000103591e09600019c7c00000000";
/* a SACK under key 2, "otherkey2" */
static const char linux_key_2[] =
    "1388a67b131377d5505f83420f00001c0002000134317cd0b27a746cc2098d14fa07460d4f896e72030000103591e0d300019c7c00000000";
/* usrsctp/auth-data, the association on port 5001 */
static const char usrsctp_init[] =
    "d3e2138900000000d0d484f60100005e962d3bf900020000000a0800a51c3380c000000480080009c00fc1808200000080020024b24f6926"
    "e0849611e002cd01ec316a15af87f30e63562e1e93b283c6cf146b3f8004000600010000800300070080c100000c000600050000";
/* its INIT ACK */
static const char usrsctp_init_ack[] =
    "1389d3e2962d3bf9075b449e020001987ce62eb900020000000a08006746b59fc000000480080009c00fc1808200000080020024b28b2ebd"
    "e8014e0239b91570950f16700a0957859c7fbb3c6f17b65e9f1417f38004000600010000800300070080c100000701404b414d452d425344"
    "20312e310000000008b95569000000006f3302000000000060ea00000000000000000000f93b2d967ce62eb90a0100010000000000000000"
    "00000000050000000a0101010000000000000000000000000500000000000000d3e213890100000000010000000000000100005e962d3bf9"
    "00020000000a0800a51c3380c000000480080009c00fc1808200000080020024b24f6926e0849611e002cd01ec316a15af87f30e63562e1e"
    "93b283c6cf146b3f8004000600010000800300070080c100000c000600050000020001987ce62eb900020000000a08006746b59fc0000004"
    "80080009c00fc1808200000080020024b28b2ebde8014e0239b91570950f16700a0957859c7fbb3c6f17b65e9f1417f38004000600010000"
    "800300070080c100e8d1744aeba65ce94373370ac4a622c23cba4da9";
/* DATA under key 0, the empty one */
static const char usrsctp_empty_key[] =
    "d3e213897ce62eb973a5a2140f00001c000000015a65863c4a49ee4ea22a747d7f99be810f5f2408000301a0a51c33820000000200000000"
    "636465666768696a6b6c6d6e6f707172737475767778797a6162636465666768696a6b6c6d6e6f707172737475767778797a616263646566"
    "6768696a6b6c6d6e6f707172737475767778797a6162636465666768696a6b6c6d6e6f707172737475767778797a6162636465666768696a"
    "6b6c6d6e6f707172737475767778797a6162636465666768696a6b6c6d6e6f707172737475767778797a6162636465666768696a6b6c6d6e"
    "6f707172737475767778797a6162636465666768696a6b6c6d6e6f707172737475767778797a6162636465666768696a6b6c6d6e6f707172"
    "737475767778797a6162636465666768696a6b6c6d6e6f707172737475767778797a6162636465666768696a6b6c6d6e6f70717273747576"
    "7778797a6162636465666768696a6b6c6d6e6f707172737475767778797a6162636465666768696a6b6c6d6e6f707172737475767778797a"
    "6162636465666768696a6b6c6d6e6f707172737475767778797a6162636465666768696a6b6c6d6e6f707172737475767778797a61626364"
    "65666768696a6b6c";
/* linux/asconf-auth */
static const char asconf_init[] =
    "177013880000000011a63b5d0100005ec420fd690001a000000afffff90818b4000c0006000500008000000480080007c1800f00c0000004"
    "800200243837844a3fef63dac3d4f5d7e573a6ecb27f73f5beb076b5e538b26788432d35800400060001000080030006c1800000";
/* its INIT ACK */
static const char asconf_init_ack[] =
    "13881770c420fd691f42d3a10200017e1824dd070001a000000a000a0f37910300070128a890d739c55e7a34977b77ed7870cd990feffa90"
    "0000000000000000000000000000000007dd241869fd20c400000000000000000acf9e1a617286180a000a000391370f020017700a010001"
    "0000000000000000000000000000000000000000881301000000000080020024a4f11b7c104a8ebc0a62ba553f5bc593622f69a1a6a844b4"
    "eb24b3d2f7dca52080040006000100000000000080030006c1800000000000000000000000000000000000000100005ec420fd690001a000"
    "000afffff90818b4000c0006000500008000000480080007c1800f00c0000004800200243837844a3fef63dac3d4f5d7e573a6ecb27f73f5"
    "beb076b5e538b26788432d35800400060001000080030006c180000000000000000000000000000000000000000000008000000480080007"
    "c1800f00c000000480020024a4f11b7c104a8ebc0a62ba553f5bc593622f69a1a6a844b4eb24b3d2f7dca520800400060001000080030006"
    "c1800000";
/* ASCONF under key 1, "secret123" */
static const char asconf_packet[] =
    "177013881824dd0760a55c9c0f00001c000100012de1f7060e5c4a6cc5ec5612339fcb755ec37379c1000020f90818b4000500080a010001"
    "c001001000000000000500080a020001";
/* AUTH with HMAC-SHA-256 and COOKIE ACK under "topsecret" and the vectors of linux_init, computed with Python's hmac */
static const char sha256_packet[] =
    "0000000000000000000000000f000028000700033c5317813eb614001d8c41a340cddf1b4a95289ac8c36f20e1481ecbc826222a0b000004";

typedef struct {
    uint8_t bytes[512];
    sctpa_key_vector_t vector;
} vector_t;

static sctpa_tlv_t first_chunk(const GByteArray *packet)
{
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t chunk;
    sctpa_chunks_begin(&iter, packet->data, packet->len, packet->len);
    g_assert_true(sctpa_tlv_next(&iter, &chunk));
    return chunk;
}

static void collect(const char *hex, vector_t *out)
{
    GByteArray *packet = bytes_of_hex(hex);
    sctpa_tlv_t init = first_chunk(packet);
    out->vector.bytes = out->bytes;
    out->vector.length = sctpa_key_vector_collect(&init, out->bytes, sizeof out->bytes);
    g_byte_array_unref(packet);
}

/* Verifies the first AUTH chunk of a packet. */
static sctpa_auth_t verify_bytes(const GByteArray *packet, sctpa_key_vector_t a, sctpa_key_vector_t b, const char *key)
{
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t chunk;
    sctpa_chunks_begin(&iter, packet->data, packet->len, packet->len);
    while (sctpa_tlv_next(&iter, &chunk)) {
        if (chunk.type == SCTPA_CHUNK_AUTH)
            return sctpa_auth_verify(&chunk, packet->data + packet->len, a, b, (const uint8_t *)key, strlen(key));
    }
    return SCTPA_AUTH_UNVERIFIED;
}

static sctpa_auth_t verify(const char *hex, const vector_t *a, const vector_t *b, const char *key)
{
    GByteArray *packet = bytes_of_hex(hex);
    sctpa_auth_t auth = verify_bytes(packet, a->vector, b->vector, key);
    g_assert_cmpint(auth, ==, verify_bytes(packet, b->vector, a->vector, key));
    g_byte_array_unref(packet);
    return auth;
}

static void verifies_packets_of_linux_under_the_key_of_their_key_id(void)
{
    vector_t init, init_ack;
    collect(linux_init, &init);
    collect(linux_init_ack, &init_ack);
    g_assert_cmpint(verify(linux_key_1, &init, &init_ack, "k1k1k1"), ==, SCTPA_AUTH_GOOD);
    g_assert_cmpint(verify(linux_key_2, &init, &init_ack, "otherkey2"), ==, SCTPA_AUTH_GOOD);
    g_assert_cmpint(verify(linux_key_1, &init, &init_ack, "otherkey2"), ==, SCTPA_AUTH_BAD);
    g_assert_cmpint(verify(linux_key_1, &init, &init_ack, ""), ==, SCTPA_AUTH_BAD);
    g_assert_cmpint(verify(linux_key_1, &init, &init, "k1k1k1"), ==, SCTPA_AUTH_BAD);
}

static void verifies_an_asconf_of_linux(void)
{
    vector_t init, init_ack;
    collect(asconf_init, &init);
    collect(asconf_init_ack, &init_ack);
    g_assert_cmpint(verify(asconf_packet, &init, &init_ack, "secret123"), ==, SCTPA_AUTH_GOOD);
}

static void verifies_a_packet_of_usrsctp_under_the_empty_key(void)
{
    vector_t init, init_ack;
    collect(usrsctp_init, &init);
    collect(usrsctp_init_ack, &init_ack);
    g_assert_cmpint(verify(usrsctp_empty_key, &init, &init_ack, ""), ==, SCTPA_AUTH_GOOD);
    g_assert_cmpint(verify(usrsctp_empty_key, &init, &init_ack, "right"), ==, SCTPA_AUTH_BAD);
}

static void verifies_sha256(void)
{
    vector_t init, init_ack;
    collect(linux_init, &init);
    collect(linux_init_ack, &init_ack);
    g_assert_cmpint(verify(sha256_packet, &init, &init_ack, "topsecret"), ==, SCTPA_AUTH_GOOD);
    g_assert_cmpint(verify(sha256_packet, &init, &init_ack, "topsecreT"), ==, SCTPA_AUTH_BAD);
}

static void notices_every_changed_bit_from_the_auth_chunk_on(void)
{
    vector_t init, init_ack;
    GByteArray *packet = bytes_of_hex(linux_key_1);
    collect(linux_init, &init);
    collect(linux_init_ack, &init_ack);
    for (guint bit = 0; bit < 8 * packet->len; bit++) {
        packet->data[bit / 8] ^= (uint8_t)(1 << bit % 8);
        bool good = verify_bytes(packet, init.vector, init_ack.vector, "k1k1k1") == SCTPA_AUTH_GOOD;
        g_assert_cmpint(good, ==, bit / 8 < SCTPA_HEADER_BYTES);
        packet->data[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    g_byte_array_unref(packet);
}

/* RFC 4895 6.1: the numerically smaller vector comes first; of equal numbers the shorter one. */
static void orders_key_vectors_as_numbers(void)
{
    static const uint8_t nine[] = { 9 }, zero_nine[] = { 0, 9 }, ten[] = { 10 };
    static const struct {
        sctpa_key_vector_t a, b;
        uint8_t key[4];
        size_t length;
    } cases[] = {
        { { ten, 1 }, { nine, 1 }, { 'k', 9, 10 }, 3 },
        { { ten, 1 }, { zero_nine, 2 }, { 'k', 0, 9, 10 }, 4 },
        { { zero_nine, 2 }, { nine, 1 }, { 'k', 9, 0, 9 }, 4 },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        GByteArray *packet = bytes_of_hex("000000000000000000000000"
                                          "0f00001c00000001"
                                          "0000000000000000000000000000000000000000"
                                          "0b000004");
        gsize length = 20;
        GHmac *hmac = g_hmac_new(G_CHECKSUM_SHA1, cases[i].key, cases[i].length);
        g_hmac_update(hmac, packet->data + SCTPA_HEADER_BYTES, (gssize)(packet->len - SCTPA_HEADER_BYTES));
        g_hmac_get_digest(hmac, packet->data + SCTPA_HEADER_BYTES + 8, &length);
        g_hmac_unref(hmac);
        g_assert_cmpint(verify_bytes(packet, cases[i].a, cases[i].b, "k"), ==, SCTPA_AUTH_GOOD);
        g_assert_cmpint(verify_bytes(packet, cases[i].b, cases[i].a, "k"), ==, SCTPA_AUTH_GOOD);
        g_byte_array_unref(packet);
    }
}

static void takes_no_part_of_an_hmac_for_the_whole(void)
{
    static const uint8_t key[] = { 'k', 1, 2 };
    GByteArray *packet = bytes_of_hex("000000000000000000000000"
                                      "0f00001800000001"
                                      "00000000000000000000000000000000"
                                      "0b000004");
    uint8_t digest[20];
    gsize length = sizeof digest;
    GHmac *hmac = g_hmac_new(G_CHECKSUM_SHA1, key, sizeof key);
    g_hmac_update(hmac, packet->data + SCTPA_HEADER_BYTES, (gssize)(packet->len - SCTPA_HEADER_BYTES));
    g_hmac_get_digest(hmac, digest, &length);
    g_hmac_unref(hmac);
    memcpy(packet->data + SCTPA_HEADER_BYTES + 8, digest, 16);
    g_assert_cmpint(verify_bytes(packet, (sctpa_key_vector_t){ key + 1, 1 }, (sctpa_key_vector_t){ key + 2, 1 }, "k"),
                    ==, SCTPA_AUTH_BAD);
    g_byte_array_unref(packet);
}

static void leaves_unverified_what_it_cannot_know(void)
{
    vector_t init, init_ack, none = { .vector = { NULL, 0 } };
    collect(linux_init, &init);
    collect(linux_init_ack, &init_ack);
    g_assert_cmpint(verify(linux_key_1, &init, &none, "k1k1k1"), ==, SCTPA_AUTH_UNVERIFIED);
    GByteArray *packet = bytes_of_hex(linux_key_1);
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t auth;
    for (guint captured = SCTPA_HEADER_BYTES + 4; captured < SCTPA_HEADER_BYTES + 28; captured++) {
        sctpa_chunks_begin(&iter, packet->data, captured, packet->len);
        g_assert_true(sctpa_tlv_next(&iter, &auth));
        g_assert_cmpint(sctpa_auth_verify(&auth, packet->data + captured, init.vector, init_ack.vector,
                                          (const uint8_t *)"k1k1k1", 6),
                        ==, SCTPA_AUTH_UNVERIFIED);
    }
    packet->data[SCTPA_HEADER_BYTES + 7] = 2;
    g_assert_cmpint(verify_bytes(packet, init.vector, init_ack.vector, "k1k1k1"), ==, SCTPA_AUTH_UNVERIFIED);
    packet->data[SCTPA_HEADER_BYTES + 7] = 3;
    g_assert_cmpint(verify_bytes(packet, init.vector, init_ack.vector, "k1k1k1"), ==, SCTPA_AUTH_BAD);
    g_byte_array_unref(packet);
}

static void collects_random_chunks_and_hmac_algo_in_this_order_without_padding(void)
{
    vector_t vector;
    collect("000000000000000000000000"
            "02000034"
            "00000001"
            "00000001"
            "00010001"
            "00000001"
            "8004000600010000"
            "8003000500000000"
            "8008000500000000"
            "8002000601020000",
            &vector);
    GByteArray *expected = bytes_of_hex("800200060102"
                                        "8003000500"
                                        "800400060001");
    g_assert_cmpmem(vector.bytes, vector.vector.length, expected->data, expected->len);
    g_byte_array_unref(expected);
}

static void collects_nothing_that_is_incomplete(void)
{
    GByteArray *packet = bytes_of_hex(linux_init);
    uint8_t out[512];
    size_t full = 36 + 9 + 6;
    sctpa_tlv_t init = first_chunk(packet);
    g_assert_cmpuint(sctpa_key_vector_collect(&init, out, sizeof out), ==, full);
    g_assert_cmpuint(sctpa_key_vector_collect(&init, out, full), ==, full);
    for (size_t capacity = 0; capacity < full; capacity++)
        g_assert_cmpuint(sctpa_key_vector_collect(&init, out, capacity), ==, 0);
    for (uint32_t captured = SCTPA_HEADER_BYTES + 4; captured < SCTPA_HEADER_BYTES + 93; captured++) {
        sctpa_tlv_iter_t iter;
        sctpa_chunks_begin(&iter, packet->data, captured, packet->len);
        g_assert_true(sctpa_tlv_next(&iter, &init));
        g_assert_cmpuint(sctpa_key_vector_collect(&init, out, sizeof out), ==, 0);
    }
    g_byte_array_unref(packet);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/auth/verifies_packets_of_linux_under_the_key_of_their_key_id",
                    verifies_packets_of_linux_under_the_key_of_their_key_id);
    g_test_add_func("/auth/verifies_an_asconf_of_linux", verifies_an_asconf_of_linux);
    g_test_add_func("/auth/verifies_a_packet_of_usrsctp_under_the_empty_key",
                    verifies_a_packet_of_usrsctp_under_the_empty_key);
    g_test_add_func("/auth/verifies_sha256", verifies_sha256);
    g_test_add_func("/auth/notices_every_changed_bit_from_the_auth_chunk_on",
                    notices_every_changed_bit_from_the_auth_chunk_on);
    g_test_add_func("/auth/orders_key_vectors_as_numbers", orders_key_vectors_as_numbers);
    g_test_add_func("/auth/takes_no_part_of_an_hmac_for_the_whole", takes_no_part_of_an_hmac_for_the_whole);
    g_test_add_func("/auth/leaves_unverified_what_it_cannot_know", leaves_unverified_what_it_cannot_know);
    g_test_add_func("/auth/collects_random_chunks_and_hmac_algo_in_this_order_without_padding",
                    collects_random_chunks_and_hmac_algo_in_this_order_without_padding);
    g_test_add_func("/auth/collects_nothing_that_is_incomplete", collects_nothing_that_is_incomplete);
    return g_test_run();
}
