/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of a capture that several hold, one after the other. Leaves finding and reading them to ./run. */
#ifndef SCTPA_REPORT_CAPTURE_FILES_H
#define SCTPA_REPORT_CAPTURE_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

/* One of them. Strings are borrowed, NULL none. */
typedef struct {
    const char *name;
    uint32_t first_frame, frames; /* its first frame in the capture, and how many; frames 0: it holds none */
    bool is_whole;                /* it was read to its end */
    bool knows_dropped;           /* the capturing program counted what it dropped */
    uint64_t dropped;             /* packets, while it wrote this file */
    const char *gap;              /* why packets are missing in front of it */
    const char *message;          /* why it was not read to its end, or what is odd about it */
} sctpa_capture_file_t;

/* Appends "NAME:FRAME", the file that holds a frame of the capture, without its folder, and which of its frames it is;
 * nothing where no file of these holds it. O(log n). */
void sctpa_capture_files_locate(const sctpa_capture_file_t *files, uint32_t n, uint32_t frame, GString *out);

#endif
