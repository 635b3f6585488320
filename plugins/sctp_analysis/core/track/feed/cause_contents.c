/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What error causes name. */
#include "cause_contents.h"

#include "base/bytes.h"
#include "base/time.h"
#include "wire/address.h"
#include "wire/types.h"

enum { LISTED_MAX = 8, TYPE_BYTES = 2, MISSING_LIST_AT = 8, NAME_MAX_BYTES = 256 };

static void append_separator(GString *text)
{
    if (text->len > 0)
        g_string_append(text, ", ");
}

static void append_param_type(GString *text, uint32_t type)
{
    const sctpa_tlv_type_t *row = sctpa_tlv_type(SCTPA_TLV_PARAM, type);
    append_separator(text);
    if (row)
        g_string_append(text, row->title);
    else
        g_string_append_printf(text, "parameter 0x%04x", type);
}

/* Number and types of parameters (3.3.10.2). */
static void append_missing(GString *text, const sctpa_tlv_t *cause)
{
    for (uint32_t at = MISSING_LIST_AT, n = 0; at + TYPE_BYTES <= cause->captured_bytes && n < LISTED_MAX;
         at += TYPE_BYTES, n++)
        append_param_type(text, sctpa_be16(cause->bytes + at));
}

static void append_param(GString *text, const sctpa_tlv_t *param)
{
    sctpa_addr_t addr;
    if (sctpa_param_addr(param, &addr)) {
        append_separator(text);
        char *addr_text = sctpa_addr_text(&addr);
        g_string_append(text, addr_text);
        g_free(addr_text);
        return;
    }
    append_param_type(text, param->type);
    if (param->type == SCTPA_PARAM_HOST_NAME && param->captured_bytes > SCTPA_TLV_HEADER_BYTES) {
        const char *name = (const char *)param->bytes + SCTPA_TLV_HEADER_BYTES;
        uint32_t bytes = MIN(param->captured_bytes - SCTPA_TLV_HEADER_BYTES, NAME_MAX_BYTES);
        g_string_append_c(text, ' ');
        g_string_append_len(text, name, (gssize)strnlen(name, bytes));
    }
}

static void append_params(GString *text, const sctpa_tlv_t *cause)
{
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t param;
    unsigned n = 0;
    for (sctpa_params_begin(&iter, cause); n < LISTED_MAX && sctpa_tlv_next(&iter, &param); n++)
        append_param(text, &param);
}

/* The chunk begins with its type (3.3.10.6). */
static void append_chunk(GString *text, const sctpa_tlv_t *cause)
{
    if (cause->captured_bytes <= SCTPA_TLV_HEADER_BYTES)
        return;
    const sctpa_tlv_type_t *row = sctpa_tlv_type(SCTPA_TLV_CHUNK, cause->bytes[SCTPA_TLV_HEADER_BYTES]);
    if (row)
        g_string_append(text, row->title);
    else
        g_string_append_printf(text, "chunk type 0x%02X", cause->bytes[SCTPA_TLV_HEADER_BYTES]);
}

static void append_field(GString *text, const sctpa_tlv_t *cause, sctpa_field_id_t field, const char *format)
{
    if (sctpa_tlv_has(cause, field))
        g_string_append_printf(text, format, sctpa_tlv_u32(cause, field));
}

char *sctpa_cause_contents(const sctpa_tlv_t *cause)
{
    GString *text = g_string_new(NULL);
    switch (cause->type) {
    case SCTPA_CAUSE_INVALID_SID: append_field(text, cause, SCTPA_F_INVALID_SID_SID, "stream %u"); break;
    case SCTPA_CAUSE_NO_USER_DATA: append_field(text, cause, SCTPA_F_NO_USER_DATA_TSN, "TSN %u"); break;
    case SCTPA_CAUSE_STALE_COOKIE: append_field(text, cause, SCTPA_F_STALE_COOKIE_STALENESS, "by %u us"); break;
    case SCTPA_CAUSE_MISSING_PARAMS: append_missing(text, cause); break;
    case SCTPA_CAUSE_UNRECOGNIZED_CHUNK:
    case SCTPA_CAUSE_NAT_COLLISION:
    case SCTPA_CAUSE_NAT_PORT_COLLISION: append_chunk(text, cause); break;
    case SCTPA_CAUSE_UNRESOLVABLE_ADDRESS:
    case SCTPA_CAUSE_UNRECOGNIZED_PARAMS:
    case SCTPA_CAUSE_RESTART_NEW_ADDRESSES:
    case SCTPA_CAUSE_DELETE_LAST_IP:
    case SCTPA_CAUSE_RESOURCE_SHORTAGE:
    case SCTPA_CAUSE_DELETE_SOURCE_IP:
    case SCTPA_CAUSE_NO_AUTHORIZATION: append_params(text, cause); break;
    default: break;
    }
    return g_string_free(text, text->len == 0);
}
