/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes text of numbers that the texts of rules share with the code that checks them. The numbers stand, with the
 * reason of each value, in the *_limits.h of whoever checks them, a chapter or what it reads of reference endpoints and
 * data: bare literals, so that a text can hold them. Leaves out what RFCs set (wire/protocol_parameters.h), and what
 * only a text or only code says. */
#ifndef SCTPA_RULES_LIMITS_H
#define SCTPA_RULES_LIMITS_H

#define SCTPA_LIMIT_WORDS(limit) #limit
#define SCTPA_LIMIT_TEXT(limit) SCTPA_LIMIT_WORDS(limit)

#endif
