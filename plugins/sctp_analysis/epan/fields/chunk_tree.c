/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Turns the visit of a chunk into tree items: every field, only what Wireshark lacks, or none, as the preference
 * `decode` says. Knows the framing of chunks, parameters and causes, and no type of them: lacking.def is a table. */
#include "chunk_tree.h"

#include "../compat.h"
#include "experts.h"
#include "field_registration.h"
#include "../preferences.h"

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
#define LACKING(kind, value) { SCTPA_F_##kind, SCTPA_##kind##_##value },
#include "lacking.def"
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
    int id = sctpa_fields_decoded(group);
    if (sctpa_field(group)->type != SCTPA_TYPE_GROUP)
        return proto_tree_add_item(tree, id, show->tvb, (int)offset, (int)bytes, sctpa_fields_encoding(group));
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
            tree = proto_item_add_subtree(parent->item, sctpa_fields_decoded_subtree());
        level->item = add_group(show, tree, group, offset, bytes, type);
        if (shown)
            level->tree = proto_item_add_subtree(level->item, sctpa_fields_decoded_subtree());
    }
    show->depth++;
}

static void add_field(void *user, sctpa_field_id_t field, uint32_t offset, uint32_t bytes)
{
    show_t *show = (show_t *)user;
    proto_tree *tree = show->levels[MIN(show->depth, LEVELS) - 1].tree;
    if (tree != NULL && !SCTPA_TREE_IS_FULL(tree))
        proto_tree_add_item(tree, sctpa_fields_decoded(field), show->tvb, (int)offset, (int)bytes,
                            sctpa_fields_encoding(field));
}

static void add_fault(void *user, sctpa_fault_t fault, uint32_t offset, uint32_t bytes)
{
    show_t *show = (show_t *)user;
    (void)offset;
    (void)bytes;
    sctpa_experts_add_fault(show->pinfo, show->depth ? show->levels[MIN(show->depth, LEVELS) - 1].item : NULL, fault);
}

static void close_group(void *user)
{
    ((show_t *)user)->depth--;
}

void sctpa_chunk_tree_show(const sctpa_packet_t *packet, tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree)
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
    sctpa_experts_add_fault(pinfo, tree, iter.fault);
}
