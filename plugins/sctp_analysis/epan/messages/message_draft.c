/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names messages and tells requests from answers, by the kind of their protocol. */
#include "message_draft.h"

#include "../compat.h"

#include <string.h>

#include "field_value.h"

enum { DIAMETER_R = 0x80, DIAMETER_T = 0x10, CODE_BITS = 24 };
enum { UNSUCCESSFUL_OUTCOME = 2, DIAMETER_FAILURE_LEAST = 3000, STATUS_OTHER = 2 };
enum { NAS_CIPHERED = 2, NAS_CIPHERED_NEW_CONTEXT = 4 };

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

void sctpa_message_draft_take(sctpa_message_draft_t *draft, const sctpa_message_field_t *row, const field_info *field)
{
    uint64_t value = sctpa_field_value_number(field);
    switch (row->role) {
    case SCTPA_FIELD_CODE: keep_first(&draft->code, field); break;
    case SCTPA_FIELD_CHOICE: keep_first(&draft->choice, field); break;
    case SCTPA_FIELD_SESSION_CODE: keep_first(&draft->session_code, field); break;
    case SCTPA_FIELD_SECURITY: keep_first(&draft->security, field); break;
    case SCTPA_FIELD_CLASS: draft->class = (uint32_t)value; break;
    case SCTPA_FIELD_FLAGS: draft->flags = (uint32_t)value; break;
    case SCTPA_FIELD_TRANSACTION: draft->transaction = (uint32_t)value; break;
    case SCTPA_FIELD_STATUS_TYPE: draft->status_type = (uint32_t)value; break;
    case SCTPA_FIELD_STATUS: draft->status = sctpa_adaptation_status(draft->status_type, (uint32_t)value); break;
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
    return field != NULL ? (uint32_t)sctpa_field_value_number(field) : 0;
}

static uint32_t code_of(const sctpa_message_draft_t *draft)
{
    bool has_class = sctpa_application_kind(draft->application) == SCTPA_APPLICATION_ADAPTATION;
    return number_of(draft->code) | (has_class ? draft->class << 8 : 0);
}

/* ASN.1 names have "id-" in front. */
static void append_value(GString *text, const field_info *field, const char *without_name)
{
    const char *name = sctpa_field_value_name(field);
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
    const char *name = sctpa_adaptation_name(code_of(draft));
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
    else if (draft->code == NULL && draft->session_code == NULL && draft->security != NULL)
        append_value(text, draft->security, "security header type ");
}

static void append_name(const sctpa_message_draft_t *draft, GString *text)
{
    sctpa_application_kind_t kind = sctpa_application_kind(draft->application);
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

static void fill_requests(const sctpa_message_draft_t *draft, sctpa_message_t *message)
{
    unsigned application = draft->application;
    uint32_t code = code_of(draft), procedure = procedure_of(application, code);
    switch (sctpa_application_kind(application)) {
    case SCTPA_APPLICATION_PROCEDURES:
        if (!is_initiating(draft))
            message->answers = procedure;
        else if (sctpa_application_has_outcome(application, code))
            message->asks = procedure;
        message->is_timed = true;
        message->ends_ids = message->answers != 0 && sctpa_application_is_release(application, code);
        break;
    case SCTPA_APPLICATION_COMMANDS:
        *(draft->flags & DIAMETER_R ? &message->asks : &message->answers) = procedure;
        message->is_timed = true;
        message->is_marked_repeat = (draft->flags & (DIAMETER_R | DIAMETER_T)) == (DIAMETER_R | DIAMETER_T);
        message->transaction = draft->transaction;
        break;
    default:
        if (sctpa_application_is_request(application, code))
            message->asks = procedure;
        if (sctpa_application_answers(application, code) != 0)
            message->answers = procedure_of(application, sctpa_application_answers(application, code));
    }
    message->is_keep_alive = sctpa_application_is_keep_alive(application, code);
}

/* A message without ids has one that all of its protocol have in common; of a data channel on the same stream. */
static void fill_ids(const sctpa_message_draft_t *draft, sctpa_message_t *message)
{
    bool is_by_stream = sctpa_application_is_by_stream(draft->application);
    message->has_ids = draft->n_ids > 0 || is_by_stream;
    message->n_ids = draft->n_ids;
    memcpy(message->ids, draft->ids, sizeof message->ids);
    if (draft->n_ids > 0)
        return;
    message->n_ids = 1;
    message->ids[0] = (sctpa_message_id_t){ UINT32_MAX - draft->application, is_by_stream ? draft->stream : 0 };
}

void sctpa_message_draft_finish(const sctpa_message_draft_t *draft, const sctpa_message_draft_t *outer,
                                sctpa_message_t *message, GString *text)
{
    bool is_nas = sctpa_application_kind(draft->application) == SCTPA_APPLICATION_NAS;
    *message = (sctpa_message_t){ .kind = is_nas ? SCTPA_MESSAGE_INNER : SCTPA_MESSAGE_NAMED };
    g_string_truncate(text, 0);
    append_name(draft, text);
    if (text->len == 0)
        g_string_append(text, "not decoded");
    message->protocol = sctpa_application_title(draft->application);
    message->name = text->str;
    fill_ids(outer != NULL ? outer : draft, message);
    if (is_nas && is_ciphered(draft)) {
        message->kind = SCTPA_MESSAGE_CIPHERED;
        message->may_answer = draft->application + 1;
    } else if (draft->code != NULL) {
        fill_requests(draft, message);
    }
}

static void append_details(const sctpa_message_draft_t *draft, GString *text)
{
    bool are_causes = sctpa_application_kind(draft->application) == SCTPA_APPLICATION_PROCEDURES;
    for (unsigned i = 0; i < draft->n_details; i++) {
        g_string_append_printf(text, "; %s%s: ", are_causes ? "cause " : "", draft->details[i]->hfinfo->name);
        append_value(text, draft->details[i], "");
    }
    if (draft->status != NULL)
        g_string_append_printf(text, "; %s", draft->status);
}

static bool is_bad(const sctpa_message_draft_t *draft)
{
    return number_of(draft->choice) == UNSUCCESSFUL_OUTCOME || draft->result >= DIAMETER_FAILURE_LEAST ||
           draft->status_type == STATUS_OTHER;
}

bool sctpa_message_draft_event(const sctpa_message_draft_t *draft, const sctpa_message_t *message, GString *text,
                               bool *is_trouble)
{
    sctpa_event_trouble_t trouble = SCTPA_TROUBLE_NO;
    bool asks = sctpa_application_kind(draft->application) == SCTPA_APPLICATION_COMMANDS
                    ? (draft->flags & DIAMETER_R) != 0
                    : is_initiating(draft);
    const char *words = draft->code == NULL
                            ? NULL
                            : sctpa_application_event(draft->application, code_of(draft),
                                                      asks ? SCTPA_SENSE_REQUEST : SCTPA_SENSE_ANSWER, &trouble);
    if (words == NULL)
        return false;
    g_string_append_printf(text, "%s ", message->protocol);
    g_string_append_printf(text, words[0] ? "%s (%s)" : "%s%s", words, message->name);
    append_details(draft, text);
    *is_trouble = trouble == SCTPA_TROUBLE_YES || (trouble == SCTPA_TROUBLE_IF_BAD && is_bad(draft));
    return true;
}
