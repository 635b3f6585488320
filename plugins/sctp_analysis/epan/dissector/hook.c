/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stands in front of the built-in SCTP dissector: collects the packet, lets the built-in work, adds our results below
 * its node.
 *
 * Every dissector table entry that holds the built-in handle gets one of ours, at each opening and redissection, since
 * Decode As and changed SCTP preferences put the built-in back. There is one handle per carrier, so that the type of
 * the data argument is known, and of each two: one for entries that Wireshark registered (its own name, as a table's
 * names must differ), one for entries that the user made (named SCTP, so that Decode As shows and saves them as
 * before).
 *
 * Wireshark knows SCTP inside DTLS (WebRTC) neither by a port nor for Decode As: both are added here, the former as a
 * heuristic (sctp_dtls), since ports of WebRTC are drawn at random.
 *
 * Out of reach are callers that hold the built-in handle itself, found by name: exported PDUs whose dissector name is
 * "sctp" (text2pcap -P sctp), the DLT_USER table, nettl and LGE Monitor captures, Lua's Dissector.get("sctp").
 * Wireshark offers no way to replace a named dissector: register_dissector refuses a second one and
 * deregister_dissector frees the handle they hold. Those packets are shown by the built-in as ever and have no
 * sctp.analysis fields. */
#include "hook.h"

#include "../compat.h"

#include <epan/exceptions.h>
#include <epan/packet.h>
#include <epan/tap.h>

#include "../fields/tree.h"
#include "../preferences.h"
#include "lower_layers.h"
#include "open_analysis.h"
#include "sctpa.h"
#include "tap_sctp_analysis.h"

static int tap_id = -1;

void sctpa_tap_register(void)
{
    tap_id = register_tap("sctp_analysis");
}

static void find_events(sctpa_tap_packet_t *tap)
{
    const sctpa_assoc_t *assoc =
        tap->result.assoc == SCTPA_NO_ASSOC ? NULL : sctpa_assoc(tap->analysis, tap->result.assoc);
    if (assoc == NULL)
        return;
    tap->first_event = sctpa_assoc_event_from(assoc, tap->packet->frame);
    tap->n_events = sctpa_assoc_event_from(assoc, tap->packet->frame + 1) - tap->first_event;
}

/* Queues a packet for the listeners; nothing when there are none. packet must live until the frame is dissected: it is
 * copied. */
static void tap_queue(const sctpa_t *analysis, uint32_t index, const sctpa_packet_t *packet, packet_info *pinfo)
{
    if (!have_tap_listener(tap_id))
        return;
    sctpa_tap_packet_t *tap = wmem_new0(pinfo->pool, sctpa_tap_packet_t);
    sctpa_packet_t *copy = wmem_new(pinfo->pool, sctpa_packet_t);
    *copy = *packet;
    tap->analysis = analysis;
    tap->index = index;
    tap->packet = copy;
    sctpa_packet_result(analysis, index, &tap->result);
    find_events(tap);
    tap_queue_packet(tap_id, pinfo, tap);
}

static bool chunks_fill(const uint8_t *bytes, uint32_t length)
{
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t chunk;
    bool is_first = true;
    sctpa_chunks_begin(&iter, bytes, length, length);
    while (sctpa_tlv_next(&iter, &chunk)) {
        if ((is_first && chunk.row == NULL) || !sctpa_tlv_is_framed(&chunk))
            return false;
        is_first = false;
    }
    return !is_first && iter.fault == SCTPA_FAULT_NONE;
}

/* Is the whole of tvb an SCTP packet beyond reasonable doubt? A right CRC32c, or none where the endpoints agreed on
 * that (RFC 9653); ports, and chunks that fill the packet, the first of a known type. O(bytes). */
static bool is_sctp(tvbuff_t *tvb)
{
    uint32_t length = tvb_captured_length(tvb);
    if (length < SCTPA_HEADER_BYTES + SCTPA_TLV_HEADER_BYTES || length != tvb_reported_length(tvb))
        return false;
    const uint8_t *bytes = tvb_get_ptr(tvb, 0, (int)length);
    if (sctpa_be16(bytes) == 0 || sctpa_be16(bytes + 2) == 0)
        return false;
    sctpa_checksum_t kind = sctpa_checksum_kind(bytes, length, sctpa_packet_crc32c(bytes, length));
    return (kind == SCTPA_CHECKSUM_CRC32C || kind == SCTPA_CHECKSUM_ZERO) && chunks_fill(bytes, length);
}

typedef struct {
    const char *table; /* NULL: every other table */
    dissector_t dissector;
    dissector_handle_t registered, decode_as;
} carrier_t;

typedef struct {
    const char *table;
    ftenum_t selector;
    gpointer key;
    bool is_initial;
} entry_t;

static int sctp_protocol = -1, expert_protocol = -1, wrapper_protocol = -1;
static dissector_handle_t built_in;

/* Our handle costs one level of can_desegment, which the built-in must not notice. */
static int call_built_in(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    pinfo->can_desegment = pinfo->saved_can_desegment;
    return call_dissector_only(built_in, tvb, pinfo, tree, data);
}

/* Does anybody look at fields of SCTP or at expert infos? */
static bool is_looked_at(proto_tree *tree)
{
    return proto_field_is_referenced(tree, sctp_protocol) ||
           (expert_protocol > 0 && proto_registrar_get_nth((unsigned)expert_protocol)->ref_type != HF_REF_TYPE_NONE);
}

/* The node that the built-in has added to tree after before: SCTP may lie inside SCTP. NULL also when nobody looks. */
static proto_tree *find_node(proto_tree *tree, proto_node *before)
{
    if (tree == NULL || !is_looked_at(tree))
        return NULL;
    for (proto_node *node = before ? before->next : tree->first_child; node != NULL; node = node->next)
        if (SCTPA_NODE_FIELD(node) == sctp_protocol)
            return node;
    return PTREE_DATA(tree)->visible ? NULL : tree;
}

static void show(const sctpa_t *analysis, uint32_t index, const sctpa_packet_t *packet, tvbuff_t *tvb,
                 packet_info *pinfo, proto_tree *node)
{
    bool has_node = packet->captured_bytes >= SCTPA_HEADER_BYTES; /* the built-in gives up before it adds one */
    if (index == SCTPA_NO_PACKET)
        return;
    tap_queue(analysis, index, packet, pinfo);
    sctpa_tree_show(analysis, index, packet, tvb, pinfo, has_node ? node : NULL);
}

static void take_quote(tvbuff_t *tvb, packet_info *pinfo, sctpa_encapsulation_t encapsulation, const void *data)
{
    sctpa_icmp_t icmp;
    if (sctpa_analysis_is_first_pass(pinfo) && sctpa_lower_layers_read_icmp(&icmp, tvb, pinfo, encapsulation, data))
        sctpa_analysis_icmp(&icmp);
}

static int dissect(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data, sctpa_encapsulation_t encapsulation)
{
    const sctpa_t *analysis = sctpa_analysis_current();
    sctpa_packet_t packet;
    if (analysis == NULL)
        return call_built_in(tvb, pinfo, tree, data);
    if (pinfo->flags.in_error_pkt) {
        take_quote(tvb, pinfo, encapsulation, data);
        return call_built_in(tvb, pinfo, tree, data);
    }
    sctpa_lower_layers_read(&packet, tvb, pinfo, encapsulation, data);
    uint32_t index = sctpa_analysis_packet(pinfo, &packet);
    proto_node *before = tree ? tree->last_child : NULL;
    volatile int length = 0;
    TRY
    {
        length = call_built_in(tvb, pinfo, tree, data);
    }
    FINALLY
    {
        show(analysis, index, &packet, tvb, pinfo, find_node(tree, before));
    }
    ENDTRY;
    return length;
}

static int dissect_over_ip(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    return dissect(tvb, pinfo, tree, data, SCTPA_OVER_IP);
}

static int dissect_over_udp(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    return dissect(tvb, pinfo, tree, data, SCTPA_OVER_UDP);
}

static int dissect_over_dtls(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    return dissect(tvb, pinfo, tree, data, SCTPA_OVER_DTLS);
}

static int dissect_over_other(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    return dissect(tvb, pinfo, tree, data, SCTPA_OVER_OTHER);
}

static sctpa_gbool_t dissect_if_sctp_over_dtls(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    if (!is_sctp(tvb))
        return false;
    dissect_over_dtls(tvb, pinfo, tree, data);
    return true;
}

static carrier_t carriers[] = {
    { .table = "ip.proto", .dissector = dissect_over_ip },
    { .table = "udp.port", .dissector = dissect_over_udp },
    { .table = "dtls.port", .dissector = dissect_over_dtls },
    { .table = NULL, .dissector = dissect_over_other },
};

static const carrier_t *carrier_of(const char *table)
{
    const carrier_t *carrier = carriers;
    while (carrier->table != NULL && strcmp(carrier->table, table) != 0)
        carrier++;
    return carrier;
}

/* Without a protocol of its own a handle would crash 4.0; with a protocol in name only SCTP stays SCTP in
 * frame.protocols and disabling SCTP disables us. */
void sctpa_hook_register(int sctp)
{
    sctp_protocol = sctp;
    wrapper_protocol = proto_register_protocol_in_name_only("SCTP with analysis", "SCTP with analysis",
                                                            "sctp_with_analysis", sctp, FT_PROTOCOL);
}

static void offer_over_dtls(void)
{
    dissector_table_t ports = find_dissector_table("dtls.port");
    if (ports == NULL || built_in == NULL)
        return;
    if (g_slist_find(dissector_table_get_dissector_handles(ports), built_in) == NULL)
        dissector_add_for_decode_as("dtls.port", built_in);
    heur_dissector_add("dtls", dissect_if_sctp_over_dtls, "SCTP over DTLS", "sctp_dtls", sctp_protocol,
                       HEURISTIC_ENABLE);
}

void sctpa_hook_handoff(void)
{
    built_in = find_dissector("sctp");
    offer_over_dtls();
    for (size_t i = 0; i < G_N_ELEMENTS(carriers); i++) {
        carriers[i].registered = create_dissector_handle_with_name_and_description(
            carriers[i].dissector, wrapper_protocol, "sctp_with_analysis", "SCTP with analysis");
        carriers[i].decode_as = create_dissector_handle_with_name_and_description(
            carriers[i].dissector, wrapper_protocol, "sctp_with_analysis", "SCTP");
    }
}

static void find_in_table(const gchar *table, ftenum_t selector, gpointer key, gpointer value, gpointer entries)
{
    dtbl_entry_t *in_table = (dtbl_entry_t *)value;
    entry_t entry = { table, selector, key, dtbl_entry_get_initial_handle(in_table) == built_in };
    if (dtbl_entry_get_handle(in_table) == built_in)
        g_array_append_val((GArray *)entries, entry);
}

static void find_in_tables(const gchar *table, const gchar *title, gpointer entries)
{
    (void)title;
    dissector_table_foreach(table, find_in_table, entries);
}

static bool is_number(ftenum_t selector)
{
    return selector == FT_UINT8 || selector == FT_UINT16 || selector == FT_UINT24 || selector == FT_UINT32;
}

static void take_over(const entry_t *entry)
{
    const carrier_t *carrier = carrier_of(entry->table);
    if (is_number(entry->selector) && entry->is_initial)
        dissector_add_uint(entry->table, GPOINTER_TO_UINT(entry->key), carrier->registered);
    else if (is_number(entry->selector))
        dissector_change_uint(entry->table, GPOINTER_TO_UINT(entry->key), carrier->decode_as);
    else if (entry->selector == FT_STRING || entry->selector == FT_STRINGZ)
        dissector_change_string(entry->table, (const char *)entry->key, carrier->decode_as);
}

void sctpa_hook_renew(void)
{
    expert_protocol = proto_get_id_by_filter_name("_ws.expert");
    GArray *entries = g_array_new(FALSE, FALSE, sizeof(entry_t));
    if (built_in != NULL)
        dissector_all_tables_foreach_table(find_in_tables, entries, NULL);
    for (guint i = 0; i < entries->len; i++)
        take_over(&g_array_index(entries, entry_t, i));
    g_array_free(entries, TRUE);
}
