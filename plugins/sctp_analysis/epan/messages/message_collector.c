/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects messages: one listener of the tap per filter, whose own filter names the fields of applications.def, since
 * dissectors fill fields only where a filter names them. Wireshark dissects packets again whenever it filters the
 * list: only the first dissection of each counts, so that what readers see changes together with the analysis. The
 * tree of a frame is walked, and each message gets the DATA chunk that it ends in: the one whose bytes its node
 * shows, or of a reassembled message the one that Wireshark lists its fragments in. Fields are read as dissectors
 * filled them; they name the message and tell requests from answers, by the kind of its protocol. */
#include "message_collector.h"

#include "../compat.h"

#include <stdint.h>
#include <string.h>

#include <epan/packet.h>
#include <epan/tap.h>
#include <epan/proto.h>
#include <epan/ftypes/ftypes.h>
#include <wsutil/strtoi.h>

#include "../dissector/hook.h"
#include "report/messages/messages.h"
#include "report/text/protocol_names.h"

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

static const struct {
    code_t procedure, request;
} grants[] = {
#define SCTPA_APPLICATION_GRANT(application, code, inner, request) \
    { { APPLICATION_##application, code }, { APPLICATION_##inner, request } },
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

/* Looks the fields up, once; call when all protocols are registered. O(rows). */
static void applications_prepare(void)
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

/* What a field of Wireshark is here, NULL: nothing. O(1). */
static const sctpa_message_field_t *applications_field(int hf_id)
{
    return (const sctpa_message_field_t *)g_hash_table_lookup(by_id, GINT_TO_POINTER(hf_id));
}

/* Appends a display filter that is true for all SCTP packets that filter selects (NULL: all), and names every field of
 * the table that this Wireshark has, so that its dissectors fill them. */
static void applications_filter(GString *out, const char *filter)
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

static sctpa_application_kind_t application_kind(unsigned application)
{
    return applications[application].kind;
}

/* "NGAP", as Wireshark has it. */
static const char *application_title(unsigned application)
{
    int protocol = proto_get_id_by_filter_name(applications[application].protocol);

    return proto_get_protocol_short_name(find_protocol_by_id(protocol));
}

/* Do messages of a stream belong together? */
static bool application_is_by_stream(unsigned application)
{
    return application == APPLICATION_RTCDC;
}

/* Of class 1: has the procedure an outcome, by Wireshark's tables of dissectors? O(1). */
static bool application_has_outcome(unsigned application, uint32_t code)
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

/* The code of the request that code answers, 0 none; is code a request? O(rows). */
static uint32_t application_answers(unsigned application, uint32_t code)
{
    for (size_t i = 0; i < G_N_ELEMENTS(requests); i++)
        if (requests[i].request.application == application && requests[i].answer == code)
            return requests[i].request.code;

    return 0;
}

static bool application_is_request(unsigned application, uint32_t code)
{
    for (size_t i = 0; i < G_N_ELEMENTS(requests); i++)
        if (requests[i].request.application == application && requests[i].request.code == code)
            return true;

    return false;
}

static bool application_is_keep_alive(unsigned application, uint32_t code)
{
    return is_among(keep_alives, G_N_ELEMENTS(keep_alives), application, code);
}

static bool application_is_release(unsigned application, uint32_t code)
{
    return is_among(releases, G_N_ELEMENTS(releases), application, code);
}

/* Words in front of an event's name, perhaps "", NULL: it is no event; whether it is trouble. O(rows). */
static const char *application_event(unsigned application, uint32_t code, sctpa_sense_t when,
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

/* "ASPUP", NULL: no such message. "AS-ACTIVE", NULL: no such status. O(rows). */
static const char *adaptation_name(uint32_t code)
{
    for (size_t i = 0; i < G_N_ELEMENTS(adaptation_names); i++)
        if (adaptation_names[i].code == code)
            return adaptation_names[i].name;

    return NULL;
}

static const char *adaptation_status(uint32_t type, uint32_t information)
{
    for (size_t i = 0; i < G_N_ELEMENTS(statuses); i++)
        if (statuses[i].type == type && statuses[i].information == information)
            return statuses[i].name;

    return NULL;
}

enum { SCTPA_DRAFT_DETAILS_MAX = 3 };

/* Fields that were found have a pointer; of each the first counts. */
typedef struct {
    unsigned application;

    uint32_t stream;

    const field_info *code, *choice, *session_code, *security;

    const field_info *details[SCTPA_DRAFT_DETAILS_MAX];

    uint32_t class, flags, transaction, status_type, result;

    const char *status;

    unsigned n_details, n_ids;

    sctpa_message_id_t ids[SCTPA_MESSAGE_IDS_MAX];

} sctpa_message_draft_t;

static bool is_signed(enum ftenum type)
{
    return type == FT_INT8 || type == FT_INT16 || type == FT_INT24 || type == FT_INT32;
}

static bool is_unsigned(enum ftenum type)
{
    return type == FT_UINT8 || type == FT_UINT16 || type == FT_UINT24 || type == FT_UINT32;
}

/* What a text of decimal digits says, such as an IMSI, which has at most 15. */
static uint64_t number_of_digits(const char *text)
{
    uint64_t value = 0;

    return text != NULL && ws_strtou64(text, NULL, &value) ? value : 0;
}

/* The value of an integer field, a flag, or a text of decimal digits; 0 of others. O(digits). */
static uint64_t field_value_number(const field_info *field)
{
    if (is_unsigned(field->hfinfo->type))
        return fvalue_get_uinteger(SCTPA_FIELD_FVALUE(field));

    if (is_signed(field->hfinfo->type))
        return (uint32_t)fvalue_get_sinteger(SCTPA_FIELD_FVALUE(field));

    if (field->hfinfo->type == FT_UINT64 || field->hfinfo->type == FT_BOOLEAN)
        return fvalue_get_uinteger64(SCTPA_FIELD_FVALUE(field));

    if (field->hfinfo->type == FT_STRING)
        return number_of_digits(fvalue_get_string(SCTPA_FIELD_FVALUE(field)));

    return 0;
}

/* The name of the value by the strings with which the field is registered; NULL: it has none. Valid as long as
 * Wireshark. O(names). */
static const char *field_value_name(const field_info *field)
{
    const header_field_info *info = field->hfinfo;

    uint32_t value = (uint32_t)field_value_number(field);

    if (info->strings == NULL || !(is_unsigned(info->type) || is_signed(info->type)) ||
        FIELD_DISPLAY(info->display) == BASE_CUSTOM || info->display & (BASE_VAL64_STRING | BASE_UNIT_STRING))
        return NULL;

    if (info->display & BASE_RANGE_STRING)
        return try_rval_to_str(value, (const range_string *)info->strings);

    if (info->display & BASE_EXT_STRING)
        return try_val_to_str_ext(value, (value_string_ext *)(uintptr_t)info->strings);

    return try_val_to_str(value, (const value_string *)info->strings);
}

enum { DIAMETER_R = 0x80, DIAMETER_T = 0x10, CODE_BITS = 24 };

enum { UNSUCCESSFUL_OUTCOME = 2, DIAMETER_FAILURE_LEAST = 3000, STATUS_OTHER = 2 };

enum { NAS_CIPHERED = 2, NAS_CIPHERED_NEW_CONTEXT = 4, NAS_EPS_SERVICE_REQUEST_HEADER = 12 };

static void keep_first(const field_info **kept, const field_info *field)
{
    if (*kept == NULL)
        *kept = field;
}

static void add_id(sctpa_message_draft_t *draft, uint32_t kind, uint64_t value)
{
    for (unsigned i = 0; i < draft->n_ids; i++)
        if (draft->ids[i].kind == kind && draft->ids[i].value == value)
            return;

    if (draft->n_ids < SCTPA_MESSAGE_IDS_MAX)
        draft->ids[draft->n_ids++] = (sctpa_message_id_t){ kind, value };
}

/* Takes a field of the message. O(ids), and for a status O(statuses). */
static void message_draft_take(sctpa_message_draft_t *draft, const sctpa_message_field_t *row, const field_info *field)
{
    uint64_t value = field_value_number(field);

    switch (row->role) {
    case SCTPA_FIELD_CODE: keep_first(&draft->code, field); break;
    case SCTPA_FIELD_CHOICE: keep_first(&draft->choice, field); break;
    case SCTPA_FIELD_SESSION_CODE: keep_first(&draft->session_code, field); break;
    case SCTPA_FIELD_SECURITY: keep_first(&draft->security, field); break;
    case SCTPA_FIELD_CLASS: draft->class = (uint32_t)value; break;
    case SCTPA_FIELD_FLAGS: draft->flags = (uint32_t)value; break;
    case SCTPA_FIELD_TRANSACTION: draft->transaction = (uint32_t)value; break;
    case SCTPA_FIELD_STATUS_TYPE: draft->status_type = (uint32_t)value; break;
    case SCTPA_FIELD_STATUS: draft->status = adaptation_status(draft->status_type, (uint32_t)value); break;
    case SCTPA_FIELD_ID: add_id(draft, row->row, value); break;
    case SCTPA_FIELD_RESULT: draft->result = (uint32_t)value; /* fall through */
    case SCTPA_FIELD_DETAIL:
        if (draft->n_details < SCTPA_DRAFT_DETAILS_MAX)
            draft->details[draft->n_details++] = field;
        break;
    default: break;
    }
}

static uint32_t number_of(const field_info *field)
{
    return field != NULL ? (uint32_t)field_value_number(field) : 0;
}

static bool is_service_request(const sctpa_message_draft_t *draft)
{
    return draft->application == APPLICATION_NAS_EPS && draft->code == NULL && draft->session_code == NULL &&
           number_of(draft->security) == NAS_EPS_SERVICE_REQUEST_HEADER;
}

static bool has_code(const sctpa_message_draft_t *draft)
{
    return draft->code != NULL || is_service_request(draft);
}

static uint32_t code_of(const sctpa_message_draft_t *draft)
{
    bool has_class = application_kind(draft->application) == SCTPA_APPLICATION_ADAPTATION;

    if (is_service_request(draft))
        return SCTPA_NAS_EPS_SERVICE_REQUEST;

    return number_of(draft->code) | (has_class ? draft->class << 8 : 0);
}

/* ASN.1 names have "id-" in front. */
static void append_value(GString *text, const field_info *field, const char *without_name)
{
    const char *name = field_value_name(field);

    if (name != NULL)
        g_string_append(text, g_str_has_prefix(name, "id-") ? name + 3 : name);

    else
        g_string_append_printf(text, "%s%u", without_name, number_of(field));
}

static bool is_initiating(const sctpa_message_draft_t *draft)
{
    return number_of(draft->choice) == 0;
}

/* Without the word that every outcome ends with: "NGSetup, unsuccessful". */
static void name_procedure(const sctpa_message_draft_t *draft, GString *text)
{
    append_value(text, draft->code, "procedure ");

    if (is_initiating(draft))
        return;

    g_string_append(text, ", ");

    append_value(text, draft->choice, "choice ");

    if (g_str_has_suffix(text->str, "Outcome"))
        g_string_truncate(text, text->len - strlen("Outcome"));
}

static void name_adaptation(const sctpa_message_draft_t *draft, GString *text)
{
    const char *name = adaptation_name(code_of(draft));

    if (name != NULL)
        g_string_append(text, name);

    else
        g_string_append_printf(text, "class %u, type %u", draft->class, number_of(draft->code));
}

static void name_command(const sctpa_message_draft_t *draft, GString *text)
{
    append_value(text, draft->code, "command ");

    g_string_append(text, draft->flags & DIAMETER_R ? " Request" : " Answer");
}

static bool is_ciphered(const sctpa_message_draft_t *draft)
{
    uint32_t security = number_of(draft->security);

    return draft->code == NULL && draft->session_code == NULL &&
           (security == NAS_CIPHERED || security == NAS_CIPHERED_NEW_CONTEXT);
}

static void name_nas(const sctpa_message_draft_t *draft, GString *text)
{
    if (draft->code != NULL)
        append_value(text, draft->code, "type ");

    if (draft->code != NULL && draft->session_code != NULL)
        g_string_append(text, ": ");

    if (draft->session_code != NULL)
        append_value(text, draft->session_code, "type ");

    if (is_ciphered(draft))
        g_string_append(text, "ciphered");

    else if (is_service_request(draft))
        g_string_append(text, "Service request");

    else if (draft->code == NULL && draft->session_code == NULL && draft->security != NULL)
        append_value(text, draft->security, "security header type ");
}

static void append_name(const sctpa_message_draft_t *draft, GString *text)
{
    sctpa_application_kind_t kind = application_kind(draft->application);

    if (kind == SCTPA_APPLICATION_NAS)
        name_nas(draft, text);

    else if (draft->code == NULL)
        return;

    else if (kind == SCTPA_APPLICATION_PROCEDURES)
        name_procedure(draft, text);

    else if (kind == SCTPA_APPLICATION_ADAPTATION)
        name_adaptation(draft, text);

    else if (kind == SCTPA_APPLICATION_COMMANDS)
        name_command(draft, text);

    else
        append_value(text, draft->code, "type ");
}

static uint32_t procedure_of(unsigned application, uint32_t code)
{
    return (application + 1) << CODE_BITS | (code & ((1u << CODE_BITS) - 1));
}

/* The procedure inside that begins with this one, 0 none. O(rows). */
static uint32_t granted_by(unsigned application, uint32_t code)
{
    for (size_t i = 0; i < G_N_ELEMENTS(grants); i++)
        if (grants[i].procedure.application == application && grants[i].procedure.code == code)
            return procedure_of(grants[i].request.application, grants[i].request.code);

    return 0;
}

static void fill_requests(const sctpa_message_draft_t *draft, sctpa_message_t *message)
{
    unsigned application = draft->application;

    uint32_t code = code_of(draft), procedure = procedure_of(application, code);

    switch (application_kind(application)) {
    case SCTPA_APPLICATION_PROCEDURES:
        if (!is_initiating(draft))
            message->answers = procedure;
        else if (application_has_outcome(application, code))
            message->asks = procedure;
        if (is_initiating(draft))
            message->answers = granted_by(application, code);
        message->is_timed = true;
        message->ends_ids = message->answers != 0 && application_is_release(application, code);
        break;
    case SCTPA_APPLICATION_COMMANDS:
        *(draft->flags & DIAMETER_R ? &message->asks : &message->answers) = procedure;
        message->is_timed = true;
        message->is_marked_repeat = (draft->flags & (DIAMETER_R | DIAMETER_T)) == (DIAMETER_R | DIAMETER_T);
        message->transaction = draft->transaction;
        break;
    default:
        if (application_is_request(application, code))
            message->asks = procedure;
        if (application_answers(application, code) != 0)
            message->answers = procedure_of(application, application_answers(application, code));
    }
    message->is_keep_alive = application_is_keep_alive(application, code);
}

/* A message without ids has one that all of its protocol have in common; of a data channel on the same stream. */
static void fill_ids(const sctpa_message_draft_t *draft, sctpa_message_t *message)
{
    bool is_by_stream = application_is_by_stream(draft->application);

    message->has_ids = draft->n_ids > 0 || is_by_stream;

    message->n_ids = draft->n_ids;

    memcpy(message->ids, draft->ids, sizeof message->ids);

    if (draft->n_ids > 0)
        return;

    message->n_ids = 1;

    message->ids[0] = (sctpa_message_id_t){ UINT32_MAX - draft->application, is_by_stream ? draft->stream : 0 };
}

/* Fills message, with its name in text, which must live as long. outer: the message that it stands in, which has the
 * ids; NULL: it stands in none. O(rows of applications.def). */
static void message_draft_finish(const sctpa_message_draft_t *draft, const sctpa_message_draft_t *outer,
                                 sctpa_message_t *message, GString *text)
{
    bool is_nas = application_kind(draft->application) == SCTPA_APPLICATION_NAS;

    *message = (sctpa_message_t){ .kind = is_nas ? SCTPA_MESSAGE_INNER : SCTPA_MESSAGE_NAMED };

    g_string_truncate(text, 0);

    append_name(draft, text);

    if (text->len == 0)
        g_string_append(text, "not decoded");

    message->protocol = application_title(draft->application);

    message->name = text->str;

    fill_ids(outer != NULL ? outer : draft, message);

    if (is_nas && is_ciphered(draft)) {
        message->kind = SCTPA_MESSAGE_CIPHERED;
        message->may_answer = draft->application + 1;
    } else if (has_code(draft)) {
        fill_requests(draft, message);
    }
}

static void append_details(const sctpa_message_draft_t *draft, GString *text)
{
    sctpa_application_kind_t kind = application_kind(draft->application);

    for (unsigned i = 0; i < draft->n_details; i++) {
        const field_info *detail = draft->details[i];
        /* "cause 10: Implicitly detached", "cause RadioNetwork-cause: ...", "Result-Code: ..." */
        if (kind == SCTPA_APPLICATION_NAS)
            g_string_append_printf(text, "; cause %u: ", number_of(detail));
        else
            g_string_append_printf(text, "; %s%s: ", kind == SCTPA_APPLICATION_PROCEDURES ? "cause " : "",
                                   detail->hfinfo->name);
        append_value(text, detail, "");
    }
    if (draft->status != NULL)
        g_string_append_printf(text, "; %s", draft->status);
}

static bool is_bad(const sctpa_message_draft_t *draft)
{
    return number_of(draft->choice) == UNSUCCESSFUL_OUTCOME || draft->result >= DIAMETER_FAILURE_LEAST ||
           draft->status_type == STATUS_OTHER;
}

/* Words in front of the name of what a message says as an event, NULL: it is none; whether it is trouble. O(rows). */
static const char *event_words(const sctpa_message_draft_t *draft, bool *is_trouble)
{
    bool is_command = application_kind(draft->application) == SCTPA_APPLICATION_COMMANDS;
    bool asks = is_command ? (draft->flags & DIAMETER_R) != 0 : is_initiating(draft);
    sctpa_sense_t sense = asks ? SCTPA_SENSE_REQUEST : SCTPA_SENSE_ANSWER;
    sctpa_event_trouble_t trouble = SCTPA_TROUBLE_NO;
    const char *words = NULL;

    if (draft->code != NULL)
        words = application_event(draft->application, code_of(draft), sense, &trouble);
    if (words == NULL && draft->session_code != NULL)
        words = application_event(draft->application, number_of(draft->session_code), sense, &trouble);
    *is_trouble = trouble == SCTPA_TROUBLE_YES || (trouble == SCTPA_TROUBLE_IF_BAD && is_bad(draft));
    if (words != NULL || draft->code == NULL || asks || !is_bad(draft))
        return words;

    *is_trouble = true;

    return "";
}

/* Appends what the message says as an event of its application; false: it is none. is_trouble: somebody should look.
 */
static bool message_draft_event(const sctpa_message_draft_t *draft, const sctpa_message_t *message, GString *text,
                                bool *is_trouble)
{
    const char *words = event_words(draft, is_trouble);

    if (words == NULL)
        return false;

    g_string_append_printf(text, "%s ", message->protocol);

    g_string_append_printf(text, words[0] ? "%s (%s)" : "%s%s", words, message->name);

    append_details(draft, text);

    return true;
}

enum { DATA_HEADER_BYTES = 16, I_DATA_HEADER_BYTES = 20, INNER_MAX = 64, FRAGMENTS_MAX = 1024, NO_CHUNK = -1 };
enum { BEGINS_AND_ENDS = SCTPA_TSN_BEGIN | SCTPA_TSN_END };

/* A DATA or I-DATA chunk of the packet. */
typedef struct {
    sctpa_tlv_t tlv;

    tvbuff_t *whole; /* the message that was reassembled here, NULL: none */

    bool is_new; /* its TSN passed for the first time, or with another message */

    bool is_named, is_protected;

} chunk_t;

typedef struct {
    sctpa_messages_t *messages;

    const sctpa_tap_packet_t *tap;

    GArray *chunks; /* chunk_t, ascending by address */

    int chunk; /* that the walk is in */

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
        const sctpa_message_field_t *row = applications_field(SCTPA_NODE_FIELD(child));
        if (row == NULL || row->role != SCTPA_FIELD_FRAGMENT || child->finfo == NULL)
            continue;
        chunk_at(reader, chunk)->whole = child->finfo->ds_tvb;
        return;
    }
}

static void walk_sctp(reader_t *reader, proto_node *node)
{
    for (proto_node *child = node->first_child; child != NULL; child = child->next) {
        const sctpa_message_field_t *row = applications_field(SCTPA_NODE_FIELD(child));
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
    bool is_nas = application_kind(application) == SCTPA_APPLICATION_NAS;

    if (is_nas && draft == 0 && reader->drafts->len <= INNER_MAX)
        walk_message(reader, node, begin_draft(reader, application));
}

static void walk_message(reader_t *reader, proto_node *node, unsigned draft)
{
    for (proto_node *child = node->first_child; child != NULL; child = child->next) {
        const sctpa_message_field_t *row = applications_field(SCTPA_NODE_FIELD(child));
        sctpa_message_draft_t *taken = &g_array_index(reader->drafts, sctpa_message_draft_t, draft);
        if (row != NULL && row->role == SCTPA_FIELD_NODE) {
            walk_inner(reader, child, row->application, draft);
            continue;
        }
        if (row != NULL && row->application == taken->application && child->finfo != NULL)
            message_draft_take(taken, row, child->finfo);
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
        message_draft_finish(&drafts[i], i > 0 ? drafts : NULL, &message, reader->text);
        sctpa_messages_add(reader->messages, &place, &message);
        GString *event = g_string_new(NULL);
        bool is_trouble;
        if (message_draft_event(&drafts[i], &message, event, &is_trouble))
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

    if (application_kind(application) == SCTPA_APPLICATION_PROTECTED) {
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
        const sctpa_message_field_t *row = applications_field(SCTPA_NODE_FIELD(node));
        if (row == NULL || row->role != SCTPA_FIELD_NODE || node->finfo == NULL)
            continue;
        if (application_kind(row->application) == SCTPA_APPLICATION_FRAGMENTS) {
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

/* Counts every user message that ends in a packet. edt: the dissected frame, whose tree has the fields of
 * applications_filter. Retransmissions and packets captured twice hold no message. O(nodes of the tree + chunks *
 * log chunks). */
static void message_tree_take(sctpa_messages_t *messages, const sctpa_tap_packet_t *tap, const epan_dissect_t *edt)
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

typedef struct {
    char *filter; /* NULL: all packets */
    sctpa_messages_t *messages;
    uint32_t analysis;    /* number of the one that they are of */
    uint32_t next_packet; /* the packets before were taken */
} collector_t;

static GPtrArray *collectors; /* collector_t */

/* Forgets the messages of another analysis. */
static void follow_analysis(collector_t *collector)
{
    if (collector->analysis == sctpa_analysis_number())
        return;
    collector->analysis = sctpa_analysis_number();
    collector->next_packet = 0;
    sctpa_messages_reset(collector->messages);
}

static void begin(void *data)
{
    follow_analysis((collector_t *)data);
}

static tap_packet_status take_packet(void *data, packet_info *pinfo, epan_dissect_t *edt, const void *tapped,
                                     tap_flags_t flags)
{
    collector_t *collector = (collector_t *)data;
    const sctpa_tap_packet_t *tap = (const sctpa_tap_packet_t *)tapped;
    (void)pinfo;
    (void)flags;
    follow_analysis(collector);
    if (tap->index < collector->next_packet)
        return TAP_PACKET_DONT_REDRAW;
    collector->next_packet = tap->index + 1;
    message_tree_take(collector->messages, tap, edt);
    return TAP_PACKET_DONT_REDRAW;
}

static void free_collector(void *data)
{
    collector_t *collector = (collector_t *)data;
    sctpa_messages_free(collector->messages);
    g_free(collector->filter);
    g_free(collector);
}

static collector_t *collector_of(const char *filter)
{
    for (guint i = 0; collectors != NULL && i < collectors->len; i++) {
        collector_t *collector = (collector_t *)g_ptr_array_index(collectors, i);
        if (g_strcmp0(collector->filter, filter) == 0)
            return collector;
    }
    return NULL;
}

GString *sctpa_message_collector_start(const char *filter)
{
    if (collector_of(filter) != NULL)
        return NULL;
    collector_t *collector = g_new0(collector_t, 1);
    GString *named = g_string_new(NULL);
    collector->filter = g_strdup(filter);
    collector->messages = sctpa_messages_new();
    applications_prepare();
    applications_filter(named, filter);
    GString *error = register_tap_listener("sctp_analysis", collector, named->str, TL_REQUIRES_NOTHING, begin,
                                           take_packet, NULL, NULL);
    g_string_free(named, TRUE);
    if (error != NULL) {
        free_collector(collector);
        return error;
    }
    if (collectors == NULL)
        collectors = g_ptr_array_new();
    g_ptr_array_add(collectors, collector);
    return NULL;
}

void sctpa_message_collector_stop(const char *filter)
{
    collector_t *collector = collector_of(filter);
    if (collector == NULL)
        return;
    remove_tap_listener(collector);
    g_ptr_array_remove(collectors, collector);
    free_collector(collector);
}

const sctpa_messages_t *sctpa_message_collector_messages(const char *filter)
{
    collector_t *collector = collector_of(filter);
    if (collector == NULL)
        return NULL;
    follow_analysis(collector);
    return collector->messages;
}
