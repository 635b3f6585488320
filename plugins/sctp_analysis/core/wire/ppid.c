/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looks PPIDs up in the registry. */
#include "ppid.h"

#include <stddef.h>

#include "types.h"

const char *sctpa_ppid_name(uint32_t ppid)
{
    return sctpa_value_name(SCTPA_VALUES_PPID, ppid);
}

uint32_t sctpa_ppid_reversed(uint32_t ppid)
{
    uint32_t right = ppid >> 24 | (ppid >> 8 & 0xFF00) | (ppid << 8 & 0xFF0000) | ppid << 24;
    return right != ppid && sctpa_ppid_name(ppid) == NULL && sctpa_ppid_name(right) != NULL ? right : 0;
}

bool sctpa_ppid_is_over_dtls(uint32_t ppid)
{
    enum { PLAIN, DTLS };
    static const struct {
        uint32_t value;
        int carrier;
    } rows[] = {
#define SCTPA_PPID(value, name, carrier) { value, carrier },
#include "ppids.def"
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].value == ppid)
            return rows[i].carrier == DTLS;
    return false;
}
