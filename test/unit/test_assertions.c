/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Protects how texts of what the user asserts are read: what is right is kept, what is wrong is named with its place.
 */
#include <glib.h>

#include "../../plugins/sctp_analysis/core/tap/assertions.h"

static sctpa_addr_t ipv4(uint8_t a, uint8_t b, uint8_t c, uint8_t d)
{
    return (sctpa_addr_t){ 4, { a, b, c, d } };
}

static sctpa_assertions_t *read(const char *taken_at, const char *parameters)
{
    char *error;
    sctpa_assertions_t *assertions = sctpa_assertions_new(false, 0, taken_at, parameters, &error);
    g_assert_cmpstr(error, ==, NULL);
    return assertions;
}

static void wrong(const char *taken_at, const char *parameters, const char *expected)
{
    char *error;
    g_assert_null(sctpa_assertions_new(false, 0, taken_at, parameters, &error));
    g_assert_cmpstr(error, ==, expected);
    g_free(error);
}

static void nothing_is_asserted_by_nothing(void)
{
    sctpa_assertions_t *none = read(NULL, ""), *blank = read(" , ", " ; ");
    g_assert_false(sctpa_assertions_are_any(none));
    g_assert_false(sctpa_assertions_are_any(blank));
    g_free(none);
    g_free(blank);
}

static void addresses_and_networks_hold_addresses(void)
{
    sctpa_assertions_t *read_ones = read("10.0.0.1, 10.64.0.0/10 2001:db8::/32", "");
    sctpa_addr_t in[] = { ipv4(10, 0, 0, 1), ipv4(10, 127, 0, 1), { 16, { 0x20, 1, 0xd, 0xb8, 1 } } };
    sctpa_addr_t out[] = { ipv4(10, 0, 0, 2), ipv4(10, 128, 0, 1), { 16, { 0x20, 1, 0xd, 0xb9 } } };
    g_assert_true(sctpa_assertions_are_any(read_ones));
    for (unsigned i = 0; i < G_N_ELEMENTS(in); i++)
        g_assert_true(sctpa_assertions_taken_at(read_ones, &in[i]));
    for (unsigned i = 0; i < G_N_ELEMENTS(out); i++)
        g_assert_false(sctpa_assertions_taken_at(read_ones, &out[i]));
    g_free(read_ones);
}

static void narrower_networks_take_precedence(void)
{
    sctpa_assertions_t *a =
        read("", "10.0.0.1 RTO.Max=2s; * RTO.Max=60000 PMTU=1500;10.0.0.0/8 rto.alpha=0.125 PMTU=1400");
    sctpa_addr_t host = ipv4(10, 0, 0, 1), network = ipv4(10, 0, 0, 2), other = ipv4(11, 0, 0, 1);
    char *texts[] = { sctpa_asserted_values_text(a, sctpa_assertions_endpoint(a, &host)),
                      sctpa_asserted_values_text(a, sctpa_assertions_endpoint(a, &network)),
                      sctpa_asserted_values_text(a, sctpa_assertions_endpoint(a, &other)) };
    g_assert_cmpstr(texts[0], ==, "10.0.0.1 RTO.Max=2000 RTO.Alpha=1/8 PMTU=1400");
    g_assert_cmpstr(texts[1], ==, "10.0.0.0/8 RTO.Max=60000 RTO.Alpha=1/8 PMTU=1400");
    g_assert_cmpstr(texts[2], ==, "* RTO.Max=60000 PMTU=1500");
    for (unsigned i = 0; i < G_N_ELEMENTS(texts); i++)
        g_free(texts[i]);
    g_free(a);
}

static void what_is_wrong_is_named_with_its_place(void)
{
    wrong("10.0.0.1, 10.0.0.300", "", "taken_at, character 11: '10.0.0.300' is not an IPv4 or IPv6 address or network");
    wrong("10.0.0.0/33", "", "taken_at, character 1: '10.0.0.0/33' is not an IPv4 or IPv6 address or network");
    wrong("10.0.0.1;", "", "taken_at, character 9: ';' does not separate addresses, a comma does");
    wrong("", "RTO.Max=1", "endpoint_parameters, character 1: 'RTO.Max=1' is not an IPv4 or IPv6 address or network");
    wrong("", "* RTO.Mxa=1", "endpoint_parameters, character 3: 'RTO.Mxa' is not a parameter");
    wrong("", "* RTO.Max", "endpoint_parameters, character 3: 'RTO.Max' is not NAME=VALUE");
    wrong("", "* RTO.Max=", "endpoint_parameters, character 11: RTO.Max needs a number from 1 to 3600000 (ms)");
    wrong("", "* PMTU=99999999999999999999", "endpoint_parameters, character 8: PMTU needs a number from 68 to 65535");
    wrong("", "* RTO.Beta=2", "endpoint_parameters, character 12: RTO.Beta needs a share such as 1/8 or 0.125");
    wrong("", "10.0.0.1; * PMTU=1500", "endpoint_parameters, character 1: no NAME=VALUE follows the address");
    wrong("", "* RTO.Min=2s RTO.Max=1s", "endpoint_parameters, character 1: RTO.Min is greater than RTO.Max");
}

static void too_many_addresses_are_refused(void)
{
    GString *text = g_string_new(NULL);
    for (unsigned i = 0; i <= SCTPA_ASSERTED_NETWORKS_MAX; i++)
        g_string_append_printf(text, "10.0.0.%u PMTU=1500;", i);
    char *error;
    g_assert_null(sctpa_assertions_new(false, 0, "", text->str, &error));
    g_assert_true(g_str_has_suffix(error, ": more than 64 addresses"));
    g_free(error);
    g_string_free(text, TRUE);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/assertions/none", nothing_is_asserted_by_nothing);
    g_test_add_func("/assertions/networks", addresses_and_networks_hold_addresses);
    g_test_add_func("/assertions/precedence", narrower_networks_take_precedence);
    g_test_add_func("/assertions/wrong", what_is_wrong_is_named_with_its_place);
    g_test_add_func("/assertions/many", too_many_addresses_are_refused);
    return g_test_run();
}
