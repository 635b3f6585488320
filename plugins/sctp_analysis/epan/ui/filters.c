/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The entry "SCTP association (analysis)" under Conversation Filter and Colorize Conversation of a packet. */
#include "filters.h"

#include "../compat.h"

#include <epan/packet.h>
#include <epan/conversation_filter.h>

#include "../dissector/open_analysis.h"

static sctpa_gbool_t has_assoc(SCTPA_FILTER_ARGUMENTS)
{
    SCTPA_FILTER_UNUSED;
    return sctpa_analysis_assoc_of_frame(pinfo->num) != SCTPA_NO_ASSOC;
}

static char *filter_of_assoc(SCTPA_FILTER_ARGUMENTS)
{
    SCTPA_FILTER_UNUSED;
    return g_strdup_printf("sctp.analysis.assoc == %u", sctpa_analysis_assoc_of_frame(pinfo->num));
}

void sctpa_filters_register(void)
{
    sctpa_filter_register("sctp", "SCTP association (analysis)", has_assoc, filter_of_assoc);
}
