/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The preferences: what is decoded and collected, and the table of shared keys for AUTH. Wireshark redissects when one
 * changes. */
#include "preferences.h"

#include <epan/packet.h>
#include <epan/prefs.h>
#include <epan/uat.h>
#include <wsutil/inet_addr.h>
#include <wsutil/report_message.h>
#include <wsutil/strtoi.h>

/* A row of the table auth_keys. */
typedef struct {
    guint32 key_id;
    char *key;       /* hexadecimal */
    char *addresses; /* separated by blanks or commas; empty: every association */
} key_row_t;

/* What signalling expects of its transport at most. */
enum { MESSAGE_DELAY_BUDGET_MS = 800 };

#define DEFAULT_RULES "all"

static sctpa_preferences_t preferences = { .enabled = TRUE,
                                           .decode = SCTPA_DECODE_LACKING,
                                           .rules = DEFAULT_RULES,
                                           .profile = SCTPA_PROFILE_BOTH,
                                           .message_delay_budget_ms = MESSAGE_DELAY_BUDGET_MS,
                                           .capture_name = "",
                                           .capture_files = "",
                                           .taken_at = "",
                                           .endpoint_parameters = "" };
static key_row_t *rows;
static guint n_rows;
static GPtrArray *key_bytes; /* GBytes of the keys last handed out */

static const enum_val_t decode_values[] = {
    { "lacking", "What Wireshark 4.0 does not decode", SCTPA_DECODE_LACKING },
    { "all", "Every chunk", SCTPA_DECODE_ALL },
    { "off", "Nothing", SCTPA_DECODE_OFF },
    { NULL, NULL, 0 },
};

/* What profiles hold that were saved when the preference was a choice of four. */
static const enum_val_t rules_before[] = {
    { "all", "All, with notes", 0 },
    { "should", "MUST and SHOULD", 0 },
    { "off", "None", 0 },
    { NULL, NULL, 0 },
};
static const enum_val_t profile_values[] = {
    { "both", "RFC 4960; what only RFC 9260 asks is a note", SCTPA_PROFILE_BOTH },
    { "9260", "RFC 9260", SCTPA_PROFILE_9260 },
    { "4960", "RFC 4960", SCTPA_PROFILE_4960 },
    { NULL, NULL, 0 },
};

UAT_DEC_CB_DEF(key_row, key_id, key_row_t)
UAT_CSTRING_CB_DEF(key_row, key, key_row_t)
UAT_CSTRING_CB_DEF(key_row, addresses, key_row_t)

static bool read_address(sctpa_addr_t *addr, const char *text)
{
    ws_in4_addr ip4;
    ws_in6_addr ip6;
    memset(addr, 0, sizeof *addr);
    if (ws_inet_pton4(text, &ip4)) {
        addr->bytes = 4;
        memcpy(addr->data, &ip4, 4);
    } else if (ws_inet_pton6(text, &ip6)) {
        addr->bytes = 16;
        memcpy(addr->data, &ip6, 16);
    }
    return addr->bytes != 0;
}

/* The bytes of a key in hexadecimal, with or without 0x in front; NULL when it is none. Free it. */
static GBytes *read_key(const char *text)
{
    GByteArray *bytes = g_byte_array_new();
    if (text != NULL && text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
        text += 2;
    for (; text != NULL && g_ascii_isxdigit(text[0]) && g_ascii_isxdigit(text[1]); text += 2) {
        guint8 byte = (guint8)(g_ascii_xdigit_value(text[0]) << 4 | g_ascii_xdigit_value(text[1]));
        g_byte_array_append(bytes, &byte, 1);
    }
    if (text == NULL || *text == '\0')
        return g_byte_array_free_to_bytes(bytes);
    g_byte_array_free(bytes, TRUE);
    return NULL;
}

static void *copy_row(void *to, const void *from, size_t length)
{
    const key_row_t *source = (const key_row_t *)from;
    key_row_t *row = (key_row_t *)to;
    (void)length;
    row->key_id = source->key_id;
    row->key = g_strdup(source->key);
    row->addresses = g_strdup(source->addresses);
    return row;
}

static void free_row(void *record)
{
    key_row_t *row = (key_row_t *)record;
    g_free(row->key);
    g_free(row->addresses);
}

static sctpa_row_check_t check_row(void *record, char **error)
{
    const key_row_t *row = (const key_row_t *)record;
    char **addresses = g_strsplit_set(row->addresses ? row->addresses : "", " ,", -1);
    GBytes *key = read_key(row->key);
    sctpa_addr_t addr;
    *error = key == NULL ? g_strdup_printf("'%s' is not an even number of hexadecimal digits", row->key) : NULL;
    if (row->key_id > 0xFFFF && *error == NULL)
        *error = g_strdup_printf("The key id %u is not in the range 0 to 65535", row->key_id);
    for (char **text = addresses; *text != NULL && *error == NULL; text++)
        if (**text != '\0' && !read_address(&addr, *text))
            *error = g_strdup_printf("'%s' is not an IPv4 or IPv6 address", *text);
    g_strfreev(addresses);
    g_clear_pointer(&key, g_bytes_unref);
    return *error == NULL;
}

static uat_field_t key_fields[] = { UAT_FLD_DEC(key_row, key_id, "Key id", "Shared key identifier, 0 to 65535"),
                                    UAT_FLD_CSTRING(key_row, key, "Key", "Endpoint pair shared key in hexadecimal"),
                                    UAT_FLD_CSTRING(key_row, addresses, "Addresses",
                                                    "Only for associations with one of these addresses; empty: all"),
                                    UAT_END_FIELDS };

static void register_keys(module_t *module)
{
    uat_t *table =
        uat_new("SCTP authentication keys", sizeof(key_row_t), "sctp_analysis_auth_keys", TRUE, &rows, &n_rows,
                UAT_AFFECTS_DISSECTION, NULL, copy_row, check_row, free_row, NULL, NULL, key_fields);
    prefs_register_uat_preference(
        module, "auth_keys", "Authentication keys",
        "Shared keys with which the HMAC of AUTH chunks is verified, beside the empty key of key id 0", table);
}

static sctpa_assertions_t *read_assertions(char **error)
{
    return sctpa_assertions_new(preferences.capture_complete, SCTPA_NS_PER_MS * preferences.quiet_until_ms,
                                preferences.taken_at, preferences.endpoint_parameters, error);
}

sctpa_assertions_t *sctpa_preferences_assertions(void)
{
    char *error;
    sctpa_assertions_t *assertions = read_assertions(&error);
    g_free(error);
    return assertions;
}

/* Says once what is wrong with texts that Wireshark takes as they are. */
static void check_assertions(void)
{
    static char *said;
    char *error;
    g_free(read_assertions(&error));
    if (error != NULL && g_strcmp0(error, said) != 0)
        report_failure("sctp_analysis.%s; nothing is asserted", error);
    g_free(said);
    said = error;
}

static char *read_rules(sctpa_rule_choice_t *choice)
{
    const char *text = preferences.rules;
    for (const enum_val_t *before = rules_before; before->name != NULL; before++)
        if (g_ascii_strcasecmp(text, before->description) == 0)
            text = before->name;
    return sctpa_rule_choice_read(text, choice);
}

void sctpa_preferences_rules(sctpa_rule_choice_t *choice)
{
    g_free(read_rules(choice));
}

static void check_rules(void)
{
    static char *said;
    sctpa_rule_choice_t choice;
    char *unknown = read_rules(&choice);
    if (unknown != NULL && g_strcmp0(unknown, said) != 0)
        report_failure("sctp_analysis.rules: no rule is called %s; every rule is judged", unknown);
    g_free(said);
    said = unknown;
}

static void (*changed)(void);

static void apply(void)
{
    check_assertions();
    check_rules();
    changed();
}

static void register_assertions(module_t *module)
{
    prefs_register_bool_preference(module, "capture_complete", "Capture is complete",
                                   "Every packet that passed the capture point is in the capture, in order",
                                   &preferences.capture_complete);
    prefs_register_uint_preference(module, "quiet_until_ms", "Quiet after the capture (ms)",
                                   "Nothing passed the capture point for so long after the last frame of the capture: "
                                   "what is owed is judged until then",
                                   10, &preferences.quiet_until_ms);
    prefs_register_string_preference(
        module, "taken_at", "Captured at",
        "Addresses or networks (separated by commas) of the hosts on which the capture was taken: what is addressed to "
        "them arrived, what they sent is as they sent it",
        &preferences.taken_at);
    prefs_register_string_preference(
        module, "endpoint_parameters", "Parameters of endpoints",
        "ADDRESS NAME=VALUE ...; ADDRESS may be a network, or * for every endpoint; NAME as in RFC 9260 16, or PMTU; "
        "times in milliseconds: 10.0.0.1 RTO.Min=500 RTO.Max=60000; * PMTU=1500",
        &preferences.endpoint_parameters);
}

void sctpa_preferences_register(int protocol, void (*applied)(void))
{
    changed = applied;
    module_t *module = prefs_register_protocol(protocol, apply);
    prefs_register_bool_preference(module, "enabled", "Analyse SCTP associations",
                                   "Rebuild every association of a capture and show it below sctp.analysis",
                                   &preferences.enabled);
    prefs_register_enum_preference(module, "decode", "Decode chunks",
                                   "Which chunks, parameters and causes are decoded below sctp.analysis.chunk",
                                   &preferences.decode, decode_values, FALSE);
    prefs_register_string_preference(
        module, "rules", "Rules judged",
        "Which rules of the RFCs endpoints are judged by: all, should (MUST and SHOULD), must, off, or names of rules, "
        "where * stands for any characters and ! excludes: RX-*,TX-009 or !CC-*",
        &preferences.rules);
    prefs_register_enum_preference(module, "profile", "Endpoints are held to",
                                   "RFC 9260 is from 2022: deployed endpoints follow RFC 4960", &preferences.profile,
                                   profile_values, FALSE);
    register_keys(module);
    prefs_register_uint_preference(module, "message_delay_budget", "Message delay budget (ms)",
                                   "User messages that take longer from their first transmission to their ack count as "
                                   "late",
                                   10, &preferences.message_delay_budget_ms);
    prefs_register_bool_preference(module, "messages", "Read messages of the application",
                                   "Name, count and pair the messages that Wireshark's dissectors find in DATA chunks, "
                                   "for reports and windows; every packet is dissected in full then",
                                   &preferences.messages);
    prefs_register_string_preference(
        module, "capture_name", "Capture name in reports",
        "The file name that tshark's -z sctp,... reports show; tshark does not tell it to plugins",
        &preferences.capture_name);
    prefs_register_string_preference(
        module, "capture_files", "Capture files",
        "Table that maps frames to files, for a capture made of several files; ./run --sequence writes and sets it",
        &preferences.capture_files);
    register_assertions(module);
}

const sctpa_preferences_t *sctpa_preferences(void)
{
    return &preferences;
}

typedef struct {
    GPtrArray *options;
    bool is_default; /* those are wanted */
} wanted_options_t;

static void add_option(wanted_options_t *wanted, const char *name, const char *value, const char *otherwise)
{
    if ((g_strcmp0(value, otherwise) == 0) == wanted->is_default)
        g_ptr_array_add(wanted->options, g_strdup_printf("sctp_analysis.%s:%s", name, value));
}

static const char *profile_name(int profile)
{
    const enum_val_t *value = profile_values;
    while (value->name != NULL && value->value != profile)
        value++;
    return value->name;
}

char **sctpa_preferences_options(bool is_default)
{
    wanted_options_t wanted = { g_ptr_array_new(), is_default };
    char *budget = g_strdup_printf("%u", preferences.message_delay_budget_ms);
    char *quiet = g_strdup_printf("%u", preferences.quiet_until_ms);
    char *usual_budget = g_strdup_printf("%d", MESSAGE_DELAY_BUDGET_MS);
    add_option(&wanted, "enabled", preferences.enabled ? "TRUE" : "FALSE", "TRUE");
    add_option(&wanted, "rules", preferences.rules, DEFAULT_RULES);
    add_option(&wanted, "profile", profile_name(preferences.profile), profile_name(SCTPA_PROFILE_BOTH));
    add_option(&wanted, "message_delay_budget", budget, usual_budget);
    add_option(&wanted, "capture_complete", preferences.capture_complete ? "TRUE" : "FALSE", "FALSE");
    add_option(&wanted, "quiet_until_ms", quiet, "0");
    add_option(&wanted, "taken_at", preferences.taken_at, "");
    add_option(&wanted, "endpoint_parameters", preferences.endpoint_parameters, "");
    g_ptr_array_add(wanted.options, NULL);
    g_free(usual_budget);
    g_free(quiet);
    g_free(budget);
    return (char **)g_ptr_array_free(wanted.options, FALSE);
}

static void add_key(GArray *keys, const key_row_t *row, const char *address)
{
    sctpa_auth_key_t key = { .key_id = (uint16_t)row->key_id, .key = read_key(row->key) };
    if (key.key == NULL)
        return;
    key.has_addr = address != NULL && read_address(&key.addr, address);
    g_ptr_array_add(key_bytes, key.key);
    g_array_append_val(keys, key);
}

GArray *sctpa_preferences_keys(void)
{
    GArray *keys = g_array_new(FALSE, TRUE, sizeof(sctpa_auth_key_t));
    g_clear_pointer(&key_bytes, g_ptr_array_unref);
    key_bytes = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
    for (guint i = 0; i < n_rows; i++) {
        char **addresses = g_strsplit_set(rows[i].addresses ? rows[i].addresses : "", " ,", -1);
        guint before = keys->len;
        for (char **text = addresses; *text != NULL; text++)
            if (**text != '\0')
                add_key(keys, &rows[i], *text);
        if (keys->len == before)
            add_key(keys, &rows[i], NULL);
        g_strfreev(addresses);
    }
    return keys;
}
