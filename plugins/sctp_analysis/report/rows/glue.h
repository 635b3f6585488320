/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names made of two. */
#ifndef SCTPA_REPORT_GLUE_H
#define SCTPA_REPORT_GLUE_H

#define SCTPA_GLUE_EXPANDED(a, b) a##b
#define SCTPA_GLUE(a, b) SCTPA_GLUE_EXPANDED(a, b)
#define SCTPA_NAME_OF_EXPANDED(name) #name
#define SCTPA_NAME_OF(name) SCTPA_NAME_OF_EXPANDED(name)

#endif
