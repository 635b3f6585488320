/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Moments of a capture in Wireshark's time display format. */
#ifndef SCTPA_EPAN_TIME_FORMAT_H
#define SCTPA_EPAN_TIME_FORMAT_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* A callback for a view, by View > Time Display Format now; NULL: seconds from the first frame, also where the format
 * asks for the time since another packet. nanoseconds: the capture has them; else microseconds are shown, where no
 * fixed precision is chosen. */
void (*sctpa_time_format(bool nanoseconds))(void *user, int64_t time_ns, GString *out);

/* Another number for another format. */
uint32_t sctpa_time_format_setting(void);

#endif
