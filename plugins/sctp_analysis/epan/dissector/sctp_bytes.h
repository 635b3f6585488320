/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tells SCTP packets from other bytes. */
#ifndef SCTPA_EPAN_SCTP_BYTES_H
#define SCTPA_EPAN_SCTP_BYTES_H

#include <epan/packet.h>

/* Is the whole of tvb an SCTP packet beyond reasonable doubt? A right CRC32c, or none where the endpoints agreed on
 * that (RFC 9653); ports, and chunks that fill the packet, the first of a known type. O(bytes). */
bool sctpa_is_sctp(tvbuff_t *tvb);

#endif
