/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expert infos: malformed chunks, wrong checksums, wrong HMACs. They count for SCTP, also when no tree is built. */
#include "experts.h"

#include <epan/expert.h>
#include <epan/tap.h>

typedef enum {
#define FAULT(id, abbrev, severity, text) OF_##id,
#include "faults.def"
    OF_CHECKSUM_BAD,
    OF_AUTH_BAD,
    OF_ALL
} expert_id_t;

static expert_field fields[OF_ALL];

static ei_register_info infos[] = {
#define FAULT(id, abbrev, level, text) \
    { &fields[OF_##id], \
      { .name = "sctp.analysis.fault." abbrev, .group = PI_MALFORMED, .severity = PI_##level, .summary = text } },
#include "faults.def"
    { &fields[OF_CHECKSUM_BAD],
      { .name = "sctp.analysis.checksum.bad",
        .group = PI_CHECKSUM,
        .severity = PI_ERROR,
        .summary = "Bad checksum: neither CRC32c nor Adler-32 nor zero" } },
    { &fields[OF_AUTH_BAD],
      { .name = "sctp.analysis.auth.bad",
        .group = PI_SECURITY,
        .severity = PI_WARN,
        .summary = "The HMAC of the AUTH chunk is wrong for the shared key" } },
};

void sctpa_experts_register(int sctp)
{
    for (size_t i = 0; i < OF_ALL; i++)
        fields[i] = (expert_field)EI_INIT;
    expert_register_field_array(expert_register_protocol(sctp), infos, G_N_ELEMENTS(infos));
}

bool sctpa_experts_are_wanted(void)
{
    static int expert_tap = 0;
    if (expert_tap == 0)
        expert_tap = find_tap_id("expert");
    return expert_tap > 0 && have_tap_listener(expert_tap);
}

static void add(packet_info *pinfo, proto_item *item, expert_id_t id)
{
    const char *saved = pinfo->current_proto;
    pinfo->current_proto = "SCTP";
    expert_add_info(pinfo, item, &fields[id]);
    pinfo->current_proto = saved;
}

void sctpa_experts_add_fault(packet_info *pinfo, proto_item *item, sctpa_fault_t fault)
{
    static const expert_id_t ids[SCTPA_FAULTS] = {
#define FAULT(id, abbrev, severity, text) [SCTPA_FAULT_##id] = OF_##id,
#include "faults.def"
    };
    if (fault > SCTPA_FAULT_NONE && fault < SCTPA_FAULTS)
        add(pinfo, item, ids[fault]);
}

void sctpa_experts_add_result(packet_info *pinfo, proto_item *item, const sctpa_packet_result_t *result)
{
    if (result->checksum == SCTPA_CHECKSUM_BAD)
        add(pinfo, item, OF_CHECKSUM_BAD);
    if (result->has_auth && result->auth == SCTPA_AUTH_BAD)
        add(pinfo, item, OF_AUTH_BAD);
}
