/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expands applications.def and looks its fields up in Wireshark. */
#include "applications.h"

#include "../compat.h"

#include <epan/packet.h>

enum {
#define SCTPA_APPLICATION(application, protocol, kind, successful, unsuccessful) APPLICATION_##application,
#include "applications.def"
    APPLICATIONS
};

static const struct {
    const char *protocol;
    sctpa_application_kind_t kind;
    const char *successful, *unsuccessful;
} applications[] = {
#define SCTPA_APPLICATION(application, protocol, kind, successful, unsuccessful) \
    { protocol, SCTPA_APPLICATION_##kind, successful, unsuccessful },
#include "applications.def"
};

static const struct {
    unsigned application;
    const char *name;
    sctpa_field_role_t role;
} fields[] = {
#define SCTPA_APPLICATION_FIELD(application, field, role) { APPLICATION_##application, field, SCTPA_FIELD_##role },
#include "applications.def"
};

typedef struct {
    unsigned application;
    uint32_t code;
} code_t;

static const struct {
    code_t request;
    uint32_t answer;
} requests[] = {
#define SCTPA_APPLICATION_REQUEST(application, request, answer) { { APPLICATION_##application, request }, answer },
#include "applications.def"
};

static const code_t keep_alives[] = {
#define SCTPA_APPLICATION_KEEP_ALIVE(application, code) { APPLICATION_##application, code },
#include "applications.def"
};

static const code_t releases[] = {
#define SCTPA_APPLICATION_RELEASE(application, code) { APPLICATION_##application, code },
#include "applications.def"
};

static const struct {
    code_t message;
    sctpa_sense_t when;
    sctpa_event_trouble_t trouble;
    const char *words;
} events[] = {
#define SCTPA_APPLICATION_EVENT(application, code, when, trouble, words) \
    { { APPLICATION_##application, code }, SCTPA_SENSE_##when, SCTPA_TROUBLE_##trouble, words },
#include "applications.def"
};

static const struct {
    uint32_t code;
    const char *name;
} adaptation_names[] = {
#define SCTPA_ADAPTATION_NAME(class, type, name) { (class) << 8 | (type), name },
#include "applications.def"
};

static const struct {
    uint32_t type, information;
    const char *name;
} statuses[] = {
#define SCTPA_ADAPTATION_STATUS(type, information, name) { type, information, name },
#include "applications.def"
};

static GHashTable *by_id; /* sctpa_message_field_t by id of Wireshark's field */
static dissector_table_t outcomes[APPLICATIONS][2];

static void note_field(int hf_id, unsigned application, sctpa_field_role_t role, unsigned row)
{
    sctpa_message_field_t *field = g_new(sctpa_message_field_t, 1);
    *field = (sctpa_message_field_t){ application, role, row };
    g_hash_table_insert(by_id, GINT_TO_POINTER(hf_id), field);
}

/* Several fields of Wireshark may share a name. */
static void note_fields(const char *name, unsigned application, sctpa_field_role_t role, unsigned row)
{
    const header_field_info *info = proto_registrar_get_byname(name);
    while (info != NULL && info->same_name_prev_id != -1)
        info = proto_registrar_get_nth((unsigned)info->same_name_prev_id);
    for (; info != NULL; info = info->same_name_next)
        note_field(info->id, application, role, row);
}

static dissector_table_t table_named(const char *name)
{
    return name != NULL ? find_dissector_table(name) : NULL;
}

void sctpa_applications_prepare(void)
{
    if (by_id != NULL)
        return;
    by_id = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free);
    for (unsigned i = 0; i < APPLICATIONS; i++) {
        int protocol = proto_get_id_by_filter_name(applications[i].protocol);
        if (protocol >= 0)
            note_field(protocol, i, SCTPA_FIELD_NODE, 0);
        outcomes[i][0] = table_named(applications[i].successful);
        outcomes[i][1] = table_named(applications[i].unsuccessful);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(fields); i++)
        note_fields(fields[i].name, fields[i].application, fields[i].role, i);
}

const sctpa_message_field_t *sctpa_applications_field(int hf_id)
{
    return (const sctpa_message_field_t *)g_hash_table_lookup(by_id, GINT_TO_POINTER(hf_id));
}

void sctpa_applications_filter(GString *out, const char *filter)
{
    if (filter != NULL)
        g_string_append_printf(out, "(%s) and ", filter);
    g_string_append(out, "(sctp");
    for (unsigned i = APPLICATION_SCTP + 1; i < APPLICATIONS; i++)
        if (proto_get_id_by_filter_name(applications[i].protocol) >= 0)
            g_string_append_printf(out, " or %s", applications[i].protocol);
    for (unsigned i = 0; i < G_N_ELEMENTS(fields); i++)
        if (proto_registrar_get_byname(fields[i].name) != NULL)
            g_string_append_printf(out, " or %s", fields[i].name);
    g_string_append_c(out, ')');
}

sctpa_application_kind_t sctpa_application_kind(unsigned application)
{
    return applications[application].kind;
}

const char *sctpa_application_title(unsigned application)
{
    int protocol = proto_get_id_by_filter_name(applications[application].protocol);
    return proto_get_protocol_short_name(find_protocol_by_id(protocol));
}

bool sctpa_application_is_by_stream(unsigned application)
{
    return application == APPLICATION_RTCDC;
}

bool sctpa_application_has_outcome(unsigned application, uint32_t code)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(outcomes[application]); i++)
        if (outcomes[application][i] != NULL && dissector_get_uint_handle(outcomes[application][i], code) != NULL)
            return true;
    return false;
}

static bool is_among(const code_t *codes, size_t n, unsigned application, uint32_t code)
{
    for (size_t i = 0; i < n; i++)
        if (codes[i].application == application && codes[i].code == code)
            return true;
    return false;
}

uint32_t sctpa_application_answers(unsigned application, uint32_t code)
{
    for (size_t i = 0; i < G_N_ELEMENTS(requests); i++)
        if (requests[i].request.application == application && requests[i].answer == code)
            return requests[i].request.code;
    return 0;
}

bool sctpa_application_is_request(unsigned application, uint32_t code)
{
    for (size_t i = 0; i < G_N_ELEMENTS(requests); i++)
        if (requests[i].request.application == application && requests[i].request.code == code)
            return true;
    return false;
}

bool sctpa_application_is_keep_alive(unsigned application, uint32_t code)
{
    return is_among(keep_alives, G_N_ELEMENTS(keep_alives), application, code);
}

bool sctpa_application_is_release(unsigned application, uint32_t code)
{
    return is_among(releases, G_N_ELEMENTS(releases), application, code);
}

const char *sctpa_application_event(unsigned application, uint32_t code, sctpa_sense_t when,
                                    sctpa_event_trouble_t *trouble)
{
    for (size_t i = 0; i < G_N_ELEMENTS(events); i++)
        if (events[i].message.application == application && events[i].message.code == code &&
            (events[i].when == SCTPA_SENSE_ANY || events[i].when == when)) {
            *trouble = events[i].trouble;
            return events[i].words;
        }
    return NULL;
}

const char *sctpa_adaptation_name(uint32_t code)
{
    for (size_t i = 0; i < G_N_ELEMENTS(adaptation_names); i++)
        if (adaptation_names[i].code == code)
            return adaptation_names[i].name;
    return NULL;
}

const char *sctpa_adaptation_status(uint32_t type, uint32_t information)
{
    for (size_t i = 0; i < G_N_ELEMENTS(statuses); i++)
        if (statuses[i].type == type && statuses[i].information == information)
            return statuses[i].name;
    return NULL;
}
