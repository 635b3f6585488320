/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers that the rules for encapsulation say and check. Leaves out the parameters of the RFCs, and numbers about
 * checksums (format_limits.h). */
#ifndef SCTPA_RULES_UDP_ENCAPSULATION_LIMITS_H
#define SCTPA_RULES_UDP_ENCAPSULATION_LIMITS_H

/* UDP ports of an endpoint that are kept. */
#define SCTPA_UDP_PORTS 4
/* What separates answers that go elsewhere from one that did. */
#define SCTPA_UDP_ELSEWHERE 2
/* WebRTC String Empty and WebRTC Binary Empty (RFC 8831 8). */
#define SCTPA_PPID_STRING_EMPTY 56
#define SCTPA_PPID_BINARY_EMPTY 57

#endif
