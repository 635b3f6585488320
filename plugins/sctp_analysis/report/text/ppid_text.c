/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names PPIDs for people. */
#include "ppid_text.h"

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
