/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds the subtree sctp.analysis: the results of the packet, then one node per chunk.
 * What stands below the chunk nodes is decoded in chunk_tree.c. */
#include "tree.h"

#include "chunk_tree.h"
#include "../compat.h"
#include "data_tree.h"
#include "experts.h"
#include "field_registration.h"
#include "report/text/text.h"
#include "rule_experts.h"

enum { TEXT_COLUMNS = 4000 };

static const char *checksum_word(sctpa_checksum_t checksum)
{
    static const char *const words[SCTPA_CHECKSUMS] = {
        [SCTPA_CHECKSUM_CRC32C] = "crc32c", [SCTPA_CHECKSUM_ADLER32] = "adler32",       [SCTPA_CHECKSUM_ZERO] = "zero",
        [SCTPA_CHECKSUM_BAD] = "bad",       [SCTPA_CHECKSUM_UNVERIFIED] = "unverified",
    };
    return words[checksum];
}

static const char *auth_word(sctpa_auth_t auth)
{
    return auth == SCTPA_AUTH_GOOD ? "good" : auth == SCTPA_AUTH_BAD ? "bad" : "unverified";
}

static void add_number(proto_tree *tree, tvbuff_t *tvb, sctpa_result_t result, uint32_t value)
{
    proto_item_set_generated(proto_tree_add_uint(tree, sctpa_fields_result(result), tvb, 0, 0, value));
}

static void add_word(proto_tree *tree, tvbuff_t *tvb, sctpa_result_t result, const char *word)
{
    proto_item_set_generated(proto_tree_add_string(tree, sctpa_fields_result(result), tvb, 0, 0, word));
}

static void add_assoc(proto_tree *tree, tvbuff_t *tvb, const sctpa_packet_result_t *result)
{
    if (result->assoc == SCTPA_NO_ASSOC)
        return;
    add_number(tree, tvb, SCTPA_RESULT_ASSOC, result->assoc);
    add_number(tree, tvb, SCTPA_RESULT_FROM, result->from);
    if (result->path != SCTPA_NO_PATH)
        add_number(tree, tvb, SCTPA_RESULT_PATH, result->path);
    if (result->setup_frame)
        add_number(tree, tvb, SCTPA_RESULT_SETUP_FRAME, result->setup_frame);
    if (result->restart_of != SCTPA_NO_ASSOC)
        add_number(tree, tvb, SCTPA_RESULT_RESTART_OF, result->restart_of);
}

static void add_results(proto_tree *tree, tvbuff_t *tvb, const sctpa_packet_result_t *result)
{
    add_assoc(tree, tvb, result);
    add_word(tree, tvb, SCTPA_RESULT_CHECKSUM, checksum_word(result->checksum));
    if (result->has_auth)
        add_word(tree, tvb, SCTPA_RESULT_AUTH, auth_word(result->auth));
    for (unsigned bit = 0; bit < SCTPA_CAPTURE_REMARKS; bit++)
        if (result->remarks >> bit & 1)
            add_word(tree, tvb, SCTPA_RESULT_CAPTURE, sctpa_capture_word(bit));
}

static void add_states(const sctpa_t *analysis, const sctpa_packet_result_t *result, tvbuff_t *tvb, proto_tree *tree,
                       uint8_t end, sctpa_result_t field)
{
    uint16_t states = sctpa_states(analysis, result->assoc, end, result->index);
    GString *words = g_string_new(NULL);
    for (unsigned state = 0; state < SCTPA_STATES; state++)
        if (states >> state & 1)
            g_string_append_printf(words, "%s%s", words->len ? "," : "", sctpa_state_word((sctpa_state_t)state));
    if (states != SCTPA_ALL_STATES)
        add_word(tree, tvb, field, words->str);
    g_string_free(words, TRUE);
}

/* Text that may hold bytes of the capture. */
static void add_text(proto_tree *tree, tvbuff_t *tvb, sctpa_result_t result, const char *text)
{
    GString *safe = g_string_new(NULL);
    sctpa_text_escape(safe, text, TEXT_COLUMNS);
    add_word(tree, tvb, result, safe->str);
    g_string_free(safe, TRUE);
}

static void add_event(proto_tree *tree, tvbuff_t *tvb, const sctpa_event_t *event)
{
    proto_item *item =
        proto_tree_add_string(tree, sctpa_fields_result(SCTPA_RESULT_EVENT), tvb, 0, 0, sctpa_event_word(event->kind));
    proto_item_set_generated(item);
    proto_tree *below = proto_item_add_subtree(item, sctpa_fields_subtree());
    add_number(below, tvb, SCTPA_RESULT_EVENT_FRAME, event->frame);
    if (event->end < SCTPA_NO_END)
        add_number(below, tvb, SCTPA_RESULT_EVENT_ENDPOINT, event->end);
    if (event->path != SCTPA_NO_PATH)
        add_number(below, tvb, SCTPA_RESULT_EVENT_PATH, event->path);
    if (event->detail)
        add_text(below, tvb, SCTPA_RESULT_EVENT_DETAIL, event->detail);
}

static void add_events(const sctpa_t *analysis, const sctpa_packet_result_t *result, tvbuff_t *tvb, proto_tree *tree)
{
    const sctpa_event_t *event;
    uint32_t at = 0;
    while ((event = sctpa_packet_event(analysis, result, &at)) != NULL)
        add_event(tree, tvb, event);
}

static void add_finding(proto_tree *tree, tvbuff_t *tvb, packet_info *pinfo, const sctpa_finding_t *finding)
{
    const sctpa_rule_info_t *info = sctpa_rule_info(finding->rule);
    proto_item *item = NULL;
    if (tree != NULL) {
        item = proto_tree_add_string(tree, sctpa_fields_result(SCTPA_RESULT_FINDING), tvb, 0, 0, info->id);
        proto_item_set_generated(item);
        proto_tree *below = proto_item_add_subtree(item, sctpa_fields_subtree());
        add_word(below, tvb, SCTPA_RESULT_FINDING_LEVEL, sctpa_level_word(finding->level));
        add_word(below, tvb, SCTPA_RESULT_FINDING_CERTAINTY, sctpa_certainty_word(finding->certainty));
        add_number(below, tvb, SCTPA_RESULT_FINDING_ACCUSED, finding->accused);
        add_word(below, tvb, SCTPA_RESULT_FINDING_CLAUSE, info->clause);
        add_word(below, tvb, SCTPA_RESULT_FINDING_TITLE, info->title);
        if (finding->path != SCTPA_NO_PATH)
            add_number(below, tvb, SCTPA_RESULT_FINDING_PATH, finding->path);
        add_text(below, tvb, SCTPA_RESULT_FINDING_EXPECTED, finding->expected);
        add_text(below, tvb, SCTPA_RESULT_FINDING_SEEN, finding->seen);
    }
    sctpa_rule_experts_add(pinfo, item, finding);
}

static void add_findings(const sctpa_t *analysis, uint32_t index, tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree)
{
    const sctpa_finding_t *finding;
    for (unsigned nth = 0; (finding = sctpa_packet_finding(analysis, index, nth)) != NULL; nth++)
        add_finding(tree, tvb, pinfo, finding);
}

static void show_results(const sctpa_t *analysis, const sctpa_packet_result_t *result, const sctpa_packet_t *packet,
                         bool first_pass, tvbuff_t *tvb, proto_tree *tree)
{
    add_results(tree, tvb, result);
    sctpa_data_tree_show(analysis, result, packet, first_pass, tvb, tree);
    if (result->assoc == SCTPA_NO_ASSOC)
        return;
    add_states(analysis, result, tvb, tree, result->from, SCTPA_RESULT_STATE_SENDER);
    add_states(analysis, result, tvb, tree, !result->from, SCTPA_RESULT_STATE_RECEIVER);
    add_events(analysis, result, tvb, tree);
}

void sctpa_tree_show(const sctpa_t *analysis, uint32_t index, const sctpa_packet_t *packet, tvbuff_t *tvb,
                     packet_info *pinfo, proto_tree *node)
{
    sctpa_packet_result_t result;
    proto_item *item = NULL;
    proto_tree *tree = NULL;
    if ((node == NULL && !sctpa_experts_are_wanted()) || !sctpa_packet_result(analysis, index, &result))
        return;
    if (node != NULL) {
        item = proto_tree_add_item(node, sctpa_fields_result(SCTPA_RESULT_ANALYSIS), tvb, 0, 0, ENC_NA);
        proto_item_set_generated(item);
        tree = proto_item_add_subtree(item, sctpa_fields_subtree());
        if (sctpa_fields_results_are_wanted(node))
            show_results(analysis, &result, packet, !PINFO_FD_VISITED(pinfo), tvb, tree);
    }
    add_findings(analysis, index, tvb, pinfo, tree);
    sctpa_experts_add_result(pinfo, item, &result);
    sctpa_chunk_tree_show(packet, tvb, pinfo, tree);
    if (tree != NULL && SCTPA_TREE_IS_FULL(tree))
        proto_item_append_text(item, " [not all fields are shown: Wireshark allows a packet no more]");
}
