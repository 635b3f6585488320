/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a field as its dissector filled it. Labels of the tree are not made for packets that nobody looks at, so that
 * names come from the field's registration. */
#include "field_value.h"

#include "../compat.h"

#include <epan/ftypes/ftypes.h>
#include <wsutil/strtoi.h>

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

uint64_t sctpa_field_value_number(const field_info *field)
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

const char *sctpa_field_value_name(const field_info *field)
{
    const header_field_info *info = field->hfinfo;
    uint32_t value = (uint32_t)sctpa_field_value_number(field);
    if (info->strings == NULL || !(is_unsigned(info->type) || is_signed(info->type)) ||
        FIELD_DISPLAY(info->display) == BASE_CUSTOM || info->display & (BASE_VAL64_STRING | BASE_UNIT_STRING))
        return NULL;
    if (info->display & BASE_RANGE_STRING)
        return try_rval_to_str(value, (const range_string *)info->strings);
    if (info->display & BASE_EXT_STRING)
        return try_val_to_str_ext(value, (value_string_ext *)(uintptr_t)info->strings);
    return try_val_to_str(value, (const value_string *)info->strings);
}
