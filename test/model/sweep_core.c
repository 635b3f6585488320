/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares what the model finds in a capture with what it finds in worse copies of it: without packets, and copies
 * given as files. Input: files of packets as extract.py packs them; an endpoint is known again by its addresses, else
 * by its port. Usage: sweep_core [--profile both|9260|4960] [--missing K[,K...]] [--every N] WHOLE [COPY...]
 *   --missing  also without K packets in a row, from every Nth packet on
 * Output, tab-separated: "whole" RULE END LEVEL CERTAINTY KEPT WITH_EVIDENCE ALL_KEPT: WITH_EVIDENCE: the copies that
 * hold all packets that the finding names in the whole, KEPT: those of them, ALL_KEPT: all in which it is proven or
 * probable; "new" COPY RULE END LEVEL CERTAINTY BEFORE FRAMES: proven or probable in the copy, and surer than BEFORE in
 * the whole
 * ("-" not found there); COPY: the file, or K@FRAME; at last "copies" N. END as the whole capture counts it. Of level
 * MUST and SHOULD only. */
#include <stdlib.h>

#include "../replay/stored_packet.h"
#include "core_words.h"

enum { SIDE_ADDRS = 64, NOT_FOUND = SCTPA_CERTAINTIES };

/* An endpoint of the whole capture, of any of its associations. */
typedef struct {
    sctpa_addr_t addrs[SIDE_ADDRS];
    unsigned n_addrs;
    uint16_t port;
} side_t;

/* How sure each rule is violated by each side; NOT_FOUND. */
typedef struct {
    uint8_t certainty[2][SCTPA_RULES];
} found_t;

typedef struct {
    sctpa_packet_t *packets;
    unsigned n_packets;
    gchar *bytes;
} capture_t;

typedef struct {
    sctpa_profile_t profile;
    side_t sides[2];
    found_t whole;
    uint8_t level[SCTPA_RULES]; /* of the whole's findings */
    struct {
        uint32_t frames[SCTPA_FINDING_PACKETS];
        uint8_t n;
    } evidence[2][SCTPA_RULES]; /* of the same */
    uint32_t kept[2][SCTPA_RULES], with_evidence[2][SCTPA_RULES], all_kept[2][SCTPA_RULES];
    uint32_t copies;
} sweep_t;

static capture_t capture_read(const char *path)
{
    capture_t capture = { 0 };
    gsize length;
    GError *error = NULL;
    if (!g_file_get_contents(path, &capture.bytes, &length, &error))
        g_error("%s", error->message);
    capture.packets = g_new(sctpa_packet_t, length / sizeof(stored_packet_t) + 1);
    for (gsize at = 0; at + sizeof(stored_packet_t) <= length;) {
        stored_packet_t stored;
        memcpy(&stored, capture.bytes + at, sizeof stored);
        at += sizeof stored;
        capture.packets[capture.n_packets++] = stored_packet(&stored, (const uint8_t *)capture.bytes + at);
        at += stored.captured_bytes;
    }
    return capture;
}

static void capture_free(capture_t *capture)
{
    g_free(capture->packets);
    g_free(capture->bytes);
}

/* What the model says of the capture without `missing` packets from `first` on. */
static sctpa_t *judge(const sweep_t *sweep, const capture_t *capture, unsigned first, unsigned missing)
{
    sctpa_t *sctpa = sctpa_new(NULL, 0);
    sctpa_rule_choice_t choice = { .levels = 1u << SCTPA_LEVEL_MUST | 1u << SCTPA_LEVEL_SHOULD };
    sctpa_judge(sctpa, &choice, sweep->profile);
    for (unsigned i = 0; i < capture->n_packets; i++)
        if (i < first || i - first >= missing)
            sctpa_feed(sctpa, &capture->packets[i]);
    return sctpa;
}

static bool side_has(const side_t *side, const sctpa_addr_t *addr)
{
    for (unsigned i = 0; i < side->n_addrs; i++)
        if (sctpa_addr_equal(&side->addrs[i], addr))
            return true;
    return false;
}

static bool side_has_any(const side_t *side, const sctpa_end_t *end)
{
    for (unsigned i = 0; i < end->n_addrs; i++)
        if (side_has(side, &end->addrs[i].addr))
            return true;
    return false;
}

/* The side that an end of an association is. */
static unsigned side_of(const sweep_t *sweep, const sctpa_assoc_t *assoc, unsigned end)
{
    const side_t *sides = sweep->sides;
    bool is_first = side_has_any(&sides[0], &assoc->ends[end]), is_second = side_has_any(&sides[1], &assoc->ends[end]);
    if (is_first != is_second)
        return is_second;
    is_first = side_has_any(&sides[0], &assoc->ends[1 - end]);
    is_second = side_has_any(&sides[1], &assoc->ends[1 - end]);
    if (is_first != is_second)
        return is_first;
    if (sides[0].port != sides[1].port &&
        (assoc->ends[end].port == sides[0].port || assoc->ends[end].port == sides[1].port))
        return assoc->ends[end].port == sides[1].port;
    return end;
}

static void learn_sides(sweep_t *sweep, const sctpa_t *sctpa)
{
    for (uint32_t number = 0; number < sctpa_assoc_count(sctpa); number++) {
        const sctpa_assoc_t *assoc = sctpa_assoc(sctpa, number);
        if (assoc->merged_into != SCTPA_NO_ASSOC)
            continue;
        unsigned of_first = side_of(sweep, assoc, 0);
        for (unsigned end = 0; end < 2; end++) {
            side_t *side = &sweep->sides[end ^ of_first];
            side->port = side->port ? side->port : assoc->ends[end].port;
            for (unsigned i = 0; i < assoc->ends[end].n_addrs && side->n_addrs < SIDE_ADDRS; i++)
                if (!side_has(side, &assoc->ends[end].addrs[i].addr))
                    side->addrs[side->n_addrs++] = assoc->ends[end].addrs[i].addr;
        }
    }
}

static const char *word(unsigned certainty)
{
    return certainty == NOT_FOUND ? "-" : sctpa_certainty_word((sctpa_certainty_t)certainty);
}

/* Certainties begin with the surest. */
static bool is_told(unsigned certainty)
{
    return certainty == SCTPA_CERTAINTY_PROVEN || certainty == SCTPA_CERTAINTY_PROBABLE;
}

static void look_at_finding(sweep_t *sweep, const sctpa_t *sctpa, const sctpa_finding_t *finding, unsigned side,
                            const char *copy, found_t *found)
{
    uint8_t *certainty = &found->certainty[side][finding->rule], before = sweep->whole.certainty[side][finding->rule];
    if (finding->certainty >= *certainty)
        return;
    *certainty = (uint8_t)finding->certainty;
    if (!copy) {
        sweep->level[finding->rule] = (uint8_t)finding->level;
        sweep->evidence[side][finding->rule].n = finding->n_packets;
        for (unsigned i = 0; i < finding->n_packets; i++)
            sweep->evidence[side][finding->rule].frames[i] = sctpa_packet_frame(sctpa, finding->packets[i]);
        return;
    }
    if (!is_told(finding->certainty) || finding->certainty >= before)
        return;
    g_print("new\t%s\t%s\t%u\t%s\t%s\t%s\t", copy, sctpa_rule_info(finding->rule)->id, side,
            sctpa_level_word(finding->level), word(finding->certainty), word(before));
    print_frames(sctpa, finding);
    g_print("\n");
}

/* What was found; copy: NULL for the whole. */
static found_t look(sweep_t *sweep, const sctpa_t *sctpa, const char *copy)
{
    found_t found;
    memset(&found, NOT_FOUND, sizeof found);
    for (uint32_t number = 0; number < sctpa_assoc_count(sctpa); number++) {
        const sctpa_assoc_t *assoc = sctpa_assoc(sctpa, number);
        if (assoc->merged_into != SCTPA_NO_ASSOC)
            continue;
        for (const sctpa_finding_t *f = sctpa_finding_first(sctpa, number); f; f = sctpa_finding_next(sctpa, number, f))
            if (f->level != SCTPA_LEVEL_HEURISTIC)
                look_at_finding(sweep, sctpa, f, side_of(sweep, assoc, f->accused), copy, &found);
    }
    return found;
}

/* The frames of the capture without `missing` packets from `first` on. */
static GHashTable *frames_of(const capture_t *capture, unsigned first, unsigned missing)
{
    GHashTable *frames = g_hash_table_new(NULL, NULL);
    for (unsigned i = 0; i < capture->n_packets; i++)
        if (i < first || i - first >= missing)
            g_hash_table_add(frames, GUINT_TO_POINTER(capture->packets[i].frame));
    return frames;
}

static bool has_evidence(const sweep_t *sweep, GHashTable *frames, unsigned side, unsigned rule)
{
    unsigned i = 0, n = sweep->evidence[side][rule].n;
    while (i < n && g_hash_table_contains(frames, GUINT_TO_POINTER(sweep->evidence[side][rule].frames[i])))
        i++;
    return i == n;
}

static void compare(sweep_t *sweep, const capture_t *capture, unsigned first, unsigned missing, const char *copy)
{
    sctpa_t *sctpa = judge(sweep, capture, first, missing);
    found_t found = look(sweep, sctpa, copy);
    sctpa_free(sctpa);
    sweep->copies++;
    GHashTable *frames = frames_of(capture, first, missing);
    for (unsigned side = 0; side < 2; side++)
        for (unsigned rule = 0; rule < SCTPA_RULES; rule++) {
            if (!is_told(sweep->whole.certainty[side][rule]))
                continue;
            bool is_kept = is_told(found.certainty[side][rule]), is_there = has_evidence(sweep, frames, side, rule);
            sweep->all_kept[side][rule] += is_kept;
            sweep->with_evidence[side][rule] += is_there;
            sweep->kept[side][rule] += is_kept && is_there;
        }
    g_hash_table_unref(frames);
}

static void compare_without(sweep_t *sweep, const capture_t *whole, unsigned missing, unsigned every)
{
    for (unsigned first = 0; first + missing < whole->n_packets; first += every) {
        char *copy = g_strdup_printf("%u@%u", missing, whole->packets[first].frame);
        compare(sweep, whole, first, missing, copy);
        g_free(copy);
    }
}

static void print_whole(const sweep_t *sweep)
{
    for (unsigned side = 0; side < 2; side++)
        for (unsigned rule = 0; rule < SCTPA_RULES; rule++)
            if (sweep->whole.certainty[side][rule] != NOT_FOUND)
                g_print("whole\t%s\t%u\t%s\t%s\t%u\t%u\t%u\n", sctpa_rule_info((sctpa_rule_t)rule)->id, side,
                        sctpa_level_word((sctpa_level_t)sweep->level[rule]), word(sweep->whole.certainty[side][rule]),
                        sweep->kept[side][rule], sweep->with_evidence[side][rule], sweep->all_kept[side][rule]);
    g_print("copies\t%u\n", sweep->copies);
}

int main(int argc, char **argv)
{
    static sweep_t sweep;
    sweep.profile = SCTPA_PROFILE_BOTH;
    const char *missing = NULL;
    unsigned every = 1;
    int at = 1;
    for (; at + 1 < argc && argv[at][0] == '-'; at += 2) {
        if (strcmp(argv[at], "--profile") == 0)
            sweep.profile = profile_of(argv[at + 1]);
        else if (strcmp(argv[at], "--missing") == 0)
            missing = argv[at + 1];
        else if (strcmp(argv[at], "--every") == 0)
            every = MAX((unsigned)atoi(argv[at + 1]), 1);
    }
    if (at >= argc)
        g_error("no capture");
    capture_t whole = capture_read(argv[at]);
    sctpa_t *sctpa = judge(&sweep, &whole, 0, 0);
    learn_sides(&sweep, sctpa);
    sweep.whole = look(&sweep, sctpa, NULL);
    sctpa_free(sctpa);
    for (char *k = (char *)missing; k && *k; k += *k == ',')
        compare_without(&sweep, &whole, (unsigned)strtoul(k, &k, 10), every);
    for (int i = at + 1; i < argc; i++) {
        capture_t copy = capture_read(argv[i]);
        compare(&sweep, &copy, 0, 0, argv[i]);
        capture_free(&copy);
    }
    capture_free(&whole);
    print_whole(&sweep);
    return 0;
}
