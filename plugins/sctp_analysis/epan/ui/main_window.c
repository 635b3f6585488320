/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers the dialogs. Leaves loading them to menu.c. */
#include "main_window.h"

#include "../compat.h"

#include <cfile.h>
#include <epan/addr_resolv.h>
#include <epan/packet.h>
#include <epan/plugin_if.h>
#include <wsutil/filesystem.h>
#include <wsutil/report_message.h>

#include "../dissector/open_analysis.h"
#include "../messages/message_collector.h"
#include "../preferences.h"
#include "../stats/capture_facts.h"
#include "../stats/time_format.h"
#include "../stats/stats.h"
#include "menu.h"
#include "packet_menu.h"

/* A question about a frame of the open capture, and the answer. */
typedef struct {
    uint32_t frame;
    bool is_shown; /* it is there, and the display filter lets it pass */
} frame_question_t;

static void *ask_current(capture_file *file, void *result)
{
    uint32_t *frame = (uint32_t *)result;
    *frame = file != NULL && file->current_frame != NULL ? file->current_frame->num : 0;
    return NULL;
}

static void *ask_shown(capture_file *file, void *asked)
{
    frame_question_t *question = (frame_question_t *)asked;
    if (file == NULL || file->provider.frames == NULL || question->frame == 0 || question->frame > file->count)
        return NULL;
    const frame_data *frame = frame_data_sequence_find(file->provider.frames, question->frame);
    question->is_shown = frame != NULL && frame->passed_dfilter;
    return NULL;
}

static uint32_t host_current_frame(void)
{
    uint32_t frame = 0;
    plugin_if_get_capture_file(ask_current, &frame);
    return frame;
}

static bool host_is_shown(uint32_t frame)
{
    frame_question_t question = { frame, false };
    plugin_if_get_capture_file(ask_shown, &question);
    return question.is_shown;
}

static bool host_go_to_frame(uint32_t frame)
{
    const bool is_shown = host_is_shown(frame);
    if (is_shown)
        plugin_if_goto_frame(frame);
    return is_shown;
}

static void host_apply_filter(const char *filter)
{
    plugin_if_apply_filter(filter, TRUE);
}

static void *ask_file(capture_file *file, void *asked)
{
    sctpa_host_file_t *answer = (sctpa_host_file_t *)asked;
    if (file == NULL || file->state == FILE_CLOSED || file->filename == NULL)
        return NULL;
    *answer = (sctpa_host_file_t){ .path = file->filename,
                                   .is_temporary = file->is_tempfile,
                                   .has_unsaved_changes = file->unsaved_changes,
                                   .is_whole = file->state == FILE_READ_DONE };
    return NULL;
}

static bool host_file(sctpa_host_file_t *file)
{
    *file = (sctpa_host_file_t){ 0 };
    plugin_if_get_capture_file(ask_file, file);
    return file->path != NULL;
}

static char *host_profile_folder(void)
{
    char *file = get_persconffile_path("preferences", TRUE), *folder = g_path_get_dirname(file);
    g_free(file);
    return folder;
}

static void host_state(sctpa_host_state_t *state)
{
    const sctpa_t *analysis = sctpa_analysis_current();
    sctpa_capture_t capture;
    *state = (sctpa_host_state_t){ 0 };
    if (analysis == NULL)
        return;
    sctpa_capture_read(&capture);
    state->analysis = sctpa_analysis_number();
    state->packets = sctpa_summary(analysis)->packets;
    state->frames = capture.frames;
    state->settings = sctpa_time_format_setting() << 2 | (uint32_t)(gbl_resolv_flags.network_name != 0) << 1 |
                      (uint32_t)(gbl_resolv_flags.transport_name != 0);
}

static bool host_view(sctpa_view_t *view)
{
    if (!sctpa_stats_view(NULL, NULL, view))
        return false;
    view->moment = sctpa_time_format(view->start_ns % 1000 != 0 || view->end_ns % 1000 != 0);
    return true;
}

bool sctpa_main_window_is_there(void)
{
    ws_info_t *info = NULL;
    plugin_if_get_ws_info(&info);
    return info != NULL && info->ws_info_supported;
}

void sctpa_main_window_collect(void)
{
    if (!sctpa_main_window_is_there() || !sctpa_preferences()->messages) {
        sctpa_message_collector_stop(NULL);
        return;
    }
    GString *error = sctpa_message_collector_start(NULL);
    if (error != NULL) {
        report_failure("sctp_analysis.messages: %s", error->str);
        g_string_free(error, TRUE);
    }
}

const sctpa_host_t *sctpa_host(void)
{
    static sctpa_host_t host = {
        .interface_id = SCTPA_INTERFACE_ID,
        .choose = sctpa_menu_choose,
        .state = host_state,
        .view = host_view,
        .current_frame = host_current_frame,
        .assoc_of_frame = sctpa_analysis_assoc_of_frame,
        .go_to_frame = host_go_to_frame,
        .is_shown = host_is_shown,
        .apply_filter = host_apply_filter,
        .file = host_file,
        .preferences = sctpa_preferences_options,
        .profile_folder = host_profile_folder,
        .watch_change = sctpa_analysis_watch_change,
    };
    if (host.settings_file == NULL) {
        host.settings_file = get_persconffile_path("sctp_analysis_windows", FALSE);
        host.plugin_folder = sctpa_menu_plugin_folder();
        host.has_packet_menu = sctpa_packet_menu_is_offered();
    }
    return &host;
}
