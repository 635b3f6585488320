/* The entry "SCTP association (analysis)" under Conversation Filter and Colorize Conversation of a packet. */
#include "filters.h"

#include "compat.h"

#include <epan/packet.h>
#include <epan/conversation_filter.h>

#include "analysis.h"

/* The association of the first packet of the frame that has one. */
static uint32_t assoc_of_frame(uint32_t frame)
{
    const sctpa_t *analysis = sctpa_analysis_current();
    sctpa_packet_result_t result;
    if (analysis == NULL)
        return SCTPA_NO_ASSOC;
    for (uint32_t number = 0;; number++) {
        uint32_t index = sctpa_packet_find(analysis, frame, number);
        if (index == SCTPA_NO_PACKET || !sctpa_packet_result(analysis, index, &result))
            return SCTPA_NO_ASSOC;
        if (result.assoc != SCTPA_NO_ASSOC)
            return result.assoc;
    }
}

static sctpa_gbool_t has_assoc(SCTPA_FILTER_ARGUMENTS)
{
    SCTPA_FILTER_UNUSED;
    return assoc_of_frame(pinfo->num) != SCTPA_NO_ASSOC;
}

static char *filter_of_assoc(SCTPA_FILTER_ARGUMENTS)
{
    SCTPA_FILTER_UNUSED;
    return g_strdup_printf("sctp.analysis.assoc == %u", assoc_of_frame(pinfo->num));
}

void sctpa_filters_register(void)
{
    sctpa_filter_register("sctp", "SCTP association (analysis)", has_assoc, filter_of_assoc);
}
