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
#include <epan/proto_data.h>

#include "../fields/tree.h"
#include "../preferences.h"
#include "lower_layers.h"
#include "sctpa.h"
#include "tap_sctp_analysis.h"
#include "../stats/stats.h"

static sctpa_t *analysis;

static uint32_t last_frame; /* the latest that was fed */

static struct {
    uint32_t last_frame;
    int64_t end_ns;
} judged; /* the end that was judged last */

static uint32_t number; /* analyses so far */

static void (*watch_end)(void);

static void (*watch_change)(void *user);

static void *change_user;

static int data_protocol = -1;

static bool counts_occasions;

static sctpa_owed_kept_t owed_kept;

static void about_to_change(void)
{
    if (watch_change != NULL)
        watch_change(change_user);
}

static void analysis_end(void)
{
    if (analysis != NULL && watch_end != NULL)
        watch_end();
    sctpa_free(analysis);
    analysis = NULL;
    last_frame = judged.last_frame = 0;
}

/* A main window may be asked for any report after the packets have passed. */
static bool may_show_occasions(void)
{
    sctpa_capture_t capture;
    sctpa_capture_read(&capture);
    return counts_occasions || capture.has_window;
}

/* Is what was owed shown beside packets, or asked for? Whoever forgets associations keeps nothing of them. */
static bool may_show_owed(void)
{
    sctpa_capture_t capture;
    sctpa_capture_read(&capture);
    return owed_kept != SCTPA_OWED_NEVER && (owed_kept == SCTPA_OWED_ALWAYS || capture.has_window ||
                                             sctpa_assertions_are_arrived(sctpa_asserted(analysis)->assertions));
}

typedef struct {
    const char *table;
    ftenum_t selector;
    gpointer key;
    bool is_initial;
} entry_t;

static int sctp_protocol = -1, expert_protocol = -1, wrapper_protocol = -1;
static dissector_handle_t built_in;

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

typedef struct {
    const char *table; /* NULL: every other table */
    dissector_t dissector;
    dissector_handle_t registered, decode_as;
} carrier_t;

/* Is this frame dissected for the first time, and in capture order? */
static bool analysis_is_first_pass(const packet_info *pinfo)
{
    return !PINFO_FD_VISITED(pinfo) && pinfo->num >= last_frame;
}

/* Counts the SCTP packets of a frame during one later dissection: 0, 1, ... The first dissection need not: it feeds
 * them in order. */
static uint32_t number_in_frame(packet_info *pinfo)
{
    uint32_t *next = (uint32_t *)p_get_proto_data(pinfo->pool, pinfo, data_protocol, 0);
    if (next == NULL) {
        next = wmem_new0(pinfo->pool, uint32_t);
        p_add_proto_data(pinfo->pool, pinfo, data_protocol, 0, next);
    }
    return (*next)++;
}

/* The packet's index in the analysis: feeds it when its frame is dissected for the first time, else looks it up.
 * SCTPA_NO_PACKET when it is not there. Call once per packet and dissection, in the order of the frame. */
static uint32_t analysis_packet(packet_info *pinfo, const sctpa_packet_t *packet)
{
    if (!analysis_is_first_pass(pinfo))
        return sctpa_packet_find(analysis, pinfo->num, number_in_frame(pinfo));
    if (last_frame == 0 && may_show_occasions())
        sctpa_count_occasions(analysis);
    if (last_frame == 0 && may_show_owed())
        sctpa_keep_owed(analysis);
    last_frame = pinfo->num;
    about_to_change();
    return sctpa_feed(analysis, packet);
}

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

static int tap_id = -1;

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

static void show(const sctpa_t *analysis, uint32_t index, const sctpa_packet_t *packet, tvbuff_t *tvb,
                 packet_info *pinfo, proto_tree *node)
{
    bool has_node = packet->captured_bytes >= SCTPA_HEADER_BYTES; /* the built-in gives up before it adds one */
    if (index == SCTPA_NO_PACKET)
        return;
    tap_queue(analysis, index, packet, pinfo);
    sctpa_tree_show(analysis, index, packet, tvb, pinfo, has_node ? node : NULL);
}

/* Feeds an ICMP error that the frame holds; call on the first pass. */
static void analysis_icmp(const sctpa_icmp_t *icmp)
{
    about_to_change();
    sctpa_feed_icmp(analysis, icmp);
}

static void take_quote(tvbuff_t *tvb, packet_info *pinfo, sctpa_encapsulation_t encapsulation, const void *data)
{
    sctpa_icmp_t icmp;
    if (analysis_is_first_pass(pinfo) && sctpa_lower_layers_read_icmp(&icmp, tvb, pinfo, encapsulation, data))
        analysis_icmp(&icmp);
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
    uint32_t index = analysis_packet(pinfo, &packet);
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

/* Puts our handles into every dissector table entry that calls the built-in dissector. O(entries of all tables). */
static void hook_renew(void)
{
    expert_protocol = proto_get_id_by_filter_name("_ws.expert");
    GArray *entries = g_array_new(FALSE, FALSE, sizeof(entry_t));
    if (built_in != NULL)
        dissector_all_tables_foreach_table(find_in_tables, entries, NULL);
    for (guint i = 0; i < entries->len; i++)
        take_over(&g_array_index(entries, entry_t, i));
    g_array_free(entries, TRUE);
}

static void analysis_begin(void)
{
    analysis_end();
    GArray *keys = sctpa_preferences_keys();
    number++;
    analysis = sctpa_new((const sctpa_auth_key_t *)(const void *)keys->data, keys->len);
    g_array_free(keys, TRUE);
    sctpa_rule_choice_t choice;
    sctpa_preferences_rules(&choice);
    sctpa_judge(analysis, &choice, (sctpa_profile_t)sctpa_preferences()->profile);
    sctpa_assert(analysis, sctpa_preferences_assertions());
    hook_renew();
}

void sctpa_analysis_register(int protocol)
{
    data_protocol = protocol;
    register_init_routine(analysis_begin);
    register_cleanup_routine(analysis_end);
}

const sctpa_t *sctpa_analysis_current(void)
{
    return sctpa_preferences()->enabled ? analysis : NULL;
}

sctpa_t *sctpa_analysis_to_watch(void)
{
    return sctpa_preferences()->enabled ? analysis : NULL;
}

void sctpa_analysis_keep_owed(sctpa_owed_kept_t kept)
{
    owed_kept = kept;
}

void sctpa_analysis_judge_end(int64_t end_ns)
{
    if (analysis == NULL || (judged.last_frame == last_frame && judged.end_ns == end_ns))
        return;
    about_to_change();
    sctpa_judge_end(analysis, end_ns);
    judged.last_frame = last_frame;
    judged.end_ns = end_ns;
}

void sctpa_analysis_count_occasions(void)
{
    counts_occasions = true;
}

uint32_t sctpa_analysis_number(void)
{
    return number;
}

void sctpa_analysis_watch_end(void (*about_to_end)(void))
{
    watch_end = about_to_end;
}

void sctpa_analysis_watch_change(void (*watch)(void *user), void *user)
{
    watch_change = watch;
    change_user = user;
}

uint32_t sctpa_analysis_assoc_of_frame(uint32_t frame)
{
    const sctpa_t *current = sctpa_analysis_current();
    sctpa_packet_result_t result;
    if (current == NULL)
        return SCTPA_NO_ASSOC;
    for (uint32_t n = 0;; n++) {
        uint32_t index = sctpa_packet_find(current, frame, n);
        if (index == SCTPA_NO_PACKET || !sctpa_packet_result(current, index, &result))
            return SCTPA_NO_ASSOC;
        if (result.assoc != SCTPA_NO_ASSOC)
            return result.assoc;
    }
}

void sctpa_tap_register(void)
{
    tap_id = register_tap("sctp_analysis");
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

static sctpa_gbool_t dissect_if_sctp_over_dtls(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    if (!is_sctp(tvb))
        return false;
    dissect_over_dtls(tvb, pinfo, tree, data);
    return true;
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
