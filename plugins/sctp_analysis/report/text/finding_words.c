/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words findings as the triage report does, and makes their fingerprints. */
#include "finding_words.h"

#include <string.h>

#include "../findings_filter.h"

enum { HASH_DIGITS = 8 };

static bool is_of_capture(const char *word, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (g_ascii_isdigit(word[i]) || (word[i] == ':' && i + 1 < bytes && word[i + 1] == ':'))
            return true;
    return false;
}

void sctpa_finding_normalise(const char *text, GString *out)
{
    static const char ends[] = " (),;";
    while (text && *text) {
        size_t bytes = strcspn(text, ends), word = bytes;
        while (word > 0 && strchr(":.", text[word - 1]))
            word--;
        if (is_of_capture(text, word))
            g_string_append_c(out, '#');
        else
            g_string_append_len(out, text, (gssize)word);
        g_string_append_len(out, text + word, (gssize)(bytes - word));
        text += bytes;
        bytes = strspn(text, ends);
        g_string_append_len(out, text, (gssize)bytes);
        text += bytes;
    }
}

void sctpa_finding_fingerprint(const sctpa_assoc_t *assoc, const sctpa_finding_t *finding, GString *out)
{
    const sctpa_rule_info_t *info = sctpa_rule_info(finding->rule);
    GString *expected = g_string_new(NULL);
    if (info->report.one_defect)
        g_string_append(expected, info->id);
    else
        sctpa_finding_normalise(finding->expected, expected);
    char *hash = g_compute_checksum_for_string(G_CHECKSUM_SHA256, expected->str, -1);
    g_string_append_printf(out, "%s/%s/%.*s", info->id, sctpa_end_role_word(assoc, finding->accused), HASH_DIGITS,
                           hash);
    g_free(hash);
    g_string_free(expected, TRUE);
}

void sctpa_finding_append(GString *out, const sctpa_view_t *view, const sctpa_finding_t *finding, uint32_t count)
{
    const sctpa_rule_info_t *info = sctpa_rule_info(finding->rule);
    const char *certainty = finding->certainty == SCTPA_CERTAINTY_PROVEN ? "" : "probably ";
    g_string_append_printf(out, "%s %s %sby endpoint %u at frame %u", info->id, sctpa_level_word(finding->level),
                           certainty, finding->accused, sctpa_findings_filter_frame(view, finding));
    if (count > 1)
        g_string_append_printf(out, " (%u times)", count);
    g_string_append_printf(out, ": %s; expected %s, saw %s (%s)", info->title, finding->expected, finding->seen,
                           info->clause);
    if (finding->rests_on) {
        g_string_append(out, "; rests on what you asserted: ");
        sctpa_findings_filter_asserted(finding->rests_on, out);
    }
    GString *age = g_string_new(NULL);
    sctpa_findings_filter_age(view, finding->rule, age);
    if (age->len > 0)
        g_string_append_printf(out, "; %s", age->str);
    g_string_free(age, TRUE);
}
