/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of a capture, in triage. */
#include "triage_files.h"

#include "../text/page.h"
#include "../text/text.h"

enum { NAME_COLUMNS = 200, SHOWN_ALL = 13, SHOWN_MAX = 24 };

sctpa_file_gaps_t sctpa_file_gaps(const sctpa_view_t *view)
{
    sctpa_file_gaps_t gaps = { 0 };
    for (uint32_t i = 0; i < view->n_files; i++)
        if (view->files[i].gap != NULL && gaps.count++ == 0)
            gaps.first = &view->files[i];
    return gaps;
}

void sctpa_files_describe_gaps(const sctpa_view_t *view, GString *text)
{
    sctpa_file_gaps_t gaps = sctpa_file_gaps(view);
    if (gaps.count == 0)
        return;
    sctpa_text_quantity(text, gaps.count, "gap", NULL);
    g_string_append_printf(text, " between the files of the capture (first: before frame %u; ",
                           gaps.first->first_frame);
    sctpa_text_escape(text, gaps.first->gap, NAME_COLUMNS);
    g_string_append(text, "): packets are missing there. They appear as loss, as an endpoint that does not answer, or "
                          "as an association without set-up or end");
}

void sctpa_files_describe_dropped(const sctpa_view_t *view, GString *text)
{
    const sctpa_capture_file_t *first = NULL;
    uint64_t dropped = 0;
    for (uint32_t i = 0; i < view->n_files; i++) {
        dropped += view->files[i].dropped;
        if (view->files[i].dropped > 0 && first == NULL)
            first = &view->files[i];
    }
    if (first == NULL)
        return;
    sctpa_text_quantity(text, dropped, "packet", NULL);
    g_string_append_printf(text, " dropped by the capturing host (first: while it wrote ");
    sctpa_text_escape(text, first->name, NAME_COLUMNS);
    g_string_append(text, "): they passed, and are not in the capture");
}

static void write_file(const sctpa_capture_file_t *file, const char *label, unsigned label_columns, GString *out)
{
    GString *text = g_string_new(NULL);
    if (file->frames == 0)
        g_string_append(text, "no frames: ");
    else
        g_string_append_printf(text, "frames %u to %u: ", file->first_frame, file->first_frame + file->frames - 1);
    sctpa_text_escape(text, file->name, NAME_COLUMNS);
    if (file->message != NULL) {
        g_string_append(text, " (");
        sctpa_text_escape(text, file->message, NAME_COLUMNS);
        g_string_append_c(text, ')');
    }
    sctpa_page_sentence(out, label, label_columns, text->str);
    g_string_free(text, TRUE);
}

static bool holds_any(const sctpa_capture_file_t *file, const GArray *frames)
{
    for (unsigned i = 0; i < frames->len; i++)
        if (g_array_index(frames, uint32_t, i) - file->first_frame < file->frames)
            return true;
    return false;
}

static void write_left_out(uint32_t files, bool is_first, unsigned label_columns, GString *out)
{
    if (files == 0)
        return;
    GString *text = g_string_new("... ");
    sctpa_text_quantity(text, files, "more file", NULL);
    g_string_append(text, is_first ? " (all: -z sctp,json, capture.files)" : "");
    sctpa_page_sentence(out, "", label_columns, text->str);
    g_string_free(text, TRUE);
}

void sctpa_files_write(const sctpa_view_t *view, const GArray *named, unsigned label_columns, GString *out)
{
    uint32_t shown = 0, left_out = 0;

    for (uint32_t i = 0; i < view->n_files; i++) {
        const sctpa_capture_file_t *file = &view->files[i];
        const bool is_at_an_end = i == 0 || i == view->n_files - 1;
        const bool is_of_interest = file->message != NULL || file->gap != NULL || holds_any(file, named);
        if (view->n_files > SHOWN_ALL && !is_at_an_end && (!is_of_interest || shown >= SHOWN_MAX - 1)) {
            left_out++;
            continue;
        }
        write_left_out(left_out, left_out == i - shown, label_columns, out);
        left_out = 0;
        write_file(file, i == 0 ? "  files" : "", label_columns, out);
        shown++;
    }
}
