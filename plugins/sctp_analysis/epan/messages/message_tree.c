/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walks the tree of a frame and gives each message the DATA chunk that it ends in: the one whose bytes its node shows,
 * or of a reassembled message the one that Wireshark lists its fragments in. */
#include "message_tree.h"

#include "../compat.h"

#include <epan/packet.h>

#include "report/text/ppid_text.h"
#include "message_draft.h"

enum { DATA_HEADER_BYTES = 16, I_DATA_HEADER_BYTES = 20, INNER_MAX = 64, FRAGMENTS_MAX = 1024, NO_CHUNK = -1 };
enum { BEGINS_AND_ENDS = SCTPA_TSN_BEGIN | SCTPA_TSN_END };

/* A DATA or I-DATA chunk of the packet. */
typedef struct {
    sctpa_tlv_t tlv;
    tvbuff_t *whole; /* the message that was reassembled here, NULL: none */
    bool is_new;     /* its TSN passed for the first time, or with another message */
    bool is_named, is_protected;
} chunk_t;

typedef struct {
    sctpa_messages_t *messages;
    const sctpa_tap_packet_t *tap;
    GArray *chunks; /* chunk_t, ascending by address */
    int chunk;      /* that the walk is in */
    GArray *drafts; /* sctpa_message_draft_t: a message and those within */
    GString *text;
} reader_t;

static chunk_t *chunk_at(const reader_t *reader, int chunk)
{
    return &g_array_index(reader->chunks, chunk_t, chunk);
}

static void find_chunks(reader_t *reader)
{
    const sctpa_packet_t *packet = reader->tap->packet;
    sctpa_data_result_t result;
    sctpa_tlv_iter_t iter;
    chunk_t chunk = { 0 };
    sctpa_chunks_begin(&iter, packet->bytes, packet->captured_bytes, packet->wire_bytes);
    while (sctpa_tlv_next(&iter, &chunk.tlv))
        if (sctpa_tlv_is_data(&chunk.tlv)) {
            chunk.is_new = sctpa_data_result(reader->tap->analysis, &reader->tap->result, &chunk.tlv, &result) &&
                           (result.transmission == 1 || result.is_other_message);
            g_array_append_val(reader->chunks, chunk);
        }
}

/* Where the bytes of a field lie in memory, NULL: it has none. */
static const uint8_t *address_of(const field_info *field)
{
    if (field->ds_tvb == NULL || field->start < 0 || (unsigned)field->start >= tvb_captured_length(field->ds_tvb))
        return NULL;
    return tvb_get_ptr(field->ds_tvb, field->start, 1);
}

/* The chunk of the packet that holds an address, NO_CHUNK: none. */
static int find_holder(const reader_t *reader, const uint8_t *address)
{
    int low = 0, high = (int)reader->chunks->len;
    while (low < high) {
        int middle = (low + high) / 2;
        if (chunk_at(reader, middle)->tlv.bytes <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (address == NULL || low == 0)
        return NO_CHUNK;
    const sctpa_tlv_t *tlv = &chunk_at(reader, low - 1)->tlv;
    return address < tlv->bytes + tlv->captured_bytes ? low - 1 : NO_CHUNK;
}

static int find_whole(const reader_t *reader, const tvbuff_t *whole)
{
    for (int i = 0; i < (int)reader->chunks->len; i++)
        if (chunk_at(reader, i)->whole == whole)
            return i;
    return NO_CHUNK;
}

/* The chunk that a message's node belongs to. What was decrypted lies nowhere: it follows what it was decrypted from.
 */
static int chunk_of_node(const reader_t *reader, const field_info *field)
{
    int chunk = find_holder(reader, address_of(field));
    if (chunk == NO_CHUNK && field->ds_tvb != NULL)
        chunk = find_whole(reader, field->ds_tvb);
    return chunk == NO_CHUNK ? reader->chunk : chunk;
}

/* Takes the list of fragments of a reassembled message, which stands in its last one. */
static void take_fragments(reader_t *reader, proto_node *node, int chunk)
{
    for (proto_node *child = node->first_child; child != NULL && chunk != NO_CHUNK; child = child->next) {
        const sctpa_message_field_t *row = sctpa_applications_field(SCTPA_NODE_FIELD(child));
        if (row == NULL || row->role != SCTPA_FIELD_FRAGMENT || child->finfo == NULL)
            continue;
        chunk_at(reader, chunk)->whole = child->finfo->ds_tvb;
        return;
    }
}

static void walk_sctp(reader_t *reader, proto_node *node)
{
    for (proto_node *child = node->first_child; child != NULL; child = child->next) {
        const sctpa_message_field_t *row = sctpa_applications_field(SCTPA_NODE_FIELD(child));
        if (row != NULL && row->role == SCTPA_FIELD_FRAGMENTS && child->finfo != NULL)
            take_fragments(reader, child, find_holder(reader, address_of(child->finfo)));
        else
            walk_sctp(reader, child);
    }
}

static unsigned begin_draft(reader_t *reader, unsigned application)
{
    const sctpa_tlv_t *tlv = &chunk_at(reader, reader->chunk)->tlv;
    sctpa_message_draft_t draft = { .application = application, .stream = sctpa_tlv_u32(tlv, SCTPA_F_DATA_SID) };
    g_array_append_val(reader->drafts, draft);
    return reader->drafts->len - 1;
}

static void walk_message(reader_t *reader, proto_node *node, unsigned draft);

/* A protocol within a message: NAS is a message of its own, unless it stands in one. */
static void walk_inner(reader_t *reader, proto_node *node, unsigned application, unsigned draft)
{
    bool is_nas = sctpa_application_kind(application) == SCTPA_APPLICATION_NAS;
    if (is_nas && draft == 0 && reader->drafts->len <= INNER_MAX)
        walk_message(reader, node, begin_draft(reader, application));
}

static void walk_message(reader_t *reader, proto_node *node, unsigned draft)
{
    for (proto_node *child = node->first_child; child != NULL; child = child->next) {
        const sctpa_message_field_t *row = sctpa_applications_field(SCTPA_NODE_FIELD(child));
        sctpa_message_draft_t *taken = &g_array_index(reader->drafts, sctpa_message_draft_t, draft);
        if (row != NULL && row->role == SCTPA_FIELD_NODE) {
            walk_inner(reader, child, row->application, draft);
            continue;
        }
        if (row != NULL && row->application == taken->application && child->finfo != NULL)
            sctpa_message_draft_take(taken, row, child->finfo);
        walk_message(reader, child, draft);
    }
}

static uint32_t header_bytes(const sctpa_tlv_t *tlv)
{
    return tlv->type == SCTPA_CHUNK_I_DATA ? I_DATA_HEADER_BYTES : DATA_HEADER_BYTES;
}

static sctpa_message_place_t place_of(const reader_t *reader, const chunk_t *chunk)
{
    const sctpa_tap_packet_t *tap = reader->tap;
    uint32_t header = header_bytes(&chunk->tlv);
    uint32_t own_bytes = chunk->tlv.wire_bytes > header ? chunk->tlv.wire_bytes - header : 0;
    return (sctpa_message_place_t){ .assoc = tap->result.assoc,
                                    .from = tap->result.from,
                                    .packet = tap->index,
                                    .frame = tap->packet->frame,
                                    .tsn = sctpa_tlv_u32(&chunk->tlv, SCTPA_F_DATA_TSN),
                                    .bytes = chunk->whole ? tvb_reported_length(chunk->whole) : own_bytes,
                                    .time_ns = sctpa_packet_time_ns(tap->analysis, tap->index) };
}

static void add_drafts(reader_t *reader, const chunk_t *chunk)
{
    sctpa_message_place_t place = place_of(reader, chunk);
    const sctpa_message_draft_t *drafts = &g_array_index(reader->drafts, sctpa_message_draft_t, 0);
    sctpa_message_t message;
    for (unsigned i = 0; i < reader->drafts->len; i++) {
        sctpa_message_draft_finish(&drafts[i], i > 0 ? drafts : NULL, &message, reader->text);
        sctpa_messages_add(reader->messages, &place, &message);
        GString *event = g_string_new(NULL);
        bool is_trouble;
        if (sctpa_message_draft_event(&drafts[i], &message, event, &is_trouble))
            sctpa_messages_event(reader->messages, &place, event->str, is_trouble);
        g_string_free(event, TRUE);
    }
}

/* Does a message end here: is the chunk whole, or was its message reassembled here? */
static bool ends_message(const chunk_t *chunk)
{
    return (chunk->tlv.flags & BEGINS_AND_ENDS) == BEGINS_AND_ENDS || chunk->whole != NULL;
}

static void take_message(reader_t *reader, proto_node *node, unsigned application)
{
    chunk_t *chunk = reader->chunk == NO_CHUNK ? NULL : chunk_at(reader, reader->chunk);
    if (chunk == NULL || !chunk->is_new || chunk->is_named || !ends_message(chunk))
        return;
    if (sctpa_application_kind(application) == SCTPA_APPLICATION_PROTECTED) {
        chunk->is_protected = true;
        return;
    }
    chunk->is_named = true;
    g_array_set_size(reader->drafts, 0);
    walk_message(reader, node, begin_draft(reader, application));
    add_drafts(reader, chunk);
}

/* Payload stands beside SCTP, in the order of the chunks. */
static void walk_frame(reader_t *reader, proto_node *tree)
{
    for (proto_node *node = tree->first_child; node != NULL; node = node->next) {
        const sctpa_message_field_t *row = sctpa_applications_field(SCTPA_NODE_FIELD(node));
        if (row == NULL || row->role != SCTPA_FIELD_NODE || node->finfo == NULL)
            continue;
        if (sctpa_application_kind(row->application) == SCTPA_APPLICATION_FRAGMENTS) {
            walk_sctp(reader, node);
            continue;
        }
        reader->chunk = chunk_of_node(reader, node->finfo);
        take_message(reader, node, row->application);
    }
}

/* The PPID of a message's last chunk. Only the first fragment of an I-DATA message has it: it is looked for among the
 * TSNs before. False: not found. */
static bool find_ppid(const reader_t *reader, const sctpa_tlv_t *tlv, uint32_t *ppid)
{
    const sctpa_packet_result_t *packet = &reader->tap->result;
    const sctpa_direction_t *direction = sctpa_direction(reader->tap->analysis, packet->assoc, packet->from);
    int64_t number;
    *ppid = sctpa_tlv_u32(tlv, tlv->type == SCTPA_CHUNK_I_DATA ? SCTPA_F_I_DATA_PPID : SCTPA_F_DATA_PPID);
    if (tlv->type == SCTPA_CHUNK_DATA || tlv->flags & SCTPA_TSN_BEGIN)
        return true;
    const sctpa_tsn_t *last =
        sctpa_direction_tsn_in(direction, sctpa_tlv_u32(tlv, SCTPA_F_I_DATA_TSN), packet->index, &number);
    for (int64_t at = number - 1; last != NULL && at >= number - FRAGMENTS_MAX; at--) {
        const sctpa_tsn_t *tsn = sctpa_direction_tsn(direction, at);
        if (tsn == NULL || tsn->stream != last->stream || tsn->ssn != last->ssn || !(tsn->flags & SCTPA_TSN_BEGIN))
            continue;
        *ppid = tsn->ppid;
        return true;
    }
    return false;
}

static sctpa_message_kind_t name_nameless(const reader_t *reader, const chunk_t *chunk, GString *protocol,
                                          const char **name)
{
    const sctpa_assoc_t *assoc = sctpa_assoc(reader->tap->analysis, reader->tap->result.assoc);
    uint32_t ppid;
    bool has_ppid = find_ppid(reader, &chunk->tlv, &ppid);
    g_string_truncate(protocol, 0);
    if (!has_ppid)
        g_string_append(protocol, "PPID unknown");
    else if (!sctpa_ppid_text_name(protocol, assoc, ppid))
        g_string_append_printf(protocol, "PPID %u", ppid);
    bool is_protected = chunk->is_protected || (has_ppid && sctpa_ppid_is_over_dtls(ppid));
    *name = !ends_message(chunk) ? "incomplete" : is_protected ? "protected by DTLS" : "-";
    return !ends_message(chunk) ? SCTPA_MESSAGE_INCOMPLETE
           : is_protected       ? SCTPA_MESSAGE_PROTECTED
                                : SCTPA_MESSAGE_NAMELESS;
}

/* Counts the messages that no dissector named. A last fragment may come before others: its message is incomplete until
 * then. */
static void take_rest(reader_t *reader)
{
    for (int i = 0; i < (int)reader->chunks->len; i++) {
        const chunk_t *chunk = chunk_at(reader, i);
        bool is_last = (chunk->tlv.flags & SCTPA_TSN_END) != 0, ends = ends_message(chunk);
        const char *name;
        if (!chunk->is_new || (chunk->is_named && is_last) || !(ends || is_last))
            continue;
        sctpa_message_place_t place = place_of(reader, chunk);
        sctpa_message_kind_t kind = name_nameless(reader, chunk, reader->text, &name);
        if (ends && !is_last)
            sctpa_messages_complete(reader->messages, &place, reader->text->str, "incomplete");
        sctpa_message_t message = { .protocol = reader->text->str, .name = name, .kind = kind };
        if (!chunk->is_named)
            sctpa_messages_add(reader->messages, &place, &message);
    }
}

void sctpa_message_tree_take(sctpa_messages_t *messages, const sctpa_tap_packet_t *tap, const epan_dissect_t *edt)
{
    if (edt->tree == NULL || tap->result.assoc == SCTPA_NO_ASSOC || tap->result.remarks & SCTPA_CAPTURE_UNCOUNTED)
        return;
    reader_t reader = { .messages = messages,
                        .tap = tap,
                        .chunks = g_array_new(FALSE, FALSE, sizeof(chunk_t)),
                        .chunk = NO_CHUNK,
                        .drafts = g_array_new(FALSE, FALSE, sizeof(sctpa_message_draft_t)),
                        .text = g_string_new(NULL) };
    find_chunks(&reader);
    if (reader.chunks->len > 0) {
        walk_frame(&reader, edt->tree);
        take_rest(&reader);
    }
    g_string_free(reader.text, TRUE);
    g_array_unref(reader.drafts);
    g_array_unref(reader.chunks);
}
