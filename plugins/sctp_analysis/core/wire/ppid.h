/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a Payload Protocol Identifier says, by the registry (ppids.def). Leaves out whether it fits its data. */
#ifndef SCTPA_WIRE_PPID_H
#define SCTPA_WIRE_PPID_H

#include <stdbool.h>
#include <stdint.h>

/* The port of SGsAP, whose PPID is 0 (3GPP TS 29.118 7). */
enum { SCTPA_PORT_SGSAP = 29118 };
/* The PPID of messages that open data channels of WebRTC (RFC 8832 8.1). */
enum { SCTPA_PPID_DCEP = 50 };

/* Is it of data channels: of messages that open them, or of user messages in them (RFC 8831 8)? O(1). */
static inline bool sctpa_ppid_is_of_channel(uint32_t ppid)
{
    return ppid >= SCTPA_PPID_DCEP && ppid <= 57 && ppid != 55;
}

/* The name of a registered PPID ("NGAP"); NULL: it is not registered. O(registered PPIDs). */
const char *sctpa_ppid_name(uint32_t ppid);

/* The registered PPID whose bytes ppid has in reverse order: its sender did not convert it (RFC 9260 3.3.1); 0: none.
 * O(registered PPIDs). */
uint32_t sctpa_ppid_reversed(uint32_t ppid);

/* Is the data of a registered PPID protected by DTLS (RFC 6083)? O(registered PPIDs). */
bool sctpa_ppid_is_over_dtls(uint32_t ppid);

#endif
