/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Conversation filter and colours by association. */
#ifndef SCTPA_EPAN_FILTERS_H
#define SCTPA_EPAN_FILTERS_H

void sctpa_filters_register(void);

#endif
