/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds the subtree sctp.analysis: the results of the packet, then one node per chunk with every field, only what
 * Wireshark lacks, or none, as the preference `decode` says, and what became of its data. Knows the framing of
 * chunks, parameters and causes, and no type of them: what Wireshark lacks is a table. Expert infos (malformed chunks,
 * wrong checksums and HMACs, one per rule with the severity of its level, .probable and .note where a finding may be
 * less) count for SCTP also when no tree is built. */
#include "tree.h"

#include "../compat.h"

#include <epan/packet.h>
#include <epan/expert.h>
#include <epan/tap.h>

#include "../preferences.h"
#include "report/text/text.h"
#include "sctpa.h"

static int result_ids[SCTPA_RESULTS], decoded_ids[SCTPA_FIELDS];

static int subtree = -1, decoded_subtree = -1;

static hf_register_info results[] = {
#define RESULT(id, abbrev, name, type, base, blurb) \
    { &result_ids[SCTPA_RESULT_##id], { name, "sctp.analysis" abbrev, FT_##type, BASE_##base, NULL, 0, blurb, HFILL } },
#include "analysis_fields.def"
};

static void append_value(void *values, uint32_t value, const char *name)
{
    value_string row = { value, name };
    g_array_append_val((GArray *)values, row);
}

/* Named values as Wireshark wants them, made once per table and kept. */
static const value_string *named_values(sctpa_values_t values)
{
    static const value_string *tables[64];
    if (values == SCTPA_VALUES_NONE || values >= G_N_ELEMENTS(tables))
        return NULL;
    if (tables[values] == NULL) {
        GArray *rows = g_array_new(TRUE, TRUE, sizeof(value_string));
        sctpa_values_each(values, append_value, rows);
        tables[values] = (const value_string *)(const void *)g_array_free(rows, FALSE);
    }
    return tables[values];
}

static ftenum_t type_of(const sctpa_field_t *field)
{
    static const ftenum_t types[] = {
        [SCTPA_TYPE_GROUP] = FT_NONE,    [SCTPA_TYPE_U8] = FT_UINT8,     [SCTPA_TYPE_U16] = FT_UINT16,
        [SCTPA_TYPE_U32] = FT_UINT32,    [SCTPA_TYPE_BOOL] = FT_BOOLEAN, [SCTPA_TYPE_BYTES] = FT_BYTES,
        [SCTPA_TYPE_STRING] = FT_STRING, [SCTPA_TYPE_IPV4] = FT_IPv4,    [SCTPA_TYPE_IPV6] = FT_IPv6,
    };
    return types[field->type];
}

/* For a flag Wireshark wants the width of its bytes in place of a base. */
static int display_of(const sctpa_field_t *field)
{
    if (field->type == SCTPA_TYPE_BOOL)
        return 8 * field->size;
    return field->show == SCTPA_SHOW_DEC ? BASE_DEC : field->show == SCTPA_SHOW_HEX ? BASE_HEX : BASE_NONE;
}

static void fill(hf_register_info *info, int *id, const sctpa_field_t *field)
{
    const char *dot = field->abbrev[0] ? "." : "";
    *info = (hf_register_info){ id,
                                { field->name, g_strconcat("sctp.analysis.chunk", dot, field->abbrev, NULL),
                                  type_of(field), display_of(field), named_values(field->values), field->mask,
                                  "As decoded from the chunk (past)", HFILL } };
}

void sctpa_fields_register(int sctp)
{
    static hf_register_info decoded[SCTPA_FIELDS];
    static int *subtrees[] = { &subtree, &decoded_subtree };
    int n_decoded = 0;
    memset(result_ids, -1, sizeof result_ids);
    memset(decoded_ids, -1, sizeof decoded_ids);
    for (int i = 0; i < SCTPA_FIELDS; i++) {
        const sctpa_field_t *field = sctpa_field((sctpa_field_id_t)i);
        if (field != NULL && field->name != NULL)
            fill(&decoded[n_decoded++], &decoded_ids[i], field);
    }
    proto_register_field_array(sctp, results, G_N_ELEMENTS(results));
    proto_register_field_array(sctp, decoded, n_decoded);
    proto_register_subtree_array(subtrees, G_N_ELEMENTS(subtrees));
}

/* Does anybody look at a field of the analysis in tree? A filter on the built-in's fields alone does not.
 * O(SCTPA_RESULTS). */
static bool fields_results_are_wanted(proto_tree *tree)
{
    for (int i = 0; i < SCTPA_RESULTS; i++)
        if (proto_field_is_referenced(tree, result_ids[i]))
            return true;
    return false;
}

/* Wireshark's id of a field of the analysis, of a decoded field. */
static int fields_result(sctpa_result_t result)
{
    return result_ids[result];
}

static int fields_decoded(sctpa_field_id_t field)
{
    return decoded_ids[field];
}

/* How proto_tree_add_item reads a decoded field. */
static unsigned fields_encoding(sctpa_field_id_t field)
{
    switch (sctpa_field(field)->type) {
    case SCTPA_TYPE_BYTES:
    case SCTPA_TYPE_IPV6:
    case SCTPA_TYPE_GROUP: return ENC_NA;
    case SCTPA_TYPE_STRING: return ENC_UTF_8;
    default: return ENC_BIG_ENDIAN;
    }
}

/* Subtree ids: of sctp.analysis, and of everything decoded. */
static int fields_subtree(void)
{
    return subtree;
}

static int fields_decoded_subtree(void)
{
    return decoded_subtree;
}

static expert_field rule_fields[SCTPA_RULES], rule_probables[SCTPA_RULES], rule_notes[SCTPA_RULES];

static int severity_of(sctpa_level_t level)
{
    static const int severities[SCTPA_LEVELS] = { PI_ERROR, PI_WARN, PI_NOTE };
    return severities[level];
}

/* Fields that no finding can have would cost every start. */
static bool may_be_probable(const sctpa_rule_info_t *info)
{
    return info->level != SCTPA_LEVEL_HEURISTIC &&
           (info->needs & SCTPA_NEED_COMPLETE || info->certainty == SCTPA_CERTAINTY_PROBABLE);
}

static bool may_be_note(const sctpa_rule_info_t *info)
{
    return info->level != SCTPA_LEVEL_HEURISTIC &&
           (sctpa_revision_asks(info) || info->certainty == SCTPA_CERTAINTY_POSSIBLE);
}

typedef enum {
#define FAULT(id, abbrev, severity, text) OF_##id,
#include "faults.def"
    OF_CHECKSUM_BAD,
    OF_AUTH_BAD,
    OF_ALL
} expert_id_t;

static expert_field fields[OF_ALL];

static ei_register_info infos[] = {
#define FAULT(id, abbrev, level, text) \
    { &fields[OF_##id], \
      { .name = "sctp.analysis.fault." abbrev, .group = PI_MALFORMED, .severity = PI_##level, .summary = text } },
#include "faults.def"
    { &fields[OF_CHECKSUM_BAD],
      { .name = "sctp.analysis.checksum.bad",
        .group = PI_CHECKSUM,
        .severity = PI_ERROR,
        .summary = "Bad checksum: neither CRC32c nor Adler-32 nor zero" } },
    { &fields[OF_AUTH_BAD],
      { .name = "sctp.analysis.auth.bad",
        .group = PI_SECURITY,
        .severity = PI_WARN,
        .summary = "The HMAC of the AUTH chunk is wrong for the shared key" } },
};

static void add_info(GArray *infos, expert_field *field, const sctpa_rule_info_t *info, const char *suffix,
                     int severity)
{
    char *id = g_ascii_strdown(info->id, -1);
    ei_register_info row = { field,
                             { .name = g_strconcat("sctp.analysis.rule.", id, suffix, NULL),
                               .group = PI_PROTOCOL,
                               .severity = severity,
                               .summary = info->title } };
    g_array_append_val(infos, row);
    g_free(id);
}

void sctpa_rule_experts_register(int sctp)
{
    GArray *infos = g_array_new(FALSE, TRUE, sizeof(ei_register_info));
    for (unsigned rule = 0; rule < SCTPA_RULES; rule++) {
        const sctpa_rule_info_t *info = sctpa_rule_info((sctpa_rule_t)rule);
        rule_fields[rule] = rule_probables[rule] = rule_notes[rule] = (expert_field)EI_INIT;
        add_info(infos, &rule_fields[rule], info, "", severity_of(info->level));
        if (may_be_probable(info))
            add_info(infos, &rule_probables[rule], info, ".probable", severity_of(info->level + 1));
        if (may_be_note(info))
            add_info(infos, &rule_notes[rule], info, ".note", PI_NOTE);
    }
    expert_register_field_array(expert_register_protocol(sctp), (ei_register_info *)(void *)infos->data,
                                (int)infos->len);
    g_array_free(infos, FALSE);
}

/* Adds the expert info of a finding; item: what it concerns, NULL without a tree. */
static void rule_experts_add(packet_info *pinfo, proto_item *item, const sctpa_finding_t *finding)
{
    const sctpa_rule_info_t *info = sctpa_rule_info(finding->rule);
    const char *saved = pinfo->current_proto;
    expert_field *field = &rule_fields[finding->rule];
    const char *certainty = "";
    if (finding->level != info->level || (finding->certainty == SCTPA_CERTAINTY_POSSIBLE && may_be_note(info))) {
        field = &rule_notes[finding->rule];
    } else if (finding->certainty == SCTPA_CERTAINTY_PROBABLE && may_be_probable(info)) {
        field = &rule_probables[finding->rule];
        certainty = "probably ";
    }
    pinfo->current_proto = "SCTP";
    expert_add_info_format(pinfo, item, field, "%s %sby endpoint %u: %s (%s)", info->id, certainty, finding->accused,
                           info->title, info->clause);
    pinfo->current_proto = saved;
}

void sctpa_experts_register(int sctp)
{
    for (size_t i = 0; i < OF_ALL; i++)
        fields[i] = (expert_field)EI_INIT;
    expert_register_field_array(expert_register_protocol(sctp), infos, G_N_ELEMENTS(infos));
}

/* Does anything listen to expert infos, so that they are worth finding without a tree? */
static bool experts_are_wanted(void)
{
    static int expert_tap = 0;
    if (expert_tap == 0)
        expert_tap = find_tap_id("expert");
    return expert_tap > 0 && have_tap_listener(expert_tap);
}

static void add(packet_info *pinfo, proto_item *item, expert_id_t id)
{
    const char *saved = pinfo->current_proto;
    pinfo->current_proto = "SCTP";
    expert_add_info(pinfo, item, &fields[id]);
    pinfo->current_proto = saved;
}

/* Each adds an expert info; item: what it concerns, NULL without a tree. */
static void experts_add_fault(packet_info *pinfo, proto_item *item, sctpa_fault_t fault)
{
    static const expert_id_t ids[SCTPA_FAULTS] = {
#define FAULT(id, abbrev, severity, text) [SCTPA_FAULT_##id] = OF_##id,
#include "faults.def"
    };
    if (fault > SCTPA_FAULT_NONE && fault < SCTPA_FAULTS)
        add(pinfo, item, ids[fault]);
}

static void experts_add_result(packet_info *pinfo, proto_item *item, const sctpa_packet_result_t *result)
{
    if (result->checksum == SCTPA_CHECKSUM_BAD)
        add(pinfo, item, OF_CHECKSUM_BAD);
    if (result->has_auth && result->auth == SCTPA_AUTH_BAD)
        add(pinfo, item, OF_AUTH_BAD);
}

typedef struct {
    const sctpa_t *analysis;
    const sctpa_packet_result_t *result;
    tvbuff_t *tvb;
    proto_tree *tree;
    bool first_pass;
    uint8_t sender; /* of the data that the packet holds, or else acknowledges */
    uint16_t path;  /* of that sender */
} data_show_t;

static void data_add_number(const data_show_t *show, sctpa_result_t field, uint32_t value)
{
    proto_item_set_generated(proto_tree_add_uint(show->tree, fields_result(field), show->tvb, 0, 0, value));
}

static void add_frame(const data_show_t *show, sctpa_result_t field, uint32_t frame)
{
    if (frame != 0)
        data_add_number(show, field, frame);
}

static void add_time(const data_show_t *show, sctpa_result_t field, int64_t ns)
{
    nstime_t time = { (time_t)(ns / 1000000000), (int)(ns % 1000000000) };
    proto_item_set_generated(proto_tree_add_time(show->tree, fields_result(field), show->tvb, 0, 0, &time));
}

static void show_retransmission(const data_show_t *show, const sctpa_data_result_t *data)
{
    const char *kind = sctpa_rtx_word(data->kind);
    proto_item_set_generated(
        proto_tree_add_string(show->tree, fields_result(SCTPA_RESULT_RETRANSMISSION), show->tvb, 0, 0, kind));
    add_frame(show, SCTPA_RESULT_FIRST_SENT, data->first_frame);
    add_time(show, SCTPA_RESULT_SINCE_LAST, data->since_last_ns);
    if (data->spurious)
        proto_item_set_generated(
            proto_tree_add_boolean(show->tree, fields_result(SCTPA_RESULT_SPURIOUS), show->tvb, 0, 0, TRUE));
}

static void show_data(const data_show_t *show, const sctpa_tlv_t *chunk)
{
    sctpa_data_result_t data;
    if (SCTPA_TREE_IS_FULL(show->tree) || !sctpa_data_result(show->analysis, show->result, chunk, &data))
        return;
    if (data.tsn >= 0)
        proto_item_set_generated(
            proto_tree_add_uint64(show->tree, fields_result(SCTPA_RESULT_TSN), show->tvb, 0, 0, (uint64_t)data.tsn));
    data_add_number(show, SCTPA_RESULT_TRANSMISSION, data.transmission);
    if (data.is_retransmission)
        show_retransmission(show, &data);
    if (data.missing_bytes > 0)
        data_add_number(show, SCTPA_RESULT_MISSING_BYTES, data.missing_bytes);
    add_frame(show, SCTPA_RESULT_GAP_ACKED_IN, data.gap_frame);
    add_frame(show, SCTPA_RESULT_ACKED_IN, data.ack_frame);
}

static void show_sack(const data_show_t *show, const sctpa_tlv_t *chunk, uint16_t order)
{
    sctpa_sack_result_t sack;
    if (SCTPA_TREE_IS_FULL(show->tree) || !sctpa_sack_result(show->analysis, show->result, chunk, order, &sack))
        return;
    add_frame(show, SCTPA_RESULT_ACKS, sack.first_frame);
    if (sack.last_frame != sack.first_frame)
        add_frame(show, SCTPA_RESULT_ACKS, sack.last_frame);
    data_add_number(show, SCTPA_RESULT_SACK_NEW_CHUNKS, sack.new_chunks);
    data_add_number(show, SCTPA_RESULT_SACK_NEW_BYTES, sack.new_bytes);
    data_add_number(show, SCTPA_RESULT_SACK_MISSING, sack.missing);
    if (sack.delay_ns >= 0)
        add_time(show, SCTPA_RESULT_SACK_DELAY, sack.delay_ns);
}

static void show_flow(const data_show_t *show)
{
    sctpa_flow_result_t flow;
    if (!sctpa_flow_result(show->analysis, show->result, &flow))
        return;
    for (unsigned i = 0; i < flow.n_rtts; i++)
        add_time(show, SCTPA_RESULT_RTT, flow.rtt_ns[i]);
    if (flow.flight_bytes != SCTPA_NO_BYTES)
        data_add_number(show, SCTPA_RESULT_FLIGHT, flow.flight_bytes);
    if (flow.peer_window_bytes != SCTPA_NO_BYTES)
        data_add_number(show, SCTPA_RESULT_PEER_WINDOW, flow.peer_window_bytes);
}

static void show_rto(const data_show_t *show)
{
    sctpa_rtos_t rtos;
    if (!sctpa_rto_at(show->analysis, show->result->assoc, show->sender, show->path, show->result->index,
                      show->first_pass, &rtos))
        return;
    add_time(show, SCTPA_RESULT_RTO, rtos.value_ns);
    if (!rtos.is_learned || rtos.least_ns == rtos.most_ns)
        return;
    add_time(show, SCTPA_RESULT_RTO_LEAST, rtos.least_ns);
    add_time(show, SCTPA_RESULT_RTO_MOST, rtos.most_ns);
}

static void show_cwnd(const data_show_t *show)
{
    sctpa_congestion_t congestion;
    if (!sctpa_congestion(show->analysis, show->result->assoc, show->sender, show->path, show->result->index,
                          &congestion))
        return;
    data_add_number(show, SCTPA_RESULT_CWND, congestion.cwnd);
    data_add_number(show, SCTPA_RESULT_CWND_MIN, congestion.cwnd_min);
    if (congestion.cwnd_max != SCTPA_CWND_UNKNOWN)
        data_add_number(show, SCTPA_RESULT_CWND_MAX, congestion.cwnd_max);
    if (congestion.ssthresh != SCTPA_SSTHRESH_HIGH)
        data_add_number(show, SCTPA_RESULT_SSTHRESH, congestion.ssthresh);
}

/* Adds what the packet did for its association's data to tree. first_pass: it was just fed (sctpa_rto_at). O(chunks).
 */
static void data_tree_show(const sctpa_t *analysis, const sctpa_packet_result_t *result, const sctpa_packet_t *packet,
                           bool first_pass, tvbuff_t *tvb, proto_tree *tree)
{
    data_show_t show = { analysis, result, tvb, tree, first_pass, !result->from, result->peer_path };
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t chunk;
    bool has_data = false;
    uint16_t sacks = 0;
    const bool shows_sent = sctpa_packet_shows(analysis, result, result->from);
    if (!shows_sent && !sctpa_packet_shows(analysis, result, !result->from))
        return;
    sctpa_chunks_begin(&iter, packet->bytes, packet->captured_bytes, packet->wire_bytes);
    while (sctpa_tlv_next(&iter, &chunk)) {
        has_data |= shows_sent && sctpa_tlv_is_data(&chunk);
        show_data(&show, &chunk);
        if (sctpa_tlv_is_sack(&chunk))
            show_sack(&show, &chunk, sacks++);
    }
    if (has_data) {
        show.sender = result->from;
        show.path = result->path;
    }
    show_flow(&show);
    if (has_data || sacks > 0)
        show_cwnd(&show);
    show_rto(&show);
}

enum { LEVELS = 64 }; /* more than the walk opens */

/* A subtree that the walk has opened. tree is NULL when its fields are not shown; item is what it belongs to, shown or
 * not. */
typedef struct {
    proto_item *item;
    proto_tree *tree;
} level_t;

typedef struct {
    const sctpa_packet_t *packet;
    tvbuff_t *tvb;
    packet_info *pinfo;
    proto_tree *tree; /* sctp.analysis, NULL: expert infos only */
    sctpa_decode_t decode;
    level_t levels[LEVELS];
    unsigned depth;
} show_t;

static bool is_lacking(sctpa_field_id_t group, uint32_t type)
{
    static const struct {
        sctpa_field_id_t group;
        uint32_t type;
    } lacking[] = {
#define LACKING(kind, value) { SCTPA_F_##kind, SCTPA_##kind##_##value }
        LACKING(CHUNK, DTLS),
        LACKING(PARAM, ZERO_CHECKSUM),
        LACKING(PARAM, PADDING),
        LACKING(PARAM, DTLS_KEY_MANAGEMENT),
        LACKING(PARAM, DISABLE_RESTART),
        LACKING(PARAM, VTAGS),
        LACKING(CAUSE, INVALID_PARAM),
        LACKING(CAUSE, MISSING_DTLS),
        LACKING(CAUSE, NO_COMMON_DTLS_KEY_MANAGEMENT),
        LACKING(CAUSE, DTLS_TIE_BREAKER_COLLISION),
        LACKING(CAUSE, INCOMPATIBLE_DTLS_ROLES),
        LACKING(CAUSE, ILLEGAL_ASCONF_ACK),
        LACKING(CAUSE, NAT_COLLISION),
        LACKING(CAUSE, NAT_MISSING_STATE),
        LACKING(CAUSE, NAT_PORT_COLLISION),
#undef LACKING
    };
    for (size_t i = 0; i < G_N_ELEMENTS(lacking); i++)
        if (lacking[i].group == group && lacking[i].type == type)
            return true;
    return false;
}

/* "INIT ACK chunk", "Zero Checksum Acceptable parameter (0x8001)" or the name of a group that is no TLV. */
static const char *title_of(show_t *show, sctpa_field_id_t group, uint32_t type)
{
    static const struct {
        sctpa_field_id_t group;
        sctpa_tlv_kind_t kind;
        const char *word;
    } kinds[] = {
        { SCTPA_F_CHUNK, SCTPA_TLV_CHUNK, "chunk" },
        { SCTPA_F_PARAM, SCTPA_TLV_PARAM, "parameter" },
        { SCTPA_F_CAUSE, SCTPA_TLV_CAUSE, "cause" },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++)
        if (kinds[i].group == group) {
            const sctpa_tlv_type_t *row = sctpa_tlv_type(kinds[i].kind, type);
            return wmem_strdup_printf(show->pinfo->pool, "%s %s (0x%0*x)", row ? row->title : "Unknown", kinds[i].word,
                                      group == SCTPA_F_CHUNK ? 2 : 4, type);
        }
    return sctpa_field(group)->name;
}

static proto_item *add_group(show_t *show, proto_tree *tree, sctpa_field_id_t group, uint32_t offset, uint32_t bytes,
                             uint32_t type)
{
    int id = fields_decoded(group);
    if (sctpa_field(group)->type != SCTPA_TYPE_GROUP)
        return proto_tree_add_item(tree, id, show->tvb, (int)offset, (int)bytes, fields_encoding(group));
    return proto_tree_add_none_format(tree, id, show->tvb, (int)offset, (int)bytes, "%s", title_of(show, group, type));
}

static bool is_shown(const show_t *show, const level_t *parent, sctpa_field_id_t group, uint32_t type)
{
    if (show->decode == SCTPA_DECODE_OFF)
        return false;
    return show->decode == SCTPA_DECODE_ALL || parent->tree != NULL || is_lacking(group, type);
}

/* The outermost level is the chunk: its node is always there. Something lacking that lies deeper hangs on the chunk's
 * node. */
static void open_group(void *user, sctpa_field_id_t group, uint32_t offset, uint32_t bytes, uint32_t type)
{
    show_t *show = (show_t *)user;
    unsigned at = MIN(show->depth, LEVELS - 1);
    level_t none = { NULL, NULL }, *parent = at ? &show->levels[at - 1] : &none, *level = &show->levels[at];
    bool has_room = show->tree != NULL && !SCTPA_TREE_IS_FULL(show->tree),
         shown = has_room && is_shown(show, parent, group, type);
    *level = (level_t){ parent->item, NULL };
    if (has_room && (shown || show->depth == 0)) {
        proto_tree *tree = show->depth == 0 ? show->tree : parent->tree;
        if (tree == NULL)
            tree = proto_item_add_subtree(parent->item, fields_decoded_subtree());
        level->item = add_group(show, tree, group, offset, bytes, type);
        if (shown)
            level->tree = proto_item_add_subtree(level->item, fields_decoded_subtree());
    }
    show->depth++;
}

static void add_field(void *user, sctpa_field_id_t field, uint32_t offset, uint32_t bytes)
{
    show_t *show = (show_t *)user;
    proto_tree *tree = show->levels[MIN(show->depth, LEVELS) - 1].tree;
    if (tree != NULL && !SCTPA_TREE_IS_FULL(tree))
        proto_tree_add_item(tree, fields_decoded(field), show->tvb, (int)offset, (int)bytes, fields_encoding(field));
}

static void add_fault(void *user, sctpa_fault_t fault, uint32_t offset, uint32_t bytes)
{
    show_t *show = (show_t *)user;
    (void)offset;
    (void)bytes;
    experts_add_fault(show->pinfo, show->depth ? show->levels[MIN(show->depth, LEVELS) - 1].item : NULL, fault);
}

static void close_group(void *user)
{
    ((show_t *)user)->depth--;
}

/* Adds one node per chunk to tree with what the preference `decode` asks for, and an expert info for everything
 * malformed. tree may be NULL: expert infos only. O(bytes of the packet). */
static void chunk_tree_show(const sctpa_packet_t *packet, tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree)
{
    static const sctpa_visitor_t visitor = { open_group, add_field, add_fault, close_group };
    show_t show = { .packet = packet,
                    .tvb = tvb,
                    .pinfo = pinfo,
                    .tree = tree,
                    .decode = (sctpa_decode_t)sctpa_preferences()->decode };
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t chunk;
    sctpa_chunks_begin(&iter, packet->bytes, packet->captured_bytes, packet->wire_bytes);
    while (sctpa_tlv_next(&iter, &chunk))
        sctpa_walk_chunk(packet->bytes, &chunk, &visitor, &show);
    experts_add_fault(pinfo, tree, iter.fault);
}

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
    proto_item_set_generated(proto_tree_add_uint(tree, fields_result(result), tvb, 0, 0, value));
}

static void add_word(proto_tree *tree, tvbuff_t *tvb, sctpa_result_t result, const char *word)
{
    proto_item_set_generated(proto_tree_add_string(tree, fields_result(result), tvb, 0, 0, word));
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
        proto_tree_add_string(tree, fields_result(SCTPA_RESULT_EVENT), tvb, 0, 0, sctpa_event_word(event->kind));
    proto_item_set_generated(item);
    proto_tree *below = proto_item_add_subtree(item, fields_subtree());
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

static void add_owed(const sctpa_t *analysis, uint32_t index, tvbuff_t *tvb, proto_tree *tree)
{
    uint32_t n;
    const sctpa_owed_result_t *owed = sctpa_packet_owed(analysis, index, &n);
    for (uint32_t i = 0; i < n; i++, owed++) {
        proto_item *item = proto_tree_add_string(tree, fields_result(SCTPA_RESULT_OWED), tvb, 0, 0,
                                                 sctpa_obligation_expected((sctpa_obligation_t)owed->what));
        proto_item_set_generated(item);
        proto_tree *below = proto_item_add_subtree(item, fields_subtree());
        const data_show_t show = { .analysis = analysis, .tvb = tvb, .tree = below };
        add_number(below, tvb, SCTPA_RESULT_OWED_BY, sctpa_owed_by(analysis, owed));
        add_number(below, tvb, SCTPA_RESULT_OWED_SINCE, sctpa_packet_frame(analysis, owed->since));
        add_word(below, tvb, SCTPA_RESULT_OWED_ANSWER, sctpa_owed_fate_word((sctpa_owed_fate_t)owed->fate));
        add_time(&show, SCTPA_RESULT_OWED_WAITED, owed->waited_ns);
        if (owed->waited_ns > owed->patience_ns)
            add_time(&show, SCTPA_RESULT_OWED_LATE, owed->waited_ns - owed->patience_ns);
    }
}

static void add_finding(proto_tree *tree, tvbuff_t *tvb, packet_info *pinfo, const sctpa_finding_t *finding)
{
    const sctpa_rule_info_t *info = sctpa_rule_info(finding->rule);
    proto_item *item = NULL;
    if (tree != NULL) {
        item = proto_tree_add_string(tree, fields_result(SCTPA_RESULT_FINDING), tvb, 0, 0, info->id);
        proto_item_set_generated(item);
        proto_tree *below = proto_item_add_subtree(item, fields_subtree());
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
    rule_experts_add(pinfo, item, finding);
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
    data_tree_show(analysis, result, packet, first_pass, tvb, tree);
    if (result->assoc == SCTPA_NO_ASSOC)
        return;
    add_states(analysis, result, tvb, tree, result->from, SCTPA_RESULT_STATE_SENDER);
    add_states(analysis, result, tvb, tree, !result->from, SCTPA_RESULT_STATE_RECEIVER);
    add_events(analysis, result, tvb, tree);
    add_owed(analysis, result->index, tvb, tree);
}

void sctpa_tree_show(const sctpa_t *analysis, uint32_t index, const sctpa_packet_t *packet, tvbuff_t *tvb,
                     packet_info *pinfo, proto_tree *node)
{
    sctpa_packet_result_t result;
    proto_item *item = NULL;
    proto_tree *tree = NULL;
    if ((node == NULL && !experts_are_wanted()) || !sctpa_packet_result(analysis, index, &result))
        return;
    if (node != NULL) {
        item = proto_tree_add_item(node, fields_result(SCTPA_RESULT_ANALYSIS), tvb, 0, 0, ENC_NA);
        proto_item_set_generated(item);
        tree = proto_item_add_subtree(item, fields_subtree());
        if (fields_results_are_wanted(node))
            show_results(analysis, &result, packet, !PINFO_FD_VISITED(pinfo), tvb, tree);
    }
    add_findings(analysis, index, tvb, pinfo, tree);
    experts_add_result(pinfo, item, &result);
    chunk_tree_show(packet, tvb, pinfo, tree);
    if (tree != NULL && SCTPA_TREE_IS_FULL(tree))
        proto_item_append_text(item, " [not all fields are shown: Wireshark allows a packet no more]");
}
