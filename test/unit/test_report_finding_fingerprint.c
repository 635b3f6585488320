/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fingerprints: what of an expectation is of the capture, and what of the violation. */
#include <glib.h>

#include "report/text/finding_words.h"

static void expect(const char *text, const char *normalised)
{
    GString *out = g_string_new(NULL);
    sctpa_finding_normalise(text, out);
    g_assert_cmpstr(out->str, ==, normalised);
    g_string_free(out, TRUE);
}

static void replaces_what_is_of_the_capture(void)
{
    expect("cum_tsn 4294967295 or higher", "cum_tsn # or higher");
    expect("no packet from 10.0.0.1 before the ASCONF-ACK", "no packet from # before the ASCONF-ACK");
    expect("a HEARTBEAT to fe80::abcd, then dead::beef first", "a HEARTBEAT to #, then # first");
    expect("Verification Tag 0x12ab34cd, announced with this cookie", "Verification Tag #, announced with this cookie");
    expect("timeout no sooner than 0.040 s; (12.5 ms)", "timeout no sooner than # s; (# ms)");
    expect("a SACK at once: TSN 17 had been acknowledged", "a SACK at once: TSN # had been acknowledged");
    expect("request 5: accepted", "request #: accepted");
}

static void keeps_words(void)
{
    expect("AUTH before I-DATA", "AUTH before I-DATA");
    expect("AUTH before DATA", "AUTH before DATA");
    expect("ends at a stop.", "ends at a stop.");
}

static void takes_any_text(void)
{
    expect("", "");
    expect(NULL, "");
    expect("  (,;) ", "  (,;) ");
    expect(":", ":");
    expect("::", "::");
    expect("\xff\xfe 1", "\xff\xfe #");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/fingerprint/replaces_what_is_of_the_capture", replaces_what_is_of_the_capture);
    g_test_add_func("/fingerprint/keeps_words", keeps_words);
    g_test_add_func("/fingerprint/takes_any_text", takes_any_text);
    return g_test_run();
}
