/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of the files of a capture. */
#include "file_table.h"

#include <stdlib.h>

#include <glib.h>
#include <wsutil/report_message.h>
#include <wsutil/strtoi.h>

enum { FRAMES, DROPPED, WHOLE, GAP, MESSAGE, NAME, FIELDS };

static char *text;  /* of the table last read, with a NUL behind each field */
static GArray *all; /* of sctpa_capture_file_t */

static const char *filled(const char *field)
{
    return field[0] != '\0' ? field : NULL;
}

/* Cuts a line at its tabs; the last field takes the rest. */
static bool split(char *line, char *fields[FIELDS])
{
    for (unsigned i = 0; i < FIELDS; i++) {
        fields[i] = line;
        char *tab = i < NAME ? strchr(line, '\t') : NULL;
        if (tab == NULL)
            return i == NAME;
        *tab = '\0';
        line = tab + 1;
    }
    return false;
}

static bool read_line(char *line, uint32_t first_frame, sctpa_capture_file_t *file)
{
    char *fields[FIELDS];
    *file = (sctpa_capture_file_t){ .first_frame = first_frame };
    if (!split(line, fields) || !ws_strtou32(fields[FRAMES], NULL, &file->frames))
        return false;
    file->knows_dropped = fields[DROPPED][0] != '\0';
    if (file->knows_dropped && !ws_strtou64(fields[DROPPED], NULL, &file->dropped))
        return false;
    file->is_whole = fields[WHOLE][0] == '1';
    file->gap = filled(fields[GAP]);
    file->message = filled(fields[MESSAGE]);
    file->name = fields[NAME];
    return true;
}

static bool read_lines(void)
{
    uint32_t first_frame = 1;
    char *next;
    for (char *line = text; *line != '\0'; line = next) {
        sctpa_capture_file_t file;
        next = strchr(line, '\n');
        if (next == NULL)
            return false;
        *next++ = '\0';
        if (!read_line(line, first_frame, &file))
            return false;
        first_frame += file.frames;
        g_array_append_val(all, file);
    }
    return true;
}

const sctpa_capture_file_t *sctpa_file_table_read(const char *path, uint32_t *count)
{
    static char *read_path; /* the one that text and all are of */
    if (all == NULL || g_strcmp0(path, read_path) != 0) {
        g_free(text);
        g_free(read_path);
        text = NULL;
        read_path = g_strdup(path);
        all = all != NULL ? all : g_array_new(FALSE, FALSE, sizeof(sctpa_capture_file_t));
        g_array_set_size(all, 0);
        if (path != NULL && path[0] != '\0' && (!g_file_get_contents(path, &text, NULL, NULL) || !read_lines())) {
            report_failure("sctp_analysis.capture_files: %s is not a valid table of capture files; files are not shown",
                           path);
            g_array_set_size(all, 0);
        }
    }
    *count = all->len;
    return all->len > 0 ? (const sctpa_capture_file_t *)(void *)all->data : NULL;
}
