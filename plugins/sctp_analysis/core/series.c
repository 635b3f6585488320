/* The source of an association's series: its direction, and by which path of the data's sender each packet went. */
#include "analysis.h"

static uint16_t path_of(const sctpa_series_source_t *source, uint32_t packet)
{
    sctpa_packet_result_t result;
    if (!sctpa_packet_result(source->analysis, packet, &result) || result.assoc == SCTPA_NO_ASSOC)
        return SCTPA_SERIES_ANY_PATH;
    return result.from == source->end ? result.path : result.peer_path;
}

sctpa_series_source_t sctpa_series_source(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, int64_t start_ns)
{
    const sctpa_init_t *receiver = &sctpa_assoc(sctpa, assoc)->ends[!end].init;
    return (sctpa_series_source_t){ .direction = sctpa_direction(sctpa, assoc, end), .start_ns = start_ns, .path = path_of,
                                    .analysis = sctpa, .end = end, .window_bytes = receiver->seen ? receiver->a_rwnd_bytes : 0 };
}
