/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The open capture as a whole: what the reports say about it beside its associations. */
#ifndef SCTPA_EPAN_CAPTURE_FACTS_H
#define SCTPA_EPAN_CAPTURE_FACTS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    bool has_window;          /* Wireshark's main window is there, not tshark */
    const char *file;         /* borrowed until another capture is open, NULL unknown */
    uint32_t frames;          /* 0 unknown */
    int64_t start_ns, end_ns; /* of the first and last frame, since the epoch; 0 unknown */
} sctpa_capture_t;

/* Starts counting frames, once, for tshark, which tells plugins nothing of its capture; costs a call per frame. */
void sctpa_capture_watch(void);

/* What is known now: from the main window, or what was counted. In tshark the file is that of the preference
 * capture_name. O(1). */
void sctpa_capture_read(sctpa_capture_t *capture);

#endif
