/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers that the rules for encapsulation say and check. Leaves out those of the RFCs, of checksums
 * (format_limits.h), and by which ports are kept (udp_ports_limits.h). */
#ifndef SCTPA_RULES_UDP_ENCAPSULATION_LIMITS_H
#define SCTPA_RULES_UDP_ENCAPSULATION_LIMITS_H

/* What separates answers that go elsewhere from one that did. */
#define SCTPA_UDP_ELSEWHERE 2
/* WebRTC String Empty and WebRTC Binary Empty (RFC 8831 8). */
#define SCTPA_PPID_STRING_EMPTY 56
#define SCTPA_PPID_BINARY_EMPTY 57

#endif
