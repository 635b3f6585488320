/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which file holds a frame. */
#include "capture_files.h"

#include <string.h>

#include "text/text.h"

enum { NAME_COLUMNS = 100 };

void sctpa_capture_files_locate(const sctpa_capture_file_t *files, uint32_t n, uint32_t frame, GString *out)
{
    uint32_t low = 0;
    uint32_t high = n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (files[middle].first_frame <= frame)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || frame - files[low - 1].first_frame >= files[low - 1].frames)
        return;
    const sctpa_capture_file_t *file = &files[low - 1];
    const char *slash = strrchr(file->name, G_DIR_SEPARATOR);
    sctpa_text_escape(out, slash != NULL ? slash + 1 : file->name, NAME_COLUMNS);
    g_string_append_printf(out, ":%u", frame - file->first_frame + 1);
}
