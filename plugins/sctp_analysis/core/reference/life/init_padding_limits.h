/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much of a PAD parameter is kept, that rules also say. */
#ifndef SCTPA_REFERENCE_INIT_PADDING_LIMITS_H
#define SCTPA_REFERENCE_INIT_PADDING_LIMITS_H

/* The beginning of a PAD parameter that is looked for: fewer bytes may be in a cookie by chance. */
#define SCTPA_PAD_COMPARED_BYTES 16

#endif
