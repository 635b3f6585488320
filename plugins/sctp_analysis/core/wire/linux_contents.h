/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The addresses of the peer inside what Linux writes for itself alone: Heartbeat Info and State Cookie (struct
 * sctp_sender_hb_info and sctp_signed_cookie of the kernel's include/net/sctp/structs.h). No other known stack's
 * contents look like these. Leaves out all else that they hold, and what the addresses prove. */
#ifndef SCTPA_WIRE_LINUX_CONTENTS_H
#define SCTPA_WIRE_LINUX_CONTENTS_H

#include "address.h"

/* The destination that the sender of a HEARTBEAT gave it. info: its parameter HEARTBEAT_INFO; port: the packet's
 * destination port. False: it is not of Linux, or cut. O(1). */
bool sctpa_linux_heartbeat_address(const sctpa_tlv_t *info, uint16_t port, sctpa_addr_t *address);

/* Where the INIT came from that an INIT ACK answers, as the sender of the INIT ACK saw it. cookie: its parameter
 * STATE_COOKIE; own_tag, peer_tag: the Initiate Tags of the INIT ACK and of the INIT, by which it is recognised. False:
 * it is not of Linux, or cut. O(1). */
bool sctpa_linux_cookie_address(const sctpa_tlv_t *cookie, uint32_t own_tag, uint32_t peer_tag, sctpa_addr_t *address);

#endif
