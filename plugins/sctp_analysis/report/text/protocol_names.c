/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The extensions that an endpoint announced, and what a PPID says, in words. */
#include "protocol_names.h"

static bool is_sgsap(const sctpa_assoc_t *assoc, uint32_t ppid)
{
    return ppid == 0 && (assoc->ends[0].port == SCTPA_PORT_SGSAP || assoc->ends[1].port == SCTPA_PORT_SGSAP);
}

bool sctpa_ppid_text_name(GString *out, const sctpa_assoc_t *assoc, uint32_t ppid)
{
    uint32_t right = sctpa_ppid_reversed(ppid);
    const char *name = is_sgsap(assoc, ppid) ? "SGsAP" : sctpa_ppid_name(right ? right : ppid);
    if (name)
        g_string_append_printf(out, "%s%s", name, right ? ", bytes reversed" : "");
    return name != NULL;
}

void sctpa_ppid_text_append(GString *out, const sctpa_assoc_t *assoc, uint32_t ppid)
{
    const bool is_unspecified = ppid == 0 && !is_sgsap(assoc, ppid);
    g_string_append_printf(out, "%u ", ppid);
    if (is_unspecified || !sctpa_ppid_text_name(out, assoc, ppid))
        g_string_truncate(out, out->len - 1);
}

/* The types of the parameter rows, in their order. */
static const uint32_t param_types[] = {
#define SCTPA_PARAM(id, value, ...) value,
#include "wire/params.def"
};

/* The parameters of RFC 9260 3.3 are the protocol itself; Supported Extensions only wraps a list that is shown. */
static bool is_extension(const sctpa_tlv_type_t *param)
{
    return !g_str_has_prefix(param->clause, "RFC 9260 3.3") && param->type != SCTPA_PARAM_SUPPORTED_EXTENSIONS;
}

uint64_t sctpa_extension_params(uint64_t params)
{
    uint64_t extensions = 0;
    for (unsigned row = 0; row < G_N_ELEMENTS(param_types); row++)
        if (is_extension(sctpa_tlv_type(SCTPA_TLV_PARAM, param_types[row])))
            extensions |= (uint64_t)1 << row;
    return params & extensions;
}

void sctpa_extensions_each(uint64_t chunks, uint64_t params, void (*each)(void *user, const char *word), void *user)
{
    chunks = sctpa_extension_chunks(chunks);
    params = sctpa_extension_params(params);
    for (unsigned row = 0; row < SCTPA_CHUNK_ROW_OTHER; row++)
        if (chunks >> row & 1)
            each(user, sctpa_chunk_row_word(row));
    for (unsigned row = 0; row < G_N_ELEMENTS(param_types); row++)
        if (params >> row & 1)
            each(user, sctpa_param_row_word(row));
}
