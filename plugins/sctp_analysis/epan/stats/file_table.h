/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the table of the files that a capture was put together from, which ./run writes. */
#ifndef SCTPA_EPAN_FILE_TABLE_H
#define SCTPA_EPAN_FILE_TABLE_H

#include "../../report/capture_files.h"

/* The files by the table at path, borrowed until the next call with another path, and how many in *count; NULL and 0
 * where path is "" or NULL, or, after a message that names it, where it cannot be read or is no such table. A line per
 * file, in order: frames TAB dropped (may be empty) TAB 1 if read to its end, else 0 TAB gap TAB message TAB name. The
 * table is read once; O(bytes), then O(1). */
const sctpa_capture_file_t *sctpa_file_table_read(const char *path, uint32_t *count);

#endif
