/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The walk: leaves of real chunks come in the expected order, and of any bytes cover every captured bit exactly once.
 */
#include "../fuzz/packet_body.h"
#include "test_chunk_samples.h"

typedef struct {
    GString *text;
} trace_t;

static void trace_open(void *user, sctpa_field_id_t group, uint32_t offset, uint32_t bytes, uint32_t type)
{
    trace_t *trace = user;
    const char *abbrev = group == SCTPA_F_CHUNK ? "chunk" : sctpa_field(group)->abbrev;
    g_string_append_printf(trace->text, "%s(%x)@%u+%u{ ", abbrev, type, offset, bytes);
}

static void trace_field(void *user, sctpa_field_id_t field, uint32_t offset, uint32_t bytes)
{
    trace_t *trace = user;
    g_string_append_printf(trace->text, "%s@%u+%u ", sctpa_field(field)->abbrev, offset, bytes);
}

static void trace_fault(void *user, sctpa_fault_t fault, uint32_t offset, uint32_t bytes)
{
    trace_t *trace = user;
    g_string_append_printf(trace->text, "!%d@%u+%u ", fault, offset, bytes);
}

static void trace_close(void *user)
{
    trace_t *trace = user;
    g_string_append(trace->text, "} ");
}

/* What the walk reports of all chunks of a packet, as text. Freed by the caller. */
static char *trace_of(const char *hex, uint32_t captured_bytes, uint32_t wire_bytes)
{
    static const sctpa_visitor_t visitor = { trace_open, trace_field, trace_fault, trace_close };
    GByteArray *packet = bytes_of_hex(hex);
    trace_t trace = { g_string_new(NULL) };
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t chunk;
    sctpa_chunks_begin(&iter, packet->data, MIN(captured_bytes, packet->len), wire_bytes ? wire_bytes : packet->len);
    while (sctpa_tlv_next(&iter, &chunk))
        sctpa_walk_chunk(packet->data, &chunk, &visitor, &trace);
    g_byte_array_unref(packet);
    return g_string_free(trace.text, FALSE);
}

#define HEADER "000000000000000000000000"

static void assert_trace(const char *hex, const char *expected)
{
    char *trace = trace_of(hex, UINT32_MAX, 0);
    g_assert_cmpstr(trace, ==, expected);
    g_free(trace);
}

static void visits_the_flags_as_a_group_when_they_have_bits(void)
{
    assert_trace(
        HEADER "00030011"
               "00000001"
               "00020003"
               "00000035"
               "61000000",
        "chunk(0)@12+20{ type@12+1 flags(3)@13+1{ data.reserved_flags@13+1 data.i@13+1 data.u@13+1 data.b@13+1 "
        "data.e@13+1 } "
        "length@14+2 data.tsn@16+4 data.sid@20+2 data.ssn@22+2 data.ppid@24+4 data.payload@28+1 padding@29+3 } ");
    assert_trace(HEADER "0b000004", "chunk(b)@12+4{ type@12+1 flags@13+1 length@14+2 } ");
}

static void visits_gap_blocks_and_duplicates_of_a_sack(void)
{
    assert_trace(HEADER "03000018"
                        "00000001"
                        "00000002"
                        "00010001"
                        "00020003"
                        "00000009",
                 "chunk(3)@12+24{ type@12+1 flags@13+1 length@14+2 sack.cum_tsn@16+4 sack.a_rwnd@20+4 "
                 "sack.n_gap_blocks@24+2 sack.n_duplicates@26+2 "
                 "sack.gap_block(0)@28+4{ sack.gap_block.start@28+2 sack.gap_block.end@30+2 } sack.duplicate@32+4 } ");
}

static void reads_ppid_in_the_first_fragment_and_fsn_in_the_others(void)
{
    assert_trace(HEADER "40020015"
                        "00000001"
                        "00020000"
                        "00000003"
                        "00000035"
                        "61000000",
                 "chunk(40)@12+24{ type@12+1 flags(2)@13+1{ i_data.reserved_flags@13+1 i_data.i@13+1 i_data.u@13+1 "
                 "i_data.b@13+1 i_data.e@13+1 } "
                 "length@14+2 i_data.tsn@16+4 i_data.sid@20+2 i_data.reserved@22+2 i_data.mid@24+4 i_data.ppid@28+4 "
                 "i_data.payload@32+1 padding@33+3 } ");
    char *trace = trace_of(HEADER "40000015"
                                  "00000001"
                                  "00020000"
                                  "00000003"
                                  "00000035"
                                  "61000000",
                           UINT32_MAX, 0);
    g_assert_nonnull(strstr(trace, "i_data.fsn@28+4"));
    g_assert_null(strstr(trace, "i_data.ppid"));
    g_free(trace);
}

static void visits_masked_records(void)
{
    assert_trace(HEADER "c2000010"
                        "00000001"
                        "00020001"
                        "00000003",
                 "chunk(c2)@12+16{ type@12+1 flags@13+1 length@14+2 i_forward_tsn.new_cum_tsn@16+4 "
                 "i_forward_tsn.stream(0)@20+8{ "
                 "i_forward_tsn.stream.sid@20+2 i_forward_tsn.stream.reserved@22+2 i_forward_tsn.stream.u@22+2 "
                 "i_forward_tsn.stream.mid@24+4 } } ");
}

static void visits_parameters_inside_parameters(void)
{
    assert_trace(HEADER "c1000020"
                        "00000001"
                        "000500080a010001"
                        "c0010010"
                        "00000007"
                        "000500080a020001",
                 "chunk(c1)@12+32{ type@12+1 flags@13+1 length@14+2 asconf.serial@16+4 "
                 "param(5)@20+8{ param.type@20+2 param.length@22+2 ipv4.address@24+4 } "
                 "param(c001)@28+16{ param.type@28+2 param.length@30+2 add_ip.correlation_id@32+4 "
                 "param(5)@36+8{ param.type@36+2 param.length@38+2 ipv4.address@40+4 } } } ");
}

static void visits_the_chunk_that_a_cause_quotes(void)
{
    assert_trace(
        HEADER "0900000e"
               "0006000a"
               "7e000006"
               "61620000",
        "chunk(9)@12+16{ type@12+1 flags(0)@13+1{ error.reserved_flags@13+1 error.m@13+1 error.t@13+1 } length@14+2 "
        "cause(6)@16+10{ cause.code@16+2 cause.length@18+2 chunk(7e)@20+6{ type@20+1 flags@21+1 length@22+2 value@24+2 "
        "} } padding@26+2 } ");
}

static void visits_the_packet_in_a_pktdrop_as_cut_when_it_is_truncated(void)
{
    assert_trace(
        HEADER "8106002a"
               "00020000"
               "00000000"
               "0030"
               "0000"
               "1388c02d"
               "00000001"
               "00000002"
               "00030020"
               "00000005"
               "00010002"
               "1234"
               "0000",
        "chunk(81)@12+44{ type@12+1 flags(6)@13+1{ pktdrop.reserved_flags@13+1 pktdrop.c@13+1 pktdrop.t@13+1 "
        "pktdrop.b@13+1 pktdrop.m@13+1 } "
        "length@14+2 pktdrop.bandwidth@16+4 pktdrop.queue_size@20+4 pktdrop.truncated_length@24+2 "
        "pktdrop.reserved@26+2 "
        "packet(0)@28+26{ packet.source_port@28+2 packet.destination_port@30+2 packet.vtag@32+4 packet.checksum@36+4 "
        "chunk(0)@40+14{ type@40+1 flags(3)@41+1{ data.reserved_flags@41+1 data.i@41+1 data.u@41+1 data.b@41+1 "
        "data.e@41+1 } length@42+2 "
        "data.tsn@44+4 data.sid@48+2 data.ssn@50+2 cut@52+2 } } padding@54+2 } ");
}

static void visits_dtls_and_its_key_management_parameter(void)
{
    assert_trace(HEADER "41010007"
                        "002e0100",
                 "chunk(41)@12+8{ type@12+1 flags(1)@13+1{ dtls.reserved_flags@13+1 dtls.r@13+1 } length@14+2 "
                 "dtls.pre_padding@16+1 dtls.payload@17+2 padding@19+1 } ");
    char *trace = trace_of(HEADER "0200001f"
                                  "00000001"
                                  "00000001"
                                  "00010001"
                                  "00000001"
                                  "8006000b"
                                  "00000009"
                                  "07010200",
                           UINT32_MAX, 0);
    g_assert_nonnull(strstr(trace,
                            "param(8006)@32+11{ param.type@32+2 param.length@34+2 dtls_key_management.tie_breaker@36+4 "
                            "dtls_key_management.reserved@40+1 dtls_key_management.r@40+1 dtls_key_management.s@40+1 "
                            "dtls_key_management.c@40+1 "
                            "dtls_key_management.id@41+1 dtls_key_management.id@42+1 } padding@43+1 } "));
    g_free(trace);
}

static void visits_unknown_types_and_unfitting_bytes(void)
{
    assert_trace(HEADER "7e000006"
                        "61620000",
                 "chunk(7e)@12+8{ type@12+1 flags@13+1 length@14+2 value@16+2 padding@18+2 } ");
    assert_trace(
        HEADER "0700000a"
               "00000001"
               "61620000",
        "chunk(7)@12+12{ !4@12+10 type@12+1 flags@13+1 length@14+2 shutdown.cum_tsn@16+4 rest@20+2 padding@22+2 } ");
    assert_trace(HEADER "07000006"
                        "00010000",
                 "chunk(7)@12+8{ !3@12+6 type@12+1 flags@13+1 length@14+2 rest@16+2 padding@18+2 } ");
    assert_trace(HEADER "05000006"
                        "00010000",
                 "chunk(5)@12+8{ type@12+1 flags@13+1 length@14+2 !5@12+6 rest@16+2 padding@18+2 } ");
}

static void reports_entries_that_the_length_cut_as_unfitting(void)
{
    char *trace = trace_of(HEADER "0200001b"
                                  "00000001"
                                  "00000001"
                                  "00010001"
                                  "00000001"
                                  "000c0007"
                                  "00050600",
                           UINT32_MAX, 0);
    g_assert_nonnull(strstr(trace, "supported_address_types.type@36+2 rest@38+1 } padding@39+1 } "));
    g_free(trace);
    trace = trace_of(HEADER "0900000d"
                            "00060009"
                            "7e000004"
                            "61000000",
                     UINT32_MAX, 0);
    g_assert_nonnull(strstr(trace, "chunk(7e)@20+4{ type@20+1 flags@21+1 length@22+2 } rest@24+1 } padding@25+3 } "));
    g_free(trace);
    trace = trace_of(HEADER "09000010"
                            "0006000c"
                            "7e000004"
                            "7e000004",
                     UINT32_MAX, 0);
    g_assert_nonnull(strstr(trace, "length@22+2 } rest@24+4 } } "));
    g_free(trace);
}

static void reports_the_rest_of_a_dropped_packet_as_cut_only_when_it_is_truncated(void)
{
    static const char *const flags[] = { "00", "04" }, *const last[] = { "rest@40+2 } padding@42+2 } ",
                                                                         "cut@40+2 } padding@42+2 } " };
    for (size_t i = 0; i < G_N_ELEMENTS(flags); i++) {
        char *hex = g_strconcat(HEADER "81", flags[i],
                                "001e"
                                "00000000"
                                "00000000"
                                "00200000"
                                "1388c02d"
                                "00000001"
                                "00000002"
                                "07000000",
                                NULL);
        char *trace = trace_of(hex, UINT32_MAX, 0);
        g_assert_nonnull(strstr(trace, last[i]));
        g_free(trace);
        g_free(hex);
    }
}

static void reports_cut_fields_as_cut_and_nothing_as_wrong(void)
{
    char *trace = trace_of(HEADER "03000014"
                                  "00000001"
                                  "00000002"
                                  "00010000"
                                  "00020003",
                           12 + 18, 12 + 20);
    g_assert_cmpstr(trace, ==,
                    "chunk(3)@12+18{ type@12+1 flags@13+1 length@14+2 sack.cum_tsn@16+4 sack.a_rwnd@20+4 "
                    "sack.n_gap_blocks@24+2 sack.n_duplicates@26+2 "
                    "sack.gap_block(0)@28+2{ sack.gap_block.start@28+2 } } ");
    g_free(trace);
    trace = trace_of(HEADER "00030014"
                            "00000001"
                            "00020003"
                            "00000035"
                            "61626364",
                     12 + 19, 12 + 20);
    g_assert_nonnull(strstr(trace, "data.ppid@24+4 cut@28+3 } "));
    g_free(trace);
}

static void stops_at_its_deepest_level(void)
{
    GString *hex = g_string_new(HEADER);
    unsigned levels = 40, bytes = 4 * levels;
    g_string_append_printf(hex, "0500%04x", bytes + 4);
    for (unsigned i = 0; i < levels; i++, bytes -= 4)
        g_string_append_printf(hex, "0008%04x", bytes);
    char *trace = trace_of(hex->str, UINT32_MAX, 0);
    GByteArray *packet = bytes_of_hex(hex->str);
    g_assert_nonnull(strstr(trace, "!7@"));
    check_packet(packet->data, packet->len, packet->len);
    g_byte_array_unref(packet);
    g_free(trace);
    g_string_free(hex, TRUE);
}

static void covers_every_sample_cut_at_every_length(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(samples); i++) {
        GByteArray *packet = bytes_of_hex(samples[i].hex);
        unsigned leaves = 0;
        for (uint32_t captured = 0; captured <= packet->len; captured++) {
            uint8_t *copy = g_memdup2(packet->data, captured);
            leaves = check_packet(copy ? copy : packet->data, captured, samples[i].wire_bytes);
            check_packet(copy ? copy : packet->data, captured, captured);
            g_free(copy);
        }
        g_assert_cmpuint(leaves, >=, 3);
        g_byte_array_unref(packet);
    }
}

static void mutate(GRand *random, GByteArray *packet)
{
    for (int n = g_rand_int_range(random, 1, 10); n > 0; n--) {
        guint at = (guint)g_rand_int_range(random, SCTPA_HEADER_BYTES, (gint32)packet->len);
        packet->data[at] =
            n % 2 ? (uint8_t)g_rand_int(random) : packet->data[at] ^ (uint8_t)(1 << g_rand_int_range(random, 0, 8));
    }
}

static void covers_mutated_packets(void)
{
    GRand *random = g_rand_new_with_seed(20);
    for (int i = 0; i < 10000; i++) {
        GByteArray *packet = bytes_of_hex(samples[g_rand_int_range(random, 0, G_N_ELEMENTS(samples))].hex);
        mutate(random, packet);
        if (i % 4 == 0) /* any chunk type, so that long bodies are read as what they are not */
            packet->data[SCTPA_HEADER_BYTES] =
                (uint8_t)samples[g_rand_int_range(random, 0, G_N_ELEMENTS(samples))].type;
        uint32_t captured = i % 3 ? packet->len : (uint32_t)g_rand_int_range(random, 0, (gint32)packet->len + 1);
        check_packet(packet->data, captured, packet->len);
        g_byte_array_unref(packet);
    }
    g_rand_free(random);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/walk/visits_the_flags_as_a_group_when_they_have_bits",
                    visits_the_flags_as_a_group_when_they_have_bits);
    g_test_add_func("/walk/visits_gap_blocks_and_duplicates_of_a_sack", visits_gap_blocks_and_duplicates_of_a_sack);
    g_test_add_func("/walk/reads_ppid_in_the_first_fragment_and_fsn_in_the_others",
                    reads_ppid_in_the_first_fragment_and_fsn_in_the_others);
    g_test_add_func("/walk/visits_masked_records", visits_masked_records);
    g_test_add_func("/walk/visits_parameters_inside_parameters", visits_parameters_inside_parameters);
    g_test_add_func("/walk/visits_the_chunk_that_a_cause_quotes", visits_the_chunk_that_a_cause_quotes);
    g_test_add_func("/walk/visits_the_packet_in_a_pktdrop_as_cut_when_it_is_truncated",
                    visits_the_packet_in_a_pktdrop_as_cut_when_it_is_truncated);
    g_test_add_func("/walk/visits_dtls_and_its_key_management_parameter", visits_dtls_and_its_key_management_parameter);
    g_test_add_func("/walk/visits_unknown_types_and_unfitting_bytes", visits_unknown_types_and_unfitting_bytes);
    g_test_add_func("/walk/reports_entries_that_the_length_cut_as_unfitting",
                    reports_entries_that_the_length_cut_as_unfitting);
    g_test_add_func("/walk/reports_the_rest_of_a_dropped_packet_as_cut_only_when_it_is_truncated",
                    reports_the_rest_of_a_dropped_packet_as_cut_only_when_it_is_truncated);
    g_test_add_func("/walk/reports_cut_fields_as_cut_and_nothing_as_wrong",
                    reports_cut_fields_as_cut_and_nothing_as_wrong);
    g_test_add_func("/walk/stops_at_its_deepest_level", stops_at_its_deepest_level);
    g_test_add_func("/walk/covers_every_sample_cut_at_every_length", covers_every_sample_cut_at_every_length);
    g_test_add_func("/walk/covers_mutated_packets", covers_mutated_packets);
    return g_test_run();
}
