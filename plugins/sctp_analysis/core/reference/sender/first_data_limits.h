/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers of how much of the first data of an endpoint is looked at, that rules also say. */
#ifndef SCTPA_REFERENCE_FIRST_DATA_LIMITS_H
#define SCTPA_REFERENCE_FIRST_DATA_LIMITS_H

/* What separates nearly all of the data from some of it. */
#define SCTPA_FIRST_CHUNKS 100
/* Messages at the beginning that must all have an odd PPID: one may look so by chance. */
#define SCTPA_FIRST_MESSAGES 10
/* PPIDs up to this one are taken for registered, so that their bytes may be found reversed. */
#define SCTPA_PPID_REGISTERED 127

#endif
