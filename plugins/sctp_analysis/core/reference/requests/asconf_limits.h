/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers that the rules of address reconfiguration say, and that they or the reference endpoint check. Leaves out
 * those of the RFCs and those that only the code has. */
#ifndef SCTPA_REFERENCE_ASCONF_LIMITS_H
#define SCTPA_REFERENCE_ASCONF_LIMITS_H

/* ASCONF numbers that no capture of a conforming endpoint leaves unseen. */
#define SCTPA_ASCONF_FAR_NUMBERS 1048576
/* Requests of an ASCONF whose correlation ids are kept. */
#define SCTPA_ASCONF_IDS 8
/* What separates an ASCONF that was retransmitted from a packet that was overtaken. */
#define SCTPA_ASCONF_AGAIN_MS 100
/* What separates packets from an address after its deletion was asked for from packets that were under way. */
#define SCTPA_ASCONF_LATE_MS 100
/* What separates packets from an address, sent after its deletion was granted, from packets that were under way. */
#define SCTPA_ASCONF_LEFT_MS 1000
/* Leaves room for what was under way to an address that was deleted. */
#define SCTPA_ASCONF_GONE_S 10
/* Transmissions: what separates a receiver that does not answer from packets lost between tap and receiver. */
#define SCTPA_ASCONF_UNANSWERED 4
/* One ERROR may have been lost between tap and endpoint; so long after the last one the endpoint has it. */
#define SCTPA_ASCONF_REFUSALS 2
#define SCTPA_ASCONF_REFUSED_S 1

#endif
