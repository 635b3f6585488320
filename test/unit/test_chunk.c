/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Framing: chunks of real captures come out whole, each fault is told at its boundary and not a byte before it,
 * and a cut by the snap length is no fault. */
#include "test_chunk_samples.h"
#include <string.h>

enum { PACKET_BYTES = 512 };

/* Frames the first chunk of a packet that consists of a header and these chunk bytes. */
static sctpa_tlv_t first_chunk(const char *chunk_hex, uint8_t packet[PACKET_BYTES])
{
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t chunk;
    GByteArray *bytes = bytes_of_hex(chunk_hex);
    uint32_t length = SCTPA_HEADER_BYTES + bytes->len;
    g_assert_cmpuint(length, <=, PACKET_BYTES);
    memset(packet, 0, SCTPA_HEADER_BYTES);
    memcpy(packet + SCTPA_HEADER_BYTES, bytes->data, bytes->len);
    g_byte_array_unref(bytes);
    sctpa_chunks_begin(&iter, packet, length, length);
    g_assert_true(sctpa_tlv_next(&iter, &chunk));
    return chunk;
}

static sctpa_fault_t chunk_fault(const char *chunk_hex)
{
    uint8_t packet[PACKET_BYTES];
    return first_chunk(chunk_hex, packet).fault;
}

/* The fault of the first parameter (in INIT ACK) or cause (in ERROR) with these bytes. */
static sctpa_fault_t nested_fault(sctpa_tlv_kind_t kind, const char *hex)
{
    uint8_t packet[PACKET_BYTES];
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t chunk, tlv;
    unsigned header = kind == SCTPA_TLV_CAUSE ? 4 : 20;
    GString *chunk_hex = g_string_new(NULL);
    g_string_printf(chunk_hex, "%02x00%04x", kind == SCTPA_TLV_CAUSE ? SCTPA_CHUNK_ERROR : SCTPA_CHUNK_INIT_ACK,
                    header + (unsigned)strlen(hex) / 2);
    for (unsigned i = 4; i < header; i++)
        g_string_append(chunk_hex, "00");
    g_string_append(chunk_hex, hex);
    chunk = first_chunk(chunk_hex->str, packet);
    g_string_free(chunk_hex, TRUE);
    sctpa_params_begin(&iter, &chunk);
    g_assert_true(sctpa_tlv_next(&iter, &tlv));
    g_assert_cmpint(tlv.kind, ==, kind);
    return tlv.fault;
}

static void frames_a_real_chunk_of_each_type_without_fault(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(samples); i++) {
        GByteArray *packet = bytes_of_hex(samples[i].hex);
        sctpa_tlv_iter_t iter;
        sctpa_tlv_t chunk;
        uint32_t sum = SCTPA_HEADER_BYTES;
        bool found = false;
        sctpa_chunks_begin(&iter, packet->data, packet->len, samples[i].wire_bytes);
        while (sctpa_tlv_next(&iter, &chunk)) {
            g_assert_cmpint(chunk.fault, ==, SCTPA_FAULT_NONE);
            g_assert_cmpuint(chunk.wire_bytes, ==, chunk.length);
            g_assert_nonnull(chunk.row);
            found |= chunk.type == samples[i].type;
            sum += chunk.wire_bytes + chunk.padding_bytes;
        }
        g_assert_true(found);
        g_assert_cmpint(iter.fault, ==, SCTPA_FAULT_NONE);
        g_assert_cmpuint(sum, ==, samples[i].wire_bytes);
        g_byte_array_unref(packet);
    }
}

static void reads_the_fields_of_real_chunks(void)
{
    uint8_t packet[PACKET_BYTES];
    sctpa_tlv_t data = first_chunk("0003001aace1254400070002000000356162636465666768696a0000", packet);
    g_assert_cmphex(sctpa_tlv_u32(&data, SCTPA_F_DATA_TSN), ==, 0xACE12544);
    g_assert_cmpuint(sctpa_tlv_u32(&data, SCTPA_F_DATA_SID), ==, 7);
    g_assert_cmpuint(sctpa_tlv_u32(&data, SCTPA_F_DATA_SSN), ==, 2);
    g_assert_cmpuint(sctpa_tlv_u32(&data, SCTPA_F_DATA_PPID), ==, 53);
    g_assert_cmpuint(sctpa_tlv_u32(&data, SCTPA_F_DATA_B), ==, 1);
    g_assert_cmpuint(sctpa_tlv_u32(&data, SCTPA_F_DATA_E), ==, 1);
    g_assert_cmpuint(sctpa_tlv_u32(&data, SCTPA_F_DATA_U), ==, 0);
    g_assert_cmpuint(sctpa_tlv_u32(&data, SCTPA_F_DATA_I), ==, 0);
    g_assert_cmpuint(sctpa_tlv_u32(&data, SCTPA_F_CHUNK_LENGTH), ==, 26);
    g_assert_cmpuint(data.padding_bytes, ==, 2);
    g_assert_cmpuint(data.captured_padding, ==, 2);
    g_assert_false(sctpa_tlv_has(&data, SCTPA_F_DATA_PAYLOAD));
    sctpa_tlv_t init = first_chunk("010000145ec420fd690001a0000affff90818b41", packet);
    g_assert_cmphex(sctpa_tlv_u32(&init, SCTPA_F_INIT_TAG), ==, 0x5EC420FD);
    g_assert_cmpuint(sctpa_tlv_u32(&init, SCTPA_F_INIT_OUTBOUND_STREAMS), ==, 10);
    g_assert_cmphex(sctpa_tlv_u32(&init, SCTPA_F_INIT_TSN), ==, 0x90818B41);
}

static void reads_masked_fields_shifted_down(void)
{
    uint8_t packet[PACKET_BYTES];
    sctpa_tlv_t data = first_chunk("00a80010"
                                   "00000000"
                                   "00000000"
                                   "00000000",
                                   packet);
    g_assert_cmphex(sctpa_tlv_u32(&data, SCTPA_F_DATA_RES), ==, 0xA);
    g_assert_cmpuint(sctpa_tlv_u32(&data, SCTPA_F_DATA_I), ==, 1);
    sctpa_tlv_t pktdrop = first_chunk("81060010"
                                      "00000001"
                                      "00000002"
                                      "00030004",
                                      packet);
    g_assert_cmpuint(sctpa_tlv_u32(&pktdrop, SCTPA_F_PKTDROP_T), ==, 1);
    g_assert_cmpuint(sctpa_tlv_u32(&pktdrop, SCTPA_F_PKTDROP_M), ==, 0);
    g_assert_cmpuint(sctpa_tlv_u32(&pktdrop, SCTPA_F_PKTDROP_TRUNCATED_LENGTH), ==, 3);
}

static void reads_optional_fields_only_when_the_length_covers_them(void)
{
    uint8_t packet[PACKET_BYTES];
    sctpa_tlv_t ecne = first_chunk("0c000008"
                                   "0000000a"
                                   "0c00000c",
                                   packet);
    g_assert_cmpuint(sctpa_tlv_u32(&ecne, SCTPA_F_ECNE_LOWEST_TSN), ==, 10);
    g_assert_false(sctpa_tlv_has(&ecne, SCTPA_F_ECNE_N_PACKETS));
    ecne = first_chunk("0c00000c"
                       "0000000a"
                       "00000003",
                       packet);
    g_assert_cmpuint(sctpa_tlv_u32(&ecne, SCTPA_F_ECNE_N_PACKETS), ==, 3);
}

static void faults_lengths_of_chunks_at_their_boundaries(void)
{
    static const struct {
        const char *hex;
        sctpa_fault_t fault;
    } cases[] = {
        { "00030000000000000000000000000000", SCTPA_FAULT_LENGTH_BELOW_HEADER },
        { "00030003000000000000000000000000", SCTPA_FAULT_LENGTH_BELOW_HEADER },
        { "0003000f000000000000000000000000", SCTPA_FAULT_LENGTH_BELOW_MINIMUM },
        { "00030010000000000000000000000000", SCTPA_FAULT_NONE },
        { "00030011000000000000000000000000", SCTPA_FAULT_LENGTH_BEYOND_END },
        { "0003001100000000000000000000000061000000", SCTPA_FAULT_NONE },
        { "0003001100000000000000000000000061000001", SCTPA_FAULT_PADDING_NOT_ZERO },
        { "0003001100000000000000000000000061", SCTPA_FAULT_NONE },
        { "01000013"
          "00000001000000020001000100000000",
          SCTPA_FAULT_LENGTH_BELOW_MINIMUM },
        { "01000014"
          "00000001000000020001000100000000",
          SCTPA_FAULT_NONE },
        { "03000010"
          "00000001000000020000000000000000",
          SCTPA_FAULT_NONE },
        { "03000014"
          "00000001000000020001000000020002",
          SCTPA_FAULT_NONE },
        { "03000014"
          "00000001000000020000000100000005",
          SCTPA_FAULT_NONE },
        { "03000014"
          "00000001000000020001000100020002",
          SCTPA_FAULT_LENGTH_BODY },
        { "03000014"
          "00000001000000020000000000020002",
          SCTPA_FAULT_LENGTH_BODY },
        { "03000012"
          "0000000100000002000000000002",
          SCTPA_FAULT_LENGTH_BODY },
        { "10000014"
          "00000001000000020000000000000000",
          SCTPA_FAULT_NONE },
        { "10000020"
          "0000000100000002000100010001000000020002000200020000000500000000",
          SCTPA_FAULT_NONE },
        { "1000001c"
          "000000010000000200010001000100000002000200020002",
          SCTPA_FAULT_LENGTH_BODY },
        { "07000008"
          "00000001",
          SCTPA_FAULT_NONE },
        { "07000004", SCTPA_FAULT_LENGTH_BELOW_MINIMUM },
        { "0700000c"
          "0000000100000002",
          SCTPA_FAULT_LENGTH_BODY },
        { "08000004", SCTPA_FAULT_NONE },
        { "08000008"
          "00000000",
          SCTPA_FAULT_LENGTH_BODY },
        { "0c000008"
          "00000001",
          SCTPA_FAULT_NONE },
        { "0c00000c"
          "0000000100000001",
          SCTPA_FAULT_NONE },
        { "0c000010"
          "000000010000000100000001",
          SCTPA_FAULT_LENGTH_BODY },
        { "0d00000c"
          "0000000100000001",
          SCTPA_FAULT_LENGTH_BODY },
        { "40030013"
          "0000000000000000000000000000000000",
          SCTPA_FAULT_LENGTH_BELOW_MINIMUM },
        { "40030014"
          "00000000000000000000000000000000",
          SCTPA_FAULT_NONE },
        { "41000004", SCTPA_FAULT_LENGTH_BELOW_MINIMUM },
        { "41000005"
          "00000000",
          SCTPA_FAULT_NONE },
        { "c000000c"
          "0000000100020003",
          SCTPA_FAULT_NONE },
        { "c000000a"
          "0000000100020000",
          SCTPA_FAULT_LENGTH_BODY },
        { "c200000c"
          "0000000100020003",
          SCTPA_FAULT_LENGTH_BODY },
        { "c2000010"
          "000000010002000100000003",
          SCTPA_FAULT_NONE },
        { "7e000007"
          "00000000",
          SCTPA_FAULT_NONE },
        { "7e000007"
          "00000001",
          SCTPA_FAULT_PADDING_NOT_ZERO },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_test_message("%s", cases[i].hex);
        g_assert_cmpint(chunk_fault(cases[i].hex), ==, cases[i].fault);
    }
}

static void faults_lengths_of_parameters_at_their_boundaries(void)
{
    static const struct {
        const char *hex;
        sctpa_fault_t fault;
    } cases[] = {
        { "00050003"
          "0a000001",
          SCTPA_FAULT_LENGTH_BELOW_HEADER },
        { "00050007"
          "0a000001",
          SCTPA_FAULT_LENGTH_BELOW_MINIMUM },
        { "00050008"
          "0a000001",
          SCTPA_FAULT_NONE },
        { "00050009"
          "0a00000100000000",
          SCTPA_FAULT_LENGTH_BODY },
        { "00050009"
          "0a000001",
          SCTPA_FAULT_LENGTH_BEYOND_END },
        { "00060014"
          "fd000000000000000000000000000001",
          SCTPA_FAULT_NONE },
        { "000c0006"
          "00050000",
          SCTPA_FAULT_NONE },
        { "000c0007"
          "00050000",
          SCTPA_FAULT_LENGTH_BODY },
        { "000d0010"
          "000000010000000200000003",
          SCTPA_FAULT_NONE },
        { "000d0012"
          "00000001000000020000000300010000",
          SCTPA_FAULT_NONE },
        { "000d0011"
          "00000001000000020000000300000000",
          SCTPA_FAULT_LENGTH_BODY },
        { "0010000c"
          "0000000100000001",
          SCTPA_FAULT_NONE },
        { "00100010"
          "000000010000000100000002",
          SCTPA_FAULT_LENGTH_BODY },
        { "00100014"
          "00000001000000010000000200000003",
          SCTPA_FAULT_NONE },
        { "0010001c"
          "000000010000000100000002000000030000000400000005",
          SCTPA_FAULT_LENGTH_BODY },
        { "80060009"
          "0000000107000000",
          SCTPA_FAULT_NONE },
        { "80060008"
          "00000001",
          SCTPA_FAULT_LENGTH_BELOW_MINIMUM },
        { "8003000500010000", SCTPA_FAULT_PADDING_NOT_ZERO },
        { "80030005"
          "40000000",
          SCTPA_FAULT_NONE },
        { "c0080010"
          "000000010000000200000003",
          SCTPA_FAULT_NONE },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_test_message("%s", cases[i].hex);
        g_assert_cmpint(nested_fault(SCTPA_TLV_PARAM, cases[i].hex), ==, cases[i].fault);
    }
}

static void faults_lengths_of_causes_at_their_boundaries(void)
{
    static const struct {
        const char *hex;
        sctpa_fault_t fault;
    } cases[] = {
        { "00010008"
          "00070000",
          SCTPA_FAULT_NONE },
        { "00010004", SCTPA_FAULT_LENGTH_BELOW_MINIMUM },
        { "0002000a"
          "0000000100070000",
          SCTPA_FAULT_NONE },
        { "0002000c"
          "0000000100070005",
          SCTPA_FAULT_LENGTH_BODY },
        { "0002000c"
          "0000000200070005",
          SCTPA_FAULT_NONE },
        { "0002000a"
          "8000000100070000",
          SCTPA_FAULT_LENGTH_BODY },
        { "00040004", SCTPA_FAULT_NONE },
        { "00040006"
          "61620000",
          SCTPA_FAULT_NONE },
        { "000a0008"
          "00000000",
          SCTPA_FAULT_LENGTH_BODY },
        { "01050006"
          "00020000",
          SCTPA_FAULT_NONE },
        { "01050008"
          "00020000",
          SCTPA_FAULT_LENGTH_BODY },
        { "00640004", SCTPA_FAULT_NONE },
        { "00640008"
          "00000000",
          SCTPA_FAULT_LENGTH_BODY },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_test_message("%s", cases[i].hex);
        g_assert_cmpint(nested_fault(SCTPA_TLV_CAUSE, cases[i].hex), ==, cases[i].fault);
    }
}

static void ends_after_a_length_that_leads_nowhere(void)
{
    static const char *const chunks[] = { "00030003000000000000000008000004",
                                          "0003001500000000000000000800000400000000" };
    for (size_t i = 0; i < G_N_ELEMENTS(chunks); i++) {
        uint8_t packet[PACKET_BYTES] = { 0 };
        GByteArray *bytes = bytes_of_hex(chunks[i]);
        sctpa_tlv_iter_t iter;
        sctpa_tlv_t chunk;
        memcpy(packet + SCTPA_HEADER_BYTES, bytes->data, bytes->len);
        sctpa_chunks_begin(&iter, packet, SCTPA_HEADER_BYTES + bytes->len, SCTPA_HEADER_BYTES + bytes->len);
        g_assert_true(sctpa_tlv_next(&iter, &chunk));
        g_assert_cmpint(chunk.fault, !=, SCTPA_FAULT_NONE);
        g_assert_cmpuint(chunk.wire_bytes, ==, i == 0 ? 4 : bytes->len);
        g_assert_false(sctpa_tlv_next(&iter, &chunk));
        g_byte_array_unref(bytes);
    }
}

static void tells_trailing_bytes_only_when_they_are_on_the_wire(void)
{
    uint8_t packet[SCTPA_HEADER_BYTES + 8] = { 0 };
    packet[SCTPA_HEADER_BYTES] = SCTPA_CHUNK_COOKIE_ACK;
    packet[SCTPA_HEADER_BYTES + 3] = 4;
    for (uint32_t wire = 16; wire <= 20; wire++) {
        sctpa_tlv_iter_t iter;
        sctpa_tlv_t chunk;
        sctpa_chunks_begin(&iter, packet, MIN(wire, 19), wire);
        g_assert_true(sctpa_tlv_next(&iter, &chunk));
        g_assert_false(sctpa_tlv_next(&iter, &chunk));
        g_assert_cmpint(iter.fault, ==, wire > 16 && wire < 20 ? SCTPA_FAULT_TRAILING_BYTES : SCTPA_FAULT_NONE);
    }
}

static void calls_no_chunk_faulty_because_the_capture_is_cut(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(samples); i++) {
        GByteArray *packet = bytes_of_hex(samples[i].hex);
        for (uint32_t captured = 0; captured <= packet->len; captured++) {
            sctpa_tlv_iter_t iter;
            sctpa_tlv_t chunk;
            sctpa_chunks_begin(&iter, packet->data, captured, samples[i].wire_bytes);
            while (sctpa_tlv_next(&iter, &chunk)) {
                g_assert_cmpint(chunk.fault, ==, SCTPA_FAULT_NONE);
                g_assert_true(chunk.bytes + chunk.captured_bytes + chunk.captured_padding <= packet->data + captured);
            }
            g_assert_cmpint(iter.fault, ==, SCTPA_FAULT_NONE);
        }
        g_byte_array_unref(packet);
    }
}

static void finds_the_parameters_of_an_init(void)
{
    static const uint32_t expected[] = { SCTPA_PARAM_SUPPORTED_ADDRESS_TYPES,
                                         SCTPA_PARAM_ECN,
                                         SCTPA_PARAM_SUPPORTED_EXTENSIONS,
                                         SCTPA_PARAM_FORWARD_TSN_SUPPORTED,
                                         SCTPA_PARAM_RANDOM,
                                         SCTPA_PARAM_HMAC_ALGO,
                                         SCTPA_PARAM_CHUNKS };
    GByteArray *packet = bytes_of_hex(samples[1].hex);
    sctpa_tlv_iter_t iter, params;
    sctpa_tlv_t init, param;
    size_t n = 0;
    sctpa_chunks_begin(&iter, packet->data, packet->len, packet->len);
    g_assert_true(sctpa_tlv_next(&iter, &init));
    sctpa_params_begin(&params, &init);
    while (sctpa_tlv_next(&params, &param)) {
        g_assert_cmpuint(n, <, G_N_ELEMENTS(expected));
        g_assert_cmphex(param.type, ==, expected[n++]);
        g_assert_cmpint(param.fault, ==, SCTPA_FAULT_NONE);
    }
    g_assert_cmpuint(n, ==, G_N_ELEMENTS(expected));
    g_byte_array_unref(packet);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/chunk/frames_a_real_chunk_of_each_type_without_fault",
                    frames_a_real_chunk_of_each_type_without_fault);
    g_test_add_func("/chunk/reads_the_fields_of_real_chunks", reads_the_fields_of_real_chunks);
    g_test_add_func("/chunk/reads_masked_fields_shifted_down", reads_masked_fields_shifted_down);
    g_test_add_func("/chunk/reads_optional_fields_only_when_the_length_covers_them",
                    reads_optional_fields_only_when_the_length_covers_them);
    g_test_add_func("/chunk/faults_lengths_of_chunks_at_their_boundaries",
                    faults_lengths_of_chunks_at_their_boundaries);
    g_test_add_func("/chunk/faults_lengths_of_parameters_at_their_boundaries",
                    faults_lengths_of_parameters_at_their_boundaries);
    g_test_add_func("/chunk/faults_lengths_of_causes_at_their_boundaries",
                    faults_lengths_of_causes_at_their_boundaries);
    g_test_add_func("/chunk/ends_after_a_length_that_leads_nowhere", ends_after_a_length_that_leads_nowhere);
    g_test_add_func("/chunk/tells_trailing_bytes_only_when_they_are_on_the_wire",
                    tells_trailing_bytes_only_when_they_are_on_the_wire);
    g_test_add_func("/chunk/calls_no_chunk_faulty_because_the_capture_is_cut",
                    calls_no_chunk_faulty_because_the_capture_is_cut);
    g_test_add_func("/chunk/finds_the_parameters_of_an_init", finds_the_parameters_of_an_init);
    return g_test_run();
}
