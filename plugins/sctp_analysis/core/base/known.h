/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an observer knows of a question: there is no third answer to guess. */
#ifndef SCTPA_BASE_KNOWN_H
#define SCTPA_BASE_KNOWN_H

typedef enum { SCTPA_NO, SCTPA_YES, SCTPA_UNKNOWN } sctpa_known_t;

#endif
